import type * as pulumi from "@pulumi/pulumi";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";

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
