import type { SecurityGroupRuleRow } from "./hostedControlPlaneSecurityGroupsArgs";
import {
  describePeer,
  describePorts,
  ruleKey,
  type PlannedRule,
} from "../../components/hostRules/plannedRule";

/** A rule as tables and reports show it. */
export function ruleRow(rule: PlannedRule): SecurityGroupRuleRow {
  const { role, direction, protocol, ports, peer, flows, requirements, purposes, documents, notes } = rule;
  const { mergedFrom } = rule;
  return {
    key: ruleKey(rule),
    role,
    direction,
    protocol,
    ports: describePorts(ports),
    peer: describePeer(peer),
    flows: [...flows],
    requirements: [...requirements],
    purpose: purposes.join("; "),
    documents: [...documents],
    notes: [...notes, ...(mergedFrom ? [`Merged from ${mergedFrom.map(describePeer).join(", ")}`] : [])],
  };
}
