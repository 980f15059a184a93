import {
  CreateNatGatewayCommand,
  type ConnectivityType,
  DeleteNatGatewayCommand,
  DescribeNatGatewaysCommand,
  type EC2Client,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { oneOf, region, tags, text } from "../properties";
import { required } from "./required";

export interface NatGateway {
  subnetId: string;
  allocationId?: string;
  connectivityType?: string;
  privateIp?: string;
  region?: string;
  tags?: Tags;
  associationId?: string;
  networkInterfaceId?: string;
  publicIp?: string;
  vpcId?: string;
  availabilityMode?: string;
}

/** The longest wait for a gateway to become available or to be deleted. */
const LIMIT_MS = 600_000;

export const natGateway: Kind<NatGateway> = {
  token: "aws:ec2/natGateway:NatGateway",
  tagged: true,
  properties: {
    subnetId: text({ required: true, replaces: true }),
    allocationId: text({ replaces: true }),
    connectivityType: text({ default: "public", replaces: true, check: oneOf("public", "private") }),
    privateIp: text({ computed: true, replaces: true }),
    availabilityMode: text({ computed: true, check: oneOf("zonal") }),
    region,
    tags,
  },
  outputs: ["associationId", "networkInterfaceId", "publicIp", "vpcId"],

  async create({ ec2, tagSpecifications }, wanted) {
    const { NatGateway } = await ec2.send(
      new CreateNatGatewayCommand({
        SubnetId: wanted.subnetId,
        AllocationId: wanted.allocationId,
        ConnectivityType: wanted.connectivityType as ConnectivityType,
        PrivateIpAddress: wanted.privateIp,
        TagSpecifications: tagSpecifications("natgateway"),
      }),
    );
    return required(NatGateway?.NatGatewayId, "NatGatewayId");
  },

  async read({ ec2 }, id) {
    const gateway = await describe(ec2, id);
    if (gateway === undefined || ["deleted", "deleting", "failed"].includes(gateway.State ?? ""))
      return undefined;
    const address = gateway.NatGatewayAddresses?.[0];
    return {
      tags: gateway.Tags,
      state: {
        subnetId: gateway.SubnetId,
        vpcId: gateway.VpcId,
        connectivityType: gateway.ConnectivityType ?? "public",
        allocationId: address?.AllocationId ?? "",
        associationId: address?.AssociationId ?? "",
        networkInterfaceId: address?.NetworkInterfaceId ?? "",
        privateIp: address?.PrivateIp ?? "",
        publicIp: address?.PublicIp ?? "",
        availabilityMode: "zonal",
      },
    };
  },

  async settle({ ec2 }, id) {
    let waited = -1;
    await until(async () => {
      const gateway = await describe(ec2, id);
      waited += 1;
      if (gateway?.State === "failed")
        throw new Error(`${id} failed: ${gateway.FailureCode}: ${gateway.FailureMessage}`);
      return gateway?.State !== "pending";
    });
    return waited > 0;
  },

  async remove({ ec2 }, id) {
    await unlessGone(() => ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: id })));
    await until(async () => ["deleted", undefined].includes((await describe(ec2, id))?.State));
  },
};

async function describe(ec2: EC2Client, id: string) {
  const found = await unlessGone(() => ec2.send(new DescribeNatGatewaysCommand({ NatGatewayIds: [id] })));
  return found?.NatGateways?.[0];
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!(await reached())) {
    if (Date.now() > end) throw new Error("the NAT gateway did not reach the wanted state in 10 minutes");
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
