import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { cidrOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { resource, violations, vpc, type Properties } from "../../rules/builders";
import { attach, CONNECTED, found, gateway, off, pods, to } from "../transitGateways";
import { workers } from "../vpcs";

describe("peerings of transit gateways in a plan", () => {
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
    ["propagate no routes", [...two], []],
    [
      "connect through a default route to a VPC propagated at the other gateway",
      [...two, route(gateway(), "0.0.0.0/0")],
      CONNECTED,
    ],
    ["connect through a route from the other gateway", [...two, route(far, "10.0.0.0/16")], CONNECTED],
    [
      "connect through a route that names the accepter",
      [...two, route(gateway(), "0.0.0.0/0", accepter)],
      CONNECTED,
    ],
    [
      "connect through a route to the VPC's block, reported as the VPC",
      [...two, route(gateway(), "10.132.0.0/16")],
      CONNECTED,
    ],
    ["do not connect through a route to another block", [...two, route(gateway(), "192.168.0.0/16")], []],
    [
      "do not connect to a VPC that its gateway has no route to",
      [
        ...two.slice(0, -1),
        attach(pods, { transitGatewayDefaultRouteTablePropagation: false }, far),
        route(gateway(), "0.0.0.0/0"),
      ],
      [],
    ],
    [
      "connect through several peerings",
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
    [
      "do not lead back through the same peering",
      [...two, route(far, "10.132.0.0/16"), route(far, "10.99.0.0/16")],
      [],
    ],
    [
      "connect through the route table that the peering has at the other gateway",
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
      "do not connect if the peering has no route table at the other gateway",
      [
        ...two.slice(0, 1),
        resource(TYPE.transitGateway, "far", off),
        ...two.slice(2),
        route(gateway(), "0.0.0.0/0"),
      ],
      [],
    ],
    ["do not connect through a route with an unknown destination", [...two, route(gateway(), UNKNOWN)], []],
  ])("%s", (_, resources, expected) => {
    expect(found(...resources)).toEqual(expected);
  });

  it.each<[string, Resource[], string[]]>([
    ["not without a route", [], []],
    ["not by a route to another block", [route(gateway(), "192.168.0.0/16")], []],
    ["by a default route", [route(gateway(), "0.0.0.0/0")], ["the network behind VPN vpn 10.133.0.0/16"]],
  ])("connect to a VPN at the other gateway: %s", (_, routes, expected) => {
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

  it("are recognized by id in a deployed stack", () => {
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

  it("are checked for many VPCs with the same addresses at both ends", () => {
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
    // A static route replaces the propagated ones.
    expect(violations(cidrOverlap, [...stack, route(far, "10.9.0.0/16")])).toEqual([]);
  });
});
