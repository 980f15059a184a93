import type * as pulumi from "@pulumi/pulumi";
import type { HostedClusterTopology } from "../topology/hostedClusterTopology";
import type { NetworkAclSettings } from "../networkAcls/component/hostedControlPlaneNetworkAclsArgs";
import type { SecurityGroupSettings } from "../securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import type { PrivateEndpointSettings } from "../securityGroups/component/privateEndpointSecurityGroupArgs";
import type { ControlPlaneIsolationSettings } from "../isolation/component/controlPlaneIsolationArgs";
import type { DedicatedNodesSettings } from "../dedicatedNodes/component/dedicatedControlPlaneNodesArgs";
import type { EgressFirewallSettings } from "../egressFirewall/component/egressFirewall";
import type { EgressIPSettings } from "../egressIp/component/egressIpArgs";
import type { EgressRouterSettings } from "../egressRouter/component/egressRouterArgs";
import type { HostedClusterSettings } from "../hostedCluster/component/hostedClusterNetworkArgs";
import type { HostedClusterReference } from "../components/hostedClusterPatch";
import type { HybridOverlaySettings, IpsecSettings } from "../networkOperator/component/networkOperatorArgs";
import type { ManagementClusterProxySettings } from "../proxy/component/managementClusterProxy";
import type { OvnSubnetSettings } from "../ovnSubnets/component/ovnSubnetArgs";
import type { ProxyConfigSettings } from "../proxy/component/proxyConfigArgs";

/** A part of a landing zone; its value is the input with its settings. */
export const LandingZonePart = {
  /** HostedControlPlaneSecurityGroups. */
  SecurityGroups: "securityGroups",
  /** HostedControlPlaneNetworkAcls. */
  NetworkAcls: "networkAcls",
  /** PrivateEndpointSecurityGroup. */
  PrivateEndpoint: "privateEndpoint",
  /** OvnSubnetConfig. */
  OvnSubnets: "ovnSubnets",
  /** ProxyConfig. */
  Proxy: "proxy",
  /** HostedClusterNetwork. */
  HostedCluster: "hostedCluster",
  /** ControlPlaneIsolation. */
  Isolation: "isolation",
  /** ManagementClusterProxy. */
  ManagementProxy: "managementProxy",
  /** DedicatedControlPlaneNodes. */
  DedicatedNodes: "dedicatedNodes",
  /** HybridOverlayNetwork, in the hosted cluster. */
  HybridOverlay: "hybridOverlay",
  /** IpsecEncryption, in the hosted cluster. */
  Ipsec: "ipsec",
  /** EgressFirewall, in the hosted cluster. */
  EgressFirewalls: "egressFirewalls",
  /** EgressIP, in the hosted cluster. */
  EgressIps: "egressIps",
  /** EgressRouter, in the hosted cluster. */
  EgressRouters: "egressRouters",
  /** MulticastNamespace, in the hosted cluster. */
  MulticastNamespaces: "multicastNamespaces",
} as const;
export type LandingZonePart = (typeof LandingZonePart)[keyof typeof LandingZonePart];

/**
 * The whole network of one hosted cluster from one topology. A part is made when the topology asks for it or its settings
 * are given, and when there is what it needs; the output `leftOut` says which parts are not made, and why.
 */
