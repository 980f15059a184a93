import { cidrInvalid } from "../../../src/addressRanges/rules/cidrInvalid";
import { primaryNetworkNamespace } from "../../../src/addressRanges/userNetworks";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { judge, linesOf, resource, unknowns, violations } from "../../rules/builders";

const hostSubnet = (cidr: PropertyValue) => (typeof cidr === "string" && cidr.includes(":") ? 64 : 24);
const blocks = (cidr: PropertyValue): PropertyValue => ({
  layer2: { subnets: [cidr], joinSubnets: [cidr], reservedSubnets: [cidr], infrastructureSubnets: [cidr] },
  layer3: { subnets: [{ cidr, hostSubnet: hostSubnet(cidr) }], joinSubnets: [cidr] },
  localnet: { subnets: [cidr], excludeSubnets: [cidr] },
});
const PLACES = [
  ...["subnets", "joinSubnets", "reservedSubnets", "infrastructureSubnets"].map(
    (list) => `layer2.${list}[0]`,
  ),
  ...["layer3.subnets[0].cidr", "layer3.joinSubnets[0]"],
  ...["subnets", "excludeSubnets"].map((list) => `localnet.${list}[0]`),
];
const user = (cidr: PropertyValue) =>
  resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "blue", { spec: blocks(cidr) });
const cluster = (cidr: PropertyValue) =>
  resource("kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork", "blue", {
    spec: { network: blocks(cidr) },
  });

describe("blocks of user-defined networks", () => {
  test.each(["10.77.0.0", "10.77.0.0/33", "10.77.0.256/24", "010.77.0.0/16", "", "10.77.0.0-10.77.0.9"])(
    "the API server refuses %j",
    (cidr) => {
      const found = (object: ReturnType<typeof user>) =>
        violations(cidrInvalid, [object]).map(({ level, path }) => `${level} ${path}`);
      expect(found(user(cidr)).sort()).toEqual(PLACES.map((place) => `error spec.${place}`).sort());
      expect(found(cluster(cidr)).sort()).toEqual(
        PLACES.map((place) => `error spec.network.${place}`).sort(),
      );
    },
  );

  test.each(["10.77.0.0/16", "fd77::/48"])("takes %s", (cidr) => {
    expect(violations(cidrInvalid, [user(cidr), cluster(cidr)])).toEqual([]);
  });

  test("host bits are a warning, because OVN-Kubernetes clears them", () => {
    const found = violations(cidrInvalid, [user("10.77.0.5/16")]);
    expect(found.map(({ level }) => level)).toEqual(PLACES.map(() => "warning"));
  });

  test("what is not known yet is unknown", () => {
    expect(unknowns(cidrInvalid, [user(UNKNOWN)])).toHaveLength(PLACES.length);
    expect(violations(cidrInvalid, [user(UNKNOWN)])).toEqual([]);
  });
});

