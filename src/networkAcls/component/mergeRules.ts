import { compare } from "../../address";
import type { PortRange } from "../../flows/model";
import { Protocol } from "../../requirements/vocabulary";
import { grouped } from "../../components/hostRules/grouped";
import {
  isBlock,
  joinBlocks,
  describePorts,
  joined,
  type Block as BlockOf,
} from "../../components/hostRules/plannedRule";
import { aclRuleKey, holds, type AclRule } from "./aclRule";

type Block = BlockOf<AclRule>;

/**
 * Fewer rules that let exactly the same packets pass: rules inside others, and those whose blocks or ports make one block
 * or one range, become one. The order of the rules does not matter. A rule whose block is not known yet stays by itself.
 */
export function mergeRules(rules: readonly AclRule[]): AclRule[] {
  const blocks = rules.filter(isBlock);
  const others = rules.filter((rule) => !isBlock(rule));
  return [...untilStable(blocks), ...others].sort(byListAndKey);
}

/** Every step leaves as many rules or fewer. */
function untilStable(blocks: readonly Block[]): Block[] {
  const fewer = joinPorts(fewestBlocks(onlyWidest(blocks)));
  return fewer.length < blocks.length ? untilStable(fewer) : fewer;
}

/** Without rules whose packets pass by another one anyway; that one takes over their reasons. */
function onlyWidest(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  for (const block of [...blocks].sort(widestFirst)) {
    const at = kept.findIndex((wider) => holds(wider, block));
    if (at < 0) kept.push(block);
    else kept[at] = joined(kept[at]!, block);
  }
  return kept;
}

/** Blocks of the same ports, as the fewest blocks with the same addresses. */
function fewestBlocks(blocks: readonly Block[]): Block[] {
  return grouped(blocks, (rule) => `${listOf(rule)} ${describeTransport(rule)}`).flatMap((same) =>
    joinBlocks(same).map(({ rule }) => rule),
  );
}

/** Port ranges of the same block that touch or overlap, as one range. */
function joinPorts(blocks: readonly Block[]): Block[] {
  const key = (rule: Block) =>
    [listOf(rule), rule.protocol, rule.peer.prefix.text, rule.ports ? "ports" : aclRuleKey(rule)].join(" ");
  return grouped(blocks, key).flatMap((same) =>
    [...same].sort(byFirstPort).reduce<Block[]>((ranges, rule) => {
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

/** What can hold another rule comes before it. */
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
const byFirstPort = (a: Block, b: Block): number => (a.ports?.from ?? 0) - (b.ports?.from ?? 0);

function byListAndKey(a: AclRule, b: AclRule): number {
  const [left, right] = [a, b].map((rule) => `${listOf(rule)} ${aclRuleKey(rule)}`) as [string, string];
  return left < right ? -1 : Number(left > right);
}
