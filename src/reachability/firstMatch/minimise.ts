import type { OrderedRule } from "./rules";
import { merge, type Prefix } from "../../address";
import { surplusOf } from "./surplus";

/**
 * A list with as few rules as this finds that lets exactly the same packets pass, whatever addresses unknown destinations have:
 * without surplus rules, and with the prefixes of neighbours that do the same merged.
 */
export function minimised(
  rules: readonly OrderedRule[],
  exempt: readonly Prefix[] = [],
  otherwise = true,
): OrderedRule[] {
  const surplus = surplusOf(rules, exempt, otherwise);
  const kept = rules.filter((_, position) => surplus[position] === undefined);
  const merged = runsOf(kept).flatMap(mergedRun);
  return merged.length < kept.length ? minimised(merged, exempt, otherwise) : kept;
}

/** Neighbours with the same action: among them order means nothing. */
function runsOf(rules: readonly OrderedRule[]): OrderedRule[][] {
  const runs: OrderedRule[][] = [];
  for (const rule of rules) {
    const last = runs.at(-1);
    if (last?.[0]?.allow === rule.allow) last.push(rule);
    else runs.push([rule]);
  }
  return runs;
}

function mergedRun(run: readonly OrderedRule[]): OrderedRule[] {
  const groups = new Map<string, { rule: OrderedRule; prefixes: Prefix[] }>();
  const merged: (OrderedRule | { rule: OrderedRule; prefixes: Prefix[] })[] = [];
  for (const rule of run) {
    if (!rule.prefix) {
      merged.push(rule);
      continue;
    }
    const key = [...rule.services].sort((a, b) => a - b).join();
    const group = groups.get(key);
    if (group) group.prefixes.push(rule.prefix);
    else {
      const made = { rule, prefixes: [rule.prefix] };
      groups.set(key, made);
      merged.push(made);
    }
  }
  return merged.flatMap((entry) =>
    "prefixes" in entry ? merge(entry.prefixes).map((prefix) => ({ ...entry.rule, prefix })) : [entry],
  );
}
