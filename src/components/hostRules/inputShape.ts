import type { Fault } from "../../fault";
import { UNKNOWN } from "../../resources/resource";

/** A value that a resource of the same program may still have to produce. */
export type Known<T> = T | typeof UNKNOWN;

/** Whether the user gave a value; absent and null mean the same. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as messages show it. */
export function shown(value: unknown): string {
  if (value === UNKNOWN) return "an Output";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

/** A key becomes part of resource names, so it has to be a plain word. */
export function keyFaults(path: string, key: string): Fault[] {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(key)) return [];
  return [
    {
      path,
      problem: `the key ${JSON.stringify(key)} cannot be part of a resource name`,
      remedy: "use letters, digits, dots, hyphens and underscores, beginning with a letter or digit",
    },
  ];
}

/** A whole number within limits. */
export function countFaults(
  path: string,
  value: unknown,
  from: number,
  to = Number.MAX_SAFE_INTEGER,
): Fault[] {
  if (Number.isInteger(value) && Number(value) >= from && Number(value) <= to) return [];
  const limits = to === Number.MAX_SAFE_INTEGER ? `from ${from}` : `from ${from} to ${to}`;
  return [{ path, problem: `${shown(value)} is no such number`, remedy: `write a whole number ${limits}` }];
}
