import type { FamilyColumns } from "./bulk";

const DIGIT = 11;

/**
 * The rows of the columns in the order of first address, then length, so that a prefix stands before those inside it;
 * equal prefixes keep the order of the input. A radix sort of row numbers that leaves out the bits in which all
 * addresses agree.
 */
export function sortedRows({ lanes, lengths, index }: FamilyColumns): Uint32Array {
  let rows = Uint32Array.from(index, (_, row) => row);
  let spare = new Uint32Array(rows.length);
  const turn = (keys: Uint32Array | Uint8Array, shift: number, bits: number): void => {
    distribute(keys, shift, bits, rows, spare);
    [rows, spare] = [spare, rows];
  };
  if (differingBits(lengths) !== 0) turn(lengths, 0, 8);
  for (const keys of lanes.toReversed()) {
    let left = differingBits(keys);
    while (left !== 0) {
      const shift = 31 - Math.clz32(left & -left);
      turn(keys, shift, DIGIT);
      left = shift + DIGIT < 32 ? left & (-1 << (shift + DIGIT)) : 0;
    }
  }
  return rows;
}

function differingBits(keys: Uint32Array | Uint8Array): number {
  let differing = 0;
  const [first = 0] = keys;
  for (let i = 1; i < keys.length; i++) differing |= keys[i]! ^ first;
  return differing;
}

/** One pass: `from` is copied to `to`, ordered by the digit, rows with an equal digit as they stood. */
function distribute(
  keys: Uint32Array | Uint8Array,
  shift: number,
  bits: number,
  from: Uint32Array,
  to: Uint32Array,
): void {
  const mask = (1 << bits) - 1;
  const places = new Uint32Array(mask + 2);
  for (let i = 0; i < keys.length; i++) places[((keys[i]! >>> shift) & mask) + 1]!++;
  for (let digit = 1; digit <= mask; digit++) places[digit]! += places[digit - 1]!;
  for (let i = 0; i < from.length; i++) {
    const row = from[i]!;
    to[places[(keys[row]! >>> shift) & mask]!++] = row;
  }
}
