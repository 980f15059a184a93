import { grouped, onceForEach } from "../collections";
import {
  type ClusterSource,
  clusterGroups,
  keyOfSource,
  placementsOfGroups,
  rankOf,
  sourceOf,
} from "../resources/clusterSources";
import { isSamePlacement, nameAmong, placedName, type Placement } from "../resources/managementCluster";
import { isGiven } from "../resources/read";
import {
  idOf,
  type Origin,
  type PropertyValue,
  type Resource,
  UNKNOWN,
  type UnknownPlace,
} from "../resources/resource";
import type { Fault } from "../fault";
import {
  allStatements,
  bothPatches,
  mergeTopology,
  patchedTopology,
  type RawTopology,
  propertiesOfObject,
} from "../topology/topologyOfHostedCluster";
import { rootOf } from "../topology/normalize/values";
import { DEFAULT_NAMESPACE, normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { type Configuration, type ConfiguredCluster, placeInConfiguration } from "./configuration";

/** A hosted cluster, assembled from all sources that describe it. */
export interface JudgedCluster {
  /** `namespace/name`, followed by the management cluster if there are several of that name: `clusters/tenant-a (stage)`. */
  key: string;
  namespace: string;
  /** The name for findings. If `isNamed` is false, the prefix of the generated name, or the resource's name. */
  name: string;
  /** False if the name is not known yet. */
  isNamed: boolean;
  /** The names by which groups and ACLs may mean it, see `namesOfCluster`. */
  names: readonly string[];
  /** The merged topology of all sources. */
  raw: RawTopology;
  /** The readable part of the topology, even if it has faults; absent if none of it can be read. */
  topology?: NormalizedTopology;
  faults: readonly Fault[];
  sources: readonly ClusterSource[];
  /** True if no source states the platform, such as a patch of a cluster that the stack does not hold: the rest is unknown. */
  partial: boolean;
  /** Returns the place where a topology property is written, or would be written. */
  locate(property: string): { resource: Origin; holder?: Resource; path: string };
}

/** The namespace and name of a hosted cluster, which namesakes in other management clusters share. */
export const fullNameOf = ({ namespace, name }: Pick<JudgedCluster, "namespace" | "name">): string =>
  `${namespace}/${name}`;

/** The place of a topology property; empty if no resource holds it. */
export function placesOf(cluster: JudgedCluster, property: string): UnknownPlace[] {
  const { holder, path } = cluster.locate(property);
  return holder ? [{ resource: holder, path }] : [];
}

/** The HostedCluster object of a cluster. */
export const objectOf = onceForEach(
  ({ sources }: JudgedCluster): Resource | undefined =>
    sources.find(({ kind }) => kind === "object")?.resource,
);

/** The management cluster that the configuration names for a cluster. */
export const managementSaidOf = ({ sources }: Pick<JudgedCluster, "sources">): string | undefined =>
  sources.find(({ managementCluster }) => managementCluster)?.managementCluster;

/** The fix for a cluster whose platform is not stated. */
export const SAY_PLATFORM = "write platform: into the configuration, or add its HostedCluster to the inputs";

/** The key of a cluster, with the place of its configuration entry: `clusters/tenant-a (hypershift-network.yaml:3)`. */
export function keyWithEntry({ key, sources }: JudgedCluster, configuration: Configuration): string {
  const entry = sources.find(({ kind }) => kind === "configuration");
  return entry ? `${key} (${placeInConfiguration(configuration, entry.pathOf("name"))})` : key;
}

/** The hosted clusters that resources and configuration describe. */
export function hostedClusters(
  resources: readonly Resource[],
  { clusters: configured, file }: Configuration,
): JudgedCluster[] {
  const sources = [...resources.flatMap(sourceOf), ...configured.map(configurationSource)];
  const groups = clusterGroups(sources);
  const placements = placementsOfGroups(groups);
  const unread = unreadTwins(groups);
  return groups.map((group) =>
    judgedOnce(group, { placement: placements.get(group), twin: unread.get(group), file }),
  );
}

/**
 * Cached clusters. The policy pack asks again for each resource that it receives; the same sources give the same cluster, and
 * reading a topology is most of the work.
 */
const lastJudged = new WeakMap<
  ClusterSource,
  { group: readonly ClusterSource[]; standing: Standing; cluster: JudgedCluster }
>();

/** What the other clusters of an input tell about a cluster. */
interface Standing {
  placement: Placement | undefined;
  twin: Twin | undefined;
  /** The configuration file. */
  file: string | undefined;
}

/** Which other clusters have the namespace and name of one of which only the configuration tells: read ones, or such ones only. */
type Twin = "read" | "unread";

function judgedOnce(group: readonly ClusterSource[], standing: Standing): JudgedCluster {
  const [first] = group;
  const before = lastJudged.get(first!);
  const isSame =
    before?.standing.file === standing.file &&
    before?.standing.twin === standing.twin &&
    isSamePlacement(before?.standing.placement, standing.placement) &&
    before?.group.length === group.length &&
    group.every((source, place) => source === before.group[place]);
  if (before && isSame) return before.cluster;
  const cluster = judged(group, standing);
  lastJudged.set(first!, { group, standing, cluster });
  return cluster;
}

/** What an entry of the configuration says of a hosted cluster. */
export const configurationSource = onceForEach(
  ({ path, topology, managementCluster }: ConfiguredCluster): ClusterSource => ({
    kind: "configuration",
    ...(managementCluster !== undefined && { managementCluster }),
    raw: topology,
    pathOf: (property) => `${path}.${property}`,
  }),
);

/**
 * Properties that a HostedCluster object decides: if it does not set one, HyperShift's default applies, whatever other sources
 * state. The release is excluded, because an image named by digest does not reveal it.
 */
const decidedByObject: ReadonlySet<string> = new Set(
  propertiesOfObject.filter((property) => property !== "release"),
);

function judged(sources: readonly ClusterSource[], { placement, twin, file }: Standing): JudgedCluster {
  const inOrder = [...sources].sort((a, b) => rankOf(a) - rankOf(b) || idsInOrder(a, b));
  const object = inOrder.find(({ kind }) => kind === "object");
  const isWhole = object !== undefined;
  const raw = [statedByComponents(inOrder), ...rawOf(inOrder, "configuration")].reduce<RawTopology>(
    (merged, said) => mergeTopology(merged, isWhole ? withoutDecided(said, merged) : said),
    ofPatchedObject(object, inOrder),
  );
  const partial = !("platform" in raw);
  const isNamed = typeof raw.name === "string";
  const named = plainNames(raw);
  const { readable, faults } = normalizeTopology(partial ? { ...named, platform: "None" } : named, "");
  const where = placement ? nameAmong(placement) : managementSaidOf({ sources });
  const name = typeof raw.name === "string" ? raw.name : (object?.resource?.name ?? UNNAMED);
  const namespace = typeof raw.namespace === "string" ? raw.namespace : DEFAULT_NAMESPACE;
  const plain = fullNameOf({ namespace, name });
  const key = where === undefined ? plain : placedName(plain, where);
  // What inputs say of a name is about the clusters in these inputs, not about one of which only the configuration tells.
  // Components may state only the name.
  const short = placement?.own.by === "stack" && where !== undefined ? [placedName(name, where)] : [];
  const names = [...(twin === "read" ? [] : [name, plain, ...short]), ...(placement || twin ? [key] : [])];
  const topology = readable && {
    ...readable,
    ...(!isNamed && { unknown: [...readable.unknown, "name"] }),
    ...(placement && { placement }),
    ...((placement || twin) && { names }),
  };
  return {
    key,
    name,
    namespace,
    isNamed,
    names,
    raw: named,
    ...(topology && { topology }),
    faults,
    sources: inOrder,
    partial,
    locate(property) {
      const root = rootOf(property) as keyof RawTopology;
      const saying = inOrder.find(
        ({ kind, raw: said }) =>
          root in said && (!isWhole || !decidedByObject.has(root) || kind === "object" || kind === "patch"),
      );
      const source = saying ?? object ?? inOrder[0]!;
      const { resource } = source;
      return {
        resource: resource?.origin ?? (file === undefined ? {} : { file }),
        ...(resource && { holder: resource }),
        path: source.pathOf(property),
      };
    },
  };
}

const rawOf = (sources: readonly ClusterSource[], kind: ClusterSource["kind"]): RawTopology[] =>
  sources.flatMap((source) => (source.kind === kind ? source.raw : []));

/** What the components of a hosted cluster state together. */
export const statedByComponents = (sources: readonly ClusterSource[]): RawTopology =>
  allStatements(rawOf(sources, "component"));

/** The topology of an object with all its patches, in any order; if there is no object, that of the patches. */
function ofPatchedObject(object: ClusterSource | undefined, sources: readonly ClusterSource[]): RawTopology {
  const { name, namespace, ...changes } = rawOf(sources, "patch").reduce(bothPatches, {});
  const patched = patchedTopology(changes, object?.raw ?? {});
  return mergeTopology(patched, { ...(isGiven(name) && { name }), ...(isGiven(namespace) && { namespace }) });
}

/** What a source adds to an object: no properties that the object decides, unless the object's value is unknown. */
function withoutDecided(said: RawTopology, merged: RawTopology): RawTopology {
  const entries = Object.entries(said) as [keyof RawTopology, PropertyValue][];
  return Object.fromEntries(
    entries.filter(([property]) => !decidedByObject.has(property) || merged[property] === UNKNOWN),
  );
}

const UNNAMED = "unknown";

/** Replaces an unknown or invalid name and drops an invalid namespace, so that everything else can still be judged. */
function plainNames(raw: RawTopology): RawTopology {
  const { name, namespace, ...rest } = raw;
  return {
    ...rest,
    name: typeof name === "string" ? name : UNNAMED,
    ...((typeof namespace === "string" || namespace === UNKNOWN) && { namespace }),
  };
}

/** The first of the components tells where a value stands, in any order of the inputs. */
const idsInOrder = (a: ClusterSource, b: ClusterSource): number =>
  a.kind !== "component" || idIn(a) === idIn(b) ? 0 : idIn(a) < idIn(b) ? -1 : 1;

const idIn = ({ resource }: ClusterSource): string => (resource && idOf(resource.origin)) ?? "";

/** Clusters of which only an entry that names a management cluster tells, if there are others of that namespace and name. */
function unreadTwins(groups: readonly ClusterSource[][]): ReadonlyMap<ClusterSource[], Twin> {
  const isUnread = ([first]: ClusterSource[]) => first?.managementCluster !== undefined;
  if (!groups.some(isUnread)) return new Map();
  return new Map(
    [...grouped(groups, keyOfSource)].flatMap(([key, there]) => {
      if (key === undefined) return [];
      const unread = there.filter(isUnread);
      const twin = unread.length < there.length ? "read" : "unread";
      return there.length > 1 ? unread.map((group) => [group, twin] as const) : [];
    }),
  );
}
