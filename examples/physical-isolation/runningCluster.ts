import * as kubernetes from "@pulumi/kubernetes";
import type { HostedClusterTopology } from "hypershift-network";

const kept = { retainOnDelete: true };

/** Three machines of the management cluster, each in its own zone, as their kubelets report them. */
export const machines = ["a", "b", "c"].map((letter) => {
  const zone = `us-east-1${letter}`;
  const name = `worker-1${letter}`;
  const labels = { "topology.kubernetes.io/zone": zone };
  return { name, zone, node: new kubernetes.core.v1.Node(name, { metadata: { name, labels } }, kept) };
});

const roles = [
  "controlPlaneOperator",
  "imageRegistry",
  "ingress",
  "kubeCloudController",
  "network",
  "nodePoolManagement",
  "storage",
];

/** A HostedCluster and its namespaces as HyperShift has them, so that the example runs on an empty Kubernetes API. */
export function runningCluster({
  name,
  namespace = "clusters",
  platform,
  machineNetwork,
}: HostedClusterTopology) {
  const publishing = {
    APIServer: "LoadBalancer",
    OAuthServer: "Route",
    Konnectivity: "Route",
    Ignition: "Route",
  };
  const [clusters, controlPlane] = [namespace, `${namespace}-${name}`].map(
    (space) => new kubernetes.core.v1.Namespace(space, { metadata: { name: space } }, kept),
  );
  const arn = (role: string) => `arn:aws:iam::123456789012:role/${name}-${role}`;
  const cluster = new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name, namespace: clusters!.metadata.name },
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
    kept,
  );
  return { cluster, controlPlane: controlPlane!.metadata.name };
}
