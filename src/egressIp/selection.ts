import { parseAddress } from "../address/parse";
import type { Fault } from "../fault";
import {
  describeSelector,
  type PlainLabelSelector,
  relate,
  SelectorRelation,
} from "../objects/labelSelector";

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
export enum Overlap {
  Certain = "certain",
  Possible = "possible",
  None = "none",
}

/** Whether two objects select the same pods. Exact for labels; which labels there are is unknown here. */
export function overlapOf(a: EgressIpSelection, b: EgressIpSelection): Overlap {
  const pairs = [
    [a.namespaces, b.namespaces],
    [a.pods, b.pods],
  ] as const;
  const forth = pairs.map(([one, other]) => relate(one, other));
  if (forth.includes(SelectorRelation.Disjoint)) return Overlap.None;
  const back = pairs.map(([one, other]) => relate(other, one));
  const within = (relations: SelectorRelation[]) => relations.every((one) => one === SelectorRelation.Within);
  return within(forth) || within(back) ? Overlap.Certain : Overlap.Possible;
}

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
  const findings = (overlap: Overlap, verb: string): Fault[] =>
    others
      .filter(({ selection }) => overlapOf(own, selection) === overlap)
      .map(({ subject, selection }) => ({
        path: "namespaceSelector",
        problem: `${verb} the same pods as ${subject} (${describe(selection)}), and nothing says whose addresses those get`,
        remedy: "give the two selectors different values of one label",
      }));
  return { faults: findings(Overlap.Certain, "selects"), warnings: findings(Overlap.Possible, "may select") };
}

const describe = ({ namespaces, pods }: EgressIpSelection) =>
  `namespaces: ${describeSelector(namespaces)}; pods: ${describeSelector(pods)}`;
