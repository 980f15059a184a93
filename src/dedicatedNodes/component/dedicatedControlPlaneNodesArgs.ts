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
 * Nodes of the management cluster that one hosted control plane has for itself: the physical isolation level of the
 * documents, or the level of virtual machines where those nodes are virtual machines. Network policies
 * (`ControlPlaneIsolation`) and network ACLs (`HostedControlPlaneNetworkAcls`) belong to it.
 */
export interface DedicatedControlPlaneNodesArgs extends DedicatedNodesSettings {
  /**
   * The hosted cluster. Its control plane's namespace, `<namespace>-<name>`, is the value of labels and taints. Plain values.
   * Changing name or namespace changes the labels in place. (Network isolation for hosted clusters)
   */
  topology: HostedClusterTopology;
  /**
   * A HostedCluster that exists already, into which the node selector is patched when the nodes are ready for it: other nodes
   * are then no longer taken. HyperShift moves the pods of its control plane. Refused where there are fewer nodes than they
   * need. Defaults to none: put the output `hostedClusterFragment` into the HostedCluster. The server refuses a second patch
   * of one object: where another component patches the HostedCluster, put the output there. Changing it leaves the node
   * selector of the first cluster as it is. (HostedCluster API, spec.nodeSelector)
   */
  existingHostedCluster?: HostedClusterReference;
}

/** What can be chosen of the nodes, whatever the hosted cluster is. */
export interface DedicatedNodesSettings {
  /**
   * What is not shared with other hosted clusters. With `VirtualMachine` the nodes are virtual machines, to which the pods of
   * the control plane are pinned; two hosted clusters may have theirs on one machine, with a hypervisor between them. With
   * `Physical` no machine is shared either, as far as `nodes[].host` says it. Defaults to `Physical`. Changing it changes
   * nothing that exists. (Network isolation for hosted clusters)
   */
  level?: NodeIsolationLevel;
  /**
   * Existing nodes of the management cluster, which get the labels. None of them may be another hosted cluster's. Plain
   * values. Defaults to none: machine sets or node pools bring labels and taints along, by the outputs. A node that is taken
   * out of the list keeps its labels and its taint unless `removeOnDelete` was deployed before. (Distributing hosted cluster
   * workloads, Labeling management cluster nodes)
   */
  nodes?: DedicatedNode[];
  /**
   * How many nodes the hosted control plane has for itself altogether, those of machine sets and node pools included.
   * Defaults to the number of `nodes`. Changing it changes nothing that exists.
   */
  dedicatedNodeCount?: number;
  /**
   * `spec.controllerAvailabilityPolicy` of the HostedCluster, which says how many nodes its control plane needs: three, in
   * three zones except on KubeVirt and OpenStack, or one. Defaults to `HighlyAvailable`, as the HostedCluster's does. Changing
   * it changes nothing that exists. (HyperShift, support/controlplane-component)
   */
  controllerAvailabilityPolicy?: ControllerAvailabilityPolicy;
  /**
   * Adds label and taint `hypershift.openshift.io/control-plane: true`, which the pods of every hosted control plane prefer
   * and tolerate. Defaults to false: the taint for the one hosted cluster keeps all others away already. Changing it changes
   * labels and taints in place. (Distributing hosted cluster workloads, Labeling management cluster nodes)
   */
  reserveForControlPlanes?: boolean;
  /**
   * Taints beside the component's own. Pods of the control plane have to tolerate them: by themselves they tolerate
   * `hypershift.openshift.io/cluster` with the value of their own namespace and `hypershift.openshift.io/control-plane: true`,
   * both only with NoSchedule, everything else by `tolerations`. The documents' key `hypershift.openshift.io/hosted-cluster`
   * is such a taint; without one it is a label only. Plain values. Defaults to none. Changes are made in place. (Network
   * isolation for hosted clusters; HyperShift, support/controlplane-component)
   */
  additionalTaints?: NodeTaint[];
  /**
   * `spec.tolerations` of the HostedCluster, against which `additionalTaints` are held; they go into `hostedClusterFragment`. A
   * HostedCluster that exists is not given them: that list has one owner. Plain values, 25 at most. Defaults to none.
   * (HostedCluster API, spec.tolerations)
   */
  tolerations?: PodToleration[];
  /**
   * Whether the taints are added to `spec.taints` of `nodes`: the node is read, what is missing is added, and it is written
   * unless another program has written it since. Taints of others are never touched; a patch would delete them. Pods that run
   * there stay. Defaults to false, with a warning; written out as `false` it says that the taints come from the outputs. Works
   * from Node.js programs that have this package among their dependencies. (Kubernetes, Taints and Tolerations)
   */
  manageTaints?: boolean;
  /**
   * A kubeconfig of the management cluster, its content or the path of a file; a secret. Only for `manageTaints`. Defaults to
   * the one of the default Kubernetes provider: `kubernetes:kubeconfig` in the stack's configuration, else KUBECONFIG, else
   * `~/.kube/config`. Needed where the component is given a Kubernetes provider. Changing it to another cluster leaves the
   * taints in the first one.
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * The context in that kubeconfig. Only for `manageTaints`. Defaults to `kubernetes:context` in the stack's configuration,
   * else to the current one.
   */
  context?: pulumi.Input<string>;
  /**
   * Labels of the machines on which the dedicated nodes run, where those are virtual machines of a NodePool on KubeVirt: they
   * go into `nodePoolFragment`. With a label that another hosted cluster's machines do not have, machines are not shared.
   * Plain values. Defaults to any machine. (NodePool API, spec.platform.kubevirt.nodeSelector)
   */
  hostSelector?: Record<string, string>;
  /**
   * Where the hosted cluster's own nodes run, only on KubeVirt: they are virtual machines of the management cluster, in the
   * namespace of the control plane. They tolerate no taint, so they are never on nodes that are dedicated to a control plane,
   * and share machines with those of other hosted clusters unless this says otherwise. Plain values. Defaults to any node
   * without a taint. (NodePool API, spec.platform.kubevirt.nodeSelector)
   */
  workerVirtualMachines?: WorkerVirtualMachines;
  /**
   * Takes labels and node selectors from another owner, such as another hosted cluster's. Defaults to false: the deployment
   * stops with a conflict that names the owner. Taints are never taken.
   */
  forcePatch?: boolean;
  /**
   * Takes everything away again when this component is deleted, the node selector first. Defaults to false: it stays, because
   * a node selector whose label is gone leaves pods of the control plane without a node. Deploy the change before the destroy
   * that shall follow it.
   */
  removeOnDelete?: boolean;
}

