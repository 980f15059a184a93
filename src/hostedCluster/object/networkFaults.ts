import { containsAddress, readPrefix } from "../../address";
import { parseAddress } from "../../address/parse";
import { portRangeOf } from "../../requirements/hostedCluster";
import { LIMIT } from "../../requirements/limits";
import { NetworkType, PublishingType, Service } from "../../requirements/vocabulary";
import { entriesOf, isGiven, propertyOf, type Read, readText, readValue } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import { UNKNOWN } from "../../resources/resource";
import type { ObjectFault } from "./fieldFaults";

const CNO = "spec.operatorConfiguration.clusterNetworkOperator";

/** What settings of the cluster network demand of each other. */
export function networkSettingFaults(object: PropertyValue): ObjectFault[] {
  return [
    ...oldNameFaults(object),
    ...networkTypeFaults(object),
    ...ipv6MtuFaults(object, `${CNO}.ovnKubernetesConfig.mtu`, "spec.networking.clusterNetwork", LIMIT.mtu),
    ...nodePortAddressFaults(object),
    ...nodePortRangeFaults(object),
  ];
}

/** The lists of spec.networking by names that v1alpha1 had for one block each, and documents still have. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  machineCIDR: "machineNetwork",
  clusterCIDR: "clusterNetwork",
  podCIDR: "clusterNetwork",
  serviceCIDR: "serviceNetwork",
};

/** A range under such a name is none of the cluster's: the default holds in its place, or nothing. */
function oldNameFaults(object: PropertyValue): ObjectFault[] {
  const version = readText(object, "apiVersion");
  if (version === UNKNOWN || version?.endsWith("/v1alpha1")) return [];
  const networking = readValue(object, "spec.networking");
  return Object.entries(OLD_NAMES)
    .filter(([name]) => isGiven(propertyOf(networking, name)))
    .map(([name, list]) => ({
      path: `spec.networking.${name}`,
      problem: "no such field: the API drops it, and refuses the object where fields are validated strictly",
      remedy: `write the block under ${list}, as in ${list}: [{ cidr: 10.0.0.0/16 }]`,
      rule: "cidr-invalid",
    }));
}

const TYPE = "spec.networking.networkType";

/** Settings that one network type has and the others have not. */
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

/** IPv6 needs packets of 1280 bytes. */
export function ipv6MtuFaults(
  object: PropertyValue,
  path: string,
  clusterNetwork: string,
  { min, minWithIpv6 }: { min: number; minWithIpv6: number },
): ObjectFault[] {
  const mtu = readValue(object, path);
  const hasIpv6 = entriesOf(readValue(object, clusterNetwork)).some(
    (entry) => prefixOf(propertyOf(entry, "cidr"))?.family === 6,
  );
  if (typeof mtu !== "number" || mtu < min || mtu >= minWithIpv6 || !hasIpv6) return [];
  const problem = `${mtu} is less than the ${minWithIpv6} bytes that IPv6 needs`;
  return [{ path, problem, remedy: `write ${minWithIpv6} or more`, rule: "ovn-subnet-invalid" }];
}

const prefixOf = (value: PropertyValue | undefined) =>
  typeof value === "string" ? readPrefix(value) : undefined;

/** The API server's entries that are published by node port, each with its place. */
function apiServerNodePorts(object: PropertyValue): { path: string; nodePort: PropertyValue | undefined }[] {
  return entriesOf(readValue(object, "spec.services")).flatMap((entry, position) => {
    const strategy = propertyOf(entry, "servicePublishingStrategy");
    const isNodePort = propertyOf(strategy, "type") === PublishingType.NodePort;
    if (propertyOf(entry, "service") !== Service.APIServer || !isNodePort) return [];
    const path = `spec.services[${position}].servicePublishingStrategy.nodePort`;
    return [{ path, nodePort: propertyOf(strategy, "nodePort") }];
  });
}

/** Addresses of the service network are the hosted cluster's own: nodes would never leave for them. */
function nodePortAddressFaults(object: PropertyValue): ObjectFault[] {
  const networks = entriesOf(readValue(object, "spec.networking.serviceNetwork")).flatMap(
    (entry) => prefixOf(propertyOf(entry, "cidr")) ?? [],
  );
  return apiServerNodePorts(object).flatMap(({ path, nodePort }) => {
    const { address } = parseAddress(propertyOf(nodePort, "address"));
    const around = address && networks.find((prefix) => containsAddress(prefix, address));
    if (!around) return [];
    return [
      {
        path: `${path}.address`,
        problem: `${address.text} lies in the service network ${around.text}, and HyperShift refuses the cluster`,
        remedy: "write an address of the management cluster's nodes, or move the service network",
        rule: "cidr-overlap" as const,
      },
    ];
  });
}

/** The range of node ports that the cluster's own configuration says; undefined where it says none. */
export function configuredNodePorts(object: PropertyValue): readonly [number, number] | undefined {
  const range = readText(object, "spec.configuration.network.serviceNodePortRange");
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
        problem: `${port} is not in ${from}-${to}, which spec.configuration.network.serviceNodePortRange says`,
        remedy: `write one from ${from} to ${to}, or 0 for any`,
        rule: "node-port-range" as const,
      },
    ];
  });
}
