import { pushAll } from "../pushAll";

/** Adds entries to the list under a key, in place: copying the list for each entry takes quadratic time. */
export function append<Key, Entry>(map: Map<Key, Entry[]>, key: Key, entries: readonly Entry[]): void {
  const list = map.get(key);
  if (!list) map.set(key, [...entries]);
  else pushAll(list, entries);
}
