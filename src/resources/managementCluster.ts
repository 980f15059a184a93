import { dirname, resolve } from "node:path";
import { append, grouped, KeyedList, onceForBoth, onceForEach, onceIn } from "../collections";
import { nameInUrn, type Resource, stackInUrn } from "./resource";

/**
 * The management cluster of an object, if its input states it: the server that the object was read from, else the provider, else the
 * folder of its file. A hosted cluster that only components describe has their stack. Two different locations of one kind (`by`) are two
 * management clusters; a stack has the providers that are in it.
 */
export interface ManagementLocation {
  by: "server" | "provider" | "stack" | "folder";
  /** `cluster/api.example.com:6443`, the URN of a provider, `urn:pulumi:dev::network`, `fleet/stage`; `.` for the working folder. */
  is: string;
}

/** The location of a resource; undefined if its input does not state it. */
export function managementOf({ origin, provider }: Resource): ManagementLocation | undefined {
  if (origin.runsIn !== undefined) return { by: "server", is: origin.runsIn };
  if (provider !== undefined) return { by: "provider", is: provider };
  if (origin.file === undefined || origin.urn !== undefined) return undefined;
  return { by: "folder", is: dirname(origin.file) };
}

/** The location of a hosted cluster that only components describe. */
export const stackOf = ({ origin: { urn } }: Resource): ManagementLocation | undefined =>
  urn === undefined ? undefined : { by: "stack", is: stackInUrn(urn) };

/** Two locations of one of these kinds are two management clusters: a stack stands for its providers. */
export const kindOfPlace = ({ by }: ManagementLocation): string => (by === "stack" ? "provider" : by);

/** Whether two locations are known to be different management clusters. */
export const areTwo = (a: ManagementLocation | undefined, b: ManagementLocation | undefined): boolean =>
  a !== undefined && b !== undefined && a.by === b.by && a.is !== b.is;

/** Whether two objects are certainly in different clusters. Different folders do not prove it: a cluster's files may be in several. */
export function areInTwo(one: Resource | undefined, other: Resource): boolean {
  const place = one && managementOf(one);
  return place?.by !== "folder" && areTwo(place, managementOf(other));
}

/**
 * The scope in which two different locations are certainly two management clusters: all servers, or the providers of one stack, because
 * providers of two stacks may be for one cluster. Undefined for folders: a cluster's files may be in several.
 */
export const scopeOf = ({ by, is }: ManagementLocation): string | undefined =>
  by === "folder" ? undefined : by === "server" ? by : `${by} ${stackInUrn(is)}`;

/**
 * The objects that are not certainly in another cluster than a resource; providers of different stacks may be for the same cluster.
 * Resources in one location get the same list.
 */
export function notApart(resource: Resource | undefined, objects: readonly Resource[]): readonly Resource[] {
  const place = resource && managementOf(resource);
  const scope = place && scopeOf(place);
  return scope === undefined ? objects : apartIn(objects)(scope, place!.is);
}

const apartIn = onceForEach((objects: readonly Resource[]) => {
  const scopes = new Map<string, KeyedList<string, Resource>>();
  const lists = new Map<string, readonly Resource[]>();
  const keyIn = (scope: string) => (object: Resource) => {
    const place = managementOf(object);
    return place && scopeOf(place) === scope ? place.is : undefined;
  };
  return (scope: string, is: string) =>
    onceIn(lists, `${scope} ${is}`, () =>
      onceIn(scopes, scope, () => new KeyedList(objects, keyIn(scope))).of([is]),
    );
});

/** The location of a hosted cluster whose name is also used in other locations. */
export interface Placement {
  own: ManagementLocation;
  /** All locations with a cluster of that name, including `own`: one list for all of these clusters. */
  all: readonly ManagementLocation[];
}

/** The placements of things with one key, if their locations distinguish them. */
export function placementsOf<Thing>(
  things: Iterable<{ thing: Thing; key: string; place: ManagementLocation }>,
): ReadonlyMap<Thing, Placement> {
  return new Map(
    [...grouped(things, ({ key }) => key).values()].flatMap((there) => {
      if (there.length === 1) return [];
      const distinct = new Map(there.map(({ place }) => [keyOfPlace(place), place]));
      const all = [...distinct.values()];
      const kinds = grouped(all, kindOfPlace);
      return there.flatMap(({ thing, place }): [Thing, Placement][] => {
        const own = distinct.get(keyOfPlace(place))!;
        return kinds.get(kindOfPlace(own))!.length > 1 ? [[thing, { own, all }]] : [];
      });
    }),
  );
}

