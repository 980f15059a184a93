import { type Address, compare, contains, Prefix, prefixOf } from "../address";
import { append, onceForEach, onceIn } from "../collections";
import { isElsewhere, type Placement } from "../resources/managementCluster";
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

/** A topology with every default applied and every address parsed. Made by `normalizeTopology`; never changes. */
export interface NormalizedTopology extends StatedSubnets {
  name: string;
  namespace: string;
  /** The namespace in which the control plane runs: `<namespace>-<name>`, with dashes for dots. */
  controlPlaneNamespace: string;
  platform: Platform;
  /** Absent: not stated, and rules that depend on it answer "unknown". */
  release?: Release;
  /** `Public` on platforms without the choice. */
  endpointAccess: EndpointAccess;
  services: Readonly<Record<Service, NormalizedService>>;
  machineNetwork: readonly Prefix[];
  clusterNetwork: readonly NodeSplitNetwork[];
  serviceNetwork: readonly Prefix[];
  networkType: NetworkType;
  /** As stated; absent where the default holds. */
  advertiseAddress?: Address;
  /** As stated; absent where the default holds. */
  apiServerPort?: number;
  loadBalancerTargets?: LoadBalancerTargets;
  loadBalancerSubnetCidrs: readonly Prefix[];
  workerNatCidrs: readonly Prefix[];
  /** The machine network where not stated. */
  workerCidrs: readonly Prefix[];
  externalClientCidrs: readonly Prefix[];
  managementClusterCidrs: readonly Prefix[];
  managementClusterNatCidrs: readonly Prefix[];
  controlPlaneEndpointCidrs: readonly Prefix[];
  dnsServerCidrs: readonly Prefix[];
  registryCidrs: readonly Prefix[];
  infrastructureCidrs: readonly NamedNetwork[];
  /** Blocks whose addresses are not known yet, where resources are planned by their keys. Absent where there are none. */
  standIns?: readonly AddressBlock[];
  /** As far as it is known: what is not stands in `unknown`. */
  proxy?: PlainProxy;
  bootstrap: boolean;
  /** Only where the input has other clusters of that name, in other management clusters. */
  placement?: Placement;
  /** True where workers carry only the plan's groups. */
  defaultWorkerRules?: true;
  /** Properties that hold their default: `serviceNetwork`, `services.ignition`. */
  defaulted: readonly string[];
  /** Properties whose value is not known yet: `machineNetwork`, `services.ignition.type`. No default was put in their place. */
  unknown: readonly string[];
  /** Positions of entries that are wrong or not known yet, by the list that was read without them. */
  left?: Readonly<Record<string, readonly number[]>>;
}

/** The internal subnets of OVN-Kubernetes, as stated; absent where the default holds. */
export type StatedSubnets = { readonly [property in InternalSubnetProperty]?: Prefix };

/** The settings of the cluster-wide proxy. */
export interface PlainProxy {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
}

/** How a service is published. */
export interface NormalizedService {
  /** Absent only where it is not known yet. */
  type?: PublishingType;
  /** Absent: any port of the node-port range. */
  nodePort?: number;
  /** Where nodes reach the node port: a host name, or an address in its canonical form. */
  address?: string;
  hostname?: string;
}

/** A pod range, of which each node gets a part. */
export interface NodeSplitNetwork {
  prefix: Prefix;
  /** Prefix length of each node's part. */
  hostPrefix: number;
}

/** A network around the cluster. */
export interface NamedNetwork {
  name: string;
  prefix: Prefix;
}

/** The lists of CIDR blocks in a topology that say who is where around the cluster. */
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

/** The lists of CIDR blocks in a topology that say who is where. */
export type CidrList = "machineNetwork" | (typeof surroundingLists)[number];

/** Whether a property, or something in it or around it, is not known yet. */
export function isUnknown({ unknown }: Pick<NormalizedTopology, "unknown">, property: string): boolean {
  return unknown.some(
    (path) => path === property || isInside(path, property) || property.startsWith(`${path}.`),
  );
}

/** Where each of the first `count` entries that a list was read with is written: `machineNetwork[1]`, where the one before it is wrong. */
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

/** Whether a namespace is that of the control plane; undefined where that is unknown. */
export function isOfControlPlane(topology: NormalizedTopology, namespace: string): boolean | undefined {
  if (!isNamespaceUnknown(topology)) return namespace === topology.controlPlaneNamespace;
  const isOther = !isUnknown(topology, "namespace") && !namespace.startsWith(`${topology.namespace}-`);
  return isOther ? false : undefined;
}

/** The same of an object: one that stands with another cluster of that name is not in this one's namespace. */
export function isObjectOfControlPlane(
  topology: NormalizedTopology,
  namespace: string,
  object: Resource,
): boolean | undefined {
  return isElsewhere(topology.placement, object) ? false : isOfControlPlane(topology, namespace);
}

const byNamespace = onceForEach((objects: readonly Resource[]) => {
  const found = new Map<string | typeof UNKNOWN | undefined, Resource[]>();
  for (const object of objects) append(found, readText(object.properties, "metadata.namespace"), [object]);
  return found;
});

/**
 * Those of some objects that may be in the namespace of a control plane, in their order: every cluster of a fleet asks for its own. Who
 * asks looks at each of them.
 */
export function objectsPerhapsIn(
  topology: NormalizedTopology,
  objects: readonly Resource[],
): readonly Resource[] {
  const found = byNamespace(objects);
  if (isNamespaceUnknown(topology) || found.has(UNKNOWN) || found.has(undefined)) return objects;
  return found.get(topology.controlPlaneNamespace) ?? [];
}

/**
 * What the outcome of a cluster's flows hangs on where no resource stands in their way: two topologies of one shape differ in names
 * and in where their blocks lie, not in how long these are, nor in which of them lies where in which. Undefined where addresses
 * stand in texts, or names decide too.
 *
 * @param more blocks that the flows are held against besides
 */
export function shapeOf(topology: NormalizedTopology, more: readonly Prefix[] = []): string | undefined {
  const { name: _name, namespace: _namespace, controlPlaneNamespace, advertiseAddress, ...rest } = topology;
  if (rest.proxy || rest.standIns || rest.placement) return undefined;
  if (Object.values<string>(MANAGEMENT_NAMESPACE).includes(controlPlaneNamespace)) return undefined;
  const shown = [rest, advertiseAddress && prefixOf(advertiseAddress), more];
  const places = placesOf(blocksIn(shown));
  // That there is a host name decides; its letters do only for a proxy.
  return JSON.stringify(shown, (key, value: unknown) =>
    key === "hostname" ? "" : typeof value === "string" ? (places.get(value) ?? value) : value,
  );
}

function blocksIn(shown: unknown): Prefix[] {
  if (shown instanceof Prefix) return [shown];
  return typeof shown === "object" && shown !== null ? Object.values(shown).flatMap(blocksIn) : [];
}

/**
 * Where blocks lie in the widest around them, by their texts: those are numbered in the order in which they are met. What holds every
 * address is around nothing.
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
