import type { Fault } from "../fault";
import { LIMIT } from "../requirements/limits";
import { isLabelName, isPortName, isSubdomainName, PORT_NAME_FORM } from "../requirements/names";
import {
  type Found,
  isGiven,
  isList,
  isMap,
  type Place,
  type PropertyMap,
  readValue,
} from "../resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";
import { closest, shortValue } from "../topology/normalize/values";
import type { ValueDemand } from "../requirements/hostedCluster/forms";
import { inSentence } from "../text";

/** The code of faults about unknown properties. */
export const UNKNOWN_PROPERTY = "unknown-property";

/** What happens to a custom resource with an unknown property. */
export const PROPERTY_DROPPED =
  "kubectl refuses the object, and without strict validation the API server drops the property";

/** One fault for each unknown property, with the property that was probably meant. */
export function unknownKeyFaults(path: string, value: PropertyMap, keys: readonly string[]): Fault[] {
  return Object.keys(value)
    .filter((key) => !keys.includes(key))
    .map((key) => {
      const meant = closest(key, keys);
      const remedy = meant ? `did you mean ${meant}?` : `the properties are ${keys.join(", ")}`;
      const at = path === "" ? key : `${path}.${key}`;
      return { path: at, problem: "no such property", remedy, code: UNKNOWN_PROPERTY };
    });
}

/** Unknown properties of a custom resource as a whole. Only files have it as it was written. */
export const objectKeyFaults = ({ origin, properties }: Resource): Fault[] =>
  origin.urn === undefined ? unknownKeyFaults("", properties, OBJECT_KEYS) : [];

/** The properties of an object. */
export const OBJECT_KEYS = ["apiVersion", "kind", "metadata", "spec", "status"];

/** Faults of a value that must be one of a few words, exactly. `needs` names what requires the word: `a port needs `. */
export function wordFaults({ path, value }: Place, words: readonly string[], needs = ""): Fault[] {
  if (value === UNKNOWN || words.some((word) => word === value)) return [];
  const choice = inSentence(words, "or");
  if (!isGiven(value))
    return [{ path, problem: "missing", remedy: needs ? `${needs}${choice}` : `write ${choice}` }];
  const meant = typeof value === "string" ? closest(value, words) : undefined;
  return [{ path, problem: `${shownText(value)} is not ${choice}`, remedy: `write ${meant ?? choice}` }];
}

/** Faults of a TCP, UDP or SCTP port. */
export function portFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const { min, max } = LIMIT.port;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  const remedy = `write a whole number from ${min} to ${max}`;
  return [{ path, problem: `${shownText(value)} is not a port`, remedy }];
}

/** Faults of a text that must have a form. */
const textFaults =
  (matches: (text: string) => boolean, form: string, remedy: string) =>
  ({ path, value }: Found): Fault[] =>
    value === UNKNOWN || (typeof value === "string" && matches(value))
      ? []
      : [{ path, problem: `${shownText(value)} is not ${form}`, remedy }];

/** Faults of the name of a port. */
export const portNameFaults = textFaults(isPortName, "a port name", `write ${PORT_NAME_FORM}`);

/** Faults of a name that must be a DNS label, such as the name of a namespace or HostedCluster. */
export const labelNameFaults = textFaults(
  isLabelName,
  "a Kubernetes name",
  `write at most ${LIMIT.labelLength} lowercase letters, digits and hyphens`,
);

/** Faults of a name that must be a DNS subdomain, such as the name of a node and of most objects. */
export const subdomainNameFaults = textFaults(
  isSubdomainName,
  "a Kubernetes name",
  `write at most ${LIMIT.subdomainLength} lowercase letters, digits, hyphens and dots`,
);

const labelName = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Whether a text is a name, optionally with a domain and a slash before it. */
function isLabelKey(text: string): boolean {
  const parts = text.split("/");
  const isPrefixed = parts.length === 2 && isSubdomainName(parts[0]!);
  return (parts.length === 1 || isPrefixed) && labelName.test(parts.at(-1)!);
}
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** Faults of the key of a label or a taint. */
export const labelKeyFaults = textFaults(isLabelKey, "a label key", "write name or prefix.example.com/name");

/** Faults of the value of a label or a taint. */
export const labelValueFaults = textFaults(
  (text) => labelValue.test(text),
  "a label value",
  `write a string of at most ${LIMIT.labelLength} letters, digits, hyphens, dots and underscores, in quotes`,
);

/** Faults of a map of Kubernetes labels. */
export function labelFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isMap(value)) return [{ path, problem: "is not a map", remedy: "write labels as key: value" }];
  return Object.entries(value).flatMap(([key, entry]) => {
    const at = `${path}.${key}`;
    return [...labelKeyFaults({ path: at, value: key }), ...labelValueFaults({ path: at, value: entry })];
  });
}

/** Faults of an object's own labels. Values that are not texts are reported with those of all objects. */
export function ownLabelFaults({ properties }: Resource): Fault[] {
  const path = "metadata.labels";
  const value = readValue(properties, path);
  if (!isMap(value)) return [];
  const texts = Object.entries(value).filter(([, entry]) => typeof entry === "string");
  return labelFaults({ path, value: Object.fromEntries(texts) });
}

/** A value as it is shown in a fault: short, on one line. Only for values that cannot be secret. */
export const shownText: (value: PropertyValue | undefined) => string = shortValue;

