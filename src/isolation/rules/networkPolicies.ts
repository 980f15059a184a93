import { hyperShiftResources, isHyperShifts } from "../../reachability/path/guards";
import { onceForEach } from "../../collections";
import { holdsUnknown, isGiven, readText, readValue } from "../../resources/read";
import { type Resource, UNKNOWN, type UnknownValue } from "../../resources/resource";
import {
  isAdminNetworkPolicy,
  isAnyNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isNetworkPolicy,
  isPatch,
  OUR_COMPONENTS,
} from "../../resources/resourceTypes";
import {
  isInControlPlane,
  isNamespaceUnknown,
  objectsPerhapsIn,
  type NormalizedTopology,
  UNNAMED_CLUSTER,
} from "../../topology/normalizedTopology";
import { readings } from "../../topology/readings";
import { textOfSpec } from "../../resources/oneObject";
import { standingObjects } from "../../flows/surroundings";
import { administratorsOf } from "../../reachability/path/planGuards";
import { haveAdministrators, wholeTopology } from "../../gate/refutedFlows";
import type { JudgedResources } from "../../gate/judgedResources";
import { type Judgement, Level, type Rule, unknown, violated, violatedBy } from "../../gate/rule";
import { ingressPolicies } from "../ingress";
import { ownerOfName, policyResource } from "../networkPolicy";
import type { Isolation } from "../../reachability/answers/answerPlan";
import { isIntoPods } from "../../requirements/requirement";
import {
  at,
  OCP_NETWORKING,
  HYPERSHIFT_PORTS,
  KUBERNETES,
  NETWORK_POLICY_API,
  OVN_KUBERNETES,
} from "../../requirements/documents";
import { networkPolicySource } from "../../requirements/networkPolicies";
import { Direction } from "../../requirements/vocabulary";
import {
  excessText,
  ingressExcess,
  withLabels,
  type PolicyExcess,
  tooManyKinds,
} from "../../reachability/isolation/excess";
import {
  isolatesPod,
  labelClasses,
  type Labels,
  podSelectorOf,
} from "../../reachability/isolation/podTraffic";
import { isLate } from "../../reachability/filters/adminNetworkPolicy";
import { consequenceOf, POLICY_CODE } from "../../objects/networkPolicy/relations";
import { PATCHED } from "../../reachability/filters/policySelection";
import { judgePolicy, BASELINE_NAME, OTHER_VERSION, outOfForce } from "../../objects/networkPolicy/shapes";
import { LIMIT } from "../../requirements/limits";
import { NAME_PATH, namesOfObject, objectNameFaults } from "../../gate/clusterFaults";

/** The network policies of one hosted control plane's namespace. */
export interface IsolatedNamespace {
  /** The key of the hosted cluster. */
  cluster: string;
  topology: NormalizedTopology;
  namespace: string;
  /** All policies that the plan shows, including HyperShift's own if it shows them. */
  policies: readonly Resource[];
  /** The policies that are not HyperShift's. */
  others: readonly Resource[];
  /** Patches of policies. No plan shows the other rules of a patched policy, so what it allows is unknown. */
  patches: readonly Resource[];
  /** The administrators' policies, which are evaluated before NetworkPolicies. */
  admin: readonly Resource[];
}

/**
 * Judges the namespaces with policies that are not HyperShift's. Patches, and policies in a control plane's namespace whose name is
 * unknown, are counted as unknown.
 */
export const judgeIsolated = (
  judged: JudgedResources,
  judge: (isolated: IsolatedNamespace) => Judgement[],
): Judgement[] =>
  isolatedNamespaces(judged).flatMap((isolated) => [
    ...isolated.patches.map((patch) => unknown({ resource: patch, path: "spec", reason: PATCHED })),
    ...(isNamespaceUnknown(isolated.topology)
      ? isolated.others.map((policy) =>
          unknown({ resource: policy, path: NAMESPACE, reason: UNNAMED_CLUSTER }),
        )
      : isolated.others.length > 0
        ? judge(isolated)
        : []),
  ]);

const NAMESPACE = "metadata.namespace";

/** The namespaces of hosted control planes for which users or administrators write policies. */
export const isolatedNamespaces = onceForEach((judged: JudgedResources): IsolatedNamespace[] => {
  const { clusters } = judged;
  const all = judged.ofKind(isNetworkPolicy);
  return clusters.flatMap((cluster) => {
    const topology = wholeTopology(cluster);
    if (!topology) return [];
    const namespace = topology.controlPlaneNamespace;
    const near = objectsPerhapsIn(topology, all).filter(
      (policy) => isInControlPlane(topology, policy) !== false,
    );
    const here = standingObjects(judged.index, topology, near);
    const policies = here.filter(({ type }) => !isPatch(type));
    const others = policies.filter((policy) => !isHyperShifts(policy));
    // A patch without a spec changes nothing for packets.
    const patches = here.filter(({ type, properties }) => isPatch(type) && "spec" in properties);
    const admin = haveAdministrators(judged)
      ? administratorsOf(judged.index, topology, isAdminNetworkPolicy)
      : [];
    if (others.length + patches.length + admin.length === 0) return [];
    return [{ cluster: cluster.key, topology, namespace, policies, others, patches, admin }];
  });
});

