import { type Prefix, readPrefix, withoutHostBits } from "../../address";
import { portRangeOf } from "../../requirements/hostedCluster";
import { networkTypeOf } from "../../networkOperator/network";
import { masqueradeSubnets } from "../../requirements/internalSubnets";
import { LIMIT } from "../../requirements/limits";
import {
  type FieldRelation,
  TYPES_WITH_PARTS,
  userNetworkRelations,
} from "../../requirements/networkObjectFields";
import { whySingleStack } from "../../requirements/platforms";
import { releaseOfImage } from "../../requirements/release";
import { NetworkType, PublishingType, Service } from "../../requirements/vocabulary";
import {
  entriesOf,
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  propertyOf,
  type Read,
  readText,
  readValue,
} from "../../resources/read";
import { type PropertyValue, UNKNOWN } from "../../resources/resource";
import { NO_SUCH_FIELD, type ObjectFault } from "./serviceFaults";
import { NETWORK_RULE, readNetworks } from "../../topology/normalize/networks";
import { withoutPods } from "../../topology/normalize/ovnSubnets";
import { noFindings } from "../../topology/normalize/values";
import { readEntries } from "../../topology/topologyOfHostedCluster";

const CNO = "spec.operatorConfiguration.clusterNetworkOperator";

/** Faults of cluster network settings that contradict or require each other. */
export function networkSettingFaults(object: PropertyValue): ObjectFault[] {
  return [
    ...oldNameFaults(object),
    ...networkTypeFaults(object),
    ...ipv6MtuFaults(object, `${CNO}.ovnKubernetesConfig.mtu`, "spec.networking.clusterNetwork", LIMIT.mtu),
    ...nodePortRangeFaults(object),
    ...singleStackFaults(object),
    ...diagnosticsFaults(object, "spec.configuration.network"),
  ];
}

/** Diagnostics that are disabled run on no nodes. */
export function diagnosticsFaults(object: PropertyValue, network: string): ObjectFault[] {
  const diagnostics = readValue(object, `${network}.networkDiagnostics`);
  if (propertyOf(diagnostics, "mode") !== "Disabled") return [];
  return ["sourcePlacement", "targetPlacement"]
    .filter((name) => isMap(propertyOf(diagnostics, name)))
    .map((name) => ({
      path: `${network}.networkDiagnostics.${name}`,
      problem: "is refused with the mode Disabled",
      remedy: "remove it, or write another mode",
      rule,
    }));
}

/** HyperShift creates such a cluster, but its network operator creates no network. */
function singleStackFaults(object: PropertyValue): ObjectFault[] {
  const path = "spec.networking.clusterNetwork";
  const platform = readText(object, "spec.platform.type");
  const pods = prefixesOf(readValue(object, path), (entry) => propertyOf(entry, "cidr"));
  if (typeof platform !== "string" || !pods || familiesOf(pods).size < 2) return [];
  const image = readText(object, "spec.release.image");
  const release = typeof image === "string" ? releaseOfImage(image) : undefined;
  const features = readText(object, "spec.configuration.featureGate.featureSet");
  const why = whySingleStack(platform, release, features ? String(features) : undefined);
  if (why === undefined) return [];
  const problem = `has both families, and on ${platform} the network operator ${why}`;
  return [{ path, problem, remedy: "write ranges of one family in all lists", rule: NETWORK_RULE }];
}

/** The lists of spec.networking, by the names of their v1alpha1 predecessors with one block each, which documents still use. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  machineCIDR: "machineNetwork",
  clusterCIDR: "clusterNetwork",
  podCIDR: "clusterNetwork",
  serviceCIDR: "serviceNetwork",
};

/** A range under an old name does not reach the cluster: the default applies instead, or nothing. */
function oldNameFaults(object: PropertyValue): ObjectFault[] {
  const version = readText(object, "apiVersion");
  if (version === UNKNOWN || version?.endsWith("/v1alpha1")) return [];
  const networking = readValue(object, "spec.networking");
  return Object.entries(OLD_NAMES)
    .filter(([name]) => isGiven(propertyOf(networking, name)))
    .map(([name, list]) => ({
      path: `spec.networking.${name}`,
      problem: NO_SUCH_FIELD,
      remedy: `write the block under ${list}, as in ${list}: [{ cidr: 10.0.0.0/16 }]`,
      rule: "cidr-invalid",
    }));
}

const TYPE = "spec.networking.networkType";

