// A second planner for small universes: an array with one element for each address, and loops. It uses no code from src/.
import {
  type Block,
  type CaseCluster,
  type CaseRange,
  type FleetCase,
  KINDS,
  type Kind,
  UNIVERSE,
} from "./cases";

/** The plan, in the same form for both planners. */
export interface FleetAnswer {
  /** `c1 machineNetwork 16+8` for each range, ordered by name and kind. */
  ranges: string[];
  /** Clusters without ranges. */
  unplaced: string[];
  /** For each kind that does not fit: the clusters that need it, the largest free blocks of its pools, and sufficient pool sizes. */
  shortages: {
    kind: Kind;
    wanted: string[];
    free: number[];
    /** Size of the smallest enlarged pool that suffices, if there is one in the universe. */
    widened?: number;
    beside: number;
  }[];
  /** Ranges of the ledger that share addresses with another range or with a taken network although they must not. */
  conflicts: string[];
  /** Percentage of each pool that is used. */
  used: number[];
  /** How many more clusters of each size fit: `c1 3 machineNetwork`. */
  more: string[];
}

/** The smallest power of two that is at least `count`. */
function enough(count: number): number {
  let size = 1;
  while (size < count) size *= 2;
  return size;
}

/** The number of addresses of each kind that a cluster needs. */
function needs(cluster: CaseCluster, { pools }: FleetCase): [Kind, number][] {
  const { platform, release, nodes, podsPerNode, services, zones, otherAddresses } = cluster;
  const parts = Math.max(2, enough(nodes));
  let internal = 4;
  while (parts >= internal - 3) internal *= 2;
  const sizes: Record<Kind, number> = {
    machineNetwork:
      enough(zones) * enough(Math.ceil(nodes / zones) + otherAddresses + (platform === "AWS" ? 5 : 2)),
    clusterNetwork: parts * Math.max(4, enough(podsPerNode + 3)),
    serviceNetwork: Math.max(8, enough(services + 2)),
    internalJoinSubnet: internal,
    internalTransitSwitchSubnet: internal,
  };
  return KINDS.filter((kind) => {
    if (!pools[kind]) return false;
    if (kind.startsWith("internal") && release === "4.19") return false;
    return kind !== "internalJoinSubnet" || platform !== "KubeVirt";
  }).map((kind) => [kind, sizes[kind]]);
}

/** Which addresses are taken, overall and for each kind whose ranges clusters may share. */
type Taken = Map<Kind | "all", boolean[]>;

const copyOf = (taken: Taken): Taken => new Map([...taken].map(([kind, places]) => [kind, [...places]]));

function take(taken: Taken, { at, size }: Block, by?: { kind: Kind; isReused: boolean }): void {
  for (const [kind, places] of taken)
    if (!by?.isReused || kind !== by.kind)
      for (let place = at; place < at + size; place++) places[place] = true;
}

const placesOf = (taken: Taken, kind: Kind): boolean[] => taken.get(kind) ?? taken.get("all")!;

function isFree(places: readonly boolean[], { at, size }: Block): boolean {
  for (let place = at; place < at + size; place++) if (places[place]) return false;
  return true;
}

function lowest(places: readonly boolean[], pools: readonly Block[], size: number): Block | undefined {
  for (const pool of pools)
    for (let at = pool.at; at + size <= pool.at + pool.size; at += size)
      if (isFree(places, { at, size })) return { at, size };
  return undefined;
}

function place(
  taken: Taken,
  wanted: readonly [Kind, number][],
  { reuse }: FleetCase,
  pools: FleetCase["pools"],
) {
  const made: CaseRange[] = [];
  const missing: [Kind, number][] = [];
  for (const [kind, size] of wanted) {
    const block = lowest(placesOf(taken, kind), pools[kind]!, size);
    if (!block) missing.push([kind, size]);
    else {
      const range = { kind, block, isReused: reuse.includes(kind) };
      take(taken, block, range);
      made.push(range);
    }
  }
  return { made, missing };
}

export const shownRange = (name: string, { kind, block: { at, size } }: CaseRange): string =>
  `${name} ${kind} ${at}+${size}`;

/** The number of additional clusters to try: only sizes that never run out reach it. */
const MOST = 300;

