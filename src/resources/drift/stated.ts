import { isDeepStrictEqual } from "node:util";

import { isGiven, isList, isMap, propertyOf, type PropertyMap } from "../places";
import { UNKNOWN, type PropertyValue, type Resource } from "../resource";
import { isPatch } from "../resourceTypes";
import { JOINED } from "./differences";

/**
 * What all resources of one object state together: patches before the object itself. Where two of the same rank contradict
 * each other it is unknown which was written last.
 */
export function statedTogether(resources: readonly Resource[]): PropertyMap {
  const of = (patches: boolean) =>
    resources
      .filter(({ type }) => isPatch(type) === patches)
      .map(({ inputs, properties }) => inputs ?? properties)
      .reduce<PropertyValue>((all, one) => merged(all, one, () => UNKNOWN), {});
  return merged(of(false), of(true), (_, patch) => patch) as PropertyMap;
}

/** @param between decides between two values that are not the same */
function merged(
  one: PropertyValue | undefined,
  other: PropertyValue | undefined,
  between: (one: PropertyValue, other: PropertyValue) => PropertyValue,
  key = "",
): PropertyValue {
  if (!isGiven(one)) return other ?? null;
  if (!isGiven(other) || isDeepStrictEqual(one, other)) return one;
  if (isMap(one) && isMap(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return Object.fromEntries(
      [...keys].map((name) => [name, merged(propertyOf(one, name), propertyOf(other, name), between, name)]),
    );
  }
  if (isList(one) && isList(other) && JOINED.has(key))
    return [...one, ...other.filter((entry) => !one.some((known) => isDeepStrictEqual(known, entry)))];
  return between(one, other);
}

/** The same without what stands at a path. */
export function without(value: PropertyValue | undefined, [key, ...rest]: readonly string[]): PropertyValue {
  if (key === undefined) return UNKNOWN;
  return isMap(value) && propertyOf(value, key) !== undefined
    ? { ...value, [key]: without(value[key], rest) }
    : (value ?? null);
}
