import { type Judgement, unknown, violated } from "../gate/finding";
import type { JudgedResources } from "../gate/judgedResources";
import { unknownPlaces } from "../resources/read";
import type { Resource } from "../resources/resource";
import { conflictsAmong, type FleetConflict } from "./conflicts";
import { deployedClusters, deployments, differing } from "./deployed";
import { keyOfCluster } from "./document";
import { kindName } from "./fleet";
import { chosenKinds } from "../topology/reservedRanges";
import { type LedgerEntry, placeOfRange, readLedgerEntry } from "./ledger";

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
