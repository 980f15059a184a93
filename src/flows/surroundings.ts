import { inClusterOf, notApart, notElsewhere } from "../resources/managementCluster";
import { MANAGEMENT_NAMESPACE, OPERATOR_NAMESPACES } from "../requirements/networkPolicies";
import { IpsecEncapsulation, IpsecMode, type IpsecPort, portsOf } from "../requirements/networkOperator";
import { controlPlaneNamespaceOf, EGRESS_FIREWALL_NAME } from "../requirements/names";
import {
  eachOnce,
  type NamespaceLabels,
  oneOf,
  type StatedLabels,
  statedLabels,
} from "../resources/oneObject";
import { isInEveryCluster } from "../resources/kubernetesObject";
import { entriesOf, isGiven, isMap, propertyOf, readText, readValue } from "../resources/read";
import { append, grouped, onceForBoth, onceForEach, onceIn, onlyOnce } from "../collections";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "../resources/resource";
import { clusterMeant } from "../resources/clusterSources";
import { type ConfiguredGroups, NOT_CONFIGURED } from "../resources/groupRoles";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import type { ResourceIndex } from "../resources/resourceIndex";
import {
  isEgressFirewall,
  isHostedCluster,
  isNamespace,
  isNetwork,
  isPatch,
  OUR_COMPONENTS,
} from "../resources/resourceTypes";
import {
  isNamespaceUnknown,
  isOfControlPlane,
  isUnknown,
  namesOfCluster,
  type NormalizedTopology,
} from "../topology/normalizedTopology";
import { Role } from "../requirements/vocabulary";
import type { FlowPeer, MissingInput, NamespaceHop } from "./model";
import { merge, type Prefix, readBlock, subtract } from "../address";

/** A namespace with an egress firewall. */
export interface GovernedNamespace extends Pick<NamespaceHop, "cluster" | "namespace"> {
  firewall: Resource;
  /** The unknown value that decides whether the firewall is in this namespace. */
  doubt?: UnknownValue;
}

/** The cluster that has a namespace, as far as its name tells; undefined if it is not known, or if both have one of that name. */
export function clusterByName(namespace: string | undefined): NamespaceHop["cluster"] | undefined {
  if (namespace === undefined || namespace === MANAGEMENT_NAMESPACE.dns) return undefined;
  return OPERATOR_NAMESPACES.includes(namespace) ? "management" : "hosted";
}

/** Why it is unknown whether a firewall governs pods of a hosted cluster. */
export const IN_BOTH_CLUSTERS =
  "hosted and management clusters have a namespace of that name, and no input states which of them it is";

/** Namespaces with an egress firewall by cluster and name. Cached, because each flow and each place needs them. */
export const governedByPlace = onceForEach(
  (namespaces: readonly GovernedNamespace[]): ReadonlyMap<string, readonly GovernedNamespace[]> =>
    grouped(namespaces, placeOfNamespace),
);

export const placeOfNamespace = ({
  cluster,
  namespace,
}: Pick<NamespaceHop, "cluster" | "namespace">): string => `${cluster} ${namespace}`;

/** What a plan states about both clusters and a topology does not. */
export interface Surroundings {
  /** Namespaces with an egress firewall. */
  namespaces: readonly GovernedNamespace[];
  /** What nodes of a role encrypt pod traffic with; UNKNOWN if they may. Default: they do not. */
  ipsec: { readonly [role in Role]?: readonly IpsecPort[] | typeof UNKNOWN };
  /** The addresses that public load balancers of the control plane let in. Default: all. */
  allowedBlocks?: AllowedBlocks;
}

/** No namespace has an egress firewall, and nothing is encrypted. */
export const NO_SURROUNDINGS: Surroundings = { namespaces: [], ipsec: {} };

/**
 * Reads the surroundings of a cluster's flows from a plan. Plans do not state in which cluster an object is: the topology of its
 * component counts, then its namespace.
 */
export const surroundingsOf = (
  index: ResourceIndex,
  topology: NormalizedTopology,
  configured: readonly ConfiguredGroups[] = NOT_CONFIGURED,
): Surroundings => surroundingsIn(index, configured)(topology);

