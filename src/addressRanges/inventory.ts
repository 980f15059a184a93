import { compare, meeting, overlap, type Prefix, readBlock, readPrefix } from "../address";
import { grouped, onceForBoth, onceForEach, onceIn } from "../collections";
import { type JudgedCluster, objectOf } from "../gate/clusters";
import { guestCluster } from "../gate/guestCluster";
import { isInstallManifest, networkTypeOf } from "../networkOperator/network";
import { statedMigration } from "../networkOperator/networkChanges";
import type { JudgedResources } from "../gate/judgedResources";
import { describeResource } from "../gate/rule";
import { managementNetworks } from "../flows/surroundings";
import { type ImplicitRange, implicitRangeOf } from "../requirements/implicitRanges";
import {
  internalSubnet,
  internalSubnetProperties,
  internalSubnets,
  masqueradeSubnets,
} from "../requirements/internalSubnets";
import { NetworkType, Platform } from "../requirements/vocabulary";
import { API_NAMESPACE, isInEveryCluster } from "../resources/kubernetesObject";
import { areTwo, isElsewhere, keyOfPlace, managementOf, ThingsByPlace } from "../resources/managementCluster";
import { isNetwork, isNetworkConfig, OUR_COMPONENTS } from "../resources/resourceTypes";
import { type Found, read, readText, readValue } from "../resources/read";
import { type Origin, type Resource, UNKNOWN } from "../resources/resource";
import { isReached, type PlacedRange, type RemoteRange, type Vpc } from "../resources/vpcs";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { type RangeKind, type ReservedRange, reservedRanges } from "../topology/reservedRanges";
import { addressPools, type OwnAddress, ownAddresses } from "./ownAddresses";
import { mayHoldWorkers, workerVpcs } from "./workerVpcs";

/** A range of a hosted cluster, or of a network around it, with the place that states it. */
export interface JudgedRange extends ReservedRange {
  origin: Origin;
  /** The place in the resource or file. */
  at: string;
}

/** The ranges that a cluster states or implies, each with its place. Cached, because several rules use them. */
export const clusterRanges = onceForEach((cluster: JudgedCluster): readonly JudgedRange[] => {
  const { topology, partial } = cluster;
  if (!topology) return [];
  return reservedRanges(topology)
    .filter(({ kind, implicit }) => !partial || !implicit || kind === "implicit")
    .map((range) => located(cluster, range));
});

/** A range of a cluster with the place where it is stated, or would be stated. */
export function located(cluster: JudgedCluster, range: ReservedRange): JudgedRange {
  const { resource, path } = cluster.locate(range.path ?? "name");
  return { ...range, origin: resource, at: path };
}

/** A network of the plan as a range; `kind` states whether machines may be in it. */
export const networkOfPlan = (
  { name, prefix, resource: { origin }, path }: PlacedRange,
  kind: "infrastructure" | "surrounding",
): JudgedRange => ({ name, kind, prefix, implicit: false, origin, at: path });

/** An address that belongs to one object, as a range. */
const addressOfObject = ({ resource, path, prefix }: OwnAddress): JudgedRange => ({
  name: `an address of ${describeResource(resource)}`,
  kind: "surrounding",
  prefix,
  implicit: false,
  origin: resource.origin,
  at: path,
});

/** How a network of the plan relates to the workers of a cluster. */
export enum Reach {
  /** The network holds the workers. */
  Home,
  /** The workers reach the network: a peering, a transit gateway, a VPN or a route leads there. */
  Connected,
  /** The network is in the same stack or account, but nothing in the plan leads there. */
  Unconnected,
}

/** A network of the plan that shares addresses with a range of a cluster. */
export interface NetworkThere {
  range: JudgedRange;
  reach: Reach;
}

/** The networks of a plan, indexed once for the ranges of many clusters. */
interface PlanNetworks {
  vpcsMeeting: (block: Prefix) => VpcBlock[];
  remoteMeeting: (block: Prefix) => RemoteRange[];
  doubtfulMeeting: (block: Prefix) => RemoteRange[];
  position: ReadonlyMap<string, number>;
  /** VPCs that are only referenced, not in the stack, so that their blocks are unknown: one of them may hold the workers. */
  unseen: readonly string[];
}

