import { DescribeNetworkAclsCommand } from "@aws-sdk/client-ec2";

import type { Kind } from "../kind";
import { region, text } from "../properties";
import { associationOf, defaultAcl, moveSubnet } from "./aclSubnets";
import { describeAcl } from "./aclEntries";

export interface NetworkAclAssociation {
  networkAclId: string;
  subnetId: string;
  region?: string;
}

export const networkAclAssociation: Kind<NetworkAclAssociation> = {
  token: "aws:ec2/networkAclAssociation:NetworkAclAssociation",
  properties: {
    networkAclId: text({ required: true, replaces: true }),
    subnetId: text({ required: true, replaces: true }),
    region,
  },
  outputs: [],
  // A subnet has one ACL: the deletion of the old association must not undo the new one.
  deleteBeforeReplace: () => true,

  /** Does not move a subnet again that an interrupted create has already moved. */
  async create({ ec2 }, { networkAclId, subnetId }) {
    const current = await associationOf(ec2, subnetId);
    const already = current?.NetworkAclId === networkAclId ? current.NetworkAclAssociationId : undefined;
    return already ?? moveSubnet(ec2, subnetId, networkAclId);
  },

  async read({ ec2 }, id) {
    const filter = { Name: "association.association-id", Values: [id] };
    const { NetworkAcls } = await ec2.send(new DescribeNetworkAclsCommand({ Filters: [filter] }));
    const association = NetworkAcls?.flatMap(({ Associations }) => Associations ?? []).find(
      ({ NetworkAclAssociationId }) => NetworkAclAssociationId === id,
    );
    return (
      association && { state: { networkAclId: association.NetworkAclId, subnetId: association.SubnetId } }
    );
  },

  async remove({ ec2 }, _id, { networkAclId, subnetId }) {
    const current = await associationOf(ec2, subnetId);
    const vpcId = (await describeAcl(ec2, networkAclId))?.VpcId;
    if (current?.NetworkAclId === networkAclId && vpcId)
      await moveSubnet(ec2, subnetId, await defaultAcl(ec2, vpcId));
  },
};
