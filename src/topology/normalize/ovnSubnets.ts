import { addressCount } from "../../address";
import type { Prefix } from "../../address";
import { INTERNAL_SUBNETS_SINCE, LIMIT } from "../../requirements/limits";
import { compareReleases, formatRelease } from "../../requirements/release";
import type { Release } from "../../requirements/release";
import { NetworkType, Platform } from "../../requirements/vocabulary";
import type { NodeSplitNetwork } from "../normalizedTopology";
import { missing, refuse, shown, warn } from "./findings";
import type { Findings } from "./findings";
import { readCidr } from "./values";

/** OVN-Kubernetes' internal subnets of a hosted cluster, as stated. */
export interface OvnSubnets {
  internalJoinSubnet?: Prefix;
  internalTransitSwitchSubnet?: Prefix;
}

/** What the rules on internal subnets look at beside the subnets. */
export interface OvnSurroundings {
  platform: Platform;
  release: Release | undefined;
  networkType: NetworkType;
  clusterNetwork: readonly NodeSplitNetwork[];
}

const properties = ["internalJoinSubnet", "internalTransitSwitchSubnet"] as const;

/** The internal subnets, and every rule that needs no look at other networks. */
export function readOvnSubnets(
  findings: Findings,
  raw: Record<string, unknown>,
  { platform, release, networkType, clusterNetwork }: OvnSurroundings,
): OvnSubnets {
  const subnets: OvnSubnets = {};
  for (const property of properties) {
    const prefix = readSubnet(findings, property, raw[property]);
    if (!prefix) continue;
    subnets[property] = prefix;
    demandRoom(findings, property, prefix, clusterNetwork);
    demandRelease(findings, property, raw.release, release);
    if (networkType !== NetworkType.OVNKubernetes)
      refuse(findings, property, `a network of type ${networkType} has no such subnet`, "leave it out");
  }
  if (raw.internalJoinSubnet && platform === Platform.KubeVirt)
    refuse(
      findings,
      "internalJoinSubnet",
      "refused on KubeVirt, whose guests have a join subnet of their own",
      "leave it out; internalTransitSwitchSubnet can be set",
    );
  return subnets;
}

/** The rules of the HostedCluster API on one subnet: characters, family, mask, first octet. */
function readSubnet(findings: Findings, property: string, value: unknown): Prefix | undefined {
  if (missing(findings, property, value)) return undefined;
  const { min, max } = LIMIT.internalSubnetLength;
  const prefix = readCidr(findings, property, value, {
    families: [4],
    maxLength: { 4: LIMIT.internalSubnetMask.max },
  });
  if (!prefix) return undefined;
  const { length } = value as string;
  if (length < min || length > max)
    return refuse(
      findings,
      property,
      `${shown(value)} has ${length} characters`,
      `write ${min} to ${max} characters`,
    );
  if (prefix.start >> 24n === 0n)
    return refuse(
      findings,
      property,
      `${prefix.text} begins with the octet 0`,
      "write a subnet whose first octet is 1 or more",
    );
  return prefix;
}

/** How many nodes the cluster network has room for: each takes a part of the host prefix's size. */
export function maximumNodes(clusterNetwork: readonly NodeSplitNetwork[]): bigint {
  return clusterNetwork
    .filter(({ prefix }) => prefix.family === 4)
    .reduce(
      (nodes, { prefix, hostPrefix }) => nodes + (1n << BigInt(Math.max(0, hostPrefix - prefix.length))),
      0n,
    );
}

/** Whether an internal subnet has an address for each node that the cluster network has room for. */
export function hasRoomForNodes(subnet: Prefix, nodes: bigint): boolean {
  return nodes < addressCount(subnet) - BigInt(LIMIT.internalSubnetReservedAddresses);
}

/** The longest mask with room for so many nodes. */
export function longestMask(nodes: bigint): number {
  let length: number = LIMIT.internalSubnetMask.max;
  while (length > 0 && nodes >= (1n << BigInt(32 - length)) - BigInt(LIMIT.internalSubnetReservedAddresses))
    length--;
  return length;
}

function demandRoom(
  findings: Findings,
  property: string,
  subnet: Prefix,
  clusterNetwork: readonly NodeSplitNetwork[],
): void {
  // Without the size of each node's part nobody knows how many nodes there can be.
  if (findings.unknown.some((path) => path.startsWith("clusterNetwork"))) return;
  const nodes = maximumNodes(clusterNetwork);
  if (hasRoomForNodes(subnet, nodes)) return;
  refuse(
    findings,
    property,
    `${subnet.text} is too small for the ${nodes} nodes that the cluster network has room for`,
    `write /${longestMask(nodes)} or larger`,
  );
}

function demandRelease(findings: Findings, property: string, stated: unknown, release: Release | undefined) {
  const since = formatRelease(INTERNAL_SUBNETS_SINCE);
  if (!release) {
    if (stated === undefined || stated === null)
      warn(
        findings,
        "release",
        `missing: ${property} needs ${since} or newer, which cannot be checked`,
        `write release: "${since}"`,
      );
  } else if (compareReleases(release, INTERNAL_SUBNETS_SINCE) < 0)
    refuse(
      findings,
      property,
      `release ${formatRelease(release)} does not have it`,
      `upgrade to ${since} or newer, or leave it out`,
    );
}
