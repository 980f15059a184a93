import type { Labels } from "./networkPolicy";
import type { PlainLabelSelector } from "../labelSelector";

/** More label sets than anybody waits for. */
const MOST = 20_000;

/**
 * Every set of labels that some of these selectors tell apart: each key absent, with each value that a selector names,
 * and with one that none names. What holds for all of them holds for every pod. `undefined` where they are too many.
 */
export function distinctLabels(selectors: readonly PlainLabelSelector[]): Labels[] | undefined {
  const values = valuesByKey(selectors);
  const count = [...values.values()].reduce((product, named) => product * (named.size + 2), 1);
  if (count > MOST) return undefined;
  return [...values].reduce<Labels[]>(
    (sets, [key, named]) => {
      const given = [...named, unnamed(named)].map((value) => ({ [key]: value }));
      return [{}, ...given].flatMap((label) => sets.map((labels) => ({ ...labels, ...label })));
    },
    [{}],
  );
}

function valuesByKey(selectors: readonly PlainLabelSelector[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const note = (key: string, values: readonly string[]) =>
    all.set(key, new Set([...(all.get(key) ?? []), ...values]));
  for (const { matchLabels = {}, matchExpressions = [] } of selectors) {
    for (const [key, value] of Object.entries(matchLabels)) note(key, [value]);
    for (const { key, values = [] } of matchExpressions) note(key, values);
  }
  return all;
}

function unnamed(values: ReadonlySet<string>): string {
  let other = "other";
  while (values.has(other)) other += "s";
  return other;
}
