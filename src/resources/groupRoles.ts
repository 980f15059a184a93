import { othersFilters } from "../requirements/othersFilters";
import { controlPlaneNamespaceOf } from "../requirements/names";
import { Role } from "../requirements/vocabulary";
import { append, onceForBoth, onceForEach, onceIn } from "../collections";
import { type Found, isFilled, isGiven, isList, isMap, propertyOf, read, readText } from "./read";
import { UNKNOWN, type PropertyValue, type Resource, type UnknownValue } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import {
  isEndpointService,
  isHostedCluster,
  isNodePool,
  isPatch,
  OUR_COMPONENTS,
  SECURITY_GROUPS,
} from "./resourceTypes";
import type { SecurityGroup } from "./securityGroups";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import { isUnknown, namesOfCluster, type NormalizedTopology } from "../topology/normalizedTopology";
import { bareName, clusterMeant, withoutNamespace } from "./clusterSources";
import { notApart, notElsewhere, plainName } from "./managementCluster";

/** Tag that names the hosts of a security group or network ACL: `control-plane`, `workers`, `private-endpoint`. */
export const ROLE_TAG = "hypershift-network/role";
/** Tag by which the policy pack and other tools find the hosted cluster of a resource. */
export const CLUSTER_TAG = "hypershift-network/cluster";

/** The role of a security group in a hosted cluster. */
export interface GroupRole {
  /** Absent if the group has none or it is unknown. */
  role?: Role;
  /** The hosted cluster: its name, `namespace/name`, or one of several of that name: `namespace/name (stage)`. Absent if not stated. */
  cluster?: string;
  /** Other hosted clusters whose hosts have the group in that role. Default: none. */
  sharedWith?: readonly string[];
  /** Unknown values that may state the role or the cluster. */
  unknown: readonly UnknownValue[];
  /** The only role that it may have, depending on unknown values; absent if it may have any role. */
  perhaps?: Role;
}

/** The security groups that the configuration lists for a hosted cluster: names, ids or URNs. */
export interface ConfiguredGroups {
  cluster: string;
  /** The namespace of the HostedCluster. */
  namespace: string;
  /** True if the configuration states the namespace: a cluster of that name in another namespace is then a different one. */
  isNamespaced?: true;
  /** The clusters that are meant, as in `GroupRole.cluster`, if several have that namespace and name. */
  meant?: readonly string[];
  groups: Readonly<Partial<Record<Role, readonly string[]>>>;
}

/** The empty configuration, which network ACLs always have. One shared list, because results are cached by list. */
export const NOT_CONFIGURED: readonly ConfiguredGroups[] = [];

/**
 * The role of a group by the first that states it: the configuration, its component, the status of HyperShift's objects, its tags. A
 * group that NodePools attach is one of workers, unless another role is stated.
 */
export function roleOfGroup(
  group: Resource,
  index: ResourceIndex,
  configured: readonly ConfiguredGroups[],
): GroupRole {
  const names = namesOf(group);
  const said =
    listedRole(names, configured) ??
    componentRole(group, index) ??
    hyperShifts(index).get(readText(group.properties, "id")) ??
    taggedRole(group, index);
  return attachedRole(said, names, index);
}

/** Whether the name of a cluster in `GroupRole` may be that of a cluster that lists groups. */
export const isOfListing = (cluster: string | undefined, listing: ConfiguredGroups): boolean =>
  cluster !== undefined &&
  (clustersListing(listing).includes(cluster) ||
    (!listing.isNamespaced && !listing.meant && bareName(cluster) === listing.cluster));

/** The role of a group that is not in the stack: as in `roleOfGroup`, with the component that created `rule`, and without tags. */
export function roleOfForeignGroup(
  id: string,
  rule: Resource | undefined,
  index: ResourceIndex,
  configured: readonly ConfiguredGroups[],
): GroupRole {
  const said = listedRole([id], configured) ??
    (rule && componentRole(rule, index)) ??
    hyperShifts(index).get(id) ?? { unknown: [] };
  return attachedRole(said, [id], index);
}

/**
 * Adds the clusters whose NodePools attach a group to the role that others state. A cluster that is stated only by its name is the one
 * of that name among them.
 */
