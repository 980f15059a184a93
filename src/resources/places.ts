import { UNKNOWN, type PropertyValue } from "./resource";

/** A value where it stands: the path as the user writes it. */
export interface Place {
  path: string;
  /** Absent and null mean the same: not given. */
  value: PropertyValue | undefined;
}

export type PropertyMap = { readonly [key: string]: PropertyValue };

export const isGiven = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;

export const isMap = (value: PropertyValue | undefined): value is PropertyMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