/** Settings that are valid with only one network type. */
const OF_TYPE: readonly { path: string; is: (value: PropertyValue) => boolean; type: string }[] = [
  { path: `${CNO}.ovnKubernetesConfig`, is: () => true, type: NetworkType.OVNKubernetes },
  { path: `${CNO}.disableMultiNetwork`, is: (value) => value === true, type: NetworkType.Other },
  {
    path: "spec.networking.allocateNodeCIDRs",
    is: (value) => value === "Enabled",
    type: NetworkType.Other,
  },
];

function networkTypeFaults(object: PropertyValue): ObjectFault[] {
  const networkType: Read<string> = readText(object, TYPE) ?? NetworkType.OVNKubernetes;
  if (networkType === UNKNOWN) return [];
  return OF_TYPE.flatMap((setting) => settingFaults(object, networkType, setting));
}

function settingFaults(
  object: PropertyValue,
  networkType: string,
  { path, is, type }: (typeof OF_TYPE)[number],
): ObjectFault[] {
  const value = readValue(object, path);
  if (!isGiven(value) || value === UNKNOWN || !is(value) || networkType === type) return [];
  const problem = `is only valid with the network type ${type}, and this one is ${networkType}`;
  return [{ path, problem, remedy: "leave it out", rule: "ovn-subnet-invalid" }];
}

/** IPv6 requires an MTU of at least 1280 bytes. */
function ipv6MtuFaults(
  object: PropertyValue,
  path: string,
  clusterNetwork: string,
  { min, minWithIpv6 }: { min: number; minWithIpv6: number },
): ObjectFault[] {
  const mtu = readValue(object, path);
  const hasIpv6 = entriesOf(readValue(object, clusterNetwork)).some(
    (entry) => prefixOf(isMap(entry) ? propertyOf(entry, "cidr") : entry)?.family === 6,
  );
  if (typeof mtu !== "number" || mtu < min || mtu >= minWithIpv6 || !hasIpv6) return [];
  const problem = `${mtu} is less than the ${minWithIpv6} bytes that IPv6 needs`;
  return [{ path, problem, remedy: `write ${minWithIpv6} or more`, rule: "ovn-subnet-invalid" }];
}

const prefixOf = (value: PropertyValue | undefined) =>
  typeof value === "string" ? readPrefix(value) : undefined;

/** The API server's entries that are published by node port, each with its path. */
function apiServerNodePorts(object: PropertyValue): { path: string; nodePort: PropertyValue | undefined }[] {
  return readEntries(readValue(object, "spec.services")).flatMap(({ entry, position }) => {
    const strategy = propertyOf(entry, "servicePublishingStrategy");
    const isNodePort = propertyOf(strategy, "type") === PublishingType.NodePort;
    if (propertyOf(entry, "service") !== Service.APIServer || !isNodePort) return [];
    const path = `spec.services[${position}].servicePublishingStrategy.nodePort`;
    return [{ path, nodePort: propertyOf(strategy, "nodePort") }];
  });
}

const NODE_PORT_RANGE = "spec.configuration.network.serviceNodePortRange";

/** Whether the cluster's own configuration has a node-port range, or may have one that is not known yet. */
export const hasNodePortRange = (object: PropertyValue): boolean =>
  readText(object, NODE_PORT_RANGE) === UNKNOWN || configuredNodePorts(object) !== undefined;

/** The node-port range in the cluster's own configuration; undefined if it has none. */
function configuredNodePorts(object: PropertyValue): readonly [number, number] | undefined {
  const range = readText(object, NODE_PORT_RANGE);
  return typeof range === "string" ? portRangeOf(range) : undefined;
}

function nodePortRangeFaults(object: PropertyValue): ObjectFault[] {
  const range = configuredNodePorts(object);
  if (!range) return [];
  const [from, to] = range;
  return apiServerNodePorts(object).flatMap(({ path, nodePort }) => {
    const port = propertyOf(nodePort, "port");
    if (typeof port !== "number" || port === 0 || (port >= from && port <= to)) return [];
    return [
      {
        path: `${path}.port`,
        problem: `${port} is not in ${from}-${to}, the range in spec.configuration.network.serviceNodePortRange`,
        remedy: `write one from ${from} to ${to}, or 0 for any`,
        rule: "node-port-range" as const,
      },
    ];
  });
}

const OVN = "spec.defaultNetwork.ovnKubernetesConfig";

/** Faults of settings in a Network object, the operator's or that of the cluster's configuration, that contradict or require each other. */
export const networkObjectFaults = (object: PropertyValue): ObjectFault[] => [
  ...partFaults(object),
  ...familyFaults(object),
  ...ipv6MtuFaults(object, `${OVN}.mtu`, "spec.clusterNetwork", LIMIT.operatorMtu),
  ...ipsecFaults(object),
  ...advertisementFaults(object),
  ...masqueradeFaults(object),
  ...attachedNetworkFaults(object),
];

