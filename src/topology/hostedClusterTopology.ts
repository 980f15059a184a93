// eslint-disable-next-line no-restricted-imports -- a type: components accept addresses as Outputs; the checks of these see UNKNOWN
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
 * The network of one hosted cluster. Properties that decide which resources exist are plain values. Every address may be an Output of
 * another resource, under a key of `addresses`, and so may the settings in `proxy`. `hypershift-network.yaml` uses the same names.
 *
 * Changing a property adds and removes rules one by one and replaces nothing. In a HostedCluster object, `platform`,
 * `services`, `machineNetwork`, `clusterNetwork`, `serviceNetwork`, `networkType`, `advertiseAddress`, `apiServerPort`
 * and the four newer internal subnets can never change; `internalJoinSubnet` and `internalTransitSwitchSubnet` can.
 */
export interface HostedClusterTopology {
  /** Name of the hosted cluster, as in its HostedCluster object. */
  name: string;
  /** Namespace of the HostedCluster object. Defaults to `clusters`. The control plane runs in `<namespace>-<name>`. */
  namespace?: string;
  /** Where the worker nodes run. */
  platform: Platform;
  /** OpenShift release as `major.minor`, a string: `"4.20"`. Without it, rules that depend on the release answer "unknown". */
  release?: string;
  /** Who can reach the published services; only on AWS, Azure and GCP. Defaults to `Public` (`Private` on GCP), as in HyperShift's API. */
  endpointAccess?: EndpointAccess;
  /**
   * How each service is published. Defaults to NodePort on Agent and None; on other platforms to
   * LoadBalancer for the API server and Route for the rest.
   */
  services?: PublishedServices;
  /**
   * Address ranges of the machines, at most two, beginning with the IP family of the pods. No default: without
   * it, the location of the workers is unknown, and HyperShift's own security groups on AWS cannot be created.
   */
  machineNetwork?: MachineNetworkEntry[];
  /** Address ranges of the pods, at most two. Defaults to 10.132.0.0/14 with host prefix 23. */
  clusterNetwork?: ClusterNetworkEntry[];
  /** Address ranges of the services, one for each IP family of the pods. Defaults to 172.31.0.0/16. */
  serviceNetwork?: ServiceNetworkEntry[];
  /** The network plugin of the cluster network. Defaults to OVNKubernetes; other plugins do not use OVN's address ranges. */
  networkType?: NetworkType;
  /** The address at which nodes reach the API server inside the cluster. Defaults to 172.20.0.1 (IPv6: fd00::1). No network may hold it. */
  advertiseAddress?: string;
  /**
   * Port of `advertiseAddress`, 1-65535. Defaults to 6443. The pods of the API server listen on the same
   * port, except that they listen on 6443 if it is 443 (for old clusters).
   */
  apiServerPort?: number;
  /** OVN-Kubernetes join subnet, IPv4 CIDR block. Defaults to 100.64.0.0/16; refused on KubeVirt, where it is 100.66.0.0/16. */
  internalJoinSubnet?: string;
  /** OVN-Kubernetes transit switch subnet, IPv4 CIDR block. Defaults to 100.88.0.0/16. */
  internalTransitSwitchSubnet?: string;
  /**
   * OVN-Kubernetes' IPv4 subnet for gateway routers, CIDR block. The Cluster Network Operator derives
   * one join subnet from it and from `internalJoinSubnet`: set only one of them. Immutable. Defaults to
   * 100.64.0.0/16, on KubeVirt to 100.66.0.0/16. HyperShift has it since June 2026.
   */
  v4InternalSubnet?: string;
  /**
   * The same for IPv6, instead of `ipv6InternalJoinSubnet`. Immutable. Defaults to fd98::/64, on
   * KubeVirt to fd99::/64. HyperShift has it since June 2026.
   */
  v6InternalSubnet?: string;
  /** OVN-Kubernetes' IPv6 join subnet, CIDR block. Immutable. Defaults to fd98::/64. HyperShift has it since May 2026. */
  ipv6InternalJoinSubnet?: string;
  /** OVN-Kubernetes' IPv6 transit switch subnet, CIDR block. Immutable. Defaults to fd97::/64. HyperShift has it since May 2026. */
  ipv6InternalTransitSwitchSubnet?: string;
  /** How the management cluster's load balancers reach their targets. If absent, it is unknown. */
  loadBalancerTargets?: LoadBalancerTargets;
  /**
   * CIDR blocks under keys of your choice. Wherever this topology accepts a CIDR block, it also accepts a
   * key: `machineNetwork: [{ cidr: "vpc" }]`. Defaults to none. A block here may be an Output of a VPC, a
   * subnet, an IPAM allocation or another stack. Resources are named by the key, so a changed block
   * updates them in place. Give each key a different block: lists that share a block name the same key.
   */
  addresses?: Record<string, NamedAddressBlock>;
  /** CIDR blocks of the subnets that hold the management cluster's load balancers. PrivateLink traffic comes from these subnets. */
  loadBalancerSubnetCidrs?: string[];
  /** CIDR blocks from which workers reach public endpoints, behind NAT. If absent: no rule for them, and a warning if it matters. */
  workerNatCidrs?: string[];
  /** CIDR blocks of the worker nodes. Defaults to the machine network. */
  workerCidrs?: string[];
  /** CIDR blocks of external users and CI systems. If absent: no rule for them, and a warning. */
  externalClientCidrs?: string[];
  /** CIDR blocks of the management cluster's nodes and API. If absent: no rule to the management API, and a warning. */
  managementClusterCidrs?: string[];
  /**
   * CIDR blocks from which the management cluster reaches public endpoints, behind NAT: the control plane
   * calls its own API server by its public name. If absent, a list of allowed CIDR blocks cannot be checked.
   */
  managementClusterNatCidrs?: string[];
  /**
   * CIDR blocks at which workers and users reach the published services: public addresses of load balancers and routers. With
   * `PublicAndPrivate`, what workers reach through the endpoint is in the machine network, whatever is stated here; these blocks are for the
   * rest: users, and OAuth by Route. If absent: on AWS, Azure and GCP with private access, the machine network, which contains the addresses
   * of the endpoint; with public access, 0.0.0.0/0 (and ::/0 if the cluster has IPv6), with a warning; on the other platforms,
   * `managementClusterCidrs` and `loadBalancerSubnetCidrs`.
   */
  controlPlaneEndpointCidrs?: string[];
  /**
   * CIDR blocks of the DNS servers that the control plane and the workers query. If absent, with a
   * warning: for the control plane `managementClusterCidrs` and `loadBalancerSubnetCidrs`, for the workers
   * `machineNetwork`, because DNS servers are mostly in the network of their clients; never 0.0.0.0/0.
   */
  dnsServerCidrs?: string[];
  /**
   * CIDR blocks of external container registries and other external HTTPS services. If absent, port 443 is opened to
   * 0.0.0.0/0 (and ::/0 if the cluster has IPv6), with a warning, because registries and clouds publish no fixed addresses.
   */
  registryCidrs?: string[];
  /** Networks around the cluster that its ranges must not overlap: peered VPCs, transit networks, on-premises. */
  infrastructureCidrs?: InfrastructureNetwork[];
  /** The cluster-wide proxy of the hosted cluster. */
  proxy?: ProxySettings;
  /**
   * Whether nodes still join. `false` closes the ignition ports, once all nodes have joined. That is safe if every NodePool is ready
   * and none autoscales, auto-repairs nodes or upgrades by Replace; `hypershift-network verify NAMESPACE/NAME --bootstrap` checks
   * that. Set it to `true` again before a scale-up or any other change that creates machines. `false` is refused if ignition is published
   * by Route, because it shares that port. Defaults to true. (HyperShift, HCP networking requirements, Sensitive Data Warning)
   */
  bootstrap?: boolean;
  /**
   * Whether workers carry only the security groups of the plan, without the one that HyperShift creates for them on AWS. With `true`, the
   * plan itself must allow the traffic between nodes: Geneve, kubelet, host services, node ports. Defaults to false: proofs then assume
   * HyperShift's group, and name it. `HostedControlPlaneSecurityGroups` creates these rules if the topology or its argument of the same
   * name is `true`. `true` is refused on other platforms, for which there is no such group. (HyperShift, support/awsutil/sg.go)
   */
  defaultWorkerRules?: boolean;
}

