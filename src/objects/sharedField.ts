/** What one writer makes of a field that it shares with others. */
export interface Merge<Value, Entry> {
  /** The field as it is to be: entries of others as they were, byte for byte. */
  value: Value;
  /** The entries in it that this writer put there, by which it finds them again. */
  ours: Entry[];
  /** Entries of others that stand in the way of wanted ones, in words. Nothing is to be written while there are some. */
  conflicts: string[];
}

/** What a writer wants of a shared field, and what it put there before. */
export interface Share<Entry> {
  wanted: readonly Entry[];
  ours: readonly Entry[];
}

/** The entries of a text with commas between them. Spaces around an entry do not belong to it. */
export function commaSeparatedEntries(text: string | undefined): string[] {
  return segmentsOf(text)
    .map((segment) => segment.trim())
    .filter((entry) => entry !== "");
}

/**
 * A text with commas between its entries, such as noProxy, with the wanted entries behind those that stand there. What
 * stands there keeps its place, its spaces and its empty entries. Nothing is missing that entries cover.
 */
export function mergeCommaSeparated(
  current: string | undefined,
  { wanted, ours }: Share<string>,
  cover: (present: readonly string[], entry: string) => boolean = (present, entry) => present.includes(entry),
): Merge<string | undefined, string> {
  const dropped = ours.filter((entry) => !wanted.includes(entry));
  const kept = withoutOneOfEach(segmentsOf(current), dropped);
  const present = kept.map((segment) => segment.trim());
  const missing = [...new Set(wanted)].filter((entry) => !cover(present, entry));
  const text = [...kept, ...missing].join(",");
  return {
    value: text === "" && current === undefined ? undefined : text,
    ours: [...ours.filter((entry) => wanted.includes(entry) && present.includes(entry)), ...missing],
    conflicts: [],
  };
}

/** Another program may have written the same entry after us: only one of two is ours. */
function withoutOneOfEach(segments: readonly string[], dropped: readonly string[]): string[] {
  const left = new Set(dropped);
  return segments.filter((segment) => !left.delete(segment.trim()));
}

const segmentsOf = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : text.split(",");

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
  `${JSON.stringify(item)} stands where ${JSON.stringify(goal)} is wanted, and another program put it there`;

const distinct = (items: readonly Item[], same: (one: Item) => (other: Item) => boolean): Item[] =>
  items.filter((item, place) => items.findIndex(same(item)) === place);
