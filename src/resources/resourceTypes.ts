/** A kind of Kubernetes object that rules check. */
export interface KubernetesKind {
  /** Empty for the core group. */
  group: string;
  kind: string;
  /** Its name in API paths and in RBAC roles. */
  resource: string;
  /**
   * True if rules treat such an object as one inside a hosted cluster: in the management cluster it is about the
   * management cluster itself.
   */
  isOfGuest?: true;
  /** True if rules also use the management cluster's own object. */
  isOfManagement?: true;
  /** True if a cluster has one object of a name: it has no namespace, and the API server clears one that is stated. */
  isClusterScoped?: true;
}

const of =
  (group: string, isOfGuest?: true) =>
  (kind: string, resource: string): KubernetesKind => ({
    group,
    kind,
    resource,
    ...(isOfGuest && { isOfGuest }),
  });
const hyperShift = of("hypershift.openshift.io");
const core = of("");
const apps = of("apps");
const batch = of("batch");
const adminPolicy = of("policy.networking.k8s.io");
const config = of("config.openshift.io", true);
const ovn = of("k8s.ovn.org", true);

const clusterScoped = (kind: KubernetesKind): KubernetesKind => ({ ...kind, isClusterScoped: true });

/** HostedClusters: a cluster that contains any is a management cluster. */
export const HOSTED_CLUSTERS = hyperShift("HostedCluster", "hostedclusters");

/** Every kind of object in a cluster that rules judge, or read to judge others. ConfigMaps are read only by name. */
export const kubernetesKinds: readonly KubernetesKind[] = [
  HOSTED_CLUSTERS,
  hyperShift("NodePool", "nodepools"),
  of("networking.k8s.io")("NetworkPolicy", "networkpolicies"),
  clusterScoped(adminPolicy("AdminNetworkPolicy", "adminnetworkpolicies")),
  clusterScoped(adminPolicy("BaselineAdminNetworkPolicy", "baselineadminnetworkpolicies")),
  clusterScoped(adminPolicy("ClusterNetworkPolicy", "clusternetworkpolicies")),
  of("k8s.ovn.org")("EgressFirewall", "egressfirewalls"),
  clusterScoped(ovn("EgressIP", "egressips")),
  ovn("UserDefinedNetwork", "userdefinednetworks"),
  clusterScoped(ovn("ClusterUserDefinedNetwork", "clusteruserdefinednetworks")),
  of("network.operator.openshift.io", true)("EgressRouter", "egressrouters"),
  of("k8s.cni.cncf.io", true)("NetworkAttachmentDefinition", "network-attachment-definitions"),
  of("metallb.io", true)("IPAddressPool", "ipaddresspools"),
  clusterScoped(of("operator.openshift.io", true)("Network", "networks")),
  clusterScoped(config("Network", "networks")),
  clusterScoped({ ...config("Proxy", "proxies"), isOfManagement: true }),
  clusterScoped(of("machineconfiguration.openshift.io", true)("MachineConfigPool", "machineconfigpools")),
  clusterScoped(core("Namespace", "namespaces")),
  clusterScoped(core("Node", "nodes")),
  of("", true)("Service", "services"),
  core("Pod", "pods"),
  core("ReplicationController", "replicationcontrollers"),
  apps("Deployment", "deployments"),
  apps("StatefulSet", "statefulsets"),
  apps("DaemonSet", "daemonsets"),
  apps("ReplicaSet", "replicasets"),
  batch("Job", "jobs"),
  batch("CronJob", "cronjobs"),
];

/** Type tokens of what connects AWS networks. */
const CONNECTION_TYPE = {
  routeTable: "aws:ec2/routeTable:RouteTable",
  defaultRouteTable: "aws:ec2/defaultRouteTable:DefaultRouteTable",
  route: "aws:ec2/route:Route",
  peering: "aws:ec2/vpcPeeringConnection:VpcPeeringConnection",
  peeringAccepter: "aws:ec2/vpcPeeringConnectionAccepter:VpcPeeringConnectionAccepter",
  transitGateway: "aws:ec2transitgateway/transitGateway:TransitGateway",
  transitGatewayAttachment: "aws:ec2transitgateway/vpcAttachment:VpcAttachment",
  transitGatewayAccepter: "aws:ec2transitgateway/vpcAttachmentAccepter:VpcAttachmentAccepter",
  transitGatewayPeering: "aws:ec2transitgateway/peeringAttachment:PeeringAttachment",
  transitGatewayPeeringAccepter: "aws:ec2transitgateway/peeringAttachmentAccepter:PeeringAttachmentAccepter",
  transitGatewayRouteTable: "aws:ec2transitgateway/routeTable:RouteTable",
  transitGatewayAssociation: "aws:ec2transitgateway/routeTableAssociation:RouteTableAssociation",
  transitGatewayPropagation: "aws:ec2transitgateway/routeTablePropagation:RouteTablePropagation",
  transitGatewayDefaultAssociation:
    "aws:ec2transitgateway/defaultRouteTableAssociation:DefaultRouteTableAssociation",
  transitGatewayDefaultPropagation:
    "aws:ec2transitgateway/defaultRouteTablePropagation:DefaultRouteTablePropagation",
  transitGatewayRoute: "aws:ec2transitgateway/route:Route",
  transitGatewayListRoute: "aws:ec2transitgateway/prefixListReference:PrefixListReference",
  coreNetworkAttachment: "aws:networkmanager/vpcAttachment:VpcAttachment",
  vpnGateway: "aws:ec2/vpnGateway:VpnGateway",
  vpnGatewayAttachment: "aws:ec2/vpnGatewayAttachment:VpnGatewayAttachment",
  vpnConnection: "aws:ec2/vpnConnection:VpnConnection",
  vpnConnectionRoute: "aws:ec2/vpnConnectionRoute:VpnConnectionRoute",
} as const;

