/** Exact operations on sets of one kind. Every set has only one form, so equal sets look the same. */
export interface Algebra<S> {
  readonly empty: S;
  readonly isEmpty: (set: S) => boolean;
  readonly equal: (a: S, b: S) => boolean;
  readonly union: (a: S, b: S) => S;
  readonly intersection: (a: S, b: S) => S;
  /** What is in `a` and not in `b`. */
  readonly difference: (a: S, b: S) => S;
  /** Whether `outer` contains all of `inner`: the same as an empty difference, without computing one. */
  readonly contains: (outer: S, inner: S) => boolean;
}

/** The sets below the last dimension: present or absent. */
export const presence: Algebra<boolean> = {
  empty: false,
  isEmpty: (set) => !set,
  equal: (a, b) => a === b,
  union: (a, b) => a || b,
  intersection: (a, b) => a && b,
  difference: (a, b) => a && !b,
  contains: (outer, inner) => outer || !inner,
};

/** Whole numbers: `number` for services and IPv4 addresses, which is much faster; `bigint` for IPv6 addresses, which have 128 bits. */
export type Whole = number | bigint;

/** How whole numbers of one kind follow each other. */
export interface Line<N extends Whole> {
  readonly next: (number: N) => N;
  readonly before: (number: N) => N;
}

export const NUMBERS: Line<number> = { next: (number) => number + 1, before: (number) => number - 1 };
export const LARGE_NUMBERS: Line<bigint> = { next: (number) => number + 1n, before: (number) => number - 1n };

/** Neighbouring numbers, first and last included, that have the same set in the other dimensions. */
export interface Run<S, N extends Whole = number> {
  readonly from: N;
  readonly to: N;
  readonly rest: S;
}

/** A set with one more dimension: ordered, disjoint runs, as few as possible, none of them empty. */
export type Runs<S, N extends Whole = number> = readonly Run<S, N>[];

/** Sets with one more dimension than those of `inner`. */
export function over<S, N extends Whole>(inner: Algebra<S>, line: Line<N>): Algebra<Runs<S, N>> {
  type Set = Runs<S, N>;
  const empty: Set = [];
  const equal = (a: Set, b: Set): boolean => {
    if (a === b) return true;
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) {
      const [x, y] = [a[i]!, b[i]!];
      if (x.from !== y.from || x.to !== y.to || !inner.equal(x.rest, y.rest)) return false;
    }
    return true;
  };
  const union: Sweep = { inBoth: "union", keepsA: true, keepsB: true };
  const intersection: Sweep = { inBoth: "intersection", keepsA: false, keepsB: false };
  const difference: Sweep = { inBoth: "difference", keepsA: true, keepsB: false };
  return {
    empty,
    isEmpty: (set) => set.length === 0,
    equal,
    union: (a, b) => (a.length === 0 ? b : b.length === 0 || a === b ? a : sweep(inner, line, a, b, union)),
    intersection: (a, b) =>
      a.length === 0 || b.length === 0 ? empty : a === b ? a : sweep(inner, line, a, b, intersection),
    difference: (a, b) =>
      a.length === 0 || a === b ? empty : b.length === 0 ? a : sweep(inner, line, a, b, difference),
    contains: (outer, set) => {
      if (outer === set) return true;
      const isIn = rememberingLast((one: S, other: S) => inner.contains(one, other));
      return set.every((run) => holds(isIn, line, outer, run));
    },
  };
}

/** The operation for numbers in both sets, and whether numbers in only one of the sets stay. */
interface Sweep {
  readonly inBoth: "union" | "intersection" | "difference";
  readonly keepsA: boolean;
  readonly keepsB: boolean;
}

/** Caches the last answer: the sources of a product share one set of destinations, so its result is computed once and shared too. */
function rememberingLast<S, T>(answer: (one: S, other: S) => T): (one: S, other: S) => T {
  let known: { one: S; other: S; answer: T } | undefined;
  return (one, other) => {
    if (known?.one !== one || known.other !== other) known = { one, other, answer: answer(one, other) };
    return known.answer;
  };
}

