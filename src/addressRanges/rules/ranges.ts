import {
  enclosedBy,
  heaviestOverlaps,
  overlap,
  overlapsBetween,
  readPrefix,
  type Prefix,
} from "../../address";
import { MOST_LISTED } from "../../collections";
import { implicitRangeOf } from "../../requirements/implicitRanges";
import { internalSubnetProperties } from "../../requirements/internalSubnets";
import { read } from "../../resources/read";
import { UNKNOWN, type Resource, type UnknownValue } from "../../resources/resource";
import { isNetwork } from "../../resources/resourceTypes";
import { isReached, type PlacedRange, type Vpc } from "../../resources/vpcs";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import {
  mayOverlap,
  type RangeKind,
  rangePairs,
  type ReservedRange,
  reservedRanges,
  withFurther,
} from "../../topology/reservedRanges";
import type { JudgedCluster } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";
import { API_SERVER_ADDRESS, statedRanges, type Around, type JudgedRange } from "./statedRanges";

/** Two ranges that share addresses and must not. */
export interface Conflict {
  /** The range to move: the one that the user wrote. */
  range: JudgedRange;
  other: JudgedRange;
  /** The first address that both have. */
  witness: string;
  cluster: string;
  /** True where one of the two holds the other whole and means only some of its addresses: it may be right. */
  isDoubtful: boolean;
  /** At the last of many: so many pairs of written ranges share addresses beside those that are listed. */
  further?: number;
}

/** Every conflict of the clusters' ranges, among themselves and with the networks around them. */
export function rangeConflicts(judged: JudgedResources): Conflict[] {
  return [
    ...judged.clusters.flatMap((cluster) => {
      const own = clusterRanges(cluster);
      return [
        ...conflictsAmong(own, cluster.key),
        ...conflictsWith(own, rangesAround(judged, cluster), cluster.key),
      ];
    }),
    ...judged
      .ofKind(isNetwork)
      .flatMap((network) => conflictsAmong(networkRanges(network), `Network ${network.name}`)),
    ...connectedVpcs(judged),
  ];
}

/** The ranges that a cluster takes, each at the place that says it. */
function clusterRanges(cluster: JudgedCluster): JudgedRange[] {
  const { topology, partial } = cluster;
  if (!topology) return [];
  return reservedRanges(topology)
    .filter(({ kind, implicit }) => !partial || !implicit || kind === "implicit")
    .map((range) => located(cluster, range));
}

function located(cluster: JudgedCluster, range: ReservedRange): JudgedRange {
  const { resource, path } = cluster.locate(range.path ?? "name");
  return { ...range, origin: resource, at: path };
}

/** Conflicts of what the user wrote with ranges that do not count among the cluster's own. */
export function conflictsWithRanges(
  judged: JudgedResources,
  rangesOf: (topology: NormalizedTopology) => readonly ReservedRange[],
): { conflict: Conflict; topology: NormalizedTopology }[] {
  return judged.clusters.flatMap((cluster) => {
    const { topology } = cluster;
    const others = topology ? rangesOf(topology).map((range) => located(cluster, range)) : [];
    if (!topology || others.length === 0) return [];
    const written = clusterRanges(cluster).filter(({ implicit }) => !implicit);
    return [
      ...written.flatMap((range) => others.flatMap((other) => conflictOf(range, other, cluster.key))),
      ...conflictsWith(others, rangesAround(judged, cluster), cluster.key),
    ].map((conflict) => ({ conflict, topology }));
  });
}

const networkKinds: ReadonlySet<RangeKind> = new Set([
  "clusterNetwork",
  "serviceNetwork",
  ...internalSubnetProperties,
  "implicit",
]);

const around = (range: PlacedRange, hard: boolean): Around => ({
  range: {
    name: range.name,
    kind: "infrastructure",
    prefix: range.prefix,
    implicit: false,
    origin: range.resource.origin,
    at: range.path,
  },
  hard,
});

/**
 * The networks around a cluster: the VPC that holds its workers, what that VPC is connected to, and where its routes
 * lead. Networks that nothing connects with the workers are none of the cluster's business.
 */
