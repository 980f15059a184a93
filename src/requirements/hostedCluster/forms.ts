import { isIP } from "node:net";
import { LIMIT } from "../limits";
import { EndpointAccess, Platform } from "../vocabulary";

/** What the API requires of one value by itself. */
export interface ValueDemand {
  type: "text" | "number" | "flag" | "list" | "object";
  /** The allowed words. */
  words?: readonly string[];
  /** Characters of a text, entries of a list, properties of an object. */
  size?: { min: number; max: number };
  /** Bounds of a number. */
  range?: { min: number; max: number };
  /** Whether the entries of a list must be unique. */
  distinct?: boolean;
  /** The form of a text, and how to write it. */
  form?: ObjectForm;
  /** How to write it, if the type does not make that clear. */
  remedy?: string;
}

/** A form of text. */
export interface ObjectForm {
  matches: (text: string) => boolean;
  /** What a text of this form is: `a host name`. */
  name: string;
  remedy: string;
}

/** A host name as the services of a HostedCluster accept it. */
export const HOSTNAME = /^(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}$/;
const NODE_PORT_NAME = /^(?:(?:[a-zA-Z0-9][-a-zA-Z0-9]*\.)+[a-zA-Z]{2,}|localhost)$/;

const BASE_DOMAIN = /^(?:(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$/;
const CIDR_V4 = /^((\d{1,3}\.){3}\d{1,3}\/\d{1,2})$/;
const CIDR_V6 = /^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?\/[0-9]{1,3}$/;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const AZURE_SUBNET =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Network\/virtualNetworks\/([^/]+)\/subnets\/([^/]+)$/;
const AZURE_GROUP = /^[\p{L}\p{N}_().-]{1,90}$/u;
const AZURE_NETWORK = /^[a-zA-Z0-9_.-]{2,64}$/;
const AZURE_SUBNET_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,79}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PORT_RANGE = /^(\d{1,5})-(\d{1,5})$/;

export const cidr: ObjectForm = {
  matches: (text) => CIDR_V4.test(text) || CIDR_V6.test(text),
  name: "a CIDR block as the API takes it",
  remedy: "write a CIDR block such as 10.0.0.0/16 or 2001:db8::/64",
};
export const hostname: ObjectForm = {
  matches: (text) => HOSTNAME.test(text),
  name: "a host name",
  remedy: "write labels of letters, digits and hyphens joined by dots",
};
export const domain: ObjectForm = {
  matches: (text) => text === "" || BASE_DOMAIN.test(text),
  name: "a domain name",
  remedy: "write letters, digits and hyphens, joined by dots: sub.example.com",
};
/** Whether a text is a host name that the address of a node port accepts. */
export const isNodePortName = (text: string): boolean =>
  text.length <= LIMIT.hostnameLength.max && NODE_PORT_NAME.test(text);

export const nodePortAddress: ObjectForm = {
  // The API's own pattern accepts neither IPv4 inside IPv6 nor zones.
  matches: (text) =>
    NODE_PORT_NAME.test(text) || isIP(text) === 4 || (isIP(text) === 6 && !/[.%]/.test(text)),
  name: "a host name or an IP address",
  remedy: "write a name with a dot in it, or an address without port and mask",
};
export const portRange: ObjectForm = {
  matches: (text) => {
    const [from, to] = portRangeOf(text) ?? [];
    return from !== undefined && to !== undefined && from <= to && to <= LIMIT.port.max;
  },
  name: "a range of ports",
  remedy: "write the first and the last port: 30000-32767",
};

export const networkName: ObjectForm = {
  matches: (text) => /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text),
  name: "a name as Google Cloud has them",
  remedy: "write lowercase letters, digits and hyphens, a letter first and no hyphen last",
};
export const googleProject: ObjectForm = {
  matches: (text) => /^[a-z][a-z0-9-]*[a-z0-9]$/.test(text),
  name: "the ID of a project on Google Cloud",
  remedy: "write lowercase letters, digits and hyphens, a letter first and no hyphen last",
};
export const googleRegion: ObjectForm = {
  matches: (text) => /^[a-z]+-[a-z]+[0-9]+$/.test(text),
  name: "a region of Google Cloud",
  remedy: "write its name, such as us-central1",
};
export const label: ObjectForm = {
  matches: (text) => DNS_LABEL.test(text),
  name: "a DNS label",
  remedy: "write lowercase letters, digits and hyphens, no hyphen first or last",
};
export const azureSubnet: ObjectForm = {
  matches: (text) => AZURE_SUBNET.test(text),
  name: "the ID of a subnet on Azure",
  remedy:
    "write /subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Network/virtualNetworks/{network}/subnets/{subnet}",
};
/** The subnet of a cluster's machines, with names as Azure has them: the API server only looks for a valid part in each name. */
export const azureMachineSubnet: ObjectForm = {
  matches(text) {
    const [, , group = "", network = "", subnet = ""] = AZURE_SUBNET.exec(text) ?? [];
    return (
      AZURE_GROUP.test(group) &&
      !group.endsWith(".") &&
      AZURE_NETWORK.test(network) &&
      !/[.-]$/.test(network) &&
      AZURE_SUBNET_NAME.test(subnet) &&
      !/[.-]$/.test(subnet)
    );
  },
  name: "the ID of a subnet on Azure with names as Azure has them",
  remedy: `${azureSubnet.remedy}, with names of at most 90, 64 and 80 characters that do not end with a period or hyphen`,
};
/** The subnet of a NodePool's machines: the API also judges its subscription. */
export const azurePoolSubnet: ObjectForm = {
  matches: (text) =>
    azureMachineSubnet.matches(text) && UUID.test(text.split("/")[2]!.replace(/^\{|\}$/g, "")),
  name: `${azureMachineSubnet.name}, and a UUID as the subscription`,
  remedy: azureMachineSubnet.remedy,
};
/** A UUID as the API takes it, with or without hyphens. */
export const uuid: ObjectForm = {
  matches: (text) => /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text),
  name: "a UUID",
  remedy: "write 32 hexadecimal digits: 6d3f1a52-0c4b-4f0e-9a57-3b1f0d1c2e4a",
};
export const withoutComma: ObjectForm = {
  matches: (text) => !text.includes(","),
  name: "a text without a comma",
  remedy: "write each tag as an entry of its own",
};
/** A block with a mask that its family has. */
export const sourceRange: ObjectForm = {
  matches(text) {
    const [address = "", mask = "", ...more] = text.split("/");
    const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return more.length === 0 && /^(?:0|[1-9]\d*)$/.test(mask) && Number(mask) <= longest;
  },
  name: "a CIDR block",
  remedy: cidr.remedy,
};
export const address: ObjectForm = {
  matches: (text) => isIP(text) !== 0,
  name: "an IP address",
  remedy: "write an address without a mask",
};

