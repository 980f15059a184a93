import { enclosing, type Prefix } from "../../address";
import { onceForEach, onceIn, onlyOnce } from "../../collections";
import { type Direction, Protocol } from "../../requirements/vocabulary";
import type { DoubtfulGroup } from "../../resources/doubtfulGroups";
import { UNKNOWN, type Resource, type UnknownValue } from "../../resources/resource";
import type { RuleSource, SecurityGroupRule } from "../../resources/securityGroups";
import { StatedRule } from "../../resources/securityGroupRule";
import {
  EVERY_ADDRESS,
  LONG,
  NO_PACKETS,
  PacketsWhenAsked,
  union,
  type End,
  type PacketSet,
} from "../packets/packetSet";
import { PacketIndex } from "../packets/packetIndex";
import { Action, type Clause, type Filter } from "./filter";
import { allowingFilter } from "./prepared";
import { endsAt, namedEnd, packetsOfTraffic, servicesOfTraffic, unknownTraffic } from "./traffic";

/** A peer of a rule that is a security group, of this stack or not. */
export type GroupReference = Extract<RuleSource, { kind: "group" | "foreignGroup" }>;

/** The addresses of the interfaces that a group is attached to; undefined if they are unknown. */
export type AddressesOfGroup = (reference: GroupReference) => readonly Prefix[] | undefined;

/** What the rules of all groups of an interface allow in one direction: groups add up, and none denies. */
export function securityGroupFilter(
  rules: readonly SecurityGroupRule[],
  direction: Direction,
  addressesOf: AddressesOfGroup,
): Filter {
  const here = rules.filter((rule) => rule.direction === direction);
  let made: (GroupClause | undefined)[] | undefined;
  // Each rule becomes a clause once, on first use.
  const at = (position: number): GroupClause => {
    made ??= new Array<GroupClause | undefined>(here.length);
    return (made[position] ??= new GroupClause(here[position]!, addressesOf));
  };
  return allowingFilter({ length: here.length, at }, () => {
    const index = new PacketIndex();
    const end = namedEnd(direction);
    for (let position = 0; position < here.length; position++) {
      const rule = here[position]!;
      const isAdded = rule instanceof StatedRule && addPlain(rule, index, end, position);
      if (!isAdded) at(position).addTo(index, end, position);
    }
    return index;
  });
}

/** Adds a rule whose protocol, ports and blocks are known; returns false for any other rule. */
function addPlain(rule: StatedRule, index: PacketIndex, end: End, position: number): boolean {
  const traffic = rule.readTraffic();
  const { protocol, ports } = traffic;
  if (!(protocol === Protocol.Tcp || protocol === Protocol.Udp) || ports === UNKNOWN) return false;
  const blocks = rule.blocks();
  if (!blocks) return false;
  const services = servicesOfTraffic(traffic, 4);
  for (const block of blocks) index.addPrefix(end, services, block, position);
  return true;
}

const ALLOW: readonly Action[] = [Action.Allow];

/** A rule of a group. Plans have hundreds of thousands of rules, and few are ever read, so everything is computed on demand. */
class GroupClause implements Clause {
  #known: PacketSet | undefined;
  #possible: PacketSet | undefined;

  constructor(
    private readonly rule: SecurityGroupRule,
    private readonly addressesOf: AddressesOfGroup,
  ) {}

  get resource(): Resource {
    return this.rule.resource;
  }

  get path(): string {
    return this.rule.path;
  }

  get actions(): readonly Action[] {
    return ALLOW;
  }

  get sure(): PacketSet {
    return unknownTraffic(this.rule).length === 0 ? this.known : NO_PACKETS;
  }

