import { NETWORK_POLICY_API_VERSION, NETWORK_POLICY_KIND } from "../../isolation/networkPolicy";
import { OCP_NETWORKING, KUBERNETES, at, describeReference } from "../../requirements/documents";
import { readText, readValue, unknownPlaces } from "../../resources/read";
import { textOfSpec } from "../../resources/oneObject";
import { UNKNOWN, type PropertyValue, type Resource } from "../../resources/resource";
import { isNetworkPolicy, isPatch } from "../../resources/resourceTypes";
import { isolationFlowBlocked } from "../../isolation/rules/isolationFlowBlocked";
import { Status, type Judgement } from "../../gate/rule";
import { visibleJson } from "../../text";
import { Disruption, StepTarget, type Check, type Patch } from "../runBook";
import { type Draft, shell, type Transition, draftOf } from "../drafts";

/** Allows everything while the other policies are applied one by one. */
export const OPENING_POLICY = "hypershift-network-opening";

const documents = [
  describeReference(at(OCP_NETWORKING, "14.1.1. Control plane isolation")),
  describeReference(at(KUBERNETES, "Network Policies")),
];

/**
 * Applies new and changed policies. A policy that allows one flow denies its pods all others until the policies for those exist; while a
 * policy allows everything, applying them in any order cuts nothing.
 */
export function openPolicies(transition: Transition): Draft[] {
  const policies = newPolicies(transition);
  if (policies.length === 0 || unknownInPolicies(transition).length > 0) return [];
  const namespace = transition.reachable.controlPlaneNamespace;
  const opening = openingPolicy(namespace);
  return [
    draftOf({
      id: "isolation-opening",
      title: "Allow everything while the policies are applied",
      place: StepTarget.Management,
      disruption: Disruption.None,
      effect: "policies add up, so no other policy drops anything while this one exists",
      patches: [applied(opening)],
      verification: [
        { what: "it exists", command: shell`oc get networkpolicy ${OPENING_POLICY} -n ${namespace}` },
      ],
      wayBack: { text: "delete it again", patches: [removed(namespace)] },
      documents,
    }),
    draftOf({
      id: "isolation-policies",
      title: "Apply the policies",
      place: StepTarget.Management,
      disruption: Disruption.None,
      effect: "nothing is denied yet",
      patches: policies.map(applied),
      verification: [
        { what: `all ${policies.length} exist`, command: shell`oc get networkpolicies -n ${namespace}` },
      ],
      wayBack: {
        text: "apply the old policies and delete the new ones while the opening policy exists",
        patches: policies.map((policy) => {
          const former = hereIn(transition, "current").find((one) => nameOf(one) === nameOf(policy));
          return former ? applied(former) : removed(namespace, nameOf(policy));
        }),
      },
      documents,
    }),
  ];
}

/** Deletes the opening policy. Only this closes anything, and its rollback is a single policy. */
export function closePolicies(transition: Transition): Draft[] {
  if (!changesPolicies(transition) || unknownInPolicies(transition).length > 0) return [];
  const namespace = transition.reachable.controlPlaneNamespace;
  return [
    draftOf({
      id: "isolation-closing",
      title: "Delete the opening policy: the isolation takes effect",
      place: StepTarget.Management,
      disruption: Disruption.Closes,
      effect: "from now on, packets that no policy allows are dropped",
      preChecks: [
        {
          what: "the policies allow every documented flow that can be checked against them: this run book is made from that proof",
          result: policyJudgements(transition, Status.Violated).length === 0 ? "met" : "unmet",
        },
        ...openQuestions(transition),
        {
          what: "HyperShift's own policies exist",
          command: shell`oc get networkpolicies -n ${namespace}`,
        },
      ],
      patches: [removed(namespace)],
      verification: [
        {
          what: "every pod of the control plane is Ready, and every node",
          command: shell`oc get pods -n ${namespace}`,
        },
        {
          what: "workers reach the control plane through the tunnel",
          command: "oc --kubeconfig HOSTED logs -n openshift-ovn-kubernetes daemonset/ovnkube-node --tail=1",
        },
      ],
      wayBack: {
        text: "apply the opening policy again: everything is allowed at once",
        patches: [applied(openingPolicy(namespace))],
      },
      documents,
    }),
  ];
}

/** The verdicts on the wanted policies of the control plane's namespace. */
export function policyJudgements({ change: { wanted } }: Transition, status: Status): Judgement[] {
  return isolationFlowBlocked.judge(wanted.judged).filter((judgement) => judgement.status === status);
}

