import { contains, type Prefix } from "../../src/address";
import { hostFlows } from "../../src/flows/hops";
import { journeys } from "../../src/flows/journeys";
import type { HostHop, RequiredFlow } from "../../src/flows/model";
import {
  Direction,
  EndpointAccess,
  LoadBalancerTargets,
  Platform,
  PublishingType,
  Role,
} from "../../src/requirements/vocabulary";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { nodeFlows } from "../../src/flows/required/nodes";
import { proxyFlows } from "../../src/flows/required/fromRow";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { requiredFlows } from "../../src/flows/required/requiredFlows";

const STRATEGIES = [PublishingType.LoadBalancer, PublishingType.Route, PublishingType.NodePort];
const ADDRESSES = {
  name: "tenant-a",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  workerCidrs: ["10.0.0.0/17"],
  workerNatCidrs: ["198.51.100.7/32"],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerSubnetCidrs: ["10.1.200.0/24"],
  externalClientCidrs: ["203.0.113.0/24"],
  proxy: { httpsProxy: "http://10.9.0.10:3128" },
};

/** Every valid combination of services, strategies, access and load balancer targets on a platform. */
function* clusters(platform: Platform): Generator<NormalizedTopology> {
  for (const api of STRATEGIES)
    for (const oauth of STRATEGIES)
      for (const tunnel of STRATEGIES)
        for (const nodePort of [30_001, undefined])
          for (const endpointAccess of [undefined, ...Object.values(EndpointAccess)])
            for (const loadBalancerTargets of [undefined, ...Object.values(LoadBalancerTargets)]) {
              const { topology } = normalizeTopology({
                ...ADDRESSES,
                platform,
                ...(endpointAccess && { endpointAccess }),
                ...(loadBalancerTargets && { loadBalancerTargets }),
                services: {
                  apiServer: { type: api, ...(api === PublishingType.NodePort && nodePort && { nodePort }) },
                  oauthServer: { type: oauth },
                  konnectivity: { type: tunnel },
                  ignition: { type: PublishingType.Route },
                },
              });
              if (topology) yield topology;
            }
}

/** The faults of the flow that a hop names. */
function faultsOf(topology: NormalizedTopology, hop: HostHop): string[] {
  if (!hop.flow) return ["names none"];
  const flow = hostFlows(topology).get(hop.flow.key);
  if (!flow) return [`${hop.flow.key}: there is none`];
  type Told = Pick<RequiredFlow, "role" | "direction" | "protocol" | "ports" | "samePortBothWays">;
  const told = (requirement: string, { role, direction, protocol, ports, samePortBothWays }: Told) =>
    JSON.stringify([requirement, role, direction, protocol, ports, samePortBothWays]);
  const [own, its] = [told(hop.flow.requirement, hop), told(flow.requirement, flow)];
  if (own !== its) return [`${hop.flow.key}: ${own}, not ${its}`];
  const peers = hop.direction === Direction.Ingress ? hop.sources : hop.destinations;
  const open = flow.peers.flatMap(({ prefixes = [] }) => prefixes);
  const shut = peers
    .flatMap(({ prefixes = [] }) => prefixes)
    .filter((prefix: Prefix) => !open.some((block) => contains(block, prefix)));
  return shut.map(({ text }) => `${hop.flow!.key}: not open for ${text}`);
}

describe("a hop at hosts names the required flow that components create its rules from", () => {
  test.each(Object.values(Platform))(
    "on %s: with the same packets, and open to all peers of the hop",
    (platform) => {
      const faults = new Set<string>();
      let count = 0;
      for (const topology of clusters(platform)) {
        count++;
        const named = [
          ...requiredFlows(topology),
          ...nodeFlows(topology, Role.ControlPlane),
          ...nodeFlows(topology, Role.Workers),
          ...proxyFlows(topology),
        ];
        // The keys of all flows are unique.
        expect(hostFlows(topology).size).toBe(named.length);
        for (const { key, hops } of journeys(topology))
          for (const hop of hops)
            if (hop.kind === "hosts")
              for (const fault of faultsOf(topology, hop))
                faults.add(`${key}, ${hop.direction} of ${hop.role}: ${fault}`);
      }
      expect(count).toBeGreaterThan(20);
      expect([...faults]).toEqual([]);
    },
  );
});
