import { addressCount, compare, largestFree, merge, readPrefix, type Prefix } from "../address";
import { MOST_LISTED, onceForEach } from "../collections";
import { privateSpaces } from "../requirements/implicitRanges";
import { LIMIT } from "../requirements/limits";
import { internalSubnets } from "../requirements/internalSubnets";
import { hasRoomForNodes, maximumNodes } from "./normalize/ovnSubnets";
import type { NormalizedTopology } from "./normalizedTopology";
import { isAround, type ReservedRange, reservedRanges, upcomingRanges } from "./reservedRanges";
import { machineRoom } from "./addressBlocks";

/** The address ranges of a hosted cluster, as plain data. */
export interface AddressPlan {
  /** `namespace/name` */
  cluster: string;
  ranges: PlannedRange[];
  /** The number of networks around the cluster that are not listed because they are smaller. Absent if there are none. */
  furtherAround?: number;
  overlaps: PlannedOverlap[];
  /** The number of overlapping pairs that are not listed because they share fewer addresses. Absent if there are none. */
  furtherOverlaps?: number;
  free: { space: string; largest?: string }[];
}

/** Two ranges that share addresses and must not. */
export interface PlannedOverlap {
  /** Name and block. */
  range: string;
  other: string;
  /** The first shared address. */
  witness: string;
  /** The level at which the gate reports it. Note: nothing in the plan connects the two ranges. */
  level: "error" | "warning" | "note";
}

/** One address range. */
export interface PlannedRange {
  name: string;
  cidr: string;
  /** `written`: stated. `default`: not stated. `upcoming`: a later release uses it. `around`: a network outside the cluster. */
  origin: "written" | "default" | "upcoming" | "around";
  first: string;
  last: string;
  /** The number of addresses, in digits: JSON numbers cannot hold it for IPv6. */
  addresses: string;
  /** What fits into the range: nodes, pods of each, services. */
  capacity?: string;
  /** The property that replaces a default range. */
  setBy?: string;
}

/** A network outside the cluster, for example a VPC of the plan. */
export interface NetworkAround {
  name: string;
  prefix: Prefix;
}

/** A conflict of a cluster's ranges with each other or with networks around it. */
export interface FoundOverlap extends Pick<PlannedOverlap, "witness" | "level"> {
  range: NetworkAround;
  other: NetworkAround;
  /** On the last conflict of many: the number of further ones. */
  further?: number;
}

/** Lists the explicit and implicit ranges of a hosted cluster, what fits into them, what overlaps and what is free. */
export function addressPlan(
  topology: NormalizedTopology,
  around: readonly NetworkAround[] = [],
  overlaps: readonly FoundOverlap[] = [],
): AddressPlan {
  const { namespace, name } = topology;
  const ranges = reservedRanges(topology);
  const networks = networksOf(around);
  const own = [...ranges, ...upcomingRanges(topology)].map(({ prefix }) => prefix);
  const used = [...own, ...networks.merged];
  const further = overlaps.find((one) => one.further !== undefined)?.further;
  const families = new Set(used.map(({ family }) => family));
  return {
    cluster: `${namespace}/${name}`,
    ranges: [
      ...ranges.map((range) => planned(topology, range, originOf(range))),
      ...upcomingRanges(topology).map((range) => planned(topology, range, "upcoming")),
      ...networks.listed,
    ].sort(byAddress),
    ...(networks.further > 0 && { furtherAround: networks.further }),
    overlaps: overlaps.map(({ range, other, witness, level }) => ({
      range: `${range.name} ${range.prefix.text}`,
      other: `${other.name} ${other.prefix.text}`,
      witness,
      level,
    })),
    ...(further !== undefined && { furtherOverlaps: further }),
    free: privateSpaces
      .map((space) => readPrefix(space)!)
      .filter(({ family }) => families.has(family))
      .map((space) => {
        const largest = largestFree(space, used);
        return { space: space.text, ...(largest && { largest: largest.text }) };
      }),
  };
}

/** All clusters of a plan share one list of networks, so it is computed once, and only its largest networks are listed. */
const networksOf = onceForEach((around: readonly NetworkAround[]) => {
  const weighed = around.map((network) => ({ network, weight: addressCount(network.prefix) }));
  const heaviest = weighed.sort((a, b) => (a.weight > b.weight ? -1 : a.weight < b.weight ? 1 : 0));
  return {
    listed: heaviest.slice(0, MOST_LISTED).map(({ network }) => described(network, "around")),
    further: Math.max(0, around.length - MOST_LISTED),
    merged: merge(around.map(({ prefix }) => prefix)),
  };
});

function originOf(range: ReservedRange): PlannedRange["origin"] {
  if (isAround(range)) return "around";
  return range.implicit ? "default" : "written";
}

const described = ({ name, prefix }: NetworkAround, origin: PlannedRange["origin"]): PlannedRange => ({
  name,
  cidr: prefix.text,
  origin,
  first: prefix.first(),
  last: prefix.last(),
  addresses: addressCount(prefix).toString(),
});

function planned(
  topology: NormalizedTopology,
  range: ReservedRange,
  origin: PlannedRange["origin"],
): PlannedRange {
  const capacity = capacityOf(topology, range);
  return {
    ...described(range, origin),
    ...(capacity !== undefined && { capacity }),
    ...(range.implicit && range.path !== undefined && { setBy: range.path }),
  };
}

function capacityOf(
  { clusterNetwork, platform }: NormalizedTopology,
  { kind, prefix, row }: ReservedRange,
): string | undefined {
  const { family } = prefix;
  const nodes = maximumNodes(clusterNetwork, family);
  if (kind === "clusterNetwork") {
    const entry = clusterNetwork.find(({ prefix: own }) => own.text === prefix.text);
    if (!entry) return undefined;
    const parts = maximumNodes([entry], family);
    const pods = 2 ** (32 - entry.hostPrefix) - LIMIT.nodePartReservedAddresses;
    return `${parts} nodes, /${entry.hostPrefix} each${family === 4 ? ` with ${Math.max(0, pods)} pods` : ""}`;
  }
  if (kind === "serviceNetwork") return `${addressCount(prefix) - 1n} services`;
  if (kind === "machineNetwork") return `${machineRoom(prefix, platform)} machines at most`;
  const isInternal =
    kind in internalSubnets || (row?.replacedBy ?? []).some((property) => property in internalSubnets);
  if (!isInternal || nodes === 0n) return undefined;
  return `${hasRoomForNodes(prefix, nodes) ? "room" : "no room"} for the ${nodes} nodes of the cluster network`;
}

/** By family, then by address, wider ranges first. */
const byAddress = (a: PlannedRange, b: PlannedRange): number =>
  compare(readPrefix(a.cidr)!, readPrefix(b.cidr)!);
