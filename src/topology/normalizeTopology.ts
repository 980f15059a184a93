import { containsAddress, type Address } from "../address";
import { parseAddress } from "../address/parse";
import type { Fault } from "../fault";
import { endpointAccessModes, defaultEndpointAccess } from "../requirements/platforms";
import { LIMIT } from "../requirements/limits";
import { isHostedClusterName, isLabelName, controlPlaneNamespaceOf } from "../requirements/names";
import { WITHOUT_OPENSHIFT_SDN } from "../requirements/migration";
import { compareReleases, formatRelease, parseRelease } from "../requirements/release";
import type { Release } from "../requirements/release";
import { WORKER_GROUP_PLATFORMS } from "../requirements/rows/nodes";
import {
  EndpointAccess,
  LoadBalancerTargets,
  NetworkType,
  Platform,
  PublishingType,
  Service,
} from "../requirements/vocabulary";
import { AddressBlock, hasStandIns } from "./addressBlocks";
import { readAddresses } from "./normalize/addresses";
import {
  type Findings,
  missing,
  noFindings,
  type PathOf,
  plainCopy,
  readBoolean,
  readCidrs,
  readObject,
  readWhole,
  readText,
  readWord,
  refuse,
  shortValue,
  warn,
} from "./normalize/values";
import { NETWORK_RULE, readInfrastructure, readNetworks } from "./normalize/networks";
import type { Networks } from "./normalize/networks";
import { readOvnSubnets } from "./normalize/ovnSubnets";
import { readProxy } from "./proxy/apiProxy";
import { readServices } from "./normalize/services";
import {
  surroundingLists,
  type NormalizedTopology,
  type SurroundingBlocks,
  type SurroundingList,
} from "./normalizedTopology";
import {
  furtherPairs,
  isFault,
  overlapsOf,
  PUBLIC_BREAKS,
  PUBLIC_FIX,
  publicNetworks,
} from "./reservedRanges";
import { API_SERVER_ADDRESS } from "./statedRanges";

/** A topology, or the faults that prevent it. */
export interface NormalizedOrFaults {
  /** Absent if there are faults, or if name or platform is not known yet. */
  topology?: NormalizedTopology;
  /**
   * The readable part of the topology, even if there are faults: for rules that check what the user wrote, so that
   * one fault does not hide others. No resource is ever created from it. Absent only without a name and a platform.
   */
  readable?: NormalizedTopology;
  /** All faults. */
  faults: Fault[];
  /** Settings that work, but probably not as intended. */
  warnings: Fault[];
}

/** The topology of a component's inputs, or the faults that prevent it, and the warnings of all its inputs. */
export type TopologyJudgement = Omit<NormalizedOrFaults, "readable">;

/** The default namespace of a HostedCluster. */
export const DEFAULT_NAMESPACE = "clusters";

/** The properties of a topology. */
export const topologyProperties = [
  "name",
  "namespace",
  "platform",
  "release",
  "endpointAccess",
  "services",
  "machineNetwork",
  "clusterNetwork",
  "serviceNetwork",
  "networkType",
  "advertiseAddress",
  "apiServerPort",
  "internalJoinSubnet",
  "internalTransitSwitchSubnet",
  "v4InternalSubnet",
  "v6InternalSubnet",
  "ipv6InternalJoinSubnet",
  "ipv6InternalTransitSwitchSubnet",
  "loadBalancerTargets",
  ...surroundingLists,
  "infrastructureCidrs",
  "proxy",
  "bootstrap",
  "defaultWorkerRules",
] as const;

/** The keys that a topology accepts: its properties, and the blocks that they name. */
const written = [...topologyProperties, "addresses"] as const;

/**
 * Reads user input as the topology of a hosted cluster, applies every default and checks every rule that needs
 * no cluster. Returns all faults at once. Values may be UNKNOWN: they get no default, and `unknown` lists
 * them. Blocks that are planned by their keys (`plannedTopology`) become stand-ins, which are not checked.
 *
 * @param path the caller's name for the topology, which begins every path: `topology`,
 * `hostedClusters[2]`; or a function that returns where each property was written
 */
