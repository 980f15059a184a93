import type { Fault } from "../../fault";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { flowKey } from "../../flows/model";
import type { FlowPlan } from "./flowPlan";
import { mergeDuplicates, type PlannedRule } from "./plannedRule";
import { declaredBy, type RulePurpose } from "./proof/rulePurpose";
import type { ResolvedPeer } from "./rulePeers";
import { fitQuota, type QuotaOptions } from "./ruleQuota";
import { uncountedLists } from "./ruleWarnings";

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
  /** What the rules are for, by which they are proved. Absent where there are none. */
  purpose?: RulePurpose;
}

/** What the rules of the flows are completed with. */
interface Completion extends QuotaOptions {
  /** Rules that come from no flow; asked for only where the inputs have no faults. */
  otherRules?: () => PlannedRule[];
  warningsOf: (topology: NormalizedTopology) => string[];
}

/** The rules of flows, with the others, each once and within the quota. */
export function planSecurityGroups(
  { topology, flows, resolved, faults, notes }: FlowPlan,
  { otherRules, warningsOf, ...quota }: Completion,
): SecurityGroupPlan {
  const others = topology ? (otherRules?.() ?? []) : [];
  const all = topology ? mergeDuplicates([...resolved.flatMap(rulesOf), ...others]) : [];
  const { rules, faults: unfit, warnings } = fitQuota(all, quota);
  const wrong = [...faults, ...unfit];
  if (!topology || wrong.length > 0) return { rules: [], faults: wrong, warnings: [] };
  const said = [...notes, ...warningsOf(topology), ...uncountedLists(rules), ...warnings];
  const callers = resolved.filter(({ path }) => !path.startsWith("topology."));
  const purpose = { flows, declared: [...callers.flatMap(rulesOf), ...others].map(declaredBy) };
  return { rules, faults: [], warnings: said, topology, purpose };
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
