import type {
  Tag,
  TransitGatewayAttachment,
  TransitGatewayRoute,
  TransitGatewayRouteTable,
} from "@aws-sdk/client-ec2";
import type { PropertyValue, Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { TOLD } from "../../resources/transitGateways";

/** Properties, some of which EC2 may omit. */
type Properties = Readonly<Record<string, PropertyValue | undefined>>;

/** An EC2 object as the AWS provider would show it. */
export function ec2Resource(type: string, id: string, properties: Properties, name = id): Resource {
  const given = Object.entries<PropertyValue | undefined>({ id, ...properties }).filter(
    (entry): entry is [string, PropertyValue] => entry[1] !== undefined,
  );
  return { origin: { live: id }, type, name, properties: Object.fromEntries(given) };
}

/** Tags in the form of the provider. */
export const tagsOf = (tags: readonly Tag[] = []): { readonly [key: string]: string } =>
  Object.fromEntries(tags.map(({ Key = "", Value = "" }) => [Key, Value]));

/** States of an attachment whose VPC is connected to its gateway, or will be once a requested change completes. */
const ATTACHED: ReadonlySet<string> = new Set(["available", "modifying", "pending"]);
/** States in which the owner of the gateway must still accept. Requests from other VPCs are ignored. */
const ASKED: ReadonlySet<string> = new Set(["initiating", "initiatingRequest", "pendingAcceptance"]);

/** Whether an attachment counts for the VPCs that are read. */
export const isAttached = (
  { State, ResourceId = "" }: TransitGatewayAttachment,
  vpcs: ReadonlySet<string>,
): boolean => ATTACHED.has(State ?? "") || (ASKED.has(State ?? "") && vpcs.has(ResourceId));

/** A VPC's attachment to a transit gateway, and its route table there. */
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

/** Whether an attachment may have a table that is unknown: only the gateway's owner sees it, and a new attachment has none yet. */
const mayHaveAnyTable = ({
  TransitGatewayOwnerId,
  ResourceOwnerId,
  State,
}: TransitGatewayAttachment): boolean =>
  TransitGatewayOwnerId !== ResourceOwnerId || State === "pending" || ASKED.has(State ?? "");

/** Whether a route table routes for one of the attachments, or may do so. */
export const decidesFor = (
  { TransitGatewayRouteTableId: id, TransitGatewayId: gateway }: TransitGatewayRouteTable,
  attachments: readonly TransitGatewayAttachment[],
): boolean =>
  attachments.some(
    (one) =>
      one.TransitGatewayId === gateway &&
      (tableOf(one) === id || (tableOf(one) === undefined && mayHaveAnyTable(one))),
  );

/** A route table of a transit gateway, and whether all its routes were read. */
export const gatewayTableResource = (table: TransitGatewayRouteTable, isTold: boolean): Resource =>
  ec2Resource(TYPE.transitGatewayRouteTable, table.TransitGatewayRouteTableId ?? "", {
    transitGatewayId: table.TransitGatewayId,
    [TOLD.everyRoute]: isTold,
    tags: tagsOf(table.Tags),
  });

/** States of the routes that a route table uses. */
export const SEARCHED: readonly string[] = ["active", "blackhole"];

/** The routes of such a table: those with a target, and the blackholes that exclude addresses from them. */
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
