import { pushAll } from "../../collections";
import type { PropertyValue, Resource } from "../../resources/resource";
import { LiveFault } from "../../cluster/liveCluster";
import { readIfGranted, type LiveReading, type ReadProgress } from "../readObjects";
import { type Ec2Access, Ec2Api } from "./ec2Api";
import { type ReadAll, readConnections } from "./readConnections";
import type {
  IpPermission,
  ManagedPrefixList,
  NetworkAcl,
  NetworkAclEntry,
  PrefixListEntry,
  SecurityGroup,
  Subnet,
  Vpc,
} from "@aws-sdk/client-ec2";
import { TYPE } from "../../resources/resourceTypes";
import { ec2Resource, tagsOf } from "./transitGateways";
import { LIMIT } from "../../requirements/limits";

/**
 * Reads security groups, network ACLs, VPCs, subnets, the connections of VPCs to other networks, and the prefix lists that rules and
 * routes name.
 *
 * @throws LiveFault if EC2 does not answer; missing permissions are reported as faults
 */
export async function readEc2(access: Ec2Access, reading: ReadProgress): Promise<LiveReading> {
  const api = await Ec2Api.open(access);
  const faults: LiveFault[] = [];
  const all: ReadAll = async (what, read) => {
    reading(`${what} of ${api.name}`);
    return (await readIfGranted(faults, read)) ?? [];
  };
  const vpcs = await all("VPCs", api.vpcsThere);
  if (faults.length === 0)
    pushAll(
      faults,
      absent(
        access,
        vpcs.map(({ VpcId }) => VpcId),
        api.name,
      ),
    );
  const subnets = await all("subnets", api.subnets);
  const groups = await all("security groups", api.securityGroups);
  const acls = await all("network ACLs", api.networkAcls);
  const resources: Resource[] = [
    ...vpcs.flatMap(vpcResources),
    ...subnets.map(subnetResource),
    ...groups.map(securityGroupResource),
    ...acls.map(networkAclResource),
  ];
  const connections = await readConnections(api, all, new Set(vpcs.flatMap(({ VpcId }) => VpcId ?? [])));
  pushAll(resources, connections.resources);
  const named = [...new Set([...prefixListIdsIn(groups), ...connections.prefixLists])];
  const lists = named.length === 0 ? [] : await all("prefix lists", () => api.prefixLists(named));
  for (const list of lists) {
    const id = list.PrefixListId ?? "";
    resources.push(prefixListResource(list, await all(`prefix list ${id}`, () => api.prefixListEntries(id))));
  }
  return { name: api.name, runsIn: `ec2/${api.region}`, resources, notes: connections.notes, faults };
}

/** Named VPCs that do not exist: a gate that checked nothing must not report that all is well. */
const absent = (
  { vpcs = [] }: Ec2Access,
  found: readonly (string | undefined)[],
  name: string,
): LiveFault[] =>
  vpcs
    .filter((id) => !found.includes(id))
    .map((id) => new LiveFault(`${name} has no VPC ${id}`, "check --vpc and --region"));

/** AWS's state of a block that currently belongs to a VPC or subnet. */
const ASSOCIATED = "associated";

/** A VPC, with its additional blocks as the AWS provider shows them: as separate resources. */
function vpcResources(vpc: Vpc): Resource[] {
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

function subnetResource(subnet: Subnet): Resource {
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
function prefixListResource(list: ManagedPrefixList, entries: readonly PrefixListEntry[]): Resource {
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

/** A security group with its rules inline, as the AWS provider shows it. */
function securityGroupResource(group: SecurityGroup): Resource {
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

/** One rule for each peer: EC2 has a description for each peer, which tells who wrote the rule, and groups peers with the same ports. */
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

/** EC2 omits ports if the protocol is all protocols. */
function trafficOf({ IpProtocol: protocol = "-1", FromPort, ToPort }: IpPermission) {
  const without = protocol === "-1" ? 0 : -1;
  return { protocol, fromPort: FromPort ?? without, toPort: ToPort ?? without };
}

/** The prefix lists that rules of security groups name. */
const prefixListIdsIn = (groups: readonly SecurityGroup[]): string[] => [
  ...new Set(
    groups
      .flatMap(({ IpPermissions = [], IpPermissionsEgress = [] }) => [
        ...IpPermissions,
        ...IpPermissionsEgress,
      ])
      .flatMap(({ PrefixListIds = [] }) => PrefixListIds.flatMap(({ PrefixListId }) => PrefixListId ?? [])),
  ),
];

/** A network ACL with its rules inline and its associated subnets, as the AWS provider shows it. */
function networkAclResource(acl: NetworkAcl): Resource {
  const { NetworkAclId: id = "", IsDefault: isDefault, VpcId, Entries = [], Associations = [] } = acl;
  // Rules with higher numbers belong to AWS: they deny what no other rule matches, and they cannot be changed. (EC2, NetworkAclEntry)
  const { max } = LIMIT.networkAclRuleNumber;
  const own = Entries.filter(({ RuleNumber = 0 }) => RuleNumber <= max);
  return ec2Resource(isDefault ? TYPE.defaultNetworkAcl : TYPE.networkAcl, id, {
    vpcId: VpcId,
    ...(isDefault && { defaultNetworkAclId: id }),
    subnetIds: Associations.flatMap(({ SubnetId }) => SubnetId ?? []),
    ingress: own.filter(({ Egress }) => !Egress).map(ruleOf),
    egress: own.filter(({ Egress }) => Egress).map(ruleOf),
    tags: tagsOf(acl.Tags),
  });
}

function ruleOf(entry: NetworkAclEntry): PropertyValue {
  const {
    RuleNumber = 0,
    RuleAction,
    Protocol = "-1",
    CidrBlock,
    Ipv6CidrBlock,
    PortRange,
    IcmpTypeCode,
  } = entry;
  return {
    ruleNo: RuleNumber,
    action: RuleAction ?? "deny",
    protocol: Protocol,
    fromPort: PortRange?.From ?? 0,
    toPort: PortRange?.To ?? 0,
    ...(CidrBlock !== undefined && { cidrBlock: CidrBlock }),
    ...(Ipv6CidrBlock !== undefined && { ipv6CidrBlock: Ipv6CidrBlock }),
    ...(IcmpTypeCode && { icmpType: IcmpTypeCode.Type ?? -1, icmpCode: IcmpTypeCode.Code ?? -1 }),
  };
}
