import type { Fault } from "../../fault";
import type { Family } from "../../address";
import { LIMIT } from "../../requirements/limits";
import { grouped } from "./grouped";
import { countFaults } from "./inputShape";
import type { PlannedRule } from "./plannedRule";

/**
 * Groups that would hold more rules than AWS lets them: 60 for each direction unless the account's quota is another.
 * AWS counts IPv4 and IPv6 apart; a rule with a security group counts for both, one with a prefix list as often as the
 * list may have entries.
 */
export function quotaFaults(rules: readonly PlannedRule[], ruleQuota: unknown): Fault[] {
  if (ruleQuota !== undefined && ruleQuota !== null) {
    const wrong = countFaults("ruleQuota", ruleQuota, 1);
    if (wrong.length > 0) return wrong;
  }
  const quota = typeof ruleQuota === "number" ? ruleQuota : LIMIT.securityGroupRules;
  const families: readonly Family[] = [4, 6];
  return grouped(rules, ({ role, direction }) => `${role} ${direction}`).flatMap((members) =>
    families.flatMap((family) => {
      const count = members.reduce((sum, rule) => sum + weight(rule, family), 0);
      if (count <= quota) return [];
      return [
        {
          path: "ruleQuota",
          problem: `${members[0].role} ${members[0].direction} needs ${count} IPv${family} rules, the quota is ${quota}`,
          remedy: "join CIDR blocks, disable rules, or have AWS raise the quota and write it here",
        },
      ];
    }),
  );
}

function weight({ peer }: PlannedRule, family: Family): number {
  if (peer.kind === "prefix") return peer.prefix.family === family ? 1 : 0;
  return peer.kind === "reference" ? peer.reference.weight : 1;
}
