import type { Direction } from "../../../requirements/vocabulary";
import { TYPE } from "../../../resources/resourceTypes";
import type { SecurityGroup } from "../../../resources/securityGroups";
import { writtenAt } from "../written";
import { awsTraffic, endsOf } from "./awsWords";
import { ofFamily, type NeededRule } from "./neededRules";
import type { RepairAdvice, SecurityGroupRepair } from "./repair";

/** Rules of both forms in one group take each other away: a new one stands as those that are there. */
function formOf({ rules, ruleResources: [own] }: SecurityGroup): SecurityGroupRepair["form"] {
  if (own) return own.resource.type === TYPE.securityGroupRule ? "classic" : "split";
  return rules.length > 0 ? "inline" : undefined;
}

/** Rules of security groups: blocks of both families stand in one. */
export function securityGroupRepair(
  groups: readonly SecurityGroup[],
  direction: Direction,
  needed: readonly NeededRule[],
): RepairAdvice {
  const own = groups.find(({ resource }) => resource) ?? groups[0];
  const group = own?.resource;
  const form = own && formOf(own);
  return {
    rules: needed.map((rule) => ({
      kind: "security-group-rule",
      ...(group && { group: writtenAt(group) }),
      ...(form && { form }),
      direction,
      ...awsTraffic(rule),
      cidrBlocks: ofFamily(endsOf(rule), 4),
      ipv6CidrBlocks: ofFamily(endsOf(rule), 6),
    })),
  };
}