/**
 * Faults of one value, without regard to other values.
 *
 * @param shows formats the value for the fault; without it only numbers and switches are shown, because a misplaced value may be a secret
 */
export function valueFaults(
  demand: ValueDemand,
  { path, value }: Found,
  shows?: (value: PropertyValue) => string,
): Fault[] {
  if (value === UNKNOWN) return [];
  const shown = shows ?? (isNoSecret(demand, value) ? shownText : undefined);
  const said = (problem: string) => (shown ? `${shown(value)} ${problem}` : problem);
  if (!isOfType[demand.type](value))
    return [{ path, problem: said(NOT_OF_TYPE[demand.type]), remedy: howTo(demand) }];
  const problem = problemOf(demand, value, said);
  return problem === undefined ? [] : [{ path, problem, remedy: howTo(demand, value) }];
}

/** A number or a switch in a place for one is no secret, also if it is written as a string. */
const isNoSecret = ({ type }: ValueDemand, value: PropertyValue): boolean =>
  (type === "number" || type === "flag") &&
  /^(?:-?\d{1,9}(?:\.\d{1,9})?|true|false)$/.test(textOfPlain(value));

const textOfPlain = (value: PropertyValue): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

const isOfType: Readonly<Record<ValueDemand["type"], (value: PropertyValue) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 31,
  flag: (value) => typeof value === "boolean",
  list: isList,
  object: isMap,
};

/** The problem text for a value of another type. */
export const NOT_OF_TYPE: Readonly<Record<ValueDemand["type"], string>> = {
  text: "is not a string",
  number: "is not a whole number",
  flag: "is neither true nor false",
  list: "is not a list",
  object: "is not an object",
};

const listed = (words: readonly string[]): string => words.map((word) => word || '""').join(", ");

function problemOf(
  { words, size, range, form, distinct }: ValueDemand,
  value: PropertyValue,
  said: (problem: string) => string,
): string | undefined {
  if (words && !words.some((word) => word === value)) return said(`is not one of ${listed(words)}`);
  if (range && typeof value === "number" && (value < range.min || value > range.max))
    return isOpen(range)
      ? `${value} is less than ${range.min}`
      : `${value} is not from ${range.min} to ${range.max}`;
  const wrongSize = size && sizeProblem(value, size);
  if (wrongSize !== undefined) return wrongSize;
  if (form && typeof value === "string" && !form.matches(value)) return said(`is not ${form.name}`);
  return distinct && isList(value) ? repeated(value) : undefined;
}

function sizeProblem(value: PropertyValue, { min, max }: { min: number; max: number }): string | undefined {
  if (isMap(value)) {
    const given = Object.keys(value).filter((key) => isGiven(value[key]));
    // An unknown value may turn out to be null.
    const known = given.filter((key) => value[key] !== UNKNOWN);
    if (given.length < min) return "is empty";
    if (known.length <= max) return undefined;
    const which = known.length > FEW ? `${known.length} properties` : known.join(" and ");
    return `has ${which}, and the API accepts ${max}`;
  }
  if (typeof value !== "string" && !isList(value)) return undefined;
  // The API counts characters, not UTF-16 code units.
  const count = isList(value) ? value.length : value.length > max ? [...value].length : value.length;
  if (count >= min && count <= max) return undefined;
  const unit = isList(value) ? "entries" : "characters";
  return count === 0
    ? "is empty"
    : `has ${count} ${unit}, and at most ${max} ${max === 1 ? "is" : "are"} allowed`;
}

/** Up to this number, properties are named. */
const FEW = 4;

function repeated(list: readonly PropertyValue[]): string | undefined {
  const again = list.findIndex((entry, position) => entry !== UNKNOWN && list.indexOf(entry) < position);
  return again < 0 ? undefined : `entry ${again} repeats entry ${list.indexOf(list[again]!)}`;
}

/** The fix: how to write a value. */
export function howTo(
  { type, words, size, range, form, distinct, remedy }: ValueDemand,
  value?: PropertyValue,
): string {
  if (remedy !== undefined) return remedy;
  const meant = words && typeof value === "string" ? closest(value, words) : undefined;
  if (meant !== undefined) return `did you mean ${meant}?`;
  if (words) return `write one of ${listed(words)}`;
  if (form) return form.remedy;
  if (range) return `write a whole number from ${range.min} ${isOpen(range) ? "on" : `to ${range.max}`}`;
  if (distinct) return `write each entry once, ${size?.max} at most`;
  if (type === "object") return "write something in it, or leave it out";
  if (type === "list" && size && isOpen(size)) return "write something in it, or leave it out";
  if (type === "list" && size) return `write ${Math.max(size.min, 1)} to ${size.max} entries`;
  if (size && !isOpen(size) && typeof value === "string") return `write at most ${size.max} characters`;
  return `write ${OF_TYPE[type]}`;
}

/** A range with a minimum and no maximum. */
export const from = (min: number) => ({ min, max: Number.MAX_SAFE_INTEGER });

const isOpen = ({ max }: { max: number }): boolean => max === Number.MAX_SAFE_INTEGER;

/** The name of each type in a fix. */
export const OF_TYPE = {
  text: "a string",
  number: "a whole number, without quotes",
  flag: "true or false, without quotes",
  list: "a list",
  object: "an object",
} as const;
