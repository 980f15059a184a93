import type { Run, Runs } from "./algebra";

/** Runs with the same rest. */
export interface AlikeRuns<S> {
  ranges: Pick<Run<S, bigint>, "from" | "to">[];
  rest: S;
}

/**
 * Runs with the same rest, together, in the order of the first of each. Sets have one form alone, so equal rests have equal
 * keys: no rest is compared with all others.
 */
export function alike<S>(set: Runs<S, bigint>, keyOf: (rest: S) => string): AlikeRuns<S>[] {
  const groups = new Map<string, AlikeRuns<S>>();
  for (const { from, to, rest } of set) {
    const key = keyOf(rest);
    const group = groups.get(key);
    if (group) group.ranges.push({ from, to });
    else groups.set(key, { ranges: [{ from, to }], rest });
  }
  return [...groups.values()];
}

/** What tells a set of one dimension from others. */
export const lineKey = (line: Runs<boolean, bigint>): string => line.map(span).join();

/** What tells a set of two dimensions from others. */
export const planeKey = (plane: Runs<Runs<boolean, bigint>, bigint>): string =>
  plane.map((run) => `${span(run)}:${lineKey(run.rest)}`).join(";");

/** Large numbers are written much faster in a base that is a power of two. */
const span = ({ from, to }: Pick<Run<unknown, bigint>, "from" | "to">): string =>
  `${from.toString(32)}-${to.toString(32)}`;
