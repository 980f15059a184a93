import type { LabelSelector } from "./manifests";
import type { Labels, Pod, Scene } from "./scene";

/**
 * Whether a selector selects labels, written from the Kubernetes documentation of labels and selectors: it has nothing in
 * common with the readers, so that a mistake in theirs shows.
 */
export function selects(selector: LabelSelector, labels: Labels): boolean {
  const wanted = Object.entries(selector.matchLabels ?? {});
  if (wanted.some(([key, value]) => labels[key] !== value)) return false;
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const value = labels[key];
    if (operator === "Exists" && value === undefined) return false;
    if (operator === "DoesNotExist" && value !== undefined) return false;
    if (operator === "In" && !(value !== undefined && values?.includes(value))) return false;
    if (operator === "NotIn" && value !== undefined && values?.includes(value)) return false;
  }
  return true;
}

/** Pods in namespaces that a selector selects. */
export const podsInNamespaces = (
  { pods, namespaces }: Scene,
  namespaceSelector: LabelSelector,
  podSelector: LabelSelector = {},
): Pod[] =>
  pods.filter(
    (pod) => selects(namespaceSelector, namespaces[pod.namespace] ?? {}) && selects(podSelector, pod.labels),
  );

/** Pods of one namespace. */
export const podsOf = ({ pods }: Scene, namespace: string | undefined, selector: LabelSelector = {}): Pod[] =>
  pods.filter((pod) => pod.namespace === namespace && selects(selector, pod.labels));
