import type { Fault } from "../../fault";
import { LIMIT } from "../../requirements/limits";
import { plainNumber, plainWord } from "../../components/hostRules/givenValues";
import { type Fields, inputFaults } from "../../objects/shape";
import { RuleMerging } from "./hostedControlPlaneSecurityGroupsArgs";
import type { Family } from "../../address";
import { ruleWeight, type CountedPeer } from "../../resources/securityGroups";
import {
  type Joined,
  type PlannedRule,
  countByFlow,
  describePorts,
  familyOf,
  isBlockRule,
  joinBlocks,
  ruleIdentity,
} from "../../components/hostRules/plannedRule";
import { isGiven } from "../../resources/read";
import { grouped } from "../../collections";
import { FAMILIES } from "../../address";

/** The known part of a user's options for the number of rules. */
export interface QuotaOptions {
  /** Rules that a group may have in each direction. Defaults to AWS's default quota. */
  ruleQuota?: unknown;
  /** When blocks are merged. Defaults to only if a group would have too many rules. */
  mergeRules?: unknown;
}

/** The rules within AWS's quota, or the faults if they do not fit. */
interface Fitted {
  rules: readonly PlannedRule[];
  faults: readonly Fault[];
  warnings: readonly string[];
}

const OPTIONS: Fields = {
  ruleQuota: plainNumber({ min: 1, max: LIMIT.securityGroupRules.highest }),
  mergeRules: plainWord(Object.values(RuleMerging)),
};

/** Fits rules into AWS's quota, merging them if allowed; the packets that they allow stay the same. */
export function fitQuota(rules: readonly PlannedRule[], { ruleQuota, mergeRules }: QuotaOptions): Fitted {
  const wrong = inputFaults(OPTIONS, { ruleQuota, mergeRules });
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

/** Which rules may be merged, given the lists that exceed the quota. */
const MAY_MERGE: Readonly<
  Record<RuleMerging, (exceeding: readonly RuleCount[]) => (rule: PlannedRule) => boolean>
> = {
  [RuleMerging.OverQuota]: (exceeding) => (rule) =>
    isBlockRule(rule) && exceeding.some(({ list }) => list === listOf(rule, rule.peer.prefix.family)),
  [RuleMerging.Always]: () => () => true,
  [RuleMerging.Never]: () => () => false,
};

function tooMany(made: RuleCount, asked: RuleCount, quota: number): Fault {
  const { place, family, count, rules } = made;
  const before = count < asked.count ? `${asked.count} before blocks were merged; ` : "";
  const byFlow = countByFlow(rules, (rule) => weight(rule, family));
  return {
    path: "ruleQuota",
    problem: `${place} needs ${count} IPv${family} rules, the quota is ${quota} (${before}${byFlow})`,
    remedy: `${waysOut(made, quota)}; a prefix list instead of blocks does not help, because AWS counts its maximum number of entries for each rule that uses it`,
  };
}

function waysOut({ list, family, rules }: RuleCount, quota: number): string {
  const fewest = ruleCounts(mergeBlocks(rules, () => true)).find((each) => each.list === list)!.count;
  const lists = rules.filter(({ peer }) => peer.kind === "reference" && peer.reference.kind === "prefixList");
  const entries = lists.reduce((sum, rule) => sum + weight(rule, family), 0);
  const ways = [
    ...(fewest <= quota
      ? [`write mergeRules ${RuleMerging.OverQuota}, which needs only ${fewest} rules for the same packets`]
      : []),
    "write wider CIDR blocks",
    "disable rules",
    ...(entries > 0 ? [`lower the maximum size of prefix lists, which count as ${entries} rules`] : []),
  ];
  return `${ways.join(", ")}, or have AWS raise the quota, at most to ${LIMIT.securityGroupRules.highest} divided by the groups of an interface, and write it here`;
}

function mergedWarning({ place, family, count }: RuleCount, asked: RuleCount, quota: number): string {
  return `mergeRules missing: ${place} would have ${asked.count} IPv${family} rules, the quota is ${quota}; ${count} merged rules with the same addresses are created instead; single rules return when they fit the quota, but a full group has no room for them before the merged rules are deleted; write mergeRules ${RuleMerging.Always} to keep the merged rules`;
}

/**
 * Merges rules into fewer that allow exactly the same packets: of the rules that may be merged, the blocks with the same
 * protocol and ports become the fewest blocks with the same addresses. Groups, prefix lists and unknown blocks are kept.
 */
export function mergeBlocks(
  rules: readonly PlannedRule[],
  mayMerge: (rule: PlannedRule) => boolean,
): PlannedRule[] {
  const key = (rule: PlannedRule) =>
    isBlockRule(rule) && mayMerge(rule) ? trafficOf(rule) : ruleIdentity(rule);
  return [...grouped(rules, key).values()].flatMap((same) =>
    same.every(isBlockRule) ? joinBlocks(same).map(withParts) : [...same],
  );
}

const trafficOf = ({ role, direction, protocol, ports }: PlannedRule): string =>
  [role, direction, protocol, describePorts(ports)].join(" ");

function withParts({ rule, parts }: Joined<PlannedRule>): PlannedRule {
  return parts.length === 1 ? parts[0] : { ...rule, mergedFrom: parts.map(({ peer }) => peer) };
}

/** What AWS counts against a quota: the rules of one group, direction and address family. */
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

/** The number of rules that AWS counts in each group and direction, separately for IPv4 and IPv6. */
function ruleCounts(rules: readonly PlannedRule[]): RuleCount[] {
  const weighed = FAMILIES.flatMap((family) =>
    rules.filter((rule) => weight(rule, family) > 0).map((rule) => ({ rule, family })),
  );
  return [...grouped(weighed, ({ rule, family }) => listOf(rule, family)).values()].map((members) => {
    const [{ rule: first, family }, ...others] = members;
    const own = [first, ...others.map(({ rule }) => rule)] as const;
    const count = own.reduce((total, rule) => total + weight(rule, family), 0);
    return { place: placeOf(first), list: listOf(first, family), family, count, rules: own };
  });
}

/** The list in which a rule counts for an address family. */
export const listOf = (rule: PlannedRule, family: Family): string => `${placeOf(rule)} IPv${family}`;

const placeOf = ({ role, direction }: PlannedRule): string => `${role} ${direction}`;

/** As how many rules of an address family AWS counts a rule. */
export const weight = (rule: PlannedRule, family: Family): number => ruleWeight(countedPeer(rule), family);

function countedPeer({ peer }: PlannedRule): CountedPeer {
  const family = familyOf(peer);
  if (family !== undefined) return { kind: "prefix", family };
  if (peer.kind === "reference" && peer.reference.kind === "prefixList")
    return { kind: "prefixList", maxEntries: peer.reference.weight };
  // A security group counts in both families.
  return { kind: "group" };
}
