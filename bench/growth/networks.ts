import type { FuzzedResource } from "../../local/fuzz/samples";
import { TYPE } from "../../src/resources/resourceTypes";
import {
  besideCluster,
  block24,
  cluster,
  type Command,
  type Dimension,
  host,
  ON_PLANS,
  resource,
  upTo,
} from "./dimension";

const COMMANDS: readonly Command[] = [...ON_PLANS, "plan", "explain"];

const HOME = resource(TYPE.vpc, "vpc-home", { cidrBlock: "10.200.0.0/16" });
const vpc = (place: number): FuzzedResource =>
  resource(TYPE.vpc, `vpc-${place}`, { cidrBlock: block24(place) });
const vpcs = (count: number): FuzzedResource[] => [cluster(), HOME, ...upTo(count, vpc)];

const GATEWAY = resource(TYPE.transitGateway, "tgw-1", {});
const attachment = (name: string, vpcId: string): FuzzedResource =>
  resource(TYPE.transitGatewayAttachment, `at-${name}`, { transitGatewayId: "tgw-1", vpcId });
/** A route table for one attachment, with a route to another attachment. */
const table = (place: number, to: number): FuzzedResource[] => [
  resource(TYPE.transitGatewayRouteTable, `tgw-rtb-${place}`, { transitGatewayId: "tgw-1" }),
  resource(TYPE.transitGatewayAssociation, `tgw-assoc-${place}`, {
    transitGatewayAttachmentId: `at-${place}`,
    transitGatewayRouteTableId: `tgw-rtb-${place}`,
  }),
  resource(TYPE.transitGatewayRoute, `tgw-route-${place}`, {
    transitGatewayRouteTableId: `tgw-rtb-${place}`,
    transitGatewayAttachmentId: `at-${to}`,
    destinationCidrBlock: block24(to),
  }),
];
const attached = (count: number): FuzzedResource[] => [
  GATEWAY,
  attachment("home", "vpc-home"),
  ...upTo(count, (place) => attachment(`${place}`, `vpc-${place}`)),
];
const ROUTES = resource(TYPE.routeTable, "rtb-home", { vpcId: "vpc-home" });
const route = (place: number): FuzzedResource =>
  resource(TYPE.route, `route-${place}`, {
    routeTableId: "rtb-home",
    destinationCidrBlock: block24(place + (1 << 16)),
    transitGatewayId: "tgw-1",
  });

