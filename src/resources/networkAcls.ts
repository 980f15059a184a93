import { pushAll } from "../pushAll";
import { Direction } from "../requirements/vocabulary";
import { aclSubnets, type AclSubnet } from "./aclSubnets";
import { append } from "./append";
import { INLINE, OWN_RESOURCE, WrittenAclRule, type NetworkAclRule } from "./networkAclRule";
import { onceForEach } from "./onceForEach";
import { read, readFlag } from "./read";
import { UNKNOWN, type Resource, type UnknownValue } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { NETWORK_ACLS, TYPE } from "./resourceTypes";

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
