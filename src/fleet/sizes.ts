import { BITS, type Family } from "../address";
import { LIMIT, subnetReservations } from "../requirements/limits";
import { infrastructureOf } from "../requirements/platforms";
import { longestMask } from "../topology/normalize/ovnSubnets";
import type { Platform } from "../requirements/vocabulary";
import { familiesOf, type Fleet, type FleetCluster, takesKind } from "./fleet";
import { type ChosenKind, chosenKinds } from "../topology/reservedRanges";

/** A range that a cluster needs. */
export interface Demand {
  kind: ChosenKind;
  family: Family;
  /** Prefix length of the smallest block that is enough. */
  length: number;
  /** Of cluster networks: prefix length of the part that each node gets. */
  hostPrefix?: number;
}

/** What a cluster needs out of the pools that a fleet has. */
export function demandsOf(cluster: FleetCluster, pools: Fleet["pools"]): Demand[] {
  return chosenKinds
    .filter((kind) => pools[kind] && takesKind(cluster, kind))
    .flatMap((kind) =>
      ([4, 6] as const)
        .filter((family) => familiesOf(pools[kind]).has(family))
        .map((family) => ({ kind, family, ...SIZES[kind](cluster, family) })),
    );
}

type Size = Pick<Demand, "length" | "hostPrefix">;

/** How long the prefix may be for so many, by what they are. */
const SIZES: Readonly<Record<ChosenKind, (cluster: FleetCluster, family: Family) => Size>> = {
  machineNetwork: (cluster, family) => ({ length: machineLength(cluster, family) }),
  clusterNetwork: (cluster, family) => clusterSize(cluster, family),
  serviceNetwork: ({ services }, family) => ({
    length: Math.min(LIMIT.serviceNetworkMask.longest[family], lengthFor(services + ENDS, family)),
  }),
  internalJoinSubnet: internalSize,
  internalTransitSwitchSubnet: internalSize,
};

/** The network's own and the broadcast address. */
const ENDS = 2;

/** How many bits so many things need. */
const bitsFor = (count: number): number => Math.ceil(Math.log2(count));

/** The prefix length of a block of so many addresses. */
const lengthFor = (addresses: number, family: Family): number => BITS[family] - bitsFor(addresses);

/** A subnet for each zone, all of one size. */
function machineLength({ nodes, zones, otherAddresses, platform }: FleetCluster, family: Family): number {
  const subnets = bitsFor(zones);
  if (family === 6) return LIMIT.defaultHostPrefix[6] - subnets;
  const inZone = Math.ceil(nodes / zones) + otherAddresses + reservedIn(platform);
  return lengthFor(inZone, family) - subnets;
}

/** Addresses of a subnet that no machine can have. */
function reservedIn(platform: Platform): number {
  const kept = subnetReservations[infrastructureOf(platform)];
  return kept ? kept.first + kept.last : ENDS;
}

/** A part for each node; OVN-Kubernetes takes no part that is as large as the whole. */
function clusterSize({ nodes, podsPerNode }: FleetCluster, family: Family): Size {
  const usual = LIMIT.defaultHostPrefix[family];
  const hostPrefix =
    family === 6 || podsPerNode === undefined
      ? usual
      : lengthFor(Math.max(podsPerNode + LIMIT.nodePartReservedAddresses, 2 ** LIMIT.hostPrefixBits), family);
  return { length: hostPrefix - Math.max(1, bitsFor(nodes)), hostPrefix };
}

/** The network operator wants an address for every node that the cluster network has room for. */
function internalSize(cluster: FleetCluster): Size {
  const { length, hostPrefix } = clusterSize(cluster, 4);
  return { length: longestMask(1n << BigInt(hostPrefix! - length)) };
}