export const isSamePlacement = (a: Placement | undefined, b: Placement | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && isSame(a.own, b.own) && areSame(a.all, b.all));

/** Cached, because all clusters of one name have the same two lists. */
const areSame = onceForBoth(
  (a: readonly ManagementLocation[], b: readonly ManagementLocation[]): boolean =>
    a.length === b.length && a.every((one, at) => isSame(one, b[at]!)),
);

/** A key that is equal for equal locations. */
export const keyOfPlace = ({ by, is }: ManagementLocation): string => `${by} ${is}`;

/** The locations of some objects, each once, by their keys. */
export function placesOf(objects: Iterable<Resource>): Map<string, ManagementLocation> {
  const places = new Map<string, ManagementLocation>();
  for (const object of objects) {
    const place = managementOf(object);
    if (place && !places.has(keyOfPlace(place))) places.set(keyOfPlace(place), place);
  }
  return places;
}

const isSame = (a: ManagementLocation, b: ManagementLocation): boolean => a.by === b.by && a.is === b.is;

/** Whether a resource is in the management cluster of another hosted cluster of that name, and not in this one's. */
export function isElsewhere(placement: Placement | undefined, resource: Resource): boolean {
  if (!placement) return false;
  const near = nearest(placement.all, resource);
  return near !== undefined && !setOf(near).has(placement.own);
}

/** The objects that are not elsewhere, see `isElsewhere`. Each location has one list. */
export const notElsewhere = (
  placement: Placement | undefined,
  objects: readonly Resource[],
): readonly Resource[] => (placement ? objectsNear(placement.all, objects)(placement.own) : objects);

const objectsNear = onceForBoth((all: readonly ManagementLocation[], objects: readonly Resource[]) => {
  const list = new KeyedList(objects, (object) => nearest(all, object));
  const lists = new Map<ManagementLocation, readonly Resource[]>();
  return (own: ManagementLocation) => onceIn(lists, own, () => list.of(answersWith(all, own)));
});

/**
 * The inverse of `notElsewhere`: returns the things from whose management clusters a resource is not elsewhere. Resources in one location
 * get the same list.
 */
export function placedNear<Thing>(
  things: readonly Thing[],
  placementOf: (thing: Thing) => Placement | undefined,
): (resource: Resource) => readonly Thing[] {
  const names = new Set(things.map((thing) => placementOf(thing)?.all).filter((all) => all !== undefined));
  const list = new KeyedList(things, (thing) => placementOf(thing)?.own);
  const lists = new Map<string | undefined, readonly Thing[]>();
  return (resource) => {
    const place = managementOf(resource);
    const near = () => [...names].flatMap((all) => nearest(all, resource) ?? all);
    return onceIn(lists, place && keyOfPlace(place), () => list.of(near()));
  };
}

/** The locations in which a resource may be; undefined if not stated. Resources with the same answer share one array. */
const nearest = onceForBoth(
  (all: readonly ManagementLocation[], resource: Resource): readonly ManagementLocation[] | undefined => {
    const place = managementOf(resource);
    if (!place) return undefined;
    const { byKey, folders, kinds } = locationsIn(all);
    const stack = place.by === "provider" ? byKey.get(`stack ${stackInUrn(place.is)}`) : undefined;
    if (!kinds.has(place.by)) return stack;
    if (place.by === "folder") return foldersOn(folders, place.is).at(-1)!.inside;
    return byKey.get(keyOfPlace(place)) ?? stack ?? all;
  },
);

/**
 * The only location in which a resource may be. A resource of a stack that is in no cluster itself, such as a security group, belongs to
 * the management cluster of the stack's providers.
 */
export function onlyNear(
  all: readonly ManagementLocation[],
  resource: Resource,
): ManagementLocation | undefined {
  const { urn } = resource.origin;
  const ofStack =
    urn === undefined || managementOf(resource) ? undefined : locationsIn(all).byStack.get(stackInUrn(urn));
  const [only, ...others] = nearest(all, resource) ?? ofStack ?? [];
  return others.length === 0 ? only : undefined;
}

/** The answers of `nearest` that contain a location: only they need to be read for it, not one for each resource. */
function answersWith(
  all: readonly ManagementLocation[],
  own: ManagementLocation,
): readonly (readonly ManagementLocation[])[] {
  const { byKey, folders } = locationsIn(all);
  if (own.by !== "folder") return [all, byKey.get(keyOfPlace(own)) ?? all];
  return [all, ...foldersOn(folders, own.is).map(({ inside }) => inside)];
}

