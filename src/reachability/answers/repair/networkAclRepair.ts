import { greatest } from "../../../pushAll";
import type { Prefix } from "../../../address";
import { LIMIT } from "../../../requirements/limits";
import type { Direction } from "../../../requirements/vocabulary";
import type { NetworkAcl, NetworkAclRule } from "../../../resources/networkAcls";
import { Action, type Clause } from "../../filters/filter";
import { isWrittenAt, ruleOf, writtenAt } from "../places";
import { awsTraffic, endsOf, isIcmp, type NeededRule } from "./neededRules";
import type { NetworkAclRepair, Repair, RepairAdvice } from "./repair";

/** What a network ACL denies today. */
export interface AclDenial {
  acl: NetworkAcl;
  direction: Direction;
  asked: NetworkAclRepair["asked"];
  /** The first rule that denies some of it. Absent: no rule matches. */
  clause?: Clause;
}

/** Rules of a network ACL, each with one block and a number of its own before the rule that denies. */
export function networkAclRepair(
  { acl, direction, asked, clause }: AclDenial,
  needed: readonly NeededRule[],
  planned: readonly Repair[] = [],
): RepairAdvice {
  const besides = planned.flatMap((one) => (isIn(acl, direction, one) ? [one] : []));
  const here = acl.rules.filter((rule) => rule.direction === direction);
  const denying = clause && here.find((rule) => isAt(rule, clause));
  const before = typeof denying?.number === "number" ? denying.number : undefined;
  const entries = needed.flatMap((rule) => endsOf(rule).map((peer) => entryOf(rule, peer)));
  const known = entries.map((entry) => besides.find((other) => isSame(other, entry, before)));
  const taken = here.flatMap(({ number }) => (typeof number === "number" ? [number] : []));
  const count = known.filter((one) => !one).length;
  const numbers = freeNumbers([...taken, ...besides.map(({ ruleNumber }) => ruleNumber)], before, count);
  if (!numbers)
    return {
      rules: [],
      obstacle: `${count} more rules have to stand before rule ${before}, and fewer numbers are free there: give the rules of ${acl.resource?.name ?? "the network ACL"} other numbers first`,
    };
  const free = numbers.values();
  return {
    rules: entries.map(
      (entry, position): NetworkAclRepair =>
        known[position] ?? {
          kind: "network-acl-rule",
          ...(acl.resource && { acl: writtenAt(acl.resource) }),
          direction,
          asked,
          ruleNumber: free.next().value!,
          ...entry,
          ...(clause?.actions.includes(Action.Deny) && { before: ruleOf(clause) }),
        },
    ),
  };
}

type Entry = Omit<NetworkAclRepair, "kind" | "acl" | "direction" | "asked" | "ruleNumber" | "before">;

/** In network ACLs the ports of ICMP are 0, and its messages have properties of their own. */
function entryOf(rule: NeededRule, { family, text }: Prefix): Entry {
  const words = awsTraffic(rule);
  return {
    ...words,
    ...(isIcmp(rule.protocol) && { fromPort: 0, toPort: 0, icmpType: -1, icmpCode: -1 }),
    ...(family === 4 ? { cidrBlock: text } : { ipv6CidrBlock: text }),
  };
}

/** Whether a rule that is planned already does what is needed. */
const isSame = (planned: NetworkAclRepair, entry: Entry, before: number | undefined): boolean =>
  (before === undefined || planned.ruleNumber < before) &&
  (Object.keys(entry) as (keyof Entry)[]).every((key) => planned[key] === entry[key]);

const isIn = ({ resource }: NetworkAcl, direction: Direction, repair: Repair): repair is NetworkAclRepair =>
  repair.kind === "network-acl-rule" && repair.direction === direction && isWrittenAt(repair.acl, resource);

const isAt = (rule: NetworkAclRule, clause: Clause): boolean =>
  rule.resource === clause.resource && rule.path === clause.path;

/** Between two rules that have room, new ones stand this far apart. */
const STEP = 10;

/** Numbers that no rule has, in order, below `before` or behind all others; close to it, where they can be. */
function freeNumbers(
  taken: readonly number[],
  before: number | undefined,
  count: number,
): number[] | undefined {
  const { min, max } = LIMIT.networkAclRuleNumber;
  const end = before ?? max + 1;
  const used = new Set(taken);
  const last = Math.max(min - 1, greatest(taken.filter((number) => number < end)));
  const step = Math.min(STEP, Math.floor((end - last - 1) / Math.max(count, 1)));
  if (step > 0) return Array.from({ length: count }, (_, position) => last + (position + 1) * step);
  const free: number[] = [];
  for (let number = end - 1; number >= min && free.length < count; number--)
    if (!used.has(number)) free.unshift(number);
  return free.length === count ? free : undefined;
}
