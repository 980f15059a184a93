import type { Fault } from "../../fault";
import { mayMatch } from "../../reachability/flows/groupFilter";
import { networkAclFilter } from "../../reachability/filters";
import { networkAcls } from "../../resources/networkAcls";
import type { PropertyValue, Resource } from "../../resources/resource";
import { ResourceIndex } from "../../resources/resourceIndex";
import { TYPE } from "../../resources/resourceTypes";
import { aclOf, type SubnetRole } from "./answers";
import { aclEntry } from "./aclEntry";
import type { NetworkAclPlan } from "./networkAclRules";
import { numberKey, type NumberedRule } from "./ruleNumbers";
import { proofFaults, type Place } from "../../components/hostRules/proofFaults";

/**
 * Proves the rules of a component's network ACLs before any of them is made: the entries that the engine gets are read as
 * those of any plan, and have to let every flow and its answers pass, and nothing else.
 */
export function aclProofFaults({ roles, rules, topology, purpose }: NetworkAclPlan): Fault[] {
  if (!topology || !purpose) return [];
  const { acls } = networkAcls(new ResourceIndex(rules.map(asResource)));
  const places = roles.map((role: SubnetRole): Place => {
    const own = acls.find(({ id }) => id === role)?.rules ?? [];
    return {
      role,
      filterFor: (flow) =>
        networkAclFilter(
          own.filter((rule) => mayMatch(rule, flow)),
          flow.direction,
        ),
      filter: (direction) => networkAclFilter(own, direction),
      isPassedBy: (flow) => aclOf(flow) === role,
    };
  });
  return proofFaults(places, purpose, topology);
}

/** A rule as the engine is asked for it; a block that another resource has matches nothing. */
const asResource = (rule: NumberedRule): Resource => ({
  origin: {},
  type: TYPE.networkAclRule,
  name: numberKey(rule),
  properties: { networkAclId: rule.role, ...(aclEntry(rule) as unknown as Record<string, PropertyValue>) },
});