function attachedRole(said: GroupRole, names: readonly string[], index: ResourceIndex): GroupRole {
  if (said.role !== undefined && said.role !== Role.Workers) return said;
  const { attached, doubts } = nodePoolGroups(index);
  const pools = names.flatMap((name) => [...(attached.get(name) ?? [])]);
  const [doubt] = names.flatMap((name) => doubts.get(name) ?? []);
  if (pools.length === 0) return said.role || !doubt ? said : { ...said, unknown: [...said.unknown, doubt] };
  const vague = new Set(pools.flatMap((pool) => [bareName(pool), plainName(pool)]));
  const stated = said.role
    ? clustersOf(said).flatMap((name) => (name && !vague.has(name) ? [name] : []))
    : [];
  return roleIn(Role.Workers, new Set([...stated, ...pools]));
}

/** A role in some hosted clusters. */
function roleIn(role: Role, clusters: Iterable<string>): GroupRole {
  const [cluster, ...sharedWith] = clusters;
  return {
    role,
    ...(cluster !== undefined && { cluster }),
    ...(sharedWith.length > 0 && { sharedWith }),
    unknown: [],
  };
}

/** What a resource states as namespace and name of a cluster. */
const namesIn = ({ properties }: Resource, path: string) => [
  readText(properties, `${path}.namespace`),
  readText(properties, `${path}.name`),
];

/** The namespace and name at a path of a resource; undefined if they are not stated. */
function keyOfCluster(resource: Resource, path: string): string | undefined {
  const [namespace, name] = namesIn(resource, path);
  return typeof namespace === "string" && typeof name === "string" ? `${namespace}/${name}` : undefined;
}

/** The groups that HyperShift creates, by the ids that it writes into the status of its objects. */
export const hyperShifts = onceForEach((index: ResourceIndex): ReadonlyMap<unknown, GroupRole> => {
  const clusterIn = new Map<unknown, string>();
  const groups = new Map<unknown, GroupRole>();
  const add = (kind: string, { properties }: Resource, cluster: string | undefined) => {
    for (const { idIn, before } of othersFilters) {
      const id = idIn?.kind === kind ? readText(properties, idIn.path) : undefined;
      if (typeof id !== "string" || id === "" || cluster === undefined) continue;
      const known = groups.get(id);
      const isShared = known?.role === before && known.cluster !== cluster;
      groups.set(
        id,
        isShared
          ? { ...known, sharedWith: [...(known.sharedWith ?? []), cluster] }
          : { role: before, cluster, unknown: [] },
      );
    }
  };
  for (const hosted of index.ofKind(isHostedCluster)) {
    const key = keyOfCluster(hosted, "metadata");
    if (key === undefined) continue;
    clusterIn.set(controlPlaneNamespaceOf(...(key.split("/") as [string, string])), key);
    add("HostedCluster", hosted, clusterMeant(key, hosted, index));
  }
  for (const service of index.ofKind(isEndpointService)) {
    const key = clusterIn.get(readText(service.properties, "metadata.namespace"));
    add("AWSEndpointService", service, clusterMeant(key, service, index));
  }
  return groups;
});

/** What the configuration may call a group, including its names in programs that only read it. */
export function namesOf(group: Resource): string[] {
  const texts = ["id", "name"].map((key) => readText(group.properties, key));
  const here = [group.origin.urn, group.name, ...texts].filter((text) => typeof text === "string");
  return [...here, ...(group.readBy ?? []).flatMap(namesOf)];
}

/** What the configuration states about one name of a group. */
interface Listed {
  /** The first role that lists it counts. */
  role: Role;
  /** All clusters that list it in that role. */
  clusters: string[];
  position: number;
}

function listedRole(
  names: readonly string[],
  configured: readonly ConfiguredGroups[],
): GroupRole | undefined {
  const found = names.flatMap((name) => listed(configured).get(name) ?? []);
  const [first, ...others] = found;
  if (!first) return undefined;
  const { role, clusters } = others.reduce((a, b) => (b.position < a.position ? b : a), first);
  return roleIn(role, clusters);
}

/** Reads each configuration once, because a plan looks up thousands of groups. */
const listed = onceForEach((configured: readonly ConfiguredGroups[]): ReadonlyMap<string, Listed> => {
  const entries = new Map<string, Listed>();
  for (const one of configured)
    for (const role of Object.values(Role))
      for (const name of one.groups[role] ?? []) {
        const known = onceIn(entries, name, () => ({ role, clusters: [], position: entries.size }));
        if (known.role !== role) continue;
        for (const cluster of clustersListing(one))
          if (!known.clusters.includes(cluster)) known.clusters.push(cluster);
      }
  return entries;
});

