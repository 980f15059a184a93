import { append, least } from "../collections";
import { LabelSelectorOperator } from "../resources/kubernetesObject";
import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import {
  entriesOf,
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  type Place,
  type PropertyMap,
} from "../resources/read";
import { labelKey, labels, labelValue, leaf, list, needed, object, shapeFaults, word } from "./shape";

/** One requirement on a label whose values are all known and valid. */
export interface PlainLabelRequirement {
  key: string;
  operator: LabelSelectorOperator;
  values?: readonly string[];
}

/** A label selector whose values are all known and valid. It selects what meets all its requirements. */
export interface PlainLabelSelector {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: readonly PlainLabelRequirement[];
}

/** A label selector in the form of Kubernetes, without empty fields. */
export interface LabelSelectorObject {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: LabelSelectorOperator; values?: string[] }[];
}

/** Converts a selector to the form of Kubernetes. */
export function labelSelectorObject({
  matchLabels,
  matchExpressions,
}: PlainLabelSelector): LabelSelectorObject {
  // Outputs may hold null.
  const expressions = (matchExpressions ?? []).map(({ key, operator, values }) => ({
    key,
    operator,
    ...((values?.length ?? 0) > 0 && { values: [...(values ?? [])] }),
  }));
  return {
    ...(Object.keys(matchLabels ?? {}).length > 0 && { matchLabels: { ...matchLabels } }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  };
}

/** Describes a selector in a few words: `env=prod, team in (a, b)`. */
export function describeSelector({ matchLabels = {}, matchExpressions = [] }: PlainLabelSelector): string {
  const parts = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => WORDS[operator](key, values.join(", "))),
  ];
  return parts.length === 0 ? "everything" : parts.join(", ");
}

const WORDS: Readonly<Record<LabelSelectorOperator, (key: string, values: string) => string>> = {
  [LabelSelectorOperator.In]: (key, values) => `${key} in (${values})`,
  [LabelSelectorOperator.NotIn]: (key, values) => `${key} notin (${values})`,
  [LabelSelectorOperator.Exists]: (key) => key,
  [LabelSelectorOperator.DoesNotExist]: (key) => `!${key}`,
};

/** How two selectors relate, regardless of which labels objects have. */
export enum SelectorRelation {
  /** No object can match both. */
  Disjoint = "disjoint",
  /** Whatever the first selector matches, the second matches too. */
  Within = "within",
  /** Whatever the second selector matches, the first matches too. */
  Around = "around",
  /** Some labels match both selectors, and some match only one. */
  Overlapping = "overlapping",
}

/** Whether there are labels that match a selector. */
export const isSatisfiable = (selector: PlainLabelSelector): boolean =>
  [...demands(selector).values()].every((demand) => !isEmpty(demand));

/** Returns how two selectors relate. Exact: requirements on one label do not depend on those on another. */
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

/** The allowed values of one key, some or all except some, and whether the label may be absent. */
interface Demand {
  values: ReadonlySet<string>;
  /** True: every value except these. */
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

/** A list of excluded values always leaves a value: no selector lists all possible label values. */
const isEmpty = ({ values, except, mayBeAbsent }: Demand): boolean =>
  !except && values.size === 0 && !mayBeAbsent;

function isWithin(inner: Demand, outer: Demand): boolean {
  if (inner.mayBeAbsent && !outer.mayBeAbsent) return false;
  if (!inner.except) return [...inner.values].every((value) => allows(outer, value));
  return outer.except && [...outer.values].every((value) => inner.values.has(value));
}

/** The labels that an object must have to be selected: for each required key, every value that matches. */
export const demandedLabels = ({
  matchLabels = {},
  matchExpressions = [],
}: PlainLabelSelector): string[][] => [
  ...Object.entries(matchLabels).map((label) => [label.join("\n")]),
  ...matchExpressions.flatMap(({ key, operator, values = [] }) =>
    operator === LabelSelectorOperator.In ? [values.map((value) => `${key}\n${value}`)] : [],
  ),
];

/** Picks, from lists of labels of which one each is required, the list that the fewest selectors require. */
export type Rarest = (demanded: readonly string[][]) => string[] | undefined;

/** @param all the labels that each selector requires */
export function rarestAmong(all: readonly (readonly string[][])[]): Rarest {
  const frequency = new Map<string, number>();
  for (const label of all.flat(2)) frequency.set(label, (frequency.get(label) ?? 0) + 1);
  const often = (labels: readonly string[]) =>
    labels.reduce((sum, label) => sum + (frequency.get(label) ?? 0), 0);
  return (demanded) => {
    const counts = demanded.map(often);
    return counts.length > 0 ? demanded[counts.indexOf(least(counts))] : undefined;
  };
}

/** Indexes things by the rarest label that their selectors require, so that a lookup need not check all of them. */
export class BySelector<Thing> {
  readonly #byLabel = new Map<string, Thing[]>();
  /** Things whose selectors require no label, so that they may select anything. */
  readonly #open: Thing[] = [];

