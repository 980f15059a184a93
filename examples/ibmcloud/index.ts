/**
 * A running hosted cluster on IBM Cloud: its internal subnets as a patch of its HostedCluster object, and the rules that the
 * security groups of hosts and workers need. This program does not create those groups: the output has the properties of
 * rules of a VPC. On IBM Cloud, the API server listens at 2040, and the ignition server has no ignition proxy in front of it.
 *
 *   pulumi up
 *   pulumi config set joinSubnet 100.98.0.0/16 && pulumi up      changes the subnet in place and rolls out ovnkube-node
 */
import * as pulumi from "@pulumi/pulumi";
import {
  Direction,
  HostedClusterLandingZone,
  Platform,
  type HostedClusterTopology,
  type RequiredFlowRow,
} from "hypershift-network";

import { runningCluster } from "./runningCluster";

const config = new pulumi.Config();

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.IBMCloud,
  release: "4.20",
  machineNetwork: [{ cidr: "10.240.0.0/18" }],
  internalJoinSubnet: config.get("joinSubnet") ?? "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
  externalClientCidrs: ["203.0.113.0/24"],
  // The DNS resolvers of every VPC on IBM Cloud.
  dnsServerCidrs: ["161.26.0.10/32", "161.26.0.11/32"],
  registryCidrs: ["0.0.0.0/0"],
};

const cluster = runningCluster(topology);

const zone = new HostedClusterLandingZone("tenant-a", {
  topology,
  existingHostedCluster: { name: cluster.metadata.name, namespace: cluster.metadata.namespace },
});

/** A flow as rules of a security group, one for each peer. */
function rulesFor({ role, direction, protocol, ports, peers }: RequiredFlowRow) {
  const [first, last = first] = ports.split("-").map(Number);
  return peers.map((remote) => ({
    group: `tenant-a-${role}`,
    direction: direction === Direction.Ingress ? "inbound" : "outbound",
    protocol: protocol.toLowerCase(),
    ...(ports !== "all" && { portMin: first, portMax: last }),
    remote,
  }));
}

export const securityGroupRules = zone.requiredFlows.apply((flows) =>
  flows.filter(({ hostPort }) => hostPort).flatMap(rulesFor),
);
/** The document of each rule. */
export const reasons = zone.requiredFlows.apply((flows) =>
  flows
    .filter(({ hostPort }) => hostPort)
    .map(({ key, purpose, documents }) => ({ key, purpose, documents })),
);
