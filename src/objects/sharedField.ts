/** The result of merging one writer's entries into a field that it shares with others. */
export interface Merge<Value, Entry> {
  /** The new value of the field: entries of others are unchanged, byte for byte. */
  value: Value;
  /** The entries that this writer put into it, by which it finds them again. */
  ours: Entry[];
  /** Entries of others that conflict with wanted entries, in words. If there are any, nothing may be written. */
  conflicts: string[];
}

/** The entries that a writer wants in a shared field, and those that it put there before. */
export interface Share<Entry> {
  wanted: readonly Entry[];
  ours: readonly Entry[];
}

/** The entries of a comma-separated text, without the spaces around them. */
export function commaSeparatedEntries(text: string | undefined): string[] {
  return segmentsOf(text)
    .map((segment) => segment.trim())
    .filter((entry) => entry !== "");
}

/**
 * Appends the wanted entries to a comma-separated text such as noProxy. Existing entries keep their place, their spaces and empty entries
 * between them. Wanted entries that existing entries cover are not added.
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

/** Another program may have written the same entry after us: only one of the two is ours. */
function withoutOneOfEach(segments: readonly string[], dropped: readonly string[]): string[] {
  const left = new Set(dropped);
  return segments.filter((segment) => !left.delete(segment.trim()));
}

const segmentsOf = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : text.split(",");

/** An item of a list, such as a taint: `{ key, value, effect }`. */
export type Item = { readonly [property: string]: unknown };

/**
 * Appends the wanted items to a list whose items are identified by some of their properties, such as taints by key and effect. An existing
 * item with other values is replaced if it is ours, and reported as a conflict if it is not.
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

/** Whether an item has all the values of another. The server may have added more: the time of a taint. */
const holds = (item: Item, asked: Item): boolean =>
  Object.entries(asked).every(([name, value]) => (item[name] ?? "") === (value ?? ""));

const conflict = (item: Item, goal: Item): string =>
  `another program set ${JSON.stringify(item)} where ${JSON.stringify(goal)} is wanted`;

const distinct = (items: readonly Item[], same: (one: Item) => (other: Item) => boolean): Item[] =>
  items.filter((item, place) => items.findIndex(same(item)) === place);
