import { connections, groupsAcross } from "../../src/resources/connections";
import { Direction } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { vpcs } from "../../src/resources/vpcs";
import { resource, type Properties } from "../rules/builders";
import { a, b, c, connected, nameIn } from "./connected";

const peering = (more: Properties = {}, type: string = TYPE.peering) =>
  resource(type, "peering", { id: "pcx-1", vpcId: "vpc-a", peerVpcId: "vpc-b", ...more });
const gateway = (more: Properties = {}) => resource(TYPE.vpnGateway, "gateway", { id: "vgw-1", ...more });
const at = (vpcId: string, vpnGatewayId: PropertyValue = "vgw-1") =>
  resource(TYPE.vpnGatewayAttachment, `at ${vpcId}`, { vpcId, vpnGatewayId });

describe("VPCs are connected", () => {
  test.each<[string, Resource[], string[], string[]]>([
    ["not without a resource that connects them", [a, b], [], []],
    ["by a peering", [a, b, c, peering()], ["a-b"], ["a", "b"]],
    ["by a peering that this stack accepts", [a, b, peering({}, TYPE.peeringAccepter)], ["a-b"], ["a", "b"]],
    ["not by a rejected peering", [a, b, peering({ acceptStatus: "rejected" })], [], []],
    ["not by a peering with an unknown end", [a, b, peering({ peerVpcId: UNKNOWN })], [], ["a"]],
    ["by a peering with a VPC of another stack", [a, peering()], ["a-vpc-b"], ["a", "vpc-b"]],
    [
      "by a VPN gateway that states one of them itself",
      [a, b, gateway({ vpcId: "vpc-a" }), at("vpc-b")],
      ["a-b"],
      ["a", "b"],
    ],
    ["by a VPN gateway of another stack", [a, b, at("vpc-a"), at("vpc-b")], ["a-b"], ["a", "b"]],
    ["not by two different VPN gateways", [a, b, at("vpc-a"), at("vpc-b", "vgw-2")], [], ["a", "b"]],
    [
      "not through a third VPC",
      [a, b, c, peering(), at("vpc-b"), at("vpc-c")],
      ["a-b", "b-c"],
      ["a", "b", "c"],
    ],
    ["not by a VPN gateway without a VPC", [a, b, gateway()], [], []],
  ])("%s", (_, resources, pairs, ends) => {
    expect(connected(...resources)).toEqual({ pairs, ends, remote: [], doubtful: [], unknown: [] });
  });

  test("by the resources that their unknown IDs come from", () => {
    const own = (one: Resource): Resource => ({
      ...one,
      properties: { cidrBlock: one.properties.cidrBlock! },
    });
    const [one, other] = [own(a), own(b)];
    const made = resource(
      TYPE.peering,
      "peering",
      { vpcId: UNKNOWN, peerVpcId: UNKNOWN },
      { vpcId: [one], peerVpcId: [other] },
    );
    expect(connected(one, other, made).pairs).toEqual(["a-b"]);
    const places = ["a", "b"].map((name, place) =>
      resource(
        TYPE.vpnGatewayAttachment,
        name,
        { vpcId: UNKNOWN, vpnGatewayId: UNKNOWN },
        { vpcId: [[one, other][place]!], vpnGatewayId: [gateway()] },
      ),
    );
    expect(connected(one, other, gateway(), ...places).pairs).toEqual(["a-b"]);
    // Two unknown gateways may be different gateways.
    const strays = places.map((place) => ({
      ...place,
      propertyDependencies: { vpcId: place.propertyDependencies!.vpcId! },
    }));
    expect(connected(one, other, ...strays).pairs).toEqual([]);
  });
});

