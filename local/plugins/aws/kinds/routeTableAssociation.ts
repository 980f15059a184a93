import {
  AssociateRouteTableCommand,
  DescribeRouteTablesCommand,
  DisassociateRouteTableCommand,
  type RouteTableAssociation as Ec2Association,
} from "@aws-sdk/client-ec2";

import { refusal, unlessGone } from "../awsError";
import type { Call, Kind } from "../kind";
import { region, text } from "../properties";
import { required } from "./required";

export interface RouteTableAssociation {
  routeTableId: string;
  subnetId?: string;
  gatewayId?: string;
  region?: string;
}

export const routeTableAssociation: Kind<RouteTableAssociation> = {
  token: "aws:ec2/routeTableAssociation:RouteTableAssociation",
  properties: {
    // EC2 gives the association a new id when its table changes, so here a change replaces the association.
    routeTableId: text({ required: true, replaces: true }),
    subnetId: text({ replaces: true }),
    gatewayId: text({ replaces: true }),
    region,
  },
  outputs: [],
  // A subnet has only one association.
  deleteBeforeReplace: () => true,
  faults: ({ subnetId, gatewayId }) =>
    (subnetId === undefined) === (gatewayId === undefined)
      ? [{ property: "subnetId", reason: "exactly one of subnetId, gatewayId must be given" }]
      : [],

  markedParent: ({ routeTableId }) => routeTableId,
  async findLost(call, wanted) {
    return (await find(call, { subnet: wanted.subnetId, gateway: wanted.gatewayId }, wanted.routeTableId))
      ?.RouteTableAssociationId;
  },

  async create(call, { routeTableId, subnetId, gatewayId }) {
    // EC2 rejects a second association; its local substitute returns the existing one.
    const existing = await find(call, { subnet: subnetId, gateway: gatewayId });
    if (existing) {
      throw refusal(
        "Resource.AlreadyAssociated",
        `the specified association for route table ${routeTableId} conflicts with an existing association (${existing.RouteTableAssociationId} of ${existing.RouteTableId})`,
      );
    }
    const { AssociationId } = await call.ec2.send(
      new AssociateRouteTableCommand({
        RouteTableId: routeTableId,
        SubnetId: subnetId,
        GatewayId: gatewayId,
      }),
    );
    return required(AssociationId, "AssociationId");
  },

  async read(call, id) {
    const { RouteTables } = await call.ec2.send(
      new DescribeRouteTablesCommand({
        Filters: [{ Name: "association.route-table-association-id", Values: [id] }],
      }),
    );
    const association = RouteTables?.[0]?.Associations?.find(
      ({ RouteTableAssociationId }) => RouteTableAssociationId === id,
    );
    if (association === undefined) return undefined;
    return {
      state: {
        routeTableId: RouteTables?.[0]?.RouteTableId,
        subnetId: association.SubnetId,
        gatewayId: association.GatewayId,
      },
    };
  },

  async remove({ ec2 }, id) {
    await unlessGone(() => ec2.send(new DisassociateRouteTableCommand({ AssociationId: id })));
  },
};

interface Target {
  subnet?: string;
  gateway?: string;
}

async function find(
  { ec2 }: Call,
  { subnet, gateway }: Target,
  routeTableId?: string,
): Promise<Ec2Association | undefined> {
  const filters = subnet ? [{ Name: "association.subnet-id", Values: [subnet] }] : [];
  const { RouteTables } = await ec2.send(
    new DescribeRouteTablesCommand(routeTableId ? { RouteTableIds: [routeTableId] } : { Filters: filters }),
  );
  return RouteTables?.flatMap(({ Associations }) => Associations ?? []).find(
    (association) =>
      (subnet ? association.SubnetId === subnet : association.GatewayId === gateway) && !association.Main,
  );
}
