import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import {
  CLUSTER_PROXY,
  mergedNoProxy,
  judgeManagementProxy,
  managementProxyDeployments,
  type ManagementProxyInputs,
} from "../management";
import { FIELD_MANAGER } from "../../objects/hostedClusterReference";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { checked, ownOutputs, plainnessFaults, warnOf } from "../../components/checked";
import {
  leafwise,
  planned,
  withAddresses,
  topologyOutput,
  withoutCredentials,
} from "../../components/outputs";
import { gated, givenPart } from "../../components/settled";
import { sealedKubeconfig } from "../../components/masked";
import { SharedFieldShare, sharedFieldAccessFaults } from "../../components/dynamicProvider";

/**
 * The exceptions from the management cluster's proxy that a hosted cluster on KubeVirt needs if its node pools are attached to
 * secondary networks without the default pod network (`attachDefaultNetwork: false`).
 */
export interface ManagementClusterProxyArgs extends ManagementClusterProxySettings {
  /**
   * The hosted cluster. Plain values. Changing it changes the entries in place. (Management cluster that uses a proxy and a
   * hosted cluster with a secondary network and no default pod network)
   */
  topology: HostedClusterTopology;
}

/** Settings of the exceptions that do not depend on the hosted cluster. */
export interface ManagementClusterProxySettings {
  /**
   * CIDR blocks of the secondary networks, IPv4 or IPv6: `192.168.10.0/24`. Defaults to `topology.machineNetwork` on KubeVirt;
   * required on other platforms. Removing a network from the list also removes it from noProxy, if this component added it. Changing
   * it changes noProxy in place and rolls the nodes of the management cluster. (Management cluster that uses a proxy and a hosted
   * cluster with a secondary network and no default pod network)
   */
  secondaryNetworkCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The current `spec.noProxy` of the management cluster's Proxy object `cluster`, separated by commas. Only for the outputs;
   * `manage` reads it from the cluster. Defaults to none: the output `noProxy` then holds only the new entries. Changing it changes
   * only outputs.
   */
  currentNoProxy?: pulumi.Input<string>;
  /**
   * Whether to add the missing entries to `spec.noProxy` of the Proxy object `cluster` (`config.openshift.io/v1`). The component
   * reads the object, appends the missing entries, and writes it unless another program has written it in between. It never changes
   * entries of others. Defaults to false: nothing is changed. Works only from Node.js programs that depend on this package, and only
   * on OpenShift, which has that object. Adding entries rolls the nodes of the management cluster.
   */
  manage?: boolean;
  /**
   * A kubeconfig of the management cluster, as its content or as the path of a file; a secret. Only for `manage`. Defaults to that of
   * the default Kubernetes provider: `kubernetes:kubeconfig` in the stack's configuration, else KUBECONFIG, else `~/.kube/config`.
   * Required if the component is given a Kubernetes provider. Changing it to another cluster leaves the entries in the first one.
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * The context in that kubeconfig. Only for `manage`. Defaults to `kubernetes:context` in the stack's configuration, else to the
   * current context. Changing it to another cluster leaves the entries in the first one.
   */
  context?: pulumi.Input<string>;
  /**
   * Removes the entries that this component added to noProxy when the component is deleted, which rolls the nodes of the management
   * cluster. Defaults to false: they stay. Deploy a change of this setting before you destroy the component.
   */
  removeOnDelete?: boolean;
}

/** A deployment of the hosted control plane that gets the proxy of the management cluster. */
export interface ControlPlaneDeployment {
  /** Its name in the namespace of the hosted control plane: `ignition-server`. */
  name: string;
  /** The variables that it gets: `HTTPS_PROXY`. Their values are from the status of the management cluster's Proxy. */
  variables: string[];
  /** The entries that HyperShift adds to its NO_PROXY. */
  noProxyAdditions: string[];
  /** Documents that state it. */
  documents: string[];
}

/**
 * The entries that must bypass the proxy of the management cluster for one hosted cluster on KubeVirt whose nodes are on secondary
 * networks without the default pod network: otherwise the API server sends some of its requests to those nodes through the proxy. By
 * default, the component only reports the entries; `manage` adds them, for which rbac/management-cluster-proxy.yaml is the smallest
 * role. Destroying the component leaves the entries.
 */
