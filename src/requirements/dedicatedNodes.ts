import { OCP_NETWORKING, HYPERSHIFT, KUBERNETES, OCP_DISTRIBUTION, at } from "./documents";
import type { DocumentReference } from "./documents";
import { Platform } from "./vocabulary";

/** What a taint does to pods that do not tolerate it. */
export const TaintEffect = {
  /** They are not placed on the node; those that run there stay. */
  NoSchedule: "NoSchedule",
  /** They are placed elsewhere where there is room. */
  PreferNoSchedule: "PreferNoSchedule",
  /** They are not placed on the node, and those that run there are evicted. */
  NoExecute: "NoExecute",
} as const;
export type TaintEffect = (typeof TaintEffect)[keyof typeof TaintEffect];

/** How a toleration is compared with the value of a taint. */
export const TolerationOperator = {
  /** The values are the same. */
  Equal: "Equal",
  /** Every value is tolerated. */
  Exists: "Exists",
} as const;
export type TolerationOperator = (typeof TolerationOperator)[keyof typeof TolerationOperator];

/** How many replicas the critical parts of a hosted control plane have: `spec.controllerAvailabilityPolicy`. */
export const ControllerAvailabilityPolicy = {
  /** Three, each on a node of its own. */
  HighlyAvailable: "HighlyAvailable",
  /** One. */
  SingleReplica: "SingleReplica",
} as const;
export type ControllerAvailabilityPolicy =
  (typeof ControllerAvailabilityPolicy)[keyof typeof ControllerAvailabilityPolicy];

/** What hosted control planes do not share. */
export const NodeIsolationLevel = {
  /** Every hosted control plane has virtual machines for itself; machines below them may be shared. */
  VirtualMachine: "VirtualMachine",
  /** Every hosted control plane has machines for itself: nothing is shared. */
  Physical: "Physical",
} as const;
export type NodeIsolationLevel = (typeof NodeIsolationLevel)[keyof typeof NodeIsolationLevel];

/** Keys of labels and taints of nodes that hosted control planes run on. */
export const NODE_KEY = {
  /** The one hosted cluster that a node is for. Its value is the namespace of the hosted control plane. */
  cluster: "hypershift.openshift.io/cluster",
  /** Nodes for hosted control planes in general. Its value is `true`. */
  controlPlane: "hypershift.openshift.io/control-plane",
  /** The key that the documents name. No pod tolerates a taint with it by itself. */
  documented: "hypershift.openshift.io/hosted-cluster",
} as const;

/** What a pod tolerates. Absent parts compare with everything, as in Kubernetes. */
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

/** The taints that every pod of a hosted control plane tolerates, whatever `spec.tolerations` of its HostedCluster says. */
export const toleratedTaints = (controlPlaneNamespace: string): readonly Taint[] => [
  { key: NODE_KEY.controlPlane, value: "true", effect: TaintEffect.NoSchedule },
  { key: NODE_KEY.cluster, value: controlPlaneNamespace, effect: TaintEffect.NoSchedule },
];

/** Nodes that the replicas of etcd and of the API server need: no two of them share one. */
export const nodesNeeded: Readonly<Record<ControllerAvailabilityPolicy, number>> = {
  [ControllerAvailabilityPolicy.HighlyAvailable]: 3,
  [ControllerAvailabilityPolicy.SingleReplica]: 1,
};

/** Platforms of hosted clusters whose replicas may share a zone. On the others those without a zone of their own never start. */
export const zonesMayBeShared: readonly Platform[] = [Platform.OpenStack, Platform.KubeVirt];

/** Where it stands how nodes are given to a hosted cluster. */
export const dedicatedNodeSources: Readonly<Record<string, DocumentReference>> = {
  levels: at(OCP_NETWORKING, "14.1. Network isolation for hosted clusters"),
  keys: at(OCP_DISTRIBUTION, "Labeling management cluster nodes"),
  scheduling: at(HYPERSHIFT, "support/controlplane-component/defaults.go"),
  virtualMachines: at(HYPERSHIFT, "hypershift-operator/controllers/nodepool/kubevirt/kubevirt.go"),
  tolerations: at(KUBERNETES, "Taints and Tolerations"),
};