/** Walks along both sets, from one number at which a run begins or ends to the next. */
function sweep<S, N extends Whole>(
  inner: Algebra<S>,
  line: Line<N>,
  a: Runs<S, N>,
  b: Runs<S, N>,
  { inBoth, keepsA, keepsB }: Sweep,
): Runs<S, N> {
  const result: { from: N; to: N; rest: S }[] = [];
  const append = (from: N, to: N, rest: S) => {
    const last = result[result.length - 1];
    if (last && line.next(last.to) === from && (last.rest === rest || inner.equal(last.rest, rest)))
      last.to = to;
    else result.push({ from, to, rest });
  };
  // Skip runs that lie before all of the other set, unless they stay.
  let i = keepsA ? 0 : Math.max(lastFrom(a, b[0]!.from), 0);
  let j = keepsB ? 0 : Math.max(lastFrom(b, a[0]!.from), 0);
  let [x, y] = [a[i], b[j]];
  const combined = rememberingLast((one: S, other: S) => inner[inBoth](one, other));
  // Where the rest of each current run begins.
  let [startX, startY] = [x?.from, y?.from] as [N, N];
  while (x ? y !== undefined || keepsA : y !== undefined && keepsB) {
    let to: N;
    if (!y || (x && startX < startY)) {
      to = y && startY <= x!.to ? line.before(startY) : x!.to;
      if (keepsA) append(startX, to, x!.rest);
    } else if (!x || startY < startX) {
      to = x && startX <= y.to ? line.before(startX) : y.to;
      if (keepsB) append(startY, to, y.rest);
    } else {
      to = x.to < y.to ? x.to : y.to;
      const rest = combined(x.rest, y.rest);
      if (!inner.isEmpty(rest)) append(startX, to, rest);
    }
    if (x && startX <= to) {
      if (x.to <= to) startX = (x = a[++i])?.from as N;
      else startX = line.next(to);
    }
    if (y && startY <= to) {
      if (y.to <= to) startY = (y = b[++j])?.from as N;
      else startY = line.next(to);
    }
  }
  return result;
}

/** Whether a set contains all of one run. */
function holds<S, N extends Whole>(
  isIn: (outer: S, inner: S) => boolean,
  line: Line<N>,
  set: Runs<S, N>,
  run: Run<S, N>,
): boolean {
  let at = run.from;
  for (let place = lastFrom(set, at); place < set.length; place++) {
    const here = set[place];
    if (!here || here.from > at || here.to < at || !isIn(here.rest, run.rest)) return false;
    if (here.to >= run.to) return true;
    at = line.next(here.to);
  }
  return false;
}

/** The position of the last run that begins no later than a number; -1 if there is none. */
export function lastFrom<N extends Whole>(set: readonly { readonly from: N }[], number: N): number {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set[middle]!.from <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Joins ranges in any order into the fewest that neither overlap nor touch. Changes the list and its ranges. */
export function joined<N extends Whole, R extends { from: N; to: N }>(
  ranges: R[],
  next: (number: N) => N,
): R[] {
  if (ranges.length < 2) return ranges;
  const result: R[] = [];
  for (const range of ranges.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const last = result[result.length - 1];
    if (!last || next(last.to) < range.from) result.push(range);
    else if (range.to > last.to) last.to = range.to;
  }
  return result;
}

/** The union of many sets, computed by halves so that no large set is walked once for every small one. */
export function unionOf<S>({ empty, union }: Pick<Algebra<S>, "empty" | "union">, sets: readonly S[]): S {
  const unionBetween = (from: number, to: number): S => {
    if (to - from <= 1) return sets[from] ?? empty;
    const middle = (from + to) >> 1;
    return union(unionBetween(from, middle), unionBetween(middle, to));
  };
  return sets.length === 0 ? empty : unionBetween(0, sets.length);
}
