import type { Fault } from "../../fault";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { rulesOf, type FlowPlan } from "../../components/hostRules/flowPlan";
import { mergeDuplicates, type PlannedRule } from "../../components/hostRules/plannedRule";
import { declaredBy, type RulePurpose } from "../../components/hostRules/proofFaults";
import { fitQuota, type QuotaOptions } from "./ruleQuota";
import { uncountedLists } from "../../components/hostRules/ruleWarnings";

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
