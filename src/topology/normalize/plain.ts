import { UNKNOWN } from "../../resources/resource";
import { refuse } from "./findings";
import type { Findings } from "./findings";

/**
 * A copy of what somebody handed in, in which everything that is no plain value has become UNKNOWN, with a fault for
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
