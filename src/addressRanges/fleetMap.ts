import { everyOverlap, firstShared, heaviestOverlaps, type Prefix } from "../address";
import { append, MOST_LISTED, onceForEach } from "../collections";
import type { JudgedCluster } from "../gate/clusters";
import type { JudgedResources } from "../gate/judgedResources";
import { Service } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { type ChosenKind, chosenKinds, reservedRanges } from "../topology/reservedRanges";
import { homeVpcs } from "./inventory";

/** The addresses, host names and node ports of all hosted clusters, and the collisions among their ranges. */
export interface FleetMap {
  clusters: readonly MappedCluster[];
  /** The collisions that share the most addresses; of the same size, those that are connected today come first. */
  collisions: readonly Collision[];
  /** The number of colliding pairs of ranges that are not listed. */
  further: number;
}

/** One cluster of the map. */
export interface MappedCluster {
  /** Namespace and name. */
  key: string;
  platform: string;
  /** Blocks of each kind: the written blocks, or the defaults. */
  ranges: Readonly<Record<ChosenKind, readonly Prefix[]>>;
  /** `APIServer api.example.com` */
  hostNames: readonly string[];
  /** `APIServer 30443 at 10.1.1.1` */
  nodePorts: readonly string[];
}

/** A range that one or more clusters have. */
export interface SharedRange {
  kind: ChosenKind;
  prefix: Prefix;
  /** Keys of the clusters. */
  clusters: readonly string[];
}

/** Machines that other clusters cannot reach, or cannot distinguish from their own, once they are connected. */
export interface Collision {
  machines: SharedRange;
  other: SharedRange;
  /** The first address that both have. */
  witness: string;
  /** Whether the plan connects some of the clusters today; otherwise only a later peering or transit gateway does. */
  isConnected: boolean;
}

/** The map of all clusters of which enough is known. Takes no longer than sorting their ranges. */
export const fleetMap = onceForEach((judged: JudgedResources): FleetMap => {
  const whole = judged.clusters.flatMap((cluster) =>
    cluster.topology && !cluster.partial ? [{ cluster, topology: cluster.topology }] : [],
  );
  const clusters = whole.map(({ cluster, topology }) => mapped(cluster, topology));
  const homesByKey = new Map(whole.map(({ cluster }) => [cluster.key, homeVpcs(judged, cluster)]));
  return { clusters, ...collisionsOf(judged, clusters, homesByKey) };
});

function mapped({ key }: JudgedCluster, topology: NormalizedTopology): MappedCluster {
  const written = reservedRanges(topology);
  const ofKind = (kind: ChosenKind) => written.flatMap((range) => (range.kind === kind ? range.prefix : []));
  const services = Object.values(Service).map((service) => ({
    service,
    ...topology.services[service],
  }));
  return {
    key,
    platform: topology.platform,
    ranges: {
      machineNetwork: ofKind("machineNetwork"),
      clusterNetwork: ofKind("clusterNetwork"),
      serviceNetwork: ofKind("serviceNetwork"),
      internalJoinSubnet: ofKind("internalJoinSubnet"),
      internalTransitSwitchSubnet: ofKind("internalTransitSwitchSubnet"),
    },
    hostNames: services.flatMap(({ service, hostname }) =>
      hostname === undefined ? [] : `${service} ${hostname}`,
    ),
    nodePorts: services.flatMap(({ service, nodePort = 0, address }) =>
      nodePort > 0 ? `${service} ${nodePort}${address === undefined ? "" : ` at ${address}`}` : [],
    ),
  };
}

/** A range with the clusters that have it; machines of one VPC are one network. */
interface Item extends SharedRange {
  clusters: string[];
  homes: ReadonlySet<string>;
}

type Homes = ReadonlyMap<string, ReadonlySet<string>>;

