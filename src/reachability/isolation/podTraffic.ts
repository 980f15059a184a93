import type { Prefix } from "../../address";
import { NAMESPACE_LABEL } from "../../requirements/networkPolicies";
import type { PortRange } from "../../requirements/requirement";
import { Direction, type Protocol } from "../../requirements/vocabulary";
import { readValue } from "../../resources/read";
import type { PropertyValue, Resource } from "../../resources/resource";
import { Action, type Filter } from "../filters/filter";
import { networkPolicyFilter, type PodEnd, type PolicyEnd } from "../filters";
import { FAMILIES, difference, isEmpty, packets, servicesOf, type PacketSet } from "../packets";
import { Proof, prove, type Verdict } from "../proof/prove";
import { labelClasses, selectsLabels, type Labels } from "./labelClasses";

/** Protocols with ports; without ports every one. */
export interface TrafficService {
  protocol: Protocol;
  ports?: PortRange;
}

/** Packets between pods of one namespace and another end. */
export interface PodTraffic {
  direction: Direction;
  /** Label selector of the pods in the namespace. */
  pods: PropertyValue;
  end: PolicyEnd;
  /** Addresses of the other end. Absent: any. */
  prefixes?: readonly Prefix[];
  services: readonly TrafficService[];
}

/** What the policies of a namespace make of traffic, for the pods of which that is worst. */
export interface TrafficVerdict {
  /** Labels of such a pod. */
  pod: Labels;
  verdict: Verdict;
  /** True where all of it is dropped. */
  isCutOff: boolean;
}

/**
 * Whether policies let traffic pass for whatever pod of the namespace its selector selects: refuted where one pod is cut off,
 * unknown where unknown values decide for one. `undefined` where the policies tell more pods apart than can be gone through.
 */
export function judgeTraffic(
  policies: readonly Resource[],
  namespace: string,
  traffic: PodTraffic,
): TrafficVerdict | undefined {
  const pods = labelClasses([traffic.pods, ...policies.map(podSelectorOf)])?.filter((labels) =>
    selectsLabels(traffic.pods, labels),
  );
  const required = packetsOfTraffic(traffic);
  const verdicts = pods?.map((pod): TrafficVerdict => {
    const filters = policyFilters(policies, traffic.direction, podEnd(namespace, pod), traffic.end);
    const verdict = prove(required, filters);
    const isRefuted = verdict.proof === Proof.Refuted;
    return { pod, verdict, isCutOff: isRefuted && isEmpty(difference(required, verdict.dropped)) };
  });
  const [first] = verdicts ?? [];
  const worst = (proof: Proof) => verdicts?.find(({ verdict }) => verdict.proof === proof);
  return worst(Proof.Refuted) ?? worst(Proof.Unknown) ?? first;
}

export const podSelectorOf = ({ properties }: Resource): PropertyValue =>
  readValue(properties, "spec.podSelector") ?? {};

const OPEN: Filter = { clauses: [], otherwise: Action.Allow };

/** What stands before or behind a pod: policies, and nothing where none selects it. */
export const policyFilters = (
  policies: readonly Resource[],
  direction: Direction,
  pod: PodEnd,
  other: PolicyEnd,
): Filter[] => [networkPolicyFilter(policies, { direction, pod, other }), OPEN];

/** Whether a policy surely isolates a pod of a namespace with these labels. */
export const isolatesPod = (
  policy: Resource,
  direction: Direction,
  namespace: string,
  labels: Labels,
): boolean => {
  const view = { direction, pod: podEnd(namespace, labels), other: { kind: "addresses" } as const };
  return networkPolicyFilter([policy], view).otherwise === Action.Deny;
};

/** A pod of a namespace, all of whose labels are known. */
export const podEnd = (namespace: string, labels: Labels): PodEnd => ({
  kind: "pod",
  namespace,
  namespaceLabels: { labels: { [NAMESPACE_LABEL.name]: namespace }, complete: false },
  labels: { labels, complete: true },
});

/**
 * Pods of namespaces with these labels; what other labels they and those have is not stated. A namespace that is meant by its
 * name belongs to no policy group.
 */
export const podsIn = (namespaceLabels: Labels): PodEnd => ({
  kind: "pod",
  namespace: namespaceLabels[NAMESPACE_LABEL.name] ?? "",
  namespaceLabels: {
    labels: namespaceLabels,
    complete: false,
    ...(NAMESPACE_LABEL.name in namespaceLabels && { absent: [NAMESPACE_LABEL.policyGroup] }),
  },
  labels: { labels: {}, complete: false },
});

/** All packets of some traffic. The pods' own addresses are any. */
function packetsOfTraffic({ direction, prefixes, services }: PodTraffic): PacketSet {
  const side = direction === Direction.Ingress ? "sources" : "destinations";
  const [four, six] = FAMILIES.map((family) =>
    packets({
      services: services.map(({ protocol, ports }) => servicesOf(protocol, ports, family)),
      ...(prefixes && { [side]: prefixes }),
    }),
  );
  return { 4: four![4], 6: six![6] };
}