function rangesAround(judged: JudgedResources, cluster: JudgedCluster): Around[] {
  const { topology } = cluster;
  if (!topology) return [];
  const { vpcs, connections } = judged;
  const homes = homeVpcs(judged, topology);
  const keys = homes.length > 0 ? homes.map(({ key }) => key) : unseenVpcs(judged);
  const reached = new Set(keys.flatMap((home) => [...connections.neighbours(home)]));
  for (const home of keys) reached.delete(home);
  const connected = [...vpcs.values()].filter(({ key }) => reached.has(key));
  const neighbours = connected.flatMap(blocksOf);
  const isNeighbours = enclosedBy(neighbours.map(({ prefix }) => prefix));
  // A route of a table that is not in the stack may be the workers'; one to a VPC that is here says nothing new.
  const remote = connections.remote.filter((range) => isReached(range, keys) && !isNeighbours(range.prefix));
  return [
    ...homes.flatMap((home) => blocksOf(home).map((range) => around(range, false))),
    ...neighbours.map((range) => around(range, true)),
    ...remote.map((range) => around(range, false)),
    ...statedRanges(cluster, topology),
  ];
}

/** The VPCs that can hold the workers: those with a block around a machine network. */
function homeVpcs({ vpcs }: JudgedResources, { machineNetwork, workerCidrs }: NormalizedTopology): Vpc[] {
  const machines = [...machineNetwork, ...workerCidrs];
  const holds = (block: Prefix, inner: Prefix) => block.length <= inner.length && overlap(block, inner);
  return [...vpcs.values()].filter((vpc) =>
    blocksOf(vpc).some(({ prefix }) => machines.some((machine) => holds(prefix, machine))),
  );
}

/** VPCs that are not in the stack, only spoken of, with unknown blocks: one of them may hold the workers. */
function unseenVpcs({ vpcs, connections }: JudgedResources): string[] {
  const isSeen = ({ resource, peering }: Partial<Vpc> = {}) => (resource ?? peering) !== undefined;
  return [...new Set([...vpcs.keys(), ...connections.ends])].filter((key) => !isSeen(vpcs.get(key)));
}

/** Blocks of a VPC; where the VPC itself is not here, its subnets. */
const blocksOf = ({ blocks, subnets }: Vpc): PlacedRange[] => (blocks.length > 0 ? blocks : subnets);

function conflictsAmong(ranges: readonly JudgedRange[], cluster: string): Conflict[] {
  const { pairs, further } = rangePairs(ranges);
  return withFurther(
    pairs.flatMap(([a, b]) => conflictOf(a, b, cluster)),
    further,
  );
}

function conflictsWith(own: readonly JudgedRange[], others: readonly Around[], cluster: string): Conflict[] {
  const placed = others.map(({ range, hard }) => ({ prefix: range.prefix, range, hard }));
  return overlapsBetween(own, placed).flatMap(([range, { range: other, hard }]) =>
    range.kind !== "infrastructure" && (hard || networkKinds.has(range.kind))
      ? conflictOf(range, other, cluster)
      : [],
  );
}

function conflictOf(a: JudgedRange, b: JudgedRange, cluster: string): Conflict[] {
  if (mayOverlap(a, b) || !overlap(a.prefix, b.prefix) || isHyperShiftsOwn(a, b)) return [];
  // A single address is what its user moves first.
  const isFirst = (!a.implicit || b.implicit) && b.kind !== "dialled";
  const [range, other] = isFirst ? [a, b] : [b, a];
  const witness = a.prefix.start > b.prefix.start ? a.prefix.first() : b.prefix.first();
  const holdsWhole = (one: JudgedRange, inner: JudgedRange) =>
    one.meansSome === true && one.prefix.length < inner.prefix.length;
  const isDoubtful = holdsWhole(a, b) || holdsWhole(b, a);
  return [{ range, other, witness, cluster, isDoubtful }];
}

/** HyperShift refuses an API server's address in the service network: that is said where the object is judged. */
const isHyperShiftsOwn = (own: JudgedRange, other: JudgedRange): boolean =>
  own.kind === "serviceNetwork" && other.path === API_SERVER_ADDRESS;

