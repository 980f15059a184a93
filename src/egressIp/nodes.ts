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

/** The label of nodes that may hold egress IP addresses. OVN-Kubernetes looks only at the key. */
export const EGRESS_ASSIGNABLE = { "k8s.ovn.org/egress-assignable": "" } as const;

/** An annotation that OVN-Kubernetes writes itself: the server refuses objects that bring it along. */
export const EGRESS_IP_MARK = "k8s.ovn.org/egressip-mark";

/** An address in its canonical form; what is none stays as it is. */
export const canonicalAddress = (text: string): string => parseAddress(text).address?.text ?? text;

/** Whose traffic an EgressIP object is for, where all of it is known. */
export interface EgressIpSelection {
  namespaces: PlainLabelSelector;
  /** Every pod of those namespaces where none is given. */
  pods: PlainLabelSelector;
}

/** How the pods of two objects relate: all of one are selected by the other, some may be, or none can be. */
export enum SharedPods {
  Certain = "certain",
  Possible = "possible",
  None = "none",
}

/** Whether two objects select the same pods. Exact for labels; which labels there are is unknown here. */
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

/** What a selector of namespaces says, with what holds of each: it has the label of its name. */
const named = ({ matchExpressions, ...selector }: PlainLabelSelector): PlainLabelSelector => ({
  ...selector,
  matchExpressions: [
    ...(matchExpressions ?? []),
    { key: NAMESPACE_LABEL.name, operator: LabelSelectorOperator.Exists },
  ],
});

/** Another object of the program, and how its pods relate to ours. */
export interface OtherSelection {
  /** `EgressIP shop` */
  subject: string;
  selection: EgressIpSelection;
}

/** Pods that two objects select get the address of one of them, and nothing says which. */
export function selectionFindings(
  own: EgressIpSelection,
  others: readonly OtherSelection[],
): { faults: Fault[]; warnings: Fault[] } {
  const findings = (overlap: SharedPods, verb: string): Fault[] =>
    others
      .filter(({ selection }) => overlapOf(own, selection) === overlap)
      .map(({ subject, selection }) => ({
        path: "namespaceSelector",
        problem: `${verb} the same pods as ${subject} (${describe(selection)}), and nothing says whose addresses those get`,
        remedy: "give the two selectors different values of one label",
      }));
  return {
    faults: findings(SharedPods.Certain, "selects"),
    warnings: findings(SharedPods.Possible, "may select"),
  };
}

const describe = ({ namespaces, pods }: EgressIpSelection) =>
  `namespaces: ${describeSelector(namespaces)}; pods: ${describeSelector(pods)}`;

/** What is known of how many nodes hold the addresses of an object. */
export interface NodeCountInputs {
  addresses?: PropertyValue | undefined;
  nodes?: PropertyValue | undefined;
  assignableNodeCount?: PropertyValue | undefined;
}

/** A node holds one address of an object at most, whatever its family, so further ones stay without a node. */
export function nodeCountFaults({ addresses, nodes, assignableNodeCount: stated }: NodeCountInputs): Fault[] {
  const few = fewerThanNamed({ path: "assignableNodeCount", value: stated }, nodes);
  const count = isGiven(stated) ? stated : entriesOf(nodes).length;
  const wanted = entriesOf(addresses).length;
  const isCount = typeof count === "number" && Number.isInteger(count) && count > 0;
  if (few.length > 0 || !isCount || wanted <= count) return few;
  return [
    {
      path: "addresses",
      problem: `${wanted} addresses for ${plural(count, "node")}, each of which holds one of them at most`,
      remedy: "label more nodes, or spread the addresses over several objects",
    },
  ];
}

/** What is known of the inputs of nodes that may hold egress IP addresses. */
export interface AssignableNodesInputs {
  nodes?: PropertyValue | undefined;
  nodePools?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
}

/** What is wrong with the inputs of nodes that may hold egress IP addresses. */
export const assignableNodesFaults = (inputs: AssignableNodesInputs): Fault[] => [
  ...choiceFaults(inputs),
  ...inputFaults({ nodes: nodeNames, nodePools, forcePatch: plainSwitch }, inputs),
];

/** Nodes are objects of the hosted cluster, NodePools of the management cluster: a component goes to one of them. */
function choiceFaults({ nodes, nodePools: pools }: AssignableNodesInputs): Fault[] {
  if (isGiven(nodes) !== isGiven(pools)) return [];
  const remedy = "write nodes for Node objects, or nodePools for NodePools on the management cluster";
  if (!isGiven(nodes)) return [{ path: "nodes", problem: "missing, and so is nodePools", remedy }];
  const problem = "are set together with nodes, which are in another cluster";
  return [
    { path: "nodePools", problem, remedy: "use a second component, with the provider of that cluster" },
  ];
}

/** What users find out late about labels of NodePools. */
export function assignableNodesWarnings({ nodePools: pools }: AssignableNodesInputs): Fault[] {
  if (entriesOf(pools).length === 0) return [];
  return [
    {
      path: "nodePools",
      problem: "label the nodes that join from now on: HyperShift hands labels on once, when a node is made",
      remedy: "label the nodes that are there with a second component, in the hosted cluster, by their names",
      ofChange: true,
    },
  ];
}
