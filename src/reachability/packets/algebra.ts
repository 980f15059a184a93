/** Exact operations on sets of one kind. Every set has one form alone, so that equal sets look the same. */
export interface Algebra<S> {
  readonly empty: S;
  readonly isEmpty: (set: S) => boolean;
  readonly equal: (a: S, b: S) => boolean;
  readonly union: (a: S, b: S) => S;
  readonly intersection: (a: S, b: S) => S;
  /** What is in `a` and not in `b`. */
  readonly difference: (a: S, b: S) => S;
}

/** The sets below the last dimension: there, or not. */
export const presence: Algebra<boolean> = {
  empty: false,
  isEmpty: (set) => !set,
  equal: (a, b) => a === b,
  union: (a, b) => a || b,
  intersection: (a, b) => a && b,
  difference: (a, b) => a && !b,
};

/** Neighbouring numbers, first and last included, that have the same set in the other dimensions. */
export interface Run<S> {
  readonly from: bigint;
  readonly to: bigint;
  readonly rest: S;
}

/** A set with one more dimension: runs in order, which do not share a number, as few as possible, none of them empty. */
export type Runs<S> = readonly Run<S>[];

/** Sets with one more dimension than those of `inner`. */
export function over<S>(inner: Algebra<S>): Algebra<Runs<S>> {
  const combine = (operation: (a: S, b: S) => S) => (a: Runs<S>, b: Runs<S>) => sweep(inner, a, b, operation);
  const union = combine((a, b) => inner.union(a, b));
  const intersection = combine((a, b) => inner.intersection(a, b));
  const difference = combine((a, b) => inner.difference(a, b));
  return {
    empty: [],
    isEmpty: (set) => set.length === 0,
    equal: (a, b) =>
      a === b ||
      (a.length === b.length &&
        a.every((run, i) => {
          const other = b[i]!;
          return run.from === other.from && run.to === other.to && inner.equal(run.rest, other.rest);
        })),
    union: (a, b) => (a.length === 0 ? b : b.length === 0 || a === b ? a : union(a, b)),
    intersection: (a, b) => (a.length === 0 || b.length === 0 ? [] : a === b ? a : intersection(a, b)),
    difference: (a, b) => (a.length === 0 || a === b ? [] : b.length === 0 ? a : difference(a, b)),
  };
}

/** Walks along both sets, from one number at which something begins or ends to the next. */
function sweep<S>(inner: Algebra<S>, a: Runs<S>, b: Runs<S>, operation: (a: S, b: S) => S): Runs<S> {
  const result: { from: bigint; to: bigint; rest: S }[] = [];
  let [i, j] = [0, 0];
  let at: bigint | undefined;
  for (let x = a[i], y = b[j]; x ?? y; x = a[i], y = b[j]) {
    const starts = [x, y].flatMap((run) => (run ? [at === undefined || run.from > at ? run.from : at] : []));
    const from = least(starts);
    const [inX, inY] = [x && x.from <= from, y && y.from <= from];
    const ends = [x, y].flatMap((run) => (run ? [run.from <= from ? run.to : run.from - 1n] : []));
    const to = least(ends);
    const rest = operation(inX ? x!.rest : inner.empty, inY ? y!.rest : inner.empty);
    const last = result.at(-1);
    if (last && last.to + 1n === from && inner.equal(last.rest, rest)) last.to = to;
    else if (!inner.isEmpty(rest)) result.push({ from, to, rest });
    at = to + 1n;
    if (x && x.to < at) i++;
    if (y && y.to < at) j++;
  }
  return result;
}

const least = (numbers: readonly bigint[]): bigint => numbers.reduce((a, b) => (b < a ? b : a));

/** The union of many sets: two halves at a time, so that no large set is walked once for every small one. */
export function unionOf<S>({ empty, union }: Pick<Algebra<S>, "empty" | "union">, sets: readonly S[]): S {
  if (sets.length <= 1) return sets[0] ?? empty;
  const middle = sets.length >> 1;
  return union(
    unionOf({ empty, union }, sets.slice(0, middle)),
    unionOf({ empty, union }, sets.slice(middle)),
  );
}
