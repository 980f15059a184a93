import * as ec2 from "@pulumi/aws/ec2";
import type * as pulumi from "@pulumi/pulumi";
import { handOut } from "../../components/outputs";
import {
  type CheckedValues,
  CLUSTER_TAG,
  type GivenTags,
  ROLE_TAG,
  taggedWith,
} from "../../components/hostRules/givenValues";
import { nameForRole } from "../../resources/groupRoles";
import { aclOf, type SubnetRole } from "./answers";
import { aclRuleKey, type NumberedRule, numberKey, otherAclKeys } from "./aclRule";
import type { Fault } from "../../fault";
import { mayMatch } from "../../reachability/flows/groupFilter";
import { networkAclFilter } from "../../reachability/filters/networkAcl";
import { networkAcls } from "../../resources/networkAcls";
import type { PropertyValue, Resource } from "../../resources/resource";
import { ResourceIndex } from "../../resources/resourceIndex";
import { TYPE } from "../../resources/resourceTypes";
import type { NetworkAclPlan } from "./networkAclRules";
import { type PlannedFilters, proofFaults } from "../../components/hostRules/ruleWarnings";
import type { Family } from "../../address";
import { parsePrefix } from "../../address/parse";
import { Direction, Protocol } from "../../requirements/vocabulary";
import {
  EC2_PROTOCOL,
  describePorts,
  familyOf,
  namedRules,
  rowPeer,
} from "../../components/hostRules/plannedRule";
import type { NetworkAclRuleRow } from "./hostedControlPlaneNetworkAclsArgs";

/** What the ACLs and rules of a component have in common. */
export interface AclSurroundings {
  /** The component's name: the prefix of the resources' names. */
  name: string;
  /** The component as parent, and the check of its inputs, before which nothing is created: `gated`. */
  options: pulumi.CustomResourceOptions;
  region?: pulumi.Input<string>;
  /** CIDR blocks of other resources, by their path in the inputs. */
  values: CheckedValues;
}

/** Creates the ACL of a role, without inline rules and associations, so that those of others are never removed. */
export function createAcl(
  role: SubnetRole,
  cluster: string,
  vpcId: pulumi.Input<string>,
  tags: GivenTags,
  { name, options, region }: AclSurroundings,
): ec2.NetworkAcl {
  const acl = new ec2.NetworkAcl(
    nameForRole(name, role),
    {
      vpcId,
      ...(region !== undefined && { region }),
      tags: taggedWith(tags, { [CLUSTER_TAG]: cluster, [ROLE_TAG]: role }, { Name: nameForRole(name, role) }),
    },
    options,
  );
  return handOut(options.parent, role, acl);
}

/** Creates each rule as a separate resource, named by what it allows. */
export function createAclRules(
  rules: readonly NumberedRule[],
  networkAclId: pulumi.Output<string>,
  around: AclSurroundings,
): ec2.NetworkAclRule[] {
  return namedRules(around.name, rules, aclRuleKey, otherAclKeys).map(({ rule, name, former }) =>
    createAclRule(name, rule, networkAclId, { ...around, options: { ...around.options, ...former } }),
  );
}

function createAclRule(
  name: string,
  rule: NumberedRule,
  networkAclId: pulumi.Output<string>,
  { options, region, values }: AclSurroundings,
): ec2.NetworkAclRule {
  const { peer, isChosen } = rule;
  const hasKey = peer.kind === "eventual" || (peer.kind === "prefix" && peer.name !== undefined);
  return new ec2.NetworkAclRule(
    name,
    {
      networkAclId,
      ...aclEntry(rule),
      ...eventualBlock(rule, values),
      ...(region !== undefined && { region }),
    },
    // A rule whose block changes keeps its number, and a number is unique in a list, so the old rule is deleted first. A rule with
    // a key may have got its number from its block before: ignoring the new number avoids a replacement.
    {
      ...options,
      deleteBeforeReplace: hasKey,
      ...(hasKey && isChosen !== true && { ignoreChanges: ["ruleNumber"] }),
    },
  );
}

type BlockArgs = Partial<Pick<ec2.NetworkAclRuleArgs, "cidrBlock" | "ipv6CidrBlock" | "protocol">>;

