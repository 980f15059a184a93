import { UnknownValueError, type PolicyResource, type ResourceValidationArgs } from "@pulumi/policy";

import { UNKNOWN, type PropertyValue, type Resource } from "../src/resources/resource";

type Properties = { readonly [key: string]: PropertyValue };

/** A resource as the engine shows it before it is created: its inputs. */
export function resourceOfInputs({ urn, type, name, props, opts }: ResourceValidationArgs): Resource {
  return {
    origin: { urn },
    type,
    name,
    properties: plain(props) as Properties,
    ...(opts?.parent && { parent: opts.parent }),
  };
}

/**
 * A resource as the engine shows it when the whole stack is known: its outputs. What the cloud decides later is unknown
 * among the outputs although nobody asked for it; `inputs`, which were shown before, say whether somebody did.
 */
export function resourceOfStack(resource: PolicyResource, inputs: Resource | undefined): Resource {
  const { urn, type, name, props, opts, parent, propertyDependencies } = resource;
  const outputs = plain(props) as Properties;
  const parentUrn = opts?.parent ?? parent?.urn;
  return {
    origin: { urn },
    type,
    name,
    properties: inputs ? (withInputs(outputs, inputs.properties) as Properties) : outputs,
    ...(parentUrn && { parent: parentUrn }),
    propertyDependencies: Object.fromEntries(
      Object.entries(propertyDependencies ?? {}).map(([key, resources]) => [
        key,
        resources.map((one) => one.urn),
      ]),
    ),
  };
}

/** Outputs, with the inputs where an output is not known; what was never put in is absent. */
function withInputs(output: PropertyValue, input: PropertyValue | undefined): PropertyValue {
  if (output === UNKNOWN) return input ?? null;
  if (Array.isArray(output)) return withEntries(output as PropertyValue[], input);
  if (typeof output !== "object" || output === null) return output;
  const given = isObject(input) ? input : {};
  const known = Object.entries(output).map(([key, value]) => [key, withInputs(value, given[key])] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== null));
}

function withEntries(output: readonly PropertyValue[], input: PropertyValue | undefined): PropertyValue {
  const given = Array.isArray(input) && input.length === output.length ? (input as PropertyValue[]) : [];
  return output.map((value, position) =>
    agree(value, given[position]) ? withInputs(value, given[position]) : value,
  );
}

/** Sets come back in another order: an entry belongs to an input only where nothing contradicts it. */
function agree(output: PropertyValue, input: PropertyValue | undefined): boolean {
  if (!isObject(output) || !isObject(input)) return output === UNKNOWN ? input !== undefined : true;
  return Object.entries(output).every(
    ([key, value]) => typeof value === "object" || value === UNKNOWN || (input[key] ?? value) === value,
  );
}

const isObject = (value: PropertyValue | undefined): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A copy in which UNKNOWN stands for what is not known. The engine's objects throw where such a value is read, and the
 * engine then drops the whole policy to a remark, so each value is read by itself.
 */
export function plain(value: unknown): PropertyValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value))
    return Array.from({ length: value.length }, (_, position) => part(value, position));
  return Object.fromEntries(Object.keys(value).map((key) => [key, part(value, key)]));
}

function part(value: object, key: string | number): PropertyValue {
  try {
    return plain((value as Record<string | number, unknown>)[key]);
  } catch (error) {
    if (error instanceof UnknownValueError) return UNKNOWN;
    throw error;
  }
}
