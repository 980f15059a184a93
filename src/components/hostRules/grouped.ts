import type { PlannedRule } from "./plannedRule";

/** Items in groups of the same key, in the order in which the keys first appear. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** How many rules each flow needs, those together that share them: `4 for kube-apiserver, 2 for https + dns-udp`. */
export function countByFlow<Rule extends PlannedRule>(
  rules: readonly Rule[],
  weightOf: (rule: Rule) => number = () => 1,
): string {
  const total = (same: readonly Rule[]) => same.reduce((sum, rule) => sum + weightOf(rule), 0);
  return grouped(rules, namesOf)
    .map((same) => ({ count: total(same), names: namesOf(same[0]) }))
    .sort((a, b) => b.count - a.count)
    .map(({ count, names }) => `${count} for ${names}`)
    .join(", ");
}

/** The flows without role and direction; of many the first ones. */
function namesOf({ flows }: PlannedRule): string {
  const names = [...new Set(flows.map((flow) => flow.split("/").at(-1)!))];
  return names.length > SHOWN
    ? `${names.slice(0, SHOWN).join(" + ")} and ${names.length - SHOWN} more`
    : names.join(" + ");
}
const SHOWN = 3;
