import { BITS, Prefix, type Family } from "../../address";
import { joined, LARGE_NUMBERS, NUMBERS, over, presence, unionOf, type Runs, type Whole } from "./algebra";
import { onceForBoth, onceForEach } from "../../collections";
import { EVERY_SERVICE, type ServiceRange } from "./service";
import { type AddressKind, IPV4, IPV6_LINE } from "./sortRows";

/** Addresses as numbers. */
type Addresses<N extends Whole> = Runs<boolean, N>;
/** Services, with sources below them and destinations below those. */
export type FamilySet<N extends Whole> = Runs<Runs<Addresses<N>, N>>;

const services = over(presence, NUMBERS);
const OF = {
  4: over(over(over(presence, NUMBERS), NUMBERS), NUMBERS),
  6: over(over(over(presence, LARGE_NUMBERS), LARGE_NUMBERS), NUMBERS),
} as const;

/**
 * Packets by service, source and destination. Every set has only one form. Created by `packets` and the functions below;
 * immutable.
 */
export interface PacketSet {
  readonly 4: FamilySet<number>;
  readonly 6: FamilySet<bigint>;
}

/** One of the two ends of packets. */
export type End = "source" | "destination";

export const opposite = (end: End): End => (end === "source" ? "destination" : "source");

/** What all packets of a set have in common. */
export interface Box {
  /** Default: all. */
  services?: readonly ServiceRange[] | undefined;
  /** Default: all addresses. */
  sources?: readonly Prefix[] | undefined;
  /** Default: all addresses. */
  destinations?: readonly Prefix[] | undefined;
}

/** All addresses of both families: those of an unrestricted end. */
export const EVERY_ADDRESS: readonly Prefix[] = [new Prefix(4, 0n, 0), new Prefix(6, 0n, 0)];

const EVERYWHERE = {
  4: [{ from: 0, to: 2 ** BITS[4] - 1, rest: true }],
  6: [{ from: 0n, to: (1n << BigInt(BITS[6])) - 1n, rest: true }],
} as const satisfies { 4: Addresses<number>; 6: Addresses<bigint> };

/** Whether the addresses of one end are all addresses of the family. */
export function hasEveryAddress(one: Family, ends: readonly { from: Whole; to: Whole }[]): boolean {
  const [every] = EVERYWHERE[one];
  return ends === EVERYWHERE[one] || (ends[0]?.from === every.from && ends[0].to === every.to);
}

/** All packets with these services, sources and destinations. No packet has addresses of both families. */
export function packets(box: Box): PacketSet {
  const asked = serviceRuns(box.services ?? [EVERY_SERVICE]);
  return {
    4: product(asked, addresses4(box.sources), addresses4(box.destinations), between4),
    6: product(asked, addresses6(box.sources), addresses6(box.destinations), between6),
  };
}

/**
 * The packets of a box, computed on first read: of many thousands of questions, nearly all are answered from the box itself.
 */
export class PacketsOfBox implements PacketSet {
  readonly from: number;
  readonly to: number;
  #made: PacketSet | undefined;

  constructor(
    { from, to }: ServiceRange,
    readonly sources: readonly Prefix[] | undefined,
    readonly destinations: readonly Prefix[] | undefined,
  ) {
    this.from = from;
    this.to = to;
  }

  get services(): readonly ServiceRange[] {
    return [{ from: this.from, to: this.to }];
  }

  /** The addresses of one end. */
  at(end: End): readonly Prefix[] {
    return (end === "source" ? this.sources : this.destinations) ?? EVERY_ADDRESS;
  }

  /** Whether one end has addresses of a family. */
  hasFamily(end: End, family: Family): boolean {
    for (const prefix of this.at(end)) if (prefix.family === family) return true;
    return false;
  }

