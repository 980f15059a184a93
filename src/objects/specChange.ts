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

/**
 * The live value, because the program's last write may not have taken effect; if the server does not show it, what was last written.
 *
 * @param emptyText what an empty text stands for: usually no value
 */
export function liveValue(
  { inputs, outputs }: StatedSpec,
  path: string,
  emptyText?: "",
): PropertyValue | undefined {
  const live = readValue(outputs, path) ?? readValue(inputs, path);
  return live === "" ? emptyText : (live ?? undefined);
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
/** How many characters in front of a difference are shown. */
const BEFORE = 40;

const textOf = (value: PropertyValue): string =>
  typeof value === "string" ? value : JSON.stringify(value, withoutUnknown);

/** A value as it is written in a manifest, on one line. */
export const written = (value: PropertyValue): string => shortened(textOf(value), 0);

/** A text from a character on, of limited length. */
function shortened(text: string, from: number): string {
  if (text.length <= LONGEST) return text;
  const rest = from === 0 ? text : `...${text.slice(from)}`;
  return rest.length > LONGEST ? `${rest.slice(0, LONGEST - 3)}...` : rest;
}

/** The values before and after a change, as they are written; of long lists, only the first entry that differs. */
export interface WrittenChange {
  /** Absent if the entry is added. */
  was?: string;
  /** Absent if the entry is removed. */
  will?: string;
  /** The number of the entry, from 1. */
  entry?: number;
}

/** Writes two values that are not the same so that the difference shows. */
export function writtenChange(live: PropertyValue, next: PropertyValue): WrittenChange {
  const isShort = textOf(live).length <= LONGEST && textOf(next).length <= LONGEST;
  if (isShort) return { was: written(live), will: written(next) };
  if (isList(live) && isList(next) && (live.length > 1 || next.length > 1)) return entryChange(live, next);
  return writtenApart(pruned(live, next), next);
}

function entryChange(live: readonly PropertyValue[], next: readonly PropertyValue[]): WrittenChange {
  const at = firstDifference(live, next);
  const was: PropertyValue | undefined = live[at];
  const will: PropertyValue | undefined = next[at];
  if (was === undefined) return { entry: at + 1, will: written(will ?? null) };
  if (will === undefined) return { entry: at + 1, was: written(was) };
  return { entry: at + 1, ...writtenApart(pruned(was, will), will) };
}

function firstDifference(live: readonly PropertyValue[], next: readonly PropertyValue[]): number {
  const at = next.findIndex((entry, position) => {
    const was: PropertyValue | undefined = live[position];
    return was === undefined || !couldBeSame(pruned(was, entry), entry);
  });
  return at < 0 ? next.length : at;
}

function writtenApart(live: PropertyValue, next: PropertyValue): WrittenChange {
  const [was, will] = [textOf(live), textOf(next)];
  let same = 0;
  while (same < was.length && was[same] === will[same]) same++;
  const from = same > LONGEST / 2 ? same - BEFORE : 0;
  return { was: shortened(was, from), will: shortened(will, from) };
}

/** A value without the properties of these names, at any depth. */
export function without(value: PropertyValue, names: readonly string[]): PropertyValue {
  if (names.length === 0) return value;
  if (isList(value)) return value.map((entry) => without(entry, names));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !names.includes(key))
      .map(([key, entry]) => [key, without(entry, names)]),
  );
}
