import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { entriesOf, isGiven, isList, type Place } from "../resources/read";
import { shownText, subdomainNameFaults } from "../objects/places";
import { plural } from "../text";
import { switchFaults } from "../objects/hostedClusterReference";
import { nodePoolsFaults } from "../objects/nodePools";

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
