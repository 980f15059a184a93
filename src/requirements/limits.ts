import {
  at,
  AWS_NETWORK_ACLS,
  AWS_QUOTAS,
  AWS_VPC,
  AZURE_VNET,
  OKD_NETWORKING,
  OCP_4_7_OVN,
  type DocumentReference,
  GCP_VPC,
  HYPERSHIFT,
  KUBERNETES,
  NETWORK_OPERATOR,
  NETWORK_POLICY_API,
  OCP_NODES,
  OVN_KUBERNETES,
} from "./documents";
import { InfrastructurePlatform } from "./vocabulary";

/** Limits of the software and the clouds, each with its source in `limitSources`. */
export const LIMIT = {
  /** Rules of one EgressFirewall. */
  egressFirewallRules: 8000,
  /**
   * Inbound or outbound rules of one security group, counted for each IP family: AWS's default quota, and the highest
   * quota that AWS grants, for interfaces with a single group; with more groups, that number is divided by theirs.
   */
  securityGroupRules: { default: 60, highest: 1000 },
  /**
   * Inbound or outbound rules of one network ACL, counted for each IP family and including the last one,
   * which denies everything: AWS's default quota, and the highest quota that AWS grants.
   */
  networkAclRules: { default: 20, highest: 40 },
  /** Numbers of the rules of a network ACL. */
  networkAclRuleNumber: { min: 1, max: 32766 },
  /** Security groups of one network interface: AWS's default quota. */
  securityGroupsPerInterface: 5,
  /** Characters of a CIDR block in the lists of spec.networking. */
  networkCidrLength: { min: 1, max: 43 },
  /** Characters of the name of a network or subnet on Google Cloud, or of a pod network instance on Azure. */
  cloudNetworkNameLength: { min: 1, max: 63 },
  /** Characters of the ID of a subnet on Azure. */
  azureSubnetIdLength: { min: 1, max: 355 },
  /** MTU of the network that HyperShift creates on OpenStack. */
  openStackMtu: { min: 1500, max: 9000 },
  /** Subnets on OpenStack: existing ones, and ones that HyperShift creates. */
  openStackSubnets: 2,
  openStackManagedSubnets: 1,
  /** Characters of namespace and name of a network of a KubeVirt NodePool: its interface is named after them. */
  machineNetworkNameLength: 55,
  /** Entries of each list of spec.networking. */
  networkEntries: 2,
  /** Blocks of spec.networking.apiServer.allowedCIDRBlocks. */
  allowedCidrBlocks: 500,
  /** Longest mask that the API accepts for an internal OVN subnet, IPv4; the effective limit depends on the node count. */
  internalSubnetMask: { min: 0, max: 30 },
  /** Longest mask that the API accepts for an internal OVN subnet, IPv6. */
  internalSubnetV6Mask: { min: 0, max: 125 },
  /** Addresses of an internal OVN subnet that nodes cannot use. */
  internalSubnetReservedAddresses: 3,
  /**
   * Masks of a service network with which the API server starts: the longest, with eight addresses, and
   * the shortest, before and since WIDE_SERVICE_NETWORKS_SINCE.
   */
  serviceNetworkMask: {
    longest: { 4: 29, 6: 125 },
    shortest: { 4: 12, 6: 108 },
    laterShortest: { 4: 0, 6: 64 },
  },
  /** Characters of spec.release.image. */
  releaseImageLength: 253,
  /** Characters of a host name in spec.services. */
  hostnameLength: { min: 1, max: 253 },
  /** Characters of a Kubernetes name that is a DNS label. */
  labelLength: 63,
  /** Characters of the name of a Kubernetes object that is a DNS subdomain. */
  subdomainLength: 253,
  /** Numbers of a TCP, UDP or SCTP port. */
  port: { min: 1, max: 65535 },
  /** Characters of the name of a port of a Service. */
  portNameLength: 15,
  /** Default prefix length of each node's part of the cluster network. */
  defaultHostPrefix: { 4: 23, 6: 64 },
  /** The fewest address bits within each node's part of the cluster network. */
  hostPrefixBits: 2,
  /** Addresses of a node's part of the cluster network that pods cannot use: network, gateway and the node's own port. */
  nodePartReservedAddresses: 3,
  /** Pods that a node runs unless a KubeletConfig sets another limit. */
  podsPerNode: 250,
  /** MTU of the cluster network. */
  mtu: { min: 576, max: 9216, minWithIpv6: 1280 },
  /** MTU that the network operator accepts in its own object, and OVN-Kubernetes in user-defined networks. */
  operatorMtu: { min: 576, max: 65536, minWithIpv6: 1280 },
  /** Longest masks of OVN-Kubernetes' masquerade subnets. */
  masqueradeMask: { 4: 29, 6: 125 },
  /** Seconds after which a node that does not answer loses its egress IP addresses; 0 disables the check. */
  egressIpTimeout: { min: 0, max: 60 },
  /** Entries of spec.tolerations of a HostedCluster. */
  tolerations: 25,
  /** Entries of spec.taints of a NodePool. */
  nodePoolTaints: 50,
  /** Directions that spec.policyTypes of a NetworkPolicy names. */
  policyTypes: 2,
  /** Rules of a direction, and peers and ports of a rule, of AdminNetworkPolicy and BaselineAdminNetworkPolicy. */
  adminPolicyEntries: 100,
  /** Rules of a direction, and peers and protocols of a rule, of a ClusterNetworkPolicy. */
  clusterPolicyEntries: 25,
  /** Blocks or domain names of a peer in these policies. */
  adminPolicyNames: 25,
  /** Characters of the name of a rule in these policies. */
  adminPolicyNameLength: 100,
  /** Priorities of AdminNetworkPolicy and ClusterNetworkPolicy, and the last one that OVN-Kubernetes supports for AdminNetworkPolicy. */
  adminPolicyPriority: { min: 0, max: 1000, maxOfOvn: 99 },
  /** Entries of spec.services. */
  services: { min: 4, max: 6, minOnIbmCloud: 3 },
} as const;

