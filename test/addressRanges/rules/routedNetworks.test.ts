import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import {
  hostedCluster,
  networking,
  resource,
  unknowns,
  urnOf,
  violations,
  vpc,
  type Properties,
} from "../../rules/builders";
import { attach, byPeering, corporate, moved, peered, route, table, workers } from "../vpcs";

const peering = peered(workers, corporate);

describe("networks that routes, gateways and VPNs connect to the workers", () => {
  it("a route to a peering connects the destination network", () => {
    const found = violations(cidrReservedOverlap, [
      hostedCluster(),
      workers,
      table,
      route("100.64.0.0/16", byPeering),
    ]);
    expect(found).toMatchObject([
      { path: "destinationCidrBlock", resource: { urn: urnOf(TYPE.route, "route") } },
    ]);
  });

  it.each<[PropertyValue, number]>([
    ["rejected", 0],
    ["failed", 0],
    ["deleted", 0],
    ["pending-acceptance", 1],
    ["active", 1],
    [UNKNOWN, 1],
  ])("a peering that AWS shows as %s connects %d networks", (acceptStatus, count) => {
    const ends: Properties = { vpcId: UNKNOWN, peerVpcId: UNKNOWN };
    const shown: Resource = { ...peering, properties: { ...ends, id: "pcx-1", acceptStatus } };
    const leads = [
      route("100.64.0.0/16", { vpcPeeringConnectionId: "pcx-1" }),
      resource(
        TYPE.route,
        "route",
        { routeTableId: UNKNOWN, destinationCidrBlock: "100.64.0.0/16", ...byPeering },
        { routeTableId: [table], vpcPeeringConnectionId: [peering] },
      ),
    ];
    for (const one of leads)
      expect(violations(cidrReservedOverlap, [hostedCluster(), workers, table, shown, one])).toHaveLength(
        count,
      );
    expect(violations(cidrReservedOverlap, [hostedCluster(), workers, corporate, shown])).toHaveLength(count);
  });

  it("a peering connects the VPC itself, in a stack that was never deployed", () => {
    const unknownIds = [workers, corporate].map((one): Resource => ({
      ...one,
      properties: { ...one.properties, id: UNKNOWN },
    }));
    const resources = [hostedCluster(), ...unknownIds, peering];
    expect(violations(cidrReservedOverlap, resources)).toMatchObject([
      { path: "cidrBlock", resource: { urn: urnOf(TYPE.vpc, "corporate") } },
    ]);
    expect(unknowns(cidrOverlap, resources)).toEqual([]);
  });

  it.each<[string, Properties, number]>([
    ["a transit gateway", { transitGatewayId: "tgw-1" }, 1],
    ["a VPN gateway", { gatewayId: "vgw-1" }, 1],
    ["an internet gateway", { gatewayId: "igw-1" }, 0],
    ["a NAT gateway", { natGatewayId: "nat-1" }, 0],
    ["Cloud WAN", { coreNetworkArn: "arn:aws:networkmanager::1:core-network/c" }, 1],
    ["a carrier gateway", { carrierGatewayId: UNKNOWN }, 1],
    ["a database network", { odbNetworkArn: "arn:aws:odb:us-east-1:1:odb-network/n" }, 1],
    ["the endpoint of a load balancer of appliances", { vpcEndpointId: UNKNOWN }, 1],
    ["the endpoint of a service", { gatewayId: "vpce-1" }, 0],
  ])("a route connects a network through %s only if one can be behind it", (_, target, count) => {
    const resources = [hostedCluster(), workers, table, route("100.64.0.0/10", target)];
    expect(
      violations(cidrReservedOverlap, resources)
        .map(({ witness }) => witness?.split(" ")[0])
        .sort(),
    ).toEqual(count ? ["100.64.0.0", "100.65.0.0", "100.88.0.0"] : []);
  });

  it("routes to a network interface leave unknown whether a network is behind it", () => {
    const to = (block: string) => route(block, { networkInterfaceId: UNKNOWN });
    const seen = (...more: Resource[]) => {
      const resources = [hostedCluster(), workers, table, ...more];
      expect([cidrOverlap, cidrReservedOverlap].flatMap((rule) => violations(rule, resources))).toEqual([]);
      return unknowns(cidrOverlap, resources).map(({ path, message }) => `${path}: ${message}`);
    };
    expect(seen(to("10.133.0.0/16"))).toEqual([
      expect.stringContaining(
        "whether addresses of the cluster network 10.132.0.0/14 of clusters/tenant-a are in use in the network behind the network interface (route",
      ),
    ]);
    expect(seen(to("100.64.3.0/24"))).toHaveLength(1);
    expect(seen(to("10.200.0.0/16"))).toEqual([]);
    expect(seen(to("0.0.0.0/0"))).toEqual([]);
    const elsewhere = vpc("elsewhere", "10.9.0.0/16");
    const other = resource(TYPE.routeTable, "other", { vpcId: UNKNOWN }, { vpcId: [elsewhere] });
    expect(seen(elsewhere, other, route("10.133.0.0/16", { networkInterfaceId: "eni-1" }, other))).toEqual(
      [],
    );
  });

  it("a route wider than the VPC leaves unknown which of its addresses are in use", () => {
    const company = route("10.0.0.0/8", { transitGatewayId: "tgw-1" });
    const resources = [hostedCluster(), workers, table, company];
    expect([cidrOverlap, cidrReservedOverlap].flatMap((rule) => violations(rule, resources))).toEqual([]);
    expect(unknowns(cidrOverlap, resources).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(
        /^destinationCidrBlock: .*10\.132\.0\.0\/14 .* are in use in the network behind the transit gateway .* 10\.0\.0\.0\/8/,
      ),
    ]);
    const [all, one] = ["10.128.0.0/9", "10.132.0.0/14"].map((block) =>
      violations(cidrOverlap, [hostedCluster(), workers, table, route(block, { transitGatewayId: "tgw-1" })]),
    );
    expect([all, one].map((found) => found?.length)).toEqual([1, 1]);
  });

  it("a VPC with only its subnets in the stack has the addresses of those subnets", () => {
    const placed = { vpcId: "vpc-1" };
    const subnet = (cidrBlock: string) => resource(TYPE.subnet, cidrBlock, { ...placed, cidrBlock });
    const own = resource(TYPE.routeTable, "own", { ...placed, id: "rtb-1" });
    const to = (destinationCidrBlock: string) =>
      resource(TYPE.route, "to", { routeTableId: "rtb-1", destinationCidrBlock, transitGatewayId: "tgw-1" });
    const found = (...resources: Resource[]) => violations(cidrOverlap, [hostedCluster(), own, ...resources]);
    const here = [subnet("10.0.1.0/24"), subnet("10.0.2.0/24")];
    expect(found(...here, to("10.0.0.0/8"))).toEqual([]);
    expect(unknowns(cidrOverlap, [hostedCluster(), own, ...here, to("10.0.0.0/8")])).toHaveLength(1);
    expect(found(...here, to("10.132.0.0/16"))).toHaveLength(1);
  });

  it("a route inside the workers' VPC through an appliance connects no other network", () => {
    const inside = vpc("workers", "10.0.0.0/8");
    const cluster = hostedCluster({ ...moved, networking: networking("10.0.0.0/16") });
    const found = (cidr: string) =>
      violations(cidrOverlap, [cluster, inside, table, route(cidr, { vpcEndpointId: "vpce-1" })]);
    expect(found("10.132.7.0/24")).toEqual(found("10.0.7.0/24"));
  });

  it("a destination inside the machine network is no conflict, because machine subnets may be behind it", () => {
    const unseen = resource(TYPE.routeTable, "table", { id: "rtb-1" });
    const to = (destinationCidrBlock: string) =>
      resource(TYPE.route, "route", {
        routeTableId: "rtb-1",
        destinationCidrBlock,
        transitGatewayId: "tgw-1",
      });
    const found = (block: string) =>
      [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
        violations(rule, [hostedCluster(moved), unseen, to(block)]).map(({ path }) => path),
      );
    expect(found("10.0.4.0/24")).toEqual([]);
    expect(found("10.132.4.0/24")).toHaveLength(1);
  });

  it("default routes and routes of other VPCs connect no network", () => {
    const elsewhere = vpc("elsewhere", "10.9.0.0/16");
    const other = resource(TYPE.routeTable, "other", { vpcId: UNKNOWN }, { vpcId: [elsewhere] });
    const resources = [
      hostedCluster(),
      workers,
      elsewhere,
      table,
      other,
      route("0.0.0.0/0", { transitGatewayId: "tgw-1" }),
      route("100.64.0.0/16", byPeering, other),
    ];
    expect(violations(cidrReservedOverlap, resources)).toEqual([]);
  });

  it.each<[string, Properties, Resource[]]>([
    ["by its id", { routeTableId: "rtb-main" }, []],
    ["by the dependency of its id", { routeTableId: UNKNOWN }, [vpc("elsewhere", "10.9.0.0/16")]],
  ])(
    "routes of another VPC's main table connect no network to the workers, recognized %s",
    (_, named, from) => {
      const elsewhere = vpc("elsewhere", "10.9.0.0/16");
      const withMain = {
        ...elsewhere,
        properties: { ...elsewhere.properties, mainRouteTableId: "rtb-main" },
      };
      const main = resource(
        TYPE.route,
        "main",
        { ...named, destinationCidrBlock: "100.64.0.0/16", ...byPeering },
        { routeTableId: from },
      );
      const found = (...more: Resource[]) =>
        violations(cidrReservedOverlap, [hostedCluster(), workers, ...more]);
      expect(found(withMain, main)).toEqual([]);
      const elsewhereKnown = named.routeTableId === UNKNOWN ? { ...main, propertyDependencies: {} } : main;
      expect(found(elsewhere, elsewhereKnown)).toHaveLength(1);
      const takenOver = resource(TYPE.defaultRouteTable, "taken", {
        defaultRouteTableId: "rtb-main",
        vpcId: UNKNOWN,
        routes: [{ cidrBlock: "100.64.0.0/16", transitGatewayId: "tgw-1" }],
      });
      expect(found(withMain, takenOver)).toEqual([]);
      expect(found(elsewhere, takenOver)).toHaveLength(1);
    },
  );

  it("static routes of a VPN connect their networks to the VPC at its gateway", () => {
    const gateway = resource(TYPE.vpnGateway, "vpn", { vpcId: UNKNOWN }, { vpcId: [workers] });
    const connection = resource(
      TYPE.vpnConnection,
      "vpn",
      { vpnGatewayId: UNKNOWN },
      { vpnGatewayId: [gateway] },
    );
    const vpnRoute = resource(
      TYPE.vpnConnectionRoute,
      "vpn",
      { destinationCidrBlock: "100.88.0.0/24", vpnConnectionId: UNKNOWN },
      { vpnConnectionId: [connection] },
    );
    const resources = [hostedCluster(), workers, gateway, connection, vpnRoute];
    expect(violations(cidrReservedOverlap, resources)).toHaveLength(1);
  });

  it("inline routes count like route resources, and prefix lists with each entry", () => {
    const inline = (...routes: Properties[]) =>
      resource(TYPE.routeTable, "workers", { vpcId: UNKNOWN, routes }, { vpcId: [workers] });
    const to = { transitGatewayId: "tgw-1" };
    const direct = inline(
      { cidrBlock: "0.0.0.0/0", natGatewayId: "nat-1" },
      { cidrBlock: "100.64.0.0/16", ...to },
    );
    expect(violations(cidrReservedOverlap, [hostedCluster(), workers, direct])).toMatchObject([
      { path: "routes[1].cidrBlock" },
    ]);
    const byList = inline({ destinationPrefixListId: "pl-1", ...to });
    const list = resource(TYPE.prefixList, "corporate", { id: "pl-1", entries: [{ cidr: "100.64.0.0/16" }] });
    expect(violations(cidrReservedOverlap, [hostedCluster(), workers, byList, list])).toMatchObject([
      { path: "routes[0].destinationPrefixListId" },
    ]);
    expect(unknowns(cidrOverlap, [hostedCluster(), workers, byList])).toMatchObject([
      { path: "routes[0].destinationPrefixListId" },
    ]);
    const beside = resource(
      TYPE.route,
      "route",
      { routeTableId: UNKNOWN, destinationPrefixListId: UNKNOWN, ...to },
      { routeTableId: [table], destinationPrefixListId: [list] },
    );
    expect(violations(cidrReservedOverlap, [hostedCluster(), workers, table, beside, list])).toMatchObject([
      { path: "destinationPrefixListId" },
    ]);
  });

  it("a VPN connects the range of the customer side, not that of the AWS side", () => {
    const gateway = resource(TYPE.vpnGateway, "vpn", { id: "vgw-1", vpcId: UNKNOWN }, { vpcId: [workers] });
    const connection = (ranges: Properties) =>
      resource(TYPE.vpnConnection, "vpn", { vpnGatewayId: "vgw-1", ...ranges });
    const found = (ranges: Properties) =>
      violations(cidrReservedOverlap, [hostedCluster(), workers, gateway, connection(ranges)]);
    expect(found({ localIpv4NetworkCidr: "100.64.0.0/16" })).toMatchObject([
      { path: "localIpv4NetworkCidr" },
    ]);
    expect(found({ localIpv4NetworkCidr: "0.0.0.0/0", remoteIpv4NetworkCidr: "100.64.0.0/16" })).toEqual([]);
  });

  it("a transit gateway route applies to the VPCs that use its table, or may use it", () => {
    const other = vpc("other", "10.9.0.0/16");
    const routes = resource(TYPE.transitGatewayRouteTable, "table", {
      id: "rtb-1",
      transitGatewayId: "tgw-1",
    });
    const corporateRoute = resource(TYPE.transitGatewayRoute, "corporate", {
      destinationCidrBlock: "100.64.0.0/16",
      transitGatewayRouteTableId: "rtb-1",
    });
    const has = (name: string, ofTable: string) =>
      resource(TYPE.transitGatewayAssociation, name, {
        transitGatewayAttachmentId: `attach-${name}`,
        transitGatewayRouteTableId: ofTable,
      });
    const found = (...more: Resource[]) =>
      violations(cidrReservedOverlap, [hostedCluster(), workers, other, corporateRoute, ...more]).length;
    const both = [attach("a", workers), attach("b", other)];
    expect(found()).toBe(1);
    expect(found(routes, ...both)).toBe(1);
    expect(found(routes, ...both, has("a", "rtb-1"))).toBe(1);
    expect(found(routes, ...both, has("a", "rtb-2"))).toBe(0);
    expect(found(routes, attach("a", workers), has("a", "rtb-2"))).toBe(0);
    expect(found(routes, attach("b", other), has("b", "rtb-2"))).toBe(1);
    expect(found(routes, attach("a", workers, "tgw-2"), attach("b", other))).toBe(0);
    expect(found(routes, attach("a", workers, "tgw-2"))).toBe(0);
    const elsewhere = [hostedCluster(), other, corporateRoute, routes, attach("b", other, "tgw-2")];
    expect(violations(cidrReservedOverlap, elsewhere)).toHaveLength(1);
    expect(found(routes, attach("a", workers, "tgw-2"), attach("c", workers))).toBe(1);
    expect(found(attach("a", workers, "tgw-2"), attach("b", other))).toBe(1);
  });

  it("a transit gateway route to a prefix list connects each of its entries", () => {
    const other = vpc("other", "100.64.0.0/16");
    const list = resource(TYPE.prefixList, "list", {
      id: "pl-1",
      entries: [{ cidr: "100.64.0.0/24" }, { cidr: "10.77.0.0/16" }],
    });
    const reference = (more: Properties) =>
      resource(TYPE.transitGatewayListRoute, "corporate", { prefixListId: "pl-1", ...more });
    const seen = (...more: Resource[]) =>
      violations(cidrReservedOverlap, [hostedCluster(), workers, attach("a", workers), ...more]);
    const byVpn = reference({ transitGatewayAttachmentId: "attach-vpn" });
    expect(seen(list, byVpn)).toMatchObject([
      { message: expect.stringContaining("route corporate) 100.64.0.0/24") as string },
    ]);
    expect(seen(list, reference({ blackhole: true }))).toEqual([]);
    expect(seen(byVpn)).toEqual([]);
    expect(unknowns(cidrOverlap, [hostedCluster(), workers, byVpn])).toMatchObject([
      { path: "prefixListId" },
    ]);
    const toOther = reference({ transitGatewayAttachmentId: "attach-b" });
    expect(seen(list, toOther, other, attach("b", other))).toMatchObject([
      { message: expect.stringContaining("VPC other 100.64.0.0/16") as string },
    ]);
  });

  it("a blackhole route of a transit gateway connects nothing", () => {
    const found = (blackhole: Properties[string]) =>
      violations(cidrReservedOverlap, [
        hostedCluster(),
        workers,
        resource(TYPE.transitGatewayRoute, "isolation", { destinationCidrBlock: "100.64.0.0/16", blackhole }),
      ]).length;
    expect([found(null), found(false), found(UNKNOWN)]).toEqual([1, 1, 1]);
    expect([found(true), found("true")]).toEqual([0, 0]);
  });
});
