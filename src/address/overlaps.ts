import { pushAll } from "../pushAll";
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
  return nested(items, (open) => open.slice(-1));
}

/**
 * All overlaps among items, for callers that judge each pair by what the two are. They can be a square of the input:
 * for thousands of items use `overlapsAmong`.
 */
export function everyOverlap<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
): Overlap<Item>[] {
  return nested(items, (open) => open);
}

/** Walks the sorted items with a stack of those that enclose the current one, and pairs it with the chosen of them. */
function nested<Item extends { readonly prefix: Prefix }>(
  items: readonly Item[],
  choose: (open: readonly Item[]) => readonly Item[],
): Overlap<Item>[] {
  const found: Overlap<Item>[] = [];
  const open: Item[] = [];
  for (const inner of [...items].sort((a, b) => compare(a.prefix, b.prefix))) {
    while (open.length > 0 && !contains(open.at(-1)!.prefix, inner.prefix)) open.pop();
    pushAll(
      found,
      choose(open).map((outer) => ({ outer, inner })),
    );
    open.push(inner);
  }
  return found;
}
