import { greatest } from "../../../pushAll";
import { merge, type Family, type Prefix } from "../../../address";
import type { PortRange } from "../../../requirements/requirement";
import { Direction } from "../../../requirements/vocabulary";
import { EVERY_SERVICE, PROTOCOL_NUMBER, protocolOf, type PacketSet, type ServiceRange } from "../../packets";
import { blocksOf } from "../../packets/print";

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

/** Protocol and ports of a rule in the words of AWS. */
export interface AwsTraffic {
  protocol: string;
  fromPort: number;
  toPort: number;
}

const { tcp, udp, icmp, icmpV6 } = PROTOCOL_NUMBER;
const NAME: Readonly<Record<number, string>> = {
  [tcp]: "tcp",
  [udp]: "udp",
  [icmp]: "icmp",
  [icmpV6]: "icmpv6",
};

export const isIcmp = (protocol: number | undefined): boolean => protocol === icmp || protocol === icmpV6;

/** AWS takes every port of a protocol without ports as 0 to 0, and every message of ICMP as -1. */
export function awsTraffic({ protocol, ports }: NeededRule): AwsTraffic {
  if (protocol === undefined) return { protocol: "-1", fromPort: 0, toPort: 0 };
  const name = NAME[protocol] ?? String(protocol);
  if (protocol === tcp || protocol === udp) return { protocol: name, fromPort: ports.from, toPort: ports.to };
  const none = isIcmp(protocol) ? -1 : 0;
  return { protocol: name, fromPort: none, toPort: none };
}

/** ICMP of a family has no packets of the other one. */
export const endsOf = ({ protocol, peers }: NeededRule): readonly Prefix[] =>
  isIcmp(protocol) ? peers.filter(({ family }) => family === (protocol === icmp ? 4 : 6)) : peers;
