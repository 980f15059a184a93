import { compare, contains, type Family, FAMILIES } from "../../address";
import type { PortRange } from "../../requirements/requirement";
import { Protocol } from "../../requirements/vocabulary";
import {
  type BlockRule as BlockOf,
  countByFlow,
  describePorts,
  isBlockRule,
  joinBlocks,
  joined,
  familyOf,
  mergeDuplicates,
  otherKeys,
  peerSlug,
  type PlannedRule,
  ruleKey,
} from "../../components/hostRules/plannedRule";
import { createHash } from "node:crypto";
import type { Fault } from "../../fault";
import { LIMIT } from "../../requirements/limits";
import { plainNumber } from "../../components/hostRules/givenValues";
import { inputFaults, shapeFaults } from "../../objects/shape";
import type { PropertyValue } from "../../resources/resource";
import { isRecord, grouped } from "../../collections";
import { isGiven } from "../../resources/read";

/** One allow rule of a network ACL, before it has a number. */
export interface AclRule extends PlannedRule {
  /** True for the ICMP message by which routers report that a packet was too big. */
  tooBig?: true;
}

/**
 * The name of a rule in its ACL and direction: `tcp-6443-10.0.0.0-16`. It is built from the packets that the rule allows, so a
 * rule keeps its name, and with it its resource and number, when other rules are added or deleted. A block with a key is
 * named by the key.
 */
export const aclRuleKey = (rule: AclRule): string => tooBigKey(rule, ruleKey(rule));

/** Other names under which a rule may have been created. */
export const otherAclKeys = (rule: AclRule): string[] => otherKeys(rule).map((key) => tooBigKey(rule, key));

const tooBigKey = ({ tooBig }: AclRule, key: string): string =>
  tooBig ? key.replace(/^icmp/, "icmp-too-big") : key;

/** The address families that a rule counts for: both if its peer has no family. */
export function familiesOf({ peer }: AclRule): readonly Family[] {
  const family = familyOf(peer);
  return family === undefined ? FAMILIES : [family];
}

/** Whether the outer rule allows every packet that the inner rule allows. */
export function holds(outer: AclRule, inner: AclRule): boolean {
  return (
    outer.role === inner.role &&
    outer.direction === inner.direction &&
    (outer.protocol === Protocol.Any || outer.protocol === inner.protocol) &&
    (!outer.tooBig || inner.tooBig === true) &&
    (outer.ports === undefined || (inner.ports !== undefined && within(outer.ports, inner.ports))) &&
    outer.peer.kind === "prefix" &&
    inner.peer.kind === "prefix" &&
    contains(outer.peer.prefix, inner.peer.prefix)
  );
}

const within = (outer: PortRange, inner: PortRange): boolean =>
  outer.from <= inner.from && inner.to <= outer.to;

type Block = BlockOf<AclRule>;

/**
 * Merges rules into fewer that allow exactly the same packets: rules that others contain, and rules whose blocks or ports form
 * one block or range, become one. The order of the rules does not matter. Rules whose block is not known yet, or has a key in
 * the topology, are merged only with others of that key.
 */
export function mergeRules(rules: readonly AclRule[]): AclRule[] {
  const blocks = rules.filter(isBlockRule);
  const others = mergeDuplicates(rules.filter((rule) => !isBlockRule(rule)));
  return [...untilStable(blocks), ...joinPorts(others)].sort(byListAndKey);
}

/** Merges until nothing changes. A step never increases the number of rules. */
function untilStable(blocks: readonly Block[]): Block[] {
  const fewer = joinPorts(fewestBlocks(onlyWidest(blocks)));
  return fewer.length < blocks.length ? untilStable(fewer) : fewer;
}

/** Removes rules whose packets another rule allows anyway; that rule inherits their reasons. */
function onlyWidest(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  for (const block of [...blocks].sort(widestFirst)) {
    const at = kept.findIndex((wider) => holds(wider, block));
    if (at < 0) kept.push(block);
    else kept[at] = joined(kept[at]!, block);
  }
  return kept;
}

/** Merges blocks with the same ports into the fewest blocks with the same addresses. */
function fewestBlocks(blocks: readonly Block[]): Block[] {
  return [...grouped(blocks, (rule) => `${listOf(rule)} ${describeTransport(rule)}`).values()].flatMap(
    (same) => joinBlocks(same).map(({ rule }) => rule),
  );
}

/** Joins port ranges of the same block that touch or overlap. */
function joinPorts<Rule extends AclRule>(rules: readonly Rule[]): Rule[] {
  const block = ({ peer }: Rule) => (peer.kind === "prefix" ? peer.prefix.text : peerSlug(peer));
  const key = (rule: Rule) =>
    [listOf(rule), rule.protocol, block(rule), rule.ports ? "ports" : aclRuleKey(rule)].join(" ");
  return [...grouped(rules, key).values()].flatMap((same) =>
    [...same].sort(byFirstPort).reduce<Rule[]>((ranges, rule) => {
      const last = ranges.at(-1);
      if (!last?.ports || !rule.ports || last.ports.to + 1 < rule.ports.from) return [...ranges, rule];
      return [...ranges.slice(0, -1), { ...joined(last, rule), ports: span(last.ports, rule.ports) }];
    }, []),
  );
}

const span = (a: PortRange, b: PortRange): PortRange => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
});

type Transport = Pick<AclRule, "protocol" | "ports" | "tooBig">;

const describeTransport = ({ protocol, ports, tooBig }: Transport): string =>
  [protocol, describePorts(ports), tooBig].join(" ");
const listOf = ({ role, direction }: Pick<AclRule, "role" | "direction">): string => `${role} ${direction}`;

