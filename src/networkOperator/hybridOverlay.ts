import { BITS, firstFree, overlap, readPrefix } from "../address";
import { parsePrefix, prefixFaults } from "../address/parse";
import type { Fault } from "../fault";
import {
  HYBRID_OVERLAY_SINCE,
  WindowsServerVersion,
  customVxlanPort,
  hybridNodePart,
  portsTakenOnNodes,
  withoutCustomVxlanPort,
} from "../requirements/networkOperator";
import { installerNetworks } from "../requirements/limits";
import { formatRelease } from "../requirements/release";
import { InfrastructurePlatform } from "../requirements/vocabulary";
import type { PropertyValue } from "../resources/resource";
import type { TopologyJudgement } from "../topology/normalizeTopology";
import {
  entriesOf,
  type Found,
  isGiven,
  type Place,
  type PropertyMap,
  propertyOf,
  readValue,
} from "../resources/read";
import { from, portFaults, wordFaults } from "../objects/places";
import {
  leaf,
  list,
  needed,
  number,
  object,
  ONE_AT_LEAST,
  type Relation,
  type Shape,
  shapeFaults,
} from "../objects/shape";
import {
  atInstallationFaults,
  configuredCluster,
  type OperatedCluster,
  type NetworkOperatorInputs,
  noReleaseWarnings,
  type SurroundingInputs,
  type SurroundingRange,
  surroundingRanges,
} from "./network";

/** The inputs of a hybrid overlay network, to the extent known. */
export interface HybridOverlayInputs extends NetworkOperatorInputs, SurroundingInputs {
  hybridClusterNetwork?: PropertyValue | undefined;
  hybridOverlayVXLANPort?: PropertyValue | undefined;
  windowsServers?: PropertyValue | undefined;
}

/** Applies every rule to a hybrid overlay network. */
export function judgeHybridOverlay(inputs: HybridOverlayInputs): TopologyJudgement {
  const cluster = configuredCluster(inputs);
  const around = surroundingRanges(cluster, inputs);
  const { topology, running } = cluster;
  return {
    ...(topology && { topology }),
    faults: [
      ...cluster.faults,
      ...atInstallationFaults(
        cluster,
        "hybridClusterNetwork",
        "hybrid networking",
        HYBRID_OVERLAY_SINCE.runningCluster,
      ),
      ...around.faults,
      ...hybridNetworkFaults(
        { path: "hybridClusterNetwork", value: inputs.hybridClusterNetwork },
        around.ranges,
      ),
      ...vxlanPortFaults(inputs.hybridOverlayVXLANPort, cluster.platform),
      ...windowsFaults(inputs, cluster),
    ],
    warnings: [
      ...(running ? noReleaseWarnings(cluster, UNCHECKED) : []),
      ...nodePartWarnings(inputs.hybridClusterNetwork),
      ...vSphereWarnings(inputs, cluster),
      ...(running ? [ROLL_OUT] : []),
    ],
  };
}

const UNCHECKED = `before release ${formatRelease(HYBRID_OVERLAY_SINCE.runningCluster.release)} the network operator refuses hybrid networking on a running cluster, which cannot be checked`;

const ROLL_OUT: Fault = {
  path: "hybridClusterNetwork",
  problem: "rolls out ovnkube-node on a running cluster, and can never be edited once it is set",
  remedy: "choose a range that never has to change",
  ofChange: true,
};

const partRemedy = `write ${hybridNodePart.length}, the prefix length of each node's subnet`;

/** Faults of the additional network as an input: its form, and overlaps with other ranges. */
const hybridNetworkFaults = (place: Place, ranges: readonly SurroundingRange[]): Fault[] => [
  ...shapeFaults(needed(hybridNetwork(ranges, DOCUMENTED)), place),
  ...furtherFaults(place),
];

/** Faults of the additional network in an object. */
export const hybridObjectFaults = (place: Place, ranges: readonly SurroundingRange[]): Fault[] => [
  ...shapeFaults(hybridNetwork(ranges, ACCEPTED), place),
  ...furtherFaults(place),
];