  get possible(): PacketSet {
    return (this.#possible ??= this.findPossible());
  }

  get assumed(): readonly Prefix[] | undefined {
    const named = this.rule.sources
      .filter(({ kind }) => kind !== "prefix")
      .flatMap((source) => this.prefixesOf(source) ?? []);
    return named.length > 0 ? named : undefined;
  }

  get unknown(): readonly UnknownValue[] {
    const { rule } = this;
    const parts = unknownTraffic(rule).map(({ path, ...reason }) => ({
      resource: rule.resource,
      path: rule.path === "" ? path : `${rule.path}.${path}`,
      ...reason,
    }));
    return [...parts, ...this.unknownSources().map((source) => unknownEnd(rule, source))];
  }

  /** Adds the same packets as in `sure` and `possible`; none as sure ones if the rule may not apply. */
  addTo(index: PacketIndex, end: End, position: number, applies = true): void {
    const { rule } = this;
    const services4 = servicesOfTraffic(rule, 4);
    const services6 = servicesOfTraffic(rule, 6);
    const add = (prefix: Prefix, isSure: boolean) =>
      index.addPrefix(end, prefix.family === 4 ? services4 : services6, prefix, position, isSure);
    const isKnown = applies && unknownTraffic(rule).length === 0;
    const blocks = plainBlocks(rule);
    if (blocks) for (const block of blocks) add(block, isKnown);
    else
      for (const source of rule.sources)
        if (source.kind === "prefix") add(source.prefix, isKnown);
        else {
          const prefixes = this.prefixesOf(source);
          const isSure = isKnown && !isDoubtful(source);
          if (!prefixes) for (const prefix of whereverIn(source)) add(prefix, false);
          else if (prefixes.length < LONG) for (const prefix of prefixes) add(prefix, isSure);
          else
            for (const prefix of around(prefixes))
              index.addAround(end, prefix.family === 4 ? services4 : services6, prefix, position);
        }
  }

  /** Its packets with all known peers; unknown parts of its traffic count as everything. */
  private get known(): PacketSet {
    return (this.#known ??= new PacketsWhenAsked(() => {
      const { rule } = this;
      const peers =
        plainBlocks(rule) ??
        together(rule.sources.map((source) => (isDoubtful(source) ? [] : (this.prefixesOf(source) ?? []))));
      return packetsOfTraffic(rule, endsAt(rule.direction, peers));
    }));
  }

  /** The addresses at a source; undefined if they are unknown. */
  private prefixesOf(source: RuleSource): readonly Prefix[] | undefined {
    if (source.kind === "prefix") return [source.prefix];
    if (source.kind === "list") return source.blocks;
    return source.kind === "unknown" ? undefined : this.addressesOf(source);
  }

  private findPossible(): PacketSet {
    const { rule } = this;
    const unknown = plainBlocks(rule) ? [] : this.unknownSources();
    const peers = together(unknown.map((source) => this.prefixesOf(source) ?? whereverIn(source)));
    return unknown.length > 0
      ? union(this.known, packetsOfTraffic(rule, endsAt(rule.direction, peers)))
      : this.known;
  }

  private unknownSources(): RuleSource[] {
    return this.rule.sources.filter((source) => isDoubtful(source) || !this.prefixesOf(source));
  }
}

/** A single list is returned as it is, so that sets of packets that are built from it share its addresses. */
function together(lists: readonly (readonly Prefix[])[]): readonly Prefix[] {
  const [first = [], ...others] = lists.filter(({ length }) => length > 0);
  return others.length === 0 ? first : [first, ...others].flat();
}

/** The index contains only the prefixes around a long list: many rules may name the list, and each would add a copy. */
const around = onceForEach(enclosing);

const plainBlocks = (rule: SecurityGroupRule): readonly Prefix[] | undefined =>
  rule instanceof StatedRule ? rule.blocks() : undefined;

/** A single rule. By default, the addresses behind groups are unknown. */
export const groupClause = (
  rule: SecurityGroupRule,
  addressesOf: AddressesOfGroup = () => undefined,
): Clause => new GroupClause(rule, addressesOf);

/**
 * Adds a rule that may not apply, with all packets that it may match. For a rule that names groups, the index alone cannot tell: the
 * groups may be at any address.
 */
function addPerhaps(rule: SecurityGroupRule, index: PacketIndex, end: End, position: number): void {
  if (!namesGroups(rule)) new GroupClause(rule, () => undefined).addTo(index, end, position, false);
  else
    for (const prefix of EVERY_ADDRESS)
      index.addAround(end, servicesOfTraffic(rule, prefix.family), prefix, position);
}

/** Whether a rule names security groups, by their id or as resources. */
export const namesGroups = (rule: SecurityGroupRule): boolean =>
  !(rule instanceof StatedRule && rule.namesBlocksOnly()) && rule.sources.some(isReference);

/** Whether a peer of a rule is a security group. */
export const isReference = (source: RuleSource): source is GroupReference =>
  source.kind === "group" || source.kind === "foreignGroup";

/** Whether it is unknown whether EC2 accepts a group in a rule: the rule then matches its hosts or nothing. */
const isDoubtful = (source: RuleSource): boolean => source.kind === "group" && source.reason !== undefined;

