import type { RuleMerging, SecurityGroupRuleRow } from "./hostedControlPlaneSecurityGroupsArgs";
import {
  describePeer,
  describePorts,
  mergeDuplicates,
  type PlannedRule,
  ruleIdentity,
  ruleKey,
  type RulePeer,
  rowPeer,
} from "../../components/hostRules/plannedRule";
import type { Fault } from "../../fault";
import { inputFaults, plain, plainSwitch } from "../../objects/shape";
import { WORKER_GROUP_PLATFORMS } from "../../requirements/rows/nodes";
import { withDefaultWorkerGroup } from "../../flows/required/workers";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { normalizeTopology } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Direction, Role } from "../../requirements/vocabulary";
import type { RequiredFlow } from "../../flows/model";
import { requiredFlows } from "../../flows/required/requiredFlows";
import {
  type AdditionalRule,
  additionalRuleShape,
  plannedAdditionalRules,
} from "../../components/hostRules/additionalRules";
import { type FlowChoice, type FlowPlan, planFlows, rulesOf } from "../../components/hostRules/flowSelection";
import {
  type GivenValue,
  knownValueFaults,
  peersByKey,
  peerSetIds,
} from "../../components/hostRules/givenValues";
import { type PeerReferences, peerSets, type PeerSetName } from "../../components/hostRules/peerSets";
import { resolvePeers, workersCarryGroup } from "../../components/hostRules/rulePeers";
import {
  declaredBy,
  type PlannedFilters,
  proofFaults,
  type RulePurpose,
  ruleWarnings,
  uncountedLists,
} from "../../components/hostRules/ruleWarnings";
import { fitQuota, type QuotaOptions } from "./ruleQuota";
import { parsePrefix } from "../../address/parse";
import { addressesByRole, groupFilter, type RoleOfReference } from "../../reachability/flows/groupFilter";
import { securityGroupFilter } from "../../reachability/filters/securityGroup";
import { type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import { ResourceIndex } from "../../resources/resourceIndex";
import { TYPE } from "../../resources/resourceTypes";
import { securityGroups } from "../../resources/securityGroups";
import { rulePeer, ruleTraffic } from "./groupResource";
import { grouped } from "../../collections";

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
    peer: rowPeer(peer),
    flows: [...flows],
    requirements: [...requirements],
    purpose: purposes.join("; "),
    documents: [...documents],
    notes: [...notes, ...(mergedFrom ? [`Merged from ${mergedFrom.map(describePeer).join(", ")}`] : [])],
  };
}

/** The known part of a user's options for the rules, apart from the topology. */
export interface SecurityGroupOptions extends FlowChoice {
  peers?: Readonly<Partial<Record<PeerSetName, PeerReferences>>> | null;
  additionalRules?: Readonly<Record<string, AdditionalRule>> | null;
  /** Rules that a group may have in each direction. Defaults to AWS's default quota. */
  ruleQuota?: number | null;
  /** When rules for blocks are merged. Defaults to only if a group would have more rules than the quota. */
  mergeRules?: RuleMerging | null;
  /** Whether the workers' group gets the rules of the group that HyperShift creates for workers. */
  defaultWorkerRules?: boolean | null;
  /** Whether the workers' group is in a different VPC from the control-plane hosts. */
  workersElsewhere?: boolean;
}

/**
 * The security-group rules of control-plane hosts and workers that one hosted cluster needs: the documented rules, the rules
 * that each hop sees after address translation, and the user's own.
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
      ...inputFaults(
        {
          peers: plain(peerSets, "write sets of peers"),
          additionalRules: additionalRuleShape(additionalRules),
          defaultWorkerRules: plainSwitch,
        },
        options,
      ),
      ...knownValueFaults([...peerSetIds(peers), ...peersByKey("additionalRules", additionalRules)]),
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

/** The flows of the two groups; the group of private endpoints belongs to a separate component. */
function groupFlows(topology: NormalizedTopology, likeHyperShift: boolean): RequiredFlow[] {
  const flows = requiredFlows(topology).filter(({ role }) => role !== Role.PrivateEndpoint);
  return likeHyperShift ? withDefaultWorkerGroup(flows) : flows;
}

/** Fault for a platform on which HyperShift creates no group for the workers. */
function workerGroupFaults({ platform }: NormalizedTopology): Fault[] {
  if (WORKER_GROUP_PLATFORMS.includes(platform)) return [];
  const made = WORKER_GROUP_PLATFORMS.join(", ");
  const problem = `HyperShift creates no security group for workers on ${platform}, only on ${made}`;
  const remedy = "remove it, and write the rules that such workers need among themselves as additionalRules";
  return [{ path: "defaultWorkerRules", problem, remedy }];
}

