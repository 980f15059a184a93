import type { Fault } from "../../fault";
import { UNKNOWN } from "../../resources/resource";
import { parsePrefix, type PrefixRules } from "../../address/parse";
import { type Prefix, readPrefix } from "../../address";
import { STAND_IN } from "../addressBlocks";
import { inSentence } from "../../text";

/** Where the user wrote a property of a topology: `topology.release` for `release`. */
export type PathOf = (property: string) => string;

/** The results of reading a topology, except the topology itself. */
export interface Findings {
  pathOf: PathOf;
  faults: Fault[];
  warnings: Fault[];
  /** Properties whose value is not known yet, as the topology names them. */
  unknown: string[];
  /** Positions of entries that are wrong or not known yet, by list. */
  left: Record<string, number[]>;
  /** Properties that hold their default. */
  defaulted: string[];
  /** The blocks that have a key; UNKNOWN if not known yet. */
  blocks: Map<string, Prefix | typeof UNKNOWN>;
  /** Whether resources are planned by the keys of blocks that are not known yet, and faults are ignored. */
  planning: boolean;
}

export const noFindings = (path: string | PathOf, planning = false): Findings => ({
  pathOf: typeof path === "string" ? pathUnder(path) : path,
  faults: [],
  warnings: [],
  unknown: [],
  left: {},
  defaulted: [],
  blocks: new Map(),
  planning,
});

/** Paths of properties in one object: `topology`, `hostedClusters[2]`; an empty root adds nothing. */
export const pathUnder =
  (root: string): PathOf =>
  (property) =>
    property === "" || root === "" ? root + property : `${root}.${property}`;

/** The top-level property of a path: `machineNetwork` for `machineNetwork[0].cidr`. */
export const rootOf = (property: string): string => /^[^.[]*/.exec(property)?.[0] ?? property;

/** Records a fault; `rule` is the id of the rule that finds the same fault in plans, `code` the kind of fault. */
export function refuse(
  findings: Findings,
  property: string,
  problem: string,
  remedy: string,
  rule?: string,
  code?: string,
): undefined {
  const path = findings.pathOf(property);
  findings.faults.push({ path, problem, remedy, ...(rule && { rule }), ...(code && { code }) });
}

export function warn(findings: Findings, property: string, problem: string, remedy: string): undefined {
  findings.warnings.push({ path: findings.pathOf(property), problem, remedy });
}

/** Whether a value is absent or not known yet; records the latter. */
export function missing(
  findings: Findings,
  property: string,
  value: unknown,
): value is undefined | null | typeof UNKNOWN {
  if (value === UNKNOWN) findings.unknown.push(property);
  return value === UNKNOWN || value === undefined || value === null;
}

/** A value as faults show it: short, on one line. */
export function shortValue(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "function") return "a function";
  return String(value);
}

/**
 * Copies the caller's input, replacing everything that is not a plain value by UNKNOWN, with a fault for each.
 * Plain is what JSON can hold. Outputs are recognized by their shape, so that this code does not depend on Pulumi.
 */
export function plainCopy(
  findings: Findings,
  property: string,
  value: unknown,
  around: readonly object[] = [],
): unknown {
  const foreign = foreignKind(value);
  if (foreign) {
    refuse(
      findings,
      property,
      `${foreign} is not a plain value`,
      "it decides which resources exist, so give the value itself, for example from the stack's configuration" +
        (foreign === "an Output" ? "; an address may be an Output under a key of addresses" : ""),
    );
    return UNKNOWN;
  }
  if (typeof value !== "object" || value === null) return value;
  if (around.includes(value)) {
    refuse(findings, property, "the object contains itself", "write each value once");
    return UNKNOWN;
  }
  const inside = [...around, value];
  if (Array.isArray(value))
    return value.map((entry, position) => plainCopy(findings, `${property}[${position}]`, entry, inside));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      plainCopy(findings, property === "" ? key : `${property}.${key}`, entry, inside),
    ]),
  );
}

/** What a value is, if it is not plain. */
function foreignKind(value: unknown): string | undefined {
  if (value === UNKNOWN || value === STAND_IN) return undefined;
  // An Output is a proxy around an object in the newest SDKs, and always identifies itself.
  if (isObjectLike(value) && "__pulumiOutput" in value) return "an Output";
  if (isObjectLike(value) && "then" in value && typeof value.then === "function") return "a Promise";
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol" || typeof value === "bigint") return `a ${typeof value}`;
  if (value instanceof Map || value instanceof Set || value instanceof Date)
    return `a ${value.constructor.name}`;
  return undefined;
}

