/**
 * A hosted cluster on bare metal, whose hosts the Agent platform takes from an inventory. Every service is published by a
 * node port of the management cluster, and the firewall between the two networks belongs to another team: the output
 * `firewall` is the list for them.
 *
 *   pulumi up
 *   pulumi config set noProxy .lab.example.com && pulumi up      changes the proxy's exceptions in place
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  HostedClusterNetwork,
  Platform,
  PublishingType,
  type HostedClusterTopology,
} from "hypershift-network";

const config = new pulumi.Config();

/** Pinned: otherwise, the firewall has to allow the whole range of node ports. */
const at = (nodePort: number) => ({
  type: PublishingType.NodePort,
  // A load balancer in front of the management cluster's nodes.
  address: "nodes.management.example.com",
  nodePort,
});

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.Agent,
  release: "4.20",
  services: { apiServer: at(30643), oauthServer: at(30644), konnectivity: at(31091), ignition: at(31443) },
  machineNetwork: [{ cidr: "10.20.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  externalClientCidrs: ["10.200.0.0/16"],
  dnsServerCidrs: ["10.1.0.53/32", "10.20.0.53/32"],
  registryCidrs: ["198.51.100.0/24"],
  proxy: {
    httpProxy: "http://proxy.example.com:3128",
    httpsProxy: "http://proxy.example.com:3128",
    // Without the domain of the API server: nodes would reach it without the proxy.
    noProxy: config.get("noProxy") ?? ".corp.example.com",
  },
};

// Kept when the stack is destroyed: deleting a namespace deletes everything in it.
const namespace = new kubernetes.core.v1.Namespace(
  "clusters",
  { metadata: { name: topology.namespace } },
  { protect: true, retainOnDelete: true },
);

const cluster = new HostedClusterNetwork("tenant-a", {
  topology,
  namespace: namespace.metadata.name,
  additionalSpecJson: JSON.stringify({
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
    pullSecret: { name: "pull-secret" },
    dns: { baseDomain: "example.com" },
    platform: { agent: { agentNamespace: "inventory" } },
  }),
});

/** The allowed packets, with both ends. Without ports of pods, which only network policies see. */
export const firewall = cluster.requiredFlows.apply((flows) =>
  flows
    .filter(({ hostPort }) => hostPort)
    .map(({ role, direction, protocol, ports, peers, purpose }) =>
      [role, direction, protocol, ports, peers.join(","), `(${purpose})`].join(" "),
    ),
);
export const warnings = cluster.warnings;
