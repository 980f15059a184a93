import {
  AcceptVpcPeeringConnectionCommand,
  CreateVpcPeeringConnectionCommand,
  DeleteVpcPeeringConnectionCommand,
  DescribeVpcPeeringConnectionsCommand,
  type EC2Client,
  ModifyVpcPeeringConnectionOptionsCommand,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { block, flag, region, tags, text } from "../properties";
import { required } from "./required";

interface PeeringOptions {
  allowRemoteVpcDnsResolution?: boolean;
}
export interface VpcPeeringConnection {
  vpcId: string;
  peerVpcId: string;
  peerOwnerId?: string;
  peerRegion?: string;
  autoAccept?: boolean;
  accepter?: PeeringOptions;
  requester?: PeeringOptions;
  region?: string;
  tags?: Tags;
  acceptStatus?: string;
}

const options = block({ allowRemoteVpcDnsResolution: flag({ default: false }) }, { computed: true });
const ENDED = new Set(["deleted", "deleting", "expired", "failed", "rejected"]);

export const vpcPeeringConnection: Kind<VpcPeeringConnection> = {
  token: "aws:ec2/vpcPeeringConnection:VpcPeeringConnection",
  tagged: true,
  properties: {
    vpcId: text({ required: true, replaces: true }),
    peerVpcId: text({ required: true, replaces: true }),
    peerOwnerId: text({ computed: true, replaces: true }),
    peerRegion: text({ computed: true, replaces: true }),
    autoAccept: flag({ local: true }),
    accepter: options,
    requester: options,
    region,
    tags,
  },
  outputs: ["acceptStatus"],
  faults: ({ autoAccept, peerRegion }) =>
    autoAccept && peerRegion
      ? [
          {
            property: "peerRegion",
            reason: "cannot be set together with autoAccept: the other region accepts for itself",
          },
        ]
      : [],

  async create({ ec2, tagSpecifications }, wanted) {
    const { VpcPeeringConnection } = await ec2.send(
      new CreateVpcPeeringConnectionCommand({
        VpcId: wanted.vpcId,
        PeerVpcId: wanted.peerVpcId,
        PeerOwnerId: wanted.peerOwnerId,
        PeerRegion: wanted.peerRegion,
        TagSpecifications: tagSpecifications("vpc-peering-connection"),
      }),
    );
    return required(VpcPeeringConnection?.VpcPeeringConnectionId, "VpcPeeringConnectionId");
  },

  async read({ ec2, region }, id) {
    const found = await describe(ec2, id);
    if (found === undefined || ENDED.has(found.Status?.Code ?? "")) return undefined;
    const peerRegion = found.AccepterVpcInfo?.Region ?? region;
    return {
      tags: found.Tags,
      state: {
        vpcId: found.RequesterVpcInfo?.VpcId,
        peerVpcId: found.AccepterVpcInfo?.VpcId,
        peerOwnerId: found.AccepterVpcInfo?.OwnerId,
        peerRegion,
        acceptStatus: found.Status?.Code,
        accepter: dnsOption(found.AccepterVpcInfo?.PeeringOptions),
        requester: dnsOption(found.RequesterVpcInfo?.PeeringOptions),
      },
    };
  },

  async settle({ ec2 }, id, wanted, actual) {
    const accepts = wanted.autoAccept === true && actual.acceptStatus === "pending-acceptance";
    if (accepts) await ec2.send(new AcceptVpcPeeringConnectionCommand({ VpcPeeringConnectionId: id }));
    const sides = (["accepter", "requester"] as const).filter((side) => {
      const option = wanted[side];
      return (
        option !== undefined &&
        (option.allowRemoteVpcDnsResolution ?? false) !== (actual[side]?.allowRemoteVpcDnsResolution ?? false)
      );
    });
    if (sides.length > 0) {
      const option = (side: "accepter" | "requester") =>
        sides.includes(side)
          ? { AllowDnsResolutionFromRemoteVpc: wanted[side]?.allowRemoteVpcDnsResolution ?? false }
          : undefined;
      await ec2.send(
        new ModifyVpcPeeringConnectionOptionsCommand({
          VpcPeeringConnectionId: id,
          AccepterPeeringConnectionOptions: option("accepter"),
          RequesterPeeringConnectionOptions: option("requester"),
        }),
      );
    }
    return accepts || sides.length > 0;
  },

  async remove({ ec2 }, id) {
    await unlessGone(() => ec2.send(new DeleteVpcPeeringConnectionCommand({ VpcPeeringConnectionId: id })));
  },
};

async function describe(ec2: EC2Client, id: string) {
  const command = new DescribeVpcPeeringConnectionsCommand({ VpcPeeringConnectionIds: [id] });
  return (await unlessGone(() => ec2.send(command)))?.VpcPeeringConnections?.[0];
}

const dnsOption = (side?: { AllowDnsResolutionFromRemoteVpc?: boolean }): PeeringOptions => ({
  allowRemoteVpcDnsResolution: side?.AllowDnsResolutionFromRemoteVpc ?? false,
});
