import { DescribeSecurityGroupsCommand, DescribeVpcsCommand } from "@aws-sdk/client-ec2";

import { refusal } from "../awsError";
import type { Kind } from "../kind";
import { blocks, flag, region, tags, text } from "../properties";
import { inlineRule } from "./permissions";
import { required } from "./required";
import { describeGroup, groupState, type SecurityGroup, settleRules } from "./securityGroup";

/** The group that AWS creates with a VPC: adopted instead of created, and kept when the resource is deleted. */
export const defaultSecurityGroup: Kind<SecurityGroup> = {
  token: "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup",
  tagged: true,
  properties: {
    vpcId: text({ computed: true, replaces: true }),
    ingress: blocks(inlineRule),
    egress: blocks(inlineRule),
    revokeRulesOnDelete: flag({ default: false, local: true }),
    region,
    tags,
  },
  outputs: ["arn", "description", "name", "namePrefix", "ownerId"],

  async create({ ec2 }, wanted) {
    const vpcId =
      wanted.vpcId ??
      (await ec2.send(new DescribeVpcsCommand({ Filters: [{ Name: "is-default", Values: ["true"] }] })))
        .Vpcs?.[0]?.VpcId;
    const filters = [
      { Name: "group-name", Values: ["default"] },
      { Name: "vpc-id", Values: [required(vpcId, "default VPC")] },
    ];
    const group = (await ec2.send(new DescribeSecurityGroupsCommand({ Filters: filters })))
      .SecurityGroups?.[0];
    if (group === undefined)
      throw refusal("InvalidGroup.NotFound", `the VPC ${vpcId} has no default security group`);
    return required(group.GroupId, "GroupId");
  },

  async read({ ec2, region }, id, known) {
    const group = await describeGroup(ec2, id);
    return group && { tags: group.Tags, state: { ...groupState(group, region, known), namePrefix: "" } };
  },

  async settle({ ec2 }, id, wanted, actual) {
    const changes = [
      await settleRules(ec2, "ingress", id, wanted.ingress ?? [], actual.ingress),
      await settleRules(ec2, "egress", id, wanted.egress ?? [], actual.egress),
    ];
    return changes.includes(true);
  },

  remove: () => Promise.resolve(),
};
