import type { Prefix } from "../../address";
import { Direction } from "../../requirements/vocabulary";
import type { RuleSource, SecurityGroupRule } from "../../resources/securityGroups";
import type { UnknownValue } from "../../resources/unknownValue";
import { NO_PACKETS, union } from "../packets";
import { Action, type Clause, type Filter } from "./filter";
import { packetsOfTraffic, unknownTraffic, type Ends } from "./traffic";

/** A rule's other end that is a security group, of this stack or not. */
export type GroupReference = Extract<RuleSource, { kind: "group" | "foreignGroup" }>;

/** The addresses of the interfaces that a group is attached to; undefined where nobody knows them. */
export type AddressesOfGroup = (
  reference: GroupReference,
  rule: SecurityGroupRule,
) => readonly Prefix[] | undefined;

/** What the rules of all groups of an interface let pass in one direction: groups add up, and none denies. */
export function securityGroupFilter(
  rules: readonly SecurityGroupRule[],
  direction: Direction,
  addressesOf: AddressesOfGroup,
): Filter {
  return {
    clauses: rules.filter((rule) => rule.direction === direction).map((rule) => clauseOf(rule, addressesOf)),
    otherwise: Action.Deny,
  };
}

function clauseOf(rule: SecurityGroupRule, addressesOf: AddressesOfGroup): Clause {
  const ends = rule.sources.map((source) => ({ source, prefixes: prefixesOf(source, rule, addressesOf) }));
  const unknownEnds = ends.filter(({ prefixes }) => !prefixes).map(({ source }) => unknownEnd(rule, source));
  const unknownParts = unknownTraffic(rule).map(({ path, ...reason }) => ({
    resource: rule.resource,
    path: rule.path === "" ? path : `${rule.path}.${path}`,
    ...reason,
  }));
  const known = packetsOfTraffic(
    rule,
    endsOf(
      rule,
      ends.flatMap(({ prefixes }) => prefixes ?? []),
    ),
  );
  const assumed = ends.flatMap(({ source, prefixes }) => (isNamed(source) ? (prefixes ?? []) : []));
  return {
    resource: rule.resource,
    path: rule.path,
    actions: [Action.Allow],
    ...(assumed.length > 0 && { assumed }),
    sure: unknownParts.length > 0 ? NO_PACKETS : known,
    possible: unknownEnds.length > 0 ? union(known, packetsOfTraffic(rule, {})) : known,
    unknown: [...unknownParts, ...unknownEnds],
  };
}

/** Whether a rule names something that has addresses rather than the addresses. */
const isNamed = ({ kind, path }: RuleSource): boolean => kind !== "prefix" || /prefixList/.test(path);

const endsOf = ({ direction }: SecurityGroupRule, peers: readonly Prefix[]): Ends =>
  direction === Direction.Ingress ? { sources: peers } : { destinations: peers };

function prefixesOf(
  source: RuleSource,
  rule: SecurityGroupRule,
  addressesOf: AddressesOfGroup,
): readonly Prefix[] | undefined {
  if (source.kind === "prefix") return [source.prefix];
  return source.kind === "unknown" ? undefined : addressesOf(source, rule);
}

function unknownEnd({ resource }: SecurityGroupRule, source: RuleSource): UnknownValue {
  const { path } = source;
  if (source.kind === "unknown") {
    return { resource, path, ...(source.reason !== undefined && { reason: source.reason }) };
  }
  const name = source.kind === "group" ? source.group.name : "that is not in this stack";
  return { resource, path, reason: `the addresses behind security group ${name} are not known` };
}
