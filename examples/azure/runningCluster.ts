import * as kubernetes from "@pulumi/kubernetes";
import type { HostedClusterTopology } from "hypershift-network";

const group = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/tenant-a/providers";
const client = { clientID: "00000000-0000-0000-0000-000000000003" };

/** Stands for the HostedCluster that `hypershift create cluster azure` or GitOps created before. */
export function runningCluster({ name, namespace, platform, machineNetwork }: HostedClusterTopology) {
  const clusters = new kubernetes.core.v1.Namespace(
    "clusters",
    { metadata: { name: namespace } },
    { retainOnDelete: true },
  );
  return new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name, namespace: clusters.metadata.name },
      spec: {
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
        pullSecret: { name: "pull-secret" },
        dns: { baseDomain: "example.com" },
        etcd: {
          managementType: "Managed",
          managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
        },
        platform: {
          type: platform,
          azure: {
            location: "eastus",
            resourceGroup: "tenant-a",
            subscriptionID: "00000000-0000-0000-0000-000000000001",
            tenantID: "00000000-0000-0000-0000-000000000002",
            vnetID: `${group}/Microsoft.Network/virtualNetworks/tenant-a`,
            subnetID: `${group}/Microsoft.Network/virtualNetworks/tenant-a/subnets/workers`,
            securityGroupID: `${group}/Microsoft.Network/networkSecurityGroups/tenant-a`,
            azureAuthenticationConfig: {
              azureAuthenticationConfigType: "WorkloadIdentities",
              workloadIdentities: {
                cloudProvider: client,
                controlPlaneOperator: client,
                disk: client,
                file: client,
                imageRegistry: client,
                ingress: client,
                network: client,
                nodePoolManagement: client,
              },
            },
          },
        },
        networking: {
          networkType: "OVNKubernetes",
          machineNetwork,
          clusterNetwork: [{ cidr: "10.132.0.0/14" }],
          serviceNetwork: [{ cidr: "172.31.0.0/16" }],
        },
        services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
          service,
          servicePublishingStrategy: { type: service === "APIServer" ? "LoadBalancer" : "Route" },
        })),
      },
    },
    // Stands for an object of another owner: `ignoreChanges` keeps this program from reverting the patch.
    { ignoreChanges: ["spec"], retainOnDelete: true },
  );
}
