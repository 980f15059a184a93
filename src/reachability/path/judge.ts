import { Duty, type OthersSource } from "../../requirements/othersFilters";
import type { Direction, Role } from "../../requirements/vocabulary";
import type { ConfiguredGroups } from "../../resources/groupRoles";
import type { UnknownValue } from "../../resources/resource";
import type { Filter } from "../filters/filter";
import { allowedBy } from "../filters/decide";
import { contains, equal, isEmpty, type PacketSet, unionAll } from "../packets/packetSet";
import { Proof, prove, refutedBy, type ProofResult } from "../proof/prove";
import { allowListGuard, doubtsAbout, type Guard, isOfGroups } from "./guards";
import {
  type FlowPeer,
  type Hop,
  type HostHop,
  type Journey,
  type MissingInput,
  namedEnds,
  type NamespaceHop,
  type PodHop,
  type SeenPackets,
  type SenderHop,
} from "../../flows/model";
import { droppedAnyway, isStated, type OthersStanding, packetsAsked, packetsOf, statedPart } from "./duty";
import { onlyOnce } from "../../collections";
import type { ResourceIndex } from "../../resources/resourceIndex";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { settledJourneys } from "../../flows/journeys";
import { surroundingsOf } from "../../flows/surroundings";

/** The guards that a plan has at the places of a cluster's journeys. */
export interface Guards {
  /** The guards of hosts of a role in one direction, toward some peers or any; empty if the plan shows none. */
  hosts: (role: Role, direction: Direction, peers?: readonly FlowPeer[]) => readonly Guard[];
  /** The guards of pods of the hosted control plane, as receivers and as senders. */
  pods: (hop: PodHop | SenderHop) => readonly Guard[];
  /** The guards of the egress of a namespace. */
  namespaces: (hop: NamespaceHop) => readonly Guard[];
  /** The filters of other owners before hosts, which add up with the plan's groups. Absent: none is known. */
  others?: (hop: HostHop) => readonly OthersStanding[];
}

/** The verdict of one guard at one place on packets, or on the answers to them. */
export interface JudgedGuard {
  /** The hop; if only the packets between stated ends are refuted, with only those ends. */
  hop: Hop;
  guard: Guard;
  asked: "calls" | "answers";
  /** All packets that must pass. */
  required: PacketSet;
  verdict: ProofResult | { proof: Proof.Assumed };
  /** Properties that the topology lacks for a definite verdict. */
  missing: readonly MissingInput[];
  /** What another owner has here that allows what the plan's own groups drop. */
  passedBy?: OthersSource;
}

/** A place that is not the plan's duty, and what is assumed to allow a flow there. */
export interface Assumption {
  hop: HostHop | PodHop;
  by: OthersSource;
}

/** The verdict of a plan on a journey. */
export interface JudgedJourney {
  journey: Journey;
  proof: Proof;
  guards: readonly JudgedGuard[];
  missing: readonly MissingInput[];
  /** Places with a filter that neither the plan nor another owner's source shows: `egress of workers`. */
  unguarded: readonly Hop[];
  /** Places that other owners are assumed to open. */
  assumptions: readonly Assumption[];
}

/**
 * Judges whether a journey is open on its whole path: refuted if one guard refutes it, proved if every guard proves it. It is
 * assumed if it is not the plan's duty to allow it, and what other owners are known to have allows it.
 */
export function judgeJourney(journey: Journey, guards: Guards): JudgedJourney {
  const { judged, assumptions, unguarded } = allOf(journey.hops.map((hop) => judgePlace(hop, guards)));
  const missing = [...journey.missing, ...judged.flatMap((one) => one.missing)];
  const proofs = judged.map(({ verdict }) => verdict.proof);
  const isOpen = missing.length > 0 || unguarded.length > 0 || proofs.includes(Proof.Unknown);
  const open = assumptions.length > 0 ? Proof.Assumed : Proof.Proved;
  return {
    journey,
    proof: proofs.includes(Proof.Refuted) ? Proof.Refuted : isOpen ? Proof.Unknown : open,
    guards: judged,
    missing,
    unguarded,
    assumptions,
  };
}

interface JudgedPlace {
  judged: readonly JudgedGuard[];
  unguarded: readonly Hop[];
  assumptions: readonly Assumption[];
}

