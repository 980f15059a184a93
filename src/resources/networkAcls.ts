import { append, onceForEach, pushAll } from "../collections";
import { isFilled, read, readFlag, readText } from "./read";
import { keyOf, type ResourceIndex, vpcKey, vpcWithPart } from "./resourceIndex";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "./resource";
import { NETWORK_ACLS, SUBNETS, TYPE } from "./resourceTypes";
import { Direction } from "../requirements/vocabulary";
import { INLINE, type NetworkAclRule, OWN_RESOURCE, WrittenAclRule } from "./networkAclRule";

/** A subnet that has a network ACL, and where that is written. */
export interface AclSubnet {
  /** A subnet of this stack, the id of another one, or not known. */
  subnet: Resource | string | typeof UNKNOWN;
  /** The ACL, the association, or the subnet itself where the ACL of its VPC holds for want of another. */
  resource: Resource;
  path: string;
  /** Present where another ACL lists subnets that are not known: this may be one of them. */
  unless?: UnknownValue;
}

/** A network ACL: of this stack, the id of another one, or not known. */
type AclKey = Resource | string | typeof UNKNOWN;

const ACLS_AND_ASSOCIATIONS: ReadonlySet<string> = new Set([...NETWORK_ACLS, TYPE.networkAclAssociation]);
const DEFAULT_ACLS: ReadonlySet<string> = new Set([TYPE.defaultNetworkAcl]);

/**
 * The subnets of each network ACL: listed in it, associated, or those of its VPC that have no other.
 *
 * @param defaults the ACLs that VPCs have for want of another
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
 * What `subnetIds` of an ACL says. Entries that are not known yet are the subnets that the list was made from, as far as there is one
 * for each of them: a program may choose among what it makes a list from.
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

/** A VPC's default ACL stands before every subnet that has no other. */
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

/** Where other ACLs have subnets that are not known: one place for each VPC, undefined standing for any. */
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

/** The default ACLs that resources of the stack take over, by their VPCs. */
const takenOver = onceForEach((index: ResourceIndex): ReadonlyMap<string, Resource> => {
  const found = new Map<string, Resource>();
  for (const acl of index.ofKind(DEFAULT_ACLS)) {
    const vpc = vpcWithPart(index, acl, "defaultNetworkAclId");
    const key = vpc ? keyOf(vpc) : vpcKey(index, acl, "vpcId");
    if (key !== undefined) found.set(key, acl);
  }
  return found;
});

/** The ACL that a rule resource stands in, and its VPC where it is that VPC's default ACL. */
function aclOfRule(index: ResourceIndex, rule: Resource): { acl: AclKey | undefined; vpc?: Resource } {
  const acl = index.referred(rule, "networkAclId", NETWORK_ACLS);
  const vpc = typeof acl === "object" ? undefined : vpcWithPart(index, rule, "networkAclId");
  if (!vpc) return { acl };
  const taken = takenOver(index).get(keyOf(vpc));
  return taken ? { acl: taken } : { acl: typeof acl === "string" ? acl : `default of ${keyOf(vpc)}`, vpc };
}

export type { NetworkAclRule } from "./networkAclRule";

/** A network ACL with all rules of the stack. */
export interface NetworkAcl {
  /** Absent where the ACL itself is not in this stack, only rules or subnets of it. */
  resource?: Resource;
  /** Its id where only rules or subnets are here; absent where it is unknown which ACL it is. */
  id?: string;
  /** The VPC of which it is the default ACL, where only rules of it are here. */
  defaultOf?: Resource;
  rules: readonly NetworkAclRule[];
  /** The subnets that the stack says have it. */
  subnets: readonly AclSubnet[];
  /** Present where it may have rules that the stack does not show. */
  partial?: UnknownValue;
}

/** The network ACLs of a stack. */
export interface NetworkAcls {
  acls: readonly NetworkAcl[];
  /** Rules whose ACL is unknown: each may stand in any. */
  stray: readonly NetworkAclRule[];
  unknown: readonly UnknownValue[];
}

const ACLS_AND_RULES: ReadonlySet<string> = new Set([...NETWORK_ACLS, TYPE.networkAclRule]);

/** Every network ACL: inline rules and rule resources, and the subnets that have it. */
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
  const unplaced = subnets.get(UNKNOWN) ?? [];
  const keys = new Set([...rules.keys(), ...subnets.keys()]);
  const acls = [...keys].flatMap((key) =>
    key === UNKNOWN ? [] : [aclOf(key, rules.get(key) ?? [], subnets.get(key) ?? [], ofVpcs.get(key))],
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
      { resource, path: "", direction, ...(acl && { acl }) },
      resource.properties,
      OWN_RESOURCE,
      index,
    );
  if (egress !== UNKNOWN) return [rule(egress ? Direction.Egress : Direction.Ingress)];
  // Its direction is unknown: in each of them it may do anything.
  return Object.values(Direction).map((direction) => undecided(rule(direction)));
}

const undecided = ({
  resource,
  path,
  direction,
  number,
  protocol,
  ports,
  message,
  peer,
  acl,
}: NetworkAclRule): NetworkAclRule => ({
  resource,
  path,
  direction,
  number,
  action: UNKNOWN,
  protocol,
  ...(ports && { ports }),
  ...(message && { message }),
  ...(peer && { peer }),
  ...(acl && { acl }),
});
