import { readBlock, type Family, type Prefix } from "../../address";
import { Direction, Protocol } from "../../requirements/vocabulary";
import { UNKNOWN, type UnknownValue } from "../../resources/resource";
import type { TrafficSpec } from "../../resources/trafficSpec";
import { type End, PacketsOfBox, isEmpty, type PacketSet } from "../packets/packetSet";
import {
  EVERY_SERVICE,
  NO_SERVICE,
  PROTOCOL_NUMBER,
  icmp,
  service,
  servicesOf,
  type ServiceRange,
} from "../packets/service";
import type { Filter } from "./filter";
import { clausesAbout, preparedOf, QuickAnswer } from "./prepared";
import type { Found } from "../../resources/read";

/** Where packets come from and go to. Default: anywhere. */
export interface Ends {
  sources?: readonly Prefix[] | undefined;
  destinations?: readonly Prefix[] | undefined;
}

/** The ends of packets if rules of a direction name these peers. */
export const endsAt = (direction: Direction, peers: readonly Prefix[]): Ends =>
  direction === Direction.Ingress ? { sources: peers } : { destinations: peers };

/** The end of packets that rules of a direction name. */
export const namedEnd = (direction: Direction): End =>
  direction === Direction.Ingress ? "source" : "destination";

/** The packets with protocol and ports of a rule between these ends. Unknown parts of the rule count as everything. */
export const packetsOfTraffic = (traffic: TrafficSpec, ends: Ends): PacketSet =>
  packetsBetween((family) => servicesOfTraffic(traffic, family), ends);

/** The packets with the services of each family between these ends. */
export function packetsBetween(
  servicesIn: (family: Family) => ServiceRange,
  { sources, destinations }: Ends,
): PacketSet {
  const [ipv4, ipv6] = [servicesIn(4), servicesIn(6)];
  if (ipv4.from === ipv6.from && ipv4.to === ipv6.to) return new PacketsOfBox(ipv4, sources, destinations);
  // ICMP has a different protocol number in each family.
  return {
    4: new PacketsOfBox(ipv4, sources, destinations)[4],
    6: new PacketsOfBox(ipv6, sources, destinations)[6],
  };
}

/** ICMP of each family: a rule for one matches no packet of the other. */
const FAMILY_OF: Readonly<Record<string, Family>> = {
  [PROTOCOL_NUMBER.icmp]: 4,
  [PROTOCOL_NUMBER.icmpV6]: 6,
};

const named: ReadonlySet<string> = new Set(Object.values(Protocol));

/** Protocol and ports of a rule as numbers. Unknown parts count as everything. */
export function servicesOfTraffic({ protocol, ports, message }: TrafficSpec, family: Family): ServiceRange {
  if (protocol === UNKNOWN) return EVERY_SERVICE;
  if ((FAMILY_OF[protocol] ?? family) !== family) return NO_SERVICE;
  if (message !== undefined && message !== UNKNOWN) return icmp(family, message.type, message.code);
  const range = ports === UNKNOWN ? undefined : ports;
  if (named.has(protocol)) return servicesOf(protocol as Protocol, range, family);
  return isNumber(protocol) ? service(Number(protocol)) : EVERY_SERVICE;
}

const isNumber = (protocol: string): boolean => /^\d{1,3}$/.test(protocol) && Number(protocol) <= 255;

/** Whether a protocol is known; an unknown one may be any protocol. */
export const isKnownProtocol = (protocol: string): boolean => named.has(protocol) || isNumber(protocol);

/** What is unknown in a rule, by its path. */
export type UnknownPart = Omit<UnknownValue, "resource">;

const KNOWN: UnknownPart[] = [];

/** Properties of a rule's traffic that are unknown or not supported here. */
export function unknownTraffic({ protocol, ports, message }: TrafficSpec): UnknownPart[] {
  if (protocol === UNKNOWN) return [{ path: "protocol" }];
  if (!isKnownProtocol(protocol)) return [{ path: "protocol", reason: "it names an unknown protocol" }];
  return ports === UNKNOWN || message === UNKNOWN ? [{ path: "fromPort" }] : KNOWN;
}

/** The quick answer for packets that must pass one filter; undefined if a quick check cannot tell. */
export function quickly(filter: Filter, required: PacketSet): QuickAnswer | undefined {
  const known = preparedOf(filter);
  const answer = known.ordered?.answer(required);
  if (answer || !known.onlyAllows) return answer;
  const { index } = known;
  if (index.surelyContains(required)) return QuickAnswer.Allows;
  if (index.surelyMisses(required)) return QuickAnswer.DropsSome;
  // No rule matches any of them.
  if (!isEmpty(required) && clausesAbout(filter, required).length === 0) return QuickAnswer.DropsSome;
  return index.surelyDoubts(required) ? QuickAnswer.Doubts : undefined;
}

/** Reads values that are CIDR blocks. Any other value counts as unknown: it is uncertain what happens to the object. */
export function blocksOf(values: readonly Found[]): { prefixes: Prefix[]; unknown: UnknownPart[] } {
  const read = values.map(({ path, value }) => ({
    path,
    value,
    prefix: typeof value === "string" ? readBlock(value) : undefined,
  }));
  return {
    prefixes: read.flatMap(({ prefix }) => prefix ?? []),
    unknown: read
      .filter(({ prefix }) => !prefix)
      .map(({ path, value }) => ({ path, ...(value !== UNKNOWN && { reason: "it is not a CIDR block" }) })),
  };
}
