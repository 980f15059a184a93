import { HYPERSHIFT, NETWORK_OPERATOR, at, type DocumentReference } from "../documents";
import { implicitRangeOf } from "../implicitRanges";
import { internalSubnet, internalSubnetProperties } from "../internalSubnets";
import { LIMIT } from "../limits";
import { endpointAccessModes } from "../platforms";
import { NODE_API_PORT } from "../publishedServices";
import {
  accessPath,
  address,
  azureSubnet,
  cidr,
  domain,
  hostname,
  label,
  networkName,
  nodePortAddress,
  portRange,
  type ValueDemand,
} from "./forms";
import { NetworkType, Platform } from "../vocabulary";

/** The rules that speak of what a HostedCluster or NodePool cannot be, whatever else is in the stack. */
export type ObjectRule =
  | "cidr-invalid"
  | "node-port-range"
  | "ovn-subnet-invalid"
  | "proxy-invalid"
  | "proxy-trusted-ca"
  | "publishing-unsupported";

/** What the API demands of one field, for itself; the definitions of the objects say it. */
export interface ObjectField extends ValueDemand {
  /** Its place, with `[]` for every entry of a list: `spec.networking.clusterNetwork[].cidr`. */
  path: string;
  /** The rule that says so. */
  rule: ObjectRule;
  /** Whether what holds it cannot do without it. */
  required?: boolean;
}

/** What a topology says of a published service. */
export type ServiceProperty = "type" | "nodePort" | "address" | "hostname";

/** A field of a HostedCluster. */
export interface HostedClusterField extends Partial<ObjectField> {
  path: string;
  /** The topology property that is read from it: `clusterNetwork`. */
  property?: string;
  /** The property of a published service that is read from it: `nodePort`. Of several fields the first that is written says it. */
  ofService?: ServiceProperty;
  /** The input of a component that is written to it: `topology.clusterNetwork`, `mtu`. Absent: it stands in the part of the spec that has no types. */
  input?: string;
  /** Present where a running cluster cannot change it. */
  immutable?: Immutable;
}

/** A value as the API has it where none is given. */
type DefaultValue = string | number | boolean | readonly { readonly cidr: string }[];

/** How far a field is immutable. */
export interface Immutable {
  /** What holds where the field is absent: writing it out is no change. */
  defaults?: readonly DefaultValue[];
  /** True: a cluster that lacks it can still get it. */
  addable?: boolean;
  /** True: it may change, but where it is taken out a running network goes back to the default. */
  mutable?: boolean;
  /** The platforms on which it can change. */
  except?: readonly Platform[];
  /** Where it is written that it cannot change. The definition of HostedClusters unless said otherwise. */
  documents?: readonly DocumentReference[];
}

const NETWORKING = "spec.networking";
const CNO = "spec.operatorConfiguration.clusterNetworkOperator";
const OVN = `${CNO}.ovnKubernetesConfig`;
const STRATEGY = "spec.services[].servicePublishingStrategy";
const OPENSTACK = "spec.platform.openstack";
const AZURE = "spec.platform.azure";
const PRIVATE = `${AZURE}.private`;

const whole = { min: 1, max: Number.MAX_SAFE_INTEGER };
const source = at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go");
const networkOperator = at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go");
const defaultAddress = (id: string) => implicitRangeOf(id).cidr.split("/")[0]!;

/** A property of the topology, and the input of components that is written there. */
const says = (property: string) => ({ property, input: `topology.${property}` });
/** A cluster that lacks it can get it once. */
const ONCE: Immutable = { addable: true };

const ruled = (rule: ObjectRule, fields: readonly Omit<HostedClusterField, "rule">[]): HostedClusterField[] =>
  fields.map((field) => ({ ...field, rule }));

/** What holds other fields: a text in its place would hide every one of them. */
const section = (path: string): HostedClusterField => ({
  path,
  type: "object",
  remedy: "write its settings below it, each with its name",
});