/** Plans a fleet by trying every block. */
export function byBruteForce(given: FleetCase): FleetAnswer {
  const { pools, reuse, ledger } = given;
  let taken: Taken = new Map([["all", Array<boolean>(UNIVERSE).fill(false)]]);
  for (const kind of reuse) taken.set(kind, Array<boolean>(UNIVERSE).fill(false));
  for (const block of given.taken) take(taken, block);
  const entries = new Map(ledger.map((entry) => [entry.name, entry]));
  for (const { ranges } of entries.values()) for (const range of ranges) take(taken, range.block, range);
  const clusters = [...given.clusters].sort((a, b) => (a.name < b.name ? -1 : 1));
  const placed = new Map([...entries].map(([name, { ranges }]) => [name, ranges]));
  const unplaced: { name: string; wanted: [Kind, number][]; missing: [Kind, number][] }[] = [];
  for (const cluster of clusters) {
    if (entries.has(cluster.name)) continue;
    const trial = copyOf(taken);
    const wanted = needs(cluster, given);
    const { made, missing } = place(trial, wanted, given, pools);
    if (missing.length > 0) unplaced.push({ name: cluster.name, wanted, missing });
    else {
      taken = trial;
      placed.set(cluster.name, made);
    }
  }
  const short = KINDS.filter((kind) => unplaced.some(({ missing }) => missing.some(([one]) => one === kind)));
  const sizes = new Map<string, string>();
  for (const cluster of clusters) {
    const wanted = needs(cluster, given);
    const part = pools.clusterNetwork ? Math.max(4, enough(cluster.podsPerNode + 3)) : 0;
    const key = JSON.stringify([wanted, part]);
    if (!sizes.has(key)) sizes.set(key, cluster.name);
  }
  return {
    ranges: [...placed]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, ranges]) => ranges.map((range) => shownRange(name, range))),
    unplaced: unplaced.map(({ name }) => name),
    shortages: short.map((kind) => {
      const wanted = unplaced.flatMap(({ name, missing }) =>
        missing.filter(([one]) => one === kind).map(([, size]) => ({ name, size })),
      );
      const widened = wider(kind, unplaced, taken, given);
      return {
        kind,
        wanted: wanted.map(({ name }) => name),
        free: pools[kind]!.map((pool) => largest(placesOf(taken, kind), pool))
          .filter((size) => size > 0)
          .sort((a, b) => b - a),
        ...(widened !== undefined && { widened }),
        beside: besides(wanted.map(({ size }) => size)),
      };
    }),
    conflicts: conflicting(given),
    used: KINDS.flatMap((kind) => pools[kind]?.map((pool) => usedOf(placesOf(taken, kind), pool)) ?? []),
    more: [...sizes.values()].map((name) => {
      const wanted = needs(
        clusters.find((one) => one.name === name)!,
        given,
      );
      const trial = copyOf(taken);
      for (let more = 0; more < MOST; more++) {
        const { missing } = place(trial, wanted, given, pools);
        if (missing.length > 0) return `${name} ${more} ${missing.map(([kind]) => kind).join()}`;
      }
      return `${name} without end`;
    }),
  };
}

function largest(places: readonly boolean[], pool: Block): number {
  for (let size = pool.size; size >= 1; size /= 2) if (lowest(places, [pool], size)) return size;
  return 0;
}

const usedOf = (places: readonly boolean[], { at, size }: Block): number =>
  Math.floor((places.slice(at, at + size).filter(Boolean).length * 1_000) / size) / 10;

function wider(
  kind: Kind,
  unplaced: readonly { wanted: [Kind, number][] }[],
  taken: Taken,
  given: FleetCase,
): number | undefined {
  for (let size = 2; size <= UNIVERSE; size *= 2)
    for (const pool of given.pools[kind]!) {
      if (pool.size >= size) continue;
      const wide = { at: pool.at - (pool.at % size), size };
      const pools = { ...given.pools, [kind]: given.pools[kind]!.map((one) => (one === pool ? wide : one)) };
      const trial = copyOf(taken);
      const missing = unplaced.flatMap(({ wanted }) => place(trial, wanted, given, pools).missing);
      if (missing.every(([one]) => one !== kind)) return size;
    }
  return undefined;
}

function besides(sizes: readonly number[]): number {
  for (let size = 1; ; size *= 2) {
    const places = Array<boolean>(size).fill(false);
    const fits = sizes.every((wanted) => {
      const block = lowest(places, [{ at: 0, size }], wanted);
      if (block) places.fill(true, block.at, block.at + block.size);
      return block !== undefined;
    });
    if (fits) return size;
  }
}

/** Compares every address of every two ranges. */
function conflicting({ ledger, taken }: FleetCase): string[] {
  const entries = [...new Map(ledger.map((entry) => [entry.name, entry])).values()];
  const ranges = entries.flatMap(({ name, ranges: own }) => own.map((range) => ({ name, ...range })));
  const shares = (a: Block, b: Block): boolean => {
    for (let place = 0; place < UNIVERSE; place++)
      if (place >= a.at && place < a.at + a.size && place >= b.at && place < b.at + b.size) return true;
    return false;
  };
  const may = (one: (typeof ranges)[number], other: (typeof ranges)[number]): boolean =>
    one.kind === other.kind && one.isReused && other.isReused && one.name !== other.name;
  // Of the clusters that share a range, the first by name represents all.
  const stands = (one: (typeof ranges)[number]): boolean =>
    !one.isReused ||
    !ranges.some(
      (other) =>
        other.name < one.name &&
        other.isReused &&
        other.kind === one.kind &&
        other.block.at === one.block.at &&
        other.block.size === one.block.size,
    );
  return ranges
    .filter(stands)
    .filter(
      (one) =>
        taken.some((block) => shares(one.block, block)) ||
        ranges.some((other) => other !== one && shares(one.block, other.block) && !may(one, other)),
    )
    .map((one) => shownRange(one.name, one))
    .sort();
}
