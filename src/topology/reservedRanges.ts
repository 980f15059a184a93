import {
  enclosedBy,
  everyOverlap,
  firstShared,
  heaviestOverlaps,
  overlap,
  prefixOf,
  readPrefix,
} from "../address";
import { MOST_LISTED } from "../collections";
import {
  containerEngineRanges,
  type ImplicitRange,
  implicitRanges,
  notPublic,
  privateSpaces,
  type NetworkKind,
} from "../requirements/implicitRanges";
import {
  internalSubnetProperties,
  type InternalSubnetProperty,
  internalSubnets,
} from "../requirements/internalSubnets";
import { compareReleases, releaseWithin } from "../requirements/release";
import { NetworkType, Platform } from "../requirements/vocabulary";
import { entryPaths, isUnknown, type NormalizedTopology } from "./normalizedTopology";
import { API_SERVER_ADDRESS, type RangeKind, type ReservedRange, statedRanges } from "./statedRanges";

export type { RangeKind, ReservedRange };

/** Every range of a hosted cluster, explicit and implicit, of the networks around it and of the hosts that it talks to. */
export function reservedRanges(topology: NormalizedTopology): ReservedRange[] {
  return [...explicitRanges(topology), ...implicitRangesOf(topology), ...statedRanges(topology)];
}

/** The names of the networks in findings and maps. */
export const networkNames: Readonly<Record<NetworkKind, string>> = {
  machineNetwork: "machine network",
  clusterNetwork: "cluster network",
  serviceNetwork: "service network",
};

/** The ranges that users choose for a hosted cluster: maps show them, and fleets plan them. */
export const chosenKinds = [
  "machineNetwork",
  "clusterNetwork",
  "serviceNetwork",
  "internalJoinSubnet",
  "internalTransitSwitchSubnet",
] as const;
export type ChosenKind = (typeof chosenKinds)[number];

/** The names of the chosen ranges in tables. */
export const chosenNames: Readonly<Record<ChosenKind, string>> = {
  ...networkNames,
  internalJoinSubnet: "join subnet",
  internalTransitSwitchSubnet: "transit switch subnet",
};

/** The ranges of one network of a hosted cluster, in written order, or its default. */
export function networkRangesOf(topology: NormalizedTopology, kind: NetworkKind): ReservedRange[] {
  const implicit = topology.defaulted.includes(kind);
  const parts =
    kind === "clusterNetwork" ? topology.clusterNetwork : topology[kind].map((prefix) => ({ prefix }));
  const paths = entryPaths(topology, kind, parts.length);
  return parts.map((part, position) => ({
    name: `the ${implicit ? "default " : ""}${networkNames[kind]}`,
    kind,
    ...part,
    path: implicit ? kind : `${paths[position]}.cidr`,
    implicit,
  }));
}

function explicitRanges(topology: NormalizedTopology): ReservedRange[] {
  const paths = entryPaths(topology, "infrastructureCidrs", topology.infrastructureCidrs.length);
  return [
    ...networkRangesOf(topology, "machineNetwork"),
    ...networkRangesOf(topology, "clusterNetwork"),
    ...networkRangesOf(topology, "serviceNetwork"),
    ...internalSubnetProperties.flatMap((kind) => internalRange(topology, kind)),
    ...advertisedAddress(topology),
    ...topology.infrastructureCidrs.map(({ name, prefix }, position) => ({
      name: `infrastructure network ${name}`,
      kind: "infrastructure" as const,
      prefix,
      path: `${paths[position]}.cidr`,
      implicit: false,
    })),
  ];
}

/** Cluster and service networks that the user wrote with public addresses: pods cannot reach the owners of these addresses. */
export const publicNetworks = (topology: NormalizedTopology): ReservedRange[] =>
  explicitRanges(topology).filter(
    ({ kind, implicit, prefix }) =>
      (kind === "clusterNetwork" || kind === "serviceNetwork") && !implicit && !isNotPublic(prefix),
  );

export const PUBLIC_BREAKS = "pods cannot reach the Internet hosts that have these addresses";
export const PUBLIC_FIX = `write private addresses (${privateSpaces.join(", ")})`;

const isNotPublic = enclosedBy(notPublic.map((cidr) => readPrefix(cidr)!));

function internalRange(topology: NormalizedTopology, kind: InternalSubnetProperty): ReservedRange[] {
  const prefix = topology[kind];
  return prefix ? [{ name: internalSubnets[kind].name, kind, prefix, path: kind, implicit: false }] : [];
}

function advertisedAddress({ advertiseAddress }: NormalizedTopology): ReservedRange[] {
  if (!advertiseAddress) return [];
  const name = "the address at which nodes reach the API server";
  const prefix = prefixOf(advertiseAddress);
  return [{ name, kind: "advertiseAddress", prefix, path: "advertiseAddress", implicit: false }];
}

