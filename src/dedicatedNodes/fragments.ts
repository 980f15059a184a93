import { NODE_KEY, type Taint, type Toleration } from "../requirements/dedicatedNodes";
import { nodeTaints, type TaintOptions } from "./taints";

/** What decides about the nodes of one hosted control plane; right and plain. */
export interface DedicationOptions extends TaintOptions {
  /** The namespace of the hosted control plane, by which HyperShift tells hosted clusters apart. */
  controlPlaneNamespace: string;
  tolerations?: readonly Toleration[] | undefined;
  hostSelector?: Readonly<Record<string, string>> | undefined;
}

type Labels = Record<string, string>;

/**
 * The labels of the nodes: HyperShift's key, by which its pods are drawn there, and the documents' key. The label for control
 * planes in general draws those of others too, and so comes with its taint alone.
 */
export const dedicatedNodeLabels = ({
  controlPlaneNamespace,
  reserveForControlPlanes,
}: DedicationOptions): Labels => ({
  [NODE_KEY.cluster]: controlPlaneNamespace,
  [NODE_KEY.documented]: controlPlaneNamespace,
  ...(reserveForControlPlanes === true && { [NODE_KEY.controlPlane]: "true" }),
});

/** What goes into `spec` of the HostedCluster. The label that its pods have to find is HyperShift's. */
export function hostedClusterFragment({ controlPlaneNamespace, tolerations }: DedicationOptions): {
  nodeSelector: Labels;
  tolerations?: Toleration[];
} {
  return {
    nodeSelector: { [NODE_KEY.cluster]: controlPlaneNamespace },
    ...(tolerations && { tolerations: tolerations.map((toleration) => ({ ...toleration })) }),
  };
}

const taintsOf = (options: DedicationOptions): Taint[] => nodeTaints(options.controlPlaneNamespace, options);

/** What goes into `spec` of a NodePool whose nodes are nodes of the management cluster. */
export const nodePoolFragment = (options: DedicationOptions) => ({
  nodeLabels: dedicatedNodeLabels(options),
  taints: taintsOf(options),
  ...(options.hostSelector && virtualMachineFragment(options.hostSelector)),
});

/** What goes into `spec` of a NodePool on KubeVirt so that its virtual machines run on some nodes alone. */
export const virtualMachineFragment = (nodeSelector: Readonly<Record<string, string>>) => ({
  platform: { kubevirt: { nodeSelector: { ...nodeSelector } } },
});

/** What goes into `spec` of a MachineSet. */
export const machineSetFragment = (options: DedicationOptions) => ({
  template: { spec: { metadata: { labels: dedicatedNodeLabels(options) }, taints: taintsOf(options) } },
});

/** What goes into `spec` of a KubeletConfig: taints that a node brings along when it joins. */
export const kubeletConfigFragment = (options: DedicationOptions) => ({
  kubeletConfig: { registerWithTaints: taintsOf(options) },
});

const IGNITION_VERSION = "3.2.0";
/** The Machine Config Operator's unit of the kubelet adds these labels to its own. */
const LABELS_VARIABLE = "CUSTOM_KUBELET_LABELS";

/** What goes into `spec` of a MachineConfig: labels that a node brings along when it joins. */
export function machineConfigFragment(options: DedicationOptions) {
  const labels = Object.entries(dedicatedNodeLabels(options)).map(([key, value]) => `${key}=${value}`);
  const contents = `[Service]\nEnvironment="${LABELS_VARIABLE}=${labels.join(",")}"\n`;
  const dropins = [{ name: "40-dedicated-control-plane.conf", contents }];
  const systemd = { units: [{ name: "kubelet.service", dropins }] };
  return { config: { ignition: { version: IGNITION_VERSION }, systemd } };
}
