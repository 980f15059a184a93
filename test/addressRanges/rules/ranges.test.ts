import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { Level } from "../../../src/gate/rule";
import { verdictOf } from "../../../src/gate/verdict";
import {
  hostedCluster,
  judge,
  networking,
  ovn,
  resource,
  unknowns,
  urnOf,
  violations,
  type Properties,
} from "../../rules/builders";
import type { Configuration } from "../../../src/gate/configuration";

const vpc = (name: string, cidrBlock: Properties[string], more: Properties = {}) =>
  resource(TYPE.vpc, name, { cidrBlock, id: `vpc-${name}`, ...more });
const workers = vpc("workers", "10.0.0.0/16");
const corporate = vpc("corporate", "100.64.0.0/16");
const peering = resource(
  TYPE.peering,
  "workers-to-corporate",
  { vpcId: UNKNOWN, peerVpcId: UNKNOWN },
  { vpcId: [workers], peerVpcId: [corporate] },
);
const table = resource(TYPE.routeTable, "workers", { vpcId: UNKNOWN }, { vpcId: [workers] });
const route = (destinationCidrBlock: string, target: Properties, of = table) =>
  resource(
    TYPE.route,
    "route",
    { routeTableId: UNKNOWN, destinationCidrBlock, ...target },
    { routeTableId: [of] },
  );
const byPeering: Properties = { vpcPeeringConnectionId: UNKNOWN };
const moved = ovn("100.99.0.0/16", "100.69.0.0/16");
const around = (...cidrs: string[]): Configuration => ({
  file: "hypershift-network.yaml",
  clusters: [
    {
      path: "hostedClusters[0]",
      topology: {
        name: "tenant-a",
        infrastructureCidrs: cidrs.map((cidr) => ({ name: "corporate", cidr })),
      },
      securityGroups: {},
    },
  ],
  levels: {},
});

