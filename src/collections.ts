import type { PropertyValue } from "./resources/resource";

/** Whether a value is an object with keys, and no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds entries to the list under a key, in place: copying the list for each entry takes quadratic time. */
export function append<Key, Entry>(map: Map<Key, Entry[]>, key: Key, entries: readonly Entry[]): void {
  const list = map.get(key);
  if (!list) map.set(key, [...entries]);
  else pushAll(list, entries);
}

/** Items by the key of each, in the order in which the keys first appear. */
export function grouped<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Caches the result of `find` for each object, for as long as the object lives. */
export function onceForEach<K extends object, V>(find: (thing: K) => V): (thing: K) => V {
  const found = new WeakMap<K, { value: V }>();
  return (thing) => {
    let known = found.get(thing);
    if (!known) found.set(thing, (known = { value: find(thing) }));
    return known.value;
  };
}

/** Caches the result of `find` for each pair of objects. */
export function onceForBoth<A extends object, B extends object, V>(
  find: (one: A, other: B) => V,
): (one: A, other: B) => V {
  const ofOne = onceForEach((one: A) => onceForEach((other: B) => find(one, other)));
  return (one, other) => ofOne(one)(other);
}

/** Returns the value under a key of a map, and finds and stores it first if the map has none. */
export function onceIn<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/** A list in which some entries belong to a key and the others to every key. Reading it for each of many keys does not walk it again. */
export class KeyedList<Key, Entry> {
  readonly #entries: readonly Entry[];
  readonly #ofAll: number[] = [];
  readonly #ofKey = new Map<Key, number[]>();

  /** @param keyOf the key of an entry; undefined if the entry belongs to every key */
  constructor(entries: readonly Entry[], keyOf: (entry: Entry) => Key | undefined) {
    this.#entries = entries;
    for (const [at, entry] of entries.entries()) {
      const key = keyOf(entry);
      if (key === undefined) this.#ofAll.push(at);
      else append(this.#ofKey, key, [at]);
    }
  }

  /** The entries of some distinct keys and those of every key, in the order of the list. */
  of(keys: Iterable<Key>): readonly Entry[] {
    const found = [...this.#ofAll];
    for (const key of keys) pushAll(found, this.#ofKey.get(key) ?? []);
    if (found.length === this.#entries.length) return this.#entries;
    return found.sort((a, b) => a - b).map((at) => this.#entries[at]!);
  }
}

/** JSON with sorted keys: equal values have equal texts, whatever the order of their keys. */
export const sortedJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

/** Adds entries to a list, in place. `push(...entries)` puts each entry on the stack, which overflows at about 100,000. */
export function pushAll<Entry>(list: Entry[], entries: Iterable<Entry>): void {
  for (const entry of entries) list.push(entry);
}

/** The greatest of `numbers`, 0 if there are none. `Math.max(...numbers)` is limited by the size of the stack. */
export const greatest = (numbers: Iterable<number>): number => {
  let found = 0;
  for (const number of numbers) if (number > found) found = number;
  return found;
};

/** The least of `numbers`, which must not be empty. */
export const least = (numbers: readonly number[]): number =>
  numbers.reduce((found, number) => (number < found ? number : found));

/**
 * The deepest nesting that readers accept, because recursive functions walk over the values. The manifests and plans that users
 * apply come nowhere near this limit; the API server decodes 10,000 levels.
 */
export const DEEPEST = 500;

/** The fault of a value that is nested deeper, and the fix. */
export const TOO_DEEP = {
  problem: `is nested more than ${DEEPEST} levels deep`,
  remedy: "write it flatter",
} as const;

/** Whether a value has more levels of lists and objects than allowed. */
export const isTooDeep = (value: unknown, levels = DEEPEST): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inside) => isTooDeep(inside, levels - 1)));

/** The most entries reported of a list that may grow with the square of the input: the most important, and a count of the rest. */
export const MOST_LISTED = 100;

/** Proxy handler of a list whose entries are made when one of them is first read. */
class Late implements ProxyHandler<PropertyValue[]> {
  #make: (() => readonly PropertyValue[]) | undefined;

  constructor(make: () => readonly PropertyValue[]) {
    this.#make = make;
  }

  get(list: PropertyValue[], key: string | symbol): unknown {
    return Reflect.get(this.#made(list), key);
  }

  has(list: PropertyValue[], key: string | symbol): boolean {
    return Reflect.has(this.#made(list), key);
  }

  ownKeys(list: PropertyValue[]): (string | symbol)[] {
    return Reflect.ownKeys(this.#made(list));
  }

  getOwnPropertyDescriptor(list: PropertyValue[], key: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#made(list), key);
  }

  #made(list: PropertyValue[]): PropertyValue[] {
    const entries = this.#make?.() ?? [];
    this.#make = undefined;
    for (const entry of entries) list.push(entry);
    return list;
  }
}

/** A list like any other, whose entries are made when one of them is first read. */
export const lateList = (make: () => readonly PropertyValue[]): readonly PropertyValue[] =>
  new Proxy<PropertyValue[]>([], new Late(make));

/** Returns a function that calls `find` on its first call, and only then. */
export function onlyOnce<T>(find: () => T): () => T {
  let found: { value: T } | undefined;
  return () => (found ??= { value: find() }).value;
}
