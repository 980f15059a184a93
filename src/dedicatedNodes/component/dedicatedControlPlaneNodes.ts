import * as pulumi from "@pulumi/pulumi";
import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import type { Fault } from "../../fault";
import {
  FIELD_MANAGER,
  HOSTED_CLUSTER_API_VERSION,
  NODE_POOL_KIND,
  patchAnnotations,
} from "../../objects/hostedClusterReference";
import {
  dedicatedNodeLabels,
  type DedicationOptions,
  hostedClusterFragment,
  kubeletConfigFragment,
  machineConfigFragment,
  machineSetFragment,
  nodePoolFragment,
  virtualMachineFragment,
} from "../fragments";
import { type Dedication, judgeDedicatedNodes, sharingFaults } from "../judge";
import { nodeTaints } from "../taints";
import type { PropertyMap } from "../../resources/read";
import { NodeIsolationLevel } from "../../requirements/dedicatedNodes";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import {
  checked,
  missingInputFaults,
  ownOutputs,
  plainnessFaults,
  refuse,
  warnOf,
} from "../../components/checked";
import { leafwise, planned, topologyOutput, withoutCredentials } from "../../components/outputs";
import { gated, givenPart } from "../../components/settled";
import { Claims } from "../../components/claims";
import { sealedKubeconfig } from "../../components/masked";
import { sharedFieldAccessFaults, SharedFieldShare } from "../../components/dynamicProvider";
import type {
  DedicatedControlPlaneNodesArgs,
  DedicatedHostedClusterFragment,
  DedicatedNodePoolFragment,
  DedicatedNodesSettings,
  KubeletConfigFragment,
  MachineConfigFragment,
  MachineSetFragment,
  NodeTaint,
  WorkerNodePoolFragment,
  WorkerVirtualMachines,
} from "./dedicatedControlPlaneNodesArgs";
import { patchHostedCluster, secondPatchFaults } from "../../components/hostedClusterPatch";

/**
 * Nodes of the management cluster dedicated to one hosted control plane: machines (physical isolation) or virtual machines. It
 * labels nodes, adds taints on request without touching the taints of others, and confines the control plane to these nodes.
 * For nodes that do not exist yet, its outputs are the fields for a NodePool, a MachineSet or a MachineConfig. By default a
 * destroy leaves everything as it is. The smallest role for it is rbac/dedicated-control-plane-nodes.yaml.
 */
export class DedicatedControlPlaneNodes extends pulumi.ComponentResource {
  /** The labels of the nodes. */
  public readonly nodeLabels: pulumi.Output<Record<string, string>>;
  /** The taints of the nodes, for the tool that creates the nodes. */
  public readonly taints: pulumi.Output<NodeTaint[]>;
  /** Fields for `spec` of the HostedCluster: node selector and tolerations. */
  public readonly hostedClusterFragment: pulumi.Output<DedicatedHostedClusterFragment>;
  /** Fields for `spec` of a NodePool whose nodes are nodes of the management cluster. They apply to nodes created afterwards. */
  public readonly nodePoolFragment: pulumi.Output<DedicatedNodePoolFragment>;
  /** Fields for `spec` of a MachineSet of the management cluster. They apply to machines created afterwards. */
  public readonly machineSetFragment: pulumi.Output<MachineSetFragment>;
  /**
   * Fields for `spec` of a KubeletConfig for a machine config pool of these nodes: the taints. It restarts the nodes of the
   * pool and applies to nodes that join afterwards.
   */
  public readonly kubeletConfigFragment: pulumi.Output<KubeletConfigFragment>;
  /**
   * Fields for `spec` of a MachineConfig for that pool: the labels, in the variable CUSTOM_KUBELET_LABELS of the kubelet's
   * unit. Use it only if nothing else sets that variable, as on bare metal. It restarts the nodes of the pool.
   */
  public readonly machineConfigFragment: pulumi.Output<MachineConfigFragment>;
  /** Fields for `spec` of the hosted cluster's own NodePools on KubeVirt. Absent without `workerVirtualMachines`. */
  public readonly workerNodePoolFragment: pulumi.Output<WorkerNodePoolFragment | undefined>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: DedicatedControlPlaneNodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(TYPE, name, sealed(args), opts);
    const inputs = { ...args };
    const subject = `DedicatedControlPlaneNodes ${name}`;
    const check = checked(this, subject, inputs, (known) => [
      ...missingInputFaults(inputs, REQUIRED),
      ...PLAIN_NODE_INPUTS.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgeDedicatedNodes(known as PropertyMap).faults,
      ...taintAccessFaults(this, inputs),
      ...secondPatchFaults(this, subject, (known as PropertyMap).existingHostedCluster),
    ]);
    const given = givenPart(inputs);
    const judgement = judgeDedicatedNodes(planned(given));
    const topology = judgement.topology!;
    refuse(this, subject, takenFaults(this, subject, given));
    this.warnings = warnOf(this, judgement.warnings);

