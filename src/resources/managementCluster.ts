import { onceForBoth, onceForEach, onceIn } from "../collections";
import { nameInUrn, type Resource, stackInUrn } from "./resource";

/**
 * The management cluster of an object, if its input states it: the server that the object was read from, else the provider, else the
 * folder of its file. Two different locations of one kind (`by`) are two management clusters.
 */
export interface ManagementLocation {
  by: "server" | "provider" | "folder";
  /** `cluster/api.example.com:6443`, the URN of a provider, `fleet/stage`. */
  is: string;
}

/** The location of a resource; undefined if its input does not state it. */
export function managementOf({ origin, provider }: Resource): ManagementLocation | undefined {
  if (origin.runsIn !== undefined) return { by: "server", is: origin.runsIn };
  if (provider !== undefined) return { by: "provider", is: provider };
  if (origin.file === undefined || origin.urn !== undefined) return undefined;
  return { by: "folder", is: origin.file.slice(0, Math.max(0, origin.file.lastIndexOf("/"))) };
}

/** The locations in `all` that are known to differ from `own`. */
export const othersThan = (
  own: ManagementLocation,
  all: readonly ManagementLocation[],
): ManagementLocation[] => all.filter((other) => areTwo(own, other));

/** Whether two locations are known to be different management clusters. */
export const areTwo = (a: ManagementLocation | undefined, b: ManagementLocation | undefined): boolean =>
  a !== undefined && b !== undefined && a.by === b.by && a.is !== b.is;

/** Whether two objects are certainly in different clusters. Different folders do not prove it: a cluster's files may be in several. */
export function areInTwo(one: Resource | undefined, other: Resource): boolean {
  const place = one && managementOf(one);
  return place?.by !== "folder" && areTwo(place, managementOf(other));
}

/** Like `areInTwo`, but false for providers of different stacks, which may be for the same cluster. */
export function areInTwoOfStack(one: Resource | undefined, other: Resource): boolean {
  if (!areInTwo(one, other)) return false;
  const [place, elsewhere] = [managementOf(one!)!, managementOf(other)!];
  return place.by !== "provider" || stackInUrn(place.is) === stackInUrn(elsewhere.is);
}

/** The objects that are not certainly in another cluster than a resource. Resources in one location get the same list. */
export function notApart(resource: Resource | undefined, objects: readonly Resource[]): readonly Resource[] {
  const place = resource && managementOf(resource);
  if (!place || place.by === "folder") return objects;
  return onceIn(apartIn(objects), keyOfPlace(place), () => {
    const isApart = (object: Resource) => areInTwoOfStack(resource, object);
    return objects.some(isApart) ? objects.filter((object) => !isApart(object)) : objects;
  });
}

const apartIn = onceForEach((_: readonly Resource[]) => new Map<string, readonly Resource[]>());

/** The location of a hosted cluster whose name is also used in other locations. */
export interface Placement {
  own: ManagementLocation;
  /** All locations with a cluster of that name, including `own`: one list for all of these clusters. */
  all: readonly ManagementLocation[];
}

export const isSamePlacement = (a: Placement | undefined, b: Placement | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    isSame(a.own, b.own) &&
    a.all.length === b.all.length &&
    a.all.every((one, at) => isSame(one, b.all[at]!)));

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
  return placement !== undefined && nearest(placement.all, resource)?.has(placement.own) === false;
}

/** The locations in which a resource may be; undefined if not stated. Cached: clusters of one name look up the same resources. */
const nearest = onceForBoth(
  (all: readonly ManagementLocation[], resource: Resource): ReadonlySet<ManagementLocation> | undefined => {
    const place = managementOf(resource);
    const same = all.filter(({ by }) => by === place?.by);
    if (!place || same.length === 0) return undefined;
    if (place.by !== "folder") {
      const there = same.filter(({ is }) => is === place.is);
      return new Set(there.length > 0 ? there : all);
    }
    const depths = same.map(({ is }) => depthShared(is, place.is));
    const most = depths.reduce((deepest, depth) => Math.max(deepest, depth), 0);
    return new Set(same.filter((_, at) => depths[at] === most));
  },
);

/**
 * For objects that each management cluster has one of, such as its Proxy: those in the management cluster of a resource. If they are in
 * several locations, the nearest; if nothing states the location of the resource, all.
 */
export function nearestOf(objects: readonly Resource[], resource: Resource | undefined): readonly Resource[] {
  if (!resource || objects.length <= 1) return objects;
  const places = placesOf(objects);
  const there = places.size > 1 ? nearest([...places.values()], resource) : undefined;
  if (!there) return objects;
  const own = [...there];
  return objects.filter((object) => {
    const place = managementOf(object);
    return !place || own.some((one) => one.by !== place.by || isSame(one, place));
  });
}

/** Like `nearestOf`, but without objects that are certainly in another cluster than the resource. */
export const inClusterOf = (
  resource: Resource | undefined,
  objects: readonly Resource[],
): readonly Resource[] => nearestOf(notApart(resource, objects), resource);

/** The number of leading folders that two paths share. */
function depthShared(a: string, b: string): number {
  const [one, other] = [a.split("/"), b.split("/")];
  const end = one.findIndex((part, at) => part !== other[at]);
  return end < 0 ? one.length : end;
}

/** A name that tells a management cluster from others: its server, its provider, or its folders below the last common one. */
export function nameAmong({ own, all }: Placement): string {
  if (own.by === "provider") {
    const name = nameInUrn(own.is);
    const others = othersThan(own, all).map(({ is }) => is);
    if (!others.some((urn) => nameInUrn(urn) === name)) return name;
    const longName = longNameOfProvider(own.is);
    return others.some((urn) => longNameOfProvider(urn) === longName) ? own.is : longName;
  }
  if (own.by === "server") return own.is.replace(/^cluster\//, "");
  const shared = othersThan(own, all).reduce(
    (least, other) => Math.min(least, depthShared(own.is, other.is)),
    Infinity,
  );
  const parts = own.is.split("/");
  return parts.slice(shared).join("/") || (parts.at(-1) ?? "") || ".";
}

/** The provider name with its stack and project, because several stacks may use one provider name. */
const longNameOfProvider = (urn: string): string =>
  [
    ...stackInUrn(urn)
      .replace(/^urn:pulumi:/, "")
      .split("::"),
    nameInUrn(urn),
  ].join("/");

/** Whether a word of the configuration names a management cluster: its server, provider (name or URN), or the end of its folder. */
export const isCalled = ({ by, is }: ManagementLocation, word: string): boolean =>
  is === word ||
  (by === "provider" ? [nameInUrn(is), longNameOfProvider(is)].includes(word) : is.endsWith(`/${word}`));
