import { addressCount, BITS, FAMILIES } from "../../address";
import type { Family, Prefix } from "../../address";
import type { Fault } from "../../fault";
import { internalSubnet, internalSubnetProperties } from "../../requirements/internalSubnets";
import type { InternalSubnetProperty } from "../../requirements/internalSubnets";
import { LIMIT } from "../../requirements/limits";
import { compareReleases, formatRelease } from "../../requirements/release";
import type { Release } from "../../requirements/release";
import { NetworkType } from "../../requirements/vocabulary";
import type { Platform } from "../../requirements/vocabulary";
import {
  isUnknown,
  isWhole,
  type NodeSplitNetwork,
  type NormalizedTopology,
  type StatedSubnets,
} from "../normalizedTopology";
import { UNKNOWN } from "../../resources/resource";
import { type Findings, missing, readCidr, refuse, warn } from "./values";

/** Rules on internal subnets that have their own name; all other faults concern a subnet that no cluster can use. */
export enum OvnSubnetRule {
  Capacity = "ovn-subnet-capacity",
  Release = "ovn-subnet-release",
}

/** What the rules on internal subnets read in addition to the subnets. */
export interface OvnSurroundings extends Pick<NormalizedTopology, "unknown" | "left"> {
  platform: Platform;
  release: Release | undefined;
  networkType: NetworkType;
  clusterNetwork: readonly NodeSplitNetwork[];
}

/** Reads the internal subnets and checks every rule except overlaps with other networks. */
export function readOvnSubnets(
  findings: Findings,
  raw: Record<string, unknown>,
  surroundings: OvnSurroundings,
): StatedSubnets {
  const { platform, release, networkType } = surroundings;
  const subnets: { [property in InternalSubnetProperty]?: Prefix } = {};
  for (const property of internalSubnetProperties) {
    const prefix = readSubnet(findings, property, raw[property]);
    if (!prefix) continue;
    subnets[property] = prefix;
    demandRoom(findings, property, prefix, surroundings);
    demandFamily(findings, property, prefix, surroundings);
    demandRelease(findings, property, raw.release, release);
    if (networkType !== NetworkType.OVNKubernetes)
      refuse(findings, property, `a network of type ${networkType} has no such subnet`, "leave it out");
  }
  for (const property of internalSubnetProperties) {
    const { refused } = internalSubnet(property);
    // The object around an unknown subnet may be what is unknown, and hold the other subnet.
    if (raw[property] && raw[property] !== UNKNOWN && refused?.platform === platform)
      refuse(findings, property, refused.problem, refused.remedy);
  }
  refuseBoth(findings, subnets);
  return subnets;
}

/**
 * Checks the rules of the HostedCluster API on one subnet: family, mask, first octet. Every valid CIDR
 * block is within the API's limits on the number of characters.
 */
function readSubnet(
  findings: Findings,
  property: InternalSubnetProperty,
  value: unknown,
): Prefix | undefined {
  if (missing(findings, property, value)) return undefined;
  const { family, longestMask: longest } = internalSubnet(property);
  const prefix = readCidr(findings, property, value, {
    families: [family],
    maxLength: { [family]: longest },
  });
  if (!prefix) return undefined;
  if (family === 4 && prefix.start >> 24n === 0n)
    return refuse(
      findings,
      property,
      `${prefix.text} begins with the octet 0`,
      "write a subnet whose first octet is 1 or more",
    );
  return prefix;
}

/** How many nodes the cluster network has room for: each node gets a part of the host prefix's size. */
export function maximumNodes(clusterNetwork: readonly NodeSplitNetwork[], family: Family = 4): bigint {
  return clusterNetwork
    .filter(({ prefix }) => prefix.family === family)
    .reduce(
      (nodes, { prefix, hostPrefix }) => nodes + (1n << BigInt(Math.max(0, hostPrefix - prefix.length))),
      0n,
    );
}

/** The room that a network of nodes has in one of its families. */
export interface FamilyRoom {
  family: Family;
  nodes: bigint;
}

/** The family of a cluster network with the least room: each node gets a part in every family. Undefined without a range. */
export const scarcestRoom = (clusterNetwork: readonly NodeSplitNetwork[]): FamilyRoom | undefined =>
  leastRoom(
    FAMILIES.filter((family) => clusterNetwork.some(({ prefix }) => prefix.family === family)).map(
      (family) => ({ family, nodes: maximumNodes(clusterNetwork, family) }),
    ),
  );

