import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  DescribeSecurityGroupRulesCommand,
  type EC2Client,
  type IpPermission,
  ModifySecurityGroupRulesCommand,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
  type SecurityGroupRule as Ec2Rule,
} from "@aws-sdk/client-ec2";

import { refusal, unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { between, ipv4Cidr, ipv6Cidr, number, protocolName, region, tags, text } from "../properties";
import { type Direction, foreignGroup, refusePortRange } from "./permissions";
import { required } from "./required";

export interface SplitRule {
  securityGroupId: string;
  ipProtocol: string;
  fromPort?: number;
  toPort?: number;
  cidrIpv4?: string;
  cidrIpv6?: string;
  prefixListId?: string;
  referencedSecurityGroupId?: string;
  description?: string;
  region?: string;
  tags?: Tags;
  arn?: string;
  securityGroupRuleId?: string;
}

const PEERS = ["cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId"] as const;
const peerOf = (rule: SplitRule) => PEERS.find((name) => rule[name]);

/** A group rule with a single peer, the recommended form. */
export function splitRule(direction: Direction): Kind<SplitRule> {
  const name = direction === "ingress" ? "SecurityGroupIngressRule" : "SecurityGroupEgressRule";
  return {
    token: `aws:vpc/${name.charAt(0).toLowerCase()}${name.slice(1)}:${name}`,
    tagged: true,
    properties: {
      securityGroupId: text({ required: true, replaces: true }),
      ipProtocol: text({ required: true, normalize: protocolName }),
      fromPort: number({ check: between(-1, 65535) }),
      toPort: number({ check: between(-1, 65535) }),
      cidrIpv4: text({ check: ipv4Cidr }),
      cidrIpv6: text({ check: ipv6Cidr }),
      prefixListId: text(),
      referencedSecurityGroupId: text(),
      description: text(),
      region,
      tags,
    },
    outputs: ["arn", "securityGroupRuleId"],
    // The type of peer is fixed for the life of a rule.
    replacedBy: (wanted, actual) =>
      [peerOf(wanted), peerOf(actual)].flatMap((peer, _, [one, other]) =>
        one === other || peer === undefined ? [] : [peer],
      ),
    faults(wanted) {
      const given = PEERS.filter((peer) => wanted[peer] !== undefined);
      return given.length === 1
        ? []
        : [
            {
              property: "cidrIpv4",
              reason: `exactly one of ${PEERS.join(", ")} must be given, got ${given.join(", ") || "none"}`,
            },
          ];
    },

    async create({ ec2, tagSpecifications }, wanted) {
      refusePortRange(wanted.ipProtocol, wanted.fromPort, wanted.toPort);
      const request = {
        GroupId: wanted.securityGroupId,
        IpPermissions: [permission(wanted)],
        TagSpecifications: tagSpecifications("security-group-rule"),
      };
      const reply = await (direction === "ingress"
        ? ec2.send(new AuthorizeSecurityGroupIngressCommand(request))
        : ec2.send(new AuthorizeSecurityGroupEgressCommand(request)));
      return required(reply.SecurityGroupRules?.[0]?.SecurityGroupRuleId, "SecurityGroupRuleId");
    },

    async read({ ec2, region }, id, known) {
      const rule = await describe(ec2, id);
      if (rule === undefined || rule.IsEgress !== (direction === "egress")) return undefined;
      return {
        tags: rule.Tags,
        state: {
          ...stateOf(rule, known),
          arn: `arn:aws:ec2:${region}:${rule.GroupOwnerId}:security-group-rule/${id}`,
        },
      };
    },

    async settle({ ec2 }, id, wanted, actual) {
      const names = [...PEERS, "fromPort", "toPort", "description"] as const;
      const changed =
        protocolName(wanted.ipProtocol) !== actual.ipProtocol ||
        names.some((name) => (wanted[name] ?? "") !== (actual[name] ?? ""));
      if (!changed) return false;
      refusePortRange(wanted.ipProtocol, wanted.fromPort, wanted.toPort);
      await ec2.send(
        new ModifySecurityGroupRulesCommand({
          GroupId: wanted.securityGroupId,
          SecurityGroupRules: [{ SecurityGroupRuleId: id, SecurityGroupRule: request(wanted) }],
        }),
      );
      return true;
    },

    async remove({ ec2 }, id, { securityGroupId }) {
      const request = { GroupId: securityGroupId, SecurityGroupRuleIds: [id] };
      await unlessGone(() =>
        direction === "ingress"
          ? ec2.send(new RevokeSecurityGroupIngressCommand(request))
          : ec2.send(new RevokeSecurityGroupEgressCommand(request)),
      );
    },
  };
}

async function describe(ec2: EC2Client, id: string): Promise<Ec2Rule | undefined> {
  if (!id.startsWith("sgr-"))
    throw refusal(
      "InvalidSecurityGroupRuleId.Malformed",
      `"${id}" is not the id of a security group rule (sgr-...)`,
    );
  const command = new DescribeSecurityGroupRulesCommand({ SecurityGroupRuleIds: [id] });
  return (await unlessGone(() => ec2.send(command)))?.SecurityGroupRules?.[0];
}

function stateOf(rule: Ec2Rule, known: Partial<SplitRule>): Partial<SplitRule> {
  // EC2 returns -1 for a rule without ports; the program may have set -1 or nothing.
  const port = (value: number | undefined, said: number | undefined) =>
    value === -1 && said === undefined ? undefined : value;
  const group = rule.ReferencedGroupInfo;
  return {
    securityGroupId: rule.GroupId,
    securityGroupRuleId: rule.SecurityGroupRuleId,
    ipProtocol: protocolName(rule.IpProtocol ?? "-1"),
    fromPort: port(rule.FromPort, known.fromPort),
    toPort: port(rule.ToPort, known.toPort),
    cidrIpv4: rule.CidrIpv4,
    cidrIpv6: rule.CidrIpv6,
    prefixListId: rule.PrefixListId,
    referencedSecurityGroupId: foreignGroup(group?.GroupId, group?.UserId, rule.GroupOwnerId),
    description: rule.Description,
  };
}

/** Protocols for which EC2 requires ports or ICMP types, or shows none. */
const WITH_PORTS_OR_ANY: readonly string[] = ["tcp", "udp", "icmp", "icmpv6", "-1"];

/** The ports that EC2 shows for other protocols, such as ESP. EC2 accepts these without ports; moto does not. */
const noPort = ({ ipProtocol }: SplitRule): number | undefined =>
  WITH_PORTS_OR_ANY.includes(protocolName(ipProtocol)) ? undefined : -1;

function permission(rule: SplitRule): IpPermission {
  const Description = rule.description || undefined;
  const [user, group] = rule.referencedSecurityGroupId?.includes("/")
    ? rule.referencedSecurityGroupId.split("/")
    : [undefined, rule.referencedSecurityGroupId];
  return {
    IpProtocol: rule.ipProtocol,
    FromPort: rule.fromPort ?? noPort(rule),
    ToPort: rule.toPort ?? noPort(rule),
    ...(rule.cidrIpv4 && { IpRanges: [{ CidrIp: rule.cidrIpv4, Description }] }),
    ...(rule.cidrIpv6 && { Ipv6Ranges: [{ CidrIpv6: rule.cidrIpv6, Description }] }),
    ...(rule.prefixListId && { PrefixListIds: [{ PrefixListId: rule.prefixListId, Description }] }),
    ...(group && { UserIdGroupPairs: [{ GroupId: group, UserId: user, Description }] }),
  };
}

function request(rule: SplitRule) {
  return {
    IpProtocol: rule.ipProtocol,
    FromPort: rule.fromPort ?? -1,
    ToPort: rule.toPort ?? -1,
    CidrIpv4: rule.cidrIpv4,
    CidrIpv6: rule.cidrIpv6,
    PrefixListId: rule.prefixListId,
    ReferencedGroupId: rule.referencedSecurityGroupId,
    Description: rule.description ?? "",
  };
}
