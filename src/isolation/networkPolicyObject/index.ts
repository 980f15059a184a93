import {
  adminNetworkPolicyShape,
  baselineAdminNetworkPolicyShape,
  clusterNetworkPolicyShape,
  networkPolicyShape,
  type Shape,
} from "../../requirements/networkPolicyShapes";
import type { Resource } from "../../resources/resource";
import {
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isNetworkPolicy,
  isPatch,
} from "../../resources/resourceTypes";
import { judgeShape, type PolicyJudgement } from "./judge";

export type { PolicyFault, PolicyJudgement } from "./judge";
export { exceptionFaults } from "./exceptions";
export { endPortFaults } from "./relations";

/** A kind of policies, and the version of its API that is known here. */
interface PolicyKind {
  holds: (type: string) => boolean;
  version: string;
  spec: Shape;
  isBuiltIn?: true;
}

const KINDS: readonly PolicyKind[] = [
  { holds: isNetworkPolicy, version: "v1", spec: networkPolicyShape, isBuiltIn: true },
  { holds: isAdminNetworkPolicy, version: "v1alpha1", spec: adminNetworkPolicyShape },
  { holds: isBaselineAdminNetworkPolicy, version: "v1alpha1", spec: baselineAdminNetworkPolicyShape },
  { holds: isClusterNetworkPolicy, version: "v1alpha2", spec: clusterNetworkPolicyShape },
];

/** What is wrong with the spec of a policy. Undefined where its version of the API is not known here. */
export function judgePolicy({ type, properties }: Resource): PolicyJudgement | undefined {
  const kind = KINDS.find(({ holds }) => holds(type));
  if (!kind || !type.includes(`/${kind.version}:`)) return undefined;
  const { spec, isBuiltIn = false } = kind;
  return judgeShape(spec, { path: "spec", value: properties.spec }, { isBuiltIn, isPatch: isPatch(type) });
}
