import { countFaults } from "../faults";
import { fewestRules } from "../../reachability/egressFirewall";
import { rulesOfFirewall } from "../../reachability/filters";
import { LIMIT, limitSources } from "../../requirements/limits";
import type { Resource } from "../../resources/resource";
import { isEgressFirewall } from "../../resources/resourceTypes";
import { Level, violated, type Judgement, type Rule } from "../../gate/rule";

/** An EgressFirewall has more rules than OVN-Kubernetes takes. */
export const egressFirewallLimit: Rule = {
  id: "egress-firewall-limit",
  title: "No egress firewall has more rules than OVN-Kubernetes takes",
  level: Level.Error,
  description: `The number of rules of EgressFirewall objects, of which OVN-Kubernetes takes ${LIMIT.egressFirewallRules}. A finding says how few rules let exactly the same pass. A list that is not known is counted by egress-firewall-rule-invalid.`,
  documents: [limitSources.egressFirewallRules],
  remediation: "Join neighbouring CIDR blocks, and take rules out that nothing reaches.",
  single: isEgressFirewall,
  judge: (judged) => judged.ofKind(isEgressFirewall).flatMap(judgeFirewall),
};

function judgeFirewall(firewall: Resource): Judgement[] {
  const rules = rulesOfFirewall(firewall);
  return countFaults("spec.egress", rules.views.length).map(({ path, problem, remedy }) => {
    const fewest = fewestRules(rules, []);
    const isEnough = fewest !== undefined && fewest <= LIMIT.egressFirewallRules;
    const fix =
      fewest === undefined
        ? remedy
        : `${remedy}: ${fewest} rules let exactly the same pass${isEnough ? "" : ", which are too many still: deny or allow by wider blocks"}`;
    return violated({ resource: firewall.origin, path, message: problem, fix });
  });
}
