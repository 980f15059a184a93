/**
 * A property value as provider authors see it: secrets are unwrapped (see secrets.ts), and a value that a preview does not know yet
 * is `UNKNOWN_VALUE`.
 */
export type Value =
  string | number | boolean | null | undefined | Value[] | { [name: string]: Value } | Secret;
/** The properties of a resource. */
export interface Props {
  [name: string]: Value;
}

/** The engine's representation of an unknown string, or of any unknown value. */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's representations of unknown values of other types: boolean, number, array, asset, archive, object. */
const typedUnknowns = new Set([
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** A value that a provider returns as a secret although no input was secret, such as a generated password. */
export class Secret {
  constructor(readonly value: Value) {}
}

/** Whether the value itself is unknown. */
export const isUnknown = (value: Value): boolean => value === UNKNOWN_VALUE;

/** Whether the value or any part of it is unknown. */
export function hasUnknown(value: Value): boolean {
  if (value instanceof Secret) return hasUnknown(value.value);
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (isMap(value)) return Object.values(value).some(hasUnknown);
  return isUnknown(value);
}

/** Whether the value is a map: neither a list, a secret nor null. */
export function isMap(value: Value): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

/** Converts all representations of unknown values to one. */
export function withOneUnknown(value: string): string {
  return typedUnknowns.has(value) ? UNKNOWN_VALUE : value;
}

/** Whether plain values are deeply equal; the order of a map's entries does not matter. */
export function equal(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left instanceof Secret) return equal(left.value, right);
  if (right instanceof Secret) return equal(left, right.value);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equal(item, right[index]));
  }
  if (!isMap(left) || !isMap(right)) return false;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => equal(left[name], right[name]));
}