type VpcBlock = PlacedRange & { vpc: string };

const planNetworks = onceForEach(({ vpcs, connections }: JudgedResources): PlanNetworks => {
  const isSeen = ({ resource, peering }: Partial<Vpc> = {}) => (resource ?? peering) !== undefined;
  return {
    vpcsMeeting: meeting(
      [...vpcs.values()].flatMap((vpc) => blocksOf(vpc).map((block) => ({ ...block, vpc: vpc.key }))),
    ),
    remoteMeeting: meeting(connections.remote),
    doubtfulMeeting: meeting(connections.doubtful),
    position: new Map([...vpcs.keys()].map((key, place) => [key, place])),
    unseen: [...new Set([...vpcs.keys(), ...connections.ends])].filter((key) => !isSeen(vpcs.get(key))),
  };
});

/** The blocks of a VPC; if none are known, its subnets. */
const blocksOf = ({ blocks, subnets }: Vpc): PlacedRange[] => (blocks.length > 0 ? blocks : subnets);

/**
 * The networks of the plan that share addresses with a range of a cluster: the VPC that holds its workers, what that VPC is
 * connected to, where its routes lead, and VPCs that nothing connects with it.
 */
export function networksMeeting(
  judged: JudgedResources,
  cluster: JudgedCluster,
): (block: Prefix) => NetworkThere[] {
  const { connections } = judged;
  const { vpcsMeeting, remoteMeeting, position } = planNetworks(judged);
  const homes = homeVpcs(judged, cluster);
  const keys = possibleHomes(judged, homes);
  const reachOf = (vpc: string): Reach => {
    if (homes.has(vpc)) return Reach.Home;
    return keys.some((home) => connections.connected(home, vpc)) ? Reach.Connected : Reach.Unconnected;
  };
  // A route to a VPC that is in the plan and connected adds nothing to the VPC's block.
  const isNeighbours = ({ prefix }: RemoteRange) =>
    vpcsMeeting(prefix).some(
      ({ vpc, prefix: block }) =>
        block.length <= prefix.length && !keys.includes(vpc) && reachOf(vpc) === Reach.Connected,
    );
  const isBesideCore = atCoreNetworks(judged, keys);
  return (block) => {
    const vpcs = vpcsMeeting(block)
      .map(({ vpc, ...range }) => ({ vpc, range, reach: reachOf(vpc) }))
      .filter(({ vpc, reach }) => reach !== Reach.Unconnected || !isBesideCore(vpc))
      .sort((a, b) => a.reach - b.reach || position.get(a.vpc)! - position.get(b.vpc)!)
      .map(({ range, reach }) => ({
        reach,
        range: networkOfPlan(range, reach === Reach.Connected ? "infrastructure" : "surrounding"),
      }));
    // A route in a table that is not in the stack may apply to the workers.
    const remote = remoteMeeting(block)
      .filter((range) => isReached(range, keys) && !isNeighbours(range))
      .map((range) => ({ reach: Reach.Connected, range: networkOfPlan(range, "surrounding") }));
    return [...vpcs, ...remote];
  };
}

/** The VPCs that hold the workers of a cluster; if there are none, the VPCs that are not in the stack. */
const possibleHomes = (judged: JudgedResources, homes: ReadonlySet<string>): readonly string[] =>
  homes.size > 0 ? [...homes] : planNetworks(judged).unseen;

/** The destinations that share addresses with a range of a cluster, if it is unknown whether these addresses are in use there. */
export function doubtfulMeeting(
  judged: JudgedResources,
  cluster: JudgedCluster,
): (block: Prefix) => RemoteRange[] {
  const { doubtfulMeeting: meetingBlock, vpcsMeeting } = planNetworks(judged);
  const homes = homeVpcs(judged, cluster);
  const keys = possibleHomes(judged, homes);
  const { connections } = judged;
  const isBesideCore = atCoreNetworks(judged, keys);
  const mayMeet = ({ vpc }: VpcBlock) =>
    isBesideCore(vpc) && !homes.has(vpc) && !keys.some((home) => connections.connected(home, vpc));
  return (block) => [
    ...meetingBlock(block).filter((range) => isReached(range, keys)),
    ...(connections.coreNetworks.size === 0 ? [] : vpcsMeeting(block).filter(mayMeet)).map((range) => ({
      ...range,
      name: `${range.name} at the same core network`,
    })),
  ];
}

