import { grouped, onceForEach, onceIn } from "../collections";
import type { JudgedCluster } from "../gate/clusters";
import {
  type ManagementLocation,
  managementOf,
  nameAmong,
  nameOfLocation,
  wordsFor,
} from "../resources/managementCluster";
import { LIMIT } from "../requirements/limits";
import { formatRelease } from "../requirements/release";
import { isUnknown, type NormalizedTopology, type NamedNetwork } from "../topology/normalizedTopology";
import { type FleetClusterName, keyOfCluster } from "./document";
import { type LedgerEntry, type LedgerRange, LedgerOrigin } from "./ledger";
import { isInternal, familiesOf, type Fleet, type FleetCluster, takesKind } from "./fleet";
import {
  chosenKinds,
  containerEngines,
  isAround,
  type ReservedRange,
  type ChosenKind,
  reservedRanges,
  upcomingRanges,
} from "../topology/reservedRanges";
import { type Family, FAMILIES, surrounding } from "../address";
import { networkRanges } from "../addressRanges/inventory";
import type { JudgedResources } from "../gate/judgedResources";
import { isNetwork } from "../resources/resourceTypes";
import { normalizeTopology } from "../topology/normalizeTopology";

/** A hosted cluster in the inputs, with its ranges as the ledger would contain them. */
export interface DeployedCluster {
  entry: LedgerEntry;
  cluster: JudgedCluster;
  /** Its management cluster, if its input states it. */
  place?: ManagementLocation;
}

/** The hosted clusters with a HostedCluster in the inputs. Unknown ranges are left out. */
export const deployedClusters = (clusters: readonly JudgedCluster[]): DeployedCluster[] =>
  clusters.flatMap((cluster) => {
    const { topology, isNamed, partial, sources } = cluster;
    const object = sources.find(({ kind }) => kind === "object")?.resource;
    if (!topology || !isNamed || partial || !object) return [];
    const place = managementOf(object);
    return [{ entry: adopted(topology), cluster, ...(place && { place }) }];
  });

/**
 * Returns which of `named` may mean a deployed cluster with the same namespace and name: those that name its management cluster; if
 * there are none, those that do not name the management cluster of another deployed cluster of that name.
 */
function meanings<Named extends FleetClusterName>(
  deployed: readonly DeployedCluster[],
  named: readonly Named[],
): (one: DeployedCluster) => readonly Named[] {
  const namesakes = grouped(deployed, ({ entry }) => nameOf(entry));
  const byName = onceForEach((names: readonly Named[]) => {
    const words = new Set((namesakes.get(nameOf(names[0]!)) ?? []).flatMap(managementWords));
    return {
      byWord: grouped(names.entries(), ([, { managementCluster }]) => managementCluster),
      ofNone: names.filter(({ managementCluster: word }) => word === undefined || !words.has(word)),
    };
  });
  const names = grouped(named, nameOf);
  return (one) => {
    const here = names.get(nameOf(one.entry));
    if (!here) return [];
    const { byWord, ofNone } = byName(here);
    const own = [...new Set(managementWords(one))].flatMap((word) => byWord.get(word) ?? []);
    return own.length > 0 ? own.sort(([a], [b]) => a - b).map(([, name]) => name) : ofNone;
  };
}

/** The words that name the management cluster of a deployed cluster, in a configuration or in a ledger. */
const managementWords = ({ place }: DeployedCluster): string[] =>
  place ? [...wordsFor(place), labelOf(nameOfLocation(place))] : [];

