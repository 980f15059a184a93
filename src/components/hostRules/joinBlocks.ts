import { contains, merge, type Prefix } from "../../address";
import { joined, type PlannedRule } from "./plannedRule";

/** A rule whose peer is a CIDR block that is known. */
export type Block<Rule extends PlannedRule = PlannedRule> = Rule & {
  peer: { kind: "prefix"; prefix: Prefix };
};

export const isBlock = <Rule extends PlannedRule>(rule: Rule): rule is Block<Rule> =>
  rule.peer.kind === "prefix";

/** A rule for one block, and the rules whose blocks are in it. */
export interface Joined<Rule> {
  rule: Rule;
  parts: readonly [Rule, ...Rule[]];
}

/** Rules that differ in their blocks alone, as the fewest rules with exactly the same addresses. */
export function joinBlocks<Rule extends Block>(same: readonly Rule[]): Joined<Rule>[] {
  return merge(same.map(({ peer }) => peer.prefix)).map((prefix) => {
    const parts = same.filter(({ peer }) => contains(prefix, peer.prefix)) as [Rule, ...Rule[]];
    const [first, ...others] = parts;
    return { rule: { ...others.reduce<Rule>(joined, first), peer: { kind: "prefix", prefix } }, parts };
  });
}
