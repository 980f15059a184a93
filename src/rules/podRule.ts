import { podConstraints } from "../requirements/podIsolation";
import { containersOf, makesPods, podSpecOf, within } from "../resources/pods";
import { readText, type Found } from "../resources/read";
import { UNKNOWN, type Resource } from "../resources/resource";
import type { JudgedResources } from "./judgedResources";
import { Level, unknown, violated, type Judgement, type Rule } from "./rule";

/** What one value of a pod says to a demand: the fault in words, or nothing. */
export type PodCheck = (found: Found, surroundings: PodSurroundings) => PodFault | undefined;

/** What is wrong with a value, or why nobody can say. */
export interface PodFault {
  message: string;
  fix: string;
  /** Whether a value that nobody knows decides. */
  isOpen?: boolean;
}

/** What stands around a pod. */
export interface PodSurroundings {
  /** An annotation of the pod's namespace, where the stack holds that. */
  annotation: (key: string) => string | typeof UNKNOWN | undefined;
}

/** How a demand on pods of hosted control planes is judged. */
export interface PodRuleParts {
  /** Id of the demand: `pod-privileged`. */
  id: string;
  /** What happens to who does not meet it, and what is looked at. */
  why: string;
  remediation: string;
  level?: Level;
  /** Places in the spec of a pod. */
  ofPod?: readonly string[];
  /** Places in each container. */
  ofContainer?: readonly string[];
  check: PodCheck;
}

/** The rule for a demand on pods in the namespace of a hosted control plane. */
export function podRule({ id, why, remediation, level = Level.Error, ...parts }: PodRuleParts): Rule {
  const { demand, documents } = podConstraints.find((constraint) => constraint.id === id)!;
  return {
    id,
    title: `${demand} in the namespace of a hosted control plane`,
    level,
    description: `Pods, and workloads that make pods, in the namespace <namespace>-<name> of a hosted cluster that the stack or the configuration speaks of. ${why}`,
    documents,
    remediation,
    judge: (judged) => podsOfControlPlanes(judged).flatMap((pod) => judgePod(judged, pod, parts)),
  };
}

/** The objects in namespaces of hosted control planes from which pods come. */
function podsOfControlPlanes(judged: JudgedResources): Resource[] {
  const namespaces = new Set(
    judged.clusters.flatMap(({ topology }) => topology?.controlPlaneNamespace ?? []),
  );
  return judged.ofKind(makesPods).filter(({ properties }) => {
    const namespace = readText(properties, "metadata.namespace");
    return typeof namespace === "string" && namespaces.has(namespace);
  });
}

function judgePod(
  judged: JudgedResources,
  resource: Resource,
  { ofPod = [], ofContainer = [], check }: Pick<PodRuleParts, "ofPod" | "ofContainer" | "check">,
): Judgement[] {
  const spec = podSpecOf(resource);
  if (!spec) return [];
  if (spec.value === UNKNOWN) return [unknown({ resource, path: spec.path })];
  const surroundings = surroundingsOf(judged, resource);
  const found = [
    ...ofPod.flatMap((path) => within(spec, path)),
    ...containersOf(spec).flatMap((container) => ofContainer.flatMap((path) => within(container, path))),
  ];
  return found.flatMap((one) => judgeValue(resource, one, check(one, surroundings)));
}

function judgeValue(resource: Resource, { path, value }: Found, fault: PodFault | undefined): Judgement[] {
  if (value === UNKNOWN) return [unknown({ resource, path })];
  if (!fault) return [];
  const { message, fix, isOpen } = fault;
  if (isOpen) return [unknown({ resource, path, reason: message })];
  return [violated({ resource: resource.origin, path, message, fix })];
}

const isNamespace = (type: string): boolean => /^kubernetes:core\/v1:Namespace(Patch)?$/.test(type);

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