/** Flows for which the policies alone do not show whether they are allowed. */
const openQuestions = (transition: Transition): Check[] =>
  [...new Set(policyJudgements(transition, Status.Unknown).map(({ message }) => message))].map((what) => ({
    what,
    result: "unknown",
  }));

type Sides = Pick<Transition, "change" | "reachable">;

/** The policies of the control plane's namespace in one state. */
const hereIn = ({ change, reachable }: Sides, side: "current" | "wanted"): Resource[] =>
  change[side].judged.resources.filter(
    (policy) => isPolicy(policy) && namespaceOf(policy) === reachable.controlPlaneNamespace,
  );

/** The policies of the control plane's namespace that the current state lacks or has with another spec. */
function newPolicies(transition: Sides): Resource[] {
  const known = new Map(hereIn(transition, "current").map((policy) => [nameOf(policy), textOfSpec(policy)]));
  return hereIn(transition, "wanted").filter((policy) => known.get(nameOf(policy)) !== textOfSpec(policy));
}

/** Whether something will be closed: policies are added, or an interrupted run left the opening policy. */
export function changesPolicies(transition: Sides): boolean {
  const isOpening = (policy: Resource) => nameOf(policy) === OPENING_POLICY;
  const isLeftOpen =
    hereIn(transition, "current").some(isOpening) && !hereIn(transition, "wanted").some(isOpening);
  return isLeftOpen || newPolicies(transition).length > 0;
}

/** Unknown values of the wanted policies that may apply to the namespace: `NetworkPolicy deny: spec.ingress[0].from`. */
export const unknownInPolicies = ({
  change,
  reachable,
}: Pick<Transition, "change" | "reachable">): string[] =>
  change.wanted.judged.resources
    .filter(isPolicy)
    .filter((policy) => [UNKNOWN, reachable.controlPlaneNamespace].includes(namespaceOf(policy) ?? ""))
    .flatMap((policy) =>
      [...unknownPlaces(writtenOf(policy))].map((path) => `NetworkPolicy ${nameOf(policy)}: ${path}`),
    );

const isPolicy = ({ type }: Resource): boolean => isNetworkPolicy(type) && !isPatch(type);

const namespaceOf = ({ properties }: Resource) => readText(properties, "metadata.namespace");

/** The parts of a policy that a patch writes. */
const writtenOf = ({ properties }: Resource): PropertyValue => {
  const metadata: Record<string, PropertyValue> = {};
  for (const key of ["name", "namespace", "labels"])
    metadata[key] = readValue(properties, `metadata.${key}`) ?? null;
  return { metadata, spec: properties.spec ?? null };
};

const nameOf = ({ properties, name }: Resource): string => {
  const stated = readText(properties, "metadata.name");
  return typeof stated === "string" ? stated : name;
};

export const openingPolicy = (namespace: string): Resource => ({
  origin: {},
  type: `kubernetes:${NETWORK_POLICY_API_VERSION}:${NETWORK_POLICY_KIND}`,
  name: OPENING_POLICY,
  properties: {
    metadata: { name: OPENING_POLICY, namespace },
    spec: { podSelector: {}, ingress: [{}], egress: [{}], policyTypes: ["Ingress", "Egress"] },
  },
});

function applied(policy: Resource): Patch {
  const { metadata, spec } = policy.properties;
  const name = nameOf(policy);
  const namespace = readText(metadata, "namespace");
  const labels = (metadata as { labels?: PropertyValue }).labels;
  const body = {
    apiVersion: NETWORK_POLICY_API_VERSION,
    kind: NETWORK_POLICY_KIND,
    metadata: { name, namespace, ...(labels !== undefined && { labels }) },
    spec,
  };
  return {
    type: "apply",
    apiVersion: NETWORK_POLICY_API_VERSION,
    kind: NETWORK_POLICY_KIND,
    name,
    namespace: String(namespace),
    body,
    command: shell`echo ${visibleJson(body)} | oc apply -f -`,
  };
}

const removed = (namespace: string, name = OPENING_POLICY): Patch => ({
  type: "delete",
  apiVersion: NETWORK_POLICY_API_VERSION,
  kind: NETWORK_POLICY_KIND,
  name,
  namespace,
  command: shell`oc delete networkpolicy ${name} -n ${namespace}`,
});
