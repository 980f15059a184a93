import type { Fault } from "../fault";
import {
  ControllerAvailabilityPolicy,
  NodeIsolationLevel,
  nodesNeeded,
  zonesMayBeShared,
} from "../requirements/dedicatedNodes";
import type { PropertyValue } from "../resources/resource";
import { normalizeTopology, type TopologyJudgement } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { hostedClusterReference } from "../objects/hostedClusterReference";
import { fewerThanNamed, nodeCount } from "../objects/nodes";
import {
  type Fields,
  hiddenText,
  inputFaults,
  labelValue,
  list,
  needed,
  object,
  onceEach,
  ONE_AT_LEAST,
  plainSwitch,
  subdomainName,
  word,
} from "../objects/shape";
import { entriesOf, isGiven, type PropertyMap, propertyOf } from "../resources/read";
import { withoutProxy } from "../proxy/settings";
import { additionalTaintFaults, tolerations } from "./taints";
import { nodeSelector, workerVirtualMachines } from "./fragments";
import { plural } from "../text";

/** Inputs that are judged one by one. */
const INPUTS: Fields = {
  level: word(Object.values(NodeIsolationLevel)),
  controllerAvailabilityPolicy: word(Object.values(ControllerAvailabilityPolicy)),
  nodes: list(
    object({
      name: needed(subdomainName, "write the name of a node"),
      zone: labelValue,
      host: subdomainName,
    }),
    {
      size: ONE_AT_LEAST,
      remedy: "write a list of { name: ... }, or leave it out if machine sets create the nodes",
      once: (node) => onceEach(propertyOf(node, "name") ?? null),
    },
  ),
  dedicatedNodeCount: nodeCount,
  tolerations,
  hostSelector: nodeSelector,
  reserveForControlPlanes: plainSwitch,
  manageTaints: plainSwitch,
  forcePatch: plainSwitch,
  removeOnDelete: plainSwitch,
  kubeconfig: hiddenText({ size: ONE_AT_LEAST }),
  context: hiddenText({ size: ONE_AT_LEAST }),
};

/** Applies every rule on the inputs of nodes dedicated to one hosted control plane. */
export function judgeDedicatedNodes(known: PropertyMap): TopologyJudgement {
  const { topology, faults: wrong, warnings } = normalizeTopology(withoutProxy(known.topology));
  const { tolerations: stated, additionalTaints: value } = known;
  const own = [
    ...inputFaults(
      {
        ...INPUTS,
        workerVirtualMachines: workerVirtualMachines(topology),
        existingHostedCluster: hostedClusterReference(topology),
      },
      known,
    ),
    ...additionalTaintFaults({ path: "additionalTaints", value }, stated, topology?.controlPlaneNamespace),
    ...fewerThanNamed({ path: "dedicatedNodeCount", value: known.dedicatedNodeCount }, known.nodes),
    ...unmanageableFaults(known),
  ];
  const room = topology && own.length === 0 ? roomFindings(known, topology) : { faults: [], warnings: [] };
  return {
    ...(topology && { topology }),
    faults: [...wrong, ...own, ...room.faults],
    warnings: [...warnings, ...room.warnings, ...changeWarnings(known)],
  };
}

function unmanageableFaults({ manageTaints, nodes }: PropertyMap): Fault[] {
  if (manageTaints !== true || isGiven(nodes)) return [];
  return [
    { path: "manageTaints", problem: "true, but there are no nodes to taint", remedy: "name them in nodes" },
  ];
}

/** Warnings of what a deployment does beyond its own resources, and of what it leaves undone. */
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
        problem: "keeps other pods off the nodes from now on: pods that already run there stay",
        remedy: "drain the nodes once",
        ofChange: true,
      },
    ];
  if (manageTaints === false) return [];
  return [
    {
      path: "manageTaints",
      problem: "not set: the nodes get the label but not the taint, so other pods can run there too",
      remedy: "set it to true, or to false if the output `taints` is applied to the nodes in another way",
    },
  ];
}

const ROLLOUT: Fault = {
  path: "existingHostedCluster",
  problem: "gets a node selector, so HyperShift moves every pod of its control plane",
  remedy: "use a maintenance window for the first deployment and for changes of the nodes",
  ofChange: true,
};

const REPLACEMENT: Fault = {
  path: "workerVirtualMachines.nodePools",
  problem: "get a node selector, so HyperShift replaces their virtual machines",
  remedy: "use a maintenance window for the first deployment and for changes of the selector",
  ofChange: true,
};

