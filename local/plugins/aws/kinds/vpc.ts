import {
  AssociateVpcCidrBlockCommand,
  CreateVpcCommand,
  DeleteVpcCommand,
  DescribeNetworkAclsCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcAttributeCommand,
  DescribeVpcsCommand,
  DisassociateVpcCidrBlockCommand,
  ModifyVpcAttributeCommand,
  type EC2Client,
  type Tenancy,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import { cidrFault } from "../cidr";
import type { Kind, Tags } from "../kind";
import { flag, oneOf, region, tags, text } from "../properties";
import { required } from "./required";

export interface Vpc {
  cidrBlock?: string;
  instanceTenancy?: string;
  enableDnsSupport?: boolean;
  enableDnsHostnames?: boolean;
  enableNetworkAddressUsageMetrics?: boolean;
  assignGeneratedIpv6CidrBlock?: boolean;
  region?: string;
  tags?: Tags;
  arn?: string;
  defaultNetworkAclId?: string;
  defaultRouteTableId?: string;
  defaultSecurityGroupId?: string;
  dhcpOptionsId?: string;
  ipv6AssociationId?: string;
  ipv6CidrBlock?: string;
  ipv6CidrBlockNetworkBorderGroup?: string;
  mainRouteTableId?: string;
  ownerId?: string;
}

const ATTRIBUTES = ["enableDnsSupport", "enableDnsHostnames", "enableNetworkAddressUsageMetrics"] as const;

const vpcCidr = (value: string) => {
  const size = Number(value.split("/")[1]);
  return (
    cidrFault(value, 4) ??
    (size < 16 || size > 28 ? `"${value}" must have a mask from /16 to /28` : undefined)
  );
};

export const vpc: Kind<Vpc> = {
  token: "aws:ec2/vpc:Vpc",
  tagged: true,
  properties: {
    cidrBlock: text({ computed: true, replaces: true, check: vpcCidr }),
    instanceTenancy: text({ default: "default", check: oneOf("default", "dedicated") }),
    enableDnsSupport: flag({ default: true }),
    enableDnsHostnames: flag({ computed: true }),
    enableNetworkAddressUsageMetrics: flag({ computed: true }),
    assignGeneratedIpv6CidrBlock: flag(),
    region,
    tags,
  },
  outputs: [
    "arn",
    "defaultNetworkAclId",
    "defaultRouteTableId",
    "defaultSecurityGroupId",
    "dhcpOptionsId",
    "ipv6AssociationId",
    "ipv6CidrBlock",
    "ipv6CidrBlockNetworkBorderGroup",
    "mainRouteTableId",
    "ownerId",
  ],
  faults: ({ cidrBlock }) =>
    cidrBlock === undefined
      ? [{ property: "cidrBlock", reason: "a value is required (address pools are not supported here)" }]
      : [],
  // A VPC can change from dedicated tenancy to default, but not back.
  replacedBy: (wanted, actual) =>
    actual.instanceTenancy === "dedicated" || wanted.instanceTenancy === actual.instanceTenancy
      ? []
      : ["instanceTenancy"],

  async create({ ec2, tagSpecifications }, wanted) {
    const { Vpc } = await ec2.send(
      new CreateVpcCommand({
        CidrBlock: wanted.cidrBlock,
        InstanceTenancy: wanted.instanceTenancy as Tenancy,
        AmazonProvidedIpv6CidrBlock: wanted.assignGeneratedIpv6CidrBlock,
        TagSpecifications: tagSpecifications("vpc"),
      }),
    );
    return required(Vpc?.VpcId, "VpcId");
  },

  async read({ ec2, region, account }, id) {
    const found = await unlessGone(() => ec2.send(new DescribeVpcsCommand({ VpcIds: [id] })));
    const vpc = found?.Vpcs?.[0];
    if (vpc === undefined) return undefined;
    const [attributes, companions] = await Promise.all([readAttributes(ec2, id), readCompanions(ec2, id)]);
    const ipv6 = vpc.Ipv6CidrBlockAssociationSet?.find(
      ({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === "associated",
    );
    return {
      tags: vpc.Tags,
      state: {
        ...attributes,
        ...companions,
        cidrBlock: vpc.CidrBlock,
        instanceTenancy: vpc.InstanceTenancy,
        dhcpOptionsId: vpc.DhcpOptionsId,
        ownerId: vpc.OwnerId,
        arn: `arn:aws:ec2:${region}:${vpc.OwnerId ?? (await account())}:vpc/${id}`,
        assignGeneratedIpv6CidrBlock: ipv6 !== undefined,
        ipv6AssociationId: ipv6?.AssociationId ?? "",
        ipv6CidrBlock: ipv6?.Ipv6CidrBlock ?? "",
        ipv6CidrBlockNetworkBorderGroup: ipv6?.NetworkBorderGroup ?? "",
      },
    };
  },

  async settle({ ec2 }, id, wanted, actual) {
    const changed = ATTRIBUTES.filter((name) => wanted[name] !== undefined && wanted[name] !== actual[name]);
    for (const name of changed) {
      const attribute = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      await ec2.send(new ModifyVpcAttributeCommand({ VpcId: id, [attribute]: { Value: wanted[name] } }));
    }
    const ipv6Changed =
      (wanted.assignGeneratedIpv6CidrBlock ?? false) !== (actual.assignGeneratedIpv6CidrBlock ?? false);
    if (ipv6Changed && wanted.assignGeneratedIpv6CidrBlock) {
      await ec2.send(new AssociateVpcCidrBlockCommand({ VpcId: id, AmazonProvidedIpv6CidrBlock: true }));
    } else if (ipv6Changed) {
      await ec2.send(new DisassociateVpcCidrBlockCommand({ AssociationId: actual.ipv6AssociationId }));
    }
    return changed.length > 0 || ipv6Changed;
  },

  async remove({ ec2, untilFree }, id) {
    await unlessGone(() => untilFree(() => ec2.send(new DeleteVpcCommand({ VpcId: id }))));
  },
};

async function readAttributes(ec2: EC2Client, id: string) {
  const values = await Promise.all(
    ATTRIBUTES.map(async (name): Promise<[string, boolean]> => {
      const reply = await ec2.send(new DescribeVpcAttributeCommand({ VpcId: id, Attribute: name }));
      const field = `${name.charAt(0).toUpperCase()}${name.slice(1)}` as "EnableDnsSupport";
      return [name, reply[field]?.Value ?? false];
    }),
  );
  return Object.fromEntries(values);
}

/** The objects that AWS creates together with a VPC. */
async function readCompanions(ec2: EC2Client, id: string) {
  const ofVpc = { Name: "vpc-id", Values: [id] };
  const [acls, tables, groups] = await Promise.all([
    ec2.send(new DescribeNetworkAclsCommand({ Filters: [ofVpc, { Name: "default", Values: ["true"] }] })),
    ec2.send(
      new DescribeRouteTablesCommand({ Filters: [ofVpc, { Name: "association.main", Values: ["true"] }] }),
    ),
    ec2.send(
      new DescribeSecurityGroupsCommand({ Filters: [ofVpc, { Name: "group-name", Values: ["default"] }] }),
    ),
  ]);
  const mainRouteTableId = tables.RouteTables?.[0]?.RouteTableId;
  return {
    defaultNetworkAclId: acls.NetworkAcls?.[0]?.NetworkAclId,
    mainRouteTableId,
    defaultRouteTableId: mainRouteTableId,
    defaultSecurityGroupId: groups.SecurityGroups?.[0]?.GroupId,
  };
}
