// eslint-disable-next-line no-restricted-imports -- a type: components take addresses as Outputs, and what judges them meets UNKNOWN
import type { Input } from "@pulumi/pulumi";
import type {
  AddressFamily,
  EndpointAccess,
  LoadBalancerTargets,
  NetworkType,
  Platform,
  PublishingType,
} from "../requirements/vocabulary";

/**
 * One hosted cluster as far as its network is concerned. What decides which resources exist is plain; every address may be an
 * Output of another resource, under a key of `addresses`, and so may the settings in `proxy`. The same names stand in `hypershift-network.yaml`.
 *
 * Changing a property adds and removes rules one by one and replaces nothing. In a HostedCluster object `platform`,
 * `services`, `machineNetwork`, `clusterNetwork`, `serviceNetwork`, `networkType`, `advertiseAddress`, `apiServerPort` and the four younger
 * internal subnets can never change; `internalJoinSubnet` and `internalTransitSwitchSubnet` can.
 */
export interface HostedClusterTopology {
  /** Name of the hosted cluster, as in its HostedCluster object. */
  name: string;
  /** Namespace of the HostedCluster object. Defaults to `clusters`. The control plane runs in `<namespace>-<name>`. */
  namespace?: string;
  /** Where the worker nodes run. */
  platform: Platform;
  /** OpenShift release as `major.minor`, a string: `"4.20"`. Without it rules that depend on the release answer "unknown". */
  release?: string;
  /** Who can reach the published services; only on AWS, Azure and GCP. Defaults to `Public` (`Private` on GCP), as in the HostedCluster API. */
  endpointAccess?: EndpointAccess;
  /** How each service is published. Defaults to NodePort on Agent and None; elsewhere to LoadBalancer for the API server and to Route for the others. */
  services?: PublishedServices;
  /**
   * Address ranges of the machines, at most two, the family of the pods first. No default: without it nothing says where
   * workers are, and HyperShift's own security groups on AWS cannot be made.
   */
  machineNetwork?: MachineNetworkEntry[];
  /** Address ranges of the pods, at most two. Defaults to 10.132.0.0/14 with host prefix 23. */
  clusterNetwork?: ClusterNetworkEntry[];
  /** Address ranges of the services, of the same families as those of the pods, one each. Defaults to 172.31.0.0/16. */
  serviceNetwork?: ServiceNetworkEntry[];
  /** The software that makes the cluster network. Defaults to OVNKubernetes; with another one OVN's ranges are not taken. */
  networkType?: NetworkType;
  /** The address at which nodes reach the API server inside the cluster. Defaults to 172.20.0.1, with IPv6 to fd00::1. No network may hold it. */
  advertiseAddress?: string;
  /**
   * Port of `advertiseAddress`, 1-65535. Defaults to 6443. The pods of the API server listen on the same port; if it is 443
   * (for old clusters), they listen on 6443.
   */
  apiServerPort?: number;
  /** OVN-Kubernetes join subnet, IPv4 CIDR block. Defaults to 100.64.0.0/16; refused on KubeVirt, where it is 100.66.0.0/16. */
  internalJoinSubnet?: string;
  /** OVN-Kubernetes transit switch subnet, IPv4 CIDR block. Defaults to 100.88.0.0/16. */
  internalTransitSwitchSubnet?: string;
  /**
   * The IPv4 subnet of OVN-Kubernetes' gateway routers, CIDR block. The Cluster Network Operator makes one join subnet of it
   * and of `internalJoinSubnet`: only one of them can be set. It can never change. Defaults to 100.64.0.0/16, on KubeVirt
   * to 100.66.0.0/16. HyperShift has it since June 2026.
   */
  v4InternalSubnet?: string;
  /** The same for IPv6, in place of `ipv6InternalJoinSubnet`. It can never change. Defaults to fd98::/64, on KubeVirt to fd99::/64. HyperShift has it since June 2026. */
  v6InternalSubnet?: string;
  /** OVN-Kubernetes' IPv6 join subnet, CIDR block. It can never change. Defaults to fd98::/64. HyperShift has it since May 2026. */
  ipv6InternalJoinSubnet?: string;
  /** OVN-Kubernetes' IPv6 transit switch subnet, CIDR block. It can never change. Defaults to fd97::/64. HyperShift has it since May 2026. */
  ipv6InternalTransitSwitchSubnet?: string;
  /** How the management cluster's load balancers reach their targets. Unknown when absent. */
  loadBalancerTargets?: LoadBalancerTargets;
  /**
   * CIDR blocks under keys of your choice. Wherever this topology takes a CIDR block, it takes the key of one in its place:
   * `machineNetwork: [{ cidr: "vpc" }]`. Defaults to none. Here a block may be an Output: of a VPC, a subnet, an IPAM
   * allocation, another stack. Resources are named by the key, so another address under it changes them in place. Each key
   * stands for other addresses: lists that share a block name the same key.
   */
  addresses?: Record<string, NamedAddressBlock>;
  /** CIDR blocks of the subnets that hold the management cluster's load balancers; sources of PrivateLink traffic. */
  loadBalancerSubnetCidrs?: string[];
  /** CIDR blocks from which workers appear on public endpoints, behind NAT. Absent: no rule for them, and a warning where it matters. */
  workerNatCidrs?: string[];
  /** CIDR blocks of the worker nodes. Defaults to the machine network. */
  workerCidrs?: string[];
  /** CIDR blocks of users and CI systems outside. Absent: no rule for them, and a warning. */
  externalClientCidrs?: string[];
  /** CIDR blocks of the management cluster's nodes and API. Absent: no rule to the management API, and a warning. */
  managementClusterCidrs?: string[];
  /**
   * CIDR blocks from which the management cluster appears on public endpoints, behind NAT: the control plane asks its own
   * API server by its public name. Absent: a list of allowed CIDR blocks cannot be checked.
   */
  managementClusterNatCidrs?: string[];
  /**
   * CIDR blocks at which workers and users reach the published services: public addresses of load balancers and routers.
   * Absent: on AWS, Azure and GCP with private access the machine network, in which the endpoint has its addresses; with
   * public access 0.0.0.0/0 (and ::/0 where the cluster has IPv6), with a warning; on the other platforms
   * `managementClusterCidrs` and `loadBalancerSubnetCidrs`.
   */
  controlPlaneEndpointCidrs?: string[];
  /**
   * CIDR blocks of the DNS servers that control plane and workers ask. Absent, with a warning: for the control plane
   * `managementClusterCidrs` and `loadBalancerSubnetCidrs`, for the workers `machineNetwork`, because DNS servers mostly
   * stand in the network of those who ask; never 0.0.0.0/0.
   */
  dnsServerCidrs?: string[];
  /**
   * CIDR blocks of container registries and other HTTPS services outside. Absent: port 443 is opened to 0.0.0.0/0 (and
   * ::/0 where the cluster has IPv6), with a warning, because registries and clouds publish no fixed addresses.
   */
  registryCidrs?: string[];
  /** Networks around the cluster that its ranges must not overlap: peered VPCs, transit networks, on-premises. */
  infrastructureCidrs?: InfrastructureNetwork[];
  /** The cluster-wide proxy of the hosted cluster. */
  proxy?: ProxySettings;
  /**
   * Whether nodes still join. `false` once they have: ignition ports are then closed. That is safe where every NodePool is
   * ready and none autoscales, repairs nodes by new ones or upgrades by Replace, as
   * `hypershift-network verify NAMESPACE/NAME --bootstrap` says; write `true` again before a scale-up, and before whatever
   * else makes new machines. Refused where ignition is published by Route, whose port it shares. Defaults to true.
   * (HyperShift, HCP networking requirements, Sensitive Data Warning)
   */
  bootstrap?: boolean;
  /**
   * Whether workers carry only the security groups of the plan, without the one that HyperShift makes for them on AWS. `true`
   * makes it the plan's duty to let in what nodes need among themselves: Geneve, kubelet, host services, node ports. Defaults
   * to false: proofs then take HyperShift's group for granted, and name it. `HostedControlPlaneSecurityGroups` makes these
   * rules where the topology or its argument of the same name says so. Refused on other platforms, for which HyperShift makes
   * no such group. (HyperShift, support/awsutil/sg.go)
   */
  defaultWorkerRules?: boolean;
}

