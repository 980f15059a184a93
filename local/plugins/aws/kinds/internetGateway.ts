import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  DeleteInternetGatewayCommand,
  DescribeInternetGatewaysCommand,
  DetachInternetGatewayCommand,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { region, tags, text } from "../properties";
import { required } from "./required";

export interface InternetGateway {
  vpcId?: string;
  region?: string;
  tags?: Tags;
  arn?: string;
  ownerId?: string;
}

export const internetGateway: Kind<InternetGateway> = {
  token: "aws:ec2/internetGateway:InternetGateway",
  tagged: true,
  properties: { vpcId: text({ computed: true }), region, tags },
  outputs: ["arn", "ownerId"],

  async create({ ec2, tagSpecifications }) {
    const { InternetGateway } = await ec2.send(
      new CreateInternetGatewayCommand({ TagSpecifications: tagSpecifications("internet-gateway") }),
    );
    return required(InternetGateway?.InternetGatewayId, "InternetGatewayId");
  },

  async read({ ec2, region, account }, id) {
    const found = await unlessGone(() =>
      ec2.send(new DescribeInternetGatewaysCommand({ InternetGatewayIds: [id] })),
    );
    const gateway = found?.InternetGateways?.[0];
    if (gateway === undefined) return undefined;
    const ownerId = gateway.OwnerId ?? (await account());
    return {
      tags: gateway.Tags,
      state: {
        vpcId: gateway.Attachments?.[0]?.VpcId ?? "",
        ownerId,
        arn: `arn:aws:ec2:${region}:${ownerId}:internet-gateway/${id}`,
      },
    };
  },

  async settle({ ec2, untilFree }, id, { vpcId }, { vpcId: attached }) {
    if (vpcId === undefined || vpcId === attached) return false;
    if (attached) {
      await untilFree(() =>
        ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId: id, VpcId: attached })),
      );
    }
    await ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId: id, VpcId: vpcId }));
    return true;
  },

  async remove({ ec2, untilFree }, id, { vpcId }) {
    if (vpcId) {
      await unlessGone(() =>
        untilFree(() => ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId: id, VpcId: vpcId }))),
      );
    }
    await unlessGone(() =>
      untilFree(() => ec2.send(new DeleteInternetGatewayCommand({ InternetGatewayId: id }))),
    );
  },
};
