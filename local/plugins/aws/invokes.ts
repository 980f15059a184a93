import {
  DescribeAvailabilityZonesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  type Filter,
} from "@aws-sdk/client-ec2";

import { refusal } from "./awsError";
import { vpc as vpcKind } from "./kinds/vpc";
import type { Props, Tags } from "./kind";
import type { Session } from "./session";
import { visibleTags } from "./tags";

interface Context {
  session: Session;
  region: string;
}
type Invoke = (args: Props, context: Context) => Promise<Props>;

/** The provider functions of the stand-in, by token. */
const invokes: Record<string, Invoke> = {
  "aws:index/getRegion:getRegion": (args, { region }) => {
    const name = typeof args.name === "string" ? args.name : region;
    return Promise.resolve({
      id: name,
      name,
      region: name,
      endpoint: `ec2.${name}.amazonaws.com`,
      description: name,
    });
  },
  "aws:index/getPartition:getPartition": () =>
    Promise.resolve({
      id: "aws",
      partition: "aws",
      dnsSuffix: "amazonaws.com",
      reverseDnsPrefix: "com.amazonaws",
    }),
  "aws:index/getCallerIdentity:getCallerIdentity": async (_, { session }) => {
    const caller = await session.caller();
    return { id: caller.accountId, ...caller };
  },
  "aws:index/getAvailabilityZones:getAvailabilityZones": getAvailabilityZones,
  "aws:ec2/getVpc:getVpc": getVpc,
  "aws:ec2/getSecurityGroup:getSecurityGroup": async (args, context) => {
    const group = only("security group", await securityGroups(args, context));
    return { ...args, region: context.region, ...group };
  },
  "aws:ec2/getSecurityGroups:getSecurityGroups": async (args, context) => {
    const groups = await securityGroups(args, context);
    return {
      ...args,
      id: context.region,
      region: context.region,
      ids: groups.map(({ id }) => id),
      arns: groups.map(({ arn }) => arn),
      vpcIds: groups.map(({ vpcId }) => vpcId),
      tags: args.tags ?? {},
    };
  },
  "aws:ec2/getSubnets:getSubnets": async (args, { session, region }) => {
    const { Subnets } = await session
      .ec2(region)
      .send(new DescribeSubnetsCommand({ Filters: filtersOf(args, {}) }));
    return {
      ...args,
      id: region,
      region,
      ids: (Subnets ?? []).map(({ SubnetId }) => SubnetId),
      tags: args.tags ?? {},
    };
  },
};

/** Calls a provider function. Undefined if there is no function with that name. */
export async function invoke(session: Session, token: string, args: Props): Promise<Props | undefined> {
  const region = () => session.region(typeof args.region === "string" ? args.region : undefined);
  return invokes[token]?.(args, { session, region: region() });
}

async function getAvailabilityZones(args: Props, { session, region }: Context): Promise<Props> {
  const { AvailabilityZones } = await session.ec2(region).send(
    new DescribeAvailabilityZonesCommand({
      AllAvailabilityZones: args.allAvailabilityZones === true || undefined,
      Filters: filtersOf(args, { state: args.state }),
    }),
  );
  const excluded = [...((args.excludeNames ?? []) as string[]), ...((args.excludeZoneIds ?? []) as string[])];
  const zones = (AvailabilityZones ?? [])
    .filter(({ ZoneName = "", ZoneId = "" }) => !excluded.includes(ZoneName) && !excluded.includes(ZoneId))
    .sort((left, right) => ((left.ZoneName ?? "") < (right.ZoneName ?? "") ? -1 : 1));
  return {
    ...args,
    id: region,
    region,
    names: zones.map(({ ZoneName }) => ZoneName),
    zoneIds: zones.map(({ ZoneId }) => ZoneId),
    groupNames: [...new Set(zones.map(({ GroupName, RegionName }) => GroupName ?? RegionName))],
  };
}

async function getVpc(args: Props, { session, region }: Context): Promise<Props> {
  const wanted = {
    "vpc-id": args.id,
    cidr: args.cidrBlock,
    "dhcp-options-id": args.dhcpOptionsId,
    isDefault: args.default,
    state: args.state,
  };
  const { Vpcs } = await session
    .ec2(region)
    .send(new DescribeVpcsCommand({ Filters: filtersOf(args, wanted) }));
  const found = only("VPC", Vpcs ?? []);
  const id = found.VpcId ?? "";
  const { state } = (await vpcKind.read(session.call("", region, {}), id, {})) ?? { state: {} };
  return {
    ...args,
    ...(state as Props),
    id,
    region,
    default: found.IsDefault ?? false,
    state: found.State,
    tags: visibleTags(found.Tags),
    ipv6CidrBlockAssociations: [],
    cidrBlockAssociations: (found.CidrBlockAssociationSet ?? []).map((association) => ({
      associationId: association.AssociationId,
      cidrBlock: association.CidrBlock,
      state: association.CidrBlockState?.State,
    })),
  };
}

async function securityGroups(args: Props, { session, region }: Context) {
  const wanted = { "group-id": args.id, "group-name": args.name, "vpc-id": args.vpcId };
  const { SecurityGroups } = await session
    .ec2(region)
    .send(new DescribeSecurityGroupsCommand({ Filters: filtersOf(args, wanted) }));
  return (SecurityGroups ?? []).map((group) => ({
    id: group.GroupId,
    name: group.GroupName,
    description: group.Description,
    vpcId: group.VpcId,
    arn: `arn:aws:ec2:${region}:${group.OwnerId}:security-group/${group.GroupId}`,
    tags: visibleTags(group.Tags),
  }));
}

function only<T>(what: string, found: T[]): T {
  const [first, ...others] = found;
  if (first === undefined) throw refusal("NotFound", `no matching ${what} found`);
  if (others.length > 0)
    throw refusal("TooManyResults", `${found.length} ${what}s match: say more to leave one`);
  return first;
}

/** The EC2 filters for the arguments: named properties, tags, and `filters` in EC2's own format. */
function filtersOf(args: Props, named: Props): Filter[] | undefined {
  const byName = Object.entries(named)
    .filter(([, value]) => value !== undefined)
    .map(([Name, value]) => ({ Name, Values: [JSON.stringify(value).replaceAll('"', "")] }));
  const byTag = Object.entries((args.tags ?? {}) as Tags).map(([key, value]) => ({
    Name: `tag:${key}`,
    Values: [value],
  }));
  const own = ((args.filters ?? []) as { name: string; values: string[] }[]).map(({ name, values }) => ({
    Name: name,
    Values: values,
  }));
  const all = [...byName, ...byTag, ...own];
  return all.length > 0 ? all : undefined;
}