/** Returns whether a VPC is at the same core network as one of the VPCs `vpcs`. */
function atCoreNetworks({ connections }: JudgedResources, vpcs: readonly string[]): (vpc: string) => boolean {
  const { coreNetworks } = connections;
  const own = new Set(vpcs.flatMap((vpc) => [...(coreNetworks.get(vpc) ?? [])]));
  return (vpc) => [...(coreNetworks.get(vpc) ?? [])].some((network) => own.has(network));
}

const poolsByPlace = onceForEach(
  (judged: JudgedResources) =>
    new ThingsByPlace(({ resource }: PlacedRange) => managementOf(resource), addressPools(judged).blocks),
);

const poolsIn = onceForEach((pools: readonly PlacedRange[]) => meeting(pools));

/**
 * The load-balancer pools that share addresses with a range of a cluster: for each entry of a pool the first block. A pool of another
 * provider may belong to the hosted cluster if there is only one hosted cluster.
 *
 * @param beside an object of the management cluster
 */
export function poolsMeeting(
  judged: JudgedResources,
  beside: Resource | undefined,
): (block: Prefix) => JudgedRange[] {
  const place = judged.clusters.length > 1 && beside ? managementOf(beside) : undefined;
  const pools = poolsByPlace(judged).notInAnother(place).map(poolsIn);
  return (block) => {
    const entries = new Map<Resource, Map<string, PlacedRange>>();
    const there = pools.flatMap((meeting) => meeting(block)).sort((a, b) => compare(a.prefix, b.prefix));
    for (const pool of there)
      onceIn(
        onceIn(entries, pool.resource, () => new Map<string, PlacedRange>()),
        pool.path,
        () => pool,
      );
    return [...entries.values()].flatMap((own) =>
      [...own.values()].map((pool) => networkOfPlan(pool, "surrounding")),
    );
  };
}

/** Everything in the inventory with addresses of a block, for one cluster: its own ranges and peers, then networks of the plan. */
export function inventoryAt(
  judged: JudgedResources,
  cluster: JudgedCluster & { topology: NormalizedTopology },
  block: Prefix,
): (Omit<NetworkThere, "reach"> & { reach?: Reach })[] {
  const { topology } = cluster;
  const own = [...rangesOfCluster(judged, cluster), ...managementRanges(judged, cluster)];
  return [
    ...own.filter(({ prefix }) => overlap(prefix, block)).map((range) => ({ range })),
    ...ownAddresses(judged)
      .filter(({ resource, prefix }) => overlap(prefix, block) && !isElsewhere(topology.placement, resource))
      .map((own) => ({ range: addressOfObject(own) })),
    ...poolsMeeting(judged, objectOf(cluster))(block).map((range) => ({ range })),
    ...networksMeeting(judged, cluster)(block),
    ...doubtfulMeeting(
      judged,
      cluster,
    )(block).map((range) => ({ range: networkOfPlan(range, "surrounding") })),
  ];
}

/**
 * The VPCs of a plan that can hold the workers of a cluster: the VPC that the cluster's object names, otherwise those with a block
 * around a machine network, except VPCs whose id or region differs from the object; of these, if any, the VPCs of the workers'
 * security groups. VPCs of different accounts and regions may have the same block.
 */
export function homeVpcs(judged: JudgedResources, cluster: JudgedCluster): ReadonlySet<string> {
  const { vpcsMeeting } = planNetworks(judged);
  const { machineNetwork = [], workerCidrs = [] } = cluster.topology ?? {};
  const said = workerVpcs(judged, cluster);
  const sure = said.flatMap(({ vpc, isSure }) => (isSure ? vpc.key : []));
  if (sure.length > 0) return new Set(sure);
  const around = [...machineNetwork, ...workerCidrs].flatMap((machine) =>
    vpcsMeeting(machine).flatMap(({ vpc, prefix }) => (prefix.length <= machine.length ? vpc : [])),
  );
  const possible = around.filter((key) => mayHoldWorkers(judged, cluster, key));
  const withGroups = new Set(said.map(({ vpc }) => vpc.key));
  const likely = possible.filter((key) => withGroups.has(key));
  return new Set(likely.length > 0 ? likely : possible);
}

