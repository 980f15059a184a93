import { firstShared, overlap, overlaps, type Prefix } from "../address";
import type { NamedNetwork } from "../topology/normalizedTopology";
import { byKey, keyOfCluster } from "./document";
import { kindName } from "./fleet";
import type { LedgerEntry, LedgerRange } from "./ledger";
import { reservedOfEntry } from "./taken";

/** A range of a cluster, or of no cluster. */
export interface OwnedRange {
  /** The cluster that has it. Absent: it is none of the fleet's. */
  entry?: LedgerEntry;
  range?: LedgerRange;
  /** As the subject of a sentence: `the machine network of clusters/tenant-a`. */
  name: string;
  prefix: Prefix;
}

/** Two ranges that share addresses and must not. */
export interface FleetConflict {
  /** The one to move. */
  range: OwnedRange & { entry: LedgerEntry; range: LedgerRange };
  other: OwnedRange;
  /** The first address that both have. */
  witness: string;
}

/** Whether a cluster is there already, as far as inputs show it. */
export type IsDeployed = (entry: LedgerEntry) => boolean;

/**
 * The conflicts of clusters' ranges with each other, with networks around, and with what each takes by default. Each range that has
 * some is in one of them: with the nearest of those that it has addresses in common with.
 */
export function conflictsAmong(
  entries: readonly LedgerEntry[],
  around: readonly NamedNetwork[] = [],
  isDeployed: IsDeployed = () => false,
): FleetConflict[] {
  const ranges: OwnedRange[] = [
    ...around.map(({ name, prefix }) => ({ name: `the network ${name}`, prefix })),
    ...rangesOnce(byKey(entries, (entry) => entry)),
  ];
  return [
    ...overlaps(ranges, mayShare).map(({ outer, inner }) => conflict(outer, inner, isDeployed)),
    ...entries.flatMap(withReserved),
  ];
}

/** Thousands of clusters have the same range where they may: it is looked at once. */
function rangesOnce(entries: readonly LedgerEntry[]): OwnedRange[] {
  const seen = new Set<string>();
  const ranges: OwnedRange[] = [];
  for (const entry of entries)
    for (const range of entry.ranges) {
      const key = `${range.kind} ${range.prefix.text}`;
      if (range.isReused && seen.has(key)) continue;
      if (range.isReused) seen.add(key);
      ranges.push(owned(entry, range));
    }
  return ranges;
}

/** A range with its cluster. */
const owned = (
  entry: LedgerEntry,
  range: LedgerRange,
): OwnedRange & Pick<FleetConflict["range"], "entry" | "range"> => ({
  entry,
  range,
  name: `${kindName[range.kind]} of ${keyOfCluster(entry)}`,
  prefix: range.prefix,
});

function mayShare(a: OwnedRange, b: OwnedRange): boolean {
  if (!a.entry && !b.entry) return true;
  const isOneKind = a.range?.kind === b.range?.kind;
  return isOneKind && a.range?.isReused === true && b.range?.isReused === true && a.entry !== b.entry;
}

function conflict(a: OwnedRange, b: OwnedRange, isDeployed: IsDeployed): FleetConflict {
  const [range, other] = isFirstToMove(a, b, isDeployed) ? [a, b] : [b, a];
  return { range: range as FleetConflict["range"], other, witness: firstShared(a.prefix, b.prefix) };
}

/** A cluster that is not there yet moves, else the later one by name. */
function isFirstToMove(a: OwnedRange, b: OwnedRange, isDeployed: IsDeployed): boolean {
  if (!a.entry || !b.entry) return a.entry !== undefined;
  const [one, other] = [isDeployed(a.entry), isDeployed(b.entry)];
  return one === other ? keyOfCluster(a.entry) > keyOfCluster(b.entry) : other;
}

/** A cluster's ranges against those that it takes although no user wrote them. */
function withReserved(entry: LedgerEntry): FleetConflict[] {
  const { now } = reservedOfEntry(entry);
  return entry.ranges.flatMap((range) =>
    now
      .filter(({ prefix }) => overlap(range.prefix, prefix))
      .map((other) => ({
        range: owned(entry, range),
        other: { name: `${other.name} of ${keyOfCluster(entry)}`, prefix: other.prefix },
        witness: firstShared(range.prefix, other.prefix),
      })),
  );
}
