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

/** Packets of which something holds. */
export interface PacketBounds {
  /** It holds, whatever the unknown values are. */
  sure: PacketSet;
  /** It may hold: all of `sure`, and those for which an unknown value decides. */
  possible: PacketSet;
}

/** What filters, one behind the other, let pass: the first that does not pass a packet on decides. */
export function allowedBy(filters: readonly Filter[], among = EVERY_PACKET): PacketBounds {
  return {
    sure: surely(filters, Action.Allow, among),
    possible: difference(among, surely(filters, Action.Deny, among)),
  };
}

/** The packets of which filters make this, whatever the unknown values are; each value may turn out on its own. */
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
    // Packets on which no rule so far decides for sure, and of which none can have made something else.
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

/** Rules that only allow add up, whatever their order: what none of them may allow is denied. */
function surelyAmongAllows(clauses: readonly Clause[], action: Action, among: PacketSet): PacketSet {
  return action === Action.Allow
    ? intersection(among, unionAll(clauses.map(({ sure }) => sure)))
    : difference(among, unionAll(clauses.map(({ possible }) => possible)));
}

/** What rules in a row make of packets. */
interface Steps {
  results: PacketSet;
  /** What they leave to none behind them. */
  closed: PacketSet;
}

const behindEachOther = (first: Steps, second: Steps): Steps => ({
  results: union(first.results, difference(second.results, first.closed)),
  closed: union(first.closed, second.closed),
});

/** So many rules are gone through one by one. */
const FEW = 16;

/** Takes a list by halves: what is left of many packets is not walked over for every rule. */
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
    if (action === Action.Pass) pushAll(found, decisions(behind, matched));
    else found.push({ filter, ...(clause && { clause }), action, packets: matched });
  };
  const isSimple = onlyAllows(filter);
  // Where rules only allow, one that may match before another takes nothing from it.
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
  open = byHalves(clauses, goThrough, inTurn).decide(open);
  if (isSimple) open = difference(open, unionAll(clauses.map(({ possible }) => possible)));
  decide(open, [filter.otherwise]);
  return found;
}

/** Rules in a row. */
interface Segment {
  /** What they may match. */
  touched: PacketSet;
  /** Decides on what comes to them; what they leave. */
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
