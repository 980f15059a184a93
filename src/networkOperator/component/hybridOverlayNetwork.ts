import * as pulumi from "@pulumi/pulumi";
import { FIELD_MANAGER } from "../../objects/hostedClusterReference";
import { INSTALL_MANIFEST_FILE, installManifest, networkOperatorSettings } from "../network";
import { judgeHybridOverlay, type HybridOverlayInputs } from "../hybridOverlay";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { checked, ownOutputs, plainnessFaults, warnOf } from "../../components/checked";
import { leafwise } from "../../components/leafwise";
import { planned } from "../../components/addresses";
import { gated } from "../../components/settled";
import { topologyOutput, withoutCredentials } from "../../components/topologyOutput";
import type { HybridOverlayNetworkArgs, NetworkOperatorFragment } from "./networkOperatorArgs";
import { PLAIN_OPERATOR_INPUTS, patchNetworkOperator, secondPatchFaults } from "./networkOperatorPatch";

/**
 * Hybrid networking of OVN-Kubernetes: the additional overlay network for Windows nodes, in the Network operator
 * configuration of a cluster that runs, or as a manifest for openshift-install. Destroying it leaves a running cluster as
 * it is. The smallest role for it is rbac/network-operator-patch.yaml.
 */
export class HybridOverlayNetwork extends pulumi.ComponentResource {
  /** What goes into `spec` of the Network operator configuration. */
  public readonly fragment: pulumi.Output<NetworkOperatorFragment>;
  /** The manifest for openshift-install as YAML, for the file `installManifestFile` among its manifests. */
  public readonly installManifest: pulumi.Output<string>;
  /** The name of that file: `cluster-network-03-config.yml`. */
  public readonly installManifestFile: pulumi.Output<string>;
  /** What works, but probably not as meant, as far as it shows before anything is made. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. Absent for a cluster that is not hosted. */
  public readonly topology: pulumi.Output<HostedClusterTopology | undefined>;

  constructor(name: string, args: HybridOverlayNetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    const given = args?.topology && { topology: withoutCredentials(args.topology) };
    super("hypershift-network:index:HybridOverlayNetwork", name, { ...args, ...given }, opts);
    const subject = `HybridOverlayNetwork ${name}`;
    const inputs = { ...args };
    const check = checked(this, subject, inputs, (known) => [
      ...PLAIN_OPERATOR_INPUTS.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgeHybridOverlay(known as HybridOverlayInputs).faults,
      ...secondPatchFaults(this, subject, inputs.fragmentOnly),
    ]);
    const { topology, warnings } = judgeHybridOverlay(planned(inputs));
    this.warnings = warnOf(this, warnings);

    const settings = networkOperatorSettings({ hybridOverlayConfig: hybridOverlayConfig(args) });
    const { fragmentOnly, forcePatch: force, removeOnDelete } = args;
    if (fragmentOnly !== true) {
      const ownership = { fieldManager: FIELD_MANAGER.hybridOverlay, force, removeOnDelete };
      patchNetworkOperator(name, subject, settings, ownership, gated(this, check));
    }

    // The fragment waits for the check: it goes into manifests that are not ours to hold back.
    this.fragment = check.apply(() => pulumi.output(settings) as pulumi.Output<NetworkOperatorFragment>);
    this.installManifest = this.fragment.apply(installManifest);
    this.installManifestFile = pulumi.output(INSTALL_MANIFEST_FILE);
    this.topology = leafwise(args.topology && topology && topologyOutput(args.topology, topology));
    this.registerOutputs(ownOutputs(this));
  }
}

/** The setting as the configuration holds it: known parts show in previews although others are not known yet. */
function hybridOverlayConfig({ hybridClusterNetwork, hybridOverlayVXLANPort }: HybridOverlayNetworkArgs) {
  return {
    hybridClusterNetwork,
    ...(hybridOverlayVXLANPort !== undefined && { hybridOverlayVXLANPort }),
  };
}
