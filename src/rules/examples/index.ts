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