function judgePlace(hop: Hop, guards: Guards): JudgedPlace {
  const standing = guardsAt(hop, guards);
  const judged = standing.flatMap((guard) => judgeGuard(hop, guard));
  if (hop.kind === "pods") return allOf(judged.map((one) => besidePolicies(hop, one)));
  if (hop.kind !== "hosts") return { ...NOTHING, judged };
  const others = onlyOnce(() => guards.others?.(hop) ?? []);
  const isPlans = isDutyOfPlan(hop, standing);
  // A network ACL can only close: what lets packets in is a security group, which every host has.
  if (!standing.some(isOfGroups)) {
    const passing = isPlans ? undefined : others().find(({ filter }) => passes(hop, [], filter));
    const besides = passing ? { assumptions: [{ hop, by: passing.by }] } : { unguarded: [hop] };
    return { ...NOTHING, judged, ...besides };
  }
  const besides = judged.map((one) => {
    if (!isOfGroups(one.guard) || one.verdict.proof === Proof.Proved) return onlyJudged(one);
    const passing = others().find(({ filter }) => passes(hop, one.guard.filters, filter));
    // That another owner allows what is the plan's duty too is only noted.
    if (isPlans) return onlyJudged(passing ? { ...one, passedBy: passing.by } : one);
    return besideOthers(one, hop, passing);
  });
  return allOf(besides);
}

const NOTHING: JudgedPlace = { judged: [], unguarded: [], assumptions: [] };

const allOf = (places: readonly JudgedPlace[]): JudgedPlace => ({
  judged: places.flatMap((place) => place.judged),
  unguarded: places.flatMap((place) => place.unguarded),
  assumptions: places.flatMap((place) => place.assumptions),
});

const onlyJudged = (one: JudgedGuard): JudgedPlace => ({ ...NOTHING, judged: [one] });

/** A place at which another owner's filter is assumed to allow the packets, and the plan's does not. */
const assumed = (one: JudgedGuard, hop: HostHop | PodHop, by: OthersSource): JudgedPlace => ({
  ...onlyJudged({ ...one, verdict: { proof: Proof.Assumed }, missing: [] }),
  assumptions: [{ hop, by }],
});

/** Allowing the packets is not the plan's duty: what its groups drop, other owners may allow. */
function besideOthers(one: JudgedGuard, hop: HostHop, passing: OthersStanding | undefined): JudgedPlace {
  const { verdict } = one;
  if (passing) return assumed(one, hop, passing.by);
  if (verdict.proof !== Proof.Refuted) return onlyJudged(one);
  const open = { proof: Proof.Unknown, undecided: verdict.dropped, values: [] } as const;
  return { ...onlyJudged({ ...one, verdict: open }), unguarded: [hop] };
}

/**
 * HyperShift isolates pods too, and policies add up: if the plan's policies are absent or drop packets, what HyperShift's policies
 * allow is assumed. If they are absent, the rest is unknown.
 */
function besidePolicies(hop: PodHop, one: JudgedGuard): JudgedPlace {
  const { others } = one.guard;
  const { proof } = one.verdict;
  if (!others || (proof === Proof.Proved && !others.isOnlyOne)) return onlyJudged(one);
  const judged = judgePackets(hop, one.asked, others.filters(), []);
  if (judged.verdict.proof === Proof.Proved) return assumed(one, hop, others.by);
  if (proof === Proof.Proved) return { ...onlyJudged(one), unguarded: [hop] };
  return onlyJudged(proof === Proof.Refuted ? { ...one, ...judged } : one);
}

/** Whether the plan must allow a hop. A VPC endpoint has a group of HyperShift's, and one of the plan only if the plan creates it. */
const isDutyOfPlan = ({ duty = Duty.Plan }: HostHop, standing: readonly Guard[]): boolean =>
  duty === Duty.Plan || (duty === Duty.HyperShiftUnlessPlanned && standing.some(isOfGroups));

/** Whether the plan's groups and those of another owner together allow all packets of a hop: groups add up. */
function passes(hop: HostHop, own: readonly Filter[], others: Filter): boolean {
  const required = packetsOf(hop);
  if (own.length === 0) return prove(required, [others]).proof === Proof.Proved;
  // Each filter is prepared once for all callers.
  const open = [...own, others].map((filter) => allowedBy([filter], required).sure);
  return contains(unionAll(open), required);
}

