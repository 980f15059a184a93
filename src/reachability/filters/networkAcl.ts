import type { Prefix } from "../../address";
import { Direction } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import type { NetworkAclRule } from "../../resources/networkAcls";
import type { UnknownValue } from "../../resources/unknownValue";
import { EVERY_PACKET, NO_PACKETS } from "../packets";
import { Action, type Clause, type Filter } from "./filter";
import { packetsOfTraffic, unknownTraffic } from "./traffic";

const ACTION = { allow: Action.Allow, deny: Action.Deny } as const;

/**
 * What a network ACL makes of packets in one direction: the rule with the lowest number that matches decides, and the last
 * one denies everything. ACLs keep no state: answers are packets of the other direction. `partial` is given where the ACL
 * may have rules that are not among these: any of them may stand before all others.
 */
export function networkAclFilter(
  rules: readonly NetworkAclRule[],
  direction: Direction,
  partial?: UnknownValue,
): Filter {
  const here = rules.filter((rule) => rule.direction === direction);
  const numbered = here.filter(({ number }) => number !== UNKNOWN);
  const anywhere = here.filter(({ number }) => number === UNKNOWN).map((rule) => anyPlace(clauseOf(rule)));
  const ordered = numbered
    .sort((a, b) => Number(a.number) - Number(b.number))
    .map((rule, position, all) =>
      [all[position - 1], all[position + 1]].some((next) => next?.number === rule.number)
        ? oneOfSeveral(rule)
        : clauseOf(rule),
    );
  // A rule that may stand before any other may decide before any other.
  return {
    clauses: [...(partial ? [anyRule(partial)] : []), ...anywhere, ...ordered],
    otherwise: Action.Deny,
  };
}

/** Rules that nobody sees. */
const anyRule = (partial: UnknownValue): Clause => ({
  resource: partial.resource,
  path: partial.path,
  actions: [Action.Allow, Action.Deny],
  sure: NO_PACKETS,
  possible: EVERY_PACKET,
  unknown: [partial],
});

function clauseOf(rule: NetworkAclRule): Clause {
  const { resource, peer, action } = rule;
  const unknown = unknownParts(rule);
  const packets = peer === undefined ? NO_PACKETS : packetsOfTraffic(rule, endsOf(rule, peer));
  return {
    resource,
    path: rule.path,
    actions: action === UNKNOWN ? [Action.Allow, Action.Deny] : [ACTION[action]],
    sure: unknown.length > 0 ? NO_PACKETS : packets,
    possible: packets,
    unknown,
  };
}

/** EC2 takes one rule of each number, and nobody knows which comes first. */
function oneOfSeveral(rule: NetworkAclRule): Clause {
  const reason = "another rule of this network ACL has the same number, and EC2 takes one of them alone";
  const path = "ruleNumber";
  const clause = anyPlace(clauseOf(rule));
  return { ...clause, unknown: [...clause.unknown, { resource: rule.resource, path, reason }] };
}

const anyPlace = (clause: Clause): Clause => ({ ...clause, sure: NO_PACKETS });

function endsOf({ direction }: NetworkAclRule, peer: Prefix | typeof UNKNOWN) {
  if (peer === UNKNOWN) return {};
  return direction === Direction.Ingress ? { sources: [peer] } : { destinations: [peer] };
}

function unknownParts(rule: NetworkAclRule): UnknownValue[] {
  const { resource, path, peer, number, action, acl } = rule;
  const parts = [
    ...(acl === UNKNOWN ? [{ path: "networkAclId" }] : []),
    ...unknownTraffic(rule),
    ...(peer === UNKNOWN ? [{ path: "cidrBlock" }] : []),
    ...(number === UNKNOWN ? [{ path: "ruleNumber" }] : []),
    ...(action === UNKNOWN ? [{ path: "action" }] : []),
  ];
  return parts.map((part) => ({ resource, ...part, path: path === "" ? part.path : `${path}.${part.path}` }));
}
