import { BITS, type Family, Prefix } from "./prefix";
import { compare } from "./relations";

/** A run of addresses, first and last included. */
interface Range {
  family: Family;
  start: bigint;
  end: bigint;
}

/** The smallest list of prefixes with exactly the same addresses, sorted. */
export function merge(prefixes: readonly Prefix[]): Prefix[] {
  return rangesOf(prefixes).flatMap(asPrefixes);
}

/** The smallest list of prefixes with the addresses that are in `from` and not in `what`, sorted. */
export function subtract(from: readonly Prefix[], what: readonly Prefix[]): Prefix[] {
  const holes = rangesOf(what);
  const rest: Range[] = [];
  let next = 0;
  for (const { family, start, end } of rangesOf(from)) {
    let begin = start;
    while (next < holes.length && isBefore(holes[next]!, { family, start, end })) next++;
    for (let i = next; i < holes.length; i++) {
      const hole = holes[i]!;
      if (hole.family !== family || hole.start > end) break;
      if (hole.start > begin) rest.push({ family, start: begin, end: hole.start - 1n });
      begin = hole.end + 1n;
    }
    if (begin <= end) rest.push({ family, start: begin, end });
  }
  return rest.flatMap(asPrefixes);
}

/** The smallest list of prefixes with the addresses that are in both lists, sorted. */
export function intersect(a: readonly Prefix[], b: readonly Prefix[]): Prefix[] {
  const left = rangesOf(a);
  const right = rangesOf(b);
  const both: Range[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    const x = left[i]!;
    const y = right[j]!;
    if (x.family === y.family && x.start <= y.end && y.start <= x.end)
      both.push({ family: x.family, start: larger(x.start, y.start), end: x.end < y.end ? x.end : y.end });
    if (endsFirst(x, y)) i++;
    else j++;
  }
  return both.flatMap(asPrefixes);
}

function isBefore(a: Range, b: Range): boolean {
  return a.family < b.family || (a.family === b.family && a.end < b.start);
}

function endsFirst(a: Range, b: Range): boolean {
  return a.family === b.family ? a.end < b.end : a.family < b.family;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Runs of addresses that neither overlap nor touch, sorted. */
function rangesOf(prefixes: readonly Prefix[]): Range[] {
  const ranges: Range[] = [];
  for (const { family, start, end } of [...prefixes].sort(compare)) {
    const last = ranges.at(-1);
    if (last?.family !== family || last.end + 1n < start) ranges.push({ family, start, end });
    else last.end = larger(last.end, end);
  }
  return ranges;
}

const asPrefixes = ({ family, start, end }: Range): Prefix[] => prefixesBetween(family, start, end);

/** The narrowest block of each family that contains all of its prefixes. */
export function enclosing(prefixes: readonly Prefix[]): Prefix[] {
  const ends = new Map<Family, { start: bigint; end: bigint }>();
  for (const { family, start, end } of prefixes) {
    const known = ends.get(family) ?? { start, end };
    ends.set(family, { start: start < known.start ? start : known.start, end: larger(known.end, end) });
  }
  return [...ends].map(([family, { start, end }]) => {
    const differing = start === end ? 0 : (start ^ end).toString(2).length;
    return new Prefix(family, start, BITS[family] - differing);
  });
}

/** A run of addresses, last one included, as the fewest prefixes: at each step, the widest one that begins here and fits. */
export function prefixesBetween(family: Family, start: bigint, end: bigint): Prefix[] {
  const prefixes: Prefix[] = [];
  for (let begin = start; begin <= end;) {
    let bits = 0;
    while (bits < BITS[family] && fits(begin, end, bits + 1)) bits++;
    prefixes.push(new Prefix(family, begin, BITS[family] - bits));
    begin += 1n << BigInt(bits);
  }
  return prefixes;
}

function fits(begin: bigint, end: bigint, bits: number): boolean {
  const size = 1n << BigInt(bits);
  return begin % size === 0n && begin + size - 1n <= end;
}

/**
 * The free block of one length with the lowest address in a space; `undefined` if none is free.
 *
 * @param used blocks that are taken; those of the other family have no effect
 * @param length prefix length of the block: 24 for a /24
 */
export function firstFree(space: Prefix, used: readonly Prefix[], length: number): Prefix | undefined {
  const gap = subtract([space], used).find((one) => one.length <= length);
  return gap && new Prefix(gap.family, gap.start, length);
}

/** The largest free block of a space, the first one of equal size; `undefined` if everything is taken. */
export function largestFree(space: Prefix, used: readonly Prefix[]): Prefix | undefined {
  return subtract([space], used).sort((a, b) => a.length - b.length || compare(a, b))[0];
}
