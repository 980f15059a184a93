import { pushAll } from "../../collections";
import type { UnknownValue } from "../../resources/resource";
import {
  EVERY_PACKET,
  NO_PACKETS,
  difference,
  intersection,
  isEmpty,
  union,
  unionAll,
  type PacketSet,
} from "../packets/packetSet";
import { Action, type Clause, type Filter } from "./filter";
import { clausesAbout, onlyAllows, preparedOf } from "./prepared";

/** The packets that have some property. */
export interface PacketBounds {
  /** They have it whatever the unknown values are. */
  sure: PacketSet;
  /** They may have it: all of `sure`, and those for which an unknown value decides. */
  possible: PacketSet;
}

/** What a chain of filters allows: the first filter that does not pass a packet on decides. */
export function allowedBy(filters: readonly Filter[], among = EVERY_PACKET): PacketBounds {
  return {
    sure: surely(filters, Action.Allow, among),
    possible: difference(among, surely(filters, Action.Deny, among)),
  };
}

/** The packets that get this action whatever the unknown values are; each unknown value is independent of the others. */
function surely([filter, ...behind]: readonly Filter[], action: Action, among: PacketSet): PacketSet {
  if (!filter || isEmpty(among)) return NO_PACKETS;
  if (onlyAllows(filter)) return surelyAmongAllows(clausesAbout(filter, among), action, among);
  const later = preparedOf(filter).passesOn ? surely(behind, action, among) : NO_PACKETS;
  const fitting = (actions: readonly Action[]): PacketSet => {
    if (actions.some((one) => one !== action && one !== Action.Pass)) return NO_PACKETS;
    return actions.includes(Action.Pass) ? later : among;
  };
  const steps = (clauses: readonly Clause[]): Steps => {
    const results: PacketSet[] = [];
    // Packets that no rule so far certainly decides on, and that none can have given another action.
    let open = among;
    for (const { actions, sure, possible } of clauses) {
      if (isEmpty(open)) break;
      const right = fitting(actions);
      results.push(intersection(intersection(open, sure), right));
      open = difference(difference(open, sure), difference(possible, right));
    }
    return { results: unionAll(results), closed: difference(among, open) };
  };
  const { results, closed } = byHalves(clausesAbout(filter, among), steps, behindEachOther);
  return union(results, intersection(difference(among, closed), fitting([filter.otherwise])));
}

/** Rules that only allow add up in any order: what none of them may allow is denied. */
function surelyAmongAllows(clauses: readonly Clause[], action: Action, among: PacketSet): PacketSet {
  return action === Action.Allow
    ? intersection(among, unionAll(clauses.map(({ sure }) => sure)))
    : difference(among, unionAll(clauses.map(({ possible }) => possible)));
}

/** The effect of consecutive rules on packets. */
interface Steps {
  results: PacketSet;
  /** What they leave to no rule behind them. */
  closed: PacketSet;
}

const behindEachOther = (first: Steps, second: Steps): Steps => ({
  results: union(first.results, difference(second.results, first.closed)),
  closed: union(first.closed, second.closed),
});

/** Up to this many rules are processed one by one. */
const FEW = 16;

/** Processes a list by halves, so that a large rest of packets is not walked over for every rule. */
function byHalves<T>(
  clauses: readonly Clause[],
  few: (clauses: readonly Clause[]) => T,
  both: (first: T, second: T) => T,
): T {
  if (clauses.length <= FEW) return few(clauses);
  const middle = clauses.length >> 1;
  return both(byHalves(clauses.slice(0, middle), few, both), byHalves(clauses.slice(middle), few, both));
}

/** Packets on which one rule decides. */
export interface Decision {
  filter: Filter;
  /** Undefined if no rule of the filter matches. */
  clause?: Clause;
  action: Action;
  packets: PacketSet;
}

/** Which rule certainly decides on which of these packets, in the order of the rules. */
export function decisions([filter, ...behind]: readonly Filter[], among: PacketSet): Decision[] {
  if (!filter || isEmpty(among)) return [];
  const found: Decision[] = [];
  const decide = (matched: PacketSet, actions: readonly Action[], clause?: Clause) => {
    const [action, ...others] = actions;
    if (action === undefined || others.length > 0 || isEmpty(matched)) return;
    if (action === Action.Pass) pushAll(found, decisions(behind, matched));
    else found.push({ filter, ...(clause && { clause }), action, packets: matched });
  };
  const isSimple = onlyAllows(filter);
  // If rules only allow, an earlier rule that may match takes nothing from a later one.
  const taken = (clause: Clause) => (isSimple ? clause.sure : clause.possible);
  const goThrough = (clauses: readonly Clause[]): Segment => ({
    touched: unionAll(clauses.flatMap((clause) => [clause.sure, taken(clause)])),
    decide: (given) => {
      let left = given;
      for (const clause of clauses) {
        if (isEmpty(left)) break;
        decide(intersection(left, clause.sure), clause.actions, clause);
        left = difference(left, taken(clause));
      }
      return left;
    },
  });
  const clauses = clausesAbout(filter, among);
  let open = byHalves(clauses, goThrough, inTurn).decide(among);
  if (isSimple) open = difference(open, unionAll(clauses.map(({ possible }) => possible)));
  decide(open, [filter.otherwise]);
  return found;
}

/** Consecutive rules. */
interface Segment {
  /** The packets that they may match. */
  touched: PacketSet;
  /** Decides on the packets that reach them; returns those that they leave. */
  decide: (open: PacketSet) => PacketSet;
}

const inTurn = (first: Segment, second: Segment): Segment => {
  const touched = union(first.touched, second.touched);
  return {
    touched,
    decide: (open) => {
      const here = intersection(open, touched);
      return union(difference(open, here), second.decide(first.decide(here)));
    },
  };
};

/** The unknown values that decide on some of these packets. */
export function doubts(filters: readonly Filter[], among: PacketSet): UnknownValue[] {
  const clauses = filters.flatMap((filter) => clausesAbout(filter, among));
  return clauses.flatMap(({ actions, sure, possible, unknown }) => {
    const undecided = actions.length > 1 ? possible : difference(possible, sure);
    return isEmpty(intersection(undecided, among)) ? [] : unknown;
  });
}