const names: readonly HostedClusterField[] = [
  { path: "metadata.name", property: "name" },
  { path: "metadata.namespace", property: "namespace" },
  { path: "spec.release.image", property: "release" },
];

const defaultNetwork = (id: string): Immutable => ({ defaults: [[{ cidr: implicitRangeOf(id).cidr }]] });

/** The API writes a cluster and a service network where none is given; of the machines it knows nothing. */
const immutableNetworks = {
  machineNetwork: ONCE,
  clusterNetwork: defaultNetwork("cluster-network"),
  serviceNetwork: defaultNetwork("service-network"),
} as const satisfies Record<string, Immutable>;

const networks = (["machineNetwork", "clusterNetwork", "serviceNetwork"] as const).flatMap(
  (list): HostedClusterField[] => [
    {
      path: `${NETWORKING}.${list}`,
      type: "list",
      size: { min: 1, max: LIMIT.networkEntries },
      ...says(list),
      immutable: immutableNetworks[list],
    },
    {
      // The Network operator's own lists hold texts: what was copied from there is no entry here.
      path: `${NETWORKING}.${list}[]`,
      type: "object",
      remedy: "write the block behind cidr: as in - cidr: 10.0.0.0/16",
    },
    {
      path: `${NETWORKING}.${list}[].cidr`,
      type: "text",
      required: true,
      size: LIMIT.networkCidrLength,
      form: cidr,
    },
  ],
);

/** What decides whether a network of both families is made. */
const features: readonly Omit<HostedClusterField, "rule">[] = [
  section("spec.configuration.featureGate"),
  {
    path: "spec.configuration.featureGate.featureSet",
    type: "text",
    // The empty one is what the release has by default.
    words: ["CustomNoUpgrade", "DevPreviewNoUpgrade", "TechPreviewNoUpgrade", "OKD", ""],
  },
];

const ranges = ruled("cidr-invalid", [
  ...features,
  section(NETWORKING),
  section(`${NETWORKING}.apiServer`),
  ...networks,
  {
    path: `${NETWORKING}.clusterNetwork[].hostPrefix`,
    type: "number",
    // 0 is what the API has where none is written.
    range: { min: 0, max: 128 },
  },
  {
    path: `${NETWORKING}.apiServer.allowedCIDRBlocks`,
    type: "list",
    size: { min: 0, max: LIMIT.allowedCidrBlocks },
    distinct: true,
    input: "allowedCidrBlocks",
  },
  {
    path: `${NETWORKING}.apiServer.allowedCIDRBlocks[]`,
    type: "text",
    size: LIMIT.networkCidrLength,
    form: cidr,
  },
  {
    path: `${NETWORKING}.apiServer.advertiseAddress`,
    type: "text",
    size: { min: 0, max: 255 },
    ...says("advertiseAddress"),
    immutable: { defaults: [defaultAddress("advertise-address"), defaultAddress("advertise-address-v6")] },
  },
]);