/** A range of a Network object of the network operator: where the object states it, and its default. */
interface NetworkRange {
  kind: RangeKind;
  name: string;
  paths: readonly string[];
  /** The row of the default range, which applies if the object states none. */
  row?: string;
  /** True: must be distinct from the ranges of KubeVirt clusters, whose nodes are pods here. */
  meetsGuests?: true;
}

const ofOvn = (field: string): string => `spec.defaultNetwork.ovnKubernetesConfig.${field}`;

const NETWORK_RANGES: readonly NetworkRange[] = [
  {
    kind: "clusterNetwork",
    name: "the cluster network",
    paths: ["spec.clusterNetwork[].cidr"],
    meetsGuests: true,
  },
  {
    kind: "serviceNetwork",
    name: "the service network",
    paths: ["spec.serviceNetwork[]"],
    meetsGuests: true,
  },
  {
    kind: "internalJoinSubnet",
    name: internalSubnets.internalJoinSubnet.name,
    paths: ["ipv4.internalJoinSubnet", "v4InternalSubnet"].map(ofOvn),
    row: "ovn-join",
    meetsGuests: true,
  },
  {
    kind: "internalTransitSwitchSubnet",
    name: internalSubnets.internalTransitSwitchSubnet.name,
    paths: ["ipv4.internalTransitSwitchSubnet"].map(ofOvn),
    row: "ovn-transit-switch",
  },
  {
    kind: "infrastructure",
    name: "the hybrid cluster network",
    paths: ["hybridOverlayConfig.hybridClusterNetwork[].cidr"].map(ofOvn),
  },
  {
    kind: "ipv6InternalJoinSubnet",
    name: internalSubnets.ipv6InternalJoinSubnet.name,
    paths: ["ipv6.internalJoinSubnet", "v6InternalSubnet"].map(ofOvn),
    row: "ovn-join-v6",
    meetsGuests: true,
  },
  {
    kind: "ipv6InternalTransitSwitchSubnet",
    name: internalSubnets.ipv6InternalTransitSwitchSubnet.name,
    paths: ["ipv6.internalTransitSwitchSubnet"].map(ofOvn),
    row: "ovn-transit-switch-v6",
  },
  ...masqueradeSubnets.map(({ name, field, row }) => ({
    kind: "masqueradeSubnet" as const,
    name,
    paths: [ofOvn(field)],
    row,
  })),
];

/**
 * Network objects of one cluster. The object of the cluster's configuration is the first: the network operator replaces the lists and
 * the type in its own object by those of the configuration.
 */
export type NetworkObjects = readonly [Resource, ...Resource[]];

/** Network objects by cluster. Operator's objects belong to the only object of a configuration that is in the same place. */
export const networksByCluster = onceForEach((networks: readonly Resource[]): readonly NetworkObjects[] => {
  const placeOf = (network: Resource) => {
    const place = managementOf(network);
    return place && keyOfPlace(place);
  };
  return [...grouped(networks, placeOf).values()].flatMap((here): readonly NetworkObjects[] => {
    const [config, ...others] = here.filter(({ type }) => isNetworkConfig(type));
    if (!config || others.length > 0) return here.map((one): NetworkObjects => [one]);
    return [[config, ...here.filter((one) => one !== config)]];
  });
});

/**
 * Whether it is certain which of two clusters has an object: the hosted cluster, or its management cluster. On KubeVirt, the virtual
 * machines of a hosted cluster and their networks are in its management cluster, so that a file may belong to either.
 */
export const isCertainlyApart = (network: Resource, { topology }: JudgedCluster): boolean =>
  topology?.platform !== Platform.KubeVirt || managementOf(network)?.by !== "folder";