/** The hosted clusters that list a group in any role, by each listed name. */
export const listingClusters = onceForEach(
  (configured: readonly ConfiguredGroups[]): ReadonlyMap<string, readonly string[]> => {
    const found = new Map<string, string[]>();
    for (const one of configured)
      for (const names of Object.values(one.groups))
        for (const name of names) append(found, name, clustersListing(one));
    return found;
  },
);

/** The hosted clusters for which an entry lists groups, in the form of `GroupRole.cluster`. */
export const clustersListing = ({
  cluster,
  namespace,
  isNamespaced,
  meant = [isNamespaced ? `${namespace}/${cluster}` : cluster],
}: ConfiguredGroups): readonly string[] => meant;

/** The hosted clusters in which a group has its role; undefined stands for one that is not stated. */
export const clustersOf = ({ cluster, sharedWith = [] }: GroupRole): (string | undefined)[] => [
  cluster,
  ...sharedWith,
];

/** The role that a component of ours gives: in the names of its groups and rules, and in the tags of groups. */
function componentRole(group: Resource, index: ResourceIndex): GroupRole | undefined {
  const parent = index.at(group.parent);
  if (!parent?.type.startsWith(OUR_COMPONENTS)) return undefined;
  const role = roleInName(group.name, parent.name) ?? onlyRoleOf(parent);
  const tagged = taggedRole(group, index);
  const known = tagged.role ?? role;
  if (known === undefined) return undefined;
  const name = readText(parent.properties, "topology.name");
  const namespace = readText(parent.properties, "topology.namespace");
  const stated = typeof namespace === "string" ? `${namespace}/${String(name)}` : name;
  const cluster = typeof stated === "string" ? clusterMeant(stated, parent, index) : tagged.cluster;
  return { role: known, ...(cluster !== undefined && { cluster }), unknown: [] };
}

/**
 * The name of a group (`tenant-a-workers`) or rule (`tenant-a-workers-ingress-https`) that a component creates for a role. For a
 * rule whose group is created elsewhere, the plan shows the role only in this name.
 */
export const nameForRole = (component: string, role: string, ...rest: readonly string[]): string =>
  [component, role, ...rest].join("-");

/** The role in a name that `nameForRole` made. */
function roleInName(name: string, component: string): Role | undefined {
  const rest = name.startsWith(`${component}-`) ? name.slice(component.length + 1) : name;
  return Object.values(Role).find((role) => `${rest}-`.startsWith(`${role}-`));
}

const onlyRoleOf = ({ type }: Resource): Role | undefined =>
  type === `${OUR_COMPONENTS}PrivateEndpointSecurityGroup` ? Role.PrivateEndpoint : undefined;

const roles: ReadonlyMap<string, Role> = new Map(Object.values(Role).map((role) => [role, role]));

/** The role that the tags of a group or network ACL state. */
export function taggedRole(group: Resource, index: ResourceIndex): GroupRole {
  const tags = tagsOf(group);
  const text = readTag(tags, ROLE_TAG);
  const named = readTag(tags, CLUSTER_TAG);
  const cluster = typeof named === "string" ? clusterMeant(named, group, index) : named;
  const role = typeof text === "string" ? roles.get(text) : undefined;
  const unknown: UnknownValue[] = [];
  if (tags === UNKNOWN) unknown.push({ resource: group, path: "tags" });
  else if (text !== undefined && !role)
    unknown.push({
      resource: group,
      path: `tags["${ROLE_TAG}"]`,
      ...(text !== UNKNOWN && { reason: `it is not one of ${Object.values(Role).join(", ")}` }),
    });
  else if (role && cluster === UNKNOWN) unknown.push({ resource: group, path: `tags["${CLUSTER_TAG}"]` });
  if (unknown.length > 0)
    return { unknown, ...(role && { perhaps: role }), ...(typeof cluster === "string" && { cluster }) };
  return { ...(role && { role }), ...(typeof cluster === "string" && { cluster }), unknown };
}

/** A group's own tags, merged with those that the provider adds. */
function tagsOf(group: Resource): PropertyValue | undefined {
  const { tags, tagsAll } = group.properties;
  const own = mapOf(tags);
  const all = mapOf(tagsAll);
  if (isMap(own)) return isMap(all) ? { ...all, ...own } : own;
  return own ?? (all === UNKNOWN ? undefined : all);
}

