import { isIntoPods } from "../../requirements/requirement";
import { documentedFlows, type DocumentedFlow, packetText } from "../documentedFlows";
import { DNS, egressFlows, ManagementCluster } from "../egress";
import { egressTraffic } from "../warnings";
import { networkPolicySpec, selectorValue } from "../networkPolicy";
import { servicesOf } from "../../reachability/packets/service";
import { intersection, isEmpty, packets } from "../../reachability/packets/packetSet";
import type { Packet } from "../../reachability/packets/example";
import { besideStated } from "../../reachability/path/guards";
import { administratorsOf } from "../../reachability/path/planGuards";
import { Proof, type ProofResult } from "../../reachability/proof/prove";
import { OCP_NETWORKING, HYPERSHIFT_PORTS, NETWORK_POLICY_API, at } from "../../requirements/documents";
import { networkPolicySource, POD_LABEL } from "../../requirements/networkPolicies";
import { Direction, Protocol } from "../../requirements/vocabulary";
import { namespaceLabels } from "../../flows/surroundings";
import type { Resource } from "../../resources/resource";
import type { JudgedResources } from "../../gate/judgedResources";
import { flowsRefuted, flowsOfPlan, haveAdministrators, wholeTopology } from "../../gate/refutedFlows";
import { isIsolated, judgeIsolated, type IsolatedNamespace } from "./networkPolicies";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { TOO_MANY, withLabels } from "../../reachability/isolation/excess";
import {
  isolatesPod,
  judgeByAdministrators,
  judgeTraffic,
  labelClasses,
  podSelectorOf,
  type PodTraffic,
  selectsLabels,
  type TrafficVerdict,
} from "../../reachability/isolation/podTraffic";
import type { Traffic } from "../../flows/model";
import { onceIn } from "../../collections";
import { isOfBaseline } from "../../reachability/filters/adminNetworkPolicy";
import { Action, type Clause, type Filter } from "../../reachability/filters/filter";
import { identityOf, otherPodsAt, packetLines, podsText, ruleOf } from "../../reachability/answers/places";
import { isAdministratorsPolicy, isAdminNetworkPolicy, isNetworkPolicy } from "../../resources/resourceTypes";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { plural } from "../../text";
import { FAMILIES } from "../../address";

/** A rule of an administrators' policy, with the documented flows that lose packets because of it. */
interface Denial {
  clause: Clause;
  /** Titles of the flows, by flow key. */
  flows: Map<string, string>;
  /** The packets that the first of them loses: `TCP 6443 from 10.0.0.0/16`, `TCP 6443 from pods with app=router`. */
  lost: string;
}

/**
 * Findings of rules of administrators' policies that deny packets of documented flows at pods of the control plane: no NetworkPolicy
 * can allow these packets.
 */
const deniedByAdministrators = (judged: JudgedResources): Judgement[] =>
  (haveAdministrators(judged) ? judged.clusters : []).flatMap((cluster) => {
    const topology = wholeTopology(cluster);
    if (!topology) return [];
    const open = new Map<string, Judgement>();
    const denials = denialsOfPlan(judged, topology, open);
    return [
      ...[...denials.values()].map((denial) => ({ ...denied(denial), flow: [...denial.flows.keys()] })),
      ...deniedAmongPods(judged, topology, denials, open),
      ...[...open].flatMap(([rule, found]) => (denials.has(rule) ? [] : [found])),
    ].map((found) => ({ ...found, cluster: cluster.key }));
  });

/** Collects, by rule, unknown values of administrators' policies that decide whether a flow passes, mostly labels that are not stated. */
function meetOpen(
  { values }: Extract<ProofResult, { proof: Proof.Unknown }>,
  open: Map<string, Judgement>,
): void {
  for (const value of values)
    if (isAdministratorsPolicy(value.resource.type))
      onceIn(open, identityOf(ruleOf({ ...value, path: ruleIn(value.path) })), () =>
        unknown({ reason: MAY_MEAN, ...value }),
      );
}

/** Returns `spec.ingress[0]` for `spec.ingress[0].from[1]`, or the whole path if it contains no rule. */
const ruleIn = (path: string): string => /^spec\.\w+\[\d+\]/.exec(path)?.[0] ?? path;

