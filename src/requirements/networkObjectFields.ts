import { isIP } from "node:net";
import { azurePoolSubnet, diagnosticsFields, type ObjectField, portRange, ruled } from "./hostedCluster";
import { masqueradeSubnets, operatorSubnets } from "./internalSubnets";
import { LIMIT } from "./limits";
import { MIGRATED_TYPES } from "./migration";
import { address, type ObjectForm } from "./hostedCluster/forms";
import { PORT } from "./ports";
import { NetworkType } from "./vocabulary";

const OVN = "spec.defaultNetwork.ovnKubernetesConfig";
const rule = "ovn-subnet-invalid";

/** A subnet of one family as the API of the Network operator accepts it: it may contain host bits. */
const subnet = (family: 4 | 6): ObjectForm => ({
  matches: (text) => {
    const [address = "", mask = "", ...more] = text.split("/");
    const isMask = /^(0|[1-9]\d*)$/.test(mask) && Number(mask) <= LIMIT.masqueradeMask[family];
    const isAddress = isIP(address) === family && !address.includes("%");
    return isMask && isAddress && more.length === 0 && (family === 6 || Number.parseInt(address, 10) > 0);
  },
  name: `an IPv${family} subnet with /0 to /${LIMIT.masqueradeMask[family]}`,
  remedy: `write a subnet such as ${family === 4 ? "169.254.0.0/17" : "fd69::/112"}`,
});

/** The destination of flow records. */
const collector: ObjectForm = {
  matches: (text) => {
    const [, address = "", port = ""] = /^([^:]*):([1-9]\d{0,4})$/.exec(text) ?? [];
    return isIP(address) === 4 && Number(port) >= LIMIT.port.min && Number(port) <= LIMIT.port.max;
  },
  name: "an IPv4 address and a port",
  remedy: "write it as in 192.0.2.10:2055",
};

type Unruled = Omit<ObjectField, "rule">;

const some = { min: 1, max: Number.MAX_SAFE_INTEGER };

const lists = ["clusterNetwork", "serviceNetwork"].map((list): Unruled => ({
  path: `spec.${list}`,
  type: "list",
  size: some,
  remedy: "write a list of at least one block",
}));

const writeBlock = "write the block behind cidr: as in - cidr: 10.132.0.0/14";

/** Fields of the Network objects of the operator and of the cluster's configuration, which have the same lists. */
export const networkObjectFields: readonly ObjectField[] = [
  ...ruled<ObjectField>("cidr-invalid", [
    ...lists,
    {
      path: "spec.clusterNetwork[]",
      type: "object",
      remedy: writeBlock,
    },
    {
      path: "spec.clusterNetwork[].cidr",
      type: "text",
      required: true,
      remedy: writeBlock,
    },
    {
      path: "spec.clusterNetwork[].hostPrefix",
      type: "number",
      // The network operator accepts 0, which is the same as none, only with network types of other vendors.
      range: { min: 0, max: 128 },
    },
  ]),
  ...ruled<ObjectField>(rule, [
    ...masqueradeSubnets.map(({ family, field }): Unruled => ({
      path: `${OVN}.${field}`,
      type: "text",
      form: subnet(family),
    })),
    {
      path: `${OVN}.mtu`,
      type: "number",
      range: { min: LIMIT.operatorMtu.min, max: LIMIT.operatorMtu.max },
    },
    { path: `${OVN}.genevePort`, type: "number", range: LIMIT.port },
    { path: `${OVN}.ipsecConfig`, type: "object", remedy: "write mode: Full below it, or leave it out" },
    { path: `${OVN}.ipsecConfig.mode`, type: "text", words: ["Disabled", "External", "Full"] },
    {
      path: `${OVN}.ipsecConfig.full`,
      type: "object",
      size: some,
      remedy: "write encapsulation: Auto below it, or leave it out",
    },
    { path: `${OVN}.ipsecConfig.full.encapsulation`, type: "text", words: ["Always", "Auto"] },
    {
      path: `${OVN}.hybridOverlayConfig`,
      type: "object",
      remedy: "write hybridClusterNetwork below it, or leave it out",
    },
    { path: `${OVN}.routeAdvertisements`, type: "text", words: ["", "Enabled", "Disabled"] },
    {
      path: "spec.additionalRoutingCapabilities.providers",
      type: "list",
      required: true,
      size: { min: 1, max: 1 },
      remedy: "write providers: [FRR], or leave additionalRoutingCapabilities out",
    },
    { path: "spec.additionalRoutingCapabilities.providers[]", type: "text", words: ["FRR"] },
    { path: `${OVN}.gatewayConfig.ipForwarding`, type: "text", words: ["", "Restricted", "Global"] },
    ...["rateLimit", "maxFileSize", "maxLogFiles"].map((name): Unruled => ({
      path: `${OVN}.policyAuditConfig.${name}`,
      type: "number",
      range: { min: 1, max: Number.MAX_SAFE_INTEGER },
    })),
    { path: "spec.migration.mode", type: "text", words: ["", "Live", "Offline"] },
    ...["netFlow", "sFlow", "ipfix"].flatMap((kind): Unruled[] => {
      const path = `spec.exportNetworkFlows.${kind}.collectors`;
      return [
        { path, type: "list", size: { min: 1, max: 10 } },
        { path: `${path}[]`, type: "text", form: collector },
      ];
    }),
    {
      path: `${OVN}.egressIPConfig.reachabilityTotalTimeoutSeconds`,
      type: "number",
      range: LIMIT.egressIpTimeout,
    },
  ]),
];