function adopted(topology: NormalizedTopology): LedgerEntry {
  const { namespace, name, platform, release } = topology;
  return {
    namespace,
    name,
    platform,
    ...(release && { release: formatRelease(release) }),
    origin: LedgerOrigin.Adopted,
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
 * The entries of a ledger that exist as HostedClusters, matched by namespace, name and management cluster, and by ranges if several
 * match.
 */
export function deployments(
  entries: readonly LedgerEntry[],
  deployed: readonly DeployedCluster[],
): ReadonlyMap<LedgerEntry, DeployedCluster> {
  const found = new Map<LedgerEntry, DeployedCluster>();
  const meaning = meanings(deployed, entries);
  for (const one of deployed) {
    const named = meaning(one);
    const entry = named.length > 1 ? named.find((other) => hasRangesOf(other, one.entry)) : named[0];
    if (entry) found.set(entry, one);
  }
  return found;
}

/**
 * The entries of deployed clusters, with the names of their management clusters in a fleet and its ledger. If there is no single such
 * name and the clusters are in several management clusters, the name is derived from what tells these apart.
 */
export function withFleetNames(
  deployed: readonly DeployedCluster[],
  named: readonly FleetClusterName[],
): LedgerEntry[] {
  const meaning = meanings(deployed, named);
  const places = onceForEach(
    (those: readonly FleetClusterName[]) => new Set(those.map(({ managementCluster }) => managementCluster)),
  );
  return deployed.map((one) => {
    const { entry, cluster } = one;
    const names = places(meaning(one));
    const [only] = names;
    if (names.size === 1) return only === undefined ? entry : { ...entry, managementCluster: only };
    const placement = cluster.topology?.placement;
    return placement ? { ...entry, managementCluster: labelOf(nameAmong(placement)) } : entry;
  });
}

/** `api-example-com-6443` for `api.example.com:6443`: the result becomes the name of a folder of the ledger. */
const labelOf = (text: string): string => {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ["management"];
  return words.join("-").slice(0, LIMIT.labelLength).replace(/-$/, "");
};

/** The name in a HostedCluster itself, which does not state its management cluster. */
const nameOf = ({ namespace, name }: FleetClusterName): string => keyOfCluster({ namespace, name });

/** Whether two entries have the same ranges of each kind that both have. */
const hasRangesOf = (entry: LedgerEntry, other: LedgerEntry): boolean =>
  chosenKinds.every((kind) => differing(entry, other, kind) === undefined);

const textsOf = ({ ranges }: LedgerEntry, kind: LedgerRange["kind"]): string[] =>
  ranges.flatMap((range) => (range.kind === kind ? [range.prefix.text] : []));

/** The ranges of a kind in the ledger and in a deployed cluster, if they differ; undefined if they are the same or not known. */
export function differing(
  planned: LedgerEntry,
  deployed: LedgerEntry,
  kind: LedgerRange["kind"],
): { planned: string[]; deployed: string[] } | undefined {
  const [one, other] = [textsOf(planned, kind), textsOf(deployed, kind)];
  if (one.length === 0 || other.length === 0 || one.join() === other.join()) return undefined;
  return { planned: one, deployed: other };
}

/** What decides which ranges a cluster uses by default. */
interface Profile extends Pick<FleetCluster, "platform" | "release"> {
  /** The kinds of ranges that it has been given. */
  kinds: readonly ChosenKind[];
  families: ReadonlySet<Family>;
}

const PLACEHOLDERS = {
  4: {
    clusterNetwork: "10.0.0.0/14",
    serviceNetwork: "172.31.0.0/16",
    internal: ["100.99.0.0/16", "100.69.0.0/16"],
  },
  6: { clusterNetwork: "fd01::/48", serviceNetwork: "fd02::/112" },
} as const;

/** The ranges that a cluster uses by default. */
export interface Reserved {
  /** Used with its release in any case. */
  now: readonly ReservedRange[];
  /** Used with a later release or an optional feature, and by container engines in addition: better kept free. */
  later: readonly ReservedRange[];
}

/** The default ranges of clusters, computed once per profile: a fleet has thousands of clusters and few profiles. */
export class ReservedRanges {
  readonly #known = new Map<string, Reserved>();

  /** What a cluster of the ledger uses in addition to its ranges. */
  ofEntry({ platform, release, ranges }: LedgerEntry): Reserved {
    return this.#of({
      platform,
      ...(release !== undefined && { release }),
      kinds: [...new Set(ranges.map(({ kind }) => kind))],
      families: familiesOf(
        ranges.filter(({ kind }) => kind === "clusterNetwork").map(({ prefix }) => prefix),
      ),
    });
  }

  /** What a cluster to be planned uses in addition to its ranges. */
  ofCluster(cluster: FleetCluster, pools: Fleet["pools"]): Reserved {
    return this.#of({
      platform: cluster.platform,
      ...(cluster.release !== undefined && { release: cluster.release }),
      kinds: (Object.keys(pools) as ChosenKind[]).filter((kind) => takesKind(cluster, kind)),
      families: familiesOf(pools.clusterNetwork),
    });
  }

  #of(profile: Profile): Reserved {
    const { platform, release, kinds, families } = profile;
    const key = JSON.stringify([platform, release, kinds, [...families].sort()]);
    return onceIn(this.#known, key, () => reservedOf(profile));
  }
}