export const releaseImage: ObjectForm = {
  matches: (text) => text.length <= LIMIT.releaseImageLength && /^\w[^\t\n\f\r ]+$/.test(text),
  name: "an image as the API server accepts it",
  remedy: "write it without spaces, a letter or digit first: quay.io/...:4.20.4-x86_64",
};

export const awsRegion: ObjectForm = {
  matches: (text) => /^[a-z]{2,}(-[a-z]+)+-\d+$/.test(text),
  name: "an AWS region",
  remedy: "write its code, such as eu-central-1",
};

/** The first and the last port of `30000-32767`. */
export function portRangeOf(text: string): readonly [from: number, to: number] | undefined {
  const match = PORT_RANGE.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** A network of a NodePool's machines as later versions of the API accept it: namespace and name. */
export const isNamespacedName = (text: string): boolean => {
  const parts = text.split("/");
  return (
    text.length <= LIMIT.machineNetworkNameLength &&
    parts.length === 2 &&
    parts.every((part) => DNS_LABEL.test(part))
  );
};

/** The fields of `spec` that a HostedCluster has. Newer releases may have more. */
export const SPEC_FIELDS = [
  "additionalTrustBundle",
  "auditWebhook",
  "autoNode",
  "autoscaling",
  "capabilities",
  "channel",
  "clusterID",
  "configuration",
  "controlPlaneRelease",
  "controllerAvailabilityPolicy",
  "dns",
  "etcd",
  "fips",
  "imageContentSources",
  "infraID",
  "infrastructureAvailabilityPolicy",
  "issuerURL",
  "kubeAPIServerDNSName",
  "labels",
  "monitoring",
  "networking",
  "nodeSelector",
  "olmCatalogPlacement",
  "operatorConfiguration",
  "pausedUntil",
  "platform",
  "pullSecret",
  "release",
  "secretEncryption",
  "serviceAccountSigningKey",
  "services",
  "sshKey",
  "tolerations",
  "updateService",
] as const;

/** The fields of `spec.configuration`. */
export const CONFIGURATION_FIELDS = [
  "apiServer",
  "authentication",
  "featureGate",
  "image",
  "ingress",
  "network",
  "oauth",
  "operatorhub",
  "proxy",
  "scheduler",
] as const;

/** The fields of `spec.operatorConfiguration`. */
export const OPERATOR_FIELDS = [
  "clusterNetworkOperator",
  "clusterVersionOperator",
  "ingressOperator",
] as const;

/** Required fields of `spec` of every HostedCluster that no component sets, with what to write there. */
export const requiredFields: readonly { path: string; remedy: string }[] = [
  { path: "release.image", remedy: 'write the release: {"release": {"image": "quay.io/...:4.20.4-x86_64"}}' },
  { path: "pullSecret.name", remedy: 'write the name of a Secret: {"pullSecret": {"name": "pull-secret"}}' },
];

/** The section of `spec.platform` with a platform's own settings. */
export interface PlatformSection {
  /** Its key: `aws`. */
  key: string;
  /** The keys that the API requires in it. */
  required: readonly string[];
  /** The key that states who can reach the published services. */
  access?: string;
  /** The access that an absent key means, because older releases do not have the key. */
  impliedAccess?: EndpointAccess;
}

/** The sections of `spec.platform`; None has no settings. */
export const platformSections: { readonly [platform in Platform]?: PlatformSection } = {
  [Platform.AWS]: { key: "aws", required: ["region", "rolesRef"], access: "endpointAccess" },
  [Platform.Azure]: {
    key: "azure",
    required: [
      "azureAuthenticationConfig",
      "location",
      "resourceGroup",
      "securityGroupID",
      "subnetID",
      "subscriptionID",
      "tenantID",
      "vnetID",
    ],
    access: "topology",
    impliedAccess: EndpointAccess.Public,
  },
  [Platform.GCP]: {
    key: "gcp",
    required: ["networkConfig", "project", "region", "workloadIdentity"],
    access: "endpointAccess",
  },
  [Platform.IBMCloud]: { key: "ibmcloud", required: [] },
  [Platform.PowerVS]: {
    key: "powervs",
    required: [
      "accountID",
      "cisInstanceCRN",
      "imageRegistryOperatorCloudCreds",
      "ingressOperatorCloudCreds",
      "kubeCloudControllerCreds",
      "nodePoolManagementCreds",
      "region",
      "resourceGroup",
      "serviceInstanceID",
      "storageOperatorCloudCreds",
      "subnet",
      "vpc",
      "zone",
    ],
  },
  [Platform.KubeVirt]: { key: "kubevirt", required: [] },
  [Platform.OpenStack]: { key: "openstack", required: ["identityRef"] },
  [Platform.Agent]: { key: "agent", required: ["agentNamespace"] },
};

/** The path at which a platform's HostedCluster states who can reach the published services; undefined without such a setting. */
export function accessPath(platform: unknown): string | undefined {
  const section = typeof platform === "string" ? platformSections[platform as Platform] : undefined;
  return section?.access && `spec.platform.${section.key}.${section.access}`;
}
