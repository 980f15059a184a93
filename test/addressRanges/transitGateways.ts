import { cidrOverlap } from "../../src/addressRanges/rules/cidrOverlap";
import { UNKNOWN, type Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { hostedCluster, resource, violations, vpc, type Properties } from "../rules/builders";
import { moved, workers } from "./vpcs";

/** The transit gateway, as a program creates it. */
export const gateway = (more: Properties = {}) => resource(TYPE.transitGateway, "tgw", more);
/** Settings of a gateway without default route tables. */
export const off = { defaultRouteTableAssociation: "disable", defaultRouteTablePropagation: "disable" };
export const pods = vpc("pods", "10.132.0.0/16");
export const hub = vpc("hub", "10.99.0.0/16");
/** The dependency of `transitGatewayId` on a gateway. */
export const to = (one: Resource) => ({ transitGatewayId: [one] });
/** An attachment as a first preview shows it: no id is known. */
export const attach = (of: Resource, more: Properties = {}, at: Resource = gateway()) =>
  resource(
    TYPE.transitGatewayAttachment,
    of.name,
    { transitGatewayId: UNKNOWN, vpcId: UNKNOWN, ...more },
    { vpcId: [of], ...to(at) },
  );

/** A route table of the gateway, and an entry in it for the attachment of a VPC. */
export const tableOf = (name: string, more: Properties = {}) =>
  resource(TYPE.transitGatewayRouteTable, name, { transitGatewayId: UNKNOWN, ...more }, to(gateway()));
export const joined = (type: string, of: Resource, name: string, more: Properties = {}) =>
  resource(
    type,
    `${of.name}-${name}`,
    { transitGatewayAttachmentId: UNKNOWN, transitGatewayRouteTableId: UNKNOWN, ...more },
    { transitGatewayAttachmentId: [attach(of)], transitGatewayRouteTableId: [tableOf(name)] },
  );
export const associate = (of: Resource, name: string) => joined(TYPE.transitGatewayAssociation, of, name);
export const propagate = (of: Resource, name: string) => joined(TYPE.transitGatewayPropagation, of, name);
export const routeTo = (of: Resource, name: string, destinationCidrBlock: Properties[string]) =>
  joined(TYPE.transitGatewayRoute, of, name, { destinationCidrBlock });
export const hole = (destinationCidrBlock: string, from: Properties = {}, sources = [tableOf("a")]) =>
  resource(
    TYPE.transitGatewayRoute,
    `hole-${destinationCidrBlock}`,
    { destinationCidrBlock, blackhole: true, transitGatewayRouteTableId: UNKNOWN, ...from },
    { transitGatewayRouteTableId: sources },
  );

/** The networks with which the cluster's networks share addresses. */
export const found = (...more: Resource[]) =>
  violations(cidrOverlap, [hostedCluster(moved), workers, pods, hub, ...more]).map(({ message }) =>
    message.replace(/.* shares addresses with /, ""),
  );
export const CONNECTED = ["VPC pods 10.132.0.0/16"];
export const three = [workers, pods, hub];
export const attached = three.map((one) => attach(one));
/** The VPCs workers, pods and hub have a route table each. */
export const segmented = [
  gateway(off),
  ...attached,
  ...["a", "b", "c"].map((name) => tableOf(name)),
  ...three.map((one, place) => associate(one, "abc"[place]!)),
];