/** The ranges that the cluster uses although the user did not write them. */
const implicitRangesOf = (topology: NormalizedTopology): ReservedRange[] =>
  rowsFor(topology, implicitRanges)
    .filter((row) => !row.releases || !topology.release || releaseWithin(topology.release, row.releases))
    .map(ofRow);

/** The ranges that the cluster will use after an upgrade, and does not use today. */
export const upcomingRanges = (topology: NormalizedTopology): ReservedRange[] =>
  rowsFor(topology, implicitRanges)
    .filter(
      ({ releases, newClustersOnly }) =>
        topology.release &&
        releases?.from &&
        !newClustersOnly &&
        compareReleases(topology.release, releases.from) < 0,
    )
    .map(ofRow);

/** The ranges that machines with a container engine use in addition to those of the cluster. */
export const containerEngines = (topology: NormalizedTopology): ReservedRange[] =>
  rowsFor(topology, containerEngineRanges).map(ofRow);

function rowsFor(topology: NormalizedTopology, rows: readonly ImplicitRange[]): ImplicitRange[] {
  // A conflict with the ranges of a type that is not known yet is not certain.
  const isOvn = topology.networkType === NetworkType.OVNKubernetes && !isUnknown(topology, "networkType");
  const families = new Set(topology.clusterNetwork.map(({ prefix }) => prefix.family));
  if (families.size === 0) families.add(4); // A cluster network that is not known yet is most likely IPv4.
  return rows
    .filter((row) => families.has(row.family) && row.platforms.includes(topology.platform))
    .filter((row) => !row.ovnOnly || isOvn)
    .filter((row) => !isReplaced(topology, row));
}

const ofRow = (row: ImplicitRange): ReservedRange => ({
  name: row.name,
  kind: "implicit",
  prefix: readPrefix(row.cidr)!,
  ...(row.replacedBy && { path: row.replacedBy[0] }),
  implicit: true,
  row,
});

function isReplaced(topology: NormalizedTopology, { replacedBy = [], family }: ImplicitRange): boolean {
  return replacedBy.some((property) => {
    switch (property) {
      case "clusterNetwork":
      case "serviceNetwork":
        return true; // They are among the explicit ranges, with the default if none is stated.
      case "advertiseAddress":
        return topology.advertiseAddress?.family === family || isUnknown(topology, property);
      default:
        return topology[property] !== undefined || isUnknown(topology, property);
    }
  });
}

/** Two ranges that share addresses and must not. */
export interface RangeConflict {
  /** The range to move: an internal subnet, otherwise a range that the user wrote. */
  range: ReservedRange;
  other: ReservedRange;
  /** The first shared address. */
  witness: string;
  /** Which component refuses the cluster because of it; if absent, none refuses it, and traffic is lost. */
  refusedBy?: "HyperShift" | "OVN-Kubernetes";
  /** True if one range contains the other and only some of its addresses are meant: the overlap may be harmless. */
  isDoubtful: boolean;
  /** On the last conflict of many: how many further pairs of written ranges share addresses. */
  further?: number;
}

const movable: ReadonlySet<RangeKind> = new Set(internalSubnetProperties);

/** The ranges that HyperShift compares with each other. */
const compared: ReadonlySet<RangeKind> = new Set([
  "machineNetwork",
  "clusterNetwork",
  "serviceNetwork",
  "advertiseAddress",
  ...movable,
]);

/**
 * The conflicts among the ranges of a hosted cluster and with the networks around it.
 *
 * @param most how many pairs of written ranges are listed at most: those that share most addresses
 */
export function overlapsOf(topology: NormalizedTopology, most = MOST_LISTED): RangeConflict[] {
  const { pairs, further } = rangePairs(reservedRanges(topology), most);
  return withFurther(
    pairs.flatMap(([a, b]) => conflictOf(topology, a, b)),
    further,
  );
}

/** The message for pairs that are not listed. */
export const furtherPairs = (further: number): string =>
  `${further} further ${further === 1 ? "pair of ranges shares" : "pairs of ranges share"} addresses, but not more than the listed pairs`;

/** Adds the number of conflicts that are not listed to the last conflict of written ranges. */
export function withFurther<
  Range extends { implicit: boolean },
  Conflict extends { range: Range; other: Range },
>(conflicts: readonly Conflict[], further: number): (Conflict & { further?: number })[] {
  const last = conflicts.findLast(({ range, other }) => !range.implicit && !other.implicit);
  return conflicts.map((conflict) =>
    further > 0 && conflict === last ? { ...conflict, further } : conflict,
  );
}

