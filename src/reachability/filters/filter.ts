import type { Prefix } from "../../address";
import type { Resource } from "../../resources/resource";
import type { UnknownValue } from "../../resources/unknownValue";
import {
  EVERY_PACKET,
  NO_PACKETS,
  PacketIndex,
  difference,
  intersection,
  isEmpty,
  unionAll,
  type PacketSet,
} from "../packets";

/** What becomes of a packet. */
export enum Action {
  Allow = "allow",
  Deny = "deny",
  /** The next filter decides. */
  Pass = "pass",
}

/** One rule of a filter. */
export interface Clause {
  /** Where it is written. */
  resource: Resource;
  /** The place in the resource: `spec.egress[3]`; empty where the resource is the rule. */
  path: string;
  /** What it does; more than one where that is not known. */
  actions: readonly Action[];
  /** Packets that it matches, whatever the unknown values are. */
  sure: PacketSet;
  /** Packets that it may match: all of `sure`, and those for which an unknown value decides. */
  possible: PacketSet;
  /** Addresses that are taken for those behind groups and lists that it names. */
  assumed?: readonly Prefix[];
  /** The values that decide, where `sure` and `possible` differ or the action is not known. */
  unknown: readonly UnknownValue[];
}

/** What judges packets at one place: the first rule that matches decides. Among rules that only allow, order means nothing. */
export interface Filter {
  clauses: readonly Clause[];
  /** What becomes of packets that no rule matches. */
  otherwise: Action;
}

/** Filters are made once and asked many times: what helps to answer is kept beside each of them. */
interface Prepared {
  actions: ReadonlySet<Action>;
  /** Whether its rules only allow and the rest is denied, so that their order means nothing. */
  onlyAllows: boolean;
  /** Where rules are found by the packets that they match. */
  index: () => PacketIndex;
  clauses: ClausesWhenAsked;
}

/** Rules of which each is made when somebody asks for it; a list of them is one too. */
export interface ClausesWhenAsked {
  readonly length: number;
  at: (position: number) => Clause | undefined;
}

const prepared = new WeakMap<Filter, Prepared>();

function preparedOf(filter: Filter): Prepared {
  const known = prepared.get(filter);
  if (known) return known;
  const { clauses, otherwise } = filter;
  const actions = new Set([otherwise]);
  for (const clause of clauses) for (const action of clause.actions) actions.add(action);
  const isSimple =
    otherwise === Action.Deny &&
    clauses.every((clause) => clause.actions.length === 1 && clause.actions[0] === Action.Allow);
  return prepare(filter, { actions, onlyAllows: isSimple, clauses }, () => indexOf(clauses));
}

function prepare(filter: Filter, known: Omit<Prepared, "index">, make: () => PacketIndex): Prepared {
  const { actions, onlyAllows: isSimple, clauses } = known;
  let index: PacketIndex | undefined;
  const made = { actions, onlyAllows: isSimple, clauses, index: () => (index ??= make()) };
  prepared.set(filter, made);
  return made;
}

const ALLOW_OR_DENY: ReadonlySet<Action> = new Set([Action.Allow, Action.Deny]);

/** A filter whose rules only allow, from a reader that can index its rules without looking at their sets of packets. */
export function allowingFilter(clauses: ClausesWhenAsked, index: () => PacketIndex): Filter {
  let all: readonly Clause[] | undefined;
  const filter: Filter = {
    get clauses() {
      return (all ??= Array.from({ length: clauses.length }, (_, position) => clauses.at(position)!));
    },
    otherwise: Action.Deny,
  };
  prepare(filter, { actions: ALLOW_OR_DENY, onlyAllows: true, clauses }, index);
  return filter;
}

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
function clausesAbout(filter: Filter, among: PacketSet): readonly Clause[] {
  const { clauses, index } = preparedOf(filter);
  if (among === EVERY_PACKET || clauses.length <= FEW_RULES) return filter.clauses;
  return index()
    .meeting(among)
    .map((position) => clauses.at(position)!);
}

/**
 * The rules that may let more pass than the sets of an index have together: all of those that do, and few others. `isApart`
 * says that a rule surely lets something pass, and nothing of it is in any of those sets.
 */
export function clausesBeyond(filter: Filter, wanted: PacketIndex): { clause: Clause; isApart: boolean }[] {
  const { clauses, index } = preparedOf(filter);
  return index()
    .beyond(wanted)
    .map(({ position, isApart }) => ({ clause: clauses.at(position)!, isApart }));
}

/** Whether rules of a filter only allow and the rest is denied, so that their order means nothing. */
export const onlyAllows = (filter: Filter): boolean => preparedOf(filter).onlyAllows;

