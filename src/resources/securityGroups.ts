import { append, onceForEach, pushAll, onceIn } from "../collections";
import { Direction, Role } from "../requirements/vocabulary";
import { groupsAcross } from "./connections";
import { prefixListContents } from "./ruleSources";
import { isFilled, isMap, read, readText, readValue } from "./read";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "./resource";
import { defaultGroupOf, type ResourceIndex, vpcKey } from "./resourceIndex";
import { SECURITY_GROUPS, SPLIT_RULES, TYPE } from "./resourceTypes";
import { type RuleList, type SecurityGroupRule, type StackLists, StatedRule } from "./securityGroupRule";
import { readTraffic } from "./trafficSpec";
import { nameOfVpc } from "./vpcs";
import type { Family } from "../address";

export type { SecurityGroupRule } from "./securityGroupRule";
export type { RuleSource } from "./ruleSources";

/** A security group with all its rules in the stack. */
export interface SecurityGroup {
  /** Absent if only rules of the group are in this stack. */
  resource?: Resource;
  /** The id if only rules of the group are in this stack. */
  id?: string;
  rules: readonly SecurityGroupRule[];
  /** The rules that are resources of their own. */
  ruleResources: readonly SecurityGroupRule[];
  /** Rules that the stack takes out of the group again; they are not in `rules`. */
  takenOut?: readonly TakenOut[];
}

/** A rule that another resource takes out of its group, because it is not in that resource's exclusive list. */
export interface TakenOut {
  rule: SecurityGroupRule;
  by: Resource;
}

/** The groups of a stack with their rules, and the rules whose group is unknown. */
export interface SecurityGroups {
  groups: readonly SecurityGroup[];
  unknown: readonly UnknownValue[];
}

/** Every security group: inline rules, legacy rule resources and split rule resources. */
export const securityGroups = onceForEach(readGroups);

function readGroups(index: ResourceIndex): SecurityGroups {
  const doubtOf = (named: Resource, self: Resource, direction: Direction) =>
    doubtAcross(index, named, self, direction);
  const stack: StackLists = { index, lists: prefixListContents(index), doubtOf };
  const groups = new Map<Resource | string, WrittenGroup>();
  const groupOf = (key: Resource | string) => onceIn(groups, key, () => new WrittenGroup(key, stack));
  const unknown: UnknownValue[] = [];
  for (const resource of index.ofKind(GROUPS_AND_RULES)) {
    if (SECURITY_GROUPS.has(resource.type)) groupOf(resource).meetInline();
    const isExclusive = EXCLUSIVE.has(resource.type) && !resource.isRead;
    if (!isExclusive && !SPLIT_RULES.has(resource.type)) continue;
    const named = index.referred(resource, "securityGroupId", SECURITY_GROUPS);
    const group = (named === UNKNOWN && defaultGroupOf(index, resource, "securityGroupId")) || named;
    if (group === UNKNOWN || group === undefined) {
      if (group === UNKNOWN) unknown.push({ resource, path: "securityGroupId" });
    } else if (isExclusive) groupOf(group).exclusive.push(resource);
    else pushAll(groupOf(group).ruleResources, splitRule(resource, group, stack));
  }
  return { groups: [...groups.values()], unknown };
}

const EXCLUSIVE: ReadonlySet<string> = new Set([TYPE.rulesExclusive]);
const GROUPS_AND_RULES: ReadonlySet<string> = new Set([...SECURITY_GROUPS, ...SPLIT_RULES, ...EXCLUSIVE]);

