import { securityGroupFilter, type Filter } from "../../src/reachability/filters";
import { packetsOf } from "../../src/reachability/path";
import { Proof, excessOf, prove } from "../../src/reachability/proof";
import type { PacketSet } from "../../src/reachability/packets";
import type { Direction } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { securityGroups, type SecurityGroupRule } from "../../src/resources/securityGroups";
import { UNKNOWN_TEXT, type GeneratedPlan, type PlannedHop, type PlannedStep } from "./generate";

/** What was found in a plan. */
export interface JudgedPlan {
  /** The verdict on each flow, in their order. */
  proofs: readonly Proof[];
  /** Rules that open more than any flow asks for. */
  excess: number;
}

/** From the parsed document to a verdict on every flow and every rule. */
export function judgePlan({ document, flows, wanted }: GeneratedPlan): JudgedPlan {
  const filterAt = filtersOf(document.steps.map(resourceOf));
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

export type FilterAt = (hop: PlannedHop) => Filter;

/** The filter at each place: groups of one interface add up, and each is read once. */
export function filtersOf(resources: readonly Resource[]): FilterAt {
  const rulesOf = new Map<string, readonly SecurityGroupRule[]>();
  for (const { resource, rules } of securityGroups(new ResourceIndex(resources)).groups)
    if (resource) rulesOf.set(resource.name, rules);
  const made = { ingress: new Map<string, Filter>(), egress: new Map<string, Filter>() };
  return ({ groups, direction }) => {
    let filter = made[direction].get(groups[0]!);
    if (!filter) {
      const rules = groups.flatMap((group) => rulesOf.get(group) ?? []);
      made[direction].set(groups[0]!, (filter = securityGroupFilter(rules, direction, () => undefined)));
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

/** A resource of the preview, with its values of the future marked as such. */
export function resourceOf({ newState }: PlannedStep): Resource {
  const { urn, type, inputs, parent, propertyDependencies } = newState;
  return {
    origin: { urn },
    type,
    name: urn.slice(urn.lastIndexOf("::") + 2),
    properties: marked(inputs as PropertyValue) as Resource["properties"],
    parent,
    propertyDependencies,
  };
}

/** The same value, unless something in it is not known yet. */
function marked(value: PropertyValue): PropertyValue {
  if (typeof value === "string") return value === UNKNOWN_TEXT ? UNKNOWN : value;
  if (typeof value !== "object" || value === null) return value;
  let copy: Record<string, PropertyValue> | undefined;
  const object = value as Record<string, PropertyValue>;
  for (const key in object) {
    const before = object[key]!;
    const after = marked(before);
    if (after === before) continue;
    copy ??= (Array.isArray(value) ? [...(value as PropertyValue[])] : { ...object }) as Record<
      string,
      PropertyValue
    >;
    copy[key] = after;
  }
  return copy ?? value;
}

export type { Direction };
