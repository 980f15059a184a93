import { type Judgement, unknown, violated } from "../gate/finding";
import type { JudgedResources } from "../gate/judgedResources";
import { unknownPlaces } from "../resources/read";
import type { Resource } from "../resources/resource";
import { deployedClusters, deployments, differing, ReservedRanges } from "./deployed";
import { keyOfCluster, byKey } from "./document";
import { type LedgerEntry, placeOfRange, readLedgerEntry, type LedgerRange } from "./ledger";
import { kindName } from "./fleet";
import { chosenKinds } from "../topology/reservedRanges";
import { firstShared, overlap, overlaps, type Prefix } from "../address";
import type { NamedNetwork } from "../topology/normalizedTopology";

/** A range of a cluster, or of no cluster. */
export interface OwnedRange {
  /** The cluster that has it. Absent: it is not one of the fleet's. */
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
  const reserved = new ReservedRanges();
  return [
    ...overlaps(ranges, mayShare).map(({ outer, inner }) => conflict(outer, inner, isDeployed)),
    ...entries.flatMap((entry) => withReserved(entry, reserved)),
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
function withReserved(entry: LedgerEntry, reserved: ReservedRanges): FleetConflict[] {
  const { now } = reserved.ofEntry(entry);
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

/** The files of a ledger that can be read, one for each cluster. */
interface Ledger {
  entries: LedgerEntry[];
  /** The file of each cluster, by its key. */
  files: Map<string, Resource>;
  judgements: Judgement[];
}

/** Judges the files of a ledger, among themselves and beside the HostedClusters of the inputs. */
export function judgeLedger(files: readonly Resource[], { clusters }: JudgedResources): Judgement[] {
  const ledger = readLedger(files);
  const deployed = deployedClusters(clusters);
  const there = deployments(ledger.entries, deployed);
  const withFile = new Set([...there.values()].map(({ entry }) => entry));
  const withoutFile = new Set(deployed.flatMap(({ entry }) => (withFile.has(entry) ? [] : [entry])));
  const isDeployed = (entry: LedgerEntry) => withoutFile.has(entry) || there.has(entry);
  return [
    ...ledger.judgements,
    ...[...there].flatMap(([entry, one]) => differences(entry, one.entry, fileOf(ledger, entry))),
    ...conflictsAmong([...ledger.entries, ...withoutFile], [], isDeployed).flatMap((conflict) =>
      collision(conflict, ledger, withoutFile, isDeployed),
    ),
  ];
}

const fileOf = ({ files }: Ledger, entry: LedgerEntry): Resource["origin"] =>
  files.get(keyOfCluster(entry))!.origin;

/** Of two files of a cluster the first one by its place counts, whatever the order in which they are read. */
function readLedger(files: readonly Resource[]): Ledger {
  const ledger: Ledger = { entries: [], files: new Map(), judgements: [] };
  for (const file of [...files].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))) {
    // What is not known decides which ranges the cluster has: nothing is said of the others.
    const [place] = unknownPlaces(file.properties);
    if (place !== undefined) {
      ledger.judgements.push(unknown({ resource: file, path: place }));
      continue;
    }
    const { entry, faults } = readLedgerEntry(file.properties);
    for (const { path, problem, remedy } of faults)
      ledger.judgements.push(
        violated({ resource: file.origin, path, message: `is not read: ${problem}`, fix: remedy }),
      );
    if (!entry) continue;
    const key = keyOfCluster(entry);
    const first = ledger.files.get(key);
    if (first) ledger.judgements.push(secondFile(key, file, first));
    else {
      ledger.files.set(key, file);
      ledger.entries.push(entry);
    }
  }
  return ledger;
}

const placeOf = ({ origin: { file = "", line = 0 }, name }: Resource): string =>
  `${file} ${String(line).padStart(9, "0")} ${name}`;

const secondFile = (cluster: string, { origin }: Resource, first: Resource): Judgement =>
  violated({
    resource: origin,
    path: "metadata.name",
    message: `${cluster} has a file already: ${first.origin.file ?? first.name}`,
    fix: "delete the one that says other ranges than its HostedCluster, or either where there is none yet",
    cluster,
  });

/** Where a HostedCluster has other ranges than its file. */
const differences = (
  planned: LedgerEntry,
  deployed: LedgerEntry,
  resource: Resource["origin"],
): Judgement[] =>
  chosenKinds.flatMap((kind) => {
    const found = differing(planned, deployed, kind);
    const range = planned.ranges.find((one) => one.kind === kind);
    if (!found || !range) return [];
    const cluster = keyOfCluster(planned);
    return [
      violated({
        resource,
        path: placeOfRange(planned, range),
        message: `${kindName[kind]} of ${cluster} is ${found.planned.join(", ")} here, and its HostedCluster has ${found.deployed.join(", ")}`,
        fix: "delete the file, and plan --fleet --write adopts the ranges that the cluster has",
        cluster,
      }),
    ];
  });

/** What is said of two ranges, at the one to move; what has no file is no range of the ledger. */
function collision(
  { range, other, witness }: FleetConflict,
  ledger: Ledger,
  withoutFile: ReadonlySet<LedgerEntry>,
  isDeployed: (entry: LedgerEntry) => boolean,
): Judgement[] {
  const [named, against] = withoutFile.has(range.entry) ? [other, range] : [range, other];
  if (!named.entry || !named.range || withoutFile.has(named.entry)) return [];
  const isThere = isDeployed(named.entry);
  // What a cluster that is there has in common with its own default ranges is said where its object is judged.
  if (!against.entry && isThere) return [];
  const cluster = keyOfCluster(named.entry);
  const isBeside = against.entry !== undefined && isDeployed(against.entry) && !isThere;
  return [
    violated({
      resource: fileOf(ledger, named.entry),
      path: placeOfRange(named.entry, named.range),
      message: `${named.name} ${named.prefix.text} shares addresses with ${against.name} ${against.prefix.text}${isBeside ? ", which is deployed" : ""}`,
      witness: `${witness} is in both`,
      fix: isThere
        ? `both clusters are deployed: connect nothing with ${cluster}, or make it anew with other ranges`
        : `${cluster} has no HostedCluster here: delete its file, and plan it anew with plan --fleet --write`,
      cluster,
    }),
  ];
}
