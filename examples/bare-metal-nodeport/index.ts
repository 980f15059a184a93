/**
 * A hosted cluster on bare metal, whose hosts the Agent platform takes from an inventory. Every service is published at a
 * node port of the management cluster, and the firewall between the two networks belongs to another team: the output
 * `firewall` is the list for them.
 *
 *   pulumi up
 *   pulumi config set noProxy .corp.example.com && pulumi up      changes the proxy's exceptions in place
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

/** Pinned: otherwise the firewall has to let the whole range of node ports pass. */
const at = (nodePort: number) => ({
  type: PublishingType.NodePort,
  // A load balancer before the nodes of the management cluster.
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
    noProxy: config.get("noProxy") ?? ".example.com",
  },
};

// Kept whatever happens to the stack: who deletes a namespace deletes what it holds.
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

/** Who may send what to whom. Ports of pods are left out: only network policies see them. */
export const firewall = cluster.requiredFlows.apply((flows) =>
  flows
    .filter(({ hostPort }) => hostPort)
    .map(({ role, direction, protocol, ports, peers, purpose }) =>
      [role, direction, protocol, ports, peers.join(","), `(${purpose})`].join(" "),
    ),
);
export const warnings = cluster.warnings;
