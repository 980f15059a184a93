import { isDeepStrictEqual } from "node:util";
import { firstOf, plural } from "../text";
import { mergeTopology, type RawTopology } from "../topology/topologyOfHostedCluster";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { normalizeTopology } from "../topology/normalizeTopology";
import {
  clustersOf,
  type ConfiguredGroups,
  type GroupRole,
  isOfListing,
  clustersListing,
  namesOf,
  nodePoolGroups,
} from "../resources/groupRoles";
import { Direction, Role } from "../requirements/vocabulary";
import type { JudgedResources } from "./judgedResources";
import { readPrefix } from "../address";
import {
  type Found,
  isFilled,
  isGiven,
  isList,
  isMap,
  read,
  readFlag,
  readNumber,
  readText,
} from "../resources/read";
import { idOf, kindInType, type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";
import type { ResourceIndex } from "../resources/resourceIndex";
import { type RuleLocation, prefixListAt } from "../resources/ruleSources";
import {
  OUR_COMPONENTS,
  TYPE,
  isAddressPlan,
  isAddressPool,
  isAdministratorsPolicy,
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isClusterProxy,
  isEgressFirewall,
  isEgressIp,
  isEgressRouter,
  isHostedCluster,
  isMachineConfigPool,
  isNamespace,
  isNetwork,
  isNetworkAttachment,
  isNetworkPolicy,
  isNode,
  isNodePool,
  isPatch,
  isService,
  isUserDefinedNetwork,
  typeOfObject,
} from "../resources/resourceTypes";
import {
  type CountedPeer,
  type SecurityGroup,
  type SecurityGroupRule,
  writtenAt,
} from "../resources/securityGroups";
import { endsOf, inlineFacts } from "./securityGroupRules";
import { makesPods } from "../resources/kubernetesObject";
import { describeResource } from "./finding";
import { fullNameOf, keyWithEntry, managementSaidOf, objectOf, SAY_PLATFORM } from "./clusters";
import { onceIn } from "../collections";
import { managementOfCluster } from "./clusterFaults";
import { keyOfPlace, managementOf, nameAmong, nameOfLocation, scopeOf } from "../resources/managementCluster";

const awsTypes: ReadonlySet<string> = new Set(Object.values(TYPE));

/** The types of Kubernetes objects that are judged. */
export const kubernetesJudges: readonly ((type: string) => boolean)[] = [
  isHostedCluster,
  isNodePool,
  isNetwork,
  isClusterProxy,
  isMachineConfigPool,
  isEgressFirewall,
  isEgressIp,
  isEgressRouter,
  isNetworkAttachment,
  isUserDefinedNetwork,
  isAddressPool,
  isNode,
  isNetworkPolicy,
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isService,
  isNamespace,
  makesPods,
];

const kinds: readonly ((type: string) => boolean)[] = [
  (type) => awsTypes.has(type),
  (type) => type.startsWith(OUR_COMPONENTS),
  isAddressPlan,
  ...kubernetesJudges,
];

/**
 * Whether some rule judges resources of a type. Types that rules only read in addition, such as ConfigMaps, are not judged.
 */
export const isJudged = (type: string): boolean => kinds.some((holds) => holds(type));

/** Type names of packet filters, their rules and entries at all providers; Terraform modules write them in small letters. */
const FILTER =
  /(SecurityGroup|SecGroup|SecurityRule|Firewall|NetworkAcl|NetworkPolicy|PrefixList|BlockPublicAccessOptions)(Policy)?(Ingress|Egress)?(Rule|Entry)?(V\d)?(Patch)?$/i;
/** Type names of networks and subnets. */
const NETWORK = /(Vpc|VirtualNetwork|Subnet|Subnetwork)$/i;

/**
 * The types whose name matches `kind` but that this package does not read, such as `aws-native:ec2:SecurityGroup`, with the number of
 * their resources: `aws-native:ec2:SecurityGroup (2)`. Components are left out: their children are listed themselves.
 */
function notRead(resources: readonly Resource[], kind: RegExp): string[] {
  // Plans have many resources of few types.
  const types = [...new Set(resources.map(({ type }) => type))];
  const counts = new Map(types.filter((type) => isUnread(type, kind)).map((type) => [type, 0]));
  if (counts.size === 0) return [];
  const parents = new Set(resources.map(({ parent }) => parent));
  for (const { type, origin } of resources) {
    const count = counts.get(type);
    if (count !== undefined && !parents.has(origin.urn ?? "")) counts.set(type, count + 1);
  }
  return [...counts].flatMap(([type, count]) => (count > 0 ? `${type} (${count})` : [])).sort();
}

const isUnread = (type: string, kind: RegExp): boolean =>
  kind.test(type.replaceAll("_", "")) && !isJudged(type);

/** A remark with the first of some things; none if there are none. */
const remark = (what: string, things: readonly string[], more = ""): string[] =>
  things.length > 0 ? [`${what}: ${firstOf(things)}${more}`] : [];

/** What filters packets but is not judged, or not against the documents: a report without findings does not vouch for it. */
export function coverageGaps(judged: JudgedResources): string[] {
  return [
    ...unreadFilters(judged),
    ...networksNotRead(judged),
    ...heldInside(judged),
    ...policiesElsewhere(judged),
    ...withoutPlatform(judged),
    ...saidOfElsewhere(judged),
    ...withoutRole(judged),
    ...listedInVain(judged),
    ...saidInVain(judged),
  ];
}

/**
 * Objects that carry others into clusters: from Open Cluster Management, Hive and Kyverno, OpenShift's templates, Helm releases, and lists
 * that a program creates as one resource.
 */
const CARRIER =
  /^kubernetes:((work|policy)\.open-cluster-management\.io\/|hive\.openshift\.io\/\w+:(Selector)?SyncSet$|kyverno\.io\/\w+:(Cluster)?Policy$|template\.openshift\.io\/\w+:Template$|helm\.sh\/\w+:Release$|.*List$)/;

/** Reports carriers of other objects: a clean report does not cover the objects inside. */
function heldInside({ resources }: JudgedResources): string[] {
  const held = resources.flatMap((carrier) => {
    if (!CARRIER.test(carrier.type)) return [];
    // Entries of a typed list need not state their kind.
    const entry = carrier.type.endsWith("List") ? carrier.type.slice(0, -"List".length) : "";
    const own = isJudged(entry) ? [kindInType(entry)] : [];
    const kinds = [...new Set([...own, ...released(carrier), ...judgedKindsIn(carrier.properties)])].sort();
    return kinds.length > 0 ? [`${describeResource(carrier)} (${firstOf(kinds)})`] : [];
  });
  return remark("objects nested in other objects are not judged", held, ": pass them as separate manifests");
}

/** The judged kinds in the outputs of a Helm release, which names objects as `NetworkPolicy.networking.k8s.io/networking.k8s.io/v1`. */
const released = ({ properties }: Resource): string[] =>
  Object.keys(isMap(properties.resourceNames) ? properties.resourceNames : {}).flatMap((name) => {
    const [of = "", ...apiVersion] = name.split("/");
    const kind = of.split(".", 1)[0]!;
    return isJudged(typeOfObject(apiVersion.join("/"), kind)) ? [kind] : [];
  });

function judgedKindsIn(value: PropertyValue): string[] {
  if (isList(value)) return value.flatMap(judgedKindsIn);
  if (!isMap(value)) return [];
  const { apiVersion, kind } = value;
  const isOne =
    typeof kind === "string" && typeof apiVersion === "string" && isJudged(typeOfObject(apiVersion, kind));
  return isOne ? [kind] : Object.values(value).flatMap(judgedKindsIn);
}

/** Reports filters that are not read: a clean report does not cover what they allow. */
export const unreadFilters = ({ resources }: JudgedResources): string[] =>
  remark("filters that are not read", notRead(resources, FILTER), ": what they allow or block is unknown");

/** Reports networks that are not read: a clean report does not cover their addresses. */
function networksNotRead({ resources }: JudgedResources): string[] {
  const more = ": whether they share addresses with a cluster is unknown";
  return remark("networks that are not read", notRead(resources, NETWORK), more);
}

/** Reports clusters whose platform is unknown: almost nothing is judged of them, although their groups have a role. */
function withoutPlatform({ clusters, configuration }: JudgedResources): string[] {
  const vague = clusters.filter(
    ({ partial, sources }) => partial && sources.some(({ kind }) => kind === "configuration"),
  );
  const named = vague.map((cluster) => keyWithEntry(cluster, configuration));
  const bare = clusters.flatMap((cluster) => {
    const object = cluster.partial && !vague.includes(cluster) ? objectOf(cluster) : undefined;
    return object && !isPatch(object.type) && !isGiven(readText(object.properties, "spec.platform.type"))
      ? describeResource(object)
      : [];
  });
  return [
    ...remark(
      "hosted clusters that are not judged",
      named,
      `: no platform is known, and no HostedCluster of that name was read: ${SAY_PLATFORM}`,
    ),
    ...remark(
      "hosted clusters that are hardly judged",
      bare,
      ": no platform is known: write spec.platform.type",
    ),
  ];
}

/** Reports configuration entries whose HostedCluster was read in other management clusters than the one that they name. */
function saidOfElsewhere({ clusters, configuration }: JudgedResources): string[] {
  const read = new Map<string, Set<string>>();
  for (const cluster of clusters) {
    const place = managementOfCluster(cluster);
    if (!place) continue;
    const placement = cluster.topology?.placement;
    const name = placement ? nameAmong(placement) : nameOfLocation(place);
    onceIn(read, fullNameOf(cluster), () => new Set<string>()).add(name);
  }
  const entries = clusters.flatMap((cluster) => {
    const there = objectOf(cluster) ? undefined : read.get(fullNameOf(cluster));
    return there && managementSaidOf(cluster) !== undefined
      ? [`${keyWithEntry(cluster, configuration)}: it is in ${firstOf([...there].sort())}`]
      : [];
  });
  return remark(
    "the configuration names a management cluster in which a hosted cluster was not read",
    entries,
  );
}

/** Reports cluster-scoped policies that apply to no hosted control plane. */
function policiesElsewhere({ clusters, index }: JudgedResources): string[] {
  const places = clusters.flatMap((cluster) => {
    const object = objectOf(cluster);
    return object ? [managementOf(object)] : [];
  });
  const scopes = new Set(places.map((place) => place && scopeOf(place)));
  const [scope] = scopes;
  // Only locations of one scope tell that a policy is in none of them.
  if (scopes.size !== 1 || scope === undefined) return [];
  const keys = new Set(places.map((place) => keyOfPlace(place!)));
  const apart = index.ofKind(isAdministratorsPolicy).filter((policy) => {
    const place = managementOf(policy);
    return place && scopeOf(place) === scope && !keys.has(keyOfPlace(place));
  });
  const what =
    "policies that apply to no hosted control plane, because they belong to another provider or server than the HostedClusters";
  return remark(what, apart.map(describeResource));
}

/** Reports groups without a role: rules on documented ports need the hosted cluster in which a group has a role. */
function withoutRole(judged: JudgedResources): string[] {
  const { groups } = judged.groups;
  if (groups.length === 0 || judged.groupsInRoles().length > 0) return [];
  const why =
    judged.clusters.length === 0
      ? "no hosted cluster is known: describe it in a configuration file (--config)"
      : "none has a role in a hosted cluster: give them the tags hypershift-network/cluster and hypershift-network/role, or name them under securityGroups in the configuration";
  return [`${plural(groups.length, "security group")} not checked against the documented ports: ${why}`];
}

/**
 * Reports groups that the configuration or a NodePool lists without effect: they were not found, or count in another role or cluster.
 * NodePools may list groups of other stacks.
 */
function listedInVain(judged: JudgedResources): string[] {
  const listed = judged.configuredGroups.flatMap(listedGroups);
  const attached = attachedGroups(judged.index);
  if (listed.length + attached.length === 0 || judged.groups.groups.length === 0) return [];
  const roles = rolesByName(judged, new Set([...listed, ...attached].map(({ name }) => name)));
  const notFound = listed.filter(({ name }) => !roles.has(name)).map(describeListed);
  const elsewhere = [...listed, ...attached].flatMap((one) => {
    const counts = roles.get(one.name);
    if (!counts || (counts.role === one.role && clustersOf(counts).some(one.isIn))) return [];
    const { role, cluster = "a cluster that is not stated" } = counts;
    return [`${describeListed(one)} (counts as ${String(role)} of ${cluster})`];
  });
  return [
    ...remark("the configuration names security groups that were not read, by name, id or URN", notFound),
    ...remark("security groups are judged for one role only, not for", elsewhere),
  ];
}

/** Reports configured properties of a hosted cluster without effect, because its object or a component states or decides otherwise. */
function saidInVain({ clusters }: JudgedResources): string[] {
  const places = clusters.flatMap(({ raw, topology, sources }) =>
    sources.flatMap(({ kind, raw: said, pathOf }) => {
      if (kind !== "configuration" || !topology) return [];
      const stated = (property: keyof RawTopology) =>
        normalizeTopology(
          [{ [property]: said[property] }, raw, { platform: topology.platform }].reduce(mergeTopology),
          "",
        ).readable?.[property as keyof NormalizedTopology];
      return (Object.keys(said) as (keyof RawTopology)[])
        .filter(
          (property) => !isDeepStrictEqual(stated(property), topology[property as keyof NormalizedTopology]),
        )
        .map(pathOf);
    }),
  );
  const what =
    "the configuration contradicts the object or component of the hosted cluster and has no effect at";
  return remark(what, [...new Set(places)]);
}

interface ListedGroup {
  name: string;
  role: Role;
  cluster: string;
  /** Whether the cluster of a group's role is this one. */
  isIn: (cluster: string | undefined) => boolean;
}

const listedGroups = (listing: ConfiguredGroups): ListedGroup[] =>
  (Object.entries(listing.groups) as [Role, readonly string[]][]).flatMap(([role, names]) =>
    names.map((name) => ({
      name,
      role,
      cluster: clustersListing(listing).join(", "),
      isIn: (cluster) => isOfListing(cluster, listing),
    })),
  );

/** The groups that NodePools attach. A cluster that has the group in that role has it from its NodePools, too. */
const attachedGroups = (index: ResourceIndex): ListedGroup[] =>
  [...nodePoolGroups(index).attached].flatMap(([name, clusters]) =>
    [...clusters].map((cluster) => ({ name, role: Role.Workers, cluster, isIn: () => true })),
  );

function rolesByName(judged: JudgedResources, wanted: ReadonlySet<string>): Map<string, GroupRole> {
  const roles = new Map<string, GroupRole>();
  for (const group of judged.groups.groups) {
    const { resource, id = "" } = group;
    for (const name of resource ? namesOf(resource) : [id])
      if (wanted.has(name)) roles.set(name, judged.roleOf(group));
  }
  return roles;
}

const describeListed = ({ name, role, cluster }: ListedGroup): string => `${name} as ${role} of ${cluster}`;

/** One rule as AWS stores it: with one peer. */
export interface CountedRule {
  direction: Direction;
  /** Undefined if it is unknown as how many rules the peer counts. */
  peer: CountedPeer | undefined;
  resource: Resource;
  path: string;
  /** The prefix list that the rule names, if the stack holds it. */
  list?: Resource | undefined;
}

/**
 * Upper bound of the rules that a group counts as in one direction, in any address family: one for each peer, duplicates included.
 * Infinite if it names prefix lists. A fast count that is enough for most groups, which are far from their quota.
 */
export function mostCounted({ resource: group, ruleResources }: SecurityGroup): number {
  const inline = (direction: Direction) => (group ? inlineFacts(group, direction).ends : 0);
  const most: Record<Direction, number> = {
    [Direction.Ingress]: inline(Direction.Ingress),
    [Direction.Egress]: inline(Direction.Egress),
  };
  for (const { resource, direction } of ruleResources) most[direction] += endsOf(resource.properties);
  return Math.max(most[Direction.Ingress], most[Direction.Egress]);
}

const BLOCKS = ["cidrBlocks[]", "ipv6CidrBlocks[]", "cidrIpv4", "cidrIpv6"];
const GROUPS = ["securityGroups[]", "sourceSecurityGroupId", "referencedSecurityGroupId"];
const LISTS = ["prefixListIds[]", "prefixListId"];

/**
 * The rules of a group as AWS stores them. A rule that is written both inline and as a resource counts once, and so does one that names
 * its own group as `self` and by its id.
 */
export function countedRules(index: ResourceIndex, { rules, resource, id }: SecurityGroup): CountedRule[] {
  const known = id ?? readText(resource?.properties, "id");
  const own = isFilled(known) ? known : "self";
  const counted = new Map<string, CountedRule>();
  for (const rule of rules) {
    const written = writtenAt(rule.resource, rule.path);
    if (typeof written !== "object" || written === null) continue;
    for (const { place, peer, list } of peersOf(index, rule, written, own)) {
      const path = [rule.path, place.path].filter((part) => part !== "").join(".");
      const key =
        place.value === UNKNOWN ? `${idOf(rule.resource.origin)} ${path}` : identityOf(rule, place.value);
      counted.set(key, { direction: rule.direction, peer, resource: rule.resource, path, list });
    }
  }
  return [...counted.values()];
}

function peersOf(
  index: ResourceIndex,
  { resource: holder, direction, path }: SecurityGroupRule,
  written: PropertyValue,
  own: string,
) {
  const standing: RuleLocation = {
    holder,
    ...(path !== "" && { dependencies: direction }),
    path,
    value: written,
  };
  // Providers write an empty string if nothing is set.
  const at = (properties: readonly string[]): Found[] =>
    properties.flatMap((path) => read(written, path)).filter(({ value }) => value !== "");
  const self: Found[] = readFlag(written, "self") === true ? [{ path: "self", value: own }] : [];
  return [
    ...at(BLOCKS).map((place) => ({ place, peer: blockPeer(place), list: undefined })),
    ...[...at(GROUPS), ...self].map((place) => ({
      place,
      peer: { kind: "group" } as const,
      list: undefined,
    })),
    ...at(LISTS).map((place) => {
      const list = prefixListAt(standing, place.path, place.value, index);
      return { place, peer: listPeer(list), list };
    }),
  ];
}

/** A block that is not known yet still has the family of its property. */
function blockPeer({ path, value }: Found): CountedPeer {
  const prefix = typeof value === "string" ? readPrefix(value) : undefined;
  const family = prefix?.family ?? (/ipv6/i.test(path) ? 6 : 4);
  return { kind: "prefix", family };
}

function listPeer(list: Resource | undefined): CountedPeer | undefined {
  const maxEntries = readNumber(list?.properties, "maxEntries");
  return typeof maxEntries === "number" ? { kind: "prefixList", maxEntries } : undefined;
}

const identityOf = (
  { direction, protocol, ports, message }: SecurityGroupRule,
  peer: PropertyValue,
): string =>
  JSON.stringify([
    direction,
    ...[protocol, ports, message].map((part) => (part === UNKNOWN ? "?" : part)),
    peer,
  ]);
