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
export const CONNECTIONS = types(
  ...ROUTE_TABLES,
  TYPE.route,
  TYPE.peering,
  TYPE.peeringAccepter,
  TYPE.transitGateway,
  TYPE.transitGatewayAttachment,
  TYPE.transitGatewayAccepter,
  TYPE.transitGatewayPeering,
  TYPE.transitGatewayPeeringAccepter,
  TYPE.transitGatewayRouteTable,
  TYPE.transitGatewayAssociation,
  TYPE.transitGatewayPropagation,
  TYPE.transitGatewayDefaultAssociation,
  TYPE.transitGatewayDefaultPropagation,
  TYPE.transitGatewayRoute,
  TYPE.transitGatewayListRoute,
  TYPE.coreNetworkAttachment,
  TYPE.vpnGateway,
  TYPE.vpnGatewayAttachment,
  TYPE.vpnConnection,
  TYPE.vpnConnectionRoute,
);
export const PEERINGS = types(TYPE.peering, TYPE.peeringAccepter);
/** VPC attachments of transit gateways, as the attaching and as the accepting account states them. */
export const TRANSIT_ATTACHMENTS = types(TYPE.transitGatewayAttachment, TYPE.transitGatewayAccepter);

/** Prefix of the type tokens of this package's components. */
export const OUR_COMPONENTS = "hypershift-network:index:";

/** The type token that Pulumi gives a Kubernetes object. */
export const typeOfObject = (apiVersion: string, kind: string): string =>
  `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;

const HOSTED_CLUSTER = /^kubernetes:hypershift\.openshift\.io\/[^:]+:HostedCluster(Patch)?$/;
const NODE_POOL = /^kubernetes:hypershift\.openshift\.io\/[^:]+:NodePool(Patch)?$/;
const ENDPOINT_SERVICE = /^kubernetes:hypershift\.openshift\.io\/[^:]+:AWSEndpointService$/;
const CLUSTER_PROXY = /^kubernetes:config\.openshift\.io\/[^:]+:Proxy(Patch)?$/;
const CONFIG_MAP = /^kubernetes:core\/v1:ConfigMap(Patch)?$/;
const NETWORK = /^kubernetes:(operator|config)\.openshift\.io\/[^:]+:Network(Patch)?$/;
const NETWORK_OPERATOR = /^kubernetes:operator\.openshift\.io\/[^:]+:Network(Patch)?$/;
const NETWORK_CONFIG = /^kubernetes:config\.openshift\.io\/[^:]+:Network(Patch)?$/;
const MACHINE_CONFIG_POOL =
  /^kubernetes:machineconfiguration\.openshift\.io\/[^:]+:MachineConfigPool(Patch)?$/;
const EGRESS_FIREWALL = /^kubernetes:k8s\.ovn\.org\/[^:]+:EgressFirewall(Patch)?$/;
const EGRESS_IP = /^kubernetes:k8s\.ovn\.org\/[^:]+:EgressIP(Patch)?$/;
const EGRESS_ROUTER = /^kubernetes:network\.operator\.openshift\.io\/[^:]+:EgressRouter(Patch)?$/;
const NETWORK_ATTACHMENT = /^kubernetes:k8s\.cni\.cncf\.io\/[^:]+:NetworkAttachmentDefinition(Patch)?$/;
const NODE = /^kubernetes:core\/v1:Node(Patch)?$/;
const NETWORK_POLICY = /^kubernetes:networking\.k8s\.io\/[^:]+:NetworkPolicy(Patch)?$/;
const ADMIN_POLICY = /^kubernetes:policy\.networking\.k8s\.io\/[^:]+:AdminNetworkPolicy(Patch)?$/;
const BASELINE_POLICY = /^kubernetes:policy\.networking\.k8s\.io\/[^:]+:BaselineAdminNetworkPolicy(Patch)?$/;
const CLUSTER_POLICY = /^kubernetes:policy\.networking\.k8s\.io\/[^:]+:ClusterNetworkPolicy(Patch)?$/;
const ADDRESS_POOL = /^kubernetes:metallb\.io\/[^:]+:(IP)?AddressPool(Patch)?$/;
const USER_DEFINED_NETWORK = /^kubernetes:k8s\.ovn\.org\/v\d\w*:(Cluster)?UserDefinedNetwork$/;
const ADDRESS_PLAN = /^kubernetes:hypershift-network\/[^:]+:AddressPlan$/;
const NAMESPACE = /^kubernetes:core\/v1:Namespace(Patch)?$/;
const SERVICE = /^kubernetes:core\/v1:Service(Patch)?$/;

/** Whether a resource is a Kubernetes object. */
export const isKubernetes = (type: string): boolean => type.startsWith("kubernetes:");

/** Checks the prefix first, which is faster: every rule tests many resources that are not Kubernetes objects. */
const isKind =
  (pattern: RegExp) =>
  (type: string): boolean =>
    isKubernetes(type) && pattern.test(type);

export const isHostedCluster = isKind(HOSTED_CLUSTER);
export const isNodePool = isKind(NODE_POOL);
/** HyperShift's own record of a VPC endpoint of a private cluster. */
export const isEndpointService = isKind(ENDPOINT_SERVICE);
/** The cluster-wide Proxy of an OpenShift cluster. */
export const isClusterProxy = isKind(CLUSTER_PROXY);
export const isConfigMap = isKind(CONFIG_MAP);
/** Networks of the Network operator and of the cluster's configuration. */
export const isNetwork = isKind(NETWORK);
/** Settings of the Network operator. */
export const isNetworkOperator = isKind(NETWORK_OPERATOR);
/** The network of a cluster's configuration, which the operator's settings follow. */
export const isNetworkConfig = isKind(NETWORK_CONFIG);
export const isMachineConfigPool = isKind(MACHINE_CONFIG_POOL);
export const isEgressFirewall = isKind(EGRESS_FIREWALL);
export const isEgressIp = isKind(EGRESS_IP);
export const isEgressRouter = isKind(EGRESS_ROUTER);
/** Definitions of additional pod interfaces. */
export const isNetworkAttachment = isKind(NETWORK_ATTACHMENT);
export const isNode = isKind(NODE);
export const isNetworkPolicy = isKind(NETWORK_POLICY);
export const isAdminNetworkPolicy = isKind(ADMIN_POLICY);
export const isBaselineAdminNetworkPolicy = isKind(BASELINE_POLICY);
/** The kind that replaces both in later versions of the API. */
export const isClusterNetworkPolicy = isKind(CLUSTER_POLICY);
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
export const isUserDefinedNetwork = isKind(USER_DEFINED_NETWORK);
/** Whether objects of a type have immutable fields, so that their state before a change is worth reading. */
export const hasImmutableFields = (type: string): boolean =>
  isHostedCluster(type) || isNetwork(type) || isUserDefinedNetwork(type);
/** Addresses that MetalLB assigns to load balancers. */
export const isAddressPool = isKind(ADDRESS_POOL);
/** A file of a fleet's address ledger: not an object of a cluster, but written like one. */
export const isAddressPlan = isKind(ADDRESS_PLAN);
export const isNamespace = isKind(NAMESPACE);
export const isService = isKind(SERVICE);
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