/**
 * Whether the replicas of the control plane find nodes. Too few nodes are a fault if the node selector leaves no others, and a
 * warning if the replicas may run elsewhere.
 */
function roomFindings(
  known: PropertyMap,
  topology: NormalizedTopology,
): { faults: Fault[]; warnings: Fault[] } {
  const { nodes, dedicatedNodeCount, existingHostedCluster } = known;
  const policy = policyOf(known);
  const confined = isGiven(existingHostedCluster);
  const count = typeof dedicatedNodeCount === "number" ? dedicatedNodeCount : entriesOf(nodes).length;
  if (count === 0) return { faults: confined ? [NO_NODES] : [], warnings: [] };
  const short = count < nodesNeeded[policy] ? [tooFew(count, policy)] : [];
  return {
    faults: confined ? short : [],
    warnings: [
      ...(confined ? [] : short),
      ...(short.length === 0 && count === entriesOf(nodes).length ? spreadWarnings(known, topology) : []),
    ],
  };
}

const NO_NODES: Fault = {
  path: "dedicatedNodeCount",
  problem: "missing, and so are nodes: no node would match the node selector of the pods",
  remedy: "name the nodes, or write how many nodes machine sets create",
};

function tooFew(count: number, policy: ControllerAvailabilityPolicy): Fault {
  const needed = nodesNeeded[policy];
  return {
    path: "nodes",
    problem: `${plural(count, "node")} for a control plane that is ${policy}: etcd and the API server have ${needed} replicas, no two of them on one node`,
    remedy: `give it ${needed} nodes, count those of machine sets in dedicatedNodeCount, or write controllerAvailabilityPolicy: SingleReplica if the HostedCluster has it`,
  };
}

/** Replicas without a zone of their own never start on most platforms; replicas on one machine fail together. */
function spreadWarnings(known: PropertyMap, { platform }: NormalizedTopology): Fault[] {
  const needed = nodesNeeded[policyOf(known)];
  const zones = placesOf(known.nodes, "zone");
  const hosts = placesOf(known.nodes, "host");
  const oneZoneEach = zones !== undefined && zones < needed && !zonesMayBeShared.includes(platform);
  const shared = hosts !== undefined && hosts < needed;
  return [
    ...(oneZoneEach
      ? [
          {
            path: "nodes",
            problem: `are in ${zones} of the ${needed} zones that the replicas need: no two of them start in one zone`,
            remedy: "add a node in another zone, or correct nodes[].zone",
          },
        ]
      : []),
    ...(shared
      ? [
          {
            path: "nodes",
            problem: `run on ${hosts === 1 ? "one machine" : `${hosts} machines`}: a machine that fails takes down several of the ${needed} replicas`,
            remedy: `spread them over ${needed} machines`,
          },
        ]
      : []),
  ];
}

/** The highest possible number of places; undefined if no node states its place. Each node that does not may be in a place of its own. */
function placesOf(nodes: PropertyValue | undefined, property: "zone" | "host"): number | undefined {
  const stated = entriesOf(nodes).map((node) => propertyOf(node, property));
  const given = stated.filter(isGiven);
  return given.length === 0 ? undefined : new Set(given).size + stated.length - given.length;
}

const policyOf = ({ controllerAvailabilityPolicy: policy }: PropertyMap): ControllerAvailabilityPolicy =>
  policy === ControllerAvailabilityPolicy.SingleReplica
    ? ControllerAvailabilityPolicy.SingleReplica
    : ControllerAvailabilityPolicy.HighlyAvailable;

/** The nodes dedicated to a hosted control plane, and the isolation level. */
export interface Dedication {
  nodes: readonly { name: string; host?: string | undefined }[];
  level: NodeIsolationLevel;
}

/**
 * Faults of nodes and machines that another hosted cluster of the program also claims. Two clusters with virtual machine
 * isolation may share machines.
 */
export function sharingFaults(own: Dedication, other: Dedication, subject: string): Fault[] {
  const remedy = "give each cluster its own";
  const shareMachines = [own, other].every(({ level }) => level === NodeIsolationLevel.VirtualMachine);
  return own.nodes.flatMap(({ name, host }, position) => {
    const path = `nodes[${position}]`;
    if (other.nodes.some((node) => node.name === name))
      return [{ path: `${path}.name`, problem: `${name} is already dedicated by ${subject}`, remedy }];
    if (shareMachines || host === undefined || !other.nodes.some((node) => node.host === host)) return [];
    const problem = `${host} also has nodes of ${subject}, and physical isolation does not allow shared machines`;
    return [{ path: `${path}.host`, problem, remedy }];
  });
}
