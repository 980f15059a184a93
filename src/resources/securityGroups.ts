import type { Prefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import { append } from "./append";
import { prefixListContents, type PrefixListContents } from "./prefixLists";
import { isObject, read, readFlag, readText, readValue } from "./read";
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
  return DIRECTIONS.flatMap((direction) =>
    read(group.properties, `${direction}[]`).map(({ path, value }): SecurityGroupRule => {
      if (value === UNKNOWN)
        return { resource: group, path, direction, protocol: UNKNOWN, sources: [{ kind: "unknown", path }] };
      const traffic = readTraffic(value, "protocol");
      const sources = sourcesOf({ holder: group, dependencies: direction, path, value }, group, index, lists);
      return ruleOf(group, path, direction, traffic, sources);
    }),
  );
}

const DIRECTIONS = Object.values(Direction);

/** All rules of one shape have their properties in one order, which makes reading them fast. */
function ruleOf(
  resource: Resource,
  path: string,
  direction: Direction,
  { protocol, ports, message }: TrafficSpec,
  sources: readonly RuleSource[],
): SecurityGroupRule {
  if (message !== undefined) return { resource, path, direction, protocol, message, sources };
  return ports === undefined
    ? { resource, path, direction, protocol, sources }
    : { resource, path, direction, protocol, ports, sources };
}

/** The rule that a rule resource writes. */
export function splitRule(
  resource: Resource,
  index: ResourceIndex,
  lists: PrefixListContents,
): SecurityGroupRule[] {
  const isLegacy = resource.type === TYPE.securityGroupRule;
  const direction = isLegacy ? readText(resource.properties, "type") : directionOf[resource.type];
  const directions = DIRECTIONS.filter((one) => direction === UNKNOWN || direction === one);
  const group = index.referred(resource, "securityGroupId", SECURITY_GROUPS);
  const self = typeof group === "object" ? group : undefined;
  const traffic = readTraffic(resource.properties, isLegacy ? "protocol" : "ipProtocol");
  const sources: RuleSource[] =
    direction === UNKNOWN
      ? [{ kind: "unknown", path: "type" }]
      : sourcesOf({ holder: resource, path: "", value: resource.properties }, self, index, lists);
  return directions.map((one) => ruleOf(resource, "", one, traffic, sources));
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

/** Properties that name sources, in groups' inline rules, legacy and split rules: lists of texts, or one text. */
const ADDRESSES = { lists: ["cidrBlocks", "ipv6CidrBlocks"], single: ["cidrIpv4", "cidrIpv6"] };
const GROUPS = { lists: ["securityGroups"], single: ["sourceSecurityGroupId", "referencedSecurityGroupId"] };
const LISTS = { lists: ["prefixListIds"], single: ["prefixListId"] };

function sourcesOf(
  place: Place,
  self: Resource | undefined,
  index: ResourceIndex,
  lists: PrefixListContents,
): RuleSource[] {
  const sources: RuleSource[] = [];
  addAddresses(place, index, sources);
  eachText(place, GROUPS, (path, value) => {
    const source = groupSource(place, path, value, index);
    if (source) sources.push(source);
  });
  eachText(place, LISTS, (path, value) => {
    sources.push(...listSources(place, path, value, index, lists));
  });
  const isSelf = isObject(place.value) ? readFlag(place.value, "self") : undefined;
  if (isSelf === true && self) sources.push({ kind: "group", group: self, path: placeOf(place, "self") });
  if (isSelf === UNKNOWN) sources.push({ kind: "unknown", path: placeOf(place, "self") });
  return sources;
}

const placeOf = ({ path }: Place, property: string): string =>
  path === "" ? property : `${path}.${property}`;

/** Every value at some properties, without making a list of them: there are hundreds of thousands of rules. */
function eachText(
  place: Place,
  properties: typeof ADDRESSES,
  take: (path: string, value: PropertyValue) => void,
): void {
  const { value: rule } = place;
  for (const property of properties.lists) {
    const value = readValue(rule, property);
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    for (const found of read(value, "[]", placeOf(place, property))) take(found.path, found.value);
  }
  for (const property of properties.single) {
    const value = readValue(rule, property);
    if (value !== undefined) take(placeOf(place, property), value);
  }
}

/** A CIDR block that cannot be read allows nothing; `cidr-invalid` speaks of it. */
function addAddresses(place: Place, index: ResourceIndex, sources: RuleSource[]): void {
  const add = (property: string, position: number | undefined, value: PropertyValue) => {
    if (value === UNKNOWN) sources.push({ kind: "unknown", path: pathOf(place, property, position) });
    const prefix = typeof value === "string" ? index.prefix(value) : undefined;
    if (prefix) sources.push(new PrefixSource(prefix, place, property, position));
  };
  for (const property of ADDRESSES.lists) {
    const value = readValue(place.value, property);
    if (value === UNKNOWN) add(property, undefined, value);
    else if (Array.isArray(value)) {
      const list = value as readonly PropertyValue[];
      for (let position = 0; position < list.length; position++) add(property, position, list[position]!);
    }
  }
  for (const property of ADDRESSES.single) {
    const value = readValue(place.value, property);
    if (value !== undefined) add(property, undefined, value);
  }
}

const pathOf = (place: Place, property: string, position: number | undefined): string =>
  `${placeOf(place, property)}${position === undefined ? "" : `[${position}]`}`;

/** A block of addresses: most of the sources of a plan are, and few of their paths are ever read. */
class PrefixSource {
  readonly kind = "prefix";

  constructor(
    readonly prefix: Prefix,
    private readonly place: Place,
    private readonly property: string,
    private readonly position: number | undefined,
  ) {}

  get path(): string {
    return pathOf(this.place, this.property, this.position);
  }
}

function groupSource(
  place: Place,
  path: string,
  value: PropertyValue,
  index: ResourceIndex,
): RuleSource | undefined {
  const known = typeof value === "string" ? index.named(value, SECURITY_GROUPS) : undefined;
  const group = known ?? madeFrom(place, path, value, SECURITY_GROUPS, index);
  if (group) return { kind: "group", group, path };
  if (value === UNKNOWN) return { kind: "unknown", path };
  return typeof value === "string" ? { kind: "foreignGroup", id: value, path } : undefined;
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
