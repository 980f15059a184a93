import { LIMIT } from "../../requirements/limits";
import { isGiven } from "../../resources/places";
import type { PropertyValue, Resource } from "../../resources/resource";
import { isPatch } from "../../resources/resourceTypes";
import { controlPlaneNamespaceOf } from "../../topology/controlPlaneNamespaceOf";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import { NAME_PATH, namesOfObject, objectNameFaults } from "../../gate/objectNameFaults";
import { unknown, violated, type Judgement } from "../../gate/rule";

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
