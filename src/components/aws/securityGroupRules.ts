import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role, type RequiredFlow } from "../../topology/requiredFlow";
import { requiredFlows } from "../../topology/requiredFlows";
import { additionalRuleFaults, plannedAdditionalRules, type AdditionalRule } from "./additionalRules";
import { planFlows } from "./flowPlan";
import type { FlowChoice } from "./flowSelection";
import { knownValueFaults, peersByKey, peerSetIds } from "./givenValues";
import { peerFaults, type PeerReferences, type PeerSetName } from "./peerSets";
import { resolvePeers, workersCarryGroup } from "./rulePeers";
import { ruleWarnings } from "./ruleWarnings";
import { planSecurityGroups, type SecurityGroupPlan } from "./securityGroupPlan";

/** What a user says about the rules beside the topology, as far as it is known. */
export interface SecurityGroupOptions extends FlowChoice {
  peers?: Readonly<Partial<Record<PeerSetName, PeerReferences>>> | null;
  additionalRules?: Readonly<Record<string, AdditionalRule>> | null;
  /** Rules that a group may have in each direction. Defaults to AWS's default quota. */
  ruleQuota?: number | null;
  /** Whether the workers' group lies in another VPC than the control-plane hosts. */
  workersElsewhere?: boolean;
}

/**
 * The security-group rules of control-plane hosts and workers that one hosted cluster needs: the documented ones, those
 * that each hop sees after translation, and the user's own.
 */
export function securityGroupRules(
  given: HostedClusterTopology,
  options: SecurityGroupOptions = {},
): SecurityGroupPlan {
  const { additionalRules, ruleQuota, workersElsewhere = false } = options;
  const peers = options.peers ?? {};
  const plan = planFlows(given, {
    ...options,
    inputFaults: [
      ...peerFaults(options.peers),
      ...additionalRuleFaults(additionalRules),
      ...knownValueFaults([...peerSetIds(peers), ...peersByKey("additionalRules", additionalRules)]),
    ],
    flowsOf: groupFlows,
    resolve: (flow, { platform }) =>
      resolvePeers(flow, { peers, workersCarryGroup: workersCarryGroup(platform, workersElsewhere) }),
  });
  return planSecurityGroups(plan, {
    otherRules: () => plannedAdditionalRules(additionalRules ?? {}),
    ruleQuota,
    warningsOf: (topology) => ruleWarnings(topology, peers, plan.resolved),
  });
}

/** The flows of the two groups; the one of private endpoints belongs to a component of its own. */
function groupFlows(topology: NormalizedTopology): RequiredFlow[] {
  return requiredFlows(topology).filter(({ role }) => role !== Role.PrivateEndpoint);
}
