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
  /** Each has its own table, and nothing is propagated for want of a word. */
  const segmented = [
    gateway(off),
    ...all,
    ...["a", "b", "c"].map((name) => table(name)),
    ...["a", "b", "c"].map((name) => associate(name, name)),
  ];

  test.each<[string, Resource[], string]>([
    ["by its own table, where nobody says another", [gateway(), ...all], ALL],
    ["where the gateway is of another stack", all, ALL],
    [
      "only where they are at the same one",
      [gateway(), attach("a"), attach("b", { transitGatewayId: "tgw-2" })],
      "",
    ],
    [
      "not where it is not known at which",
      [gateway(), attach("a"), attach("b", { transitGatewayId: UNKNOWN })],
      "",
    ],
    ["not where no table is theirs", [gateway(off), ...all], ""],
    [
      "where none is theirs, by the table of another",
      [gateway(), attach("a", { transitGatewayDefaultRouteTableAssociation: false }), attach("b")],
      "a-b",
    ],
    ["not where their own tables are empty", segmented, ""],
    ["one way is enough", [...segmented, propagate("b", "a")], "a-b"],
    ["by a static route", [...segmented, route("10.1.0.0/16", "b", "a")], "a-b"],
    ["by one to a part", [...segmented, route("10.1.7.0/24", "b", "a")], "a-b"],
    [
      "by one to another VPC, which passes it on",
      [...segmented, route("10.1.0.0/16", "c", "a"), propagate("b", "c")],
      "a-b, a-c, b-c",
    ],
    ["not by one to another VPC that drops it", [...segmented, route("10.1.0.0/16", "c", "a")], "a-c"],
    ["not by one to something else", [...segmented, route("192.168.0.0/16", "elsewhere", "a")], ""],
    [
      "perhaps by one to something else that leads to their blocks",
      [...segmented, route("10.1.0.0/16", "elsewhere", "a")],
      "a-b",
    ],
    ["not by a default route to something else", [...segmented, route("0.0.0.0/0", "elsewhere", "a")], ""],
    [
      "not where a blackhole takes the block out",
      [...segmented, propagate("b", "a"), hole("10.1.0.0/16", "a")],
      "",
    ],
    [
      "where a blackhole takes a part out",
      [...segmented, propagate("b", "a"), hole("10.1.7.0/24", "a")],
      "a-b",
    ],
    [
      "where a blackhole is wider than the route",
      [...segmented, propagate("b", "a"), hole("10.0.0.0/8", "a")],
      "a-b",
    ],
    [
      "where it stands in another table",
      [...segmented, propagate("b", "a"), hole("10.1.0.0/16", "c")],
      "a-b",
    ],
    [
      "perhaps, where a route that is no blackhole leads who knows where",
      [...segmented, propagate("b", "a"), hole("192.168.0.0/16", "b", false)],
      "a-b, b-c",
    ],
    ["where a blackhole is not known", [...segmented, propagate("b", "a"), hole(UNKNOWN, "a")], "a-b"],
    [
      "where its table is not known",
      [...segmented, propagate("b", "a"), hole("10.1.0.0/16", UNKNOWN)],
      "a-b",
    ],
    ["perhaps, where a route is not known", [...segmented, route(UNKNOWN, "b", "a")], "a-b, a-c"],
    [
      "perhaps, where it is not known whither a route leads",
      [...segmented, route("192.168.0.0/16", UNKNOWN, "a")],
      "a-b, a-c",
    ],
    [
      "perhaps, where the table of a route is not known",
      [...segmented, route("192.168.0.0/16", "b", UNKNOWN)],
      ALL,
    ],
    [
      "perhaps, where it is not known what is propagated",
      [...segmented, propagate(UNKNOWN, "a")],
      "a-b, a-c",
    ],
    ["perhaps, where it is not known into which table", [...segmented, propagate("b", UNKNOWN)], ALL],
    ["perhaps, where it is not known whose a table is", [gateway(off), ...all, associate(UNKNOWN, "a")], ALL],
    ["not where each has another one anyway", [...segmented, associate(UNKNOWN, "a")], ""],
    [
      "perhaps, where the table of one is not known",
      [...segmented.filter(({ name }) => !name.startsWith("a in")), associate("a", UNKNOWN)],
      "a-b, a-c",
    ],
    [
      "by a route to what is behind one, whatever is taken out elsewhere",
      [...segmented, route("192.168.0.0/16", "b", "a"), hole("10.2.0.0/16", "a")],
      "a-b",
    ],
    [
      "where a blackhole leaves one of its blocks",
      [
        ...segmented,
        resource(TYPE.ipv4Association, "second", { vpcId: "vpc-b", cidrBlock: "10.9.0.0/16" }),
        route("10.0.0.0/8", "b", "a"),
        hole("10.1.0.0/16", "a"),
      ],
      "a-b",
    ],
    ["not by what something else propagates", [...segmented, propagate("elsewhere", "a")], ""],
  ])("%s", (_, resources, expected) => {
    expect(pairs(...resources)).toBe(expected);
  });

  const propagatesNot = { transitGatewayDefaultRouteTablePropagation: false };
  test.each<[string, Resource[], string]>([
    [
      "of which one propagates nothing",
      [gateway(), attach("a", propagatesNot), attach("b", propagatesNot), attach("c")],
      "a-c, b-c",
    ],
    [
      "of which the gateway lets none propagate",
      [gateway({ defaultRouteTablePropagation: "disable" }), ...all],
      "",
    ],
    ["perhaps, where that is not known", [gateway({ defaultRouteTablePropagation: UNKNOWN }), ...all], ALL],
    [
      "perhaps, where an attachment does not know",
      [
        gateway(),
        attach("a", { transitGatewayDefaultRouteTablePropagation: UNKNOWN }),
        attach("b", propagatesNot),
      ],
      "a-b",
    ],
    [
      "with a static route in place of what is propagated",
      [gateway(), ...all, route("10.1.0.0/16", "c", 0)],
      ALL,
    ],
    ["with a blackhole for one", [gateway(), ...all, hole("10.1.0.0/16", 0)], ALL],
    [
      "with a blackhole for two",
      [gateway(), ...all, hole("10.1.0.0/16", 0), hole("10.2.0.0/16", 0)],
      "a-b, a-c",
    ],
    [
      "with a blackhole for all",
      [gateway(), ...all, hole("10.0.0.0/14", 0), ...["0", "1", "2"].map((x) => hole(`10.${x}.0.0/16`, 0))],
      "",
    ],
    [
      "to which something else is propagated",
      [gateway(off), ...all, ...["a", "b", "c"].map((x) => associate(x, 0)), propagate("b", 0)],
      "a-b, b-c",
    ],
    [
      "of another stack, which reads it",
      [{ ...gateway(), isRead: true as const }, ...all, hole("10.0.0.0/8", 0)],
      ALL,
    ],
    [
      "which is not the one that it propagates to",
      [gateway({ propagationDefaultRouteTableId: "rtb-9" }), ...all],
      ALL,
    ],
    [
      "perhaps, where the plan has that as a table of its own",
      [gateway({ defaultRouteTablePropagation: "disable" }), table("0"), ...all],
      ALL,
    ],
    [
      "but not one that runs, whose tables nobody reads",
      [{ ...gateway(off), origin: { live: "tgw-1" } }, ...all],
      ALL,
    ],
    [
      "or perhaps another, where the program names a default of its own",
      [
        gateway(off),
        ...all,
        resource(TYPE.transitGatewayDefaultPropagation, "default", { transitGatewayId: "tgw-1" }),
      ],
      "",
    ],
    [
      "or perhaps another, where it is not known of which gateway that is",
      [
        gateway(),
        ...all,
        hole("10.0.0.0/8", 0),
        resource(TYPE.transitGatewayDefaultAssociation, "default", { transitGatewayId: UNKNOWN }),
      ],
      ALL,
    ],
  ])("by the table that came with the gateway, %s", (_, resources, expected) => {
    expect(pairs(...resources)).toBe(expected);
  });

  test("perhaps by a table to which attachments propagate by default", () => {
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

  test("as who accepts an attachment of another account says", () => {
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
    // Where only the accepter is in the stack, it is the attachment.
    const alone = accepter("a", { transitGatewayId: "tgw-1", vpcId: "vpc-a" });
    expect(pairs(gateway(), alone, other)).toBe("a-b");
    expect(pairs(gateway(off), alone, other)).toBe("");
  });

  const list = (entries: PropertyValue) => resource(TYPE.prefixList, "list", { id: "pl-1", entries });
  const byList = (of: string | typeof UNKNOWN, more: Properties = {}) =>
    inTable(TYPE.transitGatewayListRoute, of, "a", { prefixListId: "pl-1", ...more });
  const blocks = (...cidrs: PropertyValue[]) => list(cidrs.map((cidr) => ({ cidr })));
  test.each<[string, Resource[], string]>([
    ["each of its entries", [blocks("192.168.0.0/16", "10.1.0.0/16"), byList("b")], "a-b"],
    ["its entries, and no others", [blocks("192.168.0.0/16"), byList("elsewhere")], ""],
    [
      "perhaps more, where an entry is not known",
      [blocks("192.168.0.0/16", UNKNOWN), byList("elsewhere")],
      "a-b, a-c",
    ],
    ["perhaps anything, where the list is not here", [byList("elsewhere")], "a-b, a-c"],
    [
      "what it takes out",
      [blocks("10.1.0.0/16"), propagate("b", "a"), byList(UNKNOWN, { blackhole: true })],
      "",
    ],
    [
      "nothing that it takes out, where it is not here",
      [propagate("b", "a"), byList(UNKNOWN, { blackhole: true })],
      "a-b",
    ],
  ])("by a route to a prefix list, which leads to %s", (_, resources, expected) => {
    expect(pairs(...segmented, ...resources)).toBe(expected);
  });

  const told = { [TOLD.everyRoute]: true };
  /** A stack that was read where it runs: no plan makes it. */
  const running = (...resources: Resource[]) =>
    resources.map((one) => ({ ...one, origin: { live: one.name } }));
  test.each<[string, Resource[], string]>([
    ["is not known where it does not tell every route", [table("1"), route("10.1.0.0/16", "b")], ALL],
    ["every route", [table("1", told), route("10.1.0.0/16", "b")], "a-b, b-c"],
    ["none", [table("1", told)], ""],
    ["those of another table", [table("1", told), table("2", told), route("10.1.0.0/16", "b", 2)], ""],
    ["a blackhole", [table("1", told), route("10.0.0.0/8", "b"), hole("10.1.0.0/16")], ""],
    [
      "those to prefix lists",
      [
        table("1", told),
        list([{ cidr: "10.1.0.0/16" }]),
        inTable(TYPE.transitGatewayListRoute, "b", 1, { prefixListId: "pl-1" }),
      ],
      "a-b, b-c",
    ],
    ["perhaps a route to who knows what", [table("1", told), route("10.1.0.0/16", UNKNOWN)], "a-b, b-c"],
  ])("as far as EC2 tells the routes of their table: %s", (_, resources, expected) => {
    const associated = ["a", "b", "c"].map((name) => associate(name, 1));
    expect(pairs(...running(gateway(), ...all, ...associated, ...resources))).toBe(expected);
  });

  test("not from an attachment of which EC2 tells that it has no table", () => {
    const none = { [TOLD.noTable]: true };
    const stack = (a1: Properties, b1: Properties) =>
      pairs(...running(gateway(), attach("a", a1), attach("b", b1)));
    expect([stack({}, {}), stack(none, {}), stack(none, none)]).toEqual(["a-b", "a-b", ""]);
  });
});
