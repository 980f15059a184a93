import { isIP } from "node:net";
import { LIMIT } from "./limits";
import type { ObjectForm, ValueDemand } from "./valueDemand";
import { EndpointAccess, NetworkType, Platform } from "./vocabulary";

/** The rules that speak of what a HostedCluster or NodePool cannot be, whatever else is in the stack. */
export type ObjectRule =
  | "cidr-invalid"
  | "cidr-overlap"
  | "node-port-range"
  | "ovn-subnet-invalid"
  | "proxy-invalid"
  | "proxy-trusted-ca"
  | "publishing-unsupported";

/** What the API demands of one field, for itself; the definitions of HostedCluster and NodePool say it. */
export interface ObjectField extends ValueDemand {
  /** Its place, with `[]` for every entry of a list: `spec.networking.clusterNetwork[].cidr`. */
  path: string;
  /** The rule that says so. */
  rule: ObjectRule;
  /** Whether what holds it cannot do without it. */
  required?: boolean;
}

/** A host name as services of a HostedCluster have them. */
export const HOSTNAME = /^(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}$/;
/** A host name at which node ports are reached. */
export const NODE_PORT_NAME = /^(?:(?:[a-zA-Z0-9][-a-zA-Z0-9]*\.)+[a-zA-Z]{2,}|localhost)$/;

