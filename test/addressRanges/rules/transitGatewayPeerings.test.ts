import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { cidrOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { resource, violations, vpc, type Properties } from "../../rules/builders";
import { attach, CONNECTED, found, gateway, off, pods, to } from "../transitGateways";
import { workers } from "../vpcs";

describe("the route tables of a transit gateway that a plan makes lead through peerings", () => {
  const far = resource(TYPE.transitGateway, "far", {});
  const third = resource(TYPE.transitGateway, "third", {});
  const peering = (from: Resource, other: Resource) =>
    resource(
      TYPE.transitGatewayPeering,
      `${from.name}-${other.name}`,
      { transitGatewayId: UNKNOWN, peerTransitGatewayId: UNKNOWN },
      { transitGatewayId: [from], peerTransitGatewayId: [other] },
    );
  const peered = peering(gateway(), far);
  const accepter = resource(
    TYPE.transitGatewayPeeringAccepter,
    "accepted",
    { transitGatewayAttachmentId: UNKNOWN },
    { transitGatewayAttachmentId: [peered] },
  );
  const table = (of: Resource, type: string, more: Properties, attachment: Resource) =>
    resource(
      type,
      [of.name, attachment.name, JSON.stringify(more)].join(" "),
      { transitGatewayAttachmentId: UNKNOWN, transitGatewayRouteTableId: UNKNOWN, ...more },
      { transitGatewayAttachmentId: [attachment], transitGatewayRouteTableId: [of] },
    );
  const route = (at: Resource, destinationCidrBlock: Properties[string], by = peered) =>
    table(at, TYPE.transitGatewayRoute, { destinationCidrBlock }, by);
  const two = [gateway(), far, peered, accepter, attach(workers), attach(pods, {}, far)];

  it.each<[string, Resource[], string[]]>([
    ["nothing is propagated through them", [...two], []],
    [
      "a default route leads on to what is propagated there",
      [...two, route(gateway(), "0.0.0.0/0")],
      CONNECTED,
    ],
    ["a route the other way", [...two, route(far, "10.0.0.0/16")], CONNECTED],
    ["by who accepts them", [...two, route(gateway(), "0.0.0.0/0", accepter)], CONNECTED],
    ["a route to a VPC there is what that VPC says", [...two, route(gateway(), "10.132.0.0/16")], CONNECTED],
    ["a route elsewhere", [...two, route(gateway(), "192.168.0.0/16")], []],
    [
      "not to a VPC whose gateway has no route to it",
      [
        ...two.slice(0, -1),
        attach(pods, { transitGatewayDefaultRouteTablePropagation: false }, far),
        route(gateway(), "0.0.0.0/0"),
      ],
      [],
    ],
    [
      "through several",
      [
        gateway(),
        far,
        third,
        peered,
        peering(far, third),
        attach(workers),
        attach(pods, {}, third),
        route(gateway(), "0.0.0.0/0"),
        route(far, "10.128.0.0/9", peering(far, third)),
      ],
      CONNECTED,
    ],
    ["not back through the same one", [...two, route(far, "10.132.0.0/16"), route(far, "10.99.0.0/16")], []],
    [
      "the table of the end decides what comes out",
      [
        ...two.slice(0, 1),
        resource(TYPE.transitGateway, "far", off),
        ...two.slice(2),
        resource(TYPE.transitGatewayRouteTable, "onward", { transitGatewayId: UNKNOWN }, to(far)),
        table(
          resource(TYPE.transitGatewayRouteTable, "onward", {}),
          TYPE.transitGatewayAssociation,
          {},
          peered,
        ),
        table(
          resource(TYPE.transitGatewayRouteTable, "onward", {}),
          TYPE.transitGatewayRoute,
          { destinationCidrBlock: "10.132.0.0/16" },
          attach(pods, {}, far),
        ),
        route(gateway(), "0.0.0.0/0"),
      ],
      CONNECTED,
    ],
    [
      "an end without a table leads nowhere",
      [
        ...two.slice(0, 1),
        resource(TYPE.transitGateway, "far", off),
        ...two.slice(2),
        route(gateway(), "0.0.0.0/0"),
      ],
      [],
    ],
    ["routes that are not known lead to no other gateway", [...two, route(gateway(), UNKNOWN)], []],
  ])("%s", (_, resources, expected) => {
    expect(found(...resources)).toEqual(expected);
  });

  it.each<[string, Resource[], string[]]>([
    ["where no route leads there", [], []],
    ["a route elsewhere", [route(gateway(), "192.168.0.0/16")], []],
    ["a default route", [route(gateway(), "0.0.0.0/0")], ["the network behind VPN vpn 10.133.0.0/16"]],
  ])("to a VPN there: %s", (_, routes, expected) => {
    const vpn = resource(
      TYPE.vpnConnection,
      "vpn",
      { transitGatewayId: UNKNOWN, localIpv4NetworkCidr: "10.133.0.0/16" },
      to(far),
    );
    const stack = [gateway(), far, peered, attach(workers), vpn, ...routes];
    expect(found(...stack)).toEqual(expected);
    const other = vpc("other", "10.9.0.0/16");
    expect(found(...stack, other, attach(other, {}, far))).toEqual(expected);
  });

  it("by their ids, once there are some", () => {
    const there = { id: "tgw-attach-9", transitGatewayId: "tgw-1", peerTransitGatewayId: "tgw-2" };
    const stack = (id: string) => [
      resource(TYPE.transitGateway, "near", {
        id: "tgw-1",
        associationDefaultRouteTableId: "tgw-rtb-1",
        propagationDefaultRouteTableId: "tgw-rtb-1",
      }),
      resource(TYPE.transitGateway, "far", {
        id: "tgw-2",
        associationDefaultRouteTableId: "tgw-rtb-2",
        propagationDefaultRouteTableId: "tgw-rtb-2",
      }),
      resource(TYPE.transitGatewayPeering, "peering", there),
      resource(TYPE.transitGatewayPeeringAccepter, "accepter", {
        id: "tgw-attach-9",
        transitGatewayAttachmentId: "tgw-attach-9",
      }),
      resource(
        TYPE.transitGatewayAttachment,
        "a",
        { id: "a", transitGatewayId: "tgw-1", vpcId: UNKNOWN },
        { vpcId: [workers] },
      ),
      resource(
        TYPE.transitGatewayAttachment,
        "b",
        { id: "b", transitGatewayId: "tgw-2", vpcId: UNKNOWN },
        { vpcId: [pods] },
      ),
      resource(TYPE.transitGatewayRoute, "out", {
        destinationCidrBlock: "0.0.0.0/0",
        transitGatewayAttachmentId: id,
        transitGatewayRouteTableId: "tgw-rtb-1",
      }),
    ];
    expect(found(...stack("tgw-attach-9"))).toEqual(CONNECTED);
    expect(found(...stack("tgw-attach-elsewhere"))).toEqual([]);
  });

  it("are compared for many VPCs at both ends, of the same addresses", () => {
    const many = Array.from({ length: 300 }, (_, place) => vpc(`v${place}`, "10.9.0.0/16"));
    const stack = [
      gateway(off),
      far,
      peered,
      ...many,
      ...many.map((one, place) => attach(one, {}, place < 2 ? far : gateway())),
    ];
    expect(violations(cidrOverlap, stack)).toHaveLength(1);
    expect(violations(cidrOverlap, [...stack, route(far, "10.0.0.0/8")])).toHaveLength(1);
    // A static route takes the place of what is propagated.
    expect(violations(cidrOverlap, [...stack, route(far, "10.9.0.0/16")])).toEqual([]);
  });
});
