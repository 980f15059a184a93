import { type FamilyColumns, parseBulk, type PrefixColumns, sortedRows } from "./bulk";

/** Means that there is no such position in the input. */
export const NONE = -1;

/** Which prefixes of an input lie in which others, by their positions in the input. */
export interface OverlapsAmong {
  /** For each input, the first input with the narrowest block that strictly encloses it; else `NONE`. */
  readonly parent: Int32Array;
  /** For each input, the first input with the same block, which may be itself; `NONE` if it is refused. */
  readonly twin: Int32Array;
  /** Positions of texts that are not prefixes. */
  readonly refused: Uint32Array;
  /** How many inputs repeat an earlier block. */
  readonly duplicates: number;
  /** How many inputs lie strictly inside another input. */
  readonly nested: number;
  /** How many pairs of inputs share addresses: counted, not listed, because their number can be quadratic in the input. */
  readonly pairs: number;
}

/**
 * Finds the overlaps among any number of prefixes. Two prefixes overlap exactly if one lies in the other, so the result is a
 * forest: each prefix with its nearest parent. Sorting and one sweep find it in O(n log n).
 */
export function overlapsAmong(input: PrefixColumns | readonly unknown[]): OverlapsAmong {
  const columns = "ipv4" in input ? input : parseBulk(input);
  const found = {
    parent: new Int32Array(columns.size).fill(NONE),
    twin: new Int32Array(columns.size).fill(NONE),
    refused: columns.refused,
    duplicates: 0,
    nested: 0,
    pairs: 0,
  };
  sweep(columns.ipv4, found);
  sweep(columns.ipv6, found);
  return found;
}

type Found = { -readonly [Key in keyof OverlapsAmong]: OverlapsAmong[Key] };

/** Walks the sorted rows with a stack of the distinct prefixes that enclose the current one. */
function sweep(columns: FamilyColumns, found: Found): void {
  const { lanes, lengths, index } = columns;
  const { parent, twin } = found;
  const rows = sortedRows(columns);
  const open = new Int32Array(130); // rows; place 0 stays empty
  const held = new Float64Array(130); // number of inputs with the prefixes up to this place of the stack
  let depth = 0;
  let duplicates = 0;
  let nested = 0;
  let pairs = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const shared = i === 0 ? 0 : sharedBits(lanes, rows[i - 1]!, row);
    while (depth > 0 && lengths[open[depth]!]! > shared) depth--;
    if (depth > 0 && lengths[open[depth]!] === lengths[row]) {
      duplicates++;
    } else {
      depth++;
      open[depth] = row;
      held[depth] = held[depth - 1]!;
    }
    pairs += held[depth]!;
    held[depth] = held[depth]! + 1;
    const input = index[row]!;
    twin[input] = index[open[depth]!]!;
    if (depth > 1) {
      nested++;
      parent[input] = index[open[depth - 1]!]!;
    }
  }
  found.duplicates += duplicates;
  found.nested += nested;
  found.pairs += pairs;
}

/**
 * How many leading bits the addresses of two rows share. A block that encloses the previous row encloses this row exactly if its
 * prefix is no longer than that.
 */
function sharedBits(lanes: readonly Uint32Array[], a: number, b: number): number {
  for (let lane = 0; lane < lanes.length; lane++) {
    const keys = lanes[lane]!;
    const differing = keys[a]! ^ keys[b]!;
    if (differing !== 0) return 32 * lane + Math.clz32(differing);
  }
  return 32 * lanes.length;
}

/** Whether any block of list `a` shares addresses with any block of list `b`; texts that are not prefixes share none. */
export function listsOverlap(a: readonly unknown[], b: readonly unknown[]): boolean {
  const { ipv4, ipv6 } = parseBulk(a.concat(b));
  return meet(ipv4, a.length) || meet(ipv6, a.length);
}

/** Whether a block of the inputs before `border` shares addresses with a block of the other inputs. */
function meet(columns: FamilyColumns, border: number): boolean {
  const { lanes, lengths, index } = columns;
  const rows = sortedRows(columns);
  const open = new Int32Array(2).fill(CLOSED); // for each list, the length of its widest block that is still open
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const shared = i === 0 ? 0 : sharedBits(lanes, rows[i - 1]!, row);
    const list = index[row]! < border ? 0 : 1;
    if (open[1 - list]! <= shared) return true;
    open[1 - list] = CLOSED;
    if (open[list]! > shared) open[list] = lengths[row]!;
  }
  return false;
}

/** Longer than any prefix. */
const CLOSED = 129;
