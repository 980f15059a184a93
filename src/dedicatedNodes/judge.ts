import type { Fault } from "../fault";
import { ControllerAvailabilityPolicy, NodeIsolationLevel } from "../requirements/dedicatedNodes";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { hostedClusterReferenceFaults, switchFaults } from "../objects/hostedClusterReference";
import { entriesOf, isGiven, propertyOf, type Place, type PropertyMap } from "../resources/read";
import { textFaults, wordFaults } from "../objects/places";
import { withoutProxy } from "../proxy/settings";
import { nodeCountFaults, nodesFaults, roomFindings } from "./nodes";
import { additionalTaintFaults, tolerationsFaults } from "./taints";
import { selectorFaults, workerFaults } from "./fragments";

/** What the inputs of dedicated nodes come to. */
export interface DedicatedNodesJudgement {
  /** Absent where there are faults in it. */
  topology?: NormalizedTopology;
  faults: Fault[];
  warnings: Fault[];
}

const SWITCHES = ["reserveForControlPlanes", "manageTaints", "forcePatch", "removeOnDelete"];

/** Every rule on the inputs of nodes that one hosted control plane has for itself. */
export function judgeDedicatedNodes(known: PropertyMap): DedicatedNodesJudgement {
  const { topology, faults: wrong, warnings } = normalizeTopology(withoutProxy(known.topology));
  const place = (path: string): Place => ({ path, value: known[path] });
  const own = [
    ...choiceFaults(place("level"), Object.values(NodeIsolationLevel)),
    ...choiceFaults(place("controllerAvailabilityPolicy"), Object.values(ControllerAvailabilityPolicy)),
    ...nodesFaults(place("nodes")),
    ...nodeCountFaults(place("dedicatedNodeCount"), known.nodes),
    ...tolerationsFaults(place("tolerations")),
    ...additionalTaintFaults(place("additionalTaints"), known, topology?.controlPlaneNamespace),
    ...selectorFaults(place("hostSelector")),
    ...workerFaults(place("workerVirtualMachines"), topology),
    ...hostedClusterReferenceFaults("existingHostedCluster", known.existingHostedCluster, topology),
    ...SWITCHES.flatMap((name) => switchFaults(name, known[name])),
    ...unmanageableFaults(known),
    ...["kubeconfig", "context"].flatMap((name) => textFaults(place(name))),
  ];
  const room = topology && own.length === 0 ? roomFindings(known, topology) : { faults: [], warnings: [] };
  return {
    ...(topology && { topology }),
    faults: [...wrong, ...own, ...room.faults],
    warnings: [...warnings, ...room.warnings, ...changeWarnings(known)],
  };
}

const choiceFaults = ({ path, value }: Place, words: readonly string[]): Fault[] =>
  isGiven(value) && value !== UNKNOWN ? wordFaults({ path, value }, words) : [];

function unmanageableFaults({ manageTaints, nodes }: PropertyMap): Fault[] {
  if (manageTaints !== true || isGiven(nodes)) return [];
  return [
    { path: "manageTaints", problem: "true, but there are no nodes to taint", remedy: "name them in nodes" },
  ];
}

/** What a deployment does beyond its own resources, and what it leaves undone. */
function changeWarnings(known: PropertyMap): Fault[] {
  const { nodes, manageTaints, existingHostedCluster, workerVirtualMachines } = known;
  const pools = entriesOf(propertyOf(workerVirtualMachines, "nodePools"));
  return [
    ...(isGiven(nodes) ? taintWarnings(manageTaints) : []),
    ...(isGiven(existingHostedCluster) ? [ROLLOUT] : []),
    ...(pools.length > 0 ? [REPLACEMENT] : []),
  ];
}

function taintWarnings(manageTaints: PropertyValue | undefined): Fault[] {
  if (manageTaints === true)
    return [
      {
        path: "manageTaints",
        problem: "keeps other pods from the nodes from now on: those that run there stay",
        remedy: "drain the nodes once",
      },
    ];
  if (manageTaints === false) return [];
  return [
    {
      path: "manageTaints",
      problem: "not set: the nodes are labelled, and without the taint other pods run there too",
      remedy: "set it, or write false where the output taints gets to the nodes in another way",
    },
  ];
}

const ROLLOUT: Fault = {
  path: "existingHostedCluster",
  problem: "gets a node selector, for which HyperShift moves every pod of its control plane",
  remedy: "deploy the first time, and changes of the nodes, in a maintenance window",
};

const REPLACEMENT: Fault = {
  path: "workerVirtualMachines.nodePools",
  problem: "get a node selector, for which HyperShift replaces their virtual machines",
  remedy: "deploy the first time, and changes of it, in a maintenance window",
};
