import { onceForEach } from "../collections";
import { nameForRole } from "../resources/groupRoles";
import { isMap, read, readText } from "../resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";
import type { ResourceIndex } from "../resources/resourceIndex";
import { BLOCK_FAMILY } from "../resources/ruleSources";
import { OUR_COMPONENTS } from "../resources/resourceTypes";
import { areInlinePorts, readProtocol } from "../resources/trafficSpec";
import { prefixFamily } from "../address";
import type { PrefixRules } from "../address/parse";
import { Direction } from "../requirements/vocabulary";

/** Whether one of our components created a rule because its user requested it in addition to the documented flows. */
export type IsDeclared = (rule: Resource) => boolean;

const ADDITIONAL = "additionalRules.";
const CALLER = "-caller-";

/** The key of a rule that the user declares: `additionalRules.ssh`. */
export const additionalRuleKey = (key: string): string => `${ADDITIONAL}${key}`;

/** The key of a flow from a caller that the user names: `endpoint-router-caller-office`. */
export const callerFlowKey = (flow: string, caller: string): string => `${flow}${CALLER}${caller}`;

const isAskedFor = (key: string): boolean => key.startsWith(ADDITIONAL) || key.includes(CALLER);

/** Finds the rules that users declared, from the components' tables of rules, which list the flows or inputs behind each rule. */
export function declaredRules(index: ResourceIndex): IsDeclared {
  const namesOf = onceForEach(declaredNames);
  return (rule) => {
    const component = index.at(rule.parent);
    return component?.type.startsWith(OUR_COMPONENTS) === true && namesOf(component).has(rule.name);
  };
}

/** Names of declared rules: built from the component's name and the rule's role, direction and key. */
function declaredNames({ name, properties }: Resource): ReadonlySet<string> {
  const rows = read(properties, "rules[]").flatMap(({ value }) => (isMap(value) ? [value] : []));
  const declared = rows.filter((row) =>
    read(row, "flows[]").some(({ value }) => typeof value === "string" && isAskedFor(value)),
  );
  return new Set(
    declared.map((row) => {
      const text = (property: string) => String(readText(row, property));
      return nameForRole(name, text("role"), text("direction"), text("key"));
    }),
  );
}

/** Facts about a list of inline rules that are needed for every group. */
export interface InlineFacts {
  /** Upper bound of the rules that the list counts as, in any address family; infinite if it names prefix lists. */
  ends: number;
  /** Whether every block in the list is a valid block of the family that its property accepts. */
  areBlocksRight: boolean;
  /** Whether the provider and EC2 accept the ports of every rule: those for TCP and UDP need both, in order, others for every protocol none. */
  arePortsRight: boolean;
}

/** Facts by the properties of the group. */
const factsAt = onceForEach((_: Resource["properties"]) => new Map<Direction, InlineFacts>());

/**
 * The facts about a group's inline rules. They are cached, so that a large plan is judged without building every list: a list is
 * built when its rules are read, and few groups of a plan belong to a hosted cluster.
 */
export function inlineFacts(group: Resource, direction: Direction): InlineFacts {
  const { properties } = group;
  return (
    factsAt(properties).get(direction) ?? rememberFacts(group, direction, factsOf(properties[direction]))
  );
}

/** Caches facts that the caller determined in another way. */
export function rememberFacts(
  { properties }: Resource,
  direction: Direction,
  answer: InlineFacts,
): InlineFacts {
  factsAt(properties).set(direction, answer);
  return answer;
}

/** The properties of an inline rule that hold blocks, and the address family that they accept. */
export const INLINE_BLOCKS = {
  cidrBlocks: { families: [BLOCK_FAMILY.cidrBlocks] },
  ipv6CidrBlocks: { families: [BLOCK_FAMILY.ipv6CidrBlocks] },
} as const;

function factsOf(list: PropertyValue | undefined): InlineFacts {
  const isKnown = list !== UNKNOWN;
  const facts: InlineFacts = { ends: 0, areBlocksRight: isKnown, arePortsRight: isKnown };
  if (Array.isArray(list))
    for (const rule of list as readonly PropertyValue[])
      if (isMap(rule)) {
        facts.ends += endsOf(rule);
        facts.areBlocksRight &&=
          areBlocks(rule.cidrBlocks, INLINE_BLOCKS.cidrBlocks) &&
          areBlocks(rule.ipv6CidrBlocks, INLINE_BLOCKS.ipv6CidrBlocks);
        facts.arePortsRight &&= areInlinePorts(readProtocol(rule, "protocol"), rule.fromPort, rule.toPort);
      } else if (rule === UNKNOWN) facts.areBlocksRight = facts.arePortsRight = false;
  return facts;
}

function areBlocks(list: PropertyValue | undefined, rules: PrefixRules): boolean {
  if (!Array.isArray(list)) return !isGiven(list);
  for (const value of list as readonly PropertyValue[])
    if (value !== null && !isBlockOfFamilies(value, rules)) return false;
  return true;
}

/** Whether a value is a block of an accepted family. Providers write an empty string if nothing is set. */
export function isBlockOfFamilies(value: PropertyValue, { families }: PrefixRules): boolean {
  if (value === "") return true;
  const family = typeof value === "string" ? prefixFamily(value) : undefined;
  return family !== undefined && (!families || families.includes(family));
}

/** Upper bound of the rules that one rule counts as: one for each peer. */
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
