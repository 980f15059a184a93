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
import { gated } from "../../components/settled";
import { sealedKubeconfig } from "../../components/masked";
import { SharedFieldShare, sharedFieldAccessFaults } from "../../components/dynamicProvider";

/**
 * The exceptions from the management cluster's proxy that a hosted cluster on KubeVirt needs whose node pools are attached
 * to secondary networks without the default pod network (`attachDefaultNetwork: false`).
 */
export interface ManagementClusterProxyArgs extends ManagementClusterProxySettings {
  /**
   * The hosted cluster. Plain values. Changing it changes the entries in place. (Management cluster that uses a proxy and a
   * hosted cluster with a secondary network and no default pod network)
   */
  topology: HostedClusterTopology;
}

/** What can be chosen of the exceptions, whatever the hosted cluster is. */
export interface ManagementClusterProxySettings {
  /**
   * CIDR blocks of the secondary networks, IPv4 or IPv6: `192.168.10.0/24`. Defaults to `topology.machineNetwork` on
   * KubeVirt; elsewhere it is needed. A network that is taken out of the list is taken out of noProxy too, if it came from
   * here. Changing it changes noProxy in place and rolls the nodes of the management cluster. (Management cluster that uses a
   * proxy and a hosted cluster with a secondary network and no default pod network)
   */
  secondaryNetworkCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What stands in `spec.noProxy` of the management cluster's Proxy object `cluster` now, with commas between the entries.
   * Only for the outputs; `manage` reads it from the cluster. Defaults to none: the output `noProxy` then holds only the new
   * entries. Changing it changes only outputs.
   */
  currentNoProxy?: pulumi.Input<string>;
  /**
   * Whether the missing entries are added to `spec.noProxy` of the Proxy object `cluster` (`config.openshift.io/v1`): it is
   * read, what is missing is added behind what stands there, and it is written unless another program has written it since.
   * Entries of others are never touched. Defaults to false: nothing is changed. Works from Node.js programs that have this
   * package among their dependencies, and only on OpenShift, which has that object. Adding entries rolls the nodes of the
   * management cluster.
   */
  manage?: boolean;
  /**
   * A kubeconfig of the management cluster, its content or the path of a file; a secret. Only for `manage`. Defaults to the
   * one of the default Kubernetes provider: `kubernetes:kubeconfig` in the stack's configuration, else KUBECONFIG, else
   * `~/.kube/config`. Needed where the component is given a Kubernetes provider. Changing it to another cluster leaves the
   * entries in the first one.
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * The context in that kubeconfig. Only for `manage`. Defaults to `kubernetes:context` in the stack's configuration, else to
   * the current one. Changing it to another cluster leaves the entries in the first one.
   */
  context?: pulumi.Input<string>;
  /**
   * Takes the entries that came from here out of noProxy when this component is deleted, which rolls the nodes of the
   * management cluster. Defaults to false: they stay. Deploy the change before the destroy that shall follow it.
   */
  removeOnDelete?: boolean;
}

/** A deployment of the hosted control plane that gets the proxy of the management cluster. */
export interface ControlPlaneDeployment {
  /** Its name in the namespace of the hosted control plane: `ignition-server`. */
  name: string;
  /** The variables that it gets: `HTTPS_PROXY`. Their values come from the status of the management cluster's Proxy. */
  variables: string[];
  /** What HyperShift adds to its NO_PROXY. */
  noProxyAdditions: string[];
  /** Where it stands. */
  documents: string[];
}

/**
 * What the proxy of the management cluster has to let past for one hosted cluster on KubeVirt whose nodes are on secondary
 * networks without the default pod network: otherwise the API server sends some of its requests to those nodes through the
 * proxy. By default it only says so; `manage` adds the entries, for which rbac/management-cluster-proxy.yaml is the smallest role.
 * Destroying it leaves them.
 */
export class ManagementClusterProxy extends pulumi.ComponentResource {
  /** The entries that have to be in noProxy of the management cluster. */
  public readonly requiredEntries: pulumi.Output<string[]>;
  /** Those of them that nothing in `currentNoProxy` covers. */
  public readonly missingEntries: pulumi.Output<string[]>;
  /**
   * `spec.noProxy` of the management cluster's Proxy as it has to be: `currentNoProxy` with the missing entries behind it;
   * with `manage` as it is in the cluster.
   */
  public readonly noProxy: pulumi.Output<string>;
  /** The deployments of the hosted control plane that get the proxy of the management cluster. */
  public readonly controlPlaneDeployments: pulumi.Output<ControlPlaneDeployment[]>;
  /** What works, but probably not as meant, as far as it shows before anything is made. */
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
    const known = judgeManagementProxy(planned(inputs) as unknown as ManagementProxyInputs);
    const topology = known.topology!;
    this.warnings = warnOf(this, known.warnings);

    const required = withAddresses(entriesOf(args, topology), topology, args.topology, check);
    const merged = pulumi
      .all([required, args.currentNoProxy])
      .apply(([entries, current]) => mergedNoProxy(current, entries));
    this.requiredEntries = required;
    this.missingEntries = merged.apply(({ missing }) => missing);
    this.noProxy =
      args.manage === true
        ? addTo(this, name, args, check, required)
        : merged.apply(({ noProxy }) => noProxy);
    this.controlPlaneDeployments = leafwise(
      withAddresses(managementProxyDeployments(topology), topology, args.topology, check),
    );
    this.topology = leafwise(topologyOutput(args.topology, topology));
    this.registerOutputs(ownOutputs(this));
  }
}

const PROXY_TYPE = "kubernetes:config.openshift.io/v1:Proxy";

/** The inputs as they may stand in the state. */
const sealed = (args: ManagementClusterProxyArgs): ManagementClusterProxyArgs => ({
  ...sealedKubeconfig(args),
  topology: withoutCredentials(args?.topology),
});

/** The blocks of the secondary networks: as they were given, else the machine networks. */
function entriesOf(
  { secondaryNetworkCidrs }: ManagementClusterProxyArgs,
  { machineNetwork }: NormalizedTopology,
): pulumi.Output<string[]> {
  return pulumi
    .output(secondaryNetworkCidrs)
    .apply((cidrs) => cidrs ?? machineNetwork.map(({ text }) => text));
}

/** Why the cluster cannot be written from here, where it is to be. */
export const managementAccessFaults = (
  component: pulumi.Resource,
  { manage, kubeconfig }: ManagementClusterProxySettings,
): Fault[] => (manage === true ? sharedFieldAccessFaults(component, "manage", PROXY_TYPE, kubeconfig) : []);

/** The entries in noProxy of the cluster; returns the whole of it. */
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