/** A CIDR block that has a key. */
export interface NamedAddressBlock {
  /**
   * The CIDR block: `10.0.0.0/16`. Until an Output is known, previews show what depends on it as unknown; it is judged before
   * anything is made of it. Blocks with a key are never merged into others. Changing it changes rules in place; exchange the
   * blocks of two keys in two steps, by way of a third block.
   */
  cidr: Input<string>;
  /** The family, which decides the form of resources: `IPv4` or `IPv6`. Defaults to `IPv4`. Changing it replaces rules. */
  family?: AddressFamily;
  /**
   * The key that this block had before, so that its resources stay under the new one; where it stood in lists without a key,
   * the block itself: `10.0.0.0/16`. Defaults to none. Remove it once every stack is up to date.
   */
  formerKey?: string;
}

/** How each service of the hosted control plane is published. */
export interface PublishedServices {
  /** The Kubernetes API server. */
  apiServer?: PublishedService;
  /** The OAuth server, which users' browsers reach. */
  oauthServer?: PublishedService;
  /** The konnectivity server, which the workers' agents dial. */
  konnectivity?: PublishedService;
  /** The ignition endpoint, from which joining nodes fetch their configuration. */
  ignition?: PublishedService;
}

/** How one service is published. */
export interface PublishedService {
  /** The publishing strategy. */
  type: PublishingType;
  /** The pinned node port, 30000-32767 by default; only with NodePort. Absent: any port of the range. */
  nodePort?: number;
  /**
   * Where nodes and users reach the node port: a host name or an IP address of the management cluster's nodes or of a load
   * balancer before them; only with NodePort. A HostedCluster that is created needs it.
   */
  address?: string;
  /** The host name; only with Route and LoadBalancer. */
  hostname?: string;
}

