import { judgePolicy } from "../networkPolicyObject/judge";
import { KUBERNETES, NETWORK_POLICY_API, OVN_KUBERNETES, at } from "../../requirements/documents";
import { LIMIT } from "../../requirements/limits";
import { BASELINE_NAME } from "../../requirements/networkPolicyShapes";
import { isGiven, readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import {
  isAdminNetworkPolicy,
  isAnyNetworkPolicy,
  isBaselineAdminNetworkPolicy,
} from "../../resources/resourceTypes";
import { NAME_PATH, namesOfObject, objectNameFaults } from "../../gate/clusterFaults";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** A network policy is refused, or cannot be applied. */
export const networkPolicyInvalid: Rule = {
  id: "network-policy-invalid",
  title: "Network policy is refused by the API server",
  level: Level.Error,
  description:
    "NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy objects: names, properties that exist, of the right types, label selectors, ports from first to last, peers that are pods or addresses, actions, priorities, and how many of each. One fault, and the whole policy is refused: what it should have stopped passes. Some the API server takes although they cannot be applied: selectors of the cluster's policies with operators that do not exist, priorities that OVN-Kubernetes does not have. Blocks of addresses are judged by cidr-invalid. What a ClusterNetworkPolicy lets pass or stops is not judged.",
  documents: [
    at(KUBERNETES, "Network Policies"),
    at(NETWORK_POLICY_API, "AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy CRDs"),
    at(OVN_KUBERNETES, "go-controller/pkg/ovn/controller/admin_network_policy/types.go"),
  ],
  remediation: "Correct the policy: until then it is not there.",
  single: isAnyNetworkPolicy,
  judge: (judged) =>
    judged
      .ofKind(isAnyNetworkPolicy)
      .flatMap((policy) => [
        ...nameFaults(policy),
        ...judgeSpec(policy),
        ...(isAdminNetworkPolicy(policy.type) ? latePriority(policy) : []),
      ]),
};

const REFUSED = "the API server refuses the policy";

function judgeSpec(policy: Resource): Judgement[] {
  const judgement = judgePolicy(policy);
  if (!judgement) return [unknown({ resource: policy, path: "apiVersion", reason: OTHER_VERSION })];
  return [
    ...judgement.faults.map(({ path, problem, remedy, consequence = REFUSED }) =>
      violated({ resource: policy.origin, path, message: `${problem}: ${consequence}`, fix: remedy }),
    ),
    ...judgement.unknown.map((path) => unknown({ resource: policy, path })),
  ];
}

function nameFaults(policy: Resource): Judgement[] {
  const wrong = objectNameFaults(policy, "policy");
  return wrong.length > 0 || !isBaselineAdminNetworkPolicy(policy.type) ? wrong : baselineName(policy);
}

const OTHER_VERSION = "the fields of this version are not known here";

/** A cluster has one baseline, by its name; what Pulumi or the API server makes up is another. */
function baselineName(policy: Resource): Judgement[] {
  const { name } = namesOfObject(policy);
  const path = NAME_PATH.name;
  if (name === UNKNOWN) return [unknown({ resource: policy, path })];
  if (name === BASELINE_NAME) return [];
  const message = `${isGiven(name) ? JSON.stringify(name) : "missing, which"} is not ${BASELINE_NAME}: ${REFUSED}`;
  const fix = `write ${BASELINE_NAME}: a cluster has one baseline, and this is its name`;
  return [violated({ resource: policy.origin, path, message, fix })];
}

/** The API has more priorities than OVN-Kubernetes, whose clusters are not the only ones. */
function latePriority({ origin, properties }: Resource): Judgement[] {
  const path = "spec.priority";
  const priority = readValue(properties, path);
  const { max, maxOfOvn } = LIMIT.adminPolicyPriority;
  if (typeof priority !== "number" || priority <= maxOfOvn || priority > max) return [];
  const message = `${priority} is after ${maxOfOvn}, the last priority that OVN-Kubernetes has: it leaves the policy unapplied`;
  const fix = `write a whole number from 0 to ${maxOfOvn}`;
  return [violated({ resource: origin, path, message, fix, level: Level.Warning })];
}
