import type { IpPermission, SecurityGroup } from "@aws-sdk/client-ec2";

import type { PropertyValue, Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { ec2Resource, tagsOf } from "./ec2Resource";

/** A security group with its rules inline, as the AWS provider shows it. */
export function securityGroupResource(group: SecurityGroup): Resource {
  const {
    GroupId: id = "",
    GroupName: name = id,
    Description,
    VpcId,
    IpPermissions,
    IpPermissionsEgress,
  } = group;
  return ec2Resource(
    TYPE.securityGroup,
    id,
    {
      name,
      description: Description,
      vpcId: VpcId,
      ingress: rules(group, IpPermissions),
      egress: rules(group, IpPermissionsEgress),
      tags: tagsOf(group.Tags),
    },
    name,
  );
}

/**
 * One rule for each other end: EC2 has a description with each, which says who wrote the rule, and puts those with the same
 * ports together.
 */
const rules = (group: SecurityGroup, permissions: readonly IpPermission[] = []): PropertyValue =>
  permissions.flatMap((permission) =>
    endsOf(group, permission).map(([end, description]) => ({
      ...trafficOf(permission),
      ...end,
      ...(description !== undefined && { description }),
    })),
  );

type End = readonly [properties: { readonly [key: string]: PropertyValue }, description: string | undefined];

function endsOf(group: SecurityGroup, permission: IpPermission): End[] {
  const { IpRanges = [], Ipv6Ranges = [], PrefixListIds = [], UserIdGroupPairs = [] } = permission;
  return [
    ...IpRanges.map(({ CidrIp = "", Description }): End => [{ cidrBlocks: [CidrIp] }, Description]),
    ...Ipv6Ranges.map(({ CidrIpv6 = "", Description }): End => [{ ipv6CidrBlocks: [CidrIpv6] }, Description]),
    ...PrefixListIds.map(({ PrefixListId = "", Description }): End => [
      { prefixListIds: [PrefixListId] },
      Description,
    ]),
    ...UserIdGroupPairs.map(({ GroupId = "", UserId = group.OwnerId, Description }): End => {
      if (GroupId === group.GroupId) return [{ self: true }, Description];
      // A group of another account, as the provider writes it.
      const foreign = UserId === group.OwnerId ? GroupId : `${UserId}/${GroupId}`;
      return [{ securityGroups: [foreign] }, Description];
    }),
  ];
}

/** EC2 leaves ports out where the protocol is every one. */
function trafficOf({ IpProtocol: protocol = "-1", FromPort, ToPort }: IpPermission) {
  const without = protocol === "-1" ? 0 : -1;
  return { protocol, fromPort: FromPort ?? without, toPort: ToPort ?? without };
}

/** The prefix lists that rules of groups name. */
export const prefixListIdsIn = (groups: readonly SecurityGroup[]): string[] => [
  ...new Set(
    groups
      .flatMap(({ IpPermissions = [], IpPermissionsEgress = [] }) => [
        ...IpPermissions,
        ...IpPermissionsEgress,
      ])
      .flatMap(({ PrefixListIds = [] }) => PrefixListIds.flatMap(({ PrefixListId }) => PrefixListId ?? [])),
  ),
];
