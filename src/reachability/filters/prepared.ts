import type { Prefix } from "../../address";
import { onceForEach } from "../../collections";
import {
  type End,
  EVERY_ADDRESS,
  EVERY_PACKET,
  NO_PACKETS,
  opposite,
  type PacketSet,
  PacketsOfBox,
} from "../packets/packetSet";
import { EVERY_SERVICE, type ServiceRange } from "../packets/service";
import { Action, type Clause, EFFECT, Effect, effectOf, type Filter } from "./filter";
import { JoinedIndex, PacketIndex, type RuleIndex } from "../packets/packetIndex";

/** Going through a list of up to this many rules is faster than an index; a network ACL has at most 40. */
const SHORT = 64;

/** What a quick check tells about packets that must pass. */
export enum QuickAnswer {
  /** All of them pass, whatever the unknown values are. */
  Allows = "allows",
  /** Some of them are dropped, whatever the unknown values are. */
  DropsSome = "drops some",
  /** Unknown values decide on some of them, and none is certainly dropped. */
  Doubts = "doubts",
}

/** Services and addresses of one family that a rule may match. */
interface Row<N> {
  low: number;
  high: number;
  from: N;
  to: N;
  effect: Effect;
}

/**
 * First-match rules as plain numbers. Of many thousands of questions, nearly all are answered by the first rule that meets the
 * packets, because it matches all of them.
 */
export class OrderedBlocks {
  readonly #rows4: Row<number>[] = [];
  readonly #rows6: Row<bigint>[] = [];

  /** @param end the end at which rules name addresses; the other end may be anything */
  constructor(private readonly end: End) {}

  /** Undefined if rules name addresses at both ends. */
  static of(clauses: readonly Clause[], otherwise: Action): OrderedBlocks | undefined {
    const boxes = clauses.map(({ possible }) => possible).filter((one) => one instanceof PacketsOfBox);
    const bySource = boxes.some(({ sources }) => sources);
    if (bySource && boxes.some(({ destinations }) => destinations)) return undefined;
    const blocks = new OrderedBlocks(bySource ? "source" : "destination");
    for (const clause of clauses) blocks.addClause(clause);
    return blocks.closed(otherwise);
  }

  /** Ends the list with the action for packets that no rule matches. */
  closed(otherwise: Action): this {
    this.addEverywhere(EFFECT[otherwise]);
    return this;
  }

  /** Appends a rule that is fully known. */
  add(prefix: Prefix, services: ServiceRange, action: Action): void {
    this.addRow(prefix, services, EFFECT[action]);
  }

  addClause(clause: Clause): void {
    const { possible } = clause;
    if (possible === NO_PACKETS) return;
    if (possible instanceof PacketsOfBox)
      for (const prefix of possible.at(this.end)) this.addRow(prefix, possible, effectOf(clause));
    // Any other kind of set has an unknown extent here: it may meet everything.
    else this.addEverywhere(possible === EVERY_PACKET ? effectOf(clause) : Effect.Unclear);
  }

  private addEverywhere(effect: Effect): void {
    for (const prefix of EVERY_ADDRESS) this.addRow(prefix, EVERY_SERVICE, effect);
  }

  private addRow(prefix: Prefix, { from: low, to: high }: ServiceRange, effect: Effect): void {
    // A range whose first port is after its last is empty.
    if (low > high) return;
    if (prefix.family === 6) this.#rows6.push({ low, high, from: prefix.start, to: prefix.end, effect });
    else this.#rows4.push({ low, high, from: prefix.numbers.from, to: prefix.numbers.to, effect });
  }

