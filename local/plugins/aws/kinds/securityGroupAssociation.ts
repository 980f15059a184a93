import { DescribeSecurityGroupsCommand, type EC2Client, ModifyVpcEndpointCommand } from "@aws-sdk/client-ec2";

import { refusal, unlessGone } from "../awsError";
import type { Kind } from "../kind";
import { flag, region, text } from "../properties";
import { describeEndpoint } from "./vpcEndpoint";

export interface SecurityGroupAssociation {
  vpcEndpointId: string;
  securityGroupId: string;
  replaceDefaultAssociation?: boolean;
  region?: string;
}

/** Attaches a security group to an interface endpoint. */
export const securityGroupAssociation: Kind<SecurityGroupAssociation> = {
  token: "aws:ec2/securityGroupAssociation:SecurityGroupAssociation",
  properties: {
    vpcEndpointId: text({ required: true, replaces: true }),
    securityGroupId: text({ required: true, replaces: true }),
    replaceDefaultAssociation: flag({ default: false, replaces: true, local: true }),
    region,
  },
  outputs: [],

  markedParent: ({ vpcEndpointId }) => vpcEndpointId,
  async findLost({ ec2 }, wanted) {
    return (await groupsOf(ec2, wanted.vpcEndpointId)).includes(wanted.securityGroupId)
      ? idOf(wanted)
      : undefined;
  },

  async create({ ec2 }, wanted) {
    const groups = await groupsOf(ec2, wanted.vpcEndpointId);
    const byDefault = wanted.replaceDefaultAssociation
      ? await defaultGroup(ec2, wanted.vpcEndpointId)
      : undefined;
    if (byDefault && (groups.length !== 1 || groups[0] !== byDefault)) {
      throw refusal(
        "Conflict",
        `${wanted.vpcEndpointId} is not associated only with the VPC's default security group ${byDefault}`,
      );
    }
    await ec2.send(
      new ModifyVpcEndpointCommand({
        VpcEndpointId: wanted.vpcEndpointId,
        AddSecurityGroupIds: [wanted.securityGroupId],
        ...(byDefault && { RemoveSecurityGroupIds: [byDefault] }),
      }),
    );
    return idOf(wanted);
  },

  async read({ ec2 }, _id, known) {
    const { vpcEndpointId = "", securityGroupId = "" } = known;
    if (!(await groupsOf(ec2, vpcEndpointId)).includes(securityGroupId)) return undefined;
    return { state: { vpcEndpointId, securityGroupId } };
  },

  async remove({ ec2 }, _id, state) {
    if (!(await groupsOf(ec2, state.vpcEndpointId)).includes(state.securityGroupId)) return;
    const byDefault = state.replaceDefaultAssociation
      ? await defaultGroup(ec2, state.vpcEndpointId)
      : undefined;
    await unlessGone(() =>
      ec2.send(
        new ModifyVpcEndpointCommand({
          VpcEndpointId: state.vpcEndpointId,
          RemoveSecurityGroupIds: [state.securityGroupId],
          ...(byDefault && { AddSecurityGroupIds: [byDefault] }),
        }),
      ),
    );
  },

  /** `ENDPOINT/GROUP`. */
  importId(id) {
    const [vpcEndpointId = "", securityGroupId = ""] = id.split("/");
    const known = { vpcEndpointId, securityGroupId };
    return { known, id: idOf(known) };
  },
};

const idOf = ({ vpcEndpointId, securityGroupId }: SecurityGroupAssociation) =>
  `a-${vpcEndpointId}${securityGroupId}`;

async function groupsOf(ec2: EC2Client, endpointId: string): Promise<string[]> {
  const endpoint = await describeEndpoint(ec2, endpointId);
  return (endpoint?.Groups ?? []).map(({ GroupId = "" }) => GroupId);
}

async function defaultGroup(ec2: EC2Client, endpointId: string): Promise<string | undefined> {
  const vpcId = (await describeEndpoint(ec2, endpointId))?.VpcId ?? "";
  const filters = [
    { Name: "group-name", Values: ["default"] },
    { Name: "vpc-id", Values: [vpcId] },
  ];
  return (await ec2.send(new DescribeSecurityGroupsCommand({ Filters: filters }))).SecurityGroups?.[0]
    ?.GroupId;
}
