/** Where the worker nodes of a hosted cluster run. The names are those of `HostedCluster.spec.platform.type`. */
export const Platform = {
  AWS: "AWS",
  Azure: "Azure",
  GCP: "GCP",
  IBMCloud: "IBMCloud",
  PowerVS: "PowerVS",
  KubeVirt: "KubeVirt",
  OpenStack: "OpenStack",
  Agent: "Agent",
  None: "None",
} as const;
export type Platform = (typeof Platform)[keyof typeof Platform];

/**
 * The platform on which the nodes of a cluster run, hosted or not. The names are those of
 * `status.platformStatus.type` of the cluster's Infrastructure object.
 */
export const InfrastructurePlatform = {
  AWS: "AWS",
  Azure: "Azure",
  GCP: "GCP",
  IBMCloud: "IBMCloud",
  PowerVS: "PowerVS",
  OpenStack: "OpenStack",
  VSphere: "VSphere",
  OVirt: "oVirt",
  Nutanix: "Nutanix",
  BareMetal: "BareMetal",
  KubeVirt: "KubeVirt",
  None: "None",
} as const;
export type InfrastructurePlatform = (typeof InfrastructurePlatform)[keyof typeof InfrastructurePlatform];

/** The IP version of a block whose addresses are not known yet. */
export const AddressFamily = {
  IPv4: "IPv4",
  IPv6: "IPv6",
} as const;
export type AddressFamily = (typeof AddressFamily)[keyof typeof AddressFamily];

/** A service of the hosted control plane that is published to its nodes and users. */
export enum Service {
  APIServer = "APIServer",
  OAuthServer = "OAuthServer",
  Konnectivity = "Konnectivity",
  Ignition = "Ignition",
}

/** How a service is published outside the management cluster. */
export const PublishingType = {
  Route: "Route",
  NodePort: "NodePort",
  LoadBalancer: "LoadBalancer",
} as const;
export type PublishingType = (typeof PublishingType)[keyof typeof PublishingType];

/** Who can reach the published services: everyone, everyone and private networks, or only private networks. */
export const EndpointAccess = {
  Public: "Public",
  PublicAndPrivate: "PublicAndPrivate",
  Private: "Private",
} as const;
export type EndpointAccess = (typeof EndpointAccess)[keyof typeof EndpointAccess];

/** How the load balancers of the management cluster reach their targets: at a node port, or at the pod's address. */
export const LoadBalancerTargets = {
  Instance: "instance",
  Ip: "ip",
} as const;
export type LoadBalancerTargets = (typeof LoadBalancerTargets)[keyof typeof LoadBalancerTargets];

/** The network plugin of the cluster network. */
export const NetworkType = {
  OVNKubernetes: "OVNKubernetes",
  OpenShiftSDN: "OpenShiftSDN",
  Calico: "Calico",
  Other: "Other",
} as const;
export type NetworkType = (typeof NetworkType)[keyof typeof NetworkType];

/** The transport of a flow. `Any` means every IP protocol. */
export const Protocol = {
  Tcp: "TCP",
  Udp: "UDP",
  Sctp: "SCTP",
  Icmp: "ICMP",
  Esp: "ESP",
  Any: "any",
} as const;
export type Protocol = (typeof Protocol)[keyof typeof Protocol];

/** The direction of packets, as seen from the hosts of a rule. */
export const Direction = {
  Ingress: "ingress",
  Egress: "egress",
} as const;
export type Direction = (typeof Direction)[keyof typeof Direction];

export const oppositeDirection = (direction: Direction): Direction =>
  direction === Direction.Ingress ? Direction.Egress : Direction.Ingress;

/** When a flow is needed: throughout the cluster's life, or only while nodes join. */
export enum Phase {
  Always = "always",
  Bootstrap = "bootstrap",
}

/** The place whose ingress or egress a requirement describes. */
export enum Perspective {
  /** Pods of the hosted control plane namespace. */
  ControlPlane = "control-plane",
  /** Nodes of the management cluster. */
  Management = "management",
  /** Compute nodes of the hosted cluster. */
  Worker = "worker",
}

/** Ends of flows. */
export enum Zone {
  Workers = "worker",
  ExternalClients = "external-client",
  ManagementApi = "management-api",
  ManagementKubelet = "management-kubelet",
  ManagementOperators = "management-operators",
  MonitoringNamespaces = "monitoring-namespaces",
  SameNamespace = "same-namespace",
  SameSecurityGroup = "same-security-group",
  MachineNetwork = "machine-network",
  PrivateNetwork = "private-network",
  Pods = "pod",
  OvnControlPlane = "ovnkube-control-plane",
  ControlPlane = "control-plane",
  ContainerRegistry = "container-registry",
  Routes = "route",
  ExternalHttps = "external-https",
  DnsServers = "dns-server",
  HttpProxy = "http-proxy",
  OpenShiftDnsNamespace = "namespace openshift-dns",
  LoadBalancers = "load-balancer",
  Localhost = "localhost",
  Any = "any",
}

/** The Azure cloud that a cluster runs in. The names are those of `HostedCluster.spec.platform.azure.cloud`. */
export const AzureCloud = {
  AzurePublicCloud: "AzurePublicCloud",
  AzureUSGovernmentCloud: "AzureUSGovernmentCloud",
  AzureChinaCloud: "AzureChinaCloud",
  AzureGermanCloud: "AzureGermanCloud",
  AzureBleuCloud: "AzureBleuCloud",
  AzureStackCloud: "AzureStackCloud",
} as const;
export type AzureCloud = (typeof AzureCloud)[keyof typeof AzureCloud];

/** A group of hosts whose packet filter must allow a flow. */
export const Role = {
  /** Nodes of the management cluster that carry hosted control planes. */
  ControlPlane: "control-plane",
  /** Compute nodes of the hosted cluster. */
  Workers: "workers",
  /** The VPC endpoint of a private cluster. */
  PrivateEndpoint: "private-endpoint",
} as const;
export type Role = (typeof Role)[keyof typeof Role];