/** The first release whose HostedCluster accepts internal OVN subnets. */
export const INTERNAL_SUBNETS_SINCE = { major: 4, minor: 20 } as const;

/** The first release, with Kubernetes 1.34, whose API server accepts wide service networks. */
export const WIDE_SERVICE_NETWORKS_SINCE = { major: 4, minor: 21 } as const;

/** The document of each limit. */
export const limitSources = {
  egressFirewallRules: at(OCP_4_7_OVN, "15.5.1.1. Limitations of an egress firewall"),
  securityGroupRules: at(AWS_QUOTAS, "Security groups"),
  networkAclRules: at(AWS_QUOTAS, "Network ACLs"),
  networkAclRuleNumber: at(AWS_NETWORK_ACLS, "Network ACL basics"),
  securityGroupsPerInterface: at(AWS_QUOTAS, "Security groups"),
  networkCidrLength: at(HYPERSHIFT, "HostedCluster CRD, spec.networking"),
  cloudNetworkNameLength: at(HYPERSHIFT, "HostedCluster CRD, spec.platform"),
  azureSubnetIdLength: at(HYPERSHIFT, "HostedCluster CRD, spec.platform.azure"),
  openStackMtu: at(HYPERSHIFT, "HostedCluster CRD, spec.platform.openstack"),
  openStackSubnets: at(HYPERSHIFT, "HostedCluster CRD, spec.platform.openstack"),
  openStackManagedSubnets: at(HYPERSHIFT, "HostedCluster CRD, spec.platform.openstack"),
  machineNetworkNameLength: at(HYPERSHIFT, "NodePool CRD, spec.platform.kubevirt"),
  networkEntries: at(HYPERSHIFT, "HostedCluster CRD, spec.networking"),
  allowedCidrBlocks: at(HYPERSHIFT, "HostedCluster CRD, spec.networking.apiServer"),
  internalSubnetMask: at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
  internalSubnetV6Mask: at(HYPERSHIFT, "HostedCluster CRD, ovnKubernetesConfig.ipv6"),
  internalSubnetReservedAddresses: at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
  serviceNetworkMask: at(KUBERNETES, "cmd/kube-apiserver/app/options/validation.go"),
  releaseImageLength: at(HYPERSHIFT, "HostedCluster CRD, spec.release"),
  hostnameLength: at(HYPERSHIFT, "HostedCluster CRD, spec.services"),
  labelLength: at(KUBERNETES, "Object names and IDs"),
  subdomainLength: at(KUBERNETES, "Object names and IDs"),
  port: at(KUBERNETES, "Service"),
  portNameLength: at(KUBERNETES, "Service"),
  defaultHostPrefix: at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
  hostPrefixBits: at(NETWORK_OPERATOR, "pkg/network/cluster_config.go"),
  nodePartReservedAddresses: at(OVN_KUBERNETES, "go-controller/pkg/util/subnet_annotations.go"),
  podsPerNode: at(OCP_NODES, "Managing the maximum number of pods per node"),
  mtu: at(HYPERSHIFT, "HostedCluster CRD, ovnKubernetesConfig.mtu"),
  operatorMtu: at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
  masqueradeMask: at(NETWORK_OPERATOR, "Network CRD, ovnKubernetesConfig.gatewayConfig"),
  egressIpTimeout: at(NETWORK_OPERATOR, "Network CRD, ovnKubernetesConfig.egressIPConfig"),
  tolerations: at(HYPERSHIFT, "HostedCluster CRD, spec.tolerations"),
  nodePoolTaints: at(HYPERSHIFT, "NodePool CRD, spec.taints"),
  policyTypes: at(KUBERNETES, "Network Policies"),
  adminPolicyEntries: at(NETWORK_POLICY_API, "AdminNetworkPolicy CRD"),
  clusterPolicyEntries: at(NETWORK_POLICY_API, "ClusterNetworkPolicy CRD"),
  adminPolicyNames: at(NETWORK_POLICY_API, "AdminNetworkPolicy CRD"),
  adminPolicyNameLength: at(NETWORK_POLICY_API, "AdminNetworkPolicy CRD"),
  adminPolicyPriority: at(OVN_KUBERNETES, "go-controller/pkg/ovn/controller/admin_network_policy/types.go"),
  services: at(HYPERSHIFT, "HostedCluster CRD, spec.services"),
} as const satisfies Record<keyof typeof LIMIT, unknown>;