/**
 * Whether rules are quickly seen to let all of these packets pass, whatever the unknown values are; false where that takes a
 * closer look.
 */
export function quicklyAllows(filter: Filter, required: PacketSet): boolean {
  const { onlyAllows: isSimple, index } = preparedOf(filter);
  return isSimple && index().surelyContains(required);
}

/** Whether rules are quickly seen to drop some of these packets for sure; false where that takes a closer look. */
export function quicklyDropsSome(filter: Filter, required: PacketSet): boolean {
  const { onlyAllows: isSimple, index } = preparedOf(filter);
  return isSimple && index().surelyMisses(required);
}

/** Whether unknown values are quickly seen to decide on some of these packets, and none is dropped for sure; false as above. */
export function quicklyDoubts(filter: Filter, required: PacketSet): boolean {
  const { onlyAllows: isSimple, index } = preparedOf(filter);
  return isSimple && index().surelyDoubts(required);
}

/** Whether no rule has to do with any of these packets, so that all are dropped; false where that takes a closer look. */
export const quicklyDrops = (filter: Filter, required: PacketSet): boolean =>
  onlyAllows(filter) && !isEmpty(required) && clausesAbout(filter, required).length === 0;

/** Packets of which something holds. */
export interface Known {
  /** It holds, whatever the unknown values are. */
  sure: PacketSet;
  /** It may hold: all of `sure`, and those for which an unknown value decides. */
  possible: PacketSet;
}

/** What filters, one behind the other, let pass: the first that does not pass a packet on decides. */
export function allowedBy(filters: readonly Filter[], among = EVERY_PACKET): Known {
  return {
    sure: surely(filters, Action.Allow, among),
    possible: difference(among, surely(filters, Action.Deny, among)),
  };
}

/** The packets of which filters make this, whatever the unknown values are; each value may turn out on its own. */
function surely([filter, ...behind]: readonly Filter[], action: Action, among: PacketSet): PacketSet {
  if (!filter || isEmpty(among)) return NO_PACKETS;
  const passesOn = preparedOf(filter).actions.has(Action.Pass);
  const later = passesOn ? surely(behind, action, among) : NO_PACKETS;
  const fitting = (actions: readonly Action[]): PacketSet => {
    if (actions.some((one) => one !== action && one !== Action.Pass)) return NO_PACKETS;
    return actions.includes(Action.Pass) ? later : among;
  };
  const results: PacketSet[] = [];
  // Packets on which no rule so far decides for sure, and of which none can have made something else.
  let open = among;
  for (const { actions, sure, possible } of clausesAbout(filter, among)) {
    if (isEmpty(open)) break;
    const right = fitting(actions);
    results.push(intersection(intersection(open, sure), right));
    open = difference(difference(open, sure), difference(possible, right));
  }
  return unionAll([...results, intersection(open, fitting([filter.otherwise]))]);
}

/** Packets on which one rule decides. */
export interface Decision {
  filter: Filter;
  /** Absent: no rule of the filter matches. */
  clause?: Clause;
  action: Action;
  packets: PacketSet;
}

/** Which rule decides on which of these packets, as far as that is known for sure; in the order of the rules. */
export function decisions([filter, ...behind]: readonly Filter[], among: PacketSet): Decision[] {
  if (!filter || isEmpty(among)) return [];
  const found: Decision[] = [];
  let open = among;
  const decide = (matched: PacketSet, actions: readonly Action[], clause?: Clause) => {
    const [action, ...others] = actions;
    if (action === undefined || others.length > 0 || isEmpty(matched)) return;
    if (action === Action.Pass) found.push(...decisions(behind, matched));
    else found.push({ filter, ...(clause && { clause }), action, packets: matched });
  };
  const isSimple = onlyAllows(filter);
  const clauses = clausesAbout(filter, among);
  for (const clause of clauses) {
    if (isEmpty(open)) break;
    decide(intersection(open, clause.sure), clause.actions, clause);
    // Where rules only allow, one that may match before another takes nothing from it.
    open = difference(open, isSimple ? clause.sure : clause.possible);
  }
  if (isSimple) for (const { possible } of clauses) open = difference(open, possible);
  decide(open, [filter.otherwise]);
  return found;
}

/** The unknown values that decide on some of these packets. */
export function doubts(filters: readonly Filter[], among: PacketSet): UnknownValue[] {
  const clauses = filters.flatMap((filter) => clausesAbout(filter, among));
  return clauses.flatMap(({ actions, sure, possible, unknown }) => {
    const undecided = actions.length > 1 ? possible : difference(possible, sure);
    return isEmpty(intersection(undecided, among)) ? [] : unknown;
  });
}
