import { readHost, withoutHostBits } from "../address";
import {
  accessPath,
  serviceFields,
  type ServiceProperty,
  topologyFields,
  isNodePortName,
} from "../requirements/hostedCluster";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import { formatRelease, parseRelease, type Release, releaseOfImage } from "../requirements/release";
import { NetworkType, PublishingType, Service } from "../requirements/vocabulary";
import { entriesOf, isGiven, isMap, read, readValue } from "../resources/read";
import { append } from "../collections";
import { textOf } from "../resources/oneObject";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { propertyOfService, serviceProperty } from "../requirements/publishedServices";
import type { topologyProperties } from "./normalizeTopology";

type Value = PropertyValue | undefined;

/**
 * The topology that a HostedCluster object states, whole or as a patch. Tolerant: values that it does not state are absent,
 * values that are not known yet are UNKNOWN, and values of the wrong shape stay as they are, for `normalizeTopology` to refuse.
 *
 * @returns `undefined` if the object is not a HostedCluster
 */
export function topologyOfHostedCluster(object: unknown): RawTopology | undefined {
  const manifest = object as Value;
  if (within(manifest, "kind") !== "HostedCluster") return undefined;
  if (within(manifest, "spec") === UNKNOWN) return { ...named(manifest), ...everythingUnknown };
  return withoutAbsent({
    ...named(manifest),
    ...Object.fromEntries(propertiesOfObject.map((property) => [property, readProperty(manifest, property)])),
  });
}

/** A property as an object states it, in the form of a topology. */
function readProperty(manifest: Value, property: string): Value {
  if (property === "endpointAccess") return accessOf(manifest);
  if (property === "release") return releaseOf(manifest);
  const { path } = topologyFields.find((field) => field.property === property)!;
  const value = within(manifest, ...path.split("."));
  const read = (internalSubnetProperties as readonly string[]).includes(property)
    ? withoutHostBits
    : readers[property];
  return read ? read(value) : value;
}

const named = (manifest: Value): RawTopology =>
  withoutAbsent({
    name: within(manifest, "metadata", "name"),
    namespace: within(manifest, "metadata", "namespace"),
  });

/** The properties of a topology that the spec of a HostedCluster states. */
export const propertiesOfObject: readonly string[] = [
  ...new Set(topologyFields.filter(({ path }) => path.startsWith("spec.")).map(({ property }) => property)),
];

/** The topology of an object whose spec is not known yet. */
const everythingUnknown: RawTopology = Object.fromEntries(
  propertiesOfObject.map((property) => [property, UNKNOWN]),
);

/** The value at a path of keys; UNKNOWN if a value on the way is not known yet. */
function within(value: Value, ...path: string[]): Value {
  let current = value;
  for (const key of path) {
    if (current === UNKNOWN) return UNKNOWN;
    if (!isMap(current)) return undefined;
    current = current[key];
  }
  return current ?? undefined;
}

/**
 * `4.20` for the tag `4.20.3-x86_64`. For a digest, or a tag that names no release, the release that
 * HyperShift reports for that image; UNKNOWN if the object has no such report.
 */
function releaseOf(manifest: Value): Value {
  const image = within(manifest, "spec", "release", "image");
  if (image === undefined || image === UNKNOWN) return image;
  const release =
    typeof image === "string" ? (releaseOfImage(image) ?? reported(manifest, image)) : undefined;
  return release ? formatRelease(release) : UNKNOWN;
}

/** The release of an image that the cluster runs, or ran. */
function reported(manifest: Value, image: string): Release | undefined {
  const history = within(manifest, "status", "version", "history");
  const reports: readonly Value[] = [
    within(manifest, "status", "version", "desired"),
    ...(Array.isArray(history) ? (history as readonly PropertyValue[]) : []),
  ];
  const own = reports.find((report) => within(report, "image") === image);
  return parseRelease(within(own, "version"));
}