/** A node of the management cluster that one hosted control plane has for itself. */
export interface DedicatedNode {
  /** Name of the Node object: `worker-1a`. A plain value. Changing it labels another node. */
  name: string;
  /**
   * Its zone, `topology.kubernetes.io/zone`, as the Node has it: it is compared and not written. Replicas of a control plane
   * start only in different zones, except on KubeVirt and OpenStack. Defaults to unknown.
   */
  zone?: string;
  /** The machine on which it runs, where it is a virtual machine: it is compared and not written. Defaults to unknown. */
  host?: string;
}

/** A taint of a node. */
export interface NodeTaint {
  /** Key: `example.com/team`. A plain value. */
  key: string;
  /** Value, 63 characters at most. Defaults to none. A plain value. */
  value?: string;
  /** What it does to pods that do not tolerate it. A plain value. */
  effect: TaintEffect;
}

/** What pods of a hosted control plane tolerate beside what all of them do. */
export interface PodToleration {
  /** Key of the taint. Defaults to every key, with operator `Exists`. A plain value. */
  key?: string;
  /** How the value is compared. Defaults to `Equal`. A plain value. */
  operator?: TolerationOperator;
  /** Value of the taint; absent with operator `Exists`. A plain value. */
  value?: string;
  /** Effect of the taint. Defaults to every effect. A plain value. */
  effect?: TaintEffect;
  /** Seconds after which a pod is evicted all the same; only with effect `NoExecute`. Defaults to never. A plain value. */
  tolerationSeconds?: number;
}

/** Where the nodes of a hosted cluster on KubeVirt run. */
export interface WorkerVirtualMachines {
  /**
   * Labels of nodes of the management cluster on which they run, and on no others. Labels of dedicated nodes are refused:
   * virtual machines do not tolerate their taint. Plain values. Changing it replaces the virtual machines of `nodePools`.
   */
  nodeSelector: Record<string, string>;
  /**
   * NodePools that exist already, into which it is patched: HyperShift then replaces their virtual machines. Plain values.
   * Defaults to none: put the output `workerNodePoolFragment` into the NodePools.
   */
  nodePools?: NodePoolReference[];
}

/** What goes into `spec` of a HostedCluster, so that its control plane runs only on the dedicated nodes. */
export interface DedicatedHostedClusterFragment {
  /** Labels that a node has to have. */
  nodeSelector: Record<string, string>;
  /** As given in `tolerations`. */
  tolerations?: PodToleration[];
}

/** What goes into `spec` of a NodePool. */
export interface DedicatedNodePoolFragment {
  /** Labels that nodes get when they are made. */
  nodeLabels: Record<string, string>;
  /** Taints that nodes get when they are made. */
  taints: NodeTaint[];
  /** Where the virtual machines run; only with `hostSelector`. */
  platform?: NodePoolPlacement;
}

/** `spec.platform` of a NodePool, without its type. */
export interface NodePoolPlacement {
  /** Settings of KubeVirt. */
  kubevirt: KubevirtPlacement;
}

/** `spec.platform.kubevirt` of a NodePool, as far as it says where virtual machines run. */
export interface KubevirtPlacement {
  /** Labels that a node has to have. */
  nodeSelector: Record<string, string>;
}

/** What goes into `spec` of a NodePool whose virtual machines are nodes of the hosted cluster. */
export interface WorkerNodePoolFragment {
  /** Where the virtual machines run. */
  platform: NodePoolPlacement;
}

/** What goes into `spec` of a MachineSet (`machine.openshift.io/v1beta1`). */
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
  /** What its node gets. */
  metadata: MachineMetadata;
  /** Taints that its node gets. */
  taints: NodeTaint[];
}

/** What the node of a machine gets. */
export interface MachineMetadata {
  /** Labels. */
  labels: Record<string, string>;
}

/** What goes into `spec` of a KubeletConfig (`machineconfiguration.openshift.io/v1`), beside the selector of its pool. */
export interface KubeletConfigFragment {
  /** Settings of the kubelet. */
  kubeletConfig: KubeletSettings;
}

/** Settings of a kubelet. */
export interface KubeletSettings {
  /** Taints that a node brings along when it joins. */
  registerWithTaints: NodeTaint[];
}

/** What goes into `spec` of a MachineConfig (`machineconfiguration.openshift.io/v1`). */
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
  /** `3.2.0` */
  version: string;
}

/** Units of systemd. */
export interface IgnitionSystemd {
  /** The kubelet's. */
  units: IgnitionUnit[];
}

/** A unit of systemd. */
export interface IgnitionUnit {
  /** `kubelet.service` */
  name: string;
  /** Files beside the unit's own. */
  dropins: IgnitionDropin[];
}

/** A file beside a unit of systemd. */
export interface IgnitionDropin {
  /** Name of the file. */
  name: string;
  /** Its content. */
  contents: string;
}
