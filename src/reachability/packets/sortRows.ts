import { type Prefix, prefixesBetween } from "../../address";
import { LARGE_NUMBERS, type Line, NUMBERS, type Whole } from "./algebra";

/** How the addresses of a family are represented. */
export interface AddressKind<N extends Whole> {
  line: Line<N>;
  /** Whether a range is the block of a prefix: its ends differ only in low bits, which are all 0 in the first address. */
  isBlock: (from: N, to: N) => boolean;
  /** Splits a range into such blocks. */
  split: (from: N, to: N) => { from: N; to: N }[];
  first: (prefix: Prefix) => N;
  last: (prefix: Prefix) => N;
}

export const IPV4: AddressKind<number> = {
  line: NUMBERS,
  isBlock: (from, to) => {
    const differing = from ^ to;
    return (differing & (differing + 1)) === 0 && (from & differing) === 0;
  },
  split: (first, last) =>
    prefixesBetween(4, BigInt(first), BigInt(last)).map(({ start, end }) => ({
      from: Number(start),
      to: Number(end),
    })),
  first: ({ numbers }) => numbers.from,
  last: ({ numbers }) => numbers.to,
};

export const IPV6_LINE: AddressKind<bigint> = {
  line: LARGE_NUMBERS,
  isBlock: (from, to) => {
    const differing = from ^ to;
    return (differing & (differing + 1n)) === 0n && (from & differing) === 0n;
  },
  split: (first, last) => prefixesBetween(6, first, last).map(({ start, end }) => ({ from: start, to: end })),
  first: ({ start }) => start,
  last: ({ end }) => end,
};

/** A reusable list of numbers: allocating one for each of many thousands of indexes takes longer than filling it. */
export class Scratch {
  #kept = new Int32Array(64);

  /** Returns a list of at least `count` arbitrary numbers; the next call may return it again. */
  take(count: number): Int32Array {
    if (count <= this.#kept.length) return this.#kept;
    const list = new Int32Array(Math.max(count, 2 * this.#kept.length));
    if (list.length <= LONGEST_KEPT) this.#kept = list;
    return list;
  }
}

/** Rows of four numbers: block, key, and two more. */
const [GROUP, KEY, WIDTH] = [0, 1, 4];
/** Up to this many rows are sorted in place. */
const FEW = 24;
/** Greater than all positions of rows. Keys of 24 bits and positions of 29 bits fit exactly in one number. */
const POSITIONS = 2 ** 29;

const begins = new Scratch();

/**
 * Writes rows of four numbers, sorted by block and then by key; equal rows keep their order. `placeOf` maps each block number to
 * its replacement, below `groups`. Keys have 24 bits.
 */
export function sortRows(
  rows: readonly number[],
  end: number,
  placeOf: Int32Array,
  groups: number,
  into: Int32Array,
): void {
  const next = begins.take(groups + 1).fill(0, 0, groups + 1);
  for (let at = 0; at < end; at += WIDTH) next[placeOf[rows[at]!]! + 1]! += WIDTH;
  for (let group = 0; group < groups; group++) next[group + 1]! += next[group]!;
  for (let at = 0; at < end; at += WIDTH) {
    const group = placeOf[rows[at]!]!;
    const to = next[group]!;
    next[group] = to + WIDTH;
    into[to + GROUP] = group;
    for (let column = KEY; column < WIDTH; column++) into[to + column] = rows[at + column]!;
  }
  for (let group = 0, begin = 0; group < groups; group++) {
    const end = next[group]!;
    if (end - begin <= FEW * WIDTH) insert(into, begin, end);
    else sortMany(into, begin, end);
    begin = end;
  }
}

function insert(rows: Int32Array, begin: number, end: number): void {
  for (let row = begin + WIDTH; row < end; row += WIDTH) {
    const key = rows[row + KEY]!;
    if (rows[row - WIDTH + KEY]! <= key) continue;
    const [second, third] = [rows[row + 2]!, rows[row + 3]!];
    let to = row;
    for (; to > begin && rows[to - WIDTH + KEY]! > key; to -= WIDTH) {
      rows[to + KEY] = rows[to - WIDTH + KEY]!;
      rows[to + 2] = rows[to - WIDTH + 2]!;
      rows[to + 3] = rows[to - WIDTH + 3]!;
    }
    rows[to + KEY] = key;
    rows[to + 2] = second;
    rows[to + 3] = third;
  }
}

function sortMany(rows: Int32Array, begin: number, end: number): void {
  const copy = rows.slice(begin, end);
  const keys = new Float64Array(copy.length / WIDTH);
  for (let row = 0; row < keys.length; row++) keys[row] = copy[row * WIDTH + KEY]! * POSITIONS + row;
  keys.sort();
  for (let row = 0; row < keys.length; row++) {
    const from = (keys[row]! % POSITIONS) * WIDTH;
    for (let column = KEY; column < WIDTH; column++)
      rows[begin + row * WIDTH + column] = copy[from + column]!;
  }
}

const scratch = new Scratch();

/** The numbers below `count`, sorted; equal ones keep their order. The list is valid until the next call, and may be longer. */
export function sortedOrder(count: number, isBefore: (a: number, b: number) => boolean): ArrayLike<number> {
  const order = scratch.take(count);
  for (let number = 0; number < count; number++) order[number] = number;
  if (count > FEW)
    return Array.from(order.subarray(0, count)).sort((a, b) =>
      isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0,
    );
  for (let number = 1; number < count; number++) {
    let to = number;
    for (; to > 0 && isBefore(number, order[to - 1]!); to--) order[to] = order[to - 1]!;
    order[to] = number;
  }
  return order;
}

/** Longer lists are not kept for the next use. */
export const LONGEST_KEPT = 65_536;
