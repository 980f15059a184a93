/**
 * Many hosted clusters on AWS, one stack each, with address ranges from the pools of fleet.yaml. This program creates one
 * cluster: it reads the cluster's file in the ledger, which `hypershift-network plan --fleet fleet.yaml --write` filled and which is
 * committed. A preview allocates nothing. deploy.ts deploys every stack from one machine; stacks.yaml describes them as objects of
 * the Pulumi Kubernetes Operator.
 *
 *   pulumi config set cluster tenant-b                           in the stack of that cluster; default: tenant-a
 *   pulumi config set ipamPool ipam-pool-0a1b2c3d4e5f60718       records the block of the machines in AWS VPC IPAM
 *   pulumi up
 *   pulumi config set office 203.0.113.128/25 && pulumi up       changes the prefix list in place, and no rule
 */
import { join } from "node:path";

import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import {
  EndpointAccess,
  HostedClusterAddressPlan,
  HostedControlPlaneSecurityGroups,
  type HostedClusterTopology,
  LoadBalancerTargets,
  Platform,
} from "hypershift-network";

const config = new pulumi.Config();
const cluster = config.get("cluster") ?? "tenant-a";
const ipamPool = config.get("ipamPool");

const plan = new HostedClusterAddressPlan(cluster, {
  ledger: join(__dirname, "ledger"),
  cluster,
  ...(ipamPool !== undefined && { ipamPools: { machineNetwork: ipamPool } }),
});

const topology: HostedClusterTopology = {
  name: cluster,
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  endpointAccess: EndpointAccess.Public,
  ...plan.ranges,
  workerNatCidrs: ["198.51.100.7/32"],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
  dnsServerCidrs: ["10.1.0.2/32"],
  // Registries publish no fixed addresses.
  registryCidrs: ["0.0.0.0/0"],
};

const management = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
const machines = new aws.ec2.Vpc("machines", { cidrBlock: plan.ranges.machineNetwork![0]!.cidr });

const users = new aws.ec2.ManagedPrefixList("users", {
  name: `${cluster}-users`,
  addressFamily: "IPv4",
  maxEntries: 5,
  entries: [{ cidr: config.get("office") ?? "203.0.113.0/25", description: "Head office" }],
});

const groups = new HostedControlPlaneSecurityGroups(cluster, {
  topology,
  vpcId: management.id,
  workerVpcId: machines.id,
  // In the quota of AWS, a rule for a prefix list counts as many times as the list can have entries.
  peers: { externalClients: { prefixLists: { users: { id: users.id, maxEntries: 5 } } } },
});

export const machineNetwork = plan.machineNetwork;
export const controlPlaneGroup = groups.controlPlaneSecurityGroupId;
export const workerGroup = groups.workerSecurityGroupId;