describe("the route tables of a transit gateway that a plan makes", () => {
  const gateway = (more: Properties = {}) => resource(TYPE.transitGateway, "tgw", more);
  const off = { defaultRouteTableAssociation: "disable", defaultRouteTablePropagation: "disable" };
  const pods = vpc("pods", "10.132.0.0/16");
  const hub = vpc("hub", "10.99.0.0/16");
  const to = (one: Resource) => ({ transitGatewayId: [one] });
  /** As a first preview shows them: every id is to come. */
  const attach = (of: Resource, more: Properties = {}, at: Resource = gateway()) =>
    resource(
      TYPE.transitGatewayAttachment,
      of.name,
      { transitGatewayId: UNKNOWN, vpcId: UNKNOWN, ...more },
      { vpcId: [of], ...to(at) },
    );
  const tableOf = (name: string, more: Properties = {}) =>
    resource(TYPE.transitGatewayRouteTable, name, { transitGatewayId: UNKNOWN, ...more }, to(gateway()));
  const joined = (type: string, of: Resource, name: string, more: Properties = {}) =>
    resource(
      type,
      `${of.name}-${name}`,
      { transitGatewayAttachmentId: UNKNOWN, transitGatewayRouteTableId: UNKNOWN, ...more },
      { transitGatewayAttachmentId: [attach(of)], transitGatewayRouteTableId: [tableOf(name)] },
    );
  const associate = (of: Resource, name: string) => joined(TYPE.transitGatewayAssociation, of, name);
  const propagate = (of: Resource, name: string) => joined(TYPE.transitGatewayPropagation, of, name);
  const routeTo = (of: Resource, name: string, destinationCidrBlock: Properties[string]) =>
    joined(TYPE.transitGatewayRoute, of, name, { destinationCidrBlock });
  const hole = (destinationCidrBlock: string, from: Properties = {}, sources = [tableOf("a")]) =>
    resource(
      TYPE.transitGatewayRoute,
      `hole-${destinationCidrBlock}`,
      { destinationCidrBlock, blackhole: true, transitGatewayRouteTableId: UNKNOWN, ...from },
      { transitGatewayRouteTableId: sources },
    );
  const found = (...more: Resource[]) =>
    violations(cidrOverlap, [hostedCluster(moved), workers, pods, hub, ...more]).map(({ message }) =>
      message.replace(/.* shares addresses with /, ""),
    );
  const CONNECTED = ["VPC pods 10.132.0.0/16"];
  const three = [workers, pods, hub];
  const attached = three.map((one) => attach(one));
  /** Workers and pods each have their own table, and the hub another. */
  const segmented = [
    gateway(off),
    ...attached,
    ...["a", "b", "c"].map((name) => tableOf(name)),
    ...three.map((one, place) => associate(one, "abc"[place]!)),
  ];

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

  describe("lead through peerings", () => {
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
      [
        "a route to a VPC there is what that VPC says",
        [...two, route(gateway(), "10.132.0.0/16")],
        CONNECTED,
      ],
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
      [
        "not back through the same one",
        [...two, route(far, "10.132.0.0/16"), route(far, "10.99.0.0/16")],
        [],
      ],
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

describe("many pairs that overlap", () => {
  it("are a hundred findings and the number of the others, for networks of a cluster", () => {
    const cidrs = Array.from({ length: 130 }, (_, place) => `10.0.${place}.0/24`);
    const found = violations(cidrOverlap, [hostedCluster()], around(...cidrs));
    expect(found).toHaveLength(101);
    expect(found.filter(({ message }) => message.includes("further"))).toMatchObject([
      {
        message:
          "clusters/tenant-a: 30 further pairs of ranges share addresses, and fewer than those that are listed",
      },
    ]);
  });

  it("also for VPCs that one transit gateway connects", () => {
    const many = Array.from({ length: 20 }, (_, place) => vpc(`v${place}`, "10.9.0.0/16"));
    const attached = many.map((one) =>
      resource(TYPE.transitGatewayAttachment, `at-${one.name}`, {
        transitGatewayId: "tgw-1",
        vpcId: one.properties.id!,
      }),
    );
    const found = violations(cidrOverlap, [...many, ...attached]);
    expect(found).toHaveLength(101);
    expect(found.filter(({ message }) => message.includes("further"))).toMatchObject([
      { message: expect.stringContaining("connected networks: 90 further pairs") as string },
    ]);
  });
});

describe("cidr-reserved-overlap", () => {
  it("M6 a company network in the configuration collides with OVN's default join subnet", () => {
    const found = violations(cidrReservedOverlap, [hostedCluster()], around("100.64.0.0/16"));
    expect(found).toMatchObject([
      {
        resource: { file: "hypershift-network.yaml" },
        path: "hostedClusters[0].infrastructureCidrs[0].cidr",
        witness: "100.64.0.0 is in both",
        requirement: "ovn-join",
      },
    ]);
    expect(found[0]?.message).toContain("OVN's default join subnet 100.64.0.0/16 of clusters/tenant-a");
    expect(found[0]?.fix).toContain("ovnKubernetesConfig.ipv4.internalJoinSubnet");
  });

  it("a moved subnet leaves its default free, also when a patch moves it", () => {
    expect(violations(cidrReservedOverlap, [hostedCluster(moved)], around("100.64.0.0/16"))).toEqual([]);
    const patch = resource(`${hostedCluster().type}Patch`, "move", {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: moved,
    });
    expect(violations(cidrReservedOverlap, [hostedCluster(), patch], around("100.64.0.0/16"))).toEqual([]);
    expect(violations(cidrReservedOverlap, [patch, hostedCluster()], around("100.99.5.0/24"))).toEqual([]);
    expect(violations(cidrOverlap, [patch, hostedCluster()], around("100.99.5.0/24"))).toHaveLength(1);
  });

  it("the object decides: configuration that moves the subnet in words moves nothing", () => {
    const [cluster] = around("100.64.0.0/16").clusters;
    const configured = {
      ...around(),
      clusters: [{ ...cluster!, topology: { ...cluster!.topology, internalJoinSubnet: "100.99.0.0/16" } }],
    };
    expect(violations(cidrReservedOverlap, [hostedCluster()], configured)).toHaveLength(1);
  });

  it("a route to a peering brings the company's network to the workers", () => {
    const found = violations(cidrReservedOverlap, [
      hostedCluster(),
      workers,
      table,
      route("100.64.0.0/16", byPeering),
    ]);
    expect(found).toMatchObject([
      { path: "destinationCidrBlock", resource: { urn: urnOf(TYPE.route, "route") } },
    ]);
  });

  it.each<[PropertyValue, number]>([
    ["rejected", 0],
    ["failed", 0],
    ["deleted", 0],
    ["pending-acceptance", 1],
    ["active", 1],
    [UNKNOWN, 1],
  ])("a peering that AWS shows as %s connects %d networks", (acceptStatus, count) => {
    const ends: Properties = { vpcId: UNKNOWN, peerVpcId: UNKNOWN };
    const shown: Resource = { ...peering, properties: { ...ends, id: "pcx-1", acceptStatus } };
    const leads = [
      route("100.64.0.0/16", { vpcPeeringConnectionId: "pcx-1" }),
      resource(
        TYPE.route,
        "route",
        { routeTableId: UNKNOWN, destinationCidrBlock: "100.64.0.0/16", ...byPeering },
        { routeTableId: [table], vpcPeeringConnectionId: [peering] },
      ),
    ];
    for (const one of leads)
      expect(violations(cidrReservedOverlap, [hostedCluster(), workers, table, shown, one])).toHaveLength(
        count,
      );
    expect(violations(cidrReservedOverlap, [hostedCluster(), workers, corporate, shown])).toHaveLength(count);
  });

  it("a peered VPC does the same, on a stack that was never deployed", () => {
    const unknownIds = [workers, corporate].map((one): Resource => ({
      ...one,
      properties: { ...one.properties, id: UNKNOWN },
    }));
    const resources = [hostedCluster(), ...unknownIds, peering];
    expect(violations(cidrReservedOverlap, resources)).toMatchObject([
      { path: "cidrBlock", resource: { urn: urnOf(TYPE.vpc, "corporate") } },
    ]);
    expect(unknowns(cidrOverlap, resources)).toEqual([]);
  });

  it.each<[string, Properties, number]>([
    ["a transit gateway", { transitGatewayId: "tgw-1" }, 1],
    ["a VPN gateway", { gatewayId: "vgw-1" }, 1],
    ["an internet gateway", { gatewayId: "igw-1" }, 0],
    ["a NAT gateway", { natGatewayId: "nat-1" }, 0],
    ["Cloud WAN", { coreNetworkArn: "arn:aws:networkmanager::1:core-network/c" }, 1],
    ["a carrier gateway", { carrierGatewayId: UNKNOWN }, 1],
    ["a database network", { odbNetworkArn: "arn:aws:odb:us-east-1:1:odb-network/n" }, 1],
    ["the endpoint of a load balancer of appliances", { vpcEndpointId: UNKNOWN }, 1],
    ["the endpoint of a service", { gatewayId: "vpce-1" }, 0],
  ])("a route to %s", (_, target, count) => {
    const resources = [hostedCluster(), workers, table, route("100.64.0.0/10", target)];
    expect(
      violations(cidrReservedOverlap, resources)
        .map(({ witness }) => witness?.split(" ")[0])
        .sort(),
    ).toEqual(count ? ["100.64.0.0", "100.65.0.0", "100.88.0.0"] : []);
  });

  it("an IPv6 block that AWS chooses leaves nothing unknown of clusters with IPv4 alone", () => {
    const assigned = vpc("workers", "10.0.0.0/16", { assignGeneratedIpv6CidrBlock: true });
    const dual = hostedCluster({
      ...moved,
      networking: {
        ...networking("10.0.0.0/16"),
        clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
      },
    });
    expect(unknowns(cidrOverlap, [hostedCluster(moved), assigned])).toEqual([]);
    expect(unknowns(cidrOverlap, [dual, assigned])).toMatchObject([{ path: "ipv6CidrBlock" }]);
    const pending = hostedCluster({ ...moved, networking: UNKNOWN });
    expect(unknowns(cidrOverlap, [pending, assigned]).map(({ path }) => path)).toContain("ipv6CidrBlock");
  });

  it("routes to a network interface leave unknown whether a network is behind it", () => {
    const to = (block: string) => route(block, { networkInterfaceId: UNKNOWN });
    const seen = (...more: Resource[]) => {
      const resources = [hostedCluster(), workers, table, ...more];
      expect([cidrOverlap, cidrReservedOverlap].flatMap((rule) => violations(rule, resources))).toEqual([]);
      return unknowns(cidrOverlap, resources).map(({ path, message }) => `${path}: ${message}`);
    };
    expect(seen(to("10.133.0.0/16"))).toEqual([
      expect.stringContaining(
        "whether addresses of the cluster network 10.132.0.0/14 of clusters/tenant-a are in use in the network behind the network interface (route",
      ),
    ]);
    expect(seen(to("100.64.3.0/24"))).toHaveLength(1);
    expect(seen(to("10.200.0.0/16"))).toEqual([]);
    expect(seen(to("0.0.0.0/0"))).toEqual([]);
    const elsewhere = vpc("elsewhere", "10.9.0.0/16");
    const other = resource(TYPE.routeTable, "other", { vpcId: UNKNOWN }, { vpcId: [elsewhere] });
    expect(seen(elsewhere, other, route("10.133.0.0/16", { networkInterfaceId: "eni-1" }, other))).toEqual(
      [],
    );
  });

  it("a route for more than the VPC itself stands for many networks, and leaves unknown which addresses they use", () => {
    const company = route("10.0.0.0/8", { transitGatewayId: "tgw-1" });
    const resources = [hostedCluster(), workers, table, company];
    expect([cidrOverlap, cidrReservedOverlap].flatMap((rule) => violations(rule, resources))).toEqual([]);
    expect(unknowns(cidrOverlap, resources).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(
        /^destinationCidrBlock: .*10\.132\.0\.0\/14 .* are in use in the network behind the transit gateway .* 10\.0\.0\.0\/8/,
      ),
    ]);
    const [all, one] = ["10.128.0.0/9", "10.132.0.0/14"].map((block) =>
      violations(cidrOverlap, [hostedCluster(), workers, table, route(block, { transitGatewayId: "tgw-1" })]),
    );
    expect([all, one].map((found) => found?.length)).toEqual([1, 1]);
  });

  it("a VPC of another stack, of which only subnets are here, is as far as those", () => {
    const placed = { vpcId: "vpc-1" };
    const subnet = (cidrBlock: string) => resource(TYPE.subnet, cidrBlock, { ...placed, cidrBlock });
    const own = resource(TYPE.routeTable, "own", { ...placed, id: "rtb-1" });
    const to = (destinationCidrBlock: string) =>
      resource(TYPE.route, "to", { routeTableId: "rtb-1", destinationCidrBlock, transitGatewayId: "tgw-1" });
    const found = (...resources: Resource[]) => violations(cidrOverlap, [hostedCluster(), own, ...resources]);
    const here = [subnet("10.0.1.0/24"), subnet("10.0.2.0/24")];
    expect(found(...here, to("10.0.0.0/8"))).toEqual([]);
    expect(unknowns(cidrOverlap, [hostedCluster(), own, ...here, to("10.0.0.0/8")])).toHaveLength(1);
    expect(found(...here, to("10.132.0.0/16"))).toHaveLength(1);
  });

  it("routes within the workers' VPC lead through an appliance to no other network", () => {
    const inside = vpc("workers", "10.0.0.0/8");
    const cluster = hostedCluster({ ...moved, networking: networking("10.0.0.0/16") });
    const found = (cidr: string) =>
      violations(cidrOverlap, [cluster, inside, table, route(cidr, { vpcEndpointId: "vpce-1" })]);
    expect(found("10.132.7.0/24")).toEqual(found("10.0.7.0/24"));
  });

  it("a destination among the machines is no conflict: subnets of theirs may be behind it", () => {
    const unseen = resource(TYPE.routeTable, "table", { id: "rtb-1" });
    const to = (destinationCidrBlock: string) =>
      resource(TYPE.route, "route", {
        routeTableId: "rtb-1",
        destinationCidrBlock,
        transitGatewayId: "tgw-1",
      });
    const found = (block: string) =>
      [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
        violations(rule, [hostedCluster(moved), unseen, to(block)]).map(({ path }) => path),
      );
    expect(found("10.0.4.0/24")).toEqual([]);
    expect(found("10.132.4.0/24")).toHaveLength(1);
  });

  it("default routes name no network, and routes of other VPCs are not the workers'", () => {
    const elsewhere = vpc("elsewhere", "10.9.0.0/16");
    const other = resource(TYPE.routeTable, "other", { vpcId: UNKNOWN }, { vpcId: [elsewhere] });
    const resources = [
      hostedCluster(),
      workers,
      elsewhere,
      table,
      other,
      route("0.0.0.0/0", { transitGatewayId: "tgw-1" }),
      route("100.64.0.0/16", byPeering, other),
    ];
    expect(violations(cidrReservedOverlap, resources)).toEqual([]);
  });

  it.each<[string, Properties, Resource[]]>([
    ["by the id that it says", { routeTableId: "rtb-main" }, []],
    ["by what the id was made from", { routeTableId: UNKNOWN }, [vpc("elsewhere", "10.9.0.0/16")]],
  ])("routes of another VPC's main table are not the workers', known %s", (_, named, from) => {
    const elsewhere = vpc("elsewhere", "10.9.0.0/16");
    const withMain = { ...elsewhere, properties: { ...elsewhere.properties, mainRouteTableId: "rtb-main" } };
    const main = resource(
      TYPE.route,
      "main",
      { ...named, destinationCidrBlock: "100.64.0.0/16", ...byPeering },
      { routeTableId: from },
    );
    const found = (...more: Resource[]) =>
      violations(cidrReservedOverlap, [hostedCluster(), workers, ...more]);
    expect(found(withMain, main)).toEqual([]);
    const elsewhereKnown = named.routeTableId === UNKNOWN ? { ...main, propertyDependencies: {} } : main;
    expect(found(elsewhere, elsewhereKnown)).toHaveLength(1);
    const takenOver = resource(TYPE.defaultRouteTable, "taken", {
      defaultRouteTableId: "rtb-main",
      vpcId: UNKNOWN,
      routes: [{ cidrBlock: "100.64.0.0/16", transitGatewayId: "tgw-1" }],
    });
    expect(found(withMain, takenOver)).toEqual([]);
    expect(found(elsewhere, takenOver)).toHaveLength(1);
  });

  it("VPNs with static routes count for the VPC at their gateway", () => {
    const gateway = resource(TYPE.vpnGateway, "vpn", { vpcId: UNKNOWN }, { vpcId: [workers] });
    const connection = resource(
      TYPE.vpnConnection,
      "vpn",
      { vpnGatewayId: UNKNOWN },
      { vpnGatewayId: [gateway] },
    );
    const vpnRoute = resource(
      TYPE.vpnConnectionRoute,
      "vpn",
      { destinationCidrBlock: "100.88.0.0/24", vpnConnectionId: UNKNOWN },
      { vpnConnectionId: [connection] },
    );
    const resources = [hostedCluster(), workers, gateway, connection, vpnRoute];
    expect(violations(cidrReservedOverlap, resources)).toHaveLength(1);
  });

  it("routes in their table count as those beside it do, and prefix lists with each entry", () => {
    const inline = (...routes: Properties[]) =>
      resource(TYPE.routeTable, "workers", { vpcId: UNKNOWN, routes }, { vpcId: [workers] });
    const to = { transitGatewayId: "tgw-1" };
    const direct = inline(
      { cidrBlock: "0.0.0.0/0", natGatewayId: "nat-1" },
      { cidrBlock: "100.64.0.0/16", ...to },
    );
    expect(violations(cidrReservedOverlap, [hostedCluster(), workers, direct])).toMatchObject([
      { path: "routes[1].cidrBlock" },
    ]);
    const byList = inline({ destinationPrefixListId: "pl-1", ...to });
    const list = resource(TYPE.prefixList, "corporate", { id: "pl-1", entries: [{ cidr: "100.64.0.0/16" }] });
    expect(violations(cidrReservedOverlap, [hostedCluster(), workers, byList, list])).toMatchObject([
      { path: "routes[0].destinationPrefixListId" },
    ]);
    expect(unknowns(cidrOverlap, [hostedCluster(), workers, byList])).toMatchObject([
      { path: "routes[0].destinationPrefixListId" },
    ]);
    const beside = resource(
      TYPE.route,
      "route",
      { routeTableId: UNKNOWN, destinationPrefixListId: UNKNOWN, ...to },
      { routeTableId: [table], destinationPrefixListId: [list] },
    );
    expect(violations(cidrReservedOverlap, [hostedCluster(), workers, table, beside, list])).toMatchObject([
      { path: "destinationPrefixListId" },
    ]);
  });

  it("a VPN's ranges are those of the customer's side, not of AWS's", () => {
    const gateway = resource(TYPE.vpnGateway, "vpn", { id: "vgw-1", vpcId: UNKNOWN }, { vpcId: [workers] });
    const connection = (ranges: Properties) =>
      resource(TYPE.vpnConnection, "vpn", { vpnGatewayId: "vgw-1", ...ranges });
    const found = (ranges: Properties) =>
      violations(cidrReservedOverlap, [hostedCluster(), workers, gateway, connection(ranges)]);
    expect(found({ localIpv4NetworkCidr: "100.64.0.0/16" })).toMatchObject([
      { path: "localIpv4NetworkCidr" },
    ]);
    expect(found({ localIpv4NetworkCidr: "0.0.0.0/0", remoteIpv4NetworkCidr: "100.64.0.0/16" })).toEqual([]);
  });

  it("a route of a transit gateway is for the VPCs that have its table, or may have it", () => {
    const other = vpc("other", "10.9.0.0/16");
    const attach = (name: string, gateway: string, of: typeof workers) =>
      resource(
        TYPE.transitGatewayAttachment,
        name,
        { id: `attach-${name}`, transitGatewayId: gateway, vpcId: UNKNOWN },
        { vpcId: [of] },
      );
    const routes = resource(TYPE.transitGatewayRouteTable, "table", {
      id: "rtb-1",
      transitGatewayId: "tgw-1",
    });
    const corporateRoute = resource(TYPE.transitGatewayRoute, "corporate", {
      destinationCidrBlock: "100.64.0.0/16",
      transitGatewayRouteTableId: "rtb-1",
    });
    const has = (name: string, ofTable: string) =>
      resource(TYPE.transitGatewayAssociation, name, {
        transitGatewayAttachmentId: `attach-${name}`,
        transitGatewayRouteTableId: ofTable,
      });
    const found = (...more: Resource[]) =>
      violations(cidrReservedOverlap, [hostedCluster(), workers, other, corporateRoute, ...more]).length;
    const both = [attach("a", "tgw-1", workers), attach("b", "tgw-1", other)];
    expect(found()).toBe(1);
    expect(found(routes, ...both)).toBe(1);
    expect(found(routes, ...both, has("a", "rtb-1"))).toBe(1);
    expect(found(routes, ...both, has("a", "rtb-2"))).toBe(0);
    expect(found(routes, attach("a", "tgw-1", workers), has("a", "rtb-2"))).toBe(0);
    expect(found(routes, attach("b", "tgw-1", other), has("b", "rtb-2"))).toBe(1);
    expect(found(routes, attach("a", "tgw-2", workers), attach("b", "tgw-1", other))).toBe(0);
    expect(found(routes, attach("a", "tgw-2", workers))).toBe(0);
    const elsewhere = [hostedCluster(), other, corporateRoute, routes, attach("b", "tgw-2", other)];
    expect(violations(cidrReservedOverlap, elsewhere)).toHaveLength(1);
    expect(found(routes, attach("a", "tgw-2", workers), attach("c", "tgw-1", workers))).toBe(1);
    expect(found(attach("a", "tgw-2", workers), attach("b", "tgw-1", other))).toBe(1);
  });

  it("a transit gateway's route to a prefix list leads to each of its entries", () => {
    const other = vpc("other", "100.64.0.0/16");
    const attach = (name: string, of: typeof workers) =>
      resource(
        TYPE.transitGatewayAttachment,
        name,
        { id: `attach-${name}`, transitGatewayId: "tgw-1", vpcId: UNKNOWN },
        { vpcId: [of] },
      );
    const list = resource(TYPE.prefixList, "list", {
      id: "pl-1",
      entries: [{ cidr: "100.64.0.0/24" }, { cidr: "10.77.0.0/16" }],
    });
    const reference = (more: Properties) =>
      resource(TYPE.transitGatewayListRoute, "corporate", { prefixListId: "pl-1", ...more });
    const seen = (...more: Resource[]) =>
      violations(cidrReservedOverlap, [hostedCluster(), workers, attach("a", workers), ...more]);
    const byVpn = reference({ transitGatewayAttachmentId: "attach-vpn" });
    expect(seen(list, byVpn)).toMatchObject([
      { message: expect.stringContaining("route corporate) 100.64.0.0/24") as string },
    ]);
    expect(seen(list, reference({ blackhole: true }))).toEqual([]);
    expect(seen(byVpn)).toEqual([]);
    expect(unknowns(cidrOverlap, [hostedCluster(), workers, byVpn])).toMatchObject([
      { path: "prefixListId" },
    ]);
    const toOther = reference({ transitGatewayAttachmentId: "attach-b" });
    expect(seen(list, toOther, other, attach("b", other))).toMatchObject([
      { message: expect.stringContaining("VPC other 100.64.0.0/16") as string },
    ]);
  });

  it("a blackhole of a transit gateway leads nowhere", () => {
    const found = (blackhole: Properties[string]) =>
      violations(cidrReservedOverlap, [
        hostedCluster(),
        workers,
        resource(TYPE.transitGatewayRoute, "isolation", { destinationCidrBlock: "100.64.0.0/16", blackhole }),
      ]).length;
    expect([found(null), found(false), found(UNKNOWN)]).toEqual([1, 1, 1]);
    expect([found(true), found("true")]).toEqual([0, 0]);
  });

  it.each(["172.20.0.0/16", "100.65.3.0/24", "169.254.10.0/24"])(
    "machine network %s takes what nodes need",
    (cidr) => {
      expect(
        violations(cidrReservedOverlap, [hostedCluster({ networking: networking(cidr) })])[0],
      ).toMatchObject({
        path: "spec.networking.machineNetwork[0].cidr",
      });
    },
  );
});

test("what is to be written in the place of an address is an address", () => {
  const fixOf = (cidr: string) =>
    violations(cidrReservedOverlap, [hostedCluster({ networking: networking(cidr) })])[0]?.fix;
  expect(fixOf("172.20.0.0/24")).toMatch(/or set \S+advertiseAddress to an address that nothing else uses$/);
  expect(fixOf("100.64.0.0/16")).toMatch(/or set \S+internalJoinSubnet to a range that nothing else uses$/);
});

describe("the ranges of a user-defined network", () => {
  const network = (spec: Properties, namespace = "shop", more: Partial<Resource> = {}) => ({
    ...resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "blue", { metadata: { namespace }, spec }),
    ...more,
  });
  const layer2 = (subnets: string[], joinSubnets: string[] = []) =>
    network({ layer2: { role: "Primary", subnets, joinSubnets } });
  const layer3 = (cidr: string) =>
    network({ network: { layer3: { role: "Secondary", subnets: [{ cidr }] } } });
  const judged = (...resources: Resource[]) =>
    [cidrOverlap, cidrReservedOverlap].flatMap((rule) => [
      ...violations(rule, resources).map(({ path, message }) => `${path} ${message}`),
      ...unknowns(rule, resources).map(({ message }) => `unknown ${message}`),
    ]);
  const written = hostedCluster({
    networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: "10.200.0.0/16" }] }),
  });

  it.each([
    ["the cluster network", layer2(["10.200.4.0/24"]), "spec.layer2.subnets[0]"],
    ["the service network", layer3("172.31.4.0/24"), "spec.network.layer3.subnets[0].cidr"],
    ["OVN's default join subnet", layer2(["10.9.0.0/16"], ["100.64.3.0/24"]), "spec.layer2.joinSubnets[0]"],
    ["OVN's default transit switch subnet", layer3("100.88.3.0/24"), "spec.network.layer3.subnets[0].cidr"],
    ["the join subnet of user-defined networks", layer2(["100.65.3.0/24"]), "spec.layer2.subnets[0]"],
    ["OVN's masquerade subnet", layer2(["169.254.4.0/24"]), "spec.layer2.subnets[0]"],
    ["OVN's masquerade subnet", layer3("169.254.4.0/24"), "spec.network.layer3.subnets[0].cidr"],
    ["the user-defined network blue", layer2(["10.9.0.0/16"], ["10.9.1.0/24"]), "spec.layer2.joinSubnets[0]"],
  ])("share no addresses with %s", (other, one, path) => {
    expect(judged(written, one)).toEqual([expect.stringContaining(`shares addresses with ${other}`)]);
    expect(judged(written, one)[0]).toMatch(new RegExp(`^${path.replace(/[[\].]/g, "\\$&")} `));
  });

  it("may share some with the masquerade subnet that only clusters of old releases keep: that is unknown", () => {
    expect(judged(written, layer2(["169.254.169.0/24"]))).toEqual([
      expect.stringMatching(/^unknown .*masquerade subnet before 4\.17, kept by upgraded clusters/),
    ]);
  });

  it("may be those of machines, of another network, of a localnet and, on layer 2, of the transit switch", () => {
    const localnet = network({ network: { localnet: { role: "Secondary", subnets: ["10.200.0.0/16"] } } });
    const apart = [layer2(["10.0.0.0/24"]), layer2(["10.0.0.0/16"]), layer2(["100.88.3.0/24"]), localnet];
    expect(judged(written, ...apart)).toEqual([]);
  });

  it("are those of a standalone cluster, too, and unknown where they may be of either", () => {
    const standalone = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      spec: { clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["172.30.0.0/16"] },
    });
    const one = layer2(["10.130.4.0/24"]);
    expect(judged(standalone, one)).toEqual([expect.stringContaining("of Network cluster")]);
    expect(judged(standalone, written, one)).toEqual([expect.stringMatching(/^unknown .*in that cluster$/)]);
    expect(judged(written, hostedCluster({}, "tenant-b"), layer2(["10.200.4.0/24"]))).toEqual([]);
  });

  describe("of a network attachment", () => {
    const config = (more: Properties) =>
      JSON.stringify({
        type: "ovn-k8s-cni-overlay",
        topology: "layer3",
        subnets: "10.200.0.0/20/24",
        ...more,
      });
    const attachment = (text: PropertyValue, more: Partial<Resource> = {}) => ({
      ...resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "blue", {
        metadata: { namespace: "shop" },
        spec: { config: text },
      }),
      ...more,
    });

    it.each([
      ["a part for each node", config({}), "cluster network 10.200.0.0/16"],
      ["several", config({ subnets: "10.9.0.0/16/24, 10.200.4.0/24/28" }), "cluster network 10.200.0.0/16"],
      [
        "a join subnet of its own",
        config({ topology: "layer2", role: "primary", subnets: "10.9.0.0/16", joinSubnet: "172.31.3.0/24" }),
        "service network 172.31.0.0/16",
      ],
      [
        "the default join subnet",
        config({ topology: "layer2", role: "primary", subnets: "100.65.3.0/24" }),
        "join subnet of user-defined networks 100.65.0.0/16",
      ],
      [
        "one of several plug-ins",
        JSON.stringify({ plugins: [{ type: "tuning" }, JSON.parse(config({})) as PropertyValue] }),
        "cluster network 10.200.0.0/16",
      ],
      [
        "a part that is taken out",
        config({ excludeSubnets: "10.200.0.0/21" }),
        "cluster network 10.200.0.0/16",
      ],
    ])("are read: %s", (_, text, other) => {
      expect(judged(written, attachment(text))).toEqual([
        expect.stringMatching(
          new RegExp(`^spec\\.config .*network blue .*shares addresses with the ${other}`),
        ),
      ]);
    });

    it.each<[string, PropertyValue]>([
      ["another plug-in", config({ type: "macvlan" })],
      ["a localnet", config({ topology: "localnet" })],
      ["no subnets", config({ subnets: "" })],
      ["all of them taken out", config({ excludeSubnets: "10.9.0.0/24,10.200.0.0/20" })],
      ["all of the cluster's taken out", config({ excludeSubnets: "10.200.0.0/16" })],
      ["no JSON", "{"],
      ["a text that is not known", UNKNOWN],
    ])("are not: %s", (_, text) => {
      expect(judged(written, attachment(text))).toEqual([]);
    });

    it("are those of the user-defined network that it was made from", () => {
      const ownerReferences = [{ kind: "UserDefinedNetwork", name: "blue", controller: true }];
      const made = attachment(config({}));
      expect(
        judged(written, { ...made, properties: { ...made.properties, metadata: { ownerReferences } } }),
      ).toEqual([]);
    });

    it("may be those of virtual machines of KubeVirt in the management cluster", () => {
      const origin = { file: "fleet/all.yaml" };
      const kubeVirt = hostedCluster({
        platform: { type: "KubeVirt" },
        networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: "10.200.0.0/16" }] }),
      });
      expect(judged({ ...kubeVirt, origin }, attachment(config({}), { origin }))).toEqual([
        expect.stringMatching(/^unknown .*if it is in that cluster$/),
      ]);
    });
  });

  it("are unknown where they are not known yet", () => {
    for (const subnets of [UNKNOWN, [UNKNOWN]] as const)
      expect(judged(written, network({ layer2: { role: "Secondary", subnets } }))).toHaveLength(1);
    expect(judged(network({ layer2: { role: "Secondary", subnets: UNKNOWN } }))).toEqual([]);
  });

  it("are not among a hosted cluster's where the network is beside it", () => {
    const provider = "urn:pulumi:dev::test::pulumi:providers:kubernetes::management";
    const beside = network({ layer2: { role: "Primary", subnets: ["10.200.4.0/24"] } }, "shop", { provider });
    expect(judged({ ...written, provider }, beside)).toEqual([]);
    for (const namespace of ["clusters-tenant-a", "clusters"])
      expect(judged(written, network(beside.properties.spec as Properties, namespace))).toEqual([]);
    expect(judged(written, beside)).toHaveLength(1);
  });
});