  constructor(things: readonly (readonly [PlainLabelSelector, Thing])[]) {
    const demanded = things.map(([selector, thing]) => ({ labels: demandedLabels(selector), thing }));
    const rarest = rarestAmong(demanded.map(({ labels }) => labels));
    for (const { labels, thing } of demanded) {
      const found = rarest(labels);
      if (found) for (const label of found) append(this.#byLabel, label, [thing]);
      else this.#open.push(thing);
    }
  }

  /** The things that may select an object with these labels, each once. */
  perhapsSelecting(labels: Readonly<Record<string, string>>): Thing[] {
    const asking = Object.entries(labels).flatMap((label) => this.#byLabel.get(label.join("\n")) ?? []);
    return [...new Set([...asking, ...this.#open])];
  }
}

/** Faults of a label selector. A selector that matches no labels at all is a fault as a whole. */
export function labelSelectorFaults(place: Place): Fault[] {
  const { path, value } = place;
  const faults = unreadableSelectorFaults(place);
  const plain = faults.length === 0 ? knownSelector(value) : undefined;
  if (!plain || isSatisfiable(plain)) return faults;
  const problem = `${describeSelector(plain)} contradicts itself and matches nothing`;
  return [{ path, problem, remedy: "remove one of the contradicting requirements" }];
}

const selector = object(
  {
    matchLabels: labels,
    matchExpressions: list(
      object(
        {
          key: needed(labelKey, "write the key of a label"),
          operator: needed(word(Object.values(LabelSelectorOperator))),
          values: list(labelValue, { remedy: "write a list of label values" }),
        },
        { remedy: "write key and operator", relations: [valuesFaults] },
      ),
      { remedy: "write a list of key and operator" },
    ),
  },
  { remedy: "write matchLabels or matchExpressions" },
);

/** What the API server refuses in a label selector. It does not refuse a selector that matches nothing. */
export const unreadableSelectorFaults = (place: Place): Fault[] => shapeFaults(selector, place);

/** A label selector that matches something. */
export const labelSelector = leaf(labelSelectorFaults);

/** A selector of namespaces that an object needs. */
export const namespaceSelector = needed(
  labelSelector,
  "write labels of the namespaces, or {} for all of them",
);

/** The selector, if all of it is known and valid: the server refuses invalid ones. */
export const plainSelector = (value: PropertyValue | undefined): PlainLabelSelector | undefined =>
  unreadableSelectorFaults({ path: "", value }).length === 0 ? knownSelector(value) : undefined;

const knownSelector = (value: PropertyValue | undefined): PlainLabelSelector | undefined =>
  isMap(value) && !holdsUnknown(value) ? withoutNulls(value) : undefined;

function withoutNulls({ matchLabels, matchExpressions }: { [key: string]: PropertyValue }) {
  return {
    ...(isGiven(matchLabels) && { matchLabels }),
    ...(isGiven(matchExpressions) && { matchExpressions }),
  } as PlainLabelSelector;
}

function valuesFaults(path: string, { operator, values }: PropertyMap): Fault[] {
  const known = Object.values(LabelSelectorOperator).find((one) => one === operator);
  const isCompared = known === LabelSelectorOperator.In || known === LabelSelectorOperator.NotIn;
  // A value that is not a list is reported separately.
  if (!known || values === UNKNOWN || (isGiven(values) && !isList(values))) return [];
  const at = `${path}.values`;
  const { length: count } = entriesOf(values);
  if (isCompared && count === 0)
    return [{ path: at, problem: "missing", remedy: `write the values that ${known} compares with` }];
  if (!isCompared && count > 0)
    return [
      { path: at, problem: `are set together with ${known}, which uses no values`, remedy: "remove them" },
    ];
  return [];
}
