import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { resource, type Properties } from "../rules/builders";

/** The route tables of an existing transit gateway: every ID is known. */
const OWN_TABLES = { associationDefaultRouteTableId: "rtb-0", propagationDefaultRouteTableId: "rtb-0" };
/** The end of an ID, or unknown. */
type Name = string | number | typeof UNKNOWN;

export const gateway = (more: Properties = {}, name = "1") =>
  resource(TYPE.transitGateway, `tgw-${name}`, { id: `tgw-${name}`, ...OWN_TABLES, ...more });
/** A gateway that assigns attachments no table, and propagates nothing. */
export const off = { defaultRouteTableAssociation: "disable", defaultRouteTablePropagation: "disable" };
export const attach = (name: string, more: Properties = {}) =>
  resource(TYPE.transitGatewayAttachment, `at-${name}`, {
    id: `at-${name}`,
    transitGatewayId: "tgw-1",
    vpcId: `vpc-${name}`,
    ...more,
  });
export const table = (name: string, more: Properties = {}) =>
  resource(TYPE.transitGatewayRouteTable, `rtb-${name}`, {
    id: `rtb-${name}`,
    transitGatewayId: "tgw-1",
    ...more,
  });
export const inTable = (type: string, of: Name, name: Name, more: Properties = {}) =>
  resource(type, `${String(of)} in ${String(name)} ${JSON.stringify(more)}`, {
    transitGatewayAttachmentId: of === UNKNOWN ? UNKNOWN : `at-${String(of)}`,
    transitGatewayRouteTableId: name === UNKNOWN ? UNKNOWN : `rtb-${String(name)}`,
    ...more,
  });
export const associate = (of: Name, name: Name) => inTable(TYPE.transitGatewayAssociation, of, name);
export const propagate = (of: Name, name: Name) => inTable(TYPE.transitGatewayPropagation, of, name);
export const route = (destinationCidrBlock: Name, of: Name, name: Name = 1) =>
  inTable(TYPE.transitGatewayRoute, of, name, { destinationCidrBlock });
export const hole = (destinationCidrBlock: Name, name: Name = 1, blackhole: PropertyValue = true) =>
  resource(TYPE.transitGatewayRoute, `hole ${String(destinationCidrBlock)} ${String(name)}`, {
    destinationCidrBlock,
    blackhole,
    transitGatewayRouteTableId: name === UNKNOWN ? UNKNOWN : `rtb-${String(name)}`,
  });
