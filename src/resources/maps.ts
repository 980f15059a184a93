import { pushAll } from "../largeInput";

/** Adds entries to the list under a key, in place: copying the list for each entry takes quadratic time. */
export function append<Key, Entry>(map: Map<Key, Entry[]>, key: Key, entries: readonly Entry[]): void {
  const list = map.get(key);
  if (!list) map.set(key, [...entries]);
  else pushAll(list, entries);
}

/** The same answer, found once for each thing that is asked about and kept as long as that is. */
export function onceForEach<K extends object, V>(find: (thing: K) => V): (thing: K) => V {
  const found = new WeakMap<K, { value: V }>();
  return (thing) => {
    let known = found.get(thing);
    if (!known) found.set(thing, (known = { value: find(thing) }));
    return known.value;
  };
}

/** The same for two things that are asked about together. */
export function onceForBoth<A extends object, B extends object, V>(
  find: (one: A, other: B) => V,
): (one: A, other: B) => V {
  const ofOne = onceForEach((one: A) => onceForEach((other: B) => find(one, other)));
  return (one, other) => ofOne(one)(other);
}
