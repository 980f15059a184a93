import { isIntoPods } from "../../requirements/requirement";
import { isolatesPod, labelClasses, podSelectorOf, type Labels } from "../../reachability/isolation";
import { D1, at } from "../../requirements/documents";
import { networkPolicySource } from "../../requirements/networkPolicies";
import { Direction } from "../../requirements/vocabulary";
import { holdsUnknown, readValue } from "../../resources/read";
import type { Resource } from "../../resources/resource";
import { judgeIsolated, type IsolatedNamespace } from "./isolationPolicies";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { labelText } from "../../reachability/isolation/excess";

/** A plan isolates a hosted control plane's namespace, and leaves pods of it out. */
export const isolationDefaultDeny: Rule = {
  id: "isolation-default-deny",
  title: "Hosted control plane namespace has no default-deny policy",
  level: Level.Warning,
  description:
    "NetworkPolicies in namespaces of hosted control planes: whether every pod, whatever its labels, is selected for ingress by one of them. A pod that none selects is open to everybody. HyperShift's own policies select every pod, so a namespace for which a plan has no policy at all is none of this rule's business; one with policies of its own is not to hang on what those are.",
  documents: [at(D1, "14.1.1. Control plane isolation"), networkPolicySource],
  rows: isIntoPods,
  remediation:
    'Add a policy with an empty podSelector, policyTypes ["Ingress"] and no rules; ControlPlaneIsolation makes it as isolation-deny-ingress.',
  judge: (judged) => judgeIsolated(judged, judgeNamespace),
};

function judgeNamespace({ namespace, policies, others, patches }: IsolatedNamespace): Judgement[] {
  const hidden = policies.find(isHidden);
  const classes = labelClasses(policies.filter((policy) => !isHidden(policy)).map(podSelectorOf));
  const holder = others[0]!;
  if (!classes) return [unknown({ resource: holder, path: "spec.podSelector", reason: TOO_MANY })];
  const open = classes.find((labels) => !isIsolated(policies, namespace, labels));
  if (!open || patches.length > 0) return [];
  if (hidden) return [unknown({ resource: hidden, path: "spec.podSelector" })];
  return [
    violated({
      resource: holder.origin,
      path: "spec.podSelector",
      message: `no policy of this plan isolates pods with ${labelText(open)} in ${namespace}: only HyperShift's own policies keep others from them`,
      witness: `anybody -> pod with ${labelText(open)}, every port`,
    }),
  ];
}

const TOO_MANY = "policies tell more pods apart than can be gone through";

const isIsolated = (policies: readonly Resource[], namespace: string, labels: Labels): boolean =>
  policies.some((policy) => isolatesPod(policy, Direction.Ingress, namespace, labels));

/** A policy of which it is unknown what it selects, for what, or where it is. */
const isHidden = ({ properties }: Resource): boolean =>
  ["metadata.namespace", "spec.podSelector", "spec.policyTypes"].some((path) =>
    holdsUnknown(readValue(properties, path)),
  );
