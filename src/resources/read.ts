import { UNKNOWN, type PropertyValue } from "./resource";

/** A value inside a resource, with its place as findings print it. */
export interface Found {
  /** `ingress[0].cidrBlocks[1]` */
  path: string;
  value: PropertyValue;
}

/** What a typed getter answers: the value, UNKNOWN, or undefined where there is none of that type. */
export type Read<T> = T | typeof UNKNOWN | undefined;

/**
 * The values at a path, in which `[]` stands for every entry of a list: `ingress[].cidrBlocks[]`. Absent and null values
 * are left out. Where something on the way is unknown, or an entry is, there is one UNKNOWN at that place. Nothing that
 * has another shape than expected throws: it holds no such value.
 */
export function read(from: PropertyValue | undefined, path: string, at = ""): Found[] {
  return path
    .split(".")
    .reduce<Found[]>(
      (found, step) => found.flatMap((place) => take(place, step)),
      from === undefined ? [] : [{ path: at, value: from }],
    );
}

function take(place: Found, step: string): Found[] {
  const lists = step.split("[]").length - 1;
  const key = step.slice(0, step.length - 2 * lists);
  let places = key === "" ? [place] : property(place, key);
  for (let depth = 0; depth < lists; depth++) places = places.flatMap(entries);
  return places;
}

function property({ path, value }: Found, key: string): Found[] {
  if (value === UNKNOWN) return [{ path, value }];
  if (!isObject(value) || !Object.hasOwn(value, key)) return [];
  return present({ path: path === "" ? key : `${path}.${key}`, value: value[key] });
}

function entries({ path, value }: Found): Found[] {
  if (value === UNKNOWN) return [{ path, value }];
  if (!Array.isArray(value)) return [];
  return (value as readonly PropertyValue[]).flatMap((entry, position) =>
    present({ path: `${path}[${position}]`, value: entry }),
  );
}

function present({ path, value }: { path: string; value: PropertyValue | undefined }): Found[] {
  return value === undefined || value === null ? [] : [{ path, value }];
}

/** Whether a value is an object with keys, and neither a list nor unknown. */
export function isObject(
  value: PropertyValue | undefined,
): value is { readonly [key: string]: PropertyValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The one value at a path without lists. */
export function readValue(from: PropertyValue | undefined, path: string): PropertyValue | undefined {
  return read(from, path)[0]?.value;
}

/** The text at a path. */
export function readText(from: PropertyValue | undefined, path: string): Read<string> {
  const value = readValue(from, path);
  return typeof value === "string" || value === UNKNOWN ? value : undefined;
}

/** The number at a path; a text of digits counts, because some languages send numbers so. */
export function readNumber(from: PropertyValue | undefined, path: string): Read<number> {
  const value = readValue(from, path);
  if (typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
  return typeof value === "number" || value === UNKNOWN ? value : undefined;
}

/** The truth value at a path. */
export function readFlag(from: PropertyValue | undefined, path: string): Read<boolean> {
  const value = readValue(from, path);
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "boolean" || value === UNKNOWN ? value : undefined;
}
