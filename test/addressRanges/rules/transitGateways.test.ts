import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { cidrOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { resource, violations, vpc, type Properties } from "../../rules/builders";
import {
  associate,
  attach,
  attached,
  CONNECTED,
  found,
  gateway,
  hole,
  hub,
  joined,
  off,
  pods,
  propagate,
  routeTo,
  segmented,
  tableOf,
  to,
} from "../transitGateways";
import { workers } from "../vpcs";

describe("route tables of a transit gateway in a plan", () => {
  it.each<[string, Resource[], string[]]>([
    ["empty tables", [], []],
    [
      "the hub in both tables, and both VPCs in its table",
      [propagate(hub, "a"), propagate(hub, "b"), propagate(workers, "c"), propagate(pods, "c")],
      [],
    ],
    ["a propagation", [propagate(pods, "a")], CONNECTED],
    ["a propagation in the other direction", [propagate(workers, "b")], CONNECTED],
    ["a route", [routeTo(pods, "a", "10.132.0.0/16")], CONNECTED],
    [
      "default routes to a hub that routes on",
      [routeTo(hub, "a", "0.0.0.0/0"), propagate(pods, "c")],
      CONNECTED,
    ],
    ["default routes to a hub without routes", [routeTo(hub, "a", "0.0.0.0/0")], []],
    ["a propagation, and a blackhole for the same block", [propagate(pods, "a"), hole("10.132.0.0/16")], []],
    ["a propagation, and a wider blackhole", [propagate(pods, "a"), hole("10.0.0.0/8")], CONNECTED],
    ["a route, and a narrower blackhole", [routeTo(pods, "a", "10.0.0.0/8"), hole("10.128.0.0/9")], []],
    ["a route with an unknown destination", [routeTo(hub, "a", UNKNOWN)], CONNECTED],
    [
      "a propagation of an unknown attachment",
      [joined(TYPE.transitGatewayPropagation, vpc("elsewhere", "10.9.0.0/16"), "a")],
      CONNECTED,
    ],
    ["a propagation to an unknown table", [propagate(hub, "elsewhere")], CONNECTED],
  ])("connect only the VPCs that they route to: %s", (_, more, expected) => {
    expect(found(...segmented, ...more)).toEqual(expected);
  });

  it.each<[string, Resource[], string[]]>([
    ["the default table", [gateway(), ...attached], CONNECTED],
    [
      "the default table, with a blackhole for one VPC",
      [gateway(), ...attached, hole("10.132.0.0/16", {}, [gateway()])],
      CONNECTED,
    ],
    [
      "the default table, with a blackhole for each VPC",
      [
        gateway(),
        ...attached,
        ...["10.0.0.0/16", "10.132.0.0/16"].map((block) => hole(block, {}, [gateway()])),
      ],
      [],
    ],
    [
      "the default table by its id, with a blackhole for each VPC",
      [
        gateway({ associationDefaultRouteTableId: "tgw-rtb-0", propagationDefaultRouteTableId: "tgw-rtb-0" }),
        ...attached,
        ...["10.0.0.0/16", "10.132.0.0/16"].map((block) =>
          hole(block, { transitGatewayRouteTableId: "tgw-rtb-0" }, []),
        ),
      ],
      [],
    ],
    ["no default table, and no association", [gateway(off), ...attached], []],
    [
      "no association at one end, with a route to it from the other",
      [gateway(), attach(workers, { transitGatewayDefaultRouteTableAssociation: false }), attach(pods)],
      CONNECTED,
    ],
    [
      "neither association nor propagation at one end",
      [
        gateway(),
        attach(workers, {
          transitGatewayDefaultRouteTableAssociation: false,
          transitGatewayDefaultRouteTablePropagation: false,
        }),
        attach(pods),
      ],
      [],
    ],
    [
      "an unknown default table",
      [gateway({ defaultRouteTableAssociation: UNKNOWN }), ...attached],
      CONNECTED,
    ],
    [
      "a gateway that the stack only reads",
      [
        { ...gateway({ id: "tgw-1" }), isRead: true as const },
        ...attached,
        hole("10.132.0.0/16", {}, [gateway()]),
      ],
      CONNECTED,
    ],
    [
      "another table, which the program makes the default",
      [
        gateway(),
        ...attached,
        tableOf("a"),
        hole("10.132.0.0/16"),
        resource(
          TYPE.transitGatewayDefaultAssociation,
          "default",
          { transitGatewayId: UNKNOWN, transitGatewayRouteTableId: UNKNOWN },
          { ...to(gateway()), transitGatewayRouteTableId: [tableOf("a")] },
        ),
      ],
      CONNECTED,
    ],
    [
      "default tables disabled by the accepter of each attachment",
      [
        gateway(),
        attach(workers),
        attach(pods),
        ...[workers, pods].map((one) =>
          resource(
            TYPE.transitGatewayAccepter,
            one.name,
            {
              transitGatewayAttachmentId: UNKNOWN,
              transitGatewayDefaultRouteTableAssociation: false,
              transitGatewayDefaultRouteTablePropagation: false,
            },
            { transitGatewayAttachmentId: [attach(one)] },
          ),
        ),
      ],
      [],
    ],
  ])("follow the settings for the gateway's default table: %s", (_, resources, expected) => {
    expect(found(...resources)).toEqual(expected);
  });

  it("are recognized by id in a deployed stack", () => {
    const is = (id: string, one: Resource, more: Properties = {}): Resource => ({
      ...one,
      properties: { ...one.properties, ...more, id },
      propertyDependencies: {},
    });
    const at = { transitGatewayId: "tgw-1" };
    const stack = [
      is("tgw-1", gateway(off)),
      is("tgw-attach-1", attach(workers), { ...at, vpcId: "vpc-workers" }),
      is("tgw-attach-2", attach(pods), { ...at, vpcId: "vpc-pods" }),
      ...["a", "b"].map((name) => is(`tgw-rtb-${name}`, tableOf(name), at)),
      ...["a", "b"].map((name, place) =>
        is(`rtb_${name}`, associate(workers, name), {
          transitGatewayAttachmentId: `tgw-attach-${place + 1}`,
          transitGatewayRouteTableId: `tgw-rtb-${name}`,
        }),
      ),
    ];
    const propagation = is("p", propagate(pods, "a"), {
      transitGatewayAttachmentId: "tgw-attach-2",
      transitGatewayRouteTableId: "tgw-rtb-a",
    });
    expect(found(...stack)).toEqual([]);
    expect(found(...stack, propagation)).toEqual(CONNECTED);
  });

  it("determine which VPCs use a VPN", () => {
    const vpn = resource(
      TYPE.vpnConnection,
      "vpn",
      { transitGatewayId: UNKNOWN, localIpv4NetworkCidr: "10.133.0.0/16" },
      to(gateway()),
    );
    const toVpn = (name: string) =>
      resource(
        TYPE.transitGatewayPropagation,
        `vpn-${name}`,
        { transitGatewayAttachmentId: UNKNOWN, transitGatewayRouteTableId: UNKNOWN },
        { transitGatewayAttachmentId: [vpn], transitGatewayRouteTableId: [tableOf(name)] },
      );
    const BEHIND = ["the network behind VPN vpn 10.133.0.0/16"];
    expect(found(...segmented, vpn)).toEqual([]);
    expect(found(...segmented, vpn, toVpn("c"))).toEqual([]);
    expect(found(...segmented, vpn, toVpn("a"))).toEqual(BEHIND);
    expect(found(gateway(), attach(workers), vpn)).toEqual(BEHIND);
  });

  it("are checked for many VPCs with the same addresses", () => {
    const many = Array.from({ length: 300 }, (_, place) => vpc(`v${place}`, "10.9.0.0/16"));
    const spokes = many.flatMap((one) => [one, attach(one), associate(one, "a")]);
    const stack = [gateway(off), tableOf("a"), hub, attach(hub), propagate(hub, "a"), ...spokes];
    expect(violations(cidrOverlap, stack)).toEqual([]);
    expect(violations(cidrOverlap, [...stack, propagate(many[0]!, "a")])).toHaveLength(299);
  });

  it("are checked for many segments with the same addresses, next to a hub that reaches all of them", () => {
    const many = Array.from({ length: 300 }, (_, place) => vpc(`v${place}`, "10.9.0.0/16"));
    const own = ({ name }: Resource) => `table-${name}`;
    const spokes = many.flatMap((one) => [
      ...[one, attach(one), tableOf(own(one)), associate(one, own(one))],
      ...[propagate(one, own(one)), propagate(one, "a"), propagate(hub, own(one))],
    ]);
    const stack = [
      gateway(off),
      tableOf("a"),
      hub,
      attach(hub),
      associate(hub, "b"),
      tableOf("b"),
      ...spokes,
    ];
    const pairs = (...more: Resource[]) =>
      violations(cidrOverlap, [...stack, ...more]).map(({ message }) => message);
    expect(pairs()).toEqual([]);
    expect(pairs(propagate(many[1]!, own(many[0]!)), propagate(many[2]!, own(many[0]!)))).toEqual([
      expect.stringMatching(/VPC v1 .*VPC v0/),
      expect.stringMatching(/VPC v2 .*VPC v0/),
    ]);
    const elsewhere = resource(
      TYPE.transitGatewayRoute,
      "out",
      {
        transitGatewayRouteTableId: UNKNOWN,
        transitGatewayAttachmentId: "tgw-attach-elsewhere",
        destinationCidrBlock: "10.0.0.0/8",
      },
      { transitGatewayRouteTableId: [tableOf(own(many[0]!))] },
    );
    expect(pairs(elsewhere)).toHaveLength(299);
  });
});