/**
 * Pairs of ranges that share addresses, each once and in order, without pairs of two ranges around the cluster. Pairs of
 * written ranges can be as many as their number squared: lists `most` of them at most, with the number of the others.
 */
export function rangePairs<Range extends ReservedRange>(
  ranges: readonly Range[],
  most = MOST_LISTED,
): { pairs: [Range, Range][]; further: number } {
  const position = new Map(ranges.map((range, index) => [range, index]));
  const inOrder = (a: Range, b: Range) => position.get(a)! - position.get(b)!;
  const written = ranges.filter(({ implicit }) => !implicit);
  const { pairs, further } = heaviestOverlaps(written, most, isAround);
  const withDefaults = everyOverlap(ranges, ({ implicit }) => !implicit);
  return {
    pairs: [...pairs, ...withDefaults]
      .map(({ outer, inner }) => [outer, inner].sort(inOrder) as [Range, Range])
      .sort(([a, b], [c, d]) => inOrder(a, c) || inOrder(b, d)),
    further,
  };
}

function conflictOf(topology: NormalizedTopology, a: ReservedRange, b: ReservedRange): RangeConflict[] {
  const shared = sharedAddresses(a, b);
  if (!shared) return [];
  const [range, other] = reluctance(a) <= reluctance(b) ? [a, b] : [b, a];
  const refusedBy = whoRefuses(topology, a, b);
  return [{ range, other, ...shared, ...(refusedBy && { refusedBy }) }];
}

/** What two ranges that must not overlap share: the first address, and whether that may be harmless. Undefined if there is no conflict. */
export function sharedAddresses(
  a: ReservedRange,
  b: ReservedRange,
): Pick<RangeConflict, "witness" | "isDoubtful"> | undefined {
  if (mayOverlap(a, b) || !overlap(a.prefix, b.prefix)) return undefined;
  const holdsWhole = (one: ReservedRange, inner: ReservedRange) =>
    one.meansSome === true && one.prefix.length < inner.prefix.length;
  return {
    witness: firstShared(a.prefix, b.prefix),
    isDoubtful: holdsWhole(a, b) || holdsWhole(b, a),
  };
}

/** How hard it is to move a range: internal subnets can change on a running cluster, defaults cannot. */
function reluctance({ kind, implicit }: ReservedRange): number {
  if (implicit) return 2;
  if (kind === "dialled") return 0; // A single address is the easiest to move.
  return movable.has(kind) || kind === "advertiseAddress" ? 0 : 1;
}

const AROUND: ReadonlySet<RangeKind> = new Set(["infrastructure", "surrounding", "dialled"]);

/** Whether a range belongs to a network around the cluster or to a host that it talks to, and not to the cluster. */
export const isAround = ({ kind }: ReservedRange): boolean => AROUND.has(kind);

/** Whether two ranges may share addresses: ranges outside the cluster, ranges that never leave a node, and machines in networks around. */
export function mayOverlap(a: ReservedRange, b: ReservedRange): boolean {
  if (a.kind === "implicit" && b.kind === "implicit") return true;
  if (isAround(a) && isAround(b)) return true;
  return mayStandIn(a, b) || mayStandIn(b, a);
}

function mayStandIn(around: ReservedRange, { kind, row }: ReservedRange): boolean {
  if (!isAround(around)) return false;
  if (row?.nodeLocal && around.kind !== "dialled") return true;
  const isMachines = kind === "machineNetwork" || kind === "advertiseAddress";
  if (isMachines && around.kind !== "infrastructure") return true;
  // HyperShift refuses an API server's address in the service network: `normalizeTopology` reports that.
  return kind === "serviceNetwork" && around.path === API_SERVER_ADDRESS;
}

function whoRefuses(
  topology: NormalizedTopology,
  a: ReservedRange,
  b: ReservedRange,
): RangeConflict["refusedBy"] {
  // HyperShift compares no networks on IBM Cloud.
  const hyperShift = topology.platform === Platform.IBMCloud ? undefined : "HyperShift";
  const kinds = [a.kind, b.kind];
  const row = a.row ?? b.row;
  if (row) {
    const against: readonly RangeKind[] = row.checkedBy?.against ?? [];
    if (!kinds.some((kind) => against.includes(kind))) return undefined;
    return row.checkedBy?.who === "HyperShift" ? hyperShift : row.checkedBy?.who;
  }
  return kinds.every((kind) => compared.has(kind)) ? hyperShift : undefined;
}

/** Whether a conflict makes a topology impossible: an upstream component refuses it, or it involves a stated internal subnet. */
export function isFault({ range, other, refusedBy, isDoubtful }: RangeConflict): boolean {
  return !isDoubtful && (refusedBy !== undefined || movable.has(range.kind) || movable.has(other.kind));
}