/** The parts of VPCs, and how VPCs are connected. */
export const NETWORKS: Readonly<Record<string, Dimension>> = {
  vpcs: {
    title: "VPCs",
    from: 2_000,
    commands: COMMANDS,
    explained: "vpc-0",
    make: (count) => ({ resources: vpcs(count) }),
  },
  peerings: {
    title: "VPCs with two peerings each",
    from: 500,
    commands: COMMANDS,
    explained: "vpc-0",
    make: (count) => ({
      resources: [
        ...vpcs(count),
        ...upTo(count, (place) =>
          resource(TYPE.peering, `pcx-${place}`, {
            vpcId: `vpc-${place}`,
            peerVpcId: `vpc-${(place + 1) % count}`,
          }),
        ),
      ],
    }),
  },
  "peerings-of-one": {
    title: "peerings of one VPC",
    from: 500,
    make: (count) => ({
      resources: [
        ...vpcs(count),
        ...upTo(count, (place) =>
          resource(TYPE.peering, `pcx-${place}`, { vpcId: "vpc-home", peerVpcId: `vpc-${place}` }),
        ),
      ],
    }),
  },
  "peerings-from-outside": {
    title: "VPCs that only peerings name",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        HOME,
        ...upTo(count, (place) =>
          resource(TYPE.peering, `pcx-${place}`, {
            vpcId: `vpc-${place}`,
            peerVpcId: `vpc-${place + 1}`,
            peerCidrBlockSets: [{ cidrBlock: block24(place) }],
          }),
        ),
      ],
    }),
  },
  "attached-vpcs": {
    title: "VPCs at one transit gateway",
    from: 250,
    make: (count) => ({ resources: [...vpcs(count), ...attached(count)] }),
  },
  "transit-tables": {
    title: "transit gateway tables and routes",
    from: 250,
    commands: COMMANDS,
    make: (count) => ({
      resources: [
        ...vpcs(count),
        ...attached(count),
        ...upTo(count, (place) => table(place, (place + 1) % count)).flat(),
      ],
    }),
  },
  "transit-routes": {
    title: "routes of one transit gateway table",
    from: 500,
    make: (count) => ({
      resources: [
        ...vpcs(2),
        ...attached(2),
        ...table(0, 1),
        ...upTo(count, (place) =>
          resource(TYPE.transitGatewayRoute, `route-${place}`, {
            transitGatewayRouteTableId: "tgw-rtb-0",
            transitGatewayAttachmentId: "at-1",
            destinationCidrBlock: block24(place),
          }),
        ),
      ],
    }),
  },
  "neighbours-and-routes": {
    title: "neighbours x routes",
    from: 500,
    make: (count) => ({
      resources: [...vpcs(count), ...attached(count), ROUTES, ...upTo(count, route)],
    }),
  },
  routes: {
    title: "routes of a VPC",
    from: 1_000,
    make: (count) => ({ resources: [cluster(), HOME, ROUTES, ...upTo(count, route)] }),
  },
  "inline-routes": {
    title: "routes in one table",
    from: 1_000,
    make: (count) => ({
      resources: [
        cluster(),
        HOME,
        resource(TYPE.routeTable, "rtb-home", {
          vpcId: "vpc-home",
          routes: upTo(count, (place) => ({ cidrBlock: block24(place), transitGatewayId: "tgw-1" })),
        }),
      ],
    }),
  },
  subnets: {
    title: "subnets of a VPC",
    from: 1_000,
    make: (count) => ({
      resources: [
        cluster(),
        HOME,
        ...upTo(count, (place) =>
          resource(TYPE.subnet, `subnet-${place}`, { vpcId: "vpc-home", cidrBlock: host(place) }),
        ),
      ],
    }),
  },
  "unseen-subnets": {
    title: "subnets of VPCs that are elsewhere",
    from: 500,
    make: besideCluster((place) =>
      resource(TYPE.subnet, `subnet-${place}`, { vpcId: `vpc-${place}`, cidrBlock: block24(place) }),
    ),
  },
  "vpc-blocks": {
    title: "blocks of a VPC",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        HOME,
        ...upTo(count, (place) =>
          resource(TYPE.ipv4Association, `block-${place}`, {
            vpcId: "vpc-home",
            cidrBlock: block24(place),
          }),
        ),
      ],
    }),
  },
  "vpc-blocks-peered": {
    title: "blocks of two VPCs with a peering",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        HOME,
        ...vpcs(1).slice(2),
        resource(TYPE.peering, "pcx-1", { vpcId: "vpc-home", peerVpcId: "vpc-0" }),
        ...upTo(count, (place) =>
          resource(TYPE.ipv4Association, `block-${place}`, {
            vpcId: place % 2 === 0 ? "vpc-home" : "vpc-0",
            cidrBlock: block24(place + 1),
          }),
        ),
      ],
    }),
  },
  "vpcs-that-overlap": {
    title: "VPCs with one block at a transit gateway",
    from: 125,
    make: (count) => ({
      resources: [
        cluster(),
        HOME,
        ...upTo(count, (place) => resource(TYPE.vpc, `vpc-${place}`, { cidrBlock: "10.9.0.0/16" })),
        ...attached(count),
      ],
    }),
  },
  vpns: {
    title: "VPNs with a route each",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        HOME,
        resource(TYPE.vpnGateway, "vgw-1", { vpcId: "vpc-home" }),
        ...upTo(count, (place) => [
          resource(TYPE.vpnConnection, `vpn-${place}`, { vpnGatewayId: "vgw-1" }),
          resource(TYPE.vpnConnectionRoute, `vpn-route-${place}`, {
            vpnConnectionId: `vpn-${place}`,
            destinationCidrBlock: block24(place),
          }),
        ]).flat(),
      ],
    }),
  },
};
