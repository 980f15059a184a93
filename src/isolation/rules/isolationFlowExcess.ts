import { isIntoPods } from "../../requirements/requirement";
import { excessText, ingressExcess, type PolicyExcess } from "../../reachability/isolation/excess";
import { D1, D2, at } from "../../requirements/documents";
import { networkPolicySource } from "../../requirements/networkPolicies";
import { judgeIsolated, isolationQuestion, type IsolatedNamespace } from "./isolationPolicies";
import type { JudgedResources } from "../../gate/judgedResources";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** A network policy lets into a hosted control plane what no document asks for. */
export const isolationFlowExcess: Rule = {
  id: "isolation-flow-excess",
  title: "Network policy allows undocumented traffic into a hosted control plane",
  level: Level.Warning,
  description:
    "Each rule of the NetworkPolicies in namespaces of hosted control planes: what it lets in from addresses or from pods of other namespaces, less every documented flow and less what HyperShift's own policies let in anyway. Policies add up, so what one of them opens no other closes. Policies of HyperShift, by their names, and those of ControlPlaneIsolation are known, and are not reported.",
  documents: [
    at(D1, "14.1.1. Control plane isolation"),
    at(D2, "Network Policy Considerations"),
    networkPolicySource,
  ],
  rows: isIntoPods,
  remediation: "Narrow the rule to the pods, senders and ports that need it, or take it out.",
  judge: (judged) => judgeIsolated(judged, (one) => judgeNamespace(one, judged)),
};

function judgeNamespace(isolated: IsolatedNamespace, judged: JudgedResources): Judgement[] {
  const { policies, documented } = isolationQuestion(isolated, judged);
  const [holder] = policies;
  if (!holder) return [];
  const excess = ingressExcess(policies, documented, isolated.namespace);
  if (!excess) return [unknown({ resource: holder, path: "spec.podSelector", reason: TOO_MANY })];
  return excess.map((one) => excessFinding(one, isolated.namespace));
}

const TOO_MANY = "policies tell more pods apart than can be gone through";

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
