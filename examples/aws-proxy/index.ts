/**
 * Gives a running hosted cluster on AWS a cluster-wide proxy and other internal OVN subnets, in one patch of its
 * HostedCluster object. Both changes roll out on its nodes.
 *
 *   pulumi config set --secret proxyUrl http://me:password@proxy.example.com:3128
 *   pulumi up
 *   pulumi config set noProxy .corp.example.com && pulumi up      changes the exceptions in place
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { OvnSubnetConfig, Platform, ProxyConfig } from "hypershift-network";

import { runningCluster } from "./runningCluster";

const config = new pulumi.Config();

const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  dnsServerCidrs: ["10.0.0.2/32"],
};

// If HyperShift is installed, both already exist: leave them out, and `dependsOn` too.
const namespace = new kubernetes.core.v1.Namespace(
  "clusters",
  { metadata: { name: topology.namespace } },
  { retainOnDelete: true },
);
const cluster = runningCluster(topology, namespace);

// Without its own `existingHostedCluster`: the proxy's patch includes the subnets, because the server accepts only one
// patch of an object from Pulumi, not two.
const subnets = new OvnSubnetConfig("tenant-a", {
  topology,
  internalJoinSubnet: "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
});

const proxyUrl = config.getSecret("proxyUrl") ?? "http://proxy.example.com:3128";
const proxy = new ProxyConfig(
  "tenant-a",
  {
    topology,
    region: "us-east-1",
    httpProxy: proxyUrl,
    httpsProxy: "http://proxy.example.com:3128",
    noProxy: [config.get("noProxy") ?? ".example.com"],
    computeNodes: 3,
    existingHostedCluster: { name: topology.name, namespace: topology.namespace },
    ovnSubnets: subnets.fragment,
  },
  { dependsOn: cluster },
);

export const noProxy = proxy.noProxy;
export const ignitionStub = proxy.ignitionStub;
export const nodeApiProxy = pulumi.interpolate`${proxy.nodeApiProxy} at ${proxy.nodeApiProxyAddress}: ${proxy.nodeApiProxyReason}`;
export const throughTheProxy = proxy.controlPlaneWorkloads.apply((workloads) =>
  workloads.filter((workload) => workload.throughProxy).map(({ name, route }) => `${name}: ${route}`),
);
