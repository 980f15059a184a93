import { HYPERSHIFT, NETWORK_OPERATOR, at, type DocumentReference } from "../documents";
import { implicitRangeOf } from "../implicitRanges";
import { internalSubnet, internalSubnetProperties } from "../internalSubnets";
import { LIMIT } from "../limits";
import { endpointAccessModes } from "../platforms";
import { NODE_API_PORT } from "../publishedServices";
import {
  accessPath,
  address,
  azureMachineSubnet,
  azureSubnet,
  cidr,
  domain,
  googleProject,
  googleRegion,
  hostname,
  label,
  networkName,
  nodePortAddress,
  portRange,
  sourceRange,
  uuid,
  withoutComma,
  type ValueDemand,
} from "./forms";
import { NetworkType, Platform } from "../vocabulary";

/** The rules on what is invalid in a HostedCluster or NodePool, regardless of the rest of the stack. */
export type ObjectRule =
  | "cidr-invalid"
  | "node-port-range"
  | "ovn-subnet-invalid"
  | "proxy-invalid"
  | "proxy-trusted-ca"
  | "publishing-unsupported";

/** What the API requires of one field by itself, according to the definitions of the objects. */
export interface ObjectField extends ValueDemand {
  /** Its path, with `[]` for every entry of a list: `spec.networking.clusterNetwork[].cidr`. */
  path: string;
  /** The rule that checks it. */
  rule: ObjectRule;
  /** Whether it is required in the object that contains it. */
  required?: boolean;
}

/** The properties of a published service in a topology. */
export type ServiceProperty = "type" | "nodePort" | "address" | "hostname";

/** A field of a HostedCluster. */
export interface HostedClusterField extends Partial<ObjectField> {
  path: string;
  /** The topology property that is read from it: `clusterNetwork`. */
  property?: string;
  /** The property of a published service that is read from it: `nodePort`. Of several fields, the first that is written counts. */
  ofService?: ServiceProperty;
  /** The component input that is written to it: `topology.clusterNetwork`, `mtu`. Absent for fields in the untyped part of the spec. */
  input?: string;
  /** Present if a running cluster cannot change it. */
  immutable?: Immutable;
}

/** A default value of the API. */
type DefaultValue = string | number | boolean | readonly { readonly cidr: string }[];

/** To what extent a field is immutable. */
export interface Immutable {
  /** The values of an absent field: writing them explicitly is no change. */
  defaults?: readonly DefaultValue[];
  /** True: a cluster without it can still add it. */
  addable?: boolean;
  /** True: it may change, but removing it returns a running network to the default. */
  mutable?: boolean;
  /** The effect of removing it from a running cluster, if the server accepts that. */
  removing?: string;
  /** Present if an empty text is a value of its own, and no absent value. */
  emptyText?: "";
  /** Names of properties below it that can change: versions of the API that know them accept that, and others drop them. */
  free?: readonly string[];
  /** The platforms on which it can change. */
  except?: readonly Platform[];
  /** The platforms on which a webhook can write it if the program does not: it is then not removed. */
  completed?: readonly Platform[];
  /** The documents that state that it cannot change. Defaults to the definition of HostedClusters. */
  documents?: readonly DocumentReference[];
}

const NETWORKING = "spec.networking";
const CNO = "spec.operatorConfiguration.clusterNetworkOperator";
const OVN = `${CNO}.ovnKubernetesConfig`;
const STRATEGY = "spec.services[].servicePublishingStrategy";
const OPENSTACK = "spec.platform.openstack";
const AZURE = "spec.platform.azure";
const PRIVATE = `${AZURE}.private`;
const GCP = "spec.platform.gcp";
const POWERVS = "spec.platform.powervs";

const whole = { min: 1, max: Number.MAX_SAFE_INTEGER };
const source = at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go");
const networkOperator = at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go");
const defaultAddress = (id: string) => implicitRangeOf(id).cidr.split("/")[0]!;

/** A property of the topology, and the component input that is written to the field. */
const says = (property: string) => ({ property, input: `topology.${property}` });
/** A cluster without it can add it once. */
const ONCE: Immutable = { addable: true };

/** Fields that one rule checks. */
export const ruled = <Field extends Partial<ObjectField> = HostedClusterField>(
  rule: ObjectRule,
  fields: readonly NoInfer<Omit<Field, "rule">>[],
) => fields.map((field) => ({ ...field, rule }));

/** A field that contains other fields: a text in its place would hide all of them. */
const section = (path: string): HostedClusterField => ({
  path,
  type: "object",
  remedy: "write its settings below it, each with its name",
});

