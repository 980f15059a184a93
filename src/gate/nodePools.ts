import { readNumber, readText, readValue } from "../resources/read";
import { UNKNOWN, type Resource } from "../resources/resource";
import { isNodePool } from "../resources/resourceTypes";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { JudgedResources } from "./judgedResources";
import { secretOnly, type Judgement } from "./rule";

/** A NodePool of a cluster, with the nodes that it makes. */
export interface JudgedNodePool {
  resource: Resource;
  /** With autoscaling the bounds, else the replicas for both. */
  least: number | typeof UNKNOWN;
  most: number | typeof UNKNOWN;
}

/** The NodePools of a hosted cluster that a stack holds. */
export function nodePoolsOf(
  judged: Pick<JudgedResources, "ofKind">,
  { name, namespace }: NormalizedTopology,
): JudgedNodePool[] {
  return judged
    .ofKind(isNodePool)
    .filter(({ properties }) => {
      if (readText(properties, "spec.clusterName") !== name) return false;
      const own = readText(properties, "metadata.namespace");
      return typeof own !== "string" || own === namespace;
    })
    .map((resource) => ({ resource, ...nodesOf(resource) }));
}

/** NodePools that hide to which cluster they belong. */
export const hiddenNodePools = (judged: Pick<JudgedResources, "ofKind">): Judgement[] =>
  judged.ofKind(isNodePool).flatMap((resource) => secretOnly({ resource, path: "spec.clusterName" }));

/** The nodes that a NodePool makes. */
export function nodesOf({ properties }: Resource): Pick<JudgedNodePool, "least" | "most"> {
  const count = (path: string) => readNumber(properties, path) ?? 0;
  if (readValue(properties, "spec.autoScaling") === undefined)
    return { least: count("spec.replicas"), most: count("spec.replicas") };
  return { least: count("spec.autoScaling.min"), most: count("spec.autoScaling.max") };
}