    const { controlPlaneNamespace } = topology;
    const { reserveForControlPlanes, additionalTaints, tolerations, hostSelector } = given;
    const options: DedicationOptions = {
      ...{ controlPlaneNamespace, reserveForControlPlanes, additionalTaints, tolerations, hostSelector },
    };
    createNodes({ parent: this, name, check, args: given, options });

    const workers = given.workerVirtualMachines;
    this.nodeLabels = pulumi.output(dedicatedNodeLabels(options));
    this.taints = pulumi.output(nodeTaints(controlPlaneNamespace, options));
    this.hostedClusterFragment = pulumi.output(hostedClusterFragment(options));
    this.nodePoolFragment = pulumi.output(nodePoolFragment(options));
    this.machineSetFragment = pulumi.output(machineSetFragment(options));
    this.kubeletConfigFragment = pulumi.output(kubeletConfigFragment(options));
    this.machineConfigFragment = pulumi.output(machineConfigFragment(options));
    this.workerNodePoolFragment = pulumi.output(workers && virtualMachineFragment(workers.nodeSelector));
    this.topology = leafwise(topologyOutput(given.topology, topology));
    this.registerOutputs(ownOutputs(this));
  }
}

const TYPE = "hypershift-network:index:DedicatedControlPlaneNodes";
const NODE_TYPE = "kubernetes:core/v1:Node";
const REQUIRED = { topology: "describe the hosted cluster: { name: ..., platform: ..., ... }" };

/** Why this program cannot taint the nodes, if it is to taint them. */
export const taintAccessFaults = (
  component: pulumi.Resource,
  { manageTaints, kubeconfig }: DedicatedNodesSettings,
): Fault[] =>
  manageTaints === true ? sharedFieldAccessFaults(component, "manageTaints", NODE_TYPE, kubeconfig) : [];

/** Inputs that decide which resources exist or what a control plane tolerates. */
export const PLAIN_NODE_INPUTS = [
  "topology",
  "level",
  "nodes",
  "dedicatedNodeCount",
  "controllerAvailabilityPolicy",
  "additionalTaints",
  "tolerations",
  "hostSelector",
  "workerVirtualMachines",
] as const;

/** The inputs as the state may hold them. */
const sealed = (args: DedicatedControlPlaneNodesArgs): DedicatedControlPlaneNodesArgs => ({
  ...sealedKubeconfig(args),
  topology: withoutCredentials(args?.topology),
});

const dedications = new Claims<Dedication>("nodes of hosted control planes");

/** Faults of nodes and machines that another component of the program dedicates to a hosted cluster. */
function takenFaults(
  component: pulumi.Resource,
  subject: string,
  { nodes = [], level = NodeIsolationLevel.Physical }: DedicatedControlPlaneNodesArgs,
): Fault[] {
  const own = { nodes, level };
  const others = dedications.take(component, subject, own);
  return others.flatMap((other) => sharingFaults(own, other.what, other.subject));
}

