import type { NetworkAclRuleRow } from "./hostedControlPlaneNetworkAclsArgs";
import { describePeer, describePorts } from "../../components/hostRules/plannedRule";
import { numberKey, type NumberedRule } from "./ruleNumbers";

/** A rule as tables and reports show it. */
export function aclRuleRow(rule: NumberedRule): NetworkAclRuleRow {
  const { role, direction, number, protocol, ports, tooBig, peer } = rule;
  return {
    key: numberKey(rule),
    role,
    direction,
    ruleNumber: number,
    protocol,
    ports: tooBig ? "packet too big" : describePorts(ports),
    peer: describePeer(peer),
    flows: [...rule.flows],
    requirements: [...rule.requirements],
    purpose: rule.purposes.join("; "),
    documents: [...rule.documents],
  };
}
