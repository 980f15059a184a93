import type { Fault } from "../fault";
import { NODE_KEY } from "../requirements/dedicatedNodes";
import { Platform } from "../requirements/vocabulary";
import type { PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { nodePoolsFaults } from "../objects/nodePools";
import {
  entriesOf,
  holdsUnknown,
  isGiven,
  isMap,
  labelFaults,
  propertyOf,
  shownText,
  unknownKeyFaults,
  type Place,
} from "../objects/places";

/** The faults of labels that machines have to have so that virtual machines run on them. */
export function selectorFaults({ path, value }: Place): Fault[] {
  if (isMap(value) && Object.keys(value).length === 0)
    return [{ path, problem: "is empty, which selects every node", remedy: "write labels, or leave it out" }];
  return labelFaults({ path, value });
}

/** The faults of the placement of a hosted cluster's own nodes, where those are virtual machines. */
export function workerFaults({ path, value }: Place, topology: NormalizedTopology | undefined): Fault[] {
  if (!isGiven(value) || holdsUnknown(value)) return [];
  if (!isMap(value)) return [{ path, problem: "is no object", remedy: "write { nodeSelector: ... }" }];
  const { nodeSelector, nodePools } = value;
  return [
    ...unknownKeyFaults(path, value, ["nodeSelector", "nodePools"]),
    ...(topology ? platformFaults(path, topology) : []),
    ...(isGiven(nodeSelector)
      ? selectorFaults({ path: `${path}.nodeSelector`, value: nodeSelector })
      : [{ path: `${path}.nodeSelector`, problem: "missing", remedy: "write labels of nodes" }]),
    ...taintedFaults(`${path}.nodeSelector`, nodeSelector),
    ...nodePoolsFaults({ path: `${path}.nodePools`, value: nodePools }),
    ...(topology ? foreignPoolFaults(`${path}.nodePools`, nodePools, topology) : []),
  ];
}

function platformFaults(path: string, { platform }: NormalizedTopology): Fault[] {
  if (platform === Platform.KubeVirt) return [];
  const problem = `is given, but on ${platform} the nodes of a hosted cluster are no virtual machines of the management cluster`;
  return [{ path, problem, remedy: "leave it out" }];
}

/** NodePools have no tolerations: virtual machines never start on nodes that are tainted for control planes. */
function taintedFaults(path: string, nodeSelector: PropertyValue | undefined): Fault[] {
  return Object.values(NODE_KEY).flatMap((key) =>
    isGiven(propertyOf(nodeSelector, key))
      ? [
          {
            path: `${path}.${key}`,
            problem:
              "selects nodes of control planes, whose taint virtual machines do not tolerate: none would start",
            remedy: "select other nodes, by a label of your own",
          },
        ]
      : [],
  );
}

function foreignPoolFaults(
  path: string,
  nodePools: PropertyValue | undefined,
  { namespace }: NormalizedTopology,
): Fault[] {
  return entriesOf(nodePools).flatMap((nodePool, position) => {
    const stated = propertyOf(nodePool, "namespace");
    if (typeof stated !== "string" || stated === namespace) return [];
    const problem = `${shownText(stated)} is not the namespace of the HostedCluster, in which its NodePools are`;
    return [{ path: `${path}[${position}].namespace`, problem, remedy: `write ${namespace}` }];
  });
}
