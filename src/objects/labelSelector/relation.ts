import { LabelSelectorOperator } from "../../resources/labelSelector";
import type { PlainLabelRequirement, PlainLabelSelector } from "./labelSelector";

/** What two selectors have in common, whatever the labels of the objects that they are held against. */
export enum SelectorRelation {
  /** No object can match both. */
  Disjoint = "disjoint",
  /** Whatever matches the first matches the second. */
  Within = "within",
  /** Whatever matches the second matches the first. */
  Around = "around",
  /** There are labels that match both, and labels that match one alone. */
  Overlapping = "overlapping",
}

/** Whether there are labels that match a selector. */
export const isSatisfiable = (selector: PlainLabelSelector): boolean =>
  [...demands(selector).values()].every((demand) => !isEmpty(demand));

/** How two selectors relate. Exact: the demands on one label do not depend on those on another. */
export function relate(a: PlainLabelSelector, b: PlainLabelSelector): SelectorRelation {
  const [first, second] = [demands(a), demands(b)];
  const keys = [...new Set([...first.keys(), ...second.keys()])];
  const pairs = keys.map((key) => [first.get(key) ?? ANYTHING, second.get(key) ?? ANYTHING] as const);
  const satisfiable = isSatisfiable(a) && isSatisfiable(b);
  if (!satisfiable || pairs.some(([one, other]) => isEmpty(intersect(one, other))))
    return SelectorRelation.Disjoint;
  if (pairs.every(([one, other]) => isWithin(one, other))) return SelectorRelation.Within;
  if (pairs.every(([one, other]) => isWithin(other, one))) return SelectorRelation.Around;
  return SelectorRelation.Overlapping;
}

/** What may stand under one key: some values or all but some, and whether the label may be missing. */
interface Demand {
  values: ReadonlySet<string>;
  /** True: every value but these. */
  except: boolean;
  mayBeAbsent: boolean;
}

const ANYTHING: Demand = { values: new Set(), except: true, mayBeAbsent: true };

function demands({ matchLabels = {}, matchExpressions = [] }: PlainLabelSelector): Map<string, Demand> {
  const all = new Map<string, Demand>();
  const add = (key: string, demand: Demand) => all.set(key, intersect(all.get(key) ?? ANYTHING, demand));
  for (const [key, value] of Object.entries(matchLabels)) add(key, oneOf([value]));
  for (const expression of matchExpressions) add(expression.key, demandOf(expression));
  return all;
}

const oneOf = (values: readonly string[]): Demand => ({
  values: new Set(values),
  except: false,
  mayBeAbsent: false,
});

function demandOf({ operator, values = [] }: PlainLabelRequirement): Demand {
  switch (operator) {
    case LabelSelectorOperator.In:
      return oneOf(values);
    case LabelSelectorOperator.NotIn:
      return { values: new Set(values), except: true, mayBeAbsent: true };
    case LabelSelectorOperator.Exists:
      return { ...ANYTHING, mayBeAbsent: false };
    case LabelSelectorOperator.DoesNotExist:
      return { values: new Set(), except: false, mayBeAbsent: true };
  }
}

function intersect(a: Demand, b: Demand): Demand {
  const mayBeAbsent = a.mayBeAbsent && b.mayBeAbsent;
  if (a.except && b.except) return { values: new Set([...a.values, ...b.values]), except: true, mayBeAbsent };
  const [listed, other] = a.except ? [b, a] : [a, b];
  const values = [...listed.values].filter((value) => allows(other, value));
  return { values: new Set(values), except: false, mayBeAbsent };
}

const allows = ({ values, except }: Demand, value: string): boolean => values.has(value) !== except;

/** A list of exceptions always leaves a value: there are more label values than anybody lists. */
const isEmpty = ({ values, except, mayBeAbsent }: Demand): boolean =>
  !except && values.size === 0 && !mayBeAbsent;

function isWithin(inner: Demand, outer: Demand): boolean {
  if (inner.mayBeAbsent && !outer.mayBeAbsent) return false;
  if (!inner.except) return [...inner.values].every((value) => allows(outer, value));
  return outer.except && [...outer.values].every((value) => inner.values.has(value));
}
