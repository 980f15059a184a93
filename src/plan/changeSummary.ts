/** How many steps of each kind a preview has, by the name of the kind. */
export type ChangeSummary = Readonly<Record<string, number>>;

/** How the steps of one kind that are shown compare with those that the summary counts. */
type Comparison = (shown: number, counted: number) => boolean;

const equal: Comparison = (shown, counted) => shown === counted;
const noMore: Comparison = (shown, counted) => shown <= counted;
const noFewer: Comparison = (shown, counted) => shown >= counted;

/**
 * What the engine counts as often as it shows it. It counts no parts of a replacement, no refreshes, and reads only where
 * what was read has changed; it leaves out unchanged resources unless it is asked to show them.
 */
const COMPARED: Readonly<Record<string, Comparison>> = {
  create: equal,
  update: equal,
  replace: equal,
  delete: equal,
  import: equal,
  discard: equal,
  read: noFewer,
  same: noMore,
};

/** A refresh that finds something changed or gone is shown as an update or a delete, and is not counted as one. */
const COMPARED_WITH_REFRESH: Readonly<Record<string, Comparison>> = {
  ...COMPARED,
  update: noFewer,
  delete: noFewer,
};

export const REFRESH = "refresh";

/** The summary that a preview has, undefined where it is none. */
export function changeSummary(value: unknown): ChangeSummary | undefined {
  const isSummary = typeof value === "object" && value !== null && !Array.isArray(value);
  return isSummary && Object.values(value).every(isCount) ? (value as ChangeSummary) : undefined;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** Where a summary contradicts the steps beside it: `create 3 by changeSummary and 2 by steps`. A preview like that was cut or put together. */
export function contradictions(ops: readonly string[], summary: ChangeSummary): string[] {
  const compared = ops.includes(REFRESH) ? COMPARED_WITH_REFRESH : COMPARED;
  return Object.entries(compared).flatMap(([op, agree]) => {
    const [shown, counted] = [countOf(ops, op), summary[op] ?? 0];
    return agree(shown, counted) ? [] : [`${op} ${counted} by changeSummary and ${shown} by steps`];
  });
}

export const countOf = (ops: readonly string[], op: string): number =>
  ops.reduce((sum, one) => sum + (one === op ? 1 : 0), 0);
