import { parsePrefix } from "./parse";
import { BITS, type Family, Prefix, valueOf } from "./prefix";
import { IPV6, REFUSED, scanned, scanPrefix } from "./scan";

/** Runs of rows up to this size are left to the final insertion sort. */
const SMALL = 24;
const WIDEST_DIGIT = 16;

/**
 * Returns the rows of the columns, sorted by first address, then length, so that a prefix comes before those inside it; equal
 * prefixes keep the order of the input.
 *
 * This is a radix sort from the most significant bit: rows are dealt out by the first bits in which they differ, large piles again
 * by the next such bits. Random addresses need one round, and addresses of one network skip the bits that they share.
 */
export function sortedRows(columns: FamilyColumns): Uint32Array {
  const rows = new Uint32Array(columns.lengths.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  deal(columns, rows, new Uint32Array(rows.length), 0, rows.length);
  insert(columns, rows);
  return rows;
}

/** Sorts the rows from `begin` to `end` down to piles of `SMALL` rows. */
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

/** Sorts rows by one digit; rows with an equal digit keep their order. Returns the end of each digit's pile. */
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

/** Finishes rows that are all near their final place. */
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

/** The prefixes of one family as columns; equal rows belong to one prefix. */
export interface FamilyColumns {
  readonly family: Family;
  /** First addresses, 32 bits per lane, most significant first: one lane for IPv4, four for IPv6. */
  readonly lanes: readonly Uint32Array[];
  /** Prefix lengths. */
  readonly lengths: Uint8Array;
  /** The position of each prefix in the input. */
  readonly index: Uint32Array;
}

/** Many prefixes, read strictly. */
export interface PrefixColumns {
  /** Number of texts in the input. */
  readonly size: number;
  readonly ipv4: FamilyColumns;
  readonly ipv6: FamilyColumns;
  /** Positions of the texts that are not prefixes, for which `parsePrefix` states the reason. */
  readonly refused: Uint32Array;
}

/**
 * Reads many CIDR blocks of a plan into columns. It accepts exactly what `parsePrefix` accepts without rules and refuses any other
 * value of the plan.
 */
export function parseBulk(texts: readonly unknown[]): PrefixColumns {
  const size = texts.length;
  const ipv4 = emptyColumns(4, size);
  const ipv6 = emptyColumns(6, size);
  const refused = new Uint32Array(size);
  const [address4] = ipv4.lanes as [Uint32Array];
  const [first, second, third, fourth] = ipv6.lanes as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  const address = scanned;
  let rows4 = 0;
  let rows6 = 0;
  let refusals = 0;
  for (let i = 0; i < size; i++) {
    const text = texts[i];
    const length = typeof text === "string" ? scanPrefix(text) : REFUSED;
    if (length === REFUSED) refused[refusals++] = i;
    else if (length < IPV6) {
      address4[rows4] = address[0]!;
      ipv4.lengths[rows4] = length;
      ipv4.index[rows4++] = i;
    } else {
      first[rows6] = address[0]!;
      second[rows6] = address[1]!;
      third[rows6] = address[2]!;
      fourth[rows6] = address[3]!;
      ipv6.lengths[rows6] = length - IPV6;
      ipv6.index[rows6++] = i;
    }
  }
  return { size, ipv4: cut(ipv4, rows4), ipv6: cut(ipv6, rows6), refused: refused.subarray(0, refusals) };
}

/** Reads one CIDR block strictly, with the reader for bulk input; `undefined` if `parsePrefix` would refuse it. */
export function readPrefix(text: string): Prefix | undefined {
  const length = scanPrefix(text);
  if (length === REFUSED) return undefined;
  // Strictly read, an IPv4 block has only one text form.
  return length < IPV6
    ? new Prefix(4, BigInt(scanned[0]!), length, text)
    : new Prefix(6, valueOf(scanned), length - IPV6);
}

/** Reads a CIDR block as Kubernetes, OVN-Kubernetes and OVN do, ignoring host bits. Undefined if it is not a block. */
export const readBlock = (text: string): Prefix | undefined =>
  readPrefix(text) ?? parsePrefix(text, { hostBits: "clear" }).prefix;

/** A CIDR block as Go's parser reads it, without its host bits; any other value is returned unchanged. */
export function withoutHostBits<Value>(value: Value): Value | string {
  if (typeof value !== "string" || readPrefix(value)) return value;
  return parsePrefix(value, { hostBits: "clear" }).prefix?.text ?? value;
}

/** Reads one address as a prefix, as strictly; `undefined` if `parseAddress` would refuse it. */
export const readHost = (text: string): Prefix | undefined =>
  readPrefix(`${text}/${BITS[text.includes(":") ? 6 : 4]}`);

/** The family of one CIDR block, read as strictly; `undefined` if it is not a block. Creates no objects. */
export function prefixFamily(text: string): Family | undefined {
  const length = scanPrefix(text);
  if (length === REFUSED) return undefined;
  return length < IPV6 ? 4 : 6;
}

function emptyColumns(family: Family, size: number): FamilyColumns {
  return {
    family,
    lanes: Array.from({ length: BITS[family] / 32 }, () => new Uint32Array(size)),
    lengths: new Uint8Array(size),
    index: new Uint32Array(size),
  };
}

function cut({ family, lanes, lengths, index }: FamilyColumns, rows: number): FamilyColumns {
  return {
    family,
    lanes: lanes.map((lane) => lane.subarray(0, rows)),
    lengths: lengths.subarray(0, rows),
    index: index.subarray(0, rows),
  };
}
