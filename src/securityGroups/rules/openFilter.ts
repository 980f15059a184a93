import { addressesByRole } from "../../reachability/flows";
import { securityGroupFilter, type Filter } from "../../reachability/filters";
import { isByController, isOwnedByCluster } from "../../resources/ruleOwner";
import type { SecurityGroupRule } from "../../resources/securityGroups";
import type { Direction } from "../../requirements/vocabulary";
import type { Hosts } from "../../gate/hosts";

/**
 * What hosts' security groups let pass in one direction. Rules that controllers write, and groups that they own, are left out:
 * who runs a plan does not decide on them. So are rules that `isDeclared` says.
 */
export function openFilter(
  { groups, roleOf, cluster }: Hosts,
  direction: Direction,
  isDeclared: (rule: SecurityGroupRule) => boolean = () => false,
): Filter {
  const rules = groups
    .filter(({ group }) => !isOwnedByCluster(group.resource))
    .flatMap(({ group }) => group.rules.filter((rule) => !isByController(rule) && !isDeclared(rule)));
  return securityGroupFilter(rules, direction, addressesByRole(cluster.topology, roleOf));
}
