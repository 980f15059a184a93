import * as kubernetes from "@pulumi/kubernetes";
import type { HostedClusterTopology } from "hypershift-network";

/** Stands for the HostedCluster that IBM Cloud created before. */
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
        platform: { type: platform, ibmcloud: { providerType: "VPC" } },
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
