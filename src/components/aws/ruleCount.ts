import type { Family } from "../../address";
import { grouped } from "./grouped";
import type { PlannedRule } from "./plannedRule";

/** What AWS counts for a quota: the rules of one group, direction and family. */
export interface RuleCount {
  /** `control-plane ingress`. */
  place: string;
  /** `control-plane ingress IPv4`. */
  list: string;
  family: Family;
  count: number;
  /** The rules that count. */
  rules: readonly [PlannedRule, ...PlannedRule[]];
}

const FAMILIES: readonly Family[] = [4, 6];

/** How many rules AWS counts in each group and direction, of IPv4 and IPv6 apart. */
export function ruleCounts(rules: readonly PlannedRule[]): RuleCount[] {
  const weighed = FAMILIES.flatMap((family) =>
    rules.filter((rule) => weight(rule, family) > 0).map((rule) => ({ rule, family })),
  );
  return grouped(weighed, ({ rule, family }) => listOf(rule, family)).map((members) => {
    const [{ rule: first, family }, ...others] = members;
    const own = [first, ...others.map(({ rule }) => rule)] as const;
    const count = own.reduce((total, rule) => total + weight(rule, family), 0);
    return { place: placeOf(first), list: listOf(first, family), family, count, rules: own };
  });
}

/** The list in which a rule for a block counts. */
export const listOf = (rule: PlannedRule, family: Family): string => `${placeOf(rule)} IPv${family}`;

const placeOf = ({ role, direction }: PlannedRule): string => `${role} ${direction}`;

/**
 * As how many rules AWS counts one: a block once in its family; a security group once in both; a prefix list as often as
 * it may have entries, in both, because its family is not known.
 */
export function weight({ peer }: PlannedRule, family: Family): number {
  if (peer.kind === "prefix") return peer.prefix.family === family ? 1 : 0;
  return peer.kind === "reference" ? peer.reference.weight : 1;
}
