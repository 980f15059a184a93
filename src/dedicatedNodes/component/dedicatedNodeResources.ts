import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import {
  FIELD_MANAGER,
  HOSTED_CLUSTER_API_VERSION,
  patchAnnotations,
} from "../../objects/hostedClusterReference";
import { NODE_POOL_KIND } from "../../objects/nodePools";
import { dedicatedNodeLabels, virtualMachineFragment, type DedicationOptions } from "../fragments";
import { nodeTaints } from "../taints";
import { SharedFieldShare } from "../../components/compareAndSwap/sharedFieldShare";
import type { DedicatedControlPlaneNodesArgs, WorkerVirtualMachines } from "./dedicatedControlPlaneNodesArgs";
import { gated } from "../../components/settled";

/** What the children are made from. */
export interface Surroundings {
  parent: pulumi.Resource;
  name: string;
  check: pulumi.Output<unknown>;
  args: DedicatedControlPlaneNodesArgs;
  options: DedicationOptions;
}

/**
 * Labels the nodes. The field manager is that of one hosted cluster: another one that wants the same node meets a conflict,
 * from whichever program it comes.
 */
export function labelNodes({ parent, name, check, args, options }: Surroundings): pulumi.CustomResource[] {
  const { nodes = [], forcePatch, removeOnDelete } = args;
  const manager = `${FIELD_MANAGER.dedicatedNodes}-${options.controlPlaneNamespace}`;
  return nodes.map(
    ({ name: node }) =>
      new kubernetes.core.v1.NodePatch(
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

/** Adds the taints to the nodes, beside those of others: server-side apply takes `spec.taints` as a whole. */
export function taintNodes(
  { parent, name, check, args, options }: Surroundings,
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

/** Tells existing NodePools of a hosted cluster on KubeVirt where their virtual machines run. */
export function placeWorkers(
  { nodeSelector, nodePools = [] }: WorkerVirtualMachines,
  { parent, name, check, args: { forcePatch, removeOnDelete } }: Surroundings,
): void {
  for (const { name: nodePool, namespace } of nodePools)
    new kubernetes.apiextensions.CustomResourcePatch(
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
