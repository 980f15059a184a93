import type { Fault } from "../../fault";
import { LabelSelectorOperator } from "../../resources/labelSelector";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import {
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  labelFaults,
  shownText,
  unknownKeyFaults,
  wordFaults,
  type Place,
} from "../places";
import { describeSelector, type PlainLabelSelector } from "./labelSelector";
import { isSatisfiable } from "./relation";

/** What is wrong with a label selector. One that no labels can match is wrong as a whole. */
export function labelSelectorFaults(place: Place): Fault[] {
  const { path, value } = place;
  const faults = unreadableSelectorFaults(place);
  const plain = faults.length === 0 ? plainSelector(value) : undefined;
  if (!plain || isSatisfiable(plain)) return faults;
  const problem = `${describeSelector(plain)} contradicts itself and matches nothing`;
  return [{ path, problem, remedy: "take one of the contradicting demands out" }];
}

/** What the API server refuses in a label selector: one that matches nothing is none of that. */
export function unreadableSelectorFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isMap(value))
    return [
      {
        path,
        problem: `${shownText(value)} is no selector`,
        remedy: "write matchLabels or matchExpressions",
      },
    ];
  return [
    ...unknownKeyFaults(path, value, ["matchLabels", "matchExpressions"]),
    ...labelFaults({ path: `${path}.matchLabels`, value: value.matchLabels }),
    ...expressionsFaults({ path: `${path}.matchExpressions`, value: value.matchExpressions }),
  ];
}

/** The selector, where all of it is known. */
export const plainSelector = (value: PropertyValue | undefined): PlainLabelSelector | undefined =>
  isMap(value) && !holdsUnknown(value) ? withoutNulls(value) : undefined;

function withoutNulls({ matchLabels, matchExpressions }: { [key: string]: PropertyValue }) {
  return {
    ...(isGiven(matchLabels) && { matchLabels }),
    ...(isGiven(matchExpressions) && { matchExpressions }),
  } as PlainLabelSelector;
}

function expressionsFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value)) return [{ path, problem: "is no list", remedy: "write a list of key and operator" }];
  return value.flatMap((entry, position) => expressionFaults({ path: `${path}[${position}]`, value: entry }));
}

function expressionFaults({ path, value }: Place): Fault[] {
  if (value === UNKNOWN) return [];
  if (!isMap(value)) return [{ path, problem: "is no demand", remedy: "write key and operator" }];
  const { key, operator, values } = value;
  return [
    ...unknownKeyFaults(path, value, ["key", "operator", "values"]),
    ...keyFaults({ path: `${path}.key`, value: key }),
    ...wordFaults({ path: `${path}.operator`, value: operator }, Object.values(LabelSelectorOperator)),
    ...valuesFaults({ path: `${path}.values`, value: values }, operator),
  ];
}

function keyFaults({ path, value }: Place): Fault[] {
  if (value === UNKNOWN) return [];
  if (!isGiven(value)) return [{ path, problem: "missing", remedy: "write the key of a label" }];
  if (typeof value === "string")
    return labelFaults({ path, value: { [value]: "" } }).map((fault) => ({ ...fault, path }));
  return [{ path, problem: `${shownText(value)} is no label key`, remedy: "write the key of a label" }];
}

function valuesFaults({ path, value }: Place, operator: PropertyValue | undefined): Fault[] {
  if (value === UNKNOWN || operator === UNKNOWN) return [];
  const known = Object.values(LabelSelectorOperator).find((word) => word === operator);
  const listed = known === LabelSelectorOperator.In || known === LabelSelectorOperator.NotIn;
  if (isGiven(value) && !isList(value))
    return [{ path, problem: "is no list", remedy: "write a list of label values" }];
  const count = isGiven(value) ? value.length : 0;
  if (listed && count === 0)
    return [{ path, problem: "missing", remedy: `write the values that ${known} compares with` }];
  if (known && !listed && count > 0)
    return [{ path, problem: `stand beside ${known}, which compares none`, remedy: "take them out" }];
  return (isGiven(value) ? value : []).flatMap((entry, position) =>
    labelFaults({ path, value: { value: entry } }).map((fault) => ({
      ...fault,
      path: `${path}[${position}]`,
    })),
  );
}
