import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { isReached, nameOfVpc, type PlacedRange, vpcs } from "../../src/resources/vpcs";
import { resource, vpc, type Properties } from "../rules/builders";
import { connected } from "./connected";

const rangeText = ({ name, prefix, resource: at, path }: PlacedRange) =>
  `${prefix.text}: ${name}, ${at.name} ${path}`;
const read = (...resources: Resource[]) =>
  [...vpcs(new ResourceIndex(resources)).values()].map(
    ({ key, resource: own, peering, blocks, subnets, unknown }) => ({
      vpc: own?.name ?? key,
      ...(peering && { peering: peering.name }),
      ...(blocks.length > 0 && { blocks: blocks.map(rangeText) }),
      ...(subnets.length > 0 && { subnets: subnets.map(rangeText) }),
      ...(unknown.length > 0 && { unknown: unknown.map(({ resource: at, path }) => `${at.name} ${path}`) }),
    }),
  );
const subnet = (more: Properties) => resource(TYPE.subnet, "private", { vpcId: "vpc-a", ...more });
const more = (properties: Properties, type: string = TYPE.ipv4Association) =>
  resource(type, "second", { vpcId: "vpc-a", ...properties });
const a = vpc("a", "10.0.0.0/16");

describe("a VPC has", () => {
  test.each<[string, Resource[], object[]]>([
    [
      "its blocks of both families",
      [vpc("a", "10.0.0.0/16", { ipv6CidrBlock: "fd00::/56" })],
      [{ vpc: "a", blocks: ["10.0.0.0/16: VPC a, a cidrBlock", "fd00::/56: VPC a, a ipv6CidrBlock"] }],
    ],
    [
      "its associated blocks",
      [a, more({ cidrBlock: "10.1.0.0/16" }), more({ ipv6CidrBlock: "fd00::/56" }, TYPE.ipv6Association)],
      [
        {
          vpc: "a",
          blocks: [
            "10.0.0.0/16: VPC a, a cidrBlock",
            "10.1.0.0/16: VPC a, second cidrBlock",
            "fd00::/56: VPC a, second ipv6CidrBlock",
          ],
        },
      ],
    ],
    [
      "its subnets",
      [a, subnet({ cidrBlock: "10.0.1.0/24", ipv6CidrBlock: "fd00::/64" })],
      [
        {
          vpc: "a",
          blocks: ["10.0.0.0/16: VPC a, a cidrBlock"],
          subnets: [
            "10.0.1.0/24: subnet private, private cidrBlock",
            "fd00::/64: subnet private, private ipv6CidrBlock",
          ],
        },
      ],
    ],
    [
      "its subnets if it is of another stack",
      [subnet({ cidrBlock: "10.0.1.0/24" })],
      [{ vpc: "vpc-a", subnets: ["10.0.1.0/24: subnet private, private cidrBlock"] }],
    ],
    [
      "its associated blocks if it is of another stack",
      [more({ cidrBlock: "10.1.0.0/16" })],
      [{ vpc: "vpc-a", blocks: ["10.1.0.0/16: VPC vpc-a, second cidrBlock"] }],
    ],
    [
      "no ID in its name if the value does not look like an ID",
      [more({ cidrBlock: "10.1.0.0/16", vpcId: "my secret" })],
      [{ vpc: "my secret", blocks: ["10.1.0.0/16: VPC elsewhere, second cidrBlock"] }],
    ],
    [
      "no subnet whose VPC is unknown",
      [a, subnet({ vpcId: UNKNOWN, cidrBlock: "10.0.1.0/24" })],
      [{ vpc: "a", blocks: ["10.0.0.0/16: VPC a, a cidrBlock"] }],
    ],
    ["no block that is not a CIDR block", [vpc("a", "10.0.0.0")], [{ vpc: "a" }]],
  ])("%s", (_, resources, expected) => {
    expect(read(...resources)).toEqual(expected);
  });

  test.each<[string, Resource, string[]]>([
    ["an unknown block", vpc("a", UNKNOWN), ["a cidrBlock"]],
    ["a block from a pool", vpc("a", null, { ipv4IpamPoolId: "pool" }), ["a cidrBlock"]],
    ["a block from an unknown pool", vpc("a", null, { ipv4IpamPoolId: UNKNOWN }), ["a cidrBlock"]],
    ["not a known block from a pool", vpc("a", "10.0.0.0/16", { ipv4IpamPoolId: "pool" }), []],
    [
      "an IPv6 block that AWS assigns",
      vpc("a", null, { assignGeneratedIpv6CidrBlock: true }),
      ["a ipv6CidrBlock"],
    ],
    [
      "not an IPv6 block that AWS does not assign",
      vpc("a", null, { assignGeneratedIpv6CidrBlock: "false" }),
      [],
    ],
    ["not an unknown IPv6 block that is not requested", vpc("a", null, { ipv6CidrBlock: UNKNOWN }), []],
    ["an IPv6 block from an IPAM pool", vpc("a", null, { ipv6IpamPoolId: "pool" }), ["a ipv6CidrBlock"]],
    ["an IPv6 block from the user's own pool", vpc("a", null, { ipv6Pool: "pool" }), ["a ipv6CidrBlock"]],
    [
      "not a known IPv6 block",
      vpc("a", null, { ipv6CidrBlock: "fd00::/56", assignGeneratedIpv6CidrBlock: true }),
      [],
    ],
    ["an associated block", more({ ipv4IpamPoolId: "pool" }), ["second cidrBlock"]],
  ])("blocks that are chosen later: %s", (_, one, unknown) => {
    const found = [...vpcs(new ResourceIndex([one])).values()].flatMap((each) => each.unknown);
    expect(found.map(({ resource: { name }, path }) => `${name} ${path}`)).toEqual(unknown);
  });

  const peering = (name: string, properties: Properties) =>
    resource(TYPE.peering, name, { vpcId: "vpc-a", peerVpcId: "vpc-b", ...properties });
  const sets = {
    cidrBlockSets: [{ cidrBlock: "10.5.0.0/16" }],
    peerCidrBlockSets: [{ cidrBlock: "10.1.0.0/16" }, { cidrBlock: "10.2.0.0/16" }],
    peerIpv6CidrBlockSets: [{ ipv6CidrBlock: "fd00::/56" }],
  };

  test("blocks that a peering states, if the VPC itself is not in the input", () => {
    const b = {
      vpc: "vpc-b",
      peering: "one",
      blocks: [
        "10.1.0.0/16: VPC vpc-b, one peerCidrBlockSets[0].cidrBlock",
        "10.2.0.0/16: VPC vpc-b, one peerCidrBlockSets[1].cidrBlock",
        "fd00::/56: VPC vpc-b, one peerIpv6CidrBlockSets[0].ipv6CidrBlock",
      ],
    };
    const own = { vpc: "a", blocks: ["10.0.0.0/16: VPC a, a cidrBlock"] };
    expect(read(a, peering("one", sets))).toEqual([own, b]);
    // Another peering states the same.
    expect(read(a, peering("one", sets), peering("two", sets))).toEqual([own, b]);
    expect(read(a, peering("none", {}), peering("one", sets))).toEqual([own, b]);
    expect(read(peering("one", { ...sets, peerVpcId: UNKNOWN }))).toEqual([
      { vpc: "vpc-a", peering: "one", blocks: ["10.5.0.0/16: VPC vpc-a, one cidrBlockSets[0].cidrBlock"] },
    ]);
    expect(read(a, peering("none", {}))).toEqual([own, { vpc: "vpc-b" }]);
  });
});

