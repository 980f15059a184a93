import { prefixFaults } from "../address/parse";
import { append, pushAll } from "../collections";
import type { Fault } from "../fault";
import type { ObjectField } from "../requirements/hostedCluster";
import type { ValueDemand } from "../requirements/hostedCluster/forms";
import {
  entriesOf,
  type Found,
  isGiven,
  isList,
  isMap,
  type Place,
  propertyOf,
  type PropertyMap,
} from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import {
  from,
  howTo,
  labelFaults,
  labelKeyFaults,
  labelNameFaults,
  labelValueFaults,
  portFaults,
  shownText,
  subdomainNameFaults,
  unknownKeyFaults,
  valueFaults,
  wordFaults,
} from "./places";

/** What is allowed at one place of an object or of a component's inputs, and below it. */
export interface Shape {
  /** Judges a value that is set and known. */
  judge: (into: ShapeJudgement, place: Found, reading: ReadMode) => void;
  /** How to write the value: the fix if it is missing. */
  howTo?: string;
  /** Whether the containing object requires it. */
  isNeeded?: boolean;
  /** If the value determines which resources exist: the fix for an Output. */
  plain?: string;
  /** What null means in lists of built-in kinds of Kubernetes. */
  zero?: PropertyValue;
  /** True if another rule reports the value, as `cidr-invalid` does for blocks. */
  isElsewhere?: true;
}

/** Properties by their names. */
export type Fields = Readonly<Record<string, Shape>>;

/** The result for a place: faults, and the places whose values are not known yet. */
export interface ShapeJudgement {
  faults: Fault[];
  unknown: string[];
}

/** How an object is read. */
export interface ReadMode {
  /** Whether it is a built-in kind, in which null is the zero value. Custom resources drop null properties and refuse null entries. */
  isBuiltIn: boolean;
  /** Whether it is a patch, which may omit required properties, except in lists, which it replaces as a whole. */
  isPatch: boolean;
}

/** Inputs of components are always complete, as custom resources are. */
const INPUTS: ReadMode = { isBuiltIn: false, isPatch: false };

/** Faults of properties in relation to each other. Unknown values may be valid. */
export type Relation = (path: string, value: PropertyMap) => Fault[];

/** Checks a value against its shape. */
export function judgeShape(shape: Shape, place: Place, reading: ReadMode = INPUTS): ShapeJudgement {
  const judgement: ShapeJudgement = { faults: [], unknown: [] };
  judgeInto(judgement, shape, place, reading);
  return judgement;
}

/** Faults of a value. */
export const shapeFaults = (shape: Shape, place: Place): Fault[] => judgeShape(shape, place).faults;

/** Returns how an input of a component is called in messages: by its own name, or by its path in the corresponding object. */
export type NameOf = (input: string) => string;

/** Inputs under their own names. */
export const asInput: NameOf = (input) => input;

/** Faults of the component inputs that have a shape; other inputs are judged separately. */
export const inputFaults = (fields: Fields, inputs: object, nameOf = asInput): Fault[] =>
  Object.entries(fields).flatMap(([input, shape]) =>
    shapeFaults(shape, { path: nameOf(input), value: propertyOf(inputs as PropertyMap, input) }),
  );

function judgeInto(into: ShapeJudgement, shape: Shape, { path, value }: Place, reading: ReadMode): void {
  const { howTo: remedy = "write it", isNeeded = false, isElsewhere = false, plain } = shape;
  if (!isGiven(value)) {
    if (isNeeded && !reading.isPatch) into.faults.push({ path, problem: "missing", remedy });
  } else if (value !== UNKNOWN) shape.judge(into, { path, value }, reading);
  else if (plain !== undefined) into.faults.push({ path, problem: "is an Output", remedy: plain });
  else if (!isElsewhere) into.unknown.push(path);
}

/** The same shape, required by the containing object. */
export const needed = (shape: Shape, remedy?: string): Shape => ({
  ...shape,
  isNeeded: true,
  ...(remedy !== undefined && { howTo: remedy }),
});

/** The same shape for a value that determines which resources exist, so that it must not be an Output. */
export const plain = (shape: Shape, remedy: string): Shape => ({ ...shape, plain: remedy });

