import { onceIn } from "../collections";
import { type Family, FreeSpace, overlaps, type Prefix, BITS, FAMILIES } from "../address";
import { type Fleet, familiesOf, type FleetCluster, takesKind } from "./fleet";
import { type ChosenKind, chosenKinds } from "../topology/reservedRanges";
import type { LedgerRange } from "./ledger";
import { LIMIT } from "../requirements/limits";
import { longestMask } from "../topology/normalize/ovnSubnets";
import { reservedIn } from "../topology/addressBlocks";

/** A range that a cluster needs. */
export interface Demand {
  kind: ChosenKind;
  family: Family;
  /** Prefix length of the smallest block that is enough. */
  length: number;
  /** For cluster networks: prefix length of the part that each node gets. */
  hostPrefix?: number;
}

/** What a cluster needs from the pools of a fleet. */
export function demandsOf(cluster: FleetCluster, pools: Fleet["pools"]): Demand[] {
  return chosenKinds
    .filter((kind) => pools[kind] && takesKind(cluster, kind))
    .flatMap((kind) =>
      FAMILIES.filter((family) => familiesOf(pools[kind]).has(family)).map((family) => ({
        kind,
        family,
        ...SIZES[kind](cluster, family),
      })),
    );
}

type Size = Pick<Demand, "length" | "hostPrefix">;

/** The longest prefix that has enough addresses, by kind. */
const SIZES: Readonly<Record<ChosenKind, (cluster: FleetCluster, family: Family) => Size>> = {
  machineNetwork: (cluster, family) => ({ length: machineLength(cluster, family) }),
  clusterNetwork: (cluster, family) => clusterSize(cluster, family),
  serviceNetwork: ({ services }, family) => ({
    length: Math.min(LIMIT.serviceNetworkMask.longest[family], lengthFor(services + ENDS, family)),
  }),
  internalJoinSubnet: internalSize,
  internalTransitSwitchSubnet: internalSize,
};

/** The network's own and the broadcast address. */
const ENDS = 2;

/** How many bits are needed to number `count` things. */
const bitsFor = (count: number): number => Math.ceil(Math.log2(count));

/** The prefix length of the smallest block with this many addresses. */
const lengthFor = (addresses: number, family: Family): number => BITS[family] - bitsFor(addresses);

/** A subnet for each zone, all of one size. */
function machineLength({ nodes, zones, otherAddresses, platform }: FleetCluster, family: Family): number {
  const subnets = bitsFor(zones);
  if (family === 6) return LIMIT.defaultHostPrefix[6] - subnets;
  const inZone = Math.ceil(nodes / zones) + otherAddresses + reservedIn(platform, family);
  return lengthFor(inZone, family) - subnets;
}

/** A part for each node; OVN-Kubernetes does not accept a part as large as the whole. */
function clusterSize({ nodes, podsPerNode }: FleetCluster, family: Family): Size {
  const usual = LIMIT.defaultHostPrefix[family];
  const hostPrefix =
    family === 6 || podsPerNode === undefined
      ? usual
      : lengthFor(Math.max(podsPerNode + LIMIT.nodePartReservedAddresses, 2 ** LIMIT.hostPrefixBits), family);
  return { length: hostPrefix - Math.max(1, bitsFor(nodes)), hostPrefix };
}

/** The network operator requires an address for every node that the cluster network has room for. */
function internalSize(cluster: FleetCluster): Size {
  const { length, hostPrefix } = clusterSize(cluster, 4);
  return { length: longestMask(1n << BigInt(hostPrefix! - length)) };
}

/**
 * The addresses that are taken. A range of a kind that clusters may reuse blocks only ranges of other kinds, so each such kind has
 * its own view, in which the reused ranges of that kind are free.
 */
export class Occupancy {
  readonly #apart = new Map<string, boolean>();
  /** How many pools at the start of a list have no room for a block of some length. Cached, because what is taken stays taken. */
  #full = new Map<readonly Prefix[], Map<string, number>>();
  readonly #views: { kind?: ChosenKind; spaces: Readonly<Record<Family, FreeSpace>> }[];

