import { UNKNOWN, type Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { ovn, resource, vpc, type Properties } from "../rules/builders";

/** The workers' VPC, and a VPC that may be connected to it. */
export const workers = vpc("workers", "10.0.0.0/16");
export const corporate = vpc("corporate", "100.64.0.0/16");

/** A peering of two VPCs in a stack that was never deployed: no id is known. */
export const peered = (one: Resource, other: Resource): Resource =>
  resource(
    TYPE.peering,
    "peering",
    { vpcId: UNKNOWN, peerVpcId: UNKNOWN },
    { vpcId: [one], peerVpcId: [other] },
  );
/** Attaches a VPC to a transit gateway. */
export const attach = (name: string, of: Resource, gateway: Properties[string] = "tgw-1"): Resource =>
  resource(
    TYPE.transitGatewayAttachment,
    name,
    { id: `attach-${name}`, transitGatewayId: gateway, vpcId: UNKNOWN },
    { vpcId: [of] },
  );

/** The workers' route table, and a route in it. */
export const table = resource(TYPE.routeTable, "workers", { vpcId: UNKNOWN }, { vpcId: [workers] });
export const route = (destinationCidrBlock: string, target: Properties, of = table): Resource =>
  resource(
    TYPE.route,
    "route",
    { routeTableId: UNKNOWN, destinationCidrBlock, ...target },
    { routeTableId: [of] },
  );
export const byPeering: Properties = { vpcPeeringConnectionId: UNKNOWN };

/** Internal subnets of a hosted cluster outside OVN's defaults. */
export const moved = ovn("100.99.0.0/16", "100.69.0.0/16");

/** A VPC with all its blocks. */
export const vpcOf = (name: string, ...[first, ...others]: string[]): Resource[] => [
  resource(TYPE.vpc, name, { ...(first !== undefined && { cidrBlock: first }), id: `vpc-${name}` }),
  ...others.map((cidrBlock, place) =>
    resource(TYPE.ipv4Association, `${name}-${place}`, { cidrBlock, vpcId: `vpc-${name}` }),
  ),
];
/** A peering of two VPCs by their names. */
export const peering = (one: string, other: string): Resource =>
  resource(TYPE.peering, `${one}-${other}`, { vpcId: `vpc-${one}`, peerVpcId: `vpc-${other}` });