/** The network type, in the `spec` of the Network object of the cluster's configuration. */
export const CONFIGURED_TYPE_PATH = "networkType";

/** Fields of the Network object of the cluster's configuration. */
export const networkConfigFields: readonly ObjectField[] = [
  ...networkObjectFields,
  {
    path: `spec.${CONFIGURED_TYPE_PATH}`,
    rule,
    type: "text",
    size: some,
    remedy: `write the name of a network type, such as ${NetworkType.OVNKubernetes}`,
  },
  ...diagnosticsFields("spec"),
  { path: "spec.serviceNodePortRange", rule, type: "text", form: portRange },
];

/** The network types with which each range of the cluster network needs a prefix length for each node's part of it. */
export const TYPES_WITH_PARTS: readonly string[] = [NetworkType.OVNKubernetes, NetworkType.OpenShiftSDN];

/** A field of a Network object, in its `spec`, that the network operator does not change on a running cluster. */
export interface ImmutableNetworkField {
  path: string;
  /** The operator's value if the object has none. If absent, the object does not show which value the cluster has. */
  default?: number | boolean;
  /** True: the operator compares it only with this network type, and not while the cluster migrates to another. */
  ofOvn?: true;
  /** The field of `spec` with the value to which a migration leads: once it has begun, the operator accepts that value. */
  target?: string;
  /** Values that it may have during a migration which only another object states. */
  accepts?: readonly string[];
  /** The field of `spec` beside which the operator accepts any new value: if it has a value, or this value. */
  besides?: { path: string; value?: string };
  /** How to change it all the same, behind "or". */
  wayOut?: string;
  /** True: the comparison ignores case. */
  ignoresCase?: true;
}

/** The network type, in the `spec` of a Network operator's object. */
export const NETWORK_TYPE_PATH = "defaultNetwork.type";

/** The network type to which the cluster migrates. */
export const TARGET_TYPE_PATH = "migration.networkType";

/** The immutable fields except the lists of ranges, which may change in parts. (CNO, pkg/network/render.go and ovn_kubernetes.go) */
export const immutableNetworkFields: readonly ImmutableNetworkField[] = [
  {
    path: NETWORK_TYPE_PATH,
    target: TARGET_TYPE_PATH,
    ignoresCase: true,
    wayOut: `set spec.${TARGET_TYPE_PATH} to the new type in an earlier deployment`,
  },
  { path: CONFIGURED_TYPE_PATH, accepts: MIGRATED_TYPES, ignoresCase: true },
  {
    path: TARGET_TYPE_PATH,
    besides: { path: "migration.mode", value: "Live" },
    wayOut: "remove spec.migration in an earlier deployment",
  },
  { path: "disableMultiNetwork", default: false },
  { path: "defaultNetwork.ovnKubernetesConfig.genevePort", default: PORT.geneve, ofOvn: true },
  {
    path: "defaultNetwork.ovnKubernetesConfig.mtu",
    ofOvn: true,
    target: "migration.mtu.network.to",
    besides: { path: "migration.mtu" },
    wayOut: "change it by spec.migration.mtu, with the new value as network.to",
  },
  { path: "defaultNetwork.ovnKubernetesConfig.hybridOverlayConfig", ofOvn: true },
];