export class ManagementClusterProxy extends pulumi.ComponentResource {
  /** The entries that must be in noProxy of the management cluster. */
  public readonly requiredEntries: pulumi.Output<string[]>;
  /** The required entries that nothing in `currentNoProxy` covers. */
  public readonly missingEntries: pulumi.Output<string[]>;
  /**
   * The required `spec.noProxy` of the management cluster's Proxy: `currentNoProxy` followed by the missing entries; with `manage`,
   * its value in the cluster.
   */
  public readonly noProxy: pulumi.Output<string>;
  /** The deployments of the hosted control plane that get the proxy of the management cluster. */
  public readonly controlPlaneDeployments: pulumi.Output<ControlPlaneDeployment[]>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: ManagementClusterProxyArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:ManagementClusterProxy", name, sealed(args), opts);
    const inputs = { ...args };
    const check = checked(this, `ManagementClusterProxy ${name}`, inputs, (known) => [
      ...plainnessFaults("topology", inputs.topology),
      ...judgeManagementProxy(known as unknown as ManagementProxyInputs).faults,
      ...managementAccessFaults(this, inputs),
    ]);
    const given = givenPart(inputs);
    const known = judgeManagementProxy(planned(given) as unknown as ManagementProxyInputs);
    const topology = known.topology!;
    this.warnings = warnOf(this, known.warnings);

    const required = withAddresses(entriesOf(given, topology), topology, given.topology, check);
    const merged = pulumi
      .all([required, given.currentNoProxy])
      .apply(([entries, current]) => mergedNoProxy(current, entries));
    this.requiredEntries = required;
    this.missingEntries = merged.apply(({ missing }) => missing);
    this.noProxy =
      given.manage === true
        ? addTo(this, name, given, check, required)
        : merged.apply(({ noProxy }) => noProxy);
    this.controlPlaneDeployments = leafwise(
      withAddresses(managementProxyDeployments(topology), topology, given.topology, check),
    );
    this.topology = leafwise(topologyOutput(given.topology, topology));
    this.registerOutputs(ownOutputs(this));
  }
}

const PROXY_TYPE = "kubernetes:config.openshift.io/v1:Proxy";

/** The inputs in a form that is safe in the state. */
const sealed = (args: ManagementClusterProxyArgs): ManagementClusterProxyArgs => ({
  ...sealedKubeconfig(args),
  topology: withoutCredentials(args?.topology),
});

/** The blocks of the secondary networks: as given, else the machine networks. */
function entriesOf(
  { secondaryNetworkCidrs }: ManagementClusterProxyArgs,
  { machineNetwork }: NormalizedTopology,
): pulumi.Output<string[]> {
  return pulumi
    .output(secondaryNetworkCidrs)
    .apply((cidrs) => cidrs ?? machineNetwork.map(({ text }) => text));
}

/** The faults that keep this program from writing to the cluster, if `manage` is true. */
export const managementAccessFaults = (
  component: pulumi.Resource,
  { manage, kubeconfig }: ManagementClusterProxySettings,
): Fault[] => (manage === true ? sharedFieldAccessFaults(component, "manage", PROXY_TYPE, kubeconfig) : []);

/** Adds the entries to noProxy of the cluster, and returns the whole text. */
function addTo(
  parent: pulumi.Resource,
  name: string,
  { kubeconfig, context, removeOnDelete }: ManagementClusterProxyArgs,
  check: pulumi.Output<unknown>,
  entries: pulumi.Output<string[]>,
): pulumi.Output<string> {
  const share = new SharedFieldShare(
    name,
    {
      apiVersion: CLUSTER_PROXY.apiVersion,
      object: CLUSTER_PROXY.kind,
      name: CLUSTER_PROXY.name,
      path: [...CLUSTER_PROXY.path],
      shape: { kind: "noProxy" },
      entries,
      fieldManager: FIELD_MANAGER.managementProxy,
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
    },
    { ...gated(parent, check), retainOnDelete: removeOnDelete !== true },
  );
  return share.valueAfter(check).apply((noProxy) => (noProxy as string | undefined) ?? "");
}
