import { parseAddress, parsePrefix, type PrefixRules } from "../../address/parse";
import { isOfNetwork } from "../../address/shape";
import { prefixOf, readPrefix, withoutHostBits } from "../../address";
import { exceptionFaults } from "../../objects/networkPolicy/relations";
import {
  OKD_NETWORKING,
  OCP_4_7_OVN,
  HYPERSHIFT,
  INSTALLER,
  NETWORK_OPERATOR,
  OCP_BALANCING,
  at,
} from "../../requirements/documents";
import { Direction } from "../../requirements/vocabulary";
import { addressPools, type UnreadableEntry } from "../ownAddresses";
import { userNetworkFaults } from "../userNetworkFaults";
import { USER_NETWORK_BLOCKS } from "../userNetworks";
import { from, shownText } from "../../objects/places";
import { judgeShape, tableShape } from "../../objects/shape";
import { everyValue, read, readNumber, readValue, type Found, type Place } from "../../resources/read";
import type { ResourceIndex } from "../../resources/resourceIndex";
import { entriesOfPrefixLists } from "../../resources/ruleSources";
import { UNKNOWN, type PropertyValue, type Resource } from "../../resources/resource";
import {
  isAddressPool,
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isEgressFirewall,
  isHostedCluster,
  isNetwork,
  isNetworkPolicy,
  isPatch,
  isUserDefinedNetwork,
  TYPE,
} from "../../resources/resourceTypes";
import { dependOnRelease, NETWORK_RULE } from "../../topology/normalize/networks";
import type { JudgedCluster } from "../../gate/clusters";
import { WIDE_SERVICE_NETWORKS_SINCE } from "../../requirements/limits";
import { formatRelease } from "../../requirements/release";
import { clusterFaults, objectFaults } from "../../gate/clusterFaults";
import { INLINE_BLOCKS, inlineFacts, isBlockOfFamilies } from "../../gate/securityGroupRules";
import {
  describeResource,
  Level,
  unknown,
  violated,
  violatedBy,
  type Judgement,
  type Rule,
} from "../../gate/rule";
import { withObjectFaults } from "../../hostedCluster/rules/publishing";

