import type {
  Tag,
  TransitGatewayAttachment,
  TransitGatewayRoute,
  TransitGatewayRouteTable,
} from "@aws-sdk/client-ec2";
import type { PropertyValue, Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { TOLD } from "../../resources/transitGateways";

/** A property that EC2 may leave out. */
type Properties = Readonly<Record<string, PropertyValue | undefined>>;

/** The record of something in EC2, as the AWS provider would show it. */
export function ec2Resource(type: string, id: string, properties: Properties, name = id): Resource {
  const given = Object.entries<PropertyValue | undefined>({ id, ...properties }).filter(
    (entry): entry is [string, PropertyValue] => entry[1] !== undefined,
  );
  return { origin: { live: id }, type, name, properties: Object.fromEntries(given) };
}

/** Tags as the provider has them. */
export const tagsOf = (tags: readonly Tag[] = []): { readonly [key: string]: string } =>
  Object.fromEntries(tags.map(({ Key = "", Value = "" }) => [Key, Value]));

/** States of an attachment by which a VPC is at its gateway, or will be when what was asked for is there. */
const ATTACHED: ReadonlySet<string> = new Set(["available", "modifying", "pending"]);
/** The same, where the owner of the gateway has still to agree: what others ask for is not one of these VPCs' business. */
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
      [TOLD.noTable]: table === undefined && !mayHaveAnyTable(attachment) ? true : undefined,
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

/** Whether the table of an attachment is unknown: only the owner of the gateway is told, and a new one has it to come. */
const mayHaveAnyTable = ({
  TransitGatewayOwnerId,
  ResourceOwnerId,
  State,
}: TransitGatewayAttachment): boolean =>
  TransitGatewayOwnerId !== ResourceOwnerId || State === "pending" || ASKED.has(State ?? "");

/** Whether a route table decides for one of some attachments, or may do so. */
export const decidesFor = (
  { TransitGatewayRouteTableId: id, TransitGatewayId: gateway }: TransitGatewayRouteTable,
  attachments: readonly TransitGatewayAttachment[],
): boolean =>
  attachments.some(
    (one) =>
      one.TransitGatewayId === gateway &&
      (tableOf(one) === id || (tableOf(one) === undefined && mayHaveAnyTable(one))),
  );

/** A route table of a transit gateway, and whether every route of it is told. */
export const gatewayTableResource = (table: TransitGatewayRouteTable, isTold: boolean): Resource =>
  ec2Resource(TYPE.transitGatewayRouteTable, table.TransitGatewayRouteTableId ?? "", {
    transitGatewayId: table.TransitGatewayId,
    [TOLD.everyRoute]: isTold,
    tags: tagsOf(table.Tags),
  });

/** States of the routes by which a table decides. */
export const SEARCHED: readonly string[] = ["active", "blackhole"];

/** The routes of such a table: those that lead somewhere, and the blackholes that take addresses out of them. */
export function gatewayRouteResources(
  { TransitGatewayRouteTableId: table = "" }: TransitGatewayRouteTable,
  routes: readonly TransitGatewayRoute[],
): Resource[] {
  return routes
    .filter(({ State = "active" }) => SEARCHED.includes(State))
    .map(({ DestinationCidrBlock: destination = "", State, TransitGatewayAttachments: [way] = [] }) =>
      ec2Resource(TYPE.transitGatewayRoute, `${table}_${destination}`, {
        transitGatewayRouteTableId: table,
        destinationCidrBlock: destination,
        transitGatewayAttachmentId: way?.TransitGatewayAttachmentId,
        blackhole: State === "blackhole" ? true : undefined,
      }),
    );
}

/** Gateways of other accounts, whose route tables this account may not see. */
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