/** Creates labels, then taints, then the selector that needs them. A destroy removes them in reverse order. */
function createNodes(around: NodesContext): void {
  const { parent, name, check, args, options } = around;
  const { existingHostedCluster, workerVirtualMachines, forcePatch: force, removeOnDelete } = args;
  const labelled = labelNodes(around);
  const tainted = taintNodes(around, labelled);
  if (existingHostedCluster) {
    const { nodeSelector } = hostedClusterFragment(options);
    const ownership = { fieldManager: FIELD_MANAGER.nodeSelector, force, removeOnDelete };
    const after = gated(parent, check, [...labelled, ...tainted]);
    patchHostedCluster(name, existingHostedCluster, { spec: { nodeSelector } }, ownership, after);
  }
  if (workerVirtualMachines) placeWorkers(workerVirtualMachines, around);
}

/** What the child resources are created from. */
export interface NodesContext {
  parent: pulumi.Resource;
  name: string;
  check: pulumi.Output<unknown>;
  args: DedicatedControlPlaneNodesArgs;
  options: DedicationOptions;
}

/**
 * Labels the nodes. The field manager is specific to one hosted cluster: another hosted cluster that claims the same node gets
 * a conflict, whichever program it comes from.
 */
export function labelNodes({ parent, name, check, args, options }: NodesContext): pulumi.CustomResource[] {
  const { nodes = [], forcePatch, removeOnDelete } = args;
  const manager = `${FIELD_MANAGER.dedicatedNodes}-${options.controlPlaneNamespace}`;
  return nodes.map(
    ({ name: node }) =>
      new core.NodePatch(
        `${name}-${node}`,
        {
          metadata: {
            name: node,
            labels: dedicatedNodeLabels(options),
            annotations: patchAnnotations(manager, forcePatch),
          },
        },
        { ...gated(parent, check), retainOnDelete: removeOnDelete !== true },
      ),
  );
}

/** Adds the taints to the nodes, next to those of others: server-side apply would own all of `spec.taints`. */
function taintNodes(
  { parent, name, check, args, options }: NodesContext,
  after: readonly pulumi.Resource[],
): SharedFieldShare[] {
  const { nodes = [], manageTaints, kubeconfig, context, removeOnDelete } = args;
  if (manageTaints !== true) return [];
  const entries = nodeTaints(options.controlPlaneNamespace, options).map((taint) => ({ ...taint }));
  return nodes.map(
    ({ name: node }) =>
      new SharedFieldShare(
        `${name}-${node}-taints`,
        {
          apiVersion: "v1",
          object: "Node",
          name: node,
          path: ["spec", "taints"],
          shape: { kind: "keyedItems", keys: ["key", "effect"] },
          entries,
          fieldManager: FIELD_MANAGER.taints,
          ...(kubeconfig !== undefined && { kubeconfig }),
          ...(context !== undefined && { context }),
        },
        { ...gated(parent, check, after), retainOnDelete: removeOnDelete !== true },
      ),
  );
}

/** Sets in existing NodePools of a hosted cluster on KubeVirt where their virtual machines run. */
function placeWorkers(
  { nodeSelector, nodePools = [] }: WorkerVirtualMachines,
  { parent, name, check, args: { forcePatch, removeOnDelete } }: NodesContext,
): void {
  for (const { name: nodePool, namespace } of nodePools)
    new apiextensions.CustomResourcePatch(
      `${name}-${namespace}-${nodePool}`,
      {
        apiVersion: HOSTED_CLUSTER_API_VERSION,
        kind: NODE_POOL_KIND,
        metadata: {
          name: nodePool,
          namespace,
          annotations: patchAnnotations(FIELD_MANAGER.workerPlacement, forcePatch),
        },
        spec: virtualMachineFragment(nodeSelector),
      },
      { ...gated(parent, check), retainOnDelete: removeOnDelete !== true },
    );
}
