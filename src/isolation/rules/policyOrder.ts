import { onceIn } from "../../collections";
import type { JudgedResources } from "../../gate/judgedResources";
import { flowsOfPlan, haveAdministrators, wholeTopology } from "../../gate/refutedFlows";
import { describeResource, type Judgement, Level, type Rule, violated } from "../../gate/rule";
import { isUnordered } from "../../reachability/filters/adminNetworkPolicy";
import { Proof } from "../../reachability/proof/prove";
import { at, NETWORK_POLICY_API } from "../../requirements/documents";
import { readNumber } from "../../resources/read";
import type { Resource } from "../../resources/resource";
import { firstOf } from "../../text";

/** Reports administrators' policies that decide differently although their order is not defined. */
export const policyOrder: Rule = {
  id: "policy-order-undefined",
  title: "Order of administrators' policies is not defined",
  level: Level.Warning,
  description:
    "Reports AdminNetworkPolicies, and ClusterNetworkPolicies of one tier, that have the same priority and different actions for the same packets of a documented flow, at pods of a hosted control plane that both select. Which of them decides is not defined. Policies of the two kinds have no defined order, whatever their priorities. Other rules count the flows as unknown. Policies of one priority for different packets, or with the same action, need no order.",
  documents: [
    at(NETWORK_POLICY_API, "AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy CRDs"),
  ],
  remediation: "Give each policy a unique priority, and write all of them as one kind.",
  judge: (judged) => {
    const found = new Map<Resource, Meeting>();
    const clusters = haveAdministrators(judged) ? judged.clusters : [];
    for (const cluster of clusters) meetingsIn(judged, cluster, found);
    return [...found].map(([policy, { others, flows }]) => meetingFinding(policy, others, flows));
  },
};

/** The other policies whose order relative to a policy is not defined, and the flows concerned. */
interface Meeting {
  others: Set<Resource>;
  flows: Set<string>;
}

function meetingsIn(
  judged: JudgedResources,
  cluster: JudgedResources["clusters"][number],
  found: Map<Resource, Meeting>,
): void {
  const topology = wholeTopology(cluster);
  for (const { journey, guards } of topology ? flowsOfPlan(judged, topology) : []) {
    for (const { verdict, guard } of guards) {
      if (guard.standing?.kind !== "networkPolicies" || verdict.proof !== Proof.Unknown) continue;
      const policies = new Set(verdict.values.filter(isUnordered).map(({ resource }) => resource));
      for (const policy of policies) {
        const meeting = onceIn(found, policy, () => ({ others: new Set(), flows: new Set() }));
        meeting.flows.add(journey.key);
        for (const other of policies) if (other !== policy) meeting.others.add(other);
      }
    }
  }
}

function meetingFinding(
  policy: Resource,
  others: ReadonlySet<Resource>,
  flows: ReadonlySet<string>,
): Judgement {
  const names = [...others].map(withPriority).sort();
  const rivals = names.length > 0 ? firstOf(names) : "a policy of unknown priority";
  return violated({
    resource: policy.origin,
    path: "spec.priority",
    message: `decides on packets of documented flows differently from ${rivals}, and their order is not defined`,
    witness: firstOf([...flows].sort(), 3),
    flow: [...flows],
  });
}

const withPriority = (policy: Resource): string =>
  `${describeResource(policy)} of priority ${String(readNumber(policy.properties, "spec.priority"))}`;