describe("the join subnet of user-defined networks", () => {
  const network = (kind: string, spec: Properties) =>
    resource(`kubernetes:k8s.ovn.org/v1:${kind}`, "blue", { apiVersion: "k8s.ovn.org/v1", kind, spec });
  const layer2 = (more: Properties) => ({ topology: "Layer2", layer2: { role: "Primary", ...more } });
  const levels = (...more: ReturnType<typeof resource>[]) =>
    violations(cidrReservedOverlap, [hostedCluster(), ...more], around("100.65.0.0/16")).map(
      ({ level, fix }) => `${level} ${fix}`,
    );

  it("is a warning where there is none, with the feature and what moves the subnet", () => {
    const [finding, ...others] = violations(cidrReservedOverlap, [hostedCluster()], around("100.65.0.0/16"));
    expect(others).toEqual([]);
    expect(finding?.message).toContain(
      "with primary user-defined networks without joinSubnets, of which none is here, replies",
    );
    expect(levels()).toEqual([
      "warning move infrastructure network corporate, or write joinSubnets in each of them",
    ]);
  });

  it.each([
    ["one of the namespace", network("UserDefinedNetwork", layer2({})), "error"],
    ["one of the cluster", network("ClusterUserDefinedNetwork", { network: layer2({}) }), "error"],
    ["a secondary one", network("UserDefinedNetwork", layer2({ role: "Secondary" })), "warning"],
    ["one of no subnets", network("UserDefinedNetwork", layer2({ joinSubnets: [] })), "error"],
  ])("with %s", (_, one, level) => {
    expect(levels(one)).toEqual([expect.stringMatching(new RegExp(`^${level} `))]);
  });

  const own = { joinSubnets: ["100.99.0.0/16"] };
  const layer3 = (more: Properties) => ({ network: { layer3: { role: "Primary", ...more } } });

  it("is nothing where each that is here has its own, and an error where one has not", () => {
    const all = [
      network("ClusterUserDefinedNetwork", layer3(own)),
      network("UserDefinedNetwork", layer2(own)),
    ];
    expect(levels(...all)).toEqual([]);
    expect(levels(...all, network("UserDefinedNetwork", layer2({})))).toEqual([
      expect.stringMatching(/^error /),
    ]);
  });

  it.each([
    ["none of its own", {}, ["error"]],
    ["one of its own", { joinSubnet: "100.99.0.0/16" }, []],
  ])("is taken by a primary network attachment that says %s", (_, more, expected) => {
    const text = { type: "ovn-k8s-cni-overlay", topology: "layer2", role: "primary", subnets: "10.9.0.0/16" };
    const attachment = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "blue", {
      metadata: { namespace: "shop" },
      spec: { config: JSON.stringify({ ...text, ...more }) },
    });
    expect(levels(attachment).map((line) => line.split(" ")[0])).toEqual(expected);
  });

  it("is a warning among several clusters, of which one may have none of the networks", () => {
    const other = hostedCluster({}, "tenant-b");
    expect(levels(other, network("UserDefinedNetwork", layer2(own)))).toEqual([
      expect.stringMatching(/^warning /),
    ]);
  });

  it.each<[string, Properties, string]>([
    ["joinSubnets", layer2({ joinSubnets: UNKNOWN }), "spec.layer2.joinSubnets"],
    ["the role", layer2({ role: UNKNOWN }), "spec.layer2.role"],
    ["the role of a layer 3 network", layer3({ role: UNKNOWN }), "spec.network.layer3.role"],
  ])("is unknown where %s is, unless another network takes the default", (_, spec, path) => {
    const pending = network("UserDefinedNetwork", spec);
    expect(levels(pending)).toEqual([]);
    expect(unknowns(cidrReservedOverlap, [hostedCluster(), pending], around("100.65.0.0/16"))).toMatchObject([
      {
        message: expect.stringContaining(
          `${path}, whether infrastructure network corporate 100.65.0.0/16 shares addresses`,
        ) as string,
      },
    ]);
    expect(levels(pending, network("UserDefinedNetwork", layer2({})))).toEqual([
      expect.stringMatching(/^error /),
    ]);
    expect(unknowns(cidrReservedOverlap, [hostedCluster(), pending], around("10.65.0.0/16"))).toEqual([]);
  });

  it("is known where a network has its own, whatever its role, and one unknown where nothing of it is known", () => {
    expect(levels(network("UserDefinedNetwork", layer2({ ...own, role: UNKNOWN })))).toEqual([]);
    const hidden = resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "blue", { spec: UNKNOWN });
    expect(unknowns(cidrReservedOverlap, [hostedCluster(), hidden], around("100.65.0.0/16"))).toHaveLength(1);
  });

  it("lets a company network of 100.64.0.0/10 get green with join and transit moved", () => {
    const cluster = hostedCluster(ovn("10.99.0.0/16", "10.98.0.0/16"));
    const found = violations(cidrReservedOverlap, [cluster], around("100.64.0.0/10"));
    expect(found.filter(({ level }) => level === Level.Error)).toEqual([]);
  });
});

