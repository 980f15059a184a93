import { append, grouped, KeyedList, onceForEach, onceIn } from "../collections";
import { accessPath, topologyFields } from "../requirements/hostedCluster";
import { rootOf } from "../topology/normalize/values";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import {
  placeOfService,
  type RawTopology,
  topologyOfHostedCluster,
} from "../topology/topologyOfHostedCluster";
import {
  isCalled,
  type ManagementLocation,
  managementOf,
  nameAmong,
  onlyNear,
  placedName,
  type Placement,
  placementsOf,
  plainName,
  stackOf,
  ThingsByPlace,
  ThingsByStack,
  wordsFor,
} from "./managementCluster";
import { isFilled, isGiven, readValue } from "./read";
import { type Resource, UNKNOWN } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { isHostedCluster, isPatch, OUR_COMPONENTS } from "./resourceTypes";

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

export const sourceOf = onceForEach((resource: Resource): ClusterSource[] => {
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

/** The order in which sources decide, and in which they join clusters. */
const RANK: Readonly<Record<ClusterSource["kind"], number>> = {
  patch: 0,
  object: 1,
  component: 2,
  configuration: 3,
};
export const rankOf = ({ kind }: ClusterSource): number => RANK[kind];

/**
 * Groups the sources by hosted cluster. Each object is a separate cluster, even if two have the same name: one must not hide
 * the other. Other sources join the object that they name or, if there is none, those of their stack: of several, each is a cluster. The
 * order of the sources does not matter.
 */
export function clusterGroups(sources: readonly ClusterSource[]): ClusterSource[][] {
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

const stackIn = ({ resource }: ClusterSource): string | undefined => resource && stackOf(resource)?.is;

const placeOfGroup = ([first]: ClusterSource[]) => placeOfSource(first!);

const placeOfSource = ({ resource }: ClusterSource): ManagementLocation | undefined =>
  resource && managementOf(resource);

/** Where the clusters are that have namesakes in other places, see `placementsOf`. */
export const placementsOfGroups = (
  groups: readonly ClusterSource[][],
): ReadonlyMap<ClusterSource[], Placement> => placementsOf(groups.flatMap(placeOf));

/** The namespace and name of a group of sources, with the location of its object or the stack of its components; none if not known. */
function placeOf(group: ClusterSource[]) {
  const [{ kind, resource }] = group as [ClusterSource];
  const component = group.find((source) => source.kind === "component")?.resource;
  const place = kind === "object" ? resource && managementOf(resource) : component && stackOf(component);
  const key = keyOfSource(group);
  return place && key !== undefined ? [{ thing: group, key, place }] : [];
}

export function keyOfSource(group: ClusterSource[]): string | undefined {
  const { name } = group[0]!.raw;
  const namespace = namespaceOfGroup(group);
  return typeof name === "string"
    ? `${typeof namespace === "string" ? namespace : DEFAULT_NAMESPACE}/${name}`
    : undefined;
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

/** The name of a cluster without its namespace. */
export const bareName = (cluster: string): string => withoutNamespace(plainName(cluster));

export const withoutNamespace = (cluster: string): string => cluster.slice(cluster.indexOf("/") + 1);

/** Clusters with the same namespace and name in different management clusters. */
interface Namesakes {
  all: readonly ManagementLocation[];
  nameAt: Map<ManagementLocation, string>;
}

/** The namesakes of a plan by namespace and name, and by the name if no cluster of another namespace has it. */
const namesakesIn = onceForEach((index: ResourceIndex): ReadonlyMap<string, Namesakes> => {
  const groups = clusterGroups(index.resources.flatMap(sourceOf));
  const found = new Map<string, Namesakes>();
  for (const [group, placement] of placementsOfGroups(groups)) {
    const key = keyOfSource(group)!;
    const { nameAt } = onceIn(found, key, () => ({ all: placement.all, nameAt: new Map() }));
    onceIn(nameAt, placement.own, () => placedName(key, nameAmong(placement)));
  }
  const keysByName = grouped(new Set(groups.flatMap((group) => keyOfSource(group) ?? [])), bareName);
  for (const [name, [key, ...others]] of keysByName)
    if (others.length === 0 && found.has(key)) found.set(name, shortNames(found.get(key)!));
  return found;
});

/** The configuration may state another namespace for what components describe. */
const shortNames = ({ all, nameAt }: Namesakes): Namesakes => ({
  all,
  nameAt: new Map(
    [...nameAt].map(([own, name]) => [own, own.by === "stack" ? withoutNamespace(name) : name]),
  ),
});

/** The cluster that a resource means by a name: among namesakes the one in whose management cluster or stack the resource is. */
export function clusterMeant<Name extends string | undefined>(
  cluster: Name,
  resource: Resource,
  index: ResourceIndex,
): Name | string {
  const namesakes = cluster === undefined ? undefined : namesakesIn(index).get(cluster);
  const own = namesakes && onlyNear(namesakes.all, resource);
  return (own && namesakes.nameAt.get(own)) ?? cluster;
}
