/**
 * Whether runs are interrupted at every point that they have: `npm run test:interrupted` does it, which takes too long for each
 * change of the project; `npm test` takes some of the points, the same ones each time.
 */
export const EVERY_POINT = process.env.HYPERSHIFT_NETWORK_INTERRUPT_ALL === "true";

export interface Sample<T> {
  /** Every n-th point is taken. */
  readonly every: number;
  /** The index of the first point. Defaults to 0. */
  readonly first?: number;
  /** The points that every sample contains. */
  readonly always?: readonly T[];
}

/** Some of the points, evenly spread and in order; all of them in `npm run test:interrupted`. */
export function sample<T>(points: readonly T[], { every, first = 0, always = [] }: Sample<T>): T[] {
  return points.filter((point, place) => EVERY_POINT || place % every === first || always.includes(point));
}
