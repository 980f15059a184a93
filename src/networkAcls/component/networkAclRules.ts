import type { Fault } from "../../fault";
import { elsewhere, inputFaults, needed, plainSwitch, type Shape } from "../../objects/shape";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { missingInputs } from "../../topology/missingInputs";
import { normalizeTopology } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Direction, Protocol, Role } from "../../requirements/vocabulary";
import type { PlannedRule } from "../../components/hostRules/plannedRule";
import {
  additionalRuleShape,
  plannedAdditionalRule,
  type AdditionalRule,
} from "../../components/hostRules/additionalRules";
import { type FlowChoice, type FlowPlan, planFlows, rulesOf } from "../../components/hostRules/flowSelection";
import { knownValueFaults, peersByKey } from "../../components/hostRules/givenValues";
import { Provenance, resolvePeers, type ResolvedPeer } from "../../components/hostRules/rulePeers";
import {
  declaredBy,
  isToProxy,
  isOpenEnd,
  peerWarnings,
  proxyWithoutRule,
  type RulePurpose,
} from "../../components/hostRules/ruleWarnings";
import {
  aclFlows,
  aclOf,
  SUBNET_ROLES,
  answerFlow,
  answerTo,
  ephemeralPorts,
  givenRange,
  pathMtuPackets,
  pathMtuRules,
  type SubnetRole,
  type EphemeralPorts,
  type GivenRange,
} from "./answers";
import {
  aclQuotaFaults,
  type AclRule,
  givenNumberFaults,
  idleNumbers,
  mergeRules,
  numbered,
  type NumberedRule,
  sameNumberFaults,
} from "./aclRule";
import { aclRoles, filteredRoles, placeFaults, subnetFaults, type GivenSubnets } from "./subnets";
import { isRecord } from "../../collections";

/** The known part of a rule that the user adds. Mirrors the component's `AdditionalNetworkAclRule`. */
export interface AdditionalAclRule extends Omit<
  AdditionalRule,
  "securityGroupId" | "prefixListId" | "maxEntries"
> {
  answers?: boolean | null;
}

/** The known part of a user's options for the ACLs, apart from the topology. */
export interface NetworkAclOptions extends FlowChoice {
  dedicatedSubnets?: GivenSubnets | null;
  /** Keys of the subnets whose traffic is filtered. */
  associatedSubnets?: readonly string[] | null;
  additionalRules?: Readonly<Record<string, AdditionalAclRule>> | null;
  hostEphemeralPorts?: GivenRange | null;
  clientEphemeralPorts?: GivenRange | null;
  /** Numbers of rules, by the rules' names. */
  ruleNumbers?: Readonly<Record<string, number>> | null;
  /** Rules that an ACL may have in each direction, the last one included. Defaults to AWS's default quota. */
  ruleQuota?: number | null;
}

/** The rules of the ACLs, or the faults that prevent them. */
export interface NetworkAclPlan {
  /** The roles that have an ACL. */
  roles: readonly SubnetRole[];
  /** Empty if there are faults. */
  rules: readonly NumberedRule[];
  /** All faults of the inputs. */
  faults: readonly Fault[];
  /** What is opened or left closed because the inputs are not specific enough. */
  warnings: readonly string[];
  /** The topology with its defaults; absent if there are faults. */
  topology?: NormalizedTopology;
  /** What the rules are proved from: flows, their answers and declared rules. Absent if there are faults. */
  purpose?: RulePurpose;
}

/**
 * The rules of the stateless network ACLs around the dedicated subnets of one hosted cluster: everything that crosses the
 * borders of the subnets, with the answers, and nothing else.
 */