/** Applies the rules on a HostedCluster's pod ranges to each range: a prefix for each node. */
function partFaults(object: PropertyValue): ObjectFault[] {
  const networkType = networkTypeOf(propertyOf(object, "spec")) ?? NetworkType.OVNKubernetes;
  if (networkType === UNKNOWN) return [];
  const findings = noFindings("");
  const entries = entriesOf(readValue(object, "spec.clusterNetwork"));
  const parts = entries.map((entry) => (isPart(entry) ? entry : UNKNOWN));
  readNetworks(findings, { networkType, clusterNetwork: parts, serviceNetwork: UNKNOWN });
  return findings.faults
    .filter(({ path }) => path.startsWith("clusterNetwork[") && path.endsWith(".hostPrefix"))
    .map(({ path, problem, remedy }) => ({ path: `spec.${path}`, problem, remedy, rule: NETWORK_RULE }));
}

/** Whether an entry states the prefix length for each node. */
function isPart(entry: PropertyValue): boolean {
  const hostPrefix = propertyOf(entry, "hostPrefix");
  return typeof hostPrefix === "number" && hostPrefix !== 0;
}

/** Entries of the cluster's configuration without the prefix length for each node. Its API accepts them, and the network operator does not. */
export function missingPartFaults(object: PropertyValue): ObjectFault[] {
  const networkType = networkTypeOf(propertyOf(object, "spec"));
  if (typeof networkType !== "string" || !TYPES_WITH_PARTS.includes(networkType)) return [];
  return readEntries(readValue(object, "spec.clusterNetwork")).flatMap(({ entry, position }) => {
    const hostPrefix = propertyOf(entry, "hostPrefix");
    if (!isMap(entry) || (isGiven(hostPrefix) && hostPrefix !== 0)) return [];
    const family = prefixOf(propertyOf(entry, "cidr"))?.family ?? 4;
    return [
      {
        path: `spec.clusterNetwork[${position}].hostPrefix`,
        problem: `${isGiven(hostPrefix) ? "is 0" : "missing"}: with ${networkType}, the network operator refuses a range without the prefix length of each node's part`,
        remedy: `write it, such as ${LIMIT.defaultHostPrefix[family]}`,
        rule: NETWORK_RULE,
      },
    ];
  });
}

/** Services have at most one range of each family, and the same families as the pods. */
function familyFaults(object: PropertyValue): ObjectFault[] {
  const path = "spec.serviceNetwork";
  const services = prefixesOf(readValue(object, path), (entry) => entry);
  const pods = prefixesOf(readValue(object, "spec.clusterNetwork"), (entry) => propertyOf(entry, "cidr"));
  if (!services) return [];
  const families = familiesOf(services);
  if (families.size < services.length)
    return [
      {
        path,
        problem: `has ${services.length} entries of ${families.size === 1 ? "one family" : "two families"}`,
        remedy: "write at most one entry of each family",
        rule: NETWORK_RULE,
      },
    ];
  if (!pods || isSame(familiesOf(pods), families)) return [];
  return [
    {
      path,
      problem: "the cluster network and the service network have different address families",
      remedy: "write both families in both lists, or one in both",
      rule: NETWORK_RULE,
    },
  ];
}

/** The blocks of a list that exists and is known as a whole. */
function prefixesOf(
  list: PropertyValue | undefined,
  blockOf: (entry: PropertyValue) => PropertyValue | undefined,
): Prefix[] | undefined {
  if (!isList(list) || list.length === 0 || holdsUnknown(list)) return undefined;
  const prefixes = list.map((entry) => {
    const text = withoutHostBits(blockOf(entry));
    return typeof text === "string" ? readPrefix(text) : undefined;
  });
  return prefixes.every(isGiven) ? prefixes : undefined;
}

/** The network operator requires that masquerade subnets have the families of the pods, like the other internal subnets. */
function masqueradeFaults(object: PropertyValue): ObjectFault[] {
  const pods = prefixesOf(readValue(object, "spec.clusterNetwork"), (entry) => propertyOf(entry, "cidr"));
  if (!pods) return [];
  const families = familiesOf(pods);
  return masqueradeSubnets.flatMap(({ family, field }) => {
    const path = `${OVN}.${field}`;
    const subnet = readText(object, path);
    if (families.has(family) || subnet === undefined || subnet === UNKNOWN || subnet === "") return [];
    return [{ path, ...withoutPods(family), rule }];
  });
}