function guardsAt(hop: Hop, guards: Guards): readonly Guard[] {
  switch (hop.kind) {
    case "hosts":
      return guards.hosts(hop.role, hop.direction, namedEnds(hop.direction, hop));
    case "pods":
    case "senders":
      return guards.pods(hop);
    case "namespace":
      return guards.namespaces(hop);
    case "balancer":
      return [allowListGuard(hop)];
    case "node":
      return [];
  }
}

function judgeGuard(hop: Hop, guard: Guard): JudgedGuard[] {
  const judge = (asked: JudgedGuard["asked"], filters: readonly Filter[]): JudgedGuard => ({
    guard,
    asked,
    ...(droppedBefore(hop, asked, guard) ?? judgePackets(hop, asked, filters, doubtsAbout(guard))),
  });
  const calls = judge("calls", guard.filters);
  return guard.answers ? [calls, judge("answers", guard.answers)] : [calls];
}

/** The verdict of the filters that decide before anything doubtful, if they drop packets. */
function droppedBefore(hop: Hop, asked: JudgedGuard["asked"], { foremost, doubtful = [] }: Guard) {
  if (!foremost || doubtful.length === 0) return undefined;
  const before = judgePackets(hop, asked, foremost, []);
  return before.verdict.proof === Proof.Refuted ? before : undefined;
}

type JudgedPackets = Pick<JudgedGuard, "hop" | "required" | "missing"> & { verdict: ProofResult };

/**
 * The verdict on packets at one place. If an end or the port is not stated, it may be any: a filter that drops all packets between
 * the stated values drops the right ones too; a filter that allows some may allow the right ones. If there may be rules that are
 * not shown, or it is unknown whether the shown ones apply, dropped packets may pass after all.
 */
function judgePackets(
  hop: Hop,
  asked: JudgedGuard["asked"],
  filters: readonly Filter[],
  doubts: readonly UnknownValue[],
): JudgedPackets {
  const required = packetsAsked(hop, asked);
  const verdict = prove(required, filters);
  if (verdict.proof === Proof.Proved) return { hop, required, verdict, missing: [] };
  const unsaid = unsaidOf(hop);
  const isRefuted = verdict.proof === Proof.Refuted;
  const isAll = isRefuted && (unsaid.length === 0 || equal(verdict.dropped, required));
  const missing = isAll ? [] : unsaid;
  if (isRefuted && doubts.length === 0) {
    if (isAll) return { hop, required, verdict, missing };
    const part = statedPart(hop);
    const dropped = droppedAnyway(part, asked, verdict.dropped);
    if (!isEmpty(dropped))
      return {
        hop: part,
        required: packetsAsked(part, asked),
        verdict: refutedBy(filters, dropped),
        missing: [],
      };
  }
  return { hop, required, verdict: new Doubted(verdict, doubts), missing };
}

/** The verdict on packets whose fate depends on more than the rules that are shown. Computed on demand: most verdicts are only counted. */
class Doubted {
  readonly proof = Proof.Unknown;

  constructor(
    private readonly shown: Exclude<ProofResult, { proof: Proof.Proved }>,
    private readonly doubts: readonly UnknownValue[],
  ) {}

  get undecided(): PacketSet {
    return this.shown.proof === Proof.Refuted ? this.shown.dropped : this.shown.undecided;
  }

  get values(): readonly UnknownValue[] {
    return this.shown.proof === Proof.Refuted ? this.doubts : [...this.shown.values, ...this.doubts];
  }
}

/** What is not stated about packets at a place, or is only assumed because it is not stated. */
function unsaidOf({ sources, destinations, ports, portInput }: SeenPackets): MissingInput[] {
  const ends = [...sources, ...destinations].filter((peer) => !isStated(peer));
  return [
    ...ends.map(({ input, zone }) => ({
      input,
      why:
        input === "" ? "the address that replaces the client's address" : `the addresses of the zone ${zone}`,
    })),
    ...(portInput === undefined
      ? []
      : [{ input: portInput, why: ports ? "which port of the range is used" : "which port is used" }]),
  ];
}

/** Every documented flow of a hosted cluster, judged by the plan's guards. */
export const judgedJourneys = (
  index: ResourceIndex,
  topology: NormalizedTopology,
  guards: Guards,
  configured?: readonly ConfiguredGroups[],
): JudgedJourney[] =>
  settledJourneys(topology, surroundingsOf(index, topology, configured)).map((journey) =>
    judgeJourney(journey, guards),
  );
