import { isMap, type Props, type Value } from "../provider";
import { Annotation } from "./annotations";
import { annotation, type KubeObject } from "./object";

/** True if the object is ready, false if not yet; throws if it never will be. */
export type Readiness = (object: KubeObject) => boolean;

const always: Readiness = () => true;

/** When an object counts as ready: by its annotations, else by its kind. */
export function readinessOf(inputs: Props, { apiVersion, kind }: KubeObject): Readiness {
  if (annotation(inputs, Annotation.SkipAwait) === "true") return always;
  const asked = annotation(inputs, Annotation.WaitFor);
  if (asked) {
    const all = expressions(asked).map(expression);
    return (object) => all.every((ready) => ready(object));
  }
  return kinds[`${apiVersion}/${kind}`] ?? always;
}

/** Readiness of the kinds that this repository deploys. */
const kinds: Record<string, Readiness> = {
  "batch/v1/Job": (job) => {
    const failed = condition(job, "Failed");
    if (failed?.status === "True") throw new Error(`the Job failed: ${failed.reason}: ${failed.message}`);
    return condition(job, "Complete")?.status === "True";
  },
  "apps/v1/Deployment": (deployment) => {
    const status = isMap(deployment.status) ? deployment.status : {};
    const observed = Number(status.observedGeneration ?? 0) >= Number(deployment.metadata.generation ?? 0);
    const progress = condition(deployment, "Progressing");
    if (observed && progress?.status === "False")
      throw new Error(`the Deployment does not progress: ${progress.message}`);
    return observed && condition(deployment, "Available")?.status === "True";
  },
  "apiextensions.k8s.io/v1/CustomResourceDefinition": (definition) =>
    condition(definition, "Established")?.status === "True",
};

/** Whether a Job has completed, for `pulumi.com/replaceUnready`. */
export const hasCompleted = (job: KubeObject): boolean => condition(job, "Complete")?.status === "True";

interface Condition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
}

function condition(object: KubeObject, type: string): Condition | undefined {
  const conditions =
    isMap(object.status) && Array.isArray(object.status.conditions) ? object.status.conditions : [];
  return (conditions as Condition[]).find((entry) => entry.type === type);
}

function expressions(asked: string): string[] {
  try {
    const list = JSON.parse(asked) as unknown;
    if (Array.isArray(list) && list.length > 0) return list.map(String);
  } catch {
    // A single expression is not JSON.
  }
  return [asked];
}

function expression(text: string): Readiness {
  const [, type, wanted = "True"] = /^condition=([^=]+)(?:=(.+))?$/.exec(text) ?? [];
  if (type) return (object) => condition(object, type)?.status?.toLowerCase() === wanted.toLowerCase();
  const [, path, value] = /^jsonpath=\{?\.?([^{}=]+)\}?(?:==?(.*))?$/.exec(text) ?? [];
  if (!path) {
    throw new Error(
      `${Annotation.WaitFor}: expected condition=TYPE[=STATUS] or jsonpath={.path}[=value], got ${text}`,
    );
  }
  return (object) => {
    const found = at(object, path.split("."));
    return value === undefined ? found !== undefined : found !== undefined && plain(found) === value;
  };
}

function at(value: Value, [first, ...rest]: string[]): Value {
  if (first === undefined) return value;
  const [, name = first, index] = /^([^[\]]+)\[(\d+)\]$/.exec(first) ?? [];
  const inner = isMap(value) ? value[name] : undefined;
  return at(index === undefined ? inner : Array.isArray(inner) ? inner[Number(index)] : undefined, rest);
}

const plain = (value: Value): string => (typeof value === "string" ? value : JSON.stringify(value));
