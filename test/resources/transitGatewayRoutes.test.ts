import { connections } from "../../src/resources/connections";
import { TOLD } from "../../src/resources/transitGateways";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { vpcs } from "../../src/resources/vpcs";
import { resource, type Properties } from "../rules/builders";
import { a, b, c, connected, nameIn } from "./connected";
import { associate, attach, gateway, hole, inTable, off, propagate, route, table } from "./transit";

const all = ["a", "b", "c"].map((name) => attach(name));
const FAR = { associationDefaultRouteTableId: "rtb-far", propagationDefaultRouteTableId: "rtb-far" };
const far = gateway(FAR, "2");
const atFar = (name: string) => attach(name, { transitGatewayId: "tgw-2" });
const peering = (id: string, transitGatewayId: PropertyValue, peerTransitGatewayId: PropertyValue) =>
  resource(TYPE.transitGatewayPeering, id, { id, transitGatewayId, peerTransitGatewayId });
/** Two gateways that are peered, with VPC a at one and b and c at the other. */
const two = [gateway(), far, peering("at-peering", "tgw-1", "tgw-2"), attach("a"), atFar("b"), atFar("c")];

describe("VPCs at transit gateways that are peered reach each other", () => {
  const pairs = (...resources: Resource[]) => connected(a, b, c, ...resources).pairs.join(", ");
  const third = gateway(
    { associationDefaultRouteTableId: "rtb-3", propagationDefaultRouteTableId: "rtb-3" },
    "3",
  );

  test.each<[string, Resource[], string]>([
    ["not by what is propagated", [], "b-c"],
    ["by a static route", [route("10.1.0.0/16", "peering", 0)], "a-b, b-c"],
    ["by a default route", [route("0.0.0.0/0", "peering", 0)], "a-b, a-c, b-c"],
    ["by one the other way", [route("10.0.0.0/16", "peering", "far")], "a-b, a-c, b-c"],
    [
      "not by one that goes back",
      [route("10.1.0.0/16", "peering", 0), route("10.1.0.0/16", "peering", "far")],
      "b-c",
    ],
    ["not by one to nothing there", [route("192.168.0.0/16", "peering", 0)], "b-c"],
    [
      "not past a blackhole before it",
      [route("0.0.0.0/0", "peering", 0), hole("10.1.0.0/16", 0)],
      "a-c, b-c",
    ],
    [
      "not past a blackhole behind it",
      [route("0.0.0.0/0", "peering", 0), hole("10.1.0.0/16", "far")],
      "a-c, b-c",
    ],
    [
      "by one to another peering, which is not theirs",
      [peering("at-other", "tgw-1", "tgw-3"), third, route("0.0.0.0/0", "other", 0)],
      "b-c",
    ],
    [
      "by routes through a third",
      [
        third,
        peering("at-x", "tgw-1", "tgw-3"),
        peering("at-y", "tgw-3", "tgw-2"),
        route("10.1.0.0/16", "x", 0),
        route("10.1.0.0/16", "y", 3),
      ],
      "a-b, b-c",
    ],
    ["by what is not known of another gateway's routes only there", [route(UNKNOWN, "peering", 0)], "b-c"],
  ])("%s", (_, resources, expected) => {
    expect(pairs(...two, ...resources)).toBe(expected);
  });

  test("by the table of the peering's end", () => {
    const onward = table("end", { transitGatewayId: "tgw-2" });
    const ended = [...two, route("0.0.0.0/0", "peering", 0), onward, associate("peering", "end")];
    expect(pairs(...ended)).toBe("b-c");
    expect(pairs(...ended, route("10.1.0.0/16", "b", "end"))).toBe("a-b, b-c");
    const none = [
      gateway(),
      gateway({ ...FAR, ...off }, "2"),
      ...two.slice(2),
      route("0.0.0.0/0", "peering", 0),
    ];
    expect(pairs(...none)).toBe("");
    // Where it is not known whose a table is, it may be the end's: an end of which nothing is known leads on nowhere.
    expect(pairs(...two, route("0.0.0.0/0", "peering", 0), associate(UNKNOWN, "end"))).toBe("b-c");
  });

  test("where one of the gateways is of another stack, as far as the routes here say", () => {
    const stack = [gateway(), peering("at-peering", "tgw-1", "tgw-2"), attach("a"), atFar("b")];
    expect(pairs(...stack)).toBe("");
    expect(pairs(...stack, route("10.1.0.0/16", "peering", 0))).toBe("a-b");
    expect(pairs(gateway(), peering("at-peering", "tgw-1", UNKNOWN), attach("a"), atFar("b"))).toBe("");
  });
});