const surroundingsIn = onceForBoth((index: ResourceIndex, configured: readonly ConfiguredGroups[]) => {
  const firewalls = firewallsByPlace(index, configured);
  return onceForEach((topology: NormalizedTopology): Surroundings => {
    const namespaces = governed(firewalls, topology);
    const ipsec = ipsecAround(index, topology);
    const allowedBlocks = allowedBlocksOf(index, topology);
    const isBare = namespaces.length === 0 && Object.keys(ipsec).length === 0 && allowedBlocks === undefined;
    return isBare
      ? NO_SURROUNDINGS
      : { namespaces, ipsec, ...(allowedBlocks !== undefined && { allowedBlocks }) };
  });
});

/** The objects of the network operator: those that components create for hosted clusters, by cluster, and the others. */
const networksIn = onceForEach((index: ResourceIndex) => {
  const byOwner = new Map<string, Resource[]>();
  const others: Resource[] = [];
  for (const network of index.ofKind(isNetwork)) {
    const owner = ownerOf(index, network);
    if (owner === undefined) others.push(network);
    else append(byOwner, owner, [network]);
  }
  return { byOwner, others, areEncrypted: others.some((network) => ipsecPortsOf(network) !== undefined) };
});

/** What nodes of each role encrypt with. */
function ipsecAround(index: ResourceIndex, topology: NormalizedTopology): Surroundings["ipsec"] {
  const { byOwner, areEncrypted } = networksIn(index);
  const workers = agreedPorts(namesOfCluster(topology).flatMap((owner) => byOwner.get(owner) ?? []));
  // An object with IPsec but without a topology belongs to a cluster that is not hosted.
  const management = areEncrypted ? agreedPorts(managementNetworks(index, topology)) : undefined;
  return {
    ...(workers && { [Role.Workers]: workers }),
    ...(management && { [Role.ControlPlane]: management }),
  };
}

/** The ports that the objects of one network agree on, ignoring objects that state none; UNKNOWN if they differ. */
function agreedPorts(networks: readonly Resource[]): readonly IpsecPort[] | typeof UNKNOWN | undefined {
  const said = networks.map(ipsecPortsOf).filter((ports) => ports !== undefined);
  const isSame = said.every((ports) => JSON.stringify(ports) === JSON.stringify(said[0]));
  return isSame ? said[0] : UNKNOWN;
}

/**
 * The objects of the network operator in the management cluster of a hosted cluster: without those that the input places in other
 * management clusters, and without those that a component creates for a hosted cluster.
 */
export const managementNetworks = (
  index: ResourceIndex,
  topology: NormalizedTopology,
  object = hostedClusterOf(index, topology),
): readonly Resource[] => inClusterOf(object, notElsewhere(topology.placement, networksIn(index).others));

/** The object of a hosted cluster, or a patch on it. */
export function hostedClusterOf(index: ResourceIndex, topology: NormalizedTopology): Resource | undefined {
  const { name, namespace, placement } = topology;
  const named = hostedClustersByName(index);
  const candidates = isNamespaceUnknown(topology)
    ? [index.ofKind(isHostedCluster)]
    : [named.get(`${namespace}/${name}`) ?? [], named.get(undefined) ?? []];
  for (const clusters of candidates) {
    const found = notElsewhere(placement, clusters).find((cluster) => mayBe(topology, cluster));
    if (found) return found;
  }
  return undefined;
}

/** HostedClusters by namespace and name; under undefined without both. Cached, because every cluster of a fleet looks up its own. */
const hostedClustersByName = onceForEach((index: ResourceIndex) =>
  grouped(index.ofKind(isHostedCluster), ({ properties }) => {
    const [namespace, name] = ["namespace", "name"].map((key) => readText(properties, `metadata.${key}`));
    return typeof namespace === "string" && typeof name === "string" ? `${namespace}/${name}` : undefined;
  }),
);

