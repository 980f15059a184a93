import type { Family } from "../../address";
import { FAMILIES, ruleWeight, type CountedPeer } from "../../resources/ruleWeight";
import { grouped } from "../../components/hostRules/grouped";
import type { PlannedRule } from "../../components/hostRules/plannedRule";

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

/** As how many rules of a family AWS counts one. */
export const weight = (rule: PlannedRule, family: Family): number => ruleWeight(countedPeer(rule), family);

function countedPeer({ peer }: PlannedRule): CountedPeer {
  if (peer.kind === "prefix") return { kind: "prefix", family: peer.prefix.family };
  if (peer.kind === "reference" && peer.reference.kind === "prefixList")
    return { kind: "prefixList", maxEntries: peer.reference.weight };
  // A block that is not known yet is taken for one of either family.
  return { kind: "group" };
}
