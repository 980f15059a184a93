import { pushAll } from "../../pushAll";
import { API_NAMESPACE } from "../../resources/objectText";
import { isObject, readText, readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import type { PodEnd } from "./policyEnds";

/**
 * Finds the policies that may select a pod without looking at each: by namespace, and in it by one label that their selectors
 * demand. Whether they do select it, the selectors say.
 */
class PolicySelection {
  readonly #namespaces = new Map<string, InNamespace>();
  /** Positions of policies whose namespace is unknown. */
  readonly #anywhere: number[] = [];

  constructor(private readonly policies: readonly Resource[]) {
    const demanded = policies.map(demandedLabels);
    const frequency = new Map<string, number>();
    for (const label of demanded.flat()) frequency.set(label, (frequency.get(label) ?? 0) + 1);
    policies.forEach(({ properties }, position) => {
      const namespace = readText(properties, "metadata.namespace") ?? API_NAMESPACE;
      if (namespace === UNKNOWN) {
        this.#anywhere.push(position);
        return;
      }
      const here = this.#namespaces.get(namespace) ?? emptyNamespace();
      this.#namespaces.set(namespace, here);
      here.all.push(position);
      // The label that the fewest policies demand leads to the fewest that do not select the pod after all.
      const label = rarest(demanded[position]!, frequency);
      const list = label === undefined ? here.open : (here.byLabel.get(label) ?? []);
      list.push(position);
      if (label !== undefined) here.byLabel.set(label, list);
    });
  }

  /** The policies that may select a pod, in their order. */
  of({ namespace, labels: { labels, complete } }: PodEnd): Resource[] {
    const here = this.#namespaces.get(namespace);
    const found = [...this.#anywhere];
    // A pod that may have other labels may be selected by any of them.
    if (here && !complete) pushAll(found, here.all);
    else if (here) {
      pushAll(found, here.open);
      for (const key of Object.keys(labels)) {
        const list = here.byLabel.get(labelOf(key, labels[key]!));
        if (list) pushAll(found, list);
      }
    }
    return found.sort((a, b) => a - b).map((position) => this.policies[position]!);
  }
}

/** Positions of the policies of one namespace. */
interface InNamespace {
  all: number[];
  /** Those whose selectors demand no label with a known value. */
  open: number[];
  byLabel: Map<string, number[]>;
}

const emptyNamespace = (): InNamespace => ({ all: [], open: [], byLabel: new Map() });

const labelOf = (key: string, value: string): string => `${key}\n${value}`;

/** What a pod has to have to be selected. */
function demandedLabels({ properties }: Resource): string[] {
  const labels = readValue(properties, "spec.podSelector.matchLabels");
  if (!isObject(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) =>
    typeof value === "string" ? [labelOf(key, value)] : [],
  );
}

function rarest(labels: readonly string[], frequency: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined;
  for (const label of labels)
    if (best === undefined || frequency.get(label)! < frequency.get(best)!) best = label;
  return best;
}

/** Many pods are judged by one list of policies. */
const selections = new WeakMap<readonly Resource[], PolicySelection>();

/** Those of these policies that may select a pod, in their order. A list that was asked for once is not to be changed. */
export function policiesAbout(policies: readonly Resource[], pod: PodEnd): readonly Resource[] {
  if (policies.length <= FEW) return policies;
  const known = selections.get(policies);
  if (known) return known.of(pod);
  const made = new PolicySelection(policies);
  selections.set(policies, made);
  return made.of(pod);
}

/** So few are looked at as fast as they are found. */
const FEW = 8;

/** Pods that no policy tells apart: of one namespace, with equal labels and ports. */
export function podClasses(pods: readonly PodEnd[]): PodEnd[][] {
  const classes = new Map<string, PodEnd[]>();
  for (const pod of pods) {
    const key = classOf(pod);
    const known = classes.get(key);
    if (known) known.push(pod);
    else classes.set(key, [pod]);
  }
  return [...classes.values()];
}

function classOf({ namespace, namespaceLabels, labels, ports }: PodEnd): string {
  return JSON.stringify([namespace, inOrder(namespaceLabels), inOrder(labels), ports]);
}

const inOrder = ({ labels, complete }: PodEnd["labels"]): unknown => [
  complete,
  Object.keys(labels)
    .sort()
    .map((key) => [key, labels[key]]),
];