export interface HostedClusterLandingZoneArgs {
  /**
   * The hosted cluster, from which every part is made. It decides which resources exist, so all its values are plain.
   * Changing it does to each part what it does there. (Networking for hosted control planes)
   */
  topology: HostedClusterTopology;
  /**
   * Id of the VPC of the management cluster's hosts: `vpc-...`. Defaults to none: nothing of AWS is made, unless
   * `workerVpcId` is given. Changing it replaces the security groups that were made in it.
   */
  vpcId?: pulumi.Input<string>;
  /**
   * Id of the VPC of the workers, where it is another one: `vpc-...`. Defaults to `vpcId`. Changing it replaces the
   * security groups that were made in it.
   */
  workerVpcId?: pulumi.Input<string>;
  /** AWS region of the resources of AWS: `eu-central-1`. Defaults to the provider's region. Changing it replaces them. */
  region?: pulumi.Input<string>;
  /** Tags of the resources of AWS, beside those that the parts set. Defaults to none. Changes are made in place. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * A kubeconfig of the hosted cluster, its content; a secret. HyperShift keeps it in the Secret
   * `<name>-admin-kubeconfig` beside the HostedCluster. Everything else goes to the management cluster, by the Kubernetes
   * provider of the component. Defaults to none: `hybridOverlay`, `ipsec`, `egressFirewalls`, `egressIps`,
   * `egressRouters` and `multicastNamespaces` are then judged and left out, with a warning. Changing it to another cluster
   * replaces what was made in the first one.
   */
  hostedClusterKubeconfig?: pulumi.Input<string>;
  /**
   * A HostedCluster that exists already: internal subnets, proxy and the annotation for `isolation.podSecurityLevel` are
   * patched into it, in one patch. Defaults to none: they go into the one that `hostedCluster` makes, else the outputs
   * `ovnSubnetFragment`, `proxyFragment` and `hostedClusterAnnotations` go into the HostedCluster that you create. Changing
   * it leaves the first cluster as it is.
   */
  existingHostedCluster?: HostedClusterReference;
  /**
   * Parts that are not made, whatever the other inputs say. Defaults to none. Leaving out what was made deletes it, with
   * what `destroy` leaves of each part: subnets and proxy of a running HostedCluster stay. Groups and ACLs of a HostedCluster
   * that is kept are protected, and cannot be left out as long as they are.
   */
  leaveOut?: LandingZonePart[];
  /**
   * Settings of the security groups of control-plane hosts and workers, among them the ids of existing groups to which the
   * rules are added. Defaults to the documented rules in new groups. Without `vpcId` the groups are left out.
   */
  securityGroups?: SecurityGroupSettings;
  /**
   * Settings of the network ACLs, among them the subnets that this hosted cluster has for itself. Defaults to none: no ACL
   * is made. Only subnets in `associatedSubnets` are filtered.
   */
  networkAcls?: NetworkAclSettings;
  /**
   * Settings of the security group of the VPC endpoints, among them the id of an existing group and the callers outside the
   * VPC. Defaults to the documented rules in a new group. Made only on AWS with private access.
   */
  privateEndpoint?: PrivateEndpointSettings;
  /** Settings of OVN-Kubernetes' internal subnets. Defaults to the subnets of the topology; left out where it has none. */
  ovnSubnets?: OvnSubnetSettings;
  /** Settings of the cluster-wide proxy. Defaults to the proxy of the topology; left out where it has none. */
  proxy?: ProxyConfigSettings;
  /**
   * What a HostedCluster has beside topology, subnets and proxy, for a HostedCluster that is made here, with all of them in
   * it. It is made after groups, rules and ACLs. It is protected and kept on destroy, and so are its filters, unless `deletable` is
   * true. Defaults to none: the HostedCluster exists, or you create it elsewhere. Not
   * beside `existingHostedCluster`.
   */
  hostedCluster?: HostedClusterSettings;
  /**
   * Settings of the network policies of the hosted control plane's namespace, `{}` for the documented ones. HyperShift makes
   * that namespace after the HostedCluster, so for a new cluster they come in a later deployment, or with a Namespace that
   * the same program makes. Defaults to none: no policy is made.
   */
  isolation?: ControlPlaneIsolationSettings;
  /**
   * Settings of the exceptions from the management cluster's proxy, for node pools on KubeVirt without the default pod
   * network. Defaults to none: nothing is said about that proxy.
   */
  managementProxy?: ManagementClusterProxySettings;
  /**
   * Settings of the nodes of the management cluster that the hosted control plane has for itself. The HostedCluster that is
   * made here gets node selector and tolerations; one that exists gets the node selector where no other part patches it, else
   * it is the output `dedicatedHostedClusterFragment`, with a warning. Defaults to none: control planes share nodes.
   */
  dedicatedNodes?: DedicatedNodesSettings;
  /**
   * Settings of the additional overlay network for Windows nodes. With `ipsec` both go into one patch, whose `forcePatch` and
   * `removeOnDelete` are those of `ipsec`. Defaults to none.
   */
  hybridOverlay?: HybridOverlaySettings;
  /** Settings of IPsec between the workers, `{}` for mode Full. Defaults to none: IPsec stays as it is. */
  ipsec?: IpsecSettings;
  /**
   * Egress firewalls of namespaces of the hosted cluster, under keys of your choice, which become part of the names of
   * their resources. Defaults to none. A new key makes a new firewall.
   */
  egressFirewalls?: Record<string, EgressFirewallSettings>;
  /**
   * Fixed source addresses for pods of the hosted cluster, under keys of your choice, which become part of the names of
   * their resources and of their objects. Defaults to none. A new key makes a new object.
   */
  egressIps?: Record<string, EgressIPSettings>;
  /**
   * Routers with a reserved source address in the hosted cluster, under keys of your choice, which become part of the names
   * of their resources and, where `objectName` is not given, the names of their objects. Defaults to none. A new key makes a
   * new router.
   */
  egressRouters?: Record<string, EgressRouterSettings>;
  /**
   * Namespaces of the hosted cluster with multicast, under keys of your choice, which become part of the names of their
   * resources. Defaults to none. Changing a namespace turns multicast off in the first one and on in the other.
   */
  multicastNamespaces?: Record<string, pulumi.Input<string>>;
}

/** A part that is not made. */
export interface LeftOutPart {
  /** The part. */
  part: LandingZonePart;
  /** Why it is not made. */
  reason: string;
}

/** A HostedCluster object, as others refer to it. */
export interface HostedClusterIdentity {
  /** Its name. */
  name: string;
  /** Its namespace, which is not that of its control plane. */
  namespace: string;
}

/** An egress router as others need to know it. */
export interface LandingZoneEgressRouter {
  /** Host name of its Service inside the hosted cluster. */
  serviceHost: string;
  /** The reserved source address, without prefix length. */
  sourceAddress: string;
  /** What has to be done outside the cluster, so that the platform lets the router's frames pass. */
  platformSetup: string[];
}
