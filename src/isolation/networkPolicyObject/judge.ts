import { contains, readPrefix } from "../../address";
import type { Fault } from "../../fault";
import { judgeShape, type Shape, type ShapeJudgement } from "../../objects/shape";
import { entriesOf, type Place } from "../../resources/read";
import type { PropertyValue, Resource } from "../../resources/resource";
import {
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isNetworkPolicy,
  isPatch,
} from "../../resources/resourceTypes";
import {
  adminNetworkPolicyShape,
  baselineAdminNetworkPolicyShape,
  clusterNetworkPolicyShape,
  networkPolicyShape,
} from "./shapes";

/** A kind of policies, and the versions of its API that are known here. */
interface PolicyKind {
  holds: (type: string) => boolean;
  versions: readonly string[];
  spec: Shape;
  isBuiltIn?: true;
}

const KINDS: readonly PolicyKind[] = [
  { holds: isNetworkPolicy, versions: ["v1"], spec: networkPolicyShape, isBuiltIn: true },
  { holds: isAdminNetworkPolicy, versions: ["v1alpha1"], spec: adminNetworkPolicyShape },
  { holds: isBaselineAdminNetworkPolicy, versions: ["v1alpha1"], spec: baselineAdminNetworkPolicyShape },
  { holds: isClusterNetworkPolicy, versions: ["v1alpha2", "v1beta1"], spec: clusterNetworkPolicyShape },
];

/** What is wrong with the spec of a policy. Undefined where its version of the API is not known here. */
export function judgePolicy({ type, properties }: Resource): ShapeJudgement | undefined {
  const kind = KINDS.find(({ holds }) => holds(type));
  if (!kind?.versions.some((version) => type.includes(`/${version}:`))) return undefined;
  const { spec, isBuiltIn = false } = kind;
  return judgeShape(spec, { path: "spec", value: properties.spec }, { isBuiltIn, isPatch: isPatch(type) });
}

/** The API server takes an exception only where it is a part of its block, and not all of it. What is no block is nothing to this. */
export function exceptionFaults({ path, value }: Place, cidr: PropertyValue | undefined): Fault[] {
  const block = typeof cidr === "string" ? readPrefix(cidr) : undefined;
  if (!block) return [];
  return entriesOf(value).flatMap((entry, position) => {
    const inner = typeof entry === "string" ? readPrefix(entry) : undefined;
    if (!inner || (contains(block, inner) && inner.length > block.length)) return [];
    const problem = `${inner.text} is no part of ${block.text}`;
    const remedy = `write a smaller block inside ${block.text}, or leave it out`;
    return [{ path: `${path}[${position}]`, problem, remedy }];
  });
}
