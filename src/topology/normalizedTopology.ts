import { type Address, compare, contains, Prefix, prefixOf, readHost } from "../address";
import { append, onceForEach, onceIn } from "../collections";
import { notElsewhere, type Placement } from "../resources/managementCluster";
import { isInside, readText } from "../resources/read";
import { MANAGEMENT_NAMESPACE } from "../requirements/networkPolicies";
import { type Resource, UNKNOWN } from "../resources/resource";
import type { InternalSubnetProperty } from "../requirements/internalSubnets";
import type { Release } from "../requirements/release";
import type {
  EndpointAccess,
  LoadBalancerTargets,
  NetworkType,
  Platform,
  PublishingType,
  Service,
} from "../requirements/vocabulary";
import type { AddressBlock } from "./addressBlocks";

/** A topology with every default applied and every address parsed. Created by `normalizeTopology`; immutable. */
export interface NormalizedTopology extends StatedSubnets, SurroundingBlocks {
  name: string;
  namespace: string;
  /** The namespace in which the control plane runs: `<namespace>-<name>`, with dashes for dots. */
  controlPlaneNamespace: string;
  platform: Platform;
  /** If absent, the release is not stated, and rules that depend on it answer "unknown". */
  release?: Release;
  /** `Public` on platforms without this setting. */
  endpointAccess: EndpointAccess;
  services: Readonly<Record<Service, NormalizedService>>;
  machineNetwork: readonly Prefix[];
  clusterNetwork: readonly NodeSplitNetwork[];
  serviceNetwork: readonly Prefix[];
  networkType: NetworkType;
  /** As stated; absent if the default applies. */
  advertiseAddress?: Address;
  /** As stated; absent if the default applies. */
  apiServerPort?: number;
  loadBalancerTargets?: LoadBalancerTargets;
  infrastructureCidrs: readonly NamedNetwork[];
  /** Blocks whose addresses are not known yet, if resources are planned by their keys. Absent if there are none. */
  standIns?: readonly AddressBlock[];
  /** The known settings; `unknown` lists the others. */
  proxy?: PlainProxy;
  bootstrap: boolean;
  /** Only if the input has other clusters of that name, in other management clusters. */
  placement?: Placement;
  /** The names by which groups and ACLs may mean it, if the input or the configuration has other clusters of that namespace and name. */
  names?: readonly string[];
  /** True if workers carry only the plan's groups. */
  defaultWorkerRules?: true;
  /** Properties that hold their default: `serviceNetwork`, `services.ignition`. */
  defaulted: readonly string[];
  /** Properties whose value is not known yet: `machineNetwork`, `services.ignition.type`. They have no default. */
  unknown: readonly string[];
  /** Positions of entries that are wrong or not known yet, and therefore left out, by list. */
  left?: Readonly<Record<string, readonly number[]>>;
}

/** The internal subnets of OVN-Kubernetes, as stated; absent if the default applies. */
export type StatedSubnets = { readonly [property in InternalSubnetProperty]?: Prefix };

/** The settings of the cluster-wide proxy. */
export interface PlainProxy {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
}

/** How a service is published. */
export interface NormalizedService {
  /** Absent only if it is not known yet. */
  type?: PublishingType;
  /** If absent: any port of the node-port range. */
  nodePort?: number;
  /** Where nodes reach the node port: a host name, or an address in its canonical form. */
  address?: string;
  hostname?: string;
}

/** A pod range, split into one part for each node. */
export interface NodeSplitNetwork {
  prefix: Prefix;
  /** Prefix length of each node's subnet. */
  hostPrefix: number;
}

/** A network around the cluster. */
export interface NamedNetwork {
  name: string;
  prefix: Prefix;
}

/** The lists of CIDR blocks in a topology that state which hosts are where around the cluster. */
export const surroundingLists = [
  "loadBalancerSubnetCidrs",
  "workerNatCidrs",
  "workerCidrs",
  "externalClientCidrs",
  "managementClusterCidrs",
  "managementClusterNatCidrs",
  "controlPlaneEndpointCidrs",
  "dnsServerCidrs",
  "registryCidrs",
] as const;

export type SurroundingList = (typeof surroundingLists)[number];

/** The blocks of these lists. `workerCidrs` defaults to the machine network. */
export type SurroundingBlocks = { readonly [list in SurroundingList]: readonly Prefix[] };

/** The lists of CIDR blocks in a topology that state which hosts are where. */
export type CidrList = "machineNetwork" | SurroundingList;

/** Whether a property, or a property inside or around it, is not known yet. */
export function isUnknown({ unknown }: Pick<NormalizedTopology, "unknown">, property: string): boolean {
  return unknown.some(
    (path) => path === property || isInside(path, property) || property.startsWith(`${path}.`),
  );
}

/** The paths of the first `count` entries that could be read from a list: `machineNetwork[1]`, if the entry before it is wrong. */
export function entryPaths(
  { left }: Pick<NormalizedTopology, "left">,
  list: string,
  count: number,
): string[] {
  const isLeft = new Set(left?.[list]);
  const paths: string[] = [];
  for (let position = 0; paths.length < count; position++)
    if (!isLeft.has(position)) paths.push(`${list}[${position}]`);
  return paths;
}

