import {
  adminNetworkPolicyShape,
  baselineAdminNetworkPolicyShape,
  clusterNetworkPolicyShape,
  networkPolicyShape,
  type Shape,
} from "../../requirements/networkPolicyShapes";
import { type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import {
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isNetworkPolicy,
  isPatch,
} from "../../resources/resourceTypes";
import { contains, readPrefix } from "../../address";
import type { Fault } from "../../fault";
import {
  entriesOf,
  isGiven,
  isList,
  isMap,
  type Place,
  type PropertyMap,
  unknownPlaces,
} from "../../resources/read";
import type { ValueDemand } from "../../requirements/hostedCluster/forms";
import { unreadableSelectorFaults } from "../../objects/labelSelector";
import {
  howTo,
  portFaults,
  portNameFaults,
  shownText,
  unknownKeyFaults,
  valueFaults,
} from "../../objects/places";
import { type PolicyFault, relationFaults } from "./relations";

export { endPortFaults } from "./relations";

/** A kind of policies, and the version of its API that is known here. */
interface PolicyKind {
  holds: (type: string) => boolean;
  version: string;
  spec: Shape;
  isBuiltIn?: true;
}

const KINDS: readonly PolicyKind[] = [
  { holds: isNetworkPolicy, version: "v1", spec: networkPolicyShape, isBuiltIn: true },
  { holds: isAdminNetworkPolicy, version: "v1alpha1", spec: adminNetworkPolicyShape },
  { holds: isBaselineAdminNetworkPolicy, version: "v1alpha1", spec: baselineAdminNetworkPolicyShape },
  { holds: isClusterNetworkPolicy, version: "v1alpha2", spec: clusterNetworkPolicyShape },
];

/** What is wrong with the spec of a policy. Undefined where its version of the API is not known here. */
export function judgePolicy({ type, properties }: Resource): PolicyJudgement | undefined {
  const kind = KINDS.find(({ holds }) => holds(type));
  if (!kind || !type.includes(`/${kind.version}:`)) return undefined;
  const { spec, isBuiltIn = false } = kind;
  return judgeShape(spec, { path: "spec", value: properties.spec }, { isBuiltIn, isPatch: isPatch(type) });
}

/** The API server takes an exception only where it is a part of its block, and not all of it. What is no block is nothing to this. */
export function exceptionFaults({ path, value }: Place, cidr: PropertyValue | undefined): Fault[] {
  const block = typeof cidr === "string" ? readPrefix(cidr) : undefined;
  if (!block) return [];
  return entriesOf(value).flatMap((entry, position) => {
    const inner = typeof entry === "string" ? readPrefix(entry) : undefined;
    if (!inner || (contains(block, inner) && inner.length > block.length)) return [];
    const problem = `${inner.text} is no part of ${block.text}`;
    const remedy = `write a smaller block inside ${block.text}, or leave it out`;
    return [{ path: `${path}[${position}]`, problem, remedy }];
  });
}

export type { PolicyFault };

/** What a policy shows by itself: faults, and the places whose values are not known yet. */
export interface PolicyJudgement {
  faults: PolicyFault[];
  unknown: string[];
}

/** How an object is read. */
export interface Reading {
  /** A kind of Kubernetes itself: null is its zero value. In custom resources null properties are dropped, and null entries refused. */
  isBuiltIn: boolean;
  /** A patch may leave out what is demanded, but not in lists, which it gives as a whole. */
  isPatch: boolean;
}

/** Holds a value against what may stand there. */
function judgeShape(shape: Shape, place: Place, reading: Reading): PolicyJudgement {
  const judgement: PolicyJudgement = { faults: [], unknown: [] };
  judgeInto(judgement, shape, place, reading);
  return judgement;
}

function judgeInto(into: PolicyJudgement, shape: Shape, { path, value }: Place, reading: Reading): void {
  if (!isGiven(value)) {
    if (shape.required && !reading.isPatch)
      into.faults.push({ path, problem: "missing", remedy: howTo(neededOf(shape)) });
  } else if (value === UNKNOWN) {
    if (!shape.isElsewhere) into.unknown.push(path);
  } else if (shape.type === "selector") {
    selectorInto(into, { path, value: withoutNulls(value, reading) }, reading);
  } else if (shape.type === "port") {
    add(into, portOrNameFaults({ path, value }));
  } else if (!shape.isElsewhere && isPlain(shape)) {
    add(into, valueFaults(demandIn(shape, reading), { path, value }, shownText));
    if (shape.fields && isMap(value)) fieldsInto(into, shape, shape.fields, { path, value }, reading);
    if (shape.entries && isList(value)) entriesInto(into, shape.entries, { path, value }, reading);
  }
}

/** One by one: a list may be longer than calls have arguments. */
function add({ faults }: PolicyJudgement, more: readonly PolicyFault[]): void {
  for (const fault of more) faults.push(fault);
}

/** What has to be there, for the way out. */
const neededOf = (shape: Shape): ValueDemand =>
  isPlain(shape) ? shape : { type: "object", remedy: "write a label selector: {} selects everything" };

const isPlain = (shape: Shape): shape is Shape & ValueDemand =>
  shape.type !== "selector" && shape.type !== "port";

/** A patch says a part: that may be too little for the whole. */
const demandIn = (shape: Shape & ValueDemand, { isPatch }: Reading): ValueDemand =>
  isPatch && shape.size && shape.type === "object" ? { ...shape, size: { ...shape.size, min: 0 } } : shape;

function fieldsInto(
  into: PolicyJudgement,
  { relations = [] }: Shape,
  fields: NonNullable<Shape["fields"]>,
  { path, value }: { path: string; value: PropertyMap },
  reading: Reading,
): void {
  add(into, unknownKeyFaults(path, value, Object.keys(fields)));
  for (const [key, field] of Object.entries(fields)) {
    const inside = ownValue(value, key);
    if (inside !== undefined || field.required)
      judgeInto(into, field, { path: `${path}.${key}`, value: inside }, reading);
  }
  for (const relation of relations) add(into, relationFaults(relation, path, value));
}

const ownValue = (value: PropertyMap, key: string): PropertyValue | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined;

function entriesInto(
  into: PolicyJudgement,
  shape: Shape,
  { path, value }: { path: string; value: readonly PropertyValue[] },
  { isBuiltIn }: Reading,
): void {
  const reading = { isBuiltIn, isPatch: false };
  value.forEach((entry, position) => {
    const at = `${path}[${position}]`;
    if (entry !== null) judgeInto(into, shape, { path: at, value: entry }, reading);
    else if (isBuiltIn && !shape.isElsewhere)
      judgeInto(into, shape, { path: at, value: zeroOf(shape) }, reading);
    else into.faults.push({ path: at, problem: "null is no entry", remedy: "write one, or take it out" });
  });
}

const zeroOf = ({ type }: Shape): PropertyValue => (type === "text" ? "" : type === "number" ? 0 : {});

/** A number, or a text that is the name of a port. */
function portOrNameFaults({ path, value }: Place): Fault[] {
  if (typeof value !== "string") return portFaults({ path, value });
  if (/^\d+$/.test(value))
    return [
      {
        path,
        problem: `${shownText(value)} is a text, and no name of a port`,
        remedy: `write ${value} without quotes`,
      },
    ];
  return portNameFaults({ path, value });
}

const UNREADABLE = "nothing applies a policy with such a selector";

function selectorInto(into: PolicyJudgement, place: Place, { isBuiltIn }: Reading): void {
  for (const unknown of unknownPlaces(place.value, place.path)) into.unknown.push(unknown);
  const faults = unreadableSelectorFaults(place);
  add(into, isBuiltIn ? faults : faults.map((fault) => ({ ...fault, consequence: UNREADABLE })));
}

/** A selector as it is stored. */
function withoutNulls(selector: PropertyValue, { isBuiltIn }: Reading): PropertyValue {
  if (!isMap(selector)) return selector;
  const { matchLabels, matchExpressions } = selector;
  const isZero = (entry: PropertyValue) => isBuiltIn && entry === null;
  return {
    ...selector,
    ...(isMap(matchLabels) && {
      matchLabels: Object.fromEntries(
        Object.entries(matchLabels).flatMap(([key, entry]) =>
          entry !== null ? [[key, entry]] : isBuiltIn ? [[key, ""]] : [],
        ),
      ),
    }),
    ...(isList(matchExpressions) && {
      matchExpressions: matchExpressions.map((entry) => {
        if (isZero(entry)) return {};
        if (!isMap(entry) || !isList(entry.values)) return entry;
        return { ...entry, values: entry.values.map((one) => (isZero(one) ? "" : one)) };
      }),
    }),
  };
}
