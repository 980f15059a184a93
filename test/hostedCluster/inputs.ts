import { judgeHostedCluster } from "../../src/hostedCluster/judge";
import type { PropertyMap } from "../../src/resources/read";
import { Platform } from "../../src/requirements/vocabulary";

/** The part of a spec that the API requires on each platform and that no typed input sets. */
export const restOf: Readonly<Record<Platform, object>> = {
  [Platform.AWS]: {
    platform: {
      aws: {
        region: "us-east-1",
        rolesRef: Object.fromEntries(
          [
            "controlPlaneOperator",
            "imageRegistry",
            "ingress",
            "kubeCloudController",
            "network",
            "nodePoolManagement",
            "storage",
          ].map((role) => [`${role}ARN`, `arn:aws:iam::123456789012:role/${role}`]),
        ),
      },
    },
  },
  [Platform.Azure]: {
    platform: {
      azure: {
        location: "eastus",
        resourceGroup: "tenant-a",
        vnetID: "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet",
        subnetID:
          "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes",
        subscriptionID: "00000000-0000-0000-0000-000000000001",
        tenantID: "00000000-0000-0000-0000-000000000002",
        securityGroupID:
          "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/networkSecurityGroups/nsg",
        azureAuthenticationConfig: {
          azureAuthenticationConfigType: "WorkloadIdentities",
          workloadIdentities: Object.fromEntries(
            [
              "imageRegistry",
              "ingress",
              "file",
              "disk",
              "nodePoolManagement",
              "cloudProvider",
              "network",
              "controlPlaneOperator",
            ].map((name) => [name, { clientID: "00000000-0000-0000-0000-000000000003" }]),
          ),
        },
      },
    },
  },
  [Platform.GCP]: {
    platform: {
      gcp: {
        project: "tenant-a-project",
        region: "us-central1",
        networkConfig: { network: { name: "network" }, privateServiceConnectSubnet: { name: "psc" } },
        workloadIdentity: {
          projectNumber: "123456789012",
          poolID: "tenant-a-pool",
          providerID: "tenant-a-provider",
          serviceAccountsEmails: Object.fromEntries(
            ["nodePool", "controlPlane", "cloudController", "storage", "imageRegistry", "network"].map(
              (name) => [name, `${name.toLowerCase()}-account@tenant-a-project.iam.gserviceaccount.com`],
            ),
          ),
        },
      },
    },
  },
  [Platform.IBMCloud]: {},
  [Platform.PowerVS]: {
    platform: {
      powervs: {
        accountID: "account",
        cisInstanceCRN: "crn:v1:bluemix:public:internet-svcs:global:a/1:2::",
        resourceGroup: "group",
        region: "dal",
        zone: "dal10",
        serviceInstanceID: "instance",
        subnet: { name: "subnet" },
        vpc: { name: "vpc", region: "us-south" },
        ...Object.fromEntries(
          [
            "kubeCloudControllerCreds",
            "nodePoolManagementCreds",
            "ingressOperatorCloudCreds",
            "storageOperatorCloudCreds",
            "imageRegistryOperatorCloudCreds",
          ].map((name) => [name, { name }]),
        ),
      },
    },
  },
  [Platform.KubeVirt]: { platform: { kubevirt: { baseDomainPassthrough: true } } },
  [Platform.OpenStack]: {
    platform: { openstack: { identityRef: { name: "credentials", cloudName: "openstack" } } },
  },
  [Platform.Agent]: { platform: { agent: { agentNamespace: "agents" } } },
  [Platform.None]: {},
};

const common = {
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  pullSecret: { name: "pull-secret" },
};

/** The rest of a spec on a platform, as JSON. */
export const restJson = (platform: Platform, more: object = {}): string =>
  JSON.stringify({ ...common, ...restOf[platform], ...more });

const address = "192.0.2.10";
const nodePort = { type: "NodePort", address };

/** Valid inputs of a HostedClusterNetwork on a platform, plus `topology` and `more`. */
export function inputsOn(platform: Platform, topology: object = {}, more: object = {}): PropertyMap {
  const byNodePort = platform === Platform.Agent || platform === Platform.None;
  const services = { apiServer: nodePort, oauthServer: nodePort, konnectivity: nodePort, ignition: nodePort };
  return {
    topology: {
      name: "tenant-a",
      platform,
      release: "4.20",
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      ...(byNodePort && { services }),
      ...topology,
    },
    additionalSpecJson: restJson(platform),
    ...more,
  };
}

const lines = (faults: readonly { path: string; problem: string; remedy: string }[]) =>
  faults.map(({ path, problem, remedy }) => `${path}  ${problem}: ${remedy}`);

/** The faults of such inputs, one line each. */
export const faultsOn = (platform: Platform, topology: object = {}, more: object = {}): string[] =>
  lines(judgeHostedCluster(inputsOn(platform, topology, more)).faults);

/** The warnings of such inputs, one line each; fails the test if there are faults. */
export function warningsOn(platform: Platform, topology: object = {}, more: object = {}): string[] {
  const { faults, warnings } = judgeHostedCluster(inputsOn(platform, topology, more));
  expect(lines(faults)).toEqual([]);
  return lines(warnings);
}
