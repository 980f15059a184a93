import { merge } from "../../../address";
import { Direction } from "../../../requirements/vocabulary";
import {
  FAMILIES,
  blocksOf,
  difference,
  intersection,
  isEmpty,
  packets,
  servicesOf,
  type PacketSet,
  type ServiceRange,
} from "../../packets";
import type { ComparedPlace } from "./comparedPlaces";

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
