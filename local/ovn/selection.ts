import type { LabelSelector } from "./manifests";
import type { Labels, Pod, Scene } from "./scene";

/**
 * Whether a selector matches labels. Written from the Kubernetes documentation of labels and selectors and independent of the
 * readers, so that it reveals their mistakes.
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

/** The pods that match, in namespaces that match. */
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
