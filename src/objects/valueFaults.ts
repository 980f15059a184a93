import type { Fault } from "../fault";
import type { ValueDemand } from "../requirements/valueDemand";
import { type Found, isGiven, isList, isMap } from "../resources/read";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { closest } from "../topology/normalize/values";

/**
 * What is wrong with one value, for itself.
 *
 * @param shows the value in the words of the fault; without it none is shown: what stands in a wrong place may be a secret
 */
export function valueFaults(
  demand: ValueDemand,
  { path, value }: Found,
  shows?: (value: PropertyValue) => string,
): Fault[] {
  if (value === UNKNOWN) return [];
  const said = (problem: string) => (shows ? `${shows(value)} ${problem}` : problem);
  if (!isOfType[demand.type](value))
    return [{ path, problem: said(NO_TYPE[demand.type]), remedy: howTo(demand) }];
  const problem = problemOf(demand, value, said);
  return problem === undefined ? [] : [{ path, problem, remedy: howTo(demand, value) }];
}

const isOfType: Readonly<Record<ValueDemand["type"], (value: PropertyValue) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 31,
  flag: (value) => typeof value === "boolean",
  list: isList,
  object: isMap,
};

const NO_TYPE: Readonly<Record<ValueDemand["type"], string>> = {
  text: "is no text",
  number: "is no whole number",
  flag: "is neither true nor false",
  list: "is no list",
  object: "is no object",
};

function problemOf(
  { words, size, range, form, distinct }: ValueDemand,
  value: PropertyValue,
  said: (problem: string) => string,
): string | undefined {
  if (words && !words.some((word) => word === value)) return said(`is none of ${words.join(", ")}`);
  if (range && typeof value === "number" && (value < range.min || value > range.max))
    return `${value} is not from ${range.min} to ${range.max}`;
  const wrongSize = size && sizeProblem(value, size);
  if (wrongSize !== undefined) return wrongSize;
  if (form && typeof value === "string" && !form.matches(value)) return said(`is not ${form.name}`);
  return distinct && isList(value) ? repeated(value) : undefined;
}

function sizeProblem(value: PropertyValue, { min, max }: { min: number; max: number }): string | undefined {
  if (isMap(value)) {
    const given = Object.keys(value).filter((key) => isGiven(value[key]));
    // One that is not known may come to nothing.
    const known = given.filter((key) => value[key] !== UNKNOWN);
    if (given.length < min) return "is empty";
    if (known.length <= max) return undefined;
    const which = known.length > FEW ? `${known.length} properties` : known.join(" and ");
    return `has ${which}, and the API takes ${max}`;
  }
  if (typeof value !== "string" && !isList(value)) return undefined;
  // The API counts characters, not the halves of some of them.
  const count = isList(value) ? value.length : value.length > max ? [...value].length : value.length;
  if (count >= min && count <= max) return undefined;
  const unit = isList(value) ? "entries" : "characters";
  return count === 0 ? "is empty" : `has ${count} ${unit}, and the API takes ${max} at most`;
}

/** So many properties are named. */
const FEW = 4;

function repeated(list: readonly PropertyValue[]): string | undefined {
  const again = list.findIndex((entry, position) => entry !== UNKNOWN && list.indexOf(entry) < position);
  return again < 0 ? undefined : `entry ${again} is entry ${list.indexOf(list[again]!)} once more`;
}

/** The way out: how to write a value. */
export function howTo(
  { type, words, size, range, form, distinct, remedy }: ValueDemand,
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
