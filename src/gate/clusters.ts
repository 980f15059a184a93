import { accessPath, topologyFields } from "../requirements/hostedCluster";
import { append, grouped, KeyedList, onceForEach, onceIn } from "../collections";
import {
  isCalled,
  type ManagementLocation,
  managementOf,
  isSamePlacement,
  nameAmong,
  placedName,
  type Placement,
  placementsOf,
  stackOf,
  ThingsByPlace,
  ThingsByStack,
  wordsFor,
} from "../resources/managementCluster";
import { isFilled, isGiven, readValue } from "../resources/read";
import {
  idOf,
  type Origin,
  type PropertyValue,
  type Resource,
  UNKNOWN,
  type UnknownPlace,
} from "../resources/resource";
import { isHostedCluster, isPatch, OUR_COMPONENTS } from "../resources/resourceTypes";
import type { Fault } from "../fault";
import {
  allStatements,
  bothPatches,
  mergeTopology,
  patchedTopology,
  type RawTopology,
  placeOfService,
  propertiesOfObject,
  topologyOfHostedCluster,
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
  const placements = placementsOf(groups.flatMap(placeOf));
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

const sourceOf = onceForEach((resource: Resource): ClusterSource[] => {
  if (isHostedCluster(resource.type)) return objectSource(resource);
  const topology = resource.type.startsWith(OUR_COMPONENTS)
    ? readValue(resource.properties, "topology")
    : undefined;
  if (typeof topology !== "object" || topology === null || Array.isArray(topology)) return [];
  return [
    {
      kind: "component",
      resource,
      raw: topology as RawTopology,
      pathOf: (property) => `topology.${property}`,
    },
  ];
});

function objectSource(resource: Resource): ClusterSource[] {
  const raw = topologyOfHostedCluster({ ...resource.properties, kind: "HostedCluster" })!;
  const kind = isPatch(resource.type) ? "patch" : "object";
  return [
    {
      kind,
      resource,
      raw: { ...raw, name: nameOfObject(resource, kind, raw) },
      pathOf: (property) => pathInHostedCluster(property, raw, resource),
    },
  ];
}

/** The name of an object. A name that the API server generates is unknown; Pulumi derives a missing name from the resource's name. */
function nameOfObject(
  resource: Resource,
  kind: ClusterSource["kind"],
  { name }: RawTopology,
): NonNullable<RawTopology["name"]> {
  const isMadeUp =
    kind === "object" &&
    (name === UNKNOWN || isGiven(readValue(resource.properties, "metadata.generateName")));
  if (isFilled(name)) return name;
  return isMadeUp ? UNKNOWN : resource.name;
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

const inHostedCluster: ReadonlyMap<string, string> = new Map(
  topologyFields.map(({ property, path }) => [property, path]),
);

/** `spec.networking.machineNetwork[0].cidr` for `machineNetwork[0].cidr`. */
function pathInHostedCluster(property: string, { platform }: RawTopology, { properties }: Resource): string {
  const root = rootOf(property);
  const path = root === "endpointAccess" ? accessPath(platform) : inHostedCluster.get(root);
  if (root === "services") return placeOfService(properties, path!, property);
  return `${path ?? "spec"}${property.slice(root.length)}`;
}

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

/** The order in which sources decide, and in which they join clusters. */
const RANK: Readonly<Record<ClusterSource["kind"], number>> = {
  patch: 0,
  object: 1,
  component: 2,
  configuration: 3,
};
const rankOf = ({ kind }: ClusterSource): number => RANK[kind];

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

/** A source that describes a hosted cluster. */
export interface ClusterSource {
  kind: "object" | "patch" | "component" | "configuration";
  /** Absent for configuration. */
  resource?: Resource;
  /** The management cluster that a configuration entry names. */
  managementCluster?: string;
  /** The place of a topology property in the source: `spec.networking.machineNetwork[0].cidr`. */
  pathOf: (property: string) => string;
  raw: RawTopology;
}

/**
 * Groups the sources by hosted cluster. Each object is a separate cluster, even if two have the same name: one must not hide
 * the other. Other sources join the object that they name or, if there is none, those of their stack: of several, each is a cluster. The
 * order of the sources does not matter.
 */
function clusterGroups(sources: readonly ClusterSource[]): ClusterSource[][] {
  return [...grouped(sources, ({ raw }) => raw.name).values()].flatMap(groupsOfName);
}

function groupsOfName(sources: readonly ClusterSource[]): ClusterSource[][] {
  const others = sources.filter(({ kind }) => kind !== "object").sort((a, b) => rankOf(a) - rankOf(b));
  if (others.length === 0) return sources.map((object) => [object]);
  const groups = new SameName();
  for (const source of sources) if (source.kind === "object") groups.add([source]);
  const saying = others.filter(saysNamespace);
  const silent = [undefined, UNKNOWN].flatMap((said) => others.filter((one) => namespaceOf(one) === said));
  const entries = new SameName();
  for (const source of saying) if (isEntryForAll(source)) entries.join(source);
  for (const source of saying) groups.join(source);
  for (const source of silent) groups.join(source, stackIn(source) ? entries.fitting(source) : []);
  return groups.all.flatMap(ofEachStack);
}

/** Whether an entry is about a cluster in any management cluster. */
const isEntryForAll = ({ kind, managementCluster }: ClusterSource): boolean =>
  kind === "configuration" && managementCluster === undefined;

/** The resources of each stack in a group without an object, each with what belongs to no stack. */
function ofEachStack(group: ClusterSource[]): ClusterSource[][] {
  if (group[0]!.kind === "object") return [group];
  const stacks = new Set(group.flatMap((source) => stackIn(source) ?? []));
  if (stacks.size < 2) return [group];
  const list = new KeyedList(group, stackIn);
  return [...stacks].map((stack) => [...list.of([stack])]);
}

/** Groups of one cluster name, looked up by namespace and management cluster: a fleet may use one name for all of its clusters. */
class SameName {
  readonly all: ClusterSource[][] = [];
  readonly #anywhere = new PlacedGroups();
  readonly #byNamespace = new Map<ReturnType<typeof namespaceOf>, PlacedGroups>();

  add(group: ClusterSource[]): void {
    this.all.push(group);
    this.#anywhere.add(group);
    onceIn(this.#byNamespace, namespaceOfGroup(group), () => new PlacedGroups()).add(group);
  }

  /** @param entries which entries, already in other groups, are about the source if it fits none */
  join(source: ClusterSource, entries: readonly ClusterSource[][] = []): void {
    const fitting = this.fitting(source);
    for (const group of fitting) group.push(source);
    if (fitting.length > 0) return;
    for (const said of entries.length > 0 ? entries : [[]]) this.add([source, ...said]);
  }

  /** The clusters that a source may describe: those of its namespace, otherwise those whose namespace is not stated. */
  fitting(source: ClusterSource): readonly ClusterSource[][] {
    const wanted = namespaceOf(source);
    const of = (namespace: typeof wanted) => this.#byNamespace.get(namespace)?.fitting(source) ?? [];
    if (wanted !== UNKNOWN) {
      const exact = of(wanted ?? DEFAULT_NAMESPACE);
      if (exact.length > 0) return exact;
    }
    return typeof wanted === "string" ? [...of(undefined), ...of(UNKNOWN)] : this.#anywhere.fitting(source);
  }
}

/** Groups by the management cluster and the stack of their first source. */
class PlacedGroups {
  readonly #all: ClusterSource[][] = [];
  readonly #byPlace = new ThingsByPlace(placeOfGroup);
  readonly #byStack = new ThingsByStack(placeOfGroup);
  readonly #byWord = new Map<string | undefined, ClusterSource[][]>();

  add(group: ClusterSource[]): void {
    const [first] = group as [ClusterSource];
    const place =
      placeOfSource(first) ??
      (first.resource && first.kind === "component" ? stackOf(first.resource) : undefined);
    const words = place ? wordsFor(place) : [first.managementCluster];
    this.#all.push(group);
    this.#byPlace.add(group);
    this.#byStack.add(group, first.resource, first.kind === "object");
    for (const word of new Set(words)) append(this.#byWord, word, [group]);
  }

  /** The clusters that a source may describe: their management clusters, by configured name or by location, do not contradict that. */
  fitting(source: ClusterSource): readonly ClusterSource[][] {
    const { managementCluster, resource } = source;
    if (managementCluster !== undefined) return this.#byWord.get(managementCluster) ?? [];
    if (!resource) return this.#all;
    const [place, stack] = [managementOf(resource), stackOf(resource)];
    if (!stack) return this.#byPlace.notInAnother(place).flat();
    const meant = this.#byStack.meantFrom(stack.is, place);
    const called = ([first]: ClusterSource[]) =>
      first!.managementCluster === undefined ? undefined : isCalled(stack, first!.managementCluster);
    return meant.some((group) => called(group) === true)
      ? meant.filter((group) => called(group) !== false)
      : meant;
  }
}

/** The first of the components tells where a value stands, in any order of the inputs. */
const idsInOrder = (a: ClusterSource, b: ClusterSource): number =>
  a.kind !== "component" || idIn(a) === idIn(b) ? 0 : idIn(a) < idIn(b) ? -1 : 1;

const idIn = ({ resource }: ClusterSource): string => (resource && idOf(resource.origin)) ?? "";

const stackIn = ({ resource }: ClusterSource): string | undefined => resource && stackOf(resource)?.is;

const placeOfGroup = ([first]: ClusterSource[]) => placeOfSource(first!);

const placeOfSource = ({ resource }: ClusterSource): ManagementLocation | undefined =>
  resource && managementOf(resource);

/** The namespace and name of a group of sources, with the location of its object or the stack of its components; none if not known. */
function placeOf(group: ClusterSource[]) {
  const [{ kind, resource }] = group as [ClusterSource];
  const component = group.find((source) => source.kind === "component")?.resource;
  const place = kind === "object" ? resource && managementOf(resource) : component && stackOf(component);
  const key = keyOfSource(group);
  return place && key !== undefined ? [{ thing: group, key, place }] : [];
}

function keyOfSource(group: ClusterSource[]): string | undefined {
  const { name } = group[0]!.raw;
  const namespace = namespaceOfGroup(group);
  return typeof name === "string"
    ? `${typeof namespace === "string" ? namespace : DEFAULT_NAMESPACE}/${name}`
    : undefined;
}

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

const namespaceOf = ({ raw: { namespace } }: ClusterSource): string | typeof UNKNOWN | undefined =>
  typeof namespace === "string" || namespace === UNKNOWN ? namespace : undefined;

/** The namespace that the first source of a cluster states, or else the only one that others state. */
function namespaceOfGroup(group: readonly ClusterSource[]): ReturnType<typeof namespaceOf> {
  const [first, ...others] = group as [ClusterSource];
  const [only, ...more] = new Set(others.filter(saysNamespace).map(namespaceOf));
  return saysNamespace(first) || more.length > 0 ? namespaceOf(first) : (only ?? namespaceOf(first));
}

const saysNamespace = (source: ClusterSource): boolean => typeof namespaceOf(source) === "string";
