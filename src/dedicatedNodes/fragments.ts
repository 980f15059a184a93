import { NODE_KEY, type Taint, type Toleration } from "../requirements/dedicatedNodes";
import { nodeTaints, type TaintOptions } from "./taints";
import type { Fault } from "../fault";
import { Platform } from "../requirements/vocabulary";
import type { PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { nodePools } from "../objects/nodes";
import { leaf, needed, object, type Relation, type Shape } from "../objects/shape";
import { entriesOf, isGiven, isMap, propertyOf } from "../resources/read";
import { labelFaults, shownText } from "../objects/places";

/** What decides about the nodes of one hosted control plane. The options are valid and plain. */
export interface DedicationOptions extends TaintOptions {
  /** The namespace of the hosted control plane, by which HyperShift tells hosted clusters apart. */
  controlPlaneNamespace: string;
  tolerations?: readonly Toleration[] | undefined;
  hostSelector?: Readonly<Record<string, string>> | undefined;
}

type Labels = Record<string, string>;

/**
 * The labels of the nodes: HyperShift's key, which attracts the control plane's pods, and the documents' key. The label for
 * control planes in general also attracts pods of other control planes, so it is set only with its taint.
 */
export const dedicatedNodeLabels = ({
  controlPlaneNamespace,
  reserveForControlPlanes,
}: DedicationOptions): Labels => ({
  [NODE_KEY.cluster]: controlPlaneNamespace,
  [NODE_KEY.documented]: controlPlaneNamespace,
  ...(reserveForControlPlanes === true && { [NODE_KEY.controlPlane]: "true" }),
});

/** Fields for `spec` of the HostedCluster. The node selector uses HyperShift's label. */
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

/** Fields for `spec` of a NodePool whose nodes are nodes of the management cluster. */
export const nodePoolFragment = (options: DedicationOptions) => ({
  nodeLabels: dedicatedNodeLabels(options),
  taints: taintsOf(options),
  ...(options.hostSelector && virtualMachineFragment(options.hostSelector)),
});

/** Fields for `spec` of a NodePool on KubeVirt so that its virtual machines run only on some nodes. */
export const virtualMachineFragment = (nodeSelector: Readonly<Record<string, string>>) => ({
  platform: { kubevirt: { nodeSelector: { ...nodeSelector } } },
});

/** Fields for `spec` of a MachineSet. */
export const machineSetFragment = (options: DedicationOptions) => ({
  template: { spec: { metadata: { labels: dedicatedNodeLabels(options) }, taints: taintsOf(options) } },
});

/** Fields for `spec` of a KubeletConfig: taints that a node has when it joins. */
export const kubeletConfigFragment = (options: DedicationOptions) => ({
  kubeletConfig: { registerWithTaints: taintsOf(options) },
});

const IGNITION_VERSION = "3.2.0";
/** The kubelet unit of the Machine Config Operator adds these labels to its own. */
const LABELS_VARIABLE = "CUSTOM_KUBELET_LABELS";

/** Fields for `spec` of a MachineConfig: labels that a node has when it joins. */
export function machineConfigFragment(options: DedicationOptions) {
  const labels = Object.entries(dedicatedNodeLabels(options)).map(([key, value]) => `${key}=${value}`);
  const contents = `[Service]\nEnvironment="${LABELS_VARIABLE}=${labels.join(",")}"\n`;
  const dropins = [{ name: "40-dedicated-control-plane.conf", contents }];
  const systemd = { units: [{ name: "kubelet.service", dropins }] };
  return { config: { ignition: { version: IGNITION_VERSION }, systemd } };
}

/** Labels that machines must have so that virtual machines run on them. */
export const nodeSelector = leaf((place) => {
  const { path, value } = place;
  if (!isMap(value) || Object.keys(value).length > 0) return labelFaults(place);
  return [{ path, problem: "is empty, which selects every node", remedy: "write labels, or leave it out" }];
});

/** The placement of a hosted cluster's own nodes, if they are virtual machines. */
export const workerVirtualMachines = (topology: NormalizedTopology | undefined): Shape =>
  object(
    { nodeSelector: needed(nodeSelector, "write labels of nodes"), nodePools },
    {
      remedy: "write { nodeSelector: ... }",
      relations: [
        ...(topology ? [(path: string) => platformFaults(path, topology)] : []),
        (path, value) => taintedFaults(`${path}.nodeSelector`, value.nodeSelector),
        ...(topology ? [foreignPoolFaults(topology)] : []),
      ],
    },
  );

function platformFaults(path: string, { platform }: NormalizedTopology): Fault[] {
  if (platform === Platform.KubeVirt) return [];
  const problem = `is given, but on ${platform} the nodes of a hosted cluster are not virtual machines of the management cluster`;
  return [{ path, problem, remedy: "leave it out" }];
}

/** NodePools have no tolerations: their virtual machines never start on nodes that are tainted for control planes. */
function taintedFaults(path: string, nodeSelector: PropertyValue | undefined): Fault[] {
  return Object.values(NODE_KEY).flatMap((key) =>
    isGiven(propertyOf(nodeSelector, key))
      ? [
          {
            path: `${path}.${key}`,
            problem:
              "selects nodes of control planes, whose taint virtual machines do not tolerate: none would start",
            remedy: "select other nodes, by a label of your own",
          },
        ]
      : [],
  );
}

const foreignPoolFaults =
  ({ namespace }: NormalizedTopology): Relation =>
  (path, value) =>
    entriesOf(value.nodePools).flatMap((nodePool, position) => {
      const stated = propertyOf(nodePool, "namespace");
      if (typeof stated !== "string" || stated === namespace) return [];
      const problem = `${shownText(stated)} is not the namespace of the HostedCluster, in which its NodePools are`;
      return [{ path: `${path}.nodePools[${position}].namespace`, problem, remedy: `write ${namespace}` }];
    });