/** Returns UNKNOWN for a value that is not a map of tags. */
function mapOf(value: PropertyValue | undefined): PropertyValue | undefined {
  return isMap(value) ? value : isGiven(value) ? UNKNOWN : undefined;
}

/** Reads a tag by its key, not by a path, because tag keys contain dots and slashes. */
function readTag(tags: PropertyValue | undefined, key: string): string | typeof UNKNOWN | undefined {
  const value = propertyOf(tags, key) ?? undefined;
  return value === undefined || typeof value === "string" ? value : UNKNOWN;
}

/** A plan and the groups that the configuration lists for its hosted clusters. */
export interface GroupsOfPlan {
  index: ResourceIndex;
  configured: readonly ConfiguredGroups[];
}

/** A group, or what is known of one that is not in the stack. */
export type NamedGroup = Partial<Pick<SecurityGroup, "resource" | "id" | "rules">>;

/** The role of a group, in the stack or not. */
export const ownerOf = (
  { resource, id, rules }: NamedGroup,
  { index, configured }: GroupsOfPlan,
): GroupRole =>
  resource
    ? roleOfGroup(resource, index, configured)
    : roleOfForeignGroup(id ?? "", rules?.[0]?.resource, index, configured);

/** Every hosted cluster whose hosts may have a group, as `namespace/name` if known; undefined stands for one that is not stated. */
export function clustersWith(group: NamedGroup, plan: GroupsOfPlan): (string | undefined)[] {
  const { index, configured } = plan;
  const { resource, id } = group;
  const names = resource ? namesOf(resource) : [id ?? ""];
  const all = [
    ...clustersOf(ownerOf(group, plan)),
    ...names.flatMap((name) => listingClusters(configured).get(name) ?? []),
    ...names.flatMap((name) => [...(nodePoolGroups(index).attached.get(name) ?? [])]),
  ];
  return all.map((name) => name && (knownClusters(index, configured).get(name) ?? name));
}

/** The groups that NodePools give to their nodes. */
interface NodePoolGroups {
  /** The hosted clusters of the NodePools, by the id or URN of the group. */
  attached: ReadonlyMap<string, ReadonlySet<string>>;
  /** The NodePools with unknown ids that may be those of a group, by its URN. */
  perhaps: ReadonlyMap<string, readonly PerhapsRole[]>;
  /** The first unknown value on which it depends whether, and in which cluster, nodes have a group, by its id or URN. */
  doubts: ReadonlyMap<string, UnknownValue>;
  /** Why nodes may have rules that are not known, by hosted cluster: a group that is not in the stack. */
  open: ReadonlyMap<string, OpenNodes>;
  /** NodePools that attach groups in a hosted cluster that is not known, by their namespace; under undefined if that is not known. */
  ofAnyCluster: ReadonlyMap<string | undefined, readonly Resource[]>;
  /** The groups of the stack, by id and URN. */
  here: ReadonlyMap<string, Resource>;
}

/** Why nodes may have rules that are not known. */
type OpenNodes = UnknownValue & { reason: string };

/** Read once for each plan. */
export const nodePoolGroups = onceForEach((index: ResourceIndex): NodePoolGroups => {
  const attached = new Map<string, Set<string>>();
  const attach = (group: string, cluster: string) =>
    onceIn(attached, group, () => new Set<string>()).add(cluster);
  const perhaps = new Map<string, PerhapsRole[]>();
  const doubts = new Map<string, UnknownValue>();
  const open = new Map<string, OpenNodes>();
  const ofAnyCluster = new Map<string | undefined, Resource[]>();
  const here = new Map(
    index.ofKind(SECURITY_GROUPS).flatMap((group) => namesOf(group).map((name) => [name, group] as const)),
  );
  for (const pool of index.ofKind(isNodePool)) {
    const [stated, name] = ["metadata.namespace", "spec.clusterName"].map((path) =>
      readText(pool.properties, path),
    );
    const namespace = typeof stated === "string" ? stated : undefined;
    if (name === undefined) continue;
    const ids = idsAttached(pool);
    const pending = ids.filter(({ value }) => typeof value !== "string");
    const sources = pending.length > 0 ? madeGroups(pool, index) : [];
    const known = ids.flatMap(({ value }) => (typeof value === "string" ? value : []));
    if (name === UNKNOWN) {
      for (const group of [...known, ...sources]) onceIn(doubts, group, () => doubtAboutCluster(pool));
      if (ids.length > 0 || filterOf(pool)) append(ofAnyCluster, namespace, [pool]);
      continue;
    }
    const cluster = clusterMeant(namespace === undefined ? name : `${namespace}/${name}`, pool, index);
    const isWhole = pending.some(({ path }) => !path.startsWith(`${ATTACHED}[`));
    const expected = isWhole ? 1 : pending.length;
    for (const id of known) attach(id, cluster);
    if (sources.length <= expected) for (const urn of sources) attach(urn, cluster);
    else {
      // A program may choose among the groups that it makes entries from, or a list.
      const doubt = { resource: pool, path: pending[0]!.path };
      for (const urn of sources) {
        append(perhaps, urn, [{ role: Role.Workers, cluster, doubt }]);
        onceIn(doubts, urn, () => doubt);
      }
    }
    const unseen = unseenGroup(pool, ids, { areMissing: sources.length < expected, here });
    if (unseen) onceIn(open, cluster, () => ({ resource: pool, ...unseen }));
  }
  return { attached, perhaps, doubts, open, ofAnyCluster, here };
});

