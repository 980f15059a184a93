import { endpointAccessModes } from "../../src/requirements/platforms";
import {
  LoadBalancerTargets,
  NetworkType,
  Platform,
  PublishingType,
} from "../../src/requirements/vocabulary";
import type { HostedClusterTopology, PublishedService } from "../../src/topology/hostedClusterTopology";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { oneOf } from "../fuzz/random";

/** Random numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** True in `often` of ten cases. */
export const inTen = (often: number, random: Random): boolean => random() * 10 < often;

/** Properties with CIDR blocks, each with alternatives: one network, its halves, some hosts. */
const BLOCKS: Readonly<Partial<Record<keyof HostedClusterTopology, readonly (readonly string[])[]>>> = {
  loadBalancerSubnetCidrs: [["10.1.32.0/24"], ["10.1.32.0/24", "10.1.33.0/24"], ["10.3.0.0/24"]],
  workerNatCidrs: [["198.51.100.7/32"], ["198.51.100.8/30"], ["10.0.0.0/16"]],
  workerCidrs: [["10.0.0.0/17"], ["10.0.0.0/18", "10.0.128.0/18"], ["10.0.4.7/32", "10.0.4.8/32"]],
  externalClientCidrs: [["203.0.113.0/24"], ["203.0.113.0/25", "10.2.0.0/16"], ["203.0.113.9/32"]],
  managementClusterCidrs: [["10.1.0.0/16"], ["10.1.0.0/17", "10.1.128.0/17"], ["10.1.0.0/20"]],
  managementClusterNatCidrs: [["198.51.100.20/32"]],
  controlPlaneEndpointCidrs: [["198.51.100.32/28"], ["10.1.32.0/24"], ["0.0.0.0/0"]],
  dnsServerCidrs: [["10.1.0.2/32"], ["10.0.0.2/32", "10.1.0.2/32"]],
  registryCidrs: [["198.51.100.64/26"], ["0.0.0.0/0"], ["198.51.100.64/26", "198.51.100.128/25"]],
};

/** Blocks that dual-stack clusters may have in addition. */
const IPV6_BLOCKS: Readonly<Partial<Record<string, string>>> = {
  workerCidrs: "fd00:10::/65",
  controlPlaneEndpointCidrs: "2001:db8:5::/64",
  dnsServerCidrs: "fd00:10::53/128",
  registryCidrs: "2001:db8:9::/48",
  managementClusterCidrs: "fd00:11::/64",
  externalClientCidrs: "2001:db8:7::/48",
  loadBalancerSubnetCidrs: "fd00:11::/64",
};

const MACHINES = [["10.0.0.0/16"], ["10.0.0.0/17", "10.0.128.0/17"], ["10.0.0.0/16", "10.5.0.0/20"]];
const IPV6 = {
  machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00:10::/64" }],
  clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }, { cidr: "fd01::/48" }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
};
/** Proxies by address and by name, at their own port and at that of HTTP, outside of the clusters and at ports and in networks of theirs. */
const PROXIES: readonly NonNullable<HostedClusterTopology["proxy"]>[] = [
  { httpProxy: "http://10.4.0.9:3128", httpsProxy: "http://10.4.0.9:3128" },
  { httpProxy: "http://proxy.example.com:3128", httpsProxy: "https://proxy.example.com:3129" },
  { httpsProxy: "http://[fd00:4::9]:8080" },
  { httpProxy: "http://10.4.0.9", noProxy: "10.0.0.0/8,.example.com" },
  { httpProxy: "http://10.0.3.9:443", httpsProxy: "http://10.1.0.9:6443" },
];
/** An address of a node, one of a load balancer before the nodes, and a name. */
const ADDRESSES = ["10.1.0.10", "10.9.0.5", "nodes.example.com"];
const NODE_PORTS = { apiServer: 31443, oauthServer: 31444, konnectivity: 31091, ignition: 31445 };

/** A topology without faults. Any of its properties may be missing. */
export function randomTopology(random: Random): HostedClusterTopology {
  const platform = oneOf(Object.values(Platform), random);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const topology = drawn(platform, random);
    if (normalizeTopology(topology).topology) return topology;
  }
  return { name: "tenant-a", platform, machineNetwork: [{ cidr: "10.0.0.0/16" }] };
}

/** A topology that its platform rejects is drawn again. */
const MOST_TRIES = 30;

function drawn(platform: Platform, random: Random): HostedClusterTopology {
  const often = (times: number) => inTen(times, random);
  const modes = endpointAccessModes(platform);
  const machines = oneOf(MACHINES, random).map((cidr) => ({ cidr }));
  const { machineNetwork, ...pods } = IPV6;
  const isDual = often(2);
  // Some topologies state every property: only these can be proved.
  const isWhole = often(5);
  const blocks = Object.entries(BLOCKS).flatMap(([property, ways]) => {
    // Workers of a dual-stack cluster often have addresses of both families: those of the machine network.
    if (!(isWhole || often(7)) || (isDual && property === "workerCidrs" && often(5))) return [];
    const ipv6 = isDual && often(6) ? IPV6_BLOCKS[property] : undefined;
    return [[property, [...oneOf(ways, random), ...(ipv6 ? [ipv6] : [])]] as const];
  });
  return {
    name: "tenant-a",
    platform,
    ...(often(7) && { release: oneOf(["4.14", "4.18", "4.20"], random) }),
    ...(modes.length > 0 && often(7) && { endpointAccess: oneOf(modes, random) }),
    ...(often(7) && { services: drawnServices(random) }),
    ...((isWhole || often(9)) && {
      machineNetwork: isDual ? machineNetwork : machines,
    }),
    ...(isDual && pods),
    ...((isWhole || often(8)) && { loadBalancerTargets: oneOf(Object.values(LoadBalancerTargets), random) }),
    ...Object.fromEntries(blocks),
    ...(often(2) && { proxy: oneOf(PROXIES, random) }),
    ...(often(2) && { bootstrap: false }),
    ...(often(2) && { defaultWorkerRules: true }),
    ...(often(3) && { apiServerPort: oneOf([7443, 443, 8443], random) }),
    ...(often(3) && { networkType: oneOf(Object.values(NetworkType), random) }),
    ...(often(2) && { infrastructureCidrs: [{ name: "peer", cidr: "10.7.0.0/16" }] }),
    ...(often(2) && { advertiseAddress: "172.20.0.9" }),
  };
}

function drawnServices(random: Random): NonNullable<HostedClusterTopology["services"]> {
  const services = Object.entries(NODE_PORTS).flatMap(([name, nodePort]) => {
    if (inTen(2, random)) return [];
    const type = oneOf(Object.values(PublishingType), random);
    const service: PublishedService = {
      type,
      ...(type === PublishingType.NodePort && inTen(6, random) && { nodePort }),
      ...(type === PublishingType.NodePort && inTen(4, random) && { address: oneOf(ADDRESSES, random) }),
      ...(type === PublishingType.Route && { hostname: `${name.toLowerCase()}.example.com` }),
    };
    return [[name, service] as const];
  });
  return Object.fromEntries(services);
}
