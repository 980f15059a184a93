import {
  DescribeNetworkAclsCommand,
  type EC2Client,
  type NetworkAclAssociation,
  ReplaceNetworkAclAssociationCommand,
} from "@aws-sdk/client-ec2";

import { refusal } from "../awsError";
import { required } from "./required";

/** The current association of a subnet: it always has exactly one. */
export async function associationOf(
  ec2: EC2Client,
  subnetId: string,
): Promise<NetworkAclAssociation | undefined> {
  const filter = { Name: "association.subnet-id", Values: [subnetId] };
  const { NetworkAcls } = await ec2.send(new DescribeNetworkAclsCommand({ Filters: [filter] }));
  return NetworkAcls?.flatMap(({ Associations }) => Associations ?? []).find(
    (association) => association.SubnetId === subnetId,
  );
}

/** Moves a subnet to another ACL. Returns the id of the new association. */
export async function moveSubnet(ec2: EC2Client, subnetId: string, aclId: string): Promise<string> {
  const current = await associationOf(ec2, subnetId);
  if (current === undefined)
    throw refusal("InvalidSubnetID.NotFound", `the subnet ${subnetId} has no network ACL association`);
  const { NewAssociationId } = await ec2.send(
    new ReplaceNetworkAclAssociationCommand({
      AssociationId: current.NetworkAclAssociationId,
      NetworkAclId: aclId,
    }),
  );
  return required(NewAssociationId, "NewAssociationId");
}

export async function defaultAcl(ec2: EC2Client, vpcId: string): Promise<string> {
  const filters = [
    { Name: "vpc-id", Values: [vpcId] },
    { Name: "default", Values: ["true"] },
  ];
  const { NetworkAcls } = await ec2.send(new DescribeNetworkAclsCommand({ Filters: filters }));
  return required(NetworkAcls?.[0]?.NetworkAclId, "default network ACL");
}
