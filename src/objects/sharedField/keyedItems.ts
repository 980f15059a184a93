import type { Merge, Share } from "./merge";

/** An item of a list, such as a taint: `{ key, value, effect }`. */
export type Item = { readonly [property: string]: unknown };

/**
 * A list of which each item is known by some of its properties, such as taints by key and effect, with the wanted items
 * behind those that stand there. An item that stands there with other values is replaced when it is ours, and a conflict
 * when it is not.
 */
export function mergeKeyedItems(
  current: readonly Item[] | undefined,
  { wanted, ours }: Share<Item>,
  keys: readonly string[],
): Merge<readonly Item[] | undefined, Item> {
  const same = (one: Item) => (other: Item) => keys.every((key) => one[key] === other[key]);
  const asWeLeftIt = (item: Item) => ours.some((own) => same(own)(item) && holds(item, own));
  const result: Item[] = [];
  const kept: Item[] = [];
  const conflicts: string[] = [];
  for (const item of current ?? []) {
    const goal = wanted.find(same(item));
    const isOurs = asWeLeftIt(item);
    if (goal === undefined) {
      if (!isOurs) result.push(item);
    } else if (holds(item, goal)) {
      result.push(item);
      if (isOurs) kept.push(goal);
    } else if (isOurs) {
      result.push(goal);
      kept.push(goal);
    } else {
      result.push(item);
      conflicts.push(conflict(item, goal));
    }
  }
  const missing = distinct(wanted, same).filter((item) => !result.some(same(item)));
  const value = [...result, ...missing];
  return {
    value: value.length === 0 && current === undefined ? undefined : value,
    ours: [...kept, ...missing],
    conflicts,
  };
}

/** Whether an item has all that another one asks for. The server may have added to it: the time of a taint. */
const holds = (item: Item, asked: Item): boolean =>
  Object.entries(asked).every(([name, value]) => (item[name] ?? "") === (value ?? ""));

const conflict = (item: Item, goal: Item): string =>
  `${JSON.stringify(item)} stands where ${JSON.stringify(goal)} is wanted, and somebody else put it there`;

const distinct = (items: readonly Item[], same: (one: Item) => (other: Item) => boolean): Item[] =>
  items.filter((item, place) => items.findIndex(same(item)) === place);
