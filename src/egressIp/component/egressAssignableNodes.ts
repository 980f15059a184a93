import * as pulumi from "@pulumi/pulumi";
import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import {
  assignableNodesFaults,
  type AssignableNodesInputs,
  assignableNodesWarnings,
  EGRESS_ASSIGNABLE,
} from "../nodes";
import { checked, ownOutputs, plainnessFaults, warnOf } from "../../components/checked";
import { gated, knownPart } from "../../components/settled";
import type { EgressAssignableNodesArgs } from "./egressIpArgs";
import { HOSTED_CLUSTER_API_VERSION, NODE_POOL_KIND } from "../../objects/hostedClusterReference";
import type { NodePoolReference } from "../../components/hostedClusterPatch";

/**
 * Nodes that may hold egress IP addresses, labelled for several EgressIP components or, by their NodePools, on the
 * management cluster. EgressIP components depend on it: addresses that are there first all go to the first node.
 * The smallest role for it is rbac/egress-assignable-nodes.yaml.
 */
export class EgressAssignableNodes extends pulumi.ComponentResource {
  /** The label, for `spec.nodeLabels` of NodePools that you create. */
  public readonly nodeLabels: pulumi.Output<Record<string, string>>;
  /** What works, but probably not as meant, as far as it shows before anything is made. */
  public readonly warnings: pulumi.Output<string[]>;

  constructor(name: string, args: EgressAssignableNodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:EgressAssignableNodes", name, args, opts);
    const inputs = { ...args };
    const check = checked(this, `EgressAssignableNodes ${name}`, inputs, (known) => [
      ...plainnessFaults("nodes", inputs.nodes),
      ...plainnessFaults("nodePools", inputs.nodePools),
      ...assignableNodesFaults(known as AssignableNodesInputs),
    ]);
    this.warnings = warnOf(this, assignableNodesWarnings(knownPart(inputs) as AssignableNodesInputs));

    const { nodes = [], nodePools = [], forcePatch } = args;
    const labelled = [
      ...labelNodes(name, nodes, forcePatch, this, check),
      ...labelNodePools(name, nodePools, forcePatch, this, check),
    ];

    this.nodeLabels = pulumi
      .all(labelled.map(({ id }) => id))
      .apply((): Record<string, string> => ({ ...EGRESS_ASSIGNABLE }));
    this.registerOutputs(ownOutputs(this));
  }
}

// No patch here names its field manager, so each has one of its own. The label has one value only, so that
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
      new core.NodePatch(
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
      new apiextensions.CustomResourcePatch(
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