const operator = ruled("ovn-subnet-invalid", [
  section("spec.operatorConfiguration"),
  section(CNO),
  {
    path: `${NETWORKING}.networkType`,
    type: "text",
    // Later versions of the API take any name, which is no help where this one does not.
    words: Object.values(NetworkType),
    ...says("networkType"),
    // The rule stands in the source and did not get into the CRD: the server would let the change through.
    immutable: { defaults: [NetworkType.OVNKubernetes], documents: [source] },
  },
  {
    path: `${NETWORKING}.allocateNodeCIDRs`,
    type: "text",
    words: ["Enabled", "Disabled"],
    input: "allocateNodeCidrs",
    immutable: { defaults: ["Disabled"] },
  },
  {
    path: `${CNO}.disableMultiNetwork`,
    type: "flag",
    input: "disableMultiNetwork",
    immutable: { defaults: [false] },
  },
  ...[OVN, `${OVN}.ipv4`, `${OVN}.ipv6`].map((path) => ({ path, type: "object" as const, size: whole })),
  {
    path: `${OVN}.mtu`,
    type: "number",
    range: { min: LIMIT.mtu.min, max: LIMIT.mtu.max },
    input: "mtu",
    immutable: { documents: [at(HYPERSHIFT, "HostedCluster CRD, spec"), networkOperator] },
  },
  ...internalSubnetProperties.map((property): HostedClusterField => {
    const { field, mutable, documents } = internalSubnet(property);
    return {
      path: [OVN, ...field].join("."),
      ...says(property),
      immutable: { addable: true, mutable, documents },
    };
  }),
  { path: `${OPENSTACK}.networkMTU`, type: "number", range: LIMIT.openStackMtu },
  ...["network", "externalNetwork", "router", "subnets[]"].map((name): HostedClusterField => ({
    path: `${OPENSTACK}.${name}`,
    type: "object",
    size: { min: 1, max: 1 },
  })),
  { path: `${OPENSTACK}.subnets`, type: "list", size: { min: 0, max: LIMIT.openStackSubnets } },
  {
    path: `${OPENSTACK}.managedSubnets`,
    type: "list",
    size: { min: 0, max: LIMIT.openStackManagedSubnets },
  },
]);

const nodePorts = ruled("node-port-range", [
  { path: "spec.configuration.network.serviceNodePortRange", type: "text", form: portRange },
  { path: `${STRATEGY}.nodePort.port`, type: "number", ofService: "nodePort" },
]);

const proxy: readonly HostedClusterField[] = [
  ...ruled("proxy-invalid", [
    section("spec.configuration"),
    { ...section("spec.configuration.proxy"), property: "proxy", input: "topology.proxy or proxy" },
    ...["httpProxy", "httpsProxy", "noProxy"].map((name): HostedClusterField => ({
      path: `spec.configuration.proxy.${name}`,
      type: "text",
    })),
    { path: "spec.configuration.proxy.readinessEndpoints", type: "list" },
    { path: "spec.configuration.proxy.readinessEndpoints[]", type: "text" },
  ]),
  ...ruled("proxy-trusted-ca", [
    section("spec.configuration.proxy.trustedCA"),
    { path: "spec.configuration.proxy.trustedCA.name", type: "text", required: true },
  ]),
];

/** Who reaches the services, on platforms that have the choice. */
const access = Object.values(Platform).flatMap((platform): HostedClusterField[] => {
  const path = accessPath(platform);
  return path === undefined
    ? []
    : [{ path, type: "text", words: endpointAccessModes(platform), ...says("endpointAccess") }];
});

const publishing = ruled("publishing-unsupported", [
  section("spec.platform"),
  {
    path: "spec.platform.type",
    type: "text",
    words: Object.values(Platform),
    ...says("platform"),
    immutable: {},
  },
  ...access,
  { path: "spec.services", ...says("services"), immutable: { except: [Platform.IBMCloud] } },
  section("spec.services[]"),
  {
    path: "spec.services[].service",
    type: "text",
    required: true,
    words: ["APIServer", "OAuthServer", "OIDC", "Konnectivity", "Ignition", "OVNSbDb"],
  },
  { path: STRATEGY, type: "object", required: true },
  {
    path: `${STRATEGY}.type`,
    type: "text",
    required: true,
    words: ["LoadBalancer", "NodePort", "Route", "None", "S3"],
    ofService: "type",
  },
  ...["route", "loadBalancer", "nodePort"].map((part) => section(`${STRATEGY}.${part}`)),
  ...["route", "loadBalancer"].map((kind): HostedClusterField => ({
    path: `${STRATEGY}.${kind}.hostname`,
    type: "text",
    size: LIMIT.hostnameLength,
    form: hostname,
    ofService: "hostname",
  })),
  {
    path: `${STRATEGY}.nodePort.address`,
    type: "text",
    required: true,
    size: LIMIT.hostnameLength,
    form: nodePortAddress,
    ofService: "address",
  },
  {
    path: `${NETWORKING}.apiServer.port`,
    type: "number",
    range: LIMIT.port,
    ...says("apiServerPort"),
    immutable: { defaults: [NODE_API_PORT] },
  },
  section("spec.dns"),
  {
    path: "spec.dns.baseDomain",
    type: "text",
    required: true,
    size: { min: 0, max: LIMIT.subdomainLength },
    form: domain,
    immutable: ONCE,
  },
  {
    path: "spec.dns.baseDomainPrefix",
    type: "text",
    size: { min: 0, max: LIMIT.subdomainLength },
    form: domain,
    immutable: ONCE,
  },
  { path: "spec.dns.publicZoneID", type: "text", size: { min: 1, max: 258 }, immutable: ONCE },
  { path: "spec.dns.privateZoneID", type: "text", size: { min: 1, max: 265 }, immutable: ONCE },
  {
    path: "spec.kubeAPIServerDNSName",
    type: "text",
    size: { min: 0, max: LIMIT.subdomainLength },
    form: domain,
  },
]);

