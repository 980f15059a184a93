import type { Prefix } from "../../address";
import { CLIENT_EPHEMERAL, HOST_EPHEMERAL } from "../../requirements/ports";
import type { PortRange } from "../../requirements/requirement";
import { Direction, Protocol, Zone } from "../../requirements/vocabulary";
import type { UnknownValue } from "../../resources/unknownValue";
import type { FlowPeer, Role } from "../../topology/requiredFlow";
import type { Filter } from "../filters";
// Many thousands of questions come by here: a folder's index is a detour at each.
import { PacketsOfBox, equal, type PacketSet } from "../packets/packetSet";
import { servicesOf } from "../packets/service";
import { Proof, prove, type Verdict } from "../proof/prove";
import type { Hop, Journey, MissingInput, NamespaceHop, PodHop, SeenPackets, SenderHop } from "./journey";
import type { Standing } from "./standing";

/** What stands at one place, as a plan shows it. */
export interface Guard {
  /** What it is: `security groups of workers`. */
  name: string;
  /** What its rules are written in. Absent: nobody says how to repair it. */
  standing?: Standing;
  /** Filters one behind the other. */
  filters: readonly Filter[];
  /** True where answers are judged too, by filters of their own. */
  answers?: readonly Filter[];
  /** Other rules that may stand here and that the plan does not show. */
  incomplete?: UnknownValue;
  /** Values that decide whether it stands here at all: as long as nobody knows them, what it drops may pass. */
  doubtful?: readonly UnknownValue[];
}

/** What a plan puts at the places of a cluster's journeys. */
export interface Guards {
  /** What guards hosts of a role in one direction; empty where the plan shows nothing that does. */
  hosts: (role: Role, direction: Direction) => readonly Guard[];
  /** What guards pods of the hosted control plane, as they are reached and as they send. */
  pods: (hop: PodHop | SenderHop) => readonly Guard[];
  /** What guards the egress of a namespace. */
  namespaces: (hop: NamespaceHop) => readonly Guard[];
}

/** The verdict on what one guard of one place makes of packets, or of the answers to them. */
export interface JudgedGuard {
  hop: Hop;
  guard: Guard;
  asked: "calls" | "answers";
  /** All packets that have to pass. */
  required: PacketSet;
  verdict: Verdict;
  /** Properties of the topology without which nobody can say more. */
  missing: readonly MissingInput[];
}

/** What a plan makes of a journey. */
export interface JudgedJourney {
  journey: Journey;
  proof: Proof;
  guards: readonly JudgedGuard[];
  missing: readonly MissingInput[];
  /** Places that nothing in the plan guards, although something does: `workers egress`. */
  unguarded: readonly Hop[];
}

/** Whether a journey is open on its whole way: proved where every guard is, refuted where one is. */
export function judgeJourney(journey: Journey, guards: Guards): JudgedJourney {
  const places = journey.hops.map((hop) => ({ hop, standing: guardsAt(hop, guards) }));
  const judged = places.flatMap(({ hop, standing }) => standing.flatMap((guard) => judgeGuard(hop, guard)));
  const unguarded = places.filter(({ hop, standing }) => hop.kind === "hosts" && standing.length === 0);
  const missing = [...journey.missing, ...judged.flatMap((one) => one.missing)];
  const proofs = judged.map(({ verdict }) => verdict.proof);
  const isOpen = missing.length > 0 || unguarded.length > 0 || proofs.includes(Proof.Unknown);
  return {
    journey,
    proof: proofs.includes(Proof.Refuted) ? Proof.Refuted : isOpen ? Proof.Unknown : Proof.Proved,
    guards: judged,
    missing,
    unguarded: unguarded.map(({ hop }) => hop),
  };
}

function guardsAt(hop: Hop, guards: Guards): readonly Guard[] {
  switch (hop.kind) {
    case "hosts":
      return guards.hosts(hop.role, hop.direction);
    case "pods":
    case "senders":
      return guards.pods(hop);
    case "namespace":
      return guards.namespaces(hop);
    case "node":
      return [];
  }
}

function judgeGuard(hop: Hop, guard: Guard): JudgedGuard[] {
  const judge = (
    asked: JudgedGuard["asked"],
    required: PacketSet,
    filters: readonly Filter[],
  ): JudgedGuard => ({
    hop,
    guard,
    asked,
    required,
    ...judgePackets(hop, required, filters, doubtsAbout(guard)),
  });
  const calls = judge("calls", packetsOf(hop), guard.filters);
  return guard.answers ? [calls, judge("answers", answersTo(hop), guard.answers)] : [calls];
}