const MAY_MEAN = "whether it matches packets of a documented flow";

/** The denials of flows that `prove` counts, by rule. */
function denialsOfPlan(
  judged: JudgedResources,
  topology: NormalizedTopology,
  open: Map<string, Judgement>,
): Map<string, Denial> {
  const denials = new Map<string, Denial>();
  for (const { journey, guards } of flowsOfPlan(judged, topology)) {
    for (const { hop, guard, verdict } of guards) {
      if (guard.standing?.kind !== "networkPolicies") continue;
      if (verdict.proof === Proof.Unknown) meetOpen(verdict, open);
      if (verdict.proof !== Proof.Refuted) continue;
      const clause = denialOf(guard.filters, verdict);
      if (!clause) continue;
      const { direction } = guard.standing;
      onceIn(denials, identityOf(ruleOf(clause)), () => ({
        clause,
        flows: new Map(),
        lost: packetLines(verdict.dropped, direction, otherPodsAt(hop, direction))[0] ?? "",
      })).flows.set(journey.key, journey.title);
    }
  }
  return denials;
}

/**
 * The denials of flows of single pods, which `prove` does not count, by rules other than `known`. Denying only part of a flow without
 * ports, such as one port between pods of the namespace, is a warning: no document states that this part is needed.
 */
function deniedAmongPods(
  judged: JudgedResources,
  topology: NormalizedTopology,
  known: ReadonlyMap<string, Denial>,
  open: Map<string, Judgement>,
): Judgement[] {
  const admin = administratorsOf(judged.index, topology, isAdminNetworkPolicy);
  const found = new Map<string, Judgement>();
  for (const { policy, direction, traffic, addresses } of admin.length > 0 ? flowsIn(judged, topology) : []) {
    for (const one of traffic) {
      const { verdict, isCutOff, filters } =
        judgeByAdministrators(admin, topology.controlPlaneNamespace, one) ?? {};
      if (verdict?.proof === Proof.Unknown && addresses === undefined) meetOpen(verdict, open);
      if (verdict?.proof !== Proof.Refuted || !filters || (addresses !== undefined && !isCutOff)) continue;
      const clause = denialOf(filters, verdict);
      if (!clause || known.has(identityOf(ruleOf(clause)))) continue;
      const isWhole = isCutOff || one.services.every(({ protocol }) => protocol !== Protocol.Any);
      const pods = one.end.kind === "pod" ? podsText({}, one.end.namespaceLabels.labels) : undefined;
      const lost = packetLines(verdict.dropped, direction, pods)[0] ?? "";
      const denial = { clause, flows: new Map([[policy.name, policy.purpose]]), lost };
      onceIn(found, `${identityOf(ruleOf(clause))} ${isWhole}`, () => ({
        ...denied(denial),
        ...(!isWhole && { level: Level.Warning }),
      }));
    }
  }
  return [...found.values()];
}

/**
 * Returns the rule that denies the packets. If unknown values decide which of several denying rules it is, returns the first. Absent
 * if NetworkPolicies drop the packets, because they drop by not allowing.
 */
function denialOf(
  filters: readonly Filter[],
  { decision, dropped }: Extract<ProofResult, { proof: Proof.Refuted }>,
): Clause | undefined {
  const ofAdministrators = ({ resource }: Clause) => !isNetworkPolicy(resource.type);
  if (decision?.clause) return ofAdministrators(decision.clause) ? decision.clause : undefined;
  return filters
    .flatMap(({ clauses }) => clauses)
    .find(
      (clause) =>
        ofAdministrators(clause) &&
        clause.actions.includes(Action.Deny) &&
        !isEmpty(intersection(clause.possible, dropped)),
    );
}

function denied({ clause, flows, lost }: Denial): Judgement {
  const [title = "", ...more] = flows.values();
  const others = more.length > 0 ? `, and ${plural(more.length, "other flow")}` : "";
  return violated({
    resource: clause.resource.origin,
    path: clause.path,
    message: `denies packets of a documented flow: ${title}${others}`,
    witness: lost,
    fix: `exclude these pods from the rule, or ${isOfBaseline(clause.resource) ? BEFORE_BASELINE : BEFORE_ALL}`,
  });
}