/** The ids that a NodePool states or will state. An empty text is none, as in objects that providers fill in. */
const idsAttached = ({ properties }: Resource): Found[] =>
  read(properties, `${ATTACHED}[].id`).filter(({ value }) => value !== "");

/** The first filter by which a NodePool finds groups. */
const filterOf = ({ properties }: Resource): Found | undefined =>
  read(properties, `${ATTACHED}[].filters`).find(
    ({ value, path }) =>
      (isList(value) && value.length > 0) || (value === UNKNOWN && path.endsWith(".filters")),
  );

const doubtAboutCluster = (pool: Resource): OpenNodes => ({
  resource: pool,
  path: read(pool.properties, "spec.clusterName")[0]!.path,
  reason: "the NodePool attaches security groups, and its hosted cluster is not known",
});

/** A group of the nodes whose rules are not known: of another stack, found by filters, or with an id that is not known. */
function unseenGroup(
  pool: Resource,
  ids: readonly Found[],
  { areMissing, here }: { areMissing: boolean; here: ReadonlyMap<string, Resource> },
): { path: string; reason: string } | undefined {
  const foreign = ids.find(({ value }) => typeof value === "string" && !here.has(value));
  if (foreign) return { path: foreign.path, reason: UNSEEN_RULES };
  const later = areMissing ? ids.find(({ value }) => value === UNKNOWN) : undefined;
  if (later)
    return { path: later.path, reason: "the NodePool attaches a security group whose id is not known" };
  const filtered = filterOf(pool);
  return filtered && { path: filtered.path, reason: "the NodePool finds a security group by filters" };
}

/** Why it is unknown what a group that is not in the stack allows. */
export const UNSEEN_RULES = "the other rules of a security group that is not in this stack";

/**
 * Why the nodes of a hosted cluster may have rules that are not known; undefined if none of its NodePools says so, and none that may be
 * its own.
 *
 * @param object the HostedCluster, if it is among the inputs
 */
export function openNodes(
  index: ResourceIndex,
  topology: NormalizedTopology,
  object: Resource | undefined,
): OpenNodes | undefined {
  const { namespace, placement } = topology;
  const { open, ofAnyCluster } = nodePoolGroups(index);
  const own = namesOfCluster(topology)
    .map((name) => open.get(name))
    .findLast((found) => found !== undefined);
  if (own || ofAnyCluster.size === 0) return own;
  const namespaces = isUnknown(topology, "namespace") ? ofAnyCluster.keys() : [namespace, undefined];
  for (const one of namespaces) {
    const pools = ofAnyCluster.get(one);
    const near = pools ? notApart(object, notElsewhere(placement, pools)) : [];
    const pool = near.find((one) => !attachesOwn(one, topology, index));
    if (pool) return doubtAboutCluster(pool);
  }
  return undefined;
}

/** Whether all groups that a NodePool attaches are, by their tags, those of a cluster's workers: it adds no rule to them. */
function attachesOwn(pool: Resource, topology: NormalizedTopology, index: ResourceIndex): boolean {
  const { here } = nodePoolGroups(index);
  const isOwn = (group: Resource | undefined): boolean => {
    if (!group) return false;
    const { role, cluster } = taggedRole(group, index);
    return role === Role.Workers && namesOfCluster(topology).includes(cluster ?? "");
  };
  return (
    !filterOf(pool) &&
    idsAttached(pool).every(({ value }) => typeof value === "string" && isOwn(here.get(value)))
  );
}

