import { parsePrefix, type PrefixRules } from "../../address/parse";
import { readPrefix, type Prefix } from "../../address";
import { LIMIT } from "../../requirements/limits";
import { missing, refuse, shown } from "./findings";
import type { Findings } from "./findings";

/** An object with known keys; others are refused, with the key that was probably meant. */
export function readObject(
  findings: Findings,
  property: string,
  value: unknown,
  keys: readonly string[],
): Record<string, unknown> | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value !== "object" || Array.isArray(value))
    return refuse(findings, property, `${shown(value)} is no object`, `write an object with ${list(keys)}`);
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue;
    const meant = closest(key, keys);
    refuse(
      findings,
      property === "" ? key : `${property}.${key}`,
      "no such property",
      meant ? `did you mean ${meant}?` : `the properties are ${list(keys)}`,
    );
  }
  return value as Record<string, unknown>;
}

/** A list, of which each entry is read; entries that cannot be read are left out, with their faults. */
export function readList<Entry>(
  findings: Findings,
  property: string,
  value: unknown,
  readEntry: (property: string, entry: unknown) => Entry | undefined,
): Entry[] | undefined {
  if (missing(findings, property, value)) return undefined;
  if (!Array.isArray(value)) return refuse(findings, property, `${shown(value)} is no list`, "write a list");
  return value.flatMap((entry, position) => readEntry(`${property}[${position}]`, entry) ?? []);
}

export function readText(findings: Findings, property: string, value: unknown): string | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value === "string") return value;
  return refuse(findings, property, `${shown(value)} is no string`, "write a string");
}

export function readBoolean(findings: Findings, property: string, value: unknown): boolean | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value === "boolean") return value;
  return refuse(
    findings,
    property,
    `${shown(value)} is neither true nor false`,
    "write true or false, without quotes",
  );
}

/** A TCP port. */
export function readPort(findings: Findings, property: string, value: unknown): number | undefined {
  if (missing(findings, property, value)) return undefined;
  const { min, max } = LIMIT.port;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  return refuse(
    findings,
    property,
    `${shown(value)} is no port`,
    `write a whole number from ${min} to ${max}`,
  );
}

/** One of a few words. */
export function readWord<Word extends string>(
  findings: Findings,
  property: string,
  value: unknown,
  words: readonly Word[],
): Word | undefined {
  if (missing(findings, property, value)) return undefined;
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  const meant = typeof value === "string" ? closest(value, words) : undefined;
  return refuse(
    findings,
    property,
    `${shown(value)} is none of ${list(words)}`,
    meant ? `did you mean ${meant}?` : `write one of ${list(words)}`,
  );
}

/** A CIDR block. */
export function readCidr(
  findings: Findings,
  property: string,
  value: unknown,
  rules?: PrefixRules,
): Prefix | undefined {
  if (missing(findings, property, value)) return undefined;
  // What is right is read in a moment; the reader that knows what to say about the rest takes longer to load.
  const right = typeof value === "string" && rules === undefined ? readPrefix(value) : undefined;
  if (right) return right;
  const { prefix, problem, remedy } = parsePrefix(value, rules);
  return prefix ?? refuse(findings, property, problem ?? "", remedy ?? "");
}

/** A list of CIDR blocks; none where the property is absent. */
export function readCidrs(findings: Findings, property: string, value: unknown): Prefix[] {
  const read = (path: string, entry: unknown) =>
    demanded(findings, path, entry) && readCidr(findings, path, entry);
  return readList(findings, property, value, (path, entry) => read(path, entry) || undefined) ?? [];
}

/** Whether something stands where something has to. */
export function demanded(
  findings: Findings,
  property: string,
  value: unknown,
  remedy = "write a CIDR block",
): boolean {
  if (value !== undefined && value !== null) return true;
  refuse(findings, property, "missing", remedy);
  return false;
}

const list = (words: readonly string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : (words[0] ?? "nothing");

/** The word that was probably meant: at most a third of its letters differ, apart from case. */
export function closest(typed: string, words: readonly string[]): string | undefined {
  const near = (word: string) => Math.max(1, Math.floor(word.length / 3));
  const scored = words
    // Each letter that one has more is a step at least.
    .filter((word) => Math.abs(word.length - typed.length) <= near(word))
    .map((word) => ({ word, distance: editDistance(typed.toLowerCase(), word.toLowerCase()) }));
  const [best] = scored.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= near(best.word) ? best.word : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
