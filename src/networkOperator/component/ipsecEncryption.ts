import * as pulumi from "@pulumi/pulumi";
import { FIELD_MANAGER } from "../../objects/hostedClusterReference";
import {
  INSTALL_MANIFEST_FILE,
  installManifest,
  joinedSettings,
  networkOperatorSettings,
  type NetworkOperatorSettings,
} from "../network";
import { judgeIpsec, type IpsecInputs } from "../ipsec";
import { ipsecFacts, IpsecMode, podTraffic, portsOf } from "../../requirements/networkOperator";
import { describeReference, type DocumentReference } from "../../requirements/documents";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { checked, ownOutputs, plainnessFaults, warnOf, whenKnown } from "../../components/checked";
import { leafwise } from "../../components/leafwise";
import { planned } from "../../components/addresses";
import { gated } from "../../components/settled";
import { topologyOutput, withoutCredentials } from "../../components/topologyOutput";
import type {
  IpsecEncryptionArgs,
  IpsecFact,
  IpsecNodePort,
  IpsecTraffic,
  NetworkOperatorFragment,
} from "./networkOperatorArgs";
import { PLAIN_OPERATOR_INPUTS, patchNetworkOperator, secondPatchFaults } from "./networkOperatorPatch";

/**
 * IPsec between the nodes of a cluster, in the Network operator configuration of a cluster that runs, or as a manifest for
 * openshift-install. Destroying it leaves a running cluster as it is. The smallest role for it is rbac/network-operator-patch.yaml.
 */
export class IpsecEncryption extends pulumi.ComponentResource {
  /** What goes into `spec` of the Network operator configuration. */
  public readonly fragment: pulumi.Output<NetworkOperatorFragment>;
  /** The manifest for openshift-install as YAML, for the file `installManifestFile` among its manifests. */
  public readonly installManifest: pulumi.Output<string>;
  /** The name of that file: `cluster-network-03-config.yml`. */
  public readonly installManifestFile: pulumi.Output<string>;
  /** Which traffic of pods mode Full encrypts, and which it does not. */
  public readonly traffic: pulumi.Output<IpsecTraffic[]>;
  /** What the nodes have to let pass among each other; empty where nothing is encrypted between them. */
  public readonly nodePorts: pulumi.Output<IpsecNodePort[]>;
  /** Cipher, tunnel mode, lifetimes of certificates and what else documents state. */
  public readonly facts: pulumi.Output<IpsecFact[]>;
  /** What works, but probably not as meant, as far as it shows before anything is made. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. Absent for a cluster that is not hosted. */
  public readonly topology: pulumi.Output<HostedClusterTopology | undefined>;

  constructor(name: string, args: IpsecEncryptionArgs, opts?: pulumi.ComponentResourceOptions) {
    const given = args?.topology && { topology: withoutCredentials(args.topology) };
    super("hypershift-network:index:IpsecEncryption", name, { ...args, ...given }, opts);
    const subject = `IpsecEncryption ${name}`;
    const inputs = { ...args };
    const check = checked(this, subject, inputs, (known) => [
      ...PLAIN_OPERATOR_INPUTS.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgeIpsec(known as IpsecInputs).faults,
      ...secondPatchFaults(this, subject, inputs.fragmentOnly),
    ]);
    const { topology, hasModes, warnings } = judgeIpsec(planned(inputs));
    this.warnings = warnOf(this, warnings);

    const { mode = IpsecMode.Full, encapsulation, hybridOverlay } = inputs;
    const ipsecConfig = hasModes ? { mode, ...(encapsulation && { full: { encapsulation } }) } : {};
    const own = networkOperatorSettings({ ipsecConfig });
    const settings =
      hybridOverlay === undefined
        ? own
        : whenKnown([hybridOverlay, own], (parts) => joinedSettings(...(parts as NetworkOperatorSettings[])));
    const { fragmentOnly, forcePatch: force, removeOnDelete } = inputs;
    if (fragmentOnly !== true) {
      const ownership = { fieldManager: FIELD_MANAGER.ipsec, force, removeOnDelete };
      patchNetworkOperator(name, subject, settings, ownership, gated(this, check));
    }

    // The fragment waits for the check: it goes into manifests that are not ours to hold back.
    this.fragment = check.apply(() => pulumi.output(settings) as pulumi.Output<NetworkOperatorFragment>);
    this.installManifest = this.fragment.apply(installManifest);
    this.installManifestFile = pulumi.output(INSTALL_MANIFEST_FILE);
    this.traffic = pulumi.output(podTraffic.map(({ id: _, ...flow }) => withTexts(flow)));
    this.nodePorts = pulumi
      .all([mode, encapsulation])
      .apply(([known, wrapped]) =>
        portsOf(known, wrapped).map(({ id: _, whenEncapsulated: __, ...port }) => withTexts(port)),
      );
    this.facts = pulumi.output(ipsecFacts.map(withTexts));
    this.topology = leafwise(args?.topology && topology && topologyOutput(args.topology, topology));
    this.registerOutputs(ownOutputs(this));
  }
}

const withTexts = <Row extends { documents: readonly DocumentReference[] }>(row: Row) => ({
  ...row,
  documents: row.documents.map(describeReference),
});
