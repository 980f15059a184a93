import { append, onceForEach, pushAll } from "../collections";
import { isFilled, read, readFlag, readText, readValue } from "./read";
import { keyOf, type ResourceIndex, vpcKey, vpcWithPart } from "./resourceIndex";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "./resource";
import { NETWORK_ACLS, SUBNETS, TYPE } from "./resourceTypes";
import { Direction } from "../requirements/vocabulary";
import { INLINE, type NetworkAclRule, OWN_RESOURCE, WrittenAclRule } from "./networkAclRule";

/** A subnet that has a network ACL, and the place that states it. */
export interface AclSubnet {
  /** A subnet of this stack, the id of another subnet, or UNKNOWN. */
  subnet: Resource | string | typeof UNKNOWN;
  /** The ACL, the association, or the subnet itself if it has the default ACL of its VPC. */
  resource: Resource;
  path: string;
  /** Present if another ACL lists unknown subnets, of which this may be one. */
  unless?: UnknownValue;
}

/** A network ACL of this stack, the id of another ACL, or UNKNOWN. */
type AclKey = Resource | string | typeof UNKNOWN;

const ACLS_AND_ASSOCIATIONS: ReadonlySet<string> = new Set([...NETWORK_ACLS, TYPE.networkAclAssociation]);

/**
 * The subnets of each network ACL: listed in it, associated, or those of its VPC that have no other ACL.
 *
 * @param defaults the default ACLs of VPCs, with the keys of the VPCs
 */
function aclSubnets(index: ResourceIndex, defaults: ReadonlyMap<AclKey, string>): Map<AclKey, AclSubnet[]> {
  const found = new Map<AclKey, AclSubnet[]>();
  for (const resource of index.ofKind(ACLS_AND_ASSOCIATIONS)) {
    if (NETWORK_ACLS.has(resource.type)) {
      append(found, resource, listedSubnets(index, resource));
      continue;
    }
    const acl = index.referred(resource, "networkAclId", NETWORK_ACLS);
    const subnet = index.referred(resource, "subnetId", SUBNETS);
    if (acl !== undefined && subnet !== undefined)
      append(found, acl, [{ subnet, resource, path: "subnetId" }]);
  }
  for (const [acl, subnets] of remainingSubnets(index, found, defaults)) append(found, acl, subnets);
  return found;
}

/**
 * The subnets in `subnetIds` of an ACL. Unknown entries are the subnets that the list was made from, unless there are more of these than
 * unknown entries: a program may choose among the subnets.
 */
function listedSubnets(index: ResourceIndex, acl: Resource): AclSubnet[] {
  const listed = read(acl.properties, LIST_OF_SUBNETS + "[]");
  const said = listed.flatMap(({ path, value }): AclSubnet[] => {
    const subnet = subnetOf(index, value);
    return subnet === undefined ? [] : [{ subnet, resource: acl, path }];
  });
  const known = said.filter(({ subnet }) => subnet !== UNKNOWN);
  const open = said.filter(({ subnet }) => subnet === UNKNOWN);
  if (open.length === 0) return known;
  const isWhole = open[0]!.path === LIST_OF_SUBNETS;
  const made = index
    .madeFrom(acl, LIST_OF_SUBNETS, SUBNETS)
    .filter((subnet) => isWhole || !isFilled(readText(subnet.properties, "id")));
  if (made.length === 0 || (!isWhole && made.length > open.length)) return said;
  return [
    ...known,
    ...made.map((subnet) => ({ subnet, resource: acl, path: LIST_OF_SUBNETS })),
    ...(isWhole ? [] : open.slice(made.length)),
  ];
}

const LIST_OF_SUBNETS = "subnetIds";

function subnetOf(index: ResourceIndex, value: PropertyValue): AclSubnet["subnet"] | undefined {
  if (value === UNKNOWN) return UNKNOWN;
  return typeof value === "string" ? (index.named(value, SUBNETS) ?? value) : undefined;
}

