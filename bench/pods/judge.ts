import { readPrefix } from "../../src/address";
import { baselineFilter } from "../../src/reachability/filters/adminNetworkPolicy";
import { networkPolicyFilter, type PolicyView } from "../../src/reachability/filters/networkPolicy";
import type { PodEnd } from "../../src/reachability/filters/policySelection";
import { PROTOCOL_NUMBER, service } from "../../src/reachability/packets/service";
import { packets } from "../../src/reachability/packets/packetSet";
import { Proof, prove } from "../../src/reachability/proof/prove";
import { isMap, readText, readValue } from "../../src/resources/read";
import type { Resource } from "../../src/resources/resource";
import { Direction } from "../../src/requirements/vocabulary";

import { grouped } from "../../src/collections";

/** Groups pods that no policy tells apart: of one namespace, with equal labels and ports. */
export const podClasses = (pods: readonly PodEnd[]): PodEnd[][] => [...grouped(pods, classOf).values()];

function classOf({ namespace, namespaceLabels, labels, ports }: PodEnd): string {
  return JSON.stringify([namespace, inOrder(namespaceLabels), inOrder(labels), ports]);
}

const inOrder = ({ labels, complete }: PodEnd["labels"]): unknown => [
  complete,
  Object.keys(labels)
    .sort()
    .map((key) => [key, labels[key]]),
];

/** Calls from the machine network. */
const CALLS = packets({
  services: [service(PROTOCOL_NUMBER.tcp, { from: 8_001, to: 8_001 })],
  sources: [readPrefix("10.0.0.0/16")!],
});

/** The results for the pods. */
export interface JudgedPods {
  classes: number;
  /** Number of pairs of a policy with rules and a pod that it selects. */
  pairs: number;
  /** Number of pods that the whole machine network can reach. */
  open: number;
}

/** Which policies select which pods, and whether the calls reach each class of pods. */
export function judgePods(pods: readonly PodEnd[], policies: readonly Resource[]): JudgedPods {
  const classes = podClasses(pods);
  let [pairs, open] = [0, 0];
  for (const members of classes) {
    const view: PolicyView = {
      direction: Direction.Ingress,
      pod: members[0]!,
      other: { kind: "addresses" },
    };
    const filter = networkPolicyFilter(policies, view);
    pairs += members.length * new Set(filter.clauses.map(({ resource }) => resource)).size;
    if (prove(CALLS, [filter, baselineFilter([], view)]).proof === Proof.Proved) open += members.length;
  }
  return { classes: classes.length, pairs, open };
}

/** The number of pairs of policies with rules and pods, from matching the labels of every pod against every policy. */
export function pairsByBruteForce(pods: readonly PodEnd[], policies: readonly Resource[]): number {
  const wanted = policies.flatMap(({ properties }) => {
    const labels = readValue(properties, "spec.podSelector.matchLabels");
    const rules = readValue(properties, "spec.ingress");
    if (!Array.isArray(rules) || rules.length === 0) return [];
    return [
      {
        namespace: readText(properties, "metadata.namespace"),
        labels: Object.entries(isMap(labels) ? labels : {}),
      },
    ];
  });
  let pairs = 0;
  for (const pod of pods)
    for (const { namespace, labels } of wanted)
      if (namespace === pod.namespace && labels.every(([key, value]) => pod.labels.labels[key] === value))
        pairs++;
  return pairs;
}