/** Whether an object is certainly in the management cluster of a hosted cluster. */
export function isBeside(network: Resource, cluster: JudgedCluster): boolean {
  const namespace = readText(network.properties, "metadata.namespace") ?? API_NAMESPACE;
  const { topology } = cluster;
  if (namespace === topology?.controlPlaneNamespace) return true;
  if (namespace === topology?.namespace && !isInEveryCluster(namespace)) return true;
  const object = objectOf(cluster);
  const [place, other] = [managementOf(network), object && managementOf(object)];
  return place?.by !== "folder" && place?.by === other?.by && other !== undefined && !areTwo(place, other);
}

/**
 * Whether a Network object may hold settings of a hosted cluster. Not if it has a cluster network, which the HostedCluster states, if it
 * is certainly in the management cluster, or if it is for openshift-install, which installs no hosted clusters.
 */
export const mayBeInside = (network: Resource, cluster: JudgedCluster): boolean =>
  readValue(network.properties, "spec.clusterNetwork") === undefined &&
  !isInstallManifest(network) &&
  !isBeside(network, cluster);

/** The Network objects inside the only hosted cluster, which hold some of its settings. */
export const networksOfGuest = onceForEach((judged: JudgedResources): ReadonlySet<NetworkObjects> => {
  const cluster = guestCluster(judged);
  if (!cluster?.topology) return new Set();
  const isInside = (network: Resource) => mayBeInside(network, cluster);
  return new Set(networksByCluster(judged.ofKind(isNetwork)).filter((objects) => objects.every(isInside)));
});

/** The ranges that the Network objects of one cluster state or imply. */
export const networkRanges = (...objects: NetworkObjects): JudgedRange[] => rangesOf(objects, NETWORK_RANGES);

/** The rows of the default ranges that Network objects replace. */
const replacedRows = (objects: NetworkObjects): ReadonlySet<string | undefined> =>
  new Set(NETWORK_RANGES.filter((range) => isReplaced(statedAt(objects, range))).map(({ row }) => row));

/**
 * The ranges that the objects of a hosted cluster state or imply, without the defaults that Network objects inside it replace, and the
 * subnets of OVN-Kubernetes that these Network objects set.
 */
export function rangesByObject(
  judged: JudgedResources,
  cluster: JudgedCluster,
): { own: readonly JudgedRange[]; subnets: readonly JudgedRange[] } {
  const objects = networksInside(judged, cluster);
  const replaced = new Set(objects.flatMap((one) => [...replacedRows(one)]));
  return {
    own: clusterRanges(cluster).filter(({ row }) => !row || !replaced.has(row.id)),
    subnets: objects
      .flatMap((one) => networkRanges(...one))
      .filter(({ kind }) => kind in internalSubnets || kind === "masqueradeSubnet"),
  };
}

/** The ranges of a hosted cluster, each once: those of `rangesByObject`. Cached, because every user-defined network asks for them. */
export const rangesOfCluster = onceForBoth(
  (judged: JudgedResources, cluster: JudgedCluster): readonly JudgedRange[] => {
    const { own, subnets } = rangesByObject(judged, cluster);
    return [...own, ...subnets.filter((subnet) => !own.some((one) => isSameSubnet(one, subnet)))];
  },
);

/**
 * The Network objects that are compared as those of a hosted cluster. Nodes of KubeVirt clusters are pods: an object may be that of
 * either cluster, and is compared as that of the management cluster.
 */
export const networksInside = (
  judged: JudgedResources,
  { topology }: JudgedCluster,
): readonly NetworkObjects[] =>
  topology?.platform === Platform.KubeVirt ? [] : [...networksOfGuest(judged)];

/** Whether two ranges are one internal subnet: a HostedCluster and the object inside it may both state it. */
export const isSameSubnet = (one: JudgedRange, other: JudgedRange): boolean =>
  one.kind === other.kind ||
  internalSubnetProperties.some((kind) => kind === other.kind && internalSubnet(kind).sameAs === one.kind);

