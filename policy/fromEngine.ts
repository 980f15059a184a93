import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";

import { DEEPEST, TOO_DEEP } from "../src/collections";
import { MASKED } from "../src/plan/engineValue";
import { hasSharedLists } from "../src/gate/readBack";
import { providerByUrn } from "../src/plan/stackResource";
import { isKubernetes } from "../src/resources/resourceTypes";
import { asStored, knownProperties } from "../src/resources/storedObject";
import { UNKNOWN, type PropertyValue, type Resource } from "../src/resources/resource";
import { hideSecrets, SECRET, secretAsGiven } from "../src/resources/secrets";

export type Properties = { readonly [key: string]: PropertyValue };

/** A resource as the engine shows it before it is created: its inputs. */
export interface ShownInputs {
  resource: Resource;
  /** The inputs, with SECRET in place of secrets. */
  given: Properties;
}

export function resourceOfInputs(args: ResourceValidationArgs): ShownInputs {
  const { urn, type, name, props, opts } = args;
  const given = asStored(type, read(props, name), "pulumi");
  const resource = {
    origin: { urn },
    type,
    name,
    ...withoutSecrets(given),
    ...(opts?.parent && { parent: opts.parent }),
    ...providerOfObject(args),
  };
  return { resource, given };
}

/**
 * A resource as the engine shows it with the whole stack: its outputs. Among the outputs, values that the cloud decides later are
 * unknown even if the program does not set them; the inputs that were shown before tell whether it does.
 *
 * @param isRead whether the stack only reads the resource
 */
export function resourceOfStack(
  resource: PolicyResource,
  given: Properties | undefined,
  isRead: boolean,
): Resource {
  const { urn, type, name, props, opts, parent, propertyDependencies } = resource;
  const outputs = asStored(type, read(props, name), "pulumi");
  const parentUrn = opts?.parent ?? parent?.urn;
  const known = given ? knownProperties(type, secretAsGiven(outputs, given) as Properties, given) : outputs;
  return {
    origin: { urn },
    type,
    name,
    ...withoutSecrets(known),
    ...(given && hasSharedLists(type) && { inputs: withoutSecrets(given).properties }),
    ...(parentUrn && { parent: parentUrn }),
    ...(isRead && { isRead: true as const }),
    ...providerOfObject(resource),
    propertyDependencies: Object.fromEntries(
      Object.entries(propertyDependencies ?? {}).map(([key, resources]) => [
        key,
        resources.map((one) => one.urn),
      ]),
    ),
  };
}

/** The provider of a Kubernetes object, which identifies its cluster, as in a preview. */
const providerOfObject = ({
  type,
  provider,
}: Pick<PolicyResource, "type" | "provider">): Pick<Resource, "provider"> =>
  isKubernetes(type) && provider ? { provider: providerByUrn(provider.urn) } : {};

function withoutSecrets(read: Properties): Pick<Resource, "properties" | "secrets"> {
  const places = new Set<string>();
  const properties = hideSecrets(read, places);
  return { properties, ...(places.size > 0 && { secrets: [...places] }) };
}

/**
 * Copies a value, with UNKNOWN in place of unknown values and SECRET in place of secrets. The engine's objects throw when an unknown
 * value is read, and the engine then reduces the whole policy to a remark, so each value is read separately.
 */
export function plain(value: unknown, levels = DEEPEST): PropertyValue {
  if (value === MASKED) return SECRET;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  if (levels === 0) throw new TooDeep();
  const inside = levels - 1;
  if (Array.isArray(value))
    return Array.from({ length: value.length }, (_, position) => part(value, position, inside));
  return Object.fromEntries(Object.keys(value).map((key) => [key, part(value, key, inside)]));
}

class TooDeep extends Error {}

/** The properties of a resource. Throws if they are nested too deeply: the engine then shows the error and stops. */
function read(props: unknown, name: string): Properties {
  try {
    return plain(props) as Properties;
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    throw new Error(`${name}: a property ${TOO_DEEP.problem}: ${TOO_DEEP.remedy}`);
  }
}

/**
 * Whether an error means that an unknown value was read. Compares the name of the class, because a third-party pack may have
 * another copy of the policy library, with its own class.
 */
export const isUnknownValueError = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === "UnknownValueError";

function part(value: object, key: string | number, levels: number): PropertyValue {
  try {
    return plain((value as Record<string | number, unknown>)[key], levels);
  } catch (error) {
    if (isUnknownValueError(error)) return UNKNOWN;
    throw error;
  }
}
