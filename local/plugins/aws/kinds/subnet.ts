import {
  CreateSubnetCommand,
  DeleteSubnetCommand,
  DescribeSubnetsCommand,
  type HostnameType,
  ModifySubnetAttributeCommand,
  type ModifySubnetAttributeCommandInput,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { flag, ipv4Cidr, ipv6Cidr, oneOf, region, tags, text } from "../properties";
import { required } from "./required";

export interface Subnet {
  vpcId: string;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
  ipv6Native?: boolean;
  availabilityZone?: string;
  availabilityZoneId?: string;
  assignIpv6AddressOnCreation?: boolean;
  enableDns64?: boolean;
  enableResourceNameDnsARecordOnLaunch?: boolean;
  enableResourceNameDnsAaaaRecordOnLaunch?: boolean;
  mapPublicIpOnLaunch?: boolean;
  privateDnsHostnameTypeOnLaunch?: string;
  region?: string;
  tags?: Tags;
  arn?: string;
  ownerId?: string;
  ipv6CidrBlockAssociationId?: string;
}

/** EC2 accepts one attribute for each call. */
const ATTRIBUTES = {
  assignIpv6AddressOnCreation: (value) => ({ AssignIpv6AddressOnCreation: { Value: value as boolean } }),
  enableDns64: (value) => ({ EnableDns64: { Value: value as boolean } }),
  enableResourceNameDnsARecordOnLaunch: (value) => ({
    EnableResourceNameDnsARecordOnLaunch: { Value: value as boolean },
  }),
  enableResourceNameDnsAaaaRecordOnLaunch: (value) => ({
    EnableResourceNameDnsAAAARecordOnLaunch: { Value: value as boolean },
  }),
  mapPublicIpOnLaunch: (value) => ({ MapPublicIpOnLaunch: { Value: value as boolean } }),
  privateDnsHostnameTypeOnLaunch: (value) => ({ PrivateDnsHostnameTypeOnLaunch: value as HostnameType }),
} satisfies Partial<
  Record<keyof Subnet, (value: unknown) => Omit<ModifySubnetAttributeCommandInput, "SubnetId">>
>;

export const subnet: Kind<Subnet> = {
  token: "aws:ec2/subnet:Subnet",
  tagged: true,
  properties: {
    vpcId: text({ required: true, replaces: true }),
    cidrBlock: text({ computed: true, replaces: true, check: ipv4Cidr }),
    // AWS allows adding a block later; here a change always replaces the subnet.
    ipv6CidrBlock: text({ computed: true, replaces: true, check: ipv6Cidr }),
    ipv6Native: flag({ replaces: true, default: false }),
    availabilityZone: text({ computed: true, replaces: true }),
    availabilityZoneId: text({ computed: true, replaces: true }),
    assignIpv6AddressOnCreation: flag({ default: false }),
    enableDns64: flag({ default: false }),
    enableResourceNameDnsARecordOnLaunch: flag({ default: false }),
    enableResourceNameDnsAaaaRecordOnLaunch: flag({ default: false }),
    mapPublicIpOnLaunch: flag({ default: false }),
    privateDnsHostnameTypeOnLaunch: text({ computed: true, check: oneOf("ip-name", "resource-name") }),
    region,
    tags,
  },
  outputs: ["arn", "ipv6CidrBlockAssociationId", "ownerId"],
  faults: ({ availabilityZone, availabilityZoneId }) =>
    availabilityZone !== undefined && availabilityZoneId !== undefined
      ? [{ property: "availabilityZone", reason: "conflicts with availabilityZoneId" }]
      : [],

  async create({ ec2, tagSpecifications }, wanted) {
    const { Subnet } = await ec2.send(
      new CreateSubnetCommand({
        VpcId: wanted.vpcId,
        CidrBlock: wanted.cidrBlock,
        Ipv6CidrBlock: wanted.ipv6CidrBlock,
        Ipv6Native: wanted.ipv6Native || undefined,
        AvailabilityZone: wanted.availabilityZone,
        AvailabilityZoneId: wanted.availabilityZoneId,
        TagSpecifications: tagSpecifications("subnet"),
      }),
    );
    return required(Subnet?.SubnetId, "SubnetId");
  },

  async read({ ec2 }, id) {
    const found = await unlessGone(() => ec2.send(new DescribeSubnetsCommand({ SubnetIds: [id] })));
    const subnet = found?.Subnets?.[0];
    if (subnet === undefined) return undefined;
    const ipv6 = subnet.Ipv6CidrBlockAssociationSet?.find(
      ({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State !== "disassociated",
    );
    const launch = subnet.PrivateDnsNameOptionsOnLaunch;
    return {
      tags: subnet.Tags,
      state: {
        vpcId: subnet.VpcId,
        cidrBlock: subnet.CidrBlock ?? "",
        ipv6CidrBlock: ipv6?.Ipv6CidrBlock ?? "",
        ipv6CidrBlockAssociationId: ipv6?.AssociationId ?? "",
        ipv6Native: subnet.Ipv6Native ?? false,
        availabilityZone: subnet.AvailabilityZone,
        availabilityZoneId: subnet.AvailabilityZoneId,
        assignIpv6AddressOnCreation: subnet.AssignIpv6AddressOnCreation ?? false,
        enableDns64: subnet.EnableDns64 ?? false,
        enableResourceNameDnsARecordOnLaunch: launch?.EnableResourceNameDnsARecord ?? false,
        enableResourceNameDnsAaaaRecordOnLaunch: launch?.EnableResourceNameDnsAAAARecord ?? false,
        mapPublicIpOnLaunch: subnet.MapPublicIpOnLaunch ?? false,
        privateDnsHostnameTypeOnLaunch: launch?.HostnameType ?? "ip-name",
        ownerId: subnet.OwnerId,
        arn: subnet.SubnetArn,
      },
    };
  },

  async settle({ ec2 }, id, wanted, actual) {
    const changed = (Object.keys(ATTRIBUTES) as (keyof typeof ATTRIBUTES)[]).filter(
      (name) => wanted[name] !== undefined && wanted[name] !== actual[name],
    );
    for (const name of changed) {
      await ec2.send(new ModifySubnetAttributeCommand({ SubnetId: id, ...ATTRIBUTES[name](wanted[name]) }));
    }
    return changed.length > 0;
  },

  async remove({ ec2, untilFree }, id) {
    await unlessGone(() => untilFree(() => ec2.send(new DeleteSubnetCommand({ SubnetId: id }))));
  },
};
