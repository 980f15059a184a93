/** A part of an answer that EC2 always gives. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`EC2's answer has no ${what}`);
  return value;
}

/** What of `left` is not in `right`. */
export const without = (left: string[] = [], right: string[] = []): string[] =>
  left.filter((item) => !right.includes(item));
