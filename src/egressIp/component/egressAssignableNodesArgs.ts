import type { NodePoolReference } from "../../components/hostedClusterPatch";

/** Nodes that may hold egress IP addresses. Exactly one of `nodes` and `nodePools` is given: they are in different clusters. */
export interface EgressAssignableNodesArgs {
  /**
   * Names of existing nodes, which get the label `k8s.ovn.org/egress-assignable`. It goes when the component goes, unless
   * another owner set it too. Plain values. Defaults to none. Changes are made in place; take a node out of the list
   * before it is deleted. (OVN-Kubernetes, Labeling a node to host egress IP addresses)
   */
  nodes?: string[];
  /**
   * NodePools of a hosted cluster, objects of the management cluster, whose nodes get the label when they are made. Plain
   * values. Defaults to none. Changes are made in place, and nodes that are there keep the labels they have. (HyperShift,
   * NodePool API, spec.nodeLabels)
   */
  nodePools?: NodePoolReference[];
  /**
   * Takes the label from another owner who set it to some value. Defaults to false: the deployment stops with a conflict
   * that names the owner. Changing it has no effect on labels that are ours.
   */
  forcePatch?: boolean;
}
