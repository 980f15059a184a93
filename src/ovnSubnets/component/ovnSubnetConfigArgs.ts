import type * as pulumi from "@pulumi/pulumi";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { HostedClusterReference, SurroundingNetwork } from "../../components/hostedClusterPatch";

/**
 * The internal subnets of OVN-Kubernetes in one hosted cluster: IPv4 join subnet and transit switch subnet, the fields
 * that release 4.20 has. IPv6 subnets, `mtu` and `v4InternalSubnet` came later and can never be changed: they are no part
 * of it.
 */
export interface OvnSubnetConfigArgs extends OvnSubnetSettings {
  /**
   * The hosted cluster, whose networks the subnets must not overlap and whose nodes they must have room for. Plain
   * values. Changing it changes nothing by itself. (Configuring internal OVN IPv4 subnets for hosted clusters)
   */
  topology: HostedClusterTopology;
  /**
   * A HostedCluster that exists already: the subnets are patched into it. Defaults to none: nothing is made, and
   * `fragment` goes into the spec of the HostedCluster that you create. Do not do both for one cluster. Where a
   * ProxyConfig patches the same cluster, give `fragment` to its `ovnSubnets` in place of this. Changing it leaves the subnets of the first cluster as they are.
   */
  existingHostedCluster?: HostedClusterReference;
  /**
   * Annotations that are patched into the existing HostedCluster together with the subnets: the output `hostedClusterAnnotations`
   * of a ControlPlaneIsolation, which then has no `existingHostedCluster` of its own, because two patches of one object are
   * refused by the server. Defaults to none. Changes are made in place.
   */
  hostedClusterAnnotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** What can be chosen of the internal subnets beside the hosted cluster. */
export interface OvnSubnetSettings {
  /**
   * Join subnet as an IPv4 CIDR block of /30 or larger whose first octet is not 0. Defaults to the topology's, and where
   * that has none the cluster keeps 100.64.0.0/16. With the default cluster network it is /22 or larger. Refused on
   * KubeVirt. Changing it rolls out ovnkube-node, with a brief disruption of the pods' network. (Configuring internal
   * OVN IPv4 subnets for hosted clusters)
   */
  internalJoinSubnet?: pulumi.Input<string>;
  /**
   * Transit switch subnet as an IPv4 CIDR block of /30 or larger whose first octet is not 0. Defaults to the topology's,
   * and where that has none the cluster keeps 100.88.0.0/16. With the default cluster network it is /22 or larger.
   * Changing it rolls out ovnkube-node, with a brief disruption of the pods' network. (Configuring internal OVN IPv4
   * subnets for hosted clusters)
   */
  internalTransitSwitchSubnet?: pulumi.Input<string>;
  /**
   * Networks around the cluster that the subnets must not overlap, beside `topology.infrastructureCidrs`: peered VPCs,
   * transit networks, on-premises. Defaults to none. Changing it changes nothing by itself. (Configuring internal OVN
   * IPv4 subnets for hosted clusters, prerequisites)
   */
  otherNetworks?: pulumi.Input<pulumi.Input<SurroundingNetwork>[]>;
  /**
   * Takes the subnets from another owner, for instance from a user who set them with `oc patch`. Defaults to false:
   * the deployment stops with a conflict that names the owner. Changing it has no effect on subnets that are ours.
   */
  forcePatch?: boolean;
  /**
   * Takes the subnets out of the HostedCluster when this component is deleted, which renumbers the running cluster to
   * the defaults. Defaults to false: they stay. Deploy the change before the destroy that shall follow it.
   */
  removeOnDelete?: boolean;
}

/** The part of a HostedCluster's spec that holds the internal subnets. */
export interface OvnSubnetFragment {
  /** `spec.operatorConfiguration` of the HostedCluster. */
  operatorConfiguration: OvnOperatorConfiguration;
}

/** `spec.operatorConfiguration` of a HostedCluster. */
export interface OvnOperatorConfiguration {
  /** Settings of the Cluster Network Operator. */
  clusterNetworkOperator: OvnNetworkOperator;
}

/** Settings of the Cluster Network Operator in a HostedCluster. */
export interface OvnNetworkOperator {
  /** Settings of OVN-Kubernetes. */
  ovnKubernetesConfig: OvnKubernetesSettings;
}

/** Settings of OVN-Kubernetes in a HostedCluster. */
export interface OvnKubernetesSettings {
  /** The internal IPv4 subnets. */
  ipv4: OvnIpv4Subnets;
}

/** The internal IPv4 subnets of OVN-Kubernetes. */
export interface OvnIpv4Subnets {
  /** Join subnet as a CIDR block. Absent: the cluster keeps 100.64.0.0/16. */
  internalJoinSubnet?: string;
  /** Transit switch subnet as a CIDR block. Absent: the cluster keeps 100.88.0.0/16. */
  internalTransitSwitchSubnet?: string;
}
