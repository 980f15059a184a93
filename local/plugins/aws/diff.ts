import { FILLED_IN } from "./check";
import type { Kind, Property, Props, Value } from "./kind";
import { hasUnknown } from "../provider/values";

export interface Difference {
  property: string;
  replaces: boolean;
  change: "add" | "delete" | "update";
}

/** A value in canonical form, in which equal values are equal text: sets sorted, empty values removed. */
export function canonical(property: Property, value: Value): Value {
  const normalized =
    property.normalize && value !== undefined && value !== null ? property.normalize(value as never) : value;
  if (Array.isArray(normalized)) {
    const items = normalized.map((item) => canonicalElement(property, item));
    if (items.length === 0) return undefined;
    return property.type === "set"
      ? items.sort((left, right) => compare(JSON.stringify(left), JSON.stringify(right)))
      : items;
  }
  if (typeof normalized === "object" && normalized !== null) {
    const map = canonicalElement(property, normalized) as Props;
    return Object.keys(map).length === 0 ? undefined : map;
  }
  return normalized === "" || normalized === null || normalized === false ? undefined : normalized;
}

function canonicalElement(property: Property, item: Value): Value {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
  const names = [...new Set([...Object.keys(item), ...Object.keys(property.element ?? {})])].sort(compare);
  const entries = names
    .filter((name) => name !== FILLED_IN)
    .map((name): [string, Value] => {
      const row = property.element?.[name];
      return [name, row === undefined ? item[name] : canonical(row, item[name] ?? row.default)];
    })
    .filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries);
}

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** Whether two values of a property mean the same. */
export function same(property: Property, left: Value, right: Value): boolean {
  return JSON.stringify(canonical(property, left)) === JSON.stringify(canonical(property, right));
}

/**
 * What must change so that an object in the state `actual` becomes what the program wants. `oldInputs` distinguishes the generated
 * name of an adopted object from a changed one: the interrupted create generated one suffix, the create that found its object
 * another.
 */
export function differences<State>(
  kind: Kind<State>,
  wanted: Props,
  actual: Props,
  oldInputs: Props = {},
): Difference[] {
  const replacing = new Set(
    hasUnknown(wanted) ? [] : (kind.replacedBy?.(wanted as State, actual as State) ?? []),
  );
  return Object.entries(kind.properties)
    .filter(([name, property]) => differs(name, property, wanted, actual, oldInputs))
    .map(([name, property]) => ({
      property: name,
      replaces: property.replaces === true || replacing.has(name),
      change: absent(property, wanted[name]) ? "delete" : absent(property, actual[name]) ? "add" : "update",
    }));
}

function differs(name: string, property: Property, wanted: Props, actual: Props, oldInputs: Props): boolean {
  const value = wanted[name];
  if (hasUnknown(value)) return true;
  if (value === undefined && (property.computed || property.autonamed)) return false;
  // Not only if `check` filled it in: with ignoreChanges the engine writes the old name into the inputs itself.
  if (property.autonamed && same(property, value, oldInputs[name])) return false;
  return !same(property, value, actual[name]);
}

/** The properties that `check` filled in. */
export function namesFilledIn(inputs: Props): string[] {
  const names = inputs[FILLED_IN];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
}

function absent(property: Property, value: Value): boolean {
  return canonical(property, value) === undefined;
}

/** Whether an object with the mark of a resource is the one that a lost create with these inputs made. */
export function sameIdentity<State>(kind: Kind<State>, wanted: Props, actual: Props): boolean {
  return differences(kind, wanted, actual).every(({ replaces }) => !replaces);
}