export function normalizeTopology(raw: unknown, path: string | PathOf = "topology"): NormalizedOrFaults {
  const read = readAll(noFindings(path), raw);
  if (!hasStandIns(raw)) return read;
  const { readable } = readAll(noFindings(path, true), raw);
  return { ...read, ...(read.topology && readable && { topology: readable }), ...(readable && { readable }) };
}

function readAll(findings: Findings, raw: unknown): NormalizedOrFaults {
  const plain = plainCopy(findings, "", raw);
  if (plain === undefined || plain === null) refuse(findings, "", "missing", "describe the hosted cluster");
  const object = readObject(findings, "", plain, written);
  const topology = object && readTopology(findings, object);
  if (topology) judgeOverlaps(findings, topology);
  const { faults, warnings } = findings;
  return {
    ...(topology && faults.length === 0 && { topology }),
    ...(topology && { readable: topology }),
    faults,
    warnings,
  };
}

/** The rule that reports faults of the network type in plans. */
export const NETWORK_TYPE_RULE = "ovn-subnet-invalid";

function refuseOpenShiftSdn(findings: Findings, networkType: NetworkType, release?: Release): void {
  const { from, reason } = WITHOUT_OPENSHIFT_SDN;
  if (networkType !== NetworkType.OpenShiftSDN || !release || compareReleases(release, from) < 0) return;
  refuse(
    findings,
    "networkType",
    `release ${formatRelease(release)} ${reason}, and the cluster gets no network`,
    `write ${NetworkType.OVNKubernetes}`,
    NETWORK_TYPE_RULE,
  );
}

function readTopology(findings: Findings, raw: Record<string, unknown>): NormalizedTopology | undefined {
  const name = readName(findings, "name", raw.name, isHostedClusterName);
  if (raw.name === undefined || raw.name === null)
    refuse(findings, "name", "missing", "write the name of the HostedCluster");
  const namespace = readName(findings, "namespace", raw.namespace, isLabelName) ?? DEFAULT_NAMESPACE;
  demandShortNames(findings, namespace, name);
  const release = readRelease(findings, raw.release);
  const stated = readWord(findings, "platform", raw.platform, Object.values(Platform));
  if (raw.platform === undefined || raw.platform === null)
    refuse(findings, "platform", "missing", `write one of ${Object.values(Platform).join(", ")}`);
  // Rules that do not depend on the platform are still checked.
  const platform = stated ?? Platform.None;
  const endpointAccess = readAccess(findings, raw.endpointAccess, stated);
  const services = readServices(findings, raw.services, stated, stated && endpointAccess);
  readAddresses(findings, raw.addresses);
  const networks = readNetworks(findings, raw);
  const networkType =
    readWord(findings, "networkType", raw.networkType, Object.values(NetworkType)) ??
    NetworkType.OVNKubernetes;
  refuseOpenShiftSdn(findings, networkType, release);
  const advertiseAddress = readAdvertised(findings, raw.advertiseAddress);
  const apiServerPort = readWhole(findings, "apiServerPort", raw.apiServerPort, LIMIT.port, "port");
  const { clusterNetwork } = networks;
  const { unknown, left } = findings;
  const subnets = readOvnSubnets(findings, raw, {
    platform,
    release,
    networkType,
    clusterNetwork,
    unknown,
    left,
  });
  const lists = readLists(findings, raw, networks.machineNetwork);
  const loadBalancerTargets = readWord(
    findings,
    "loadBalancerTargets",
    raw.loadBalancerTargets,
    Object.values(LoadBalancerTargets),
  );
  const infrastructureCidrs = readInfrastructure(findings, raw.infrastructureCidrs);
  const proxy = readProxy(findings, raw.proxy);
  const bootstrap = readBoolean(findings, "bootstrap", raw.bootstrap) ?? true;
  if (!bootstrap && services[Service.Ignition].type === PublishingType.Route)
    refuse(
      findings,
      "bootstrap",
      "false closes nothing: published by Route, ignition shares port 443 with konnectivity and OAuth",
      "leave bootstrap out, or publish ignition by NodePort where the platform has that",
    );
  const wantsWorkerRules = readBoolean(findings, "defaultWorkerRules", raw.defaultWorkerRules) ?? false;
  // On platforms without HyperShift's group, that group proves no flow.
  const defaultWorkerRules = wantsWorkerRules && WORKER_GROUP_PLATFORMS.includes(platform);
  if (wantsWorkerRules && stated !== undefined && !defaultWorkerRules)
    refuse(
      findings,
      "defaultWorkerRules",
      `HyperShift creates no security group for workers on ${stated}, only on ${WORKER_GROUP_PLATFORMS.join(", ")}`,
      "remove it, and write your own rules for traffic between these workers",
    );
  refuseEverybody(findings, endpointAccess, lists.externalClientCidrs);
  judgeAddresses(findings, advertiseAddress, services, networks);
  if (name === undefined || stated === undefined) return undefined;
  const standIns = [...findings.blocks.values()].filter(
    (block) => block instanceof AddressBlock && block.isStandIn,
  ) as AddressBlock[];
  return Object.freeze({
    name,
    namespace,
    controlPlaneNamespace: controlPlaneNamespaceOf(namespace, name),
    platform,
    ...(release && { release }),
    endpointAccess: endpointAccess ?? defaultEndpointAccess(platform),
    services,
    ...networks,
    networkType,
    ...(advertiseAddress && { advertiseAddress }),
    ...(apiServerPort !== undefined && { apiServerPort }),
    ...subnets,
    ...(loadBalancerTargets && { loadBalancerTargets }),
    ...lists,
    infrastructureCidrs,
    ...(standIns.length > 0 && { standIns }),
    ...(proxy && { proxy }),
    bootstrap,
    ...(defaultWorkerRules && { defaultWorkerRules }),
    defaulted: findings.defaulted,
    unknown: findings.unknown,
    ...(Object.keys(findings.left).length > 0 && { left: findings.left }),
  });
}

