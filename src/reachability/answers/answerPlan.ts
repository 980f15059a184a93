import { grouped } from "../../collections";
import { outsideModel } from "../../requirements/outsideModel";
import { Direction, type Role } from "../../requirements/vocabulary";
import type { ConfiguredGroups } from "../../resources/groupRoles";
import type { ResourceIndex } from "../../resources/resourceIndex";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { PacketSet } from "../packets/packetSet";
import { type Fleet, hostExcess, type HostExcess } from "../path/excess";
import { judgedJourneys, type JudgedJourney } from "../path/judge";
import { planGuards } from "../path/planGuards";
import type { Clause } from "../filters/filter";
import type { ExcessAnswer, ExcessPlace, FlowAnswer, OutsideAnswer, PlanAnswer, Acceptance } from "./answer";
import { flowAnswer, unknownAnswers } from "./flowAnswer";
import { hostPlace, identityOf, packetLines, ruleOf } from "./places";
import { countFlows } from "./describeAnswer";
import type { Resource } from "../../resources/resource";
import { excessText, ingressExcess, rulesInDoubt, tooManyKinds } from "../isolation/excess";
import { PlannedRepairs } from "./repair/repair";

/** A plan, a hosted cluster, and what the user states about them. */
export interface PlanQuestion {
  /** All resources of the plan. */
  index: ResourceIndex;
  topology: NormalizedTopology;
  /** Groups whose roles the configuration states. */
  configured?: readonly ConfiguredGroups[];
  /** The flows, if they were judged already. Default: `answerPlan` judges them. */
  judged?: readonly JudgedJourney[];
  /** What the user wants open at hosts in addition to what is documented. Default: nothing. */
  declared?: (role: Role, direction: Direction) => PacketSet | undefined;
  /** All hosted clusters of the plan, which may share hosts. Absent: only this one is known. */
  fleet?: Fleet;
  /** Whether a rule is intended although no document requires it: what it opens is no excess. Default: no rule is. */
  isMeant?: (clause: Clause) => boolean;
  /** Flows whose drops a configuration accepts, by their keys. Default: none. */
  accepted?: ReadonlyMap<string, Acceptance>;
  /** Network policies of the control plane's namespace. Absent: their excess is not determined. */
  isolation?: Isolation;
}

/**
 * Determines whether a plan allows every documented flow of a hosted cluster, what it opens beyond them, and what stays unknown.
 * The repairs of all refuted flows can be applied together.
 */
export function answerPlan(question: PlanQuestion): PlanAnswer {
  const { index, topology, configured, declared, fleet, isMeant, isolation } = question;
  const guards = planGuards(index, topology, configured);
  const judged = question.judged ?? judgedJourneys(index, topology, guards, configured);
  const flows = flowAnswers(judged, question);
  const hosts = hostExcess(topology, guards, declared, fleet).filter(
    ({ clause }) => !(clause && isMeant?.(clause)),
  );
  const pods = isolation ? podExcess(isolation, topology.controlPlaneNamespace) : [];
  const excess = excessAnswers([...hosts.map(atHosts), ...pods.flatMap(({ found }) => found)]);
  const undecided = unknownAnswers([
    ...pods.flatMap(({ policies, isTooMany }) => (isTooMany ? [tooManyKinds(policies)] : [])),
    ...pods
      .flatMap(({ policies }) => policies.flatMap((policy) => rulesInDoubt(policy, topology)))
      .flatMap(({ unknown }) => unknown),
  ]);
  return {
    version: 1,
    cluster: `${topology.namespace}/${topology.name}`,
    flows,
    excess,
    ...(undecided.length > 0 && { undecided }),
    outside: outsideAnswers(judged),
    summary: { ...countFlows(flows), excess: excess.length },
  };
}

function flowAnswers(
  judged: readonly JudgedJourney[],
  { topology, index, accepted }: PlanQuestion,
): FlowAnswer[] {
  const planned = new PlannedRepairs();
  return judged.map((one) => {
    const why = accepted?.get(one.journey.key);
    return { ...flowAnswer(one, topology, planned, index), ...(why && { accepted: why }) };
  });
}

function atHosts({ clause, role, direction, guard, packets, peers }: HostExcess): OpenedPlace {
  const place = hostPlace({ direction, role });
  return {
    clause,
    place: { place, direction, role, guard, packets: packetLines(packets, direction, peers) },
  };
}

function excessAnswers(found: readonly OpenedPlace[]): ExcessAnswer[] {
  const byRule = grouped(found, ({ clause, place }) =>
    clause ? identityOf(ruleOf(clause)) : `${place.place} ${place.guard}`,
  );
  return [...byRule.values()].map((some) => {
    const [{ clause }] = some;
    return { ...(clause && { rule: ruleOf(clause) }), places: some.map(({ place }) => place) };
  });
}

function outsideAnswers(judged: readonly JudgedJourney[]): OutsideAnswer[] {
  const all = judged.map(({ journey }) => journey);
  return outsideModel(all).map(({ id, what, why, everywhere }) => {
    const flows = everywhere ? all : all.filter(({ outside }) => outside.includes(id));
    return { id, what, why, flows: flows.map(({ key }) => key) };
  });
}

/** The network policies of a hosted control plane's namespace. */
export interface Isolation {
  /** The policies to check for excess. */
  policies: readonly Resource[];
  /** The administrators' policies, which are evaluated before `policies`. */
  admin: readonly Resource[];
  /** Policies that allow what is documented. */
  documented: readonly Resource[];
}

/** One place at which a rule opens more than necessary. */
export interface OpenedPlace {
  clause: Clause | undefined;
  place: ExcessPlace;
}

/** What policies open beyond the documents. */
export interface PodExcess {
  policies: readonly Resource[];
  found: OpenedPlace[];
  /** True if they distinguish too many pods to check each of them. */
  isTooMany: boolean;
}

/**
 * What NetworkPolicies, and administrators' policies, open into pods of a hosted control plane beyond the documents: one example of pod
 * and sender for each rule.
 */
export const podExcess = ({ policies, admin, documented }: Isolation, namespace: string): PodExcess[] =>
  [policies, admin].map((some) => {
    const excess = ingressExcess(some, documented, namespace);
    const guard = `network policies of ${namespace}`;
    const found = excess?.map((one) => {
      const { who, pod, services } = excessText(one);
      const packets = [`${services} from ${who}`];
      const place = { place: `pods ${pod}`, direction: Direction.Ingress, guard, packets };
      return { clause: one.clause, place };
    });
    return { policies: some, found: found ?? [], isTooMany: !found };
  });
