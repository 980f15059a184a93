import { Action, allowedBy, decisions, type Clause, type Filter } from "../filters";
import { difference, intersection, isEmpty, type PacketSet } from "../packets";

/** A rule that opens more than has to be open. */
export interface Excess {
  /** Absent: no rule stops these packets, and what none stops passes. */
  clause?: Clause;
  /** What it lets pass and need not. */
  packets: PacketSet;
}

/**
 * What filters let pass for sure beyond the packets that may pass, rule by rule. Where rules only allow, each rule counts that
 * opens some of it, for it stays open while one of them stands; where order decides, the rule that decides.
 */
export function excessOf(wanted: PacketSet, filters: readonly Filter[]): Excess[] {
  const more = difference(allowedBy(filters).sure, wanted);
  if (isEmpty(more)) return [];
  const [only, ...others] = filters;
  if (only && others.length === 0 && onlyAllows(only))
    return only.clauses.flatMap((clause) => {
      const packets = intersection(clause.sure, more);
      return isEmpty(packets) ? [] : [{ clause, packets }];
    });
  return decisions(filters, more).flatMap(({ action, clause, packets }) =>
    action === Action.Allow ? [{ ...(clause && { clause }), packets }] : [],
  );
}

const onlyAllows = ({ clauses, otherwise }: Filter): boolean =>
  otherwise === Action.Deny &&
  clauses.every(({ actions }) => actions.length === 1 && actions[0] === Action.Allow);