/**
 * The names of fields of a Network operator's object: those above, and others whose values have no requirements by themselves. With
 * them, misspelled names are found; the API drops unknown fields.
 */
export const networkOperatorNames: readonly Pick<ObjectField, "path" | "rule">[] = [
  ...networkObjectFields,
  ...[
    // The API has the configured type in another object.
    ...immutableNetworkFields.flatMap(({ path }) => (path === CONFIGURED_TYPE_PATH ? [] : path)),
    ...["network", "machine"].flatMap((mtu) => [`migration.mtu.${mtu}.from`, `migration.mtu.${mtu}.to`]),
    ...["egressFirewall", "egressIP", "multicast"].map((name) => `migration.features.${name}`),
    ...[
      "hybridOverlayConfig.hybridClusterNetwork",
      "hybridOverlayConfig.hybridOverlayVXLANPort",
      "noOverlayConfig",
      ...operatorSubnets.map(({ field }) => field),
    ].map((field) => `defaultNetwork.ovnKubernetesConfig.${field}`),
  ].map((path) => ({ path: `spec.${path}`, rule }) as const),
];

/** The subnet of the machines of a NodePool on AWS. */
export const AWS_SUBNET = "platform.aws.subnet";

/** Fields of a NodePool's network. */
export const nodePoolFields: readonly ObjectField[] = ruled<ObjectField>(rule, [
  {
    path: `spec.${AWS_SUBNET}`,
    type: "object",
    required: true,
    remedy: "write the id of a subnet below it, or filters",
  },
  { path: `spec.${AWS_SUBNET}.id`, type: "text", size: { min: 0, max: 255 } },
  { path: `spec.${AWS_SUBNET}.filters`, type: "list", size: { min: 0, max: 50 } },
  { path: `spec.${AWS_SUBNET}.filters[].name`, type: "text", required: true, size: { min: 0, max: 255 } },
  { path: `spec.${AWS_SUBNET}.filters[].values`, type: "list", required: true, size: { min: 0, max: 50 } },
  {
    path: "spec.platform.azure.subnetID",
    type: "text",
    required: true,
    size: LIMIT.azureSubnetIdLength,
    form: azurePoolSubnet,
  },
  {
    path: "spec.platform.kubevirt.additionalNetworks",
    type: "list",
    size: { min: 0, max: 20 },
  },
  {
    path: "spec.platform.kubevirt.additionalNetworks[].name",
    type: "text",
    required: true,
    size: { min: 0, max: 255 },
  },
  {
    path: "spec.platform.kubevirt.attachDefaultNetwork",
    type: "flag",
  },
]);

const physicalName: ObjectForm = {
  matches: (text) => text !== "" && !/[,:]/.test(text) && [...text].length <= LIMIT.subdomainLength,
  name: "the name of a physical network",
  remedy: "write the name in the bridge mapping of the nodes, without commas and colons",
};

/** A route target: `*`, an IPv4 address or the number of an autonomous system, and a number; six bytes in all. */
const routeTarget: ObjectForm = {
  matches: (text) => {
    const [, by = "", number = ""] = /^(\*|[\d.]+):(\d+)$/.exec(text) ?? [];
    const isRight = by === "*" || /^\d+$/.test(by) || isIP(by) === 4;
    const isLong = by === "*" || Number(by) <= 0xffff;
    return isRight && number !== "" && Number(number) <= (isLong ? 0xffff_ffff : 0xffff);
  },
  name: "a route target of six bytes",
  remedy: "write it as in 65000:100, 192.0.2.1:100 or *:100",
};

const sized = (path: string, max: number): Unruled => ({ path, type: "list", size: { min: 1, max } });
const choice = (path: string, ...words: string[]): Unruled => ({ path, type: "text", words });
const needed = (field: Unruled): Unruled => ({ ...field, required: true });

