import type { Run, Runs, Whole } from "./algebra";

/** Neighbouring numbers, first and last included. */
export interface Range {
  from: bigint;
  to: bigint;
}

/** Numbers of one dimension, in classes of those that the same lists have. */
export interface Classes {
  /** The classes that a list has, as ranges of their positions. */
  of(list: readonly Range[]): readonly { from: number; to: number }[];
  /** What the classes of some ranges of positions have, in order and in as few ranges as possible. */
  ranges(classes: readonly { from: number; to: number }[]): Range[];
}

/**
 * Puts numbers that no list tells apart into one class: 128 blocks that always stand together become one position. Classes are
 * in the order of their first numbers, so that whatever is made of them comes in the order of the numbers.
 */
export function classesOf(lists: readonly (readonly Range[])[]): Classes {
  const numberOf = numbered<readonly Range[]>(lineKey);
  const distinct = new Map(lists.map((list) => [numberOf(list), list]));
  const starts = startsOf([...distinct.values()]);
  const places = new Map(starts.map((start, place) => [start, place]));
  const placesOf = (list: readonly Range[]): number[] =>
    list.flatMap(({ from, to }) => {
      const first = places.get(from)!;
      return Array.from({ length: places.get(to + 1n)! - first }, (_, offset) => first + offset);
    });
  const classAt = refined([...distinct.values()].map(placesOf), starts.length);
  const members: Range[][] = [];
  classAt.forEach((one, place) => {
    if (one >= 0) (members[one] ??= []).push({ from: starts[place]!, to: starts[place + 1]! - 1n });
  });
  const classes = new Map(
    [...distinct].map(([number, list]) => [number, runsOf(placesOf(list).map((place) => classAt[place]!))]),
  );
  return {
    of: (list) => classes.get(numberOf(list))!,
    ranges: (some) => joined(some.flatMap(({ from, to }) => members.slice(from, to + 1).flat())),
  };
}

/** Where some list begins or has ended: between two of these all numbers are alike. */
function startsOf(lists: readonly (readonly Range[])[]): bigint[] {
  const all = new Set(lists.flatMap((list) => list.flatMap(({ from, to }) => [from, to + 1n])));
  return [...all].sort((a, b) => (a < b ? -1 : 1));
}

/** The class of each place: those of every list part from the others of their class. -1: in no list. */
function refined(lists: readonly (readonly number[])[], count: number): number[] {
  const classAt = new Array<number>(count).fill(-1);
  let last = 0;
  for (const places of lists) {
    const parted = new Map<number, number>();
    for (const place of places) {
      const before = classAt[place]!;
      if (!parted.has(before)) parted.set(before, last++);
      classAt[place] = parted.get(before)!;
    }
  }
  const order = new Map<number, number>();
  return classAt.map((one) => {
    if (one < 0) return one;
    if (!order.has(one)) order.set(one, order.size);
    return order.get(one)!;
  });
}

function runsOf(positions: readonly number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const position of [...new Set(positions)].sort((a, b) => a - b)) {
    const last = runs[runs.length - 1];
    if (last && last.to + 1 === position) last.to = position;
    else runs.push({ from: position, to: position });
  }
  return runs;
}

function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = result[result.length - 1];
    if (last && last.to + 1n === from) last.to = to;
    else result.push({ from, to });
  }
  return result;
}

/** Runs with the same rest. */
export interface AlikeRuns<S, N extends Whole = bigint> {
  ranges: Pick<Run<S, N>, "from" | "to">[];
  rest: S;
}

/**
 * Runs with the same rest, together, in the order of the first of each. Sets have only one form, so equal rests have equal
 * keys: no rest is compared with all others.
 */
export function alike<S, N extends Whole>(
  set: Runs<S, N>,
  keyOf: (rest: S) => string | number,
): AlikeRuns<S, N>[] {
  const groups = new Map<string | number, AlikeRuns<S, N>>();
  for (const { from, to, rest } of set) {
    const key = keyOf(rest);
    const group = groups.get(key);
    if (group) group.ranges.push({ from, to });
    else groups.set(key, { ranges: [{ from, to }], rest });
  }
  return [...groups.values()];
}

/** What tells a set of one dimension from others. */
export const lineKey = (line: readonly { from: Whole; to: Whole }[]): string => line.map(span).join();

/** What tells a set of two dimensions from others. */
export const planeKey = <N extends Whole>(
  plane: Runs<Runs<boolean, N>, N>,
  keyOf: (line: Runs<boolean, N>) => string | number = lineKey,
): string => plane.map((run) => `${span(run)}:${keyOf(run.rest)}`).join(";");

/**
 * A number for each of some sets, the same for equal ones. A set that stands in many places, as the destinations of a product
 * stand below each of its sources, is looked at once.
 */
export function numbered<S extends object>(keyOf: (set: S) => string): (set: S) => number {
  const known = new Map<S, number>();
  const keys = new Map<string, number>();
  return (set) => {
    let number = known.get(set);
    if (number === undefined) {
      const key = keyOf(set);
      number = keys.get(key) ?? keys.size;
      keys.set(key, number);
      known.set(set, number);
    }
    return number;
  };
}

/** Large numbers are written much faster in a base that is a power of two. */
const span = ({ from, to }: { from: Whole; to: Whole }): string => `${from.toString(32)}-${to.toString(32)}`;
