import type { Fault } from "../fault";
import type { PropertyValue } from "../resources/resource";
import { switchFaults } from "../objects/hostedClusterReference";
import { nodePoolsFaults } from "../objects/nodePools";
import { entriesOf, isGiven } from "../objects/places";
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
