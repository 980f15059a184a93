import { addressCount, BITS, type Prefix } from "../address";
import { onceForEach, onceIn } from "../collections";
import { hasRoomForNodes, maximumNodes, scarcestRoom } from "../topology/normalize/ovnSubnets";
import type { NodeSplitNetwork } from "../topology/normalizedTopology";
import type { NamedNetwork } from "../topology/normalizedTopology";
import { conflictsAmong, type FleetConflict, type IsDeployed } from "./judge";
import { byKey, keyOfCluster } from "./document";
import { type LedgerEntry, type LedgerRange, LedgerOrigin } from "./ledger";
import { type Fleet, type FleetCluster, isInternal } from "./fleet";
import { type ChosenKind, chosenKinds } from "../topology/reservedRanges";
import { Occupancy, type Demand, demandsOf } from "./occupancy";
import { type Shortage, shortagesOf, type Unplaced } from "./shortage";
import { differing, type Reserved, ReservedRanges } from "./deployed";

/** The inputs of a plan of a fleet. */
export interface FleetInputs {
  fleet: Fleet;
  /** The entries of the ledger. */
  ledger: readonly LedgerEntry[];
  /** Existing hosted clusters, with their ranges. */
  existing?: readonly LedgerEntry[];
  /** Networks that belong to no hosted cluster. */
  around?: readonly NamedNetwork[];
}

/** Whether a cluster was in the ledger, exists without an entry, or gets its ranges now. */
export enum EntryState {
  Kept = "kept",
  Adopted = "adopted",
  Planned = "planned",
}

/** A cluster with its ranges. */
export interface PlannedEntry {
  state: EntryState;
  entry: LedgerEntry;
  /** How many nodes its ranges have room for. Undefined without a cluster network. */
  nodes?: number;
}

/** A cluster whose ranges are too small for what the fleet file requires now. */
export interface Outgrown {
  cluster: FleetCluster;
  demand: Demand;
  range: LedgerRange;
}

/** A cluster whose HostedCluster has other ranges of a kind than its file in the ledger. */
export interface OtherRanges {
  entry: LedgerEntry;
  kind: ChosenKind;
  /** The ranges in the ledger, and those of the HostedCluster. */
  planned: readonly string[];
  deployed: readonly string[];
}

/** How full a pool is. */
export interface PoolUse {
  kind: ChosenKind;
  pool: Prefix;
  /** Share of the addresses that are taken, in percent. */
  used: number;
  /** Length of the widest free block. Undefined: everything is taken. */
  widest?: number;
}

/** How many more clusters there is room for. */
export interface Forecast {
  /** The first cluster of this size. */
  like: string;
  /** How many clusters of the fleet have this size. */
  clusters: number;
  demands: readonly Demand[];
  more: number;
  /** Whether there may be room for more than were tried. */
  isMore: boolean;
  /** The pools that are exhausted then. */
  limitedBy: readonly ChosenKind[];
}

/** The plan of a fleet. */
export interface FleetPlan {
  /** Every cluster with ranges, by name. */
  entries: readonly PlannedEntry[];
  /** What does not fit, and why. */
  shortages: readonly Shortage[];
  /** Clusters that could not be given ranges. */
  unplaced: readonly string[];
  outgrown: readonly Outgrown[];
  conflicts: readonly FleetConflict[];
  otherRanges: readonly OtherRanges[];
  pools: readonly PoolUse[];
  forecasts: readonly Forecast[];
}

/** The number of additional clusters to try. */
const TRIED = 10_000;

/**
 * Plans the ranges of every cluster of a fleet that has none. Entries of the ledger never change, so no cluster moves because another
 * one is added. Clusters are planned in the order of their names, each at the lowest free addresses: the same inputs, in any order,
 * give the same plan.
 */
