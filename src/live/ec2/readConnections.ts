import type {
  Route,
  RouteTable,
  VpcPeeringConnection,
  VpcPeeringConnectionVpcInfo,
  VpnConnection,
  VpnGateway,
} from "@aws-sdk/client-ec2";
import type { PropertyValue, Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import {
  attachmentResources,
  decidesFor,
  ec2Resource,
  gatewayRouteResources,
  gatewaysOfOthers,
  gatewayTableResource,
  isAttached,
  tagsOf,
} from "./transitGateways";
import { pushAll } from "../../collections";
import type { Ec2Api } from "./ec2Api";

/** How a peering relates to the VPCs that are read. */
enum PeeringState {
  /** It connects one of them, or will once the other side accepts our request. */
  Connects = "connects",
  /** Another account requested it; this account has not accepted it. */
  Asked = "asked",
  /** It is gone, was refused, or connects other VPCs. */
  None = "none",
}

const STANDING: Readonly<Record<string, { requester: PeeringState; accepter: PeeringState }>> = {
  active: { requester: PeeringState.Connects, accepter: PeeringState.Connects },
  provisioning: { requester: PeeringState.Connects, accepter: PeeringState.Connects },
  "initiating-request": { requester: PeeringState.Connects, accepter: PeeringState.Asked },
  "pending-acceptance": { requester: PeeringState.Connects, accepter: PeeringState.Asked },
};

/** How a peering relates to the given VPCs. */
function standingOf(
  { Status, RequesterVpcInfo, AccepterVpcInfo }: VpcPeeringConnection,
  vpcs: ReadonlySet<string>,
): PeeringState {
  const standing = STANDING[Status?.Code ?? ""];
  if (!standing) return PeeringState.None;
  if (vpcs.has(RequesterVpcInfo?.VpcId ?? "")) return standing.requester;
  return vpcs.has(AccepterVpcInfo?.VpcId ?? "") ? standing.accepter : PeeringState.None;
}

/** A peering with the blocks of both ends, as the AWS provider shows it: one end may be in another account. */
function peeringResource(peering: VpcPeeringConnection): Resource {
  const { VpcPeeringConnectionId: id = "", Status, RequesterVpcInfo, AccepterVpcInfo } = peering;
  return ec2Resource(TYPE.peering, id, {
    vpcId: RequesterVpcInfo?.VpcId,
    cidrBlockSets: blocksOf(RequesterVpcInfo),
    ipv6CidrBlockSets: ipv6BlocksOf(RequesterVpcInfo),
    peerVpcId: AccepterVpcInfo?.VpcId,
    peerOwnerId: AccepterVpcInfo?.OwnerId,
    peerRegion: AccepterVpcInfo?.Region,
    peerCidrBlockSets: blocksOf(AccepterVpcInfo),
    peerIpv6CidrBlockSets: ipv6BlocksOf(AccepterVpcInfo),
    acceptStatus: Status?.Code,
    tags: tagsOf(peering.Tags),
  });
}

/** EC2 lists a single block only in `CidrBlock`. */
function blocksOf({ CidrBlock, CidrBlockSet = [] }: VpcPeeringConnectionVpcInfo = {}): PropertyValue {
  const blocks = [CidrBlock, ...CidrBlockSet.map((block) => block.CidrBlock)];
  return [...new Set(blocks)].flatMap((cidrBlock) => (cidrBlock === undefined ? [] : [{ cidrBlock }]));
}

const ipv6BlocksOf = ({ Ipv6CidrBlockSet = [] }: VpcPeeringConnectionVpcInfo = {}): PropertyValue =>
  Ipv6CidrBlockSet.flatMap(({ Ipv6CidrBlock }) =>
    Ipv6CidrBlock === undefined ? [] : [{ ipv6CidrBlock: Ipv6CidrBlock }],
  );

/** Reads all items of a kind; an empty list if a permission is missing. */
export type ReadAll = <T>(what: string, read: () => Promise<T[]>) => Promise<T[]>;

/** The connections of VPCs to other networks. */
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
  const standing = (wanted: PeeringState) => peerings.filter((one) => standingOf(one, vpcs) === wanted);
  const transit = await readTransitGateways(api, all, vpcs);
  const gateways = (await all("VPN gateways", api.vpnGateways)).flatMap(vpnGatewayResources);
  const connections = await all("VPN connections", api.vpnConnections);
  const here = new Set([...gateways.map(({ name }) => name), ...transit.gateways]);
  return {
    resources: [
      ...tables.map(routeTableResource),
      ...standing(PeeringState.Connects).map(peeringResource),
      ...transit.resources,
      ...gateways,
      ...connections.flatMap((one) => vpnConnectionResources(one, here)),
    ],
    prefixLists: prefixListIdsOfRoutes(tables),
    notes: [...notAccepted(standing(PeeringState.Asked)), ...transit.notes],
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
    // The search can be incomplete if an endpoint does not support paging.
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
          `transit gateway ${id} shows its routes only to its owner: networks behind it are known only if route tables of the VPCs name them`,
      ),
      ...cut.map(
        (id) =>
          `${id} has more routes than EC2 returns in one answer: networks behind the other routes are not known`,
      ),
    ],
  };
}

