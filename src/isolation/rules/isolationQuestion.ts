import { ingressPolicies } from "../ingress";
import { ownerOfName } from "../names";
import { policyResource } from "../policyResource";
import type { Isolation } from "../../reachability/answers";
import { hyperShiftResources } from "../../reachability/path";
import { readText } from "../../resources/read";
import type { Resource } from "../../resources/resource";
import { OUR_COMPONENTS } from "../../resources/resourceTypes";
import type { IsolatedNamespace } from "./isolationPolicies";
import type { JudgedResources } from "../../gate/judgedResources";

/**
 * The policies of a control plane's namespace that somebody wrote beside ControlPlaneIsolation and HyperShift, and those that
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