function readLists(
  findings: Findings,
  raw: Record<string, unknown>,
  machineNetwork: NormalizedTopology["machineNetwork"],
): SurroundingBlocks {
  const workersStated = raw.workerCidrs !== undefined && raw.workerCidrs !== null;
  if (!workersStated) findings.defaulted.push("workerCidrs");
  if (!workersStated && findings.unknown.some((property) => /^machineNetwork\b/.test(property)))
    findings.unknown.push("workerCidrs");
  const read = (list: SurroundingList) =>
    list === "workerCidrs" && !workersStated ? machineNetwork : readCidrs(findings, list, raw[list]);
  return Object.fromEntries(surroundingLists.map((list) => [list, read(list)])) as SurroundingBlocks;
}

/** Refuses an invalid name, but returns it so that rules can check the rest. */
function readName(
  findings: Findings,
  property: string,
  value: unknown,
  isName: (text: string) => boolean,
): string | undefined {
  const name = readText(findings, property, value);
  if (name !== undefined && !isName(name))
    refuse(
      findings,
      property,
      `${shortValue(name)} is not a Kubernetes name`,
      `write at most ${LIMIT.labelLength} lowercase letters, digits and hyphens`,
    );
  return name;
}

/** Namespace and name together form the name of the control plane's namespace. */
function demandShortNames(findings: Findings, namespace: string, name = ""): void {
  const made = controlPlaneNamespaceOf(namespace, name);
  const { length } = made;
  if (Math.max(namespace.length, name.length) <= LIMIT.labelLength && length > LIMIT.labelLength)
    refuse(
      findings,
      "name",
      `${made}, the namespace of the control plane, has ${length} characters`,
      `shorten name or namespace: ${LIMIT.labelLength} characters at most`,
    );
}

function readRelease(findings: Findings, value: unknown): Release | undefined {
  if (missing(findings, "release", value)) return undefined;
  const release = parseRelease(value);
  if (release) return release;
  if (typeof value === "number")
    return refuse(
      findings,
      "release",
      `${value} is a number, and as numbers 4.20 and 4.2 are the same`,
      'write it in quotes: release: "4.20"',
    );
  return refuse(
    findings,
    "release",
    `${shortValue(value)} is not a release`,
    'write major.minor: release: "4.20"',
  );
}

