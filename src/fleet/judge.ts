import { at, HYPERSHIFT, OKD_NETWORKING } from "../requirements/documents";
import {
  type Judgement,
  Level,
  type ListedRule,
  type Rule,
  unknown,
  violated,
  violatedBy,
} from "../gate/rule";
import { isAddressPlan } from "../resources/resourceTypes";
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

/** A range, which may belong to a cluster. */
export interface OwnedRange {
  /** The cluster that has it. Undefined: it belongs to no cluster of the fleet. */
  entry?: LedgerEntry;
  range?: LedgerRange;
  /** As the subject of a sentence: `the machine network of clusters/tenant-a`. */
  name: string;
  prefix: Prefix;
}

/** Two ranges that share addresses and must not. */
export interface FleetConflict {
  /** The range to move. */
  range: OwnedRange & { entry: LedgerEntry; range: LedgerRange };
  other: OwnedRange;
  /** The first address that is in both. */
  witness: string;
}

/** Whether the inputs show that a cluster is deployed. */
export type IsDeployed = (entry: LedgerEntry) => boolean;

/**
 * The conflicts of clusters' ranges with each other, with networks around them, and with what each cluster uses by default. Each
 * conflicting range is in one of the results, together with the nearest range that it shares addresses with.
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

/** The ranges of all entries, with reused ranges only once: thousands of clusters may have the same range. */
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

/** Whether `a` moves: a cluster that is not deployed yet moves, else the later one by name. */
function isFirstToMove(a: OwnedRange, b: OwnedRange, isDeployed: IsDeployed): boolean {
  if (!a.entry || !b.entry) return a.entry !== undefined;
  const [one, other] = [isDeployed(a.entry), isDeployed(b.entry)];
  return one === other ? keyOfCluster(a.entry) > keyOfCluster(b.entry) : other;
}

/** The conflicts of a cluster's ranges with those that it uses by default. */
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

/** The readable files of a ledger, one per cluster. */
interface Ledger {
  entries: LedgerEntry[];
  /** The file of each cluster, by its key. */
  files: Map<string, Resource>;
  judgements: Judgement[];
}

/** Judges the files of a ledger against each other and against the HostedClusters of the inputs. */
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

/** Reads the files of a ledger. Of two files of one cluster, the first by place counts, in whatever order they are read. */
function readLedger(files: readonly Resource[]): Ledger {
  const ledger: Ledger = { entries: [], files: new Map(), judgements: [] };
  for (const file of [...files].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))) {
    // An unknown value decides which ranges the cluster has, so the file is not judged further.
    const [place] = unknownPlaces(file.properties);
    if (place !== undefined) {
      ledger.judgements.push(unknown({ resource: file, path: place }));
      continue;
    }
    const { entry, faults } = readLedgerEntry(file.properties);
    for (const fault of faults)
      ledger.judgements.push(violatedBy(file, fault, { message: `is not read: ${fault.problem}` }));
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
    message: `${cluster} already has a file: ${first.origin.file ?? first.name}`,
    fix: "delete the file whose ranges differ from those of its HostedCluster, or either file if there is no HostedCluster yet",
    cluster,
  });

/** The findings for a HostedCluster whose ranges differ from its file. */
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
        fix: "delete the file; plan --fleet --write then adopts the ranges of the cluster",
        cluster,
      }),
    ];
  });

/** The finding for two colliding ranges, at the one to move, or at the other one if the one to move is in no file. */
function collision(
  { range, other, witness }: FleetConflict,
  ledger: Ledger,
  withoutFile: ReadonlySet<LedgerEntry>,
  isDeployed: (entry: LedgerEntry) => boolean,
): Judgement[] {
  const [named, against] = withoutFile.has(range.entry) ? [other, range] : [range, other];
  if (!named.entry || !named.range || withoutFile.has(named.entry)) return [];
  const isThere = isDeployed(named.entry);
  // Overlaps of a deployed cluster with its own default ranges are reported for its object.
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
        ? `both clusters are deployed: do not connect anything to ${cluster}, or create it again with other ranges`
        : `${cluster} has no HostedCluster in the input: delete its file, and plan it again with plan --fleet --write`,
      cluster,
    }),
  ];
}

/** Two clusters of a fleet were given the same addresses, or a cluster has other addresses than it was given. */
export const addressPlanConflict: Rule = {
  id: "address-plan-conflict",
  title: "Address plans of a fleet collide",
  level: Level.Error,
  description:
    "Reports conflicts among the files of a fleet's ledger, which `plan --fleet --write` writes: two clusters whose ranges share addresses (two branches can plan them and merge without a conflict), two files for one cluster, a HostedCluster whose ranges differ from its file, and ranges that overlap those of a HostedCluster without a file.",
  details: [
    "Of two clusters, the finding names the one without a HostedCluster in the input, otherwise the later one by name.",
    "Ranges that the fleet reuses may be the same in several of its clusters.",
  ],
  documents: [
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.networking"),
  ],
  remediation:
    "Delete the file of the cluster that does not exist yet, and plan it again with plan --fleet --write.",
  judge: (judged) => {
    const files = judged.ofKind(isAddressPlan);
    return files.length === 0 ? [] : judgeLedger(files, judged);
  },
};

const plan = (name: string, cidr: string) => `
apiVersion: hypershift-network/v1
kind: AddressPlan
metadata: { name: ${name}, namespace: clusters }
spec:
  platform: AWS
  machineNetwork: [{ cidr: ${cidr} }]
`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const fleetRules: readonly ListedRule[] = [
  {
    rule: addressPlanConflict,
    violated: `${plan("tenant-b", "10.64.0.0/24")}---${plan("tenant-c", "10.64.0.0/24")}`,
    mended: `${plan("tenant-b", "10.64.0.0/24")}---${plan("tenant-c", "10.64.1.0/24")}`,
  },
];
