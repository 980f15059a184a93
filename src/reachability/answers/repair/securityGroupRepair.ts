import type { Direction } from "../../../requirements/vocabulary";
import type { SecurityGroup } from "../../../resources/securityGroups";
import { writtenAt } from "../written";
import { awsTraffic, endsOf } from "./awsWords";
import { ofFamily, type NeededRule } from "./neededRules";
import type { RepairAdvice } from "./repair";

/** Rules of security groups: blocks of both families stand in one. */
export function securityGroupRepair(
  groups: readonly SecurityGroup[],
  direction: Direction,
  needed: readonly NeededRule[],
): RepairAdvice {
  const group = groups.find(({ resource }) => resource)?.resource;
  return {
    rules: needed.map((rule) => ({
      kind: "security-group-rule",
      ...(group && { group: writtenAt(group) }),
      direction,
      ...awsTraffic(rule),
      cidrBlocks: ofFamily(endsOf(rule), 4),
      ipv6CidrBlocks: ofFamily(endsOf(rule), 6),
    })),
  };
}