/** One range of machine addresses. */
export interface MachineNetworkEntry {
  /** CIDR block, IPv4 or IPv6. */
  cidr: string;
}

/** One range of pod addresses. */
export interface ClusterNetworkEntry {
  /** CIDR block, IPv4 or IPv6. */
  cidr: string;
  /** Prefix length of the part that each node gets. Defaults to 23 (IPv6: 64). */
  hostPrefix?: number;
}

/** One range of service addresses. */
export interface ServiceNetworkEntry {
  /** CIDR block, IPv4 or IPv6. */
  cidr: string;
}

/** A network around the cluster. */
export interface InfrastructureNetwork {
  /** What it is called in findings. */
  name: string;
  /** CIDR block, IPv4 or IPv6. */
  cidr: string;
}

/**
 * The cluster-wide proxy. Whether there is one for HTTP and one for HTTPS is plain; what each setting is may be an Output: the DNS
 * name of a load balancer, or a secret of the stack's configuration.
 */
export interface ProxySettings {
  /**
   * URL of the proxy for HTTP; its scheme is http. A URL with an address gets rules in network ACLs; for one that is an Output, or
   * that has a host name, write them as `additionalRules`.
   */
  httpProxy?: Input<string>;
  /** URL of the proxy for HTTPS; its scheme is http or https. Rules for it are made as for `httpProxy`. */
  httpsProxy?: Input<string>;
  /** Destinations that bypass the proxy: a comma-separated list of domains, addresses and CIDR blocks. */
  noProxy?: Input<string>;
}
