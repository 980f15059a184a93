import { keyOf, knownKey, vpcKey } from "./referredKey";
import type { Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { TYPE } from "./resourceTypes";

const GATEWAYS: ReadonlySet<string> = new Set([TYPE.transitGateway]);
const TABLES: ReadonlySet<string> = new Set([TYPE.transitGatewayRouteTable]);
const ATTACHMENTS: ReadonlySet<string> = new Set([TYPE.transitGatewayAttachment]);
const ASSOCIATIONS: ReadonlySet<string> = new Set([TYPE.transitGatewayAssociation]);

/** A VPC at a transit gateway. Every part is undefined where nobody knows it. */
interface Attached {
  vpc: string | undefined;
  gateway: string | undefined;
  /** The route table that decides where its traffic goes. */
  table: string | undefined;
}

/** Whose traffic heeds something at a gateway. */
export interface Heeding {
  /** Keys of the VPCs that do, or may; where there is none, nobody knows who does. */
  vpcs: readonly string[];
  /** Keys of VPCs that do not. */
  butNot: readonly string[];
}

/**
 * Says of a route of a transit gateway which VPCs' traffic heeds it: those whose attachment has its table. Where the stack
 * does not say which table an attachment has, every table of its gateway may be it.
 */
export function heedingRoutes(index: ResourceIndex): (route: Resource) => Heeding {
  const attached = attachedVpcs(index);
  return (route) => {
    const table = knownKey(index, route, "transitGatewayRouteTableId", TABLES);
    const resource = index.referred(route, "transitGatewayRouteTableId", TABLES);
    const gateway =
      typeof resource === "object" ? knownKey(index, resource, "transitGatewayId", GATEWAYS) : undefined;
    const heeds = (one: Attached) => mayBe(one.table, table) && mayBe(one.gateway, gateway);
    const vpcs = vpcsAt(attached.filter(heeds));
    return { vpcs, butNot: vpcsAt(attached.filter((one) => !heeds(one))) };
  };
}

const vpcsAt = (attached: readonly Attached[]): string[] => attached.flatMap(({ vpc }) => vpc ?? []);

const mayBe = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;

function attachedVpcs(index: ResourceIndex): Attached[] {
  const tables = new Map(
    index
      .ofKind(ASSOCIATIONS)
      .map((one) => [
        knownKey(index, one, "transitGatewayAttachmentId", ATTACHMENTS),
        knownKey(index, one, "transitGatewayRouteTableId", TABLES),
      ]),
  );
  return index.ofKind(ATTACHMENTS).map((attachment) => ({
    vpc: vpcKey(index, attachment, "vpcId"),
    gateway: knownKey(index, attachment, "transitGatewayId", GATEWAYS),
    table: tables.get(keyOf(attachment)),
  }));
}
