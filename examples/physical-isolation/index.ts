/**
 * Physical isolation of one hosted control plane on a management cluster on AWS: three dedicated machines, their own
 * subnets with network ACLs, and network policies in its namespace.
 *
 *   pulumi up
 *   pulumi config set reserved true && pulumi up      adds the label and the taint of control planes in general, in place
 *
 * Labels, taints and node selector stay when the stack is destroyed: without the labels, its pods would find no node.
 */
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

import {
  ControlPlaneIsolation,
  DedicatedControlPlaneNodes,
  HostedControlPlaneNetworkAcls,
  LoadBalancerTargets,
  Platform,
} from "hypershift-network";

import { machines, runningCluster } from "./runningCluster";

const config = new pulumi.Config();

const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  workerNatCidrs: ["198.51.100.7/32"],
  externalClientCidrs: ["203.0.113.0/24"],
  dnsServerCidrs: ["10.1.0.2/32"],
  registryCidrs: ["192.0.2.0/24"],
};

// If HyperShift is installed, machines, HostedCluster and namespaces already exist: leave them out.
const { cluster, controlPlane } = runningCluster(topology);

const nodes = new DedicatedControlPlaneNodes(
  "tenant-a",
  {
    topology,
    nodes: machines.map(({ name, zone }) => ({ name, zone })),
    reserveForControlPlanes: config.getBoolean("reserved") ?? false,
    manageTaints: true,
    existingHostedCluster: { name: topology.name, namespace: topology.namespace },
  },
  { dependsOn: [cluster, ...machines.map(({ node }) => node)] },
);

const management = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
const subnet = new aws.ec2.Subnet("tenant-a-hosts", { vpcId: management.id, cidrBlock: "10.1.64.0/20" });
const acls = new HostedControlPlaneNetworkAcls("tenant-a", {
  topology,
  vpcId: management.id,
  dedicatedSubnets: { hosts: { subnetId: subnet.id } },
  associatedSubnets: ["hosts"],
});

const policies = new ControlPlaneIsolation("tenant-a", { topology, namespace: controlPlane });

/** For a MachineSet that creates more such machines. */
export const machineSet = nodes.machineSetFragment;
export const taints = nodes.taints;
export const aclRules = acls.rules;
export const networkPolicies = policies.policies.apply((all) => all.map(({ name }) => name));
