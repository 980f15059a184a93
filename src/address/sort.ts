import type { FamilyColumns } from "./bulk";

/** Runs of rows up to this size are left to the insertion sort at the end. */
const SMALL = 24;
const WIDEST_DIGIT = 16;

/**
 * The rows of the columns in the order of first address, then length, so that a prefix stands before those inside it;
 * equal prefixes keep the order of the input.
 *
 * A radix sort from the most significant bit: rows are dealt out by the first bits in which they differ, large piles
 * again by the next such bits. Random addresses need one round, and many in one network skip the bits that they share.
 */
export function sortedRows(columns: FamilyColumns): Uint32Array {
  const rows = new Uint32Array(columns.lengths.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  deal(columns, rows, new Uint32Array(rows.length), 0, rows.length);
  insert(columns, rows);
  return rows;
}

/** Orders the rows from `begin` to `end` as far as piles of `SMALL` rows. */
function deal(
  columns: FamilyColumns,
  rows: Uint32Array,
  spare: Uint32Array,
  begin: number,
  end: number,
): void {
  const size = end - begin;
  if (size <= SMALL) return;
  for (const keys of [...columns.lanes, columns.lengths]) {
    const differing = differingBits(keys, rows, begin, end);
    if (differing === 0) continue;
    const top = 32 - Math.clz32(differing);
    const digit = Math.min(top, WIDEST_DIGIT, 32 - Math.clz32(size));
    const piles = distribute(keys, top - digit, (1 << digit) - 1, rows, spare, begin, end);
    for (let pile = 0, from = begin; pile < piles.length; pile++) {
      const to = piles[pile]!;
      if (to - from > SMALL) deal(columns, rows, spare, from, to);
      from = to;
    }
    return;
  }
}

type Keys = Uint32Array | Uint8Array;

function differingBits(keys: Keys, rows: Uint32Array, begin: number, end: number): number {
  const first = keys[rows[begin]!]!;
  let differing = 0;
  for (let i = begin + 1; i < end; i++) differing |= keys[rows[i]!]! ^ first;
  return differing;
}

/** Orders rows by one digit, those with an equal digit as they stood. The end of each digit's pile. */
function distribute(
  keys: Keys,
  shift: number,
  mask: number,
  rows: Uint32Array,
  spare: Uint32Array,
  begin: number,
  end: number,
): Uint32Array {
  const places = new Uint32Array(mask + 1);
  for (let i = begin; i < end; i++) places[(keys[rows[i]!]! >>> shift) & mask]!++;
  for (let digit = 0, place = begin; digit <= mask; digit++) {
    const count = places[digit]!;
    places[digit] = place;
    place += count;
  }
  for (let i = begin; i < end; i++) {
    const row = rows[i]!;
    spare[places[(keys[row]! >>> shift) & mask]!++] = row;
  }
  rows.set(spare.subarray(begin, end), begin);
  return places;
}

/** Finishes rows of which none is far from its place. */
function insert({ lanes, lengths }: FamilyColumns, rows: Uint32Array): void {
  const first = lanes[0]!;
  let last = -1; // the first 32 bits of the row before
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const key = first[row]!;
    if (key > last) {
      last = key;
      continue;
    }
    let place = i;
    for (; place > 0; place--) {
      const before = rows[place - 1]!;
      if (inOrder(lanes, lengths, before, row)) break;
      rows[place] = before;
    }
    rows[place] = row;
  }
}

function inOrder(lanes: readonly Uint32Array[], lengths: Uint8Array, before: number, row: number): boolean {
  for (let lane = 0; lane < lanes.length; lane++) {
    const keys = lanes[lane]!;
    if (keys[before] !== keys[row]) return keys[before]! < keys[row]!;
  }
  return lengths[before]! <= lengths[row]!;
}