/** The cluster for which the component of an object was created: `name` or `namespace/name`; undefined if that is not stated. */
function ownerOf(index: ResourceIndex, resource: Resource): string | undefined {
  const parent = index.at(resource.parent);
  if (!parent || !isOurs(parent.type)) return undefined;
  const [name, namespace] = ["topology.name", "topology.namespace"].map((path) =>
    readText(parent.properties, path),
  );
  if (typeof name !== "string") return ownerOf(index, parent);
  return clusterMeant(typeof namespace === "string" ? `${namespace}/${name}` : name, parent, index);
}

/** The egress firewalls of a plan by what places them, because every cluster of a fleet looks up its own. */
interface FirewallsByPlace {
  /** Firewalls of components, by cluster. */
  byOwner: ReadonlyMap<string, readonly Resource[]>;
  /** Firewalls of management clusters, by the namespaces of HostedClusters and control planes. */
  byNamespace: ReadonlyMap<string, readonly Resource[]>;
  /** Firewalls that may be anywhere, except in namespaces of operators: no pods of hosted clusters are in those. */
  others: readonly Resource[];
}

function firewallsByPlace(index: ResourceIndex, configured: readonly ConfiguredGroups[]): FirewallsByPlace {
  const management = managementNamespaces(index, configured);
  const byOwner = new Map<string, Resource[]>();
  const byNamespace = new Map<string, Resource[]>();
  const others: Resource[] = [];
  for (const firewall of index.ofKind(isEgressFirewall)) {
    const name = readText(firewall.properties, "metadata.name");
    if (name !== UNKNOWN && name !== EGRESS_FIREWALL_NAME) continue;
    const owner = ownerOf(index, firewall);
    const namespace = readText(firewall.properties, "metadata.namespace");
    if (owner !== undefined) append(byOwner, owner, [firewall]);
    else if (typeof namespace === "string" && management.has(namespace))
      append(byNamespace, namespace, [firewall]);
    else if (typeof namespace !== "string" || clusterByName(namespace) !== "management")
      others.push(firewall);
  }
  return { byOwner, byNamespace, others };
}

/** The namespaces of the HostedClusters of a plan and of the configuration, and those of their control planes. */
function managementNamespaces(
  index: ResourceIndex,
  configured: readonly ConfiguredGroups[],
): ReadonlySet<string> {
  const namespaces = new Set<string>();
  const add = (namespace: unknown, name: unknown) => {
    if (typeof namespace !== "string") return;
    if (!isInEveryCluster(namespace)) namespaces.add(namespace);
    if (typeof name === "string") namespaces.add(controlPlaneNamespaceOf(namespace, name));
  };
  for (const { properties } of index.ofKind(isHostedCluster))
    add(readText(properties, "metadata.namespace"), readText(properties, "metadata.name"));
  for (const { properties } of index.ofKind(isOurs)) {
    const name = readText(properties, "topology.name");
    if (name !== undefined) add(readText(properties, "topology.namespace") ?? DEFAULT_NAMESPACE, name);
  }
  for (const { namespace, cluster } of configured) add(namespace, cluster);
  return namespaces;
}

const isOurs = (type: string): boolean => type.startsWith(OUR_COMPONENTS);

/** Of the management cluster's namespaces, only that of the control plane matters for its flows. */
function governed(
  { byOwner, byNamespace, others }: FirewallsByPlace,
  topology: NormalizedTopology,
): GovernedNamespace[] {
  const { namespace: own, controlPlaneNamespace } = topology;
  const isUnnamed = isNamespaceUnknown(topology);
  const here = (firewall: Resource, cluster: NamespaceHop["cluster"], isDoubted = false, reason?: string) => {
    const stated = readText(firewall.properties, "metadata.namespace");
    const hosted = typeof stated === "string" ? stated : `of ${firewall.name}`;
    return {
      firewall,
      cluster,
      namespace: cluster === "management" ? controlPlaneNamespace : hosted,
      ...(isDoubted && {
        doubt: { resource: firewall, path: "metadata.namespace", ...(reason !== undefined && { reason }) },
      }),
    };
  };
  const near = (firewalls: readonly Resource[]) => notElsewhere(topology.placement, firewalls);
  const controlPlanes = isUnnamed
    ? [...byNamespace].flatMap(([namespace, found]) =>
        isOfControlPlane(topology, namespace) === false ? [] : near(found),
      )
    : near(byNamespace.get(controlPlaneNamespace) ?? []);
  return eachNamespaceOnce([
    ...namesOfCluster(topology)
      .flatMap((owner) => byOwner.get(owner) ?? [])
      .map((firewall) => here(firewall, "hosted")),
    ...controlPlanes.map((firewall) => here(firewall, "management", isUnnamed)),
    ...near(others).flatMap((firewall) => {
      const stated = readText(firewall.properties, "metadata.namespace");
      if (stated === UNKNOWN || isUnnamed)
        return [here(firewall, "hosted", true), here(firewall, "management", true)];
      if (stated === own && !isInEveryCluster(own)) return [];
      if (stated === controlPlaneNamespace) return [here(firewall, "management")];
      return [here(firewall, "hosted", clusterByName(stated) === undefined, IN_BOTH_CLUSTERS)];
    }),
  ]);
}

