import { isDeepStrictEqual } from "node:util";
import { seenWith } from "../../src/reachability/flows/groupFilter";
import { explainPacket, readPacketQuery } from "../../src/reachability/answers/explain/explainPacket";
import { contains, packets, unionAll, type PacketSet } from "../../src/reachability/packets/packetSet";
import { exampleOf } from "../../src/reachability/packets/example";
import { placeOf, serviceText } from "../../src/reachability/answers/places";
import { surroundingsOf } from "../../src/flows/surroundings";
import { everyAddress } from "../../src/flows/peers";
import { isStated, packetsOf } from "../../src/reachability/path/duty";
import { flowKey, type Hop, type FlowPeer, type RequiredFlow } from "../../src/flows/model";
import { readPrefix } from "../../src/address";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { Role } from "../../src/requirements/vocabulary";
import { hostFlows, peersOf } from "../../src/flows/hops";
import { fromLoadBalancers } from "../../src/flows/required/nodes";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { refutingPlaces, type Refuting } from "../../src/gate/refutedFlows";
import { randomOf } from "./cases";
import type { Filters } from "./filters";
import { PLAIN } from "./forms";
import { changedFilters } from "./changes";
import { asksSomething, lines, oneVerdict, unless, type Breach } from "./oneVerdict";
import { filtersAnd, proofsOf, verdictsOn, type Made, type Verdicts } from "./verdicts";
import type { Case } from "./case";

/** Returns every invariant that a case violates. */
export function breachesOf(given: Case): Breach[] {
  const made = filtersAnd(given);
  if (Array.isArray(made))
    return made.map((detail) => ({ invariant: "components make filters of every topology", detail }));
  const { filters, topology } = made;
  const verdicts = verdictsOn(given, filters, topology);
  return [
    ...ownOutput(given, filters, verdicts),
    ...oneVerdict(verdicts),
    ...explained(given, verdicts),
    ...otherForm(given, filters, topology, verdicts),
    ...changedFilters(given, filters, topology, verdicts),
  ];
}

/**
 * What components create must not be refuted, except where the user's own choices drop packets or the components report that they
 * leave something closed, and must not open anything else.
 */
function ownOutput(
  given: Case,
  { unsaid }: Filters,
  { flows, findings, topology, answer }: Verdicts,
): Breach[] {
  const left = leftOut(given, topology);
  const refuted = flows
    .filter(({ journey }) => !journey.optional)
    .flatMap((flow) =>
      refutingPlaces(flow)
        .filter((place) => !isUnsaid(place.hop, unsaid) && !isMeant(given, place, left, topology))
        .map((place) => ({ ...place, flow })),
    );
  const flowsByKey = new Map(
    [...hostFlows(topology).values(), ...fromLoadBalancers(topology)].map((flow) => [flowKey(flow), flow]),
  );
  const isClosed = (hop = "") => {
    const flow = flowsByKey.get(hop);
    return flow !== undefined && peersOf(topology, flow).some((peer) => isOneOf(peer, unsaid));
  };
  const disabled = new Set(given.disabledRules);
  const optional = new Set(flows.flatMap(({ journey }) => (journey.optional ? [journey.key] : [])));
  const found = findings.filter(
    ({ rule, hop, code = "", flow = [] }) =>
      rule !== "port-excess" &&
      !(flow.length > 0 && flow.every((key) => optional.has(key))) &&
      !(hop !== undefined && (disabled.has(hop) || isClosed(hop))) &&
      !(given.denied !== undefined && code.startsWith("acl-")) &&
      !(given.allowedCIDRBlocks && hop === ALLOW_LIST),
  );
  const isDeclared = given.form.writer === "component" || given.additionalRules === undefined;
  return [
    ...unless(refuted.length === 0, OWN, () =>
      lines(
        refuted.map(
          ({ flow, hop, guard, asked }) => `${flow.journey.key}: ${placeOf(hop)}, ${guard.name}, ${asked}`,
        ),
      ),
    ),
    ...unless(found.length === 0, "check finds no flow missing in what components make", () =>
      lines(found.map(({ hop, message }) => `${hop}: ${message}`)),
    ),
    ...unless(!isDeclared || answer.excess.length === 0, "what components make opens nothing beyond", () =>
      JSON.stringify(answer.excess),
    ),
  ];
}

const OWN = "what components make is not refuted";

/** The place of findings about clients that public load balancers block. */
const ALLOW_LIST = "load-balancer/allow-list";

