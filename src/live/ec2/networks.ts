import type { ManagedPrefixList, PrefixListEntry, Subnet, Vpc } from "@aws-sdk/client-ec2";

import type { Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { ec2Resource, tagsOf } from "./ec2Resource";

/** What AWS calls a block that belongs to a VPC or subnet now. */
const ASSOCIATED = "associated";

/** A VPC, with its further blocks as the AWS provider shows them: resources of their own. */
export function vpcResources(vpc: Vpc): Resource[] {
  const { VpcId: id = "", CidrBlock, CidrBlockAssociationSet = [], Ipv6CidrBlockAssociationSet = [] } = vpc;
  const more = CidrBlockAssociationSet.filter(
    (block) => block.CidrBlock !== CidrBlock && block.CidrBlockState?.State === ASSOCIATED,
  );
  const [ipv6, ...moreIpv6] = Ipv6CidrBlockAssociationSet.filter(
    (block) => block.Ipv6CidrBlockState?.State === ASSOCIATED,
  );
  return [
    ec2Resource(TYPE.vpc, id, {
      cidrBlock: CidrBlock,
      ipv6CidrBlock: ipv6?.Ipv6CidrBlock,
      tags: tagsOf(vpc.Tags),
    }),
    ...more.map(({ AssociationId = "", CidrBlock: cidrBlock }) =>
      ec2Resource(TYPE.ipv4Association, AssociationId, { vpcId: id, cidrBlock }),
    ),
    ...moreIpv6.map(({ AssociationId = "", Ipv6CidrBlock: ipv6CidrBlock }) =>
      ec2Resource(TYPE.ipv6Association, AssociationId, { vpcId: id, ipv6CidrBlock }),
    ),
  ];
}

/** A subnet. */
export function subnetResource(subnet: Subnet): Resource {
  const { SubnetId: id = "", VpcId, CidrBlock, Ipv6CidrBlockAssociationSet = [] } = subnet;
  const ipv6 = Ipv6CidrBlockAssociationSet.find((block) => block.Ipv6CidrBlockState?.State === ASSOCIATED);
  return ec2Resource(TYPE.subnet, id, {
    vpcId: VpcId,
    cidrBlock: CidrBlock,
    ipv6CidrBlock: ipv6?.Ipv6CidrBlock,
    availabilityZone: subnet.AvailabilityZone,
    tags: tagsOf(subnet.Tags),
  });
}

/** A prefix list with its entries. */
export function prefixListResource(list: ManagedPrefixList, entries: readonly PrefixListEntry[]): Resource {
  const { PrefixListId: id = "", PrefixListName: name = id } = list;
  return ec2Resource(
    TYPE.prefixList,
    id,
    {
      name,
      addressFamily: list.AddressFamily,
      maxEntries: list.MaxEntries,
      entries: entries.flatMap(({ Cidr, Description }) =>
        Cidr === undefined
          ? []
          : [{ cidr: Cidr, ...(Description !== undefined && { description: Description }) }],
      ),
      tags: tagsOf(list.Tags),
    },
    name,
  );
}
