import type {
  TransitGatewayAttachment,
  TransitGatewayRoute,
  TransitGatewayRouteTable,
} from "@aws-sdk/client-ec2";

import type { Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { ec2Resource, tagsOf } from "./ec2Resource";

/** States of an attachment by which a VPC is at its gateway, or will be when what was asked for is there. */
const ATTACHED: ReadonlySet<string> = new Set(["available", "modifying", "pending"]);
/** The same, where the owner of the gateway has still to agree: what others ask for is none of these VPCs' business. */
const ASKED: ReadonlySet<string> = new Set(["initiating", "initiatingRequest", "pendingAcceptance"]);

/** Whether an attachment takes part, with the VPCs that are read. */
export const isAttached = (
  { State, ResourceId = "" }: TransitGatewayAttachment,
  vpcs: ReadonlySet<string>,
): boolean => ATTACHED.has(State ?? "") || (ASKED.has(State ?? "") && vpcs.has(ResourceId));

/** A VPC at a transit gateway, and the route table that it has there. */
export function attachmentResources(attachment: TransitGatewayAttachment): Resource[] {
  const { TransitGatewayAttachmentId: id = "", TransitGatewayId, ResourceId } = attachment;
  const table = tableOf(attachment);
  return [
    ec2Resource(TYPE.transitGatewayAttachment, id, {
      transitGatewayId: TransitGatewayId,
      vpcId: ResourceId,
      tags: tagsOf(attachment.Tags),
    }),
    ...(table === undefined
      ? []
      : [
          ec2Resource(TYPE.transitGatewayAssociation, `${table}_${id}`, {
            transitGatewayAttachmentId: id,
            transitGatewayRouteTableId: table,
          }),
        ]),
  ];
}

const tableOf = ({ Association }: TransitGatewayAttachment): string | undefined =>
  Association?.TransitGatewayRouteTableId;

/** Whether a route table decides for one of some attachments; the owner of the gateway alone is told which has which. */
export const decidesFor = (
  { TransitGatewayRouteTableId: id, TransitGatewayId: gateway }: TransitGatewayRouteTable,
  attachments: readonly TransitGatewayAttachment[],
): boolean => attachments.some((one) => one.TransitGatewayId === gateway && (tableOf(one) ?? id) === id);

/** A route table of a transit gateway. */
export const gatewayTableResource = (table: TransitGatewayRouteTable): Resource =>
  ec2Resource(TYPE.transitGatewayRouteTable, table.TransitGatewayRouteTableId ?? "", {
    transitGatewayId: table.TransitGatewayId,
    tags: tagsOf(table.Tags),
  });

/** The routes of such a table, without those to VPCs that are read: they say their own blocks. */
export function gatewayRouteResources(
  { TransitGatewayRouteTableId: table = "" }: TransitGatewayRouteTable,
  routes: readonly TransitGatewayRoute[],
  vpcs: ReadonlySet<string>,
): Resource[] {
  return routes
    .filter(({ State = "active" }) => State === "active")
    .filter(({ TransitGatewayAttachments: ways = [] }) => !ways.some((way) => vpcs.has(way.ResourceId ?? "")))
    .map(({ DestinationCidrBlock: destination = "", TransitGatewayAttachments: [way] = [] }) =>
      ec2Resource(TYPE.transitGatewayRoute, `${table}_${destination}`, {
        transitGatewayRouteTableId: table,
        destinationCidrBlock: destination,
        transitGatewayAttachmentId: way?.TransitGatewayAttachmentId,
      }),
    );
}

/** Gateways of other accounts, whose route tables nobody here may see. */
export function gatewaysOfOthers(
  attachments: readonly TransitGatewayAttachment[],
  tables: readonly TransitGatewayRouteTable[],
): string[] {
  const seen = new Set(tables.map(({ TransitGatewayId }) => TransitGatewayId));
  const unseen = attachments.flatMap(({ TransitGatewayId: id }) =>
    id === undefined || seen.has(id) ? [] : [id],
  );
  return [...new Set(unseen)];
}