/** A group as a plan writes it. Reads inline rules lazily, because few groups of a large plan belong to a hosted cluster. */
class WrittenGroup implements SecurityGroup {
  readonly resource?: Resource;
  readonly id?: string;
  readonly ruleResources: SecurityGroupRule[] = [];
  /** Resources that list all rules that the group may have. */
  readonly exclusive: Resource[] = [];
  /** The number of rule resources before the group. */
  #before: number | undefined;
  #rules: Remaining | undefined;

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
    return this.#remaining.rules;
  }

  get takenOut(): readonly TakenOut[] {
    return this.exclusive.length > 0 ? this.#remaining.takenOut : [];
  }

  get #remaining(): Remaining {
    return (this.#rules ??= remaining(this.#read(), this.exclusive, this.ruleResources));
  }

  #read(): readonly SecurityGroupRule[] {
    const { resource, ruleResources: own } = this;
    if (!resource || this.#before === undefined) return own;
    return [...own.slice(0, this.#before), ...inlineRules(resource, this.stack), ...own.slice(this.#before)];
  }
}

/** The rules that a group keeps, and those that are taken out of it. */
type Remaining = Required<Pick<SecurityGroup, "rules" | "takenOut">>;

/** Splits the rules of a group by the ids in the lists of its exclusive resources. */
function remaining(
  rules: readonly SecurityGroupRule[],
  exclusive: readonly Resource[],
  ruleResources: readonly SecurityGroupRule[],
): Remaining {
  let left: Remaining = { rules, takenOut: [] };
  for (const by of exclusive)
    for (const direction of DIRECTIONS) {
      const list = listOfStaying(by, direction, ruleResources);
      if (!list) continue;
      const kept: SecurityGroupRule[] = [];
      const takenOut = [...left.takenOut];
      for (const rule of left.rules) {
        const stays = rule.direction !== direction || list.stays(rule);
        if (stays === true) kept.push(rule);
        else if (stays === UNKNOWN) kept.push(doubtful(rule, by, list.path));
        else takenOut.push({ rule, by });
      }
      left = { rules: kept, takenOut };
    }
  return left;
}

/** Which rules of a direction may stay. */
interface Staying {
  path: string;
  stays: (rule: SecurityGroupRule) => boolean | typeof UNKNOWN;
}

function listOfStaying(
  by: Resource,
  direction: Direction,
  ruleResources: readonly SecurityGroupRule[],
): Staying | undefined {
  const path = `${direction}RuleIds`;
  if (readValue(by.properties, path) === undefined) return undefined;
  const ids = new Set<string>();
  // An unknown list may have any number of ids.
  let unknownIds = Array.isArray(readValue(by.properties, path)) ? 0 : Infinity;
  for (const { value } of read(by.properties, `${path}[]`))
    if (typeof value === "string") ids.add(value);
    else unknownIds += 1;
  const rules = new Map(ruleResources.map(({ resource }) => [resource.origin.urn, resource]));
  const sources = new Set(by.propertyDependencies?.[path]);
  // Rules whose ids are listed gave no unknown id.
  const givers = [...sources].filter((urn) => !idsOf(rules.get(urn)).some((id) => ids.has(id)));
  const areRules = givers.every((urn) => rules.has(urn)) && givers.length > 0;
  const own = new Set([...rules.values()].flatMap(idsOf));
  const areOfRules = [...ids].every((id) => own.has(id));
  const mayBeInline = unknownIds > (areRules ? givers.length : 0) || !areOfRules;
  return {
    path,
    stays: ({ resource, path: place }) => {
      if (place !== "") return mayBeInline ? UNKNOWN : false;
      const known = idsOf(resource);
      if (known.some((id) => ids.has(id))) return true;
      const { urn } = resource.origin;
      // A rule that does not exist yet has none of the ids that other rules have.
      if (unknownIds === 0) return known.length > 0 || (areOfRules && !sources.has(urn!)) ? false : UNKNOWN;
      if (sources.has(urn!)) return givers.length === unknownIds && areRules ? true : UNKNOWN;
      return areRules ? false : UNKNOWN;
    },
  };
}

/** The ids that identify a rule in its group. */
const idsOf = (rule: Resource | undefined): string[] =>
  ["id", "securityGroupRuleId"].flatMap((property) => {
    const id = readText(rule?.properties, property);
    return isFilled(id) ? [id] : [];
  });

/** A rule that may or may not stay. */
const doubtful = (rule: SecurityGroupRule, by: Resource, list: string): SecurityGroupRule => ({
  resource: rule.resource,
  path: rule.path,
  direction: rule.direction,
  protocol: rule.protocol,
  ...(rule.ports !== undefined && { ports: rule.ports }),
  ...(rule.message !== undefined && { message: rule.message }),
  sources: [
    {
      kind: "unknown",
      path: rule.path,
      reason: `whether it is among ${list} of ${by.name}, which removes all other rules from the group`,
      because: [{ resource: by, path: list }],
    },
  ],
});

/** The inline rules of a group. */
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
      else if (value !== null && value !== undefined) rules.push(new StatedRule(written, position));
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

/** The rule of a rule resource: one for each direction if its direction is unknown. */
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
    (one) => new StatedRule({ resource, direction: one, protocolKey, self: group, stack }, 0),
  );
}

const directionOf: Readonly<Record<string, Direction>> = {
  [TYPE.ingressRule]: Direction.Ingress,
  [TYPE.egressRule]: Direction.Egress,
};

