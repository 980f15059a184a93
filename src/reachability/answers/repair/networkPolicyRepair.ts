import { POD_LABEL } from "../../../requirements/networkPolicies";
import { TRANSPORT_NUMBER } from "../../packets";
import type { PodHop } from "../../../flows/model";
import type { NeededRule } from "./neededRules";
import type { PolicyRuleRepair, RepairAdvice } from "./repair";

/** A policy for the pods of a hop alone: a rule in a policy that selects more pods would open those too. */
export function networkPolicyRepair(
  hop: PodHop,
  namespace: string,
  needed: readonly NeededRule[],
): RepairAdvice {
  return {
    rules: needed.map((rule) => ({
      kind: "network-policy",
      namespace,
      podSelector: { matchLabels: { [POD_LABEL.app]: hop.app } },
      ingress: { ...portsOf(rule), ...sendersOf(hop, rule) },
    })),
  };
}

function portsOf({ protocol, ports: { from, to } }: NeededRule): Pick<PolicyRuleRepair, "ports"> {
  const name = Object.keys(TRANSPORT_NUMBER).find((one) => TRANSPORT_NUMBER[one] === protocol);
  if (name === undefined) return {};
  return { ports: [{ protocol: name, port: from, ...(to > from && { endPort: to }) }] };
}

function sendersOf({ from }: PodHop, { peers }: NeededRule): Pick<PolicyRuleRepair, "from"> {
  if (from === "addresses") {
    const isEverybody = peers.some(({ length }) => length === 0);
    return isEverybody ? {} : { from: peers.map(({ text }) => ({ ipBlock: { cidr: text } })) };
  }
  const { labels, namespaceLabels } = from;
  const hasLabels = Object.keys(labels).length > 0;
  return {
    from: [
      {
        ...((hasLabels || !namespaceLabels) && { podSelector: { matchLabels: labels } }),
        ...(namespaceLabels && { namespaceSelector: { matchLabels: namespaceLabels } }),
      },
    ],
  };
}
