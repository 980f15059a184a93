import * as kubernetes from "@pulumi/kubernetes";
import type { HostedClusterTopology } from "hypershift-network";

const roles = [
  "controlPlaneOperator",
  "imageRegistry",
  "ingress",
  "kubeCloudController",
  "network",
  "nodePoolManagement",
  "storage",
];

/** A HostedCluster as `hypershift create cluster` creates it, so that the example runs on an empty Kubernetes API. */
export function runningCluster(
  { name, platform, machineNetwork }: HostedClusterTopology,
  namespace: kubernetes.core.v1.Namespace,
) {
  const publishing = {
    APIServer: "LoadBalancer",
    OAuthServer: "Route",
    Konnectivity: "Route",
    Ignition: "Route",
  };
  const arn = (role: string) => `arn:aws:iam::123456789012:role/${name}-${role}`;
  return new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name, namespace: namespace.metadata.name },
      spec: {
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
        pullSecret: { name: "pull-secret" },
        etcd: {
          managementType: "Managed",
          managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
        },
        platform: {
          type: platform,
          aws: {
            region: "us-east-1",
            endpointAccess: "Public",
            rolesRef: Object.fromEntries(roles.map((role) => [`${role}ARN`, arn(role)])),
          },
        },
        networking: {
          networkType: "OVNKubernetes",
          machineNetwork,
          clusterNetwork: [{ cidr: "10.132.0.0/14" }],
          serviceNetwork: [{ cidr: "172.31.0.0/16" }],
        },
        services: Object.entries(publishing).map(([service, type]) => ({
          service,
          servicePublishingStrategy: { type },
        })),
      },
    },
    { retainOnDelete: true },
  );
}
