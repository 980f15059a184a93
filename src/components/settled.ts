import * as pulumi from "@pulumi/pulumi";
import { UNKNOWN, type PropertyValue } from "../resources/resource";

/** A secret among inputs: where it stands, and the values that it holds. */
export interface Secret {
  /** The place as faults name it: `additionalRules.ssh.cidr`, `rules[3].cidr`. */
  path: string;
  values: readonly string[];
}

/** Inputs whose Outputs have settled. */
export interface Settled {
  /** The inputs with every value that is known; UNKNOWN where a preview does not know it, at any depth. */
  known: PropertyValue;
  secrets: readonly Secret[];
}

/** Whether a value is there later than its program: an Output, a Promise, a resource, or what a preview does not know. */
export function isEventual(value: unknown): boolean {
  return (
    pulumi.Output.isInstance(value) ||
    value instanceof Promise ||
    pulumi.Resource.isInstance(value) ||
    pulumi.isUnknown(value)
  );
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

/** Waits for every Output among inputs. A preview does not know all of them, and those keep none of the others back. */
export async function settled(inputs: unknown): Promise<Settled> {
  const secrets: Secret[] = [];
  const known = await settle(inputs, "", secrets);
  return { known: known ?? null, secrets };
}

/** The known part of one value; undefined where an Output turns out to hold nothing. */
async function settle(value: unknown, path: string, secrets: Secret[]): Promise<PropertyValue | undefined> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return settleOutput(value, path, secrets);
  if (isEventual(value)) return UNKNOWN;
  if (Array.isArray(value)) {
    const entries = value.map((entry, index) => settle(entry, `${path}[${index}]`, secrets));
    return (await Promise.all(entries)).map((entry) => entry ?? null);
  }
  if (typeof value !== "object" || value === null) return value as PropertyValue | undefined;
  const entries = Object.entries(value).map(
    async ([key, entry]) =>
      [key, await settle(entry, path === "" ? key : `${path}.${key}`, secrets)] as const,
  );
  return Object.fromEntries(
    (await Promise.all(entries)).filter(([, entry]) => entry !== undefined),
  ) as PropertyValue;
}

/**
 * The SDK's public API passes an Output on as a whole or not at all. This method, by which its versions read each other's
 * Outputs, tells what is known of one that holds values which are not.
 */
interface PartlyKnown {
  promise(withUnknowns: true): Promise<unknown>;
}

async function settleOutput(
  value: unknown,
  path: string,
  secrets: Secret[],
): Promise<PropertyValue | undefined> {
  const output = pulumi.output(value);
  const [held, isSecret] = await Promise.all([
    (output as unknown as PartlyKnown).promise(true),
    pulumi.isSecret(output),
  ]);
  if (isSecret) secrets.push({ path, values: texts(held) });
  return held === undefined ? undefined : knownPart(held);
}

/** Everything in a value that a message could show. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number" || typeof value === "boolean") return [`${value}`];
  return typeof value === "object" && value !== null && !isEventual(value)
    ? Object.values(value).flatMap(texts)
    : [];
}