const BEFORE_ALL = "allow these packets in an earlier rule: a NetworkPolicy cannot override this one";
const BEFORE_BASELINE =
  "allow these packets by a NetworkPolicy: baseline policies do not apply to pods that a NetworkPolicy selects";

/** Reports network policies that drop packets of a documented flow of a hosted control plane's pods. */
export const isolationFlowBlocked: Rule = {
  id: "isolation-flow-blocked",
  title: "Network policy blocks a documented flow of a hosted control plane",
  level: Level.Error,
  description:
    "Reports NetworkPolicies in namespaces of hosted control planes that block a documented flow: between their pods, from routers, monitoring and operators, from clients by node ports and load balancers, or out of the pods.",
  details: [
    "Policies are additive: traffic that a plan's policies drop, but HyperShift's own policies allow, is assumed to pass, although no plan contains those.",
    "What depends on unknown addresses is counted as unknown.",
    "If an administrator's policy (AdminNetworkPolicy, ClusterNetworkPolicy) denies a documented flow, the finding is an error at its rule; if it denies only a part of the traffic between pods of the namespace, the finding is a warning. No NetworkPolicy drops what an administrator's policy allows.",
    "Namespaces have the labels that their objects in the input state, and may have others.",
  ],
  documents: [
    at(OCP_NETWORKING, "14.1.1. Control plane isolation"),
    at(HYPERSHIFT_PORTS, "Network Policy Considerations"),
    networkPolicySource,
    at(NETWORK_POLICY_API, "AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy CRDs"),
  ],
  rows: isIntoPods,
  remediation: "Add a policy that allows the flow; ControlPlaneIsolation creates one for each.",
  judge: (judged) => [
    ...judgeIsolated(judged, (one) =>
      flowsIn(judged, one.topology).flatMap((flow) =>
        judgeFlow(one, flow).map((found) => ({ ...found, ...cutByPolicies(judged, one, flow) })),
      ),
    ),
    ...deniedByAdministrators(judged),
  ],
};

/** The documented flows of a control plane, with the namespace labels that the plan states. */
function flowsIn({ index }: JudgedResources, topology: NormalizedTopology): DocumentedFlow[] {
  const labelsOf = namespaceLabels(index, topology);
  return documentedFlows(topology).map((flow) => ({
    ...flow,
    traffic: flow.traffic.map((one) => ({ ...one, labelsOf })),
  }));
}

function judgeFlow(isolated: IsolatedNamespace, flow: DocumentedFlow): Judgement[] {
  for (const traffic of flow.traffic) {
    const found = judgeOne(isolated, flow, traffic);
    if (found.length > 0) return found;
  }
  return [];
}

function judgeOne(isolated: IsolatedNamespace, flow: DocumentedFlow, traffic: PodTraffic): Judgement[] {
  const { policies, others, namespace, topology, admin } = isolated;
  const judged = judgeTraffic(policies, namespace, traffic, admin);
  const holder = others[0]!;
  if (!judged) return [unknown({ resource: holder, path: "spec.podSelector", reason: TOO_MANY })];
  const { verdict } = judged;
  if (verdict.proof === Proof.Proved || passesOtherwise(isolated, flow, traffic)) return [];
  if (verdict.proof === Proof.Unknown) return verdict.values.map(unknown);
  // A patched policy may allow it.
  if (isolated.patches.length > 0) return [];
  const dropper =
    others.find((policy) => isolatesPod(policy, flow.direction, namespace, judged.pod)) ?? holder;
  const open = (reason: string) => [
    unknown({ resource: dropper, path: flow.direction, reason: `${flow.policy.purpose}: ${reason}` }),
  ];
  if (flow.addresses !== undefined && !judged.isCutOff) return open(flow.addresses);
  const beside = besideStated(topology, policies);
  if (
    beside.length > 0 &&
    flow.direction === Direction.Ingress &&
    !isolatesEveryPod(isolated) &&
    isAboutEveryPod(flow.policy.pods)
  )
    return open(ISOLATED_ANYWAY);
  const withOwn = judgeTraffic([...policies, ...beside], namespace, traffic, admin)?.verdict.proof;
  if (withOwn === Proof.Proved) return [];
  if (withOwn !== Proof.Refuted) return open(MAY_PASS);
  return [blocked(dropper, flow, judged, verdict.packet, traffic, namespace)];
}

