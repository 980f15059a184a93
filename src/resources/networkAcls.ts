import { parsePrefix, type Prefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import { aclSubnets, type AclSubnet } from "./aclSubnets";
import { append } from "./append";
import { isObject, read, readFlag, readNumber, readText } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { NETWORK_ACLS, TYPE } from "./resourceTypes";
import { readMessage, readProtocol, readTraffic, WITH_MESSAGES, type TrafficSpec } from "./trafficSpec";
import type { UnknownValue } from "./unknownValue";

/** One rule of a network ACL, however it was written. */
export interface NetworkAclRule extends TrafficSpec {
  /** The resource in which it stands: the ACL, or a rule resource. */
  resource: Resource;
  /** Where it stands there: `ingress[0]`; empty for a rule resource. */
  path: string;
  direction: Direction;
  /** The rule with the lowest number that matches decides. */
  number: number | typeof UNKNOWN;
  action: "allow" | "deny" | typeof UNKNOWN;
  /** Source of ingress, destination of egress. Absent: the block cannot be read and matches nothing. */
  peer?: Prefix | typeof UNKNOWN;
  /** UNKNOWN where nobody knows in which ACL it stands. */
  acl?: typeof UNKNOWN;
}

/** A network ACL with all rules of the stack. */
export interface NetworkAcl {
  /** Absent where the ACL itself is not in this stack, only rules or subnets of it. */
  resource?: Resource;
  /** Its id where only rules or subnets are here; absent where nobody knows which ACL it is. */
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
  /** Rules of which nobody knows the ACL: each may stand in any. */
  stray: readonly NetworkAclRule[];
  unknown: readonly UnknownValue[];
}

/** Every network ACL: inline rules and rule resources, and the subnets that have it. */
export function networkAcls(index: ResourceIndex): NetworkAcls {
  const rules = new Map<Resource | string, NetworkAclRule[]>();
  const stray: NetworkAclRule[] = [];
  for (const resource of index.resources) {
    if (NETWORK_ACLS.has(resource.type)) append(rules, resource, inlineRules(resource));
    if (resource.type !== TYPE.networkAclRule) continue;
    const acl = index.referred(resource, "networkAclId", NETWORK_ACLS);
    if (acl === UNKNOWN) stray.push(...ruleResource(resource).map(inAnyAcl));
    else if (acl !== undefined) append(rules, acl, ruleResource(resource));
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

const inAnyAcl = (rule: NetworkAclRule): NetworkAclRule => ({ ...rule, acl: UNKNOWN });

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

/** The ACL of a subnet that has one which nobody knows. */
const unknownAcl = (subnet: AclSubnet): NetworkAcl => ({
  rules: [],
  subnets: [subnet],
  partial: { resource: subnet.resource, path: "networkAclId" },
});

function inlineRules(acl: Resource): NetworkAclRule[] {
  return Object.values(Direction).flatMap((direction) =>
    read(acl.properties, `${direction}[]`).map(({ path, value }): NetworkAclRule => {
      const place = { resource: acl, path, direction };
      if (value === UNKNOWN)
        return { ...place, number: UNKNOWN, action: UNKNOWN, protocol: UNKNOWN, peer: UNKNOWN };
      return { ...place, ...entryOf(value, { number: "ruleNo", action: "action" }) };
    }),
  );
}

function ruleResource(resource: Resource): NetworkAclRule[] {
  const egress = readFlag(resource.properties, "egress") ?? false;
  const direction = egress === true ? Direction.Egress : Direction.Ingress;
  const entry = entryOf(resource.properties, { number: "ruleNumber", action: "ruleAction" });
  if (egress !== UNKNOWN) return [{ resource, path: "", direction, ...entry }];
  // Nobody knows in which direction it stands: in each of them it may do anything.
  return Object.values(Direction).map((one) => ({
    resource,
    path: "",
    direction: one,
    ...entry,
    action: UNKNOWN,
  }));
}

type Entry = Pick<NetworkAclRule, "number" | "action" | "peer"> & TrafficSpec;

function entryOf(value: PropertyValue, keys: { number: string; action: string }): Entry {
  const action = readText(value, keys.action);
  const word = typeof action === "string" ? action.toLowerCase() : UNKNOWN;
  const protocol = readProtocol(value, "protocol");
  return {
    number: readNumber(value, keys.number) ?? UNKNOWN,
    action: word === "allow" || word === "deny" ? word : UNKNOWN,
    // What is left out providers send as 0: port 0, and type 0 with code 0.
    ...(WITH_MESSAGES.has(protocol)
      ? { protocol, ...readMessage(readNumber(value, "icmpType") ?? 0, readNumber(value, "icmpCode") ?? 0) }
      : readTraffic(withPorts(value), "protocol")),
    ...peerOf(value),
  };
}

const withPorts = (value: PropertyValue): PropertyValue =>
  isObject(value)
    ? { ...value, fromPort: readNumber(value, "fromPort") ?? 0, toPort: readNumber(value, "toPort") ?? 0 }
    : value;

/** EC2 takes host bits away. */
function peerOf(value: PropertyValue): Pick<NetworkAclRule, "peer"> {
  const blocks = [readText(value, "cidrBlock"), readText(value, "ipv6CidrBlock")];
  const text = blocks.find((block) => typeof block === "string" && block !== "");
  const peer = typeof text === "string" ? parsePrefix(text, { hostBits: "clear" }).prefix : undefined;
  if (peer) return { peer };
  return text === undefined && blocks.includes(UNKNOWN) ? { peer: UNKNOWN } : {};
}
