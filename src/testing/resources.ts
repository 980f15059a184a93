import { kubernetesObjects, manifestResource } from "../plan/kubernetesObjects";
import type { PropertyValue, Resource } from "../resources/resource";

/**
 * A resource of a stack, as a preview shows it.
 *
 * @param type Pulumi type token: `aws:ec2/securityGroup:SecurityGroup`
 * @param name its name in the program
 * @param properties its properties; `UNKNOWN` stands for what the preview does not know, at any depth
 * @param from for properties that are made from other resources those resources: rules join by them, because ids are not
 *   known before the first update
 */
export function resource(
  type: string,
  name: string,
  properties: Readonly<Record<string, PropertyValue>>,
  from: Readonly<Record<string, Resource | readonly Resource[]>> = {},
): Resource {
  const sources = Object.entries(from).map(([property, given]) => [property, urnsOf(given)] as const);
  return {
    origin: { urn: `urn:pulumi:stack::project::${type}::${name}` },
    type,
    name,
    properties,
    propertyDependencies: Object.fromEntries(sources),
  };
}

const urnsOf = (given: Resource | readonly Resource[]): string[] =>
  (Array.isArray(given) ? (given as readonly Resource[]) : [given as Resource]).flatMap(
    ({ origin: { urn } }) => urn ?? [],
  );

/**
 * An object of Kubernetes, as a manifest has it. `UNKNOWN` stands for what is not known, at any depth.
 *
 * @throws Error where `apiVersion` or `kind` is missing
 */
export function manifest(object: Readonly<Record<string, PropertyValue>>): Resource {
  const [found] = kubernetesObjects(object);
  if (!found) throw new Error("manifest: apiVersion or kind is missing: write both");
  return manifestResource(found, { file: "manifest" });
}