/**
 * The ranges of a KubeVirt cluster's management cluster from which the cluster's own must be distinct, because its nodes are pods
 * there. Network objects of other clusters, and those that a component creates for a hosted cluster, are left out.
 */
export function managementRanges(judged: JudgedResources, cluster: JudgedCluster): JudgedRange[] {
  const { topology } = cluster;
  if (topology?.platform !== Platform.KubeVirt) return [];
  const networks = managementNetworks(judged.index, topology, objectOf(cluster)).filter(
    ({ parent }) => !judged.index.at(parent)?.type.startsWith(OUR_COMPONENTS),
  );
  return networksByCluster(networks)
    .flatMap((objects) =>
      rangesOf(
        objects,
        NETWORK_RANGES.filter(({ meetsGuests }) => meetsGuests),
      ),
    )
    .map((range) => ({ ...range, name: `${range.name} of the management cluster` }));
}

/** Kinds of ranges of a cluster that could be confused with addresses of the management cluster's pods. */
export const GUEST_KINDS: ReadonlySet<RangeKind> = new Set([
  "clusterNetwork",
  "serviceNetwork",
  "internalJoinSubnet",
  "v4InternalSubnet",
  "ipv6InternalJoinSubnet",
  "v6InternalSubnet",
]);

function rangesOf(objects: NetworkObjects, rows: readonly NetworkRange[]): JudgedRange[] {
  return rows.flatMap((range) => {
    const { kind, name, row } = range;
    const found = statedAt(objects, range);
    const written = found.flatMap(({ path, value, origin }) => {
      const prefix = typeof value === "string" ? readBlock(value) : undefined;
      return prefix ? [{ kind, name, prefix, implicit: false, origin, at: path }] : [];
    });
    if (row === undefined || isReplaced(found)) return written;
    const implicit = implicitRangeOf(row);
    if (!takes(objects, implicit)) return [];
    return [
      {
        kind: "implicit" as const,
        name: implicit.name,
        prefix: readPrefix(implicit.cidr)!,
        implicit: true,
        row: implicit,
        origin: objects.at(-1)!.origin,
        at: range.paths[0]!,
      },
    ];
  });
}

/** Where Network objects state a range: a range with a default is a single one. */
const statedAt = (objects: NetworkObjects, { paths, row }: NetworkRange): (Found & { origin: Origin })[] =>
  paths.flatMap((path) => firstStated(objects, path)).slice(0, row === undefined ? undefined : 1);

/** The values at a path in the first object that has any there. */
export const firstStated = (objects: NetworkObjects, path: string): (Found & { origin: Origin })[] => {
  for (const { properties, origin } of objects) {
    const found = read(properties, path);
    if (found.length > 0) return found.map((one) => ({ ...one, origin }));
  }
  return [];
};

/** Whether what is stated for a range replaces its default. */
const isReplaced = (found: readonly Found[]): boolean =>
  found.some(
    ({ value }) => value === UNKNOWN || (typeof value === "string" && readBlock(value) !== undefined),
  );

/** Whether the cluster of Network objects uses a default range: pods have addresses of its family, from OVN-Kubernetes if required. */
function takes(objects: NetworkObjects, { family, ovnOnly }: ImplicitRange): boolean {
  const blocks = firstStated(objects, "spec.clusterNetwork[].cidr").flatMap(({ value }) =>
    typeof value === "string" ? (readBlock(value) ?? []) : [],
  );
  const isOfFamily = blocks.length === 0 ? family === 4 : blocks.some((block) => block.family === family);
  return isOfFamily && (!ovnOnly || isOfOvn(objects));
}

/** Whether a cluster certainly has OVN-Kubernetes, or migrates to it. The operator's annotation states no target: it is the other type. */
function isOfOvn(objects: NetworkObjects): boolean {
  const [type = NetworkType.OVNKubernetes] = objects.flatMap(
    ({ properties }) => networkTypeOf(properties.spec) ?? [],
  );
  if (type === NetworkType.OVNKubernetes) return true;
  return objects.some((one) => {
    const { isStated = true, target } = statedMigration(one) ?? {};
    return target === NetworkType.OVNKubernetes || (type === NetworkType.OpenShiftSDN && !isStated);
  });
}