describe("cidr-reserved-overlap looks ahead", () => {
  const of = (version: string) => ({
    release: { image: `quay.io/openshift-release-dev/ocp-release:${version}-x86_64` },
  });
  const found = (version: string, cidr: string) =>
    judge(cidrReservedOverlap, [hostedCluster(of(version))], around(cidr)).map(({ level, message, fix }) => ({
      level,
      message,
      fix,
    }));

  it("a range that a later release takes is a warning that names the upgrade and what to do before it", () => {
    expect(found("4.16.3", "100.65.0.0/16")).toEqual([
      {
        level: Level.Warning,
        message:
          "infrastructure network corporate 100.65.0.0/16 shares addresses with the join subnet of user-defined networks 100.65.0.0/16, which clusters/tenant-a takes from 4.17 on: with the upgrade from 4.16 to 4.17 replies of pods to those addresses never leave the node",
        fix: "move infrastructure network corporate before the upgrade to 4.17",
      },
    ]);
    const [transit] = found("4.13.9", "100.88.0.0/16");
    expect(transit).toMatchObject({ level: Level.Warning });
    expect(transit!.message).toContain("with the upgrade from 4.13 to 4.14 traffic of pods between nodes");
    expect(transit!.fix).toMatch(
      /before the upgrade to 4\.14; \S+internalTransitSwitchSubnet can say another range from release 4\.20 on$/,
    );
  });

  it("with the upgrade it is an error, and the setting that a release lacks is no way out", () => {
    expect(found("4.17.0", "100.65.0.0/16")).toMatchObject([{ level: Level.Warning }]);
    expect(found("4.19.0", "100.88.0.0/16")).toMatchObject([
      { level: Level.Error, fix: expect.stringContaining("from release 4.20 on") as string },
    ]);
    expect(found("4.20.0", "100.88.0.0/16")).toMatchObject([
      { level: Level.Error, fix: expect.stringContaining("or set spec.operatorConfiguration") as string },
    ]);
  });

  it("clusters from before 4.17 keep their masquerade subnet, and of other ranges nothing is said", () => {
    expect(found("4.16.3", "10.77.0.0/16")).toEqual([]);
    const nearby = hostedCluster({ ...of("4.16.3"), networking: networking("169.254.100.0/24") });
    expect(violations(cidrReservedOverlap, [nearby]).map(({ message }) => message)).toEqual([
      expect.stringContaining("link-local"),
    ]);
  });

  it("the bridge of container engines is a note, and stays one where the rule is mandatory", () => {
    expect(found("4.20.0", "172.17.3.0/24")).toMatchObject([{ level: Level.Note }]);
    const configuration = { ...around("172.17.3.0/24"), levels: { all: "mandatory" as const } };
    const judged = new JudgedResources([hostedCluster()], configuration);
    expect(verdictOf(judged, [cidrReservedOverlap]).findings.map(({ level }) => level)).toEqual([Level.Note]);
  });
});

