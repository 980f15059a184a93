import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { refuse } from "./refuse";

/**
 * Finds what is wrong with inputs. It meets UNKNOWN where a value is not known yet, at any depth, and says nothing
 * about what depends on it.
 */
export type FaultFinder = (inputs: PropertyValue) => readonly Fault[];

/**
 * The inputs, proved: plain values are refused here and now, Outputs as soon as they are known, before they reach a
 * resource that is made from the result. What a preview does not know waits for the update.
 * Values of secret inputs are masked in the message.
 */
export function checked<T>(
  component: pulumi.Resource,
  subject: string,
  inputs: T,
  faultsOf: FaultFinder,
): pulumi.Output<pulumi.Unwrap<T>> {
  const known = knownPart(inputs);
  refuse(component, subject, faultsOf(known));
  const resolved = pulumi.output(inputs);
  if (!holdsUnknown(known)) return resolved;
  const judged = resolved.apply(async (values) => {
    const faults = faultsOf(knownPart(values));
    const secrets = faults.length > 0 && (await pulumi.isSecret(resolved)) ? strings(values) : [];
    refuse(component, subject, faults, secrets);
    return values;
  });
  return judged;
}

/** The inputs as far as they are plain: UNKNOWN stands for every Output and Promise, undefined properties are left out. */
export function knownPart(value: unknown): PropertyValue {
  if (isEventual(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(knownPart);
  if (typeof value === "object" && value !== null) {
    const known = Object.entries(value).filter(([, entry]) => entry !== undefined);
    return Object.fromEntries(known.map(([key, entry]) => [key, knownPart(entry)]));
  }
  return value === undefined ? null : (value as PropertyValue);
}

/** One fault for each Output or Promise inside a value that decides which resources exist and so must be plain. */
export function plainnessFaults(path: string, value: unknown): Fault[] {
  if (isEventual(value)) {
    return [
      {
        path,
        problem: "is an Output, whose value is not known while resources are being declared",
        remedy: "give a plain value, for instance from configuration or a StackReference's getOutputValue",
      },
    ];
  }
  if (Array.isArray(value))
    return value.flatMap((entry, index) => plainnessFaults(`${path}[${index}]`, entry));
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, entry]) => plainnessFaults(`${path}.${key}`, entry));
  }
  return [];
}

/**
 * One fault for each required input that is absent. TypeScript says it while compiling, the other languages and
 * JavaScript only find out here. `required` maps the input to what has to be written there.
 */
export function missingInputFaults(
  inputs: object | null | undefined,
  required: Readonly<Record<string, string>>,
): Fault[] {
  const given: Readonly<Record<string, unknown>> = { ...inputs };
  return Object.entries(required)
    .filter(([name]) => given[name] === undefined || given[name] === null)
    .map(([path, remedy]) => ({ path, problem: "missing", remedy }));
}

function isEventual(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise || pulumi.Resource.isInstance(value);
}

function holdsUnknown(value: PropertyValue): boolean {
  if (value === UNKNOWN) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown);
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
