import type * as pulumi from "@pulumi/pulumi";
import type {
  ClusterNetworkEntry,
  HostedClusterTopology,
  MachineNetworkEntry,
  ServiceNetworkEntry,
} from "../../topology/hostedClusterTopology";
import type { OvnIpv4Subnets, OvnSubnetFragment } from "../../ovnSubnets/component/ovnSubnetArgs";
import type {
  ConfigMapName,
  ProxyClusterConfiguration,
  ProxyFragment,
} from "../../proxy/component/proxyConfigArgs";

/**
 * A HostedCluster that is created, with its whole network. It is protected, and kept when its component is deleted. A change
 * of a field that a running cluster cannot change is refused before anything is done; nothing ever replaces the object.
 */
export interface HostedClusterNetworkArgs extends HostedClusterSettings {
  /**
   * The hosted cluster: name, platform, networks, how each service is published, internal subnets, proxy. Plain values.
   * Services that are published by NodePort need an `address`. Name, namespace, platform, services, networks, network type,
   * advertise address and the IPv6 and younger internal subnets can never change; `endpointAccess`, `internalJoinSubnet`,
   * `internalTransitSwitchSubnet` and `proxy` change in place. (HostedCluster API; Networking for hosted control planes)
   */
  topology: HostedClusterTopology;
  /**
   * The `fragment` of an OvnSubnetConfig that has no `existingHostedCluster`. Defaults to the subnets of the topology; where
   * both say one, it is the same. Changing it rolls out ovnkube-node. (Configuring internal OVN IPv4 subnets for hosted
   * clusters)
   */
  ovnSubnets?: pulumi.Input<OvnSubnetFragment>;
  /**
   * The `fragment` of a ProxyConfig that has no `existingHostedCluster`, with its trust bundle. Defaults to the proxy of the
   * topology; where both say a setting, it is the same. Changing it rolls the nodes. (Proxy support for hosted control
   * planes)
   */
  proxy?: pulumi.Input<ProxyFragment>;
}

/** What can be chosen of a HostedCluster beside its topology, subnets and proxy. */
export interface HostedClusterSettings {
  /**
   * The rest of the spec as the text of a JSON object, laid into what the other inputs say: `release.image` and
   * `pullSecret.name` always, the settings of the platform, `dns`, `etcd`, `sshKey` and so on. Make it with
   * pulumi.jsonStringify. What another input says must not stand in it. Changing it changes the HostedCluster in place,
   * except for fields that can never change. A single Output in it makes all of it unknown in previews: `additionalSpec` is
   * judged as far as it is known. One of the two is given. (HostedCluster API, spec)
   */
  additionalSpecJson?: pulumi.Input<string>;
  /**
   * The same as an object, in place of `additionalSpecJson`: `{ release: { image: ... }, pullSecret: { name: ... } }`. Single
   * values in it may be Outputs, of which the others are judged before they are known. (HostedCluster API, spec)
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- fields of any type; the analyzer of schemas takes no unknown
  additionalSpec?: Record<string, pulumi.Input<any>>;
  /**
   * Namespace of the HostedCluster. Defaults to the topology's, which is `clusters`. Give the name of a Namespace resource
   * here where the same program makes it. The control plane runs in `<namespace>-<name>`. It can never change.
   */
  namespace?: pulumi.Input<string>;
  /**
   * CIDR blocks from which the API server and the public router can be reached, at most 500; `networking.apiServer.allowedCIDRBlocks`
   * of the HostedCluster. Needs `topology.managementClusterNatCidrs` and, with Public access, the addresses of the
   * workers: a list that leaves them out is refused. Defaults to everybody. Without effect on node ports. Changing it
   * changes the load balancers in place. (HostedCluster API, networking.apiServer)
   */
  allowedCidrBlocks?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Accepts `allowedCidrBlocks` although the topology does not say from which addresses the management cluster or the workers
   * come, so that it is unknown whether the list cuts them off. Defaults to false. Addresses that are stated have to be
   * in the list all the same. Changing it changes nothing by itself.
   */
  acceptUnknownSources?: boolean;
  /**
   * MTU of the cluster network in bytes, 576-9216, with IPv6 from 1280 on: 100 less than that of the machines' network.
   * Defaults to what the Cluster Network Operator finds out. It can never change. HyperShift has it since March 2026.
   * (HostedCluster API, ovnKubernetesConfig)
   */
  mtu?: number;
  /**
   * Whether the control plane gives each node its range of pods; only with the network type Other. Defaults to false. It
   * can never change. (HostedCluster API, networking)
   */
  allocateNodeCidrs?: boolean;
  /**
   * Whether the cluster goes without additional networks for pods; only with the network type Other. Defaults to false. It
   * can never change. (HostedCluster API, clusterNetworkOperator)
   */
  disableMultiNetwork?: boolean;
  /** Labels of the HostedCluster object. Default none. Changing them changes it in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the HostedCluster object, by which HyperShift takes some settings. Default none. Changing them changes it in place. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Lets the HostedCluster be deleted with its component, and with it the control plane, etcd and the machines of its
   * NodePools. Defaults to false: it is protected, and kept where the protection is given up by hand. Deploy the change
   * before the destroy that shall follow it.
   */
  deletable?: boolean;
}

