import type * as pulumi from "@pulumi/pulumi";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { HostedClusterReference, SurroundingNetwork } from "../../components/hostedClusterPatch";
import type { IpFamily } from "../../probes/objects";

/**
 * The internal subnets of OVN-Kubernetes in one hosted cluster: IPv4 join subnet and transit switch subnet, the fields that
 * release 4.20 has. IPv6 subnets, `mtu` and `v4InternalSubnet` came later and can never be changed, so they are not included.
 */
export interface OvnSubnetConfigArgs extends OvnSubnetSettings {
  /**
   * The hosted cluster, whose networks the subnets must not overlap and whose nodes they must have room for. Plain
   * values. Changing it changes nothing by itself. (Configuring internal OVN IPv4 subnets for hosted clusters)
   */
  topology: HostedClusterTopology;
  /**
   * A HostedCluster that already exists, into which the subnets are patched. Defaults to none: nothing is created, and `fragment` goes into
   * the spec of the HostedCluster that you create. Do not do both for one cluster. If a ProxyConfig patches the same cluster, pass
   * `fragment` to its `ovnSubnets` instead. Changing it leaves the subnets of the first cluster as they are.
   */
  existingHostedCluster?: HostedClusterReference;
  /**
   * Annotations that are patched into the existing HostedCluster together with the subnets: the output
   * `hostedClusterAnnotations` of a ControlPlaneIsolation, which then has no `existingHostedCluster` of its own, because the
   * server refuses a second patch of one object. Defaults to none. Changes are made in place.
   */
  hostedClusterAnnotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** The settings of the internal subnets other than the hosted cluster. */
export interface OvnSubnetSettings {
  /**
   * Join subnet as an IPv4 CIDR block of /30 or larger whose first octet is not 0. Defaults to the topology's; if it has none, the cluster
   * keeps 100.64.0.0/16. With the default cluster network it must be /22 or larger. Refused on KubeVirt. Changing it rolls out
   * ovnkube-node, with a brief disruption of the pod network. (Configuring internal OVN IPv4 subnets for hosted clusters)
   */
  internalJoinSubnet?: pulumi.Input<string>;
  /**
   * Transit switch subnet as an IPv4 CIDR block of /30 or larger whose first octet is not 0. Defaults to the topology's; if it
   * has none, the cluster keeps 100.88.0.0/16. With the default cluster network it must be /22 or larger. Changing it rolls out
   * ovnkube-node, with a brief disruption of the pod network. (Configuring internal OVN IPv4 subnets for hosted clusters)
   */
  internalTransitSwitchSubnet?: pulumi.Input<string>;
  /**
   * Networks around the cluster that the subnets must not overlap, in addition to `topology.infrastructureCidrs`: peered VPCs,
   * transit networks, on-premises. Defaults to none. Changing it changes nothing by itself. (Configuring internal OVN IPv4
   * subnets for hosted clusters, prerequisites)
   */
  otherNetworks?: pulumi.Input<pulumi.Input<SurroundingNetwork>[]>;
  /**
   * Takes the subnets from another owner, for instance a user who set them with `oc patch`. Defaults to false: the deployment
   * stops with a conflict that names the owner. Changing it has no effect on subnets that this component already owns.
   */
  forcePatch?: boolean;
  /**
   * Removes the subnets from the HostedCluster when this component is deleted, which renumbers the running cluster to the
   * defaults. Defaults to false: they stay. Deploy a change of this setting before you destroy the component.
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

/**
 * A proof that pods and Services of a hosted cluster reach each other across nodes: two pods on two nodes, a Service in front
 * of both, and a Job that queries them. They are created in the hosted cluster, so pass the provider of that cluster.
 */
export interface OvnSubnetVerificationArgs extends OvnSubnetVerificationSettings {
  /**
   * The hosted cluster. Plain values. Defaults to none. The address families of its cluster network must work, and changing its
   * release, its networks or its internal subnets repeats the verification.
   */
  topology?: HostedClusterTopology;
}

/** The settings of a verification that do not depend on the hosted cluster. */
export interface OvnSubnetVerificationSettings {
  /**
   * Namespace of the pods, the Service and the Job, which already exists or is created in the same program. Nothing in it may
   * keep its pods from reaching each other, such as a NetworkPolicy. Changing it repeats the verification there. (Configuring
   * internal OVN IPv4 subnets for hosted clusters, Verification)
   */
  namespace: pulumi.Input<string>;
  /**
   * First part of the object names, 48 characters at most; a digest of the inputs follows it. Defaults to the name of the
   * component. Changing it repeats the verification.
   */
  objectName?: pulumi.Input<string>;
  /**
   * Values whose change repeats the verification: a date or a number that you change when the roll-out of a network change is
   * over. Defaults to none. The subnets of an OvnSubnetConfig of the same program repeat it in the `pulumi up` that changes
   * them, which is before their roll-out and proves the network before the change. If no input changes, a verification that
   * passed stays as it is, and the next `pulumi up` repeats one that failed. With `rollOut` the subnets need no trigger.
   */
  triggers?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Address families that must work for each pod and for the Service. Plain values. Defaults to those of the topology's cluster
   * network, and without a topology to those of the pods and the Service. Changing it repeats the verification.
   */
  ipFamilies?: IpFamily[];
  /**
   * Image of the pods, with Python 3.8 or newer, that runs as any user. Defaults to `registry.access.redhat.com/ubi9/python-312`, which
   * requires no login. In a disconnected cluster, name the copy in your registry. Changing it repeats the verification.
   */
  image?: pulumi.Input<string>;
  /**
   * Name of a Secret in the namespace with the credentials of the image's registry. Defaults to none: the pull secret of the
   * nodes applies. Changing it repeats the verification.
   */
  imagePullSecret?: pulumi.Input<string>;
  /**
   * Labels of the nodes on which the pods may run, at least two of them. Defaults to none: all schedulable nodes. Changing it
   * repeats the verification.
   */
  nodeSelector?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Seconds for the pods to become ready, and as many again for the Job, from 10 to 3600. A plain value. Defaults to 300, as in
   * the documents. A Job that takes longer fails. Changing it repeats the verification. (Configuring internal OVN IPv4 subnets
   * for hosted clusters, Verification)
   */
  timeoutSeconds?: number;
  /**
   * Waits, before creating an object of the verification, until the internal subnets of the topology have arrived: the Network
   * operator has them, every pod of ovnkube-node is updated and available, of a newer generation than at the start of the
   * deployment that changes them, and every node that reports its addresses has addresses from them. With it, a verification
   * that depends on an OvnSubnetConfig proves the network after the change, in the same `pulumi up`. Whatever else the roll-out
   * needs also goes into `dependsOn`. Needs a topology that states a subnet. Defaults to no wait. Changing it repeats nothing.
   * (Configuring internal OVN IPv4 subnets for hosted clusters, Verification)
   */
  rollOut?: VerificationRollOut;
}

/** How to wait for the roll-out of the topology's internal subnets. */
export interface VerificationRollOut {
  /**
   * The hosted cluster: content or path of the kubeconfig that its provider uses. Defaults to that of the default provider:
   * `kubernetes:kubeconfig` of the stack, KUBECONFIG, ~/.kube/config or the pod around the program. Kept as a secret. It reads
   * the Network operator, ovnkube-node and the nodes: rbac/verify-hosted.yaml is enough. Changing it repeats nothing.
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * Context in the kubeconfig. Defaults to its current context, and without a kubeconfig to `kubernetes:context` of the stack.
   * Changing it repeats nothing.
   */
  context?: pulumi.Input<string>;
  /**
   * Seconds for the roll-out, from 10 to 14400. A plain value. Defaults to 1800. After that, `pulumi up` fails and reports what has not
   * arrived; the next one continues to wait. Changing it repeats nothing. (Configuring internal OVN IPv4 subnets for hosted clusters)
   */
  timeoutSeconds?: number;
}

/** A request that the Job makes. */
export interface VerificationRequest {
  /** What it proves: `pod-to-pod/one/IPv4`, `pod-to-service/IPv4`. */
  id: string;
  /** The address to query. Absent if the pod or Service has none of that family, which the Job reports. */
  address?: string;
  /** The TCP port. */
  port: number;
}
