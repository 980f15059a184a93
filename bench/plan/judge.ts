import { securityGroupFilter, type Filter } from "../../src/reachability/filters";
import { packetsOf } from "../../src/reachability/path";
import { Proof, excessOf, prove } from "../../src/reachability/proof";
import { contains, unionAll, type PacketSet } from "../../src/reachability/packets";
import { stackResource } from "../../src/plan/stackResource";
import type { Direction } from "../../src/requirements/vocabulary";
import type { Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { securityGroups, type SecurityGroupRule } from "../../src/resources/securityGroups";
import type { GeneratedPlan, PlanDocument, PlannedFlow, PlannedHop } from "./generate";

/** What was found in a plan. */
export interface JudgedPlan {
  /** The verdict on each flow, in their order. */
  proofs: readonly Proof[];
  /** Rules that open more than any flow asks for. */
  excess: number;
}

/** From the resources of the parsed document to a verdict on every flow and every rule. */
export function judgePlan(
  resources: readonly Resource[],
  { flows, wanted }: Pick<GeneratedPlan, "flows" | "wanted">,
): JudgedPlan {
  const filterAt = filtersOf(resources);
  const proofs = flows.map(({ hops }): Proof => {
    let proof = Proof.Proved;
    for (const hop of hops) {
      const verdict = prove(packetsOf(hop), [filterAt(hop)]).proof;
      if (verdict === Proof.Refuted) return verdict;
      if (verdict === Proof.Unknown) proof = verdict;
    }
    return proof;
  });
  return { proofs, excess: excessAmong(wanted, filterAt) };
}

/** The filter at a place. */
export type FilterAt = (hop: PlannedHop) => Filter;

/** The filter at each place: groups of one interface add up, and each is read once. */
export function filtersOf(resources: readonly Resource[]): FilterAt {
  const rulesOf = new Map<string, readonly SecurityGroupRule[]>();
  for (const { resource, rules } of securityGroups(new ResourceIndex(resources)).groups)
    if (resource) rulesOf.set(resource.name, rules);
  type Made = Map<readonly string[], Filter>;
  const made: Record<Direction, Made> = { ingress: new Map(), egress: new Map() };
  return ({ groups, direction }) => {
    let filter = made[direction].get(groups);
    if (!filter) {
      const rules = groups.flatMap((group) => rulesOf.get(group) ?? []);
      made[direction].set(groups, (filter = securityGroupFilter(rules, direction, () => undefined)));
    }
    return filter;
  };
}

function excessAmong(wanted: readonly PlannedHop[], filterAt: FilterAt): number {
  const all = new Map<Filter, PacketSet[]>();
  for (const hop of wanted) {
    const filter = filterAt(hop);
    const sets = all.get(filter);
    if (sets) sets.push(packetsOf(hop));
    else all.set(filter, [packetsOf(hop)]);
  }
  let excess = 0;
  for (const [filter, sets] of all) excess += excessOf(sets, [filter]).length;
  return excess;
}

/** The resources of a plan, as the command line reads them. */
export function resourcesOf({ steps }: PlanDocument): Resource[] {
  const secrets = { count: 0 };
  return steps.map(({ newState }) => stackResource(newState, "plan.json", secrets));
}

/** The verdict on a flow from the sets of all rules, without looking any of them up. */
export function proofFromAllRules({ hops }: PlannedFlow, filterAt: FilterAt): Proof {
  const proofs = hops.map((hop) => {
    const { clauses } = filterAt(hop);
    const required = packetsOf(hop);
    if (contains(unionAll(clauses.map(({ sure }) => sure)), required)) return Proof.Proved;
    const possible = unionAll(clauses.map((clause) => clause.possible));
    return contains(possible, required) ? Proof.Unknown : Proof.Refuted;
  });
  if (proofs.includes(Proof.Refuted)) return Proof.Refuted;
  return proofs.includes(Proof.Unknown) ? Proof.Unknown : Proof.Proved;
}
