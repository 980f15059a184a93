import {
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupsCommand,
  type EC2Client,
  type SecurityGroup as Ec2Group,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import { namesFilledIn } from "../diff";
import type { Kind, Props, Tags } from "../kind";
import { blocks, flag, region, tags, text } from "../properties";
import {
  assemble,
  type Atom,
  atomKey,
  atomsOf,
  atomsOfPermissions,
  authorize,
  type Direction,
  inlineRule,
  type InlineRule,
  revoke,
} from "./permissions";
import { required } from "./required";

export interface SecurityGroup {
  name?: string;
  namePrefix?: string;
  description?: string;
  vpcId?: string;
  ingress?: InlineRule[];
  egress?: InlineRule[];
  revokeRulesOnDelete?: boolean;
  region?: string;
  tags?: Tags;
  arn?: string;
  ownerId?: string;
}

const groupName = (value: string) =>
  value === "" || value.length > 255
    ? "expected 1 to 255 characters"
    : value.startsWith("sg-")
      ? 'cannot begin with "sg-"'
      : undefined;

const groupDescription = (value: string) =>
  value === "" || value.length > 255
    ? "expected 1 to 255 characters"
    : /^[0-9A-Za-z_ .:/()#,@[\]+=&;{}!$*-]*$/.test(value)
      ? undefined
      : "EC2 allows letters, digits, spaces and ._-:/()#,@[]+=&;{}!$* only";

export const securityGroup: Kind<SecurityGroup> = {
  token: "aws:ec2/securityGroup:SecurityGroup",
  tagged: true,
  properties: {
    name: text({ autonamed: true, replaces: true, check: groupName }),
    namePrefix: text({ replaces: true, local: true, check: groupName }),
    description: text({ default: "Managed by Pulumi", replaces: true, check: groupDescription }),
    vpcId: text({ computed: true, replaces: true }),
    // If omitted, rule resources manage the group's rules.
    ingress: blocks(inlineRule, { computed: true }),
    egress: blocks(inlineRule, { computed: true }),
    revokeRulesOnDelete: flag({ default: false, local: true }),
    region,
    tags,
  },
  outputs: ["arn", "ownerId"],
  // A name that the program chose must be unique in a VPC.
  deleteBeforeReplace: (wanted, actual) =>
    wanted.name !== undefined &&
    !namesFilledIn(wanted as Props).includes("name") &&
    wanted.name === actual.name,
  faults: ({ name, namePrefix }) =>
    name !== undefined && namePrefix !== undefined
      ? [{ property: "namePrefix", reason: "conflicts with name" }]
      : [],

  async create({ ec2, tagSpecifications }, wanted) {
    const { GroupId } = await ec2.send(
      new CreateSecurityGroupCommand({
        GroupName: wanted.name ?? `${wanted.namePrefix}${Date.now().toString(16)}`,
        Description: wanted.description,
        VpcId: wanted.vpcId,
        TagSpecifications: tagSpecifications("security-group"),
      }),
    );
    return required(GroupId, "GroupId");
  },

  async read({ ec2, region }, id, known) {
    const group = await describeGroup(ec2, id);
    return group && { tags: group.Tags, state: groupState(group, region, known) };
  },

  async settle({ ec2, fresh }, id, wanted, actual) {
    // AWS gives every new group a rule that allows all egress; the official provider removes it.
    const egress = wanted.egress ?? (fresh ? withoutDefault(actual.egress) : undefined);
    const changes = [
      await settleRules(ec2, "ingress", id, wanted.ingress, actual.ingress),
      await settleRules(ec2, "egress", id, egress, actual.egress),
    ];
    return changes.includes(true);
  },

  async remove({ ec2, untilFree }, id, { revokeRulesOnDelete }) {
    if (revokeRulesOnDelete) await revokeAll(ec2, id);
    await unlessGone(() => untilFree(() => ec2.send(new DeleteSecurityGroupCommand({ GroupId: id }))));
  },
};

const withoutDefault = (rules: InlineRule[] = []) => rules.filter(({ protocol }) => protocol !== "-1");

const atomsIn = (rules: InlineRule[] = []): Atom[] => {
  const atoms = rules.flatMap(atomsOf);
  return [...new Map(atoms.map((atom) => [atomKey(atom), atom])).values()];
};

export async function describeGroup(ec2: EC2Client, id: string): Promise<Ec2Group | undefined> {
  const found = await unlessGone(() => ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [id] })));
  return found?.SecurityGroups?.[0];
}

export function groupState(
  group: Ec2Group,
  region: string,
  known: Partial<SecurityGroup>,
): Partial<SecurityGroup> {
  const id = group.GroupId ?? "";
  const rules = (permissions: Ec2Group["IpPermissions"], written: InlineRule[] = []) =>
    assemble(atomsOfPermissions(permissions ?? [], id, group.OwnerId), written);
  return {
    name: group.GroupName,
    description: group.Description,
    vpcId: group.VpcId,
    ingress: rules(group.IpPermissions, known.ingress),
    egress: rules(group.IpPermissionsEgress, known.egress),
    ownerId: group.OwnerId,
    arn: group.SecurityGroupArn ?? `arn:aws:ec2:${region}:${group.OwnerId}:security-group/${id}`,
  };
}

/** Revokes unwanted rules, then authorizes missing ones. Without `wanted` the rules are not managed here. */
export async function settleRules(
  ec2: EC2Client,
  direction: Direction,
  id: string,
  wanted: InlineRule[] | undefined,
  actual: InlineRule[] | undefined,
): Promise<boolean> {
  if (wanted === undefined) return false;
  const [have, want] = [atomsIn(actual), atomsIn(wanted)];
  const surplus = have.filter((atom) => !includes(want, atom));
  const missing = want.filter((atom) => !includes(have, atom));
  await revoke(ec2, direction, id, surplus);
  await authorize(ec2, direction, id, missing);
  return surplus.length + missing.length > 0;
}

const includes = (atoms: Atom[], atom: Atom) => atoms.some((other) => atomKey(other) === atomKey(atom));

/** Removes every rule from a group. */
export async function revokeAll(ec2: EC2Client, id: string): Promise<void> {
  const group = await describeGroup(ec2, id);
  if (group === undefined) return;
  await revoke(ec2, "ingress", id, atomsOfPermissions(group.IpPermissions ?? [], id, group.OwnerId));
  await revoke(ec2, "egress", id, atomsOfPermissions(group.IpPermissionsEgress ?? [], id, group.OwnerId));
}
