import type { Fault } from "../../fault";
import type { ObjectField, ObjectRule } from "../../requirements/hostedClusterFields";
import { read, type Found } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { closest } from "../../topology/normalize/values";
import { isGiven, isList, isMap } from "../places";

/** Something that is wrong with an object, with the rule that says so. */
export interface ObjectFault extends Fault {
  rule: ObjectRule;
  /** True where only some versions of the API refuse it. */
  isWarning?: boolean;
}

/** What one field says, as far as it is there: faults, and the places whose values are not known yet. */
export interface FieldJudgement {
  faults: ObjectFault[];
  unknown: string[];
}

/**
 * What is wrong with one field of an object. No value is shown: whatever stands in a wrong place may be a secret.
 *
 * @param isPatch a patch may leave out what is demanded
 */
export function judgeField(object: PropertyValue, field: ObjectField, isPatch: boolean): FieldJudgement {
  const places = read(object, field.path);
  const missing = field.required && !isPatch ? missingPlaces(object, field.path) : [];
  return {
    faults: [
      ...missing.map((path) => fault(field, path, "missing", howTo(field))),
      ...places.flatMap((place) => placeFaults(field, place)),
    ],
    unknown: places.flatMap(({ path, value }) =>
      value === UNKNOWN && sameDepth(path, field.path) ? [path] : [],
    ),
  };
}

const fault = ({ rule }: ObjectField, path: string, problem: string, remedy: string): ObjectFault => ({
  path,
  problem,
  remedy,
  rule,
});

/** Whether a place is that of the field itself, and not of something around it. */
const sameDepth = (path: string, wanted: string): boolean => path.replaceAll(/\[\d+\]/g, "[]") === wanted;

/** The places of a field in objects that lack it. */
function missingPlaces(object: PropertyValue, path: string): string[] {
  const cut = path.lastIndexOf(".");
  const key = path.slice(cut + 1);
  return read(object, path.slice(0, cut)).flatMap(({ path: parent, value }) =>
    isMap(value) && !isGiven(value[key]) ? [`${parent}.${key}`] : [],
  );
}

function placeFaults(field: ObjectField, { path, value }: Found): ObjectFault[] {
  if (value === UNKNOWN) return [];
  if (!isOfType[field.type](value)) return [fault(field, path, NO_TYPE[field.type], howTo(field))];
  const problem = problemOf(field, value);
  return problem === undefined ? [] : [fault(field, path, problem, howTo(field, value))];
}

const isOfType: Readonly<Record<ObjectField["type"], (value: PropertyValue) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 31,
  flag: (value) => typeof value === "boolean",
  list: isList,
  object: isMap,
};

const NO_TYPE: Readonly<Record<ObjectField["type"], string>> = {
  text: "is no text",
  number: "is no whole number",
  flag: "is neither true nor false",
  list: "is no list",
  object: "is no object",
};

function problemOf(field: ObjectField, value: PropertyValue): string | undefined {
  const { words, size, range, form, distinct } = field;
  if (words && !words.some((word) => word === value)) return `is none of ${words.join(", ")}`;
  if (range && typeof value === "number" && (value < range.min || value > range.max))
    return `${value} is not from ${range.min} to ${range.max}`;
  const count = sizeOf(value);
  if (size && count !== undefined && (count < size.min || count > size.max))
    return count === 0 ? "is empty" : `has ${count} ${unitOf(value)}, and the API takes ${size.max} at most`;
  if (form && typeof value === "string" && !form.matches(value)) return `is not ${form.name}`;
  return distinct && isList(value) ? repeated(value) : undefined;
}

function sizeOf(value: PropertyValue): number | undefined {
  if (typeof value === "string" || isList(value)) return value.length;
  return isMap(value) ? Object.values(value).filter(isGiven).length : undefined;
}

const unitOf = (value: PropertyValue): string => (isList(value) ? "entries" : "characters");

function repeated(list: readonly PropertyValue[]): string | undefined {
  const again = list.findIndex((entry, position) => entry !== UNKNOWN && list.indexOf(entry) < position);
  return again < 0 ? undefined : `entry ${again} is entry ${list.indexOf(list[again]!)} once more`;
}

function howTo(
  { type, words, size, range, form, distinct, remedy }: ObjectField,
  value?: PropertyValue,
): string {
  if (remedy !== undefined) return remedy;
  const meant = words && typeof value === "string" ? closest(value, words) : undefined;
  if (meant !== undefined) return `did you mean ${meant}?`;
  if (words) return `write one of ${words.join(", ")}`;
  if (form) return form.remedy;
  if (range) return `write a whole number from ${range.min} to ${range.max}`;
  if (distinct) return `write each entry once, ${size?.max} at most`;
  if (type === "object") return "write something in it, or leave it out";
  if (type === "list" && size) return `write ${Math.max(size.min, 1)} to ${size.max} entries`;
  return `write ${ARTICLE[type]}`;
}

const ARTICLE = {
  text: "a text",
  number: "a whole number",
  flag: "true or false, without quotes",
  list: "a list",
  object: "an object",
} as const;