describe("a Cloud WAN core network is attached to", () => {
  const attachment = (properties: Properties, from: Record<string, Resource[]> = {}) =>
    resource(TYPE.coreNetworkAttachment, "attachment", properties, from);
  const core = resource("aws:networkmanager/coreNetwork:CoreNetwork", "core", {});
  const arn = "arn:aws:ec2:eu-west-1:1:vpc/vpc-a";
  const networksOf = (...resources: Resource[]) => {
    const index = new ResourceIndex(resources);
    return [...connections(index, () => vpcs(index)).coreNetworks].map(
      ([vpc, networks]) => `${nameIn(index)(vpc)}: ${[...networks].map(nameIn(index)).join(", ")}`,
    );
  };

  test.each<[string, Resource[], string[]]>([
    [
      "the VPC at the end of an attachment's ARN",
      [a, attachment({ coreNetworkId: "c-1", vpcArn: arn })],
      ["a: c-1"],
    ],
    ["a VPC of another stack", [attachment({ coreNetworkId: "c-1", vpcArn: arn })], ["vpc-a: c-1"]],
    [
      "a VPC that is yet to be created",
      [a, attachment({ coreNetworkId: "c-1", vpcArn: UNKNOWN }, { vpcArn: [a] })],
      ["a: c-1"],
    ],
    [
      "a VPC if the core network is yet to be created",
      [a, core, attachment({ coreNetworkId: UNKNOWN, vpcArn: arn }, { coreNetworkId: [core] })],
      ["a: core"],
    ],
    ["no VPC if the core network's ID is empty", [a, attachment({ coreNetworkId: "", vpcArn: arn })], []],
    ["no VPC if the VPC is unknown", [a, attachment({ coreNetworkId: "c-1", vpcArn: UNKNOWN })], []],
    [
      "a VPC together with other core networks",
      [
        a,
        ...["c-1", "c-2"].map((coreNetworkId) => ({
          ...attachment({ coreNetworkId, vpcArn: arn }),
          name: coreNetworkId,
        })),
      ],
      ["a: c-1, c-2"],
    ],
    ["no VPC without an attachment", [a], []],
  ])("%s", (_, resources, expected) => {
    expect(networksOf(...resources)).toEqual(expected);
  });
});

describe("the remote networks behind gateways are", () => {
  const vpn = (more: Properties) => resource(TYPE.vpnConnection, "vpn", { id: "vpn-1", ...more });
  const vpnRoute = (more: Properties = {}) =>
    resource(TYPE.vpnConnectionRoute, "office", {
      destinationCidrBlock: "192.168.0.0/24",
      vpnConnectionId: "vpn-1",
      ...more,
    });
  const here = [a, gateway({ vpcId: "vpc-a" })];
  const OFFICE = "192.168.0.0/24: the network behind a VPN (route office), office destinationCidrBlock";
  const CUSTOMER = "192.168.0.0/16: the network behind VPN vpn, vpn localIpv4NetworkCidr";
  const customer = { localIpv4NetworkCidr: "192.168.0.0/16" };

  test.each<[string, Resource[], string[]]>([
    [
      "the IPv4 network of a VPN's customer",
      [...here, vpn({ vpnGatewayId: "vgw-1", ...customer })],
      [`a to ${CUSTOMER}`],
    ],
    [
      "the IPv6 network of a VPN's customer",
      [...here, vpn({ vpnGatewayId: "vgw-1", localIpv6NetworkCidr: "fd00::/8" })],
      ["a to fd00::/8: the network behind VPN vpn, vpn localIpv6NetworkCidr"],
    ],
    [
      "not a block of all addresses",
      [...here, vpn({ vpnGatewayId: "vgw-1", localIpv4NetworkCidr: "0.0.0.0/0" })],
      [],
    ],
    [
      "reachable from every VPC at the gateway",
      [...here, b, at("vpc-b"), vpn({ vpnGatewayId: "vgw-1", ...customer })],
      [`a to ${CUSTOMER}`, `b to ${CUSTOMER}`],
    ],
    ["reachable from any VPC if the VPN names no gateway", [...here, vpn(customer)], [`any to ${CUSTOMER}`]],
    [
      "reachable from any VPC if the gateway has no VPC",
      [a, gateway(), vpn({ vpnGatewayId: "vgw-1", ...customer })],
      [`any to ${CUSTOMER}`],
    ],
    ["the static routes of a VPN", [...here, vpn({ vpnGatewayId: "vgw-1" }), vpnRoute()], [`a to ${OFFICE}`]],
    [
      "the static routes of a VPN of another stack, reachable from any VPC",
      [...here, vpnRoute()],
      [`any to ${OFFICE}`],
    ],
    [
      "not a route with an unknown block",
      [...here, vpn({ vpnGatewayId: "vgw-1" }), vpnRoute({ destinationCidrBlock: UNKNOWN })],
      [],
    ],
  ])("%s", (_, resources, remote) => {
    expect(connected(...resources)).toMatchObject({ remote, doubtful: [], unknown: [] });
  });

  test("reachable from the VPC of a gateway that is yet to be created", () => {
    const made = gateway({ vpcId: "vpc-a", id: UNKNOWN });
    const at = resource(
      TYPE.vpnConnection,
      "vpn",
      { vpnGatewayId: UNKNOWN, ...customer },
      { vpnGatewayId: [made] },
    );
    expect(connected(a, made, at).remote).toEqual([`a to ${CUSTOMER}`]);
  });
});

