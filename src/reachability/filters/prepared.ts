import { EVERY_PACKET, PacketIndex, type PacketSet } from "../packets";
import { Action, type Clause, type Filter } from "./filter";
import { OrderedBlocks } from "./orderedBlocks";

/** Rules of which each is made when it is first asked for; a list of them is one too. */
export interface ClausesWhenAsked {
  readonly length: number;
  at: (position: number) => Clause | undefined;
}

/** What a reader says of its rules without looking at their sets of packets. */
interface Shortcuts {
  /** Rules only allow. */
  onlyAllows?: true;
  /** The rules, laid out by the packets that they match. */
  index?: () => PacketIndex;
  /** The rules, laid out in their order. */
  ordered?: () => OrderedBlocks;
}

/** Lists of so many rules are gone through faster than rules are found; a network ACL takes no more than 40. */
const SHORT = 64;

/** Filters are made once and asked many times: what helps to answer is made when it is first asked for, and kept. */
class PreparedFilter implements Filter {
  #clauses: readonly Clause[] | undefined;
  #passesOn: boolean | undefined;
  #onlyAllows: boolean | undefined;
  #index: PacketIndex | undefined;
  #ordered: OrderedBlocks | undefined;
  #isOrdered: boolean;

  constructor(
    readonly rules: ClausesWhenAsked,
    readonly otherwise: Action,
    private readonly shortcuts: Shortcuts = {},
  ) {
    const { onlyAllows, ordered } = shortcuts;
    this.#onlyAllows = onlyAllows;
    this.#passesOn = onlyAllows || ordered ? false : undefined;
    this.#isOrdered = !onlyAllows && (ordered !== undefined || rules.length <= SHORT);
  }

  get clauses(): readonly Clause[] {
    const { rules } = this;
    return (this.#clauses ??= Array.from({ length: rules.length }, (_, position) => rules.at(position)!));
  }

  /** Whether what it does not decide the next filter does. */
  get passesOn(): boolean {
    return (this.#passesOn ??=
      this.otherwise === Action.Pass || this.clauses.some(({ actions }) => actions.includes(Action.Pass)));
  }

  /** Whether its rules only allow and the rest is denied, so that their order means nothing. */
  get onlyAllows(): boolean {
    return (this.#onlyAllows ??= this.otherwise === Action.Deny && this.clauses.every(allows));
  }

  /** Where rules are found by the packets that they match. */
  get index(): PacketIndex {
    return (this.#index ??= this.shortcuts.index?.() ?? indexOf(this.clauses));
  }

  /** The rules of a short list, for the first of them that matches; undefined for others. */
  get ordered(): OrderedBlocks | undefined {
    if (!this.#isOrdered) return undefined;
    this.#ordered ??= this.shortcuts.ordered?.() ?? OrderedBlocks.of(this.clauses, this.otherwise);
    this.#isOrdered = this.#ordered !== undefined;
    return this.#ordered;
  }
}

const prepared = new WeakMap<Filter, PreparedFilter>();

/** What helps to answer for a filter. */
export function preparedOf(filter: Filter): PreparedFilter {
  if (filter instanceof PreparedFilter) return filter;
  let known = prepared.get(filter);
  if (!known) prepared.set(filter, (known = new PreparedFilter(filter.clauses, filter.otherwise)));
  return known;
}

const allows = ({ actions }: Clause): boolean => actions.length === 1 && actions[0] === Action.Allow;

/** A filter whose rules only allow, from a reader that can index its rules without looking at their sets of packets. */
export const allowingFilter = (rules: ClausesWhenAsked, index: () => PacketIndex): Filter =>
  new PreparedFilter(rules, Action.Deny, { onlyAllows: true, index });

/** A filter whose rules allow and deny in their order, from a reader that can lay them out without their sets of packets. */
export const orderedFilter = (rules: ClausesWhenAsked, ordered: () => OrderedBlocks): Filter =>
  new PreparedFilter(rules, Action.Deny, { ordered });

function indexOf(clauses: readonly Clause[]): PacketIndex {
  const index = new PacketIndex();
  clauses.forEach(({ sure, possible }, position) => {
    if (sure === possible) index.add(sure, position);
    else {
      index.add(possible, position, false);
      index.add(sure, position);
    }
  });
  return index;
}

const FEW_RULES = 4;

/** The rules that may have to do with some packets, in their order. */
export function clausesAbout(filter: Filter, among: PacketSet): readonly Clause[] {
  const known = preparedOf(filter);
  if (among === EVERY_PACKET || known.rules.length <= FEW_RULES) return filter.clauses;
  return known.index.meeting(among).map((position) => known.rules.at(position)!);
}

/**
 * The rules that may let more pass than the sets of an index have together: all of those that do, and few others. `isApart`
 * says that a rule surely lets something pass, and nothing of it is in any of those sets.
 */
export function clausesBeyond(filter: Filter, wanted: PacketIndex): { clause: Clause; isApart: boolean }[] {
  const { rules, index } = preparedOf(filter);
  return index.beyond(wanted).map(({ position, isApart }) => ({ clause: rules.at(position)!, isApart }));
}

/** Whether rules of a filter only allow and the rest is denied, so that their order means nothing. */
export const onlyAllows = (filter: Filter): boolean => preparedOf(filter).onlyAllows;