/** Without Multus, pods get no additional networks, and the network operator refuses a list of them. */
function attachedNetworkFaults(object: PropertyValue): ObjectFault[] {
  const path = "spec.additionalNetworks";
  if (readValue(object, "spec.disableMultiNetwork") !== true) return [];
  if (entriesOf(readValue(object, path)).length === 0) return [];
  const problem = "is refused with disableMultiNetwork: true";
  return [{ path, problem, remedy: "remove one of the two", rule }];
}

const familiesOf = (prefixes: readonly Prefix[]): Set<number> =>
  new Set(prefixes.map(({ family }) => family));
const isSame = (one: Set<number>, other: Set<number>): boolean =>
  one.size === other.size && [...one].every((family) => other.has(family));

/** The encapsulation of IPsec packets is a setting of the mode that encrypts everything. */
function ipsecFaults(object: PropertyValue): ObjectFault[] {
  const path = `${OVN}.ipsecConfig.full`;
  const mode = readValue(object, `${OVN}.ipsecConfig.mode`);
  if (!isGiven(readValue(object, path)) || mode === UNKNOWN || mode === "Full") return [];
  return [
    { path, problem: "is only valid with the mode Full", remedy: "write mode: Full, or leave it out", rule },
  ];
}

const rule = "ovn-subnet-invalid";

/** FRR advertises the routes, so it must be enabled. */
function advertisementFaults(object: PropertyValue): ObjectFault[] {
  const path = `${OVN}.routeAdvertisements`;
  const capabilities = readValue(object, "spec.additionalRoutingCapabilities");
  if (readText(object, path) !== "Enabled" || holdsUnknown(capabilities)) return [];
  if (entriesOf(propertyOf(capabilities, "providers")).includes("FRR")) return [];
  return [
    {
      path,
      problem: "is refused without FRR in spec.additionalRoutingCapabilities.providers",
      remedy: "write providers: [FRR] there, or leave it out",
      rule,
    },
  ];
}

/** Faults of fields of a user-defined network, below this path, that contradict or require each other. */
export const userNetworkFieldFaults = (object: PropertyValue, at: string): ObjectFault[] => [
  ...userNetworkRelations(at).flatMap((relation) => relationFaults(object, at, relation)),
  ...["layer2", "layer3", "localnet"].flatMap((section) => {
    const path = `${at}.${section}`;
    return ipv6MtuFaults(object, `${path}.mtu`, `${path}.subnets`, LIMIT.operatorMtu);
  }),
  ...gatewayFaults(object, `${at}.layer2`),
];

/** A field whose value, or the object that contains it, is not known may be right. */
function relationFaults(object: PropertyValue, at: string, [path, is, beside]: FieldRelation): ObjectFault[] {
  const own = `${at}.${path}`;
  const value = readValue(object, own);
  const isNeeded = is === "needed";
  const hasPlace = isMap(readValue(object, own.replace(/\.[^.]*$/, "")));
  if (value === UNKNOWN || isGiven(value) === isNeeded || !hasPlace) return [];
  const found = Object.entries(beside).map(([name, words]) => {
    const text = readText(object, `${at}.${name}`) ?? "";
    return { name, word: words.find((word) => word === text) };
  });
  if (found.some(({ word }) => word === undefined)) return [];
  const others = found.filter(({ name }) => name !== path);
  const why = others.map(({ name, word }) => (word ? `${name}: ${word}` : `the default of ${name}`));
  const problem = isNeeded
    ? "missing: required"
    : `${typeof value === "string" ? `${value} ` : ""}is refused`;
  return [
    {
      path: own,
      problem: `${problem} with ${why.join(" and ")}`,
      remedy: `${isNeeded ? "write it" : "leave it out"}, or change ${others.map(({ name }) => name).join(" or ")}`,
      rule: /(?:Subnets|subnets|IPs)$/.test(path) ? NETWORK_RULE : rule,
    },
  ];
}

/** The API requires a gateway for each subnet, if any is written. */
function gatewayFaults(object: PropertyValue, at: string): ObjectFault[] {
  const path = `${at}.defaultGatewayIPs`;
  const [gateways, subnets] = [path, `${at}.subnets`].map((list) => readValue(object, list));
  if (!isList(gateways) || !isList(subnets) || gateways.length === subnets.length) return [];
  const problem = `has ${gateways.length} entries for ${subnets.length} subnets`;
  return [{ path, problem, remedy: "write one address of each subnet", rule: NETWORK_RULE }];
}
