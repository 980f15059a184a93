import { BITS, free, overlap, readPrefix, type Prefix } from "../address";
import { parsePrefix } from "../address/parse";
import type { Fault } from "../fault";
import {
  HYBRID_OVERLAY_SINCE,
  WindowsServerVersion,
  customVxlanPort,
  hybridNodePart,
  portsTakenOnNodes,
  withoutCustomVxlanPort,
} from "../requirements/networkOperator";
import { formatRelease } from "../requirements/release";
import { InfrastructurePlatform } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { entriesOf, isGiven, isList, isMap, type Place, propertyOf } from "../resources/read";
import { portFaults, shownText, unknownKeyFaults, wordFaults } from "../objects/places";
import {
  atInstallationFaults,
  configuredCluster,
  type ConfiguredCluster,
  type NetworkOperatorInputs,
  noReleaseWarnings,
  type SurroundingInputs,
  type SurroundingRange,
  surroundingRanges,
} from "./network";

/** What is known of the inputs of a hybrid overlay network. */
export interface HybridOverlayInputs extends NetworkOperatorInputs, SurroundingInputs {
  hybridClusterNetwork?: PropertyValue | undefined;
  hybridOverlayVXLANPort?: PropertyValue | undefined;
  windowsServers?: PropertyValue | undefined;
}

/** What the inputs come to. */
export interface HybridOverlayJudgement {
  /** Present for a hosted cluster whose topology is right. */
  topology?: NormalizedTopology;
  faults: Fault[];
  warnings: Fault[];
}

