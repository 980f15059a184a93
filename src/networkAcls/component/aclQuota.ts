import type { Fault } from "../../fault";
import { LIMIT } from "../../requirements/limits";
import { countByFlow } from "../../components/hostRules/countByFlow";
import { grouped } from "../../components/hostRules/grouped";
import { countFaults, isGiven } from "../../components/hostRules/inputShape";
import { familiesOf, type AclRule } from "./aclRule";

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