/** Each platform with this setting has its own field for it. */
function accessOf(manifest: Value): Value {
  const platform = within(manifest, "spec", "platform", "type");
  const path = accessPath(platform);
  return platform === UNKNOWN ? UNKNOWN : path && within(manifest, ...path.split("."));
}

const networkTypes: readonly Value[] = Object.values(NetworkType);

/** Treats every unknown name as third-party software. */
const networkTypeOf = (type: Value): Value =>
  typeof type !== "string" || type === "" || networkTypes.includes(type) ? type : NetworkType.Other;

/** Normalizes ranges as consumers of the object do: host bits are ignored, and a host prefix of 0 means none. */
function rangesOf(list: Value): Value {
  if (!Array.isArray(list)) return list;
  return (list as readonly PropertyValue[]).map((entry) => {
    if (!isMap(entry)) return entry;
    const { cidr, hostPrefix } = entry;
    return withoutAbsent({
      ...entry,
      cidr: withoutHostBits(cidr),
      hostPrefix: hostPrefix === 0 ? undefined : hostPrefix,
    });
  });
}

const strategies: readonly Value[] = Object.values(PublishingType);

/** The list of services as an object, without services that no flow depends on and strategies that publish nothing. */
function servicesOf(list: Value): Value {
  if (list === undefined || list === UNKNOWN) return list;
  if (!Array.isArray(list)) return undefined;
  const entries = list as readonly PropertyValue[];
  // An unknown entry could be any service.
  if (entries.some((entry) => entry === UNKNOWN || within(entry, "service") === UNKNOWN)) return UNKNOWN;
  const listed = readEntries(list);
  return Object.fromEntries(
    Object.values(Service).flatMap((service) => {
      const published = publishedService(entryOf(listed, service)?.entry);
      return published === undefined ? [] : [[serviceProperty[service], published] as const];
    }),
  );
}

/** An entry of `spec.services`. */
export interface ListedService {
  entry: PropertyValue;
  position: number;
  /** The position of an earlier entry for the same service. */
  repeats?: number;
}

/** The entries of `spec.services`, each with the position of the entry that it repeats. */
export function listedServices(list: Value): ListedService[] {
  const first = new Map<string, number>();
  return entriesOf(list).map((entry, position) => {
    const service = within(entry, "service");
    if (typeof service !== "string") return { entry, position };
    const repeats = first.get(service);
    if (repeats !== undefined) return { entry, position, repeats };
    first.set(service, position);
    return { entry, position };
  });
}

/** The entries that HyperShift reads: the first one of each service (support/netutil, ServicePublishingStrategyByTypeByHC). */
export const readEntries = (list: Value): ListedService[] =>
  listedServices(list).filter(({ repeats }) => repeats === undefined);

const entryOf = (read: readonly ListedService[], service: Service): ListedService | undefined =>
  read.find(({ entry }) => within(entry, "service") === service);

function publishedService(entry: Value): Value {
  if (within(entry, "servicePublishingStrategy") === UNKNOWN) return UNKNOWN;
  const said = (property: ServiceProperty): Value =>
    serviceFields(property)
      .map((path) => within(entry, ...path.split(".")))
      .find((value) => value !== undefined);
  const type = said("type");
  if (type !== UNKNOWN && !strategies.includes(type)) return undefined;
  const nodePort = said("nodePort");
  return withoutAbsent({
    type,
    // 0 means any port of the range.
    nodePort: nodePort === 0 ? undefined : nodePort,
    address: type === PublishingType.NodePort ? hostIn(said("address")) : undefined,
    hostname: said("hostname"),
  });
}

/**
 * The path at which an object states a property of a service: `spec.services[3].servicePublishingStrategy.type` for
 * `services.ignition.type`; the path of the entry if the property is not written, and `list` if the service is not in the list.
 *
 * @param list the path of the list
 */
export function placeOfService(object: PropertyValue, list: string, property: string): string {
  const { service, said } = propertyOfService(property) ?? {};
  const found = service && entryOf(readEntries(readValue(object, list)), service);
  if (!found) return list;
  const at = `${list}[${found.position}]`;
  const places = said ? serviceFields(said as ServiceProperty) : [];
  return places.flatMap((path) => read(found.entry, path, at))[0]?.path ?? at;
}

