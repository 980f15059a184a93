import * as ec2 from "@pulumi/aws/ec2";
import * as vpc from "@pulumi/aws/vpc";
import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import { Direction, Protocol, Role } from "../../requirements/vocabulary";
import { handOut } from "../../components/outputs";
import {
  CLUSTER_TAG,
  type GivenTags,
  REQUIREMENT_TAG,
  ROLE_TAG,
  taggedWith,
} from "../../components/hostRules/givenValues";
import { nameForRole } from "../../resources/groupRoles";
import type { Family } from "../../address/prefix";
import { parsePrefix } from "../../address/parse";
import {
  familyOf,
  namedRules,
  otherKeys,
  ruleDescription,
  ruleKey,
  type PlannedRule,
  type RulePeer,
  EC2_PROTOCOL,
} from "../../components/hostRules/plannedRule";

/**
 * Descriptions never change: AWS replaces a group whose description changes, and a group that is attached to network
 * interfaces cannot be deleted.
 */
const GROUP_DESCRIPTION: Readonly<Record<Role, string>> = {
  [Role.ControlPlane]: "Hosts of a hosted control plane",
  [Role.Workers]: "Workers of a hosted cluster",
  [Role.PrivateEndpoint]: "VPC endpoint of a hosted control plane",
};

/** Creates the group of a role, without inline rules, so that no other owner's rules are ever removed. */
export function createGroup(
  role: Role,
  cluster: string,
  vpcId: pulumi.Input<string> | undefined,
  { name, options, tags, region }: Omit<RuleSurroundings, "groups">,
): pulumi.Output<string> {
  const group = new ec2.SecurityGroup(
    nameForRole(name, role),
    {
      ...(vpcId !== undefined && { vpcId }),
      description: GROUP_DESCRIPTION[role],
      ...(region !== undefined && { region }),
      tags: taggedWith(tags, { [CLUSTER_TAG]: cluster, [ROLE_TAG]: role }, { Name: nameForRole(name, role) }),
    },
    { ...options, ignoreChanges: ["name", "description"] },
  );
  return handOut(options.parent, role, group).id;
}

/** Faults of the component's name, with which names of groups begin: AWS refuses group names that look like ids. */
export function groupNameFaults(name: string): Fault[] {
  if (!/^sg-/i.test(name)) return [];
  const problem = `${name} begins with sg-, which AWS refuses in names of security groups`;
  return [{ path: "name", problem, remedy: "give the component another name" }];
}

/** What the rules of a component have in common. */
export interface RuleSurroundings {
  /** The component's name: the prefix of the rules' names. */
  name: string;
  /** The component as parent, and the check of its inputs, before which nothing is created: `gated`. */
  options: pulumi.CustomResourceOptions;
  /** Ids of the component's groups. */
  groups: Readonly<Partial<Record<Role, pulumi.Output<string>>>>;
  /** Ids and CIDR blocks of other resources, by their path in the inputs. */
  values: ReadonlyMap<string, pulumi.Output<string>>;
  region?: pulumi.Input<string>;
  tags: GivenTags;
}

type RuleArgs = vpc.SecurityGroupIngressRuleArgs & vpc.SecurityGroupEgressRuleArgs;

/**
 * Creates each rule of each group as a separate resource, so that no other rule is ever touched. A rule that replaces others
 * is one of them, changed in place: a full group has no room for another rule before the others are deleted, and AWS
 * refuses duplicates.
 */
export function createRules(rules: readonly PlannedRule[], around: RuleSurroundings): pulumi.Resource[] {
  return namedRules(around.name, rules, ruleKey, otherKeys).map(({ rule, name, former }) =>
    createRule(name, rule, { ...around, options: { ...around.options, ...former } }),
  );
}