/**
 * Merges several egress firewalls of one namespace, which can have only one. Patches and doubtful ones stay separate, except patches that
 * leave the rules of an object in the plan as they are.
 */
function eachNamespaceOnce(all: readonly GovernedNamespace[]): GovernedNamespace[] {
  const known = all.filter(({ firewall, doubt }) => !doubt && !isPatch(firewall.type));
  const there = governedByPlace(known);
  const deciding = all.filter((one) => statesRules(one.firewall) || !there.has(placeOfNamespace(one)));
  if (there.size === known.length) return deciding;
  const taken = new Set<string>();
  return deciding.flatMap((one) => {
    const versions = there.get(placeOfNamespace(one)) ?? [];
    if (versions.length < 2 || !versions.includes(one)) return [one];
    if (taken.has(placeOfNamespace(one))) return [];
    taken.add(placeOfNamespace(one));
    return [{ ...one, firewall: oneOf(versions.map(({ firewall }) => firewall)) }];
  });
}

/** Whether a firewall is an object, or a patch that replaces the rules of one. */
const statesRules = ({ type, properties }: Resource): boolean =>
  !isPatch(type) || readValue(properties, "spec.egress") !== undefined;

/** The objects that the management cluster of a topology has: none of another management cluster, and each once. */
export const standingObjects = (
  index: ResourceIndex,
  topology: NormalizedTopology,
  objects: readonly Resource[],
): readonly Resource[] =>
  eachOnce(notElsewhere(topology.placement, objects), () => hostedClusterOf(index, topology));

/** The same for cluster-wide objects: those of another server or provider are in another cluster, such as the hosted one. */
export function clusterWideObjects(
  index: ResourceIndex,
  topology: NormalizedTopology,
  objects: readonly Resource[],
): readonly Resource[] {
  const cluster = objects.length > 0 ? hostedClusterOf(index, topology) : undefined;
  const near = notApart(cluster, notElsewhere(topology.placement, objects));
  return eachOnce(near, () => cluster);
}

/** The labels that a plan states for the management cluster's namespaces. */
export const namespaceLabels = onceForBoth(
  (index: ResourceIndex, topology: NormalizedTopology): NamespaceLabels => {
    const named = namespacesByName(index);
    const known = new Map<string, StatedLabels | undefined>();
    const cluster = onlyOnce(() => hostedClusterOf(index, topology));
    return (name) =>
      onceIn(known, name, () => {
        const all = named.get(name);
        const isStandIn = name === topology.controlPlaneNamespace && isNamespaceUnknown(topology);
        if (!all || isStandIn) return undefined;
        const objects = notApart(cluster(), notElsewhere(topology.placement, all));
        return objects.length > 0 ? statedLabels(name, objects) : undefined;
      });
  },
);

const namespacesByName = onceForEach((index: ResourceIndex) =>
  grouped<unknown, Resource>(index.ofKind(isNamespace), ({ properties }) =>
    readText(properties, "metadata.name"),
  ),
);

