import {
  isCronJob,
  isPod,
  isReplicationController,
  isWorkload,
  makesPods,
} from "../resources/kubernetesObject";
import {
  CONNECTIONS,
  isAnyNetworkPolicy,
  isClusterProxy,
  isConfigMap,
  isEgressFirewall,
  isAddressPool,
  isEgressIp,
  isEgressRouter,
  isHostedCluster,
  isMachineConfigPool,
  isNamespace,
  isNetwork,
  isNetworkAttachment,
  isNode,
  isNodePool,
  isService,
  isUserDefinedNetwork,
  NETWORK_ACLS,
  OUR_COMPONENTS,
  ROUTE_TABLES,
  SECURITY_GROUPS,
  SUBNETS,
  TYPE,
  VPCS,
} from "../resources/resourceTypes";

/** The type of a field: a simple value, an object with fields, a list of values, or texts by any key. */
export type ValueType = "text" | "number" | "flag" | "texts" | readonly [ValueType] | FieldTypes;
export interface FieldTypes {
  readonly [field: string]: ValueType;
}

/** Fields of a kind that rules read, and the rule that reports values of a wrong type. */
export interface TypedKind {
  holds: (type: string) => boolean;
  rule: string;
  fields: FieldTypes;
  /** True if a provider converts numbers to texts and back, and ids are not known before an update. */
  isCloud?: true;
  /** Limits the check to plans with or without hosted clusters: in other plans rules ignore these objects, or another rule reports them. */
  beside?: "clusters" | "no clusters";
}

const names: FieldTypes = { name: "text", namespace: "text" };
const metadata: FieldTypes = { ...names, labels: "texts", annotations: "texts" };
const clouds: FieldTypes = Object.fromEntries(
  ["aws", "azure", "gcp", "kubevirt", "openstack"].map((cloud) => [cloud, {}]),
);

const labelled: FieldTypes = { metadata: { labels: "texts", annotations: "texts" } };
const selector: FieldTypes = { matchLabels: "texts", matchExpressions: [{ values: ["text"] }] };
const ofPods: FieldTypes = { ...labelled, spec: { nodeSelector: "texts" } };

const labels = (kind: Pick<TypedKind, "holds" | "fields" | "beside">): TypedKind => ({
  ...kind,
  rule: "object-invalid",
});

const texts = (...fields: string[]): FieldTypes => Object.fromEntries(fields.map((field) => [field, "text"]));
const oneOf =
  (...types: string[]) =>
  (type: string): boolean =>
    types.includes(type);
const numbers = (...fields: string[]): FieldTypes =>
  Object.fromEntries(fields.map((field) => [field, "number"]));
const blocks = texts("cidrBlock", "ipv6CidrBlock");
const inlineAclRule: FieldTypes = {
  ...blocks,
  ...texts("protocol", "action"),
  ...numbers("ruleNo", "fromPort", "toPort", "icmpType", "icmpCode"),
};
/** The destination and the target of a route. */
const route: FieldTypes = {
  ...blocks,
  ...texts(
    "destinationCidrBlock",
    "destinationIpv6CidrBlock",
    "destinationPrefixListId",
    "vpcPeeringConnectionId",
    "transitGatewayId",
    "coreNetworkArn",
    "localGatewayId",
    "carrierGatewayId",
    "odbNetworkArn",
    "vpcEndpointId",
    "networkInterfaceId",
    "gatewayId",
  ),
};
const ASSOCIATIONS: ReadonlySet<string> = new Set([TYPE.ipv4Association, TYPE.ipv6Association]);

/**
 * Fields that identify objects, and settings that take effect by their presence. Fields that rules check value by value are in
 * their own tables: requirements/hostedCluster/fields.ts, requirements/networkObjectFields.ts, and those of the components.
 */