/** A value without nested values, judged by one function. */
export const leaf = (faultsOf: (place: Found) => readonly Fault[]): Shape => ({
  judge: (into, place) => pushAll(into.faults, faultsOf(place)),
  zero: {},
});

/** A value that another rule reports. */
export const elsewhere: Shape = { judge: () => undefined, isElsewhere: true };

type Demand = Partial<Omit<ValueDemand, "type">>;

const simple = (demand: ValueDemand, zero: PropertyValue): Shape => ({
  ...leaf((place) => valueFaults(demand, place, shownText)),
  howTo: howTo(demand),
  zero,
});

/** A text. */
export const text = (demand: Demand = {}): Shape => simple({ type: "text", ...demand }, "");

/** A whole number. */
export const number = (demand: Demand = {}): Shape => simple({ type: "number", ...demand }, 0);

/** One of a few words. `needs` names what requires the word, for the fix if it is missing: `a port needs `. */
export const word = (words: readonly string[], needs = ""): Shape => {
  const [{ remedy } = { remedy: "" }] = wordFaults({ path: "", value: null }, words, needs);
  return { ...leaf((place) => wordFaults(place, words)), howTo: remedy, zero: "" };
};

/** A switch, which may be an Output. */
export const eventualSwitch = simple({ type: "flag" }, false);

/** A switch that determines which resources exist, so it must be plain. */
export const plainSwitch = plain(eventualSwitch, "write true or false, without quotes and not as an Output");

/** A text that may be a secret: its value is never shown. */
export const hiddenText = (demand: Demand = {}): Shape =>
  leaf((place) =>
    valueFaults(
      { type: "text", ...(!demand.form && { remedy: "write a string, or leave it out" }), ...demand },
      place,
    ),
  );

/** A name such as that of a namespace or HostedCluster. */
export const labelName = leaf(labelNameFaults);

/** A name such as that of a node and of most objects. */
export const subdomainName = leaf(subdomainNameFaults);

/** The key of a label or a taint. */
export const labelKey = leaf(labelKeyFaults);

/** The value of a label or a taint. */
export const labelValue = leaf(labelValueFaults);

/** A map of Kubernetes labels. */
export const labels = leaf(labelFaults);

/** The number of a port. */
export const port = leaf(portFaults);

/** A CIDR block. */
export const block = leaf(({ path, value }) => prefixFaults(path, value));

/** The size of a value that must not be empty. */
export const ONE_AT_LEAST = from(1);

/** For lists in which each text may occur once. */
export const onceEach = (entry: PropertyValue): string | undefined =>
  typeof entry === "string" ? shownText(entry) : undefined;

/** What a list requires in addition to its entries. */
interface ListDemand extends Demand {
  /** The name of an entry that may occur only once: `443/TCP`; undefined if the entry cannot be compared. */
  once?: (entry: PropertyValue) => string | undefined;
}

/** A list of entries of one shape. */
export function list(entries: Shape, { once, ...demand }: ListDemand = {}): Shape {
  const whole: ValueDemand = { type: "list", ...demand };
  return {
    judge(into, place, { isBuiltIn }) {
      pushAll(into.faults, valueFaults(whole, place, shownText));
      if (!isList(place.value)) return;
      judgeEntries(into, entries, { path: place.path, list: place.value }, isBuiltIn);
      if (once) pushAll(into.faults, repeatedFaults(place.path, place.value, once));
    },
    howTo: howTo(whole),
    zero: [],
  };
}

function judgeEntries(
  into: ShapeJudgement,
  shape: Shape,
  { path, list }: { path: string; list: readonly PropertyValue[] },
  isBuiltIn: boolean,
): void {
  for (const [position, entry] of list.entries()) {
    const at = `${path}[${position}]`;
    const value = entry === null && isBuiltIn ? shape.zero : entry;
    if (isGiven(value)) judgeInto(into, shape, { path: at, value }, { isBuiltIn, isPatch: false });
    else into.faults.push({ path: at, problem: "null is not an entry", remedy: "write one, or remove it" });
  }
}

