import { HYPERSHIFT, KUBERNETES, at } from "../../requirements/documents";
import { isHostedCluster, isPatch } from "../../resources/resourceTypes";
import { clustersThatMeet, NAME_PATH, namesOfObject, objectNameFaults } from "../../gate/clusterFaults";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { LIMIT } from "../../requirements/limits";
import { isGiven } from "../../resources/read";
import type { PropertyValue, Resource } from "../../resources/resource";
import { controlPlaneNamespaceOf } from "../../requirements/names";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";

/** A HostedCluster has a name that cannot be, or the namespace of its control plane is another's too. */
export const hostedClusterName: Rule = {
  id: "hosted-cluster-name",
  title: "Hosted cluster name is invalid or used twice",
  level: Level.Error,
  description:
    "Name and namespace of HostedClusters: what the API server refuses, and the namespace of the control plane, <namespace>-<name> with dashes for dots, of 63 characters at most. No two HostedClusters of one management cluster have the same name in the same namespace, or share that namespace: tenant.a beside tenant-a, b-c in a beside c in a-b. Names that the API server makes up (generateName) are counted as unknown.",
  documents: [
    at(KUBERNETES, "Object names and IDs"),
    at(HYPERSHIFT, "hypershift-operator/controllers/manifests/manifests.go"),
  ],
  remediation: "Give each HostedCluster a name of small letters, digits and hyphens, short and of its own.",
  single: isHostedCluster,
  judge: (judged) => [
    ...judged.ofKind(isHostedCluster).flatMap(hostedClusterNameFaults),
    ...clustersThatMeet(judged.clusters),
  ],
};

const { name: NAME, prefix: GENERATED, namespace: NAMESPACE } = NAME_PATH;

/** What one HostedCluster shows by itself of its name. */
export function hostedClusterNameFaults(resource: Resource): Judgement[] {
  const wrong = objectNameFaults(resource, "hosted cluster");
  const { name, prefix, namespace } = namesOfObject(resource);
  if (wrong.length > 0 || (!isGiven(name) && !isGiven(prefix))) return wrong;
  return longNamespace(resource, { name, prefix, namespace });
}

/** How many characters of `generateName` the API server keeps, and how many it adds. */
const KEPT = 58;
const ADDED = 5;

/** Namespaces are labels: HyperShift cannot make one with more characters. */
function longNamespace(
  resource: Resource,
  {
    name,
    prefix,
    namespace = DEFAULT_NAMESPACE,
  }: Partial<Record<"name" | "prefix" | "namespace", PropertyValue>>,
): Judgement[] {
  const path = isGiven(name) ? NAME : GENERATED;
  const stated = isGiven(name) ? name : prefix;
  if (typeof stated !== "string" || typeof namespace !== "string")
    return [unknown({ resource, path: typeof stated === "string" ? NAMESPACE : path })];
  const made = isGiven(name) ? stated : `${stated.slice(0, KEPT)}${"x".repeat(ADDED)}`;
  const { length } = controlPlaneNamespaceOf(namespace, made);
  const most = LIMIT.labelLength;
  if (length > most)
    return [
      violated({
        resource: resource.origin,
        path,
        message: `${controlPlaneNamespaceOf(namespace, stated)}${made === stated ? "" : "..."}, the namespace of the control plane, has ${length} characters, and HyperShift cannot make it`,
        fix: `shorten name or namespace: ${most} characters at most`,
      }),
    ];
  if (made === stated || isPatch(resource.type)) return [];
  return [
    unknown({ resource, path, reason: "the API server makes the name up: whether another has it already" }),
  ];
}
