import { lineKey, numbered } from "./alike";

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
