import { contains, type Family, FreeSpace, overlap, Prefix, readPrefix } from "../address";
import { append, least } from "../collections";
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
  const inPool = takers
    .filter(({ prefix }) => pools.some((pool) => overlap(pool, prefix)))
    .map((taker) => ({
      ...taker,
      prefix: pools.find((pool) => contains(taker.prefix, pool)) ?? taker.prefix,
    }))
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
  const candidates = occupancy.pools(kind, family).flatMap((pool) => {
    const space = privateSpaces.map((text) => readPrefix(text)!).find((one) => contains(one, pool));
    const widest = space?.length ?? 0;
    for (let length = pool.length - 1; length >= widest; length--) {
      const to = new Prefix(family, pool.start, length);
      if (isRoom(kind, family, [pool, to], unplaced, occupancy)) return [{ pool, to }];
    }
    return [];
  });
  return candidates.sort((a, b) => b.to.length - a.to.length)[0];
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