export function planFleet({ fleet, ledger, existing = [], around = [] }: FleetInputs): FleetPlan {
  const known = new Map(ledger.map((entry) => [keyOfCluster(entry), entry]));
  const adopted = existing
    .filter((entry) => !known.has(keyOfCluster(entry)))
    .map((entry) => ({
      ...entry,
      ranges: entry.ranges.map((range) => ({ ...range, isReused: fleet.reuse.has(range.kind) })),
    }));
  for (const entry of adopted) known.set(keyOfCluster(entry), entry);
  const settled: PlannedEntry[] = [
    ...ledger.map((entry) => planned(entry, EntryState.Kept)),
    ...adopted.map((entry) => planned(entry, EntryState.Adopted)),
  ];
  const wanted = byKey(fleet.clusters, (cluster) => cluster);
  const added = wanted.filter((cluster) => !known.has(keyOfCluster(cluster)));
  const networks = [...fleet.taken, ...around];

  const occupancy = new Occupancy(fleet);
  for (const { prefix } of networks) occupancy.take(prefix);
  for (const prefix of reservedBlocks(settled, added, fleet)) occupancy.take(prefix);
  for (const { entry } of settled) for (const range of entry.ranges) occupancy.take(range.prefix, range);
  // A cluster may have other ranges than its file.
  for (const entry of existing)
    for (const range of entry.ranges)
      if (!hasRange(known.get(keyOfCluster(entry))!, range)) occupancy.take(range.prefix);

  const needs = onceForEach((cluster: FleetCluster) => demandsOf(cluster, fleet.pools));
  const made: PlannedEntry[] = [];
  const unplaced: Unplaced[] = [];
  for (const cluster of added) {
    const demands = needs(cluster);
    const { ranges, missing } = occupancy.placeAll(demands);
    if (missing.length > 0) unplaced.push({ key: keyOfCluster(cluster), demands, missing });
    else made.push(planned(entryOf(cluster, ranges), EntryState.Planned));
  }
  const entries = byKey([...settled, ...made], ({ entry }) => entry);
  const isThere = new Set(existing.map(keyOfCluster));
  const isDeployed: IsDeployed = (entry) => isThere.has(keyOfCluster(entry));
  return {
    entries,
    shortages: unplaced.length > 0 ? shortagesOf(unplaced, occupancy, takersOf(entries, networks)) : [],
    unplaced: unplaced.map(({ key }) => key),
    outgrown: wanted.flatMap((cluster) => outgrownBy(cluster, known.get(keyOfCluster(cluster)), needs)),
    conflicts: conflictsAmong(
      settled.map(({ entry }) => entry),
      fleet.taken,
      isDeployed,
    ),
    otherRanges: existing.flatMap((deployed) => otherRangesOf(known.get(keyOfCluster(deployed))!, deployed)),
    pools: poolsOf(occupancy),
    forecasts: forecastsOf(wanted, needs, occupancy),
  };
}

const otherRangesOf = (entry: LedgerEntry, deployed: LedgerEntry): OtherRanges[] =>
  chosenKinds.flatMap((kind) => {
    const found = differing(entry, deployed, kind);
    return found ? [{ entry, kind, ...found }] : [];
  });

const hasRange = ({ ranges }: LedgerEntry, { kind, prefix }: LedgerRange): boolean =>
  ranges.some((range) => range.kind === kind && range.prefix.text === prefix.text);

type Needs = (cluster: FleetCluster) => readonly Demand[];

/** The default ranges of all clusters. No cluster may use them, because the machines of clusters may be connected. */
function reservedBlocks(
  settled: readonly PlannedEntry[],
  added: readonly FleetCluster[],
  { pools }: Fleet,
): Iterable<Prefix> {
  const blocks = new Map<string, Prefix>();
  const reserved = new ReservedRanges();
  const seen = new Set<Reserved>();
  const add = (one: Reserved) => {
    if (seen.has(one)) return;
    seen.add(one);
    for (const { prefix } of [...one.now, ...one.later]) blocks.set(prefix.text, prefix);
  };
  for (const { entry } of settled) add(reserved.ofEntry(entry));
  const profiles = new Map(added.map((cluster) => [`${cluster.platform} ${cluster.release}`, cluster]));
  for (const cluster of profiles.values()) add(reserved.ofCluster(cluster, pools));
  return blocks.values();
}

function planned(entry: LedgerEntry, state: EntryState): PlannedEntry {
  const room = scarcestRoom(podNetworks(entry));
  return { state, entry, ...(room && { nodes: Number(room.nodes) }) };
}

const podNetworks = ({ ranges }: LedgerEntry): NodeSplitNetwork[] =>
  ranges.flatMap(({ kind, prefix, hostPrefix }) =>
    kind === "clusterNetwork" && hostPrefix !== undefined ? [{ prefix, hostPrefix }] : [],
  );

function entryOf(cluster: FleetCluster, ranges: readonly LedgerRange[]): LedgerEntry {
  const { managementCluster, namespace, name, platform, release } = cluster;
  return {
    ...(managementCluster !== undefined && { managementCluster }),
    namespace,
    name,
    platform,
    ...(release !== undefined && { release }),
    origin: LedgerOrigin.Planned,
    ranges,
  };
}

/** What takes addresses of pools, for the proof of a shortage. */
const takersOf = (entries: readonly PlannedEntry[], networks: readonly NamedNetwork[]): NamedNetwork[] => [
  ...networks,
  ...entries.flatMap(({ entry }) =>
    entry.ranges.map(({ prefix }) => ({ name: keyOfCluster(entry), prefix })),
  ),
];

