import { withoutHostBits } from "../address";
import { internalSubnetProperties, internalSubnets } from "../requirements/internalSubnets";
import { formatRelease, releaseOfImage } from "../requirements/release";
import { NetworkType, Platform, PublishingType, Service } from "../requirements/vocabulary";
import { UNKNOWN } from "../resources/resource";
import type { PropertyValue } from "../resources/resource";
import { serviceProperty } from "./normalize/services";
import type { RawTopology } from "./mergeTopology";

type Value = PropertyValue | undefined;

/**
 * What a HostedCluster object says of its topology, whole or a patch. Tolerant: what it does not say is absent, what is
 * not known yet is UNKNOWN, what has the wrong shape is left as it is, for `normalizeTopology` to refuse.
 *
 * @returns `undefined` where the object is no HostedCluster
 */
export function topologyOfHostedCluster(object: unknown): RawTopology | undefined {
  const manifest = object as Value;
  if (within(manifest, "kind") !== "HostedCluster") return undefined;
  if (within(manifest, "spec") === UNKNOWN) return { ...named(manifest), ...everythingUnknown };
  const spec = (...path: string[]) => within(manifest, "spec", ...path);
  const ovn = (...path: string[]) =>
    spec("operatorConfiguration", "clusterNetworkOperator", "ovnKubernetesConfig", ...path);
  const platform = spec("platform", "type");
  return withoutAbsent({
    ...named(manifest),
    platform,
    release: releaseOf(spec("release", "image")),
    endpointAccess: accessOf(platform, spec("platform")),
    services: servicesOf(spec("services")),
    machineNetwork: rangesOf(spec("networking", "machineNetwork")),
    clusterNetwork: rangesOf(spec("networking", "clusterNetwork")),
    serviceNetwork: rangesOf(spec("networking", "serviceNetwork")),
    networkType: networkTypeOf(spec("networking", "networkType")),
    advertiseAddress: spec("networking", "apiServer", "advertiseAddress"),
    apiServerPort: spec("networking", "apiServer", "port"),
    ...Object.fromEntries(
      internalSubnetProperties.map((property) => [
        property,
        withoutHostBits(ovn(...internalSubnets[property].field)),
      ]),
    ),
    proxy: proxyOf(spec("configuration", "proxy")),
  });
}

const named = (manifest: Value): RawTopology =>
  withoutAbsent({
    name: within(manifest, "metadata", "name"),
    namespace: within(manifest, "metadata", "namespace"),
  });

/** The properties of a topology that a HostedCluster object can say. */
export const propertiesOfObject = [
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
  ...internalSubnetProperties,
  "proxy",
] as const;

/** What an object whose spec is not known yet may say. */
const everythingUnknown: RawTopology = Object.fromEntries(
  propertiesOfObject.map((property) => [property, UNKNOWN]),
);

/** The value at a path of keys; UNKNOWN where something on the way is not known yet. */
function within(value: Value, ...path: string[]): Value {
  let current = value;
  for (const key of path) {
    if (current === UNKNOWN) return UNKNOWN;
    if (!isObject(current)) return undefined;
    current = current[key];
  }
  return current ?? undefined;
}

function isObject(value: Value): value is { readonly [key: string]: PropertyValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `4.20` for the tag `4.20.3-x86_64`; unknown for a digest or a tag that names no release. */
function releaseOf(image: Value): Value {
  if (image === undefined || image === UNKNOWN) return image;
  const release = typeof image === "string" ? releaseOfImage(image) : undefined;
  return release ? formatRelease(release) : UNKNOWN;
}

/** Azure calls `topology` what the others call `endpointAccess`. */
function accessOf(platform: Value, settings: Value): Value {
  switch (platform) {
    case UNKNOWN:
      return UNKNOWN;
    case Platform.AWS:
      return within(settings, "aws", "endpointAccess");
    case Platform.Azure:
      return within(settings, "azure", "topology");
    case Platform.GCP:
      return within(settings, "gcp", "endpointAccess");
    default:
      return undefined;
  }
}

const networkTypes: readonly Value[] = Object.values(NetworkType);

/** Every name that is not known is that of somebody else's software. */
const networkTypeOf = (type: Value): Value =>
  typeof type !== "string" || type === "" || networkTypes.includes(type) ? type : NetworkType.Other;

/** Ranges as whoever takes the object reads them: host bits mean nothing, and a host prefix of 0 is none. */
function rangesOf(list: Value): Value {
  if (!Array.isArray(list)) return list;
  return (list as readonly PropertyValue[]).map((entry) => {
    if (!isObject(entry)) return entry;
    const { cidr, hostPrefix } = entry;
    return withoutAbsent({
      ...entry,
      cidr: withoutHostBits(cidr),
      hostPrefix: hostPrefix === 0 ? undefined : hostPrefix,
    });
  });
}

const strategies: readonly Value[] = Object.values(PublishingType);

/** The list of services as an object; services that no flow depends on, and strategies that publish nothing, are left out. */
function servicesOf(list: Value): Value {
  if (list === undefined || list === UNKNOWN) return list;
  if (!Array.isArray(list)) return undefined;
  const entries = list as readonly PropertyValue[];
  // An entry that nobody knows could be any service.
  if (entries.some((entry) => entry === UNKNOWN || within(entry, "service") === UNKNOWN)) return UNKNOWN;
  return Object.fromEntries(
    Object.values(Service).flatMap((service) => {
      const entry = entries.find((candidate) => within(candidate, "service") === service);
      const published =
        entry === undefined ? undefined : publishedService(within(entry, "servicePublishingStrategy"));
      return published === undefined ? [] : [[serviceProperty[service], published] as const];
    }),
  );
}

function publishedService(strategy: Value): Value {
  if (strategy === UNKNOWN) return UNKNOWN;
  const type = within(strategy, "type");
  if (type !== UNKNOWN && !strategies.includes(type)) return undefined;
  const nodePort = within(strategy, "nodePort", "port");
  return withoutAbsent({
    type,
    // 0 means any port of the range.
    nodePort: nodePort === 0 ? undefined : nodePort,
    hostname: within(strategy, "route", "hostname") ?? within(strategy, "loadBalancer", "hostname"),
  });
}

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
