/** Returns a part of a response that EC2 always includes. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`EC2's answer has no ${what}`);
  return value;
}

/** The items of `left` that are not in `right`. */
export const without = (left: string[] = [], right: string[] = []): string[] =>
  left.filter((item) => !right.includes(item));