/** The rules of a component's groups, or the faults that prevent them. */
export interface SecurityGroupPlan {
  /** Empty if there are faults. */
  rules: readonly PlannedRule[];
  /** All faults of the inputs. */
  faults: readonly Fault[];
  /** What is opened or left closed because the inputs are not specific enough. */
  warnings: readonly string[];
  /** The topology with its defaults; absent if there are faults. */
  topology?: NormalizedTopology;
  /** The flows and declared rules behind the rules, from which the rules are proved. Absent if there are faults. */
  purpose?: RulePurpose;
}

/** What completes the rules of the flows. */
interface Completion extends QuotaOptions {
  /** Rules that come from no flow; called only if the inputs have no faults. */
  otherRules?: () => PlannedRule[];
  warningsOf: (topology: NormalizedTopology) => string[];
}

/** The rules of the flows and the other rules, without duplicates and within the quota. */
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

/**
 * Faults for rules that turn out to be identical once the values of other resources are known: by then two resources are
 * declared, and AWS accepts only one. Values that are known from the beginning are merged into one rule instead.
 */
export function duplicateFaults(rules: readonly PlannedRule[], given: readonly GivenValue[]): Fault[] {
  const values = new Map(given.map(({ path, value }) => [path, value]));
  const resolved = rules.map((rule) => ({ rule, identity: ruleIdentity(withValue(rule, values)) }));
  const twins = [...grouped(resolved, ({ identity }) => identity).values()].flatMap(([first, ...others]) =>
    others.map((other) => twinOf(first.rule, other.rule)),
  );
  return [...grouped(twins, ({ path, twin }) => `${path} ${twin}`).values()].map((same) => {
    const [{ path, twin }] = same;
    const flows = same.flatMap((each) => each.flows);
    return {
      path,
      problem: `is the same peer as ${twin}, and AWS accepts each rule only once: ${flows.join(", ")}`,
      remedy: "use one key for both, remove one of the two, or write plain values, which become one rule",
    };
  });
}

/** The rule whose peer was not known from the beginning, and its duplicate. */
function twinOf(first: PlannedRule, second: PlannedRule) {
  const [late, other] = placeOf(second.peer) === undefined ? [first, second] : [second, first];
  return { path: placeOf(late.peer) ?? "", twin: describePeer(other.peer), flows: late.flows };
}

/** The input path of a peer whose value is not known from the beginning. */
function placeOf(peer: RulePeer): string | undefined {
  if (peer.kind === "eventual") return peer.path;
  return peer.kind === "reference" && peer.reference.id === undefined ? peer.reference.path : undefined;
}

function withValue(rule: PlannedRule, values: ReadonlyMap<string, unknown>): PlannedRule {
  const { peer } = rule;
  const value = values.get(placeOf(peer) ?? "");
  if (typeof value !== "string") return rule;
  if (peer.kind === "reference")
    return { ...rule, peer: { ...peer, reference: { ...peer.reference, id: value } } };
  const { prefix } = parsePrefix(value);
  return prefix ? { ...rule, peer: { kind: "prefix", prefix } } : rule;
}

/**
 * Proves the rules of a component's groups before any of them is created: the properties for the engine are read like those
 * of any plan, and must allow every flow that they are for, and nothing else.
 */
export function groupProofFaults({ rules, topology, purpose }: SecurityGroupPlan): Fault[] {
  if (!topology || !purpose) return [];
  const { groups } = securityGroups(new ResourceIndex(rules.map(asResource)));
  const places = Object.values(Role).map((role): PlannedFilters => {
    const own = groups.find(({ id }) => id === role)?.rules ?? [];
    return {
      role,
      filterFor: (flow, peer) => groupFilter(own, flow, peer, topology, roleOf),
      filter: (direction) => securityGroupFilter(own, direction, addressesByRole(topology, roleOf)),
      isPassedBy: (flow) => flow.role === role,
    };
  });
  return proofFaults(places, purpose, topology);
}

/** Roles used as ids of the groups, because the real ids are not known before the groups are created. */
const IDS = Object.fromEntries(Object.values(Role).map((role) => [role, role]));

const ROLES: ReadonlyMap<string, Role> = new Map(Object.values(Role).map((role) => [role, role]));

const roleOf: RoleOfReference = (reference) =>
  reference.kind === "foreignGroup" ? ROLES.get(reference.id) : undefined;

/** A rule with the properties that the engine gets; UNKNOWN for values of other resources. */
function asResource(rule: PlannedRule): Resource {
  // The stand-in for a block in the topology is also used here.
  const { standIn } = { standIn: undefined, ...rule.peer };
  const peer = rulePeer<PropertyValue>(standIn ? { kind: "prefix", prefix: standIn } : rule.peer, {
    groups: IDS,
    values: { get: () => UNKNOWN },
    ofFamily: () => UNKNOWN,
  });
  return {
    origin: {},
    type: rule.direction === Direction.Ingress ? TYPE.ingressRule : TYPE.egressRule,
    name: ruleKey(rule),
    properties: { securityGroupId: IDS[rule.role]!, ...ruleTraffic(rule), ...peer },
  };
}
