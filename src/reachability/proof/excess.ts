import {
  Action,
  allowedBy,
  clausesBeyond,
  decisions,
  onlyAllows,
  type Clause,
  type Filter,
} from "../filters";
import { PacketIndex, PacketsWhenAsked, difference, isEmpty, unionAll, type PacketSet } from "../packets";

/** A rule that opens more than has to be open. */
export interface Excess {
  /** Absent: no rule stops these packets, and what none stops passes. */
  clause?: Clause;
  /** What it lets pass and need not. */
  packets: PacketSet;
}

/**
 * What filters let pass for sure beyond the packets that may pass, of which there may be many sets, rule by rule. Where rules
 * only allow, each rule counts that opens some of it, for it stays open while one of them stands; where order decides, the
 * rule that decides.
 */
export function excessOf(wanted: PacketSet | readonly PacketSet[], filters: readonly Filter[]): Excess[] {
  const [first] = filters;
  const sets = "length" in wanted ? wanted : [wanted];
  // What only allows, and denies the rest, leaves nothing to filters behind it.
  if (first && onlyAllows(first)) return excessOfRules(sets, first);
  const more = difference(allowedBy(filters).sure, unionAll(sets));
  return decisions(filters, more).flatMap(({ action, clause, packets }) =>
    action === Action.Allow ? [{ ...(clause && { clause }), packets }] : [],
  );
}

/** Each rule by itself: what it matches passes. */
function excessOfRules(wanted: readonly PacketSet[], filter: Filter): Excess[] {
  const index = new PacketIndex();
  wanted.forEach((set, position) => index.add(set, position));
  return clausesBeyond(filter, index).flatMap(({ clause, isApart }) => {
    // Nothing of the rule has to be open: what it says is read when somebody asks.
    if (isApart) return [{ clause, packets: new PacketsWhenAsked(() => clause.sure) }];
    const about = index.meeting(clause.sure).map((position) => wanted[position]!);
    const packets = difference(clause.sure, unionAll(about));
    return isEmpty(packets) ? [] : [{ clause, packets }];
  });
}