/** The subnets of default ACLs: the default ACL of a VPC applies to every subnet that has no other. */
function remainingSubnets(
  index: ResourceIndex,
  found: ReadonlyMap<AclKey, readonly AclSubnet[]>,
  defaults: ReadonlyMap<AclKey, string>,
): [AclKey, AclSubnet[]][] {
  if (defaults.size === 0) return [];
  const taken = new Set([...found.values()].flat().map(({ subnet }) => subnet));
  const open = openEntries(index, found, defaults);
  const free = new Map<string | undefined, AclSubnet[]>();
  for (const subnet of index.ofKind(SUBNETS)) {
    if (taken.has(subnet)) continue;
    const vpc = vpcKey(index, subnet, "vpcId");
    const unless = open.get(vpc) ?? open.get(undefined);
    append(free, vpc, [{ subnet, resource: subnet, path: "vpcId", ...(unless && { unless }) }]);
  }
  return [...defaults].map(([acl, vpc]) => [acl, free.get(vpc) ?? []]);
}

/**
 * The ACLs that filter no subnet of the stack: their list is empty and no association names them, or they are the default of a VPC
 * whose subnets have other ACLs. Their subnets may still be in another stack.
 */
function idleAcls(
  index: ResourceIndex,
  found: ReadonlyMap<AclKey, readonly AclSubnet[]>,
  defaults: ReadonlyMap<AclKey, string>,
): ReadonlyMap<AclKey, UnknownValue> {
  const withSubnets = new Set(index.ofKind(SUBNETS).map((subnet) => vpcKey(index, subnet, "vpcId")));
  const idle = new Map<AclKey, UnknownValue>();
  for (const [acl, { length }] of found) {
    if (typeof acl !== "object" || length > 0) continue;
    const vpc = defaults.get(acl);
    const list = readValue(acl.properties, LIST_OF_SUBNETS);
    const isListEmpty = Array.isArray(list) && list.length === 0;
    if (vpc !== undefined && withSubnets.has(vpc))
      idle.set(acl, {
        resource: acl,
        path: "vpcId",
        reason: "every subnet of its VPC in the stack has another network ACL",
      });
    if (acl.type !== TYPE.defaultNetworkAcl && isListEmpty)
      idle.set(acl, {
        resource: acl,
        path: LIST_OF_SUBNETS,
        reason: "no subnet of the stack has this network ACL",
      });
  }
  return idle;
}

/** Places where other ACLs have unknown subnets: one for each VPC; undefined stands for any VPC. */
function openEntries(
  index: ResourceIndex,
  found: ReadonlyMap<AclKey, readonly AclSubnet[]>,
  defaults: ReadonlyMap<AclKey, string>,
): Map<string | undefined, UnknownValue> {
  const open = new Map<string | undefined, UnknownValue>();
  for (const [acl, subnets] of found) {
    const entry = defaults.has(acl) ? undefined : subnets.find(({ subnet }) => subnet === UNKNOWN);
    const vpc = typeof acl === "object" ? vpcKey(index, acl, "vpcId") : undefined;
    if (entry) open.set(vpc, { resource: entry.resource, path: entry.path });
  }
  return open;
}

/** The default ACLs that the stack manages, by VPC. */
const takenOver = onceForEach((index: ResourceIndex): ReadonlyMap<string, Resource> => {
  const found = new Map<string, Resource>();
  for (const acl of index.ofKind(TYPE.defaultNetworkAcl)) {
    const vpc = vpcWithPart(index, acl, "defaultNetworkAclId");
    const key = vpc ? keyOf(vpc) : vpcKey(index, acl, "vpcId");
    if (key !== undefined) found.set(key, acl);
  }
  return found;
});

/** The ACL of a rule resource, and the VPC if the ACL is that VPC's default and not managed by the stack. */
function aclOfRule(index: ResourceIndex, rule: Resource): { acl: AclKey | undefined; vpc?: Resource } {
  const acl = index.referred(rule, "networkAclId", NETWORK_ACLS);
  const vpc = typeof acl === "object" ? undefined : vpcWithPart(index, rule, "networkAclId");
  if (!vpc) return { acl };
  const taken = takenOver(index).get(keyOf(vpc));
  return taken ? { acl: taken } : { acl: typeof acl === "string" ? acl : `default of ${keyOf(vpc)}`, vpc };
}

export type { NetworkAclRule } from "./networkAclRule";

/** A network ACL with all its rules in the stack. */
export interface NetworkAcl {
  /** Absent if only rules or subnets of the ACL are in this stack. */
  resource?: Resource;
  /** The id if only rules or subnets of the ACL are in this stack; absent if it is unknown which ACL it is. */
  id?: string;
  /** The VPC whose default ACL this is, if only its rules are in this stack. */
  defaultOf?: Resource;
  rules: readonly NetworkAclRule[];
  /** The subnets that have the ACL, as the stack states. */
  subnets: readonly AclSubnet[];
  /** Present if the ACL may have rules that are not in the stack. */
  partial?: UnknownValue;
  /** Present if no subnet of the stack has the ACL, although the stack states all of its subnets. */
  idle?: UnknownValue;
}