/** How descriptions begin of rules that controllers write into the groups of others. (Kubernetes, Service, AWS NLB) */
const CONTROLLERS: readonly string[] = ["kubernetes.io/rule/nlb/", "elbv2.k8s.aws/"];

/** Whether a controller wrote a rule and would write it again, so that the plan does not decide about it. */
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

/** Groups that are associated with VPCs other than their own. */
const sharedGroups = onceForEach(
  (index: ResourceIndex): ReadonlySet<unknown> =>
    new Set(
      index
        .ofKind(TYPE.securityGroupVpcAssociation)
        .map((one) => index.referred(one, "securityGroupId", SECURITY_GROUPS)),
    ),
);

/** Groups that one interface may have together. */
export interface GroupsTogether<One> {
  /** The VPC of the groups, if other groups of the role are in another VPC. */
  vpc?: string;
  own: readonly One[];
}

/** Why EC2 may reject a rule that names a group of another VPC, see `groupsAcross`. Rules that run have been accepted. */
function doubtAcross(
  index: ResourceIndex,
  named: Resource,
  self: Resource,
  direction: Direction,
): string | undefined {
  if (self.origin.live !== undefined || [named, self].some((group) => sharedGroups(index).has(group)))
    return undefined;
  const [there, here] = [named, self].map((group) => vpcKey(index, group, "vpcId"));
  if (there === undefined || here === undefined || there === here) return undefined;
  if (groupsAcross(index)(here, there, direction)) return undefined;
  const gateway =
    direction === Direction.Ingress ? " or a transit gateway with securityGroupReferencingSupport" : "";
  return `${named.name} is in ${nameOfVpc(index, there)}, and EC2 accepts a reference to it in ${nameOfVpc(index, here)} only with a peering of both VPCs in one region${gateway}, which is not among the inputs`;
}

/**
 * The groups of hosts of one role by VPC. A group whose VPC is unknown, or that several VPCs share, counts in each. Endpoints are not
 * split, because they serve different callers in each VPC: a flow that one allows need not be allowed by another.
 */
export function groupsTogether<One>(
  index: ResourceIndex,
  role: Role,
  groups: readonly One[],
  groupOf: (one: One) => SecurityGroup,
): readonly GroupsTogether<One>[] {
  const placed = new Map<string, One[]>();
  const anywhere: One[] = [];
  for (const one of groups) {
    const { resource } = groupOf(one);
    const vpc = resource && !sharedGroups(index).has(resource) ? vpcKey(index, resource, "vpcId") : undefined;
    if (vpc === undefined) anywhere.push(one);
    else append(placed, vpc, [one]);
  }
  if (placed.size < 2 || role === Role.PrivateEndpoint) return groups.length > 0 ? [{ own: groups }] : [];
  return [...placed].map(([vpc, own]) => ({ vpc: nameOfVpc(index, vpc), own: [...own, ...anywhere] }));
}

const OWNED = /^kubernetes\.io\/cluster\//;

/** Whether a group belongs to a cluster's controllers, like HyperShift's groups for nodes and VPC endpoints, and not to a user. */
export function isOwnedByCluster(group: Resource | undefined): boolean {
  const tags: (PropertyValue | undefined)[] = [group?.properties.tagsAll, group?.properties.tags];
  return tags.some(
    (its) => isMap(its) && Object.entries(its).some(([key, value]) => OWNED.test(key) && value === "owned"),
  );
}

/** Groups that are not in the stack but have rules in it, by id. */
export const foreignGroups = onceForEach(
  (index: ResourceIndex): ReadonlyMap<string, SecurityGroup> =>
    new Map(
      securityGroups(index)
        .groups.filter(({ resource }) => !resource)
        .map((group) => [group.id ?? "", group]),
    ),
);

/** What a security group rule names at its other end, as the AWS quota counts it. */
export type CountedPeer =
  | { kind: "prefix"; family: Family }
  /** A security group, possibly the rule's own. */
  | { kind: "group" }
  /** A prefix list, with its maximum number of entries. */
  | { kind: "prefixList"; maxEntries: number };

/**
 * How many rules of a family AWS counts for one rule: a block once in its family; a security group once in both; a prefix list
 * its maximum number of entries in both, because its family is not known.
 */
export function ruleWeight(peer: CountedPeer, family: Family): number {
  if (peer.kind === "prefix") return peer.family === family ? 1 : 0;
  return peer.kind === "prefixList" ? peer.maxEntries : 1;
}