/** The diagnostics of a network whose configuration stands at this path. */
export const diagnosticsFields = (path: string): readonly ObjectField[] =>
  ruled<ObjectField>("ovn-subnet-invalid", [
    {
      path: `${path}.networkDiagnostics`,
      type: "object",
      remedy: "write mode: All below it, or leave it out",
    },
    { path: `${path}.networkDiagnostics.mode`, type: "text", words: ["", "All", "Disabled"] },
    ...["sourcePlacement", "targetPlacement"].map((name): Omit<ObjectField, "rule"> => ({
      path: `${path}.networkDiagnostics.${name}`,
      type: "object",
      remedy: "write nodeSelector or tolerations below it, or leave it out",
    })),
  ]);

const names: readonly HostedClusterField[] = [
  { path: "metadata.name", property: "name" },
  { path: "metadata.namespace", property: "namespace" },
  { path: "spec.release.image", property: "release" },
];

const defaultNetwork = (id: string): Immutable => ({ defaults: [[{ cidr: implicitRangeOf(id).cidr }]] });

/** The API sets a default cluster network and service network; for machines it has no default. */
const immutableNetworks = {
  machineNetwork: {
    ...ONCE,
    removing: "HyperShift then has no range of the nodes for noProxy and for the security groups on AWS",
  },
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
      // The Network operator's own lists contain texts: entries copied from there are invalid here.
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

/** Settings that decide whether a dual-stack network is created. */
const features: readonly Omit<HostedClusterField, "rule">[] = [
  section("spec.configuration.featureGate"),
  {
    path: "spec.configuration.featureGate.featureSet",
    type: "text",
    // The empty one is the release's default.
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
    // 0 is the API's default.
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
    // Later versions of the API accept any name, but this version does not.
    words: Object.values(NetworkType),
    ...says("networkType"),
    // The rule is in the source but not in the CRD: the server would allow the change.
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
  ...["network", "externalNetwork", "router", "subnets[]"].flatMap((name): HostedClusterField[] => [
    { path: `${OPENSTACK}.${name}`, type: "object", size: { min: 1, max: 1 } },
    { path: `${OPENSTACK}.${name}.id`, type: "text", size: { min: 0, max: 36 }, form: uuid },
    { path: `${OPENSTACK}.${name}.filter`, type: "object", size: whole },
    ...["tags", "tagsAny", "notTags", "notTagsAny"].flatMap((tags): HostedClusterField[] => [
      {
        path: `${OPENSTACK}.${name}.filter.${tags}`,
        type: "list",
        size: { min: 0, max: 50 },
        distinct: true,
      },
      {
        path: `${OPENSTACK}.${name}.filter.${tags}[]`,
        type: "text",
        size: { min: 1, max: 255 },
        form: withoutComma,
      },
    ]),
  ]),
  { path: `${OPENSTACK}.subnets`, type: "list", size: { min: 0, max: LIMIT.openStackSubnets } },
  {
    path: `${OPENSTACK}.managedSubnets`,
    type: "list",
    size: { min: 0, max: LIMIT.openStackManagedSubnets },
  },
  ...["dnsNameservers", "allocationPools"].map((list): HostedClusterField => ({
    path: `${OPENSTACK}.managedSubnets[].${list}`,
    type: "list",
    size: { min: 0, max: 10 },
  })),
  {
    path: `${OPENSTACK}.managedSubnets[].dnsNameservers[]`,
    type: "text",
    size: { min: 0, max: 45 },
  },
  ...["start", "end"].map((end): HostedClusterField => ({
    path: `${OPENSTACK}.managedSubnets[].allocationPools[].${end}`,
    type: "text",
    required: true,
    size: { min: 0, max: 255 },
  })),
]);

const diagnostics = [
  ...ruled("ovn-subnet-invalid", [section("spec.configuration.network")]),
  ...diagnosticsFields("spec.configuration.network"),
];

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

/** The field for access to the services, on platforms that have one. */
const access = Object.values(Platform).flatMap((platform): HostedClusterField[] => {
  const path = accessPath(platform);
  return path === undefined
    ? []
    : [{ path, type: "text", words: endpointAccessModes(platform), ...says("endpointAccess") }];
});

const publishing = ruled("publishing-unsupported", [
  { ...section("spec.platform"), required: true, remedy: "write the platform's type below it: type: AWS" },
  {
    path: "spec.platform.type",
    type: "text",
    required: true,
    words: Object.values(Platform),
    ...says("platform"),
    immutable: {},
  },
  ...access,
  {
    path: "spec.services",
    ...says("services"),
    immutable: {
      except: [Platform.IBMCloud],
      completed: [Platform.KubeVirt],
      free: ["serviceAnnotations"],
    },
  },
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
    // An empty one leaves the base domain without a prefix.
    immutable: { ...ONCE, emptyText: "" },
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

/** The networks of the clouds, to the extent that their settings show faults. */
const clouds = ruled("publishing-unsupported", [
  {
    path: `${GCP}.project`,
    type: "text",
    size: { min: 6, max: 30 },
    form: googleProject,
    immutable: ONCE,
  },
  { path: `${GCP}.region`, type: "text", size: { min: 1, max: 63 }, form: googleRegion, immutable: ONCE },
  {
    ...section(`${GCP}.networkConfig`),
    required: true,
    remedy: "write network and privateServiceConnectSubnet below it",
  },
  ...["network", "privateServiceConnectSubnet"].flatMap((name): HostedClusterField[] => [
    {
      ...section(`${GCP}.networkConfig.${name}`),
      required: true,
      remedy: "write its name below it",
      immutable: ONCE,
    },
    {
      path: `${GCP}.networkConfig.${name}.name`,
      type: "text",
      required: true,
      size: LIMIT.cloudNetworkNameLength,
      form: networkName,
    },
  ]),
  {
    path: `${AZURE}.subnetID`,
    type: "text",
    size: LIMIT.azureSubnetIdLength,
    form: azureMachineSubnet,
    immutable: ONCE,
  },
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
  ...["subnet", "vpc"].map((name) => ({ ...section(`${POWERVS}.${name}`), required: true })),
  ...["name", "region"].map((name): HostedClusterField => ({
    path: `${POWERVS}.vpc.${name}`,
    type: "text",
    required: true,
    size: { min: 0, max: 255 },
  })),
  section("spec.platform.aws.cloudProviderConfig"),
  {
    path: "spec.platform.aws.cloudProviderConfig.vpc",
    type: "text",
    required: true,
    size: { min: 0, max: 255 },
  },
  { path: `${OPENSTACK}.ingressFloatingIP`, type: "text", form: address },
]);

const INGRESS = "spec.operatorConfiguration.ingressOperator.endpointPublishingStrategy";

/** How the default ingress controller of the hosted cluster is published. */
const ingress = [
  ...ruled("publishing-unsupported", [
    section(INGRESS),
    {
      path: `${INGRESS}.type`,
      type: "text",
      required: true,
      words: ["LoadBalancerService", "HostNetwork", "Private", "NodePortService"],
    },
    section(`${INGRESS}.loadBalancer`),
    {
      path: `${INGRESS}.loadBalancer.scope`,
      type: "text",
      required: true,
      words: ["Internal", "External"],
    },
    {
      path: `${INGRESS}.loadBalancer.dnsManagementPolicy`,
      type: "text",
      words: ["Managed", "Unmanaged"],
    },
    ...["httpPort", "httpsPort", "statsPort"].map((port): HostedClusterField => ({
      path: `${INGRESS}.hostNetwork.${port}`,
      type: "number",
      range: { min: 0, max: LIMIT.port.max },
    })),
    ...["hostNetwork", "nodePort", "private"].map((kind): HostedClusterField => ({
      path: `${INGRESS}.${kind}.protocol`,
      type: "text",
      words: ["", "TCP", "PROXY"],
    })),
  ]),
  ...ruled("cidr-invalid", [
    { path: `${INGRESS}.loadBalancer.allowedSourceRanges`, type: "list" },
    { path: `${INGRESS}.loadBalancer.allowedSourceRanges[]`, type: "text", form: sourceRange },
  ]),
];

/** Other immutable fields; the server refuses changes too. */
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
  ...["location", "resourceGroup", "securityGroupID", "subscriptionID", "vnetID"].map(
    (key) => `platform.azure.${key}`,
  ),
  "platform.gcp.workloadIdentity",
  ...[
    "baseDomainPassthrough",
    "credentials.infraKubeConfigSecret",
    "credentials.infraNamespace",
    "generateID",
    "storageDriver",
  ].map((key) => `platform.kubevirt.${key}`),
].map((path): HostedClusterField => ({ path: `spec.${path}`, immutable: ONCE }));

/**
 * The fields of a HostedCluster that its network depends on or that are immutable: what the API accepts
 * in them, which property is read from them, which input is written to them. Defaults are the topology's.
 */
export const hostedClusterFields: readonly HostedClusterField[] = [
  ...names,
  ...publishing,
  ...ranges,
  ...operator,
  ...diagnostics,
  ...nodePorts,
  ...proxy,
  ...clouds,
  ...ingress,
  ...others,
];
