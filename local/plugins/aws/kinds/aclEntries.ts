import {
  CreateNetworkAclEntryCommand,
  DeleteNetworkAclEntryCommand,
  DescribeNetworkAclsCommand,
  type EC2Client,
  type NetworkAcl as Ec2Acl,
  type NetworkAclEntry,
  type RuleAction,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";

/** The rule at the end of every list, which AWS adds; it is never written or removed. */
export const LAST_RULE = 32767;
export const LAST_RULE_IPV6 = 32768;

/** A rule of a network ACL, in the form that inline rules and rule resources share. */
export interface AclEntry {
  ruleNumber: number;
  egress: boolean;
  protocol: string;
  action: string;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
  fromPort?: number;
  toPort?: number;
  icmpType?: number;
  icmpCode?: number;
}

/** EC2 stores protocols as numbers. */
const NUMBERS: Record<string, string> = {
  all: "-1",
  tcp: "6",
  udp: "17",
  icmp: "1",
  icmpv6: "58",
  "ipv6-icmp": "58",
};
export const protocolNumber = (protocol: string): string => NUMBERS[protocol.toLowerCase()] ?? protocol;

export const isIcmp = (protocol: string) => ["1", "58"].includes(protocolNumber(protocol));
const hasPorts = (protocol: string) => ["6", "17"].includes(protocolNumber(protocol));

export async function describeAcl(ec2: EC2Client, id: string): Promise<Ec2Acl | undefined> {
  const found = await unlessGone(() => ec2.send(new DescribeNetworkAclsCommand({ NetworkAclIds: [id] })));
  return found?.NetworkAcls?.[0];
}

export function entryOf(entry: NetworkAclEntry): AclEntry {
  return {
    ruleNumber: entry.RuleNumber ?? 0,
    egress: entry.Egress ?? false,
    protocol: protocolNumber(entry.Protocol ?? "-1"),
    action: entry.RuleAction ?? "deny",
    cidrBlock: entry.CidrBlock,
    ipv6CidrBlock: entry.Ipv6CidrBlock,
    fromPort: entry.PortRange?.From,
    toPort: entry.PortRange?.To,
    icmpType: entry.IcmpTypeCode?.Type,
    icmpCode: entry.IcmpTypeCode?.Code,
  };
}

export async function createEntry(ec2: EC2Client, aclId: string, entry: AclEntry): Promise<void> {
  await ec2.send(
    new CreateNetworkAclEntryCommand({
      NetworkAclId: aclId,
      RuleNumber: entry.ruleNumber,
      Egress: entry.egress,
      Protocol: protocolNumber(entry.protocol),
      RuleAction: entry.action as RuleAction,
      CidrBlock: entry.cidrBlock || undefined,
      Ipv6CidrBlock: entry.ipv6CidrBlock || undefined,
      ...(hasPorts(entry.protocol) && { PortRange: { From: entry.fromPort ?? 0, To: entry.toPort ?? 0 } }),
      ...(isIcmp(entry.protocol) && {
        IcmpTypeCode: { Type: entry.icmpType ?? 0, Code: entry.icmpCode ?? 0 },
      }),
    }),
  );
}

export async function deleteEntry(
  ec2: EC2Client,
  aclId: string,
  { ruleNumber, egress }: AclEntry,
): Promise<void> {
  const command = new DeleteNetworkAclEntryCommand({
    NetworkAclId: aclId,
    RuleNumber: ruleNumber,
    Egress: egress,
  });
  await unlessGone(() => ec2.send(command));
}

/** Whether a user wrote the rule. */
export const isOwnRule = ({ ruleNumber }: AclEntry) =>
  ruleNumber !== LAST_RULE && ruleNumber !== LAST_RULE_IPV6;