/** Addresses at the ends of each subnet that a cloud reserves. */
export interface SubnetReservation {
  /** Users of these addresses, as the end of a sentence. */
  who: string;
  families: readonly (4 | 6)[];
  /** How many at the beginning, including the network's own address. */
  first: number;
  /** How many at the end, including the broadcast address. */
  last: number;
  documents: readonly DocumentReference[];
}

/** The addresses of each subnet that clouds reserve. On other platforms only the network and broadcast addresses are reserved. */
export const subnetReservations: { readonly [platform in InfrastructurePlatform]?: SubnetReservation } = {
  [InfrastructurePlatform.AWS]: {
    who: "the VPC's router, DNS server and future use",
    families: [4, 6],
    first: 4,
    last: 1,
    documents: [at(AWS_VPC, "Subnet sizing for IPv4, Subnet sizing for IPv6")],
  },
  [InfrastructurePlatform.Azure]: {
    who: "the virtual network's gateway and DNS",
    families: [4],
    first: 4,
    last: 1,
    documents: [at(AZURE_VNET, "Are there any restrictions on using IP addresses within these subnets?")],
  },
  [InfrastructurePlatform.GCP]: {
    who: "the subnet's gateway and future use",
    families: [4],
    first: 2,
    last: 2,
    documents: [at(GCP_VPC, "Unusable addresses in IPv4 subnet ranges")],
  },
};

/** The networks that openshift-install writes by default. */
export const installerNetworks = {
  clusterNetwork: "10.128.0.0/14",
  serviceNetwork: "172.30.0.0/16",
  machineNetwork: "10.0.0.0/16",
} as const;