describe("routes of a transit gateway bring networks", () => {
  const remote = (...resources: Resource[]) => {
    const found = connected(a, b, c, ...resources);
    return { ...found, remote: found.remote.map((text) => text.replace(/: .*/, "")) };
  };
  const OFFICE = "192.168.0.0/16";
  const here = [gateway(), ...all];

  test("by their names and places", () => {
    const [shown] = connected(a, gateway(), attach("a"), {
      ...route(OFFICE, "vpn", 0),
      name: "office",
    }).remote;
    expect(shown).toBe(
      "a to 192.168.0.0/16: the network behind the transit gateway (route office), office destinationCidrBlock",
    );
  });

  test.each<[string, Resource[], string[]]>([
    [
      "to all that have their table",
      [...here, route(OFFICE, "vpn", 0)],
      ["a", "b", "c"].map((x) => `${x} to ${OFFICE}`),
    ],
    ["to who has it", [...here, table("1"), associate("a", 1), route(OFFICE, "vpn", 1)], [`a to ${OFFICE}`]],
    [
      "to whose table is not known",
      [...here, table("1"), associate("a", UNKNOWN), route(OFFICE, "vpn", 1)],
      [`a to ${OFFICE}`],
    ],
    [
      "to all, where it is not known who has it",
      [...here, table("1"), associate(UNKNOWN, 1), route(OFFICE, "vpn", 1)],
      ["a", "b", "c"].map((x) => `${x} to ${OFFICE}`),
    ],
    [
      "to others than those that are here",
      [...here, table("1"), route(OFFICE, "vpn", 1)],
      [`any but a, b, c to ${OFFICE}`],
    ],
    [
      "to who is at their gateway",
      [...here.slice(0, 2), atFar("b"), far, route(OFFICE, "vpn", UNKNOWN)],
      ["a", "b"].map((x) => `${x} to ${OFFICE}`),
    ],
    [
      "only at the gateway of their table",
      [gateway(), attach("a"), atFar("b"), table("1"), route(OFFICE, "vpn", 1)],
      [`any but a, b to ${OFFICE}`],
    ],
    ["to nobody, where they are blackholes", [...here, hole(OFFICE, 0)], []],
    ["but default routes none", [...here, route("0.0.0.0/0", "vpn", 0)], []],
    ["but what is no block none", [...here, route(UNKNOWN, "vpn", 0)], []],
    ["but a VPC that is here says its own", [...here, route("10.1.0.0/16", "b", 0)], []],
    ["but parts of it none either", [...here, route("10.1.7.0/24", "b", 0)], []],
    [
      "what they lead to beyond a VPC that is here",
      [...here, route(OFFICE, "b", 0)],
      ["a", "b", "c"].map((x) => `${x} to ${OFFICE}`),
    ],
    [
      "what they lead to, whatever that is, behind a peering",
      [...two, route(OFFICE, "peering", 0)],
      [`a to ${OFFICE}`],
    ],
    ["but not a VPC behind a peering, which says its own", [...two, route("10.1.0.0/16", "peering", 0)], []],
    [
      "but a VPC that is cut off there",
      [...two, route("10.1.0.0/16", "peering", 0), hole("10.1.0.0/16", "far")],
      ["a to 10.1.0.0/16"],
    ],
  ])("%s", (_, resources, expected) => {
    expect(remote(...resources).remote).toEqual(expected);
  });

  test("of every entry of a prefix list; what is not known of it is said", () => {
    const list = resource(TYPE.prefixList, "list", {
      id: "pl-1",
      entries: [{ cidr: OFFICE }, { cidr: UNKNOWN }],
    });
    const byList = {
      ...inTable(TYPE.transitGatewayListRoute, "vpn", 0, { prefixListId: "pl-1" }),
      name: "offices",
    };
    const stack = [gateway(), attach("a"), byList];
    const reason = "offices prefixListId not every entry of its prefix list is in this stack";
    expect(connected(a, ...stack, list)).toMatchObject({
      remote: [
        `a to ${OFFICE}: the network behind the transit gateway (route offices), offices prefixListId`,
      ],
      unknown: [reason],
    });
    expect(connected(a, ...stack)).toMatchObject({ remote: [], unknown: [reason] });
  });
});