/** The address of a node port, without invalid texts: the checks of the object itself judge those. */
const hostIn = (address: Value): Value =>
  address === UNKNOWN || (typeof address === "string" && (readHost(address) || isNodePortName(address)))
    ? address
    : undefined;

function proxyOf(proxy: Value): Value {
  if (proxy === undefined || proxy === UNKNOWN) return proxy;
  const [httpProxy, httpsProxy, noProxy] = ["httpProxy", "httpsProxy", "noProxy"].map((key) =>
    within(proxy, key),
  );
  return withoutAbsent({ httpProxy, httpsProxy, noProxy });
}

function withoutAbsent(object: { readonly [key: string]: Value }): { readonly [key: string]: PropertyValue } {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}

/** Readers of the properties whose form differs in a HostedCluster. */
const readers: Readonly<Record<string, (value: Value) => Value>> = {
  services: servicesOf,
  machineNetwork: rangesOf,
  clusterNetwork: rangesOf,
  serviceNetwork: rangesOf,
  networkType: networkTypeOf,
  proxy: proxyOf,
};

/**
 * Merges the topologies from an object of a stack and from configuration. The object takes precedence;
 * configuration adds what the object does not state, and what is not known yet.
 */
export const mergeTopology = (fromObject: RawTopology, fromConfig: RawTopology): RawTopology =>
  merged(fromObject, fromConfig, (ours, theirs) => (ours === UNKNOWN ? theirs : ours));

/** The topology of a patched object: what the patch sets to a value that is not known yet is unknown, whatever the object has. */
export const patchedTopology = (patch: RawTopology, object: RawTopology): RawTopology =>
  merged(patch, object, (ours) => ours);

/** What two patches of one object set. Which of two values applies is unknown: that of the patch that is applied last. */
export const bothPatches = (one: RawTopology, other: RawTopology): RawTopology =>
  merged(one, other, (ours, theirs) => (textOf(ours) === textOf(theirs) ? ours : UNKNOWN), ["services"]);

/** What components state of one hosted cluster, in any order. Which of two values holds is unknown. */
export function allStatements(all: readonly RawTopology[]): RawTopology {
  const [only, ...others] = all;
  if (only && others.length === 0) return only;
  const values = new Map<string, PropertyValue[]>();
  for (const one of all) for (const [key, value] of Object.entries(one)) append(values, key, [value]);
  return Object.fromEntries([...values].map(([key, stated]) => [key, agreed(stated)]));
}

/** The value that all state who state one; values that are not known yet may be the same. */
function agreed(stated: readonly PropertyValue[]): PropertyValue {
  const given = stated.filter(isGiven);
  const known = given.filter((value) => value !== UNKNOWN);
  if (known.length > 0 && known.every(isMap)) return allStatements(known);
  const [first, ...others] = new Map(known.map((value) => [textOf(value), value])).values();
  if (others.length > 0) return UNKNOWN;
  return first ?? given[0] ?? null;
}

/** Merges two topologies; `decide` is asked for values that both have. Maps are merged, except those of lists in the object. */
function merged(
  one: RawTopology,
  other: RawTopology,
  decide: (ours: PropertyValue, theirs: PropertyValue) => PropertyValue,
  lists: readonly string[] = [],
): RawTopology {
  const result: { [key: string]: PropertyValue } = { ...one };
  for (const [key, theirs] of Object.entries(other)) {
    const ours = result[key];
    const areMaps = isMap(ours) && isMap(theirs) && !lists.includes(key);
    if (ours === undefined) result[key] = theirs;
    else result[key] = areMaps ? merged(ours, theirs, decide) : decide(ours, theirs);
  }
  return result;
}

/** A topology before validation, with what its source states: values of any kind, UNKNOWN at any depth. */
export type RawTopology = {
  readonly [property in (typeof topologyProperties)[number] | "addresses"]?: PropertyValue;
};
