import { Direction, oppositeDirection } from "../../../requirements/vocabulary";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { Action, allowedBy, decisions, type Clause, type Filter } from "../../filters";
import { merge } from "../../../address";
import { blocksOf, difference, type PacketSet } from "../../packets";
import { ALLOWED_LIST } from "../../../flows";
import type { Hop } from "../../../flows/model";
import type { JudgedGuard, Standing } from "../../path";
import type { Resource } from "../../../resources/resource";
import { describeWritten, writtenAt } from "../written";
import { egressFirewallRepair } from "./egressFirewallRepair";
import { neededRules } from "./neededRules";
import { networkAclRepair } from "./networkAclRepair";
import { networkPolicyRepair } from "./networkPolicyRepair";
import type { Repair, RepairAdvice } from "./repair";
import { securityGroupRepair } from "./securityGroupRepair";

/**
 * The smallest rules that let required packets pass a place that drops some of them, in the terms of what stands there. They
 * let pass nothing but packets of the flow, whatever the hosts' own addresses are: rules at hosts do not look at those.
 * They can be written beside the `planned` ones: where order decides, they take places and numbers of their own.
 */
export function repairOf(
  judged: JudgedGuard,
  topology: NormalizedTopology,
  planned: readonly Repair[] = [],
): RepairAdvice {
  const { hop, guard, asked, required } = judged;
  const { standing } = guard;
  if (!standing) return { rules: [], obstacle: `nobody here knows how ${guard.name} is written` };
  const filters = asked === "answers" ? (guard.answers ?? []) : guard.filters;
  const missing = difference(required, allowedBy(filters, required).sure);
  const direction = directionOf(hop, asked, standing);
  const unsaid = unsaidEnd(judged, direction);
  if (unsaid !== undefined)
    return { rules: [], obstacle: `say ${unsaid} in the topology: the rule has to name those addresses` };
  const needed = neededRules(missing, required, direction);
  switch (standing.kind) {
    case "securityGroups":
      return securityGroupRepair(standing.groups, direction, needed);
    case "networkAcl": {
      const denying = firstDenial(filters, missing);
      const clause = denying && { clause: denying.clause };
      return networkAclRepair({ acl: standing.acl, direction, asked, ...clause }, needed, planned);
    }
    case "networkPolicies": {
      const denying = firstDenial(filters, missing);
      if (denying) return { rules: [], obstacle: deniedByAdmin(denying.clause) };
      if (hop.kind !== "pods" || standing.direction === Direction.Egress)
        return { rules: [], obstacle: "let the egress policies of the pods that send it allow it" };
      return networkPolicyRepair(hop, topology.controlPlaneNamespace, needed);
    }
    case "allowList":
      return { rules: [], obstacle: allowListRepair(standing.listedBy, missing) };
    case "egressFirewall":
      return egressFirewallRepair(standing.firewall, firstDenial(filters, missing), needed, planned);
  }
}

/** Network policies deny by letting nothing pass: a rule that denies stands in a policy of administrators. */
const deniedByAdmin = ({ resource, path }: Clause): string =>
  `${path} of ${describeWritten(writtenAt(resource))} denies it: let an administrator except these pods from that rule`;

const allowListRepair = (listedBy: Resource, missing: PacketSet): string => {
  const left = merge(blocksOf(missing).flatMap(({ sources }) => sources));
  const blocks = left.map(({ text }) => text).join(", ");
  return `add ${blocks} to spec.${ALLOWED_LIST} of ${describeWritten(writtenAt(listedBy))}`;
};

function directionOf(hop: Hop, asked: JudgedGuard["asked"], { kind }: Standing): Direction {
  const direction =
    kind === "egressFirewall" ? Direction.Egress : hop.kind === "hosts" ? hop.direction : Direction.Ingress;
  if (asked === "calls") return direction;
  return oppositeDirection(direction);
}

/** The property that would say the other ends of the packets, where nothing does. */
function unsaidEnd({ hop, asked }: JudgedGuard, direction: Direction): string | undefined {
  const isSource = (direction === Direction.Ingress) === (asked === "calls");
  const peers = isSource ? hop.sources : hop.destinations;
  return peers.find(({ prefixes, input }) => !prefixes && input !== "")?.input;
}

/** The first rule that denies some of these packets, and its place in its filter. */
function firstDenial(
  filters: readonly Filter[],
  missing: PacketSet,
): { clause: Clause; index: number } | undefined {
  for (const { action, clause, filter } of decisions(filters, missing))
    if (action === Action.Deny && clause) return { clause, index: filter.clauses.indexOf(clause) };
  return undefined;
}
