import type { Route, RouteTable } from "@aws-sdk/client-ec2";

import type { PropertyValue, Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { ec2Resource, tagsOf } from "./ec2Resource";

/** A route table with its routes inline, as the AWS provider shows it. */
export function routeTableResource(table: RouteTable): Resource {
  const { RouteTableId: id = "", VpcId, Associations = [], Routes } = table;
  const isMain = Associations.some(({ Main }) => Main);
  return ec2Resource(isMain ? TYPE.defaultRouteTable : TYPE.routeTable, id, {
    vpcId: VpcId,
    ...(isMain && { defaultRouteTableId: id }),
    routes: routesOf(Routes).map(routeOf),
    tags: tagsOf(table.Tags),
  });
}

/** What is behind a route whose target is gone: nothing. */
const routesOf = (routes: readonly Route[] = []): Route[] =>
  routes.filter(({ State }) => State !== "blackhole");

/** What the provider calls destinations and targets of an inline route, and what EC2 does. */
const PROPERTIES = [
  ["cidrBlock", "DestinationCidrBlock"],
  ["ipv6CidrBlock", "DestinationIpv6CidrBlock"],
  ["destinationPrefixListId", "DestinationPrefixListId"],
  ["gatewayId", "GatewayId"],
  ["natGatewayId", "NatGatewayId"],
  ["egressOnlyGatewayId", "EgressOnlyInternetGatewayId"],
  ["networkInterfaceId", "NetworkInterfaceId"],
  ["carrierGatewayId", "CarrierGatewayId"],
  ["localGatewayId", "LocalGatewayId"],
  ["transitGatewayId", "TransitGatewayId"],
  ["vpcPeeringConnectionId", "VpcPeeringConnectionId"],
  ["coreNetworkArn", "CoreNetworkArn"],
] as const satisfies readonly (readonly [string, keyof Route])[];

const routeOf = (route: Route): PropertyValue =>
  Object.fromEntries(
    PROPERTIES.flatMap(([property, name]) => {
      const value = route[name];
      return value === undefined ? [] : [[property, value]];
    }),
  );

/** The prefix lists that routes to other networks name; gateway endpoints have lists of AWS, which lead to no network. */
export const prefixListIdsOfRoutes = (tables: readonly RouteTable[]): string[] =>
  tables
    .flatMap(({ Routes }) => routesOf(Routes))
    .filter(({ GatewayId = "" }) => !GatewayId.startsWith("vpce-"))
    .flatMap(({ DestinationPrefixListId }) => DestinationPrefixListId ?? []);