function reservedOf({ platform, release, kinds, families }: Profile): Reserved {
  const networks = (kind: "clusterNetwork" | "serviceNetwork") =>
    kinds.includes(kind)
      ? {
          [kind]: FAMILIES.filter((family) => families.has(family)).map((family) => ({
            cidr: PLACEHOLDERS[family][kind],
          })),
        }
      : {};
  const internal = kinds.filter(isInternal).map((kind, at) => [kind, PLACEHOLDERS[4].internal[at]] as const);
  const { readable } = normalizeTopology({
    name: "planned",
    platform,
    ...(release !== undefined && { release }),
    ...networks("clusterNetwork"),
    ...networks("serviceNetwork"),
    ...Object.fromEntries(internal),
  });
  const implicit = readable ? reservedRanges(readable).filter((range) => range.implicit) : [];
  const [now, optional] = [true, false].map((isAlways) =>
    implicit.filter(({ row }) => (row?.onlyWith === undefined) === isAlways),
  );
  return {
    now: now!,
    later: readable ? [...optional!, ...upcomingRanges(readable), ...containerEngines(readable)] : [],
  };
}

/**
 * Every range of the inputs that does not belong to a cluster of the ledger: VPCs and what they are connected to, networks of management
 * clusters, clusters that only a configuration describes, and the peers of pods and nodes that topologies name. Of a VPC around a pool
 * for machines, only the subnets are taken.
 *
 * @param isKnown whether the ledger or the fleet has a cluster
 */
export function takenByInputs(
  judged: JudgedResources,
  pools: Fleet["pools"],
  isKnown: (key: string) => boolean,
): NamedNetwork[] {
  const { machineNetwork = [] } = pools;
  const hasMachines = surrounding(machineNetwork);
  const hasPool = surrounding(Object.values(pools).flat());
  const found = new Map<string, NamedNetwork>();
  const add = ({ name, prefix }: NamedNetwork) => {
    // A block of all addresses is not a network.
    if (prefix.length > 0) found.set(`${prefix.text} ${name}`, { name, prefix });
  };
  for (const { blocks, subnets } of judged.vpcs.values()) {
    const isAroundPool = blocks.some(({ prefix }) => hasMachines(prefix));
    for (const range of isAroundPool || blocks.length === 0 ? subnets : blocks) add(range);
  }
  for (const range of judged.connections.remote) add(range);
  for (const network of judged.ofKind(isNetwork))
    for (const { implicit, prefix } of networkRanges(network))
      if (!implicit) add({ name: `Network ${network.name}`, prefix });
  for (const { name, namespace, topology, sources } of judged.clusters) {
    if (!topology) continue;
    const key = `${namespace}/${name}`;
    const isElsewhere = isKnown(key) || sources.some(({ kind }) => kind === "object");
    for (const range of reservedRanges(topology)) {
      // For a company's block of which only a part is meant, it is not stated whether a pool in it belongs to that part.
      const isWide = range.meansSome && hasPool(range.prefix);
      const isTaken = isAround(range) ? !isWide : !isElsewhere && range.kind !== "implicit";
      if (isTaken) add({ name: `${range.name} of ${key}`, prefix: range.prefix });
    }
  }
  return [...found.values()];
}