/** The networks of the clouds, as far as their settings show what is wrong with them. */
const clouds = ruled("publishing-unsupported", [
  ...["network", "privateServiceConnectSubnet"].flatMap((name): HostedClusterField[] => [
    { path: `spec.platform.gcp.networkConfig.${name}`, immutable: ONCE },
    {
      path: `spec.platform.gcp.networkConfig.${name}.name`,
      type: "text",
      required: true,
      size: LIMIT.cloudNetworkNameLength,
      form: networkName,
    },
  ]),
  {
    path: `${PRIVATE}.type`,
    type: "text",
    required: true,
    words: ["PrivateLink", "Swift"],
    immutable: ONCE,
  },
  { path: `${PRIVATE}.privateLink`, type: "object", size: whole },
  {
    path: `${PRIVATE}.privateLink.natSubnetID`,
    type: "text",
    size: LIMIT.azureSubnetIdLength,
    form: azureSubnet,
    immutable: ONCE,
  },
  {
    path: `${PRIVATE}.swift.podNetworkInstance`,
    type: "text",
    required: true,
    size: LIMIT.cloudNetworkNameLength,
    form: label,
    immutable: ONCE,
  },
  { path: `${OPENSTACK}.ingressFloatingIP`, type: "text", form: address },
]);

/** What else is immutable; the server says so too. */
const others = [
  "capabilities",
  "clusterID",
  "configuration.ingress.domain",
  "controllerAvailabilityPolicy",
  "etcd.managed.storage.persistentVolume.size",
  "etcd.managed.storage.persistentVolume.storageClassName",
  "etcd.managed.storage.restoreSnapshotURL",
  "etcd.managementType",
  "fips",
  "infraID",
  "issuerURL",
  "olmCatalogPlacement",
  ...["location", "resourceGroup", "securityGroupID", "subnetID", "subscriptionID", "vnetID"].map(
    (key) => `platform.azure.${key}`,
  ),
  ...["project", "region", "workloadIdentity"].map((key) => `platform.gcp.${key}`),
  ...[
    "baseDomainPassthrough",
    "credentials.infraKubeConfigSecret",
    "credentials.infraNamespace",
    "generateID",
    "storageDriver",
  ].map((key) => `platform.kubevirt.${key}`),
].map((path): HostedClusterField => ({ path: `spec.${path}`, immutable: ONCE }));

/**
 * The fields of a HostedCluster that its network depends on or that are immutable: what the API accepts in them, which
 * property says them, which input is written to them. Defaults are the topology's.
 */
export const hostedClusterFields: readonly HostedClusterField[] = [
  ...names,
  ...publishing,
  ...ranges,
  ...operator,
  ...nodePorts,
  ...proxy,
  ...clouds,
  ...others,
];
