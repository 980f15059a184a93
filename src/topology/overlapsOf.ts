import { everyOverlap } from "../address";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import { Platform } from "../requirements/vocabulary";
import type { NormalizedTopology } from "./normalizedTopology";
import { reservedRanges } from "./reservedRanges";
import type { RangeKind, ReservedRange } from "./reservedRanges";

/** Two ranges that share addresses and must not. */
export interface RangeConflict {
  /** The range to move: an internal subnet, else one that the user wrote. */
  range: ReservedRange;
  other: ReservedRange;
  /** The first address that both have. */
  witness: string;
  /** Who refuses the cluster because of it; absent: nothing refuses it, and traffic is lost. */
  refusedBy?: "HyperShift" | "OVN-Kubernetes";
}

const internalSubnets: ReadonlySet<RangeKind> = new Set(internalSubnetProperties);

/** What HyperShift compares with each other. */
const compared: ReadonlySet<RangeKind> = new Set([
  "machineNetwork",
  "clusterNetwork",
  "serviceNetwork",
  "advertiseAddress",
  ...internalSubnets,
]);

/** The conflicts among the ranges of a hosted cluster and with the networks around it. */
export function overlapsOf(topology: NormalizedTopology): RangeConflict[] {
  return rangePairs(reservedRanges(topology)).flatMap(([a, b]) => conflictOf(topology, a, b));
}

/** Ranges that share addresses, each pair once and in their order; of those around the cluster none with another one. */
export function rangePairs<Range extends ReservedRange>(ranges: readonly Range[]): [Range, Range][] {
  const position = new Map(ranges.map((range, index) => [range, index]));
  const inOrder = (a: Range, b: Range) => position.get(a)! - position.get(b)!;
  return everyOverlap(ranges, ({ kind }) => kind === "infrastructure")
    .map(({ outer, inner }) => [outer, inner].sort(inOrder) as [Range, Range])
    .sort(([a, b], [c, d]) => inOrder(a, c) || inOrder(b, d));
}

function conflictOf(topology: NormalizedTopology, a: ReservedRange, b: ReservedRange): RangeConflict[] {
  if (mayOverlap(a, b)) return [];
  const [range, other] = reluctance(a) <= reluctance(b) ? [a, b] : [b, a];
  const witness = a.prefix.start > b.prefix.start ? a.prefix.first() : b.prefix.first();
  const refusedBy = whoRefuses(topology, a, b);
  return [{ range, other, witness, ...(refusedBy && { refusedBy }) }];
}

/** How hard it is to move a range: internal subnets can change on a running cluster, defaults cannot. */
function reluctance({ kind, implicit }: ReservedRange): number {
  if (implicit) return 2;
  return internalSubnets.has(kind) || kind === "advertiseAddress" ? 0 : 1;
}

/** Whether two ranges may share addresses: what is not the cluster's, and what never leaves a node. */
export function mayOverlap(a: ReservedRange, b: ReservedRange): boolean {
  const foreign = (range: ReservedRange) => range.kind === "infrastructure";
  const nodeLocal = (range: ReservedRange) => range.row?.nodeLocal ?? false;
  if (a.kind === "implicit" && b.kind === "implicit") return true;
  if (foreign(a) && foreign(b)) return true;
  return (foreign(a) && nodeLocal(b)) || (foreign(b) && nodeLocal(a));
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

/** Whether a conflict makes a topology impossible: upstream refuses it, or it takes an internal subnet that the user chose. */
export function isFault({ range, other, refusedBy }: RangeConflict): boolean {
  return refusedBy !== undefined || internalSubnets.has(range.kind) || internalSubnets.has(other.kind);
}
