import { parseAddress } from "../../src/address/parse";
import { containsAddress, readPrefix } from "../../src/address";
import { hostsOf } from "../../src/flows/hops";
import { explainPacket, readPacketQuery } from "../../src/reachability/answers/explain/explainPacket";
import { placeOf } from "../../src/reachability/answers/places";
import { contains, isEmpty, packets } from "../../src/reachability/packets/packetSet";
import { exampleOf, type Packet } from "../../src/reachability/packets/example";
import { surroundingsOf } from "../../src/flows/surroundings";
import type { HostHop } from "../../src/flows/model";
import type { JudgedGuard } from "../../src/reachability/path/judge";
import { Proof } from "../../src/reachability/proof/prove";
import { Direction, Role } from "../../src/requirements/vocabulary";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { oneOf } from "../fuzz/random";
import { randomOf } from "./cases";
import type { GroupRule } from "./filters";
import { isJudgedByObjects, without } from "./objects";
import { oneVerdict, unless, type Breach } from "./oneVerdict";
import { proofsOf, verdictsOn, type Made, type Verdicts } from "./verdicts";
import type { Case } from "./case";

/** Removes or adds rules, and checks what the commands then report. */
export function changedFilters(
  given: Case,
  filters: Made,
  topology: NormalizedTopology,
  verdicts: Verdicts,
): Breach[] {
  const random = randomOf(given.seed + 2, given.place);
  return [
    ...withoutRules(given, filters, topology, verdicts, random),
    ...widened(given, filters, topology, verdicts, random),
    ...withoutObjects(given, filters, topology, verdicts, random),
  ];
}

/** The open flows, and one random place on their paths that `isMeant` selects. */
function onePlace(
  flows: Verdicts["flows"],
  isMeant: (place: JudgedGuard) => boolean,
  random: () => number,
): { open: Verdicts["flows"]; place?: JudgedGuard } {
  const open = flows.filter(({ proof }) => proof === Proof.Proved || proof === Proof.Assumed);
  const places = open.flatMap(({ guards }) => guards.filter(isMeant));
  return places.length === 0 ? { open } : { open, place: oneOf(places, random) };
}

/** Removes the rules that allow one packet at a place that the plan controls: every flow that needs the packet there must be refuted. */
function withoutRules(
  given: Case,
  filters: Made,
  topology: NormalizedTopology,
  { flows }: Verdicts,
  random: () => number,
): Breach[] {
  const { open, place } = onePlace(flows, isPlans, random);
  if (!place) return [];
  const { hop, required } = place;
  const { role, direction } = hop as HostHop;
  const packet = exampleOf(required)!;
  const rules = filters.rules.filter(
    (rule) => !(rule.role === role && rule.direction === direction && lets(rule, packet, topology)),
  );
  const less = verdictsOn(given, { ...filters, rules }, topology);
  const needing = open.filter(({ guards }) =>
    guards.some(
      (one) =>
        isPlans(one) &&
        (one.hop as HostHop).role === role &&
        (one.hop as HostHop).direction === direction &&
        contains(one.required, onlyOf(packet)),
    ),
  );
  const proofs = new Map(less.answer.flows.map(({ key, proof }) => [key, proof]));
  // An endpoint without rules gets no group in any form: then nothing filters there, and the flow is unknown.
  const isGuarded = role !== Role.PrivateEndpoint || rules.some((rule) => rule.role === role);
  const left = needing.filter(({ journey }) => isGuarded && proofs.get(journey.key) !== Proof.Refuted);
  const what = `${packet.source} -> ${packet.destination}, ${packet.protocol} ${packet.port} at ${direction} of ${role}`;
  return [
    ...unless(
      left.length === 0,
      "without the rules that pass its packet a flow is refuted",
      () => `${what}: ${left.map(({ journey }) => `${journey.key} ${proofs.get(journey.key)}`).join(", ")}`,
    ),
    ...after("without the rules that pass a packet, ", what, oneVerdict(less)),
  ];
}

/** Does the same with network policies and egress firewalls. */
function withoutObjects(
  given: Case,
  filters: Made,
  topology: NormalizedTopology,
  { flows }: Verdicts,
  random: () => number,
): Breach[] {
  const { open, place } = onePlace(flows, isOfObjects, random);
  if (!place || !isJudgedByObjects(place.hop)) return [];
  const { hop, required } = place;
  const packet = exampleOf(required)!;
  const less = verdictsOn(given, { ...filters, ...without(filters, hop, packet) }, topology);
  const proofs = new Map(less.answer.flows.map(({ key, proof }) => [key, proof]));
  // Pods, such as those of virtual machines, may have unknown labels, so another policy may admit the packet. The API of the
  // management cluster may be in another of its stated blocks.
  const mayPass = hop.kind === "pods" || (hop.kind === "namespace" && hop.cluster === "management");
  const isShut = (proof: Proof | undefined) =>
    proof === Proof.Refuted || (proof === Proof.Unknown && mayPass);
  const left = open.filter(
    ({ guards, journey: { key } }) =>
      !isShut(proofs.get(key)) &&
      guards.some(
        (one) =>
          isOfObjects(one) && placeOf(one.hop) === placeOf(hop) && contains(one.required, onlyOf(packet)),
      ),
  );
  const what = `${packet.source} -> ${packet.destination}, ${packet.protocol} ${packet.port} at ${placeOf(hop)}`;
  return [
    ...unless(
      left.length === 0,
      "without the objects' rules that pass its packet a flow is open no longer",
      () => `${what}: ${left.map(({ journey: { key } }) => `${key} ${proofs.get(key)}`).join(", ")}`,
    ),
    ...after("without the objects' rules that pass a packet, ", what, oneVerdict(less)),
  ];
}