/** The flows that lose packets on the way into or out of these pods. */
function cutByPolicies(
  judged: JudgedResources,
  { cluster, topology }: IsolatedNamespace,
  flow: DocumentedFlow,
) {
  const { direction, policy, traffic } = flow;
  const services = traffic.flatMap((one) => one.services.flatMap(rangesOf));
  const keys = flowsRefuted(judged, topology, ({ hop, guard: { standing }, dropped }) => {
    if (standing?.kind !== "networkPolicies" || standing.direction !== direction) return false;
    if (hop.kind === "pods" && direction === Direction.Ingress && !selects(policy, hop.app)) return false;
    return !isEmpty(intersection(dropped, packets({ services })));
  });
  return { cluster, ...(keys.length > 0 && { flow: keys }), hop: `pods/${direction}/${policy.name}` };
}

const rangesOf = ({ protocol, ports }: Traffic) =>
  FAMILIES.map((family) => servicesOf(protocol, ports, family));

const selects = ({ pods }: DocumentedFlow["policy"], app: string): boolean =>
  selectsLabels(selectorValue(pods), { [POD_LABEL.app]: app }) !== false;

/** Whether the policies isolate every pod for ingress, as HyperShift's own do: policies that only add to those take nothing away. */
const isolatesEveryPod = ({ policies, namespace }: IsolatedNamespace): boolean =>
  labelClasses(policies.map(podSelectorOf))?.every((labels) => isIsolated(policies, namespace, labels)) ===
  true;

const isAboutEveryPod = (pods: DocumentedFlow["policy"]["pods"]): boolean => Object.keys(pods).length === 0;
const MAY_PASS = "HyperShift's own policies, which this plan does not show, may allow it";
const ISOLATED_ANYWAY = "policies of this plan add to HyperShift's own, which isolate these pods anyway";

/** Whether the policies allow the DNS of a Kubernetes other than OpenShift, which is elsewhere: allowing either DNS is right. */
function passesOtherwise(
  { policies, namespace, topology, admin }: IsolatedNamespace,
  { sends }: DocumentedFlow,
  { labelsOf }: PodTraffic,
): boolean {
  if (sends !== DNS) return false;
  const dns = egressFlows(topology, ManagementCluster.Kubernetes).filter(({ key }) => key === DNS);
  return dns
    .flatMap((flow) =>
      egressTraffic(flow, namespace).map((one) => ({ ...one, ...(labelsOf && { labelsOf }) })),
    )
    .every((traffic) => judgeTraffic(policies, namespace, traffic, admin)?.verdict.proof === Proof.Proved);
}

function blocked(
  dropper: Resource,
  { policy, direction }: DocumentedFlow,
  { pod, isCutOff }: TrafficVerdict,
  packet: Packet,
  { end, prefixes, services }: PodTraffic,
  namespace: string,
): Judgement {
  const isIngress = direction === Direction.Ingress;
  const us = `pod ${withLabels(pod)} in ${namespace}`;
  const address = isIngress ? packet.source : packet.destination;
  const them =
    end.kind === "addresses"
      ? prefixes || isIngress
        ? address
        : "any address"
      : `pod in namespace ${withLabels(end.namespaceLabels.labels)}`;
  const what =
    isCutOff && services.some(({ protocol }) => protocol === Protocol.Any)
      ? "every protocol"
      : packetText(packet);
  return violated({
    resource: dropper.origin,
    path: direction,
    message: `no policy allows this documented flow: ${policy.purpose}`,
    witness: isIngress ? `${them} -> ${us}, ${what}` : `${us} -> ${them}, ${what}`,
    fix: `add a NetworkPolicy with the spec ${JSON.stringify(networkPolicySpec(policy))}; ControlPlaneIsolation creates it as ${policy.name}`,
    ...(policy.requirements[0] !== undefined && { requirement: policy.requirements[0] }),
    ...(policy.documents.length > 0 && { documents: policy.documents }),
  });
}