  constructor(readonly fleet: Pick<Fleet, "pools" | "reuse">) {
    const spaces = () => ({ 4: new FreeSpace(4), 6: new FreeSpace(6) });
    this.#views = [{ spaces: spaces() }, ...[...fleet.reuse].map((kind) => ({ kind, spaces: spaces() }))];
  }

  /** Takes a block from all clusters; `by` is the range of a cluster that the block is, if it is one. */
  take(block: Prefix, by?: Pick<LedgerRange, "kind" | "isReused">): void {
    for (const { kind, spaces } of this.#views)
      if (!by?.isReused || kind !== by.kind) spaces[block.family].take(block);
  }

  /** Takes a block for each demand, the lowest one of its pools. Demands without a free block are missing, and take nothing. */
  place(demands: readonly Demand[], pools = this.fleet.pools): { ranges: LedgerRange[]; missing: Demand[] } {
    const [ranges, missing]: [LedgerRange[], Demand[]] = [[], []];
    for (const demand of demands) {
      const { kind, hostPrefix } = demand;
      const prefix = this.#first(demand, pools);
      if (!prefix) {
        missing.push(demand);
        continue;
      }
      const isReused = this.fleet.reuse.has(kind);
      const range = { kind, prefix, ...(hostPrefix !== undefined && { hostPrefix }), isReused };
      this.take(prefix, range);
      ranges.push(range);
    }
    return { ranges, missing };
  }

  /** The same, but takes nothing at all if one demand is missing. */
  placeAll(demands: readonly Demand[]): ReturnType<Occupancy["place"]> {
    // No demand then takes what another one needs, and nothing has to be freed again.
    const isSure =
      this.arePoolsApart(demands) && demands.every((demand) => this.#first(demand, this.fleet.pools));
    if (isSure) return this.place(demands);
    return this.tried(
      () => this.place(demands),
      ({ missing }) => missing.length === 0,
    );
  }

  /** Whether the pools of the demands have no address in common, so that free blocks can be counted. */
  arePoolsApart(demands: readonly Demand[]): boolean {
    const key = demands.map(({ kind, family }) => `${kind} ${family}`).join();
    return onceIn(this.#apart, key, () => {
      const pools = demands.flatMap(({ kind, family }) => this.pools(kind, family));
      return overlaps(pools.map((prefix) => ({ prefix }))).length === 0;
    });
  }

  #first({ kind, family, length }: Demand, pools: Fleet["pools"]): Prefix | undefined {
    const list = pools[kind] ?? [];
    const space = this.space(kind, family);
    const key = `${kind} ${family} ${length}`;
    const full = onceIn(this.#full, list, () => new Map<string, number>());
    let found: Prefix | undefined;
    let at = full.get(key) ?? 0;
    for (; at < list.length; at++) {
      const pool = list[at]!;
      found = pool.family === family ? space.first(pool, length) : undefined;
      if (found) break;
    }
    full.set(key, at);
    return found;
  }

  /** The pools of a kind and family, in order. */
  pools(kind: ChosenKind, family: Family): readonly Prefix[] {
    return (this.fleet.pools[kind] ?? []).filter((pool) => pool.family === family);
  }

  /** The addresses that ranges of a kind may take. */
  space(kind: ChosenKind, family: Family): FreeSpace {
    const view = this.#views.find((one) => one.kind === kind) ?? this.#views[0]!;
    return view.spaces[family];
  }

  /**
   * Runs a function that takes blocks, and frees them again unless its answer keeps them.
   *
   * @param isKept whether the blocks stay taken after this answer. Defaults to never
   */
  tried<Answer>(run: () => Answer, isKept: (answer: Answer) => boolean = () => false): Answer {
    const spaces = this.#views.flatMap((view) => FAMILIES.map((family) => view.spaces[family]));
    const before = new Map([...this.#full].map(([list, full]) => [list, new Map(full)]));
    let staysTaken = false;
    try {
      const answer = spaces.reduce<() => Answer>((inner, space) => () => space.tried(inner, isKept), run)();
      staysTaken = isKept(answer);
      return answer;
    } finally {
      if (!staysTaken) this.#full = before;
    }
  }
}
