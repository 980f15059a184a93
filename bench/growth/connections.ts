import type { FuzzedResource } from "../../local/fuzz/samples";
import { TYPE } from "../../src/resources/resourceTypes";
import { block24, cluster, type Dimension, readBy, resource, upTo } from "./dimension";
import { HOME, resources } from "./parts";

const read = readBy(["check", "report", "pack"], 250);
const on = (title: string, each: (place: number) => readonly FuzzedResource[]): Dimension =>
  read(title, (count) => resources(count, each, cluster(), HOME, GATEWAY, AT_HOME));
const GATEWAY = resource(TYPE.transitGateway, "tgw-1", {});
const attachment = (name: string, transitGatewayId: string, vpcId: string): FuzzedResource =>
  resource(TYPE.transitGatewayAttachment, name, { transitGatewayId, vpcId });
const AT_HOME = attachment("at-home", "tgw-1", "vpc-home");
const vpc = (place: number, cidrBlock = block24(place)): FuzzedResource =>
  resource(TYPE.vpc, `vpc-${place}`, { cidrBlock });
const table = (place: number, vpcId: string, cidrBlock: string): FuzzedResource =>
  resource(TYPE.routeTable, `rtb-${place}`, { vpcId, routes: [{ cidrBlock, transitGatewayId: "tgw-1" }] });
/** A transit gateway route table that an attachment has by itself, or shares. */
const segment = (place: number, name: string, attached: string): FuzzedResource[] => [
  resource(TYPE.transitGatewayRouteTable, name, { transitGatewayId: "tgw-1" }),
  ...[TYPE.transitGatewayAssociation, TYPE.transitGatewayPropagation].map((type, at) =>
    resource(type, `${name}-${at}-${place}`, {
      transitGatewayAttachmentId: attached,
      transitGatewayRouteTableId: name,
    }),
  ),
];
const peering = (place: number): FuzzedResource =>
  resource(TYPE.peering, `pcx-${place}`, { vpcId: "vpc-home", peerVpcId: `vpc-${place}` });

/** How VPCs are connected, in addition to networks.ts. */
export const CONNECTIONS: Readonly<Record<string, Dimension>> = {
  "route-tables": on("route tables of a VPC", (place) => [table(place, "vpc-home", block24(place))]),
  "route-tables-elsewhere": on("VPCs at a transit gateway with a route table each", (place) => [
    vpc(place),
    attachment(`at-${place}`, "tgw-1", `vpc-${place}`),
    table(place, `vpc-${place}`, "10.0.0.0/8"),
  ]),
  "transit-segments": on("VPCs with a route table each at a transit gateway", (place) => [
    vpc(place),
    attachment(`at-${place}`, "tgw-1", `vpc-${place}`),
    ...segment(place, `tgw-rtb-${place}`, `at-${place}`),
  ]),
  "transit-segments-that-overlap": on(
    "VPCs with one block and a route table each at a transit gateway",
    (place) => [
      vpc(place, "10.9.0.0/16"),
      attachment(`at-${place}`, "tgw-1", `vpc-${place}`),
      ...segment(place, `tgw-rtb-${place}`, `at-${place}`),
    ],
  ),
  "routes-into-machines": {
    ...on("", () => []),
    title: "routes into the machine network",
    make: (count) => ({
      resources: [
        cluster(),
        HOME,
        GATEWAY,
        AT_HOME,
        resource(TYPE.routeTable, "rtb-1", {
          vpcId: "vpc-home",
          routes: upTo(count, (place) => ({
            cidrBlock: `10.200.${(place >> 8) & 255}.${place & 255}/32`,
            transitGatewayId: "tgw-1",
          })),
        }),
      ],
    }),
    upTo: 32_000,
  },
  "transit-gateways": on("transit gateways between two VPCs each", (place) => [
    resource(TYPE.transitGateway, `tgw-${place}`, {}),
    vpc(place),
    attachment(`home-${place}`, `tgw-${place}`, "vpc-home"),
    attachment(`at-${place}`, `tgw-${place}`, `vpc-${place}`),
  ]),
  "peering-accepters": on("peerings with an accepter each", (place) => [
    vpc(place),
    peering(place),
    resource(TYPE.peeringAccepter, `accepter-${place}`, {
      vpcPeeringConnectionId: `pcx-${place}`,
      vpcId: `vpc-${place}`,
    }),
  ]),
  "peered-vpcs-that-overlap": on("peered VPCs with one block", (place) => [
    vpc(place, "10.9.0.0/16"),
    peering(place),
  ]),
  "vpn-gateways": on("VPN gateways", (place) => [
    resource(TYPE.vpnGateway, `vgw-${place}`, {}),
    resource(TYPE.vpnGatewayAttachment, `attached-${place}`, {
      vpnGatewayId: `vgw-${place}`,
      vpcId: "vpc-home",
    }),
    resource(TYPE.vpnConnection, `vpn-${place}`, { vpnGatewayId: `vgw-${place}` }),
  ]),
  "vpn-routes": on("routes of a VPN", (place) => [
    ...(place === 0
      ? [
          resource(TYPE.vpnGateway, "vgw-1", { vpcId: "vpc-home" }),
          resource(TYPE.vpnConnection, "vpn-1", { vpnGatewayId: "vgw-1" }),
        ]
      : []),
    resource(TYPE.vpnConnectionRoute, `route-${place}`, {
      vpnConnectionId: "vpn-1",
      destinationCidrBlock: block24(place),
    }),
  ]),
};
