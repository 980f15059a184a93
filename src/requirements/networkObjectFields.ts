import { isIP } from "node:net";
import { azurePoolSubnet, diagnosticsFields, type ObjectField, portRange, ruled } from "./hostedCluster";
import { masqueradeSubnets, operatorSubnets } from "./internalSubnets";
import { LIMIT } from "./limits";
import { MIGRATED_TYPES } from "./migration";
import type { ObjectForm } from "./hostedCluster/forms";
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