/** The least room; undefined if there is none. */
export const leastRoom = ([first, ...rooms]: readonly FamilyRoom[]): FamilyRoom | undefined =>
  first && rooms.reduce((least, room) => (room.nodes < least.nodes ? room : least), first);

/** Whether an internal subnet has an address for each node that the cluster network has room for. */
export const hasRoomForNodes = (subnet: Prefix, nodes: bigint): boolean =>
  isRoomFor(nodes, addressCount(subnet), subnet.family);

function isRoomFor(nodes: bigint, addresses: bigint, family: Family): boolean {
  const free = addresses - BigInt(LIMIT.internalSubnetReservedAddresses);
  // The network operator has different rules for counting IPv4 and IPv6 subnets.
  return family === 4 ? nodes < free : nodes <= free;
}

/** The longest mask of a subnet with room for `nodes`. */
export function longestMask(nodes: bigint, family: Family = 4): number {
  let length: number = (family === 4 ? LIMIT.internalSubnetMask : LIMIT.internalSubnetV6Mask).max;
  while (length > 0 && !isRoomFor(nodes, 1n << BigInt(BITS[family] - length), family)) length--;
  return length;
}

/** Without the size of each node's part, the number of nodes is unknown. */
const isPending = (surroundings: OvnSurroundings) =>
  isUnknown(surroundings, "clusterNetwork") || !isWhole(surroundings, "clusterNetwork");

function demandRoom(
  findings: Findings,
  property: string,
  subnet: Prefix,
  surroundings: OvnSurroundings,
): void {
  if (isPending(surroundings)) return;
  const nodes = maximumNodes(surroundings.clusterNetwork, subnet.family);
  if (hasRoomForNodes(subnet, nodes)) return;
  refuse(
    findings,
    property,
    `${subnet.text} is too small for the ${nodes} nodes that the cluster network has room for`,
    `write /${longestMask(nodes, subnet.family)} or larger`,
    OvnSubnetRule.Capacity,
  );
}

/** The network operator refuses a subnet of a family that the pods do not have. */
function demandFamily(
  findings: Findings,
  property: string,
  { family }: Prefix,
  surroundings: OvnSurroundings,
): void {
  const { clusterNetwork } = surroundings;
  if (isPending(surroundings) || clusterNetwork.length === 0) return;
  if (clusterNetwork.some(({ prefix }) => prefix.family === family)) return;
  const { problem, remedy } = withoutPods(family);
  refuse(findings, property, problem, remedy);
}

/** The fault of a subnet of a family that the pods do not have. */
export const withoutPods = (family: Family): Pick<Fault, "problem" | "remedy"> => ({
  problem: `is IPv${family}, and the cluster network has no IPv${family} range`,
  remedy: `leave it out, or add an IPv${family} range to the cluster network`,
});

function demandRelease(
  findings: Findings,
  property: InternalSubnetProperty,
  stated: unknown,
  release: Release | undefined,
): void {
  const { since, news } = internalSubnet(property);
  if (news !== undefined)
    warn(
      findings,
      property,
      `HyperShift supports it ${news} and refuses or drops it in earlier versions`,
      "make sure that the operator supports it, and choose carefully: it can never change",
    );
  if (!since) return;
  const first = formatRelease(since);
  if (!release) {
    if (stated === undefined || stated === null)
      warn(
        findings,
        "release",
        `missing: ${property} needs ${first} or newer, which cannot be checked`,
        `write release: "${first}"`,
      );
  } else if (compareReleases(release, since) < 0)
    refuse(
      findings,
      property,
      `release ${formatRelease(release)} does not have it`,
      `upgrade to ${first} or newer, or leave it out`,
      OvnSubnetRule.Release,
    );
}

/** The network operator derives one subnet from two properties: it refuses unequal values, and HyperShift refuses equal ones. */
function refuseBoth(findings: Findings, subnets: StatedSubnets): void {
  for (const property of internalSubnetProperties) {
    const { sameAs, mutable } = internalSubnet(property);
    const other = internalSubnetProperties.find((candidate) => candidate === sameAs);
    if (!other || !subnets[property] || !subnets[other]) continue;
    // Each pair is reported once, at the property that can never change.
    if (mutable || (!internalSubnet(other).mutable && property > other)) continue;
    refuse(
      findings,
      property,
      `is set together with ${other}, and the network operator uses both for one subnet`,
      "write one of the two",
    );
  }
}
