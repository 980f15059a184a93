import { isElsewhere } from "../resources/managementCluster";
import { IpsecEncapsulation, IpsecMode, type IpsecPort, portsOf } from "../requirements/networkOperator";
import { EGRESS_FIREWALL_NAME } from "../requirements/names";
import { isGiven, isMap, propertyOf, read, readText, readValue } from "../resources/read";
import { append, onceForBoth, onceForEach } from "../collections";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "../resources/resource";
import type { ResourceIndex } from "../resources/resourceIndex";
import { isEgressFirewall, isHostedCluster, isNetwork, OUR_COMPONENTS } from "../resources/resourceTypes";
import { isNamespaceUnknown, isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { Role } from "../requirements/vocabulary";
import { isHere } from "./hosts";
import type { FlowPeer, MissingInput, NamespaceHop } from "./model";
import { merge, type Prefix, readBlock, subtract } from "../address";

/** A namespace with an egress firewall. */
export interface GovernedNamespace extends Pick<NamespaceHop, "cluster" | "namespace"> {
  firewall: Resource;
  /** The value that decides whether the firewall stands here, where it is unknown. */
  doubt?: UnknownValue;
}

/** Namespaces with an egress firewall by their clusters and names: each flow and each place asks. */
export const governedByPlace = onceForEach(
  (namespaces: readonly GovernedNamespace[]): ReadonlyMap<string, readonly GovernedNamespace[]> => {
    const found = new Map<string, GovernedNamespace[]>();
    for (const one of namespaces) append(found, placeOfNamespace(one), [one]);
    return found;
  },
);

export const placeOfNamespace = ({
  cluster,
  namespace,
}: Pick<NamespaceHop, "cluster" | "namespace">): string => `${cluster} ${namespace}`;

/** What a plan says of both clusters and no topology does. */
export interface Surroundings {
  /** Namespaces with an egress firewall. */
  namespaces: readonly GovernedNamespace[];
  /** What nodes of a role encrypt pod traffic with; UNKNOWN where they may. Absent: they do not. */
  ipsec: { readonly [role in Role]?: readonly IpsecPort[] | typeof UNKNOWN };
  /** Whom public load balancers of the control plane let in. Absent: everybody. */
  allowedBlocks?: AllowedBlocks;
}

/** No namespace has an egress firewall, and nothing is encrypted. */
export const NO_SURROUNDINGS: Surroundings = { namespaces: [], ipsec: {} };

/**
 * Reads from a plan what stands around the flows of a cluster. Plans do not say in which cluster an object is: the topology
 * of its component counts, then its namespace.
 */
export const surroundingsOf = onceForBoth(
  (index: ResourceIndex, topology: NormalizedTopology): Surroundings => {
    const namespaces = index
      .ofKind(isEgressFirewall)
      .flatMap((resource) => governed(index, resource, topology));
    const ipsec: { [role in Role]?: readonly IpsecPort[] | typeof UNKNOWN } = {};
    for (const resource of index.ofKind(isNetwork)) {
      const ports = ipsecPortsOf(resource);
      const owner = ports && ownerOf(index, resource, topology);
      if (owner === "this") ipsec[Role.Workers] = ports;
      // Who sets up IPsec without a topology means a cluster that is not hosted.
      if (owner === undefined && ports) ipsec[Role.ControlPlane] = ports;
    }
    const allowedBlocks = allowedBlocksOf(index, topology);
    const isBare = namespaces.length === 0 && Object.keys(ipsec).length === 0 && allowedBlocks === undefined;
    return isBare
      ? NO_SURROUNDINGS
      : { namespaces, ipsec, ...(allowedBlocks !== undefined && { allowedBlocks }) };
  },
);

/** Whether the component of an object was made for this cluster or another one; undefined where nothing says so. */
function ownerOf(
  index: ResourceIndex,
  resource: Resource,
  topology: NormalizedTopology,
): "this" | "another" | undefined {
  const parent = index.at(resource.parent);
  if (!parent?.type.startsWith(OUR_COMPONENTS)) return undefined;
  const [name, namespace] = ["topology.name", "topology.namespace"].map((path) =>
    readText(parent.properties, path),
  );
  if (typeof name !== "string") return ownerOf(index, parent, topology);
  return isHere(topology, typeof namespace === "string" ? `${namespace}/${name}` : name) ? "this" : "another";
}

/** Of the management cluster's namespaces the control plane's own concerns its flows, and no other. */
function governed(
  index: ResourceIndex,
  firewall: Resource,
  topology: NormalizedTopology,
): GovernedNamespace[] {
  const name = readText(firewall.properties, "metadata.name");
  if (name !== UNKNOWN && name !== EGRESS_FIREWALL_NAME) return [];
  const stated = readText(firewall.properties, "metadata.namespace");
  const namespace = typeof stated === "string" ? stated : `of ${firewall.name}`;
  const owner = ownerOf(index, firewall, topology);
  if (owner === "another") return [];
  if (owner === "this") return [{ firewall, namespace, cluster: "hosted" }];
  const { controlPlaneNamespace } = topology;
  if (stated === UNKNOWN || isNamespaceUnknown(topology)) {
    const doubt = { resource: firewall, path: "metadata.namespace" };
    return [
      { firewall, namespace, cluster: "hosted", doubt },
      { firewall, namespace: controlPlaneNamespace, cluster: "management", doubt },
    ];
  }
  if (namespace === topology.namespace || isElsewhere(topology.placement, firewall)) return [];
  return [{ firewall, namespace, cluster: namespace === controlPlaneNamespace ? "management" : "hosted" }];
}

/** What an operator's configuration encrypts with; undefined where it says nothing of IPsec. */
function ipsecPortsOf({ properties }: Resource): readonly IpsecPort[] | typeof UNKNOWN | undefined {
  const config = readValue(properties, "spec.defaultNetwork.ovnKubernetesConfig.ipsecConfig");
  if (config === UNKNOWN) return UNKNOWN;
  if (!isMap(config)) return undefined;
  const mode = propertyOf(config, "mode");
  if (mode === UNKNOWN) return UNKNOWN;
  // Releases before modes take an empty object for Full.
  const known = isGiven(mode) ? wordOf(IpsecMode, mode) : IpsecMode.Full;
  return known && portsOf(known, wordOf(IpsecEncapsulation, readValue(config, "full.encapsulation")));
}

const wordOf = <Word extends string>(
  words: Readonly<Record<string, Word>>,
  value: PropertyValue | undefined,
): Word | undefined => Object.values(words).find((word) => word === value);

/** Blocks that public load balancers let in, or UNKNOWN where some of them are unknown. */
export type AllowedBlocks = { blocks: readonly Prefix[]; listedBy: Resource } | typeof UNKNOWN;

/** The list, as findings and topologies name it. */
export const ALLOWED_LIST = "networking.apiServer.allowedCIDRBlocks";

/**
 * From where the public load balancers of the API server and of the control plane's own router are reached, as the
 * HostedCluster of a cluster says it; `undefined` where it says nothing, which means from everywhere.
 */
function allowedBlocksOf(index: ResourceIndex, topology: NormalizedTopology): AllowedBlocks | undefined {
  const named = allowedListsByName(index);
  const lists = [...(named.get(topology.name) ?? []), ...(named.get(undefined) ?? [])].filter(
    ({ listedBy }) => mayBe(topology, listedBy),
  );
  const [first] = lists;
  if (!first) return undefined;
  const { entries, listedBy } = first;
  // Whether an object or its patch holds is not stated here.
  if (lists.length > 1) return UNKNOWN;
  const blocks = entries.flatMap((entry) => (typeof entry === "string" ? (readBlock(entry) ?? []) : []));
  return blocks.length < entries.length ? UNKNOWN : { blocks: merge(blocks), listedBy };
}

/** What HostedClusters list, by their names; those without one that is known stand under none. Every cluster of a fleet asks for its own. */
const allowedListsByName = onceForEach((index: ResourceIndex) => {
  const named = new Map<string | undefined, { listedBy: Resource; entries: PropertyValue[] }[]>();
  for (const listedBy of index.ofKind(isHostedCluster)) {
    const entries = read(listedBy.properties, `spec.${ALLOWED_LIST}[]`).map(({ value }) => value);
    const name = readText(listedBy.properties, "metadata.name");
    if (entries.length > 0) append(named, name === UNKNOWN ? undefined : name, [{ listedBy, entries }]);
  }
  return named;
});

/** Whether a HostedCluster is that of a topology, or may be where its name is not known yet. */
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

/** What keeps clients out at a load balancer with such a list, or may; undefined where it lets them all in. */
export function keptOut({ prefixes }: FlowPeer, allowed: AllowedBlocks): MissingInput | undefined {
  if (allowed === UNKNOWN)
    return { input: ALLOWED_LIST, why: "whom public load balancers let in: not all of its blocks are known" };
  const outside = prefixes && subtract(prefixes, allowed.blocks);
  if (outside?.length === 0) return undefined;
  const add = outside?.map(({ text }) => text).join(", ");
  const who = add ?? "the addresses from which they come";
  return {
    input: ALLOWED_LIST,
    why: `public load balancers let in only what it lists: add ${who} to it`,
    ...(add !== undefined && { add }),
  };
}
