import type { Run, Runs, Whole } from "./algebra";

/** Runs with the same rest. */
export interface AlikeRuns<S, N extends Whole = bigint> {
  ranges: Pick<Run<S, N>, "from" | "to">[];
  rest: S;
}

/**
 * Runs with the same rest, together, in the order of the first of each. Sets have one form alone, so equal rests have equal
 * keys: no rest is compared with all others.
 */
export function alike<S, N extends Whole>(
  set: Runs<S, N>,
  keyOf: (rest: S) => string | number,
): AlikeRuns<S, N>[] {
  const groups = new Map<string | number, AlikeRuns<S, N>>();
  for (const { from, to, rest } of set) {
    const key = keyOf(rest);
    const group = groups.get(key);
    if (group) group.ranges.push({ from, to });
    else groups.set(key, { ranges: [{ from, to }], rest });
  }
  return [...groups.values()];
}

/** What tells a set of one dimension from others. */
export const lineKey = (line: readonly { from: Whole; to: Whole }[]): string => line.map(span).join();

/** What tells a set of two dimensions from others. */
export const planeKey = <N extends Whole>(
  plane: Runs<Runs<boolean, N>, N>,
  keyOf: (line: Runs<boolean, N>) => string | number = lineKey,
): string => plane.map((run) => `${span(run)}:${keyOf(run.rest)}`).join(";");

/**
 * A number for each of some sets, the same for equal ones. A set that stands in many places, as the destinations of a product
 * stand below each of its sources, is looked at once.
 */
export function numbered<S extends object>(keyOf: (set: S) => string): (set: S) => number {
  const known = new Map<S, number>();
  const keys = new Map<string, number>();
  return (set) => {
    let number = known.get(set);
    if (number === undefined) {
      const key = keyOf(set);
      number = keys.get(key) ?? keys.size;
      keys.set(key, number);
      known.set(set, number);
    }
    return number;
  };
}

/** Large numbers are written much faster in a base that is a power of two. */
const span = ({ from, to }: { from: Whole; to: Whole }): string => `${from.toString(32)}-${to.toString(32)}`;
