import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { isGiven, isList, isMap, type Place } from "../resources/read";
import { labelNameFaults, shownText, unknownKeyFaults } from "./places";

export const NODE_POOL_KIND = "NodePool";

/** The faults of a list of references to NodePools, objects of the management cluster. */
export function nodePoolsFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value))
    return [
      { path, problem: `${shownText(value)} is no list`, remedy: "write a list of name and namespace" },
    ];
  if (value.length === 0)
    return [{ path, problem: "is empty", remedy: "write NodePools, or leave the component out" }];
  return value.flatMap((entry, position) =>
    nodePoolFaults(`${path}[${position}]`, entry, value.slice(0, position)),
  );
}

function nodePoolFaults(path: string, entry: PropertyValue, before: readonly PropertyValue[]): Fault[] {
  if (entry === UNKNOWN) return [];
  if (!isMap(entry)) return [{ path, problem: "is no NodePool", remedy: "write name and namespace" }];
  const same = before.some(
    (other) => isMap(other) && other.name === entry.name && other.namespace === entry.namespace,
  );
  return [
    ...(same
      ? [{ path, problem: `${shownText(entry.name)} stands there twice`, remedy: "take it out" }]
      : []),
    ...unknownKeyFaults(path, entry, ["name", "namespace"]),
    ...labelNameFaults({ path: `${path}.name`, value: entry.name }, "the name of the NodePool"),
    ...labelNameFaults(
      { path: `${path}.namespace`, value: entry.namespace },
      "its namespace, such as clusters",
    ),
  ];
}
