import type { Fault } from "../../fault";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { flowKey } from "../../topology/requiredFlow";
import type { FlowPlan } from "./flowPlan";
import { mergeDuplicates, type PlannedRule } from "./plannedRule";
import type { ResolvedPeer } from "./rulePeers";
import { quotaFaults } from "./ruleQuota";

/** The rules of a component's groups, or why there are none. */
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

/** What the rules of the flows are completed with. */
interface Completion {
  /** Rules that come from no flow; asked for only where the inputs have no faults. */
  otherRules?: () => PlannedRule[];
  ruleQuota: unknown;
  warningsOf: (topology: NormalizedTopology) => string[];
}

/** The rules of flows, with the others, each once and within the quota. */
export function planSecurityGroups(
  { topology, resolved, faults, notes }: FlowPlan,
  { otherRules, ruleQuota, warningsOf }: Completion,
): SecurityGroupPlan {
  const rules = topology ? mergeDuplicates([...resolved.flatMap(rulesOf), ...(otherRules?.() ?? [])]) : [];
  const wrong = [...faults, ...quotaFaults(rules, ruleQuota)];
  if (!topology || wrong.length > 0) return { rules: [], faults: wrong, warnings: [] };
  return { rules, faults: [], warnings: [...notes, ...warningsOf(topology)], topology };
}

/** One rule for each peer of one end of a flow. */
export function rulesOf({ flow, peers }: ResolvedPeer): PlannedRule[] {
  const { role, direction, protocol, ports, requirement, view, purpose, documents, notes } = flow;
  return peers.map((peer) => ({
    role,
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
