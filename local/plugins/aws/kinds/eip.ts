import {
  AllocateAddressCommand,
  type Address,
  AssociateAddressCommand,
  DescribeAddressesCommand,
  DisassociateAddressCommand,
  ReleaseAddressCommand,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { oneOf, region, tags, text } from "../properties";
import { required } from "./required";

export interface Eip {
  domain?: string;
  instance?: string;
  networkInterface?: string;
  associateWithPrivateIp?: string;
  networkBorderGroup?: string;
  publicIpv4Pool?: string;
  region?: string;
  tags?: Tags;
  allocationId?: string;
  arn?: string;
  associationId?: string;
  privateIp?: string;
  publicIp?: string;
  privateDns?: string;
  publicDns?: string;
  carrierIp?: string;
  customerOwnedIp?: string;
  ptrRecord?: string;
}

export const eip: Kind<Eip> = {
  token: "aws:ec2/eip:Eip",
  tagged: true,
  properties: {
    domain: text({ computed: true, replaces: true, check: oneOf("vpc") }),
    instance: text({ computed: true }),
    networkInterface: text({ computed: true }),
    associateWithPrivateIp: text({ local: true }),
    networkBorderGroup: text({ computed: true, replaces: true }),
    publicIpv4Pool: text({ computed: true, replaces: true }),
    region,
    tags,
  },
  outputs: [
    "allocationId",
    "arn",
    "associationId",
    "carrierIp",
    "customerOwnedIp",
    "privateDns",
    "privateIp",
    "ptrRecord",
    "publicDns",
    "publicIp",
  ],

  async create({ ec2, tagSpecifications }, { networkBorderGroup, publicIpv4Pool }) {
    const { AllocationId } = await ec2.send(
      new AllocateAddressCommand({
        Domain: "vpc",
        NetworkBorderGroup: networkBorderGroup,
        PublicIpv4Pool: publicIpv4Pool,
        TagSpecifications: tagSpecifications("elastic-ip"),
      }),
    );
    return required(AllocationId, "AllocationId");
  },

  async read({ ec2, region, account }, id) {
    const found = await unlessGone(() => ec2.send(new DescribeAddressesCommand({ AllocationIds: [id] })));
    const address = found?.Addresses?.[0];
    if (address === undefined) return undefined;
    return {
      tags: address.Tags,
      state: {
        ...stateOf(address, region),
        arn: `arn:aws:ec2:${region}:${await account()}:elastic-ip/${id}`,
      },
    };
  },

  async settle({ ec2 }, id, wanted, actual) {
    const moved =
      (wanted.instance !== undefined && wanted.instance !== actual.instance) ||
      (wanted.networkInterface !== undefined && wanted.networkInterface !== actual.networkInterface);
    if (!moved) return false;
    if (actual.associationId)
      await ec2.send(new DisassociateAddressCommand({ AssociationId: actual.associationId }));
    if (wanted.instance || wanted.networkInterface) {
      await ec2.send(
        new AssociateAddressCommand({
          AllocationId: id,
          InstanceId: wanted.instance,
          NetworkInterfaceId: wanted.networkInterface,
          PrivateIpAddress: wanted.associateWithPrivateIp,
        }),
      );
    }
    return true;
  },

  async remove({ ec2, untilFree }, id, { associationId }) {
    if (associationId) {
      await unlessGone(() => ec2.send(new DisassociateAddressCommand({ AssociationId: associationId })));
    }
    await unlessGone(() => untilFree(() => ec2.send(new ReleaseAddressCommand({ AllocationId: id }))));
  },
};

function stateOf(address: Address, region: string): Partial<Eip> {
  const dns = (ip: string | undefined, name: string, kind: string) =>
    ip ? `${name}-${ip.replaceAll(".", "-")}.${kind}` : "";
  const zone = region === "us-east-1" ? "compute-1" : `${region}.compute`;
  return {
    allocationId: address.AllocationId,
    associationId: address.AssociationId ?? "",
    domain: address.Domain ?? "vpc",
    instance: address.InstanceId ?? "",
    networkInterface: address.NetworkInterfaceId ?? "",
    networkBorderGroup: address.NetworkBorderGroup ?? region,
    publicIpv4Pool: address.PublicIpv4Pool ?? "amazon",
    privateIp: address.PrivateIpAddress ?? "",
    publicIp: address.PublicIp,
    privateDns: dns(
      address.PrivateIpAddress,
      "ip",
      region === "us-east-1" ? "ec2.internal" : `${region}.compute.internal`,
    ),
    publicDns: dns(address.PublicIp, "ec2", `${zone}.amazonaws.com`),
    carrierIp: address.CarrierIp ?? "",
    customerOwnedIp: address.CustomerOwnedIp ?? "",
    ptrRecord: "",
  };
}