test("a VPC is shown by its name or ID, or as elsewhere if the value may be a misplaced secret", () => {
  const index = new ResourceIndex([a]);
  expect([a.origin.urn!, "vpc-0a1", "a vpc-0a1", "vpc-0a1 b"].map((key) => nameOfVpc(index, key))).toEqual([
    "VPC a",
    "VPC vpc-0a1",
    "VPC elsewhere",
    "VPC elsewhere",
  ]);
});

test("a range is reachable from its VPC, or from any VPC but the excluded ones", () => {
  const range = { name: "", prefix: undefined as never, resource: a, path: "" };
  expect(isReached({ ...range, vpc: "a" }, ["b", "a"])).toBe(true);
  expect(isReached({ ...range, vpc: "a" }, ["b"])).toBe(false);
  expect(isReached(range, [])).toBe(true);
  expect(isReached(range, ["a"])).toBe(true);
  expect(isReached({ ...range, butNot: ["a"] }, ["a"])).toBe(false);
  expect(isReached({ ...range, butNot: ["a"] }, ["a", "b"])).toBe(true);
});

describe("a route leads to", () => {
  const table = (more: Properties = {}, type: string = TYPE.routeTable) =>
    resource(type, "table", { id: "rtb-1", vpcId: "vpc-a", ...more });
  const route = (properties: Properties, from: Record<string, Resource[]> = {}) =>
    resource(
      TYPE.route,
      "out",
      { routeTableId: "rtb-1", destinationCidrBlock: "192.168.0.0/16", ...properties },
      from,
    );
  const seen = (...resources: Resource[]) => {
    const { remote, doubtful, unknown } = connected(...resources);
    return [
      ...remote,
      ...doubtful.map((text) => `perhaps ${text}`),
      ...unknown.map((text) => `unknown ${text}`),
    ];
  };

  test.each<[Properties, string | undefined]>([
    [{ vpcPeeringConnectionId: "pcx-1" }, "the peering"],
    [{ vpcPeeringConnectionId: UNKNOWN }, "the peering"],
    [{ transitGatewayId: "tgw-1" }, "the transit gateway"],
    [{ coreNetworkArn: "arn" }, "the core network"],
    [{ localGatewayId: "lgw-1" }, "the local gateway"],
    [{ carrierGatewayId: "cagw-1" }, "the carrier gateway"],
    [{ odbNetworkArn: "arn" }, "the database network"],
    [{ vpcEndpointId: "vpce-1" }, "the VPC endpoint"],
    [{ gatewayId: "vgw-1" }, "the VPN gateway"],
    [{ gatewayId: "igw-1" }, undefined],
    [{ gatewayId: "x-vgw-1" }, undefined],
    [{ gatewayId: UNKNOWN }, undefined],
    [{ natGatewayId: "nat-1" }, undefined],
    [{ transitGatewayId: "" }, undefined],
    [{}, undefined],
  ])("%j: the network behind %s", (target, called) => {
    const text = `a to 192.168.0.0/16: the network behind ${called} (route`;
    expect(seen(a, table(), route(target))).toEqual(called ? [`${text} out), out destinationCidrBlock`] : []);
    const inline = table({ routes: [{ cidrBlock: "192.168.0.0/16", ...target }] });
    expect(seen(a, inline)).toEqual(called ? [`${text} table), table routes[0].cidrBlock`] : []);
  });

  test("possibly a network behind a network interface", () => {
    expect(seen(a, table(), route({ networkInterfaceId: "eni-1" }))).toEqual([
      "perhaps a to 192.168.0.0/16: the network behind the network interface (route out), out destinationCidrBlock",
    ]);
  });

  test("a network behind a VPN gateway that is yet to be created, but not behind an internet gateway", () => {
    const made = (type: string) => resource(type, "gateway", {});
    const internet = "aws:ec2/internetGateway:InternetGateway";
    const counts = [TYPE.vpnGateway, internet].map((type) => {
      const from = [made(type)];
      const inline = {
        ...table({ routes: [{ cidrBlock: "192.168.0.0/16", gatewayId: UNKNOWN }] }),
        propertyDependencies: { routes: [from[0]!.origin.urn!] },
      };
      return [
        seen(a, table(), ...from, route({ gatewayId: UNKNOWN }, { gatewayId: from })).length,
        seen(a, ...from, inline).length,
      ];
    });
    expect(counts).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  test.each<[string, PropertyValue, number]>([
    ["pending-acceptance", "pending-acceptance", 1],
    ["active", "active", 1],
    ["not known", UNKNOWN, 1],
    ["expired", "expired", 0],
    ["deleting", "deleting", 0],
  ])("a peering that is %s: %s", (_, acceptStatus, count) => {
    const peering = resource(TYPE.peering, "p", { id: "pcx-1", acceptStatus });
    const made: Resource = { ...peering, properties: { acceptStatus } };
    const byId = { vpcPeeringConnectionId: "pcx-1" };
    const cidrBlock = "192.168.0.0/16";
    expect(seen(a, table(), peering, route(byId))).toHaveLength(count);
    expect(seen(a, peering, table({ routes: [{ cidrBlock, ...byId }] }))).toHaveLength(count);
    const unknown: Properties = { vpcPeeringConnectionId: UNKNOWN };
    expect(seen(a, table(), made, route(unknown, { vpcPeeringConnectionId: [made] }))).toHaveLength(count);
    const inline = {
      ...table({ routes: [{ cidrBlock, ...unknown }] }),
      propertyDependencies: { routes: [made.origin.urn!] },
    };
    expect(seen(a, made, inline)).toHaveLength(count);
  });

  const to = { transitGatewayId: "tgw-1" };
  const THERE =
    "192.168.0.0/16: the network behind the transit gateway (route out), out destinationCidrBlock";
  test.each<[string, Resource[], string[]]>([
    ["a network for the VPC of its table", [a, table(), route(to)], [`a to ${THERE}`]],
    [
      "a network for the VPC of a default table",
      [a, table({}, TYPE.defaultRouteTable), route(to)],
      [`a to ${THERE}`],
    ],
    ["a network for a VPC of another stack", [table(), route(to)], [`vpc-a to ${THERE}`]],
    ["a network for any VPC if its table is not in the input", [a, route(to)], [`any to ${THERE}`]],
    [
      "a network for the VPC with that main table",
      [vpc("a", "10.0.0.0/16", { mainRouteTableId: "rtb-1" }), route(to)],
      [`a to ${THERE}`],
    ],
    [
      "a network for the VPC with that default table",
      [vpc("a", "10.0.0.0/16", { defaultRouteTableId: "rtb-1" }), route(to)],
      [`a to ${THERE}`],
    ],
    [
      "a network for the VPC whose default table the program manages",
      [
        vpc("a", "10.0.0.0/16", { defaultRouteTableId: "rtb-0" }),
        table({ vpcId: UNKNOWN, defaultRouteTableId: "rtb-0" }, TYPE.defaultRouteTable),
        route(to),
      ],
      [`a to ${THERE}`],
    ],
    [
      "no network if it is a default route",
      [a, table(), route({ ...to, destinationCidrBlock: "0.0.0.0/0" })],
      [],
    ],
    [
      "no network if its destination is within the VPC",
      [a, table(), route({ ...to, destinationCidrBlock: "10.0.7.0/24" })],
      [],
    ],
    [
      "possibly a network if its destination is larger than the VPC",
      [a, table(), route({ ...to, destinationCidrBlock: "10.0.0.0/8" })],
      [
        "perhaps a to 10.0.0.0/8: the network behind the transit gateway (route out), out destinationCidrBlock",
      ],
    ],
    [
      "possibly a network if its destination is larger than the known subnets",
      [
        subnet({ cidrBlock: "10.0.1.0/24" }),
        { ...subnet({ cidrBlock: "10.0.2.0/24" }), name: "other" },
        table(),
        route({ ...to, destinationCidrBlock: "10.0.0.0/22" }),
        { ...route({ ...to, destinationCidrBlock: "10.0.2.0/23" }), name: "half" },
      ],
      [
        "vpc-a to 10.0.2.0/23: the network behind the transit gateway (route half), half destinationCidrBlock",
        "perhaps vpc-a to 10.0.0.0/22: the network behind the transit gateway (route out), out destinationCidrBlock",
      ],
    ],
    [
      "an IPv6 network",
      [a, table(), route({ ...to, destinationCidrBlock: null, destinationIpv6CidrBlock: "fd00::/8" })],
      ["a to fd00::/8: the network behind the transit gateway (route out), out destinationIpv6CidrBlock"],
    ],
    [
      "an unknown network if its destination is unknown",
      [a, table(), route({ ...to, destinationCidrBlock: UNKNOWN })],
      ["unknown out destinationCidrBlock"],
    ],
  ])("%s", (_, resources, expected) => {
    expect(seen(...resources)).toEqual(expected);
  });

  const list = (entries: PropertyValue, id: PropertyValue = "pl-1") =>
    resource(TYPE.prefixList, "list", { id, entries });
  const byList = { ...to, destinationCidrBlock: null, destinationPrefixListId: "pl-1" };
  const REASON = "not every entry of its prefix list is in this stack";

  test("the network of every entry of a prefix list", () => {
    const offices = list([{ cidr: "192.168.0.0/16" }, { cidr: "0.0.0.0/0" }, { cidr: "192.0.2.0/24" }]);
    const at = (name: string, path: string) =>
      ["192.168.0.0/16", "192.0.2.0/24"].map(
        (block) => `a to ${block}: the network behind the transit gateway (route ${name}), ${name} ${path}`,
      );
    expect(seen(a, offices, table(), route(byList))).toEqual(at("out", "destinationPrefixListId"));
    const inline = table({ routes: [{ ...to, destinationPrefixListId: "pl-1" }] });
    expect(seen(a, offices, inline)).toEqual(at("table", "routes[0].destinationPrefixListId"));
    expect(seen(a, list([{ cidr: UNKNOWN }]), table(), route(byList))).toEqual([
      `unknown out destinationPrefixListId ${REASON}`,
    ]);
    expect(seen(a, table(), route(byList))).toEqual([`unknown out destinationPrefixListId ${REASON}`]);
    expect(seen(a, inline)).toEqual([`unknown table routes[0].destinationPrefixListId ${REASON}`]);
    expect(seen(a, table(), route({ ...byList, destinationPrefixListId: "" }))).toEqual([]);
    const made = list([{ cidr: "192.168.0.0/16" }], UNKNOWN);
    const unknown = route(
      { ...byList, destinationPrefixListId: UNKNOWN },
      { destinationPrefixListId: [made] },
    );
    expect(seen(a, made, table(), unknown)).toHaveLength(1);
    expect(seen(a, made, table({ routes: [{ ...to, destinationPrefixListId: UNKNOWN }] }))).toEqual([
      `unknown table routes[0].destinationPrefixListId ${REASON}`,
    ]);
  });

  test("the network of every entry of the prefix list that the routes of a table come from", () => {
    const made = list([{ cidr: "192.168.0.0/16" }], UNKNOWN);
    const second = { ...list([], UNKNOWN), origin: { urn: "second" } };
    const gateway = resource("aws:ec2transitgateway/transitGateway:TransitGateway", "gateway", {});
    const other = resource("aws:cloudformation/stack:Stack", "other", {});
    const unknown: Properties = { ...to, destinationPrefixListId: UNKNOWN };
    const inline = (from: Resource[], ...routes: Properties[]) => [
      a,
      ...from,
      { ...table({ routes }), propertyDependencies: { routes: from.map(({ origin }) => origin.urn!) } },
    ];
    const known = [
      "a to 192.168.0.0/16: the network behind the transit gateway (route table), table routes[0].destinationPrefixListId",
    ];
    const hidden = [`unknown table routes[0].destinationPrefixListId ${REASON}`];
    expect(seen(...inline([made], unknown))).toEqual(known);
    expect(seen(...inline([made, gateway], unknown, { ...to, cidrBlock: "192.0.2.0/24" }))).toHaveLength(2);
    expect(seen(...inline([made, other], unknown))).toEqual(known);
    expect(seen(...inline([made, other], unknown, unknown))).toHaveLength(2);
    expect(seen(...inline([made, second], unknown))).toEqual(hidden);
  });
});
