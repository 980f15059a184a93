import { cidrOverlap } from "../../src/addressRanges/rules/cidrOverlap";
import { UNKNOWN, type Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { hostedCluster, resource, violations, vpc, type Properties } from "../rules/builders";
import { moved, workers } from "./vpcs";

/** The gateway, as a program makes it. */
export const gateway = (more: Properties = {}) => resource(TYPE.transitGateway, "tgw", more);
/** It has no default route table. */
export const off = { defaultRouteTableAssociation: "disable", defaultRouteTablePropagation: "disable" };
export const pods = vpc("pods", "10.132.0.0/16");
export const hub = vpc("hub", "10.99.0.0/16");
/** Made at a gateway, by the property that says which. */
export const to = (one: Resource) => ({ transitGatewayId: [one] });
/** As a first preview shows them: every id is to come. */
export const attach = (of: Resource, more: Properties = {}, at: Resource = gateway()) =>
  resource(
    TYPE.transitGatewayAttachment,
    of.name,
    { transitGatewayId: UNKNOWN, vpcId: UNKNOWN, ...more },
    { vpcId: [of], ...to(at) },
  );

/** A route table of the gateway, and what stands in it for the attachment of a VPC. */
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

/** With what the networks of the workers' cluster share addresses. */
export const found = (...more: Resource[]) =>
  violations(cidrOverlap, [hostedCluster(moved), workers, pods, hub, ...more]).map(({ message }) =>
    message.replace(/.* shares addresses with /, ""),
  );
export const CONNECTED = ["VPC pods 10.132.0.0/16"];
export const three = [workers, pods, hub];
export const attached = three.map((one) => attach(one));
/** Workers and pods each have their own table, and the hub another. */
export const segmented = [
  gateway(off),
  ...attached,
  ...["a", "b", "c"].map((name) => tableOf(name)),
  ...three.map((one, place) => associate(one, "abc"[place]!)),
];