const doubtsAbout = ({ incomplete, doubtful = [] }: Guard): UnknownValue[] => [
  ...(incomplete ? [incomplete] : []),
  ...doubtful,
];

/**
 * The verdict on packets at one place. Where nobody says one of their ends or their port, it may be any: what drops all of
 * those drops the right ones too; what lets some pass may be right. Where rules may stand that nobody sees, or where nobody knows
 * whether these stand, what is dropped may pass after all.
 */
function judgePackets(
  hop: Hop,
  required: PacketSet,
  filters: readonly Filter[],
  doubts: readonly UnknownValue[],
): Pick<JudgedGuard, "verdict" | "missing"> {
  const verdict = prove(required, filters);
  if (verdict.proof === Proof.Proved) return { verdict, missing: [] };
  const isRefuted = verdict.proof === Proof.Refuted;
  const unsaid = unsaidOf(hop);
  const isOpen = unsaid.length > 0 && !(isRefuted && equal(verdict.dropped, required));
  const missing = isOpen ? unsaid : [];
  if (isRefuted && !isOpen && doubts.length === 0) return { verdict, missing };
  const values = isRefuted ? [] : verdict.values;
  return {
    verdict: {
      proof: Proof.Unknown,
      undecided: isRefuted ? verdict.dropped : verdict.undecided,
      values: [...values, ...doubts],
    },
    missing,
  };
}

/** What nobody says of packets at a place, or only what is assumed for want of it. */
function unsaidOf({ sources, destinations, ports, portInput }: SeenPackets): MissingInput[] {
  const ends = [...sources, ...destinations].filter(({ prefixes, assumed }) => !prefixes || assumed);
  return [
    ...ends.map(({ input, zone }) => ({
      input,
      why:
        input === ""
          ? "which address stands in the place of the client's"
          : `the addresses of the zone ${zone}`,
    })),
    ...(portInput === undefined
      ? []
      : [{ input: portInput, why: ports ? "which port of the range is taken" : "which port is taken" }]),
  ];
}

/** All packets that have to pass a place. An end that nobody says may have any address. */
export const packetsOf = ({ protocol, ports, sources, destinations }: SeenPackets): PacketSet =>
  packetsBetween(sources, destinations, protocol, ports);

function packetsBetween(
  sources: readonly FlowPeer[],
  destinations: readonly FlowPeer[],
  protocol: Protocol,
  ports: PortRange | undefined,
): PacketSet {
  const from = addressesOf(sources);
  const to = addressesOf(destinations);
  const asked = new PacketsOfBox(servicesOf(protocol, ports, 4), from, to);
  if (protocol !== Protocol.Icmp) return asked;
  // Messages of ICMP have another number in each family, everything else is the same in both.
  return { 4: asked[4], 6: new PacketsOfBox(servicesOf(protocol, ports, 6), from, to)[6] };
}

/** The addresses of an end; undefined where somebody at it does not say them. */
function addressesOf(peers: readonly FlowPeer[]): readonly Prefix[] | undefined {
  if (peers.length < 2) return peers[0]?.prefixes;
  return peers.every(({ prefixes }) => prefixes)
    ? peers.flatMap(({ prefixes }) => prefixes ?? [])
    : undefined;
}

/** The answers to packets, which filters that keep no state judge as packets of the other direction. */
export const answersTo = (hop: SeenPackets): PacketSet =>
  packetsBetween(hop.destinations, hop.sources, hop.protocol, portsOfAnswers(hop));

/** The port from which the callers called. */
function portsOfAnswers({ protocol, ports, samePortBothWays, sources }: SeenPackets): PortRange | undefined {
  const hasPorts = protocol === Protocol.Tcp || protocol === Protocol.Udp;
  if (!hasPorts || samePortBothWays) return ports;
  return sources.every(({ zone }) => HOSTS.has(zone)) ? HOST_EPHEMERAL : CLIENT_EPHEMERAL;
}

/** Callers that are hosts themselves, and call from the ports of their system. */
const HOSTS: ReadonlySet<Zone> = new Set([Zone.Workers, Zone.ControlPlane, Zone.MachineNetwork]);
