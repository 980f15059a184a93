import type * as pulumi from "@pulumi/pulumi";
import type { InfrastructurePlatform } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { LabelSelector } from "../../components/labelSelector";
import type { NodePoolReference } from "../../components/hostedClusterPatch";

/** Fixed source addresses for the traffic of some pods that leaves the cluster. */
export interface EgressIPArgs extends EgressIPSettings {
  /**
   * The hosted cluster. Plain values. Defaults to none: then platform, release and subnets are only checked as far as they
   * are given here. Changing it changes nothing by itself.
   */
  topology?: HostedClusterTopology;
  /** OpenShift release as `major.minor`. A plain value. Defaults to that of the topology. Changing it changes nothing by itself. */
  release?: string;
}

/** What can be chosen of an EgressIP object, whatever the hosted cluster is. */
export interface EgressIPSettings {
  /**
   * Name of the EgressIP object, which is not in a namespace. Defaults to the name of the component. Changing it replaces
   * the object, and the traffic has other source addresses in between. (OVN-Kubernetes, EgressIP object)
   */
  objectName?: pulumi.Input<string>;
  /**
   * The source addresses, IPv4 and IPv6, at least one. They lie in the subnets of the nodes' primary addresses and
   * are not in use. Each is held by one node at a time, and a node holds one of them at most: no more addresses than labelled
   * nodes. Which of several is used for a connection is not defined. They are written in their canonical form. Changes
   * are made in place, and connections that use an address that goes are cut. (OVN-Kubernetes, EgressIP object)
   */
  addresses: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Labels of the namespaces whose pods get the addresses; one without demands means all of them. Two objects must not
   * select the same pods: that is refused where it is certain and warned about where it is possible. Changes are made in
   * place. (OVN-Kubernetes, EgressIP object)
   */
  namespaceSelector: pulumi.Input<LabelSelector>;
  /** Labels of the pods in those namespaces. Defaults to all of them. Changes are made in place. (OVN-Kubernetes, EgressIP object) */
  podSelector?: pulumi.Input<LabelSelector>;
  /**
   * Names of nodes that may hold the addresses. They exist, and get the label `k8s.ovn.org/egress-assignable` before the
   * object is made; the label goes when the component goes, unless another owner set it too. Plain values. Defaults to
   * none: then nodes are labelled elsewhere, in a hosted cluster by EgressAssignableNodes on its NodePools. Changes are
   * made in place; remove a node from the list before it is deleted. (OVN-Kubernetes, Labeling a node to host egress IP
   * addresses)
   */
  nodes?: string[];
  /**
   * How many nodes have the label in all. Defaults to the number of `nodes`. Fewer than `addresses` is refused. Changing
   * it changes nothing by itself. (OVN-Kubernetes, Assignment of egress IPs to nodes)
   */
  assignableNodeCount?: pulumi.Input<number>;
  /**
   * Subnets of the nodes' primary addresses, as CIDR blocks. Defaults to the machine network of the topology. On bare
   * metal from release 4.14 on, subnets of further networks of the nodes may stand here too. Addresses outside are
   * refused, and those that the network or the cloud keeps for itself. Changing it changes nothing by itself.
   * (OVN-Kubernetes, Egress IP address architectural design and implementation)
   */
  nodeSubnets?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Addresses and CIDR blocks in those subnets that are taken: nodes, gateways, virtual IP addresses, DHCP ranges.
   * Defaults to the single addresses that the topology names. Those of other EgressIP and EgressRouter components of the
   * program are known. Changing it changes nothing by itself.
   */
  addressesInUse?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What the nodes run on. A plain value. Defaults to the platform of the topology, bare metal for Agent. A platform on
   * which the documents have no egress IP addresses with this release is refused. Changing it changes nothing by itself.
   * (OVN-Kubernetes, Platform support)
   */
  platform?: InfrastructurePlatform;
  /**
   * Makes the object on a platform that the documents exclude. Defaults to false: it is refused, with the reason.
   * Changing it changes nothing by itself.
   */
  acceptUnsupportedPlatform?: boolean;
  /**
   * Takes the label of a node from another owner who set it to some value. Defaults to false: the deployment stops with a
   * conflict that names the owner. Changing it has no effect on labels that are ours.
   */
  forcePatch?: boolean;
  /** Labels of the EgressIP object. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the EgressIP object, without OVN-Kubernetes' own `k8s.ovn.org/egressip-mark`. Defaults to none. Changes are made in place. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Nodes that may hold egress IP addresses. Exactly one of `nodes` and `nodePools` is given: they are in different clusters. */
export interface EgressAssignableNodesArgs {
  /**
   * Names of existing nodes, which get the label `k8s.ovn.org/egress-assignable`. It goes when the component goes, unless
   * another owner set it too. Plain values. Defaults to none. Changes are made in place; remove a node from the list
   * before it is deleted. (OVN-Kubernetes, Labeling a node to host egress IP addresses)
   */
  nodes?: string[];
  /**
   * NodePools of a hosted cluster, objects of the management cluster, whose nodes get the label when they are made. Plain
   * values. Defaults to none. Changes are made in place, and nodes that are there keep the labels they have. (HyperShift,
   * NodePool API, spec.nodeLabels)
   */
  nodePools?: NodePoolReference[];
  /**
   * Takes the label from another owner who set it to some value. Defaults to false: the deployment stops with a conflict
   * that names the owner. Changing it has no effect on labels that are ours.
   */
  forcePatch?: boolean;
}
