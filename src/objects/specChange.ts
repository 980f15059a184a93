import { sortedJson } from "../collections";
import { isList, isMap, propertyOf, readValue } from "../resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";

/** The `spec` of an object in the stack's state. */
export interface StatedSpec {
  /** What the program last wrote. */
  inputs?: PropertyValue | undefined;
  /** What the server had then, including defaults. */
  outputs?: PropertyValue | undefined;
}

/** What the program last wrote to an object that the plan changes, and what the server had. */
export const statedBefore = ({ before }: Pick<Resource, "before">): StatedSpec => ({
  inputs: before?.inputs.spec,
  outputs: before?.outputs.spec,
});

/** The live value, because the program's last write may not have taken effect; if the server does not show it, what was last written. */
export function liveValue({ inputs, outputs }: StatedSpec, path: string): PropertyValue | undefined {
  const live = readValue(outputs, path) ?? readValue(inputs, path);
  return live === "" ? undefined : (live ?? undefined);
}

/** The part of a live value that the new value also has: the server may have added defaults. */
export function pruned(live: PropertyValue, next: PropertyValue): PropertyValue {
  if (isMap(live) && isMap(next))
    return Object.fromEntries(
      Object.keys(next).flatMap((key) => {
        const value = live[key];
        return value === undefined ? [] : [[key, pruned(value, next[key]!)] as const];
      }),
    );
  if (isList(live) && isList(next) && live.length === next.length)
    return live.map((entry, position) => pruned(entry, next[position]!));
  return live;
}

/** Whether two values could be the same, if unknown parts match anything. */
export function couldBeSame(a: PropertyValue | undefined, b: PropertyValue | undefined): boolean {
  if (a === UNKNOWN || b === UNKNOWN) return true;
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((entry, position) => couldBeSame(entry, b[position]));
  if (isMap(a) && isMap(b))
    return Object.keys({ ...a, ...b }).every((key) => couldBeSame(propertyOf(a, key), propertyOf(b, key)));
  return sameValue(a, b);
}

/** Whether two values are the same, regardless of the order of their keys. */
export function sameValue(a: PropertyValue | undefined, b: PropertyValue | undefined): boolean {
  return sortedJson(a) === sortedJson(b);
}

const withoutUnknown = (_: string, value: unknown): unknown => (value === UNKNOWN ? "not known" : value);

const LONGEST = 120;

/** A value as it is written in a manifest, on one line. */
export function written(value: PropertyValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, withoutUnknown);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
}
