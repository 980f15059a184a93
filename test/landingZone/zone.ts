import * as pulumi from "@pulumi/pulumi";
import { EgressFirewallRuleType, EndpointAccess, Platform } from "../../src";
import { EgressRouterProtocol } from "../../src/egressRouter/egressRouter";
import { HostedClusterLandingZone } from "../../src/landingZone/hostedClusterLandingZone";
import type { HostedClusterLandingZoneArgs } from "../../src/landingZone/hostedClusterLandingZoneArgs";
import { run, type Registered } from "../components/program";

/** Landing zones for tests. */

export const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
export const privately = { ...topology, endpointAccess: EndpointAccess.Private };
export const subnets = { internalJoinSubnet: "100.99.0.0/16" };
export const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
export const proxy = {
  httpProxy: "http://proxy.example.com:3128",
  httpsProxy: "http://proxy.example.com:3128",
};
export const restOfSpec = {
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  pullSecret: { name: "pull-secret" },
  platform: { aws: { region: "us-east-1", rolesRef: {} } },
};
export const hostedCluster = { additionalSpecJson: JSON.stringify(restOfSpec) };

export const dedicatedNodes = {
  nodes: [
    { name: "host-0", zone: "a" },
    { name: "host-1", zone: "b" },
    { name: "host-2", zone: "c" },
  ],
  manageTaints: false,
};

/** The parts in the hosted cluster, with its kubeconfig. */
export const hosted = {
  hostedClusterKubeconfig: pulumi.secret("{ token: sesame }"),
  hybridOverlay: { hybridClusterNetwork: [{ cidr: "10.136.0.0/14", hostPrefix: 24 }] },
  ipsec: {},
  egressFirewalls: {
    shop: { namespace: "shop", rules: [{ type: EgressFirewallRuleType.Allow, cidr: "10.9.0.0/16" }] },
  },
  egressIps: {
    shop: {
      addresses: ["10.0.0.50"],
      namespaceSelector: { matchLabels: { team: "shop" } },
      nodes: ["node-1"],
    },
  },
  egressRouters: {
    database: {
      namespace: "shop",
      address: "10.0.0.60/24",
      gateway: "10.0.0.1",
      redirectRules: [{ port: 3306, protocol: EgressRouterProtocol.TCP, destinationIp: "192.0.2.10" }],
      acceptUnsupportedPlatform: true,
    },
  },
  multicastNamespaces: { stream: "stream" },
};

/** Every part at once, with a new HostedCluster. */
export const whole: HostedClusterLandingZoneArgs = {
  topology: { ...privately, ...subnets },
  vpcId: "vpc-1",
  networkAcls: { dedicatedSubnets: { hosts: { subnetId: "subnet-1" } } },
  proxy,
  hostedCluster,
  isolation: {},
  managementProxy: { secondaryNetworkCidrs: ["10.0.8.0/24"] },
  dedicatedNodes,
  ...hosted,
};

export const zone = (args: HostedClusterLandingZoneArgs, preview = false) =>
  run(() => new HostedClusterLandingZone("zone", args), { preview });

/** The classes of a program's components, without the zone itself. */
export const componentsOf = (resources: readonly Registered[]) =>
  resources
    .filter(({ type }) => type.startsWith("hypershift-network:"))
    .map(({ type }) => type.split(":")[2])
    .filter((type) => type !== "HostedClusterLandingZone")
    .sort();

/** The faults of inputs as lines of the message. */
export async function faultsOf(args: unknown): Promise<string[]> {
  let message = "";
  await run(() => {
    try {
      new HostedClusterLandingZone("zone", args as HostedClusterLandingZoneArgs);
    } catch (error) {
      message = (error as Error).message;
    }
  });
  return message
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
}

/** The paths of the faults, in their order. */
export const placesOf = async (args: unknown) =>
  (await faultsOf(args)).map((line) => line.split("  ")[0] ?? "");
