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

/**
 * Values are walked over by functions that call themselves for what is inside, so readers refuse what is deeper. Manifests and
 * plans that users apply come nowhere near it; the API server decodes 10,000 levels.
 */
export const DEEPEST = 500;

/** What is wrong with a deeper value, and the way out. */
export const TOO_DEEP = {
  problem: `is nested more than ${DEEPEST} levels deep`,
  remedy: "write it flatter",
} as const;

/** Whether a value has more levels of lists and objects than may be. */
export const isTooDeep = (value: unknown, levels = DEEPEST): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inside) => isTooDeep(inside, levels - 1)));
