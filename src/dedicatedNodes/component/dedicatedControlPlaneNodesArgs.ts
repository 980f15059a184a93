import type * as pulumi from "@pulumi/pulumi";
import type {
  ControllerAvailabilityPolicy,
  NodeIsolationLevel,
  TaintEffect,
  TolerationOperator,
} from "../../requirements/dedicatedNodes";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { NodePoolReference, HostedClusterReference } from "../../components/hostedClusterPatch";

/**
 * Nodes of the management cluster dedicated to one hosted control plane: the physical isolation level of the documents, or the
 * virtual machine level if the nodes are virtual machines. Combine it with network policies (`ControlPlaneIsolation`) and
 * network ACLs (`HostedControlPlaneNetworkAcls`).
 */
export interface DedicatedControlPlaneNodesArgs extends DedicatedNodesSettings {
  /**
   * The hosted cluster. Its control plane's namespace, `<namespace>-<name>`, is the value of labels and taints. Plain values.
   * Changing name or namespace changes the labels in place. (Network isolation for hosted clusters)
   */
  topology: HostedClusterTopology;
  /**
   * A HostedCluster that already exists, into which the node selector is patched when the nodes are ready for it: its control
   * plane then runs on no other nodes, and HyperShift moves its pods. Refused if there are fewer nodes than the pods need.
   * Defaults to none: put the output `hostedClusterFragment` into the HostedCluster. The server refuses a second patch of one
   * object: if another component patches the HostedCluster, put the output there. Changing it leaves the node selector of the
   * first cluster as it is. (HostedCluster API, spec.nodeSelector)
   */
  existingHostedCluster?: HostedClusterReference;
}

