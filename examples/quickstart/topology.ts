import {
  EndpointAccess,
  type HostedClusterTopology,
  LoadBalancerTargets,
  Platform,
  PublishingType,
} from "hypershift-network";

/** One hosted cluster on AWS: its API server behind a load balancer, the other services behind the router. */
export const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  endpointAccess: EndpointAccess.PublicAndPrivate,
  services: {
    apiServer: { type: PublishingType.LoadBalancer },
    oauthServer: { type: PublishingType.Route },
    konnectivity: { type: PublishingType.Route },
    ignition: { type: PublishingType.Route },
  },
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }],
  // The company uses 100.64.0.0/16, the default join subnet of OVN-Kubernetes, so both subnets are moved.
  internalJoinSubnet: "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
  infrastructureCidrs: [{ name: "corporate", cidr: "100.64.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  workerNatCidrs: ["198.51.100.7/32"],
  externalClientCidrs: ["203.0.113.0/24"],
  dnsServerCidrs: ["10.1.0.2/32", "10.0.0.2/32"],
  registryCidrs: ["0.0.0.0/0"],
};