function furtherFaults({ path, value }: Place): Fault[] {
  const { length } = entriesOf(value);
  if (length <= 1) return [];
  const problem = `has ${length} entries, of which the network operator reads only the first`;
  return [{ path, problem, remedy: "write one entry" }];
}

/** What the list of ranges must hold besides them. */
interface Form {
  size?: typeof ONE_AT_LEAST;
  hostPrefix: Shape;
  relations?: readonly Relation[];
}

/** The list as the documents show it. */
const DOCUMENTED: Form = {
  size: ONE_AT_LEAST,
  hostPrefix: needed(number({ range: { min: 1, max: BITS[4] }, remedy: partRemedy })),
  relations: [partFaults],
};

/**
 * The list as the network operator accepts it: hostPrefix has no effect, and without a range the overlay is for gateways outside the
 * cluster. (CNO, pkg/network/ovn_kubernetes.go)
 */
const ACCEPTED: Form = { hostPrefix: number({ range: from(0), remedy: partRemedy }) };

const hybridNetwork = (
  ranges: readonly SurroundingRange[],
  { size, hostPrefix, relations = [] }: Form,
): Shape =>
  list(
    object(
      {
        cidr: needed(
          leaf((place) => rangeFaults(place, ranges)),
          `write a CIDR block that nothing uses${proposal(ranges, USUAL_LENGTH, ": ")}`,
        ),
        hostPrefix,
      },
      { remedy: "write cidr and hostPrefix", relations },
    ),
    { ...(size && { size }), remedy: "write a list of one entry with cidr and hostPrefix" },
  );

const RULES = { families: [4], maxLength: { 4: hybridNodePart.length - 1 } } as const;

function rangeFaults({ path, value }: Found, ranges: readonly SurroundingRange[]): Fault[] {
  const { prefix } = parsePrefix(value, RULES);
  if (!prefix) return prefixFaults(path, value, RULES);
  return ranges
    .filter((range) => overlap(range.prefix, prefix))
    .map((range) => ({
      path,
      problem: `${prefix.text} overlaps ${range.name} ${range.prefix.text}: ${range.breaks ?? "packets for the shared addresses are lost"}`,
      remedy: `move it${proposal(ranges, prefix.length, ", for example to ")}`,
    }));
}

function partFaults(path: string, { cidr, hostPrefix }: PropertyMap): Fault[] {
  const { prefix } = parsePrefix(cidr, RULES);
  if (!prefix || !Number.isInteger(hostPrefix)) return [];
  const length = Number(hostPrefix);
  if (length < 1 || length > prefix.length) return [];
  return [
    { path: `${path}.hostPrefix`, problem: `/${length} is not part of ${prefix.text}`, remedy: partRemedy },
  ];
}

/** The prefix length of the example in the document. */
const USUAL_LENGTH = 14;
const PRIVATE = readPrefix("10.0.0.0/8")!;

/** Often the network of the nodes, which not every input states: nothing is moved there. */
const MACHINES = readPrefix(installerNetworks.machineNetwork)!;

/** Proposes a free block of private addresses, as the end of a sentence. */
function proposal(ranges: readonly SurroundingRange[], length: number, before: string): string {
  const block = firstFree(PRIVATE, [MACHINES, ...ranges.map(({ prefix }) => prefix)], length);
  return block ? `${before}${block.text}` : "";
}

const VXLAN_PORT = "hybridOverlayVXLANPort";

function vxlanPortFaults(
  value: PropertyValue | undefined,
  platform: InfrastructurePlatform | undefined,
): Fault[] {
  if (!isGiven(value)) return [];
  return [
    ...vxlanPortNumberFaults({ path: VXLAN_PORT, value }),
    ...vxlanPortPlatformFaults(VXLAN_PORT, platform),
  ];
}