function isObjectLike(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Reads an object with known keys; refuses others and suggests the key that was probably meant. */
export function readObject(
  findings: Findings,
  property: string,
  value: unknown,
  keys: readonly string[],
): Record<string, unknown> | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value !== "object" || Array.isArray(value))
    return refuse(
      findings,
      property,
      `${shortValue(value)} is not an object`,
      `write an object with ${list(keys)}`,
    );
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

/** Reads each entry of a list; leaves out entries that cannot be read and records their faults. */
export function readList<Entry>(
  findings: Findings,
  property: string,
  value: unknown,
  readEntry: (property: string, entry: unknown) => Entry | undefined,
  remedy = "write a list",
): Entry[] | undefined {
  if (missing(findings, property, value)) return undefined;
  if (!Array.isArray(value)) return refuse(findings, property, `${shortValue(value)} is not a list`, remedy);
  return value.flatMap((entry, position) => {
    const read = readEntry(`${property}[${position}]`, entry);
    if (read === undefined) (findings.left[property] ??= []).push(position);
    return read ?? [];
  });
}

export function readText(findings: Findings, property: string, value: unknown): string | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value === "string") return value;
  return refuse(findings, property, `${shortValue(value)} is not a string`, stringFor(value));
}

/** How to write a string instead of another value: YAML reads `n` and `443` without quotes as other values. */
export const stringFor = (value: unknown): string =>
  typeof value === "object" ? "write a string" : "write it in quotes";

export function readBoolean(findings: Findings, property: string, value: unknown): boolean | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value === "boolean") return value;
  return refuse(
    findings,
    property,
    `${shortValue(value)} is neither true nor false`,
    "write true or false, without quotes",
  );
}

/** Reads a whole number within limits; `what` names it in faults, which have a rule and a code as in `refuse`. */
export function readWhole(
  findings: Findings,
  property: string,
  value: unknown,
  { min, max }: { min: number; max: number },
  what = "number that fits here",
  rule?: string,
  code?: string,
): number | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  return refuse(
    findings,
    property,
    `${shortValue(value)} is not a ${what}`,
    `write a whole number from ${min} to ${max}`,
    rule,
    code,
  );
}

/** Reads one of a few words. */
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
    `${shortValue(value)} is not one of ${list(words)}`,
    meant ? `did you mean ${meant}?` : `write one of ${list(words)}`,
  );
}

/** Reads a CIDR block, or the key of one. */
export function readCidr(
  findings: Findings,
  property: string,
  given: unknown,
  rules?: PrefixRules,
): Prefix | undefined {
  const block = typeof given === "string" ? findings.blocks.get(given) : undefined;
  const value = block === undefined ? given : rules && block !== UNKNOWN ? block.text : block;
  if (missing(findings, property, value)) return undefined;
  if (typeof value === "object" && value === block) return block;
  // Valid blocks are read fast; the parser that explains invalid ones takes longer to load.
  const right = typeof value === "string" && rules === undefined ? readPrefix(value) : undefined;
  if (right) return right;
  const { prefix, problem, remedy } = parsePrefix(value, rules);
  if (prefix) return prefix;
  const meant = typeof value === "string" ? closest(value, [...findings.blocks.keys()]) : undefined;
  return refuse(findings, property, problem ?? "", meant ? `did you mean ${meant}?` : (remedy ?? ""));
}

/** Reads a list of CIDR blocks; empty if the property is absent. */
export function readCidrs(findings: Findings, property: string, value: unknown): Prefix[] {
  const read = (path: string, entry: unknown) =>
    demanded(findings, path, entry) ? readCidr(findings, path, entry) : undefined;
  const remedy = typeof value === "string" && readPrefix(value) ? `write [${value}]` : "write a list";
  return readList(findings, property, value, read, remedy) ?? [];
}

/** Whether a required value is present; records a fault if not. */
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

const list = (words: readonly string[]) => (words.length === 0 ? "nothing" : inSentence(words, "or"));

/** The word that was probably meant: at most a third of its letters differ, apart from case. */
export function closest(typed: string, words: readonly string[]): string | undefined {
  const near = (word: string) => Math.max(1, Math.floor(word.length / 3));
  const scored = words
    // A difference in length costs at least one step for each letter.
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
