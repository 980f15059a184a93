import { OCP_NETWORKING, HYPERSHIFT, KUBERNETES, OCP_DISTRIBUTION, at } from "./documents";
import type { DocumentReference } from "./documents";
import { Platform } from "./vocabulary";

/** What a taint does to pods that do not tolerate it. */
export const TaintEffect = {
  /** New pods are not scheduled on the node; running pods stay. */
  NoSchedule: "NoSchedule",
  /** Pods are scheduled elsewhere if there is room. */
  PreferNoSchedule: "PreferNoSchedule",
  /** New pods are not scheduled on the node, and running pods are evicted. */
  NoExecute: "NoExecute",
} as const;
export type TaintEffect = (typeof TaintEffect)[keyof typeof TaintEffect];

/** How a toleration is compared with the value of a taint. */
export const TolerationOperator = {
  /** The values are equal. */
  Equal: "Equal",
  /** Every value is tolerated. */
  Exists: "Exists",
} as const;
export type TolerationOperator = (typeof TolerationOperator)[keyof typeof TolerationOperator];

/** The number of replicas of a hosted control plane's critical parts: `spec.controllerAvailabilityPolicy`. */
export const ControllerAvailabilityPolicy = {
  /** Three, each on its own node. */
  HighlyAvailable: "HighlyAvailable",
  /** One. */
  SingleReplica: "SingleReplica",
} as const;
export type ControllerAvailabilityPolicy =
  (typeof ControllerAvailabilityPolicy)[keyof typeof ControllerAvailabilityPolicy];

/** What hosted control planes do not share. */
export const NodeIsolationLevel = {
  /** Every hosted control plane has its own virtual machines; the machines below them may be shared. */
  VirtualMachine: "VirtualMachine",
  /** Every hosted control plane has its own machines: nothing is shared. */
  Physical: "Physical",
} as const;
export type NodeIsolationLevel = (typeof NodeIsolationLevel)[keyof typeof NodeIsolationLevel];

/** Keys of labels and taints of nodes that hosted control planes run on. */
export const NODE_KEY = {
  /** The hosted cluster to which a node is dedicated. Its value is the namespace of the hosted control plane. */
  cluster: "hypershift.openshift.io/cluster",
  /** Nodes for hosted control planes in general. Its value is `true`. */
  controlPlane: "hypershift.openshift.io/control-plane",
  /** The key that the documents name. No pod tolerates a taint with it by default. */
  documented: "hypershift.openshift.io/hosted-cluster",
} as const;

/** What a pod tolerates. Absent parts match everything, as in Kubernetes. */
export interface Toleration {
  key?: string;
  operator?: TolerationOperator;
  value?: string;
  effect?: TaintEffect;
  tolerationSeconds?: number;
}

/** A taint of a node. */
export interface Taint {
  key: string;
  value?: string;
  effect: TaintEffect;
}

/** The taints that every pod of a hosted control plane tolerates, regardless of `spec.tolerations` of its HostedCluster. */
export const toleratedTaints = (controlPlaneNamespace: string): readonly Taint[] => [
  { key: NODE_KEY.controlPlane, value: "true", effect: TaintEffect.NoSchedule },
  { key: NODE_KEY.cluster, value: controlPlaneNamespace, effect: TaintEffect.NoSchedule },
];

/** Prefixes of the keys of taints that Kubernetes and its autoscaler set and remove: the state of a node, not its configuration. */
const nodeState: readonly string[] = [
  // Cordoned, not ready, unreachable, short of memory.
  "node.kubernetes.io/",
  // Not yet initialized by the cloud provider, or shut down.
  "node.cloudprovider.kubernetes.io/",
  "ToBeDeletedByClusterAutoscaler",
];

/** Whether a taint with that key is the state of a node, not part of its configuration. */
export const isNodeState = (key: string): boolean => nodeState.some((prefix) => key.startsWith(prefix));

/** The number of nodes for the replicas of etcd and of the API server: no two replicas share a node. */
export const nodesNeeded: Readonly<Record<ControllerAvailabilityPolicy, number>> = {
  [ControllerAvailabilityPolicy.HighlyAvailable]: 3,
  [ControllerAvailabilityPolicy.SingleReplica]: 1,
};

/** Platforms of hosted clusters whose replicas may share a zone. On other platforms, replicas without a zone of their own never start. */
export const zonesMayBeShared: readonly Platform[] = [Platform.OpenStack, Platform.KubeVirt];

/** The documents on dedicating nodes to a hosted cluster. */
export const dedicatedNodeSources: Readonly<Record<string, DocumentReference>> = {
  levels: at(OCP_NETWORKING, "14.1. Network isolation for hosted clusters"),
  keys: at(OCP_DISTRIBUTION, "Labeling management cluster nodes"),
  scheduling: at(HYPERSHIFT, "support/controlplane-component/defaults.go"),
  virtualMachines: at(HYPERSHIFT, "hypershift-operator/controllers/nodepool/kubevirt/kubevirt.go"),
  tolerations: at(KUBERNETES, "Taints and Tolerations"),
};