/** Whether one end of the packets is not stated in the topology, and a component reports this. */
const isUnsaid = (hop: Hop, unsaid: readonly string[]): boolean =>
  [...hop.sources, ...hop.destinations].some((peer) => isOneOf(peer, unsaid)) ||
  // At VPC endpoints, and for ICMP at workers, HyperShift admits the machine network, whatever the addresses of workers are.
  (hop.kind === "hosts" && hop.role !== Role.ControlPlane && unsaid.includes("machineNetwork"));

const isOneOf = ({ prefixes, input }: FlowPeer, unsaid: readonly string[]): boolean =>
  !prefixes && unsaid.includes(input);

/** The flows that get no rules because the user disabled them. */
const leftOut = ({ disabledRules = [] }: Case, topology: NormalizedTopology): RequiredFlow[] =>
  requiredFlows(topology).filter((flow) => disabledRules.includes(flowKey(flow)));

/** Whether packets are dropped at a place because of the user's own choice. */
function isMeant(
  given: Case,
  { hop, guard, dropped }: Refuting,
  left: readonly RequiredFlow[],
  topology: NormalizedTopology,
): boolean {
  if (hop.kind === "balancer") return given.allowedCIDRBlocks !== undefined;
  if (hop.kind !== "hosts") return false;
  if (guard.standing?.kind === "networkAcl") {
    const block = given.denied === undefined ? undefined : readPrefix(given.denied);
    if (!block) return false;
    const denied: PacketSet = unionAll([packets({ sources: [block] }), packets({ destinations: [block] })]);
    return contains(denied, dropped);
  }
  const here = left.filter(({ role, direction }) => role === hop.role && direction === hop.direction);
  // For a peer that is not stated, components omit every address. They may leave it out beside peers that are stated.
  const everywhere = everyAddress(topology);
  const anybody = [...hop.sources, ...hop.destinations].filter((peer) => !isStated(peer));
  const packetsWith = (flow: RequiredFlow) =>
    [...flow.peers, ...anybody].map((peer) => packetsOf(seenWith(flow, peer, everywhere)));
  return contains(unionAll(here.flatMap(packetsWith)), dropped);
}

/** The number of flows to explain for each case: explaining all of them takes longer than everything else. */
const MOST_EXPLAINED = 6;

/** `explain` must name each flow for the packets that it needs, at the place where it needs them. */
function explained({ seed, place: number }: Case, { judged, topology, flows }: Verdicts): Breach[] {
  const random = randomOf(seed + 1, number);
  const surroundings = surroundingsOf(judged.index, topology);
  const asked = flows.flatMap(({ journey, guards }) =>
    guards
      .filter((guard) => guard.asked === "calls" && asksSomething(guard))
      .map((guard) => ({ journey, guard })),
  );
  const some = asked.filter(() => random() * asked.length < MOST_EXPLAINED);
  return some.flatMap(({ journey, guard: { hop, required } }) => {
    const { source, destination, ...service } = exampleOf(required)!;
    const [from, to] = [hop.sources.length > 0 ? source : "", hop.destinations.length > 0 ? destination : ""];
    const word = `${from} -> ${to}, ${serviceText(service)}`;
    const query = readPacketQuery(word);
    // Traffic without a single port number is queried by its protocol.
    if (!query) return [];
    const found = explainPacket(query, topology, surroundings).flows;
    const isNamed = found.some(({ key, place }) => key === journey.key && place === placeOf(hop));
    return unless(
      isNamed,
      "explain names the flow of a packet",
      () => `${journey.key}, ${placeOf(hop)}: ${word}`,
    );
  });
}

/** Compares with the same filters in the plain form: no verdict may change. */
function otherForm(given: Case, filters: Made, topology: NormalizedTopology, verdicts: Verdicts): Breach[] {
  if (isDeepStrictEqual(given.form, PLAIN)) return [];
  const plain = verdictsOn({ ...given, form: PLAIN }, filters, topology);
  const [here, there] = [proofsOf(verdicts), proofsOf(plain)];
  const isDeclared = given.form.writer === "component" && given.additionalRules !== undefined;
  const [open, openThere] = [openedBy(verdicts), openedBy(plain)];
  return [
    ...unless(isDeepStrictEqual(here, there), "the form of filters changes no verdict", () =>
      lines(here.flatMap((one, at) => (one === there[at] ? [] : [`${one}, as single rules ${there[at]}`]))),
    ),
    ...unless(isDeclared || isDeepStrictEqual(open, openThere), "the form of filters changes no excess", () =>
      lines([JSON.stringify(open), JSON.stringify(openThere)]),
    ),
  ];
}

/** The places with excess. */
const openedBy = ({ answer }: Verdicts): string[] =>
  [...new Set(answer.excess.flatMap(({ places }) => places.map(({ place }) => place)))].sort();