  /** The quick answer for packets; undefined if a quick check cannot tell. */
  answer(required: PacketSet): QuickAnswer | undefined {
    if (!(required instanceof PacketsOfBox) || required.from > required.to) return undefined;
    const ends = required.at(this.end);
    // Each block is compared with every row: for many blocks the sets are faster.
    if (ends.length > SHORT && ends.length * (this.#rows4.length + this.#rows6.length) > SHORT * SHORT)
      return undefined;
    let answer: QuickAnswer | undefined = QuickAnswer.Allows;
    for (const prefix of ends) {
      if (!required.hasFamily(opposite(this.end), prefix.family)) continue;
      const one = this.answerAt(required, prefix);
      if (one === QuickAnswer.DropsSome) return one;
      if (one !== QuickAnswer.Allows && answer) answer = one;
    }
    return answer;
  }

  private answerAt(
    { from: low, to: high }: ServiceRange,
    { family, start, end, numbers }: Prefix,
  ): QuickAnswer | undefined {
    return family === 6
      ? answerOf(this.#rows6, low, high, start, end)
      : answerOf(this.#rows4, low, high, numbers.from, numbers.to);
  }
}

/** The outcome for packets: the first rule that certainly matches decides, or an earlier one that may match. */
function answerOf<N extends number | bigint>(
  rows: readonly Row<N>[],
  low: number,
  high: number,
  from: N,
  to: N,
): QuickAnswer | undefined {
  let mayAllow = false;
  let mayAllowAll = false;
  let mayDrop = false;
  for (const row of rows) {
    if (row.low > high || row.high < low || row.from > to || row.to < from) continue;
    const { effect } = row;
    const hasAll = row.low <= low && row.high >= high && row.from <= from && row.to >= to;
    if (effect === Effect.MayDrop) mayDrop = true;
    else if (effect === Effect.MayAllow) {
      mayAllow = true;
      mayAllowAll ||= hasAll;
    } else if (effect === Effect.Drops) {
      if (!mayAllow) return QuickAnswer.DropsSome;
      return hasAll && mayAllowAll ? QuickAnswer.Doubts : undefined;
    } else if (!hasAll || effect === Effect.Unclear) return undefined;
    else return effect === Effect.Either || mayDrop ? QuickAnswer.Doubts : QuickAnswer.Allows;
  }
  return undefined;
}

/** Rules that are created on first use. A plain array is one too. */
export interface ClausesWhenAsked {
  readonly length: number;
  at: (position: number) => Clause | undefined;
}

/** What a reader knows of its rules without computing their sets of packets. */
interface Shortcuts {
  /** The rules only allow. */
  onlyAllows?: true;
  /** The rules, indexed by the packets that they match. */
  index?: () => RuleIndex;
  /** The rules in their order. */
  ordered?: () => OrderedBlocks;
}

/** A filter with lazily built, cached helpers: filters are created once and queried many times. */
class PreparedFilter implements Filter {
  #clauses: readonly Clause[] | undefined;
  #passesOn: boolean | undefined;
  #onlyAllows: boolean | undefined;
  #index: RuleIndex | undefined;
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

  /** Whether it leaves packets to the next filter. */
  get passesOn(): boolean {
    return (this.#passesOn ??=
      this.otherwise === Action.Pass || this.clauses.some(({ actions }) => actions.includes(Action.Pass)));
  }

  /** Whether its rules only allow and the rest is denied, so that their order is irrelevant. */
  get onlyAllows(): boolean {
    return (this.#onlyAllows ??= this.otherwise === Action.Deny && this.clauses.every(allows));
  }

  /** The index that finds rules by the packets that they match. */
  get index(): RuleIndex {
    return (this.#index ??= this.shortcuts.index?.() ?? indexOf(this.clauses));
  }

  /** The rules of a short or ordered list, for finding the first match; undefined for other lists. */
  get ordered(): OrderedBlocks | undefined {
    if (!this.#isOrdered) return undefined;
    this.#ordered ??= this.shortcuts.ordered?.() ?? OrderedBlocks.of(this.clauses, this.otherwise);
    this.#isOrdered = this.#ordered !== undefined;
    return this.#ordered;
  }
}

const preparedOnce = onceForEach(
  ({ clauses, otherwise }: Filter): PreparedFilter => new PreparedFilter(clauses, otherwise),
);

/** The cached helpers of a filter. */
export const preparedOf = (filter: Filter): PreparedFilter =>
  filter instanceof PreparedFilter ? filter : preparedOnce(filter);

const allows = ({ actions }: Clause): boolean => actions.length === 1 && actions[0] === Action.Allow;

/** A filter whose rules only allow, from a reader that can index its rules without computing their sets of packets. */
export const allowingFilter = (rules: ClausesWhenAsked, index: () => RuleIndex): Filter =>
  new PreparedFilter(rules, Action.Deny, { onlyAllows: true, index });

/**
 * A filter that only allows, with the rules of other such filters behind its own. Each of them keeps its index, so that filters which
 * share rules share the index of those rules.
 */
export function withRulesOf(own: Filter, others: readonly Filter[]): Filter {
  if (others.length === 0) return own;
  const parts = [own, ...others].map(preparedOf);
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, { rules }) => sum + rules.length, 0));
  const at = (position: number): Clause | undefined => {
    const part = starts.findLastIndex((start) => start <= position);
    return parts[part]!.rules.at(position - starts[part]!);
  };
  const length = parts.reduce((sum, { rules }) => sum + rules.length, 0);
  return allowingFilter(
    { length, at },
    () => new JoinedIndex(parts.map(({ rules, index }) => ({ length: rules.length, index }))),
  );
}

/** A filter whose rules allow and deny in their order, from a reader that can list them without their sets of packets. */
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

/** The rules that may match some of these packets, in their order. */
export function clausesAbout(filter: Filter, among: PacketSet): readonly Clause[] {
  const known = preparedOf(filter);
  if (among === EVERY_PACKET || known.rules.length <= FEW_RULES) return filter.clauses;
  return known.index.meeting(among).map((position) => known.rules.at(position)!);
}

/**
 * The rules that may allow more than the union of the sets of an index: all of those that do, and few others. `isApart` means
 * that a rule certainly allows something, and that none of it is in any of those sets.
 */
export function clausesBeyond(filter: Filter, wanted: PacketIndex): { clause: Clause; isApart: boolean }[] {
  const { rules, index } = preparedOf(filter);
  return index.beyond(wanted).map(({ position, isApart }) => ({ clause: rules.at(position)!, isApart }));
}

/** Whether the rules of a filter only allow and the rest is denied, so that their order is irrelevant. */
export const onlyAllows = (filter: Filter): boolean => preparedOf(filter).onlyAllows;
