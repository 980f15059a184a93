import type * as pulumi from "@pulumi/pulumi";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { SecurityGroupSettings } from "../aws/hostedControlPlaneSecurityGroupsArgs";
import type { PrivateEndpointSettings } from "../aws/privateEndpointSecurityGroupArgs";
import type { EgressFirewallSettings } from "../kubernetes/egressFirewallArgs";
import type { EgressIPSettings } from "../kubernetes/egressIpArgs";
import type { HostedClusterReference } from "../kubernetes/hostedClusterReference";
import type { OvnSubnetSettings } from "../kubernetes/ovnSubnetConfigArgs";
import type { ProxyConfigSettings } from "../kubernetes/proxyConfigArgs";

/** A part of a landing zone; its value is the input with its settings. */
export enum LandingZonePart {
  /** HostedControlPlaneSecurityGroups. */
  SecurityGroups = "securityGroups",
  /** PrivateEndpointSecurityGroup. */
  PrivateEndpoint = "privateEndpoint",
  /** OvnSubnetConfig. */
  OvnSubnets = "ovnSubnets",
  /** ProxyConfig. */
  Proxy = "proxy",
  /** EgressFirewall, in the hosted cluster. */
  EgressFirewalls = "egressFirewalls",
  /** EgressIP, in the hosted cluster. */
  EgressIps = "egressIps",
  /** MulticastNamespace, in the hosted cluster. */
  MulticastNamespaces = "multicastNamespaces",
}

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
  tags?: Record<string, pulumi.Input<string>>;
  /**
   * A kubeconfig of the hosted cluster, its content; a secret. HyperShift keeps it in the Secret
   * `<name>-admin-kubeconfig` beside the HostedCluster. Everything else goes to the management cluster, by the Kubernetes
   * provider of the component. Defaults to none: `egressFirewalls`, `egressIps` and `multicastNamespaces` are then left
   * out, with a warning. Changing it to another cluster replaces what was made in the first one.
   */
  hostedClusterKubeconfig?: pulumi.Input<string>;
  /**
   * A HostedCluster that exists already: internal subnets and proxy are patched into it, in one patch. Defaults to none:
   * the outputs `ovnSubnetFragment` and `proxyFragment` go into the HostedCluster that you create. Changing it leaves the
   * first cluster as it is.
   */
  existingHostedCluster?: HostedClusterReference;
  /**
   * Parts that are not made, whatever the other inputs say. Defaults to none. Leaving out what was made deletes it, with
   * what `destroy` leaves of each part: subnets and proxy of a running HostedCluster stay.
   */
  leaveOut?: LandingZonePart[];
  /**
   * Settings of the security groups of control-plane hosts and workers, among them the ids of existing groups to which the
   * rules are added. Defaults to the documented rules in new groups. Without `vpcId` the groups are left out.
   */
  securityGroups?: SecurityGroupSettings;
  /**
   * Settings of the security group of the VPC endpoints, among them the id of an existing group and the callers outside the
   * VPC. Defaults to the documented rules in a new group. Made on AWS with private access alone.
   */
  privateEndpoint?: PrivateEndpointSettings;
  /** Settings of OVN-Kubernetes' internal subnets. Defaults to the subnets of the topology; left out where it has none. */
  ovnSubnets?: OvnSubnetSettings;
  /** Settings of the cluster-wide proxy. Defaults to the proxy of the topology; left out where it has none. */
  proxy?: ProxyConfigSettings;
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