/**
 * The policies of a control plane's namespace that neither ControlPlaneIsolation nor HyperShift created, and the policies that allow
 * what is documented or what HyperShift allows anyway, for all values of what is not known yet.
 */
export function isolationQuestion(
  { topology, namespace, others, admin }: IsolatedNamespace,
  judged: JudgedResources,
): Isolation {
  const documented = readings(topology).flatMap(({ topology: one }) => [
    ...ingressPolicies(one, {}).map((policy) => policyResource(policy, namespace)),
    ...hyperShiftResources(one),
  ]);
  return {
    policies: others.filter((policy) => !isOfComponent(policy, judged)),
    admin: isNamespaceUnknown(topology) ? [] : admin,
    documented: [...new Map(documented.map((policy) => [textOfSpec(policy), policy])).values()],
  };
}

/** Whether ControlPlaneIsolation created a policy for a documented flow. Policies that a user adds to it are judged. */
function isOfComponent({ properties, parent }: Resource, { index }: JudgedResources): boolean {
  const name = readText(properties, "metadata.name");
  const isOurs = index.at(parent)?.type === `${OUR_COMPONENTS}ControlPlaneIsolation`;
  return isOurs && typeof name === "string" && ownerOfName(name) === "this component";
}

/** Reports plans that isolate a hosted control plane's namespace but leave out some of its pods. */
export const isolationDefaultDeny: Rule = {
  id: "isolation-default-deny",
  title: "Hosted control plane namespace has no default-deny policy",
  level: Level.Warning,
  description:
    "Reports namespaces of hosted control planes in which the NetworkPolicies of the plan do not select every pod for ingress, whatever its labels. A pod that no policy selects is open to everybody. HyperShift's own policies select every pod, so a namespace without policies in the plan is not judged; one that has its own should not depend on those of HyperShift.",
  documents: [at(OCP_NETWORKING, "14.1.1. Control plane isolation"), networkPolicySource],
  rows: isIntoPods,
  remediation:
    'Add a policy with an empty podSelector, policyTypes ["Ingress"] and no rules; ControlPlaneIsolation creates it as isolation-deny-ingress.',
  judge: (judged) => judgeIsolated(judged, deniedIn),
};

function deniedIn({ namespace, policies, others, patches }: IsolatedNamespace): Judgement[] {
  const hidden = policies.flatMap((policy) => doubtAbout(policy) ?? [])[0];
  const classes = labelClasses(
    policies.filter((policy) => hiddenPath(policy) === undefined).map(podSelectorOf),
  );
  const holder = others[0]!;
  if (!classes) return [unknown(tooManyKinds(others))];
  const open = classes.find((labels) => !isIsolated(policies, namespace, labels));
  if (!open || patches.length > 0) return [];
  if (hidden) return [unknown(hidden)];
  return [
    violated({
      resource: holder.origin,
      path: "spec.podSelector",
      message: `no policy of this plan isolates pods ${withLabels(open)} in ${namespace}: only HyperShift's own policies isolate them`,
      witness: `anybody -> pod ${withLabels(open)}, every port`,
    }),
  ];
}

export const isIsolated = (policies: readonly Resource[], namespace: string, labels: Labels): boolean =>
  policies.some((policy) => isolatesPod(policy, Direction.Ingress, namespace, labels));

/** The property of a policy because of which it is unknown in which namespace it is, what it selects, or for which direction. */
const hiddenPath = ({ properties }: Resource): string | undefined =>
  ["metadata.namespace", "spec.podSelector", "spec.policyTypes"].find((path) =>
    holdsUnknown(readValue(properties, path)),
  );

/** What decides whether a policy isolates the pods that it selects. */
function doubtAbout(policy: Resource): UnknownValue | undefined {
  const path = hiddenPath(policy);
  if (path !== undefined) return { resource: policy, path };
  const fault = outOfForce(policy);
  return fault && { resource: policy, ...fault };
}

/** Reports network policies that allow traffic into a hosted control plane that no document requires. */
export const isolationFlowExcess: Rule = {
  id: "isolation-flow-excess",
  title: "Network policy allows undocumented traffic into a hosted control plane",
  level: Level.Warning,
  description:
    "Reports rules of NetworkPolicies in namespaces of hosted control planes that allow traffic from addresses or from pods of other namespaces which neither a documented flow needs nor HyperShift's own policies allow anyway.",
  details: [
    "Policies are additive: no policy blocks what another one allows, and no NetworkPolicy blocks what an administrator's policy allows (AdminNetworkPolicy, ClusterNetworkPolicy of the tier Admin).",
    "Policies of HyperShift, recognized by their names, and those of ControlPlaneIsolation are not reported.",
  ],
  documents: [
    at(OCP_NETWORKING, "14.1.1. Control plane isolation"),
    at(HYPERSHIFT_PORTS, "Network Policy Considerations"),
    networkPolicySource,
  ],
  rows: isIntoPods,
  remediation: "Narrow the rule to the pods, senders and ports that need it, or remove it.",
  judge: (judged) => [
    ...judgeIsolated(judged, (one) => {
      const { policies, documented } = isolationQuestion(one, judged);
      return excessIn(one, policies, documented);
    }),
    ...isolatedNamespaces(judged).flatMap((one) => {
      // Avoids a needless call: each one builds the documented policies again.
      if (one.admin.length === 0) return [];
      const { admin, documented } = isolationQuestion(one, judged);
      return excessIn(one, admin, documented);
    }),
  ],
};

