import { prefixFamily } from "../address";
import type { PrefixRules } from "../address/parse";
import { Direction } from "../requirements/vocabulary";
import { isObject } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";

/** What every group is asked about a list of its inline rules. */
export interface InlineFacts {
  /** As how many rules the list counts at most, in any family; without end where it names prefix lists. */
  ends: number;
  /** Whether every block in it is one, of the family that its property takes. */
  areBlocksRight: boolean;
}

/** By the properties of the group. */
const remembered = new WeakMap<Resource["properties"], Map<Direction, InlineFacts>>();

/**
 * The answers are kept: whoever reads a large plan finds them without making the list, and it is there when a caller wants
 * to see its rules. Few groups of a plan have to do with a hosted cluster.
 */
export function inlineFacts(group: Resource, direction: Direction): InlineFacts {
  const { properties } = group;
  const answer = remembered.get(properties)?.get(direction);
  return answer ?? rememberFacts(group, direction, factsOf(properties[direction]));
}

/** Keeps the answers of who has found them another way. */
export function rememberFacts(
  { properties }: Resource,
  direction: Direction,
  answer: InlineFacts,
): InlineFacts {
  let facts = remembered.get(properties);
  if (!facts) remembered.set(properties, (facts = new Map<Direction, InlineFacts>()));
  facts.set(direction, answer);
  return answer;
}

/** The properties of an inline rule that hold blocks, and the family that they take. */
export const INLINE_BLOCKS = { cidrBlocks: { families: [4] }, ipv6CidrBlocks: { families: [6] } } as const;

function factsOf(list: PropertyValue | undefined): InlineFacts {
  const facts: InlineFacts = { ends: 0, areBlocksRight: list !== UNKNOWN };
  if (Array.isArray(list))
    for (const rule of list as readonly PropertyValue[])
      if (isObject(rule)) {
        facts.ends += endsOf(rule);
        facts.areBlocksRight &&=
          areBlocks(rule.cidrBlocks, INLINE_BLOCKS.cidrBlocks) &&
          areBlocks(rule.ipv6CidrBlocks, INLINE_BLOCKS.ipv6CidrBlocks);
      } else if (rule === UNKNOWN) facts.areBlocksRight = false;
  return facts;
}

function areBlocks(list: PropertyValue | undefined, rules: PrefixRules): boolean {
  if (!Array.isArray(list)) return !isGiven(list);
  for (const value of list as readonly PropertyValue[])
    if (value !== null && !isBlock(value, rules)) return false;
  return true;
}

/** Whether a value is a block of a family that may stand there. Providers write an empty text where nothing is set. */
export function isBlock(value: PropertyValue, { families }: PrefixRules): boolean {
  if (value === "") return true;
  const family = typeof value === "string" ? prefixFamily(value) : undefined;
  return family !== undefined && (!families || families.includes(family));
}

/** As how many rules one counts at most: each other end once. */
export function endsOf(rule: Resource["properties"]): number {
  if (isGiven(rule.prefixListIds) || isGiven(rule.prefixListId)) return Infinity;
  let ends = isGiven(rule.self) ? 1 : 0;
  ends += entriesOf(rule.cidrBlocks) + entriesOf(rule.ipv6CidrBlocks) + entriesOf(rule.securityGroups);
  if (isGiven(rule.cidrIpv4)) ends++;
  if (isGiven(rule.cidrIpv6)) ends++;
  if (isGiven(rule.sourceSecurityGroupId)) ends++;
  if (isGiven(rule.referencedSecurityGroupId)) ends++;
  return ends;
}

const entriesOf = (list: PropertyValue | undefined): number =>
  Array.isArray(list) ? list.length : isGiven(list) ? 1 : 0;

const isGiven = (value: PropertyValue | undefined): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
