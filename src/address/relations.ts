import type { Fault } from "../fault";
import { BITS, type Address, type Prefix } from "./prefix";

// Prefixes of different families never relate: `0.0.0.0/0` and `::/0` share no address.

/** Whether two prefixes are the same block. */
export function equal(a: Prefix, b: Prefix): boolean {
  return a.family === b.family && a.length === b.length && a.start === b.start;
}

/** Whether every address of `inner` is one of `outer`; a prefix contains itself. */
export function contains(outer: Prefix, inner: Prefix): boolean {
  return outer.family === inner.family && outer.start <= inner.start && inner.end <= outer.end;
}

/** Whether `address` is one of the prefix. */
export function containsAddress(prefix: Prefix, address: Address): boolean {
  return prefix.family === address.family && prefix.start <= address.value && address.value <= prefix.end;
}

/** Whether two prefixes share an address. As prefixes nest, one then contains the other. */
export function overlap(a: Prefix, b: Prefix): boolean {
  return a.family === b.family && a.start <= b.end && b.start <= a.end;
}

/** The first address that two blocks share which overlap. */
export const firstShared = (a: Prefix, b: Prefix): string => (a.start > b.start ? a : b).first();

/** The blocks that lie in no other one, each once, in order. */
export function outermost(blocks: readonly Prefix[]): Prefix[] {
  const widest: Prefix[] = [];
  for (const block of [...blocks].sort(compare))
    if (widest.length === 0 || !contains(widest.at(-1)!, block)) widest.push(block);
  return widest;
}

/** Whether a block lies in one of some blocks: for many questions, each in logarithmic time. */
export function enclosedBy(blocks: readonly Prefix[]): (inner: Prefix) => boolean {
  const widest = outermost(blocks);
  return (inner) => {
    const at = firstNotBefore(widest, inner);
    return [widest[at], widest[at - 1]].some((block) => block && contains(block, inner));
  };
}

/** The items whose blocks share addresses with a block, by address: for many questions, each in the time of its answer. */
export function meeting<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
): (block: Prefix) => Item[] {
  const ordered = sorted(items);
  const blocks = ordered.map(({ prefix }) => prefix);
  // Of each item the nearest one before it that encloses it: with the items behind it that is all there is to look at.
  const around: number[] = [];
  for (let at = 0; at < ordered.length; at += 1) {
    let outer = at - 1;
    while (outer >= 0 && !contains(ordered[outer]!.prefix, ordered[at]!.prefix)) outer = around[outer]!;
    around.push(outer);
  }
  return (block) => {
    const first = firstNotBefore(blocks, block);
    const outside: Item[] = [];
    let outer = first - 1;
    while (outer >= 0 && !contains(ordered[outer]!.prefix, block)) outer = around[outer]!;
    for (; outer >= 0; outer = around[outer]!) outside.push(ordered[outer]!);
    const inside: Item[] = [];
    for (let at = first; at < ordered.length && contains(block, ordered[at]!.prefix); at += 1)
      inside.push(ordered[at]!);
    return [...outside.reverse(), ...inside];
  };
}

/** The position of the first of some blocks, in the order of `compare`, that does not come before another one. */
function firstNotBefore(ordered: readonly Prefix[], block: Prefix): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    [from, to] = compare(ordered[middle]!, block) < 0 ? [middle + 1, to] : [from, middle];
  }
  return from;
}

/** Whether one prefix begins right behind the last address of the other. The end of the address space is no neighbour of its beginning. */
export function adjacent(a: Prefix, b: Prefix): boolean {
  return a.family === b.family && (a.end + 1n === b.start || b.end + 1n === a.start);
}

/** Total order for sorting: IPv4 first, then by first address, then the wider block first. */
export function compare(a: Prefix, b: Prefix): number {
  if (a.family !== b.family) return a.family - b.family;
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  return a.length - b.length;
}

/** A fault when the prefixes are not all of one family, at the place that names them. */
export function sameFamily(path: string, prefixes: readonly Prefix[]): Fault[] {
  const [first] = prefixes;
  const other = prefixes.find((prefix) => prefix.family !== first?.family);
  if (first === undefined || other === undefined) return [];
  return [
    {
      path,
      problem: `${first.text} and ${other.text} are of different families`,
      remedy: `write IPv${first.family} blocks only, or IPv${other.family} blocks only`,
    },
  ];
}

