import * as kubernetes from "@pulumi/kubernetes";
import type { HostedClusterTopology } from "hypershift-network";

/** Stands for the HostedCluster that `hypershift create cluster` or GitOps has made before. */
export function existingHostedCluster({
  name,
  namespace,
  endpointAccess,
  machineNetwork,
}: HostedClusterTopology) {
  const clusters = new kubernetes.core.v1.Namespace("clusters", { metadata: { name: namespace } });
  const roles = [
    "controlPlaneOperator",
    "imageRegistry",
    "ingress",
    "kubeCloudController",
    "network",
    "nodePoolManagement",
    "storage",
  ].map((role) => [`${role}ARN`, `arn:aws:iam::123456789012:role/${name}-${role}`]);
  return new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name, namespace: clusters.metadata.name },
      spec: {
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
        pullSecret: { name: "pull-secret" },
        etcd: {
          managementType: "Managed",
          managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
        },
        platform: {
          type: "AWS",
          aws: { region: "us-east-1", endpointAccess, rolesRef: Object.fromEntries(roles) as object },
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
    // Its owner is elsewhere: what the landing zone patches into it is not taken back by this program.
    { ignoreChanges: ["spec"] },
  );
}
