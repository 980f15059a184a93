/** A number with its noun: `1 rule`, `2 rules`; `many` where the plural has no s alone. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
