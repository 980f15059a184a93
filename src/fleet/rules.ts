import { type Judgement, Level, type Rule, violated } from "../gate/rule";
import type { JudgedResources } from "../gate/judgedResources";
import { at, D0, HYPERSHIFT } from "../requirements/documents";
import type { Resource } from "../resources/resource";
import { isAddressPlan } from "../resources/resourceTypes";
import { conflictsAmong } from "./conflicts";
import { deployedClusters, deployments, differing } from "./deployed";
import { keyOfCluster } from "./document";
import { kindName, plannedKinds } from "./fleet";
import { type LedgerEntry, placeOfRange, readLedgerEntry } from "./ledger";

/** Two clusters of a fleet were given the same addresses, or one has others than it was given. */
export const addressPlanConflict: Rule = {
  id: "address-plan-conflict",
  title: "Address plans of a fleet collide",
  level: Level.Error,
  description:
    "The files of a fleet's ledger, which `plan --fleet --write` writes: two clusters whose ranges share addresses, as two branches can plan them that are merged without a conflict, two files of one cluster, a cluster whose HostedCluster has other ranges than its file, and ranges that overlap those of HostedClusters without a file. Of two clusters the one is named that has no HostedCluster among the inputs, else the later one by name. Ranges that the fleet reuses may be those of other clusters of the fleet.",
  documents: [
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.networking"),
  ],
  remediation: "Delete the file of the cluster that is not made yet, and plan it anew: plan --fleet --write.",
  judge: (judged) => {
    const files = judged.ofKind(isAddressPlan);
    return files.length === 0 ? [] : judgeLedger(files, judged);
  },
};

function judgeLedger(files: readonly Resource[], { clusters }: JudgedResources): Judgement[] {
  const read = files.map((file) => ({ file, ...readLedgerEntry(file.properties) }));
  const fileOf = new Map<string, Resource>();
  const judgements: Judgement[] = read.flatMap(({ file, faults }) =>
    faults.map(({ path, problem, remedy }) =>
      violated({ resource: file.origin, path, message: `is not read: ${problem}`, fix: remedy }),
    ),
  );
  const entries: LedgerEntry[] = [];
  // One of two files of a cluster counts, whatever the order of files.
  for (const { file, entry } of [...read].sort((a, b) => (placeOf(a.file) < placeOf(b.file) ? -1 : 1))) {
    if (!entry) continue;
    const key = keyOfCluster(entry);
    const first = fileOf.get(key);
    if (first)
      judgements.push(
        violated({
          resource: file.origin,
          path: "metadata.name",
          message: `${key} has a file already: ${first.origin.file ?? first.name}`,
          fix: "delete the one that says other ranges than its HostedCluster, or either where there is none yet",
          cluster: key,
        }),
      );
    else {
      fileOf.set(key, file);
      entries.push(entry);
    }
  }
  const deployed = deployedClusters(clusters);
  const there = deployments(entries, deployed);
  const matched = new Set([...there.values()].map(({ entry }) => entry));
  const others = deployed.flatMap(({ entry }) => (matched.has(entry) ? [] : [entry]));
  for (const entry of entries) {
    const origin = fileOf.get(keyOfCluster(entry))!.origin;
    const one = there.get(entry);
    if (one) judgements.push(...differences(entry, one.entry, origin));
  }
  const isOther = new Set<LedgerEntry>(others);
  const isDeployed = (entry: LedgerEntry) => isOther.has(entry) || there.has(entry);
  const conflicts = conflictsAmong([...entries, ...others], [], isDeployed);
  for (const { range, other, witness } of conflicts) {
    // What has no file is judged as what it is.
    const [named, against] = !isOther.has(range.entry) ? [range, other] : [other, range];
    if (!named.entry || !named.range || isOther.has(named.entry)) continue;
    // What a cluster that is there has in common with its own default ranges is said where its object is judged.
    if (!against.entry && isDeployed(named.entry)) continue;
    const key = keyOfCluster(named.entry);
    judgements.push(
      violated({
        resource: fileOf.get(key)!.origin,
        path: placeOfRange(named.entry, named.range),
        message: `${named.name} ${named.prefix.text} shares addresses with ${against.name} ${against.prefix.text}${against.entry && isDeployed(against.entry) && !isDeployed(named.entry) ? ", which is deployed" : ""}`,
        witness: `${witness} is in both`,
        fix: isDeployed(named.entry)
          ? `both clusters are deployed: connect nothing with ${key}, or make it anew with other ranges`
          : `${key} has no HostedCluster here: delete its file, and plan it anew with plan --fleet --write`,
        cluster: key,
      }),
    );
  }
  return judgements;
}

const placeOf = ({ origin: { file = "", line = 0 }, name }: Resource): string =>
  `${file} ${String(line).padStart(9, "0")} ${name}`;

/** Where a HostedCluster has other ranges than its file. */
const differences = (planned: LedgerEntry, deployed: LedgerEntry, origin: Resource["origin"]): Judgement[] =>
  plannedKinds.flatMap((kind) => {
    const found = differing(planned, deployed, kind);
    const range = planned.ranges.find((one) => one.kind === kind);
    if (!found || !range) return [];
    const key = keyOfCluster(planned);
    return [
      violated({
        resource: origin,
        path: placeOfRange(planned, range),
        message: `${kindName[kind]} of ${key} is ${found.planned.join(", ")} here, and its HostedCluster has ${found.deployed.join(", ")}`,
        fix: "delete the file, and plan --fleet --write adopts the ranges that the cluster has",
        cluster: key,
      }),
    ];
  });
