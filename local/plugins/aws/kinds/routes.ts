import {
  CreateRouteCommand,
  DeleteRouteCommand,
  type EC2Client,
  ReplaceRouteCommand,
  type Route as Ec2Route,
} from "@aws-sdk/client-ec2";

/** The targets of a route, by their Pulumi and EC2 names, for route resources and routes inline in a table. */
export const TARGETS = {
  carrierGatewayId: "CarrierGatewayId",
  coreNetworkArn: "CoreNetworkArn",
  egressOnlyGatewayId: "EgressOnlyInternetGatewayId",
  gatewayId: "GatewayId",
  localGatewayId: "LocalGatewayId",
  natGatewayId: "NatGatewayId",
  networkInterfaceId: "NetworkInterfaceId",
  transitGatewayId: "TransitGatewayId",
  vpcEndpointId: "VpcEndpointId",
  vpcPeeringConnectionId: "VpcPeeringConnectionId",
} as const;

export type TargetName = keyof typeof TARGETS;
export const targetNames = Object.keys(TARGETS) as TargetName[];

export interface RouteTarget extends Partial<Record<TargetName, string>> {
  destination: Destination;
}
export type Destination =
  | { DestinationCidrBlock: string }
  | { DestinationIpv6CidrBlock: string }
  | { DestinationPrefixListId: string };

/** The target of a route as EC2 reports it. An endpoint is reported as a gateway. */
export function targetOf(route: Ec2Route): Partial<Record<TargetName, string>> {
  const pairs = targetNames
    .filter((name) => name !== "vpcEndpointId")
    .map((name): [string, string | undefined] => [name, route[TARGETS[name]]]);
  const target = Object.fromEntries(pairs.filter(([, value]) => value));
  if (!target.gatewayId?.startsWith("vpce-")) return target;
  const { gatewayId, ...rest } = target;
  return { ...rest, vpcEndpointId: gatewayId };
}

/** Whether EC2 or a gateway endpoint created the route by itself. */
export function isImplicit(route: Ec2Route): boolean {
  return (
    route.GatewayId === "local" ||
    route.Origin === "CreateRouteTable" ||
    route.Origin === "EnableVgwRoutePropagation" ||
    (route.DestinationPrefixListId !== undefined && (route.GatewayId ?? "").startsWith("vpce-"))
  );
}

function request(routeTableId: string, { destination, ...target }: RouteTarget) {
  const targets = targetNames.filter((name) => target[name]).map((name) => [TARGETS[name], target[name]]);
  return {
    RouteTableId: routeTableId,
    ...destination,
    ...(Object.fromEntries(targets) as Record<string, string>),
  };
}

export const createRoute = (ec2: EC2Client, routeTableId: string, route: RouteTarget) =>
  ec2.send(new CreateRouteCommand(request(routeTableId, route)));

export const replaceRoute = (ec2: EC2Client, routeTableId: string, route: RouteTarget) =>
  ec2.send(new ReplaceRouteCommand(request(routeTableId, route)));

export const deleteRoute = (ec2: EC2Client, routeTableId: string, destination: Destination) =>
  ec2.send(new DeleteRouteCommand({ RouteTableId: routeTableId, ...destination }));
