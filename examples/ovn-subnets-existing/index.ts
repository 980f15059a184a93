/**
 * Other internal subnets for a running hosted cluster: the company uses 100.64.0.0/16, the default join subnet of
 * OVN-Kubernetes. Destroying the stack leaves the subnets as they are.
 *
 *   pulumi up
 *   pulumi config set joinSubnet 100.98.0.0/16 && pulumi up      changes the subnet in place and rolls out ovnkube-node
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { OvnSubnetConfig, Platform, type HostedClusterTopology } from "hypershift-network";

const config = new pulumi.Config();

const topology: HostedClusterTopology = {
  name: "tenant-a",
  platform: Platform.None,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }],
  infrastructureCidrs: [{ name: "corporate", cidr: "100.64.0.0/16" }],
};

/** Stands for the running cluster: if you have one, leave namespace and cluster out, and write its name below. */
const namespace = new kubernetes.core.v1.Namespace(
  "clusters",
  { metadata: { name: "clusters" } },
  { protect: true, retainOnDelete: true },
);
const running = new kubernetes.apiextensions.CustomResource(
  "tenant-a",
  {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedCluster",
    metadata: { name: topology.name, namespace: namespace.metadata.name },
    spec: {
      release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
      pullSecret: { name: "pull-secret" },
      platform: { type: topology.platform },
      networking: {
        networkType: "OVNKubernetes",
        machineNetwork: topology.machineNetwork,
        clusterNetwork: topology.clusterNetwork,
        serviceNetwork: topology.serviceNetwork,
      },
      services: ["APIServer", "Ignition", "Konnectivity", "OAuthServer"].map((service) => ({
        service,
        servicePublishingStrategy: { type: "NodePort", nodePort: { address: "192.0.2.10" } },
      })),
    },
  },
  { protect: true, retainOnDelete: true },
);

const subnets = new OvnSubnetConfig("tenant-a", {
  topology,
  internalJoinSubnet: config.get("joinSubnet") ?? "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
  existingHostedCluster: {
    name: running.metadata.name,
    namespace: running.metadata.namespace,
  },
});

export const ipv4 = subnets.fragment.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.ipv4;
