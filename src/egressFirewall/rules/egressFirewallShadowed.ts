import { fewestRules, surplusRules, type SurplusRule } from "../../reachability/egressFirewall";
import { Surplus } from "../../reachability/firstMatch";
import { D4, at } from "../../requirements/documents";
import type { JudgedCluster } from "../../gate/clusters";
import {
  egressFirewalls,
  exemptBlocks,
  wholeTopology,
  type JudgedFirewall,
} from "../../gate/egressFirewalls";
import { Level, violated, type Judgement, type Rule } from "../../gate/rule";

/** A rule of an egress firewall does nothing. */
export const egressFirewallShadowed: Rule = {
  id: "egress-firewall-shadowed",
  title: "Every rule of an egress firewall does something",
  level: Level.Warning,
  description:
    "Rules of EgressFirewall objects that nothing reaches, because rules before them or the cluster network take all that they are about, and rules without which the same passes. The first match wins: an Allow behind a Deny of more opens nothing. All rules that are named can be taken out together. What a DNS name or nodes stand for may be anything, and takes nothing from others.",
  documents: [at(D4, "15.5.1.2. Matching order for egress firewall policy rules")],
  remediation: "Put the rule before those that take its traffic, or take it out.",
  judge: (judged) => egressFirewalls(judged).flatMap(judgeFirewall),
};

function judgeFirewall({ firewall, rules, clusters, isOnManagementCluster }: JudgedFirewall): Judgement[] {
  const exempt = isOnManagementCluster ? [] : blocksOfAll(clusters);
  const surplus = surplusRules(rules, exempt);
  const fewest = surplus.length > 0 ? fewestRules(rules, exempt) : undefined;
  const size = fewest === undefined ? "" : `; ${fewest} of ${rules.views.length} rules do the same`;
  return surplus.map((one) =>
    violated({
      resource: firewall.origin,
      path: one.path,
      message: `${WORDS[one.why](one)}${size}`,
      ...(one.why === Surplus.Redundant && { fix: "take it out, or keep it for those who read the list" }),
    }),
  );
}

/** Which blocks are exempt is sure where one cluster alone may be meant. */
function blocksOfAll(clusters: readonly JudgedCluster[]) {
  const [only, ...others] = clusters;
  return only && others.length === 0 ? exemptBlocks(wholeTopology(only)) : [];
}

const WORDS: Readonly<Record<Surplus, (rule: SurplusRule) => string>> = {
  [Surplus.Shadowed]: ({ isExempt, by }) =>
    isExempt
      ? "is about the cluster network alone, which egress firewalls never match"
      : `is never reached: ${listText(by)} before it ${by.length === 1 ? "takes" : "take"} all that it is about`,
  [Surplus.Redundant]: () =>
    "changes nothing: without it the same passes by rules behind it or by the end of the list",
};

/** Not more than a reader takes in. */
const listText = (paths: readonly string[]): string =>
  paths.length > 3 ? `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more` : paths.join(", ");
