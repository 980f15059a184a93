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

/** A part of a landing zone. Its value is the name of the input with its settings. */
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
 * The whole network of one hosted cluster, created from one topology. A part is created if the topology requires it or its settings are
 * given, and if its prerequisites are met. The output `leftOut` lists the parts that are not created, with the reasons.
 */
export interface HostedClusterLandingZoneArgs {
  /**
   * The hosted cluster, from which every part is created. It decides which resources exist, so all its values are plain.
   * Changing it affects each part as documented there. (Networking for hosted control planes)
   */
  topology: HostedClusterTopology;
  /**
   * Id of the VPC of the management cluster's hosts: `vpc-...`. Defaults to none: security groups and network ACLs are left out, and
   * refused if their settings are given. With `workerVpcId` alone, only the group of the VPC endpoints of a cluster with private access
   * is created. Changing it replaces the security groups created in it.
   */
  vpcId?: pulumi.Input<string>;
  /**
   * Id of the VPC of the workers, if it is a different one: `vpc-...`. Defaults to `vpcId`. Changing it replaces the security
   * groups created in it.
   */
  workerVpcId?: pulumi.Input<string>;
  /** AWS region of the AWS resources: `eu-central-1`. Defaults to the provider's region. Changing it replaces them. */
  region?: pulumi.Input<string>;
  /** Tags of the AWS resources, in addition to those that the parts set. Defaults to none. Changes are made in place. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The content of a kubeconfig of the hosted cluster; a secret. HyperShift keeps it in the Secret `<name>-admin-kubeconfig` next to the
   * HostedCluster. Everything else is created in the management cluster, with the Kubernetes provider of the component. Defaults to none:
   * `hybridOverlay`, `ipsec`, `egressFirewalls`, `egressIps`, `egressRouters` and `multicastNamespaces` are then checked but left out, with
   * a warning. Changing it to another cluster replaces what was created in the first one.
   */
  hostedClusterKubeconfig?: pulumi.Input<string>;
  /**
   * A HostedCluster that already exists: internal subnets, proxy and the annotation for `isolation.podSecurityLevel` are
   * patched into it, in one patch. Defaults to none: they go into the HostedCluster that `hostedCluster` creates. Without that,
   * put the outputs `ovnSubnetFragment`, `proxyFragment` and `hostedClusterAnnotations` into the HostedCluster that you create.
   * Changing it leaves the first cluster as it is.
   */
  existingHostedCluster?: HostedClusterReference;
  /**
   * Parts that are not created, whatever the other inputs state. Defaults to none. Adding a part that was created deletes it,
   * except for what `destroy` leaves of each part: subnets and proxy of a running HostedCluster stay. Security groups and ACLs
   * of a HostedCluster that is kept are protected and cannot be left out while they are.
   */
  leaveOut?: LandingZonePart[];
  /**
   * Settings of the security groups of control-plane hosts and workers, such as the ids of existing groups that receive the
   * rules. Defaults to the documented rules in new groups. Without `vpcId`, these settings are refused.
   */
  securityGroups?: SecurityGroupSettings;
  /**
   * Settings of the network ACLs, such as the subnets dedicated to this hosted cluster. Defaults to none: no ACL is created.
   * Only subnets in `associatedSubnets` are filtered.
   */
  networkAcls?: NetworkAclSettings;
  /**
   * Settings of the security group of the VPC endpoints, such as the id of an existing group and the callers outside the VPC.
   * Defaults to the documented rules in a new group. Created only on AWS with private access.
   */
  privateEndpoint?: PrivateEndpointSettings;
  /** Settings of OVN-Kubernetes' internal subnets. Defaults to the subnets of the topology; left out if it has none. */
  ovnSubnets?: OvnSubnetSettings;
  /** Settings of the cluster-wide proxy. Defaults to the proxy of the topology; left out if it has none. */
  proxy?: ProxyConfigSettings;
  /**
   * Settings of a HostedCluster that is created here; topology, subnets and proxy are added to it. It is created after security
   * groups, rules and ACLs. It is protected and kept on destroy, and so are its filters, unless `deletable` is true. Defaults
   * to none: the HostedCluster exists, or you create it elsewhere. Not allowed together with `existingHostedCluster`.
   */
  hostedCluster?: HostedClusterSettings;
  /**
   * Settings of the network policies of the hosted control plane's namespace; `{}` for the documented policies. HyperShift
   * creates that namespace after the HostedCluster. For a new cluster, add them in a later deployment, or with a Namespace that
   * the same program creates. Defaults to none: no policy is created.
   */
  isolation?: ControlPlaneIsolationSettings;
  /**
   * Settings of the exceptions from the management cluster's proxy, for node pools on KubeVirt without the default pod network.
   * Defaults to none: that proxy is not considered.
   */
  managementProxy?: ManagementClusterProxySettings;
  /**
   * Settings of the management cluster's nodes that are dedicated to this hosted control plane. A HostedCluster created here
   * gets node selector and tolerations. An existing one gets the node selector if no other part patches it; otherwise the
   * selector is in the output `dedicatedHostedClusterFragment`, with a warning. Defaults to none: control planes share nodes.
   */
  dedicatedNodes?: DedicatedNodesSettings;
  /**
   * Settings of the additional overlay network for Windows nodes. With `ipsec` both go into one patch, which uses `forcePatch`
   * and `removeOnDelete` of `ipsec`. Defaults to none.
   */
  hybridOverlay?: HybridOverlaySettings;
  /** Settings of IPsec between the workers; `{}` for mode Full. Defaults to none: IPsec stays as it is. */
  ipsec?: IpsecSettings;
  /**
   * Egress firewalls of namespaces of the hosted cluster, by keys of your choice, which become part of their resource names.
   * Defaults to none. A new key creates a new firewall.
   */
  egressFirewalls?: Record<string, EgressFirewallSettings>;
  /**
   * Fixed source addresses for pods of the hosted cluster, by keys of your choice, which become part of their resource and
   * object names. Defaults to none. A new key creates a new object.
   */
  egressIps?: Record<string, EgressIPSettings>;
  /**
   * Routers with a reserved source address in the hosted cluster, by keys of your choice, which become part of their resource
   * names and, if `objectName` is not given, their object names. Defaults to none. A new key creates a new router.
   */
  egressRouters?: Record<string, EgressRouterSettings>;
  /**
   * Namespaces of the hosted cluster with multicast, by keys of your choice, which become part of their resource names.
   * Defaults to none. Changing a namespace turns multicast off in the first namespace and on in the new one.
   */
  multicastNamespaces?: Record<string, pulumi.Input<string>>;
}

/** A part that is not created. */
export interface LeftOutPart {
  /** The part. */
  part: LandingZonePart;
  /** Why it is not created. */
  reason: string;
}

/** The name and namespace of a HostedCluster object, for references to it. */
export interface HostedClusterIdentity {
  /** Name of the HostedCluster. */
  name: string;
  /** Namespace of the HostedCluster, which differs from that of its control plane. */
  namespace: string;
}

/** What clients and firewalls need to know of an egress router. */
export interface LandingZoneEgressRouter {
  /** Host name of its Service inside the hosted cluster. */
  serviceHost: string;
  /** The reserved source address, without prefix length. */
  sourceAddress: string;
  /** What to do outside the cluster so that the platform allows the router's frames. */
  platformSetup: string[];
}
