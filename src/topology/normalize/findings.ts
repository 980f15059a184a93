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

/** Notes a fault; `rule` is the id of the rule that finds the same in plans. */
export function refuse(
  findings: Findings,
  property: string,
  problem: string,
  remedy: string,
  rule?: string,
): undefined {
  findings.faults.push({ path: pathOf(findings, property), problem, remedy, ...(rule && { rule }) });
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