/** Whether every entry of a list was read. */
export const isWhole = ({ left }: Pick<NormalizedTopology, "left">, list: string): boolean => !left?.[list];

/** Whether the namespace of the control plane is unknown. */
export const isNamespaceUnknown = (topology: NormalizedTopology): boolean =>
  isUnknown(topology, "name") || isUnknown(topology, "namespace");

/** Whether a namespace is that of the control plane; undefined if that is unknown. */
export function isOfControlPlane(topology: NormalizedTopology, namespace: string): boolean | undefined {
  if (!isNamespaceUnknown(topology)) return namespace === topology.controlPlaneNamespace;
  const isOther = !isUnknown(topology, "namespace") && !namespace.startsWith(`${topology.namespace}-`);
  return isOther ? false : undefined;
}

/** Whether an object is in the namespace of a control plane; undefined if that is not known. */
export function isInControlPlane(
  topology: NormalizedTopology,
  { properties }: Resource,
): boolean | undefined {
  const namespace = readText(properties, "metadata.namespace");
  if (namespace === undefined) return false;
  return namespace === UNKNOWN ? undefined : isOfControlPlane(topology, namespace);
}

/** Why the namespace of a control plane is not known. */
export const UNNAMED_CLUSTER =
  "the name of a hosted cluster, and thus the namespace of its control plane, is not known";

const byNamespace = onceForEach((objects: readonly Resource[]) => {
  const found = new Map<string | typeof UNKNOWN | undefined, Resource[]>();
  for (const object of objects) append(found, readText(object.properties, "metadata.namespace"), [object]);
  return found;
});

/**
 * The `objects` that may be in the namespace of a control plane, in their order, from an index,
 * because every cluster of a fleet requests its own; without those of other management clusters. Callers check each of them.
 */
export function objectsPerhapsIn(
  topology: NormalizedTopology,
  objects: readonly Resource[],
): readonly Resource[] {
  const found = byNamespace(objects);
  const isOpen = isNamespaceUnknown(topology) || found.has(UNKNOWN) || found.has(undefined);
  return notElsewhere(
    topology.placement,
    isOpen ? objects : (found.get(topology.controlPlaneNamespace) ?? []),
  );
}

/** What names a hosted cluster. */
export type NamedTopology = Pick<NormalizedTopology, "name" | "namespace" | "names">;

/** The names by which groups and ACLs may mean a hosted cluster. Other clusters may have them too, except for the last one. */
export const namesOfCluster = ({ name, namespace, names }: NamedTopology): readonly string[] =>
  names ?? [name, `${namespace}/${name}`];

/**
 * A key for the outcome of a cluster's flows if no resource affects them: two topologies with the same
 * key differ only in names and in the position of their blocks, not in the lengths of blocks or in
 * which block contains which. Undefined if texts contain addresses, or if names matter too.
 *
 * @param more further blocks that the flows are compared with
 */
export function shapeOf(topology: NormalizedTopology, more: readonly Prefix[] = []): string | undefined {
  const { name: _name, namespace: _namespace, controlPlaneNamespace, advertiseAddress, ...rest } = topology;
  if (rest.proxy || rest.standIns || rest.placement || rest.names) return undefined;
  if (Object.values<string>(MANAGEMENT_NAMESPACE).includes(controlPlaneNamespace)) return undefined;
  const nodePorts = Object.values(rest.services).map(({ address = "" }) => readHost(address));
  const shown = [rest, advertiseAddress && prefixOf(advertiseAddress), more, nodePorts];
  const places = placesOf(blocksIn(shown));
  // The presence of a host name matters; its letters matter only with a proxy. Addresses of node ports are among the blocks.
  return JSON.stringify(shown, (key, value: unknown) =>
    key === "hostname" || (key === "address" && typeof value === "string" && readHost(value))
      ? ""
      : typeof value === "string"
        ? (places.get(value) ?? value)
        : value,
  );
}

function blocksIn(shown: unknown): Prefix[] {
  if (shown instanceof Prefix) return [shown];
  return typeof shown === "object" && shown !== null ? Object.values(shown).flatMap(blocksIn) : [];
}

/**
 * The position of each block in the widest block around it, by its text. The widest blocks are
 * numbered in order of appearance. A block with every address does not count as one around others.
 */
function placesOf(blocks: readonly Prefix[]): ReadonlyMap<string, string> {
  const around = new Map<string, Prefix>();
  let widest: Prefix | undefined;
  for (const block of [...blocks].sort(compare)) {
    if (!widest || widest.length === 0 || !contains(widest, block)) widest = block;
    around.set(block.text, widest);
  }
  const numbers = new Map<string, number>();
  const places = new Map<string, string>();
  for (const { text, family, start, length } of blocks) {
    const outer = around.get(text)!;
    const number = onceIn(numbers, outer.text, () => numbers.size);
    places.set(text, `${family}: ${number} + ${start - outer.start} / ${length}`);
  }
  return places;
}