describe("rules may reference security groups of another VPC", () => {
  const transit = (securityGroupReferencingSupport?: PropertyValue) =>
    resource(TYPE.transitGateway, "tgw", {
      id: "tgw-1",
      ...(securityGroupReferencingSupport !== undefined && { securityGroupReferencingSupport }),
    });
  const attach = (name: string, more: Properties = {}) =>
    resource(TYPE.transitGatewayAttachment, name, {
      transitGatewayId: "tgw-1",
      vpcId: `vpc-${name}`,
      ...more,
    });
  const both = ["a", "b"].map((name) => attach(name));
  const off = { securityGroupReferencingSupport: "disable" };

  test.each<[string, Resource[], boolean, boolean]>([
    ["not if nothing connects the VPCs", [], false, false],
    ["if the VPCs are peered", [peering()], true, true],
    ["not if the peering failed", [peering({ acceptStatus: "failed" })], false, false],
    ["not if only one of them is peered with a third VPC", [peering({ vpcId: "vpc-c" })], false, false],
    ["inbound through a transit gateway that supports it", [transit("enable"), ...both], true, false],
    ["not through a transit gateway that disables it", [transit("disable"), ...both], false, false],
    ["not through a transit gateway that does not state it", [transit(), ...both], false, false],
    ["not through a transit gateway of another stack", both, false, false],
    ["not if an attachment disables it", [transit("enable"), attach("a"), attach("b", off)], false, false],
    [
      "inbound if an attachment enables it too",
      [transit("enable"), attach("a"), attach("b", { securityGroupReferencingSupport: "enable" })],
      true,
      false,
    ],
  ])("%s", (_, resources, inbound, outbound) => {
    const across = groupsAcross(new ResourceIndex([a, b, c, ...resources]));
    const [one, other] = [a.origin.urn!, b.origin.urn!];
    for (const pair of [
      [one, other],
      [other, one],
    ] as const)
      expect([across(...pair, Direction.Ingress), across(...pair, Direction.Egress)]).toEqual([
        inbound,
        outbound,
      ]);
  });

  test("only between directly peered VPCs of a hub", () => {
    const spokes = [b, c]
      .map((one) => peering({ peerVpcId: one.properties.id! }))
      .map((one, at) => ({ ...one, origin: { urn: `pcx-${at}` }, name: `pcx-${at}` }));
    const across = groupsAcross(new ResourceIndex([a, b, c, ...spokes]));
    const reach = (one: Resource, other: Resource) =>
      across(one.origin.urn!, other.origin.urn!, Direction.Egress);
    expect([reach(a, b), reach(c, a), reach(b, c)]).toEqual([true, true, false]);
  });
});
