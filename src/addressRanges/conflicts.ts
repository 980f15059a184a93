import { everyOverlap, firstShared, heaviestOverlaps, meeting, type Overlap, overlap } from "../address";
import { append, MOST_LISTED, onceForEach } from "../collections";
import { Level } from "../gate/rule";
import { type JudgedCluster, objectOf } from "../gate/clusters";
import { guestCluster, isSecondaryAlone, nodePoolsOf } from "../gate/guestCluster";
import type { JudgedResources } from "../gate/judgedResources";
import { Platform } from "../requirements/vocabulary";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import type { Resource, UnknownValue } from "../resources/resource";
import { isNetwork } from "../resources/resourceTypes";
import { addressPools } from "./ownAddresses";
import type { Ways } from "../resources/connections";
import type { PlacedRange } from "../resources/vpcs";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import {
  isAround,
  rangePairs,
  type ReservedRange,
  sharedAddresses,
  withFurther,
} from "../topology/reservedRanges";
import {
  clusterRanges,
  doubtfulMeeting,
  GUEST_KINDS,
  isSameSubnet,
  type JudgedRange,
  located,
  managementRanges,
  type NetworkObjects,
  networkOfPlan,
  networkRanges,
  networksByCluster,
  networksMeeting,
  networksOfGuest,
  poolsMeeting,
  rangesByObject,
  rangesOfCluster,
  Reach,
} from "./inventory";
import { DefaultJoin, defaultJoin } from "./userNetworks";

/** Two ranges that share addresses but must be distinct. */
export interface Conflict {
  /** The range to move: the one that the user wrote. */
  range: JudgedRange;
  other: JudgedRange;
  /** The first address that both have. */
  witness: string;
  /** The owner of the ranges, as findings name it. */
  owner: string;
  /** Absent if both ranges belong to networks. */
  topology?: NormalizedTopology;
  /**
   * An error if packets are lost. A warning if the overlap may be intended: one range contains the other and means only some of its
   * addresses, or only a feature that is not in the input uses the range. A note if nothing in the plan connects the two.
   */
  level: Level;
  /** Set on the last listed conflict: the number of further pairs of written ranges that share addresses. */
  further?: number;
}

/** All conflicts of the clusters' ranges, with each other and with the networks around them. */
export const rangeConflicts = onceForEach((judged: JudgedResources): readonly Conflict[] => [
  ...judged.clusters.flatMap((cluster) => conflictsOf(judged, cluster)),
  ...networksByCluster(judged.ofKind(isNetwork)).flatMap((objects) => {
    const of = { owner: `Network ${objects[0].name}` };
    const ranges = rangesOfNetwork(judged, objects);
    return [...conflictsAmong(ranges, of), ...conflictsWithPools(judged, ranges, objects[0], of)];
  }),
  ...connectedVpcs(judged),
]);

/** The ranges of the Network objects of a cluster. Those inside a hosted cluster have its defaults, which it may have replaced. */
function rangesOfNetwork(judged: JudgedResources, objects: NetworkObjects): JudgedRange[] {
  const ranges = networkRanges(...objects);
  if (!networksOfGuest(judged).has(objects)) return ranges;
  const rows = new Set(clusterRanges(guestCluster(judged)!).map(({ row }) => row));
  return ranges.filter(({ row }) => !row || rows.has(row));
}

/** Conflicts of one cluster's ranges. */
function conflictsOf(judged: JudgedResources, cluster: JudgedCluster): Conflict[] {
  const { own, subnets } = rangesByObject(judged, cluster);
  const of = { owner: cluster.key, topology: cluster.topology, defaultJoin: defaultJoin(judged).use };
  const management = managementRanges(judged, cluster);
  // The object inside is compared by itself with the defaults that such an object can replace.
  const others = meeting(own.filter(({ row }) => !row?.nodeLocal && !(row?.ovnOnly && row.replacedBy)));
  const outside = subnets.filter(({ kind }) => kind !== "masqueradeSubnet");
  return [
    ...conflictsAmong(own, of),
    ...subnets.flatMap((subnet) =>
      others(subnet.prefix)
        .filter((other) => !isSameSubnet(subnet, other))
        .flatMap((other) => conflictOf(subnet, other, of)),
    ),
    ...conflictsAround(judged, outside, cluster, of),
    ...conflictsAround(judged, own, cluster, of),
    ...conflictsWithPools(judged, own, objectOf(cluster), of),
    ...own
      .filter(
        ({ kind, row }) => GUEST_KINDS.has(kind) || row?.replacedBy?.some((one) => GUEST_KINDS.has(one)),
      )
      .flatMap((range) => management.flatMap((other) => conflictOf(range, other, of))),
  ];
}

