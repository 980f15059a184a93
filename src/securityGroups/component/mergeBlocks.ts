import { grouped } from "../../components/hostRules/grouped";
import { isBlock, joinBlocks, type Joined } from "../../components/hostRules/joinBlocks";
import { describePorts, ruleIdentity, type PlannedRule } from "../../components/hostRules/plannedRule";

/**
 * Fewer rules that let exactly the same packets pass: of the rules that may be merged, the blocks for the same protocol
 * and ports become the fewest blocks with the same addresses. Groups, prefix lists and blocks not known yet stay.
 */
export function mergeBlocks(
  rules: readonly PlannedRule[],
  mayMerge: (rule: PlannedRule) => boolean,
): PlannedRule[] {
  const key = (rule: PlannedRule) => (isBlock(rule) && mayMerge(rule) ? trafficOf(rule) : ruleIdentity(rule));
  return grouped(rules, key).flatMap((same) =>
    same.every(isBlock) ? joinBlocks(same).map(withParts) : [...same],
  );
}

const trafficOf = ({ role, direction, protocol, ports }: PlannedRule): string =>
  [role, direction, protocol, describePorts(ports)].join(" ");

function withParts({ rule, parts }: Joined<PlannedRule>): PlannedRule {
  return parts.length === 1 ? parts[0] : { ...rule, mergedFrom: parts.map(({ peer }) => peer) };
}
