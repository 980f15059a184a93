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
/** Two peered gateways, with VPC a at one, and b and c at the other. */
const two = [gateway(), far, peering("at-peering", "tgw-1", "tgw-2"), attach("a"), atFar("b"), atFar("c")];

describe("VPCs at peered transit gateways reach each other", () => {
  const pairs = (...resources: Resource[]) => connected(a, b, c, ...resources).pairs.join(", ");
  const third = gateway(
    { associationDefaultRouteTableId: "rtb-3", propagationDefaultRouteTableId: "rtb-3" },
    "3",
  );

  test.each<[string, Resource[], string]>([
    ["not by propagated routes", [], "b-c"],
    ["by a static route", [route("10.1.0.0/16", "peering", 0)], "a-b, b-c"],
    ["by a default route", [route("0.0.0.0/0", "peering", 0)], "a-b, a-c, b-c"],
    ["by a route in the opposite direction", [route("10.0.0.0/16", "peering", "far")], "a-b, a-c, b-c"],
    [
      "not by routes that lead back",
      [route("10.1.0.0/16", "peering", 0), route("10.1.0.0/16", "peering", "far")],
      "b-c",
    ],
    ["not by a route to a network that is not there", [route("192.168.0.0/16", "peering", 0)], "b-c"],
    [
      "not past a blackhole at the first gateway",
      [route("0.0.0.0/0", "peering", 0), hole("10.1.0.0/16", 0)],
      "a-c, b-c",
    ],
    [
      "not past a blackhole at the second gateway",
      [route("0.0.0.0/0", "peering", 0), hole("10.1.0.0/16", "far")],
      "a-c, b-c",
    ],
    [
      "not by a route to the peering with a third gateway",
      [peering("at-other", "tgw-1", "tgw-3"), third, route("0.0.0.0/0", "other", 0)],
      "b-c",
    ],
    [
      "by routes through a third gateway",
      [
        third,
        peering("at-x", "tgw-1", "tgw-3"),
        peering("at-y", "tgw-3", "tgw-2"),
        route("10.1.0.0/16", "x", 0),
        route("10.1.0.0/16", "y", 3),
      ],
      "a-b, b-c",
    ],
    ["not by a route with an unknown destination", [route(UNKNOWN, "peering", 0)], "b-c"],
  ])("%s", (_, resources, expected) => {
    expect(pairs(...two, ...resources)).toBe(expected);
  });

  test("only by the table that is associated with the end of the peering", () => {
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
    // A table with an unknown association may belong to the end, and an end with unknown routes leads nowhere.
    expect(pairs(...two, route("0.0.0.0/0", "peering", 0), associate(UNKNOWN, "end"))).toBe("b-c");
  });

  test("by the routes of this stack, if one of the gateways is of another stack", () => {
    const stack = [gateway(), peering("at-peering", "tgw-1", "tgw-2"), attach("a"), atFar("b")];
    expect(pairs(...stack)).toBe("");
    expect(pairs(...stack, route("10.1.0.0/16", "peering", 0))).toBe("a-b");
    expect(pairs(gateway(), peering("at-peering", "tgw-1", UNKNOWN), attach("a"), atFar("b"))).toBe("");
  });
});

