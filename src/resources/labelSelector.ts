import { onceForEach } from "./onceForEach";
import { isObject, read, readText, readValue } from "./read";
import { UNKNOWN, type PropertyValue } from "./resource";

/** How a label selector compares the value of a label. */
export enum LabelSelectorOperator {
  /** The label is there and has one of the values. */
  In = "In",
  /** The label has none of the values, or is not there. */
  NotIn = "NotIn",
  /** The label is there, whatever its value. */
  Exists = "Exists",
  /** The label is not there. */
  DoesNotExist = "DoesNotExist",
}

/** Labels of an object, as far as they are known. */
export interface KnownLabels {
  labels: Readonly<Record<string, string>>;
  /** False where the object may have others too. */
  complete: boolean;
  /** Keys that it surely has not. */
  absent?: readonly string[];
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
  if (selector === UNKNOWN) return undefined;
  const matchLabels = readValue(selector, "matchLabels");
  return every([
    matchLabels === UNKNOWN ? undefined : true,
    ...(isObject(matchLabels) ? Object.entries(matchLabels) : []).map(([key, value]) =>
      meets(on, key, LabelSelectorOperator.In, new Set([value])),
    ),
    ...read(selector, "matchExpressions[]").map(({ value }) => expressionHolds(value, on)),
  ]);
}

function expressionHolds(expression: PropertyValue, on: KnownLabels): Maybe {
  if (!isObject(expression)) return undefined;
  const { key, operator, values } = readExpression(expression);
  if (typeof key !== "string" || typeof operator !== "string") return undefined;
  return meets(on, key, operator, values);
}

/** Many objects are held against one expression. */
const readExpression = onceForEach((expression: { readonly [key: string]: PropertyValue }) => ({
  key: readText(expression, "key"),
  operator: readText(expression, "operator"),
  values: new Set(read(expression, "values[]").map(({ value }) => value)),
}));

function meets(
  { labels, complete, absent }: KnownLabels,
  key: string,
  operator: string,
  values: ReadonlySet<PropertyValue>,
): Maybe {
  const isThere = Object.hasOwn(labels, key);
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

const isAmong = (value: string, values: ReadonlySet<PropertyValue>): Maybe =>
  values.has(value) ? true : values.has(UNKNOWN) ? undefined : false;

const not = (value: Maybe): Maybe => (value === undefined ? undefined : !value);
