import type { PropertyValue, Resource } from "../resources/resource";
import { asStored } from "../resources/storedObject";

/** An object of Kubernetes, with its place in the document that holds it. */
export interface KubernetesObject {
  object: Readonly<Record<string, unknown>>;
  /** Empty for the document itself, `items[3]` in a list. */
  path: string;
}

/** The objects that a document holds: itself, or the items of a list. What is none of Kubernetes is left out. */
export function kubernetesObjects(document: unknown, path = ""): KubernetesObject[] {
  if (Array.isArray(document))
    return document.flatMap((entry, position) => kubernetesObjects(entry, `${path}[${position}]`));
  if (!isMap(document) || typeof document.kind !== "string" || typeof document.apiVersion !== "string")
    return [];
  if (document.kind.endsWith("List") && Array.isArray(document.items)) {
    const { items } = document;
    const kind = document.kind.slice(0, -"List".length);
    // Items of typed lists, as the API server answers them, do not repeat kind and version.
    const typed = (item: unknown) =>
      isMap(item) && kind !== "" ? { apiVersion: document.apiVersion, kind, ...item } : item;
    return items.flatMap((item, position) =>
      kubernetesObjects(typed(item), `${path === "" ? "" : `${path}.`}items[${position}]`),
    );
  }
  return [{ object: document, path }];
}

/** The record that rules judge, with the type token that Pulumi gives such an object. */
export function manifestResource({ object }: KubernetesObject, origin: Resource["origin"]): Resource {
  const { apiVersion, kind, metadata } = object as { apiVersion: string; kind: string; metadata?: unknown };
  const { name, generateName } = isMap(metadata) ? metadata : {};
  const type = `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;
  return {
    origin,
    type,
    name: [name, generateName].find((text) => typeof text === "string") ?? "unnamed",
    properties: asStored(type, object as { readonly [key: string]: PropertyValue }, "kubectl"),
  };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
