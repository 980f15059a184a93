import { FAMILIES } from "../../address";
import { HYPERSHIFT, NETWORK_OPERATOR, at } from "../../requirements/documents";
import { LIMIT, limitSources, subnetReservations } from "../../requirements/limits";
import { UNKNOWN } from "../../resources/resource";
import { type FamilyRoom, leastRoom, scarcestRoom } from "../../topology/normalize/ovnSubnets";
import { entryPaths, isUnknown, isWhole, type NormalizedTopology } from "../../topology/normalizedTopology";
import { networkRangesOf } from "../../topology/reservedRanges";
import { machineRoom } from "../../topology/addressBlocks";
import type { JudgedCluster } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";
import { hiddenNodePools, nodePoolsOf } from "../../gate/guestCluster";
import { wholeTopology } from "../../gate/refutedFlows";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** Reports hosted clusters whose networks have no room for their nodes or the nodes' pods. */
export const networkCapacity: Rule = {
  id: "network-capacity",
  title: "Network is too small for the nodes or their pods",
  level: Level.Warning,
  description:
    "Reports hosted clusters whose NodePools, at their maximum size, need more nodes than the cluster network has per-node blocks (2^(hostPrefix - mask) for each range) or the machine network has usable addresses.",
  details: [
    "With IPv4 and IPv6, each node needs a block and an address of each.",
    "The network address, the broadcast address and the addresses that a cloud reserves in a subnet are not usable.",
    `Also reports per-node blocks that are too small for ${LIMIT.podsPerNode} pods, the default maximum of a node.`,
    "Networks are immutable: a cluster that is too small must be re-created.",
  ],
  documents: [
    at(HYPERSHIFT, "HostedCluster CRD, spec.networking"),
    at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
    limitSources.podsPerNode,
    ...Object.values(subnetReservations).flatMap(({ documents }) => documents),
  ],
  remediation: "Write larger networks before the cluster is created, or limit the NodePools to fewer nodes.",
  judge: (judged) => {
    const described = judged.clusters.filter((cluster) => wholeTopology(cluster) !== undefined);
    return [
      ...described.flatMap((cluster) => judgeCluster(judged, cluster)),
      ...(described.length > 0 ? hiddenNodePools(judged) : []),
    ];
  },
};

function judgeCluster(judged: JudgedResources, cluster: JudgedCluster): Judgement[] {
  const topology = wholeTopology(cluster)!;
  return [...judgeParts(cluster, topology), ...judgeNodes(judged, cluster, topology)];
}

/** Judges the part of the cluster network that each node gets. */
function judgeParts(cluster: JudgedCluster, topology: NormalizedTopology): Judgement[] {
  const pods = networkRangesOf(topology, "clusterNetwork");
  const paths = entryPaths(topology, "clusterNetwork", pods.length);
  return pods.flatMap(({ prefix, hostPrefix }, position) => {
    if (prefix.family !== 4 || hostPrefix === undefined) return [];
    const room = 2 ** (32 - hostPrefix) - LIMIT.nodePartReservedAddresses;
    if (room >= LIMIT.podsPerNode) return [];
    const { resource, path } = cluster.locate(`${paths[position]}.hostPrefix`);
    const longest = 32 - Math.ceil(Math.log2(LIMIT.podsPerNode + LIMIT.nodePartReservedAddresses));
    return [
      violated({
        resource,
        path,
        message: `/${hostPrefix} of ${prefix.text} gives each node ${Math.max(0, room)} addresses for pods, and a node runs up to ${LIMIT.podsPerNode} pods by default`,
        fix: `write ${longest} or less, or give the nodes a smaller maxPods by a KubeletConfig and exempt the cluster`,
      }),
    ];
  });
}

function judgeNodes(
  judged: JudgedResources,
  cluster: JudgedCluster,
  topology: NormalizedTopology,
): Judgement[] {
  const pools = nodePoolsOf(judged, topology);
  if (pools.length === 0) return [];
  const pending = pools.filter(({ most }) => most === UNKNOWN);
  const nodes = pools.reduce((sum, { most }) => sum + (most === UNKNOWN ? 0 : most), 0);
  const judgements = [
    judgeRoom(cluster, topology, "clusterNetwork", nodes),
    judgeRoom(cluster, topology, "machineNetwork", nodes),
  ];
  return [
    ...judgements.flat(),
    ...pending.map(({ resource }) =>
      unknown({ resource, path: "spec.replicas", reason: "how many nodes it creates" }),
    ),
  ];
}

/** Judges whether a network has room for a number of nodes. */
function judgeRoom(
  cluster: JudgedCluster,
  topology: NormalizedTopology,
  property: "clusterNetwork" | "machineNetwork",
  nodes: number,
): Judgement[] {
  const { resource, holder, path } = cluster.locate(property);
  if (isUnknown(topology, property)) return holder ? [unknown({ resource: holder, path })] : [];
  const isWrong = cluster.faults.some((fault) => fault.path.endsWith(".hostPrefix"));
  if (!isWhole(topology, property) || (property === "clusterNetwork" && isWrong)) return [];
  const room = roomIn(topology, property);
  if (room === undefined || BigInt(nodes) <= room.nodes) return [];
  const isDual = new Set(networkRangesOf(topology, property).map(({ prefix }) => prefix.family)).size > 1;
  return [
    violated({
      resource,
      path,
      message: `the NodePools create up to ${nodes} nodes, and the ${NAMES[property]} has room for ${room.nodes}${isDual ? ` in IPv${room.family}` : ""}`,
      fix: fixOf(property, room),
    }),
  ];
}

const NAMES = { clusterNetwork: "cluster network", machineNetwork: "machine network" } as const;

/** The fix. With OVN-Kubernetes, only IPv4 has other host prefixes than the default. */
function fixOf(property: "clusterNetwork" | "machineNetwork", { family }: FamilyRoom): string {
  const larger = {
    clusterNetwork: `write a larger cluster network ${family === 4 ? "or a longer hostPrefix " : ""}before the cluster is created`,
    machineNetwork: "add the machines' other ranges to the machine network",
  }[property];
  return `${larger}, or limit the NodePools to fewer nodes`;
}

/** The number of nodes that a network has room for, in the family with the least room; undefined if it has no range. */
const roomIn = (
  topology: NormalizedTopology,
  property: "clusterNetwork" | "machineNetwork",
): FamilyRoom | undefined =>
  property === "clusterNetwork" ? scarcestRoom(topology.clusterNetwork) : roomForMachines(topology);

/** Every machine needs an address of the families that pods have. Without one of them, an address of any family is enough. */
function roomForMachines({
  machineNetwork,
  clusterNetwork,
  platform,
}: NormalizedTopology): FamilyRoom | undefined {
  const rooms = FAMILIES.flatMap((family): FamilyRoom[] => {
    const own = machineNetwork.filter((prefix) => prefix.family === family);
    if (own.length === 0) return [];
    return [{ family, nodes: own.reduce((sum, prefix) => sum + machineRoom(prefix, platform), 0n) }];
  });
  const needed = rooms.filter(({ family }) => clusterNetwork.some(({ prefix }) => prefix.family === family));
  if (needed.length > 0) return leastRoom(needed);
  return rooms.find(({ nodes }) => rooms.every((other) => other.nodes <= nodes));
}
