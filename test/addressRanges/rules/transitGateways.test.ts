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

describe("the route tables of a transit gateway that a plan makes", () => {
  it.each<[string, Resource[], string[]]>([
    ["nothing in their tables", [], []],
    [
      "the hub in both tables, and both in its own",
      [propagate(hub, "a"), propagate(hub, "b"), propagate(workers, "c"), propagate(pods, "c")],
      [],
    ],
    ["a propagation", [propagate(pods, "a")], CONNECTED],
    ["a propagation the other way", [propagate(workers, "b")], CONNECTED],
    ["a route", [routeTo(pods, "a", "10.132.0.0/16")], CONNECTED],
    [
      "default routes to a hub that leads on",
      [routeTo(hub, "a", "0.0.0.0/0"), propagate(pods, "c")],
      CONNECTED,
    ],
    ["default routes to a hub that does not", [routeTo(hub, "a", "0.0.0.0/0")], []],
    ["a propagation, and a blackhole in its place", [propagate(pods, "a"), hole("10.132.0.0/16")], []],
    ["a propagation, and a wider blackhole", [propagate(pods, "a"), hole("10.0.0.0/8")], CONNECTED],
    [
      "a route, and a narrower blackhole around it",
      [routeTo(pods, "a", "10.0.0.0/8"), hole("10.128.0.0/9")],
      [],
    ],
    ["a route that is not known", [routeTo(hub, "a", UNKNOWN)], CONNECTED],
    [
      "a propagation of who knows what",
      [joined(TYPE.transitGatewayPropagation, vpc("elsewhere", "10.9.0.0/16"), "a")],
      CONNECTED,
    ],
    ["a propagation to an unknown table", [propagate(hub, "elsewhere")], CONNECTED],
  ])("keep VPCs apart as far as they say: %s", (_, more, expected) => {
    expect(found(...segmented, ...more)).toEqual(expected);
  });

  it.each<[string, Resource[], string[]]>([
    ["the same one", [gateway(), ...attached], CONNECTED],
    [
      "the same one, with a blackhole",
      [gateway(), ...attached, hole("10.132.0.0/16", {}, [gateway()])],
      CONNECTED,
    ],
    [
      "the same one, with a blackhole for each",
      [
        gateway(),
        ...attached,
        ...["10.0.0.0/16", "10.132.0.0/16"].map((block) => hole(block, {}, [gateway()])),
      ],
      [],
    ],
    [
      "the same one by its id, with a blackhole",
      [
        gateway({ associationDefaultRouteTableId: "tgw-rtb-0", propagationDefaultRouteTableId: "tgw-rtb-0" }),
        ...attached,
        ...["10.0.0.0/16", "10.132.0.0/16"].map((block) =>
          hole(block, { transitGatewayRouteTableId: "tgw-rtb-0" }, []),
        ),
      ],
      [],
    ],
    ["none, and none says another", [gateway(off), ...attached], []],
    [
      "none at one end, to which the other leads",
      [gateway(), attach(workers, { transitGatewayDefaultRouteTableAssociation: false }), attach(pods)],
      CONNECTED,
    ],
    [
      "none at one end, and nothing leads there",
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
    ["one that is not known", [gateway({ defaultRouteTableAssociation: UNKNOWN }), ...attached], CONNECTED],
    [
      "one that somebody else made",
      [
        { ...gateway({ id: "tgw-1" }), isRead: true as const },
        ...attached,
        hole("10.132.0.0/16", {}, [gateway()]),
      ],
      CONNECTED,
    ],
    [
      "another one, which the program makes the default",
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
      "one by who accepts the attachment",
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
  ])("are the default one, where they are: %s", (_, resources, expected) => {
    expect(found(...resources)).toEqual(expected);
  });

  it("are known of a stack that is there by their ids", () => {
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

  it("say which VPCs use a VPN", () => {
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

  it("are compared for many VPCs of the same addresses", () => {
    const many = Array.from({ length: 300 }, (_, place) => vpc(`v${place}`, "10.9.0.0/16"));
    const spokes = many.flatMap((one) => [one, attach(one), associate(one, "a")]);
    const stack = [gateway(off), tableOf("a"), hub, attach(hub), propagate(hub, "a"), ...spokes];
    expect(violations(cidrOverlap, stack)).toEqual([]);
    expect(violations(cidrOverlap, [...stack, propagate(many[0]!, "a")])).toHaveLength(299);
  });

  it("are compared for many segments of the same addresses beside a hub that reaches all", () => {
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
