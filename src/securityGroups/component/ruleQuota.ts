import type { Fault } from "../../fault";
import { LIMIT } from "../../requirements/limits";
import { countByFlow } from "../../components/hostRules/countByFlow";
import { countFaults, isGiven, shown } from "../../components/hostRules/inputShape";
import { isBlock } from "../../components/hostRules/joinBlocks";
import { mergeBlocks } from "./mergeBlocks";
import type { PlannedRule } from "../../components/hostRules/plannedRule";
import { listOf, ruleCounts, weight, type RuleCount } from "./ruleCount";
import { RuleMerging } from "./ruleMerging";

/** What a user says of the number of rules, as far as it is known. */
export interface QuotaOptions {
  /** Rules that a group may have in each direction. Defaults to AWS's default quota. */
  ruleQuota?: unknown;
  /** When blocks are merged. Defaults to where a group would have too many rules. */
  mergeRules?: unknown;
}

/** The rules as AWS's quota takes them, or why it does not. */
interface Fitted {
  rules: readonly PlannedRule[];
  faults: readonly Fault[];
  warnings: readonly string[];
}

/** Rules within AWS's quota, merged where that is wanted; the packets that they let pass are the same. */
export function fitQuota(rules: readonly PlannedRule[], { ruleQuota, mergeRules }: QuotaOptions): Fitted {
  const wrong = [...quotaFaults(ruleQuota), ...mergingFaults(mergeRules)];
  if (wrong.length > 0) return { rules, faults: wrong, warnings: [] };
  const quota = typeof ruleQuota === "number" ? ruleQuota : LIMIT.securityGroupRules.default;
  const exceeds = ({ count }: RuleCount) => count > quota;
  const asked = ruleCounts(rules);
  const merging = isGiven(mergeRules) ? (mergeRules as RuleMerging) : RuleMerging.OverQuota;
  const merged = mergeBlocks(rules, MAY_MERGE[merging](asked.filter(exceeds)));
  const made = ruleCounts(merged);
  const before = (list: string) => asked.find((each) => each.list === list)!;
  const nowWithin = made.filter((each) => !exceeds(each) && exceeds(before(each.list)));
  return {
    rules: merged,
    faults: made.filter(exceeds).map((each) => tooMany(each, before(each.list), quota)),
    warnings: isGiven(mergeRules)
      ? []
      : nowWithin.map((each) => mergedWarning(each, before(each.list), quota)),
  };
}

/** Which rules may be merged where some lists exceed the quota. */
const MAY_MERGE: Readonly<
  Record<RuleMerging, (exceeding: readonly RuleCount[]) => (rule: PlannedRule) => boolean>
> = {
  [RuleMerging.OverQuota]: (exceeding) => (rule) =>
    isBlock(rule) && exceeding.some(({ list }) => list === listOf(rule, rule.peer.prefix.family)),
  [RuleMerging.Always]: () => () => true,
  [RuleMerging.Never]: () => () => false,
};

function quotaFaults(ruleQuota: unknown): Fault[] {
  return isGiven(ruleQuota) ? countFaults("ruleQuota", ruleQuota, 1, LIMIT.securityGroupRules.highest) : [];
}

function mergingFaults(mergeRules: unknown): Fault[] {
  const ways = Object.values(RuleMerging);
  if (!isGiven(mergeRules) || ways.some((way) => way === mergeRules)) return [];
  const problem = `${shown(mergeRules)} is none of the values`;
  return [{ path: "mergeRules", problem, remedy: `use ${ways.join(", ")}` }];
}

function tooMany(made: RuleCount, asked: RuleCount, quota: number): Fault {
  const { place, family, count, rules } = made;
  const before = count < asked.count ? `${asked.count} before blocks were merged; ` : "";
  const byFlow = countByFlow(rules, (rule) => weight(rule, family));
  return {
    path: "ruleQuota",
    problem: `${place} needs ${count} IPv${family} rules, the quota is ${quota} (${before}${byFlow})`,
    remedy: `${waysOut(made, quota)}; a prefix list in place of blocks saves none, because AWS counts the most entries that it may have for each of its rules`,
  };
}

function waysOut({ list, family, rules }: RuleCount, quota: number): string {
  const fewest = ruleCounts(mergeBlocks(rules, () => true)).find((each) => each.list === list)!.count;
  const lists = rules.filter(({ peer }) => peer.kind === "reference" && peer.reference.kind === "prefixList");
  const entries = lists.reduce((sum, rule) => sum + weight(rule, family), 0);
  const ways = [
    ...(fewest <= quota
      ? [`write mergeRules ${RuleMerging.OverQuota}, with which ${fewest} rules do the same`]
      : []),
    "write wider CIDR blocks",
    "disable rules",
    ...(entries > 0 ? [`have prefix lists resized, which count for ${entries}`] : []),
  ];
  return `${ways.join(", ")}, or have AWS raise the quota, at most to ${LIMIT.securityGroupRules.highest} divided by the groups of an interface, and write it here`;
}

function mergedWarning({ place, family, count }: RuleCount, asked: RuleCount, quota: number): string {
  return `mergeRules missing: ${place} would have ${asked.count} IPv${family} rules, the quota is ${quota}; ${count} with the same addresses are made instead, and single ones again when they are few enough, for which a full group has no room before the merged ones go; write mergeRules ${RuleMerging.Always} to keep those`;
}