/** The settings of the nodes that do not depend on the hosted cluster. */
export interface DedicatedNodesSettings {
  /**
   * What is not shared with other hosted clusters. With `VirtualMachine` the nodes are virtual machines, to which the pods of
   * the control plane are pinned; two hosted clusters may have theirs on one machine, with a hypervisor between them. With
   * `Physical` no machine is shared either, to the extent that `nodes[].host` states the machines. Defaults to `Physical`.
   * Changing it changes nothing that exists. (Network isolation for hosted clusters)
   */
  level?: NodeIsolationLevel;
  /**
   * Existing nodes of the management cluster, which get the labels. A node must not belong to another hosted cluster. Plain
   * values. Defaults to none: machine sets or node pools set labels and taints, from the outputs. A node that is removed from
   * the list keeps its labels and its taint unless `removeOnDelete` was deployed before. (Distributing hosted cluster
   * workloads, Labeling management cluster nodes)
   */
  nodes?: DedicatedNode[];
  /**
   * Total number of nodes dedicated to the hosted control plane, including those of machine sets and node pools. Defaults to
   * the number of `nodes`. Changing it changes nothing that exists.
   */
  dedicatedNodeCount?: number;
  /**
   * `spec.controllerAvailabilityPolicy` of the HostedCluster, which decides how many nodes its control plane needs: three, in
   * three zones except on KubeVirt and OpenStack, or one. Defaults to `HighlyAvailable`, as in the HostedCluster. Changing it
   * changes nothing that exists. (HyperShift, support/controlplane-component)
   */
  controllerAvailabilityPolicy?: ControllerAvailabilityPolicy;
  /**
   * Adds the label and taint `hypershift.openshift.io/control-plane: true`, which the pods of every hosted control plane prefer
   * and tolerate. Defaults to false: the taint for the one hosted cluster already keeps all other pods away. Changing it
   * changes labels and taints in place. (Distributing hosted cluster workloads, Labeling management cluster nodes)
   */
  reserveForControlPlanes?: boolean;
  /**
   * Taints in addition to the component's own. Pods of the control plane must tolerate them. By default they tolerate
   * `hypershift.openshift.io/cluster` with the value of their own namespace and `hypershift.openshift.io/control-plane: true`,
   * both only with NoSchedule; everything else needs `tolerations`. The documents' key `hypershift.openshift.io/hosted-cluster`
   * is such a taint; if it is not listed here, it is only a label. Plain values. Defaults to none. Changes are made in place.
   * (Network isolation for hosted clusters; HyperShift, support/controlplane-component)
   */
  additionalTaints?: NodeTaint[];
  /**
   * `spec.tolerations` of the HostedCluster, against which `additionalTaints` are checked; they go into
   * `hostedClusterFragment`. They are not patched into an existing HostedCluster: that list has one owner. Plain values, 25 at
   * most. Defaults to none. (HostedCluster API, spec.tolerations)
   */
  tolerations?: PodToleration[];
  /**
   * Whether the taints are added to `spec.taints` of `nodes`: the component reads the node, adds what is missing, and writes it
   * unless another program has written it since. Taints of others are never touched; a patch would delete them. Pods that
   * already run there stay. Defaults to false, with a warning; an explicit `false` states that the taints come from the
   * outputs. Works in Node.js programs that have this package as a dependency. (Kubernetes, Taints and Tolerations)
   */
  manageTaints?: boolean;
  /**
   * A kubeconfig of the management cluster, its content or the path of a file; a secret. Only for `manageTaints`. Defaults to that of the
   * default Kubernetes provider: `kubernetes:kubeconfig` in the stack's configuration, else KUBECONFIG, else `~/.kube/config`. Required if
   * the component is given a Kubernetes provider. Changing it to another cluster leaves the taints in the first one.
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * The context in that kubeconfig. Only for `manageTaints`. Defaults to `kubernetes:context` in the stack's configuration,
   * else to the current context.
   */
  context?: pulumi.Input<string>;
  /**
   * Labels of the machines on which the dedicated nodes run, if the nodes are virtual machines of a NodePool on KubeVirt: they
   * go into `nodePoolFragment`. With a label that machines of other hosted clusters do not have, machines are not shared. Plain
   * values. Defaults to any machine. (NodePool API, spec.platform.kubevirt.nodeSelector)
   */
  hostSelector?: Record<string, string>;
  /**
   * Where the hosted cluster's own nodes run, only on KubeVirt: they are virtual machines of the management cluster, in the
   * namespace of the control plane. They tolerate no taint, so they never run on nodes dedicated to a control plane, and they
   * share machines with those of other hosted clusters unless this input prevents it. Plain values. Defaults to any node
   * without a taint. (NodePool API, spec.platform.kubevirt.nodeSelector)
   */
  workerVirtualMachines?: WorkerVirtualMachines;
  /**
   * Takes labels and node selectors from another owner, such as another hosted cluster. Defaults to false: the deployment stops
   * with a conflict that names the owner. Taints are never taken.
   */
  forcePatch?: boolean;
  /**
   * Removes everything again when this component is deleted, the node selector first. Defaults to false: it stays, because a node selector
   * whose label is gone leaves pods of the control plane without a node. Deploy a change of this setting before you destroy the component.
   */
  removeOnDelete?: boolean;
}

/** A node of the management cluster dedicated to one hosted control plane. */
export interface DedicatedNode {
  /** Name of the Node object: `worker-1a`. A plain value. Changing it labels another node. */
  name: string;
  /**
   * Its zone, `topology.kubernetes.io/zone`, as on the Node object: it is compared, not written. Replicas of a control plane
   * start only in different zones, except on KubeVirt and OpenStack. Defaults to unknown.
   */
  zone?: string;
  /** The machine on which it runs, if it is a virtual machine: it is compared, not written. Defaults to unknown. */
  host?: string;
}

/** A taint of a node. */
export interface NodeTaint {
  /** Key: `example.com/team`. A plain value. */
  key: string;
  /** Value, 63 characters at most. Defaults to none. A plain value. */
  value?: string;
  /** Its effect on pods that do not tolerate it. A plain value. */
  effect: TaintEffect;
}

/** A toleration of hosted control plane pods, in addition to their defaults. */
export interface PodToleration {
  /** Key of the taint. Defaults to every key, with operator `Exists`. A plain value. */
  key?: string;
  /** How the value is compared. Defaults to `Equal`. A plain value. */
  operator?: TolerationOperator;
  /** Value of the taint; absent with operator `Exists`. A plain value. */
  value?: string;
  /** Effect of the taint. Defaults to every effect. A plain value. */
  effect?: TaintEffect;
  /** Seconds after which a pod is evicted anyway; only with effect `NoExecute`. Defaults to never. A plain value. */
  tolerationSeconds?: number;
}

