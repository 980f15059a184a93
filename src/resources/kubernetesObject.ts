import { type Found, isMap, propertyOf, read, readFlag, readNumber, readText, readValue } from "./read";
import { type PropertyValue, type Resource, UNKNOWN } from "./resource";
import { onceForEach } from "../collections";
import { isKind } from "./resourceTypes";

/** The trimmed text at a path; empty if there is none or it is not known yet. */
export function textAt(object: PropertyValue | undefined, path: string): string {
  const text = readText(object, path);
  return typeof text === "string" ? text.trim() : "";
}

/** The name of a Kubernetes object; empty if it has none. */
export const nameOf = (object: PropertyValue | undefined): string => textAt(object, "metadata.name");

/** The namespace of an object that names none, as the API server sets it. */
export const API_NAMESPACE = "default";

/** Whether every cluster has a namespace of this name, so that an object in it may be inside or outside a hosted cluster. */
export const isInEveryCluster = (namespace: string): boolean => namespace === API_NAMESPACE;

/** An annotation of a Kubernetes object; an empty one counts as present. */
export const annotationOf = (object: PropertyValue | undefined, key: string): string | undefined =>
  knownText(annotationAt(object, key));

/** A label of a Kubernetes object; an empty one counts as present. */
export const labelOf = (object: PropertyValue | undefined, key: string): string | undefined =>
  knownText(labelAt(object, key));

/** The raw value of a label, which may be unknown or not a text. */
export const labelAt = (object: PropertyValue | undefined, key: string): PropertyValue | undefined =>
  entryAt(object, "metadata.labels", key);

/** The raw value of an annotation, which may be unknown or not a text. */
export const annotationAt = (object: PropertyValue | undefined, key: string): PropertyValue | undefined =>
  entryAt(object, "metadata.annotations", key);

/** Looks up the key as a whole, because its dots are not steps of a path. */
function entryAt(object: PropertyValue | undefined, path: string, key: string): PropertyValue | undefined {
  const entries = readValue(object, path);
  return entries === UNKNOWN ? UNKNOWN : propertyOf(entries, key);
}

const knownText = (value: PropertyValue | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/**
 * The kind of the controller that writes an object and would overwrite a change: `ReplicaSet`, `HostedControlPlane`.
 * Undefined if only people and their tools write it. (Kubernetes, Owners and Dependents)
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

/** What is known of the labels of an object. */
export interface KnownLabels {
  labels: Readonly<Record<string, string>>;
  /** False if the object may have other labels too. */
  complete: boolean;
  /** Keys that the object certainly does not have. */
  absent?: readonly string[];
  /** Keys that the object certainly has, each with the values that its unknown value is not. */
  present?: Readonly<Record<string, readonly string[]>>;
}

/** Whether something holds; undefined if that depends on unknown values. */
export type Maybe = boolean | undefined;

/** True if all parts are true, false if any part is false, otherwise undefined. */
export const every = (parts: readonly Maybe[]): Maybe =>
  parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;

/**
 * Whether a label selector selects an object, as Kubernetes defines it: an empty selector selects everything; NotIn and
 * DoesNotExist select objects without the label.
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

/** What a selector requires of one label. */
interface Demand {
  key: string;
  operator: string;
  values: ReadonlySet<PropertyValue>;
}

/** Everything that a selector requires; undefined for an unknown part. Cached, because many objects are matched against a selector. */
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

/** Whether each operator accepts the value of a label; an undefined value means that the label is absent. */
const HOLDS: Readonly<
  Record<string, (value: string | undefined, values: ReadonlySet<PropertyValue>) => Maybe>
> = {
  [LabelSelectorOperator.Exists]: (value) => value !== undefined,
  [LabelSelectorOperator.DoesNotExist]: (value) => value === undefined,
  [LabelSelectorOperator.In]: (value, values) => value !== undefined && isAmong(value, values),
  [LabelSelectorOperator.NotIn]: (value, values) => value === undefined || not(isAmong(value, values)),
};

/** Whether each operator accepts a label that is present; `isNone`: its value is certainly none of those listed. */
const HOLDS_ANY: Readonly<Record<string, (isNone: boolean) => Maybe>> = {
  [LabelSelectorOperator.Exists]: () => true,
  [LabelSelectorOperator.DoesNotExist]: () => false,
  [LabelSelectorOperator.In]: (isNone) => (isNone ? false : undefined),
  [LabelSelectorOperator.NotIn]: (isNone) => (isNone ? true : undefined),
};

const isAmong = (value: string, values: ReadonlySet<PropertyValue>): Maybe =>
  values.has(value) ? true : values.has(UNKNOWN) ? undefined : false;

const not = (value: Maybe): Maybe => (value === undefined ? undefined : !value);

const V1 = { version: "v1" };
export const isPod = isKind("core", "Pod", V1);
export const isReplicationController = isKind("core", "ReplicationController", V1);
const isApp = isKind("apps", "(Deployment|StatefulSet|DaemonSet|ReplicaSet)", V1);
const isJob = isKind("batch", "Job", V1);
/** Whether objects of a type create pods from a template and find them by a label selector. */
export const isWorkload = (type: string): boolean => isApp(type) || isJob(type);
export const isCronJob = isKind("batch", "CronJob", V1);

/** The path of the pod spec in each kind of object that is or creates pods. */
const POD_SPECS: readonly (readonly [isOne: (type: string) => boolean, path: string])[] = [
  [isPod, "spec"],
  [isReplicationController, "spec.template.spec"],
  [isWorkload, "spec.template.spec"],
  [isCronJob, "spec.jobTemplate.spec.template.spec"],
];

/** Whether objects of a type are or create pods. */
export const makesPods = (type: string): boolean => POD_SPECS.some(([isOne]) => isOne(type));

/** The pod spec in an object, with its path; undefined if it has none. */
export function podSpecOf({ type, properties }: Resource): Found | undefined {
  const path = POD_SPECS.find(([isOne]) => isOne(type))?.[1];
  const value = path === undefined ? undefined : readValue(properties, path);
  return path === undefined || value === undefined ? undefined : { path, value };
}

const CONTAINERS = ["initContainers[]", "containers[]", "ephemeralContainers[]"];

/** The containers of a pod spec, with their paths. */
export const containersOf = ({ path, value }: Found): Found[] =>
  value === UNKNOWN ? [{ path, value }] : CONTAINERS.flatMap((list) => read(value, list, path));

/** The values at a path inside a value that is itself at a path. */
export const within = ({ path, value }: { path: string; value: PropertyValue }, inner: string): Found[] =>
  read(value, inner, path);

/** The rollout status of a DaemonSet. */
export interface RollOut {
  /** The desired generation: each change of the DaemonSet's specification makes a newer one. */
  generation: number;
  /** Whether the controller has seen that generation; otherwise its counts are about an older one. */
  isSeen: boolean;
  /** Number of nodes that should run a pod of the DaemonSet. */
  wanted: number;
  /** Whether all of these nodes have an updated and available pod. */
  isDone: boolean;
  /** `generation 4, 2 of 3 pods updated, 3 available` */
  progress: string;
}

/** The rollout status that the controller of a DaemonSet reports. */
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
