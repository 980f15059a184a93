import {
  CreateRouteTableCommand,
  DeleteRouteTableCommand,
  DescribeRouteTablesCommand,
  DisassociateRouteTableCommand,
  type Route as Ec2Route,
} from "@aws-sdk/client-ec2";

import { unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { blocks, ipv4Cidr, ipv6Cidr, region, tags, text } from "../properties";
import { required } from "./required";
import {
  createRoute,
  deleteRoute,
  type Destination,
  isImplicit,
  replaceRoute,
  targetNames,
  type TargetName,
  targetOf,
} from "./routes";

export interface InlineRoute extends Partial<Record<TargetName, string>> {
  cidrBlock?: string;
  ipv6CidrBlock?: string;
  destinationPrefixListId?: string;
}

export interface RouteTable {
  vpcId: string;
  routes?: InlineRoute[];
  region?: string;
  tags?: Tags;
  arn?: string;
  ownerId?: string;
}

export const routeTable: Kind<RouteTable> = {
  token: "aws:ec2/routeTable:RouteTable",
  tagged: true,
  properties: {
    vpcId: text({ required: true, replaces: true }),
    // If omitted, route resources manage the table's routes.
    routes: blocks(
      {
        cidrBlock: text({ check: ipv4Cidr }),
        ipv6CidrBlock: text({ check: ipv6Cidr }),
        destinationPrefixListId: text(),
        ...Object.fromEntries(targetNames.map((name) => [name, text()])),
      },
      { computed: true },
    ),
    region,
    tags,
  },
  outputs: ["arn", "ownerId"],

  async create({ ec2, tagSpecifications }, { vpcId }) {
    const { RouteTable } = await ec2.send(
      new CreateRouteTableCommand({ VpcId: vpcId, TagSpecifications: tagSpecifications("route-table") }),
    );
    return required(RouteTable?.RouteTableId, "RouteTableId");
  },

  async read({ ec2, region, account }, id) {
    const found = await unlessGone(() => ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] })));
    const table = found?.RouteTables?.[0];
    if (table === undefined) return undefined;
    const ownerId = table.OwnerId ?? (await account());
    return {
      tags: table.Tags,
      state: {
        vpcId: table.VpcId,
        routes: (table.Routes ?? []).filter((route) => !isImplicit(route)).map(inline),
        ownerId,
        arn: `arn:aws:ec2:${region}:${ownerId}:route-table/${id}`,
      },
    };
  },

  async settle({ ec2 }, id, wanted, actual) {
    if (wanted.routes === undefined) return false;
    const before = new Map((actual.routes ?? []).map((route) => [key(route), route]));
    const after = new Map(wanted.routes.map((route) => [key(route), route]));
    let changed = false;
    for (const [name, route] of before) {
      if (after.has(name)) continue;
      await deleteRoute(ec2, id, destination(route));
      changed = true;
    }
    for (const [name, route] of after) {
      const old = before.get(name);
      if (old && targetNames.every((target) => (old[target] ?? "") === (route[target] ?? ""))) continue;
      await (old ? replaceRoute : createRoute)(ec2, id, {
        ...targets(route),
        destination: destination(route),
      });
      changed = true;
    }
    return changed;
  },

  async remove({ ec2, untilFree }, id) {
    const found = await unlessGone(() => ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] })));
    for (const { Main, RouteTableAssociationId } of found?.RouteTables?.[0]?.Associations ?? []) {
      if (Main) continue;
      await unlessGone(() =>
        ec2.send(new DisassociateRouteTableCommand({ AssociationId: RouteTableAssociationId })),
      );
    }
    await unlessGone(() => untilFree(() => ec2.send(new DeleteRouteTableCommand({ RouteTableId: id }))));
  },
};

const key = (route: InlineRoute) =>
  route.cidrBlock || route.ipv6CidrBlock || route.destinationPrefixListId || "";

const targets = (route: InlineRoute) => Object.fromEntries(targetNames.map((name) => [name, route[name]]));

function destination(route: InlineRoute): Destination {
  if (route.cidrBlock) return { DestinationCidrBlock: route.cidrBlock };
  if (route.ipv6CidrBlock) return { DestinationIpv6CidrBlock: route.ipv6CidrBlock };
  return { DestinationPrefixListId: route.destinationPrefixListId ?? "" };
}

function inline(route: Ec2Route): InlineRoute {
  return {
    cidrBlock: route.DestinationCidrBlock ?? "",
    ipv6CidrBlock: route.DestinationIpv6CidrBlock ?? "",
    destinationPrefixListId: route.DestinationPrefixListId ?? "",
    ...targetOf(route),
  };
}
