import { BITS, type Address, type Prefix } from "./prefix";

// Prefixes of different families never relate: `0.0.0.0/0` and `::/0` share no address.

/** Whether two prefixes are the same block. */
export function equal(a: Prefix, b: Prefix): boolean {
  return a.family === b.family && a.length === b.length && a.start === b.start;
}

/** Whether every address of `inner` is in `outer`; a prefix contains itself. */
export function contains(outer: Prefix, inner: Prefix): boolean {
  return outer.family === inner.family && outer.start <= inner.start && inner.end <= outer.end;
}

/** Whether `address` is in the prefix. */
export function containsAddress(prefix: Prefix, address: Address): boolean {
  return prefix.family === address.family && prefix.start <= address.value && address.value <= prefix.end;
}

/** Whether two prefixes share an address. Because prefixes nest, one then contains the other. */
export function overlap(a: Prefix, b: Prefix): boolean {
  return a.family === b.family && a.start <= b.end && b.start <= a.end;
}

/** The first address that two overlapping blocks share. */
export const firstShared = (a: Prefix, b: Prefix): string => (a.start > b.start ? a : b).first();

/** The blocks that lie in no other block, each once, in order. */
export function outermost(blocks: readonly Prefix[]): Prefix[] {
  const widest: Prefix[] = [];
  for (const block of [...blocks].sort(compare))
    if (widest.length === 0 || !contains(widest.at(-1)!, block)) widest.push(block);
  return widest;
}

/** Returns a function that tells in logarithmic time whether a block lies in one of `blocks`. */
export function enclosedBy(blocks: readonly Prefix[]): (inner: Prefix) => boolean {
  const widest = outermost(blocks);
  return (inner) => {
    const at = firstNotBefore(widest, inner);
    return [widest[at], widest[at - 1]].some((block) => block && contains(block, inner));
  };
}

/** Returns a function that lists, by address, the items that share addresses with a block, in time proportional to its result. */
export function meeting<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
): (block: Prefix) => Item[] {
  const ordered = sorted(items);
  const blocks = ordered.map(({ prefix }) => prefix);
  // For each item, the nearest earlier item that encloses it: only these and the following items have to be checked.
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

/** Returns a function that tells in logarithmic time whether one of `blocks` lies in a block. */
export function surrounding(blocks: readonly Prefix[]): (outer: Prefix) => boolean {
  const ordered = [...blocks].sort(compare);
  return (outer) => {
    const next = ordered[firstNotBefore(ordered, outer)];
    return next !== undefined && contains(outer, next);
  };
}

/** The position of the first block of `ordered`, sorted by `compare`, that does not come before `block`. */
function firstNotBefore(ordered: readonly Prefix[], block: Prefix): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    [from, to] = compare(ordered[middle]!, block) < 0 ? [middle + 1, to] : [from, middle];
  }
  return from;
}

/** Total order for sorting: IPv4 first, then by first address, then the wider block first. */
export function compare(a: Prefix, b: Prefix): number {
  if (a.family !== b.family) return a.family - b.family;
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  return a.length - b.length;
}

/** Two items whose blocks share addresses: `inner` lies in `outer`, or is the same block and follows it. */
export interface Overlap<Item> {
  outer: Item;
  inner: Item;
}

/**
 * The nearest overlaps among items: each item with an earlier item of the same block, else with an item of the narrowest block that
 * encloses it. Every item that overlaps another item is in the result; pairs with wider blocks follow from it.
 *
 * @param mayShare pairs that are not an overlap. Instead, the next wider item counts, and other wider items that are in no other
 *   pair. Defaults to none
 */
export function overlaps<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
  mayShare: (outer: Item, inner: Item) => boolean = () => false,
): Overlap<Item>[] {
  const found: Overlap<Item>[] = [];
  const open: Item[] = [];
  // The open items that are in no pair so far.
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

/** Removes the blocks that do not enclose the next one from a stack of nested blocks. */
function leave<Item extends { readonly prefix: Prefix }>(open: Item[], inner: Item): void {
  while (open.length > 0 && !contains(open.at(-1)!.prefix, inner.prefix)) open.pop();
}

/** Sorts items so that every block comes after the blocks that enclose it. */
const sorted = <Item extends { readonly prefix: Prefix }>(items: readonly Item[]): Item[] =>
  [...items].sort((a, b) => compare(a.prefix, b.prefix));

/**
 * All overlaps among items, for callers that judge each pair by its items. Their number can be quadratic in the input:
 * `heaviestOverlaps` lists only a part of them.
 *
 * @param isFree items that form no pairs with each other even if they share addresses. Defaults to none
 */
export const everyOverlap = <Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
  isFree?: (item: Item) => boolean,
): Overlap<Item>[] => heaviestOverlaps(items, Infinity, isFree).pairs;

/** Overlaps of which there may be too many to list. */
export interface HeaviestOverlaps<Item> {
  /** The overlaps that share the most addresses. */
  pairs: Overlap<Item>[];
  /** How many other overlaps there are. */
  further: number;
}

/** The overlaps that share the most addresses, at most `most`, and the number of the others, counted in the time of a sort. */
export function heaviestOverlaps<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
  most: number,
  isFree: (item: Item) => boolean = () => false,
): HeaviestOverlaps<Item> {
  const inOrder = sorted(items);
  // By the number of host bits of the block that two items share: 128 for `::/0`.
  const counts = new Float64Array(BITS[6] + 1);
  walk(inOrder, isFree, (inner, outers) => {
    for (const some of outers) counts[sharedBits(inner)]! += some.length;
  });
  const all = counts.reduce((sum, count) => sum + count, 0);
  let [least, listed] = [BITS[6], counts[BITS[6]]!];
  while (listed < most && least > 0) listed += counts[--least]!;
  // Of the last weight, only as many are listed as there is room for.
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

/** Passes each item to `take`, with the items that it forms a pair with: those around it, and earlier ones of the same block. */
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