/** The properties of a rule for a block that is not known yet. A value of another family than the expected one leaves them empty. */
function eventualBlock({ peer, protocol }: NumberedRule, values: CheckedValues): BlockArgs {
  const cidr = peer.kind === "eventual" ? values.get(peer.path) : undefined;
  if (cidr === undefined) return {};
  const family = familyOf(peer);
  // Older SDKs accept an Output of undefined, although their types do not.
  const ofFamily = (wanted: Family) =>
    cidr.apply((block) => {
      const { prefix } = parsePrefix(block);
      return prefix?.family === wanted ? prefix.text : undefined;
    }) as pulumi.Output<string>;
  return {
    ...(family !== 6 && { cidrBlock: ofFamily(4) }),
    ...(family !== 4 && { ipv6CidrBlock: ofFamily(6) }),
    ...(protocol === Protocol.Icmp && { protocol: icmpOf(family ?? 4) }),
  };
}

/**
 * Proves the rules of a component's network ACLs before any of them is created: the entries for the engine are read like
 * those of any plan, and must allow every flow and its answers, and nothing else.
 */
export function aclProofFaults({ roles, rules, topology, purpose }: NetworkAclPlan): Fault[] {
  if (!topology || !purpose) return [];
  const { acls } = networkAcls(new ResourceIndex(rules.map(asResource)));
  const places = roles.map((role: SubnetRole): PlannedFilters => {
    const own = acls.find(({ id }) => id === role)?.rules ?? [];
    return {
      role,
      filterFor: (flow) =>
        networkAclFilter(
          own.filter((rule) => mayMatch(rule, flow)),
          flow.direction,
        ),
      filter: (direction) => networkAclFilter(own, direction),
      isPassedBy: (flow) => aclOf(flow) === role,
    };
  });
  return proofFaults(places, purpose, topology);
}

/** A rule with the properties that the engine gets; a block of another resource matches nothing. */
function asResource(rule: NumberedRule): Resource {
  // The stand-in for a block in the topology is also used here.
  const { standIn } = { standIn: undefined, ...rule.peer };
  const entry = aclEntry(standIn ? { ...rule, peer: { kind: "prefix", prefix: standIn } } : rule);
  return {
    origin: {},
    type: TYPE.networkAclRule,
    name: numberKey(rule),
    properties: { networkAclId: rule.role, ...(entry as unknown as Record<string, PropertyValue>) },
  };
}

/** A rule as EC2 accepts it. A block that is not known yet is left out. */
export interface AclEntry {
  ruleNumber: number;
  egress: boolean;
  ruleAction: "allow";
  protocol: string;
  fromPort?: number;
  toPort?: number;
  icmpType?: number;
  icmpCode?: number;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
}

/** Converts a rule to its entry. */
export function aclEntry(rule: NumberedRule): AclEntry {
  const { number, direction, peer } = rule;
  return {
    ruleNumber: number,
    egress: direction === Direction.Egress,
    ruleAction: "allow",
    ...transport(rule),
    ...(peer.kind === "prefix" &&
      (peer.prefix.family === 4 ? { cidrBlock: peer.prefix.text } : { ipv6CidrBlock: peer.prefix.text })),
  };
}

/** The ICMP protocol number: IPv6 has its own. */
const icmpOf = (family: Family): string => (family === 6 ? "58" : EC2_PROTOCOL[Protocol.Icmp]);

const EVERY_PORT = { from: 0, to: 65535 };
const EVERY_MESSAGE = { icmpType: -1, icmpCode: -1 };
/** "Fragmentation needed" of IPv4, "Packet Too Big" of IPv6. */
const TOO_BIG = { 4: { icmpType: 3, icmpCode: 4 }, 6: { icmpType: 2, icmpCode: -1 } } as const;

type Transport = Pick<AclEntry, "protocol" | "fromPort" | "toPort" | "icmpType" | "icmpCode">;

function transport({ protocol, ports = EVERY_PORT, peer, tooBig }: NumberedRule): Transport {
  if (protocol === Protocol.Icmp) {
    const family = familyOf(peer) ?? 4;
    return {
      protocol: icmpOf(family),
      ...(tooBig ? TOO_BIG[family] : EVERY_MESSAGE),
    };
  }
  if (protocol !== Protocol.Tcp && protocol !== Protocol.Udp) return { protocol: EC2_PROTOCOL[protocol] };
  return { protocol: EC2_PROTOCOL[protocol], fromPort: ports.from, toPort: ports.to };
}

/** A rule as tables and reports show it. */
export function aclRuleRow(rule: NumberedRule): NetworkAclRuleRow {
  const { role, direction, number, protocol, ports, tooBig, peer } = rule;
  return {
    key: numberKey(rule),
    role,
    direction,
    ruleNumber: number,
    protocol,
    ports: tooBig ? "packet too big" : describePorts(ports),
    peer: rowPeer(peer),
    flows: [...rule.flows],
    requirements: [...rule.requirements],
    purpose: rule.purposes.join("; "),
    documents: [...rule.documents],
  };
}
