/**
 * A new hosted cluster on AWS: its networks, how its services are published, internal subnets, proxy, and who may reach its
 * API server. The cluster is protected, and kept when the stack is destroyed.
 *
 *   pulumi up
 *   pulumi config set office 203.0.113.128/25 && pulumi up      changes the allowed CIDR blocks in place
 *
 * The preview of a change that a running cluster cannot accept, for example of its cluster network, fails.
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  HostedClusterNetwork,
  OvnSubnetConfig,
  Platform,
  ProxyConfig,
  PublishingType,
  type HostedClusterTopology,
} from "hypershift-network";

const config = new pulumi.Config();
const office = config.get("office") ?? "203.0.113.0/24";

const topology: HostedClusterTopology = {
  name: "tenant-a",
  platform: Platform.AWS,
  release: "4.20",
  services: {
    apiServer: { type: PublishingType.Route, hostname: "api.tenant-a.example.com" },
    oauthServer: { type: PublishingType.Route, hostname: "oauth.tenant-a.example.com" },
    konnectivity: { type: PublishingType.Route, hostname: "konnectivity.tenant-a.example.com" },
    ignition: { type: PublishingType.Route, hostname: "ignition.tenant-a.example.com" },
  },
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }],
  // The source addresses of the cluster's own requests, which every list of allowed blocks must contain.
  managementClusterNatCidrs: ["198.51.100.1/32"],
  workerNatCidrs: ["198.51.100.7/32"],
  dnsServerCidrs: ["10.0.0.2/32"],
};

// Kept when the stack is destroyed: deleting a namespace deletes everything in it.
const namespace = new kubernetes.core.v1.Namespace(
  "clusters",
  { metadata: { name: "clusters" } },
  { protect: true, retainOnDelete: true },
);

const subnets = new OvnSubnetConfig("tenant-a", {
  topology,
  internalJoinSubnet: "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
});
const proxy = new ProxyConfig("tenant-a", {
  topology,
  region: "us-east-1",
  httpProxy: "http://proxy.example.com:3128",
  httpsProxy: "http://proxy.example.com:3128",
  noProxy: [".office.example.com"],
});

/** The IAM roles that HyperShift's controllers assume; `hypershift create iam aws` creates them. */
const roles = Object.fromEntries(
  [
    "controlPlaneOperator",
    "imageRegistry",
    "ingress",
    "kubeCloudController",
    "network",
    "nodePoolManagement",
    "storage",
  ].map((role) => [`${role}ARN`, `arn:aws:iam::123456789012:role/tenant-a-${role}`]),
);

const cluster = new HostedClusterNetwork("tenant-a", {
  topology,
  namespace: namespace.metadata.name,
  allowedCidrBlocks: ["198.51.100.0/24", office],
  ovnSubnets: subnets.fragment,
  proxy: proxy.fragment,
  additionalSpecJson: JSON.stringify({
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
    pullSecret: { name: "pull-secret" },
    dns: { baseDomain: "example.com" },
    platform: { aws: { region: "us-east-1", rolesRef: roles } },
  }),
});

export const hostedControlPlaneNamespace = cluster.hostedControlPlaneNamespace;
export const networking = cluster.spec.networking;
export const warnings = cluster.warnings;