/** The locations of a list by key and by folder. Cached, because many resources are looked up in one list. */
const locationsIn = onceForEach((all: readonly ManagementLocation[]) => ({
  kinds: new Set(all.map(({ by }) => by)),
  byKey: grouped(all, keyOfPlace),
  byStack: grouped(
    all.filter((place) => kindOfPlace(place) === "provider"),
    ({ is }) => stackInUrn(is),
  ),
  folders: folderTree(all.filter(({ by }) => by === "folder")),
}));

const setOf = onceForEach((places: readonly ManagementLocation[]) => new Set(places));

interface Folder {
  /** The locations in this folder and in the folders below it. */
  inside: ManagementLocation[];
  folders: Map<string, Folder>;
}

function folderTree(places: readonly ManagementLocation[]): Folder {
  const root: Folder = { inside: [...places], folders: new Map() };
  for (const place of places) {
    let here = root;
    for (const part of partsOf(place.is)) {
      here = onceIn(here.folders, part, () => ({ inside: [], folders: new Map() }));
      here.inside.push(place);
    }
  }
  return root;
}

/** The folders on a path, after one that tells where it begins: the working folder contains no folder that begins elsewhere. */
function partsOf(path: string): readonly string[] {
  const parts = path.split("/");
  const [first] = parts as [string];
  return [OUTSIDE.has(first) ? first : ".", ...parts];
}

/** How paths begin that are not in the working folder. */
const OUTSIDE: ReadonlySet<string> = new Set(["", ".."]);

/** The folders of a tree on a path, from the root down. */
function foldersOn(root: Folder, path: string): Folder[] {
  const found = [root];
  for (const part of partsOf(path)) {
    const next = found.at(-1)!.folders.get(part);
    if (!next) break;
    found.push(next);
  }
  return found;
}

/**
 * For objects that each management cluster has one of, such as its Proxy: those in the management cluster of a resource. If they are in
 * several locations, the nearest; if nothing states the location of the resource, all.
 */
export function nearestOf(objects: readonly Resource[], resource: Resource | undefined): readonly Resource[] {
  return resource && objects.length > 1 ? placedIn(objects)(resource) : objects;
}

const placedIn = onceForEach((objects: readonly Resource[]) => {
  const places = [...placesOf(objects).values()];
  const lists = new Map<readonly ManagementLocation[], readonly Resource[]>();
  const byKind = new Map<ManagementLocation["by"], KeyedList<string, Resource>>();
  const keyIn = (kind: ManagementLocation["by"]) => (object: Resource) => {
    const place = managementOf(object);
    return place?.by === kind ? keyOfPlace(place) : undefined;
  };
  const at = (near: readonly ManagementLocation[]): readonly Resource[] => {
    if (near.length === places.length) return objects;
    // Unless all are near, those that are have the kind of the resource's location.
    const { by } = near[0]!;
    return onceIn(byKind, by, () => new KeyedList(objects, keyIn(by))).of(near.map(keyOfPlace));
  };
  return (resource: Resource) => {
    const near = places.length > 1 ? nearest(places, resource) : undefined;
    return near ? onceIn(lists, near, () => at(near)) : objects;
  };
});

/** Like `nearestOf`, but without objects that are certainly in another cluster than the resource. */
export const inClusterOf = (
  resource: Resource | undefined,
  objects: readonly Resource[],
): readonly Resource[] => notApart(resource, nearestOf(objects, resource));

/** A name that tells a management cluster from others: its server, its provider, or its folders below the last common one. */
export function nameAmong({ own, all }: Placement): string {
  if (own.by === "provider") {
    const longName = longNameOfProvider(own.is);
    const { byName, byLongName } = providersIn(all);
    const isShared = (those: readonly ManagementLocation[] = []) => those.some((other) => areTwo(own, other));
    if (!isShared(byName.get(nameInUrn(own.is)))) return nameOfLocation(own);
    return isShared(byLongName.get(longName)) ? own.is : longName;
  }
  if (own.by !== "folder") return nameOfLocation(own);
  const [root, ...inner] = foldersOn(locationsIn(all).folders, own.is) as [Folder, ...Folder[]];
  const shared = inner.filter(({ inside }) => inside.length === root.inside.length).length;
  return partsOf(own.is).slice(Math.max(1, shared)).join("/") || nameOfLocation(own);
}

/** The name of one of several hosted clusters with the same namespace and name: `clusters/tenant-a (stage)`. */
export const placedName = (cluster: string, where: string): string => `${cluster} (${where})`;

/** The namespace and name in `placedName`, or in the name of a cluster that has no namesake. */
export const plainName = (cluster: string): string => cluster.split(" (", 1)[0]!;

