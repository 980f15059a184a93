import type { Fault } from "../../fault";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { normalizeTopology } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role, type RequiredFlow } from "../../topology/requiredFlow";
import { requiredFlows } from "../../topology/requiredFlows";
import { additionalRuleFaults, plannedAdditionalRules, type AdditionalRule } from "./additionalRules";
import { choiceFaults, chosenFlows, flowKey, type FlowChoice } from "./flowSelection";
import { knownValueFaults } from "./givenValues";
import { peerFaults, type PeerReferences, type PeerSetName } from "./peerSets";
import { mergeDuplicates, type GroupRole, type PlannedRule } from "./plannedRule";
import { publicFaults, resolvePeers, workersCarryGroup, type ResolvedPeer } from "./rulePeers";
import { quotaFaults } from "./ruleQuota";
import { ruleWarnings } from "./ruleWarnings";

/** What a user says about the rules beside the topology, as far as it is known. */
export interface SecurityGroupOptions extends FlowChoice {
  peers?: Readonly<Partial<Record<PeerSetName, PeerReferences>>> | null;
  additionalRules?: Readonly<Record<string, AdditionalRule>> | null;
  /** Rules that a group may have in each direction. Defaults to AWS's default quota. */
  ruleQuota?: number | null;
  /** Whether the workers' group lies in another VPC than the control-plane hosts. */
  workersElsewhere?: boolean;
}

/** The rules of both groups, or why there are none. */
export interface SecurityGroupPlan {
  /** Empty where there are faults. */
  rules: readonly PlannedRule[];
  /** Everything that is wrong with the inputs. */
  faults: readonly Fault[];
  /** What was opened or left closed because the inputs do not say more. */
  warnings: readonly string[];
  /** The topology with its defaults; absent where it has faults. */
  topology?: NormalizedTopology;
}

/**
 * The security-group rules of control-plane hosts and workers that one hosted cluster needs: the documented ones, those
 * that each hop sees after translation, and the user's own.
 */
export function securityGroupRules(
  given: HostedClusterTopology,
  options: SecurityGroupOptions = {},
): SecurityGroupPlan {
  const { topology, faults: topologyFaults, warnings } = normalizeTopology(given);
  const inputFaults = [
    ...topologyFaults,
    ...peerFaults(options.peers),
    ...additionalRuleFaults(options.additionalRules),
    ...knownValueFaults({ peers: options.peers, additionalRules: options.additionalRules }),
  ];
  if (!topology) return refused([...inputFaults, ...quotaFaults([], options.ruleQuota)]);
  const possible = groupFlows({ ...topology, bootstrap: true });
  const choice = choiceFaults(possible, options);
  if (inputFaults.length > 0)
    return refused([...inputFaults, ...choice, ...quotaFaults([], options.ruleQuota)]);

  const resolved = resolveFlows(topology, options);
  const rules = mergeDuplicates([
    ...resolved.flatMap(rulesOf),
    ...plannedAdditionalRules(options.additionalRules ?? {}),
  ]);
  const faults = [...choice, ...publicFaults(resolved), ...quotaFaults(rules, options.ruleQuota)];
  if (faults.length > 0) return refused(faults);
  const notes = warnings.map(({ path, problem, remedy }) => `${path} ${problem}; ${remedy}`);
  return {
    rules,
    faults: [],
    warnings: [...notes, ...ruleWarnings(topology, options.peers ?? {}, resolved)],
    topology,
  };
}

const refused = (faults: readonly Fault[]): SecurityGroupPlan => ({ rules: [], faults, warnings: [] });

/** The flows of the two groups; the one of private endpoints belongs to a component of its own. */
function groupFlows(topology: NormalizedTopology): RequiredFlow[] {
  return requiredFlows(topology).filter(({ role }) => role !== Role.PrivateEndpoint);
}

function resolveFlows(topology: NormalizedTopology, options: SecurityGroupOptions): ResolvedPeer[] {
  const choice = {
    peers: options.peers ?? {},
    workersCarryGroup: workersCarryGroup(topology.platform, options.workersElsewhere ?? false),
  };
  return chosenFlows(groupFlows(topology), options).flatMap((flow) => resolvePeers(flow, choice));
}

/** One rule for each peer of one end of a flow. */
function rulesOf({ flow, peers }: ResolvedPeer): PlannedRule[] {
  const { direction, protocol, ports, requirement, view, purpose, documents, notes } = flow;
  return peers.map((peer) => ({
    role: flow.role as GroupRole,
    direction,
    protocol,
    ...(ports && { ports }),
    peer,
    flows: [flowKey(flow)],
    requirements: [requirement],
    views: [view],
    purposes: [purpose],
    documents,
    notes,
  }));
}