export function networkAclRules(
  given: HostedClusterTopology,
  options: NetworkAclOptions = {},
  read = normalizeTopology(given),
): NetworkAclPlan {
  const { associatedSubnets, additionalRules, hostEphemeralPorts, clientEphemeralPorts, ruleQuota } = options;
  const subnetsWrong = subnetFaults(options.dedicatedSubnets, associatedSubnets);
  const subnets = subnetsWrong.length > 0 ? {} : (options.dedicatedSubnets ?? {});
  const roles = aclRoles(subnets);
  const plan = planFlows(read, {
    ...options,
    inputFaults: [
      ...subnetsWrong,
      ...inputFaults(
        {
          additionalRules: aclRules(additionalRules),
          hostEphemeralPorts: givenRange,
          clientEphemeralPorts: givenRange,
        },
        options,
      ),
      ...homelessRuleFaults(additionalRules, roles),
      ...knownValueFaults(peersByKey("additionalRules", additionalRules)),
      ...givenNumberFaults(options.ruleNumbers),
    ],
    refusals: (topology) => placeFaults(topology, subnets),
    flowsOf: (topology) => aclFlows(topology, roles),
    resolve: (flow) => resolvePeers(flow, { peers: {}, workersCarryGroup: false }).map(blocksOnly),
  });
  const added = plan.topology
    ? Object.entries(additionalRules ?? {}).map(([key, rule]) => plannedAdditionalRule(key, rule))
    : [];
  const { topology } = plan;
  const openEnds = plan.resolved.filter((end) => !isAnswered(end, added));
  const ephemeral = ephemeralPorts(hostEphemeralPorts, clientEphemeralPorts);
  const chosen = options.ruleNumbers ?? {};
  const rules = topology ? numbered(allRules(plan, additionalRules ?? {}, ephemeral), chosen) : [];
  const faults = [
    ...plan.faults,
    ...(topology ? cutOffFaults(openEnds, topology, filteredRoles(subnets, associatedSubnets ?? [])) : []),
    ...sameNumberFaults(rules),
    ...aclQuotaFaults(rules, ruleQuota),
  ];
  if (!topology || faults.length > 0) return { roles, rules: [], faults, warnings: [] };
  const warnings = [
    ...warningsOf(plan, openEnds, topology),
    ...(roles.includes(Role.Workers) && !added.some(isForApplications) ? [APPLICATIONS] : []),
    ...idleNumbers(rules, chosen),
  ];
  const purpose = purposeOf(plan, additionalRules ?? {}, roles, ephemeral);
  return { roles, rules, faults: [], warnings, topology, purpose };
}

/** The peers of a flow that an ACL can express: only addresses, no groups. */
function blocksOnly(end: ResolvedPeer): ResolvedPeer {
  const peers = end.peers.filter(({ kind }) => kind === "prefix" || kind === "eventual");
  return { ...end, peers, ...(peers.length === 0 && { provenance: Provenance.Missing }) };
}

/** What the ACLs are for, independent of their rules: flows, the answers to them, and what the user declared. */
function purposeOf(
  { flows }: FlowPlan,
  additional: Readonly<Record<string, AdditionalAclRule>>,
  roles: readonly SubnetRole[],
  ephemeral: EphemeralPorts,
): RulePurpose {
  const answered = flows.filter(({ samePortBothWays }) => samePortBothWays !== true);
  const declared = Object.entries(additional).flatMap(([key, rule]) => {
    const planned = plannedAdditionalRule(key, rule);
    return rule.answers === false ? [planned] : [planned, answerTo(planned, ephemeral)];
  });
  return {
    flows: [...flows, ...answered.map((flow) => answerFlow(flow, ephemeral))],
    declared: [...declared.map(declaredBy), ...roles.flatMap(pathMtuPackets)],
  };
}

/** The rules for flows and the user's rules, each with its answers, and for path MTU discovery, merged into as few as possible. */
function allRules(
  { resolved }: FlowPlan,
  additional: Readonly<Record<string, AdditionalAclRule>>,
  ephemeral: EphemeralPorts,
): AclRule[] {
  const both = (rule: AclRule, answered: boolean) => (answered ? [rule, answerTo(rule, ephemeral)] : [rule]);
  const rules = [
    ...resolved.flatMap((end) =>
      rulesOf(end).flatMap((rule) =>
        both({ ...rule, role: aclOf(end.flow) }, end.flow.samePortBothWays !== true),
      ),
    ),
    ...Object.entries(additional).flatMap(([key, rule]) =>
      both(plannedAdditionalRule(key, rule), rule.answers !== false),
    ),
  ];
  const discovery = SUBNET_ROLES.flatMap((role) =>
    pathMtuRules(
      role,
      rules.filter((rule) => rule.role === role),
    ),
  );
  return mergeRules([...rules, ...discovery]);
}

