import { onceForEach, onceIn } from "../../collections";
import { Direction } from "../../requirements/vocabulary";
import type { DoubtfulGroup } from "../../resources/doubtfulGroups";
import type { UnknownValue } from "../../resources/resource";
import type { SecurityGroupRule } from "../../resources/securityGroups";
import { PacketIndex } from "../packets/packetIndex";
import { NO_PACKETS, type PacketSet } from "../packets/packetSet";
import type { Clause, Filter } from "./filter";
import { allowingFilter } from "./prepared";
import { addPerhaps, type AddressesOfGroup, groupClause, namesGroups } from "./securityGroup";

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
  /** Rules that match the same packets in every cluster. */
  readonly #shared = new Map<number, Clause>();
  #index: PacketIndex | undefined;
  #areNamingGroups: boolean | undefined;

  constructor(
    groups: readonly DoubtfulGroup[],
    private readonly direction: Direction,
  ) {
    this.#rules = groups.flatMap(({ group, doubt }) =>
      group.rules.filter((rule) => rule.direction === direction).map((rule) => ({ rule, doubt })),
    );
  }

  /** Whether rules name groups, whose addresses depend on the cluster. */
  get areNamingGroups(): boolean {
    return (this.#areNamingGroups ??= this.#rules.some(({ rule }) => namesGroups(rule)));
  }

  /** The rules that may match some of these packets in some cluster. */
  about(packets: PacketSet): SecurityGroupRule[] {
    return this.index.meeting(packets).map((position) => this.#rules[position]!.rule);
  }

  /**
   * What the rules may allow in one cluster. Nothing is certain: groups that the plan does not show may be there instead.
   */
  filter(addressesOf: AddressesOfGroup): Filter {
    const own = new Map<number, Clause>();
    const at = (position: number): Clause => {
      const { rule, doubt } = this.#rules[position]!;
      const made = namesGroups(rule) ? own : this.#shared;
      return onceIn(made, position, () => perhaps(groupClause(rule, addressesOf), doubt));
    };
    return allowingFilter({ length: this.#rules.length, at }, () => this.index);
  }

  private get index(): PacketIndex {
    return (this.#index ??= this.#indexed());
  }

  #indexed(): PacketIndex {
    const index = new PacketIndex();
    const end = this.direction === Direction.Ingress ? "source" : "destination";
    this.#rules.forEach(({ rule }, position) => addPerhaps(rule, index, end, position));
    return index;
  }
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