const userNetworkLists: readonly Unruled[] = [
  ...["layer2.subnets", "layer2.joinSubnets", "layer2.defaultGatewayIPs"].map((path) => sized(path, 2)),
  { path: "layer2.defaultGatewayIPs[]", type: "text", form: address },
  sized("layer2.reservedSubnets", 25),
  sized("layer2.infrastructureSubnets", 4),
  sized("layer3.joinSubnets", 2),
  // Earlier versions of the API accept 2, one of each family.
  { ...needed(sized("layer3.subnets", 400)), remedy: "write a list such as - cidr: 10.10.0.0/16" },
  { path: "layer3.subnets[]", type: "object", remedy: "write it as in - cidr: 10.10.0.0/16" },
  needed({ path: "layer3.subnets[].cidr", type: "text" }),
  { path: "layer3.subnets[].hostSubnet", type: "number", range: { min: 1, max: 127 } },
  sized("localnet.subnets", 2),
  sized("localnet.excludeSubnets", 25),
];

const section = (path: string, ...roles: string[]): Unruled[] => [
  { path, type: "object" },
  needed(choice(`${path}.role`, ...roles)),
  { path: `${path}.mtu`, type: "number", range: LIMIT.operatorMtu },
];
const ipam = (path: string, ...modes: string[]): Unruled[] => [
  { path: `${path}.ipam`, type: "object", size: some, remedy: "write mode below it, or leave it out" },
  choice(`${path}.ipam.mode`, ...modes),
  choice(`${path}.ipam.lifecycle`, "Persistent"),
  choice(`${path}.macSecurity.mode`, "Enabled", "Disabled"),
];

const userNetworkSettings: readonly Unruled[] = [
  ...section("layer2", "Primary", "Secondary"),
  ...ipam("layer2", "Enabled", "Disabled"),
  ...section("layer3", "Primary", "Secondary"),
  ...section("localnet", "Secondary"),
  // Earlier versions of the API do not have the mode DHCP.
  ...ipam("localnet", "Enabled", "Disabled", "DHCP"),
  needed({ path: "localnet.physicalNetworkName", type: "text", form: physicalName }),
  needed(choice("localnet.vlan.mode", "Access")),
  needed({ path: "localnet.vlan.access", type: "object", remedy: "write id below it" }),
  needed({ path: "localnet.vlan.access.id", type: "number", range: { min: 1, max: 4094 } }),
  choice("transport", "Geneve", "NoOverlay", "EVPN"),
  needed(choice("noOverlay.outboundSNAT", "Enabled", "Disabled")),
  needed(choice("noOverlay.routing", "Managed", "Unmanaged")),
  needed({ path: "evpn.vtep", type: "text", size: some }),
  ...["evpn.macVRF", "evpn.ipVRF"].flatMap((vrf): Unruled[] => [
    needed({ path: `${vrf}.vni`, type: "number", range: { min: 1, max: 0xff_ffff } }),
    { path: `${vrf}.routeTarget`, type: "text", size: { min: 0, max: 21 }, form: routeTarget },
  ]),
];

/** Whether a network whose fields are at this path has a field. Those of one namespace lack some. */
const hasField = (at: string, path: string): boolean =>
  at !== "spec" || !/^(?:localnet|transport|evpn|noOverlay)\b/.test(path);

/** The fields of a user-defined network, of one namespace or of several. (OVN-Kubernetes, go-controller/pkg/crd/userdefinednetwork/v1) */
export function userNetworkFields(at: string): readonly ObjectField[] {
  const own = (fields: readonly Unruled[]) =>
    fields
      .filter(({ path }) => hasField(at, path))
      .map((field) => ({ ...field, path: `${at}.${field.path}` }));
  const topology = needed(
    choice("topology", "Layer2", "Layer3", ...(hasField(at, "localnet") ? ["Localnet"] : [])),
  );
  return [
    { path: at, rule, type: "object", required: true },
    ...ruled<ObjectField>("cidr-invalid", own(userNetworkLists)),
    ...ruled<ObjectField>(rule, own([topology, ...userNetworkSettings])),
  ];
}

/** A field, and the values of others that need or refuse it, if each has one of them; an empty text is the default. */
export type FieldRelation = readonly [
  path: string,
  is: "needed" | "refused",
  beside: Record<string, readonly string[]>,
];

