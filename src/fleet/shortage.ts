import { BITS, contains, type Family, FreeSpace, meeting, Prefix, readPrefix } from "../address";
import { append, least, onceIn } from "../collections";
import { privateSpaces } from "../requirements/implicitRanges";
import type { NamedNetwork } from "../topology/normalizedTopology";
import type { ChosenKind } from "../topology/reservedRanges";
import type { Occupancy, Demand } from "./occupancy";

/** A cluster for which some range does not fit. */
export interface Unplaced {
  key: string;
  demands: readonly Demand[];
  /** The demands that do not fit. */
  missing: readonly Demand[];
}

/** Why ranges of a kind do not fit into their pool, and what would be enough. */
export interface Shortage {
  kind: ChosenKind;
  family: Family;
  pools: readonly Prefix[];
  /** The clusters, and the length of the block that each needs. */
  wanted: readonly { key: string; length: number }[];
  /** What takes most of the pool. */
  takers: readonly { name: string; cidr: string }[];
  /** How many others take some of it. */
  moreTakers: number;
  /** The largest free blocks: none is as large as needed. */
  free: readonly string[];
  /** The smallest block around one of the pools in which all would fit, and the pool. Undefined: no such block is enough. */
  widened?: { pool: Prefix; to: Prefix };
  /** The length of the smallest additional, empty pool that would be enough. */
  beside: number;
}

/** The most entries that a proof names. */
const NAMED = 5;

/** The proof for each kind of range that did not fit. */
export function shortagesOf(
  unplaced: readonly Unplaced[],
  occupancy: Occupancy,
  takers: readonly NamedNetwork[],
): Shortage[] {
  const byKind = new Map<string, { key: string; demand: Demand }[]>();
  for (const { key, missing } of unplaced)
    for (const demand of missing) append(byKind, `${demand.kind} ${demand.family}`, [{ key, demand }]);
  return [...byKind.values()].map((wanted) => shortageOf(wanted, unplaced, occupancy, takers));
}

function shortageOf(
  wanted: readonly { key: string; demand: Demand }[],
  unplaced: readonly Unplaced[],
  occupancy: Occupancy,
  takers: readonly NamedNetwork[],
): Shortage {
  const { kind, family } = wanted[0]!.demand;
  const pools = occupancy.pools(kind, family);
  const poolsAt = meeting(pools.map((prefix, position) => ({ prefix, position })));
  const inPool = takers
    .flatMap((taker) => {
      const met = poolsAt(taker.prefix);
      if (met.length === 0) return [];
      const taken = met.filter((pool) => contains(taker.prefix, pool.prefix));
      const first = taken.length > 0 ? pools[least(taken.map(({ position }) => position))] : undefined;
      return [{ ...taker, prefix: first ?? taker.prefix }];
    })
    .sort((a, b) => a.prefix.length - b.prefix.length);
  const widened = widenedPool(kind, family, unplaced, occupancy);
  return {
    kind,
    family,
    pools,
    wanted: wanted.map(({ key, demand }) => ({ key, length: demand.length })),
    takers: inPool.slice(0, NAMED).map(({ name, prefix }) => ({ name, cidr: prefix.text })),
    moreTakers: Math.max(0, inPool.length - NAMED),
    free: freeBlocks(occupancy, kind, family),
    ...(widened && { widened }),
    beside: poolBeside(
      wanted.map(({ demand }) => demand.length),
      family,
    ),
  };
}

/** The widest free block of each pool, the widest first. */
const freeBlocks = (occupancy: Occupancy, kind: ChosenKind, family: Family): string[] => {
  const space = occupancy.space(kind, family);
  return occupancy
    .pools(kind, family)
    .flatMap((pool) => {
      const widest = space.widest(pool);
      return widest === undefined ? [] : (space.first(pool, widest) ?? []);
    })
    .sort((a, b) => a.length - b.length)
    .slice(0, NAMED)
    .map(({ text }) => text);
};

/** The smallest block around a pool that has room for all, within the private space that contains the pool. */
function widenedPool(
  kind: ChosenKind,
  family: Family,
  unplaced: readonly Unplaced[],
  occupancy: Occupancy,
): Shortage["widened"] {
  const spaces = privateSpaces.map((text) => readPrefix(text)!);
  const pools = occupancy
    .pools(kind, family)
    .map((pool) => ({ pool, widest: spaces.find((one) => contains(one, pool))?.length ?? 0 }));
  const mayHold = mayHoldAll(kind, family, unplaced, occupancy);
  for (let length = BITS[family] - 1; length >= 0; length--)
    for (const { pool, widest } of pools) {
      if (length < widest || length >= pool.length) continue;
      const to = new Prefix(family, pool.start, length);
      if (mayHold(to) && isRoom(kind, family, [pool, to], unplaced, occupancy)) return { pool, to };
    }
  return undefined;
}

/** Whether the pools and one more block have enough free blocks of each length. If so, placing the ranges tells whether all fit. */
function mayHoldAll(
  kind: ChosenKind,
  family: Family,
  unplaced: readonly Unplaced[],
  occupancy: Occupancy,
): (more: Prefix) => boolean {
  const lengths = unplaced.flatMap(({ demands }) =>
    demands.flatMap((demand) => (demand.kind === kind && demand.family === family ? [demand.length] : [])),
  );
  // All clusters may have the same range.
  const apart = occupancy.fleet.reuse.has(kind) ? [least(lengths)] : lengths;
  const space = occupancy.space(kind, family);
  const lacking = [...new Set(apart)]
    .sort((a, b) => a - b)
    .map((length) => {
      const needed = apart.reduce((sum, one) => sum + (one > length ? 0n : 1n << BigInt(length - one)), 0n);
      const free = occupancy.pools(kind, family).reduce((sum, pool) => sum + space.count(pool, length), 0n);
      return { length, lacking: needed - free };
    });
  const counted = new Map<string, bigint>();
  return (more) =>
    lacking.every(
      ({ length, lacking: count }) =>
        count <= onceIn(counted, `${more.text} ${length}`, () => space.count(more, length)),
    );
}

/** Whether every range of the kind fits if the block `to` replaces a pool. */
function isRoom(
  kind: ChosenKind,
  family: Family,
  [pool, to]: readonly [pool: Prefix, to: Prefix],
  unplaced: readonly Unplaced[],
  occupancy: Occupancy,
): boolean {
  const { pools } = occupancy.fleet;
  const wider = { ...pools, [kind]: pools[kind]!.map((one) => (one === pool ? to : one)) };
  return occupancy.tried(() =>
    unplaced.every(({ demands }) =>
      occupancy
        .place(demands, wider)
        .missing.every((demand) => demand.kind !== kind || demand.family !== family),
    ),
  );
}

/** The length of the smallest empty block in which blocks of these lengths fit, placed in turn at the lowest addresses. */
function poolBeside(lengths: readonly number[], family: Family): number {
  let length = least(lengths);
  while (length > 0 && !fitsEmpty(new Prefix(family, 0n, length), lengths)) length--;
  return length;
}

function fitsEmpty(pool: Prefix, lengths: readonly number[]): boolean {
  const space = new FreeSpace(pool.family);
  return lengths.every((length) => {
    const block = space.first(pool, length);
    if (block) space.take(block);
    return block !== undefined;
  });
}
