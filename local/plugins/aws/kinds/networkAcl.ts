import { CreateNetworkAclCommand, DeleteNetworkAclCommand, type EC2Client } from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { between, blocks, ipv4Cidr, ipv6Cidr, number, oneOf, region, tags, text, texts } from "../properties";
import {
  type AclEntry,
  createEntry,
  deleteEntry,
  describeAcl,
  entryOf,
  isOwnRule,
  protocolNumber,
} from "./aclEntries";
import { defaultAcl, moveSubnet } from "./aclSubnets";
import { required, without } from "./required";

export interface InlineAclRule {
  ruleNo: number;
  action: string;
  protocol: string;
  fromPort: number;
  toPort: number;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
  icmpType?: number;
  icmpCode?: number;
}
export interface NetworkAcl {
  vpcId: string;
  ingress?: InlineAclRule[];
  egress?: InlineAclRule[];
  subnetIds?: string[];
  region?: string;
  tags?: Tags;
  arn?: string;
  ownerId?: string;
}

const lowerCase = (value: string) => value.toLowerCase();

const rules = blocks(
  {
    ruleNo: number({ required: true, check: between(1, 32766) }),
    action: text({
      required: true,
      normalize: lowerCase,
      check: (value: string) => oneOf("allow", "deny")(value.toLowerCase()),
    }),
    protocol: text({ required: true, normalize: protocolNumber }),
    fromPort: number({ required: true, check: between(0, 65535) }),
    toPort: number({ required: true, check: between(0, 65535) }),
    cidrBlock: text({ check: ipv4Cidr }),
    ipv6CidrBlock: text({ check: ipv6Cidr }),
    icmpType: number({ default: 0 }),
    icmpCode: number({ default: 0 }),
  },
  { computed: true },
);

export const networkAcl: Kind<NetworkAcl> = {
  token: "aws:ec2/networkAcl:NetworkAcl",
  tagged: true,
  properties: {
    vpcId: text({ required: true, replaces: true }),
    ingress: rules,
    egress: rules,
    subnetIds: texts({ computed: true }),
    region,
    tags,
  },
  outputs: ["arn", "ownerId"],

  async create({ ec2, tagSpecifications }, { vpcId }) {
    const { NetworkAcl } = await ec2.send(
      new CreateNetworkAclCommand({ VpcId: vpcId, TagSpecifications: tagSpecifications("network-acl") }),
    );
    return required(NetworkAcl?.NetworkAclId, "NetworkAclId");
  },

  async read({ ec2, region, account }, id) {
    const acl = await describeAcl(ec2, id);
    if (acl === undefined) return undefined;
    const ownerId = acl.OwnerId ?? (await account());
    const entries = (acl.Entries ?? []).map(entryOf).filter(isOwnRule);
    return {
      tags: acl.Tags,
      state: {
        vpcId: acl.VpcId,
        ingress: entries.filter(({ egress }) => !egress).map(inline),
        egress: entries.filter(({ egress }) => egress).map(inline),
        subnetIds: (acl.Associations ?? []).map(({ SubnetId = "" }) => SubnetId).sort(),
        ownerId,
        arn: `arn:aws:ec2:${region}:${ownerId}:network-acl/${id}`,
      },
    };
  },

  async settle({ ec2, fresh }, id, wanted, actual) {
    // In AWS a new ACL has only the last rule; the local substitute may add more.
    const clean = (list: InlineAclRule[] | undefined) => list ?? (fresh ? [] : undefined);
    const changes = [
      await settleRules(ec2, id, false, clean(wanted.ingress), actual.ingress),
      await settleRules(ec2, id, true, clean(wanted.egress), actual.egress),
      await settleSubnets(ec2, id, wanted.subnetIds, actual),
    ];
    return changes.includes(true);
  },

  async remove({ ec2, untilFree }, id, { vpcId }) {
    const subnets = (await describeAcl(ec2, id))?.Associations ?? [];
    const fallback = subnets.length > 0 ? await defaultAcl(ec2, vpcId) : "";
    for (const { SubnetId = "" } of subnets) await moveSubnet(ec2, SubnetId, fallback);
    await unlessGone(() => untilFree(() => ec2.send(new DeleteNetworkAclCommand({ NetworkAclId: id }))));
  },
};

function inline(entry: AclEntry): InlineAclRule {
  return {
    ruleNo: entry.ruleNumber,
    action: entry.action,
    protocol: entry.protocol,
    fromPort: entry.fromPort ?? 0,
    toPort: entry.toPort ?? 0,
    cidrBlock: entry.cidrBlock ?? "",
    ipv6CidrBlock: entry.ipv6CidrBlock ?? "",
    icmpType: entry.icmpType ?? 0,
    icmpCode: entry.icmpCode ?? 0,
  };
}

const entry = (rule: InlineAclRule, egress: boolean): AclEntry => ({
  ...rule,
  ruleNumber: rule.ruleNo,
  egress,
  action: rule.action.toLowerCase(),
});

async function settleRules(
  ec2: EC2Client,
  id: string,
  egress: boolean,
  wanted: InlineAclRule[] | undefined,
  actual: InlineAclRule[] = [],
) {
  if (wanted === undefined) return false;
  const key = (rule: InlineAclRule) =>
    JSON.stringify(inline({ ...entry(rule, egress), protocol: protocolNumber(rule.protocol) }));
  const [have, want] = [new Set(actual.map(key)), new Set(wanted.map(key))];
  const surplus = actual.filter((rule) => !want.has(key(rule)));
  const missing = wanted.filter((rule) => !have.has(key(rule)));
  for (const rule of surplus) await deleteEntry(ec2, id, entry(rule, egress));
  for (const rule of missing) await createEntry(ec2, id, entry(rule, egress));
  return surplus.length + missing.length > 0;
}

async function settleSubnets(
  ec2: EC2Client,
  id: string,
  wanted: string[] | undefined,
  { vpcId, subnetIds = [] }: NetworkAcl,
) {
  if (wanted === undefined) return false;
  const [add, remove] = [without(wanted, subnetIds), without(subnetIds, wanted)];
  const fallback = remove.length > 0 ? await defaultAcl(ec2, vpcId) : "";
  for (const subnet of remove) await moveSubnet(ec2, subnet, fallback);
  for (const subnet of add) await moveSubnet(ec2, subnet, id);
  return add.length + remove.length > 0;
}
