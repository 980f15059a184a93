/**
 * A hosted cluster whose nodes are virtual machines of the management cluster: its network, which must not overlap that of the
 * management cluster, and the network policies of the namespace in which control plane and machines run side by side.
 *
 *   pulumi up
 *   pulumi config set transitSubnet 100.70.0.0/16 && pulumi up      changes the subnet in place and rolls out ovnkube-node
 *
 * You cannot choose the join subnet: HyperShift gives virtual machines 100.66.0.0/16, which differs from that of their hosts.
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  ControlPlaneIsolation,
  HostedClusterNetwork,
  Platform,
  type HostedClusterTopology,
} from "hypershift-network";

const config = new pulumi.Config();

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.KubeVirt,
  release: "4.20",
  // Its machines are pods of the management cluster, so this is that cluster's pod network.
  machineNetwork: [{ cidr: "10.128.0.0/14" }],
  clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }],
  internalTransitSwitchSubnet: config.get("transitSubnet") ?? "100.69.0.0/16",
  managementClusterCidrs: ["10.1.0.0/16"],
  registryCidrs: ["198.51.100.0/24"],
  infrastructureCidrs: [{ name: "services of the management cluster", cidr: "172.30.0.0/16" }],
};

// Kept when the stack is destroyed: deleting a namespace deletes everything in it.
const namespace = new kubernetes.core.v1.Namespace(
  "clusters",
  { metadata: { name: topology.namespace } },
  { protect: true, retainOnDelete: true },
);

const cluster = new HostedClusterNetwork("tenant-a", {
  topology,
  namespace: namespace.metadata.name,
  additionalSpecJson: JSON.stringify({
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
    pullSecret: { name: "pull-secret" },
    platform: { kubevirt: { baseDomainPassthrough: true } },
  }),
});

// HyperShift creates this namespace with the hosted cluster. Leave it out if the hosted cluster exists.
const controlPlane = new kubernetes.core.v1.Namespace("control-plane", {
  metadata: { name: cluster.hostedControlPlaneNamespace },
});
const isolation = new ControlPlaneIsolation("tenant-a", { topology, namespace: controlPlane.metadata.name });

export const networking = cluster.spec.networking;
export const policies = isolation.policies.apply((rows) =>
  rows.map(({ name, purpose }) => `${name}: ${purpose}`),
);
