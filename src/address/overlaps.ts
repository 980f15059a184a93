import type { Prefix } from "./prefix";
import { contains, compare } from "./relations";

/** Two items whose blocks share addresses: `inner` lies in `outer`, or is the same block and stands behind it. */
export interface Overlap<Item> {
  outer: Item;
  inner: Item;
}

/**
 * The nearest overlaps among items: each item with an item of the same block that stands before it, else with one of the
 * narrowest block that encloses it. Every item that overlaps another one is in the result; the pairs further up follow from it.
 */
export function overlaps<Item extends { readonly prefix: Prefix }>(items: readonly Item[]): Overlap<Item>[] {
  const found: Overlap<Item>[] = [];
  const open: Item[] = [];
  for (const inner of sorted(items)) {
    leave(open, inner);
    if (open.length > 0) found.push({ outer: open.at(-1)!, inner });
    open.push(inner);
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
 * for thousands of items use `overlapsAmong`.
 *
 * @param isFree items of which no two are a pair, however many of them share addresses. Defaults to none
 */
export function everyOverlap<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
  isFree: (item: Item) => boolean = () => false,
): Overlap<Item>[] {
  const found: Overlap<Item>[] = [];
  const open = { free: [] as Item[], bound: [] as Item[] };
  for (const inner of sorted(items)) {
    leave(open.free, inner);
    leave(open.bound, inner);
    for (const outer of open.bound) found.push({ outer, inner });
    if (isFree(inner)) open.free.push(inner);
    else {
      for (const outer of open.free) found.push({ outer, inner });
      open.bound.push(inner);
    }
  }
  return found;
}