/** The network ACLs of a stack. */
export interface NetworkAcls {
  acls: readonly NetworkAcl[];
  /** Rules whose ACL is unknown: each may belong to any ACL. */
  stray: readonly NetworkAclRule[];
  unknown: readonly UnknownValue[];
}

const ACLS_AND_RULES: ReadonlySet<string> = new Set([...NETWORK_ACLS, TYPE.networkAclRule]);

/** Every network ACL with its inline rules, rule resources and subnets. */
export const networkAcls = onceForEach(readAcls);

function readAcls(index: ResourceIndex): NetworkAcls {
  const rules = new Map<Resource | string, NetworkAclRule[]>();
  const stray: NetworkAclRule[] = [];
  const ofVpcs = new Map<AclKey, Resource>();
  for (const resource of index.ofKind(ACLS_AND_RULES)) {
    if (NETWORK_ACLS.has(resource.type)) {
      append(rules, resource, inlineRules(resource, index));
      continue;
    }
    const { acl, vpc } = aclOfRule(index, resource);
    if (acl === UNKNOWN) pushAll(stray, ruleResource(resource, index, UNKNOWN));
    else if (acl !== undefined) append(rules, acl, ruleResource(resource, index));
    if (acl !== undefined && vpc) ofVpcs.set(acl, vpc);
  }
  const defaults = new Map<AclKey, string>([
    ...[...takenOver(index)].map(([vpc, acl]): [AclKey, string] => [acl, vpc]),
    ...[...ofVpcs].map(([acl, vpc]): [AclKey, string] => [acl, keyOf(vpc)]),
  ]);
  const subnets = aclSubnets(index, defaults);
  const idle = idleAcls(index, subnets, defaults);
  const unplaced = subnets.get(UNKNOWN) ?? [];
  const keys = new Set([...rules.keys(), ...subnets.keys()]);
  const acls = [...keys].flatMap((key) =>
    key === UNKNOWN
      ? []
      : [
          {
            ...aclOf(key, rules.get(key) ?? [], subnets.get(key) ?? [], ofVpcs.get(key)),
            ...(idle.has(key) && { idle: idle.get(key)! }),
          },
        ],
  );
  return {
    acls: [...acls, ...unplaced.map(unknownAcl)],
    stray,
    unknown: [...new Set([...stray, ...unplaced].map(({ resource }) => resource))].map((resource) => ({
      resource,
      path: "networkAclId",
    })),
  };
}

function aclOf(
  key: Resource | string,
  rules: readonly NetworkAclRule[],
  subnets: readonly AclSubnet[],
  defaultOf: Resource | undefined,
): NetworkAcl {
  if (typeof key !== "string") return { resource: key, rules, subnets };
  const holder = (rules[0] ?? subnets[0])?.resource;
  const reason = "the other rules of a network ACL that is not in this stack";
  return {
    id: key,
    ...(defaultOf && { defaultOf }),
    rules,
    subnets,
    ...(holder && { partial: { resource: holder, path: "networkAclId", reason } }),
  };
}

/** The ACL of a subnet whose ACL is unknown. */
const unknownAcl = (subnet: AclSubnet): NetworkAcl => ({
  rules: [],
  subnets: [subnet],
  partial: { resource: subnet.resource, path: "networkAclId" },
});

function inlineRules(acl: Resource, index: ResourceIndex): NetworkAclRule[] {
  return Object.values(Direction).flatMap((direction) =>
    read(acl.properties, `${direction}[]`).map(
      ({ path, value }) => new WrittenAclRule({ resource: acl, path, direction }, value, INLINE, index),
    ),
  );
}

function ruleResource(resource: Resource, index: ResourceIndex, acl?: typeof UNKNOWN): NetworkAclRule[] {
  const egress = readFlag(resource.properties, "egress") ?? false;
  const rule = (direction: Direction): NetworkAclRule =>
    new WrittenAclRule(
      { resource, path: "", direction, ...(acl && { acl }), ...(egress === UNKNOWN && { egress }) },
      resource.properties,
      OWN_RESOURCE,
      index,
    );
  if (egress === UNKNOWN) return Object.values(Direction).map(rule);
  return [rule(egress ? Direction.Egress : Direction.Ingress)];
}
