import { read, readValue, type Found } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";

/** Where each kind of object holds the spec of the pods that come from it. */
const POD_SPECS: readonly (readonly [type: RegExp, path: string])[] = [
  [/^kubernetes:core\/v1:Pod(Patch)?$/, "spec"],
  [/^kubernetes:core\/v1:ReplicationController(Patch)?$/, "spec.template.spec"],
  [/^kubernetes:apps\/v1:(Deployment|StatefulSet|DaemonSet|ReplicaSet)(Patch)?$/, "spec.template.spec"],
  [/^kubernetes:batch\/v1:Job(Patch)?$/, "spec.template.spec"],
  [/^kubernetes:batch\/v1:CronJob(Patch)?$/, "spec.jobTemplate.spec.template.spec"],
];

/** Whether pods come from objects of a type. */
export const makesPods = (type: string): boolean => POD_SPECS.some(([pattern]) => pattern.test(type));

/** The spec of the pods that come from an object, at its place; undefined where none do. */
export function podSpecOf({ type, properties }: Resource): Found | undefined {
  const path = POD_SPECS.find(([pattern]) => pattern.test(type))?.[1];
  const value = path === undefined ? undefined : readValue(properties, path);
  return path === undefined || value === undefined ? undefined : { path, value };
}

const CONTAINERS = ["initContainers[]", "containers[]", "ephemeralContainers[]"];

/** The containers of a pod spec, each at its place. */
export const containersOf = ({ path, value }: Found): Found[] =>
  value === UNKNOWN ? [{ path, value }] : CONTAINERS.flatMap((list) => read(value, list, path));

/** The values at a path in a value that stands at a place. */
export const within = ({ path, value }: { path: string; value: PropertyValue }, inner: string): Found[] =>
  read(value, inner, path);
