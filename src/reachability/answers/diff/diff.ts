import { Direction } from "../../../requirements/vocabulary";
import type { Proof } from "../../proof/prove";
import type { UnknownAnswer } from "../answer";
import type { PlainBlock } from "../packetText";
import { merge } from "../../../address";
import {
  FAMILIES,
  difference,
  intersection,
  isEmpty,
  packets,
  servicesOf,
  type PacketSet,
  type ServiceRange,
} from "../../packets";
import { blocksOf } from "../../packets/print";
import type { ComparedPlace } from "./comparedPlaces";

/** What a change of a plan opens and closes around one hosted cluster, as plain data. */
export interface PlanDiff {
  version: 1;
  /** Namespace and name of the hosted cluster, as the new plan has it. */
  cluster: string;
  /** Documented flows of which the new plan makes something else. */
  flows: readonly FlowChange[];
  /** What opens and closes: first for new principals, then for those who could reach the service before, then what closes. */
  changes: readonly PacketChange[];
  /** Values on which it hangs whether more opens or closes. */
  unknown: readonly UnknownAnswer[];
  /** Places that one of the plans shows nothing of: what was or will be open there, it does not say. */
  oneSided: readonly { place: string; missingIn: "old" | "new" }[];
}

/** A documented flow whose verdict is another one. */
export interface FlowChange {
  key: string;
  title: string;
  /** Absent: the old topology does not have the flow. */
  before?: Proof;
  /** Absent: the new topology does not have it. */
  after?: Proof;
}

/** What becomes of packets. */
export enum ChangeKind {
  /** They may pass now, and those who send them (of egress: who gets them) could reach nothing of the service before. */
  NewPrincipal = "new-principal",
  /** They may pass now, and the same principals could reach something of the service before. */
  Widened = "widened",
  /** They passed and may be dropped now. */
  Closed = "closed",
}

/** Packets that pass at one place in only one plan. */
export interface PacketChange {
  kind: ChangeKind;
  /** `ingress of control-plane`, `pods kube-apiserver`, `egress of namespace web`. */
  place: string;
  direction: Direction;
  /** Documented services that listen there at these ports: `Konnectivity`. Empty: none does. */
  services: readonly string[];
  /** The packets in smallest form, for people. */
  packets: readonly string[];
  /** The packets in smallest form, for programs. */
  blocks: readonly PlainBlock[];
}

/** Packets for one service at a place. */
export interface OfService {
  /** Names. Empty: no documented one listens there. */
  services: readonly string[];
  /** Everything that asks for it. */
  asked: PacketSet;
  packets: PacketSet;
}

/** Packets of a place by the documented services that they ask for; the rest by neighbouring ports. */
export function byService(set: PacketSet, flows: ComparedPlace["flows"]): OfService[] {
  const parts: OfService[] = [];
  let rest = set;
  for (const { services, asked } of documentedAt(flows)) {
    const here = intersection(rest, asked);
    if (!isEmpty(here)) parts.push({ services, asked, packets: here });
    rest = difference(rest, asked);
  }
  const others = neighbouring(blocksOf(rest).flatMap(({ services }) => services)).map((range) => {
    const asked = packets({ services: [range] });
    return { services: [], asked, packets: intersection(rest, asked) };
  });
  return [...parts, ...others];
}

function documentedAt(flows: ComparedPlace["flows"]): { services: readonly string[]; asked: PacketSet }[] {
  const documented = new Map<string, { services: Set<string>; asked: PacketSet }>();
  for (const {
    journey: { service },
    hop,
  } of flows) {
    const { protocol, ports } = hop;
    const key = `${protocol} ${ports?.from}-${ports?.to}`;
    const asked = packets({ services: FAMILIES.map((family) => servicesOf(protocol, ports, family)) });
    const entry = documented.get(key) ?? { services: new Set<string>(), asked };
    if (service !== undefined) entry.services.add(service);
    documented.set(key, entry);
  }
  return [...documented.values()].map(({ services, asked }) => ({ services: [...services], asked }));
}

/** Ranges that touch or overlap, as one. */
function neighbouring(ranges: readonly ServiceRange[]): ServiceRange[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Opened packets: those of principals that could reach nothing of the service before, and the others. */
export function splitByPrincipals(
  { asked, packets: opened }: OfService,
  before: PacketSet,
  direction: Direction,
): { fresh: PacketSet; widened: PacketSet } {
  const side = direction === Direction.Ingress ? "sources" : "destinations";
  const reached = blocksOf(intersection(before, asked)).flatMap((block) => block[side]);
  const known = packets({ [side]: merge(reached) });
  return { fresh: difference(opened, known), widened: intersection(opened, known) };
}
