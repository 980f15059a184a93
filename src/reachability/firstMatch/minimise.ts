import { merge, type Family, type Prefix } from "../../address";
import { surplusOf } from "./surplus";
import { bitsOf, type Bits } from "./trie";

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

/** A rule of a list in which the first match decides. */
export interface OrderedRule {
  allow: boolean;
  /** Its destination. Absent: addresses that nobody knows, those of a name for example. */
  prefix?: Prefix;
  /** Protocol and port of each as one number. Empty: every protocol and port. */
  services: readonly number[];
}

/** Stands for the services that no rule names: rules for every service are about them too. */
export const OTHERS = -1;

/** The services that a rule tells apart. */
export const servicesOf = ({ services }: OrderedRule): readonly number[] =>
  services.length === 0 ? [OTHERS] : services;

const EVERYWHERE: Bits = { length: 0, lanes: [] };

/** What a rule is about among the addresses of a family: perhaps everything where nobody knows, nothing where undefined. */
export function reachOf({ prefix }: OrderedRule, family: Family): Bits | undefined {
  if (!prefix) return EVERYWHERE;
  return prefix.family === family ? bitsOf(prefix) : undefined;
}