describe("lists of user-defined networks", () => {
  const ofKind = (type: string) => (network: PropertyValue) =>
    violations(cidrInvalid, [
      resource(`kubernetes:k8s.ovn.org/v1:${type}`, "blue", {
        spec: type.startsWith("Cluster") ? { network } : network,
      }),
    ]).map(({ level, path }) => `${level} ${path.replace("spec.network.", "spec.")}`);
  const layer3 = (role: string, ...subnets: PropertyValue[]) => ({ layer3: { role, subnets } });
  const [one, two] = [
    { cidr: "10.1.0.0/16", hostSubnet: 24 },
    { cidr: "10.2.0.0/16", hostSubnet: 24 },
  ];
  const six = { cidr: "fd01::/48", hostSubnet: 64 };
  const layer2 = (more: Record<string, PropertyValue>) => ({
    layer2: { role: "Primary", subnets: ["192.168.1.0/24", "2001:db8::/64"], ...more },
  });

  describe.each(["UserDefinedNetwork", "ClusterUserDefinedNetwork"])("%s", (kind) => {
    const found = ofKind(kind);

    test.each<[string, PropertyValue, string]>([
      ["two subnets of a family", layer2({ subnets: ["10.1.0.0/24", "10.2.0.0/24"] }), "layer2.subnets"],
      ["two of IPv6", { localnet: { subnets: ["fd01::/64", "fd02::/64"] } }, "localnet.subnets"],
      ["two join subnets", layer2({ joinSubnets: ["10.1.0.0/24", "10.2.0.0/24"] }), "layer2.joinSubnets"],
      ["two of a secondary network", layer3("Secondary", one, two), "layer3.subnets"],
      [
        "a part that is the whole",
        layer3("Primary", { cidr: "10.1.0.0/16", hostSubnet: 16 }),
        "layer3.subnets[0].hostSubnet",
      ],
      [
        "a part of one address",
        layer3("Primary", { cidr: "10.1.0.0/16", hostSubnet: 32 }),
        "layer3.subnets[0].hostSubnet",
      ],
      ["unequal parts", layer3("Primary", one, { ...two, hostSubnet: 27 }), "layer3.subnets[1].hostSubnet"],
      [
        "a part that one does not say",
        layer3("Primary", one, { cidr: "10.2.0.0/16" }),
        "layer3.subnets[1].hostSubnet",
      ],
      [
        "reserved addresses of no subnet",
        layer2({ reservedSubnets: ["10.0.0.0/28"] }),
        "layer2.reservedSubnets[0]",
      ],
      [
        "addresses of OVN's own of no subnet",
        layer2({ infrastructureSubnets: ["192.168.1.0/28", "2001:db9::/80"] }),
        "layer2.infrastructureSubnets[1]",
      ],
      [
        "a gateway in no subnet",
        layer2({ defaultGatewayIPs: ["192.168.2.1"] }),
        "layer2.defaultGatewayIPs[0]",
      ],
      [
        "reserved addresses without subnets",
        { layer2: { role: "Secondary", ipam: { mode: "Disabled" }, reservedSubnets: ["192.168.1.0/28"] } },
        "layer2.reservedSubnets[0]",
      ],
      [
        "exclusions of no subnet",
        { localnet: { subnets: ["192.168.100.0/24"], excludeSubnets: ["192.168.200.1/32"] } },
        "localnet.excludeSubnets[0]",
      ],
    ])("is refused with %s", (_, network, path) => {
      expect(found(network)).toEqual([`error spec.${path}`]);
    });

    test.each<[string, PropertyValue]>([
      ["one subnet of each family", layer2({})],
      [
        "several subnets of a primary network",
        layer3("Primary", one, two, six, { ...six, cidr: "fd02::/48" }),
      ],
      ["parts that are not stated", layer3("Primary", { cidr: "10.1.0.0/16" }, { cidr: "10.2.0.0/16" })],
      [
        "parts of the subnets",
        layer2({
          reservedSubnets: ["192.168.1.16/29"],
          infrastructureSubnets: ["192.168.1.0/28", "2001:db8::/80"],
          defaultGatewayIPs: ["192.168.1.4", "2001:db8::4"],
        }),
      ],
      ["exclusions", { localnet: { subnets: ["192.168.1.0/24"], excludeSubnets: ["192.168.1.1/32"] } }],
      ["no subnets", { layer2: { role: "Secondary", ipam: { mode: "Disabled" } } }],
    ])("is taken with %s", (_, network) => {
      expect(found(network)).toEqual([]);
    });

    test.each<[string, PropertyValue]>([
      ["subnets", layer2({ subnets: UNKNOWN, reservedSubnets: ["10.0.0.0/28"] })],
      ["a subnet", layer2({ subnets: [UNKNOWN], reservedSubnets: ["10.0.0.0/28"] })],
      ["a part", layer3("Primary", one, { ...two, hostSubnet: UNKNOWN })],
      ["a role", { layer3: { role: UNKNOWN, subnets: [one, two] } }],
    ])("may be taken where %s is not known", (_, network) => {
      expect(found(network)).toEqual([]);
    });
  });

  test("of a patch lie in subnets that it does not name", () => {
    expect(ofKind("UserDefinedNetworkPatch")({ layer2: { reservedSubnets: ["10.0.0.0/28"] } })).toEqual([]);
  });
});

