/**
 * Whether runs are interrupted at every point that they have: `npm run test:interrupted` does it, which takes too long for each
 * change of the project; `npm test` takes some of the points, the same ones each time.
 */
export const EVERY_POINT = process.env.HYPERSHIFT_NETWORK_INTERRUPT_ALL === "true";

export interface Sample<T> {
  /** In every so manieth place. */
  readonly every: number;
  /** Which place is the first. Defaults to 0. */
  readonly first?: number;
  /** What is in every sample. */
  readonly always?: readonly T[];
}

/** Some of the points, spread over all of them and in their order; all of them when asked for. */
export function sample<T>(points: readonly T[], { every, first = 0, always = [] }: Sample<T>): T[] {
  return points.filter((point, place) => EVERY_POINT || place % every === first || always.includes(point));
}
