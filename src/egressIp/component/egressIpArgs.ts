import type * as pulumi from "@pulumi/pulumi";
import type { InfrastructurePlatform } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { LabelSelector } from "../../components/labelSelector";
import type { NodePoolReference } from "../../components/hostedClusterPatch";

/** Args of EgressIP: fixed source addresses for traffic of selected pods that leaves the cluster. */
export interface EgressIPArgs extends EgressIPSettings {
  /**
   * The hosted cluster. Plain values. Defaults to none: then platform, release and subnets are checked only if they are set here. Changing
   * it changes nothing by itself.
   */
  topology?: HostedClusterTopology;
  /** OpenShift release as `major.minor`. A plain value. Defaults to the release of the topology. Changing it changes nothing by itself. */
  release?: string;
}

/** Settings of an EgressIP object that do not depend on the hosted cluster. */
export interface EgressIPSettings {
  /**
   * Name of the EgressIP object, which is not in a namespace. Defaults to the name of the component. Changing it replaces the object, and
   * meanwhile the traffic has other source addresses. (OVN-Kubernetes, EgressIP object)
   */
  objectName?: pulumi.Input<string>;
  /**
   * The source addresses, IPv4 and IPv6, at least one. They must be in the subnets of the nodes' primary addresses and not in use. One
   * node holds each address at a time, and a node holds at most one of them, so there must be no more addresses than labelled nodes. Which
   * of several addresses a connection uses is not defined. They are written in canonical form. Changes are made in place, and connections
   * that use a removed address are cut. (OVN-Kubernetes, EgressIP object)
   */
  addresses: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Labels of the namespaces whose pods get the addresses; an empty selector selects all namespaces. Two objects must not select the same
   * pods: a certain overlap is refused, a possible overlap causes a warning. Changes are made in place. (OVN-Kubernetes, EgressIP object)
   */
  namespaceSelector: pulumi.Input<LabelSelector>;
  /** Labels of the pods in those namespaces. Defaults to all of them. Changes are made in place. (OVN-Kubernetes, EgressIP object) */
  podSelector?: pulumi.Input<LabelSelector>;
  /**
   * Names of existing nodes that may hold the addresses. They get the label `k8s.ovn.org/egress-assignable` before the object is created;
   * the label is removed with the component, unless another owner has set it too. Plain values. Defaults to none: then nodes must be
   * labelled elsewhere, in a hosted cluster by EgressAssignableNodes on its NodePools. Changes are made in place; remove a node from the
   * list before you delete it. (OVN-Kubernetes, Labeling a node to host egress IP addresses)
   */
  nodes?: string[];
  /**
   * Total number of nodes with the label. Defaults to the number of `nodes`. A number below that of `addresses` is refused. Changing it
   * changes nothing by itself. (OVN-Kubernetes, Assignment of egress IPs to nodes)
   */
  assignableNodeCount?: pulumi.Input<number>;
  /**
   * Subnets of the nodes' primary addresses, as CIDR blocks. Defaults to the machine network of the topology. On bare metal from release
   * 4.14, subnets of additional networks of the nodes may be listed too. Addresses outside the subnets, and addresses that the network or
   * the cloud reserves, are refused. Changing it changes nothing by itself. (OVN-Kubernetes, Egress IP address architectural design and
   * implementation)
   */
  nodeSubnets?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Addresses and CIDR blocks in those subnets that are in use: nodes, gateways, virtual IP addresses, DHCP ranges. Defaults to the single
   * addresses that the topology names. Addresses of other EgressIP and EgressRouter components of the program are known already. Changing
   * it changes nothing by itself.
   */
  addressesInUse?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Platform of the nodes. A plain value. Defaults to the platform of the topology, bare metal for Agent. A platform for which the
   * documents do not support egress IP addresses with this release is refused. Changing it changes nothing by itself. (OVN-Kubernetes,
   * Platform support)
   */
  platform?: InfrastructurePlatform;
  /**
   * Creates the object on a platform that the documents exclude. Defaults to false: the platform is refused, with the reason. Changing it
   * changes nothing by itself.
   */
  acceptUnsupportedPlatform?: boolean;
  /**
   * Takes over the label of a node from another owner that set it to some value. Defaults to false: the deployment stops with a conflict
   * that names the owner. Changing it has no effect on labels that this component owns.
   */
  forcePatch?: boolean;
  /** Labels of the EgressIP object. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Annotations of the EgressIP object, without OVN-Kubernetes' own `k8s.ovn.org/egressip-mark`. Defaults to none. Changes are made in
   * place.
   */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Args of EgressAssignableNodes. Set exactly one of `nodes` and `nodePools`: they are in different clusters. */
export interface EgressAssignableNodesArgs {
  /**
   * Names of existing nodes, which get the label `k8s.ovn.org/egress-assignable`. The label is removed with the component, unless another
   * owner has set it too. Plain values. Defaults to none. Changes are made in place; remove a node from the list before you delete it.
   * (OVN-Kubernetes, Labeling a node to host egress IP addresses)
   */
  nodes?: string[];
  /**
   * NodePools of a hosted cluster, objects of the management cluster, whose nodes get the label when they are created. Plain values.
   * Defaults to none. Changes are made in place, and existing nodes keep their labels. (HyperShift, NodePool API, spec.nodeLabels)
   */
  nodePools?: NodePoolReference[];
  /**
   * Takes over the label from another owner that set it to some value. Defaults to false: the deployment stops with a conflict that names
   * the owner. Changing it has no effect on labels that this component owns.
   */
  forcePatch?: boolean;
}