  get 4(): PacketSet[4] {
    return (this.#made ??= packets(this))[4];
  }

  get 6(): PacketSet[6] {
    return (this.#made ??= packets(this))[6];
  }
}

/** Packets that are expensive to compute, computed on first read. */
export class PacketsWhenAsked implements PacketSet {
  #made: PacketSet | undefined;

  constructor(private readonly make: () => PacketSet) {}

  get 4(): PacketSet[4] {
    return (this.#made ??= this.make())[4];
  }

  get 6(): PacketSet[6] {
    return (this.#made ??= this.make())[6];
  }
}

function product<N extends Whole>(
  asked: Runs<boolean>,
  sources: Addresses<N>,
  destinations: Addresses<N>,
  once: (sources: Addresses<N>, destinations: Addresses<N>) => Runs<Addresses<N>, N>,
): FamilySet<N> {
  if (sources.length === 0 || destinations.length === 0) return NOTHING;
  const between = (sources.length < LONG ? withRest : once)(sources, destinations);
  return withRest(asked, between);
}

/**
 * Lists of at least this many blocks are treated as a unit: their addresses are computed once, shared by all sets built from the
 * list, and neither compared nor taken apart.
 */
export const LONG = 32;
const between4 = onceForBoth(withRest<Addresses<number>, number>);
const between6 = onceForBoth(withRest<Addresses<bigint>, bigint>);

const NOTHING: readonly never[] = [];

/** The same numbers with `rest` below each. */
function withRest<S, N extends Whole>(runs: Runs<boolean, N>, rest: S): Runs<S, N> {
  const [only] = runs;
  return only && runs.length === 1
    ? [{ from: only.from, to: only.to, rest }]
    : runs.map(({ from, to }) => ({ from, to, rest }));
}

function serviceRuns(asked: readonly ServiceRange[]): Runs<boolean> {
  const [only] = asked;
  if (only && asked.length === 1) return only.from <= only.to ? [runOf(only.from, only.to)] : [];
  return unionOf(
    services,
    asked.filter(({ from, to }) => from <= to).map(({ from, to }) => [runOf(from, to)]),
  );
}

const runOf = <N extends Whole>(from: N, to: N) => ({ from, to, rest: true });

/** Returns a function that reads the addresses of one family in a list of blocks. It reads long lists once. */
function addressReader<N extends Whole>(
  family: Family,
  { line, first, last }: AddressKind<N>,
  every: Addresses<N>,
): (prefixes: readonly Prefix[] | undefined) => Addresses<N> {
  const runAt = (prefix: Prefix) => runOf(first(prefix), last(prefix));
  const all = (prefixes: readonly Prefix[]): Addresses<N> =>
    joined(prefixes.filter((prefix) => prefix.family === family).map(runAt), line.next);
  const allOnce = onceForEach(all);
  return (prefixes) => {
    if (!prefixes) return every;
    if (prefixes.length === 1) return prefixes[0]!.family === family ? [runAt(prefixes[0]!)] : NOTHING;
    return prefixes.length < LONG ? all(prefixes) : allOnce(prefixes);
  };
}

const addresses4 = addressReader(4, IPV4, EVERYWHERE[4]);
const addresses6 = addressReader(6, IPV6_LINE, EVERYWHERE[6]);

export const NO_PACKETS: PacketSet = { 4: [], 6: [] };
export const EVERY_PACKET: PacketSet = packets({});

export const isEmpty = (set: PacketSet): boolean => set[4].length === 0 && set[6].length === 0;

export const equal = (a: PacketSet, b: PacketSet): boolean =>
  OF[4].equal(a[4], b[4]) && OF[6].equal(a[6], b[6]);

export const union = (a: PacketSet, b: PacketSet): PacketSet =>
  a === b ? a : { 4: OF[4].union(a[4], b[4]), 6: OF[6].union(a[6], b[6]) };

export const intersection = (a: PacketSet, b: PacketSet): PacketSet =>
  a === b ? a : { 4: OF[4].intersection(a[4], b[4]), 6: OF[6].intersection(a[6], b[6]) };

/** The packets that are in `a` and not in `b`. */
export const difference = (a: PacketSet, b: PacketSet): PacketSet => ({
  4: OF[4].difference(a[4], b[4]),
  6: OF[6].difference(a[6], b[6]),
});

/** Whether all packets of `inner` are in `outer`. */
export const contains = (outer: PacketSet, inner: PacketSet): boolean =>
  OF[4].contains(outer[4], inner[4]) && OF[6].contains(outer[6], inner[6]);

export const unionAll = (sets: readonly PacketSet[]): PacketSet =>
  unionOf({ empty: NO_PACKETS, union }, sets);
