import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { entriesOf, isGiven, isList, shownText, subdomainNameFaults, type Place } from "../objects/places";
import { plural } from "../plural";

/** The faults of a list of names of nodes, which decides what is made and so is plain. */
export function nodeNamesFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value))
    return [{ path, problem: `${shownText(value)} is no list`, remedy: "write a list of names" }];
  if (value.length === 0)
    return [{ path, problem: "is empty", remedy: "write the names of nodes, or leave it out" }];
  return value.flatMap((name, position) => {
    const at: Place = { path: `${path}[${position}]`, value: name };
    const before = value.indexOf(name);
    if (before < position && name !== UNKNOWN)
      return [
        { path: at.path, problem: `${shownText(name)} is also ${path}[${before}]`, remedy: "take it out" },
      ];
    return subdomainNameFaults(at, "the name of a node");
  });
}

/** What is known of how many nodes hold the addresses of an object. */
export interface NodeCountInputs {
  addresses?: PropertyValue | undefined;
  nodes?: PropertyValue | undefined;
  assignableNodeCount?: PropertyValue | undefined;
}

/** A node holds one address of an object at most, whatever its family, so further ones stay without a node. */
export function nodeCountFaults({ addresses, nodes, assignableNodeCount }: NodeCountInputs): Fault[] {
  const path = "assignableNodeCount";
  if (assignableNodeCount === UNKNOWN) return [];
  const wrong = isGiven(assignableNodeCount) && !isCount(assignableNodeCount);
  if (wrong) {
    const problem = `${shownText(assignableNodeCount)} is no number of nodes`;
    return [{ path, problem, remedy: "write a whole number from 1 on" }];
  }
  const named = entriesOf(nodes).length;
  if (isGiven(assignableNodeCount) && Number(assignableNodeCount) < named) {
    const problem = `${Number(assignableNodeCount)} is less than the ${named} nodes that are named`;
    return [{ path, problem, remedy: "count those too, or leave it out" }];
  }
  const count = isGiven(assignableNodeCount) ? Number(assignableNodeCount) : named;
  const wanted = entriesOf(addresses).length;
  if (count === 0 || wanted <= count) return [];
  const nodesText = plural(count, "node");
  return [
    {
      path: "addresses",
      problem: `${wanted} addresses for ${nodesText}, each of which holds one of them at most`,
      remedy: "label more nodes, or spread the addresses over several objects",
    },
  ];
}

const isCount = (value: PropertyValue): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 1;
