import { Prefix, merge, type Family } from "../../address";
import { formatAddress } from "../../address/format";
import { over, presence, unionOf, type Runs } from "./algebra";
import { EVERY_SERVICE, protocolOf, type ServiceRange } from "./service";

/** Services, below them sources, below those destinations. */
const family = over(over(over(presence)));
type FamilySet = Runs<Runs<Runs<boolean>>>;

/**
 * Packets: what they ask for, where they come from and where they go. Every set has one form alone. Made by `packets` and the
 * functions below; never changes.
 */
export interface PacketSet {
  readonly 4: FamilySet;
  readonly 6: FamilySet;
}

export const FAMILIES: readonly Family[] = [4, 6];

const both = (make: (family: Family) => FamilySet): PacketSet => ({ 4: make(4), 6: make(6) });

/** What packets have in common. */
export interface Box {
  /** Absent: everything. */
  services?: readonly ServiceRange[];
  /** Absent: every address. */
  sources?: readonly Prefix[];
  /** Absent: every address. */
  destinations?: readonly Prefix[];
}

const EVERY_ADDRESS: readonly Prefix[] = FAMILIES.map((one) => new Prefix(one, 0n, 0));

/** All packets with these services, sources and destinations. Addresses of the two families never meet in one. */
export function packets(box: Box): PacketSet {
  const services = serviceRuns(box.services ?? [EVERY_SERVICE]);
  const sources = addressRuns(box.sources ?? EVERY_ADDRESS);
  const destinations = addressRuns(box.destinations ?? EVERY_ADDRESS);
  return both((one) => {
    if (sources[one].length === 0 || destinations[one].length === 0) return [];
    const between = sources[one].map((run) => ({ ...run, rest: destinations[one] }));
    return services.map((run) => ({ ...run, rest: between }));
  });
}

function serviceRuns(services: readonly ServiceRange[]): Runs<boolean> {
  const runs = services
    .filter(({ from, to }) => from <= to)
    .map(({ from, to }) => [{ from: BigInt(from), to: BigInt(to), rest: true }]);
  return unionOf<Runs<boolean>>(over(presence), runs);
}

/** Runs of addresses of both families, from prefixes in any order. */
function addressRuns(prefixes: readonly Prefix[]): Readonly<Record<Family, Runs<boolean>>> {
  const runs: Record<Family, { from: bigint; to: bigint; rest: boolean }[]> = { 4: [], 6: [] };
  for (const { family: one, start, end } of merge(prefixes)) {
    const last = runs[one].at(-1);
    if (last && last.to + 1n === start) last.to = end;
    else runs[one].push({ from: start, to: end, rest: true });
  }
  return runs;
}

export const NO_PACKETS: PacketSet = both(() => []);
export const EVERY_PACKET: PacketSet = packets({});

export const isEmpty = (set: PacketSet): boolean => set[4].length === 0 && set[6].length === 0;

export const equal = (a: PacketSet, b: PacketSet): boolean =>
  FAMILIES.every((one) => family.equal(a[one], b[one]));

export const union = (a: PacketSet, b: PacketSet): PacketSet => both((one) => family.union(a[one], b[one]));

export const intersection = (a: PacketSet, b: PacketSet): PacketSet =>
  both((one) => family.intersection(a[one], b[one]));

/** What is in `a` and not in `b`. */
export const difference = (a: PacketSet, b: PacketSet): PacketSet =>
  both((one) => family.difference(a[one], b[one]));

export const complement = (set: PacketSet): PacketSet => difference(EVERY_PACKET, set);

/** Whether all packets of `inner` are in `outer`. */
export const contains = (outer: PacketSet, inner: PacketSet): boolean => isEmpty(difference(inner, outer));

export const unionAll = (sets: readonly PacketSet[]): PacketSet =>
  unionOf({ empty: NO_PACKETS, union }, sets);

/** One packet. */
export interface Packet {
  /** Canonical text of an address. */
  source: string;
  /** Canonical text of an address. */
  destination: string;
  /** Number of the protocol. */
  protocol: number;
  /** Port of the destination; 256 times the type and the code of ICMP; 0 for other protocols. */
  port: number;
}

/** The packet of a set that has the lowest numbers. */
export function firstOf(set: PacketSet): Packet | undefined {
  for (const one of FAMILIES) {
    const service = set[one][0];
    const source = service?.rest[0];
    const destination = source?.rest[0];
    if (!service || !source || !destination) continue;
    return {
      source: formatAddress(one, source.from),
      destination: formatAddress(one, destination.from),
      ...protocolOf(Number(service.from)),
    };
  }
  return undefined;
}