/** Where the nodes of a hosted cluster on KubeVirt run. */
export interface WorkerVirtualMachines {
  /**
   * Labels of the management cluster's nodes on which they run, and on no others. Labels of dedicated nodes are refused:
   * virtual machines do not tolerate their taint. Plain values. Changing it replaces the virtual machines of `nodePools`.
   */
  nodeSelector: Record<string, string>;
  /**
   * Existing NodePools into which the selector is patched: HyperShift then replaces their virtual machines. Plain values.
   * Defaults to none: put the output `workerNodePoolFragment` into the NodePools.
   */
  nodePools?: NodePoolReference[];
}

/** Fields for `spec` of a HostedCluster, so that its control plane runs only on the dedicated nodes. */
export interface DedicatedHostedClusterFragment {
  /** Labels that a node must have. */
  nodeSelector: Record<string, string>;
  /** The value of the input `tolerations`. */
  tolerations?: PodToleration[];
}

/** Fields for `spec` of a NodePool. */
export interface DedicatedNodePoolFragment {
  /** Labels that nodes get when they are created. */
  nodeLabels: Record<string, string>;
  /** Taints that nodes get when they are created. */
  taints: NodeTaint[];
  /** Where the virtual machines run; only with `hostSelector`. */
  platform?: NodePoolPlacement;
}

/** `spec.platform` of a NodePool, without its type. */
export interface NodePoolPlacement {
  /** Settings of KubeVirt. */
  kubevirt: KubevirtPlacement;
}

/** The fields of `spec.platform.kubevirt` of a NodePool that decide where virtual machines run. */
export interface KubevirtPlacement {
  /** Labels that a node must have. */
  nodeSelector: Record<string, string>;
}

/** Fields for `spec` of a NodePool whose virtual machines are nodes of the hosted cluster. */
export interface WorkerNodePoolFragment {
  /** Where the virtual machines run. */
  platform: NodePoolPlacement;
}

/** Fields for `spec` of a MachineSet (`machine.openshift.io/v1beta1`). */
export interface MachineSetFragment {
  /** The template of its machines. */
  template: MachineTemplateFragment;
}

/** The template of a MachineSet. */
export interface MachineTemplateFragment {
  /** The machine. */
  spec: MachineFragment;
}

/** A machine of a MachineSet. */
export interface MachineFragment {
  /** Metadata that its node gets. */
  metadata: MachineMetadata;
  /** Taints that its node gets. */
  taints: NodeTaint[];
}

/** Metadata that the node of a machine gets. */
export interface MachineMetadata {
  /** Labels. */
  labels: Record<string, string>;
}

/** Fields for `spec` of a KubeletConfig (`machineconfiguration.openshift.io/v1`), without the selector of its pool. */
export interface KubeletConfigFragment {
  /** Settings of the kubelet. */
  kubeletConfig: KubeletSettings;
}

/** Settings of a kubelet. */
export interface KubeletSettings {
  /** Taints that a node has when it joins. */
  registerWithTaints: NodeTaint[];
}

/** Fields for `spec` of a MachineConfig (`machineconfiguration.openshift.io/v1`). */
export interface MachineConfigFragment {
  /** Ignition configuration. */
  config: IgnitionFragment;
}

/** An Ignition configuration. */
export interface IgnitionFragment {
  /** Its version. */
  ignition: IgnitionVersion;
  /** Units of systemd. */
  systemd: IgnitionSystemd;
}

/** The version of an Ignition configuration. */
export interface IgnitionVersion {
  /** The version: `3.2.0`. */
  version: string;
}

/** Units of systemd. */
export interface IgnitionSystemd {
  /** The unit of the kubelet. */
  units: IgnitionUnit[];
}

/** A unit of systemd. */
export interface IgnitionUnit {
  /** The name: `kubelet.service`. */
  name: string;
  /** Drop-in files of the unit. */
  dropins: IgnitionDropin[];
}

/** A drop-in file of a systemd unit. */
export interface IgnitionDropin {
  /** Name of the file. */
  name: string;
  /** Its content. */
  contents: string;
}
