import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import {
  NETWORK_OPERATOR_API_VERSION,
  NETWORK_OPERATOR_KIND,
  NETWORK_OPERATOR_NAME,
  INSTALL_MANIFEST_FILE,
  installManifest,
  networkOperatorSettings,
  joinedSettings,
  type NetworkOperatorSettings,
} from "../network";
import { patchAnnotations, FIELD_MANAGER } from "../../objects/hostedClusterReference";
import { Claims } from "../../components/claims";
import { gated, givenPart, settledInput } from "../../components/settled";
import { judgeHybridOverlay, type HybridOverlayInputs } from "../hybridOverlay";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { checked, ownOutputs, plainnessFaults, warnOf, whenKnown } from "../../components/checked";
import { leafwise, planned, topologyOutput, withoutCredentials } from "../../components/outputs";
import type {
  HybridOverlayNetworkArgs,
  NetworkOperatorFragment,
  IpsecEncryptionArgs,
  IpsecFact,
  IpsecNodePort,
  IpsecTraffic,
} from "./networkOperatorArgs";
import { judgeIpsec, type IpsecInputs } from "../ipsec";
import { ipsecFacts, IpsecMode, podTraffic, portsOf } from "../../requirements/networkOperator";
import { describeReference, type DocumentReference } from "../../requirements/documents";

/**
 * Patches settings of a cluster's network operator by server-side apply, unless only the fragment is wanted; they stay when the patch is
 * deleted unless `removeOnDelete` is true. A change of a hybrid network in them is refused.
 */
function patchNetworkOperator(
  name: string,
  subject: string,
  spec: pulumi.Input<object>,
  fieldManager: string,
  { fragmentOnly, forcePatch, removeOnDelete }: HybridOverlayNetworkArgs | IpsecEncryptionArgs,
  opts: pulumi.CustomResourceOptions,
): void {
  if (fragmentOnly === true) return;
  const settled = settledInput({ subject, path: HYBRID_NETWORK, fault: SETTLED });
  const hooks = {
    ...opts.hooks,
    beforeUpdate: [...(settled?.beforeUpdate ?? []), ...(opts.hooks?.beforeUpdate ?? [])],
  };
  new apiextensions.CustomResourcePatch(
    name,
    {
      apiVersion: NETWORK_OPERATOR_API_VERSION,
      kind: NETWORK_OPERATOR_KIND,
      metadata: { name: NETWORK_OPERATOR_NAME, annotations: patchAnnotations(fieldManager, forcePatch) },
      spec,
    },
    { ...opts, retainOnDelete: removeOnDelete !== true, ...(settled && { hooks }) },
  );
}

/** Inputs that decide what is created and how it is judged, so that they must be plain values. */
export const PLAIN_OPERATOR_INPUTS = ["topology", "platform", "release"] as const;

const HYBRID_NETWORK = ["spec", "defaultNetwork", "ovnKubernetesConfig", "hybridOverlayConfig"];

const SETTLED: Fault = {
  path: "hybridClusterNetwork",
  problem:
    "and hybridOverlayVXLANPort cannot change: the network operator refuses to edit an existing hybrid network",
  remedy: "write the values of the last deployment",
};

const patches = new Claims<undefined>("patch of the Network operator configuration");

/**
 * The fault of a second patch of one cluster's configuration: each patch writes its field manager to an annotation of the object, and
 * the server refuses two names.
 */
export function secondPatchFaults(
  component: pulumi.Resource,
  subject: string,
  fragmentOnly: unknown,
): Fault[] {
  if (fragmentOnly === true) return [];
  const [other] = patches.take(component, subject, undefined);
  if (!other) return [];
  const problem = `missing: ${other.subject} already patches the Network operator configuration of this cluster`;
  const remedy =
    "set fragmentOnly: true for the HybridOverlayNetwork and give its fragment to hybridOverlay of the IpsecEncryption";
  return [{ path: "fragmentOnly", problem, remedy }];
}

/**
 * Hybrid networking of OVN-Kubernetes: the additional overlay network for Windows nodes, in the Network operator configuration of a
 * running cluster, or as a manifest for openshift-install. Destroying it leaves a running cluster as it is. The smallest role for it
 * is rbac/network-operator-patch.yaml.
 */
export class HybridOverlayNetwork extends pulumi.ComponentResource {
  /** The part of `spec` of the Network operator configuration that holds the settings. */
  public readonly fragment: pulumi.Output<NetworkOperatorFragment>;
  /** The manifest for openshift-install as YAML, to be saved as `installManifestFile` among its manifests. */
  public readonly installManifest: pulumi.Output<string>;
  /** The name of that file: `cluster-network-03-config.yml`. */
  public readonly installManifestFile: pulumi.Output<string>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. Absent if the cluster is not hosted. */
  public readonly topology: pulumi.Output<HostedClusterTopology | undefined>;

