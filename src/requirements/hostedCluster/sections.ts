import { HYPERSHIFT, at } from "../documents";
import type { DocumentReference } from "../documents";
import { EndpointAccess, Platform } from "../vocabulary";

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

/** What stands in `spec` of every HostedCluster although no component knows it, with what has to be written there. */
export const requiredFields: readonly { path: string; remedy: string }[] = [
  { path: "release.image", remedy: 'write the release: {"release": {"image": "quay.io/...:4.20.4-x86_64"}}' },
  { path: "pullSecret.name", remedy: 'write the name of a Secret: {"pullSecret": {"name": "pull-secret"}}' },
];

/** The section of `spec.platform` in which a platform's own settings stand. */
export interface PlatformSection {
  /** Its key: `aws`. */
  key: string;
  /** The keys that the API demands in it. */
  required: readonly string[];
  /** The key that says who can reach the published services. */
  access?: string;
  /** The access that an absent key means, where older releases do not have the key. */
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

/** Where a platform's HostedCluster says who can reach the published services; undefined where there is no such choice. */
export function accessPath(platform: unknown): string | undefined {
  const section = platformSections[platform as Platform];
  return section?.access && `spec.platform.${section.key}.${section.access}`;
}

/** Where the fields and the demands on them are written. */
export const specDocuments: readonly DocumentReference[] = [at(HYPERSHIFT, "HostedCluster CRD, spec")];
