import { describeReference } from "../../requirements/documents";
import { bootstrapSource, nodePoolSource } from "../../requirements/bootstrap";
import { isObject, readValue } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { nodePoolChecks, type BootstrapCheck, type BootstrapStatus } from "./nodePool";

export type { BootstrapCheck, BootstrapStatus };

/** Whether the bootstrap ports of a hosted cluster can be closed. */
export interface BootstrapPhase {
  /** `yes`: no node can need them. `no`: one will. `unknown`: the objects do not say. */
  safe: "yes" | "no" | "unknown";
  checks: BootstrapCheck[];
}

/** What to do before nodes are added where the ports are closed. */
export const REOPENING =
  "Before nodes are added or replaced: write bootstrap: true, apply it, scale or change the NodePools, wait until their nodes are ready, then write bootstrap: false again.";

/**
 * Whether every node has joined and none comes without a manual change: no NodePool autoscales, repairs nodes by new ones or
 * replaces them when it is updated, all are ready, and no provisioner such as Karpenter adds nodes.
 *
 * @param nodePools the NodePools of the hosted cluster, as the API server has them: with their status
 * @param hostedCluster the HostedCluster; absent: not stated whether a provisioner adds nodes, and HyperShift's default is none
 */
export function bootstrapPhase(
  nodePools: readonly PropertyValue[],
  hostedCluster?: PropertyValue,
): BootstrapPhase {
  const checks = [
    ...(nodePools.length === 0 ? [noNodePool] : nodePools.flatMap(nodePoolChecks)),
    ...provisionerChecks(hostedCluster),
  ];
  const statuses = new Set(checks.map(({ status }) => status));
  return { safe: statuses.has("unmet") ? "no" : statuses.has("unknown") ? "unknown" : "yes", checks };
}

const noNodePool: BootstrapCheck = {
  id: "node-pools",
  subject: "NodePools of the hosted cluster",
  expected: "at least one, whose nodes have joined",
  found: "none",
  status: "unmet",
  fix: "leave the ports open until there are nodes",
  documented: describeReference(bootstrapSource),
};

/** Karpenter makes nodes whenever pods wait for one. */
function provisionerChecks(hostedCluster: PropertyValue | undefined): BootstrapCheck[] {
  const provisioner = readValue(hostedCluster, "spec.autoNode.provisionerConfig");
  if (provisioner === undefined) return [];
  return [
    {
      id: "auto-node",
      subject: "the HostedCluster's autoNode",
      expected: "no provisioner of nodes",
      found: isObject(provisioner) ? Object.keys(provisioner).join(", ") : "is not said",
      status: provisioner === UNKNOWN ? "unknown" : "unmet",
      fix: "leave the ports open: a provisioner makes nodes whenever pods wait for one",
      documented: describeReference(nodePoolSource),
    },
  ];
}
