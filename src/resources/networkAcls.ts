import { append, onceForEach, pushAll } from "../collections";
import { read, readFlag, readText } from "./read";
import { keyOf, type ResourceIndex, vpcKey } from "./resourceIndex";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "./resource";
import { NETWORK_ACLS, SUBNETS, TYPE, VPCS } from "./resourceTypes";
import { Direction } from "../requirements/vocabulary";
import { INLINE, type NetworkAclRule, OWN_RESOURCE, WrittenAclRule } from "./networkAclRule";

/** A subnet that has a network ACL, and where that is written. */
export interface AclSubnet {
  /** A subnet of this stack, the id of another one, or not known. */
  subnet: Resource | string | typeof UNKNOWN;
  /** The ACL, the association, or the subnet itself where the ACL of its VPC holds for want of another. */
  resource: Resource;
  path: string;
}

/** A network ACL: of this stack, the id of another one, or not known. */
type AclKey = Resource | string | typeof UNKNOWN;

const ACLS_AND_ASSOCIATIONS: ReadonlySet<string> = new Set([...NETWORK_ACLS, TYPE.networkAclAssociation]);
const DEFAULT_ACLS: ReadonlySet<string> = new Set([TYPE.defaultNetworkAcl]);

/** The subnets of each network ACL: listed in it, associated, or those of its VPC that have no other. */
export function aclSubnets(index: ResourceIndex): Map<AclKey, AclSubnet[]> {
  const found = new Map<AclKey, AclSubnet[]>();
  for (const resource of index.ofKind(ACLS_AND_ASSOCIATIONS)) {
    if (NETWORK_ACLS.has(resource.type)) append(found, resource, listedSubnets(index, resource));
    if (resource.type !== TYPE.networkAclAssociation) continue;
    const acl = index.referred(resource, "networkAclId", NETWORK_ACLS);
    const subnet = index.referred(resource, "subnetId", SUBNETS);
    if (acl !== undefined && subnet !== undefined)
      append(found, acl, [{ subnet, resource, path: "subnetId" }]);
  }
  for (const [acl, subnets] of remainingSubnets(index, found)) append(found, acl, subnets);
  return found;
}

/** What `subnetIds` of an ACL says. What the list was made from counts where its entries are not known yet. */
function listedSubnets(index: ResourceIndex, acl: Resource): AclSubnet[] {
  const listed = read(acl.properties, "subnetIds[]");
  const made = index.madeFrom(acl, "subnetIds", SUBNETS);
  const known = listed.flatMap(({ path, value }): AclSubnet[] => {
    const subnet = subnetOf(index, value);
    return subnet === undefined ? [] : [{ subnet, resource: acl, path }];
  });
  if (made.length === 0) return known;
  const named = new Set(known.map(({ subnet }) => subnet));
  return [
    ...known.filter(({ subnet }) => subnet !== UNKNOWN),
    ...made.flatMap((subnet) => (named.has(subnet) ? [] : [{ subnet, resource: acl, path: "subnetIds" }])),
  ];
}

function subnetOf(index: ResourceIndex, value: PropertyValue): AclSubnet["subnet"] | undefined {
  if (value === UNKNOWN) return UNKNOWN;
  return typeof value === "string" ? (index.named(value, SUBNETS) ?? value) : undefined;
}

/** A VPC's default ACL stands before every subnet that has no other. */
function remainingSubnets(
  index: ResourceIndex,
  found: ReadonlyMap<AclKey, readonly AclSubnet[]>,
): [Resource, AclSubnet[]][] {
  const defaults = index.ofKind(DEFAULT_ACLS);
  if (defaults.length === 0) return [];
  const taken = new Set([...found.values()].flat().map(({ subnet }) => subnet));
  const free = index.ofKind(SUBNETS).filter((subnet) => !taken.has(subnet));
  return defaults.map((acl) => {
    const vpc = vpcOfDefault(index, acl);
    const own = free.filter((subnet) => vpc !== undefined && vpcKey(index, subnet, "vpcId") === vpc);
    return [acl, own.map((subnet) => ({ subnet, resource: subnet, path: "vpcId" }))];
  });
}

/** The VPC whose default ACL a resource takes over. */
function vpcOfDefault(index: ResourceIndex, acl: Resource): string | undefined {
  const [made, ...others] = index.madeFrom(acl, "defaultNetworkAclId", VPCS);
  if (made && others.length === 0) return keyOf(made);
  const id = readText(acl.properties, "defaultNetworkAclId");
  const vpc = index
    .ofKind(VPCS)
    .find(({ properties }) => typeof id === "string" && readText(properties, "defaultNetworkAclId") === id);
  return vpc ? keyOf(vpc) : vpcKey(index, acl, "vpcId");
}

export type { NetworkAclRule } from "./networkAclRule";

/** A network ACL with all rules of the stack. */
export interface NetworkAcl {
  /** Absent where the ACL itself is not in this stack, only rules or subnets of it. */
  resource?: Resource;
  /** Its id where only rules or subnets are here; absent where it is unknown which ACL it is. */
  id?: string;
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
  for (const resource of index.ofKind(ACLS_AND_RULES)) {
    if (NETWORK_ACLS.has(resource.type)) append(rules, resource, inlineRules(resource, index));
    if (resource.type !== TYPE.networkAclRule) continue;
    const acl = index.referred(resource, "networkAclId", NETWORK_ACLS);
    if (acl === UNKNOWN) pushAll(stray, ruleResource(resource, index, UNKNOWN));
    else if (acl !== undefined) append(rules, acl, ruleResource(resource, index));
  }
  const subnets = aclSubnets(index);
  const unplaced = subnets.get(UNKNOWN) ?? [];
  const keys = new Set([...rules.keys(), ...subnets.keys()]);
  const acls = [...keys].flatMap((key) =>
    key === UNKNOWN ? [] : [aclOf(key, rules.get(key) ?? [], subnets.get(key) ?? [])],
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
): NetworkAcl {
  if (typeof key !== "string") return { resource: key, rules, subnets };
  const holder = (rules[0] ?? subnets[0])?.resource;
  const reason = "the other rules of a network ACL that is not in this stack";
  return {
    id: key,
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
