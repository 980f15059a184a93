import { Direction } from "../requirements/vocabulary";
import { append } from "./append";
import { prefixListContents } from "./prefixLists";
import { readText, readValue } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { SECURITY_GROUPS, SPLIT_RULES, TYPE } from "./resourceTypes";
import { WrittenRule, type SecurityGroupRule, type StackLists } from "./securityGroupRule";
import { TrafficReader } from "./trafficSpec";
import type { UnknownValue } from "./unknownValue";

export type { SecurityGroupRule } from "./securityGroupRule";
export type { RuleSource } from "./ruleSources";

/** A security group with all rules of the stack. */
export interface SecurityGroup {
  /** Absent where the group itself is not in this stack, only rules for it. */
  resource?: Resource;
  /** Its id where only rules are here. */
  id?: string;
  rules: readonly SecurityGroupRule[];
}

/** The groups of a stack with their rules, and the rules of which nobody knows the group. */
export interface SecurityGroups {
  groups: readonly SecurityGroup[];
  unknown: readonly UnknownValue[];
}

/** Every security group: inline rules, legacy rule resources and split rule resources. */
export function securityGroups(index: ResourceIndex): SecurityGroups {
  const stack: Reading = { index, lists: prefixListContents(index), traffic: new TrafficReader() };
  const rules = new Map<Resource | string, SecurityGroupRule[]>();
  const unknown: UnknownValue[] = [];
  for (const resource of index.resources) {
    if (SECURITY_GROUPS.has(resource.type)) append(rules, resource, inlineRules(resource, stack));
    if (!SPLIT_RULES.has(resource.type)) continue;
    const group = index.referred(resource, "securityGroupId", SECURITY_GROUPS);
    if (group === UNKNOWN || group === undefined) {
      if (group === UNKNOWN) unknown.push({ resource, path: "securityGroupId" });
    } else append(rules, group, splitRule(resource, group, stack));
  }
  const groups = [...rules].map(([key, list]): SecurityGroup =>
    typeof key === "string" ? { id: key, rules: list } : { resource: key, rules: list },
  );
  return { groups, unknown };
}

/** What the rules of a stack are read with. */
interface Reading extends StackLists {
  traffic: TrafficReader;
}

/** The rules that stand in a group itself. */
function inlineRules(group: Resource, stack: Reading): SecurityGroupRule[] {
  const rules: SecurityGroupRule[] = [];
  for (const direction of DIRECTIONS) {
    const list = readValue(group.properties, direction);
    if (list === UNKNOWN) rules.push(unknownRule(group, direction, direction));
    if (!Array.isArray(list)) continue;
    (list as readonly PropertyValue[]).forEach((value, position) => {
      if (value === UNKNOWN) rules.push(unknownRule(group, direction, `${direction}[${position}]`));
      else if (value !== null && value !== undefined)
        rules.push(
          new WrittenRule(
            group,
            direction,
            position,
            value,
            group,
            stack.traffic.read(value, "protocol"),
            stack,
          ),
        );
    });
  }
  return rules;
}

const unknownRule = (resource: Resource, direction: Direction, path: string): SecurityGroupRule => ({
  resource,
  path,
  direction,
  protocol: UNKNOWN,
  sources: [{ kind: "unknown", path }],
});

const DIRECTIONS = Object.values(Direction);

/** The rule that a rule resource writes: one for each direction where nobody knows which it is. */
function splitRule(resource: Resource, group: Resource | string, stack: Reading): SecurityGroupRule[] {
  const isLegacy = resource.type === TYPE.securityGroupRule;
  const direction = isLegacy ? readText(resource.properties, "type") : directionOf[resource.type];
  const traffic = stack.traffic.read(resource.properties, isLegacy ? "protocol" : "ipProtocol");
  if (direction === UNKNOWN)
    return DIRECTIONS.map((one) => ({
      resource,
      path: "",
      direction: one,
      ...traffic,
      sources: [{ kind: "unknown", path: "type" }],
    }));
  const self = typeof group === "object" ? group : undefined;
  return DIRECTIONS.filter((one) => direction === one).map(
    (one) => new WrittenRule(resource, one, undefined, resource.properties, self, traffic, stack),
  );
}

const directionOf: Readonly<Record<string, Direction>> = {
  [TYPE.ingressRule]: Direction.Ingress,
  [TYPE.egressRule]: Direction.Egress,
};