export const typedKinds: readonly TypedKind[] = [
  { holds: isHostedCluster, rule: "hosted-cluster-name", fields: { metadata } },
  {
    holds: isHostedCluster,
    rule: "publishing-unsupported",
    fields: {
      apiVersion: "text",
      kind: "text",
      spec: { release: { image: "text" }, platform: { ...clouds, aws: { region: "text" } } },
    },
  },
  { holds: isHostedCluster, rule: "dedicated-nodes", fields: { spec: { nodeSelector: "texts" } } },
  {
    holds: isNodePool,
    beside: "clusters",
    rule: "ovn-subnet-invalid",
    fields: {
      metadata,
      spec: {
        clusterName: "text",
        replicas: "number",
        autoScaling: { min: "number", max: "number" },
        nodeLabels: "texts",
        platform: { ...clouds, aws: { subnet: { id: "text" } } },
      },
    },
  },
  { holds: isNetwork, rule: "cidr-invalid", fields: { metadata } },
  {
    holds: isNetwork,
    rule: "ovn-subnet-invalid",
    fields: {
      spec: {
        networkType: "text",
        defaultNetwork: { type: "text", ovnKubernetesConfig: { gatewayConfig: { ipv4: {}, ipv6: {} } } },
      },
    },
  },
  {
    holds: isNetwork,
    rule: "migration-mtu",
    fields: {
      spec: { migration: { mtu: { network: { from: "number", to: "number" }, machine: { to: "number" } } } },
    },
  },
  {
    holds: isNetwork,
    rule: "migration-isolation-mode",
    fields: { spec: { defaultNetwork: { openshiftSDNConfig: { mode: "text" } } } },
  },
  {
    holds: isNetwork,
    rule: "migration-order",
    fields: { spec: { migration: { networkType: "text", mode: "text" } } },
  },
  { holds: isMachineConfigPool, rule: "migration-order", fields: { metadata, spec: { paused: "flag" } } },
  {
    holds: isClusterProxy,
    rule: "proxy-invalid",
    fields: {
      metadata,
      spec: {
        ...texts("httpProxy", "httpsProxy", "noProxy"),
        readinessEndpoints: ["text"],
        trustedCA: { name: "text" },
      },
    },
  },
  {
    holds: isConfigMap,
    beside: "clusters",
    rule: "proxy-trusted-ca",
    fields: { metadata: names },
  },
  { holds: isEgressFirewall, rule: "egress-firewall-rule-invalid", fields: { metadata, spec: {} } },
  {
    holds: isAnyNetworkPolicy,
    rule: "network-policy-invalid",
    fields: { ...texts("apiVersion", "kind"), metadata },
  },
  {
    holds: isUserDefinedNetwork,
    rule: "primary-network-namespace",
    fields: { metadata, spec: { namespaceSelector: selector } },
  },
  { holds: isAddressPool, rule: "cidr-invalid", fields: { metadata, spec: {} } },
  { holds: isEgressIp, rule: "egress-ip-invalid", fields: { metadata, spec: {} } },
  { holds: isEgressRouter, rule: "egress-router-invalid", fields: { metadata, spec: { redirect: {} } } },
  {
    holds: isNetworkAttachment,
    rule: "egress-router-invalid",
    fields: { metadata, spec: { config: "text" } },
  },
  {
    holds: isNode,
    beside: "clusters",
    rule: "dedicated-nodes",
    fields: { metadata, spec: { taints: [{ key: "text", value: "text", effect: "text" }] } },
  },
  {
    holds: makesPods,
    beside: "clusters",
    rule: "pod-privileged",
    fields: { metadata: names },
  },
  labels({ holds: isPod, fields: ofPods }),
  labels({
    holds: isReplicationController,
    fields: { ...labelled, spec: { selector: "texts", template: ofPods } },
  }),
  labels({ holds: isWorkload, fields: { ...labelled, spec: { selector, template: ofPods } } }),
  labels({
    holds: isCronJob,
    fields: { ...labelled, spec: { jobTemplate: { ...labelled, spec: { template: ofPods } } } },
  }),
  labels({ holds: isConfigMap, fields: { ...labelled, data: "texts" } }),
  labels({ holds: isService, fields: { spec: { selector: "texts" } } }),
  labels({
    holds: (type) => isNamespace(type) || isNode(type) || isService(type),
    beside: "no clusters",
    fields: labelled,
  }),
  labels({ holds: isNamespace, beside: "clusters", fields: { metadata } }),
  {
    holds: isService,
    beside: "clusters",
    rule: "service-traffic-policy",
    fields: { metadata, spec: { externalTrafficPolicy: "text", internalTrafficPolicy: "text" } },
  },
  {
    holds: (type) => SECURITY_GROUPS.has(type) || NETWORK_ACLS.has(type),
    isCloud: true,
    beside: "clusters",
    rule: "port-missing",
    fields: { tags: "texts" },
  },
  {
    holds: (type) => type.startsWith(OUR_COMPONENTS),
    isCloud: true,
    rule: "port-excess",
    fields: { rules: [{}], disabledRules: ["text"] },
  },
  {
    holds: (type) => SECURITY_GROUPS.has(type),
    isCloud: true,
    rule: "port-missing",
    fields: texts("name", "vpcId"),
  },
  {
    holds: (type) => NETWORK_ACLS.has(type),
    isCloud: true,
    beside: "clusters",
    rule: "port-missing",
    fields: {
      defaultNetworkAclId: "text",
      subnetIds: ["text"],
      ingress: [inlineAclRule],
      egress: [inlineAclRule],
    },
  },
  {
    holds: (type) => NETWORK_ACLS.has(type),
    isCloud: true,
    rule: "port-missing",
    fields: { defaultNetworkAclId: "text" },
  },
  {
    holds: oneOf(TYPE.prefixList),
    isCloud: true,
    rule: "security-group-quota",
    fields: { maxEntries: "number" },
  },
  {
    holds: oneOf(TYPE.prefixListEntry),
    isCloud: true,
    rule: "cidr-invalid",
    fields: { prefixListId: "text" },
  },
  {
    holds: oneOf(TYPE.networkAclRule),
    isCloud: true,
    rule: "port-missing",
    fields: {
      ...blocks,
      ...texts("networkAclId", "protocol", "ruleAction"),
      ...numbers("ruleNumber", "fromPort", "toPort", "icmpType", "icmpCode"),
      egress: "flag",
    },
  },
  {
    holds: (type) => ROUTE_TABLES.has(type),
    isCloud: true,
    rule: "cidr-overlap",
    fields: { routes: [route] },
  },
  { holds: oneOf(TYPE.route), isCloud: true, rule: "cidr-overlap", fields: route },
  {
    holds: (type) => VPCS.has(type) || SUBNETS.has(type) || CONNECTIONS.has(type) || ASSOCIATIONS.has(type),
    isCloud: true,
    rule: "cidr-overlap",
    fields: texts(
      "vpcId",
      "peerVpcId",
      "routeTableId",
      "vpcPeeringConnectionId",
      "transitGatewayId",
      "peerTransitGatewayId",
      "transitGatewayAttachmentId",
      "transitGatewayRouteTableId",
      "vpnConnectionId",
      "vpnGatewayId",
    ),
  },
];
