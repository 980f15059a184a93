import { UnknownValueError, type PolicyResource, type ResourceValidationArgs } from "@pulumi/policy";

import { knownProperties } from "../src/resources/knownProperties";
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
    properties: inputs ? knownProperties(type, outputs, inputs.properties) : outputs,
    ...(parentUrn && { parent: parentUrn }),
    propertyDependencies: Object.fromEntries(
      Object.entries(propertyDependencies ?? {}).map(([key, resources]) => [
        key,
        resources.map((one) => one.urn),
      ]),
    ),
  };
}

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
