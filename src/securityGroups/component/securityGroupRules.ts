import type { RuleMerging, SecurityGroupRuleRow } from "./hostedControlPlaneSecurityGroupsArgs";
import {
  describePeer,
  describePorts,
  type PlannedRule,
  ruleKey,
} from "../../components/hostRules/plannedRule";
import type { Fault } from "../../fault";
import { switchFaults } from "../../objects/hostedClusterReference";
import { WORKER_GROUP_PLATFORMS } from "../../requirements/rows/awsWorkerGroup";
import { withDefaultWorkerGroup } from "../../flows/required/workers";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { normalizeTopology } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role } from "../../requirements/vocabulary";
import type { RequiredFlow } from "../../flows/model";
import { requiredFlows } from "../../flows/required/requiredFlows";
import {
  type AdditionalRule,
  additionalRuleFaults,
  plannedAdditionalRules,
} from "../../components/hostRules/additionalRules";
import { type FlowChoice, planFlows } from "../../components/hostRules/flowSelection";
import { knownValueFaults, peersByKey, peerSetIds } from "../../components/hostRules/givenValues";
import { peerFaults, type PeerReferences, type PeerSetName } from "../../components/hostRules/peerSets";
import { resolvePeers, workersCarryGroup } from "../../components/hostRules/rulePeers";
import { ruleWarnings } from "../../components/hostRules/ruleWarnings";
import { planSecurityGroups, type SecurityGroupPlan } from "./groupProof";

/** A rule as tables and reports show it. */
export function ruleRow(rule: PlannedRule): SecurityGroupRuleRow {
  const { role, direction, protocol, ports, peer, flows, requirements, purposes, documents, notes } = rule;
  const { mergedFrom } = rule;
  return {
    key: ruleKey(rule),
    role,
    direction,
    protocol,
    ports: describePorts(ports),
    peer: describePeer(peer),
    flows: [...flows],
    requirements: [...requirements],
    purpose: purposes.join("; "),
    documents: [...documents],
    notes: [...notes, ...(mergedFrom ? [`Merged from ${mergedFrom.map(describePeer).join(", ")}`] : [])],
  };
}

/** What a user says about the rules beside the topology, as far as it is known. */
export interface SecurityGroupOptions extends FlowChoice {
  peers?: Readonly<Partial<Record<PeerSetName, PeerReferences>>> | null;
  additionalRules?: Readonly<Record<string, AdditionalRule>> | null;
  /** Rules that a group may have in each direction. Defaults to AWS's default quota. */
  ruleQuota?: number | null;
  /** When rules for blocks are merged. Defaults to where a group would have more rules than the quota. */
  mergeRules?: RuleMerging | null;
  /** Whether the workers' group gets the rules of the one that HyperShift makes for them. */
  defaultWorkerRules?: boolean | null;
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
  read = normalizeTopology(given),
): SecurityGroupPlan {
  const { additionalRules, ruleQuota, mergeRules, defaultWorkerRules, workersElsewhere = false } = options;
  const peers = options.peers ?? {};
  const plan = planFlows(read, {
    ...options,
    inputFaults: [
      ...peerFaults(options.peers),
      ...additionalRuleFaults(additionalRules),
      ...knownValueFaults([...peerSetIds(peers), ...peersByKey("additionalRules", additionalRules)]),
      ...switchFaults("defaultWorkerRules", defaultWorkerRules),
    ],
    mismatches: (topology) => (defaultWorkerRules === true ? workerGroupFaults(topology) : []),
    flowsOf: (topology) => groupFlows(topology, defaultWorkerRules === true),
    resolve: (flow, { platform }) =>
      resolvePeers(flow, { peers, workersCarryGroup: workersCarryGroup(platform, workersElsewhere) }),
  });
  return planSecurityGroups(plan, {
    otherRules: () => plannedAdditionalRules(additionalRules ?? {}),
    ruleQuota,
    mergeRules,
    warningsOf: (topology) => ruleWarnings(topology, peers, plan.resolved),
  });
}

/** The flows of the two groups; the one of private endpoints belongs to a component of its own. */
function groupFlows(topology: NormalizedTopology, likeHyperShift: boolean): RequiredFlow[] {
  const flows = requiredFlows(topology).filter(({ role }) => role !== Role.PrivateEndpoint);
  return likeHyperShift ? withDefaultWorkerGroup(flows) : flows;
}

/** Why there is no group of HyperShift's for the workers. */
function workerGroupFaults({ platform }: NormalizedTopology): Fault[] {
  if (WORKER_GROUP_PLATFORMS.includes(platform)) return [];
  const made = WORKER_GROUP_PLATFORMS.join(", ");
  const problem = `HyperShift makes no security group for workers on ${platform}, only on ${made}`;
  const remedy = "take it out, and write what such workers need among themselves as additionalRules";
  return [{ path: "defaultWorkerRules", problem, remedy }];
}
