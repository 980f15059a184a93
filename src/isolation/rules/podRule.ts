import { podConstraints } from "../../requirements/podIsolation";
import { containersOf, makesPods, podSpecOf, within } from "../../resources/kubernetesObject";
import { readText, type Found } from "../../resources/read";
import { UNKNOWN, type Resource, type UnknownPlace } from "../../resources/resource";
import { isNamespace } from "../../resources/resourceTypes";
import { isNamespaceUnknown, isOfControlPlane, UNNAMED_CLUSTER } from "../../topology/normalizedTopology";
import { placesOf, type JudgedCluster } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";
import { Level, secretOnly, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** Checks one value of a pod against a constraint, and returns the fault, if any. */
export type PodCheck = (found: Found, surroundings: PodSurroundings) => PodFault | undefined;

/** The fault of a value, or the reason why it is unknown. */
export interface PodFault {
  message: string;
  fix: string;
  /** Whether it depends on an unknown value. */
  isOpen?: boolean;
}

/** Returns the check of a boolean field that must not be true. */
export const switchedOff =
  (message: string): PodCheck =>
  ({ value }) =>
    value === false
      ? undefined
      : {
          message: value === true ? message : "is neither true nor false",
          fix: "write false, or leave it out",
        };

/** The surroundings of a pod that checks may read. */
export interface PodSurroundings {
  /** Reads an annotation of the pod's namespace, if the stack contains the namespace. */
  annotation: (key: string) => string | typeof UNKNOWN | undefined;
}

/** The parts of a rule that judges a constraint on pods of hosted control planes. */
export interface PodRuleParts {
  /** Id of the constraint: `pod-privileged`. */
  id: string;
  /** The problem of a pod that violates it. */
  title: string;
  /** The consequence of a violation, and what the rule checks. */
  why: string;
  remediation: string;
  level?: Level;
  /** Paths in the spec of a pod. */
  ofPod?: readonly string[];
  /** Paths in each container. */
  ofContainer?: readonly string[];
  /** Whether the values of the pod are defaults, which apply only to containers without a value of their own. */
  areDefaults?: true;
  check: PodCheck;
}

/** Returns the rule for a constraint on pods in the namespace of a hosted control plane. */
export function podRule({ id, title, why, remediation, level = Level.Error, ...parts }: PodRuleParts): Rule {
  const { documents } = podConstraints.find((constraint) => constraint.id === id)!;
  return {
    id,
    title: `${title} (hosted control plane)`,
    level,
    description: `Checks pods and workloads in the namespace <namespace>-<name> of a hosted cluster that the stack or configuration names. ${why}`,
    documents,
    remediation,
    judge: (judged) => {
      const isThere = places(judged.clusters);
      const because = judged.clusters.flatMap((cluster) =>
        ["name", "namespace"].flatMap((property) => placesOf(cluster, property)),
      );
      return judged.ofKind(makesPods).flatMap((pod) => {
        const path = "metadata.namespace";
        if (judged.clusters.length > 0 && readText(pod.properties, path) === UNKNOWN)
          return secretOnly({ resource: pod, path });
        const there = isThere(pod);
        if (there === undefined) return [unknown({ resource: pod, path, reason: UNNAMED_CLUSTER, because })];
        return there ? judgePod(judged, pod, parts) : [];
      });
    },
  };
}

/** Returns a predicate for objects in the namespace of a hosted control plane; undefined if that namespace is unknown. */
function places(clusters: readonly JudgedCluster[]): (pod: Resource) => boolean | undefined {
  const topologies = clusters.flatMap(({ topology }) => topology ?? []);
  const nameless = topologies.filter(isNamespaceUnknown);
  const known = new Set(
    topologies.filter((one) => !isNamespaceUnknown(one)).map((one) => one.controlPlaneNamespace),
  );
  return ({ properties }) => {
    const namespace = readText(properties, "metadata.namespace");
    if (typeof namespace !== "string") return false;
    if (known.has(namespace)) return true;
    return nameless.some((one) => isOfControlPlane(one, namespace) !== false) ? undefined : false;
  };
}

function judgePod(
  judged: JudgedResources,
  resource: Resource,
  {
    ofPod = [],
    ofContainer = [],
    areDefaults,
    check,
  }: Omit<PodRuleParts, "id" | "title" | "why" | "remediation">,
): Judgement[] {
  const spec = podSpecOf(resource);
  if (!spec) return [];
  if (spec.value === UNKNOWN) return [unknown({ resource, path: spec.path })];
  const surroundings = surroundingsOf(judged, resource);
  const ofContainers = containersOf(spec).map((container) =>
    ofContainer.flatMap((path) => within(container, path)),
  );
  // An unknown value of a container is a finding of its own.
  const areReplaced =
    areDefaults && ofContainers.length > 0 && ofContainers.every((values) => values.length > 0);
  const found = [...(areReplaced ? [] : ofPod.flatMap((path) => within(spec, path))), ...ofContainers.flat()];
  const because = judged.ofKind(isNamespace).map((one) => ({ resource: one, path: "metadata" }));
  return found.flatMap((one) => judgeValue(resource, one, check(one, surroundings), because));
}

function judgeValue(
  resource: Resource,
  { path, value }: Found,
  fault: PodFault | undefined,
  because: readonly UnknownPlace[],
): Judgement[] {
  if (value === UNKNOWN) return [unknown({ resource, path })];
  if (!fault) return [];
  const { message, fix, isOpen } = fault;
  if (isOpen) return [unknown({ resource, path, reason: message, because })];
  return [violated({ resource: resource.origin, path, message, fix })];
}

function surroundingsOf(judged: JudgedResources, pod: Resource): PodSurroundings {
  const name = readText(pod.properties, "metadata.namespace");
  const own = judged
    .ofKind(isNamespace)
    .filter(({ properties }) => readText(properties, "metadata.name") === name);
  return {
    annotation: (key) => {
      for (const { properties } of own) {
        const [found] = within({ path: "", value: properties }, "metadata.annotations");
        if (found?.value === UNKNOWN) return UNKNOWN;
        const value = found?.value;
        if (typeof value === "object" && value !== null && Object.hasOwn(value, key)) {
          const text = (value as Readonly<Record<string, unknown>>)[key];
          if (typeof text === "string" || text === UNKNOWN) return text;
        }
      }
      return undefined;
    },
  };
}
