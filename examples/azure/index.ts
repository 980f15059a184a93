/**
 * A running hosted cluster on Azure: proxy and internal subnets as one patch of its HostedCluster object, and the rules that
 * the network security groups of hosts and workers need. This program does not create those groups: the output has the
 * properties that Azure's own resources need. The API server is reached at 7443, the port of its load balancer.
 *
 *   pulumi up
 *   pulumi config set noProxy .corp.example.com && pulumi up      changes the exceptions in place
 */
import * as pulumi from "@pulumi/pulumi";
import {
  AzureCloud,
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
  platform: Platform.Azure,
  release: "4.20",
  machineNetwork: [{ cidr: "10.10.0.0/16" }],
  internalJoinSubnet: "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
  managementClusterCidrs: ["10.224.0.0/12"],
  loadBalancerSubnetCidrs: ["10.224.0.0/16"],
  workerNatCidrs: ["198.51.100.7/32"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
  externalClientCidrs: ["203.0.113.0/24"],
  // The DNS resolver of every virtual network on Azure.
  dnsServerCidrs: ["168.63.129.16/32"],
  registryCidrs: ["0.0.0.0/0"],
};

const cluster = runningCluster(topology);

const zone = new HostedClusterLandingZone("tenant-a", {
  topology,
  existingHostedCluster: { name: cluster.metadata.name, namespace: cluster.metadata.namespace },
  proxy: {
    httpProxy: "http://proxy.example.com:3128",
    httpsProxy: "http://proxy.example.com:3128",
    noProxy: [config.get("noProxy") ?? ".example.com"],
    azureCloud: AzureCloud.AzurePublicCloud,
  },
});

/** A flow as a rule of a network security group. The group's owner sets the priority, which orders the rules. */
const rule = ({ key, direction, protocol, ports, peers, purpose }: RequiredFlowRow) => ({
  name: key.replaceAll("/", "-"),
  access: "Allow",
  direction: direction === Direction.Ingress ? "Inbound" : "Outbound",
  protocol,
  destinationPortRange: ports === "all" ? "*" : ports,
  [direction === Direction.Ingress ? "sourceAddressPrefixes" : "destinationAddressPrefixes"]: peers,
  description: purpose,
});

export const networkSecurityGroupRules = zone.requiredFlows.apply((flows) =>
  flows.filter(({ hostPort, peers }) => hostPort && peers.length > 0).map(rule),
);
export const noProxy = zone.noProxy;
export const leftOut = zone.leftOut;