/** Where unknown addresses may be: an unknown value of a property for IPv4 blocks is not an IPv6 block. */
function whereverIn(source: RuleSource): readonly Prefix[] {
  const family = source.kind === "unknown" ? source.family : undefined;
  return family ? EVERY_ADDRESS.filter((all) => all.family === family) : EVERY_ADDRESS;
}

function unknownEnd({ resource }: SecurityGroupRule, source: RuleSource): UnknownValue {
  const { path } = source;
  if (source.kind === "unknown") {
    const { reason, because } = source;
    return { resource, path, ...(reason !== undefined && { reason }), ...(because && { because }) };
  }
  if (source.kind === "group" && source.reason !== undefined)
    return { resource, path, reason: source.reason };
  const named = source.kind === "group" ? source.group : undefined;
  const name = named?.name ?? "that is not in this stack";
  const reason = `the addresses behind the security group ${name} are not known`;
  return { resource, path, reason, ...(named && { named }) };
}

/** A rule of a group that may belong to some hosts. */
interface DoubtfulRule {
  rule: SecurityGroupRule;
  doubt: UnknownValue;
}

/**
 * The rules in one direction of groups that may belong to the hosts of many clusters. The rules are indexed once for all of them, and
 * only those are read that may match what the clusters' own groups drop.
 */
export class DoubtfulRules {
  readonly #rules: readonly DoubtfulRule[];
  /** Rules whose packets do not depend on the cluster. */
  readonly #shared = new Map<number, Clause>();

  constructor(
    groups: readonly DoubtfulGroup[],
    private readonly direction: Direction,
  ) {
    this.#rules = groups.flatMap(({ group, doubt }) =>
      group.rules.filter((rule) => rule.direction === direction).map((rule) => ({ rule, doubt })),
    );
  }

  /** Whether rules name groups, whose addresses depend on the cluster. */
  readonly areNamingGroups = onlyOnce(() => this.#rules.some(({ rule }) => namesGroups(rule)));

  /** The rules that may match some of these packets in some cluster. */
  about(packets: PacketSet): SecurityGroupRule[] {
    return this.#index()
      .meeting(packets)
      .map((position) => this.#rules[position]!.rule);
  }

  /**
   * What the rules may allow in one cluster. Nothing is certain: groups that the plan does not show may be there instead.
   */
  filter(addressesOf: AddressesOfGroup): Filter {
    // Only rules that name groups are looked up more than once: where the groups are takes time to find out.
    let naming: (Clause | undefined)[] | undefined;
    const at = (position: number): Clause => {
      const { rule } = this.#rules[position]!;
      if (!namesGroups(rule)) return this.#everywhere(position);
      naming ??= new Array<Clause | undefined>(this.#rules.length);
      return (naming[position] ??= this.#in(position, addressesOf));
    };
    return allowingFilter({ length: this.#rules.length, at }, this.#index);
  }

  /** A rule in one cluster: the same as in all others if it names only groups whose addresses are not known there. */
  #in(position: number, addressesOf: AddressesOfGroup): Clause {
    const { rule, doubt } = this.#rules[position]!;
    const isOwn = rule.sources.some((source) => isReference(source) && addressesOf(source) !== undefined);
    return isOwn ? perhaps(groupClause(rule, addressesOf), doubt) : this.#everywhere(position);
  }

  #everywhere(position: number): Clause {
    const { rule, doubt } = this.#rules[position]!;
    return onceIn(this.#shared, position, () => perhaps(groupClause(rule), doubt));
  }

  readonly #index = onlyOnce((): PacketIndex => {
    const index = new PacketIndex();
    const end = namedEnd(this.direction);
    this.#rules.forEach(({ rule }, position) => addPerhaps(rule, index, end, position));
    return index;
  });
}

/** A rule that may not apply. Its packets are computed when they are first asked for. */
const perhaps = (clause: Clause, doubt: UnknownValue): Clause => ({
  resource: clause.resource,
  path: clause.path,
  actions: clause.actions,
  sure: NO_PACKETS,
  get possible() {
    return clause.possible;
  },
  unknown: [doubt],
});

/** The rules of a list of groups in a direction, prepared once for each list. */
export const doubtfulRules = (groups: readonly DoubtfulGroup[], direction: Direction): DoubtfulRules =>
  onceIn(rulesByDirection(groups), direction, () => new DoubtfulRules(groups, direction));

const rulesByDirection = onceForEach((_: readonly DoubtfulGroup[]) => new Map<Direction, DoubtfulRules>());