/** Type tokens of the AWS resources that are read. */
export const TYPE = {
  securityGroup: "aws:ec2/securityGroup:SecurityGroup",
  defaultSecurityGroup: "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup",
  securityGroupRule: "aws:ec2/securityGroupRule:SecurityGroupRule",
  ingressRule: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
  egressRule: "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
  securityGroupVpcAssociation: "aws:vpc/securityGroupVpcAssociation:SecurityGroupVpcAssociation",
  rulesExclusive: "aws:ec2/vpcSecurityGroupRulesExclusive:VpcSecurityGroupRulesExclusive",
  networkAcl: "aws:ec2/networkAcl:NetworkAcl",
  defaultNetworkAcl: "aws:ec2/defaultNetworkAcl:DefaultNetworkAcl",
  networkAclRule: "aws:ec2/networkAclRule:NetworkAclRule",
  networkAclAssociation: "aws:ec2/networkAclAssociation:NetworkAclAssociation",
  prefixList: "aws:ec2/managedPrefixList:ManagedPrefixList",
  prefixListEntry: "aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry",
  vpc: "aws:ec2/vpc:Vpc",
  defaultVpc: "aws:ec2/defaultVpc:DefaultVpc",
  ipv4Association: "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation",
  ipv6Association: "aws:ec2/vpcIpv6CidrBlockAssociation:VpcIpv6CidrBlockAssociation",
  subnet: "aws:ec2/subnet:Subnet",
  defaultSubnet: "aws:ec2/defaultSubnet:DefaultSubnet",
  ...CONNECTION_TYPE,
} as const;

/** The type of what components of this package add to a field of an object that otherwise belongs to others. */
export const SHARED_FIELD_SHARE = "pulumi-nodejs:dynamic/hypershift-network:SharedFieldShare";

const types = (...tokens: string[]): ReadonlySet<string> => new Set(tokens);

export const SECURITY_GROUPS = types(TYPE.securityGroup, TYPE.defaultSecurityGroup);
export const SPLIT_RULES = types(TYPE.securityGroupRule, TYPE.ingressRule, TYPE.egressRule);
export const NETWORK_ACLS = types(TYPE.networkAcl, TYPE.defaultNetworkAcl);
export const PREFIX_LISTS = types(TYPE.prefixList);
export const VPCS = types(TYPE.vpc, TYPE.defaultVpc);
export const SUBNETS = types(TYPE.subnet, TYPE.defaultSubnet);
export const ROUTE_TABLES = types(TYPE.routeTable, TYPE.defaultRouteTable);
/** What connects AWS networks. */
export const CONNECTIONS = types(...Object.values(CONNECTION_TYPE));
export const PEERINGS = types(TYPE.peering, TYPE.peeringAccepter);
/** VPC attachments of transit gateways, as the attaching and as the accepting account states them. */
export const TRANSIT_ATTACHMENTS = types(TYPE.transitGatewayAttachment, TYPE.transitGatewayAccepter);

/** Prefix of the type tokens of this package's components. */
export const OUR_COMPONENTS = "hypershift-network:index:";

