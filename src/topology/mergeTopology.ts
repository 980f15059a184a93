import type { Fault } from "../fault";
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

/**
 * Where configuration contradicts the object: it has no effect there, and its author should know. Values of proxies are
 * never shown.
 *
 * @param path how the caller's user names the configuration: `hostedClusters[0]`
 */
export function topologyContradictions(
  fromObject: RawTopology,
  fromConfig: RawTopology,
  path: string,
): Fault[] {
  return contradictions(fromObject, fromConfig, path);
}

function contradictions(base: Values, added: Values, path: string): Fault[] {
  return Object.entries(added).flatMap(([key, theirs]) => {
    const ours = base[key];
    if (ours === undefined || ours === UNKNOWN || theirs === UNKNOWN || sameValue(ours, theirs)) return [];
    if (isObject(ours) && isObject(theirs)) return contradictions(ours, theirs, `${path}.${key}`);
    return [
      {
        path: `${path}.${key}`,
        problem: "the HostedCluster object says otherwise, and its value holds",
        remedy: "leave it out, or write the same value",
      },
    ];
  });
}

function isObject(value: PropertyValue | undefined): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sameValue(a: PropertyValue, b: PropertyValue): boolean {
  const [left, right] = [a, b].map((value) => JSON.stringify(value, sortedKeys));
  return left === right;
}

/** Objects with their keys in order, and UNKNOWN as something that equals nothing else. */
function sortedKeys(_: string, value: unknown): unknown {
  if (value === UNKNOWN) return { unknown: true };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A topology before it is judged, as far as its source says it: values of any kind, UNKNOWN at any depth. */
export type RawTopology = {
  readonly [property in (typeof topologyProperties)[number] | "addresses"]?: PropertyValue;
};
