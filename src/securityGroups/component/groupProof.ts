import type { Fault } from "../../fault";
import { addressesByRole, groupFilter, type RoleOfReference } from "../../reachability/flows/groupFilter";
import { securityGroupFilter } from "../../reachability/filters";
import { Direction, Role } from "../../requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../resources/resource";
import { ResourceIndex } from "../../resources/resourceIndex";
import { TYPE } from "../../resources/resourceTypes";
import { securityGroups } from "../../resources/securityGroups";
import { ruleKey, type PlannedRule } from "../../components/hostRules/plannedRule";
import { rulePeer, ruleTraffic } from "./groupResource";
import type { SecurityGroupPlan } from "./securityGroupPlan";
import { proofFaults, type Place } from "../../components/hostRules/proofFaults";

/**
 * Proves the rules of a component's groups before any of them is made: the properties that the engine gets are read as those
 * of any plan, and have to let every flow pass that they are for, and nothing else.
 */
export function groupProofFaults({ rules, topology, purpose }: SecurityGroupPlan): Fault[] {
  if (!topology || !purpose) return [];
  const { groups } = securityGroups(new ResourceIndex(rules.map(asResource)));
  const places = Object.values(Role).map((role): Place => {
    const own = groups.find(({ id }) => id === role)?.rules ?? [];
    return {
      role,
      filterFor: (flow, peer) => groupFilter(own, flow, peer, topology, roleOf),
      filter: (direction) => securityGroupFilter(own, direction, addressesByRole(topology, roleOf)),
      isPassedBy: (flow) => flow.role === role,
    };
  });
  return proofFaults(places, purpose, topology);
}

/** Groups stand in for each other by their roles: their ids are not known before they are made. */
const IDS = Object.fromEntries(Object.values(Role).map((role) => [role, role]));

const ROLES: ReadonlyMap<string, Role> = new Map(Object.values(Role).map((role) => [role, role]));

const roleOf: RoleOfReference = (reference) =>
  reference.kind === "foreignGroup" ? ROLES.get(reference.id) : undefined;

/** A rule as the engine is asked for it, with UNKNOWN where another resource has the value. */
function asResource(rule: PlannedRule): Resource {
  const peer = rulePeer<PropertyValue>(rule.peer, {
    groups: IDS,
    values: { get: () => UNKNOWN },
    ofFamily: () => UNKNOWN,
  });
  return {
    origin: {},
    type: rule.direction === Direction.Ingress ? TYPE.ingressRule : TYPE.egressRule,
    name: ruleKey(rule),
    properties: { securityGroupId: IDS[rule.role]!, ...ruleTraffic(rule), ...peer },
  };
}