/** Conflicts of the user's ranges with additional ranges that are not among the cluster's own. */
export function conflictsWithRanges(
  judged: JudgedResources,
  rangesOf: (topology: NormalizedTopology) => readonly ReservedRange[],
): (Conflict & { topology: NormalizedTopology })[] {
  return judged.clusters.flatMap((cluster) => {
    const { topology } = cluster;
    if (!topology) return [];
    const others = rangesOf(topology).map((range) => located(cluster, range));
    const of = { owner: cluster.key, topology };
    const written = clusterRanges(cluster).filter(({ implicit }) => !implicit);
    return [
      ...written.flatMap((range) => others.flatMap((other) => conflictOf(range, other, of))),
      ...conflictsAround(judged, others, cluster, of),
      ...conflictsWithPools(judged, others, objectOf(cluster), of),
    ]
      .filter(({ level }) => level !== Level.Note)
      .map((conflict) => ({ ...conflict, topology }));
  });
}

/** The owner of the compared ranges. */
interface Owner extends Pick<Conflict, "owner" | "topology"> {
  /** Absent: a range that only an optional feature uses counts as used. */
  defaultJoin?: DefaultJoin;
}

function conflictsAmong(ranges: readonly JudgedRange[], of: Owner): Conflict[] {
  const { pairs, further } = rangePairs(ranges);
  return withFurther(
    pairs.flatMap(([a, b]) => conflictOf(a, b, of)),
    further,
  );
}

/** Conflicts with load-balancer pools, which may share addresses with the machine network but with no other range of a cluster. */
function conflictsWithPools(
  judged: JudgedResources,
  own: readonly JudgedRange[],
  beside: Resource | undefined,
  of: Owner,
): Conflict[] {
  const pools = poolsMeeting(judged, beside);
  return own
    .filter((range) => range.kind !== "machineNetwork" && !isAround(range))
    .flatMap((range) => pools(range.prefix).flatMap((other) => conflictOf(range, other, of)));
}

function conflictsAround(
  judged: JudgedResources,
  own: readonly JudgedRange[],
  cluster: JudgedCluster,
  of: Owner,
): Conflict[] {
  const networks = networksMeeting(judged, cluster);
  return own.flatMap((range) =>
    networks(range.prefix).flatMap(({ range: other, reach }) => conflictOf(range, other, of, reach)),
  );
}

function conflictOf(a: JudgedRange, b: JudgedRange, of: Owner, reach = Reach.Connected): Conflict[] {
  const shared = sharedAddresses(a, b);
  if (!shared) return [];
  const { witness, isDoubtful } = shared;
  const use = isOfFeature(a, b) ? of.defaultJoin : undefined;
  if (use === DefaultJoin.Replaced) return [];
  const isOptional = use === DefaultJoin.Absent || use === DefaultJoin.Unknown;
  // A single dialled address is easier to move than a range.
  const isFirst = (!a.implicit || b.implicit) && b.kind !== "dialled";
  const [range, other] = isFirst ? [a, b] : [b, a];
  const { owner, topology } = of;
  return [
    {
      range,
      other,
      witness,
      owner,
      ...(topology && { topology }),
      level:
        reach === Reach.Unconnected ? Level.Note : isDoubtful || isOptional ? Level.Warning : Level.Error,
    },
  ];
}

const isOfFeature = (...ranges: JudgedRange[]): boolean => ranges.some(({ row }) => row?.onlyWith);

/** Conflicts among connected VPCs, which need distinct addresses. */
function connectedVpcs({ vpcs, connections }: JudgedResources): Conflict[] {
  const keys = [...vpcs.keys()];
  const places = new Map(keys.map((key, place) => [key, place]));
  type Block = PlacedRange & { vpc: number; place: number };
  const blocksAt = (key: string): Block[] => {
    const vpc = places.get(key)!;
    const once = new Map(vpcs.get(key)!.blocks.map((block) => [block.prefix.text, block]));
    return [...once.values()].map((block, place) => ({ ...block, vpc, place }));
  };
  const listed = new Map<string, [Block, Block]>();
  let beside = 0;
  for (const { members, ways } of connections.hubs) {
    const blocks = [...members].filter((key) => places.has(key)).flatMap(blocksAt);
    const heaviest = heaviestOverlaps(blocks, MOST_LISTED);
    // If some pairs may not be connected, every pair must be checked.
    const pairs =
      ways && heaviest.further > 0 ? overlapsByRoutes(blocks, keys, ways, heaviest.further) : heaviest.pairs;
    if (!ways) beside += heaviest.further;
    for (const { outer, inner } of pairs) {
      const [a, b] = outer.vpc < inner.vpc ? [outer, inner] : [inner, outer];
      if (a.vpc === b.vpc || ways?.areConnected(keys[a.vpc]!, keys[b.vpc]!) === false) continue;
      listed.set([a.vpc, b.vpc, a.place, b.place].join(" "), [a, b]);
    }
  }
  const inOrder = [...listed.values()].sort(
    ([a, b], [c, d]) => a.vpc - c.vpc || b.vpc - d.vpc || a.place - c.place || b.place - d.place,
  );
  const conflicts = inOrder.map(([a, b]) => ({
    range: networkOfPlan(b, "infrastructure"),
    other: networkOfPlan(a, "infrastructure"),
    witness: firstShared(a.prefix, b.prefix),
    owner: "connected networks",
    level: Level.Error,
  }));
  return withFurther(conflicts, beside);
}