/** A CIDR block that has a key. */
export interface NamedAddressBlock {
  /**
   * The CIDR block: `10.0.0.0/16`. Until an Output is known, previews show the resources that depend on it as
   * unknown; its value is checked before any of them is created. Blocks with a key are never merged into others.
   * Changing it changes rules in place; to swap the blocks of two keys, use a third block in between, in two steps.
   */
  cidr: Input<string>;
  /** The IP family, which decides the form of resources: `IPv4` or `IPv6`. Defaults to `IPv4`. Changing it replaces rules. */
  family?: AddressFamily;
  /**
   * The previous key of this block, so that its resources survive the change of key; if the block was in lists
   * without a key, the block itself: `10.0.0.0/16`. Defaults to none. Remove it once every stack is up to date.
   */
  formerKey?: string;
}

/** How each service of the hosted control plane is published. */
export interface PublishedServices {
  /** The Kubernetes API server. */
  apiServer?: PublishedService;
  /** The OAuth server, which users' browsers reach. */
  oauthServer?: PublishedService;
  /** The konnectivity server, to which the workers' agents connect. */
  konnectivity?: PublishedService;
  /** The ignition endpoint, from which joining nodes fetch their configuration. */
  ignition?: PublishedService;
}

/** How one service is published. */
export interface PublishedService {
  /** The publishing strategy. */
  type: PublishingType;
  /** The pinned node port, 30000-32767 by default; only with NodePort. If absent: any port of the range. */
  nodePort?: number;
  /**
   * Where nodes and users reach the node port: a host name or an IP address of the management cluster's
   * nodes or of a load balancer in front of them; only with NodePort. Workers must reach an IP address, and may reach all of
   * `managementClusterCidrs`; with a host name, or without an address, they must reach all of these. Required to create a HostedCluster.
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
  /** Prefix length of each node's subnet. Defaults to 23 (IPv6: 64). */
  hostPrefix?: number;
}

/** One range of service addresses. */
export interface ServiceNetworkEntry {
  /** CIDR block, IPv4 or IPv6. */
  cidr: string;
}

/** A network around the cluster. */
export interface InfrastructureNetwork {
  /** Name of the network in findings. */
  name: string;
  /** CIDR block, IPv4 or IPv6. */
  cidr: string;
}

/**
 * The cluster-wide proxy. Whether there is a proxy for HTTP and one for HTTPS must be plain; the value of each
 * setting may be an Output: the DNS name of a load balancer, or a secret of the stack's configuration.
 */
export interface ProxySettings {
  /**
   * URL of the proxy for HTTP; its scheme is http. A URL with an IP address gets rules in network ACLs.
   * If the URL is an Output or has a host name, write the rules as `additionalRules`.
   */
  httpProxy?: Input<string>;
  /** URL of the proxy for HTTPS; its scheme is http or https. Rules for it are created as for `httpProxy`. */
  httpsProxy?: Input<string>;
  /** Destinations that bypass the proxy: a comma-separated list of domains, addresses and CIDR blocks. */
  noProxy?: Input<string>;
}
