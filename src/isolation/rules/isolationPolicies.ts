import { hyperShiftResources, isHyperShifts } from "../../reachability/path";
import { readText } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { OUR_COMPONENTS, isNetworkPolicy, isPatch } from "../../resources/resourceTypes";
import {
  isNamespaceUnknown,
  isOfControlPlane,
  type NormalizedTopology,
} from "../../topology/normalizedTopology";
import { wholeTopology } from "../../gate/refutedFlows";
import type { JudgedResources } from "../../gate/judgedResources";
import { unknown, type Judgement } from "../../gate/rule";
import { ingressPolicies } from "../ingress";
import { ownerOfName, policyResource } from "../networkPolicy";
import type { Isolation } from "../../reachability/answers/answerPlan";

/** The network policies of one hosted control plane's namespace. */
export interface IsolatedNamespace {
  topology: NormalizedTopology;
  namespace: string;
  /** All that the plan shows, HyperShift's own among them where it shows those. */
  policies: readonly Resource[];
  /** Those that are not HyperShift's. */
  others: readonly Resource[];
  /** Patches of policies, whose other rules no plan shows: what these let in is unknown. */
  patches: readonly Resource[];
}

/**
 * Judges the namespaces with policies that are not HyperShift's. A patch is counted: what it comes to is not known; so is a
 * policy where the namespace of a control plane is unknown.
 */
export const judgeIsolated = (
  judged: JudgedResources,
  judge: (isolated: IsolatedNamespace) => Judgement[],
): Judgement[] =>
  isolatedNamespaces(judged).flatMap((isolated) => [
    ...isolated.patches.map((patch) => unknown({ resource: patch, path: "spec", reason: PATCHED })),
    ...(isNamespaceUnknown(isolated.topology)
      ? isolated.others.map((policy) =>
          unknown({ resource: policy, path: NAMESPACE, reason: UNNAMED_CLUSTER }),
        )
      : isolated.others.length > 0
        ? judge(isolated)
        : []),
  ]);

const NAMESPACE = "metadata.namespace";
const PATCHED = "the plan does not show the policy that is patched";
export const UNNAMED_CLUSTER =
  "the name of a hosted cluster is not known, nor thus the namespace of its control plane";

/** The namespaces of hosted control planes for which the user writes policies. */
export function isolatedNamespaces(judged: JudgedResources): IsolatedNamespace[] {
  const { clusters } = judged;
  const all = judged.ofKind(isNetworkPolicy);
  return clusters.flatMap((cluster) => {
    const topology = wholeTopology(cluster);
    if (!topology) return [];
    const namespace = topology.controlPlaneNamespace;
    const here = all.filter((policy) => mayGovern(policy, topology));
    const policies = here.filter(({ type }) => !isPatch(type));
    const others = policies.filter((policy) => !isHyperShifts(policy));
    // One of labels only changes nothing for packets.
    const patches = here.filter(({ type, properties }) => isPatch(type) && "spec" in properties);
    return others.length + patches.length > 0 ? [{ topology, namespace, policies, others, patches }] : [];
  });
}

function mayGovern({ properties }: Resource, topology: NormalizedTopology): boolean {
  const stated = readText(properties, NAMESPACE);
  if (stated === undefined) return false;
  return stated === UNKNOWN || isOfControlPlane(topology, stated) !== false;
}

/**
 * The policies of a control plane's namespace that were written beside ControlPlaneIsolation and HyperShift, and those that
 * let in what is documented or what HyperShift lets in anyway.
 */
export function isolationQuestion(
  { topology, namespace, others }: IsolatedNamespace,
  judged: JudgedResources,
): Isolation {
  const made = ingressPolicies(topology, {}).map((policy) => policyResource(policy, namespace));
  return {
    policies: others.filter((policy) => !isOfComponent(policy, judged)),
    documented: [...made, ...hyperShiftResources(topology)],
  };
}

/** Whether ControlPlaneIsolation made a policy for a documented flow; those that a user adds to it are judged. */
function isOfComponent({ properties, parent }: Resource, { index }: JudgedResources): boolean {
  const name = readText(properties, "metadata.name");
  const isOurs = index.at(parent)?.type === `${OUR_COMPONENTS}ControlPlaneIsolation`;
  return isOurs && typeof name === "string" && ownerOfName(name) === "this component";
}
