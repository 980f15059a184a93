import { addressesExamples } from "./addresses";
import { clusterNetworkExamples } from "./clusterNetwork";
import { egressExamples } from "./egress";
import { isolationExamples } from "./isolation";
import { portsExamples } from "./ports";
import { proxyExamples } from "./proxy";
import type { RuleExample } from "./example";

export type { RuleExample };

/** The examples of rules, by group and id. */
export const ruleExamples: Readonly<Record<string, Readonly<Record<string, RuleExample>>>> = {
  Addresses: addressesExamples,
  Ports: portsExamples,
  Proxy: proxyExamples,
  Egress: egressExamples,
  "Cluster network": clusterNetworkExamples,
  Isolation: isolationExamples,
};

/** Rules whose violation no few lines show, and why. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {
  "egress-firewall-limit": "It takes 8,001 rules to violate it.",
};

/** The example of a rule, or why there is none. */
export function exampleOf(id: string): RuleExample | string | undefined {
  const example = Object.values(ruleExamples).find((group) => Object.hasOwn(group, id))?.[id];
  return example ?? WITHOUT_EXAMPLE[id];
}
