import { Direction } from "../requirements/vocabulary";
import type { JsonBytes, Place } from "./jsonBytes";
import { findMembers, Names } from "./jsonMembers";
import type { PlainRules, RuleReader } from "./plainRules";

export const DIRECTIONS = Object.values(Direction);
const NAMES = new Names(DIRECTIONS);

/** The lists of rules in inputs or outputs of a security group, as far as they are plain. */
export interface Lists {
  /** Where the inputs or outputs end. */
  end: number;
  plain: Record<Direction, (Place & PlainRules) | undefined>;
}

/** Finds lists of rules among properties. Undefined where nobody has to look for them: in what is unusual. */
export function findLists(json: JsonBytes, from: number, reader: RuleReader): Lists | undefined {
  const plain: Lists["plain"] = { ingress: undefined, egress: undefined };
  const found = findMembers(json, from, NAMES, (direction, at) => {
    const rules = direction && reader.read(at);
    if (!rules) return json.afterValue(at);
    plain[direction] = { from: at, to: rules.to, count: rules.count, facts: rules.facts };
    return rules.to;
  });
  return found && { end: found.end, plain };
}

/** The properties with empty lists in the place of some. */
export function withoutLists(json: JsonBytes, { from, to }: Place, lists: readonly Place[]): unknown {
  if (lists.length === 0) return json.parsed({ from, to });
  let text = "";
  let at = from;
  for (const list of [...lists].sort((one, other) => one.from - other.from)) {
    text += `${json.written(at, list.from)}[]`;
    at = list.to;
  }
  return JSON.parse(text + json.written(at, to));
}
