import { parseAllDocuments } from "yaml";

import type { PropertyValue, Resource } from "../../src/resources/resource";
import { hostedCluster, networking, resource, type Properties } from "./builders";

type Document = Record<string, PropertyValue>;

/** The resources of an example, with the hosted cluster of all examples. */
export function exampleResources(text: string): Resource[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as Document);
  const parts = documents.filter((document) => !("type" in document) && !("kind" in document));
  const spec = Object.assign({}, ...parts) as Properties;
  const network: Properties = spec.networking
    ? { networking: networking("10.0.0.0/16", spec.networking as Properties) }
    : {};
  const others = documents.filter((document) => "type" in document || "kind" in document);
  return [hostedCluster({ ...spec, ...network }), ...others.map(resourceOf)];
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function resourceOf({ type, name, properties, ...object }: Document, position: number): Resource {
  if (typeof type === "string") return resource(engineType(type), text(name), properties as Properties);
  const { apiVersion, kind } = object;
  const version = text(apiVersion);
  const group = version.includes("/") ? version : `core/${version}`;
  const own = `${(object.metadata as { name: string }).name}-${position}`;
  return resource(`kubernetes:${group}:${text(kind)}`, own, object);
}

/** `aws:ec2/securityGroup:SecurityGroup` for `aws:ec2:SecurityGroup`. */
function engineType(type: string): string {
  const [pack, module, name] = type.split(":") as [string, string, string];
  return `${pack}:${module}/${name.charAt(0).toLowerCase()}${name.slice(1)}:${name}`;
}
