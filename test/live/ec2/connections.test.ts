import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { vpcs } from "../../../src/resources/vpcs";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { cidrOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { hostedCluster, unknowns, violations } from "../../rules/builders";
import { ec2Error, playEc2, type Account } from "./ec2Account";
import { readEc2 } from "../../../src/live/ec2/readEc2";
import { NO_CONFIGURATION } from "../../../src/gate/configuration";

/** The VPC of the workers; the cluster network of every test is 10.132.0.0/14. */
const workers = { VpcId: "vpc-1", CidrBlock: "10.0.0.0/16" };
const mine = { Vpcs: [workers] };
afterEach(() => jest.restoreAllMocks());

const read = async (account: Account, only: readonly string[] = []) => {
  const asked = playEc2({ DescribeVpcs: mine, ...account });
  return { ...(await readEc2({ region: "eu-west-1", vpcs: only }, () => undefined)), asked };
};
/** The networks that share addresses with the cluster network. */
const found = async (account: Account): Promise<string[]> => {
  const { resources } = await read(account);
  return violations(cidrOverlap, [hostedCluster(), ...resources]).map(({ message }) =>
    message.replace("the cluster network 10.132.0.0/14 of clusters/tenant-a shares addresses with ", ""),
  );
};
/** The remote networks that each VPC can reach. */
const remote = async (account: Account): Promise<string[]> => {
  const { resources } = await read(account);
  return new JudgedResources(resources, NO_CONFIGURATION).connections.remote.map(
    ({ vpc, prefix }) => `${vpc} ${prefix.text}`,
  );
};

const peering = (more: object = {}) => ({
  VpcPeeringConnectionId: "pcx-1",
  Status: { Code: "active" },
  RequesterVpcInfo: workers,
  AccepterVpcInfo: {
    VpcId: "vpc-9",
    OwnerId: "222222222222",
    CidrBlock: "192.168.0.0/16",
    CidrBlockSet: [{ CidrBlock: "192.168.0.0/16" }, { CidrBlock: "10.133.0.0/16" }],
    Ipv6CidrBlockSet: [{ Ipv6CidrBlock: "fd09::/56" }],
  },
  ...more,
});
const peerings = (...VpcPeeringConnections: object[]): Account => ({
  DescribeVpcPeeringConnections: { VpcPeeringConnections },
});

describe("peerings of EC2", () => {
  test("add every block of a peer VPC that is not read", async () => {
    expect(await found(peerings(peering()))).toEqual(["VPC vpc-9 10.133.0.0/16"]);
    const apart = { VpcId: "vpc-9", CidrBlock: "192.168.0.0/16" };
    expect(await found(peerings(peering({ AccepterVpcInfo: apart })))).toEqual([]);
  });

  test("list all blocks of a peer VPC, so that it is not taken for the VPC of workers", async () => {
    const elsewhere = { VpcId: "vpc-1", CidrBlock: "10.132.0.0/16" };
    const apart = { VpcId: "vpc-9", CidrBlock: "192.168.0.0/16" };
    const account = {
      DescribeVpcs: { Vpcs: [elsewhere] },
      ...peerings(peering({ RequesterVpcInfo: elsewhere, AccepterVpcInfo: apart })),
    };
    expect(await found(account)).toEqual([]);
  });

  test("add nothing to VPCs that are read", async () => {
    const other = { VpcId: "vpc-9", CidrBlock: "192.168.0.0/16" };
    expect(await found({ DescribeVpcs: { Vpcs: [workers, other] }, ...peerings(peering()) })).toEqual([]);
  });

  test("yield one VPC if two of them name it", async () => {
    const twice = peering({
      VpcPeeringConnectionId: "pcx-2",
      RequesterVpcInfo: { VpcId: "vpc-2", CidrBlock: "10.2.0.0/16" },
    });
    const Vpcs = [workers, { VpcId: "vpc-2", CidrBlock: "10.2.0.0/16" }];
    const { resources } = await read({ DescribeVpcs: { Vpcs }, ...peerings(peering(), twice) });
    const blocks = vpcs(new ResourceIndex(resources)).get("vpc-9")?.blocks;
    expect(blocks?.map(({ prefix }) => prefix.text)).toEqual([
      "192.168.0.0/16",
      "10.133.0.0/16",
      "fd09::/56",
    ]);
  });

  test.each(["deleted", "deleting", "rejected", "expired", "failed"])(
    "are ignored if they are %s",
    async (Code) => {
      const { resources, notes } = await read(peerings(peering({ Status: { Code } })));
      expect([resources.map(({ name }) => name), notes]).toEqual([["vpc-1"], []]);
    },
  );

  test("pending acceptance count if this account requested them, and are noted otherwise", async () => {
    const Status = { Code: "pending-acceptance" };
    expect(await found(peerings(peering({ Status })))).toHaveLength(1);
    const { RequesterVpcInfo, AccepterVpcInfo } = peering();
    const asked = { Status, RequesterVpcInfo: AccepterVpcInfo, AccepterVpcInfo: RequesterVpcInfo };
    expect(await found(peerings(peering(asked)))).toEqual([]);
    expect((await read(peerings(peering(asked)))).notes).toEqual([
      "left out, because this account has not accepted the request: peering pcx-1",
    ]);
  });

  test("between other VPCs, or without VPC information, are left out", async () => {
    const RequesterVpcInfo = { VpcId: "vpc-8" };
    const { resources } = await read(
      peerings(peering({ RequesterVpcInfo }), { VpcPeeringConnectionId: "pcx-3" }),
      ["vpc-1"],
    );
    expect(resources.map(({ name }) => name)).toEqual(["vpc-1"]);
  });

  test("are read page by page", async () => {
    const { asked, resources } = await read({
      DescribeVpcPeeringConnections: [
        { VpcPeeringConnections: [peering()] },
        { VpcPeeringConnections: [peering({ VpcPeeringConnectionId: "pcx-2" })] },
      ],
    });
    expect(resources.map(({ name }) => name)).toEqual(["vpc-1", "pcx-1", "pcx-2"]);
    expect(asked.filter(({ action }) => action === "DescribeVpcPeeringConnections")).toHaveLength(2);
  });
});

const routes = (...Routes: object[]): Account => ({
  DescribeRouteTables: { RouteTables: [{ RouteTableId: "rtb-1", VpcId: "vpc-1", Routes }] },
});

describe("route tables of EC2", () => {
  test("lead to networks behind peerings, gateways and VPNs, but not to other targets", async () => {
    const to = (DestinationCidrBlock: string, more: object) => ({ DestinationCidrBlock, ...more });
    const account = routes(
      to("10.0.0.0/16", { GatewayId: "local" }),
      to("0.0.0.0/0", { NatGatewayId: "nat-1" }),
      to("10.20.0.0/16", { VpcPeeringConnectionId: "pcx-1" }),
      to("10.21.0.0/16", { TransitGatewayId: "tgw-1" }),
      to("10.22.0.0/16", { GatewayId: "vgw-1", Origin: "EnableVgwRoutePropagation" }),
      to("10.23.0.0/16", { GatewayId: "igw-1" }),
      to("10.24.0.0/16", { CoreNetworkArn: "arn:aws:networkmanager::1:core-network/c" }),
      to("10.25.0.0/16", { LocalGatewayId: "lgw-1" }),
      to("10.26.0.0/16", { TransitGatewayId: "tgw-1", State: "blackhole" }),
      to("0.0.0.0/0", { TransitGatewayId: "tgw-1" }),
      to("10.27.0.0/16", { GatewayId: "vpce-1" }),
      to("10.28.0.0/16", { NetworkInterfaceId: "eni-1" }),
      { DestinationIpv6CidrBlock: "fd20::/48", TransitGatewayId: "tgw-1" },
      { DestinationIpv6CidrBlock: "::/0", EgressOnlyInternetGatewayId: "eigw-1" },
      {},
    );
    expect(await remote(account)).toEqual(
      [
        "10.20.0.0/16",
        "10.21.0.0/16",
        "10.22.0.0/16",
        "10.24.0.0/16",
        "10.25.0.0/16",
        "10.27.0.0/16",
        "fd20::/48",
      ].map((cidr) => `vpc-1 ${cidr}`),
    );
  });

  test("with an overlapping destination are reported with their route", async () => {
    expect(await found(routes({ DestinationCidrBlock: "10.134.0.0/16", TransitGatewayId: "tgw-1" }))).toEqual(
      ["the network behind the transit gateway (route rtb-1) 10.134.0.0/16"],
    );
  });

  test("are default route tables if they are the main table, and are read also without a VPC", async () => {
    const { resources } = await read({
      DescribeRouteTables: {
        RouteTables: [{ RouteTableId: "rtb-1", Associations: [{ Main: true }] }, { RouteTableId: "rtb-2" }],
      },
    });
    expect(resources.slice(1).map(({ type }) => type.split(":").at(-1))).toEqual([
      "DefaultRouteTable",
      "RouteTable",
    ]);
  });

  test("with prefix lists lead to every entry, and a list that cannot be read is unknown", async () => {
    const toList = (DestinationPrefixListId: string, more: object) => ({ DestinationPrefixListId, ...more });
    const account = {
      ...routes(
        toList("pl-1", { TransitGatewayId: "tgw-1" }),
        toList("pl-2", { TransitGatewayId: "tgw-1" }),
        toList("pl-3", { GatewayId: "vpce-1" }),
      ),
      DescribeManagedPrefixLists: { PrefixLists: [{ PrefixListId: "pl-1" }] },
      GetManagedPrefixListEntries: { Entries: [{ Cidr: "10.135.0.0/16" }, { Cidr: "192.0.2.0/24" }] },
    };
    expect(await remote(account)).toEqual(["vpc-1 10.135.0.0/16", "vpc-1 192.0.2.0/24"]);
    const { resources, asked } = await read(account);
    expect(unknowns(cidrOverlap, [hostedCluster(), ...resources])).toMatchObject([
      { path: "routes[1].destinationPrefixListId" },
    ]);
    const lists = asked.find(({ action }) => action === "DescribeManagedPrefixLists");
    expect(lists?.input).toMatchObject({ Filters: [{ Values: ["pl-1", "pl-2"] }] });
  });
});

const attachment = (vpc: string, more: object = {}) => ({
  TransitGatewayAttachmentId: `tgw-attach-${vpc}`,
  TransitGatewayId: "tgw-1",
  ResourceId: vpc,
  State: "available",
  ...more,
});
const table = (id: string, gateway = "tgw-1") => ({
  TransitGatewayRouteTableId: id,
  TransitGatewayId: gateway,
});
const transit = (attachments: object[], tables: object[], ...pages: object[][]): Account => ({
  DescribeTransitGatewayAttachments: { TransitGatewayAttachments: attachments },
  DescribeTransitGatewayRouteTables: { TransitGatewayRouteTables: tables },
  SearchTransitGatewayRoutes: pages.map((Routes) => ({ Routes })),
});
const to = (DestinationCidrBlock: string, ...resources: string[]) => ({
  DestinationCidrBlock,
  State: "active",
  TransitGatewayAttachments: resources.map((ResourceId) => ({
    ResourceId,
    TransitGatewayAttachmentId: `tgw-attach-${ResourceId}`,
  })),
});
/** An attachment to a gateway whose owner does not show the route table of the attachment. */
const ofOthers = { TransitGatewayOwnerId: "222222222222", ResourceOwnerId: "111111111111" };
/** VPCs at one transit gateway, with their blocks and route tables, and the routes of these tables. */
const atGateway = (
  at: Readonly<Record<string, { block: string; table?: string; more?: object }>>,
  routesOf: Readonly<Record<string, object[]>>,
): Account => ({
  DescribeVpcs: { Vpcs: Object.entries(at).map(([VpcId, { block }]) => ({ VpcId, CidrBlock: block })) },
  ...transit(
    Object.entries(at).map(([vpc, { table: id, more }]) =>
      attachment(vpc, { ...(id && { Association: { TransitGatewayRouteTableId: id } }), ...more }),
    ),
    Object.keys(routesOf).map((id) => table(id)),
  ),
  SearchTransitGatewayRoutes: ({
    TransitGatewayRouteTableId: id,
  }: {
    TransitGatewayRouteTableId: string;
  }) => ({
    Routes: routesOf[id],
  }),
});
const blackhole = (DestinationCidrBlock: string) => ({ DestinationCidrBlock, State: "blackhole" });

describe("transit gateways of EC2", () => {
  test("connect their VPCs to the destinations of their routes, read page by page", async () => {
    const account = transit(
      [attachment("vpc-1", { Association: { TransitGatewayRouteTableId: "tgw-rtb-1" } })],
      [table("tgw-rtb-1")],
      [to("10.133.0.0/16", "vpn-1"), to("10.0.0.0/16", "vpc-1"), to("0.0.0.0/0", "vpc-7")],
      [
        to("10.30.0.0/16", "vpc-9"),
        { ...to("10.31.0.0/16"), State: "blackhole" },
        { ...to("10.32.0.0/16"), State: "deleted" },
      ],
    );
    expect(await remote(account)).toEqual(["vpc-1 10.133.0.0/16", "vpc-1 10.30.0.0/16"]);
    expect(await found(account)).toEqual([
      "the network behind the transit gateway (route tgw-rtb-1_10.133.0.0/16) 10.133.0.0/16",
    ]);
    const pods = { VpcId: "vpc-2", CidrBlock: "10.132.0.0/16" };
    const both = { DescribeVpcs: { Vpcs: [workers, pods] } };
    const attached = ["vpc-1", "vpc-2"].map((vpc) => attachment(vpc, ofOthers));
    expect(await found({ ...both, ...transit(attached, []) })).toHaveLength(1);
    expect(await found({ ...both, ...transit([attachment("vpc-1")], []) })).toEqual([]);
  });

  test("use for each VPC the route table of its attachment", async () => {
    const with1 = { Association: { TransitGatewayRouteTableId: "tgw-rtb-1" } };
    const { asked } = await read(
      transit(
        [attachment("vpc-1", { ...ofOthers, ...with1 })],
        [table("tgw-rtb-1"), table("tgw-rtb-2"), table("tgw-rtb-3", "tgw-2")],
      ),
    );
    const searched = asked.filter(({ action }) => action === "SearchTransitGatewayRoutes");
    expect(searched.map(({ input }) => input)).toMatchObject([
      {
        TransitGatewayRouteTableId: "tgw-rtb-1",
        Filters: [{ Name: "state", Values: ["active", "blackhole"] }],
      },
    ]);
    const with2 = { Association: { TransitGatewayRouteTableId: "tgw-rtb-2" } };
    const { resources } = await read({
      DescribeVpcs: { Vpcs: [workers, { VpcId: "vpc-2" }] },
      ...transit(
        [attachment("vpc-1", with1), attachment("vpc-2", with2)],
        [table("tgw-rtb-1")],
        [to("10.30.0.0/16")],
      ),
    });
    expect(new JudgedResources(resources, NO_CONFIGURATION).connections.remote.map(({ vpc }) => vpc)).toEqual(
      ["vpc-1"],
    );
  });

  test("lead through an inspection VPC to networks other than its own", async () => {
    const account = atGateway(
      { "vpc-1": { block: "10.0.0.0/16", table: "a" }, "vpc-7": { block: "100.127.0.0/24", table: "b" } },
      { a: [to("10.132.0.0/14", "vpc-7"), to("100.127.0.0/25", "vpc-7")], b: [to("10.0.0.0/16", "vpc-1")] },
    );
    expect(await remote(account)).toEqual(["vpc-1 10.132.0.0/14"]);
    expect(await found(account)).toEqual([
      "the network behind the transit gateway (route a_10.132.0.0/14) 10.132.0.0/14",
    ]);
  });

  /** The workers' VPC, a VPC with the addresses of their pods, and an inspection VPC, each with its own route table. */
  const three = (a: object[], b: object[] = [], c: object[] = []) =>
    atGateway(
      {
        "vpc-1": { block: "10.0.0.0/16", table: "a" },
        "vpc-2": { block: "10.132.0.0/16", table: "b" },
        "vpc-7": { block: "100.127.0.0/24", table: "c" },
      },
      { a: [to("10.0.0.0/16", "vpc-1"), ...a], b: [to("10.132.0.0/16", "vpc-2"), ...b], c },
    );
  const out = to("0.0.0.0/0", "vpc-7");
  const back = [to("10.0.0.0/16", "vpc-1"), to("10.132.0.0/16", "vpc-2")];
  test.each<[string, Account, number]>([
    ["no routes", three([]), 0],
    ["a route to the other VPC", three([to("10.132.0.0/16", "vpc-2")]), 1],
    ["a route from the other VPC", three([], [to("10.0.0.0/16", "vpc-1")]), 1],
    ["a wide route to a VPN", three([to("10.128.0.0/9", "vpn-1")]), 2],
    ["default routes through a VPC that forwards", three([out], [out], back), 1],
    ["default routes through a VPC with a default route to itself", three([out], [out], [out]), 0],
    ["default routes to a VPN", three([to("0.0.0.0/0", "vpn-1")], [to("0.0.0.0/0", "vpn-1")]), 0],
    [
      "default routes with blackholes through a VPC that forwards",
      three([out, blackhole("10.0.0.0/8")], [out, blackhole("10.0.0.0/8")], back),
      0,
    ],
    ["a route through a VPC for other addresses", three([to("10.200.0.0/16", "vpc-7")], [], back), 0],
    [
      "a route through a VPC that forwards, with a wider blackhole",
      three([to("10.132.0.0/15", "vpc-7"), blackhole("10.0.0.0/8")], [], back),
      2,
    ],
    ["a blackhole for other addresses", three([out, blackhole("10.0.0.0/16")], [], back), 1],
    [
      "a blackhole that is wider than the route",
      three([to("10.132.0.0/16", "vpc-2"), blackhole("10.0.0.0/8")]),
      1,
    ],
  ])("connect VPCs only by routes that lead between them: %s", async (_, account, count) => {
    expect(await found(account)).toHaveLength(count);
  });

  test("connect VPCs through a VPC whose route table is unknown", async () => {
    const at = {
      "vpc-1": { block: "10.0.0.0/16", table: "a" },
      "vpc-2": { block: "10.132.0.0/16", table: "b" },
      "vpc-7": { block: "100.127.0.0/24", more: ofOthers },
    };
    expect(await found(atGateway(at, { a: [out], b: [] }))).toHaveLength(1);
    expect(await found(atGateway(at, { a: [], b: [] }))).toEqual([]);
  });

  test("do not connect VPCs at different gateways, or without route tables", async () => {
    const pair = (one: object, other: object) =>
      atGateway(
        { "vpc-1": { block: "10.0.0.0/16", more: one }, "vpc-2": { block: "10.132.0.0/16", more: other } },
        {},
      );
    expect(await found(pair(ofOthers, ofOthers))).toHaveLength(1);
    expect(await found(pair(ofOthers, { ...ofOthers, TransitGatewayId: "tgw-2" }))).toEqual([]);
    expect(await found(pair({}, {}))).toEqual([]);
  });

  test("distinguish VPCs with the same addresses by their route tables", async () => {
    const twins = (c: object[]) =>
      atGateway(
        {
          "vpc-1": { block: "10.0.0.0/16", table: "a" },
          "vpc-2": { block: "10.132.0.0/16", table: "b" },
          "vpc-3": { block: "10.0.0.0/16", table: "c" },
        },
        { a: [to("10.0.0.0/16", "vpc-1")], b: [], c },
      );
    expect(await found(twins([]))).toEqual([]);
    expect(await found(twins([to("10.0.0.0/16", "vpc-3")]))).toEqual([]);
    expect(await found(twins([to("10.0.0.0/16", "vpc-1")]))).not.toEqual([]);
  });

  test.each<[string, object | undefined, number]>([
    ["of this account without a route table", {}, 0],
    ["of this account, with a pending attachment", { State: "pending" }, 1],
    ["of this account, with an attachment pending acceptance", { State: "pendingAcceptance" }, 1],
    ["of another account", ofOthers, 1],
  ])("%s lead nowhere, or anywhere if the route table is unknown", async (_, more, count) => {
    const account = atGateway(
      {
        "vpc-1": { block: "10.0.0.0/16", ...(more && { more }) },
        "vpc-2": { block: "10.2.0.0/16", table: "a" },
      },
      { a: [to("10.133.0.0/16", "vpn-1")] },
    );
    expect(await found(account)).toHaveLength(count);
    const only = atGateway(
      { "vpc-1": { block: "10.0.0.0/16", ...(more && { more }) } },
      { a: [to("10.133.0.0/16")] },
    );
    expect(await found(only)).toHaveLength(count);
  });

  test("connect all VPCs if EC2 does not return every route", async () => {
    const apart = three([]);
    expect(await found(apart)).toEqual([]);
    const cut = { Routes: [], AdditionalRoutesAvailable: true };
    expect(await found({ ...apart, SearchTransitGatewayRoutes: cut })).toEqual(["VPC vpc-2 10.132.0.0/16"]);
  });

  test("with more routes than EC2 returns are noted", async () => {
    const { notes } = await read({
      ...transit([attachment("vpc-1", ofOthers)], [table("tgw-rtb-1"), table("tgw-rtb-2")]),
      SearchTransitGatewayRoutes: { Routes: [], AdditionalRoutesAvailable: true },
    });
    expect(notes).toEqual(
      ["tgw-rtb-1", "tgw-rtb-2"].map(
        (id) =>
          `${id} has more routes than EC2 returns in one answer: networks behind the other routes are not known`,
      ),
    );
    const paged = { Routes: [], AdditionalRoutesAvailable: true };
    const whole = await read({
      ...transit([attachment("vpc-1", ofOthers)], [table("tgw-rtb-1")]),
      SearchTransitGatewayRoutes: [paged, { Routes: [] }],
    });
    expect(whole.notes).toEqual([]);
  });

  test("without permission to read their routes cause one fault, however many tables there are", async () => {
    const { faults, resources } = await read({
      ...transit(
        ["vpc-1", "vpc-2"].map((vpc) =>
          attachment(vpc, { Association: { TransitGatewayRouteTableId: `tgw-rtb-${vpc}` } }),
        ),
        [table("tgw-rtb-vpc-1"), table("tgw-rtb-vpc-2")],
      ),
      SearchTransitGatewayRoutes: ec2Error("UnauthorizedOperation"),
    });
    expect(faults.map(({ message }) => message)).toEqual([
      "the EC2 API of eu-west-1 forbids ec2:SearchTransitGatewayRoutes",
    ]);
    const told = resources.flatMap(({ properties }) => properties.everyRouteIsTold ?? []);
    expect(told).toEqual([false, false]);
  });

  test("of other accounts are noted, because only their owner can see their routes", async () => {
    const { notes } = await read(
      transit([attachment("vpc-1"), attachment("vpc-2")], [table("tgw-rtb-9", "tgw-9")]),
    );
    expect(notes).toEqual([
      expect.stringMatching(/^transit gateway tgw-1 shows its routes only to its owner/),
    ]);
  });

  test.each([
    ["deleted", "vpc-1", 0],
    ["rejected", "vpc-1", 0],
    ["failed", "vpc-1", 0],
    ["pendingAcceptance", "vpc-1", 1],
    ["pendingAcceptance", "vpc-9", 0],
    [undefined, "vpc-1", 0],
  ])("with an attachment that is %s, of %s, add %i resources", async (State, vpc, count) => {
    const { resources } = await read(transit([attachment(vpc, { State })], []));
    expect(resources).toHaveLength(1 + count);
  });
});

describe("VPNs of EC2", () => {
  const gateway = {
    VpnGatewayId: "vgw-1",
    State: "available",
    VpcAttachments: [{ VpcId: "vpc-1", State: "attached" }],
  };
  const connection = (more: object = {}) => ({
    VpnConnectionId: "vpn-1",
    VpnGatewayId: "vgw-1",
    State: "available",
    Routes: [{ DestinationCidrBlock: "10.134.0.0/16", State: "available" }],
    ...more,
  });
  const vpn = (gateways: object[], connections: object[]): Account => ({
    DescribeVpnGateways: { VpnGateways: gateways },
    DescribeVpnConnections: { VpnConnections: connections },
  });

  test("connect the VPC of their gateway to static routes and to the customer's network", async () => {
    const Options = { LocalIpv4NetworkCidr: "10.40.0.0/16", RemoteIpv4NetworkCidr: "10.0.0.0/16" };
    const account = vpn([gateway], [connection({ Options })]);
    expect(await remote(account)).toEqual(["vpc-1 10.40.0.0/16", "vpc-1 10.134.0.0/16"]);
    expect(await found(account)).toEqual([
      "the network behind a VPN (route 10.134.0.0/16:vpn-1) 10.134.0.0/16",
    ]);
  });

  test("may be at a transit gateway", async () => {
    const account = {
      ...vpn([], [connection({ VpnGatewayId: undefined, TransitGatewayId: "tgw-1" })]),
      ...transit([attachment("vpc-1", ofOthers)], []),
    };
    expect(await remote(account)).toEqual(["vpc-1 10.134.0.0/16"]);
  });

  test("at a transit gateway are reached only by its routes if EC2 returns all of them", async () => {
    const account = {
      ...atGateway(
        { "vpc-1": { block: "10.0.0.0/16", table: "a" }, "vpc-2": { block: "10.2.0.0/16", table: "b" } },
        { a: [], b: [to("10.134.0.0/16", "vpn-1")] },
      ),
      ...vpn([], [connection({ VpnGatewayId: undefined, TransitGatewayId: "tgw-1" })]),
    };
    expect(await remote(account)).toEqual(["vpc-2 10.134.0.0/16"]);
    expect(await found(account)).toEqual([]);
  });

  test.each<[string, object, object]>([
    ["a deleted connection", gateway, connection({ State: "deleted" })],
    [
      "a deleted route",
      gateway,
      connection({ Routes: [{ DestinationCidrBlock: "10.134.0.0/16", State: "deleted" }] }),
    ],
    ["a route without destination", gateway, connection({ Routes: [{}] })],
    ["a deleted gateway", { ...gateway, State: "deleted" }, connection()],
    [
      "a detached gateway",
      { ...gateway, VpcAttachments: [{ VpcId: "vpc-1", State: "detached" }] },
      connection(),
    ],
    ["a gateway of no VPC", { VpnGatewayId: "vgw-1" }, connection()],
    ["a connection at another gateway", gateway, connection({ VpnGatewayId: "vgw-2" })],
  ])("lead nowhere with %s", async (_, one, other) => {
    expect(await remote(vpn([one], [other]))).toEqual([]);
  });
});