/** The ranges of a cluster that are smaller than the fleet file requires now. */
function outgrownBy(cluster: FleetCluster, entry: LedgerEntry | undefined, needs: Needs): Outgrown[] {
  if (!entry) return [];
  return needs(cluster).flatMap((demand) => {
    const ranges = entry.ranges.filter(
      ({ kind, prefix }) => kind === demand.kind && prefix.family === demand.family,
    );
    const [range] = ranges;
    return range && !isEnough(demand, ranges, cluster, entry) ? [{ cluster, demand, range }] : [];
  });
}

function isEnough(
  { kind, family, length, hostPrefix }: Demand,
  ranges: readonly LedgerRange[],
  { nodes }: FleetCluster,
  entry: LedgerEntry,
): boolean {
  if (kind === "clusterNetwork") {
    const parts = ranges.map((range) => ({ prefix: range.prefix, hostPrefix: range.hostPrefix! }));
    return (
      maximumNodes(parts, family) >= BigInt(nodes) && parts.every((part) => part.hostPrefix <= hostPrefix!)
    );
  }
  if (isInternal(kind)) {
    const networks = podNetworks(entry);
    const carried = networks.length > 0 ? maximumNodes(networks, family) : BigInt(nodes);
    return ranges.some(({ prefix }) => hasRoomForNodes(prefix, carried));
  }
  const wanted = 1n << BigInt(BITS[family] - length);
  return ranges.reduce((sum, { prefix }) => sum + addressCount(prefix), 0n) >= wanted;
}

function poolsOf(occupancy: Occupancy): PoolUse[] {
  const { pools } = occupancy.fleet;
  return (Object.entries(pools) as [ChosenKind, readonly Prefix[]][]).flatMap(([kind, blocks]) =>
    blocks.map((pool) => {
      const space = occupancy.space(kind, pool.family);
      const free = space.count(pool, BITS[pool.family]);
      const all = addressCount(pool);
      const widest = space.widest(pool);
      return {
        kind,
        pool,
        // A pool with a single free address is not full.
        used: Number(((all - free) * 1_000n) / all) / 10,
        ...(widest !== undefined && { widest }),
      };
    }),
  );
}

/** How many more clusters of each size of the fleet fit, each size tried by itself. */
function forecastsOf(clusters: readonly FleetCluster[], needs: Needs, occupancy: Occupancy): Forecast[] {
  const sizes = new Map<string, { demands: readonly Demand[]; keys: string[] }>();
  for (const cluster of clusters) {
    const demands = needs(cluster);
    const size = demands
      .map(({ kind, family, length, hostPrefix }) => `${kind} ${family} ${length} ${hostPrefix}`)
      .join();
    onceIn(sizes, size, () => ({ demands, keys: [] })).keys.push(keyOfCluster(cluster));
  }
  return [...sizes.values()].map(({ demands, keys }) => ({
    like: keys[0]!,
    clusters: keys.length,
    demands,
    ...occupancy.tried(() => roomFor(demands, occupancy)),
  }));
}

function roomFor(
  demands: readonly Demand[],
  occupancy: Occupancy,
): Pick<Forecast, "more" | "isMore" | "limitedBy"> {
  const distinct = demands.filter(({ kind }) => !occupancy.fleet.reuse.has(kind));
  if (occupancy.arePoolsApart(demands)) {
    const { missing } = occupancy.tried(() => occupancy.place(demands));
    const rooms =
      missing.length > 0 ? missing.map(({ kind }) => ({ kind, room: 0n })) : distinct.map(roomOf(occupancy));
    const more = rooms.reduce((least, { room }) => (room < least ? room : least), BigInt(TRIED));
    return limited(
      Number(more),
      rooms.filter(({ room }) => room === more),
    );
  }
  for (let more = 0; more < TRIED; more++) {
    const { missing } = occupancy.place(demands);
    if (missing.length > 0) return limited(more, missing);
    // The next cluster gets the same ranges.
    if (distinct.length === 0) break;
  }
  return limited(TRIED, []);
}

const limited = (
  more: number,
  by: readonly { kind: ChosenKind }[],
): Pick<Forecast, "more" | "isMore" | "limitedBy"> => ({
  more,
  isMore: more === TRIED,
  limitedBy: [...new Set(by.map(({ kind }) => kind))],
});

const roomOf =
  (occupancy: Occupancy) =>
  ({ kind, family, length }: Demand): { kind: ChosenKind; room: bigint } => {
    const space = occupancy.space(kind, family);
    const counts = occupancy.pools(kind, family).map((pool) => space.count(pool, length));
    return { kind, room: counts.reduce((sum, count) => sum + count, 0n) };
  };