/** Two items whose blocks share addresses: `inner` lies in `outer`, or is the same block and stands behind it. */
export interface Overlap<Item> {
  outer: Item;
  inner: Item;
}

/**
 * The nearest overlaps among items: each item with an item of the same block that stands before it, else with one of the
 * narrowest block that encloses it. Every item that overlaps another one is in the result; the pairs further up follow from it.
 *
 * @param mayShare pairs that are no overlap, such that the next one further up counts, and others further up where they are in no
 *   other pair. Defaults to none
 */
export function overlaps<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
  mayShare: (outer: Item, inner: Item) => boolean = () => false,
): Overlap<Item>[] {
  const found: Overlap<Item>[] = [];
  const open: Item[] = [];
  // Of those that are open the ones in no pair so far.
  let untold: Item[] = [];
  for (const inner of sorted(items)) {
    leave(open, inner);
    leave(untold, inner);
    const outer = open.findLast((one) => !mayShare(one, inner));
    open.push(inner);
    if (!outer) {
      untold.push(inner);
      continue;
    }
    const isOther = (one: Item) => one !== outer && !mayShare(one, inner);
    for (const one of [outer, ...untold.filter(isOther)]) found.push({ outer: one, inner });
    untold = untold.filter((one) => one !== outer && !isOther(one));
  }
  return found;
}

/** Takes from a stack of blocks, each in the one below it, those that do not enclose the next one. */
function leave<Item extends { readonly prefix: Prefix }>(open: Item[], inner: Item): void {
  while (open.length > 0 && !contains(open.at(-1)!.prefix, inner.prefix)) open.pop();
}

/** In this order whatever encloses a block comes before it. */
const sorted = <Item extends { readonly prefix: Prefix }>(items: readonly Item[]): Item[] =>
  [...items].sort((a, b) => compare(a.prefix, b.prefix));

/**
 * All overlaps among items, for callers that judge each pair by what the two are. They can be a square of the input:
 * `heaviestOverlaps` lists a part of them.
 *
 * @param isFree items of which no two are a pair, however many of them share addresses. Defaults to none
 */
export const everyOverlap = <Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
  isFree?: (item: Item) => boolean,
): Overlap<Item>[] => heaviestOverlaps(items, Infinity, isFree).pairs;

/** Overlaps of which there may be too many to list. */
export interface HeaviestOverlaps<Item> {
  /** Those that share most addresses. */
  pairs: Overlap<Item>[];
  /** How many there are beside them. */
  further: number;
}

/** The overlaps that share most addresses, at most so many, and the number of the others: counted in the time that sorting takes. */
export function heaviestOverlaps<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
  most: number,
  isFree: (item: Item) => boolean = () => false,
): HeaviestOverlaps<Item> {
  const inOrder = sorted(items);
  // By how many bits of addresses two items share: 128 for `::/0`.
  const counts = new Float64Array(BITS[6] + 1);
  walk(inOrder, isFree, (inner, outers) => {
    for (const some of outers) counts[sharedBits(inner)]! += some.length;
  });
  const all = counts.reduce((sum, count) => sum + count, 0);
  let [least, listed] = [BITS[6], counts[BITS[6]]!];
  while (listed < most && least > 0) listed += counts[--least]!;
  // Of the last weight only so many are listed as there is room for.
  let room = most - (listed - counts[least]!);
  const pairs: Overlap<Item>[] = [];
  walk(inOrder, isFree, (inner, outers) => {
    const bits = sharedBits(inner);
    if (bits < least) return;
    for (const some of outers)
      for (const outer of some) {
        if (bits === least && --room < 0) return;
        pairs.push({ outer, inner });
      }
  });
  return { pairs, further: all - pairs.length };
}

const sharedBits = ({ prefix: { family, length } }: { readonly prefix: Prefix }): number =>
  BITS[family] - length;

/** Shows each item with those around it, and of its own block before it, with which it is a pair. */
function walk<Item extends { readonly prefix: Prefix }>(
  inOrder: readonly Item[],
  isFree: (item: Item) => boolean,
  take: (inner: Item, outers: readonly (readonly Item[])[]) => void,
): void {
  const open = { free: [] as Item[], bound: [] as Item[] };
  for (const inner of inOrder) {
    leave(open.free, inner);
    leave(open.bound, inner);
    const isOneOfMany = isFree(inner);
    take(inner, isOneOfMany ? [open.bound] : [open.bound, open.free]);
    (isOneOfMany ? open.free : open.bound).push(inner);
  }
}
