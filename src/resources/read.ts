import { type PropertyValue, UNKNOWN } from "./resource";
import { isRecord } from "../collections";

/** A value inside a resource, with its place as findings print it. */
export interface Found {
  /** `ingress[0].cidrBlocks[1]` */
  path: string;
  value: PropertyValue;
}

/** A key as a step of a path: `.spec`; `["app.kubernetes.io/name"]` where dots are no steps. */
export const stepTo = (key: string): string => (/^[^.[\]"]+$/.test(key) ? `.${key}` : `["${key}"]`);

/** The keys and positions along a written path: `spec.egress[3].to["a.b"]`. */
export const stepsAlong = (path: string): string[] =>
  [...path.matchAll(/\["([^"]*)"\]|[^.[\]]+/g)].map(([step, quoted]) => quoted ?? step);

/** Whether a place is in what stands at another one. */
export const isInside = (path: string, outer: string): boolean =>
  path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/**
 * What a typed getter answers: the value, undefined where there is none, or UNKNOWN. A value of another type is not known: what the API
 * makes of it is uncertain, and a rule that took it for absent would let it pass without a word.
 */
export type Read<T> = T | typeof UNKNOWN | undefined;

/**
 * The values at a path, in which `[]` stands for every entry of a list: `ingress[].cidrBlocks[]`. Absent and null values
 * are left out. Where something on the way is unknown, or an entry is, there is one UNKNOWN at that place; so there is where
 * something has another shape than expected: a text in the place of a list may be meant for one.
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

/** A property, then lists in lists. */
interface Step {
  key: string;
  lists: number;
}

/** The same few paths are read in every resource. */
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

/** Paths come from the program; should some come from its input one day, they do not fill the memory. */
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

/** What a value counts as that has another shape than its reader expects. */
const misshapen = (value: PropertyValue): PropertyValue => (value === null ? null : UNKNOWN);

function present(path: string, value: PropertyValue | undefined, into: Found[]): void {
  if (value !== undefined && value !== null) into.push({ path, value });
}

/** Whether every value at a path passes, the same values as `read` finds: faster, because no place is written down. */
export function everyValue(
  from: PropertyValue | undefined,
  path: string,
  passes: (value: PropertyValue) => boolean,
): boolean {
  return everyAfter(from, stepsOf(path), 0, 0, passes);
}

/** @param lists how many of the lists of this step are left */
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

/** The one value at a path without lists; UNKNOWN where something on the way is not an object. */
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

/** The whole number at a path, and rules read no others; a text of digits counts, because some languages send numbers so. */
export function readNumber(from: PropertyValue | undefined, path: string): Read<number> {
  return typed(readValue(from, path), (value) => {
    if (typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
    return Number.isInteger(value) ? (value as number) : undefined;
  });
}

/** The truth value at a path. */
export function readFlag(from: PropertyValue | undefined, path: string): Read<boolean> {
  return typed(readValue(from, path), (value) => {
    if (value === "true" || value === "false") return value === "true";
    return typeof value === "boolean" ? value : undefined;
  });
}

const typed = <T>(value: PropertyValue | undefined, as: (value: PropertyValue) => T | undefined): Read<T> =>
  value === undefined ? undefined : (as(value) ?? UNKNOWN);

/** A value where it stands: the path as the user writes it. */
export interface Place {
  path: string;
  /** Absent and null mean the same: not given. */
  value: PropertyValue | undefined;
}

export type PropertyMap = { readonly [key: string]: PropertyValue };

/** Whether a value is a text that says something: providers write an empty one where nothing is set. */
export const isFilled = (value: unknown): value is string => typeof value === "string" && value !== "";

export const isGiven = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;

/** Whether a value is an object with keys, and neither a list nor unknown. */
export const isMap = (value: PropertyValue | undefined): value is PropertyMap => isRecord(value);

export const isList = (value: PropertyValue | undefined): value is readonly PropertyValue[] =>
  Array.isArray(value);

/** The entries of a value where it is a list, none otherwise. */
export const entriesOf = (value: PropertyValue | undefined): readonly PropertyValue[] =>
  isList(value) ? value : [];

/** A property that a value has itself, where it is an object: keys may be any word, `constructor` too. */
export const propertyOf = (value: PropertyValue | undefined, key: string): PropertyValue | undefined =>
  isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The paths of everything in a value that is not known yet: `spec.ingress[0].from`. */
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
