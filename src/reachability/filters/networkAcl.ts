import { LIMIT } from "../../requirements/limits";
import type { Direction } from "../../requirements/vocabulary";
import { UNKNOWN, type UnknownValue } from "../../resources/resource";
import { INLINE, isNumberRefused, OWN_RESOURCE, WrittenAclRule } from "../../resources/networkAclRule";
import type { NetworkAclRule } from "../../resources/networkAcls";
import { BLOCK_FAMILY } from "../../resources/ruleSources";
import { EVERY_ADDRESS, NO_PACKETS } from "../packets/packetSet";
import { Action, anyRule, type Clause, type Filter, perhaps } from "./filter";
import { OrderedBlocks, orderedFilter } from "./prepared";
import { endsAt, namedEnd, packetsOfTraffic, servicesOfTraffic, unknownTraffic } from "./traffic";

const ACTION = { allow: Action.Allow, deny: Action.Deny } as const;

/**
 * The filter of a network ACL for one direction: the rule with the lowest number that matches decides, and the last one denies
 * everything. ACLs are stateless: replies are packets of the other direction. `partial` is given if the ACL may have rules that
 * are not in `rules`: any of those may precede all others.
 */
export function networkAclFilter(
  rules: readonly NetworkAclRule[],
  direction: Direction,
  partial?: UnknownValue,
): Filter {
  const clauses = new AclClauses(
    rules.filter((rule) => rule.direction === direction),
    partial,
  );
  return orderedFilter(clauses, () => clauses.blocks(direction));
}

/** Rules in the order in which they decide; each becomes a clause once, on first use. */
class AclClauses {
  /** Rules of unknown position, or that EC2 refuses: each may decide before any other. */
  readonly #first: readonly Clause[];
  readonly #ordered: readonly NetworkAclRule[];
  readonly #made: Clause[] = [];

  constructor(rules: readonly NetworkAclRule[], partial: UnknownValue | undefined) {
    // Among others, an unknown number may also be another rule's, and EC2 then refuses one of them.
    const isAlone = rules.length === 1 && !partial;
    const anywhere = new Set(
      rules.filter((rule) => isNumberRefused(rule) || (!isAlone && rule.number === UNKNOWN)),
    );
    this.#first = [...(partial ? [anyRule(partial)] : []), ...[...anywhere].map(anyNumber)];
    this.#ordered = rules
      .filter((rule) => !anywhere.has(rule))
      .sort((a, b) => Number(a.number) - Number(b.number));
  }

  get length(): number {
    return this.#first.length + this.#ordered.length;
  }

  at(position: number): Clause {
    const after = position - this.#first.length;
    return this.#first[position] ?? (this.#made[after] ??= this.ordered(after));
  }

  private ordered(position: number): Clause {
    const rule = this.#ordered[position]!;
    return this.isSingle(position) ? clauseOf(rule) : oneOfSeveral(rule);
  }

  /** EC2 accepts one rule per number. */
  private isSingle(position: number): boolean {
    const { number } = this.#ordered[position]!;
    return this.#ordered[position - 1]?.number !== number && this.#ordered[position + 1]?.number !== number;
  }

  /** The same rules as plain numbers, without creating clauses for rules that are fully known. */
  blocks(direction: Direction): OrderedBlocks {
    const blocks = new OrderedBlocks(namedEnd(direction));
    for (const clause of this.#first) blocks.addClause(clause);
    this.#ordered.forEach((rule, position) => {
      const plain = rule instanceof WrittenAclRule && this.isSingle(position) ? rule.plain() : undefined;
      if (plain)
        blocks.add(plain.peer, servicesOfTraffic(plain.traffic, plain.peer.family), ACTION[plain.action]);
      else blocks.addClause(this.at(this.#first.length + position));
    });
    return blocks.closed(Action.Deny);
  }
}

function clauseOf(rule: NetworkAclRule): Clause {
  const { resource, peer, action } = rule;
  const unknown = unknownParts(rule);
  const packets = peer === undefined ? NO_PACKETS : packetsOfTraffic(rule, endsOf(rule));
  return {
    resource,
    path: rule.path,
    actions: action === UNKNOWN ? [Action.Allow, Action.Deny] : [ACTION[action]],
    sure: unknown.length > 0 ? NO_PACKETS : packets,
    possible: packets,
    unknown,
  };
}

/** A rule that shares its number with others: it is unknown which of them EC2 has. */
const oneOfSeveral = (rule: NetworkAclRule): Clause =>
  doubtfulNumber(
    rule,
    "another rule of this network ACL has the same number, and EC2 accepts only one of them",
  );

/** A rule of unknown number, or with one that EC2 refuses. */
const anyNumber = (rule: NetworkAclRule): Clause =>
  doubtfulNumber(
    rule,
    isNumberRefused(rule) ? `EC2 accepts ${min} to ${max}, and refuses the rule` : undefined,
  );

function doubtfulNumber(rule: NetworkAclRule, reason: string | undefined): Clause {
  const { resource, path } = rule;
  const place = placeIn(path, keysAt(path).number);
  return perhaps(clauseOf(rule), { resource, path: place, ...(reason !== undefined && { reason }) });
}

const { min, max } = LIMIT.networkAclRuleNumber;

/** The property names of a rule, which depend on whether it is inline or its own resource. */
const keysAt = (path: string) => (path === "" ? OWN_RESOURCE : INLINE);

const placeIn = (path: string, property: string): string => (path === "" ? property : `${path}.${property}`);

/** An unknown value of the property for IPv4 blocks is not an IPv6 block. */
function endsOf({ direction, peer, peerProperty }: NetworkAclRule) {
  const family = peerProperty && BLOCK_FAMILY[peerProperty];
  const peers =
    typeof peer === "object" ? [peer] : EVERY_ADDRESS.filter((all) => all.family === (family ?? all.family));
  return endsAt(direction, peers);
}

function unknownParts(rule: NetworkAclRule): UnknownValue[] {
  const { resource, path, peer, peerProperty = "cidrBlock", action, acl, egress } = rule;
  const parts = [
    ...(acl === UNKNOWN ? [{ path: "networkAclId" }] : []),
    ...(egress === UNKNOWN ? [{ path: "egress" }] : []),
    ...unknownTraffic(rule),
    ...(peer === UNKNOWN ? [{ path: peerProperty }] : []),
    ...(action === UNKNOWN ? [{ path: keysAt(path).action }] : []),
  ];
  return parts.map((part) => ({ resource, ...part, path: placeIn(path, part.path) }));
}
