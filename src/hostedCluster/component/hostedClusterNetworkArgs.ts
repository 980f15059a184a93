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
 * A HostedCluster that is created, with its whole network. It is protected, and kept when its component is deleted. A change of
 * a field that a running cluster cannot change is refused before anything is done; nothing ever replaces the object.
 */
export interface HostedClusterNetworkArgs extends HostedClusterSettings {
  /**
   * The hosted cluster: name, platform, networks, how each service is published, internal subnets, proxy. Plain values.
   * Services published by NodePort need an `address`. Name, namespace, platform, services, networks, network type, advertise
   * address, and the IPv6 and newer internal subnets can never change; `endpointAccess`, `internalJoinSubnet`,
   * `internalTransitSwitchSubnet` and `proxy` change in place. (HostedCluster API; Networking for hosted control planes)
   */
  topology: HostedClusterTopology;
  /**
   * The `fragment` of an OvnSubnetConfig without `existingHostedCluster`. Defaults to the subnets of the topology. A subnet that both state
   * must be the same. Changing it rolls out ovnkube-node. (Configuring internal OVN IPv4 subnets for hosted clusters)
   */
  ovnSubnets?: pulumi.Input<OvnSubnetFragment>;
  /**
   * The `fragment` of a ProxyConfig without `existingHostedCluster`, with its trust bundle. Defaults to the proxy of the topology. A
   * setting that both state must be the same. Changing it rolls the nodes. (Proxy support for hosted control planes)
   */
  proxy?: pulumi.Input<ProxyFragment>;
}

/** The settings of a HostedCluster other than its topology, subnets and proxy. */
export interface HostedClusterSettings {
  /**
   * The rest of the spec as the text of a JSON object, merged into the spec from the other inputs. It holds `release.image` and
   * `pullSecret.name`, which are required, the settings of the platform, `dns`, `etcd`, `sshKey` and so on. Create it with
   * pulumi.jsonStringify. It must not contain what another input sets. Changing it changes the HostedCluster in place, except
   * for fields that can never change. A single Output in it makes all of it unknown in previews; `additionalSpec` is judged to
   * the extent that it is known. Give one of the two. (HostedCluster API, spec)
   */
  additionalSpecJson?: pulumi.Input<string>;
  /**
   * The same as an object, in place of `additionalSpecJson`: `{ release: { image: ... }, pullSecret: { name: ... } }`. Single
   * values in it may be Outputs; the other values are judged before these are known. (HostedCluster API, spec)
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- fields of any type; the analyzer of schemas takes no unknown
  additionalSpec?: Record<string, pulumi.Input<any>>;
  /**
   * Namespace of the HostedCluster. Defaults to the topology's, which is `clusters`. If the same program creates the Namespace
   * resource, give its name here. The control plane runs in `<namespace>-<name>`. It can never change.
   */
  namespace?: pulumi.Input<string>;
  /**
   * CIDR blocks from which the API server and the public router can be reached, at most 500;
   * `networking.apiServer.allowedCIDRBlocks` of the HostedCluster. Needs `topology.managementClusterNatCidrs` and, with Public
   * access, the addresses of the workers: a list without them is refused. Defaults to all addresses. Has no effect on node
   * ports. Changing it changes the load balancers in place. (HostedCluster API, networking.apiServer)
   */
  allowedCidrBlocks?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Accepts `allowedCidrBlocks` even if the topology does not state the source addresses of the management cluster or the
   * workers, so that it is unknown whether the list blocks them. Defaults to false. Addresses that are stated must still be in
   * the list. Changing it changes nothing by itself.
   */
  acceptUnknownSources?: boolean;
  /**
   * MTU of the cluster network in bytes, 576-9216, with IPv6 at least 1280: 100 less than the MTU of the machines' network.
   * Defaults to what the Cluster Network Operator detects. It can never change. HyperShift has it since March 2026.
   * (HostedCluster API, ovnKubernetesConfig)
   */
  mtu?: number;
  /**
   * Whether the control plane assigns each node its range of pod addresses; only with the network type Other. Defaults to
   * false. It can never change. (HostedCluster API, networking)
   */
  allocateNodeCidrs?: boolean;
  /**
   * Whether additional networks for pods are disabled; only with the network type Other. Defaults to false. It can never
   * change. (HostedCluster API, clusterNetworkOperator)
   */
  disableMultiNetwork?: boolean;
  /** Labels of the HostedCluster object. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the HostedCluster object, from which HyperShift reads some settings. Defaults to none. Changes are made in place. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Allows deleting the HostedCluster with its component, and with it the control plane, etcd and the machines of its NodePools. Defaults
   * to false: it is protected, and kept even if you remove the protection by hand. Deploy a change of this setting before you destroy the component.
   */
  deletable?: boolean;
}

