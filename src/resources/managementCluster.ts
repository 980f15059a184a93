import type { Resource } from "./resource";

/**
 * The management cluster in which an object is, as far as its input says it: what was asked at, else the provider, else the folder of
 * its file. Two of one kind that differ are two management clusters.
 */
export interface ManagementLocation {
  by: "server" | "provider" | "folder";
  /** `cluster/api.example.com:6443`, the URN of a provider, `fleet/stage`. */
  is: string;
}

/** Absent where nothing says it. */
export function managementOf({ origin, provider }: Resource): ManagementLocation | undefined {
  if (origin.runsIn !== undefined) return { by: "server", is: origin.runsIn };
  if (provider !== undefined) return { by: "provider", is: provider };
  if (origin.file === undefined || origin.urn !== undefined) return undefined;
  return { by: "folder", is: origin.file.slice(0, Math.max(0, origin.file.lastIndexOf("/"))) };
}

/** Whether two are known to be two. */
export const areTwo = (a: ManagementLocation | undefined, b: ManagementLocation | undefined): boolean =>
  a !== undefined && b !== undefined && a.by === b.by && a.is !== b.is;

/** Where a hosted cluster is, where others of its name are elsewhere. */
export interface Placement {
  own: ManagementLocation;
  others: readonly ManagementLocation[];
}

/** Whether a resource is in the management cluster of another one of that name, and not in this one's. */
export function isElsewhere(placement: Placement | undefined, resource: Resource): boolean {
  const place = placement && managementOf(resource);
  if (!place || place.by !== placement.own.by) return false;
  if (place.by !== "folder") return placement.others.some((other) => other.is === place.is);
  const own = depthShared(placement.own.is, place.is);
  return placement.others.some((other) => depthShared(other.is, place.is) > own);
}

/** How many folders two paths begin with in common. */
function depthShared(a: string, b: string): number {
  const [one, other] = [a.split("/"), b.split("/")];
  const end = one.findIndex((part, at) => part !== other[at]);
  return end < 0 ? one.length : end;
}

/** What tells a management cluster from others: the name of the provider, the folders below the last common one. */
export function nameAmong({ own, others }: Placement): string {
  if (own.by === "provider") return own.is.slice(own.is.lastIndexOf("::") + 2);
  if (own.by === "server") return own.is.replace(/^cluster\//, "");
  const shared = others.reduce((least, other) => Math.min(least, depthShared(own.is, other.is)), Infinity);
  const parts = own.is.split("/");
  return parts.slice(shared).join("/") || (parts.at(-1) ?? "") || ".";
}

/** Whether a word of the configuration names a management cluster: the server, the name or URN of the provider, the end of the folder. */
export const isCalled = ({ by, is }: ManagementLocation, word: string): boolean =>
  is === word || is.endsWith(`${by === "provider" ? "::" : "/"}${word}`);
