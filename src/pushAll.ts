/** Adds entries to a list, in place. `push(...entries)` puts each of them on the stack, and some 100,000 are too many. */
export function pushAll<Entry>(list: Entry[], entries: Iterable<Entry>): void {
  for (const entry of entries) list.push(entry);
}

/** The greatest of some numbers, 0 where there are none; `Math.max(...numbers)` takes no more than the stack does. */
export const greatest = (numbers: Iterable<number>): number => {
  let found = 0;
  for (const number of numbers) if (number > found) found = number;
  return found;
};