const notAccepted = (peerings: readonly VpcPeeringConnection[]): string[] =>
  peerings.length === 0
    ? []
    : [
        `left out, because this account has not accepted the request: peering ${peerings
          .map(({ VpcPeeringConnectionId }) => VpcPeeringConnectionId)
          .join(", ")}`,
      ];

/** A route table with its routes inline, as the AWS provider shows it. */
function routeTableResource(table: RouteTable): Resource {
  const { RouteTableId: id = "", VpcId, Associations = [], Routes } = table;
  const isMain = Associations.some(({ Main }) => Main);
  return ec2Resource(isMain ? TYPE.defaultRouteTable : TYPE.routeTable, id, {
    vpcId: VpcId,
    ...(isMain && { defaultRouteTableId: id }),
    routes: routesOf(Routes).map(routeOf),
    tags: tagsOf(table.Tags),
  });
}

/** Routes whose target is gone lead nowhere, so they are left out. */
const routesOf = (routes: readonly Route[] = []): Route[] =>
  routes.filter(({ State }) => State !== "blackhole");

/** The destination and target properties of an inline route in the provider, and their names in EC2. */
const PROPERTIES = [
  ["cidrBlock", "DestinationCidrBlock"],
  ["ipv6CidrBlock", "DestinationIpv6CidrBlock"],
  ["destinationPrefixListId", "DestinationPrefixListId"],
  ["gatewayId", "GatewayId"],
  ["natGatewayId", "NatGatewayId"],
  ["egressOnlyGatewayId", "EgressOnlyInternetGatewayId"],
  ["networkInterfaceId", "NetworkInterfaceId"],
  ["carrierGatewayId", "CarrierGatewayId"],
  ["localGatewayId", "LocalGatewayId"],
  ["transitGatewayId", "TransitGatewayId"],
  ["vpcPeeringConnectionId", "VpcPeeringConnectionId"],
  ["coreNetworkArn", "CoreNetworkArn"],
] as const satisfies readonly (readonly [string, keyof Route])[];

const routeOf = (route: Route): PropertyValue =>
  Object.fromEntries(
    PROPERTIES.flatMap(([property, name]) => {
      const value = route[name];
      if (value === undefined) return [];
      return [[isThroughEndpoint(route) && property === "gatewayId" ? "vpcEndpointId" : property, value]];
    }),
  );

/** Whether a route leads through a Gateway Load Balancer endpoint. Routes of gateway endpoints have AWS prefix lists instead. */
const isThroughEndpoint = ({ GatewayId = "", DestinationPrefixListId }: Route): boolean =>
  GatewayId.startsWith("vpce-") && DestinationPrefixListId === undefined;

/** The prefix lists that routes to other networks name, without the AWS lists of gateway endpoints, which lead to no network. */
const prefixListIdsOfRoutes = (tables: readonly RouteTable[]): string[] =>
  tables
    .flatMap(({ Routes }) => routesOf(Routes))
    .filter(({ GatewayId = "" }) => !GatewayId.startsWith("vpce-"))
    .flatMap(({ DestinationPrefixListId }) => DestinationPrefixListId ?? []);

/** States of things that are being removed or are gone. */
const GONE: ReadonlySet<string> = new Set(["deleting", "deleted", "detaching", "detached"]);
const isThere = ({ State = "" }: { State?: string | undefined }): boolean => !GONE.has(State);

/** A VPN gateway and its VPC; nothing if no VPC is attached. */
function vpnGatewayResources(gateway: VpnGateway): Resource[] {
  const { VpnGatewayId: id = "", VpcAttachments = [] } = gateway;
  const [attachment] = VpcAttachments.filter(isThere);
  if (!isThere(gateway) || !attachment) return [];
  return [ec2Resource(TYPE.vpnGateway, id, { vpcId: attachment.VpcId, tags: tagsOf(gateway.Tags) })];
}

/** A VPN connection at one of the given gateways, with its static routes as the AWS provider shows them: as separate resources. */
function vpnConnectionResources(connection: VpnConnection, gateways: ReadonlySet<string>): Resource[] {
  const { VpnConnectionId: id = "", VpnGatewayId, TransitGatewayId, Options, Routes = [] } = connection;
  const isHere = [VpnGatewayId, TransitGatewayId].some((gateway) => gateways.has(gateway ?? ""));
  if (!isThere(connection) || !isHere) return [];
  return [
    ec2Resource(TYPE.vpnConnection, id, {
      vpnGatewayId: VpnGatewayId,
      transitGatewayId: TransitGatewayId,
      localIpv4NetworkCidr: Options?.LocalIpv4NetworkCidr,
      localIpv6NetworkCidr: Options?.LocalIpv6NetworkCidr,
      remoteIpv4NetworkCidr: Options?.RemoteIpv4NetworkCidr,
      remoteIpv6NetworkCidr: Options?.RemoteIpv6NetworkCidr,
      tags: tagsOf(connection.Tags),
    }),
    ...Routes.filter(isThere).flatMap(({ DestinationCidrBlock: destination }) =>
      destination === undefined
        ? []
        : [
            ec2Resource(TYPE.vpnConnectionRoute, `${destination}:${id}`, {
              vpnConnectionId: id,
              destinationCidrBlock: destination,
            }),
          ],
    ),
  ];
}