/** Sorts rules before those that they may contain. */
function widestFirst(a: Block, b: Block): number {
  return (
    Number(b.protocol === Protocol.Any) - Number(a.protocol === Protocol.Any) ||
    width(b.ports) - width(a.ports) ||
    Number(a.tooBig ?? false) - Number(b.tooBig ?? false) ||
    compare(a.peer.prefix, b.peer.prefix) ||
    byListAndKey(a, b)
  );
}

const width = (ports: PortRange | undefined): number => (ports ? ports.to - ports.from : Infinity);
const byFirstPort = (a: AclRule, b: AclRule): number => (a.ports?.from ?? 0) - (b.ports?.from ?? 0);

function byListAndKey(a: AclRule, b: AclRule): number {
  const [left, right] = [a, b].map((rule) => `${listOf(rule)} ${aclRuleKey(rule)}`) as [string, string];
  return left < right ? -1 : Number(left > right);
}

/** A rule with its number in the ACL. */
export interface NumberedRule extends AclRule {
  number: number;
  /** True if the user chose the number. */
  isChosen?: true;
}

/**
 * The numbers that rules get. Numbers below and above stay free for rules of others, such as a deny in front of everything,
 * and so do most in between.
 */
const NUMBERS = { from: 1000, to: 31999 } as const;

/** The name of a rule among all ACLs, by which `ruleNumbers` sets its number. */
export const numberKey = (rule: AclRule): string => `${rule.role}/${rule.direction}/${aclRuleKey(rule)}`;

/**
 * Gives every rule its number, which depends only on the rule and so does not change when others are added or deleted. All
 * rules allow and none denies, so their order does not matter. `given` are numbers that the user chose, by the rules' names.
 */
export function numbered(
  rules: readonly AclRule[],
  given: Readonly<Record<string, number>> = {},
): NumberedRule[] {
  return rules.map((rule) => {
    const chosen = numberKeys(rule).find((key) => Object.hasOwn(given, key));
    return chosen === undefined
      ? { ...rule, number: ownNumber(numberKey(rule)) }
      : { ...rule, number: given[chosen]!, isChosen: true };
  });
}

/** Every name by which the user may set a rule's number, including former names. */
const numberKeys = (rule: AclRule): string[] => [
  numberKey(rule),
  ...otherAclKeys(rule).map((key) => `${rule.role}/${rule.direction}/${key}`),
];

function ownNumber(key: string): number {
  const places = NUMBERS.to - NUMBERS.from + 1;
  return NUMBERS.from + (createHash("sha256").update(key).digest().readUInt32BE(0) % places);
}

/** Faults of the numbers that the user chose. */
export function givenNumberFaults(given: unknown): Fault[] {
  const path = "ruleNumbers";
  if (!isGiven(given)) return [];
  if (!isRecord(given))
    return [{ path, problem: "is not an object", remedy: "write { <role>/<direction>/<rule>: <number> }" }];
  return Object.entries(given).flatMap(([key, number]) =>
    shapeFaults(plainNumber(LIMIT.networkAclRuleNumber), {
      path: `${path}[${JSON.stringify(key)}]`,
      value: number as PropertyValue,
    }),
  );
}

/** Faults for rules of one list that would get the same number, which happens by chance in one of several hundred ACLs. */
export function sameNumberFaults(rules: readonly NumberedRule[]): Fault[] {
  const place = ({ role, direction, number }: NumberedRule) => `${role} ${direction} ${number}`;
  const taken = new Set(rules.map(place));
  return [...grouped(rules, place).values()].flatMap(([first, ...others]) =>
    others.map((rule) => {
      let free = rule.number;
      while (taken.has(place({ ...rule, number: free }))) free++;
      return {
        path: "ruleNumbers",
        problem: `${numberKey(first)} and ${numberKey(rule)} would both get the number ${rule.number}`,
        remedy: `give the rule that is not deployed yet another number: { ${JSON.stringify(numberKey(rule))}: ${free} }`,
      };
    }),
  );
}

/** Warnings for chosen numbers whose rule does not exist. */
export function idleNumbers(rules: readonly AclRule[], given: Readonly<Record<string, number>>): string[] {
  const keys = new Set(rules.flatMap(numberKeys));
  return Object.keys(given)
    .filter((key) => !keys.has(key))
    .map((key) => `ruleNumbers names ${key}, which is not a rule: remove it`);
}

/**
 * Faults for ACLs with more rules than AWS allows: 20 in each direction unless the quota was raised. AWS counts IPv4 and
 * IPv6 separately, each including the last rule, which denies everything and always exists.
 */
export function aclQuotaFaults(rules: readonly AclRule[], ruleQuota: unknown): Fault[] {
  const { default: usual, highest } = LIMIT.networkAclRules;
  const wrong = inputFaults({ ruleQuota: plainNumber({ min: 1, max: highest }) }, { ruleQuota });
  if (wrong.length > 0) return wrong;
  const quota = typeof ruleQuota === "number" ? ruleQuota : usual;
  return [...grouped(rules, ({ role, direction }) => `${role} ${direction}`).values()].flatMap((list) =>
    FAMILIES.flatMap((family) => {
      const counted = list.filter((rule) => familiesOf(rule).includes(family));
      const count = counted.length + 1;
      if (counted.length === 0 || count <= quota) return [];
      const [{ role, direction }] = list;
      return [
        {
          path: "ruleQuota",
          problem: `${role} ${direction} needs ${count} IPv${family} rules including the last one, which denies the rest, and the quota is ${quota} (${countByFlow(counted)})`,
          remedy: `write wider CIDR blocks, disable rules, or have AWS raise the quota, at most to ${highest}, and write it here`,
        },
      ];
    }),
  );
}