describe("routes of a transit gateway lead to remote networks", () => {
  const remote = (...resources: Resource[]) => {
    const found = connected(a, b, c, ...resources);
    return { ...found, remote: found.remote.map((text) => text.replace(/: .*/, "")) };
  };
  const OFFICE = "192.168.0.0/16";
  const here = [gateway(), ...all];

  test("that are named after the route and its property", () => {
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
      "for all VPCs that use their table",
      [...here, route(OFFICE, "vpn", 0)],
      ["a", "b", "c"].map((x) => `${x} to ${OFFICE}`),
    ],
    [
      "for the VPC that is associated with their table",
      [...here, table("1"), associate("a", 1), route(OFFICE, "vpn", 1)],
      [`a to ${OFFICE}`],
    ],
    [
      "for a VPC whose table is unknown",
      [...here, table("1"), associate("a", UNKNOWN), route(OFFICE, "vpn", 1)],
      [`a to ${OFFICE}`],
    ],
    [
      "for all VPCs if the association of their table is unknown",
      [...here, table("1"), associate(UNKNOWN, 1), route(OFFICE, "vpn", 1)],
      ["a", "b", "c"].map((x) => `${x} to ${OFFICE}`),
    ],
    [
      "for any VPC but those of this stack, if none of these uses their table",
      [...here, table("1"), route(OFFICE, "vpn", 1)],
      [`any but a, b, c to ${OFFICE}`],
    ],
    [
      "for all VPCs if their table is unknown",
      [...here.slice(0, 2), atFar("b"), far, route(OFFICE, "vpn", UNKNOWN)],
      ["a", "b"].map((x) => `${x} to ${OFFICE}`),
    ],
    [
      "for any VPC but those that use another table or another gateway",
      [gateway(), attach("a"), atFar("b"), table("1"), route(OFFICE, "vpn", 1)],
      [`any but a, b to ${OFFICE}`],
    ],
    ["for no VPC if they are blackholes", [...here, hole(OFFICE, 0)], []],
    ["unless they are default routes", [...here, route("0.0.0.0/0", "vpn", 0)], []],
    ["unless their destination is unknown", [...here, route(UNKNOWN, "vpn", 0)], []],
    [
      "unless they lead to a VPC of this stack, which states its own blocks",
      [...here, route("10.1.0.0/16", "b", 0)],
      [],
    ],
    ["unless they lead to a part of a VPC of this stack", [...here, route("10.1.7.0/24", "b", 0)], []],
    [
      "beyond a VPC of this stack",
      [...here, route(OFFICE, "b", 0)],
      ["a", "b", "c"].map((x) => `${x} to ${OFFICE}`),
    ],
    ["behind a peering, whatever is there", [...two, route(OFFICE, "peering", 0)], [`a to ${OFFICE}`]],
    [
      "unless they lead to a VPC behind a peering, which states its own blocks",
      [...two, route("10.1.0.0/16", "peering", 0)],
      [],
    ],
    [
      "if they lead to a VPC behind a peering that a blackhole cuts off",
      [...two, route("10.1.0.0/16", "peering", 0), hole("10.1.0.0/16", "far")],
      ["a to 10.1.0.0/16"],
    ],
  ])("%s", (_, resources, expected) => {
    expect(remote(...resources).remote).toEqual(expected);
  });

  test("for every entry of a prefix list, and unknown entries are reported", () => {
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

describe("the network behind a VPN at a transit gateway is reachable from", () => {
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
    ["all VPCs at its gateway to whose table it propagates", [gateway(), ...all, vpn()], "a, b, c"],
    ["all VPCs if nothing is known of their tables", [...all, vpn()], "a, b, c"],
    ["no VPC if it propagates to no table", [...segmented, vpn()], ""],
    ["the VPCs to whose table it propagates", [...segmented, vpn(), propagate("vpn", 1)], "a"],
    ["the VPCs with a static route to it", [...segmented, vpn(), route("192.168.0.0/16", "vpn", 2)], "b, c"],
    [
      "the VPCs with a route that may lead to it",
      [...segmented, vpn(), route("192.168.0.0/16", UNKNOWN, 2)],
      "b, c",
    ],
    ["any VPC if no VPC of the input is at its gateway", [gateway(), far, atFar("b"), vpn()], "any"],
    ["no VPC at another gateway", [gateway(), far, attach("a"), atFar("b"), vpn()], "a"],
    [
      "the VPCs at a peered gateway that has a route to it",
      [...two, vpn({ transitGatewayId: "tgw-2" }), route("0.0.0.0/0", "peering", 0)],
      "a, b, c",
    ],
    [
      "no VPC at a peered gateway without a route to it",
      [...two, vpn({ transitGatewayId: "tgw-2" })],
      "b, c",
    ],
    [
      "no VPC at a peered gateway with a route to other networks",
      [...two, vpn({ transitGatewayId: "tgw-2" }), route("10.0.0.0/8", "peering", 0)],
      "b, c",
    ],
    [
      "no VPC at a peered gateway with a route to a VPC that leads nowhere",
      [...two.slice(0, -1), attach("c"), vpn({ transitGatewayId: "tgw-2" }), route("192.168.0.0/16", "c", 0)],
      "b",
    ],
    [
      "no VPC at a peered gateway with unknown routes",
      [far, peering("at-peering", "tgw-1", "tgw-2"), attach("a"), vpn({ transitGatewayId: "tgw-2" })],
      "",
    ],
    [
      "no VPC if EC2 reports every route of their table and none leads to it",
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

  test("the same VPCs for its static routes, and from any VPC if the VPN is not in the input", () => {
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

describe("the hubs that connect VPCs are", () => {
  /** The members of each hub, and where routes may lead from each member if not all reach all. */
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
    ["none without a connection", [], []],
    ["a peering", [resource(TYPE.peering, "p", { vpcId: "vpc-a", peerVpcId: "vpc-b" })], ["a, b"]],
    ["a transit gateway through which all VPCs reach each other", [gateway(), ...all], ["a, b, c"]],
    ["a transit gateway of another stack", all, ["a, b, c"]],
    [
      "a transit gateway through which some VPCs reach each other",
      [gateway(off), ...all, table("1"), associate("a", 1), propagate("b", 1)],
      [
        "a may go to b and is connected with b; b may go to  and is connected with a; c may go to  and is connected with ",
      ],
    ],
    [
      "a transit gateway with a blackhole",
      [gateway(), attach("a"), attach("b"), hole("10.1.0.0/16", 0)],
      ["a may go to a and is connected with b; b may go to a and is connected with a"],
    ],
    [
      "a transit gateway with an attachment whose table is unknown",
      [gateway(off), attach("a"), attach("b"), attach("c"), associate("a", UNKNOWN)],
      [
        "a may go to any and is connected with b, c; b may go to  and is connected with a; c may go to  and is connected with a",
      ],
    ],
    [
      "several peered transit gateways",
      [...two.filter(({ name }) => name !== "at-c"), route("10.1.0.0/16", "peering", 0)],
      ["a may go to a, at-peering, b and is connected with b; b may go to b and is connected with a"],
    ],
    [
      "a transit gateway with an unknown peer",
      [gateway(), peering("at-x", "tgw-1", UNKNOWN), ...all],
      ["a, b, c"],
    ],
    ["none if the gateway of an attachment is unknown", [attach("a", { transitGatewayId: UNKNOWN })], []],
    ["two transit gateways that are not peered", [gateway(), far, attach("a"), atFar("b")], ["a", "b"]],
  ])("%s", (_, resources, expected) => {
    expect(hubs(...resources)).toEqual(expected);
  });
});