/** The shape of the user's rules. */
const aclRules = (rules: unknown): Shape =>
  additionalRuleShape(rules, {
    name: "a network ACL",
    peer: {
      cidr: needed(elsewhere, "write a CIDR block: network ACLs do not support groups"),
      answers: plainSwitch,
    },
    relations: [],
  });

/** Faults for rules of an ACL that does not exist. */
function homelessRuleFaults(rules: unknown, roles: readonly SubnetRole[]): Fault[] {
  return Object.entries(isRecord(rules) ? rules : {})
    .filter(([, rule]) => isRecord(rule) && rule.role === Role.Workers && !roles.includes(Role.Workers))
    .map(([key]) => ({
      path: `additionalRules.${key}.role`,
      problem: `${Role.Workers} have no ACL, because none of their subnets is declared`,
      remedy: "declare one in dedicatedSubnets, or remove the rule",
    }));
}

/** Topology properties, apart from the ends of flows, without which hosts would be cut off from each other. */
const NEEDED: readonly string[] = ["loadBalancerTargets", "loadBalancerSubnetCidrs", "workerNatCidrs"];

/**
 * Faults for peers that an ACL with an associated subnet would cut off because their address is missing. External users may
 * be cut off on purpose.
 */
function cutOffFaults(
  resolved: readonly ResolvedPeer[],
  topology: NormalizedTopology,
  filtered: readonly SubnetRole[],
): Fault[] {
  const cutOff = resolved.filter(
    ({ flow, input, provenance }) =>
      provenance === Provenance.Missing && input !== "externalClientCidrs" && filtered.includes(aclOf(flow)),
  );
  const missing = cutOff.filter((end) => !isToProxy(end)).map(({ path }) => path);
  const proxies = cutOff.filter(isToProxy).map((end) => {
    const { problem, remedy } = proxyWithoutRule(end);
    return {
      path: end.path,
      problem: `${problem}: the ACL would cut off the hosts of associatedSubnets from it`,
      remedy,
    };
  });
  const needed = missingInputs(topology)
    .map(({ path }) => path)
    .filter(
      (path) => filtered.includes(Role.ControlPlane) && NEEDED.some((one) => path === `topology.${one}`),
    );
  const unsaid = [...new Set([...missing, ...needed])].map((path) => ({
    path,
    problem: "missing: the ACL would cut off the hosts of associatedSubnets from it",
    remedy: HOW_TO_SAY[path] ?? "write its CIDR blocks, or remove the subnets from associatedSubnets",
  }));
  return [...unsaid, ...proxies];
}

const HOW_TO_SAY: Readonly<Record<string, string>> = {
  "topology.loadBalancerTargets": "write how load balancers reach the hosts: instance or ip",
  "topology.workerNatCidrs":
    "write the CIDR blocks of the NAT gateways; if there are none, repeat those of the workers",
};

/** Whether a user's rule covers a proxy for which no rule can be derived. */
const isAnswered = (end: ResolvedPeer, added: readonly PlannedRule[]): boolean =>
  end.provenance === Provenance.Missing &&
  isToProxy(end) &&
  end.flow.ports !== undefined &&
  added.some(
    ({ role, direction, protocol, ports = end.flow.ports! }) =>
      role === end.flow.role &&
      direction === end.flow.direction &&
      (protocol === end.flow.protocol || protocol === Protocol.Any) &&
      ports.from <= end.flow.ports!.from &&
      end.flow.ports!.to <= ports.to,
  );

/** Warnings about what is opened or left closed, and about missing topology properties. */
function warningsOf(plan: FlowPlan, ends: readonly ResolvedPeer[], topology: NormalizedTopology): string[] {
  const openEnds = peerWarnings(ends);
  const mentioned = new Set(ends.filter(isOpenEnd).map(({ input }) => `topology.${input}`));
  const others = missingInputs(topology)
    .filter(({ path }) => NEEDED.some((one) => path === `topology.${one}`) && !mentioned.has(path))
    .map(({ path, problem, remedy }) => `${path} ${problem}; ${remedy}`);
  return [...plan.notes, ...openEnds, ...others];
}

/** Whether a user's rule allows inbound traffic to workers. */
const isForApplications = ({ role, direction }: PlannedRule): boolean =>
  role === Role.Workers && direction === Direction.Ingress;

const APPLICATIONS =
  "dedicatedSubnets contains subnets of workers: no topology describes what users of applications send to them through load balancers or node ports; write additionalRules for it";