/** Reports values that must be CIDR blocks but are not valid ones. */
export const cidrInvalid: Rule = {
  id: "cidr-invalid",
  title: "Value is not a valid CIDR block",
  level: Level.Error,
  description:
    "Reports invalid CIDR blocks of security groups, prefix lists, VPCs, subnets, routes, HostedClusters, Network objects, user-defined networks, egress firewalls and network policies, and of MetalLB pools, which may also be ranges. A block needs a mask, no host bits, no leading zeros, and an address family that the property accepts.",
  details: [
    "Host bits in HostedClusters, Network operator objects and user-defined networks are a warning, because every reader clears them. In filters they are an error: an entry that looks like one address allows or blocks a whole block.",
    "Entries of a managed prefix list must have its addressFamily, and there may be no more of them than its maxEntries.",
    "Exceptions of network policies must lie inside their block.",
    "A MetalLB pool needs addresses.",
    "HostedClusters: the number of entries; the same families in the same order; one family on platforms whose network operator supports no second; per-node blocks that fit, and have one size in OVN-Kubernetes' IPv4 ranges; an advertised address of the first cluster network's family; and the masks of service networks, which are unknown if they depend on a release that nothing states.",
    "Network objects of the operator and of the cluster's configuration: the families of pods and Services, the per-node blocks, and that no list is empty and no entry lacks its block. Those of the configuration must state the per-node blocks of OVN-Kubernetes and OpenShift SDN.",
    "User-defined networks: the lists that role and IP address management need or refuse, the number of entries of each family, the per-node blocks, and whether other ranges and addresses lie in a subnet of the network, gateways in an infrastructure subnet if there is one, and no reserved range in it.",
  ],
  documents: [
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(OCP_4_7_OVN, "15.5. Configuring an egress firewall for a project"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.networking"),
    at(OCP_BALANCING, "Configuring MetalLB address pools"),
    at(INSTALLER, "pkg/types/validation/installconfig.go"),
    at(NETWORK_OPERATOR, "pkg/network/cluster_config.go"),
  ],
  remediation: "Write a CIDR block such as 10.0.0.0/16.",
  single: (type) => isAddressPool(type) || places.some(({ holds }) => holds(type)),
  corrections: (type) =>
    places
      .filter(({ holds, isKept }) => holds(type) && !isKept)
      .flatMap(({ paths, rules }) =>
        paths.map((path) => ({ path, correct: (value: string) => sameAddresses(value, rules) })),
      ),
  judge: (judged) =>
    withObjectFaults(judged, "cidr-invalid", [
      ...judged.ofKind(holdsBlocks).flatMap(judgeResource),
      ...judgePrefixLists(judged.index),
      ...judged.ofKind(isNetworkPolicy).flatMap(judgeExceptions),
      ...judged
        .ofKind(isUserDefinedNetwork)
        .flatMap((network) => objectFaults(network, userNetworkFaults(network))),
      ...judged.ofKind(isAddressPool).flatMap((each) => objectFaults(each, poolFaults(each))),
      ...addressPools(judged).unreadable.map(poolFinding),
      ...clusterFaults(judged, NETWORK_RULE, []),
      ...judged.clusters.flatMap(wideServices),
    ]),
};

/** Faults of prefix lists that EC2 refuses: blocks of the other address family, and more entries than `maxEntries`. */
const judgePrefixLists = (index: ResourceIndex): Judgement[] =>
  entriesOfPrefixLists(index).flatMap(({ list, entries, family }) => {
    // EC2 has already accepted lists that run or that the stack only reads.
    if (list.isRead || list.origin.live !== undefined) return [];
    const count = new Set(entries.map(({ prefix }) => prefix.text)).size;
    const most = readNumber(list.properties, "maxEntries");
    const others = family ? entries.filter(({ prefix }) => prefix.family !== family) : [];
    return [
      ...others.map(({ resource, path, prefix }) =>
        violated({
          resource: resource.origin,
          path,
          message: `${prefix.text} is an IPv${prefix.family} block, and addressFamily of ${describeResource(list)} is IPv${family}: EC2 refuses it`,
          fix: `write a block of IPv${family}, or a prefix list for each family`,
        }),
      ),
      ...(typeof most === "number" && count > most
        ? [
            violated({
              resource: list.origin,
              path: "maxEntries",
              message: `is ${most}, and ${describeResource(list)} has ${count} entries: EC2 refuses them`,
              fix: `write maxEntries: ${count} or more`,
            }),
          ]
        : []),
    ];
  });

const POOL_ENTRY = "write a block such as 10.0.0.240/28, or a range such as 10.0.0.240-10.0.0.250";
const pool = tableShape([
  { path: "spec.addresses", type: "list", required: true, size: from(1), remedy: POOL_ENTRY },
]);

/** Faults of a pool without addresses, which MetalLB refuses. */
const poolFaults = ({ type, properties }: Resource) =>
  judgeShape(pool, { path: "", value: properties }, { isBuiltIn: false, isPatch: isPatch(type) }).faults;

/** The finding for a pool entry that cannot be read: no load balancer gets an address from it. */
const poolFinding = ({ resource, path, value }: UnreadableEntry): Judgement =>
  violated({
    resource: resource.origin,
    path,
    message: `${shownText(value)} is neither a CIDR block nor a range from one address to a later one of its family`,
    fix: POOL_ENTRY,
  });

/** Unknown judgements for service networks whose validity depends on a release that is not stated. */
function wideServices(cluster: JudgedCluster): Judgement[] {
  const { topology, partial } = cluster;
  if (!topology || partial) return [];
  const since = formatRelease(WIDE_SERVICE_NETWORKS_SINCE);
  return dependOnRelease(topology).flatMap((property) => {
    const { holder, path } = cluster.locate(property);
    const reason = `the API server starts with a service network this wide only from ${since} on, and the release is unknown: write it in hypershift-network.yaml`;
    return holder ? [unknown({ resource: holder, path, reason })] : [];
  });
}

/** Properties that hold CIDR blocks, and the values that they accept. */
interface Places {
  holds: (type: string) => boolean;
  paths: readonly string[];
  rules?: PrefixRules;
  /** True: every reader of the object clears host bits without any effect, so they are only a warning. */
  clears?: boolean;
  /** True: a running cluster compares the text with the original text and refuses a different one. */
  isKept?: boolean;
  /** True: an empty string is an invalid block. False: it counts as not set, because providers write it if nothing is set. */
  isNeverEmpty?: boolean;
}

const oneOf =
  (...types: string[]) =>
  (type: string) =>
    types.includes(type);
const onlyIPv4: PrefixRules = { families: [4] };
const onlyIPv6: PrefixRules = { families: [6] };
const DIRECTIONS = Object.values(Direction);
const groups = oneOf(TYPE.securityGroup, TYPE.defaultSecurityGroup);
const splitRules = oneOf(TYPE.ingressRule, TYPE.egressRule);
const networks = oneOf(TYPE.vpc, TYPE.subnet, TYPE.ipv4Association, TYPE.ipv6Association);
const tables = oneOf(TYPE.routeTable, TYPE.defaultRouteTable);

/** The paths at which network policies name blocks. */
const POLICY_BLOCKS = ["spec.ingress[].from[].ipBlock", "spec.egress[].to[].ipBlock"];

const places: readonly Places[] = [
  ...Object.entries(INLINE_BLOCKS).flatMap(([property, rules]) => [
    { holds: groups, paths: DIRECTIONS.map((direction) => `${direction}[].${property}[]`), rules },
    { holds: oneOf(TYPE.securityGroupRule), paths: [`${property}[]`], rules },
  ]),
  { holds: splitRules, paths: ["cidrIpv4"], rules: onlyIPv4 },
  { holds: splitRules, paths: ["cidrIpv6"], rules: onlyIPv6 },
  { holds: oneOf(TYPE.prefixList), paths: ["entries[].cidr"] },
  { holds: oneOf(TYPE.prefixListEntry), paths: ["cidr"] },
  { holds: networks, paths: ["cidrBlock"], rules: onlyIPv4 },
  { holds: networks, paths: ["ipv6CidrBlock"], rules: onlyIPv6 },
  { holds: oneOf(TYPE.route), paths: ["destinationCidrBlock"], rules: onlyIPv4 },
  { holds: oneOf(TYPE.route), paths: ["destinationIpv6CidrBlock"], rules: onlyIPv6 },
  { holds: tables, paths: ["routes[].cidrBlock"], rules: onlyIPv4 },
  { holds: tables, paths: ["routes[].ipv6CidrBlock"], rules: onlyIPv6 },
  { holds: oneOf(TYPE.transitGatewayRoute, TYPE.vpnConnectionRoute), paths: ["destinationCidrBlock"] },
  {
    holds: isHostedCluster,
    paths: [
      "spec.networking.machineNetwork[].cidr",
      "spec.networking.clusterNetwork[].cidr",
      "spec.networking.serviceNetwork[].cidr",
      "spec.networking.apiServer.allowedCIDRBlocks[]",
    ],
    clears: true,
    isKept: true,
  },
  {
    holds: isNetwork,
    paths: ["spec.clusterNetwork[].cidr", "spec.serviceNetwork[]"],
    clears: true,
    isKept: true,
    isNeverEmpty: true,
  },
  { holds: isUserDefinedNetwork, paths: USER_NETWORK_BLOCKS, clears: true, isKept: true, isNeverEmpty: true },
  { holds: isEgressFirewall, paths: ["spec.egress[].to.cidrSelector"] },
  {
    holds: isNetworkPolicy,
    paths: POLICY_BLOCKS.flatMap((block) => [`${block}.cidr`, `${block}.except[]`]),
    isNeverEmpty: true,
  },
  {
    holds: (type) =>
      isAdminNetworkPolicy(type) || isBaselineAdminNetworkPolicy(type) || isClusterNetworkPolicy(type),
    paths: ["spec.egress[].to[].networks[]"],
    isNeverEmpty: true,
  },
];

/** Reports exceptions of network policies that the API server refuses: outside of the block, or the whole block. */
function judgeExceptions(policy: Resource): Judgement[] {
  const blocks = POLICY_BLOCKS.flatMap((path) => read(policy.properties, path));
  return blocks.flatMap(({ path, value }) => {
    const except: Place = { path: `${path}.except`, value: readValue(value, "except") };
    return exceptionFaults(except, readValue(value, "cidr")).map((fault) =>
      violatedBy(policy, fault, { message: `${fault.problem}, and the API refuses the policy` }),
    );
  });
}

/** Judges the blocks of a resource. Most are right, so a fast check without places comes first, and only the others are read again. */
function judgeResource(resource: Resource): Judgement[] {
  if (groups(resource.type) && DIRECTIONS.every((each) => inlineFacts(resource, each).areBlocksRight))
    return [];
  return placesOf(resource.type).flatMap(({ paths, rules = {}, clears, isNeverEmpty }) => {
    const isRight = (value: PropertyValue) =>
      isBlockOfFamilies(value, rules) && !(isNeverEmpty && value === "");
    return paths.flatMap((path) =>
      everyValue(resource.properties, path, isRight)
        ? []
        : read(resource.properties, path)
            .filter(({ value }) => !isRight(value))
            .flatMap((found) => judgeValue(resource, found, rules, clears)),
    );
  });
}

/** Cached places by type: stacks have many resources of few types. */
const known = new Map<string, readonly Places[]>();

function placesOf(type: string): readonly Places[] {
  const its = known.get(type);
  if (its) return its;
  const found = places.filter(({ holds }) => holds(type));
  if (known.size < MOST_TYPES) known.set(type, found);
  return found;
}

const holdsBlocks = (type: string): boolean => placesOf(type).length > 0;

/** Limits the cache, because types come from the input. */
const MOST_TYPES = 10_000;

function judgeValue(
  resource: Resource,
  { path, value }: Found,
  rules: PrefixRules,
  clears = false,
): Judgement[] {
  if (value === UNKNOWN) return [unknown({ resource, path })];
  const { problem, remedy } = parsePrefix(value, rules);
  if (problem === undefined) return [];
  const isTaken = clears && withoutHostBits(value) !== value;
  return [violatedBy(resource, { path, problem, remedy }, isTaken && { level: Level.Warning })];
}

/**
 * The block with the same addresses in the form that APIs accept: host bits cleared, as AWS and Go's parser do, and a mask added to
 * a single address, which means only that address everywhere. An address that ends in zeros is not corrected: it may mean a network.
 */
function sameAddresses(value: string, rules: PrefixRules = {}): string | undefined {
  if (readPrefix(value)) return undefined;
  const { prefix } = parsePrefix(value, { ...rules, hostBits: "clear" });
  if (prefix) return prefix.text;
  const { address } = parseAddress(value, rules.families ? { families: rules.families } : {});
  return address && !isOfNetwork(value) ? prefixOf(address).text : undefined;
}
