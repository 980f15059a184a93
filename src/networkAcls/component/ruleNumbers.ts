import { createHash } from "node:crypto";
import type { Fault } from "../../fault";
import { LIMIT } from "../../requirements/limits";
import { countByFlow, grouped } from "../../components/hostRules/grouped";
import { countFaults, isGiven, isRecord } from "../../components/hostRules/givenValues";
import { aclRuleKey, familiesOf, type AclRule } from "./aclRule";

/** A rule with its place in the ACL. */
export interface NumberedRule extends AclRule {
  number: number;
}

/**
 * The numbers that rules get. Those below and above stay free for rules of others, a deny in front of everything among
 * them, and so do most in between.
 */
const NUMBERS = { from: 1000, to: 31999 } as const;

/** The name of a rule among those of all ACLs, by which `ruleNumbers` gives it a number. */
export const numberKey = (rule: AclRule): string => `${rule.role}/${rule.direction}/${aclRuleKey(rule)}`;

/**
 * Every rule with its number, which depends only on the rule: it stays when others come and go. Every rule lets packets
 * pass and none denies, so their order means nothing. `given` are numbers that the user chose, by the rules' names.
 */
export function numbered(
  rules: readonly AclRule[],
  given: Readonly<Record<string, number>> = {},
): NumberedRule[] {
  return rules.map((rule) => {
    const key = numberKey(rule);
    return { ...rule, number: Object.hasOwn(given, key) ? given[key]! : ownNumber(key) };
  });
}

function ownNumber(key: string): number {
  const places = NUMBERS.to - NUMBERS.from + 1;
  return NUMBERS.from + (createHash("sha256").update(key).digest().readUInt32BE(0) % places);
}

/** What is wrong with the numbers that the user chose. */
export function givenNumberFaults(given: unknown): Fault[] {
  const path = "ruleNumbers";
  if (!isGiven(given)) return [];
  if (!isRecord(given))
    return [{ path, problem: "is not an object", remedy: "write { <role>/<direction>/<rule>: <number> }" }];
  const { min, max } = LIMIT.networkAclRuleNumber;
  return Object.entries(given).flatMap(([key, number]) =>
    countFaults(`${path}[${JSON.stringify(key)}]`, number, min, max),
  );
}

/** Rules of one list that would get the same number, which happens by chance to one ACL in some hundred. */
export function sameNumberFaults(rules: readonly NumberedRule[]): Fault[] {
  const place = ({ role, direction, number }: NumberedRule) => `${role} ${direction} ${number}`;
  const taken = new Set(rules.map(place));
  return grouped(rules, place).flatMap(([first, ...others]) =>
    others.map((rule) => {
      let free = rule.number;
      while (taken.has(place({ ...rule, number: free }))) free++;
      return {
        path: "ruleNumbers",
        problem: `${numberKey(first)} and ${numberKey(rule)} would both get the number ${rule.number}`,
        remedy: `give the one that is not deployed yet another one: { ${JSON.stringify(numberKey(rule))}: ${free} }`,
      };
    }),
  );
}

/** Chosen numbers that no rule has. */
export function idleNumbers(rules: readonly AclRule[], given: Readonly<Record<string, number>>): string[] {
  const keys = new Set(rules.map(numberKey));
  return Object.keys(given)
    .filter((key) => !keys.has(key))
    .map((key) => `ruleNumbers names ${key}, which is no rule: take it out`);
}

/**
 * ACLs with more rules than AWS lets them have: 20 in each direction unless the quota was raised. AWS counts IPv4 and
 * IPv6 apart, and with each the last rule, which denies everything and is always there.
 */
export function aclQuotaFaults(rules: readonly AclRule[], ruleQuota: unknown): Fault[] {
  const { default: usual, highest } = LIMIT.networkAclRules;
  const wrong = isGiven(ruleQuota) ? countFaults("ruleQuota", ruleQuota, 1, highest) : [];
  if (wrong.length > 0) return wrong;
  const quota = typeof ruleQuota === "number" ? ruleQuota : usual;
  return grouped(rules, ({ role, direction }) => `${role} ${direction}`).flatMap((list) =>
    ([4, 6] as const).flatMap((family) => {
      const counted = list.filter((rule) => familiesOf(rule).includes(family));
      const count = counted.length + 1;
      if (counted.length === 0 || count <= quota) return [];
      const [{ role, direction }] = list;
      return [
        {
          path: "ruleQuota",
          problem: `${role} ${direction} needs ${count} IPv${family} rules with the last one that denies the rest, the quota is ${quota} (${countByFlow(counted)})`,
          remedy: `write wider CIDR blocks, disable rules, or have AWS raise the quota, at most to ${highest}, and write it here`,
        },
      ];
    }),
  );
}