/** The short name of a management cluster: its server, the name of its provider, its stack and project, its last folder. */
export function nameOfLocation({ by, is }: ManagementLocation): string {
  if (by === "stack") return nameOfStack(is);
  if (by === "provider") return nameInUrn(is);
  return by === "server" ? is.replace(/^cluster\//, "") : is.slice(is.lastIndexOf("/") + 1) || is;
}

const providersIn = onceForEach((all: readonly ManagementLocation[]) => {
  const providers = all.filter(({ by }) => by === "provider");
  return {
    byName: grouped(providers, ({ is }) => nameInUrn(is)),
    byLongName: grouped(providers, ({ is }) => longNameOfProvider(is)),
  };
});

/** The provider name with its stack and project, because several stacks may use one provider name. */
const longNameOfProvider = (urn: string): string => `${nameOfStack(urn)}/${nameInUrn(urn)}`;

/** The stack and the project in a URN: `dev/network`. */
const nameOfStack = (urn: string): string =>
  stackInUrn(urn)
    .replace(/^urn:pulumi:/, "")
    .replace("::", "/");

/** Whether a word of the configuration names a management cluster. */
export const isCalled = (place: ManagementLocation, word: string): boolean => wordsFor(place).includes(word);

/** The words that name a management cluster in the configuration: its server, provider (name or URN), stack, or the end of its path. */
export function wordsFor({ by, is }: ManagementLocation): string[] {
  if (by === "provider") return [is, nameInUrn(is), longNameOfProvider(is)];
  if (by === "stack") return [is, nameOfStack(is)];
  const whole = by === "folder" ? resolve(is) : is;
  return [is, `./${is}`, whole, ...Array.from(whole.matchAll(/\//g), ({ index }) => whole.slice(index + 1))];
}

/** Things by the management cluster that they are in, to which more are added while others are looked up. */
export class ThingsByPlace<Thing> {
  readonly #byKind = new Map<
    ManagementLocation["by"] | undefined,
    { all: Thing[]; byKey: Map<string, Thing[]> }
  >();

  constructor(
    private readonly locationOf: (thing: Thing) => ManagementLocation | undefined,
    things: Iterable<Thing> = [],
  ) {
    for (const thing of things) this.add(thing);
  }

  add(thing: Thing): void {
    const place = this.locationOf(thing);
    const { all, byKey } = onceIn(this.#byKind, place?.by, () => ({ all: [], byKey: new Map() }));
    all.push(thing);
    if (place) append(byKey, keyOfPlace(place), [thing]);
  }

  /** The things that are not known to be in another management cluster than a location, see `areTwo`: lists of each kind of location. */
  notInAnother(place: ManagementLocation | undefined): readonly (readonly Thing[])[] {
    return [...this.#byKind].map(([by, { all, byKey }]) =>
      place && by === place.by ? (byKey.get(keyOfPlace(place)) ?? []) : all,
    );
  }
}

/** Hosted clusters of one name by the stack that describes them. */
export class ThingsByStack<Thing> {
  readonly #inStack = new Map<string, ThingsByPlace<Thing>>();
  readonly #inProject = new Map<string | undefined, ThingsByPlace<Thing>>();

  constructor(private readonly locationOf: (thing: Thing) => ManagementLocation | undefined) {}

  /** @param isObject whether resources of other projects may mean it: a component or a patch is only for its own stack */
  add(thing: Thing, resource: Resource | undefined, isObject: boolean): void {
    const stack = resource && stackOf(resource)?.is;
    const newList = () => new ThingsByPlace<Thing>(this.locationOf);
    if (stack !== undefined) onceIn(this.#inStack, stack, newList).add(thing);
    if (stack === undefined || isObject)
      onceIn(this.#inProject, stack && projectOf(stack), newList).add(thing);
  }

  /**
   * The things that a resource of a stack may mean: those of its stack and those of none. If its stack has none, also those of other
   * projects, but not those of other stacks of its project, which its program creates for other clusters.
   */
  meantFrom(stack: string, place: ManagementLocation | undefined): readonly Thing[] {
    const within = (things: ThingsByPlace<Thing> | undefined) => things?.notInAnother(place).flat() ?? [];
    const own = within(this.#inStack.get(stack));
    if (own.length > 0) return [...own, ...within(this.#inProject.get(undefined))];
    return [...this.#inProject].flatMap(([project, things]) =>
      project === projectOf(stack) ? [] : within(things),
    );
  }
}

const projectOf = (stack: string): string => stack.slice(stack.indexOf("::") + 2);
