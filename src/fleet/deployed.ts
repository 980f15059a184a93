import { append } from "../collections";
import type { JudgedCluster } from "../gate/clusters";
import { isCalled, type ManagementLocation, managementOf, nameAmong } from "../resources/managementCluster";
import { LIMIT } from "../requirements/limits";
import { formatRelease } from "../requirements/release";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { type FleetClusterName, keyOfCluster } from "./document";
import { isInternal } from "./fleet";
import { chosenKinds } from "../topology/reservedRanges";
import { type LedgerEntry, type LedgerRange, Origin } from "./ledger";

/** A hosted cluster that inputs show, with its ranges as the ledger would have them. */
export interface DeployedCluster {
  entry: LedgerEntry;
  cluster: JudgedCluster;
  /** The management cluster in which it is, as far as its input says it. */
  place?: ManagementLocation;
}

/** The hosted clusters that have a HostedCluster among the inputs. Ranges that are not known are none. */
export const deployedClusters = (clusters: readonly JudgedCluster[]): DeployedCluster[] =>
  clusters.flatMap((cluster) => {
    const { topology, isNamed, partial, sources } = cluster;
    const object = sources.find(({ kind }) => kind === "object")?.resource;
    if (!topology || !isNamed || partial || !object) return [];
    const place = managementOf(object);
    return [{ entry: adopted(topology), cluster, ...(place && { place }) }];
  });

/**
 * Which of some names with the namespace and name of a deployed cluster may mean it: those that name its management cluster; else those
 * that name none of the others' of its name.
 */
function meanings<Named extends FleetClusterName>(
  deployed: readonly DeployedCluster[],
  named: readonly Named[],
): (one: DeployedCluster) => Named[] {
  const [byName, namesakes] = [new Map<string, Named[]>(), new Map<string, DeployedCluster[]>()];
  for (const name of named) append(byName, nameOf(name), [name]);
  for (const one of deployed) append(namesakes, nameOf(one.entry), [one]);
  const isOf = ({ place }: DeployedCluster, { managementCluster: called }: Named): boolean =>
    place !== undefined &&
    called !== undefined &&
    (isCalled(place, called) || labelOf(nameAmong({ own: place, all: [place] })) === called);
  return (one) => {
    const names = byName.get(nameOf(one.entry)) ?? [];
    const others = (namesakes.get(nameOf(one.entry)) ?? []).filter((other) => other !== one);
    const own = names.filter((name) => isOf(one, name));
    return own.length > 0 ? own : names.filter((name) => !others.some((other) => isOf(other, name)));
  };
}

function adopted(topology: NormalizedTopology): LedgerEntry {
  const { namespace, name, platform, release } = topology;
  return {
    namespace,
    name,
    platform,
    ...(release && { release: formatRelease(release) }),
    origin: Origin.Adopted,
    ranges: chosenKinds
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

/**
 * Which entries of a ledger are there as HostedClusters, by their namespace, name and management cluster and, where that leaves several,
 * ranges.
 */
export function deployments(
  entries: readonly LedgerEntry[],
  deployed: readonly DeployedCluster[],
): ReadonlyMap<LedgerEntry, DeployedCluster> {
  const found = new Map<LedgerEntry, DeployedCluster>();
  const meaning = meanings(deployed, entries);
  for (const one of deployed) {
    const named = meaning(one);
    const [entry] = named.length > 1 ? named.filter((other) => hasRangesOf(other, one.entry)) : named;
    if (entry) found.set(entry, one);
  }
  return found;
}

/**
 * The entries of deployed clusters under the names that a fleet and its ledger have for their management clusters. Where neither has any
 * for clusters that stand in several, what tells those apart is the name.
 */
export function withFleetNames(
  deployed: readonly DeployedCluster[],
  named: readonly FleetClusterName[],
): LedgerEntry[] {
  const meaning = meanings(deployed, named);
  return deployed.map((one) => {
    const { entry, cluster } = one;
    const names = new Set(meaning(one).map(({ managementCluster }) => managementCluster));
    const [only] = names;
    if (names.size === 1) return only === undefined ? entry : { ...entry, managementCluster: only };
    const placement = cluster.topology?.placement;
    return placement ? { ...entry, managementCluster: labelOf(nameAmong(placement)) } : entry;
  });
}

/** `api-example-com-6443` for `api.example.com:6443`: the name becomes that of a folder of the ledger. */
const labelOf = (text: string): string => {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ["management"];
  return words.join("-").slice(0, LIMIT.labelLength).replace(/-$/, "");
};

/** What a HostedCluster says of itself: not in which management cluster it is. */
const nameOf = ({ namespace, name }: FleetClusterName): string => keyOfCluster({ namespace, name });

/** Whether a cluster has, of each kind that both have, the same ranges. */
const hasRangesOf = (entry: LedgerEntry, other: LedgerEntry): boolean =>
  chosenKinds.every((kind) => differing(entry, other, kind) === undefined);

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