/**
 * The overlaps among VPCs that are not all connected with each other. Segments may share one block, and spokes of a hub may have few
 * routes: the routes are followed if that takes fewer steps than the overlaps.
 *
 * @param keys keys of the VPCs, by the `vpc` number of the blocks
 */
function overlapsByRoutes<Block extends PlacedRange & { vpc: number }>(
  blocks: readonly Block[],
  keys: readonly string[],
  { reached }: Ways,
  most: number,
): Overlap<Block>[] {
  const byVpc = new Map<string, Block[]>();
  for (const block of blocks) append(byVpc, keys[block.vpc]!, [block]);
  const pairs: Overlap<Block>[] = [];
  let steps = 0;
  for (const [vpc, own] of byVpc)
    for (const end of reached(vpc)) {
      if (end === undefined) return everyOverlap(blocks);
      const others = byVpc.get(end) ?? [];
      steps += 1 + own.length * others.length;
      if (steps > most) return everyOverlap(blocks);
      for (const outer of own)
        for (const inner of others) if (overlap(outer.prefix, inner.prefix)) pairs.push({ outer, inner });
    }
  return pairs;
}

const OF_OVN = { reason: "which decides whether the cluster has the default ranges of OVN-Kubernetes" };

/** Ranges that are not known yet and may collide. */
export function unknownRanges(judged: JudgedResources): UnknownValue[] {
  const { clusters, vpcs, connections } = judged;
  const inClusters = clusters.flatMap((cluster) => {
    const { topology, sources, partial } = cluster;
    const said = [...RANGE_PROPERTIES, "networkType"]
      .filter((property) => topology && isUnknown(topology, property))
      .flatMap((property) => {
        const { holder, path } = cluster.locate(property);
        return holder ? [{ resource: holder, path, ...(property === "networkType" && OF_OVN) }] : [];
      });
    const [patch] = sources;
    const existing =
      partial && patch?.resource && internalSubnetProperties.some((property) => topology?.[property])
        ? [
            {
              resource: patch.resource,
              path: "spec.networking",
              reason: "the networks of the existing cluster are not in this stack",
            },
          ]
        : [];
    return [...said, ...existing, ...secondaryRanges(judged, cluster), ...doubtfulRoutes(judged, cluster)];
  });
  const relevant = clusters.length > 0;
  return [
    ...inClusters,
    ...(relevant ? [...vpcs.values()].flatMap(({ unknown }) => unknown).filter(mayCollide(clusters)) : []),
    ...(relevant ? connections.unknown : []),
    ...(relevant ? addressPools(judged).unknown : []),
  ];
}

/** Whether an unknown block of a VPC may collide with some cluster: an IPv6 block does not collide with clusters that have only IPv4. */
const mayCollide = (clusters: readonly JudgedCluster[]): ((block: UnknownValue) => boolean) => {
  const mayHaveIPv6 = clusters.some(
    (cluster) =>
      !cluster.topology ||
      cluster.partial ||
      RANGE_PROPERTIES.some((property) => isUnknown(cluster.topology!, property)) ||
      clusterRanges(cluster).some(({ implicit, prefix }) => !implicit && prefix.family === 6),
  );
  return ({ path }) => mayHaveIPv6 || !/ipv6/i.test(path);
};

/**
 * Routes for addresses of a cluster that end at a network interface (of an appliance with a network behind it, or of a node), and
 * routes for so many addresses that no network uses all of them.
 */
function doubtfulRoutes(judged: JudgedResources, cluster: JudgedCluster): UnknownValue[] {
  const { doubtful, coreNetworks } = judged.connections;
  if (doubtful.length === 0 && coreNetworks.size === 0) return [];
  const meeting = doubtfulMeeting(judged, cluster);
  return rangesOfCluster(judged, cluster)
    .filter(({ row }) => !row?.onlyWith)
    .flatMap((range) =>
      meeting(range.prefix)
        .filter((route) => sharedAddresses(range, networkOfPlan(route, "surrounding")))
        .map(({ resource, path, name, prefix }) => ({
          resource,
          path,
          reason: `whether addresses of ${range.name} ${range.prefix.text} of ${cluster.key} are in use in ${name} ${prefix.text}, which infrastructureCidrs can state`,
        })),
    );
}

/** Unknown ranges of nodes that are only on a secondary network: only the machine network of the topology could state such a range. */
function secondaryRanges(judged: JudgedResources, { topology }: JudgedCluster): UnknownValue[] {
  if (topology?.platform !== Platform.KubeVirt || topology.machineNetwork.length > 0) return [];
  return nodePoolsOf(judged, topology)
    .filter(({ resource }) => isSecondaryAlone(resource))
    .map(({ resource }) => ({
      resource,
      path: "spec.platform.kubevirt.additionalNetworks",
      reason: "the range of the secondary network, which machineNetwork of the HostedCluster can state",
    }));
}

const RANGE_PROPERTIES = [
  "machineNetwork",
  "clusterNetwork",
  "serviceNetwork",
  ...internalSubnetProperties,
  "infrastructureCidrs",
];
