import { onceForEach, pushAll } from "../collections";
import { Direction } from "../requirements/vocabulary";
import { prefixListContents } from "./ruleSources";
import { isObject, readText, readValue } from "./read";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { SECURITY_GROUPS, SPLIT_RULES, TYPE } from "./resourceTypes";
import { type RuleList, type SecurityGroupRule, type StackLists, WrittenRule } from "./securityGroupRule";
import { readTraffic } from "./trafficSpec";
import type { Family } from "../address";

export type { SecurityGroupRule } from "./securityGroupRule";
export type { RuleSource } from "./ruleSources";

/** A security group with all rules of the stack. */
export interface SecurityGroup {
  /** Absent where the group itself is not in this stack, only rules for it. */
  resource?: Resource;
  /** Its id where only rules are here. */
  id?: string;
  rules: readonly SecurityGroupRule[];
  /** Those of them that are resources of their own. */
  ruleResources: readonly SecurityGroupRule[];
}

/** The groups of a stack with their rules, and the rules whose group is unknown. */
export interface SecurityGroups {
  groups: readonly SecurityGroup[];
  unknown: readonly UnknownValue[];
}

/** Every security group: inline rules, legacy rule resources and split rule resources. */
export const securityGroups = onceForEach(readGroups);

function readGroups(index: ResourceIndex): SecurityGroups {
  const stack: StackLists = { index, lists: prefixListContents(index) };
  const groups = new Map<Resource | string, WrittenGroup>();
  const groupOf = (key: Resource | string): WrittenGroup => {
    let group = groups.get(key);
    if (!group) groups.set(key, (group = new WrittenGroup(key, stack)));
    return group;
  };
  const unknown: UnknownValue[] = [];
  for (const resource of index.ofKind(GROUPS_AND_RULES)) {
    if (SECURITY_GROUPS.has(resource.type)) groupOf(resource).meetInline();
    if (!SPLIT_RULES.has(resource.type)) continue;
    const group = index.referred(resource, "securityGroupId", SECURITY_GROUPS);
    if (group === UNKNOWN || group === undefined) {
      if (group === UNKNOWN) unknown.push({ resource, path: "securityGroupId" });
    } else pushAll(groupOf(group).ruleResources, splitRule(resource, group, stack));
  }
  return { groups: [...groups.values()], unknown };
}

const GROUPS_AND_RULES: ReadonlySet<string> = new Set([...SECURITY_GROUPS, ...SPLIT_RULES]);

/** A group as a plan writes it. Few groups of a large plan have to do with a hosted cluster: inline rules are read when asked for. */
class WrittenGroup implements SecurityGroup {
  readonly resource?: Resource;
  readonly id?: string;
  readonly ruleResources: SecurityGroupRule[] = [];
  /** How many rule resources stand before the group. */
  #before: number | undefined;
  #rules: readonly SecurityGroupRule[] | undefined;

  constructor(
    key: Resource | string,
    private readonly stack: StackLists,
  ) {
    if (typeof key === "string") this.id = key;
    else this.resource = key;
  }

  meetInline(): void {
    this.#before = this.ruleResources.length;
  }

  get rules(): readonly SecurityGroupRule[] {
    return (this.#rules ??= this.#read());
  }

  #read(): readonly SecurityGroupRule[] {
    const { resource, ruleResources: own } = this;
    if (!resource || this.#before === undefined) return own;
    return [...own.slice(0, this.#before), ...inlineRules(resource, this.stack), ...own.slice(this.#before)];
  }
}

/** The rules that stand in a group itself. */
function inlineRules(group: Resource, stack: StackLists): SecurityGroupRule[] {
  const rules: SecurityGroupRule[] = [];
  for (const direction of DIRECTIONS) {
    const list = readValue(group.properties, direction);
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      rules.push(unknownRule(group, direction, direction));
      continue;
    }
    const entries = list as readonly PropertyValue[];
    const written: RuleList = {
      resource: group,
      direction,
      entries,
      protocolKey: "protocol",
      self: group,
      stack,
    };
    entries.forEach((value, position) => {
      if (value === UNKNOWN) rules.push(unknownRule(group, direction, `${direction}[${position}]`));
      else if (value !== null && value !== undefined) rules.push(new WrittenRule(written, position));
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

/** The rule that a rule resource writes: one for each direction where its direction is unknown. */
function splitRule(resource: Resource, group: Resource | string, stack: StackLists): SecurityGroupRule[] {
  const isLegacy = resource.type === TYPE.securityGroupRule;
  const direction = isLegacy ? readText(resource.properties, "type") : directionOf[resource.type];
  const protocolKey = isLegacy ? "protocol" : "ipProtocol";
  if (direction === UNKNOWN)
    return DIRECTIONS.map((one) => ({
      resource,
      path: "",
      direction: one,
      ...readTraffic(resource.properties, protocolKey),
      sources: [{ kind: "unknown", path: "type" }],
    }));
  return DIRECTIONS.filter((one) => direction === one).map(
    (one) => new WrittenRule({ resource, direction: one, protocolKey, self: group, stack }, 0),
  );
}

const directionOf: Readonly<Record<string, Direction>> = {
  [TYPE.ingressRule]: Direction.Ingress,
  [TYPE.egressRule]: Direction.Egress,
};

/** How controllers begin the descriptions of rules that they write into the groups of others. (Kubernetes, Service, AWS NLB) */
const CONTROLLERS: readonly string[] = ["kubernetes.io/rule/nlb/", "elbv2.k8s.aws/"];

/** Whether a controller wrote a rule, and would write it again: it is not a decision of the plan. */
export function isByController({ resource, path }: Pick<SecurityGroupRule, "resource" | "path">): boolean {
  const description = readText(writtenAt(resource, path), "description");
  return (
    typeof description === "string" && CONTROLLERS.some((beginning) => description.startsWith(beginning))
  );
}

/** The properties of a rule: those of its resource, or an entry of a list in it. */
export function writtenAt({ properties }: Resource, path: string): PropertyValue | undefined {
  const [, list, position] = /^(\w+)\[(\d+)\]$/.exec(path) ?? [];
  if (list === undefined) return properties;
  const entries = properties[list];
  return Array.isArray(entries) ? (entries as readonly PropertyValue[])[Number(position)] : undefined;
}

const OWNED = /^kubernetes\.io\/cluster\//;

/** Whether a group belongs to a cluster's own controllers, as HyperShift's for nodes and VPC endpoints do, and not to a user. */
export function isOwnedByCluster(group: Resource | undefined): boolean {
  const tags: (PropertyValue | undefined)[] = [group?.properties.tagsAll, group?.properties.tags];
  return tags.some(
    (its) =>
      isObject(its) && Object.entries(its).some(([key, value]) => OWNED.test(key) && value === "owned"),
  );
}

/** What a security-group rule names at its other end, as AWS's quota counts it. */
export type CountedPeer =
  | { kind: "prefix"; family: Family }
  /** A security group, the own one among them. */
  | { kind: "group" }
  /** A prefix list, with the most entries that it may have. */
  | { kind: "prefixList"; maxEntries: number };

/** Both families, which AWS counts apart. */
export const FAMILIES: readonly Family[] = [4, 6];

/**
 * As how many rules of a family AWS counts one: a block once in its family; a security group once in both; a prefix list as
 * often as it may have entries, in both, because its family is not known.
 */
export function ruleWeight(peer: CountedPeer, family: Family): number {
  if (peer.kind === "prefix") return peer.family === family ? 1 : 0;
  return peer.kind === "prefixList" ? peer.maxEntries : 1;
}