function excessIn(
  { namespace }: IsolatedNamespace,
  policies: readonly Resource[],
  documented: readonly Resource[],
): Judgement[] {
  if (policies.length === 0) return [];
  const excess = ingressExcess(policies, documented, namespace);
  if (!excess) return [unknown(tooManyKinds(policies))];
  return excess.map((one) => excessFinding(one, namespace));
}

function excessFinding(excess: PolicyExcess, namespace: string): Judgement {
  const { clause } = excess;
  const { who, pod, services } = excessText(excess);
  return violated({
    resource: clause.resource.origin,
    path: clause.path,
    message: `lets ${who} reach pods ${pod} in ${namespace} on ${services}, which no document requires`,
    witness: `${who} -> pod ${pod}, ${services}`,
  });
}

/** Reports network policies that the API server refuses or that cannot be applied. */
export const networkPolicyInvalid: Rule = {
  id: "network-policy-invalid",
  title: "Network policy is refused by the API server",
  level: Level.Error,
  description:
    "Reports NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy objects that are not valid. The rule checks names, labels and annotations, the existence and types of properties, label selectors, the order of port ranges, peers (pods or addresses), actions, priorities, and the number of each.",
  details: [
    "One fault makes the API server refuse the whole policy: traffic that it should block passes.",
    "Also reports policies that the API server accepts although they cannot be applied, such as cluster-wide policies with unknown operators in selectors, or with protocols or priorities that OVN-Kubernetes does not have, and policies that do more than they state, such as a NetworkPolicy with named ports, which OVN-Kubernetes does not read.",
    "CIDR blocks are judged by cidr-invalid.",
  ],
  documents: [
    at(KUBERNETES, "Network Policies"),
    at(NETWORK_POLICY_API, "AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy CRDs"),
    at(OVN_KUBERNETES, "go-controller/pkg/ovn/controller/admin_network_policy/types.go"),
    at(OVN_KUBERNETES, "go-controller/pkg/ovn/gress_policy.go"),
  ],
  remediation: "Correct the policy: the API server does not store a policy that it refuses.",
  single: isAnyNetworkPolicy,
  judge: (judged) =>
    judged
      .ofKind(isAnyNetworkPolicy)
      .flatMap((policy) => [...nameFaults(policy), ...judgeSpec(policy), ...latePriority(policy)]),
};

function judgeSpec(policy: Resource): Judgement[] {
  const judgement = judgePolicy(policy);
  if (!judgement) return [unknown({ resource: policy, ...OTHER_VERSION })];
  return [
    ...judgement.faults
      .filter(({ code }) => code !== POLICY_CODE.elsewhere)
      .map((fault) =>
        fault.code === POLICY_CODE.unread
          ? violatedBy(policy, fault, { level: Level.Warning })
          : violatedBy(policy, fault, { message: `${fault.problem}: ${consequenceOf(fault.code)}` }),
      ),
    ...judgement.unknown.map((path) => unknown({ resource: policy, path })),
  ];
}

function nameFaults(policy: Resource): Judgement[] {
  const wrong = objectNameFaults(policy, "policy");
  return wrong.length > 0 || !isBaselineAdminNetworkPolicy(policy.type) ? wrong : baselineName(policy);
}

/** The fault of a baseline not named `default`, the only name that a cluster allows. Generated names are not `default` either. */
function baselineName(policy: Resource): Judgement[] {
  const { name } = namesOfObject(policy);
  const path = NAME_PATH.name;
  if (name === UNKNOWN) return [unknown({ resource: policy, path })];
  if (name === BASELINE_NAME) return [];
  const message = `${isGiven(name) ? `${JSON.stringify(name)} is not ${BASELINE_NAME}` : "missing"}: ${consequenceOf()}`;
  const fix = `write ${BASELINE_NAME}: a cluster has one baseline, and this is its name`;
  return [violated({ resource: policy.origin, path, message, fix })];
}

function latePriority(policy: Resource): Judgement[] {
  const { origin, properties } = policy;
  const path = "spec.priority";
  const priority = judgePolicy(policy) && readValue(properties, path);
  const { max, maxOfOvn } = LIMIT.adminPolicyPriority;
  if (typeof priority !== "number" || !isLate(policy, priority) || priority > max) return [];
  const message = `${priority} is after ${maxOfOvn}, the last priority that OVN-Kubernetes has: it does not apply the policy`;
  const fix = `write a whole number from 0 to ${maxOfOvn}`;
  return [violated({ resource: origin, path, message, fix, level: Level.Warning })];
}
