import { Prefix } from "../../address";
import { Direction } from "../../requirements/vocabulary";
import {
  PROTOCOL_NUMBER,
  TRANSPORT_NUMBER,
  EVERY_PACKET,
  EVERY_SERVICE,
  describeServices,
  difference,
  packets,
  service,
  type Packet,
  type PacketSet,
  type ServiceRange,
} from "../packets";
import { blocksOf, leftOut, type Block } from "../packets/print";

/** One packet in plain words. */
export interface PlainPacket {
  /** An address, or `any address` where it is not stated and does not matter. */
  source: string;
  destination: string;
  /** `TCP 6443`, `ICMP type 8 code 0`, `ESP`. */
  service: string;
}

const { icmp, icmpV6 } = PROTOCOL_NUMBER;
const HAS_MORE: ReadonlySet<number> = new Set([...Object.values(TRANSPORT_NUMBER), icmp, icmpV6]);

/** `TCP 6443` */
export function serviceText({ protocol, port }: Pick<Packet, "protocol" | "port">): string {
  const range = HAS_MORE.has(protocol) ? service(protocol, { from: port, to: port }) : service(protocol);
  return describeServices(range).join(", ");
}

/** `198.51.100.7 -> 10.1.0.0, TCP 31091` */
export const describePacket = ({ source, destination, service: what }: PlainPacket): string =>
  `${source} -> ${destination}, ${what}`;

const isEverything = (prefixes: readonly Prefix[]): boolean => prefixes.some(({ length }) => length === 0);

/**
 * Packets at a place, a line for each block: `TCP 443 from 10.0.0.0/16`. The side that rules there do not look at is named only
 * where it is not everything.
 */
export const packetLines = (set: PacketSet, direction: Direction): string[] =>
  blockLines(blocksOf(set), direction);

function blockLines(blocks: readonly Block[], direction: Direction): string[] {
  return blocks.map(({ services, sources, destinations }) => {
    const isIngress = direction === Direction.Ingress;
    const ends = [
      ...(isIngress || !isEverything(sources) ? [`from ${prefixesText(sources)}`] : []),
      ...(!isIngress || !isEverything(destinations) ? [`to ${prefixesText(destinations)}`] : []),
    ];
    return `${servicesText(services)} ${ends.join(" ")}`;
  });
}

/** Most of all services are named by those that are left out: `every protocol except TCP 22`. */
function servicesText(services: readonly ServiceRange[]): string {
  const rest = blocksOf(difference(EVERY_PACKET, packets({ services })))[0]?.services ?? [];
  const [named, except] = [services, rest].map((some) => some.flatMap(describeServices)) as [
    string[],
    string[],
  ];
  return except.length > 0 && except.length + 1 < named.length
    ? `${describeServices(EVERY_SERVICE).join(", ")} except ${except.join(", ")}`
    : named.join(", ");
}

/** Most of all addresses are named by those that are left out: `0.0.0.0/0 except 10.0.0.0/16`. */
function prefixesText(prefixes: readonly Prefix[]): string {
  const whole = prefixes.map(({ family }) => new Prefix(family, 0n, 0)).slice(0, 1);
  const except = leftOut(prefixes, whole);
  return except ? `${whole.join(", ")} except ${except.join(", ")}` : prefixes.join(", ");
}

/** All combinations of some services, sources and destinations, as plain data. */
export interface PlainBlock {
  /** `TCP 443`, `UDP 53` */
  services: readonly string[];
  /** CIDR blocks. */
  sources: readonly string[];
  destinations: readonly string[];
}

/** Packets for people and for programs, as the same few blocks that share none. */
export function packetsInWords(
  set: PacketSet,
  direction: Direction,
): { packets: string[]; blocks: PlainBlock[] } {
  const blocks = blocksOf(set);
  return { packets: blockLines(blocks, direction), blocks: blocks.map(plainBlock) };
}

const plainBlock = ({ services, sources, destinations }: Block): PlainBlock => ({
  services: services.flatMap(describeServices),
  sources: sources.map(({ text }) => text),
  destinations: destinations.map(({ text }) => text),
});
