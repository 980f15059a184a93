import { append } from "../collections";
import type { JudgedCluster } from "../gate/clusters";
import { formatRelease } from "../requirements/release";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { keyOfCluster } from "./document";
import { isInternal, plannedKinds } from "./fleet";
import { type LedgerEntry, type LedgerRange, Origin } from "./ledger";

/** A hosted cluster that inputs show, with its ranges as the ledger would have them. */
export interface DeployedCluster {
  entry: LedgerEntry;
  cluster: JudgedCluster;
}

/** The hosted clusters that have a HostedCluster among the inputs. Ranges that are not known are none. */
export const deployedClusters = (clusters: readonly JudgedCluster[]): DeployedCluster[] =>
  clusters.flatMap((cluster) => {
    const { topology, isNamed, partial, sources } = cluster;
    if (!topology || !isNamed || partial || !sources.some(({ kind }) => kind === "object")) return [];
    return [{ entry: adopted(topology), cluster }];
  });

function adopted(topology: NormalizedTopology): LedgerEntry {
  const { namespace, name, platform, release } = topology;
  return {
    namespace,
    name,
    platform,
    ...(release && { release: formatRelease(release) }),
    origin: Origin.Adopted,
    ranges: plannedKinds
      .filter((kind) => !isUnknown(topology, kind))
      .flatMap((kind): LedgerRange[] => {
        const isReused = isInternal(kind);
        if (kind === "clusterNetwork")
          return topology.clusterNetwork.map((network) => ({ kind, ...network, isReused }));
        const said = topology[kind];
        const prefixes = said === undefined ? [] : "text" in said ? [said] : said;
        return prefixes.map((prefix) => ({ kind, prefix, isReused }));
      }),
  };
}

/** Which entries of a ledger are there as HostedClusters, by their namespace, name and, where several have these, ranges. */
export function deployments(
  entries: readonly LedgerEntry[],
  deployed: readonly DeployedCluster[],
): ReadonlyMap<LedgerEntry, DeployedCluster> {
  const found = new Map<LedgerEntry, DeployedCluster>();
  const byName = new Map<string, LedgerEntry[]>();
  for (const entry of entries) append(byName, nameOf(entry), [entry]);
  for (const one of deployed) {
    const named = byName.get(keyOfCluster(one.entry)) ?? [];
    const [entry] = named.length > 1 ? named.filter((other) => hasRangesOf(other, one.entry)) : named;
    if (entry) found.set(entry, one);
  }
  return found;
}

/** What a HostedCluster says of itself: not in which management cluster it is. */
const nameOf = ({ namespace, name }: LedgerEntry): string => keyOfCluster({ namespace, name });

/** Whether a cluster has, of each kind that both have, the same ranges. */
const hasRangesOf = (entry: LedgerEntry, other: LedgerEntry): boolean =>
  plannedKinds.every((kind) => differing(entry, other, kind) === undefined);

const textsOf = ({ ranges }: LedgerEntry, kind: LedgerRange["kind"]): string[] =>
  ranges.flatMap((range) => (range.kind === kind ? [range.prefix.text] : []));

/** The ranges of a kind that a cluster has in place of those of the ledger; undefined where they are the same, or not known. */
export function differing(
  planned: LedgerEntry,
  deployed: LedgerEntry,
  kind: LedgerRange["kind"],
): { planned: string[]; deployed: string[] } | undefined {
  const [one, other] = [textsOf(planned, kind), textsOf(deployed, kind)];
  if (one.length === 0 || other.length === 0 || one.join() === other.join()) return undefined;
  return { planned: one, deployed: other };
}
