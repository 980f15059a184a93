import type { Fault } from "../fault";
import { closest } from "../topology/normalize/values";

/** A rule that does not exist would be ignored in silence, and its author believe in a gate that is not there. */
export function noSuchRule(rule: string, known: readonly string[], path = `rules.${rule}`): Fault {
  const meant = closest(rule, known);
  return {
    path,
    problem: "no such rule",
    remedy: meant ? `did you mean ${meant}?` : `the rules are ${known.join(", ")}`,
  };
}

/** A key that does not exist. */
export function noSuchKey(path: string, key: string, keys: readonly string[]): Fault {
  const meant = closest(key, keys);
  return {
    path,
    problem: "no such property",
    remedy: meant ? `did you mean ${meant}?` : `the properties are ${keys.join(", ")}`,
  };
}

/** Whether a value is an object with keys. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
