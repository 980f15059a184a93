import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { topologyProperties } from "./normalizeTopology";
import { isMap } from "../resources/read";

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
    else if (isMap(ours) && isMap(theirs)) result[key] = merged(ours, theirs);
  }
  return result;
}

/** A topology before it is judged, as far as its source says it: values of any kind, UNKNOWN at any depth. */
export type RawTopology = {
  readonly [property in (typeof topologyProperties)[number] | "addresses"]?: PropertyValue;
};
