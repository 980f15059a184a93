import type { PlanQuestion } from "../reachability/answers/answerPlan";
import { isByController, isOwnedByCluster } from "../resources/ruleOwner";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { acceptedFlows } from "./conclusion";
import { declaredRules } from "../gate/declaredRules";
import { isolatedNamespaces, isolationQuestion } from "../isolation/rules/isolationPolicies";
import type { JudgedResources } from "../gate/judgedResources";
import { flowsOfPlan } from "../gate/refutedFlows";

/**
 * What is asked of a plan for one of its hosted clusters. Excess is what the rules `port-excess` and `isolation-flow-excess`
 * speak of: neither what users declare, nor what controllers write.
 */
export function planQuestion(judged: JudgedResources, topology: NormalizedTopology): PlanQuestion {
  const { index } = judged;
  const isDeclared = declaredRules(index);
  const isolated = isolatedNamespaces(judged).find((one) => one.topology === topology);
  return {
    index,
    topology,
    configured: judged.configuredGroups,
    judged: flowsOfPlan(judged, topology),
    isMeant: ({ resource, path }) =>
      isDeclared(resource) || isByController({ resource, path }) || isOwnedByCluster(resource),
    accepted: acceptedFlows(judged, topology),
    ...(isolated && { isolation: isolationQuestion(isolated, judged) }),
  };
}
