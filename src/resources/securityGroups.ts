import { readPrefix, type Prefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import { append } from "./append";
import { prefixListContents, type PrefixListContents } from "./prefixLists";
import { isObject, read, readFlag, readText } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { PREFIX_LISTS, SECURITY_GROUPS, SPLIT_RULES, TYPE } from "./resourceTypes";
import { readTraffic, type TrafficSpec } from "./trafficSpec";
import type { UnknownValue } from "./unknownValue";

/** The other end of a security-group rule. */
export type RuleSource =
  | { kind: "prefix"; prefix: Prefix; path: string }
  /** A group of this stack, the group itself among them. */
  | { kind: "group"; group: Resource; path: string }
  /** A group that is not in this stack. */
  | { kind: "foreignGroup"; id: string; path: string }
  /** Nobody knows the addresses. */
  | { kind: "unknown"; path: string; reason?: string };

/** One rule of a group, however it was written. */
export interface SecurityGroupRule extends TrafficSpec {
  /** The resource in which it stands: the group, or a rule resource. */
  resource: Resource;
  /** Where it stands there: `ingress[0]`; empty for a rule resource. */
  path: string;
  direction: Direction;
  sources: readonly RuleSource[];
}

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
  const lists = prefixListContents(index);
  const rules = new Map<Resource | string, SecurityGroupRule[]>();
  const unknown: UnknownValue[] = [];
  for (const resource of index.resources) {
    if (SECURITY_GROUPS.has(resource.type)) append(rules, resource, inlineRules(resource, index, lists));
    if (!SPLIT_RULES.has(resource.type)) continue;
    const group = index.referred(resource, "securityGroupId", SECURITY_GROUPS);
    if (group === UNKNOWN || group === undefined) {
      if (group === UNKNOWN) unknown.push({ resource, path: "securityGroupId" });
    } else append(rules, group, splitRule(resource, index, lists));
  }
  const groups = [...rules].map(([key, list]): SecurityGroup =>
    typeof key === "string" ? { id: key, rules: list } : { resource: key, rules: list },
  );
  return { groups, unknown };
}

/** The rules that stand in a group itself. */
export function inlineRules(
  group: Resource,
  index: ResourceIndex,
  lists: PrefixListContents,
): SecurityGroupRule[] {
  return Object.values(Direction).flatMap((direction) =>
    read(group.properties, `${direction}[]`).map(({ path, value }) =>
      value === UNKNOWN
        ? { resource: group, path, direction, protocol: UNKNOWN, sources: [{ kind: "unknown", path }] }
        : {
            resource: group,
            path,
            direction,
            ...readTraffic(value, "protocol"),
            sources: sourcesOf({ holder: group, dependencies: direction, path, value }, group, index, lists),
          },
    ),
  );
}

/** The rule that a rule resource writes. */
export function splitRule(
  resource: Resource,
  index: ResourceIndex,
  lists: PrefixListContents,
): SecurityGroupRule[] {
  const isLegacy = resource.type === TYPE.securityGroupRule;
  const direction = isLegacy ? readText(resource.properties, "type") : directionOf[resource.type];
  const directions = Object.values(Direction).filter((one) => direction === UNKNOWN || direction === one);
  const group = index.referred(resource, "securityGroupId", SECURITY_GROUPS);
  const self = typeof group === "object" ? group : undefined;
  return directions.map((one) => ({
    resource,
    path: "",
    direction: one,
    ...readTraffic(resource.properties, isLegacy ? "protocol" : "ipProtocol"),
    sources:
      direction === UNKNOWN
        ? [{ kind: "unknown", path: "type" }]
        : sourcesOf({ holder: resource, path: "", value: resource.properties }, self, index, lists),
  }));
}

const directionOf: Readonly<Record<string, Direction>> = {
  [TYPE.ingressRule]: Direction.Ingress,
  [TYPE.egressRule]: Direction.Egress,
};

/** Where a rule stands: `dependencies` is the property that holds it, where one property holds many rules. */
interface Place {
  holder: Resource;
  dependencies?: string;
  path: string;
  value: PropertyValue;
}

/** Properties that name sources, in groups' inline rules, legacy and split rules. */
const ADDRESSES = ["cidrBlocks[]", "ipv6CidrBlocks[]", "cidrIpv4", "cidrIpv6"];
const GROUPS = ["securityGroups[]", "sourceSecurityGroupId", "referencedSecurityGroupId"];
const LISTS = ["prefixListIds[]", "prefixListId"];

function sourcesOf(
  place: Place,
  self: Resource | undefined,
  index: ResourceIndex,
  lists: PrefixListContents,
): RuleSource[] {
  const all = (properties: readonly string[]) =>
    properties.flatMap((property) => read(place.value, property, place.path));
  const isSelf = isObject(place.value) ? readFlag(place.value, "self") : undefined;
  const selfPath = place.path === "" ? "self" : `${place.path}.self`;
  return [
    ...all(ADDRESSES).flatMap(({ path, value }) => addressSource(path, value)),
    ...all(GROUPS).flatMap(({ path, value }) => groupSource(place, path, value, index)),
    ...all(LISTS).flatMap(({ path, value }) => listSources(place, path, value, index, lists)),
    ...(isSelf === true && self ? [{ kind: "group" as const, group: self, path: selfPath }] : []),
    ...(isSelf === UNKNOWN ? [{ kind: "unknown" as const, path: selfPath }] : []),
  ];
}

/** A CIDR block that cannot be read allows nothing; `cidr-invalid` speaks of it. */
function addressSource(path: string, value: PropertyValue): RuleSource[] {
  if (value === UNKNOWN) return [{ kind: "unknown", path }];
  const prefix = typeof value === "string" ? readPrefix(value) : undefined;
  return prefix ? [{ kind: "prefix", prefix, path }] : [];
}

function groupSource(place: Place, path: string, value: PropertyValue, index: ResourceIndex): RuleSource[] {
  const known = typeof value === "string" ? index.named(value, SECURITY_GROUPS) : undefined;
  const group = known ?? madeFrom(place, path, value, SECURITY_GROUPS, index);
  if (group) return [{ kind: "group", group, path }];
  if (value === UNKNOWN) return [{ kind: "unknown", path }];
  return typeof value === "string" ? [{ kind: "foreignGroup", id: value, path }] : [];
}

function listSources(
  place: Place,
  path: string,
  value: PropertyValue,
  index: ResourceIndex,
  lists: PrefixListContents,
): RuleSource[] {
  const named = typeof value === "string" ? index.named(value, PREFIX_LISTS) : undefined;
  const list = named ?? madeFrom(place, path, value, PREFIX_LISTS, index);
  const content = list && lists.get(list);
  if (content) return content.map((entry) => ({ ...entry, path }));
  if (value === UNKNOWN) return [{ kind: "unknown", path }];
  const id = typeof value === "string" && /^pl-[0-9a-z-]+$/.test(value) ? value : "that";
  return [{ kind: "unknown", path, reason: `the entries of prefix list ${id} are not in this stack` }];
}

/**
 * The one resource that a property of a rule was made from. Inline rules share the dependencies of the whole list, so
 * they say something only about values that are not known yet.
 */
function madeFrom(
  { holder, dependencies }: Place,
  path: string,
  value: PropertyValue,
  types: ReadonlySet<string>,
  index: ResourceIndex,
): Resource | undefined {
  if (dependencies !== undefined && value !== UNKNOWN) return undefined;
  const [only, ...others] = index.madeFrom(holder, dependencies ?? path.replace(/\[.*$/, ""), types);
  return others.length === 0 ? only : undefined;
}
