import type { VpcPeeringConnection } from "@aws-sdk/client-ec2";

import { pushAll } from "../../pushAll";
import type { Resource } from "../../resources/resource";
import type { Ec2Api } from "./ec2Api";
import { peeringResource, Standing, standingOf } from "./peerings";
import { prefixListIdsOfRoutes, routeTableResource } from "./routeTables";
import {
  attachmentResources,
  decidesFor,
  gatewayRouteResources,
  gatewaysOfOthers,
  gatewayTableResource,
  isAttached,
} from "./transitGateways";
import { vpnConnectionResources, vpnGatewayResources } from "./vpns";

/** Reads all of something; nothing, where a permission is missing. */
export type ReadAll = <T>(what: string, read: () => Promise<T[]>) => Promise<T[]>;

/** How VPCs are connected with other networks. */
export interface ConnectionsRead {
  resources: Resource[];
  /** Prefix lists that routes name. */
  prefixLists: string[];
  notes: string[];
}

/** Route tables, peerings, transit gateways and VPNs of some VPCs. */
export async function readConnections(
  api: Ec2Api,
  all: ReadAll,
  vpcs: ReadonlySet<string>,
): Promise<ConnectionsRead> {
  const tables = await all("route tables", api.routeTables);
  const peerings = await all("peerings", api.peerings);
  const standing = (wanted: Standing) => peerings.filter((one) => standingOf(one, vpcs) === wanted);
  const transit = await readTransitGateways(api, all, vpcs);
  const gateways = (await all("VPN gateways", api.vpnGateways)).flatMap(vpnGatewayResources);
  const connections = await all("VPN connections", api.vpnConnections);
  const here = new Set([...gateways.map(({ name }) => name), ...transit.gateways]);
  return {
    resources: [
      ...tables.map(routeTableResource),
      ...standing(Standing.Connects).map(peeringResource),
      ...transit.resources,
      ...gateways,
      ...connections.flatMap((one) => vpnConnectionResources(one, here)),
    ],
    prefixLists: prefixListIdsOfRoutes(tables),
    notes: [...notAccepted(standing(Standing.Asked)), ...transit.notes],
  };
}

async function readTransitGateways(api: Ec2Api, all: ReadAll, vpcs: ReadonlySet<string>) {
  const attachments = (await all("transit gateway attachments", api.transitGatewayAttachments)).filter(
    (one) => isAttached(one, vpcs),
  );
  const visible = await all("transit gateway route tables", api.transitGatewayRouteTables);
  const resources = attachments.flatMap(attachmentResources);
  const cut: string[] = [];
  for (const table of visible.filter((one) => decidesFor(one, attachments))) {
    const id = table.TransitGatewayRouteTableId ?? "";
    const pages = await all(`routes of ${id}`, () => api.transitGatewayRoutes(id));
    const routes = pages.flatMap(({ Routes = [] }) => Routes);
    // The search has an end of its own, where an endpoint does not know how to go on.
    const isCut = pages.at(-1)?.AdditionalRoutesAvailable === true;
    if (isCut) cut.push(id);
    const isTold = pages.length > 0 && !isCut;
    resources.push(gatewayTableResource(table, isTold));
    pushAll(resources, gatewayRouteResources(table, routes));
  }
  return {
    resources,
    gateways: attachments.flatMap(({ TransitGatewayId }) => TransitGatewayId ?? []),
    notes: [
      ...gatewaysOfOthers(attachments, visible).map(
        (id) =>
          `transit gateway ${id} shows its routes to its owner only: networks behind it are known as far as route tables of the VPCs name them`,
      ),
      ...cut.map(
        (id) => `${id} has more routes than EC2 says at once: networks behind the others are not known`,
      ),
    ],
  };
}

const notAccepted = (peerings: readonly VpcPeeringConnection[]): string[] =>
  peerings.length === 0
    ? []
    : [
        `left out, because nobody here has accepted what others ask for: peering ${peerings
          .map(({ VpcPeeringConnectionId }) => VpcPeeringConnectionId)
          .join(", ")}`,
      ];
