import { isObject, read, readFlag, readText, readValue } from "./read";
import type { PropertyValue } from "./resource";

/** The text at a path, without spaces around it; empty where there is none, or it is not known yet. */
export function textAt(object: PropertyValue | undefined, path: string): string {
  const text = readText(object, path);
  return typeof text === "string" ? text.trim() : "";
}

/** The name of a Kubernetes object; empty where it has none. */
export const nameOf = (object: PropertyValue | undefined): string => textAt(object, "metadata.name");

/** Where the API server puts an object that names no namespace. */
export const API_NAMESPACE = "default";

/** An annotation of a Kubernetes object; an empty one is there. */
export const annotationOf = (object: PropertyValue | undefined, key: string): string | undefined =>
  entryAt(object, "metadata.annotations", key);

/** A label of a Kubernetes object; an empty one is there. */
export const labelOf = (object: PropertyValue | undefined, key: string): string | undefined =>
  entryAt(object, "metadata.labels", key);

/** Dots in a key are no steps of a path. */
function entryAt(object: PropertyValue | undefined, path: string, key: string): string | undefined {
  const entries = readValue(object, path);
  const value = isObject(entries) && Object.hasOwn(entries, key) ? entries[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/**
 * The kind of the controller that writes an object, and would write it again after a change: `ReplicaSet`,
 * `HostedControlPlane`. Undefined: only people and their tools. (Kubernetes, Owners and Dependents)
 */
export function controllerOf(object: PropertyValue): string | undefined {
  const owner = read(object, "metadata.ownerReferences[]").find(
    ({ value }) => readFlag(value, "controller") === true,
  );
  const kind = owner && readText(owner.value, "kind");
  return typeof kind === "string" ? kind : undefined;
}
