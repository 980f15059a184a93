import { read, readValue, type Found } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";

const POD = /^kubernetes:core\/v1:Pod(Patch)?$/;
const REPLICATION_CONTROLLER = /^kubernetes:core\/v1:ReplicationController(Patch)?$/;
const APPS = /^kubernetes:apps\/v1:(Deployment|StatefulSet|DaemonSet|ReplicaSet)(Patch)?$/;
const JOB = /^kubernetes:batch\/v1:Job(Patch)?$/;
const CRON_JOB = /^kubernetes:batch\/v1:CronJob(Patch)?$/;

export const isPod = (type: string): boolean => POD.test(type);
export const isReplicationController = (type: string): boolean => REPLICATION_CONTROLLER.test(type);
/** What makes pods from a template, and knows them by a label selector. */
export const isWorkload = (type: string): boolean => APPS.test(type) || JOB.test(type);
export const isCronJob = (type: string): boolean => CRON_JOB.test(type);

/** Where each kind of object holds the spec of the pods that come from it. */
const POD_SPECS: readonly (readonly [type: RegExp, path: string])[] = [
  [POD, "spec"],
  [REPLICATION_CONTROLLER, "spec.template.spec"],
  [APPS, "spec.template.spec"],
  [JOB, "spec.template.spec"],
  [CRON_JOB, "spec.jobTemplate.spec.template.spec"],
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
