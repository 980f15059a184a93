import type { Acceptance, FlowCounts } from "../reachability/answers/answer";
import { countFlows } from "../reachability/answers/describeAnswer";
import type { Hop } from "../flows/model";
import type { JudgedJourney } from "../reachability/path/judge";
import { Proof } from "../reachability/proof/prove";
import { PORT } from "../requirements/ports";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { egressFirewallApiBlocked, egressFirewallDns } from "../egressFirewall/rules/blocked";
import { isolationFlowBlocked } from "../isolation/rules/isolationFlowBlocked";
import type { JudgedResources } from "../gate/judgedResources";
import { portMissing } from "../securityGroups/rules/portMissing";
import { proxyDnsBlocked } from "../proxy/rules/proxies";
import { fleetOf, flowsOfPlan, outcomesOfPlan, refutingPlaces } from "../gate/refutedFlows";
import { type Finding, type Rule, Status } from "../gate/rule";
import { type Verdict, verdictOf } from "../gate/verdict";
import { append, onceForEach } from "../collections";
import type { PlanQuestion } from "../reachability/answers/answerPlan";
import { isByController, isOwnedByCluster } from "../resources/securityGroups";
import { declaredRules } from "../gate/securityGroupRules";
import { isolatedNamespaces, isolationQuestion } from "../isolation/rules/networkPolicies";

/** The result of a plan for one hosted cluster: the same numbers in every command, in the report and in the policy pack. */
export interface Conclusion {
  /** The key of the hosted cluster. */
  cluster: string;
  counts: FlowCounts;
}

/** The rules whose findings concern documented flows that are blocked. */
export const flowRules: readonly Rule[] = [
  portMissing,
  proxyDnsBlocked,
  isolationFlowBlocked,
  egressFirewallApiBlocked,
  egressFirewallDns,
];

/** The rule that reports what a hop drops. */
function ruleAt(hop: Hop): Rule | undefined {
  switch (hop.kind) {
    case "hosts":
    case "balancer":
      return portMissing;
    case "pods":
    case "senders":
      return isolationFlowBlocked;
    case "namespace":
      return hop.ports?.from === PORT.dns ? egressFirewallDns : egressFirewallApiBlocked;
    case "node":
      return undefined;
  }
}

/** The results of a plan for each of its hosted clusters that are sufficiently known. */
export const conclusionsOf = (judged: JudgedResources, verdict: Verdict): Conclusion[] =>
  judged.clusters.flatMap(({ key, topology, partial }) => {
    if (!topology || partial) return [];
    const outcomes = outcomesOfPlan(judged, topology);
    const isAnyRefuted = outcomes.some(({ proof }) => proof === Proof.Refuted);
    const accepted = isAnyRefuted ? acceptedIn(judged, topology, verdict) : undefined;
    const flows = outcomes.map((outcome) => {
      const found = accepted?.get(outcome.key);
      return { ...outcome, ...(found && { accepted: found }) };
    });
    return [{ cluster: key, counts: countFlows(flows) }];
  });

/** The flows that are dropped but that a configuration accepts. */
function acceptedFlows(
  judged: JudgedResources,
  topology: NormalizedTopology,
): ReadonlyMap<string, Acceptance> {
  const { exemptions = [], levels } = judged.configuration;
  if (exemptions.length === 0 && !Object.values(levels).includes("disabled")) return new Map();
  return acceptedIn(judged, topology, verdictOf(judged, flowRules));
}

/** The keys that findings name clusters by. */
const keysOf = onceForEach(
  ({ clusters }: JudgedResources) => new Map(clusters.map(({ topology, key }) => [topology, key])),
);

type FindingsByFlow = ReadonlyMap<string, readonly Finding[]>;

/** The key of a flow of one cluster, or of any cluster if a finding names none. */
const keyIn = (cluster: string | undefined, flow: string): string => `${cluster ?? ""}\n${flow}`;

/** Violations by the flows that they name, indexed once for all clusters of a plan. */
const byFlow = onceForEach((findings: readonly Finding[]): FindingsByFlow => {
  const found = new Map<string, Finding[]>();
  for (const one of findings)
    if (one.status === Status.Violated)
      for (const flow of one.flow ?? []) append(found, keyIn(one.cluster, flow), [one]);
  return found;
});

const byFlowExempted = onceForEach((exempted: Verdict["exempted"]) =>
  byFlow(exempted.map(({ finding }) => finding)),
);

function acceptedIn(
  judged: JudgedResources,
  topology: NormalizedTopology,
  { findings, exempted, rules }: Verdict,
): ReadonlyMap<string, Acceptance> {
  const cluster = keysOf(judged).get(topology);
  const [left, accepted] = [byFlow(findings), byFlowExempted(exempted)];
  const asked = new Set(rules.map(({ id }) => id));
  const names = (flow: JudgedJourney, lists: FindingsByFlow) =>
    [cluster, undefined].flatMap((of) => lists.get(keyIn(of, flow.journey.key)) ?? []);
  const found = new Map<string, Acceptance>();
  for (const flow of flowsOfPlan(judged, topology)) {
    if (flow.proof !== Proof.Refuted || names(flow, left).length > 0) continue;
    const exemptedHere = new Set(names(flow, accepted).map(({ rule }) => rule));
    const reasons = refutingPlaces(flow).map(({ hop }): Acceptance | undefined => {
      const rule = ruleAt(hop);
      if (rule && !asked.has(rule.id)) return "disabled";
      return rule && exemptedHere.has(rule.id) ? "exempted" : undefined;
    });
    if (reasons.every((reason) => reason !== undefined))
      found.set(flow.journey.key, reasons.includes("exempted") ? "exempted" : "disabled");
  }
  return found;
}

/**
 * The question about a plan for one of its hosted clusters. Excess is what the rules `port-excess` and
 * `isolation-flow-excess` report: what neither users declare nor controllers write.
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
    fleet: fleetOf(judged),
    isMeant: ({ resource, path }) =>
      isDeclared(resource) || isByController({ resource, path }) || isOwnedByCluster(resource),
    accepted: acceptedFlows(judged, topology),
    ...(isolated && { isolation: isolationQuestion(isolated, judged) }),
  };
}