/** VPCs that are connected need addresses of their own. */
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
  for (const { members, areConnected } of connections.hubs) {
    const blocks = [...members].filter((key) => places.has(key)).flatMap(blocksAt);
    const { pairs, further } = heaviestOverlaps(blocks, areConnected ? Infinity : MOST_LISTED);
    beside += further;
    for (const { outer, inner } of pairs) {
      const [a, b] = outer.vpc < inner.vpc ? [outer, inner] : [inner, outer];
      if (a.vpc === b.vpc || areConnected?.(keys[a.vpc]!, keys[b.vpc]!) === false) continue;
      listed.set([a.vpc, b.vpc, a.place, b.place].join(" "), [a, b]);
    }
  }
  const inOrder = [...listed.values()].sort(
    ([a, b], [c, d]) => a.vpc - c.vpc || b.vpc - d.vpc || a.place - c.place || b.place - d.place,
  );
  const conflicts = inOrder.map(([a, b]) => ({
    range: around(b, true).range,
    other: around(a, true).range,
    witness: a.prefix.start > b.prefix.start ? a.prefix.first() : b.prefix.first(),
    cluster: "connected networks",
    isDoubtful: false,
  }));
  return withFurther(conflicts, beside);
}

/** Where a Network object of the network operator says its ranges, and what holds where it does not. */
const NETWORK_RANGES: readonly { kind: RangeKind; name: string; paths: readonly string[]; row?: string }[] = [
  { kind: "clusterNetwork", name: "the cluster network", paths: ["spec.clusterNetwork[].cidr"] },
  { kind: "serviceNetwork", name: "the service network", paths: ["spec.serviceNetwork[]"] },
  {
    kind: "internalJoinSubnet",
    name: "OVN's join subnet",
    paths: ["ipv4.internalJoinSubnet", "v4InternalSubnet"].map(
      (path) => `spec.defaultNetwork.ovnKubernetesConfig.${path}`,
    ),
    row: "ovn-join",
  },
  {
    kind: "internalTransitSwitchSubnet",
    name: "OVN's transit switch subnet",
    paths: ["spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalTransitSwitchSubnet"],
    row: "ovn-transit-switch",
  },
  {
    kind: "infrastructure",
    name: "the hybrid cluster network",
    paths: ["spec.defaultNetwork.ovnKubernetesConfig.hybridOverlayConfig.hybridClusterNetwork[].cidr"],
  },
  {
    kind: "internalJoinSubnet",
    name: "OVN's masquerade subnet",
    paths: ["spec.defaultNetwork.ovnKubernetesConfig.gatewayConfig.ipv4.internalMasqueradeSubnet"],
    row: "ovn-masquerade",
  },
];

function networkRanges(network: Resource): JudgedRange[] {
  return NETWORK_RANGES.flatMap(({ kind, name, paths, row }) => {
    const found = paths
      .flatMap((path) => read(network.properties, path))
      .slice(0, row === undefined ? undefined : 1);
    const written = found.flatMap(({ path, value }) => {
      const prefix = typeof value === "string" ? readPrefix(value) : undefined;
      return prefix ? [{ kind, name, prefix, implicit: false, origin: network.origin, at: path }] : [];
    });
    if (written.length > 0 || row === undefined || found.some(({ value }) => value === UNKNOWN))
      return written;
    const implicit = implicitRangeOf(row);
    return [
      {
        kind: "implicit" as const,
        name: implicit.name,
        prefix: readPrefix(implicit.cidr)!,
        implicit: true,
        row: implicit,
        origin: network.origin,
        at: paths[0]!,
      },
    ];
  });
}

/** Ranges that are not known yet, and that may collide. */
export function unknownRanges(judged: JudgedResources): UnknownValue[] {
  const { clusters, vpcs, connections } = judged;
  const inClusters = clusters.flatMap((cluster) => {
    const { topology, sources, partial } = cluster;
    const said = RANGE_PROPERTIES.filter((property) => topology && isUnknown(topology, property)).flatMap(
      (property) => {
        const { holder, path } = cluster.locate(property);
        return holder ? [{ resource: holder, path }] : [];
      },
    );
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
    return [...said, ...existing];
  });
  const relevant = clusters.length > 0;
  return [
    ...inClusters,
    ...(relevant ? [...vpcs.values()].flatMap(({ unknown }) => unknown) : []),
    ...(relevant ? connections.unknown : []),
  ];
}

const RANGE_PROPERTIES = [
  "machineNetwork",
  "clusterNetwork",
  "serviceNetwork",
  ...internalSubnetProperties,
  "infrastructureCidrs",
];