/** The type token that Pulumi gives a Kubernetes object. */
export const typeOfObject = (apiVersion: string, kind: string): string =>
  `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;

/** Whether a resource is a Kubernetes object. */
export const isKubernetes = (type: string): boolean => type.startsWith("kubernetes:");

/**
 * Recognizes the types of a kind, in any version of its API, and of patches on such objects. Group and kind are regular expressions.
 * Checks the prefix first, which is faster: every rule tests many resources that are not Kubernetes objects.
 */
export function isKind(group: string, kind: string, { version = "[^:]+", hasPatches = true } = {}) {
  const patch = hasPatches ? "(Patch)?" : "";
  const pattern = new RegExp(`^kubernetes:${group.replaceAll(".", "\\.")}/${version}:${kind}${patch}$`);
  return (type: string): boolean => isKubernetes(type) && pattern.test(type);
}

export const isHostedCluster = isKind("hypershift.openshift.io", "HostedCluster");
export const isNodePool = isKind("hypershift.openshift.io", "NodePool");
/** HyperShift's own record of a VPC endpoint of a private cluster. */
export const isEndpointService = isKind("hypershift.openshift.io", "AWSEndpointService", {
  hasPatches: false,
});
/** The cluster-wide Proxy of an OpenShift cluster. */
export const isClusterProxy = isKind("config.openshift.io", "Proxy");
export const isConfigMap = isKind("core", "ConfigMap", { version: "v1" });
/** Networks of the Network operator and of the cluster's configuration. */
export const isNetwork = isKind("(operator|config).openshift.io", "Network");
/** Settings of the Network operator. */
export const isNetworkOperator = isKind("operator.openshift.io", "Network");
/** The network of a cluster's configuration, which the operator's settings follow. */
export const isNetworkConfig = isKind("config.openshift.io", "Network");
export const isMachineConfigPool = isKind("machineconfiguration.openshift.io", "MachineConfigPool");
export const isEgressFirewall = isKind("k8s.ovn.org", "EgressFirewall");
export const isEgressIp = isKind("k8s.ovn.org", "EgressIP");
export const isEgressRouter = isKind("network.operator.openshift.io", "EgressRouter");
/** Definitions of additional pod interfaces. */
export const isNetworkAttachment = isKind("k8s.cni.cncf.io", "NetworkAttachmentDefinition");
export const isNode = isKind("core", "Node", { version: "v1" });
export const isNetworkPolicy = isKind("networking.k8s.io", "NetworkPolicy");
export const isAdminNetworkPolicy = isKind("policy.networking.k8s.io", "AdminNetworkPolicy");
export const isBaselineAdminNetworkPolicy = isKind("policy.networking.k8s.io", "BaselineAdminNetworkPolicy");
/** The kind that replaces both in later versions of the API. */
export const isClusterNetworkPolicy = isKind("policy.networking.k8s.io", "ClusterNetworkPolicy");
const POLICIES = [
  isNetworkPolicy,
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
];
/** Policies of a namespace or of the cluster. */
export const isAnyNetworkPolicy = (type: string): boolean => POLICIES.some((holds) => holds(type));
/** Policies of the cluster, which administrators write. */
export const isAdministratorsPolicy = (type: string): boolean =>
  isAnyNetworkPolicy(type) && !isNetworkPolicy(type);
/** Networks that pods have in addition to the cluster network or instead of it. */
export const isUserDefinedNetwork = isKind("k8s.ovn.org", "(Cluster)?UserDefinedNetwork", {
  version: "v\\d\\w*",
  hasPatches: false,
});
/** Addresses that MetalLB assigns to load balancers. */
export const isAddressPool = isKind("metallb.io", "(IP)?AddressPool");
/** A file of a fleet's address ledger: not an object of a cluster, but written like one. */
export const isAddressPlan = isKind("hypershift-network", "AddressPlan", { hasPatches: false });
export const isNamespace = isKind("core", "Namespace", { version: "v1" });
export const isService = isKind("core", "Service", { version: "v1" });
/** Whether objects of a type have immutable fields, so that their state before a change is worth reading. */
export const hasImmutableFields = (type: string): boolean =>
  isHostedCluster(type) ||
  isNodePool(type) ||
  isNetwork(type) ||
  isUserDefinedNetwork(type) ||
  isNamespace(type);
/** Whether a Kubernetes object is a patch on one that is created elsewhere. */
export const isPatch = (type: string): boolean => isKubernetes(type) && type.endsWith("Patch");

/** The type of an object without the version of its API, and of a patch that of its object: `kubernetes:k8s.ovn.org/:EgressIP`. */
export const unversioned = (type: string): string => type.replace(/\/[^/:]*:/, "/:").replace(/Patch$/, "");

const CLUSTER_SCOPED: ReadonlySet<string> = new Set(
  kubernetesKinds
    .filter(({ isClusterScoped: has }) => has)
    .map(({ group, kind }) => `kubernetes:${group || "core"}/:${kind}`),
);

/** Whether objects of a type have no namespace, among the kinds that rules check. */
export const isClusterScoped = (type: string): boolean => CLUSTER_SCOPED.has(unversioned(type));
