/**
 * What a tenant of a hosted cluster on bare metal may reach, and how its requests look from outside: an egress firewall for
 * its namespace, fixed source addresses for its pods, and multicast between them.
 *
 *   pulumi up
 *   pulumi config set partner 203.0.113.32/28 && pulumi up      changes the firewall in place
 *
 * The nodes that may hold the addresses are labelled by their NodePool, on the management cluster. The rest is in the hosted
 * cluster, and is created once its kubeconfig is set:
 *
 *   oc extract -n clusters secret/tenant-a-admin-kubeconfig --keys=kubeconfig --to=- \
 *     | pulumi config set --secret hostedClusterKubeconfig
 */
import * as pulumi from "@pulumi/pulumi";
import { EgressAssignableNodes, Platform, type HostedClusterTopology } from "hypershift-network";

import { existingNodePool } from "./nodePool";
import { tenantEgress } from "./tenant";

const config = new pulumi.Config();
const kubeconfig = config.getSecret("hostedClusterKubeconfig");

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.Agent,
  release: "4.20",
  machineNetwork: [{ cidr: "198.51.100.0/24" }],
  dnsServerCidrs: ["198.51.100.53/32"],
};

const nodePool = existingNodePool(topology);
const nodes = new EgressAssignableNodes(
  "tenant-a",
  { nodePools: [{ name: "tenant-a", namespace: "clusters" }] },
  { dependsOn: nodePool },
);

const partner = config.get("partner") ?? "203.0.113.16/28";
const egress = kubeconfig && tenantEgress(topology, { kubeconfig, partner, nodes });

export const nodeLabels = nodes.nodeLabels;
export const sourceAddresses = egress?.sourceAddresses;
/** The commands that show that multicast works. */
export const multicastCommands = egress?.multicastCommands;
