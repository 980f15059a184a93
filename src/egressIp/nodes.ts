import { parseAddress } from "../address/parse";
import type { Fault } from "../fault";
import {
  describeSelector,
  type PlainLabelSelector,
  relate,
  SelectorRelation,
} from "../objects/labelSelector";
import { fewerThanNamed, nodeNames, nodePools } from "../objects/nodes";
import { inputFaults, plainSwitch } from "../objects/shape";
import { NAMESPACE_LABEL } from "../requirements/networkPolicies";
import { LabelSelectorOperator } from "../resources/kubernetesObject";
import type { PropertyValue } from "../resources/resource";
import { entriesOf, isGiven } from "../resources/read";
import { plural } from "../text";

export const EGRESS_IP_API_VERSION = "k8s.ovn.org/v1";
export const EGRESS_IP_KIND = "EgressIP";

/** The label of nodes that may hold egress IP addresses. OVN-Kubernetes checks only the key. */
export const EGRESS_ASSIGNABLE = { "k8s.ovn.org/egress-assignable": "" } as const;

/** An annotation that OVN-Kubernetes writes itself: the server refuses new objects that already have it. */
export const EGRESS_IP_MARK = "k8s.ovn.org/egressip-mark";

/** Returns an address in its canonical form, and any other text unchanged. */
export const canonicalAddress = (text: string): string => parseAddress(text).address?.text ?? text;

/** The pods whose traffic an EgressIP object is for, if all of the selection is known. */
export interface EgressIpSelection {
  namespaces: PlainLabelSelector;
  /** Every pod of those namespaces if empty. */
  pods: PlainLabelSelector;
}

/** How the pods of two objects relate: one object selects all pods of the other, may select some, or cannot select any. */
export enum SharedPods {
  Certain = "certain",
  Possible = "possible",
  None = "none",
}

/** Whether two objects select the same pods. Exact for the selectors; which labels exist is unknown here. */
export function overlapOf(a: EgressIpSelection, b: EgressIpSelection): SharedPods {
  const pairs = [
    [named(a.namespaces), named(b.namespaces)],
    [a.pods, b.pods],
  ] as const;
  const forth = pairs.map(([one, other]) => relate(one, other));
  if (forth.includes(SelectorRelation.Disjoint)) return SharedPods.None;
  const back = pairs.map(([one, other]) => relate(other, one));
  const within = (relations: SelectorRelation[]) => relations.every((one) => one === SelectorRelation.Within);
  return within(forth) || within(back) ? SharedPods.Certain : SharedPods.Possible;
}

/** Adds to a namespace selector what is true of each namespace: it has a label with its name. */
const named = ({ matchExpressions, ...selector }: PlainLabelSelector): PlainLabelSelector => ({
  ...selector,
  matchExpressions: [
    ...(matchExpressions ?? []),
    { key: NAMESPACE_LABEL.name, operator: LabelSelectorOperator.Exists },
  ],
});

/** The selection of another object of the program. */
export interface OtherSelection {
  /** `EgressIP shop` */
  subject: string;
  selection: EgressIpSelection;
}

/** Reports pods that two objects select: they get the address of one of them, and it is not defined which. */
export function selectionFindings(
  own: EgressIpSelection,
  others: readonly OtherSelection[],
): { faults: Fault[]; warnings: Fault[] } {
  const findings = (overlap: SharedPods, verb: string): Fault[] =>
    others
      .filter(({ selection }) => overlapOf(own, selection) === overlap)
      .map(({ subject, selection }) => ({
        path: "namespaceSelector",
        problem: `${verb} the same pods as ${subject} (${describe(selection)}), and it is not defined whose addresses they get`,
        remedy: "give the two selectors different values of one label",
      }));
  return {
    faults: findings(SharedPods.Certain, "selects"),
    warnings: findings(SharedPods.Possible, "may select"),
  };
}

const describe = ({ namespaces, pods }: EgressIpSelection) =>
  `namespaces: ${describeSelector(namespaces)}; pods: ${describeSelector(pods)}`;

/** The known inputs about the number of nodes that hold the addresses of an object. */
export interface NodeCountInputs {
  addresses?: PropertyValue | undefined;
  nodes?: PropertyValue | undefined;
  assignableNodeCount?: PropertyValue | undefined;
}

/** A node holds at most one address of an object, of either family, so surplus addresses remain without a node. */
export function nodeCountFaults({ addresses, nodes, assignableNodeCount: stated }: NodeCountInputs): Fault[] {
  const few = fewerThanNamed({ path: "assignableNodeCount", value: stated }, nodes);
  const count = isGiven(stated) ? stated : entriesOf(nodes).length;
  const wanted = entriesOf(addresses).length;
  const isCount = typeof count === "number" && Number.isInteger(count) && count > 0;
  if (few.length > 0 || !isCount || wanted <= count) return few;
  return [
    {
      path: "addresses",
      problem: `${wanted} addresses for ${plural(count, "node")}, each of which can hold at most one of them`,
      remedy: "label more nodes, or spread the addresses over several objects",
    },
  ];
}

/** The known inputs of nodes that may hold egress IP addresses. */
export interface AssignableNodesInputs {
  nodes?: PropertyValue | undefined;
  nodePools?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
}

/** Faults of the inputs of nodes that may hold egress IP addresses. */
export const assignableNodesFaults = (inputs: AssignableNodesInputs): Fault[] => [
  ...choiceFaults(inputs),
  ...inputFaults({ nodes: nodeNames, nodePools, forcePatch: plainSwitch }, inputs),
];

/** Nodes are objects of the hosted cluster, NodePools of the management cluster: a component applies to one of the two. */
function choiceFaults({ nodes, nodePools: pools }: AssignableNodesInputs): Fault[] {
  if (isGiven(nodes) !== isGiven(pools)) return [];
  const remedy = "write nodes for Node objects, or nodePools for NodePools on the management cluster";
  if (!isGiven(nodes)) return [{ path: "nodes", problem: "missing, and so is nodePools", remedy }];
  const problem = "are set together with nodes, which are in another cluster";
  return [
    { path: "nodePools", problem, remedy: "use a second component, with the provider of that cluster" },
  ];
}

/** What users often notice too late about labels of NodePools. */
export function assignableNodesWarnings({ nodePools: pools }: AssignableNodesInputs): Fault[] {
  if (entriesOf(pools).length === 0) return [];
  return [
    {
      path: "nodePools",
      problem:
        "label only nodes that join from now on: HyperShift applies labels once, when it creates a node",
      remedy: "label the existing nodes with a second component, in the hosted cluster, by their names",
      ofChange: true,
    },
  ];
}
