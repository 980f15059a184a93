import { type PropertyValue, UNKNOWN } from "./resource";
import { isRecord } from "../collections";

/** A value inside a resource, with its path as findings print it. */
export interface Found {
  /** `ingress[0].cidrBlocks[1]` */
  path: string;
  value: PropertyValue;
}

/** A key as a step of a path: `.spec`, or `["app.kubernetes.io/name"]` if it contains dots. */
export const stepTo = (key: string): string => (/^[^.[\]"]+$/.test(key) ? `.${key}` : `["${key}"]`);

/** The keys and positions along a written path: `spec.egress[3].to["a.b"]`. */
export const stepsAlong = (path: string): string[] =>
  [...path.matchAll(/\["([^"]*)"\]|[^.[\]]+/g)].map(([step, quoted]) => quoted ?? step);

/** The value at a written path: `spec.ingress[0]`. */
export const valueAt = (value: PropertyValue | undefined, path: string): PropertyValue | undefined =>
  stepsAlong(path).reduce((at, key) => (isList(at) ? at[Number(key)] : propertyOf(at, key)), value);

/** Whether a path is inside the value at another path. */
export const isInside = (path: string, outer: string): boolean =>
  path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/**
 * What a typed getter returns: the value, undefined if there is none, or UNKNOWN. A value of another type is UNKNOWN, because it is
 * uncertain how the API interprets it, and a rule that treated it as absent would silently accept it.
 */
export type Read<T> = T | typeof UNKNOWN | undefined;

/**
 * The values at a path, in which `[]` stands for every entry of a list: `ingress[].cidrBlocks[]`. Absent and null values
 * are left out. If an entry or a value along the path is unknown, the result has one UNKNOWN at that place. The same holds for a
 * value of an unexpected shape: a text instead of a list may be meant as one.
 */
export function read(from: PropertyValue | undefined, path: string, at = ""): Found[] {
  if (from === undefined) return [];
  let found: Found[] = [{ path: at, value: from }];
  for (const step of stepsOf(path)) {
    const next: Found[] = [];
    for (const place of found) {
      if (step.lists === 0 && step.key !== "") property(place, step.key, next);
      else take(place, step, next);
    }
    if (next.length === 0) return next;
    found = next;
  }
  return found;
}

/** A property, and how many nested lists follow it. */
interface Step {
  key: string;
  lists: number;
}

/** Parsed paths: the same few paths are read in every resource. */
const known = new Map<string, readonly Step[]>();

function stepsOf(path: string): readonly Step[] {
  const steps = known.get(path);
  if (steps) return steps;
  const made = path.split(".").map((step): Step => {
    const lists = step.split("[]").length - 1;
    return { key: step.slice(0, step.length - 2 * lists), lists };
  });
  if (known.size < MOST_PATHS) known.set(path, made);
  return made;
}

/** Limits the cache. Paths come from our code, but a path that came from input must not fill the memory. */
const MOST_PATHS = 10_000;

function take(place: Found, { key, lists }: Step, into: Found[]): void {
  let places: Found[] = [];
  if (key === "") places.push(place);
  else property(place, key, places);
  for (let depth = 0; depth < lists; depth++) {
    const inside: Found[] = [];
    for (const one of places) entries(one, inside);
    places = inside;
  }
  for (const one of places) into.push(one);
}

function property({ path, value }: Found, key: string, into: Found[]): void {
  if (!isMap(value)) present(path, misshapen(value), into);
  else if (Object.hasOwn(value, key)) present(path === "" ? key : `${path}.${key}`, value[key], into);
}

function entries({ path, value }: Found, into: Found[]): void {
  if (!Array.isArray(value)) present(path, misshapen(value), into);
  else
    for (let position = 0; position < value.length; position++)
      present(`${path}[${position}]`, (value as readonly PropertyValue[])[position], into);
}

/** What a value of an unexpected shape counts as. */
const misshapen = (value: PropertyValue): PropertyValue => (value === null ? null : UNKNOWN);

function present(path: string, value: PropertyValue | undefined, into: Found[]): void {
  if (value !== undefined && value !== null) into.push({ path, value });
}

/** The texts that `read` finds. */
export const readTexts = (from: PropertyValue | undefined, path: string): string[] =>
  read(from, path).flatMap(({ value }) => (typeof value === "string" ? [value] : []));

/** The value of a JSON text; undefined if it is none. */
export function parsedJson(text: string): PropertyValue | undefined {
  try {
    return JSON.parse(text) as PropertyValue;
  } catch {
    return undefined;
  }
}

/** Whether every value at a path that `read` would find passes. Faster, because it builds no paths. */
export function everyValue(
  from: PropertyValue | undefined,
  path: string,
  passes: (value: PropertyValue) => boolean,
): boolean {
  return everyAfter(from, stepsOf(path), 0, 0, passes);
}

/** @param lists how many nested lists of this step remain */
function everyAfter(
  value: PropertyValue | undefined,
  steps: readonly Step[],
  position: number,
  lists: number,
  passes: (value: PropertyValue) => boolean,
): boolean {
  if (value === undefined || value === null) return true;
  if (value === UNKNOWN) return passes(value);
  if (lists > 0) {
    if (!Array.isArray(value)) return passes(UNKNOWN);
    for (const entry of value as readonly PropertyValue[])
      if (!everyAfter(entry, steps, position, lists - 1, passes)) return false;
    return true;
  }
  const step = steps[position];
  if (!step) return passes(value);
  if (step.key === "") return everyAfter(value, steps, position + 1, step.lists, passes);
  if (!isMap(value)) return passes(UNKNOWN);
  if (!Object.hasOwn(value, step.key)) return true;
  return everyAfter(value[step.key], steps, position + 1, step.lists, passes);
}

/** The one value at a path without lists; UNKNOWN if a value along the path is not an object. */
export function readValue(from: PropertyValue | undefined, path: string): PropertyValue | undefined {
  let value = from;
  for (const { key, lists } of stepsOf(path)) {
    if (lists > 0 || key === "") return read(from, path)[0]?.value;
    if (value === undefined || value === null) return undefined;
    if (!isMap(value)) return UNKNOWN;
    value = Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
  }
  return value;
}

/** The text at a path. */
export function readText(from: PropertyValue | undefined, path: string): Read<string> {
  return typed(readValue(from, path), (value) => (typeof value === "string" ? value : undefined));
}

/** The integer at a path, the only kind of number that rules read. A text of digits counts: some languages send numbers as text. */
export function readNumber(from: PropertyValue | undefined, path: string): Read<number> {
  return typed(readValue(from, path), (value) => {
    if (typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
    return Number.isInteger(value) ? (value as number) : undefined;
  });
}

/** The boolean at a path; the texts `true` and `false` count. */
export function readFlag(from: PropertyValue | undefined, path: string): Read<boolean> {
  return typed(readValue(from, path), (value) => {
    if (value === "true" || value === "false") return value === "true";
    return typeof value === "boolean" ? value : undefined;
  });
}

const typed = <T>(value: PropertyValue | undefined, as: (value: PropertyValue) => T | undefined): Read<T> =>
  value === undefined ? undefined : (as(value) ?? UNKNOWN);

/** A value and its path, as the user writes it. */
export interface Place {
  path: string;
  /** Absent and null mean the same: not given. */
  value: PropertyValue | undefined;
}

export type PropertyMap = { readonly [key: string]: PropertyValue };

/** Whether a value is a text that is not empty: providers write an empty text if nothing is set. */
export const isFilled = (value: unknown): value is string => typeof value === "string" && value !== "";

export const isGiven = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;

/** Whether a value is an object with keys, and neither a list nor unknown. */
export const isMap = (value: PropertyValue | undefined): value is PropertyMap => isRecord(value);

export const isList = (value: PropertyValue | undefined): value is readonly PropertyValue[] =>
  Array.isArray(value);

/** The entries of a value that is a list, otherwise none. */
export const entriesOf = (value: PropertyValue | undefined): readonly PropertyValue[] =>
  isList(value) ? value : [];

/** An own property of a value that is an object: keys may be any word, even `constructor`. */
export const propertyOf = (value: PropertyValue | undefined, key: string): PropertyValue | undefined =>
  isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Yields the path of everything in a value that is not known yet: `spec.ingress[0].from`. */
export function* unknownPlaces(value: PropertyValue | undefined, path = ""): Generator<string> {
  if (value === UNKNOWN) yield path;
  else if (isList(value))
    for (const [position, entry] of value.entries()) yield* unknownPlaces(entry, `${path}[${position}]`);
  else if (isMap(value))
    for (const [key, inside] of Object.entries(value))
      yield* unknownPlaces(inside, path === "" ? key : `${path}.${key}`);
}

/** Whether something in a value is not known yet. */
export function holdsUnknown(value: PropertyValue | undefined): boolean {
  if (value === UNKNOWN) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown);
}