const BASE_DOMAIN = /^(?:(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$/;
const CIDR_V4 = /^((\d{1,3}\.){3}\d{1,3}\/\d{1,2})$/;
const CIDR_V6 = /^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?\/[0-9]{1,3}$/;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const AZURE_SUBNET =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Network\/virtualNetworks\/[^/]+\/subnets\/[^/]+$/;
const PORT_RANGE = /^(\d{1,5})-(\d{1,5})$/;

const cidr: ObjectForm = {
  matches: (text) => CIDR_V4.test(text) || CIDR_V6.test(text),
  name: "a CIDR block as the API takes it",
  remedy: "write a CIDR block such as 10.0.0.0/16 or 2001:db8::/64",
};
const hostname: ObjectForm = {
  matches: (text) => HOSTNAME.test(text),
  name: "a host name",
  remedy: "write labels of letters, digits and hyphens joined by dots",
};
const domain: ObjectForm = {
  matches: (text) => text === "" || BASE_DOMAIN.test(text),
  name: "a domain name",
  remedy: "write letters, digits and hyphens, joined by dots: sub.example.com",
};
const nodePortAddress: ObjectForm = {
  matches: (text) => NODE_PORT_NAME.test(text) || isIP(text) !== 0,
  name: "a host name or an IP address",
  remedy: "write a name with a dot in it, or an address without port and mask",
};
const portRange: ObjectForm = {
  matches: (text) => {
    const [from, to] = portRangeOf(text) ?? [];
    return from !== undefined && to !== undefined && from <= to && to <= LIMIT.port.max;
  },
  name: "a range of ports",
  remedy: "write the first and the last port: 30000-32767",
};

const networkName: ObjectForm = {
  matches: (text) => /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text),
  name: "a name as Google Cloud has them",
  remedy: "write small letters, digits and hyphens, a letter first and no hyphen last",
};
const label: ObjectForm = {
  matches: (text) => DNS_LABEL.test(text),
  name: "a DNS label",
  remedy: "write small letters, digits and hyphens, no hyphen first or last",
};
const azureSubnet: ObjectForm = {
  matches: (text) => AZURE_SUBNET.test(text),
  name: "the ID of a subnet on Azure",
  remedy:
    "write /subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Network/virtualNetworks/{network}/subnets/{subnet}",
};
const address: ObjectForm = {
  matches: (text) => isIP(text) !== 0,
  name: "an IP address",
  remedy: "write an address without a mask",
};

/** The first and the last port of `30000-32767`. */
export function portRangeOf(text: string): readonly [from: number, to: number] | undefined {
  const match = PORT_RANGE.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

const NETWORKING = "spec.networking";
const CNO = "spec.operatorConfiguration.clusterNetworkOperator";
const OVN = `${CNO}.ovnKubernetesConfig`;
const STRATEGY = "spec.services[].servicePublishingStrategy";
const whole = { min: 1, max: Number.MAX_SAFE_INTEGER };

const networks = ["machineNetwork", "clusterNetwork", "serviceNetwork"].flatMap((list): ObjectField[] => [
  {
    path: `${NETWORKING}.${list}`,
    rule: "cidr-invalid",
    type: "list",
    size: { min: 1, max: LIMIT.networkEntries },
  },
  {
    // The Network operator's own lists hold texts: what was copied from there is no entry here.
    path: `${NETWORKING}.${list}[]`,
    rule: "cidr-invalid",
    type: "object",
    remedy: "write the block behind cidr: as in - cidr: 10.0.0.0/16",
  },
  {
    path: `${NETWORKING}.${list}[].cidr`,
    rule: "cidr-invalid",
    type: "text",
    required: true,
    size: LIMIT.networkCidrLength,
    form: cidr,
  },
]);

/** What holds the fields below: a text in its place would hide every one of them. */
const sections = (
  [
    ["cidr-invalid", [NETWORKING, `${NETWORKING}.apiServer`]],
    ["ovn-subnet-invalid", ["spec.operatorConfiguration", CNO]],
    ["proxy-invalid", ["spec.configuration", "spec.configuration.proxy"]],
    ["proxy-trusted-ca", ["spec.configuration.proxy.trustedCA"]],
    [
      "publishing-unsupported",
      [
        "spec.platform",
        "spec.dns",
        "spec.services[]",
        ...["route", "loadBalancer", "nodePort"].map((part) => `${STRATEGY}.${part}`),
      ],
    ],
  ] as const
).flatMap(([rule, paths]) =>
  paths.map((path): ObjectField => ({
    path,
    rule,
    type: "object",
    remedy: "write its settings below it, each with its name",
  })),
);

/** Access of platforms that have the choice. */
const accessField = (path: string, words: readonly string[]): ObjectField => ({
  path: `spec.platform.${path}`,
  rule: "publishing-unsupported",
  type: "text",
  words,
});

const OPENSTACK = "spec.platform.openstack";
const PRIVATE = "spec.platform.azure.private";

/** The networks of the clouds, as far as their settings show what is wrong with them. */
const cloudNetworks: readonly ObjectField[] = [
  ...["network", "privateServiceConnectSubnet"].map((name): ObjectField => ({
    path: `spec.platform.gcp.networkConfig.${name}.name`,
    rule: "publishing-unsupported",
    type: "text",
    required: true,
    size: LIMIT.cloudNetworkNameLength,
    form: networkName,
  })),
  { path: `${PRIVATE}.privateLink`, rule: "publishing-unsupported", type: "object", size: whole },
  {
    path: `${PRIVATE}.privateLink.natSubnetID`,
    rule: "publishing-unsupported",
    type: "text",
    size: LIMIT.azureSubnetIdLength,
    form: azureSubnet,
  },
  {
    path: `${PRIVATE}.swift.podNetworkInstance`,
    rule: "publishing-unsupported",
    type: "text",
    required: true,
    size: LIMIT.cloudNetworkNameLength,
    form: label,
  },
  {
    path: `${OPENSTACK}.ingressFloatingIP`,
    rule: "publishing-unsupported",
    type: "text",
    form: address,
  },
  { path: `${OPENSTACK}.networkMTU`, rule: "ovn-subnet-invalid", type: "number", range: LIMIT.openStackMtu },
  ...["network", "externalNetwork", "router", "subnets[]"].map((name): ObjectField => ({
    path: `${OPENSTACK}.${name}`,
    rule: "ovn-subnet-invalid",
    type: "object",
    size: { min: 1, max: 1 },
  })),
  {
    path: `${OPENSTACK}.subnets`,
    rule: "ovn-subnet-invalid",
    type: "list",
    size: { min: 0, max: LIMIT.openStackSubnets },
  },
  {
    path: `${OPENSTACK}.managedSubnets`,
    rule: "ovn-subnet-invalid",
    type: "list",
    size: { min: 0, max: LIMIT.openStackManagedSubnets },
  },
];

/** Fields of a HostedCluster's network, and what the API takes in them. */
export const hostedClusterFields: readonly ObjectField[] = [
  ...sections,
  ...networks,
  ...cloudNetworks,
  {
    path: `${NETWORKING}.clusterNetwork[].hostPrefix`,
    rule: "cidr-invalid",
    type: "number",
    // 0 is what the API has where none is written.
    range: { min: 0, max: 128 },
  },
  {
    path: `${NETWORKING}.apiServer.allowedCIDRBlocks`,
    rule: "cidr-invalid",
    type: "list",
    size: { min: 0, max: LIMIT.allowedCidrBlocks },
    distinct: true,
  },
  {
    path: `${NETWORKING}.apiServer.allowedCIDRBlocks[]`,
    rule: "cidr-invalid",
    type: "text",
    size: LIMIT.networkCidrLength,
    form: cidr,
  },
  {
    path: `${NETWORKING}.apiServer.advertiseAddress`,
    rule: "cidr-invalid",
    type: "text",
    size: { min: 0, max: 255 },
  },
  {
    path: `${NETWORKING}.apiServer.port`,
    rule: "publishing-unsupported",
    type: "number",
    range: LIMIT.port,
  },
  {
    path: `${NETWORKING}.networkType`,
    rule: "ovn-subnet-invalid",
    type: "text",
    // Later versions of the API take any name, which is no help where this one does not.
    words: Object.values(NetworkType),
  },
  {
    path: `${NETWORKING}.allocateNodeCIDRs`,
    rule: "ovn-subnet-invalid",
    type: "text",
    words: ["Enabled", "Disabled"],
  },
  { path: OVN, rule: "ovn-subnet-invalid", type: "object", size: whole },
  { path: `${OVN}.ipv4`, rule: "ovn-subnet-invalid", type: "object", size: whole },
  { path: `${OVN}.ipv6`, rule: "ovn-subnet-invalid", type: "object", size: whole },
  {
    path: `${OVN}.mtu`,
    rule: "ovn-subnet-invalid",
    type: "number",
    range: { min: LIMIT.mtu.min, max: LIMIT.mtu.max },
  },
  { path: `${CNO}.disableMultiNetwork`, rule: "ovn-subnet-invalid", type: "flag" },
  {
    path: "spec.configuration.network.serviceNodePortRange",
    rule: "node-port-range",
    type: "text",
    form: portRange,
  },
  ...["httpProxy", "httpsProxy", "noProxy"].map((name): ObjectField => ({
    path: `spec.configuration.proxy.${name}`,
    rule: "proxy-invalid",
    type: "text",
  })),
  {
    path: "spec.configuration.proxy.readinessEndpoints",
    rule: "proxy-invalid",
    type: "list",
  },
  {
    path: "spec.configuration.proxy.readinessEndpoints[]",
    rule: "proxy-invalid",
    type: "text",
  },
  {
    path: "spec.configuration.proxy.trustedCA.name",
    rule: "proxy-trusted-ca",
    type: "text",
    required: true,
  },
  {
    path: "spec.platform.type",
    rule: "publishing-unsupported",
    type: "text",
    words: Object.values(Platform),
  },
  accessField("aws.endpointAccess", Object.values(EndpointAccess)),
  accessField("azure.topology", Object.values(EndpointAccess)),
  accessField("gcp.endpointAccess", [EndpointAccess.PublicAndPrivate, EndpointAccess.Private]),
  {
    path: "spec.platform.azure.private.type",
    rule: "publishing-unsupported",
    type: "text",
    required: true,
    words: ["PrivateLink", "Swift"],
  },
  {
    path: "spec.services[].service",
    rule: "publishing-unsupported",
    type: "text",
    required: true,
    words: ["APIServer", "OAuthServer", "OIDC", "Konnectivity", "Ignition", "OVNSbDb"],
  },
  { path: STRATEGY, rule: "publishing-unsupported", type: "object", required: true },
  {
    path: `${STRATEGY}.type`,
    rule: "publishing-unsupported",
    type: "text",
    required: true,
    words: ["LoadBalancer", "NodePort", "Route", "None", "S3"],
  },
  ...["route", "loadBalancer"].map((kind): ObjectField => ({
    path: `${STRATEGY}.${kind}.hostname`,
    rule: "publishing-unsupported",
    type: "text",
    size: LIMIT.hostnameLength,
    form: hostname,
  })),
  {
    path: `${STRATEGY}.nodePort.address`,
    rule: "publishing-unsupported",
    type: "text",
    required: true,
    size: LIMIT.hostnameLength,
    form: nodePortAddress,
  },
  {
    path: `${STRATEGY}.nodePort.port`,
    rule: "node-port-range",
    type: "number",
  },
  {
    path: "spec.dns.baseDomain",
    rule: "publishing-unsupported",
    type: "text",
    required: true,
    size: { min: 0, max: LIMIT.subdomainLength },
    form: domain,
  },
  {
    path: "spec.dns.baseDomainPrefix",
    rule: "publishing-unsupported",
    type: "text",
    size: { min: 0, max: LIMIT.subdomainLength },
    form: domain,
  },
  {
    path: "spec.dns.publicZoneID",
    rule: "publishing-unsupported",
    type: "text",
    size: { min: 1, max: 258 },
  },
  {
    path: "spec.dns.privateZoneID",
    rule: "publishing-unsupported",
    type: "text",
    size: { min: 1, max: 265 },
  },
  {
    path: "spec.kubeAPIServerDNSName",
    rule: "publishing-unsupported",
    type: "text",
    size: { min: 0, max: LIMIT.subdomainLength },
    form: domain,
  },
];

/** A network of a NodePool's machines as later versions of the API take it: its namespace and its name. */
export const isNamespacedName = (text: string): boolean => {
  const parts = text.split("/");
  return (
    text.length <= LIMIT.machineNetworkNameLength &&
    parts.length === 2 &&
    parts.every((part) => DNS_LABEL.test(part))
  );
};

/** Fields of a NodePool's network. */
export const nodePoolFields: readonly ObjectField[] = [
  {
    path: "spec.platform.kubevirt.additionalNetworks",
    rule: "ovn-subnet-invalid",
    type: "list",
    size: { min: 0, max: 20 },
  },
  {
    path: "spec.platform.kubevirt.additionalNetworks[].name",
    rule: "ovn-subnet-invalid",
    type: "text",
    required: true,
    size: { min: 0, max: 255 },
  },
  {
    path: "spec.platform.kubevirt.attachDefaultNetwork",
    rule: "ovn-subnet-invalid",
    type: "flag",
  },
];