/** The part of a HostedCluster's spec that the component writes from typed inputs. */
export interface HostedClusterNetworkSpec {
  /** `spec.platform` without what stands in `additionalSpecJson`. */
  platform: HostedClusterPlatform;
  /** `spec.networking`. */
  networking: HostedClusterNetworking;
  /** `spec.services`. */
  services: HostedClusterService[];
  /** `spec.operatorConfiguration`; only where something is set. */
  operatorConfiguration?: HostedClusterOperators;
  /** `spec.configuration`; only with a proxy. A secret where a URL holds credentials. */
  configuration?: ProxyClusterConfiguration;
  /** `spec.additionalTrustBundle`; only where the fragment of the proxy has it. */
  additionalTrustBundle?: ConfigMapName;
}

/** `spec.platform` of a HostedCluster, as far as it is about the network. */
export interface HostedClusterPlatform {
  /** The platform: `AWS`. */
  type: string;
  /** Who can reach the published services on AWS. */
  aws?: EndpointAccessSetting;
  /** The same on Google Cloud. */
  gcp?: EndpointAccessSetting;
  /** The same on Azure; absent with Public access. */
  azure?: AzureAccessSetting;
}

/** Who can reach the published services. */
export interface EndpointAccessSetting {
  /** `Public`, `PublicAndPrivate` or `Private`. */
  endpointAccess: string;
}

/** Who can reach the published services on Azure. */
export interface AzureAccessSetting {
  /** `PublicAndPrivate` or `Private`. */
  topology: string;
}

/** `spec.networking` of a HostedCluster. */
export interface HostedClusterNetworking {
  /** The software that makes the cluster network. */
  networkType: string;
  /** Address ranges of the pods. */
  clusterNetwork: ClusterNetworkEntry[];
  /** Address ranges of the services. */
  serviceNetwork: ServiceNetworkEntry[];
  /** Address ranges of the machines. */
  machineNetwork?: MachineNetworkEntry[];
  /** How the API server is exposed. */
  apiServer?: HostedClusterApiServer;
  /** `Enabled` or `Disabled`; only where it is set. */
  allocateNodeCIDRs?: string;
}

/** `spec.networking.apiServer` of a HostedCluster. */
export interface HostedClusterApiServer {
  /** The address at which nodes reach the API server inside the cluster. */
  advertiseAddress?: string;
  /** Its port. */
  port?: number;
  /** CIDR blocks from which the API server and the public router can be reached. */
  allowedCIDRBlocks?: string[];
}

/** An entry of `spec.services` of a HostedCluster. */
export interface HostedClusterService {
  /** The service: `APIServer`. */
  service: string;
  /** How it is published. */
  servicePublishingStrategy: HostedClusterPublishing;
}

/** How a service of a HostedCluster is published. */
export interface HostedClusterPublishing {
  /** `Route`, `NodePort` or `LoadBalancer`. */
  type: string;
  /** Address and port; only with NodePort. */
  nodePort?: HostedClusterNodePort;
  /** The host name of a Route, where one is given. */
  route?: HostedClusterHostname;
  /** The host name of a load balancer, where one is given. */
  loadBalancer?: HostedClusterHostname;
}

/** Where a node port is reached. */
export interface HostedClusterNodePort {
  /** Host name or IP address. */
  address: string;
  /** The pinned port; absent: any port of the range. */
  port?: number;
}

/** The host name of a published service. */
export interface HostedClusterHostname {
  /** `api.tenant-a.example.com` */
  hostname: string;
}

/** `spec.operatorConfiguration` of a HostedCluster. */
export interface HostedClusterOperators {
  /** Settings of the Cluster Network Operator. */
  clusterNetworkOperator: HostedClusterNetworkOperator;
}

/** Settings of the Cluster Network Operator in a HostedCluster. */
export interface HostedClusterNetworkOperator {
  /** Whether pods can have no additional networks; only where it is set. */
  disableMultiNetwork?: boolean;
  /** Settings of OVN-Kubernetes; only where one is set. */
  ovnKubernetesConfig?: HostedClusterOvnSettings;
}

/** Settings of OVN-Kubernetes in a HostedCluster. */
export interface HostedClusterOvnSettings {
  /** The internal IPv4 subnets. */
  ipv4?: OvnIpv4Subnets;
  /** The internal IPv6 subnets. */
  ipv6?: OvnIpv6Subnets;
  /** The IPv4 subnet of the gateway routers. */
  v4InternalSubnet?: string;
  /** The IPv6 subnet of the gateway routers. */
  v6InternalSubnet?: string;
  /** MTU of the cluster network. */
  mtu?: number;
}

/** The internal IPv6 subnets of OVN-Kubernetes. */
export interface OvnIpv6Subnets {
  /** Join subnet as a CIDR block. Absent: the cluster keeps fd98::/64. */
  internalJoinSubnet?: string;
  /** Transit switch subnet as a CIDR block. Absent: the cluster keeps fd97::/64. */
  internalTransitSwitchSubnet?: string;
}
