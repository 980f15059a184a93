import type { Fault } from "../../fault";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { switchFaults } from "../hostedClusterReference";
import {
  entriesOf,
  isGiven,
  isList,
  isMap,
  labelNameFaults,
  shownText,
  unknownKeyFaults,
  type Place,
} from "../places";
import { nodeNamesFaults } from "./nodes";

/** What is known of the inputs of nodes that may hold egress IP addresses. */
export interface AssignableNodesInputs {
  nodes?: PropertyValue | undefined;
  nodePools?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
}

/** What is wrong with the inputs of nodes that may hold egress IP addresses. */
export function assignableNodesFaults({ nodes, nodePools, forcePatch }: AssignableNodesInputs): Fault[] {
  return [
    ...choiceFaults(nodes, nodePools),
    ...nodeNamesFaults({ path: "nodes", value: nodes }),
    ...nodePoolsFaults({ path: "nodePools", value: nodePools }),
    ...switchFaults("forcePatch", forcePatch),
  ];
}

/** Nodes are objects of the hosted cluster, NodePools of the management cluster: a component goes to one of them. */
function choiceFaults(nodes: PropertyValue | undefined, nodePools: PropertyValue | undefined): Fault[] {
  if (isGiven(nodes) !== isGiven(nodePools)) return [];
  const remedy = "write nodes for Node objects, or nodePools for NodePools on the management cluster";
  if (!isGiven(nodes)) return [{ path: "nodes", problem: "missing, and so is nodePools", remedy }];
  const problem = "stand beside nodes, which are in another cluster";
  return [
    { path: "nodePools", problem, remedy: "use a second component, with the provider of that cluster" },
  ];
}

function nodePoolsFaults({ path, value }: Place): Fault[] {
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

/** What users find out late about labels of NodePools. */
export function assignableNodesWarnings({ nodePools }: AssignableNodesInputs): Fault[] {
  if (entriesOf(nodePools).length === 0) return [];
  return [
    {
      path: "nodePools",
      problem: "label the nodes that join from now on: HyperShift hands labels on once, when a node is made",
      remedy: "label the nodes that are there with a second component, in the hosted cluster, by their names",
    },
  ];
}
