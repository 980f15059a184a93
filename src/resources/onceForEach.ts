/** The same answer, found once for each thing that is asked about and kept as long as that is. */
export function onceForEach<K extends object, V>(find: (thing: K) => V): (thing: K) => V {
  const found = new WeakMap<K, { value: V }>();
  return (thing) => {
    let known = found.get(thing);
    if (!known) found.set(thing, (known = { value: find(thing) }));
    return known.value;
  };
}
