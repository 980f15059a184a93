import { securityGroupFilter, type Filter } from "../../src/reachability/filters";
import { packetsOf } from "../../src/reachability/path";
import { Proof, excessOf, prove } from "../../src/reachability/proof";
import { contains, unionAll } from "../../src/reachability/packets";
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
  const filtersAt = filtersOf(resources);
  const proofs = flows.map(({ hops }): Proof => {
    let proof = Proof.Proved;
    for (const hop of hops) {
      const verdict = prove(packetsOf(hop), filtersAt(hop)).proof;
      if (verdict === Proof.Refuted) return verdict;
      if (verdict === Proof.Unknown) proof = verdict;
    }
    return proof;
  });
  return { proofs, excess: excessAmong(wanted, filtersAt) };
}

/** The filter at a place, alone in a list. */
export type FiltersAt = (hop: PlannedHop) => readonly [Filter];

/** The filter at each place: groups of one interface add up, and each is read once. */
export function filtersOf(resources: readonly Resource[]): FiltersAt {
  const rulesOf = new Map<string, readonly SecurityGroupRule[]>();
  for (const { resource, rules } of securityGroups(new ResourceIndex(resources)).groups)
    if (resource) rulesOf.set(resource.name, rules);
  type Made = Map<readonly string[], readonly [Filter]>;
  const made: Record<Direction, Made> = { ingress: new Map(), egress: new Map() };
  return ({ groups, direction }) => {
    let filters = made[direction].get(groups);
    if (!filters) {
      const rules = groups.flatMap((group) => rulesOf.get(group) ?? []);
      filters = [securityGroupFilter(rules, direction, () => undefined)];
      made[direction].set(groups, filters);
    }
    return filters;
  };
}

/** Place by place: what has to pass there beside what may. */
function excessAmong(wanted: readonly PlannedHop[], filtersAt: FiltersAt): number {
  const hopsAt = new Map<readonly [Filter], PlannedHop[]>();
  for (const hop of wanted) {
    const filters = filtersAt(hop);
    const hops = hopsAt.get(filters);
    if (hops) hops.push(hop);
    else hopsAt.set(filters, [hop]);
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

/** The verdict on a flow from the sets of all rules, without looking any of them up. */
export function proofFromAllRules({ hops }: PlannedFlow, filtersAt: FiltersAt): Proof {
  const proofs = hops.map((hop) => {
    const [{ clauses }] = filtersAt(hop);
    const required = packetsOf(hop);
    if (contains(unionAll(clauses.map(({ sure }) => sure)), required)) return Proof.Proved;
    const possible = unionAll(clauses.map((clause) => clause.possible));
    return contains(possible, required) ? Proof.Unknown : Proof.Refuted;
  });
  if (proofs.includes(Proof.Refuted)) return Proof.Refuted;
  return proofs.includes(Proof.Unknown) ? Proof.Unknown : Proof.Proved;
}
