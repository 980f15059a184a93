import { hyperShiftResources, ingressPolicies, ownerOfName, policyResource } from "../manifests/isolation";
import { excessText, ingressExcess, type PolicyExcess } from "../reachability/isolation";
import { D1, D2, at } from "../requirements/documents";
import { networkPolicySource } from "../requirements/networkPolicies";
import { readText } from "../resources/read";
import type { Resource } from "../resources/resource";
import { OUR_COMPONENTS } from "../resources/resourceTypes";
import { judgeIsolated, type IsolatedNamespace } from "./isolationPolicies";
import type { JudgedResources } from "./judgedResources";
import { Level, unknown, violated, type Judgement, type Rule } from "./rule";

/** A network policy lets into a hosted control plane what no document asks for. */
export const isolationFlowExcess: Rule = {
  id: "isolation-flow-excess",
  title: "Network policies let into a hosted control plane what is documented, and no more",
  level: Level.Warning,
  description:
    "Each rule of the NetworkPolicies in namespaces of hosted control planes: what it lets in from addresses or from pods of other namespaces, less every documented flow and less what HyperShift's own policies let in anyway. Policies add up, so what one of them opens no other closes. Policies of HyperShift, by their names, and those of ControlPlaneIsolation are known, and are not reported.",
  documents: [
    at(D1, "14.1.1. Control plane isolation"),
    at(D2, "Network Policy Considerations"),
    networkPolicySource,
  ],
  remediation: "Narrow the rule to the pods, senders and ports that need it, or take it out.",
  judge: (judged) => judgeIsolated(judged, (one) => judgeNamespace(one, judged)),
};

function judgeNamespace(
  { topology, namespace, others }: IsolatedNamespace,
  judged: JudgedResources,
): Judgement[] {
  const policies = others.filter((policy) => !isOfComponent(policy, judged));
  const [holder] = policies;
  if (!holder) return [];
  const documented = ingressPolicies(topology, {}).map((policy) => policyResource(policy, namespace));
  const excess = ingressExcess(policies, [...documented, ...hyperShiftResources(topology)], namespace);
  if (!excess) return [unknown({ resource: holder, path: "spec.podSelector", reason: TOO_MANY })];
  return excess.map((one) => excessFinding(one, namespace));
}

const TOO_MANY = "policies tell more pods apart than can be gone through";

/** Whether ControlPlaneIsolation made a policy for a documented flow; those that a user adds to it are judged. */
function isOfComponent({ properties, parent }: Resource, { index }: JudgedResources): boolean {
  const name = readText(properties, "metadata.name");
  const isOurs = index.at(parent)?.type === `${OUR_COMPONENTS}ControlPlaneIsolation`;
  return isOurs && typeof name === "string" && ownerOfName(name) === "this component";
}

function excessFinding(excess: PolicyExcess, namespace: string): Judgement {
  const { clause } = excess;
  const { who, pod, services } = excessText(excess);
  return violated({
    resource: clause.resource.origin,
    path: clause.path,
    message: `lets ${who} reach pods with ${pod} in ${namespace} at ${services}, which no document asks for`,
    witness: `${who} -> pod with ${pod}, ${services}`,
  });
}
