import { Duty } from "../requirements/othersFilters";
import { Outside } from "../requirements/outsideModel";
import { Direction, Phase, Protocol, Role } from "../requirements/vocabulary";
import { isNamespaceUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { byNodes, hopOf, senderHops } from "./hops";
import { flowKey, type Hop, type HostHop, type Journey, type MissingInput, type RequiredFlow } from "./model";
import { workers } from "./peers";
import { nodeFlows } from "./required/nodes";
import { proxyFlows } from "./required/fromRow";
import { requiredFlows } from "./required/requiredFlows";
import { isTunnel, nodeApiJourney, podJourneys, tunnelJourneys } from "./tunnels";
import { isDeepStrictEqual } from "node:util";
import { readings } from "../topology/readings";
import { NO_SURROUNDINGS, type Surroundings } from "./surroundings";
import { onceForBoth } from "../collections";
import { namespaceJourneys } from "./namespaceJourneys";
import { serviceJourneys } from "./serviceJourneys";

/** Calls of hosts to the outside, and flows among nodes: flows with one place on their path that a plan shows. */
function otherJourneys(topology: NormalizedTopology): Journey[] {
  const outward = requiredFlows(topology).filter(
    ({ direction, role, protocol, key }) =>
      direction === Direction.Egress &&
      (role === Role.ControlPlane || OUTWARD.has(key)) &&
      protocol !== Protocol.Any,
  );
  const among = [Role.ControlPlane, Role.Workers] as const;
  const nodes = among
    .flatMap((role) => nodeFlows(topology, role))
    .filter((flow) => !flow.optIn && !isTunnel(flow));
  return [...outward, ...nodes].map((flow) => journeyOf(topology, flow));
}

/** Flows of workers that do not lead to a published service. */
const OUTWARD: ReadonlySet<string> = new Set(["https", "dns-tcp", "dns-udp"]);

function journeyOf(topology: NormalizedTopology, flow: RequiredFlow): Journey {
  const { direction, peers, phase, purpose } = flow;
  const hop = hopOf(topology, flow);
  return {
    key: flowKey(flow).replaceAll("/", "-"),
    title: purpose,
    from: (direction === Direction.Egress ? hop.sources : peers)[0]!.zone,
    phase,
    hops: [...senderHops(flow), flow.key.startsWith("nodes-") ? byNodes(topology, hop) : withDuty(flow, hop)],
    missing: [],
    outside: outsideOf(flow),
  };
}

/** The controller of load balancers allows what they send to node ports. */
const withDuty = ({ key }: RequiredFlow, hop: HostHop): HostHop =>
  key.startsWith("load-balancer-") ? { ...hop, duty: Duty.Others } : hop;

function outsideOf({ direction, role, key }: RequiredFlow): Outside[] {
  if (direction === Direction.Egress && !key.startsWith("nodes-"))
    return [Outside.OtherEnd, Outside.DnsAnswers, ...(key.startsWith("dns-") ? [Outside.VpcServices] : [])];
  return role === Role.ControlPlane && key.startsWith("load-balancer-")
    ? [Outside.LoadBalancerListeners, Outside.ControllerGroups]
    : [];
}

/** Workers reach the proxies, through which they then pull images and call other services outside. */
const proxyJourneys = (topology: NormalizedTopology): Journey[] =>
  proxyFlows(topology).map((flow) => ({
    key: `workers-${flow.key}`,
    title: flow.purpose,
    from: workers(topology).zone,
    phase: Phase.Always,
    hops: [byNodes(topology, hopOf(topology, flow))],
    missing: [],
    outside: [Outside.HttpProxy, Outside.DnsAnswers],
  }));

/** The journeys under one set of supposed values, by key. */
interface Supposed {
  supposed: readonly string[];
  byKey: ReadonlyMap<string, Journey>;
}

/**
 * Every documented flow of a hosted cluster, with the hops that are on its path whatever the topology values are that a plan does
 * not know yet. If such a value decides on the path, or on whether there is one, it is listed as missing.
 */
export const settledJourneys = onceForBoth((topology: NormalizedTopology, surroundings: Surroundings) => {
  const all = everyReading(topology, surroundings);
  const [first] = all;
  const keys = new Set(all.flatMap(({ byKey }) => [...byKey.keys()]));
  const isHidden = isNamespaceUnknown(topology);
  return [...keys].map((key): Journey => {
    const own = first!.byKey.get(key);
    const found = own ?? all.map(({ byKey }) => byKey.get(key)).find((one) => one !== undefined)!;
    const settled = all.length > 1 ? settle({ ...found, ...(!own && { hops: [] }) }, all) : found;
    return isHidden ? withoutPods(settled) : settled;
  });
});

/** Every possible journey, with all hops that may be on its path, including those that depend on unknown values. */
export function possibleJourneys(topology: NormalizedTopology, surroundings = NO_SURROUNDINGS): Journey[] {
  const all = new Map<string, Journey>();
  for (const { byKey } of everyReading(topology, surroundings))
    for (const [key, journey] of byKey) {
      const { hops = [] } = all.get(key) ?? {};
      const more = journey.hops.filter((hop) => !hops.some((other) => isDeepStrictEqual(other, hop)));
      all.set(key, { ...journey, hops: [...hops, ...more] });
    }
  return [...all.values()];
}

const everyReading = (topology: NormalizedTopology, surroundings: Surroundings): Supposed[] =>
  readings(topology).map(({ supposed, topology: one }) => ({
    supposed,
    byKey: new Map(journeys(one, surroundings).map((journey) => [journey.key, journey])),
  }));

function settle(journey: Journey, all: readonly Supposed[]): Journey {
  const { key } = journey;
  const others = all.map(({ byKey, supposed }) => ({ supposed, hops: byKey.get(key)?.hops }));
  const differing = others.filter(({ hops }) => !isDeepStrictEqual(hops, others[0]?.hops));
  const isSure = (hop: Hop) =>
    differing.every(({ hops = [] }) => hops.some((other) => isDeepStrictEqual(other, hop)));
  const single = new Set(differing.flatMap(({ supposed }) => (supposed.length === 1 ? supposed : [])));
  // Two values decide together if neither decides by itself.
  const together = differing
    .filter(({ supposed }) => !supposed.some((property) => single.has(property)))
    .flatMap(({ supposed }) => supposed);
  const inputs = new Set([...single, ...together, ...journey.missing.map(({ input }) => input)]);
  const missing = [...inputs].flatMap((input): MissingInput[] => {
    const named = journey.missing.filter((one) => one.input === input);
    return named.length > 0 ? named : [{ input, why: "which path these packets take, if any" }];
  });
  return { ...journey, hops: journey.hops.filter(isSure), missing };
}

/** A journey without the places whose network policies are in a namespace that has no known name yet. */
function withoutPods(journey: Journey): Journey {
  const hops = journey.hops.filter(({ kind }) => kind !== "pods" && kind !== "senders");
  if (hops.length === journey.hops.length) return journey;
  const hidden = { input: "namespace", why: "the namespace of the control plane's pods" };
  return { ...journey, hops, missing: [...journey.missing, hidden] };
}

/**
 * Every documented flow of a hosted cluster on its whole path. `surroundings` is what the plan states in addition to the topology:
 * by default no namespace has an egress firewall, and nodes encrypt nothing. Both are immutable, so journeys are computed once.
 */
export const journeys = (topology: NormalizedTopology, surroundings = NO_SURROUNDINGS): readonly Journey[] =>
  made(topology, surroundings);

const made = onceForBoth((topology: NormalizedTopology, surroundings: Surroundings): readonly Journey[] => {
  const published = serviceJourneys(topology, surroundings);
  return [
    ...published,
    nodeApiJourney(topology, published),
    ...tunnelJourneys(topology, surroundings, published),
    ...otherJourneys(topology),
    ...proxyJourneys(topology),
    ...podJourneys(topology, surroundings),
    ...namespaceJourneys(topology, surroundings, published),
  ];
});
