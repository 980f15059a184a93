import type { Fault } from "../../fault";
import { UNKNOWN } from "../../resources/resource";

/** What reading a topology brings up, beside the topology. */
export interface Findings {
  /** How the caller names the topology: `topology`, `hostedClusters[2]`. */
  root: string;
  faults: Fault[];
  warnings: Fault[];
  /** Properties whose value is not known yet, as the topology names them. */
  unknown: string[];
  /** Properties that hold their default. */
  defaulted: string[];
}

export const noFindings = (root: string): Findings => ({
  root,
  faults: [],
  warnings: [],
  unknown: [],
  defaulted: [],
});

/** The path of a property, as the user writes it. */
export const pathOf = ({ root }: Findings, property: string) =>
  property === "" ? root : `${root}.${property}`;

/** Notes a fault; `rule` is the id of the rule that finds the same in plans, `code` the kind of fault. */
export function refuse(
  findings: Findings,
  property: string,
  problem: string,
  remedy: string,
  rule?: string,
  code?: string,
): undefined {
  const path = pathOf(findings, property);
  findings.faults.push({ path, problem, remedy, ...(rule && { rule }), ...(code && { code }) });
}

export function warn(findings: Findings, property: string, problem: string, remedy: string): undefined {
  findings.warnings.push({ path: pathOf(findings, property), problem, remedy });
}

/** Whether a value is absent or not known yet; the latter is noted. */
export function missing(
  findings: Findings,
  property: string,
  value: unknown,
): value is undefined | null | typeof UNKNOWN {
  if (value === UNKNOWN) findings.unknown.push(property);
  return value === UNKNOWN || value === undefined || value === null;
}

/** A value in the words of a fault: short, on one line. */
export function shown(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/**
 * A copy of what the caller handed in, in which everything that is no plain value has become UNKNOWN, with a fault for
 * each. Plain is what JSON can hold. Outputs are told by their shape, so that nothing here knows of Pulumi.
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
      `${foreign} is no plain value`,
      "it decides which resources exist, so give the value itself, for example from the stack's configuration",
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

/** What a value is, where it is no plain one. */
function foreignKind(value: unknown): string | undefined {
  if (value === UNKNOWN) return undefined;
  // An Output is a proxy around an object in the newest SDKs, and always says so itself.
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
