import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { topologyProperties } from "./normalizeTopology";

/**
 * A topology from an object of a stack and from configuration. What the object says holds; configuration adds what it does
 * not say, and what is not known yet.
 */
export function mergeTopology(fromObject: RawTopology, fromConfig: RawTopology): RawTopology {
  return merged(fromObject, fromConfig);
}

type Values = { readonly [key: string]: PropertyValue };

function merged(base: Values, added: Values): Values {
  const result: { [key: string]: PropertyValue } = { ...base };
  for (const [key, theirs] of Object.entries(added)) {
    const ours = result[key];
    if (ours === undefined || ours === UNKNOWN) result[key] = theirs;
    else if (isObject(ours) && isObject(theirs)) result[key] = merged(ours, theirs);
  }
  return result;
}

function isObject(value: PropertyValue | undefined): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A topology before it is judged, as far as its source says it: values of any kind, UNKNOWN at any depth. */
export type RawTopology = {
  readonly [property in (typeof topologyProperties)[number] | "addresses"]?: PropertyValue;
};
