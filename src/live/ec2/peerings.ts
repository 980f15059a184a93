import type { VpcPeeringConnection, VpcPeeringConnectionVpcInfo } from "@aws-sdk/client-ec2";

import type { PropertyValue, Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { ec2Resource, tagsOf } from "./ec2Resource";

/** What a peering is to the VPCs that are read. */
export enum Standing {
  /** It connects one of them, or will once the other side agrees to what was asked for here. */
  Connects = "connects",
  /** Another account asks for it; this account has not accepted it. */
  Asked = "asked",
  /** It is gone, was refused, or is between others. */
  None = "none",
}

const STANDING: Readonly<Record<string, { requester: Standing; accepter: Standing }>> = {
  active: { requester: Standing.Connects, accepter: Standing.Connects },
  provisioning: { requester: Standing.Connects, accepter: Standing.Connects },
  "initiating-request": { requester: Standing.Connects, accepter: Standing.Asked },
  "pending-acceptance": { requester: Standing.Connects, accepter: Standing.Asked },
};

/** What a peering is to some VPCs. */
export function standingOf(
  { Status, RequesterVpcInfo, AccepterVpcInfo }: VpcPeeringConnection,
  vpcs: ReadonlySet<string>,
): Standing {
  const standing = STANDING[Status?.Code ?? ""];
  if (!standing) return Standing.None;
  if (vpcs.has(RequesterVpcInfo?.VpcId ?? "")) return standing.requester;
  return vpcs.has(AccepterVpcInfo?.VpcId ?? "") ? standing.accepter : Standing.None;
}

/** A peering with the blocks of both ends, as the AWS provider shows it: one of them may be in another account. */
export function peeringResource(peering: VpcPeeringConnection): Resource {
  const { VpcPeeringConnectionId: id = "", Status, RequesterVpcInfo, AccepterVpcInfo } = peering;
  return ec2Resource(TYPE.peering, id, {
    vpcId: RequesterVpcInfo?.VpcId,
    cidrBlockSets: blocksOf(RequesterVpcInfo),
    ipv6CidrBlockSets: ipv6BlocksOf(RequesterVpcInfo),
    peerVpcId: AccepterVpcInfo?.VpcId,
    peerOwnerId: AccepterVpcInfo?.OwnerId,
    peerRegion: AccepterVpcInfo?.Region,
    peerCidrBlockSets: blocksOf(AccepterVpcInfo),
    peerIpv6CidrBlockSets: ipv6BlocksOf(AccepterVpcInfo),
    acceptStatus: Status?.Code,
    tags: tagsOf(peering.Tags),
  });
}

/** EC2 says only the first block where there is no other one. */
function blocksOf({ CidrBlock, CidrBlockSet = [] }: VpcPeeringConnectionVpcInfo = {}): PropertyValue {
  const blocks = [CidrBlock, ...CidrBlockSet.map((block) => block.CidrBlock)];
  return [...new Set(blocks)].flatMap((cidrBlock) => (cidrBlock === undefined ? [] : [{ cidrBlock }]));
}

const ipv6BlocksOf = ({ Ipv6CidrBlockSet = [] }: VpcPeeringConnectionVpcInfo = {}): PropertyValue =>
  Ipv6CidrBlockSet.flatMap(({ Ipv6CidrBlock }) =>
    Ipv6CidrBlock === undefined ? [] : [{ ipv6CidrBlock: Ipv6CidrBlock }],
  );
