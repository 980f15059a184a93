import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { PLAIN } from "./forms";
import { breachesOf } from "./invariants";
import type { Breach } from "./oneVerdict";
import type { Case } from "./case";

/** A case and the invariant that it violates. */
export interface Broken {
  given: Case;
  breach: Breach;
}

/** The smallest case that violates the same invariant. */
export function minimised(given: Case, breach: Breach): Broken {
  let smallest: Broken = { given, breach };
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(smallest.given)) {
      const same = breachesOf(smaller).find(({ invariant }) => invariant === breach.invariant);
      if (!same) continue;
      smallest = { given: smaller, breach: same };
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

const PARTS = [
  "disabledRules",
  "additionalRules",
  "denied",
  "acls",
  "allowedCIDRBlocks",
  "isolation",
  "firewalls",
] as const;

/** The case without one of its parts, or without one property of its topology. */
function* smallerThan(given: Case): Generator<Case> {
  const { form, topology } = given;
  for (const part of PARTS) if (part in given) yield without(given, part);
  for (const part of ["lists", "preview", "configured", "inlineAcls"] as const)
    if (part in form) yield { ...given, form: without(form, part) };
  if (form.shape !== PLAIN.shape) yield { ...given, form: { ...form, shape: PLAIN.shape } };
  if (form.writer !== PLAIN.writer) yield { ...given, form: { ...form, writer: PLAIN.writer } };
  for (const property of Object.keys(topology) as (keyof typeof topology)[]) {
    if (property === "name" || property === "platform") continue;
    const less = without(topology, property);
    if (normalizeTopology(less).topology) yield { ...given, topology: less };
  }
  for (const key of given.disabledRules ?? [])
    yield { ...given, disabledRules: given.disabledRules!.filter((one) => one !== key) };
}

function without<Whole extends object, Part extends keyof Whole>(whole: Whole, part: Part): Whole {
  const { [part]: _, ...rest } = whole;
  return rest as Whole;
}