function collisionsOf(
  { connections }: JudgedResources,
  clusters: readonly MappedCluster[],
  homesByKey: Homes,
): Pick<FleetMap, "collisions" | "further"> {
  const items = itemsOf(clusters, homesByKey);
  const isNone = (a: Item, b: Item): boolean => isOwn(a, b) || isOneNetwork(a, b);
  const none = noCollisions(items);
  const { pairs, further } = heaviestOverlaps(
    items,
    MOST_LISTED + none,
    ({ kind }) => kind !== "machineNetwork",
  );
  const found = pairs.filter(({ outer, inner }) => !isNone(outer, inner));
  const isConnected = (a: Item, b: Item): boolean => {
    const homes = homesOfOthers(b, a, homesByKey);
    return [...a.homes].some((home) =>
      homes.some((other) => home === other || connections.connected(home, other)),
    );
  };
  const listed = found.slice(0, MOST_LISTED).map(({ outer, inner }): Collision => {
    const [machines, other] = inner.kind === "machineNetwork" ? [inner, outer] : [outer, inner];
    return {
      machines,
      other,
      witness: firstShared(outer.prefix, inner.prefix),
      isConnected: isConnected(machines, other),
    };
  });
  const size = ({ machines, other }: Collision): number =>
    -Math.max(machines.prefix.length, other.prefix.length);
  return {
    collisions: listed.sort((a, b) => size(b) - size(a) || Number(b.isConnected) - Number(a.isConnected)),
    further: further + pairs.length - none - listed.length,
  };
}

function itemsOf(clusters: readonly MappedCluster[], homesByKey: Homes): Item[] {
  const items = new Map<string, Item>();
  for (const { key, ranges } of clusters)
    for (const kind of chosenKinds)
      for (const prefix of new Map(ranges[kind].map((one) => [one.text, one])).values()) {
        const homes = kind === "machineNetwork" ? homesByKey.get(key)! : NO_HOMES;
        // If the VPC of the machines is unknown, each cluster is assumed to have a separate VPC.
        const where =
          kind !== "machineNetwork" ? "" : homes.size > 0 ? [...homes].sort().join(" ") : `of ${key}`;
        const id = `${kind} ${prefix.text} ${where}`;
        const known = items.get(id);
        if (known) known.clusters.push(key);
        else items.set(id, { kind, prefix, clusters: [key], homes });
      }
  return [...items.values()];
}

const NO_HOMES: ReadonlySet<string> = new Set();

/** The VPCs of the clusters of a range that do not have the other range: a conflict within a cluster is judged by other rules. */
function homesOfOthers({ clusters }: Item, other: Item, homesByKey: Homes): string[] {
  const own = new Set(other.clusters);
  return [
    ...new Set(clusters.flatMap((key) => (own.has(key) ? [] : [...(homesByKey.get(key) ?? NO_HOMES)]))),
  ];
}

/** Whether both ranges belong to the same cluster only: other rules judge those. */
const isOwn = (a: Item, b: Item): boolean =>
  a.clusters.length === 1 && b.clusters.length === 1 && a.clusters[0] === b.clusters[0];

/** Whether both ranges are machines of one VPC, which cannot collide: a VPC has each address once. */
const isOneNetwork = (a: Item, b: Item): boolean =>
  a.kind === b.kind && [...a.homes].some((home) => b.homes.has(home));

/** The number of overlaps that are not collisions, counted within each cluster and within each VPC. */
function noCollisions(items: readonly Item[]): number {
  const [own, places] = [new Map<string, Item[]>(), new Map<string, Item[]>()];
  for (const item of items) {
    if (item.clusters.length === 1) append(own, item.clusters[0]!, [item]);
    for (const home of item.homes) append(places, home, [item]);
  }
  const found = new Set<string>();
  const ids = new Map(items.map((item, at) => [item, at]));
  for (const some of [...own.values(), ...places.values()])
    for (const { outer, inner } of everyOverlap(some, ({ kind }) => kind !== "machineNetwork"))
      found.add(`${ids.get(outer)} ${ids.get(inner)}`);
  return found.size;
}