/**
 * Faults of the number of a custom VXLAN port.
 *
 * @param ovnConfig the settings of OVN-Kubernetes beside it, which can move ports of nodes
 */
export function vxlanPortNumberFaults({ path, value }: Place, ovnConfig?: PropertyValue): Fault[] {
  const taken = portsTakenOnNodes.find(({ port, setBy }) => {
    const own = setBy === undefined ? undefined : readValue(ovnConfig, setBy);
    return typeof value === "number" && (own ?? port) === value;
  });
  const remedy = "choose another free UDP port, such as 9898";
  return [
    ...portFaults({ path, value }),
    ...(taken ? [{ path, problem: `${value as number} is ${taken.by}`, remedy }] : []),
  ];
}

const WHERE = customVxlanPort.platforms.join(", ");

/** The fault of a custom VXLAN port on a platform that does not support one. */
export function vxlanPortPlatformFaults(path: string, platform: InfrastructurePlatform | undefined): Fault[] {
  if (platform && customVxlanPort.platforms.includes(platform)) return [];
  const problem = platform
    ? `a custom VXLAN port is supported only on ${WHERE}, and nodes run on ${platform}`
    : `a custom VXLAN port is supported only on ${WHERE}, and no input states the platform of the nodes`;
  const remedy = `leave it out, or set platform: ${WHERE} if nodes run on ${WHERE}`;
  return [{ path, problem, remedy }];
}

function windowsFaults(
  { windowsServers, hybridOverlayVXLANPort: port }: HybridOverlayInputs,
  cluster: OperatedCluster,
): Fault[] {
  const isMissing = needsPort(cluster) && !isGiven(port) && entriesOf(windowsServers).length > 0;
  const version = leaf((place) => versionFaults(place, isGiven(port) || isMissing));
  return [
    ...shapeFaults(list(version, { remedy: "write a list of versions" }), {
      path: "windowsServers",
      value: windowsServers,
    }),
    ...(isMissing
      ? [
          {
            path: VXLAN_PORT,
            problem: `missing: Windows nodes on ${cluster.platform!} need one`,
            remedy: "choose a free UDP port, such as 9898",
          },
        ]
      : []),
  ];
}

function versionFaults({ path, value }: Found, hasOwnPort: boolean): Fault[] {
  const wrong = wordFaults({ path, value }, Object.values(WindowsServerVersion));
  const unable = withoutCustomVxlanPort.versions.find((one) => one === value);
  if (!hasOwnPort || unable === undefined) return wrong;
  const problem = `Windows Server ${unable} does not support a custom VXLAN port, and this cluster has one`;
  return [{ path, problem, remedy: "use a newer version" }];
}

const needsPort = ({ platform }: OperatedCluster): boolean =>
  platform !== undefined && customVxlanPort.platforms.includes(platform);

function vSphereWarnings(inputs: HybridOverlayInputs, cluster: OperatedCluster): Fault[] {
  if (!needsPort(cluster) || isGiven(inputs.hybridOverlayVXLANPort) || isGiven(inputs.windowsServers))
    return [];
  const problem = `missing: Windows nodes on ${cluster.platform!} need one, and it cannot be added later`;
  return [{ path: "hybridOverlayVXLANPort", problem, remedy: "choose a free UDP port, such as 9898" }];
}

/** Warnings about prefix lengths without effect: the operator passes only the range to OVN-Kubernetes. */
function nodePartWarnings(value: PropertyValue | undefined): Fault[] {
  return entriesOf(value).flatMap((entry, position) => {
    const hostPrefix = propertyOf(entry, "hostPrefix");
    if (typeof hostPrefix !== "number" || hostPrefix === hybridNodePart.length) return [];
    const problem = `${hostPrefix} is not passed on by the network operator: each node gets a /${hybridNodePart.length}`;
    const remedy = `plan with /${hybridNodePart.length}`;
    return [{ path: `hybridClusterNetwork[${position}].hostPrefix`, problem, remedy }];
  });
}
