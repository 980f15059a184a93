import { TOLD } from "../../src/resources/transitGateways";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { resource, type Properties } from "../rules/builders";
import { a, b, c, connected } from "./connected";
import { associate, attach, gateway, hole, inTable, off, propagate, route, table } from "./transit";

const pairs = (...resources: Resource[]) => connected(a, b, c, ...resources).pairs.join(", ");
const ALL = "a-b, a-c, b-c";
const all = ["a", "b", "c"].map((name) => attach(name));

describe("VPCs at a transit gateway reach each other", () => {
  /** Each VPC has its own table, and nothing is propagated by default. */
  const segmented = [
    gateway(off),
    ...all,
    ...["a", "b", "c"].map((name) => table(name)),
    ...["a", "b", "c"].map((name) => associate(name, name)),
  ];

  test.each<[string, Resource[], string]>([
    ["by the gateway's own table, if no other is stated", [gateway(), ...all], ALL],
    ["if the gateway is of another stack", all, ALL],
    [
      "only if they are at the same gateway",
      [gateway(), attach("a"), attach("b", { transitGatewayId: "tgw-2" })],
      "",
    ],
    [
      "not if the gateway of one is unknown",
      [gateway(), attach("a"), attach("b", { transitGatewayId: UNKNOWN })],
      "",
    ],
    ["not if none has a table", [gateway(off), ...all], ""],
    [
      "by the table of one, if the other has none",
      [gateway(), attach("a", { transitGatewayDefaultRouteTableAssociation: false }), attach("b")],
      "a-b",
    ],
    ["not if their own tables are empty", segmented, ""],
    ["if only one direction has a route", [...segmented, propagate("b", "a")], "a-b"],
    ["by a static route", [...segmented, route("10.1.0.0/16", "b", "a")], "a-b"],
    ["by a static route to a part of the VPC", [...segmented, route("10.1.7.0/24", "b", "a")], "a-b"],
    [
      "by a static route to another VPC that forwards the traffic",
      [...segmented, route("10.1.0.0/16", "c", "a"), propagate("b", "c")],
      "a-b, a-c, b-c",
    ],
    [
      "not by a static route to another VPC that drops the traffic",
      [...segmented, route("10.1.0.0/16", "c", "a")],
      "a-c",
    ],
    [
      "not by a static route to another network",
      [...segmented, route("192.168.0.0/16", "elsewhere", "a")],
      "",
    ],
    [
      "possibly by a static route for their block to another target",
      [...segmented, route("10.1.0.0/16", "elsewhere", "a")],
      "a-b",
    ],
    ["not by a default route to another target", [...segmented, route("0.0.0.0/0", "elsewhere", "a")], ""],
    [
      "not if a blackhole covers the block",
      [...segmented, propagate("b", "a"), hole("10.1.0.0/16", "a")],
      "",
    ],
    [
      "if a blackhole covers a part of the block",
      [...segmented, propagate("b", "a"), hole("10.1.7.0/24", "a")],
      "a-b",
    ],
    [
      "if a blackhole is wider than the route",
      [...segmented, propagate("b", "a"), hole("10.0.0.0/8", "a")],
      "a-b",
    ],
    [
      "if the blackhole is in another table",
      [...segmented, propagate("b", "a"), hole("10.1.0.0/16", "c")],
      "a-b",
    ],
    [
      "possibly by a route that is not a blackhole and has no known target",
      [...segmented, propagate("b", "a"), hole("192.168.0.0/16", "b", false)],
      "a-b, b-c",
    ],
    [
      "if the destination of a blackhole is unknown",
      [...segmented, propagate("b", "a"), hole(UNKNOWN, "a")],
      "a-b",
    ],
    [
      "if the table of a blackhole is unknown",
      [...segmented, propagate("b", "a"), hole("10.1.0.0/16", UNKNOWN)],
      "a-b",
    ],
    [
      "possibly if the destination of a route is unknown",
      [...segmented, route(UNKNOWN, "b", "a")],
      "a-b, a-c",
    ],
    [
      "possibly if the target of a route is unknown",
      [...segmented, route("192.168.0.0/16", UNKNOWN, "a")],
      "a-b, a-c",
    ],
    [
      "possibly if the table of a route is unknown",
      [...segmented, route("192.168.0.0/16", "b", UNKNOWN)],
      ALL,
    ],
    [
      "possibly if the attachment of a propagation is unknown",
      [...segmented, propagate(UNKNOWN, "a")],
      "a-b, a-c",
    ],
    ["possibly if the table of a propagation is unknown", [...segmented, propagate("b", UNKNOWN)], ALL],
    [
      "possibly if the attachment of an association is unknown",
      [gateway(off), ...all, associate(UNKNOWN, "a")],
      ALL,
    ],
    [
      "not if the attachment of an association is unknown but each has another table",
      [...segmented, associate(UNKNOWN, "a")],
      "",
    ],
    [
      "possibly if the table of an association is unknown",
      [...segmented.filter(({ name }) => !name.startsWith("a in")), associate("a", UNKNOWN)],
      "a-b, a-c",
    ],
    [
      "by a route to a network behind one of them, whatever a blackhole covers elsewhere",
      [...segmented, route("192.168.0.0/16", "b", "a"), hole("10.2.0.0/16", "a")],
      "a-b",
    ],
    [
      "if a blackhole leaves one of the VPC's blocks",
      [
        ...segmented,
        resource(TYPE.ipv4Association, "second", { vpcId: "vpc-b", cidrBlock: "10.9.0.0/16" }),
        route("10.0.0.0/8", "b", "a"),
        hole("10.1.0.0/16", "a"),
      ],
      "a-b",
    ],
    ["not by the propagation of another attachment", [...segmented, propagate("elsewhere", "a")], ""],
  ])("%s", (_, resources, expected) => {
    expect(pairs(...resources)).toBe(expected);
  });

  const propagatesNot = { transitGatewayDefaultRouteTablePropagation: false };
  /** Blackholes in the gateway's own table for every VPC: if that table is known to route the traffic, no VPC reaches another. */
  const dropped = ["0", "1", "2"].map((x) => hole(`10.${x}.0.0/16`, 0));
  test.each<[string, Resource[], string]>([
    [
      "not between attachments that both propagate nothing",
      [gateway(), attach("a", propagatesNot), attach("b", propagatesNot), attach("c")],
      "a-c, b-c",
    ],
    [
      "not if the gateway disables propagation",
      [gateway({ defaultRouteTablePropagation: "disable" }), ...all],
      "",
    ],
    [
      "possibly if it is unknown whether the gateway propagates",
      [gateway({ defaultRouteTablePropagation: UNKNOWN }), ...all],
      ALL,
    ],
    [
      "possibly if it is unknown whether an attachment propagates",
      [
        gateway(),
        attach("a", { transitGatewayDefaultRouteTablePropagation: UNKNOWN }),
        attach("b", propagatesNot),
      ],
      "a-b",
    ],
    [
      "with a static route in place of a propagated one",
      [gateway(), ...all, route("10.1.0.0/16", "c", 0)],
      ALL,
    ],
    ["with a blackhole for one VPC", [gateway(), ...all, hole("10.1.0.0/16", 0)], ALL],
    [
      "with blackholes for two VPCs",
      [gateway(), ...all, hole("10.1.0.0/16", 0), hole("10.2.0.0/16", 0)],
      "a-b, a-c",
    ],
    ["not with blackholes for all VPCs", [gateway(), ...all, hole("10.0.0.0/14", 0), ...dropped], ""],
    [
      "with explicit associations and the propagation of one VPC",
      [gateway(off), ...all, ...["a", "b", "c"].map((x) => associate(x, 0)), propagate("b", 0)],
      "a-b, b-c",
    ],
    [
      "if the gateway is only read from another stack",
      [{ ...gateway(), isRead: true as const }, ...all, ...dropped],
      ALL,
    ],
    [
      "possibly if the gateway propagates to another table",
      [gateway({ propagationDefaultRouteTableId: "rtb-9" }), ...all, ...dropped],
      ALL,
    ],
    [
      "possibly if the plan has that table as a resource",
      [gateway({ defaultRouteTablePropagation: "disable" }), table("0"), ...all],
      ALL,
    ],
    [
      "if the gateway runs and its tables are not read",
      [{ ...gateway(off), origin: { live: "tgw-1" } }, ...all],
      ALL,
    ],
    [
      "possibly if the program sets a default propagation and tables are associated",
      [
        gateway({ defaultRouteTablePropagation: "disable" }),
        ...all,
        resource(TYPE.transitGatewayDefaultPropagation, "default", { transitGatewayId: "tgw-1" }),
      ],
      ALL,
    ],
    [
      "not if the program sets a default propagation but no table is associated",
      [
        gateway(off),
        ...all,
        resource(TYPE.transitGatewayDefaultPropagation, "default", { transitGatewayId: "tgw-1" }),
      ],
      "",
    ],
    [
      "possibly if the gateway of a default association is unknown",
      [
        gateway(),
        ...all,
        ...dropped,
        resource(TYPE.transitGatewayDefaultAssociation, "default", { transitGatewayId: UNKNOWN }),
      ],
      ALL,
    ],
  ])("by the gateway's default table: %s", (_, resources, expected) => {
    expect(pairs(...resources)).toBe(expected);
  });

  test("possibly by a table to which attachments propagate by default", () => {
    const own = (more: Properties) => [
      gateway(off),
      ...all,
      table("a", more),
      ...["a", "b", "c"].map((x) => associate(x, "a")),
    ];
    expect(pairs(...own({}))).toBe("");
    expect(pairs(...own({ defaultPropagationRouteTable: false }))).toBe("");
    expect(pairs(...own({ defaultPropagationRouteTable: true }))).toBe(ALL);
    expect(
      pairs(
        ...own({}).map((one) =>
          one.type === TYPE.transitGatewayRouteTable ? { ...one, isRead: true as const } : one,
        ),
      ),
    ).toBe(ALL);
  });

  test("as the accepter of an attachment of another account states", () => {
    const accepter = (of: string, more: Properties) =>
      resource(TYPE.transitGatewayAccepter, `accepter-${of}`, {
        id: `at-${of}`,
        transitGatewayAttachmentId: `at-${of}`,
        ...more,
      });
    const apart = { transitGatewayDefaultRouteTableAssociation: false, ...propagatesNot };
    const [one, other] = [attach("a"), attach("b")];
    expect(pairs(gateway(), one, other, accepter("a", apart))).toBe("");
    expect(pairs(gateway(), one, other, accepter("a", propagatesNot), accepter("b", propagatesNot))).toBe("");
    expect(pairs(gateway(), one, other, accepter("a", {}))).toBe("a-b");
    // If only the accepter is in the stack, it represents the attachment.
    const alone = accepter("a", { transitGatewayId: "tgw-1", vpcId: "vpc-a" });
    expect(pairs(gateway(), alone, other)).toBe("a-b");
    expect(pairs(gateway(off), alone, other)).toBe("");
  });

  const list = (entries: PropertyValue) => resource(TYPE.prefixList, "list", { id: "pl-1", entries });
  const byList = (of: string | typeof UNKNOWN, more: Properties = {}) =>
    inTable(TYPE.transitGatewayListRoute, of, "a", { prefixListId: "pl-1", ...more });
  const blocks = (...cidrs: PropertyValue[]) => list(cidrs.map((cidr) => ({ cidr })));
  test.each<[string, Resource[], string]>([
    ["every entry counts", [blocks("192.168.0.0/16", "10.1.0.0/16"), byList("b")], "a-b"],
    ["no other block counts", [blocks("192.168.0.0/16"), byList("elsewhere")], ""],
    [
      "possibly more blocks, if an entry is unknown",
      [blocks("192.168.0.0/16", UNKNOWN), byList("elsewhere")],
      "a-b, a-c",
    ],
    ["possibly any block, if the list is not in the input", [byList("elsewhere")], "a-b, a-c"],
    [
      "a blackhole covers every entry",
      [blocks("10.1.0.0/16"), propagate("b", "a"), byList(UNKNOWN, { blackhole: true })],
      "",
    ],
    [
      "a blackhole covers nothing if the list is not in the input",
      [propagate("b", "a"), byList(UNKNOWN, { blackhole: true })],
      "a-b",
    ],
  ])("by a route to a prefix list: %s", (_, resources, expected) => {
    expect(pairs(...segmented, ...resources)).toBe(expected);
  });

  const told = { [TOLD.everyRoute]: true };
  /** A stack that was read while it runs: no plan creates it. */
  const running = (...resources: Resource[]) =>
    resources.map((one) => ({ ...one, origin: { live: one.name } }));
  test.each<[string, Resource[], string]>([
    ["possibly all, if EC2 does not report every route", [table("1"), route("10.1.0.0/16", "b")], ALL],
    ["every route", [table("1", told), route("10.1.0.0/16", "b")], "a-b, b-c"],
    ["no route", [table("1", told)], ""],
    ["no route of another table", [table("1", told), table("2", told), route("10.1.0.0/16", "b", 2)], ""],
    [
      "no route that a blackhole covers",
      [table("1", told), route("10.0.0.0/8", "b"), hole("10.1.0.0/16")],
      "",
    ],
    [
      "routes to prefix lists",
      [
        table("1", told),
        list([{ cidr: "10.1.0.0/16" }]),
        inTable(TYPE.transitGatewayListRoute, "b", 1, { prefixListId: "pl-1" }),
      ],
      "a-b, b-c",
    ],
    [
      "possibly a route with an unknown target",
      [table("1", told), route("10.1.0.0/16", UNKNOWN)],
      "a-b, b-c",
    ],
  ])("by the routes of their table that EC2 reports: %s", (_, resources, expected) => {
    const associated = ["a", "b", "c"].map((name) => associate(name, 1));
    expect(pairs(...running(gateway(), ...all, ...associated, ...resources))).toBe(expected);
  });

  test("not if EC2 reports that neither attachment has a table", () => {
    const none = { [TOLD.noTable]: true };
    const stack = (a1: Properties, b1: Properties) =>
      pairs(...running(gateway(), attach("a", a1), attach("b", b1)));
    expect([stack({}, {}), stack(none, {}), stack(none, none)]).toEqual(["a-b", "a-b", ""]);
  });
});