/** Every rule on a hybrid overlay network. */
export function judgeHybridOverlay(inputs: HybridOverlayInputs): HybridOverlayJudgement {
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

const UNCHECKED = `before release ${formatRelease(HYBRID_OVERLAY_SINCE.runningCluster.release)} the network operator refuses hybrid networking on a cluster that runs, which cannot be checked`;

const ROLL_OUT: Fault = {
  path: "hybridClusterNetwork",
  problem: "rolls out ovnkube-node on a running cluster, and can never be edited once it is set",
  remedy: "choose the range as if for good",
};

/** The faults of the additional network: form, and the ranges that it shares addresses with. */
export function hybridNetworkFaults({ path, value }: Place, ranges: readonly SurroundingRange[]): Fault[] {
  if (value === UNKNOWN) return [];
  if (!isGiven(value)) return [{ path, problem: "missing", remedy: "write a list with cidr and hostPrefix" }];
  if (!isList(value))
    return [
      { path, problem: `${shownText(value)} is no list`, remedy: "write a list with cidr and hostPrefix" },
    ];
  if (value.length !== 1) {
    const problem =
      value.length === 0
        ? "is empty"
        : `${value.length} entries, of which the network operator reads the first`;
    return [{ path, problem, remedy: "write one entry" }];
  }
  return value.flatMap((entry, position) => entryFaults(`${path}[${position}]`, entry, ranges));
}

const KEYS = ["cidr", "hostPrefix"];

function entryFaults(path: string, entry: PropertyValue, ranges: readonly SurroundingRange[]): Fault[] {
  if (entry === UNKNOWN) return [];
  if (!isMap(entry))
    return [{ path, problem: `${shownText(entry)} is no network`, remedy: "write cidr and hostPrefix" }];
  const { prefix, faults } = readRange(`${path}.cidr`, entry.cidr, ranges);
  return [
    ...unknownKeyFaults(path, entry, KEYS),
    ...faults,
    ...hostPrefixFaults(`${path}.hostPrefix`, entry.hostPrefix, prefix),
  ];
}

function readRange(
  path: string,
  value: PropertyValue | undefined,
  ranges: readonly SurroundingRange[],
): { prefix?: Prefix; faults: Fault[] } {
  if (value === UNKNOWN) return { faults: [] };
  if (!isGiven(value)) {
    const remedy = `write a CIDR block that nothing uses${proposal(ranges, USUAL_LENGTH, ": ")}`;
    return { faults: [{ path, problem: "missing", remedy }] };
  }
  const most = hybridNodePart.length - 1;
  const { prefix, problem, remedy } = parsePrefix(value, { families: [4], maxLength: { 4: most } });
  if (!prefix) return { faults: [{ path, problem, remedy }] };
  const conflicts = ranges.filter((range) => overlap(range.prefix, prefix));
  const faults = conflicts.map((range) => ({
    path,
    problem: `${prefix.text} overlaps ${range.name} ${range.prefix.text}: ${range.breaks ?? "packets for the shared addresses are lost"}`,
    remedy: `move it${proposal(ranges, prefix.length, ", for example to ")}`,
  }));
  return { prefix, faults };
}

/** The length of the document's own example. */
const USUAL_LENGTH = 14;
const PRIVATE = readPrefix("10.0.0.0/8")!;

/** A free block among private addresses, as the end of a sentence. */
function proposal(ranges: readonly SurroundingRange[], length: number, before: string): string {
  if (length < PRIVATE.length) return "";
  const [block] = free(
    PRIVATE,
    ranges.map(({ prefix }) => prefix),
    length,
  );
  return block ? `${before}${block.text}` : "";
}

function hostPrefixFaults(
  path: string,
  value: PropertyValue | undefined,
  prefix: Prefix | undefined,
): Fault[] {
  if (value === UNKNOWN) return [];
  const remedy = `write ${hybridNodePart.length}, the prefix length of each node's part`;
  if (!isGiven(value)) return [{ path, problem: "missing", remedy }];
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > BITS[4])
    return [{ path, problem: `${shownText(value)} is no prefix length of a node's part`, remedy }];
  if (!prefix || value > prefix.length) return [];
  return [{ path, problem: `/${value} is no part of ${prefix.text}`, remedy }];
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

/** The faults of the number of a VXLAN port of its own. */
export function vxlanPortNumberFaults({ path, value }: Place): Fault[] {
  const taken = portsTakenOnNodes.find(({ port }) => port === value);
  const remedy = "choose another free UDP port, such as 9898";
  return [
    ...portFaults({ path, value }),
    ...(taken ? [{ path, problem: `${taken.port} is ${taken.by}`, remedy }] : []),
  ];
}

const WHERE = customVxlanPort.platforms.join(", ");

/** The fault of a VXLAN port of its own where the platform has none. */
export function vxlanPortPlatformFaults(path: string, platform: InfrastructurePlatform | undefined): Fault[] {
  if (platform && customVxlanPort.platforms.includes(platform)) return [];
  const problem = platform
    ? `a VXLAN port of its own exists only on ${WHERE}, and nodes run on ${platform}`
    : `a VXLAN port of its own exists only on ${WHERE}, and nothing says what the nodes run on`;
  const remedy = `leave it out, or say that nodes run on ${WHERE} by platform: ${WHERE}`;
  return [{ path, problem, remedy }];
}

function windowsFaults(
  { windowsServers, hybridOverlayVXLANPort: port }: HybridOverlayInputs,
  cluster: ConfiguredCluster,
): Fault[] {
  const path = "windowsServers";
  if (!isGiven(windowsServers) || windowsServers === UNKNOWN) return [];
  if (!isList(windowsServers))
    return [{ path, problem: `${shownText(windowsServers)} is no list`, remedy: "write a list of versions" }];
  const needed = needsPort(cluster) && !isGiven(port) && windowsServers.length > 0;
  return [
    ...windowsServers.flatMap((version, position) =>
      versionFaults(`${path}[${position}]`, version, isGiven(port) || needed),
    ),
    ...(needed
      ? [
          {
            path: "hybridOverlayVXLANPort",
            problem: `missing: Windows nodes on ${cluster.platform!} need one`,
            remedy: "choose a free UDP port, such as 9898",
          },
        ]
      : []),
  ];
}

function versionFaults(path: string, version: PropertyValue, ownPort: boolean): Fault[] {
  const wrong = wordFaults({ path, value: version }, Object.values(WindowsServerVersion));
  const unable = withoutCustomVxlanPort.versions.find((one) => one === version);
  if (!ownPort || unable === undefined) return wrong;
  const problem = `Windows Server ${unable} cannot choose a VXLAN port, and this cluster has one of its own`;
  return [{ path, problem, remedy: "use a newer version" }];
}

const needsPort = ({ platform }: ConfiguredCluster): boolean =>
  platform !== undefined && customVxlanPort.platforms.includes(platform);

function vSphereWarnings(inputs: HybridOverlayInputs, cluster: ConfiguredCluster): Fault[] {
  if (!needsPort(cluster) || isGiven(inputs.hybridOverlayVXLANPort) || isGiven(inputs.windowsServers))
    return [];
  const problem = `missing: Windows nodes on ${cluster.platform!} need one, and it cannot be added later`;
  return [{ path: "hybridOverlayVXLANPort", problem, remedy: "choose a free UDP port, such as 9898" }];
}

/** The operator hands only the range to OVN-Kubernetes. */
function nodePartWarnings(value: PropertyValue | undefined): Fault[] {
  return entriesOf(value).flatMap((entry, position) => {
    const hostPrefix = propertyOf(entry, "hostPrefix");
    if (typeof hostPrefix !== "number" || hostPrefix === hybridNodePart.length) return [];
    const problem = `${hostPrefix} is not passed on by the network operator: each node gets a /${hybridNodePart.length}`;
    const remedy = `plan with /${hybridNodePart.length}`;
    return [{ path: `hybridClusterNetwork[${position}].hostPrefix`, problem, remedy }];
  });
}