/** A role that a group may have, and the value that decides it. */
export interface PerhapsRole {
  /** Absent: any role. */
  role?: Role;
  /** Absent: any hosted cluster. */
  cluster?: string;
  doubt: UnknownValue;
}

const ATTACHED = "spec.platform.aws.securityGroups";

/** The groups without a known id from which the spec of a NodePool was made. */
const madeGroups = (pool: Resource, index: ResourceIndex): string[] =>
  index
    .madeFrom(pool, "spec", SECURITY_GROUPS)
    .filter(({ properties }) => !isFilled(readText(properties, "id")))
    .flatMap(({ origin: { urn } }) => urn ?? []);

/** How many hosted clusters of a plan a tag may mean: by their name without a namespace, and all of them. */
const clusterCounts = onceForBoth((index: ResourceIndex, configured: readonly ConfiguredGroups[]) => {
  const keys = new Set(knownClusters(index, configured).values());
  const plain = [...keys].flatMap((key) => [...new Set([bareName(key), plainName(key)])]);
  const unnamed = index
    .ofKind(isHostedCluster)
    .filter(
      ({ type, properties }) => !isPatch(type) && typeof readText(properties, "metadata.name") !== "string",
    );
  const byName = new Map<string, number>();
  for (const name of plain) byName.set(name, (byName.get(name) ?? 0) + 1);
  return { all: keys.size + unnamed.length, byName };
});

/** Whether a name in a tag, or a missing one, may mean several hosted clusters of a plan. */
export function isAmbiguous(cluster: string | undefined, { index, configured }: GroupsOfPlan): boolean {
  const { all, byName } = clusterCounts(index, configured);
  return (cluster === undefined ? all : (byName.get(cluster) ?? 0)) > 1;
}

/** Why it is unknown in which cluster a group or ACL has its role. */
export const reasonOfAmbiguity = (role: Role | undefined, cluster: string | undefined): string =>
  cluster === undefined
    ? `it names the role ${role ?? ""}, but none of the hosted clusters`
    : `it names the role ${role ?? ""} of cluster ${cluster}, but several hosted clusters have that name`;

/**
 * The hosted clusters that a plan and its configuration describe, as in `GroupRole.cluster` with a namespace: by that key, and by each
 * part of it that only one cluster has. A tag with another name may be misspelled.
 */
export const knownClusters = onceForBoth(
  (index: ResourceIndex, configured: readonly ConfiguredGroups[]): ReadonlyMap<string, string> => {
    const keys = new Set<string>();
    const bare = new Set<string>();
    const add = (namespace: unknown, name: unknown, placed = (key: string) => key) => {
      if (typeof name !== "string") return;
      if (typeof namespace === "string") keys.add(placed(`${namespace}/${name}`));
      else bare.add(name);
    };
    for (const object of index.ofKind(isHostedCluster)) {
      const [namespace, name] = ["namespace", "name"].map((key) =>
        readText(object.properties, `metadata.${key}`),
      );
      add(namespace, name, (key) => clusterMeant(key, object, index));
    }
    const read = new Set([...keys].map(plainName));
    const addOther = (namespace: unknown, name: unknown) => {
      if (!read.has(`${String(namespace)}/${String(name)}`)) add(namespace, name);
    };
    for (const component of index.resources) {
      if (!component.type.startsWith(OUR_COMPONENTS)) continue;
      const [namespace, name] = namesIn(component, "topology");
      const plain = `${String(namespace ?? DEFAULT_NAMESPACE)}/${String(name)}`;
      const placed = clusterMeant(plain, component, index);
      if (placed === plain) addOther(namespace, name);
      else keys.add(placed);
    }
    for (const { cluster, namespace, isNamespaced, meant } of configured) {
      if (!meant) addOther(isNamespaced ? namespace : undefined, cluster);
      else for (const key of meant) if (!read.has(plainName(key))) keys.add(key);
    }
    const named = new Set([...keys].map(bareName));
    for (const name of bare) if (!named.has(name)) keys.add(`${DEFAULT_NAMESPACE}/${name}`);
    const byName = new Map<string, string[]>();
    for (const key of keys)
      for (const name of new Set([bareName(key), plainName(key), withoutNamespace(key), key]))
        append(byName, name, [key]);
    return new Map([...byName].flatMap(([name, all]) => (all.length === 1 ? [[name, all[0]!]] : [])));
  },
);
