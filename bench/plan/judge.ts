import { allowedBy, type PacketBounds } from "../../src/reachability/filters/decide";
import { networkAclFilter } from "../../src/reachability/filters/networkAcl";
import { onlyAllows } from "../../src/reachability/filters/prepared";
import { securityGroupFilter } from "../../src/reachability/filters/securityGroup";
import type { Filter } from "../../src/reachability/filters/filter";
import { answersTo, packetsOf } from "../../src/reachability/path/duty";
import { excessOf, Proof, prove } from "../../src/reachability/proof/prove";
import { contains, unionAll, type PacketSet } from "../../src/reachability/packets/packetSet";
import { stackResource } from "../../src/plan/stackResource";
import { oppositeDirection, type Direction } from "../../src/requirements/vocabulary";
import { networkAcls, type NetworkAclRule } from "../../src/resources/networkAcls";
import type { Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { securityGroups, type SecurityGroupRule } from "../../src/resources/securityGroups";
import type { GeneratedPlan, PlanDocument, PlannedFlow, PlannedHop } from "./generate";

/** The verdicts on a plan. */
export interface JudgedPlan {
  /** The verdict on each flow, in the order of the flows. */
  proofs: readonly Proof[];
  /** Number of rules that open more than any flow requires. */
  excess: number;
}

/** Judges every flow and every rule of a plan, from the resources of the parsed document. */
export function judgePlan(
  resources: readonly Resource[],
  { flows, wanted }: Pick<GeneratedPlan, "flows" | "wanted">,
): JudgedPlan {
  const guardsAt = guardsOf(resources);
  const proofs = flows.map(({ hops }): Proof => {
    let proof = Proof.Proved;
    for (const hop of hops) {
      const here = proofAt(hop, guardsAt(hop));
      if (here === Proof.Refuted) return here;
      if (here === Proof.Unknown) proof = here;
    }
    return proof;
  });
  return { proofs, excess: excessAmong(wanted, guardsAt) };
}

/** The verdict at one hop: on calls at the groups and at the network ACL, and on answers at the ACL. */
function proofAt(hop: PlannedHop, { groups, acl, answers }: PlannedGuards): Proof {
  const calls = packetsOf(hop);
  const byGroups = prove(calls, groups).proof;
  if (byGroups === Proof.Refuted) return byGroups;
  const byAcl = prove(calls, acl).proof;
  if (byAcl === Proof.Refuted) return byAcl;
  const ofAnswers = prove(answersTo(hop), answers).proof;
  if (ofAnswers !== Proof.Proved) return ofAnswers;
  return byGroups === Proof.Proved ? byAcl : byGroups;
}

/** The filters at a hop, each as a list of one. */
export interface PlannedGuards {
  groups: readonly [Filter];
  /** The network ACL, for calls and for their answers. */
  acl: readonly [Filter];
  answers: readonly [Filter];
}

export type GuardsAt = (hop: PlannedHop) => PlannedGuards;

/** The filters at each hop: the groups of an interface are additive, and each filter is created once. */
export function guardsOf(resources: readonly Resource[]): GuardsAt {
  const index = new ResourceIndex(resources);
  const groupRules = new Map<string, readonly SecurityGroupRule[]>();
  for (const { resource, rules } of securityGroups(index).groups)
    if (resource) groupRules.set(resource.name, rules);
  const aclRules = new Map<string, readonly NetworkAclRule[]>();
  for (const { resource, rules } of networkAcls(index).acls) if (resource) aclRules.set(resource.name, rules);
  const acls = new Map<string, readonly [Filter]>();
  const aclAt = (name: string, direction: Direction) =>
    onceFor(acls, `${direction} ${name}`, (): readonly [Filter] => [
      networkAclFilter(aclRules.get(name) ?? [], direction),
    ]);
  const made: Record<Direction, Map<readonly string[], PlannedGuards>> = {
    ingress: new Map(),
    egress: new Map(),
  };
  const make = ({ groups, acl, direction }: PlannedHop): PlannedGuards => {
    const rules = groups.flatMap((group) => groupRules.get(group) ?? []);
    return {
      groups: [securityGroupFilter(rules, direction, () => undefined)],
      acl: aclAt(acl, direction),
      answers: aclAt(acl, oppositeDirection(direction)),
    };
  };
  return (hop) => {
    const known = made[hop.direction];
    let guards = known.get(hop.groups);
    if (!guards) known.set(hop.groups, (guards = make(hop)));
    return guards;
  };
}

function onceFor<K, V>(made: Map<K, V>, key: K, make: () => V): V {
  let value = made.get(key);
  if (value === undefined) made.set(key, (value = make()));
  return value;
}

/** Compares what the groups at each hop must allow with what they do allow. */
function excessAmong(wanted: readonly PlannedHop[], guardsAt: GuardsAt): number {
  const hopsAt = new Map<readonly [Filter], PlannedHop[]>();
  for (const hop of wanted) {
    const { groups } = guardsAt(hop);
    const hops = hopsAt.get(groups);
    if (hops) hops.push(hop);
    else hopsAt.set(groups, [hop]);
  }
  let excess = 0;
  for (const [filters, hops] of hopsAt) excess += excessOf(hops.map(packetsOf), filters).length;
  return excess;
}

/** The resources of a plan, as the command line reads them. */
export function resourcesOf({ steps }: PlanDocument): Resource[] {
  const secrets = { count: 0 };
  return steps.map(({ newState }) => stackResource(newState, "plan.json", secrets));
}

/** The verdict on a flow from the sets of all rules, without an index of the rules. */
export function proofFromAllRules({ hops }: PlannedFlow, guardsAt: GuardsAt): Proof {
  const questions = hops.flatMap((hop): { required: PacketSet; filters: readonly [Filter] }[] => {
    const { groups, acl, answers } = guardsAt(hop);
    const calls = packetsOf(hop);
    return [
      { required: calls, filters: groups },
      { required: calls, filters: acl },
      { required: answersTo(hop), filters: answers },
    ];
  });
  const proofs = questions.map(({ required, filters: [filter] }) => {
    const { sure, possible } = passing(filter);
    if (contains(sure, required)) return Proof.Proved;
    return contains(possible, required) ? Proof.Unknown : Proof.Refuted;
  });
  if (proofs.includes(Proof.Refuted)) return Proof.Refuted;
  return proofs.includes(Proof.Unknown) ? Proof.Unknown : Proof.Proved;
}

/** Everything that a filter allows; if its rules only allow, that is the union of their matches. */
function passing(filter: Filter): PacketBounds {
  if (!onlyAllows(filter)) return onceFor(known, filter, () => allowedBy([filter]));
  const { clauses } = filter;
  return {
    sure: unionAll(clauses.map(({ sure }) => sure)),
    possible: unionAll(clauses.map(({ possible }) => possible)),
  };
}

const known = new Map<Filter, PacketBounds>();