/** What an operator's configuration encrypts with; undefined if it does not mention IPsec. */
function ipsecPortsOf({ properties }: Resource): readonly IpsecPort[] | typeof UNKNOWN | undefined {
  const config = readValue(properties, "spec.defaultNetwork.ovnKubernetesConfig.ipsecConfig");
  if (config === UNKNOWN) return UNKNOWN;
  if (!isMap(config)) return undefined;
  const mode = propertyOf(config, "mode");
  if (mode === UNKNOWN) return UNKNOWN;
  // Releases without modes treat an empty object as Full.
  const known = isGiven(mode) ? wordOf(IpsecMode, mode) : IpsecMode.Full;
  return known && portsOf(known, wordOf(IpsecEncapsulation, readValue(config, "full.encapsulation")));
}

const wordOf = <Word extends string>(
  words: Readonly<Record<string, Word>>,
  value: PropertyValue | undefined,
): Word | undefined => Object.values(words).find((word) => word === value);

/** Blocks that public load balancers let in, or UNKNOWN if some of them are unknown. */
export type AllowedBlocks = { blocks: readonly Prefix[]; listedBy: Resource } | typeof UNKNOWN;

/** The list, as findings and topologies name it. */
export const ALLOWED_LIST = "networking.apiServer.allowedCIDRBlocks";

/**
 * The addresses from which the public load balancers of the API server and of the control plane's own router can be reached, as
 * stated by the HostedCluster; `undefined` if it states none, which means from everywhere.
 */
function allowedBlocksOf(index: ResourceIndex, topology: NormalizedTopology): AllowedBlocks | undefined {
  const named = listingByName(index);
  const listing = [topology.name, undefined]
    .flatMap((name) => notElsewhere(topology.placement, named.get(name) ?? NONE))
    .filter((cluster) => mayBe(topology, cluster));
  const [listedBy] = listing;
  if (!listedBy) return undefined;
  // It is not stated whether an object or its patch applies.
  if (listing.length > 1) return UNKNOWN;
  const entries = allowedEntries(listedBy);
  const blocks = entries.flatMap((entry) => (typeof entry === "string" ? (readBlock(entry) ?? []) : []));
  return blocks.length < entries.length ? UNKNOWN : { blocks: merge(blocks), listedBy };
}

const NONE: readonly Resource[] = [];

/** HostedClusters with such a list, by name; under undefined without a known name. Cached, because every cluster of a fleet looks up its own. */
const listingByName = onceForEach((index: ResourceIndex) =>
  grouped(
    index.ofKind(isHostedCluster).filter((cluster) => allowedEntries(cluster).length > 0),
    ({ properties }) => {
      const name = readText(properties, "metadata.name");
      return name === UNKNOWN ? undefined : name;
    },
  ),
);

function allowedEntries({ properties }: Resource): readonly PropertyValue[] {
  const list = readValue(properties, `spec.${ALLOWED_LIST}`);
  return list === UNKNOWN ? [list] : entriesOf(list);
}

/** Whether a HostedCluster is that of a topology, or may be because its name is not known yet. */
function mayBe(topology: NormalizedTopology, { properties }: Resource): boolean {
  const agrees = (path: string, own: string) => {
    const stated = readText(properties, path);
    return stated === undefined || stated === UNKNOWN || stated === own;
  };
  return (
    agrees("metadata.name", topology.name) &&
    (isUnknown(topology, "namespace") || agrees("metadata.namespace", topology.namespace))
  );
}

/** What blocks clients at a load balancer with such a list, or may block them; undefined if it lets all of them in. */
export function keptOut({ prefixes }: FlowPeer, allowed: AllowedBlocks): MissingInput | undefined {
  if (allowed === UNKNOWN)
    return {
      input: ALLOWED_LIST,
      why: "which clients public load balancers allow: not all of its blocks are known",
    };
  const outside = prefixes && subtract(prefixes, allowed.blocks);
  if (outside?.length === 0) return undefined;
  const add = outside?.map(({ text }) => text).join(", ");
  const who = add ?? "the clients' addresses";
  return {
    input: ALLOWED_LIST,
    why: `public load balancers allow only the addresses in this list: add ${who} to it`,
    ...(add !== undefined && { add }),
  };
}
