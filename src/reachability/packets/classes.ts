import { grouped, onceIn } from "../../collections";
import { joined, LARGE_NUMBERS, NUMBERS, type Runs, type Whole } from "./algebra";

/** Neighbouring numbers, first and last included. */
export interface Range {
  from: bigint;
  to: bigint;
}

/** Numbers of one dimension, in classes of numbers that are in the same lists. */
export interface Classes {
  /** The classes of a list, as ranges of their positions. */
  of(list: readonly Range[]): readonly { from: number; to: number }[];
  /** The numbers of the classes at ranges of positions, in order and in as few ranges as possible. */
  ranges(classes: readonly { from: number; to: number }[]): Range[];
}

/**
 * Puts numbers that no list tells apart into one class: 128 blocks that always occur together become one position. Classes are in
 * the order of their first numbers, so that results built from them are in the order of the numbers.
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
    ranges: (some) =>
      joined(
        some.flatMap(({ from, to }) => members.slice(from, to + 1).flat()).map((range) => ({ ...range })),
        LARGE_NUMBERS.next,
      ),
  };
}

/** The numbers at which a list begins or has just ended: no list tells the numbers between two of these apart. */
function startsOf(lists: readonly (readonly Range[])[]): bigint[] {
  const all = new Set(lists.flatMap((list) => list.flatMap(({ from, to }) => [from, to + 1n])));
  return [...all].sort((a, b) => (a < b ? -1 : 1));
}

/** The class of each place, or -1 if it is in no list: every list splits its places off from the others of their class. */
function refined(lists: readonly (readonly number[])[], count: number): number[] {
  const classAt = new Array<number>(count).fill(-1);
  let last = 0;
  for (const places of lists) {
    const parted = new Map<number, number>();
    for (const place of places) classAt[place] = onceIn(parted, classAt[place]!, () => last++);
  }
  const order = new Map<number, number>();
  return classAt.map((one) => (one < 0 ? one : onceIn(order, one, () => order.size)));
}

const runsOf = (positions: readonly number[]): { from: number; to: number }[] =>
  joined(
    positions.map((position) => ({ from: position, to: position })),
    NUMBERS.next,
  );

/**
 * Groups runs with the same rest, in the order of the first run of each group. Sets have only one form, so equal rests have equal
 * keys, and no rest is compared with all others.
 */
export const alike = <S, N extends Whole>(
  set: Runs<S, N>,
  keyOf: (rest: S) => string | number,
): { ranges: { from: N; to: N }[]; rest: S }[] =>
  [...grouped(set, ({ rest }) => keyOf(rest)).values()].map((runs) => ({
    ranges: runs.map(({ from, to }) => ({ from, to })),
    rest: runs[0].rest,
  }));

/** A key that identifies a set of one dimension. */
export const lineKey = (line: readonly { from: Whole; to: Whole }[]): string => line.map(span).join();

/** A key that identifies a set of two dimensions. */
export const planeKey = <N extends Whole>(
  plane: Runs<Runs<boolean, N>, N>,
  keyOf: (line: Runs<boolean, N>) => string | number = lineKey,
): string => plane.map((run) => `${span(run)}:${keyOf(run.rest)}`).join(";");

/**
 * Numbers sets, with the same number for equal ones. A set that occurs in many places, such as the destinations of a product below
 * each of its sources, is read once.
 */
export function numbered<S extends object>(keyOf: (set: S) => string): (set: S) => number {
  const known = new Map<S, number>();
  const keys = new Map<string, number>();
  return (set) => onceIn(known, set, () => onceIn(keys, keyOf(set), () => keys.size));
}

/** Base 32, because large numbers are formatted much faster in a base that is a power of two. */
const span = ({ from, to }: { from: Whole; to: Whole }): string => `${from.toString(32)}-${to.toString(32)}`;