describe("a VPN at a transit gateway is for", () => {
  const vpn = (more: Properties = {}) =>
    resource(TYPE.vpnConnection, "vpn", {
      id: "vpn-1",
      transitGatewayId: "tgw-1",
      transitGatewayAttachmentId: "at-vpn",
      localIpv4NetworkCidr: "192.168.0.0/16",
      ...more,
    });
  const users = (...resources: Resource[]) => {
    const behind = connected(a, b, c, ...resources).remote.filter((text) => text.includes("VPN"));
    return behind.map((text) => text.replace(/ to .*/, "")).join(", ");
  };
  const told = { [TOLD.everyRoute]: true };
  const running = (...resources: Resource[]) =>
    resources.map((one) => ({ ...one, origin: { live: one.name } }));
  const segmented = [
    gateway(off),
    ...all,
    table("1"),
    table("2"),
    associate("a", 1),
    associate("b", 2),
    associate("c", 2),
  ];

  test.each<[string, Resource[], string]>([
    ["all at its gateway, to whose table it propagates", [gateway(), ...all, vpn()], "a, b, c"],
    ["all, where nothing is known of their tables", [...all, vpn()], "a, b, c"],
    ["none, where it propagates to no table", [...segmented, vpn()], ""],
    ["those to whose table it propagates", [...segmented, vpn(), propagate("vpn", 1)], "a"],
    ["those with a static route to it", [...segmented, vpn(), route("192.168.0.0/16", "vpn", 2)], "b, c"],
    ["those that may have one", [...segmented, vpn(), route("192.168.0.0/16", UNKNOWN, 2)], "b, c"],
    ["any, where no VPC of the input is at its gateway", [gateway(), far, atFar("b"), vpn()], "any"],
    ["none of another gateway", [gateway(), far, attach("a"), atFar("b"), vpn()], "a"],
    [
      "those of a gateway that is peered, by a route there",
      [...two, vpn({ transitGatewayId: "tgw-2" }), route("0.0.0.0/0", "peering", 0)],
      "a, b, c",
    ],
    [
      "not those of one that is peered without a route there",
      [...two, vpn({ transitGatewayId: "tgw-2" })],
      "b, c",
    ],
    [
      "nor those with a route elsewhere there",
      [...two, vpn({ transitGatewayId: "tgw-2" }), route("10.0.0.0/8", "peering", 0)],
      "b, c",
    ],
    [
      "nor those with a route there to a VPC that leads on nowhere",
      [...two.slice(0, -1), attach("c"), vpn({ transitGatewayId: "tgw-2" }), route("192.168.0.0/16", "c", 0)],
      "b",
    ],
    [
      "nor those of which the routes are not known",
      [far, peering("at-peering", "tgw-1", "tgw-2"), attach("a"), vpn({ transitGatewayId: "tgw-2" })],
      "",
    ],
    [
      "nobody for what EC2 tells of their routes",
      [
        ...running(
          gateway(),
          ...all,
          table("1", told),
          associate("a", 1),
          associate("b", 1),
          associate("c", 1),
        ),
        vpn(),
      ],
      "",
    ],
  ])("%s", (_, resources, expected) => {
    expect(users(...resources)).toBe(expected);
  });

  test("all in its static routes, where it is not here", () => {
    const office = (vpnConnectionId: PropertyValue) =>
      resource(TYPE.vpnConnectionRoute, "office", {
        destinationCidrBlock: "192.168.0.0/24",
        vpnConnectionId,
      });
    expect(
      users(...segmented, vpn({ localIpv4NetworkCidr: null }), propagate("vpn", 1), office("vpn-1")),
    ).toBe("a");
    expect(users(...segmented, office("vpn-9"))).toBe("any");
  });
});

describe("what connects many VPCs", () => {
  /** Who is at it, and whither routes may lead from each where not everybody reaches all. */
  const hubs = (...resources: Resource[]) => {
    const index = new ResourceIndex([a, b, c, ...resources]);
    const nameOf = nameIn(index);
    return connections(index, () => vpcs(index)).hubs.map(({ members, ways }) => {
      const here = [...members];
      if (!ways) return here.map(nameOf).join(", ");
      return here
        .map((one) => {
          const next = [...new Set(ways.reached(one))].map(nameOf).sort();
          const sure = here.filter((other) => other !== one && ways.areConnected(one, other)).map(nameOf);
          return `${nameOf(one)} may go to ${next.join(", ")} and is connected with ${sure.join(", ")}`;
        })
        .join("; ");
    });
  };

  test.each<[string, Resource[], string[]]>([
    ["nothing", [], []],
    ["a peering", [resource(TYPE.peering, "p", { vpcId: "vpc-a", peerVpcId: "vpc-b" })], ["a, b"]],
    ["a transit gateway by which all reach all", [gateway(), ...all], ["a, b, c"]],
    ["one of another stack", all, ["a, b, c"]],
    [
      "one by which they reach some",
      [gateway(off), ...all, table("1"), associate("a", 1), propagate("b", 1)],
      [
        "a may go to b and is connected with b; b may go to  and is connected with a; c may go to  and is connected with ",
      ],
    ],
    [
      "one with a blackhole",
      [gateway(), attach("a"), attach("b"), hole("10.1.0.0/16", 0)],
      ["a may go to a and is connected with b; b may go to a and is connected with a"],
    ],
    [
      "one of which the routes of one are not known",
      [gateway(off), attach("a"), attach("b"), attach("c"), associate("a", UNKNOWN)],
      [
        "a may go to any and is connected with b, c; b may go to  and is connected with a; c may go to  and is connected with a",
      ],
    ],
    [
      "several that are peered",
      [...two.filter(({ name }) => name !== "at-c"), route("10.1.0.0/16", "peering", 0)],
      ["a may go to a, at-peering, b and is connected with b; b may go to b and is connected with a"],
    ],
    [
      "one that is peered with who knows what",
      [gateway(), peering("at-x", "tgw-1", UNKNOWN), ...all],
      ["a, b, c"],
    ],
    [
      "nothing that is known, where nobody knows at which they are",
      [attach("a", { transitGatewayId: UNKNOWN })],
      [],
    ],
    ["two that are not", [gateway(), far, attach("a"), atFar("b")], ["a", "b"]],
  ])("%s", (_, resources, expected) => {
    expect(hubs(...resources)).toEqual(expected);
  });
});