function createRule(
  name: string,
  rule: PlannedRule,
  { options, ...around }: RuleSurroundings,
): pulumi.Resource {
  const Rule =
    rule.direction === Direction.Ingress ? vpc.SecurityGroupIngressRule : vpc.SecurityGroupEgressRule;
  const requirements = rule.requirements.join(" ");
  const args: RuleArgs = {
    securityGroupId: around.groups[rule.role]!,
    ...ruleTraffic(rule),
    ...rulePeer<pulumi.Output<string>>(rule.peer, { ...around, ofFamily }),
    description: ruleDescription(rule),
    ...(around.region !== undefined && { region: around.region }),
    tags: taggedWith(around.tags, requirements === "" ? {} : { [REQUIREMENT_TAG]: requirements }),
  };
  return new Rule(name, args, options);
}

/**
 * A block in its normal form if it is of that family, otherwise undefined. The cast is for older SDK types, which have no
 * Output of undefined.
 */
const ofFamily = (cidr: pulumi.Output<string>, family: Family): pulumi.Output<string> =>
  cidr.apply((block) => {
    const { prefix } = parsePrefix(block);
    return prefix?.family === family ? prefix.text : undefined;
  }) as pulumi.Output<string>;

/** Protocol and ports of a rule as EC2 accepts them. */
export interface RuleTraffic {
  ipProtocol: string;
  fromPort?: number;
  toPort?: number;
}

const EVERY_PORT = { fromPort: 0, toPort: 65535 };
const EVERY_ICMP_TYPE = { fromPort: -1, toPort: -1 };

/** The traffic that a rule allows, as properties of its resource. */
export function ruleTraffic({
  protocol,
  ports,
  peer,
}: Pick<PlannedRule, "protocol" | "ports" | "peer">): RuleTraffic {
  if (protocol === Protocol.Icmp) {
    return { ipProtocol: familyOf(peer) === 6 ? "icmpv6" : EC2_PROTOCOL[protocol], ...EVERY_ICMP_TYPE };
  }
  if (protocol !== Protocol.Tcp && protocol !== Protocol.Udp) return { ipProtocol: EC2_PROTOCOL[protocol] };
  return {
    ipProtocol: EC2_PROTOCOL[protocol],
    ...(ports ? { fromPort: ports.from, toPort: ports.to } : EVERY_PORT),
  };
}

/** The peer of a rule as properties of its resource. `Value` is the type of ids and blocks of other resources. */
export interface PeerProperties<Value> {
  cidrIpv4?: string | Value;
  cidrIpv6?: string | Value;
  referencedSecurityGroupId?: Value;
  prefixListId?: Value;
}

/** The source of ids and blocks of other resources. */
export interface PeerValues<Value> {
  /** Ids of the component's groups. */
  groups: Readonly<Partial<Record<Role, Value>>>;
  /** Ids and CIDR blocks of other resources, by their path in the inputs. */
  values: { get: (path: string) => Value | undefined };
  /** The block if it is of that family, otherwise nothing. */
  ofFamily: (cidr: Value, family: Family) => Value;
}

/** The peer that a rule allows, as properties of its resource. */
export function rulePeer<Value>(
  peer: RulePeer,
  { groups, values, ofFamily }: PeerValues<Value>,
): PeerProperties<Value> {
  switch (peer.kind) {
    case "prefix":
      return peer.prefix.family === 4 ? { cidrIpv4: peer.prefix.text } : { cidrIpv6: peer.prefix.text };
    case "group":
      return withValue("referencedSecurityGroupId", groups[peer.role]);
    case "reference": {
      const isGroup = peer.reference.kind === "securityGroup";
      return withValue(
        isGroup ? "referencedSecurityGroupId" : "prefixListId",
        values.get(peer.reference.path),
      );
    }
    case "eventual": {
      const cidr = values.get(peer.path);
      const family = familyOf(peer);
      return {
        ...(cidr !== undefined && family !== 6 && { cidrIpv4: ofFamily(cidr, 4) }),
        ...(cidr !== undefined && family !== 4 && { cidrIpv6: ofFamily(cidr, 6) }),
      };
    }
  }
}

const withValue = <Value>(
  key: keyof PeerProperties<Value>,
  value: Value | undefined,
): PeerProperties<Value> => (value === undefined ? {} : { [key]: value });
