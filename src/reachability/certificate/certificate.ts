import type { Origin } from "../../resources/resource";
import { blocksOf } from "../packets/print";
import type { PacketSet } from "../packets";
import type { JudgedGuard, JudgedJourney } from "../path";
import { Proof } from "../proof/prove";

/** Packets as all combinations of these. */
export interface CertifiedBlock {
  /** Pairs of first and last: the number of the protocol times 65,536 and the port, or type and code of ICMP. */
  services: readonly (readonly [number, number])[];
  /** CIDR blocks. */
  sources: readonly string[];
  destinations: readonly string[];
}

/** A rule, and the packets for which it is the one that lets them pass. */
export interface CertifiedRule {
  /** Where it is written. Absent: no rule stops these packets, and what none stops passes. */
  rule?: Origin & { path: string };
  /** Addresses that are taken for those behind the security groups and prefix lists that the rule names. */
  assumed?: readonly string[];
  packets: readonly CertifiedBlock[];
}

/** A place that lets a flow pass, and why. */
export interface CertifiedPlace {
  /** What stands there: `security groups of workers`. */
  guard: string;
  /** Whether the packets themselves or the answers to them are meant. */
  packets: JudgedGuard["asked"];
  required: readonly CertifiedBlock[];
  rules: readonly CertifiedRule[];
}

/** A proved flow with all places on its way. */
export interface CertifiedFlow {
  journey: string;
  title: string;
  places: readonly CertifiedPlace[];
  /** What no plan shows, and what the proof says nothing of. */
  outside: readonly string[];
}

/** Why every proved flow of a cluster is open, in a form that a program can check without the engine that proved it. */
export interface Certificate {
  version: 1;
  /** Namespace and name of the hosted cluster. */
  cluster: string;
  flows: readonly CertifiedFlow[];
}

/** The certificate of all journeys that are proved. One of which no packet is asked at some place says nothing of a plan. */
export function certificateOf(cluster: string, judged: readonly JudgedJourney[]): Certificate {
  const proved = judged.filter(({ proof }) => proof === Proof.Proved);
  const flows = proved.map(({ journey, guards }) => ({
    journey: journey.key,
    title: journey.title,
    places: guards.map(placeOf),
    outside: journey.outside,
  }));
  const saysSomething = ({ places }: CertifiedFlow) =>
    places.length > 0 && places.every(({ required }) => required.length > 0);
  return { version: 1, cluster, flows: flows.filter(saysSomething) };
}

function placeOf({ guard, asked, required, verdict }: JudgedGuard): CertifiedPlace {
  const cover = verdict.proof === Proof.Proved ? verdict.cover : [];
  return {
    guard: guard.name,
    packets: asked,
    required: certified(required),
    rules: cover.map(({ clause, packets }) => ({
      ...(clause && { rule: { ...clause.resource.origin, path: clause.path } }),
      ...(clause?.assumed && { assumed: clause.assumed.map(({ text }) => text) }),
      packets: certified(packets),
    })),
  };
}

const certified = (set: PacketSet): CertifiedBlock[] =>
  blocksOf(set).map(({ services, sources, destinations }) => ({
    services: services.map(({ from, to }) => [from, to] as const),
    sources: sources.map(({ text }) => text),
    destinations: destinations.map(({ text }) => text),
  }));
