/**
 * Physical isolation on AWS: the control plane of one hosted cluster has its own hosts and subnets, and so do its workers.
 * In addition to the security groups of the hosts, network ACLs filter the packets that enter or leave those subnets, and the
 * answers. They are stateless and apply to everything in a subnet, so only subnets that you declare as dedicated get one.
 *
 *   pulumi up
 *   pulumi config set team platform && pulumi up      changes the tags of ACLs, groups and rules in place
 */
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import {
  Direction,
  HostedControlPlaneNetworkAcls,
  HostedControlPlaneSecurityGroups,
  LoadBalancerTargets,
  Platform,
  Protocol,
  Role,
  type HostedClusterTopology,
} from "hypershift-network";

const config = new pulumi.Config();
const tags = { team: config.get("team") ?? "network" };

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  workerNatCidrs: ["192.0.2.7/32"],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.128/28"],
  externalClientCidrs: ["203.0.113.0/24"],
  dnsServerCidrs: ["10.1.0.2/32", "10.0.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

const management = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16", tags });
const workers = new aws.ec2.Vpc("workers", { cidrBlock: "10.0.0.0/16", tags });
const subnet = (name: string, vpc: aws.ec2.Vpc, cidrBlock: string) =>
  new aws.ec2.Subnet(name, { vpcId: vpc.id, cidrBlock, tags }).id;

const groups = new HostedControlPlaneSecurityGroups("tenant-a", {
  topology,
  vpcId: management.id,
  workerVpcId: workers.id,
  tags,
});

const acls = new HostedControlPlaneNetworkAcls("tenant-a", {
  topology,
  vpcId: management.id,
  workerVpcId: workers.id,
  dedicatedSubnets: {
    "hosts-a": { subnetId: subnet("hosts-a", management, "10.1.32.0/20") },
    "hosts-b": { subnetId: subnet("hosts-b", management, "10.1.48.0/20") },
    workers: { subnetId: subnet("workers", workers, "10.0.128.0/20"), role: Role.Workers },
  },
  // If you remove a key, its subnet returns to the VPC's default ACL.
  associatedSubnets: ["hosts-a", "hosts-b", "workers"],
  additionalRules: {
    applications: {
      role: Role.Workers,
      direction: Direction.Ingress,
      protocol: Protocol.Tcp,
      fromPort: 443,
      cidr: "203.0.113.0/24",
      description: "Offices use the applications on the workers",
    },
  },
  tags,
});

export const controlPlaneGroup = groups.controlPlaneSecurityGroupId;
export const controlPlaneAcl = acls.controlPlaneNetworkAclId;
export const workerAcl = acls.workerNetworkAclId;
export const aclRules = acls.rules.apply((rows) =>
  rows.map(({ role, direction, ruleNumber, protocol, ports, peer }) =>
    [role, direction, ruleNumber, protocol, ports, peer].join(" "),
  ),
);
