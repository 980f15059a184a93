import * as pulumi from "@pulumi/pulumi";
import { EGRESS_ASSIGNABLE } from "../egressIp";
import { assignableNodesFaults, assignableNodesWarnings, type AssignableNodesInputs } from "../assignable";
import { checked, knownPart, plainnessFaults } from "../../components/checked";
import { warn } from "../../components/refuse";
import type { EgressAssignableNodesArgs } from "./egressAssignableNodesArgs";
import { labelNodePools, labelNodes } from "./egressNodes";
import { sentences } from "../../components/sentences";

/**
 * Nodes that may hold egress IP addresses, labelled for several EgressIP components or, by their NodePools, on the
 * management cluster. EgressIP components depend on it: addresses that are there first all go to the first node.
 * The smallest role for it is rbac/egress-assignable-nodes.yaml.
 */
export class EgressAssignableNodes extends pulumi.ComponentResource {
  /** The label, for `spec.nodeLabels` of NodePools that you create. */
  public readonly nodeLabels: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: EgressAssignableNodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:EgressAssignableNodes", name, args, opts);
    const inputs = { ...args };
    const check = checked(this, `EgressAssignableNodes ${name}`, inputs, (known) => [
      ...plainnessFaults("nodes", inputs.nodes),
      ...plainnessFaults("nodePools", inputs.nodePools),
      ...assignableNodesFaults(known as AssignableNodesInputs),
    ]);
    warn(this, sentences(assignableNodesWarnings(knownPart(inputs) as AssignableNodesInputs)));

    const { nodes = [], nodePools = [], forcePatch } = args;
    const labelled = [
      ...labelNodes(name, nodes, forcePatch, this, check),
      ...labelNodePools(name, nodePools, forcePatch, this, check),
    ];

    this.nodeLabels = pulumi
      .all(labelled.map(({ id }) => id))
      .apply((): Record<string, string> => ({ ...EGRESS_ASSIGNABLE }));
    this.registerOutputs({ nodeLabels: this.nodeLabels });
  }
}
