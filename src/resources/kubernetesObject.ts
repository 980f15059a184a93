import { type Found, isMap, read, readFlag, readNumber, readText, readValue } from "./read";
import { type PropertyValue, type Resource, UNKNOWN } from "./resource";
import { onceForEach } from "../collections";

/** The text at a path, without spaces around it; empty where there is none, or it is not known yet. */
export function textAt(object: PropertyValue | undefined, path: string): string {
  const text = readText(object, path);
  return typeof text === "string" ? text.trim() : "";
}

/** The name of a Kubernetes object; empty where it has none. */
export const nameOf = (object: PropertyValue | undefined): string => textAt(object, "metadata.name");

/** Where the API server puts an object that names no namespace. */
export const API_NAMESPACE = "default";

/** Whether every cluster has a namespace of this name: an object in it may lie in a hosted cluster as well as beside one. */
export const isInEveryCluster = (namespace: string): boolean => namespace === API_NAMESPACE;

/** An annotation of a Kubernetes object; an empty one is there. */
export const annotationOf = (object: PropertyValue | undefined, key: string): string | undefined =>
  knownText(annotationAt(object, key));

/** A label of a Kubernetes object; an empty one is there. */
export const labelOf = (object: PropertyValue | undefined, key: string): string | undefined =>
  knownText(entryAt(object, "metadata.labels", key));

/** An annotation as it stands: it may be unknown, or no text. */
export const annotationAt = (object: PropertyValue | undefined, key: string): PropertyValue | undefined =>
  entryAt(object, "metadata.annotations", key);

/** Dots in a key are no steps of a path. */
function entryAt(object: PropertyValue | undefined, path: string, key: string): PropertyValue | undefined {
  const entries = readValue(object, path);
  if (entries === UNKNOWN) return UNKNOWN;
  return isMap(entries) && Object.hasOwn(entries, key) ? entries[key] : undefined;
}

