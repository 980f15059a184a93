/**
 * A public hosted cluster on AWS: workers and users reach its API server and its routes over the Internet. Workers come from
 * a NAT gateway, users from the networks of a prefix list that other groups can use too.
 *
 *   pulumi up
 *   pulumi config set office 203.0.113.128/25 && pulumi up      changes the prefix list in place, and no rule
 */
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import {
  EndpointAccess,
  HostedControlPlaneSecurityGroups,
  type HostedClusterTopology,
  LoadBalancerTargets,
  Platform,
  PublishingType,
} from "hypershift-network";

const config = new pulumi.Config();

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  endpointAccess: EndpointAccess.Public,
  services: {
    apiServer: { type: PublishingType.LoadBalancer },
    oauthServer: { type: PublishingType.Route },
    konnectivity: { type: PublishingType.Route },
    ignition: { type: PublishingType.Route },
  },
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  workerNatCidrs: ["198.51.100.7/32"],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
  dnsServerCidrs: ["10.1.0.2/32", "10.0.0.2/32"],
  // Registries publish no fixed addresses.
  registryCidrs: ["0.0.0.0/0"],
};

const management = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
const workers = new aws.ec2.Vpc("workers", { cidrBlock: "10.0.0.0/16" });

const users = new aws.ec2.ManagedPrefixList("users", {
  name: "tenant-a-users",
  addressFamily: "IPv4",
  maxEntries: 5,
  entries: [
    { cidr: config.get("office") ?? "203.0.113.0/25", description: "Head office" },
    { cidr: "192.0.2.128/28", description: "Runners of the CI system" },
  ],
});

const groups = new HostedControlPlaneSecurityGroups("tenant-a", {
  topology,
  vpcId: management.id,
  workerVpcId: workers.id,
  // In the quota of AWS, a rule for a prefix list counts as many times as the list can have entries.
  peers: { externalClients: { prefixLists: { users: { id: users.id, maxEntries: 5 } } } },
});

export const controlPlaneGroup = groups.controlPlaneSecurityGroupId;
export const workerGroup = groups.workerSecurityGroupId;
export const rules = groups.rules.apply((rows) =>
  rows.map(({ role, direction, protocol, ports, peer }) =>
    [role, direction, protocol, ports, peer].join(" "),
  ),
);
