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
    ["by nothing", [a, b], [], []],
    ["by a peering", [a, b, c, peering()], ["a-b"], ["a", "b"]],
    ["by one that is accepted here", [a, b, peering({}, TYPE.peeringAccepter)], ["a-b"], ["a", "b"]],
    ["not by one that was refused", [a, b, peering({ acceptStatus: "rejected" })], [], []],
    ["not by one of which an end is not known", [a, b, peering({ peerVpcId: UNKNOWN })], [], ["a"]],
    ["with one of another stack", [a, peering()], ["a-vpc-b"], ["a", "vpc-b"]],
    [
      "by a VPN gateway, which is at one of them",
      [a, b, gateway({ vpcId: "vpc-a" }), at("vpc-b")],
      ["a-b"],
      ["a", "b"],
    ],
    ["by one of another stack", [a, b, at("vpc-a"), at("vpc-b")], ["a-b"], ["a", "b"]],
    ["not by two VPN gateways", [a, b, at("vpc-a"), at("vpc-b", "vgw-2")], [], ["a", "b"]],
    [
      "not through each other",
      [a, b, c, peering(), at("vpc-b"), at("vpc-c")],
      ["a-b", "b-c"],
      ["a", "b", "c"],
    ],
    ["not by a gateway that is at none", [a, b, gateway()], [], []],
  ])("%s", (_, resources, pairs, ends) => {
    expect(connected(...resources)).toEqual({ pairs, ends, remote: [], doubtful: [], unknown: [] });
  });

  test("by what their ids were made from", () => {
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
    // Two that are not known may be two.
    const strays = places.map((place) => ({
      ...place,
      propertyDependencies: { vpcId: place.propertyDependencies!.vpcId! },
    }));
    expect(connected(one, other, ...strays).pairs).toEqual([]);
  });
});

describe("a core network of Cloud WAN is at", () => {
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
    ["a VPC by the end of its ARN", [a, attachment({ coreNetworkId: "c-1", vpcArn: arn })], ["a: c-1"]],
    ["one of another stack", [attachment({ coreNetworkId: "c-1", vpcArn: arn })], ["vpc-a: c-1"]],
    [
      "one that is only made",
      [a, attachment({ coreNetworkId: "c-1", vpcArn: UNKNOWN }, { vpcArn: [a] })],
      ["a: c-1"],
    ],
    [
      "one, and is only made itself",
      [a, core, attachment({ coreNetworkId: UNKNOWN, vpcArn: arn }, { coreNetworkId: [core] })],
      ["a: core"],
    ],
    ["one, and says nothing of itself", [a, attachment({ coreNetworkId: "", vpcArn: arn })], []],
    ["one that is not known", [a, attachment({ coreNetworkId: "c-1", vpcArn: UNKNOWN })], []],
    [
      "a VPC of several",
      [
        a,
        ...["c-1", "c-2"].map((coreNetworkId) => ({
          ...attachment({ coreNetworkId, vpcArn: arn }),
          name: coreNetworkId,
        })),
      ],
      ["a: c-1, c-2"],
    ],
    ["none", [a], []],
  ])("%s", (_, resources, expected) => {
    expect(networksOf(...resources)).toEqual(expected);
  });
});

describe("networks beyond gateways are", () => {
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
      "those of a VPN's customer",
      [...here, vpn({ vpnGatewayId: "vgw-1", ...customer })],
      [`a to ${CUSTOMER}`],
    ],
    [
      "in IPv6 too",
      [...here, vpn({ vpnGatewayId: "vgw-1", localIpv6NetworkCidr: "fd00::/8" })],
      ["a to fd00::/8: the network behind VPN vpn, vpn localIpv6NetworkCidr"],
    ],
    ["not everything", [...here, vpn({ vpnGatewayId: "vgw-1", localIpv4NetworkCidr: "0.0.0.0/0" })], []],
    [
      "for every VPC at the gateway",
      [...here, b, at("vpc-b"), vpn({ vpnGatewayId: "vgw-1", ...customer })],
      [`a to ${CUSTOMER}`, `b to ${CUSTOMER}`],
    ],
    ["for any, where no gateway is said", [...here, vpn(customer)], [`any to ${CUSTOMER}`]],
    [
      "for any, where its gateway is at none",
      [a, gateway(), vpn({ vpnGatewayId: "vgw-1", ...customer })],
      [`any to ${CUSTOMER}`],
    ],
    ["the static routes of a VPN", [...here, vpn({ vpnGatewayId: "vgw-1" }), vpnRoute()], [`a to ${OFFICE}`]],
    ["those of a VPN of another stack, for any", [...here, vpnRoute()], [`any to ${OFFICE}`]],
    [
      "not what is no block",
      [...here, vpn({ vpnGatewayId: "vgw-1" }), vpnRoute({ destinationCidrBlock: UNKNOWN })],
      [],
    ],
  ])("%s", (_, resources, remote) => {
    expect(connected(...resources)).toMatchObject({ remote, doubtful: [], unknown: [] });
  });

  test("for the VPCs at a gateway that is only made", () => {
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

describe("the groups of a VPC may be named in rules of another one", () => {
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
    ["not where nothing connects them", [], false, false],
    ["where they are peered", [peering()], true, true],
    ["not where the peering was refused", [peering({ acceptStatus: "failed" })], false, false],
    ["not where one of them is peered with a third", [peering({ vpcId: "vpc-c" })], false, false],
    ["inbound at a transit gateway that supports it", [transit("enable"), ...both], true, false],
    ["not at one that does not", [transit("disable"), ...both], false, false],
    ["not at one that does not say so", [transit(), ...both], false, false],
    ["not at one of another stack", both, false, false],
    [
      "not where an attachment turns it off",
      [transit("enable"), attach("a"), attach("b", off)],
      false,
      false,
    ],
    [
      "where an attachment says so",
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

  test("whatever else a hub is peered with", () => {
    const spokes = [b, c]
      .map((one) => peering({ peerVpcId: one.properties.id! }))
      .map((one, at) => ({ ...one, origin: { urn: `pcx-${at}` }, name: `pcx-${at}` }));
    const across = groupsAcross(new ResourceIndex([a, b, c, ...spokes]));
    const reach = (one: Resource, other: Resource) =>
      across(one.origin.urn!, other.origin.urn!, Direction.Egress);
    expect([reach(a, b), reach(c, a), reach(b, c)]).toEqual([true, true, false]);
  });
});
