/**
 * Hosted control planes in virtual machines of their own: a management cluster whose nodes are virtual machines on OpenShift
 * Virtualization, and two hosted clusters on KubeVirt. Each control plane is pinned to virtual machines that the other one
 * does not use; the machines under them may be shared. The nodes of each hosted cluster run on their own rack.
 *
 *   pulumi up
 *   pulumi config set rack rack-7 && pulumi up      moves the nodes of tenant-a to another rack, in place
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import {
  DedicatedControlPlaneNodes,
  HostedClusterNetwork,
  NodeIsolationLevel,
  Platform,
} from "hypershift-network";

import { nodePool } from "./nodePool";

const config = new pulumi.Config();
const release = { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" };

// Kept when the stack is destroyed: deleting a namespace deletes everything in it.
const namespace = new kubernetes.core.v1.Namespace(
  "clusters",
  { metadata: { name: "clusters" } },
  { protect: true, retainOnDelete: true },
);

const tenants = [
  { name: "tenant-a", rack: config.get("rack") ?? "rack-1", cidr: "192.168.10.0/24", pods: "10.136.0.0/14" },
  { name: "tenant-b", rack: "rack-2", cidr: "192.168.20.0/24", pods: "10.140.0.0/14" },
];

export const pinned = tenants.map(({ name, rack, cidr, pods }) => {
  const topology = {
    name,
    platform: Platform.KubeVirt,
    release: "4.20",
    machineNetwork: [{ cidr }],
    clusterNetwork: [{ cidr: pods }],
    managementClusterCidrs: ["192.168.1.0/24"],
  };
  const isolation = new DedicatedControlPlaneNodes(name, {
    topology,
    level: NodeIsolationLevel.VirtualMachine,
    // The virtual machines of the node pool below, on machines that all control planes share.
    dedicatedNodeCount: 3,
    hostSelector: { "example.com/purpose": "control-planes" },
    workerVirtualMachines: { nodeSelector: { "example.com/rack": rack } },
  });

  // Three nodes of the management cluster, which is a hosted cluster itself.
  nodePool(`${name}-control-plane`, "management", namespace, isolation.nodePoolFragment);
  new HostedClusterNetwork(name, {
    topology,
    namespace: namespace.metadata.name,
    additionalSpecJson: pulumi.jsonStringify(
      isolation.hostedClusterFragment.apply((placement) => ({
        release,
        pullSecret: { name: "pull-secret" },
        ...placement,
      })),
    ),
  });
  // The nodes of the hosted cluster.
  nodePool(name, name, namespace, isolation.workerNodePoolFragment);
  return isolation.hostedClusterFragment.nodeSelector;
});