function readAdvertised(findings: Findings, value: unknown): Address | undefined {
  if (missing(findings, "advertiseAddress", value)) return undefined;
  const { address, problem, remedy } = parseAddress(value);
  return address ?? refuse(findings, "advertiseAddress", problem ?? "", remedy ?? "", NETWORK_RULE);
}

/** Who can reach the services; `undefined` if it is unknown or wrong. */
function readAccess(
  findings: Findings,
  value: unknown,
  platform: Platform | undefined,
): EndpointAccess | undefined {
  const access = readWord(findings, "endpointAccess", value, Object.values(EndpointAccess));
  if (platform === undefined) return undefined;
  const modes = endpointAccessModes(platform);
  if (access === undefined)
    return value === undefined || value === null ? defaultEndpointAccess(platform) : undefined;
  if (modes.includes(access)) return access;
  return modes.length === 0
    ? refuse(findings, "endpointAccess", `${platform} has no such choice`, "leave it out")
    : refuse(
        findings,
        "endpointAccess",
        `${access} does not exist on ${platform}`,
        `write ${modes.join(" or ")}`,
      );
}

/** Code of the fault of overlapping ranges, which rules report in plans together with the networks around a cluster. */
export const RANGES_OVERLAP = "ranges-overlap";

/** The rule that reports overlapping ranges in plans. */
export const OVERLAP_RULE = "cidr-overlap";

/**
 * Checks single addresses against the networks: the address of the API server inside the cluster must have the
 * family of the first cluster network, and the address of its node port must be outside the service network.
 */
function judgeAddresses(
  findings: Findings,
  advertised: Address | undefined,
  services: NormalizedTopology["services"],
  { clusterNetwork, serviceNetwork }: Networks,
): void {
  const family = clusterNetwork[0]?.prefix.family;
  if (advertised && family && advertised.family !== family)
    refuse(
      findings,
      "advertiseAddress",
      `${advertised.text} is IPv${advertised.family}, and the first cluster network is IPv${family}`,
      `write an IPv${family} address, or leave it out`,
      NETWORK_RULE,
    );
  const { address } = parseAddress(services[Service.APIServer].address);
  const around = address && serviceNetwork.find((prefix) => containsAddress(prefix, address));
  if (around)
    refuse(
      findings,
      API_SERVER_ADDRESS,
      `${address.text} lies in the service network ${around.text}, and HyperShift refuses the cluster`,
      "write an address of the management cluster's nodes, or move the service network",
      OVERLAP_RULE,
    );
}

/** A private cluster is reached through private networks, whose addresses are limited. */
function refuseEverybody(
  findings: Findings,
  access: EndpointAccess | undefined,
  clients: NormalizedTopology["externalClientCidrs"],
): void {
  const everybody = clients.find(({ length }) => length === 0);
  if (access === EndpointAccess.Private && everybody)
    refuse(
      findings,
      "externalClientCidrs",
      `${everybody.text} includes every address, and a cluster with Private access is reached only through private networks`,
      "write the CIDR blocks of those networks",
    );
}

function judgeOverlaps(findings: Findings, topology: NormalizedTopology): void {
  for (const conflict of overlapsOf(topology)) {
    const { range, other, refusedBy, further } = conflict;
    const refusal = refusedBy ? `, and ${refusedBy} refuses the cluster` : "";
    const replacement = other.implicit && other.path ? `, or set ${findings.pathOf(other.path)}` : "";
    const report = (problem: string, remedy: string) =>
      isFault(conflict)
        ? refuse(findings, range.path ?? "", problem, remedy, undefined, RANGES_OVERLAP)
        : warn(findings, range.path ?? "", problem, remedy);
    report(
      `${range.prefix.text} overlaps ${other.name} ${other.prefix.text}: ${other.row?.breaks ?? range.row?.breaks ?? "packets for the shared addresses are lost"}${refusal}`,
      `move ${range.name}${replacement}`,
    );
    if (further !== undefined) report(furtherPairs(further), "move the listed ranges first");
  }
  for (const { path = "", prefix } of publicNetworks(topology))
    warn(findings, path, `${prefix.text} has public addresses: ${PUBLIC_BREAKS}`, PUBLIC_FIX);
}