describe("primary networks of a namespace", () => {
  const LABEL = "k8s.ovn.org/primary-user-defined-network";
  const NS = "kubernetes:core/v1:Namespace";
  const namespace = (name: string, labels: PropertyValue, type = NS) =>
    resource(type, `${type} ${name}`, { metadata: { name, labels } });
  const green = namespace("green", { team: "green", [LABEL]: "" });
  const bare = namespace("green", { team: "green" });
  const own = (name: string, role: PropertyValue = "Primary", at: PropertyValue = "green") =>
    resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", name, {
      metadata: { name, namespace: at },
      spec: { topology: "Layer2", layer2: { role, subnets: ["10.77.0.0/16"] } },
    });
  const several = (name: string, namespaceSelector: PropertyValue) =>
    resource("kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork", name, {
      metadata: { name },
      spec: {
        namespaceSelector,
        network: { layer3: { role: "Primary", subnets: [{ cidr: "10.78.0.0/16" }] } },
      },
    });
  const attached = (role: string) =>
    resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "by-hand", {
      metadata: { name: "by-hand", namespace: "green" },
      spec: {
        config: JSON.stringify({
          type: "ovn-k8s-cni-overlay",
          topology: "layer2",
          role,
          subnets: "10.79.0.0/16",
        }),
      },
    });
  const team = { matchLabels: { team: "green" } };
  const named = { matchLabels: { "kubernetes.io/metadata.name": "green" } };
  const found = (...resources: Resource[]) =>
    violations(primaryNetworkNamespace, resources).map(
      ({ resource: { urn }, path, message }) => `${urn?.split("::").at(-1)} ${path} ${message.split(":")[0]}`,
    );
  const lacks = (name: string, path: string) => `${name} ${path} namespace green has no label ${LABEL}`;
  const second = (name: string, path: string, first: string) =>
    `${name} ${path} ${first} is a primary network of namespace green, too`;

  test.each<[string, Resource[], string[]]>([
    ["with the label", [green, own("one")], []],
    ["with any value of it", [namespace("green", { [LABEL]: "false" }), several("all", {})], []],
    ["without it", [bare, own("one")], [lacks("one", "metadata.namespace")]],
    ["selected without it", [bare, several("all", team)], [lacks("all", "spec.namespaceSelector")]],
    ["attached without it", [bare, attached("primary")], [lacks("by-hand", "metadata.namespace")]],
    ["with a patch that has it", [bare, namespace("green", { [LABEL]: "" }, `${NS}Patch`), own("one")], []],
    ["of which only a patch is here", [namespace("green", {}, `${NS}Patch`), own("one")], []],
    ["of which nothing is here", [own("one")], []],
    ["with labels that are not known yet", [namespace("green", UNKNOWN), own("one")], []],
    ["of secondary networks", [bare, own("one", "Secondary"), own("two", "Secondary")], []],
    ["of a role that is not known yet", [bare, own("one", UNKNOWN)], []],
    ["in another namespace", [bare, own("one", "Primary", "blue")], []],
    ["in one that is not known yet", [bare, own("one", "Primary", UNKNOWN)], []],
    ["twice", [own("one"), own("two")], [second("two", "metadata.namespace", "UserDefinedNetwork one")]],
    ["once, written twice", [own("one"), own("one")], []],
    [
      "once of each kind",
      [green, own("one"), several("all", team)],
      [second("one", "metadata.namespace", "ClusterUserDefinedNetwork all")],
    ],
    [
      "selected by its name alone",
      [own("one"), several("all", named)],
      [second("one", "metadata.namespace", "ClusterUserDefinedNetwork all")],
    ],
    [
      "and attached",
      [own("one"), attached("primary")],
      [second("by-hand", "metadata.namespace", "UserDefinedNetwork one")],
    ],
    ["and attached as a secondary one", [own("one"), attached("secondary")], []],
    ["and one of others", [green, own("one"), several("all", { matchLabels: { team: "blue" } })], []],
    ["and a selector that is not known yet", [green, own("one"), several("all", UNKNOWN)], []],
  ])("%s", (_, resources, expected) => {
    expect(found(...resources)).toEqual(expected);
  });

  test.each<[string, Resource[], string]>([
    ["labels", [namespace("green", UNKNOWN), own("one")], "metadata.labels"],
    ["a role", [bare, own("one", UNKNOWN)], "spec.layer2.role"],
    ["a namespace", [bare, own("one", "Primary", UNKNOWN)], "metadata.namespace"],
    ["a selector", [bare, several("all", { matchLabels: { team: UNKNOWN } })], "spec.namespaceSelector"],
  ])("with %s that is not known yet are counted", (_, resources, path) => {
    expect(unknowns(primaryNetworkNamespace, resources).map((one) => one.path)).toEqual([path]);
    expect(unknowns(primaryNetworkNamespace, [green, own("one")])).toEqual([]);
  });

  const lines = (...resources: Resource[]) =>
    judge(primaryNetworkNamespace, resources).map((one) => linesOf([one]));

  test("are said with the way out: a label that no namespace gets later, and one network of several", () => {
    expect(lines(bare, own("one"), several("all", team))).toEqual([
      `violated spec.namespaceSelector | namespace green has no label ${LABEL}: OVN-Kubernetes does not create the primary network in it | create namespace green with the label, which cannot be added later`,
      `violated metadata.namespace | namespace green has no label ${LABEL}: OVN-Kubernetes does not create the primary network in it | create namespace green with the label, which cannot be added later`,
      "violated metadata.namespace | ClusterUserDefinedNetwork all is a primary network of namespace green, too: OVN-Kubernetes creates only one of them | keep only one of them, or make the other a secondary one",
    ]);
  });

  test("that are unknown say why", () => {
    const [hidden] = lines(bare, own("one", UNKNOWN));
    expect(hidden).toContain("spec.layer2.role, whether it is a primary network of a namespace");
    expect(lines(namespace("green", UNKNOWN), own("one"))).toEqual([
      expect.stringMatching(/^unknown metadata\.labels \| Namespace .*green: metadata\.labels \|/),
    ]);
  });

  test.each<[string, Resource[]]>([
    ["a namespace without networks hides its labels", [namespace("green", UNKNOWN)]],
    ["a secondary network hides its namespace", [own("one", "Secondary", UNKNOWN)]],
  ])("are not there where %s", (_, resources) => {
    expect(lines(...resources)).toEqual([]);
  });

  test.each<[string, Resource[], string[]]>([
    [
      "several that select by different labels",
      [several("b", team), several("a", named), several("c", {})],
      [
        second("b", "spec.namespaceSelector", "ClusterUserDefinedNetwork a"),
        second("c", "spec.namespaceSelector", "ClusterUserDefinedNetwork a"),
      ],
    ],
    [
      "one that is written twice before another",
      [own("one"), own("one"), own("two")],
      [second("two", "metadata.namespace", "UserDefinedNetwork one")],
    ],
    [
      "the default namespace",
      [own("one", "Primary", null), own("two", "Primary", "default")],
      ["two metadata.namespace UserDefinedNetwork one is a primary network of namespace default, too"],
    ],
    [
      "two layers of one network",
      [
        resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "both", {
          metadata: { name: "both", namespace: "green" },
          spec: { layer2: { role: "Secondary" }, layer3: { role: "Primary" } },
        }),
        own("two"),
      ],
      [second("two", "metadata.namespace", "UserDefinedNetwork both")],
    ],
  ])("are compared by their names: %s", (_, resources, expected) => {
    expect(found(green, ...resources)).toEqual(expected);
  });

  test("of two clusters do not meet, and each network is named once", () => {
    const provider = "urn:pulumi:dev::test::pulumi:providers:kubernetes::other";
    expect(found(own("one"), { ...own("two"), provider })).toEqual([]);
    const spaces = ["a", "b", "c"].map((name) => namespace(name, {}));
    expect(found(...spaces, several("all", {}), several("other", {}))).toHaveLength(3);
  });
});
