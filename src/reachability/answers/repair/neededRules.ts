import { greatest } from "../../../pushAll";
import { merge, type Family, type Prefix } from "../../../address";
import type { PortRange } from "../../../requirements/requirement";
import { Direction } from "../../../requirements/vocabulary";
import { EVERY_SERVICE, blocksOf, protocolOf, type PacketSet, type ServiceRange } from "../../packets";

/** What one rule has to let pass, before it is put into the words of a kind of rule. */
export interface NeededRule {
  /** Number of the protocol; absent: every one. */
  protocol?: number;
  /** Ports, or types and codes of ICMP as 256 times the type and the code. */
  ports: PortRange;
  /** The other ends. */
  peers: readonly Prefix[];
}

/**
 * As few rules as let `missing` pass and nothing beyond `required`: one for each protocol. Required packets are all
 * combinations of a protocol's ports with the ends, so that what lies between missing ports is required too.
 */
export function neededRules(missing: PacketSet, required: PacketSet, direction: Direction): NeededRule[] {
  const lacking = blocksOf(missing);
  const side = direction === Direction.Ingress ? "sources" : "destinations";
  return distinct(blocksOf(required).flatMap(({ services }) => services)).flatMap((range) => {
    const inside = lacking.flatMap((block) => {
      const services = block.services.flatMap((one) => overlapOf(one, range));
      return services.length > 0 ? [{ services, peers: block[side] }] : [];
    });
    if (inside.length === 0) return [];
    const services = inside.flatMap((part) => part.services);
    const hull = {
      from: services.reduce((least, { from }) => Math.min(least, from), Infinity),
      to: greatest(services.map(({ to }) => to)),
    };
    return [{ ...ruleFor(hull, range), peers: merge(inside.flatMap(({ peers }) => peers)) }];
  });
}

function ruleFor(hull: ServiceRange, required: ServiceRange): Omit<NeededRule, "peers"> {
  const [first, last] = [protocolOf(hull.from), protocolOf(hull.to)];
  if (first.protocol !== last.protocol || required.to === EVERY_SERVICE.to)
    return { ports: { from: 0, to: 65_535 } };
  return { protocol: first.protocol, ports: { from: first.port, to: last.port } };
}

function overlapOf(a: ServiceRange, b: ServiceRange): ServiceRange[] {
  const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
  return from <= to ? [{ from, to }] : [];
}

const distinct = (ranges: readonly ServiceRange[]): ServiceRange[] => [
  ...new Map(ranges.map((range) => [`${range.from} ${range.to}`, range])).values(),
];

/** Blocks of one family. */
export const ofFamily = (peers: readonly Prefix[], family: Family): string[] =>
  peers.filter((prefix) => prefix.family === family).map(({ text }) => text);