const ofPrimary = (layer: string, ...names: string[]) =>
  names.map((name): FieldRelation => [`${layer}.${name}`, "refused", { [`${layer}.role`]: ["Secondary"] }]);

/** The modes of ipam with which addresses are checked. */
const OTHER = ["", "Enabled", "DHCP"];
const besideIpam = (layer: string, mode = `${layer}.ipam.mode`): FieldRelation[] => [
  [`${layer}.subnets`, "needed", { [mode]: ["", "Enabled"] }],
  [`${layer}.subnets`, "refused", { [mode]: ["Disabled", "DHCP"] }],
  [`${layer}.ipam.lifecycle`, "refused", { [mode]: ["Disabled", "DHCP"] }],
  [`${layer}.macSecurity.mode`, "refused", { [`${layer}.macSecurity.mode`]: ["Disabled"], [mode]: OTHER }],
];

/** What the API accepts of a user-defined network only together. */
const relations: readonly FieldRelation[] = [
  ["layer2", "needed", { topology: ["Layer2"] }],
  ["layer2", "refused", { topology: ["Layer3", "Localnet"] }],
  ["layer3", "needed", { topology: ["Layer3"] }],
  ["layer3", "refused", { topology: ["Layer2", "Localnet"] }],
  ["localnet", "needed", { topology: ["Localnet"] }],
  ["localnet", "refused", { topology: ["Layer2", "Layer3"] }],
  ...ofPrimary("layer2", "joinSubnets", "reservedSubnets", "infrastructureSubnets", "defaultGatewayIPs"),
  ...ofPrimary("layer3", "joinSubnets"),
  ...besideIpam("layer2"),
  ...besideIpam("localnet"),
  ["layer2.ipam.mode", "refused", { "layer2.ipam.mode": ["Disabled"], "layer2.role": ["Primary"] }],
  ["layer2.macSecurity", "refused", { "layer2.role": ["Primary"] }],
  ["noOverlay", "needed", { transport: ["NoOverlay"] }],
  ["noOverlay", "refused", { transport: ["", "Geneve", "EVPN"] }],
  ["evpn", "needed", { transport: ["EVPN"] }],
  ["evpn", "refused", { transport: ["", "Geneve", "NoOverlay"] }],
  ["transport", "refused", { transport: ["NoOverlay"], topology: ["Layer2", "Localnet"] }],
  ["transport", "refused", { transport: ["EVPN"], topology: ["Localnet"] }],
  ["transport", "refused", { transport: ["NoOverlay", "EVPN"], "layer3.role": ["Secondary"] }],
  ["transport", "refused", { transport: ["EVPN"], "layer2.role": ["Secondary"] }],
  ["evpn.macVRF", "needed", { topology: ["Layer2"] }],
  ["evpn.macVRF", "refused", { topology: ["Layer3"] }],
  ["evpn.ipVRF", "needed", { topology: ["Layer3"] }],
];
export const userNetworkRelations = (at: string): readonly FieldRelation[] =>
  relations.filter(([path]) => hasField(at, path));

/** Fields of a NodePool, in its `spec`, that it cannot change. (NodePool CRD) */
export const IMMUTABLE_POOL_PATHS: readonly string[] = [
  "clusterName",
  "platform.type",
  "platform.azure.subnetID",
];

/** Kinds whose fields rules know in one API version. */
export const KNOWN_API_VERSIONS: readonly (readonly [apiVersion: string, kinds: readonly string[]])[] = [
  ["hypershift.openshift.io/v1beta1", ["HostedCluster", "NodePool"]],
  ["k8s.ovn.org/v1", ["EgressFirewall", "EgressIP", "UserDefinedNetwork", "ClusterUserDefinedNetwork"]],
  ["network.operator.openshift.io/v1", ["EgressRouter"]],
  ["operator.openshift.io/v1", ["Network"]],
  ["config.openshift.io/v1", ["Network", "Proxy"]],
  ["machineconfiguration.openshift.io/v1", ["MachineConfigPool"]],
  ["k8s.cni.cncf.io/v1", ["NetworkAttachmentDefinition"]],
  ["metallb.io/v1beta1", ["IPAddressPool"]],
];
