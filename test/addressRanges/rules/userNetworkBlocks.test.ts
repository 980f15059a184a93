import { cidrInvalid } from "../../../src/addressRanges/rules/cidrInvalid";
import { primaryNetworkNamespace } from "../../../src/addressRanges/userNetworks";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { judge, linesOf, resource, unknowns, userNetwork, violations } from "../../rules/builders";

const hostSubnet = (cidr: PropertyValue) => (typeof cidr === "string" && cidr.includes(":") ? 64 : 24);
const blocks = (cidr: PropertyValue, list: string): PropertyValue => ({
  layer2: { subnets: [cidr], joinSubnets: [cidr], [list]: [cidr] },
  layer3: { subnets: [{ cidr, hostSubnet: hostSubnet(cidr) }], joinSubnets: [cidr] },
  localnet: { subnets: [cidr], excludeSubnets: [cidr] },
});

// The two lists must not share addresses.
describe.each(["reservedSubnets", "infrastructureSubnets"])("blocks of user-defined networks, %s", (own) => {
  const PLACES = [
    ...["subnets", "joinSubnets", own].map((list) => `layer2.${list}[0]`),
    ...["layer3.subnets[0].cidr", "layer3.joinSubnets[0]"],
    ...["subnets", "excludeSubnets"].map((list) => `localnet.${list}[0]`),
  ];
  const user = (cidr: PropertyValue) =>
    resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "blue", { spec: blocks(cidr, own) });
  const cluster = (cidr: PropertyValue) =>
    resource("kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork", "blue", {
      spec: { network: blocks(cidr, own) },
    });

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

  test.each(["10.77.0.0/16", "fd77::/48"])("%s is accepted", (cidr) => {
    expect(violations(cidrInvalid, [user(cidr), cluster(cidr)])).toEqual([]);
  });

  test("with host bits are a warning, because OVN-Kubernetes clears them", () => {
    const found = violations(cidrInvalid, [user("10.77.0.5/16")]);
    expect(found.map(({ level }) => level)).toEqual(PLACES.map(() => "warning"));
  });

  test("that are not known yet are unknown", () => {
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
      ["two IPv6 subnets", { localnet: { subnets: ["fd01::/64", "fd02::/64"] } }, "localnet.subnets"],
      ["two join subnets", layer2({ joinSubnets: ["10.1.0.0/24", "10.2.0.0/24"] }), "layer2.joinSubnets"],
      ["two subnets of a secondary network", layer3("Secondary", one, two), "layer3.subnets"],
      [
        "a host subnet as large as the subnet",
        layer3("Primary", { cidr: "10.1.0.0/16", hostSubnet: 16 }),
        "layer3.subnets[0].hostSubnet",
      ],
      [
        "a host subnet of one address",
        layer3("Primary", { cidr: "10.1.0.0/16", hostSubnet: 32 }),
        "layer3.subnets[0].hostSubnet",
      ],
      [
        "different host subnets",
        layer3("Primary", one, { ...two, hostSubnet: 27 }),
        "layer3.subnets[1].hostSubnet",
      ],
      [
        "a host subnet for only one of two subnets",
        layer3("Primary", one, { cidr: "10.2.0.0/16" }),
        "layer3.subnets[1].hostSubnet",
      ],
      [
        "reserved addresses outside the subnets",
        layer2({ reservedSubnets: ["10.0.0.0/28"] }),
        "layer2.reservedSubnets[0]",
      ],
      [
        "infrastructure addresses outside the subnets",
        layer2({ infrastructureSubnets: ["192.168.1.0/28", "2001:db9::/80"] }),
        "layer2.infrastructureSubnets[1]",
      ],
      [
        "a gateway outside the subnets",
        layer2({ subnets: ["192.168.1.0/24"], defaultGatewayIPs: ["192.168.2.1"] }),
        "layer2.defaultGatewayIPs[0]",
      ],
      [
        "a gateway outside the infrastructure subnets",
        layer2({
          infrastructureSubnets: ["192.168.1.0/28"],
          defaultGatewayIPs: ["192.168.1.1", "2001:db8::1"],
        }),
        "layer2.defaultGatewayIPs[1]",
      ],
      [
        "a gateway for one of two subnets",
        layer2({ defaultGatewayIPs: ["192.168.1.1"] }),
        "layer2.defaultGatewayIPs",
      ],
      [
        "two gateways of a family",
        layer2({ defaultGatewayIPs: ["192.168.1.1", "192.168.1.2"] }),
        "layer2.defaultGatewayIPs",
      ],
      [
        "a gateway that is no address",
        layer2({ defaultGatewayIPs: ["192.168.1.1/24", "2001:db8::1"] }),
        "layer2.defaultGatewayIPs[0]",
      ],
      [
        "a gateway outside all subnets, beside infrastructure subnets",
        layer2({
          subnets: ["192.168.1.0/24"],
          infrastructureSubnets: ["192.168.1.0/28"],
          defaultGatewayIPs: ["192.168.2.1"],
        }),
        "layer2.defaultGatewayIPs[0]",
      ],
      [
        "reserved addresses inside an infrastructure subnet",
        layer2({ infrastructureSubnets: ["192.168.1.0/28"], reservedSubnets: ["192.168.1.8/29"] }),
        "layer2.reservedSubnets",
      ],
      [
        "an infrastructure subnet inside reserved addresses",
        layer2({
          infrastructureSubnets: ["192.168.1.0/28", "2001:db8::/80"],
          reservedSubnets: ["192.168.1.64/26", "2001:db8::/72"],
        }),
        "layer2.reservedSubnets",
      ],
      [
        "reserved addresses without subnets",
        { layer2: { role: "Secondary", ipam: { mode: "Disabled" }, reservedSubnets: ["192.168.1.0/28"] } },
        "layer2.reservedSubnets[0]",
      ],
      [
        "exclusions outside the subnets",
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
      [
        "host subnets that are not stated",
        layer3("Primary", { cidr: "10.1.0.0/16" }, { cidr: "10.2.0.0/16" }),
      ],
      [
        "reserved, infrastructure and gateway addresses inside the subnets",
        layer2({
          reservedSubnets: ["192.168.1.16/29"],
          infrastructureSubnets: ["192.168.1.0/28", "2001:db8::/80"],
          defaultGatewayIPs: ["192.168.1.4", "2001:db8::4"],
        }),
      ],
      [
        "exclusions inside the subnets",
        { localnet: { subnets: ["192.168.1.0/24"], excludeSubnets: ["192.168.1.1/32"] } },
      ],
      ["no subnets", { layer2: { role: "Secondary", ipam: { mode: "Disabled" } } }],
    ])("is accepted with %s", (_, network) => {
      expect(found(network)).toEqual([]);
    });

    test.each<[string, PropertyValue]>([
      ["subnets", layer2({ subnets: UNKNOWN, reservedSubnets: ["10.0.0.0/28"] })],
      ["a subnet", layer2({ subnets: [UNKNOWN], reservedSubnets: ["10.0.0.0/28"] })],
      [
        "an infrastructure subnet",
        layer2({
          infrastructureSubnets: [UNKNOWN, "192.168.1.0/28"],
          reservedSubnets: ["192.168.1.32/28"],
          defaultGatewayIPs: ["192.168.1.20", "2001:db8::1"],
        }),
      ],
      [
        "the list of infrastructure subnets",
        layer2({
          infrastructureSubnets: UNKNOWN,
          reservedSubnets: ["192.168.1.32/28"],
          defaultGatewayIPs: ["192.168.1.20", "2001:db8::1"],
        }),
      ],
      ["a host subnet", layer3("Primary", one, { ...two, hostSubnet: UNKNOWN })],
      ["a role", { layer3: { role: UNKNOWN, subnets: [one, two] } }],
    ])("is not refused if %s is unknown", (_, network) => {
      expect(found(network)).toEqual([]);
    });
  });

  test("name what the two ranges share, and where a gateway belongs", () => {
    const network = userNetwork({
      layer2: {
        subnets: ["192.168.1.0/24"],
        infrastructureSubnets: ["192.168.1.0/28"],
        reservedSubnets: ["192.168.1.8/29"],
        defaultGatewayIPs: ["192.168.1.20"],
      },
    });
    expect(linesOf(judge(cidrInvalid, [network]))).toBe(
      [
        "violated spec.layer2.defaultGatewayIPs[0] | 192.168.1.20 is in no infrastructure subnet of the network, so OVN-Kubernetes does not create the network | write addresses of such a subnet, or leave it out",
        "violated spec.layer2.reservedSubnets | shares 192.168.1.8/29 with infrastructureSubnets, so OVN-Kubernetes does not create the network | write ranges without these addresses in one of the two lists",
      ].join("\n"),
    );
  });

  test("in a patch may refer to subnets that the patch does not name", () => {
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
  describe("of several namespaces", () => {
    const told = (selector: PropertyValue, role: PropertyValue = "Secondary"): string[] => {
      const network = resource("kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork", "blue", {
        metadata: { name: "blue" },
        spec: { namespaceSelector: selector, network: { layer2: { role } } },
      });
      return violations(primaryNetworkNamespace, [network]).map(({ path, message }) => `${path} ${message}`);
    };
    const demand = (more: Record<string, PropertyValue>): PropertyValue => ({
      matchExpressions: [{ key: "team", ...more }],
    });
    const AT = "spec.namespaceSelector";

    test.each<[string, PropertyValue, string]>([
      ["In without values", demand({ operator: "In" }), `${AT}.matchExpressions[0].values missing`],
      [
        "Exists with values",
        demand({ operator: "Exists", values: ["a"] }),
        `${AT}.matchExpressions[0].values are set together with Exists, which uses no values`,
      ],
      ["no operator", demand({}), `${AT}.matchExpressions[0].operator missing`],
      ["an invalid key", { matchLabels: { "a b": "" } }, `${AT}.matchLabels.a b "a b" is not a label key`],
      ["no selector", null, `${AT} missing`],
      [
        "a contradiction",
        { matchLabels: { team: "a" }, matchExpressions: [{ key: "team", operator: "DoesNotExist" }] },
        `${AT} team=a, !team contradicts itself and matches nothing`,
      ],
    ])("are reported with %s", (_, selector, expected) => {
      for (const role of ["Primary", "Secondary", UNKNOWN] as const) {
        const lines = told(selector, role);
        expect(lines).toHaveLength(1);
        expect(lines[0]).toContain(expected);
      }
    });

    test.each<[string, PropertyValue]>([
      ["every namespace", {}],
      ["values", demand({ operator: "In", values: ["a"] })],
      ["unknown values", demand({ operator: "In", values: UNKNOWN })],
      ["an unknown operator", demand({ operator: UNKNOWN })],
      ["an unknown selector", UNKNOWN],
    ])("are accepted with %s", (_, selector) => {
      expect(told(selector)).toEqual([]);
    });
  });

  describe("keep their label", () => {
    const changed = (from: PropertyValue, to: PropertyValue, live = from, type = NS): Resource => {
      const state = (labels: PropertyValue): Resource["properties"] => ({
        metadata: { name: "green", labels },
      });
      return { ...namespace("green", to, type), before: { inputs: state(from), outputs: state(live) } };
    };
    const labelled = { team: "green", [LABEL]: "" };
    const told = (namespaceChange: Resource) => linesOf(judge(primaryNetworkNamespace, [namespaceChange]));
    const added = `violated metadata.labels["${LABEL}"] | is added, and the API server refuses that after a namespace is created | leave it out, and create another namespace with the label`;
    const removed = `violated metadata.labels["${LABEL}"] | is removed, and the API server refuses that after a namespace is created | keep the label`;

    test.each<[string, Resource, string]>([
      ["a label that is added", changed({ team: "green" }, labelled), added],
      ["a label that is added to none", changed(null, labelled), added],
      ["a label that is removed", changed(labelled, { team: "green" }), removed],
      ["labels that are removed", changed(labelled, null), removed],
      ["a label that a patch adds", changed({}, labelled, {}, `${NS}Patch`), added],
      ["another value", changed(labelled, { [LABEL]: "yes" }), ""],
      ["another label", changed({ team: "green" }, { team: "blue" }), ""],
      ["a label that the namespace has already", changed({ team: "green" }, labelled, labelled), ""],
      ["a label of others", changed({ team: "green" }, { team: "blue" }, labelled), ""],
      ["unknown labels", changed(labelled, UNKNOWN), ""],
      ["an unknown label", changed({}, { [LABEL]: UNKNOWN }), ""],
      ["labels that were not known", changed(UNKNOWN, labelled), ""],
      ["a new namespace", namespace("green", labelled), ""],
    ])("%s", (_, change, line) => {
      expect(told(change)).toBe(line);
    });

    test("a state without metadata says nothing", () => {
      const change = changed({}, labelled);
      expect(told({ ...change, before: { inputs: {}, outputs: {} } })).toBe("");
    });
  });

  const lacks = (name: string, path: string) => `${name} ${path} namespace green has no label ${LABEL}`;
  const second = (name: string, path: string, first: string) =>
    `${name} ${path} ${first} is a primary network of namespace green, too`;

  test.each<[string, Resource[], string[]]>([
    ["accept a namespace with the label", [green, own("one")], []],
    ["accept any value of the label", [namespace("green", { [LABEL]: "false" }), several("all", {})], []],
    ["refuse a namespace without the label", [bare, own("one")], [lacks("one", "metadata.namespace")]],
    [
      "refuse a selected namespace without the label",
      [bare, several("all", team)],
      [lacks("all", "spec.namespaceSelector")],
    ],
    [
      "refuse a network attachment in a namespace without the label",
      [bare, attached("primary")],
      [lacks("by-hand", "metadata.namespace")],
    ],
    [
      "accept the label from a patch",
      [bare, namespace("green", { [LABEL]: "" }, `${NS}Patch`), own("one")],
      [],
    ],
    [
      "do not judge the label if only a patch of the namespace is in the input",
      [namespace("green", {}, `${NS}Patch`), own("one")],
      [],
    ],
    ["do not judge the label if the namespace is not in the input", [own("one")], []],
    ["do not report unknown labels as a violation", [namespace("green", UNKNOWN), own("one")], []],
    ["need no label for secondary networks", [bare, own("one", "Secondary"), own("two", "Secondary")], []],
    ["do not report an unknown role as a violation", [bare, own("one", UNKNOWN)], []],
    ["do not check the label of another namespace", [bare, own("one", "Primary", "blue")], []],
    ["do not report an unknown namespace as a violation", [bare, own("one", "Primary", UNKNOWN)], []],
    [
      "refuse a second primary network",
      [own("one"), own("two")],
      [second("two", "metadata.namespace", "UserDefinedNetwork one")],
    ],
    ["accept one network that appears twice", [own("one"), own("one")], []],
    [
      "refuse a UserDefinedNetwork next to a ClusterUserDefinedNetwork",
      [green, own("one"), several("all", team)],
      [second("one", "metadata.namespace", "ClusterUserDefinedNetwork all")],
    ],
    [
      "refuse a second network that selects the namespace by name",
      [own("one"), several("all", named)],
      [second("one", "metadata.namespace", "ClusterUserDefinedNetwork all")],
    ],
    [
      "refuse a primary network attachment next to another primary network",
      [own("one"), attached("primary")],
      [second("by-hand", "metadata.namespace", "UserDefinedNetwork one")],
    ],
    ["accept a secondary network attachment", [own("one"), attached("secondary")], []],
    [
      "accept a network that selects other namespaces",
      [green, own("one"), several("all", { matchLabels: { team: "blue" } })],
      [],
    ],
    ["do not report an unknown selector as a violation", [green, own("one"), several("all", UNKNOWN)], []],
  ])("%s", (_, resources, expected) => {
    expect(found(...resources)).toEqual(expected);
  });

  test.each<[string, Resource[], string]>([
    ["the labels", [namespace("green", UNKNOWN), own("one")], "metadata.labels"],
    ["the role", [bare, own("one", UNKNOWN)], "spec.layer2.role"],
    ["the namespace", [bare, own("one", "Primary", UNKNOWN)], "metadata.namespace"],
    ["the selector", [bare, several("all", { matchLabels: { team: UNKNOWN } })], "spec.namespaceSelector"],
  ])("report %s that are not known yet as unknown", (_, resources, path) => {
    expect(unknowns(primaryNetworkNamespace, resources).map((one) => one.path)).toEqual([path]);
    expect(unknowns(primaryNetworkNamespace, [green, own("one")])).toEqual([]);
  });

  const lines = (...resources: Resource[]) =>
    judge(primaryNetworkNamespace, resources).map((one) => linesOf([one]));

  test("name the fix: create the namespace with its label, and keep only one network", () => {
    expect(lines(bare, own("one"), several("all", team))).toEqual([
      `violated spec.namespaceSelector | namespace green has no label ${LABEL}: OVN-Kubernetes does not create the primary network in it | create namespace green with the label, which cannot be added later`,
      `violated metadata.namespace | namespace green has no label ${LABEL}: OVN-Kubernetes does not create the primary network in it | create namespace green with the label, which cannot be added later`,
      "violated metadata.namespace | ClusterUserDefinedNetwork all is a primary network of namespace green, too: OVN-Kubernetes creates only one of them | keep only one of them, or make the other a secondary one",
    ]);
  });

  test("say why they are unknown", () => {
    const [hidden] = lines(bare, own("one", UNKNOWN));
    expect(hidden).toContain("spec.layer2.role, whether it is a primary network of a namespace");
    expect(lines(namespace("green", UNKNOWN), own("one"))).toEqual([
      expect.stringMatching(/^unknown metadata\.labels \| Namespace .*green: metadata\.labels \|/),
    ]);
  });

  test.each<[string, Resource[]]>([
    ["a namespace without networks hides its labels", [namespace("green", UNKNOWN)]],
    ["a secondary network hides its namespace", [own("one", "Secondary", UNKNOWN)]],
  ])("report nothing if %s", (_, resources) => {
    expect(lines(...resources)).toEqual([]);
  });

  test.each<[string, Resource[], string[]]>([
    [
      "several networks that select by different labels",
      [several("b", team), several("a", named), several("c", {})],
      [
        second("b", "spec.namespaceSelector", "ClusterUserDefinedNetwork a"),
        second("c", "spec.namespaceSelector", "ClusterUserDefinedNetwork a"),
      ],
    ],
    [
      "one that appears twice before another",
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
  ])("are compared by name: %s", (_, resources, expected) => {
    expect(found(green, ...resources)).toEqual(expected);
  });

  test("of two clusters do not conflict, and each network is reported once", () => {
    const provider = "urn:pulumi:dev::test::pulumi:providers:kubernetes::other";
    expect(found(own("one"), { ...own("two"), provider })).toEqual([]);
    const spaces = ["a", "b", "c"].map((name) => namespace(name, {}));
    expect(found(...spaces, several("all", {}), several("other", {}))).toHaveLength(3);
  });
});