const knownText = (value: PropertyValue | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/**
 * The kind of the controller that writes an object, and would write it again after a change: `ReplicaSet`,
 * `HostedControlPlane`. Undefined: only people and their tools. (Kubernetes, Owners and Dependents)
 */
export function controllerOf(object: PropertyValue): string | undefined {
  const owner = read(object, "metadata.ownerReferences[]").find(
    ({ value }) => readFlag(value, "controller") === true,
  );
  const kind = owner && readText(owner.value, "kind");
  return typeof kind === "string" ? kind : undefined;
}

/** How a label selector compares the value of a label. */
export const LabelSelectorOperator = {
  /** The label is there and has one of the values. */
  In: "In",
  /** The label has none of the values, or is not there. */
  NotIn: "NotIn",
  /** The label is there, whatever its value. */
  Exists: "Exists",
  /** The label is not there. */
  DoesNotExist: "DoesNotExist",
} as const;
export type LabelSelectorOperator = (typeof LabelSelectorOperator)[keyof typeof LabelSelectorOperator];

/** Labels of an object, as far as they are known. */
export interface KnownLabels {
  labels: Readonly<Record<string, string>>;
  /** False where the object may have others too. */
  complete: boolean;
  /** Keys that it surely has not. */
  absent?: readonly string[];
  /** Keys that it surely has, with a value that is not known but is not one of these. */
  present?: Readonly<Record<string, readonly string[]>>;
}

/** Whether something holds; undefined where unknown values decide. */
export type Maybe = boolean | undefined;

/** True when all are, false as soon as one is. */
export const every = (parts: readonly Maybe[]): Maybe =>
  parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;

/**
 * Whether a label selector selects an object, as Kubernetes defines it: an empty selector selects everything, NotIn and
 * DoesNotExist what does not have the label.
 */
export function selected(selector: PropertyValue | undefined, on: KnownLabels): Maybe {
  if (selector === undefined || selector === null) return true;
  if (!isMap(selector)) return undefined;
  let holds: Maybe = true;
  for (const demand of demandsOf(selector)) {
    const isMet = demand && meets(on, demand);
    if (isMet === false) return false;
    if (isMet === undefined) holds = undefined;
  }
  return holds;
}

/** What a selector says of one label. */
interface Demand {
  key: string;
  operator: string;
  values: ReadonlySet<PropertyValue>;
}

/** Everything that a selector demands; undefined: something that is not known. Many objects are held against one selector. */
const demandsOf = onceForEach(
  (selector: { readonly [key: string]: PropertyValue }): readonly (Demand | undefined)[] => {
    const matchLabels = readValue(selector, "matchLabels");
    const labels = isMap(matchLabels) ? Object.entries(matchLabels) : [];
    return [
      ...(matchLabels === UNKNOWN ? [undefined] : []),
      ...labels.map(([key, value]): Demand => ({
        key,
        operator: LabelSelectorOperator.In,
        values: new Set([value]),
      })),
      ...read(selector, "matchExpressions[]").map(({ value }) => demandOf(value)),
    ];
  },
);

function demandOf(expression: PropertyValue): Demand | undefined {
  if (!isMap(expression)) return undefined;
  const [key, operator] = ["key", "operator"].map((path) => readText(expression, path));
  if (typeof key !== "string" || typeof operator !== "string") return undefined;
  return { key, operator, values: new Set(read(expression, "values[]").map(({ value }) => value)) };
}

function meets(
  { labels, complete, absent, present = {} }: KnownLabels,
  { key, operator, values }: Demand,
): Maybe {
  const isThere = Object.hasOwn(labels, key);
  if (!isThere && Object.hasOwn(present, key)) {
    const others = new Set<PropertyValue>(present[key]);
    const isNone = [...values].every((value) => others.has(value));
    return HOLDS_ANY[operator]?.(isNone);
  }
  if (!isThere && !complete && !absent?.includes(key)) return undefined;
  return HOLDS[operator]?.(isThere ? labels[key] : undefined, values);
}

/** What each operator says of the value of a label; undefined: the label is not there. */
const HOLDS: Readonly<
  Record<string, (value: string | undefined, values: ReadonlySet<PropertyValue>) => Maybe>
> = {
  [LabelSelectorOperator.Exists]: (value) => value !== undefined,
  [LabelSelectorOperator.DoesNotExist]: (value) => value === undefined,
  [LabelSelectorOperator.In]: (value, values) => value !== undefined && isAmong(value, values),
  [LabelSelectorOperator.NotIn]: (value, values) => value === undefined || not(isAmong(value, values)),
};

/** What each operator says of a label that is there, by whether its value surely is not one of those that are listed. */
const HOLDS_ANY: Readonly<Record<string, (isNone: boolean) => Maybe>> = {
  [LabelSelectorOperator.Exists]: () => true,
  [LabelSelectorOperator.DoesNotExist]: () => false,
  [LabelSelectorOperator.In]: (isNone) => (isNone ? false : undefined),
  [LabelSelectorOperator.NotIn]: (isNone) => (isNone ? true : undefined),
};

const isAmong = (value: string, values: ReadonlySet<PropertyValue>): Maybe =>
  values.has(value) ? true : values.has(UNKNOWN) ? undefined : false;

const not = (value: Maybe): Maybe => (value === undefined ? undefined : !value);

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

/** How far a DaemonSet is rolled out. */
export interface RollOut {
  /** Of what is wanted; each change of the DaemonSet's specification makes a newer one. */
  generation: number;
  /** Whether its controller has seen that generation: what it counts speaks of an older one otherwise. */
  isSeen: boolean;
  /** Number of nodes that are to run a pod of it. */
  wanted: number;
  /** Whether all of them have an updated and available one. */
  isDone: boolean;
  /** `generation 4, 2 of 3 pods updated, 3 available` */
  progress: string;
}

/** How far a DaemonSet is rolled out, as its controller says. */
export function rollOutOf(daemonSet: PropertyValue): RollOut {
  const number = (path: string): number => {
    const value = readNumber(daemonSet, path);
    return typeof value === "number" ? value : 0;
  };
  const generation = number("metadata.generation");
  const wanted = number("status.desiredNumberScheduled");
  const updated = number("status.updatedNumberScheduled");
  const available = number("status.numberAvailable");
  const isSeen = number("status.observedGeneration") >= generation;
  return {
    generation,
    isSeen,
    wanted,
    isDone: isSeen && wanted > 0 && updated >= wanted && available >= wanted,
    progress: `generation ${generation}, ${updated} of ${wanted} pods updated, ${available} available`,
  };
}
