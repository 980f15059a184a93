import { Direction, oppositeDirection } from "../../../requirements/vocabulary";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { Action, type Clause, type Filter } from "../../filters/filter";
import { allowedBy, decisions } from "../../filters/decide";
import { merge } from "../../../address";
import { blocksOf } from "../../packets/print";
import { transportName } from "../../packets/service";
import { difference, type PacketSet } from "../../packets/packetSet";
import { ALLOWED_LIST } from "../../../flows/surroundings";
import type { Hop, PodHop } from "../../../flows/model";
import type { JudgedGuard } from "../../path/judge";
import type { WrittenGuard } from "../../path/guards";
import type { Resource } from "../../../resources/resource";
import { describeWritten, writtenAt } from "../places";
import {
  awsTraffic,
  egressFirewallRepair,
  endsOf,
  type NeededRule,
  neededRules,
  networkAclRepair,
  ofFamily,
} from "./filterRepairs";
import {
  obstructed,
  PlannedRepairs,
  type PolicyRuleRepair,
  type RepairAdvice,
  type SecurityGroupRepair,
} from "./repair";
import { TYPE } from "../../../resources/resourceTypes";
import type { SecurityGroup } from "../../../resources/securityGroups";
import { POD_LABEL } from "../../../requirements/networkPolicies";

/**
 * The smallest rules that allow required packets at a place that drops some of them, in the terms of the filter there. They allow
 * only packets of the flow, whatever the hosts' own addresses are, because rules at hosts do not check those. They are compatible
 * with the `planned` ones: if order decides, they get positions and numbers of their own.
 */
export function repairOf(
  judged: JudgedGuard,
  topology: NormalizedTopology,
  planned = new PlannedRepairs(),
): RepairAdvice {
  const { hop, guard, asked, required } = judged;
  const { standing } = guard;
  if (!standing) return obstructed(`the definition of ${guard.name} is unknown`);
  const filters = asked === "answers" ? (guard.answers ?? []) : guard.filters;
  const missing = difference(required, allowedBy(filters, required).sure);
  const direction = directionOf(hop, asked, standing);
  const unsaid = unsaidEnd(judged, direction);
  if (unsaid !== undefined)
    return obstructed(`state ${unsaid} in the topology: the rule must name those addresses`);
  const needed = neededRules(missing, required, direction);
  switch (standing.kind) {
    case "securityGroups":
      return securityGroupRepair(standing.groups, direction, needed);
    case "networkAcl": {
      const denying = firstDenial(filters, missing);
      const clause = denying && { clause: denying.clause };
      const besides = planned.at(standing.acl.resource);
      return networkAclRepair({ acl: standing.acl, direction, asked, ...clause }, needed, besides);
    }
    case "networkPolicies": {
      const denying = firstDenial(filters, missing);
      if (denying) return obstructed(deniedByAdmin(denying.clause));
      if (hop.kind !== "pods" || standing.direction === Direction.Egress)
        return obstructed("allow it in the egress policies of the pods that send it");
      return networkPolicyRepair(hop, topology.controlPlaneNamespace, needed);
    }
    case "allowList":
      return obstructed(allowListRepair(standing.listedBy, missing));
    case "egressFirewall":
      return egressFirewallRepair(
        standing.firewall,
        firstDenial(filters, missing),
        needed,
        planned.at(standing.firewall),
      );
  }
}

/** Network policies deny only what none of them allows: an explicit denial is in a policy of administrators. */
const deniedByAdmin = ({ resource, path }: Clause): string =>
  `${path} of ${describeWritten(resource)} denies it: ask an administrator to exclude these pods from that rule`;

const allowListRepair = (listedBy: Resource, missing: PacketSet): string => {
  const left = merge(blocksOf(missing).flatMap(({ sources }) => sources));
  const blocks = left.map(({ text }) => text).join(", ");
  return `add ${blocks} to spec.${ALLOWED_LIST} of ${describeWritten(listedBy)}`;
};

function directionOf(hop: Hop, asked: JudgedGuard["asked"], { kind }: WrittenGuard): Direction {
  const direction =
    kind === "egressFirewall" ? Direction.Egress : hop.kind === "hosts" ? hop.direction : Direction.Ingress;
  return asked === "calls" ? direction : oppositeDirection(direction);
}

/** The missing property that would state the other ends of the packets. */
function unsaidEnd({ hop, asked }: JudgedGuard, direction: Direction): string | undefined {
  const isSource = (direction === Direction.Ingress) === (asked === "calls");
  const peers = isSource ? hop.sources : hop.destinations;
  return peers.find(({ prefixes, input }) => !prefixes && input !== "")?.input;
}

/** The first rule that denies some of these packets, and its position in its filter. */
function firstDenial(
  filters: readonly Filter[],
  missing: PacketSet,
): { clause: Clause; index: number } | undefined {
  for (const { action, clause, filter } of decisions(filters, missing))
    if (action === Action.Deny && clause) return { clause, index: filter.clauses.indexOf(clause) };
  return undefined;
}

/** Inline rules and rule resources in one group remove each other: a new rule uses the form of the existing ones. */
function formOf({ rules, ruleResources: [own] }: SecurityGroup): SecurityGroupRepair["form"] {
  if (own) return own.resource.type === TYPE.securityGroupRule ? "classic" : "split";
  return rules.length > 0 ? "inline" : undefined;
}

/** Rules of security groups; one rule holds the blocks of both address families. */
export function securityGroupRepair(
  groups: readonly SecurityGroup[],
  direction: Direction,
  needed: readonly NeededRule[],
): RepairAdvice {
  const own = groups.find(({ resource }) => resource) ?? groups[0];
  const group = own?.resource;
  const form = own && formOf(own);
  return {
    rules: needed.map((rule) => ({
      kind: "security-group-rule",
      ...(group && { group: writtenAt(group) }),
      ...(form && { form }),
      direction,
      ...awsTraffic(rule),
      cidrBlocks: ofFamily(endsOf(rule), 4),
      ipv6CidrBlocks: ofFamily(endsOf(rule), 6),
    })),
  };
}

/** A policy for the pods of a hop only: in a policy that selects more pods, the rule would open those too. */
export function networkPolicyRepair(
  hop: PodHop,
  namespace: string,
  needed: readonly NeededRule[],
): RepairAdvice {
  return {
    rules: needed.map((rule) => ({
      kind: "network-policy",
      namespace,
      podSelector: { matchLabels: { [POD_LABEL.app]: hop.app } },
      ingress: { ...portsOf(rule), ...sendersOf(hop, rule) },
    })),
  };
}

function portsOf({ protocol, ports: { from, to } }: NeededRule): Pick<PolicyRuleRepair, "ports"> {
  const name = transportName(protocol);
  if (name === undefined) return {};
  return { ports: [{ protocol: name, port: from, ...(to > from && { endPort: to }) }] };
}

function sendersOf({ from }: PodHop, { peers }: NeededRule): Pick<PolicyRuleRepair, "from"> {
  if (from === "addresses") {
    const isEverybody = peers.some(({ length }) => length === 0);
    return isEverybody ? {} : { from: peers.map(({ text }) => ({ ipBlock: { cidr: text } })) };
  }
  const { labels, namespaceLabels } = from;
  const hasLabels = Object.keys(labels).length > 0;
  return {
    from: [
      {
        ...((hasLabels || !namespaceLabels) && { podSelector: { matchLabels: labels } }),
        ...(namespaceLabels && { namespaceSelector: { matchLabels: namespaceLabels } }),
      },
    ],
  };
}
