import { isObject, readText, readValue } from "./read";
import type { PropertyValue } from "./resource";

/** The text at a path, without spaces around it; empty where there is none, or nobody knows it yet. */
export function textAt(object: PropertyValue | undefined, path: string): string {
  const text = readText(object, path);
  return typeof text === "string" ? text.trim() : "";
}

/** The name of a Kubernetes object; empty where it has none. */
export const nameOf = (object: PropertyValue | undefined): string => textAt(object, "metadata.name");

/** An annotation of a Kubernetes object; an empty one is there. */
export function annotationOf(object: PropertyValue | undefined, key: string): string | undefined {
  // Dots in an annotation are no steps of a path.
  const annotations = readValue(object, "metadata.annotations");
  const value = isObject(annotations) && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