/** The part of a HostedCluster's spec that the component writes from typed inputs. */
export interface HostedClusterNetworkSpec {
  /** `spec.platform` without the fields from `additionalSpecJson`. */
  platform: HostedClusterPlatform;
  /** `spec.networking`. */
  networking: HostedClusterNetworking;
  /** `spec.services`. */
  services: HostedClusterService[];
  /** `spec.operatorConfiguration`; only if something in it is set. */
  operatorConfiguration?: HostedClusterOperators;
  /** `spec.configuration`; only with a proxy. A secret if a URL holds credentials. */
  configuration?: ProxyClusterConfiguration;
  /** `spec.additionalTrustBundle`; only if the proxy fragment has it. */
  additionalTrustBundle?: ConfigMapName;
}

/** The network settings in `spec.platform` of a HostedCluster. */
export interface HostedClusterPlatform {
  /** The platform: `AWS`. */
  type: string;
  /** Who can reach the published services on AWS. */
  aws?: EndpointAccessSetting;
  /** Who can reach the published services on Google Cloud. */
  gcp?: EndpointAccessSetting;
  /** Who can reach the published services on Azure; absent with Public access. */
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
  /** The network plugin, such as `OVNKubernetes`. */
  networkType: string;
  /** Address ranges of the pods. */
  clusterNetwork: ClusterNetworkEntry[];
  /** Address ranges of the services. */
  serviceNetwork: ServiceNetworkEntry[];
  /** Address ranges of the machines. */
  machineNetwork?: MachineNetworkEntry[];
  /** How the API server is exposed. */
  apiServer?: HostedClusterApiServer;
  /** `Enabled` or `Disabled`; only if it is set. */
  allocateNodeCIDRs?: string;
}

/** `spec.networking.apiServer` of a HostedCluster. */
export interface HostedClusterApiServer {
  /** The address at which nodes reach the API server inside the cluster. */
  advertiseAddress?: string;
  /** The port of the API server at that address. */
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
  /** The host name of a Route, if one is given. */
  route?: HostedClusterHostname;
  /** The host name of a load balancer, if one is given. */
  loadBalancer?: HostedClusterHostname;
}

/** The address and port at which a node port is reached. */
export interface HostedClusterNodePort {
  /** Host name or IP address. */
  address: string;
  /** The fixed port. Absent: any port of the range. */
  port?: number;
}

/** The host name of a published service. */
export interface HostedClusterHostname {
  /** The host name: `api.tenant-a.example.com`. */
  hostname: string;
}

/** `spec.operatorConfiguration` of a HostedCluster. */
export interface HostedClusterOperators {
  /** Settings of the Cluster Network Operator. */
  clusterNetworkOperator: HostedClusterNetworkOperator;
}

/** Settings of the Cluster Network Operator in a HostedCluster. */
export interface HostedClusterNetworkOperator {
  /** Whether additional networks for pods are disabled; only if it is set. */
  disableMultiNetwork?: boolean;
  /** Settings of OVN-Kubernetes; only if one is set. */
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