describe("cidr-overlap", () => {
  it("machine and cluster networks that overlap name an address of both", () => {
    const found = violations(cidrOverlap, [hostedCluster({ networking: networking("10.128.0.0/9") })]);
    expect(found).toMatchObject([
      { path: "spec.networking.machineNetwork[0].cidr", witness: "10.132.0.0 is in both" },
    ]);
    expect(found[0]?.message).toBe(
      "the machine network 10.128.0.0/9 of clusters/tenant-a shares addresses with the cluster network 10.132.0.0/14",
    );
  });

  it("what may overlap does not alarm: subnets, the machines' VPC, VPCs that nothing connects", () => {
    const subnet = resource(
      TYPE.subnet,
      "a",
      { cidrBlock: "10.0.128.0/20", vpcId: UNKNOWN },
      { vpcId: [workers] },
    );
    const twin = vpc("twin", "10.0.0.0/16");
    const resources = [hostedCluster(moved), workers, twin, subnet, corporate, vpc("pods", "10.132.0.0/16")];
    expect(violations(cidrOverlap, resources)).toEqual([]);
    expect(violations(cidrReservedOverlap, resources)).toEqual([]);
  });

  it("a connected VPC must not have the machines' or the pods' addresses", () => {
    const attach = (name: string, of: typeof workers, transitGatewayId: Properties[string] = "tgw-1") =>
      resource(TYPE.transitGatewayAttachment, name, { transitGatewayId, vpcId: UNKNOWN }, { vpcId: [of] });
    const pods = vpc("pods", "10.132.0.0/16");
    const resources = [hostedCluster(moved), workers, pods, attach("a", workers), attach("b", pods)];
    expect(violations(cidrOverlap, resources).map(({ message }) => message)).toEqual([
      "the cluster network 10.132.0.0/14 of clusters/tenant-a shares addresses with VPC pods 10.132.0.0/16",
    ]);
    const machines = vpc("machines", "10.0.4.0/24");
    const both = [hostedCluster(moved), workers, machines, attach("a", workers), attach("b", machines)];
    expect(violations(cidrOverlap, both).map(({ message }) => message)).toEqual([
      "the machine network 10.0.0.0/16 of clusters/tenant-a shares addresses with VPC machines 10.0.4.0/24",
      "VPC workers 10.0.0.0/16 of connected networks shares addresses with VPC machines 10.0.4.0/24",
    ]);
    const unknown = [attach("a", workers, UNKNOWN), attach("b", pods, UNKNOWN)];
    expect(violations(cidrOverlap, [hostedCluster(moved), workers, pods, ...unknown])).toEqual([]);
  });

  it("every associated block of the workers' VPC counts", () => {
    const second = resource(
      TYPE.ipv4Association,
      "second",
      { cidrBlock: "100.99.0.0/20", vpcId: UNKNOWN },
      { vpcId: [workers] },
    );
    expect(violations(cidrOverlap, [hostedCluster(moved), workers, second])).toMatchObject([
      { path: expect.stringContaining("internalJoinSubnet") as string },
    ]);
  });

  it("the ranges of a Network operator object are apart from each other", () => {
    const network = (spec: Properties) =>
      resource("kubernetes:operator.openshift.io/v1:Network", "cluster", { spec });
    const good = { clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["172.30.0.0/16"] };
    expect(violations(cidrOverlap, [network(good)])).toEqual([]);
    expect(violations(cidrReservedOverlap, [network(good)])).toEqual([]);
    expect(violations(cidrOverlap, [network({ ...good, serviceNetwork: ["10.129.0.0/16"] })])).toHaveLength(
      1,
    );
    expect(
      violations(cidrReservedOverlap, [network({ ...good, serviceNetwork: ["100.64.0.0/16"] })]),
    ).toHaveLength(1);
  });

  describe("of a Network operator object", () => {
    const found = (spec: Properties, ovnKubernetesConfig: Properties = {}, type = "OVNKubernetes") => {
      const network = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
        spec: { ...spec, defaultNetwork: { type, ovnKubernetesConfig } },
      });
      return [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
        violations(rule, [network]).map(({ path, message }) => `${path}: ${message}`),
      );
    };
    const dual = {
      clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }],
      serviceNetwork: ["172.30.0.0/16", "fd02::/112"],
    };

    test.each<[range: string, spec: Properties, config: Properties]>([
      ["IPv6 join subnet", dual, { ipv6: { internalJoinSubnet: "fd01::/64" } }],
      ["IPv6 join subnet", dual, { v6InternalSubnet: "fd02::/64" }],
      ["IPv6 transit switch subnet", dual, { ipv6: { internalTransitSwitchSubnet: "fd02::/64" } }],
      [
        "IPv6 masquerade subnet",
        dual,
        { gatewayConfig: { ipv6: { internalMasqueradeSubnet: "fd02::/112" } } },
      ],
      ["default IPv6 join subnet", { ...dual, serviceNetwork: ["172.30.0.0/16", "fd98::/112"] }, {}],
      [
        "default IPv6 transit switch subnet",
        { ...dual, serviceNetwork: ["172.30.0.0/16", "fd97::/112"] },
        {},
      ],
      ["IPv6 masquerade subnet", { ...dual, serviceNetwork: ["172.30.0.0/16", "fd69::/112"] }, {}],
    ])("the %s is held against the networks of pods and Services", (range, spec, config) => {
      expect(found(spec, config)).toEqual([expect.stringContaining(range) as string]);
    });

    it("ranges that are apart are right, and IPv6 is taken only where pods have addresses of it", () => {
      const apart = {
        ipv6: { internalJoinSubnet: "fd90::/64", internalTransitSwitchSubnet: "fd91::/64" },
        gatewayConfig: { ipv6: { internalMasqueradeSubnet: "fd92::/112" } },
      };
      expect(found(dual, apart)).toEqual([]);
      expect(found({ ...dual, serviceNetwork: ["172.30.0.0/16", "fd98::/112"] }, apart)).toEqual([]);
      expect(found({ clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["fd98::/112"] })).toEqual(
        [],
      );
    });

    it("ranges with host bits are those of the block around", () => {
      expect(
        found({ clusterNetwork: [{ cidr: "10.128.0.1/14" }], serviceNetwork: ["10.130.0.0/16"] }),
      ).toEqual([expect.stringContaining("service network 10.130.0.0/16") as string]);
    });

    test.each([
      ["OVNKubernetes", 1],
      ["ovnkubernetes", 1],
      ["Calico", 0],
      ["OpenShiftSDN", 0],
    ])("with the network %s OVN's defaults are taken: %s", (type, count) => {
      const inJoin = { clusterNetwork: [{ cidr: "100.64.0.0/16" }], serviceNetwork: ["172.30.0.0/16"] };
      expect(found(inJoin, {}, type)).toHaveLength(count);
    });
  });

  it("unknown ranges are counted, and the others judged on", () => {
    const cluster = hostedCluster({ networking: networking("10.128.0.0/9", { serviceNetwork: UNKNOWN }) });
    expect(violations(cidrOverlap, [cluster])).toHaveLength(1);
    expect(unknowns(cidrOverlap, [cluster])).toMatchObject([{ path: "spec.networking.serviceNetwork" }]);
  });

  it("blocks that AWS chooses are unknown only where they are asked for", () => {
    const asked = vpc("workers", "10.0.0.0/16", { assignGeneratedIpv6CidrBlock: true });
    const dual = hostedCluster({
      networking: {
        ...networking("10.0.0.0/16"),
        serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
      },
    });
    expect(unknowns(cidrOverlap, [dual, asked])).toMatchObject([{ path: "ipv6CidrBlock" }]);
    const pool = vpc("workers", UNKNOWN, { ipv4IpamPoolId: "ipam-1" });
    expect(unknowns(cidrOverlap, [hostedCluster(), pool])).toMatchObject([{ path: "cidrBlock" }]);
    expect(unknowns(cidrOverlap, [hostedCluster(), workers])).toEqual([]);
  });

  it("a patch on a cluster that is elsewhere is judged as far as it goes", () => {
    const patch = resource(`${hostedCluster().type}Patch`, "move", {
      metadata: { name: "far", namespace: "clusters" },
      spec: ovn("100.64.0.0/16", "100.64.128.0/17"),
    });
    expect(violations(cidrOverlap, [patch])).toHaveLength(1);
    expect(unknowns(cidrOverlap, [patch])[0]?.message).toContain("are not in this stack");
  });
});