/** A place of network policies or of an egress firewall that is in the plan. */
const isOfObjects = ({ hop, guard, required }: JudgedGuard): boolean =>
  isJudgedByObjects(hop) &&
  hop.portInput === undefined &&
  guard.others === undefined &&
  guard.standing !== undefined &&
  !isEmpty(required);

/** Labels breaches with the change that they occurred after. */
const after = (when: string, what: string, breaches: readonly Breach[]): Breach[] =>
  breaches.map(({ invariant, detail }) => ({
    invariant: `${when}${invariant}`,
    detail: `${what}\n${detail}`,
  }));

/** A place of security groups that the plan controls, with all addresses stated. */
const isPlans = ({ hop, guard, asked, required }: JudgedGuard): boolean =>
  hop.kind === "hosts" &&
  hop.duty === undefined &&
  asked === "calls" &&
  guard.standing?.kind === "securityGroups" &&
  hop.portInput === undefined &&
  [...hop.sources, ...hop.destinations].every(({ prefixes, assumed }) => prefixes && !assumed) &&
  !isEmpty(required);

function onlyOf({ source, destination, protocol, port }: Packet) {
  const from = protocol * 65_536 + port;
  const [sources, destinations] = [source, destination].map((text) => [readPrefix(hostBlock(text))!]);
  return packets({ services: [{ from, to: from }], sources: sources!, destinations: destinations! });
}

const hostBlock = (address: string): string => `${address}/${address.includes(":") ? 128 : 32}`;

const NUMBERS: Readonly<Record<string, number>> = { tcp: 6, udp: 17, icmp: 1, icmpv6: 58 };

/** Whether a rule allows a packet, computed without the readers of plans. */
function lets(
  { direction, traffic, peer }: GroupRule,
  packet: Packet,
  topology: NormalizedTopology,
): boolean {
  const { ipProtocol, fromPort = -1, toPort = -1 } = traffic;
  const isAny = ipProtocol === "-1";
  if (!isAny && (NUMBERS[ipProtocol] ?? Number(ipProtocol)) !== packet.protocol) return false;
  if (!isAny && fromPort >= 0 && (packet.port < fromPort || packet.port > toPort)) return false;
  const { address } = parseAddress(direction === Direction.Ingress ? packet.source : packet.destination);
  const blocks = "cidr" in peer ? [readPrefix(peer.cidr)!] : hostsOf(topology, peer.group).prefixes;
  // If the hosts of a group are not stated, any address may be one of them.
  return !blocks || blocks.some((block) => containsAddress(block, address!));
}

/** Traffic that no document, no generated topology and no user rule mentions. */
const UNASKED = [
  { ipProtocol: "tcp", fromPort: 2222, toPort: 2222 },
  { ipProtocol: "tcp", fromPort: 3389, toPort: 3389 },
  { ipProtocol: "udp", fromPort: 123, toPort: 123 },
] as const;
const STRANGERS = ["192.0.2.64/26", "0.0.0.0/0", "10.0.0.0/16"];

/** Adds a rule that no flow requires: it must be excess everywhere, no flow may need it, and nothing that was allowed may be dropped. */
function widened(
  given: Case,
  filters: Made,
  topology: NormalizedTopology,
  verdicts: Verdicts,
  random: () => number,
): Breach[] {
  // HyperShift's own group allows all egress of workers.
  const [role, direction] = oneOf(
    [
      [Role.ControlPlane, Direction.Ingress],
      [Role.ControlPlane, Direction.Egress],
      [Role.Workers, Direction.Ingress],
    ] as const,
    random,
  );
  const [traffic, cidr] = [oneOf(UNASKED, random), oneOf(STRANGERS, random)];
  const rule: GroupRule = { role, direction, traffic, peer: { cidr }, key: "widened" };
  const more = verdictsOn(given, { ...filters, rules: [...filters.rules, rule] }, topology);
  const place = `${direction} of ${role}`;
  const isFound = more.answer.excess.some(({ places }) =>
    places.some(
      (one) => one.place === place && one.packets.some((line) => line.includes(` ${traffic.fromPort}`)),
    ),
  );
  const [end, service] = [cidr.replace(/\.\d+\/\d+$/, ".70"), `${traffic.ipProtocol} ${traffic.fromPort}`];
  const word = direction === Direction.Ingress ? `${end} -> , ${service}` : ` -> ${end}, ${service}`;
  const asking = explainPacket(
    readPacketQuery(word)!,
    more.topology,
    surroundingsOf(more.judged.index, more.topology),
  ).flows.filter((flow) => flow.place === place && flow.sure);
  const [before, then] = [proofsOf(verdicts), proofsOf(more)];
  return [
    ...unless(isFound, "what no flow asks for is excess", () => `${place}: ${service} ${cidr}`),
    ...unless(
      asking.length === 0,
      "explain names no flow for what no flow asks for",
      () => `${place}: ${word}: ${asking.map(({ key }) => key).join(", ")}`,
    ),
    ...unless(
      before.every((one, at) => one === then[at]),
      "a rule more changes no verdict on a flow",
      () => before.flatMap((one, at) => (one === then[at] ? [] : [`${one}, then ${then[at]}`])).join("\n"),
    ),
    ...after("with a rule more, ", `${place}: ${service} ${cidr}`, oneVerdict(more)),
  ];
}