function repeatedFaults(
  path: string,
  list: readonly PropertyValue[],
  nameOf: (entry: PropertyValue) => string | undefined,
): Fault[] {
  const first = new Map<string, number>();
  return list.flatMap((entry, position) => {
    const name = nameOf(entry);
    if (name === undefined) return [];
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, position);
      return [];
    }
    const problem = `${name} is also ${path}[${before}]`;
    return [{ path: `${path}[${position}]`, problem, remedy: "remove one of the two" }];
  });
}

/** What an object requires in addition to its properties. */
interface ObjectDemand extends Demand {
  relations?: readonly Relation[];
}

/** An object with these properties, and no others. */
export function object(fields: Fields, { relations = [], ...demand }: ObjectDemand = {}): Shape {
  const keys = Object.keys(fields);
  const whole: ValueDemand = { type: "object", remedy: `write an object with ${keys.join(", ")}`, ...demand };
  /** A patch contains only a part, which may be too small for the whole. */
  const part: ValueDemand = { ...whole, ...(whole.size && { size: { ...whole.size, min: 0 } }) };
  return {
    judge(into, { path, value }, reading) {
      pushAll(into.faults, valueFaults(reading.isPatch ? part : whole, { path, value }, shownText));
      if (!isMap(value)) return;
      pushAll(into.faults, unknownKeyFaults(path, value, keys));
      for (const [key, shape] of Object.entries(fields))
        judgeInto(into, shape, { path: `${path}.${key}`, value: propertyOf(value, key) }, reading);
      for (const relation of relations) pushAll(into.faults, relation(path, value));
    },
    howTo: whole.remedy!,
    zero: {},
  };
}

/** Entries under keys of the user's choice. */
export function byKey(
  entries: Shape,
  {
    keyFaults = () => [],
    ...demand
  }: Demand & { keyFaults?: (path: string, key: string) => readonly Fault[] },
): Shape {
  const whole: ValueDemand = { type: "object", ...demand };
  return {
    judge(into, { path, value }, reading) {
      pushAll(into.faults, valueFaults(whole, { path, value }, shownText));
      for (const [key, entry] of Object.entries(isMap(value) ? value : {})) {
        const at = `${path}.${key}`;
        pushAll(into.faults, keyFaults(at, key));
        judgeInto(into, needed(entries), { path: at, value: entry }, reading);
      }
    },
    howTo: howTo(whole),
    zero: {},
  };
}

/** An object with exactly one of several properties. */
export const oneOf = (fields: Fields, demand: ObjectDemand = {}): Shape =>
  object(fields, {
    size: { min: 1, max: 1 },
    remedy: `write one of ${Object.keys(fields).join(", ")}`,
    ...demand,
  });

/** A row of a table of an object's fields. */
type Row = Omit<ObjectField, "rule">;

const FIRST_STEP = /^(?:\[\]|[^.[]+)/;

/** Combines the rows of a table into a shape. Texts are never shown, since they may be secret, and fields without a row are not judged. */
export function tableShape(rows: readonly Row[]): Shape {
  const own = rows.find(({ path }) => path === "");
  const rowsBelow = new Map<string, Row[]>();
  for (const row of rows) {
    const [step] = FIRST_STEP.exec(row.path) ?? [];
    if (step === undefined) continue;
    const path = row.path.slice(step.length).replace(/^\./, "");
    append(rowsBelow, step, [{ ...row, path }]);
  }
  const below = [...rowsBelow].map(([step, rowsThere]) => [step, tableShape(rowsThere)] as const);
  return {
    judge(into, { path, value }, reading) {
      if (own) pushAll(into.faults, valueFaults(own, { path, value }));
      for (const [step, shape] of below)
        for (const place of placesAt(step, { path, value })) judgeInto(into, shape, place, reading);
    },
    ...(own ? { howTo: howTo(own), isNeeded: own.required === true } : { isElsewhere: true }),
  };
}

/** Null in lists of custom resources is reported by the one rule that checks all of them. */
function placesAt(step: string, { path, value }: Place): Place[] {
  if (step === "[]")
    return entriesOf(value).map((entry, position) => ({ path: `${path}[${position}]`, value: entry }));
  return isMap(value)
    ? [{ path: path === "" ? step : `${path}.${step}`, value: propertyOf(value, step) }]
    : [];
}
