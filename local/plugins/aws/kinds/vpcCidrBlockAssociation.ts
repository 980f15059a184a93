import {
  AssociateVpcCidrBlockCommand,
  DescribeVpcsCommand,
  DisassociateVpcCidrBlockCommand,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import type { Call, Kind } from "../kind";
import { ipv4Cidr, region, text } from "../properties";
import { required } from "./required";

export interface VpcCidrBlockAssociation {
  vpcId: string;
  cidrBlock?: string;
  region?: string;
}

export const vpcCidrBlockAssociation: Kind<VpcCidrBlockAssociation> = {
  token: "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation",
  properties: {
    vpcId: text({ required: true, replaces: true }),
    cidrBlock: text({ computed: true, replaces: true, check: ipv4Cidr }),
    region,
  },
  outputs: [],
  faults: ({ cidrBlock }) =>
    cidrBlock === undefined
      ? [{ property: "cidrBlock", reason: "a value is required (address pools are not supported here)" }]
      : [],

  markedParent: ({ vpcId }) => vpcId,
  async findLost(call, { vpcId, cidrBlock }) {
    const lost = (await associations(call, vpcId)).find((association) => association.CidrBlock === cidrBlock);
    return lost?.AssociationId;
  },

  async create({ ec2 }, { vpcId, cidrBlock }) {
    const { CidrBlockAssociation } = await ec2.send(
      new AssociateVpcCidrBlockCommand({ VpcId: vpcId, CidrBlock: cidrBlock }),
    );
    return required(CidrBlockAssociation?.AssociationId, "AssociationId");
  },

  async read({ ec2 }, id) {
    const filter = { Name: "cidr-block-association.association-id", Values: [id] };
    const { Vpcs } = await ec2.send(new DescribeVpcsCommand({ Filters: [filter] }));
    const vpc = Vpcs?.[0];
    const association = vpc?.CidrBlockAssociationSet?.find(({ AssociationId }) => AssociationId === id);
    if (association === undefined || association.CidrBlockState?.State === "disassociated") return undefined;
    return { state: { vpcId: vpc?.VpcId, cidrBlock: association.CidrBlock } };
  },

  async remove({ ec2, untilFree }, id) {
    await unlessGone(() =>
      untilFree(() => ec2.send(new DisassociateVpcCidrBlockCommand({ AssociationId: id }))),
    );
  },
};

async function associations({ ec2 }: Call, vpcId: string) {
  const { Vpcs } = await ec2.send(new DescribeVpcsCommand({ VpcIds: [vpcId] }));
  const all = Vpcs?.[0]?.CidrBlockAssociationSet ?? [];
  return all.filter(({ CidrBlockState }) => CidrBlockState?.State !== "disassociated");
}
