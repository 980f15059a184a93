import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { EGRESS_ASSIGNABLE } from "../egressIp";
import { HOSTED_CLUSTER_API_VERSION } from "../../objects/hostedClusterPatch";
import { NODE_POOL_KIND } from "../../objects/nodePools";
import type { NodePoolReference } from "../../components/hostedClusterReference";
import { gated } from "../../components/gated";

// No patch here names its field manager, so each has one that nobody else has. The label has one value only, so that
// every patch of a node owns it beside the others, and it goes when the last of them lets go. One manager for all would
// take it from the others; several that are named would clash in the annotation that names them.

/** Labels existing nodes, so that they may hold egress IP addresses. */
export function labelNodes(
  name: string,
  nodes: readonly string[],
  force: boolean | undefined,
  parent: pulumi.Resource,
  check: pulumi.Output<unknown>,
): pulumi.CustomResource[] {
  return nodes.map(
    (node) =>
      new kubernetes.core.v1.NodePatch(
        `${name}-${node}`,
        { metadata: { name: node, labels: { ...EGRESS_ASSIGNABLE }, ...forced(force) } },
        gated(parent, check),
      ),
  );
}

/** Labels the nodes that NodePools make from now on. */
export function labelNodePools(
  name: string,
  nodePools: readonly NodePoolReference[],
  force: boolean | undefined,
  parent: pulumi.Resource,
  check: pulumi.Output<unknown>,
): pulumi.CustomResource[] {
  return nodePools.map(
    ({ name: nodePool, namespace }) =>
      new kubernetes.apiextensions.CustomResourcePatch(
        `${name}-${namespace}-${nodePool}`,
        {
          apiVersion: HOSTED_CLUSTER_API_VERSION,
          kind: NODE_POOL_KIND,
          metadata: { name: nodePool, namespace, ...forced(force) },
          spec: { nodeLabels: { ...EGRESS_ASSIGNABLE } },
        },
        gated(parent, check),
      ),
  );
}

const forced = (force: boolean | undefined) =>
  force ? { annotations: { "pulumi.com/patchForce": "true" } } : {};