  constructor(name: string, args: HybridOverlayNetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    const shown = args?.topology && { topology: withoutCredentials(args.topology) };
    super("hypershift-network:index:HybridOverlayNetwork", name, { ...args, ...shown }, opts);
    const subject = `HybridOverlayNetwork ${name}`;
    const inputs = { ...args };
    const check = checked(this, subject, inputs, (known) => [
      ...PLAIN_OPERATOR_INPUTS.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgeHybridOverlay(known as HybridOverlayInputs).faults,
      ...secondPatchFaults(this, subject, inputs.fragmentOnly),
    ]);
    const given = givenPart(inputs);
    const { topology, warnings } = judgeHybridOverlay(planned(given));
    this.warnings = warnOf(this, warnings);

    const settings = networkOperatorSettings({ hybridOverlayConfig: hybridOverlayConfig(given) });
    patchNetworkOperator(name, subject, settings, FIELD_MANAGER.hybridOverlay, given, gated(this, check));

    // The fragment waits for the check, because it goes into manifests that this component cannot hold back.
    this.fragment = check.apply(() => pulumi.output(settings) as pulumi.Output<NetworkOperatorFragment>);
    this.installManifest = this.fragment.apply(installManifest);
    this.installManifestFile = pulumi.output(INSTALL_MANIFEST_FILE);
    this.topology = leafwise(given.topology && topology && topologyOutput(given.topology, topology));
    this.registerOutputs(ownOutputs(this));
  }
}

/** Returns the setting as the configuration holds it. Previews show the known parts even if others are not known yet. */
function hybridOverlayConfig({ hybridClusterNetwork, hybridOverlayVXLANPort }: HybridOverlayNetworkArgs) {
  return {
    hybridClusterNetwork,
    ...(hybridOverlayVXLANPort !== undefined && { hybridOverlayVXLANPort }),
  };
}

/**
 * IPsec between the nodes of a cluster, in the Network operator configuration of a running cluster, or as a manifest for
 * openshift-install. Destroying it leaves a running cluster as it is. The smallest role for it is rbac/network-operator-patch.yaml.
 */
export class IpsecEncryption extends pulumi.ComponentResource {
  /** The part of `spec` of the Network operator configuration that holds the settings. */
  public readonly fragment: pulumi.Output<NetworkOperatorFragment>;
  /** The manifest for openshift-install as YAML, to be saved as `installManifestFile` among its manifests. */
  public readonly installManifest: pulumi.Output<string>;
  /** The name of that file: `cluster-network-03-config.yml`. */
  public readonly installManifestFile: pulumi.Output<string>;
  /** The kinds of pod traffic, and whether mode Full encrypts each. */
  public readonly traffic: pulumi.Output<IpsecTraffic[]>;
  /** Ports and protocols that nodes must allow among each other; empty if nothing is encrypted between them. */
  public readonly nodePorts: pulumi.Output<IpsecNodePort[]>;
  /** Cipher, tunnel mode, lifetimes of certificates and other facts that documents state. */
  public readonly facts: pulumi.Output<IpsecFact[]>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. Absent if the cluster is not hosted. */
  public readonly topology: pulumi.Output<HostedClusterTopology | undefined>;

  constructor(name: string, args: IpsecEncryptionArgs, opts?: pulumi.ComponentResourceOptions) {
    const shown = args?.topology && { topology: withoutCredentials(args.topology) };
    super("hypershift-network:index:IpsecEncryption", name, { ...args, ...shown }, opts);
    const subject = `IpsecEncryption ${name}`;
    const inputs = { ...args };
    const check = checked(this, subject, inputs, (known) => [
      ...PLAIN_OPERATOR_INPUTS.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgeIpsec(known as IpsecInputs).faults,
      ...secondPatchFaults(this, subject, inputs.fragmentOnly),
    ]);
    const given = givenPart(inputs);
    const { topology, hasModes, warnings } = judgeIpsec(planned(given));
    this.warnings = warnOf(this, warnings);

    const { mode = IpsecMode.Full, encapsulation, hybridOverlay } = given;
    const ipsecConfig = hasModes ? { mode, ...(encapsulation && { full: { encapsulation } }) } : {};
    const own = networkOperatorSettings({ ipsecConfig });
    const settings =
      hybridOverlay === undefined
        ? own
        : whenKnown([hybridOverlay, own], (parts) => joinedSettings(...(parts as NetworkOperatorSettings[])));
    patchNetworkOperator(name, subject, settings, FIELD_MANAGER.ipsec, given, gated(this, check));

    // The fragment waits for the check, because it goes into manifests that this component cannot hold back.
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
    this.topology = leafwise(given.topology && topology && topologyOutput(given.topology, topology));
    this.registerOutputs(ownOutputs(this));
  }
}

const withTexts = <Row extends { documents: readonly DocumentReference[] }>(row: Row) => ({
  ...row,
  documents: row.documents.map(describeReference),
});
