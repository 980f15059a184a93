import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { egressIpInvalid } from "../../src/egressIp/rules";
import { egressRouterInvalid, egressRouterPlatform } from "../../src/egressRouter/rules";
import { expectGolden } from "../objects/golden";
import {
  agent,
  egressIp,
  hostedCluster,
  judge,
  linesOf,
  OTHER_NETWORKS,
  resource,
  unknowns,
  violations,
  withNetwork,
  type Properties,
} from "../rules/builders";

const rule = { port: 80, protocol: "TCP", destinationIP: "192.0.2.1" };
const router = (name: string, spec: Properties, namespace: PropertyValue = name) =>
  resource("kubernetes:network.operator.openshift.io/v1:EgressRouter", name, {
    metadata: { name, namespace },
    spec: {
      mode: "Redirect",
      addresses: [{ ip: "10.0.0.9/16", gateway: "10.0.0.1" }],
      redirect: { redirectRules: [rule] },
      ...spec,
    },
  });

const attachment = (ip: Properties, more: Properties = {}, name = "legacy") =>
  resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", name, {
    metadata: { name, namespace: "shop" },
    spec: {
      config: JSON.stringify({ cniVersion: "0.4.0", type: "egress-router", name, ip, ...more }),
    },
  });
const IP = { addresses: ["10.0.0.9/16"], destinations: ["192.0.2.1"], gateway: "10.0.0.1" };

const workload = (type: string, spec: Properties = {}, name = "router", networks = "legacy") => {
  const asking = { annotations: { "k8s.v1.cni.cncf.io/networks": networks } };
  const isPod = type.endsWith(":Pod");
  return resource(type, name, {
    metadata: { name, namespace: "shop", ...(isPod && asking) },
    spec: isPod ? { containers: [], ...spec } : { template: { metadata: asking, spec: {} }, ...spec },
  });
};

describe("objects of several clusters", () => {
  const at = (one: Resource, where: Partial<Resource>): Resource => ({ ...one, ...where });
  const inFolder = (folder: string) => ({ origin: { file: `${folder}/objects.yaml`, line: 1 } });
  const by = (provider: string) => ({
    provider: `urn:pulumi:dev::shop::pulumi:providers:kubernetes::${provider}`,
  });
  const objects = (where: Partial<Resource>) => [
    at(egressIp("shop", ["10.0.0.7"]), where),
    at(router("legacy", {}), where),
    at(attachment({ ...IP, addresses: ["10.0.0.8/16"] }), where),
    at(workload("kubernetes:core/v1:Pod"), where),
  ];
  const both = [hostedCluster(), hostedCluster({}, "tenant-b")];
  const judgedOf = (resources: readonly Resource[]) =>
    [egressIpInvalid, egressRouterInvalid].map((rule) => [
      violations(rule, resources).length,
      unknowns(rule, resources).length,
    ]);

  it("are compared with those of their own", () => {
    const twice = [...both, ...objects(by("a")), ...objects(by("a"))];
    expect(judgedOf(twice)).toEqual([
      [2, 0],
      [4, 0],
    ]);
    expect(judgedOf([...both, ...objects(by("a")), ...objects(by("b"))])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it("are counted in two folders, where nothing says of which cluster they are", () => {
    const apart = [...objects(inFolder("stage")), ...objects(inFolder("prod"))];
    expect(judgedOf([...both, ...apart])).toEqual([
      [0, 2],
      [0, 3],
    ]);
    expect(judgedOf([agent, ...apart])).toEqual([
      [2, 0],
      [4, 0],
    ]);
  });
});

describe("egress-router-invalid", () => {
  const found = (...routers: ReturnType<typeof router>[]) =>
    violations(egressRouterInvalid, [agent, ...routers]).map(({ path }) => path);

  it.each<[Properties, string]>([
    [{ addresses: [{ ip: "10.0.0.9", gateway: "10.0.0.1" }] }, "spec.addresses[0].ip"],
    [{ addresses: [{ ip: "10.0.0.9/16", gateway: "10.9.0.1" }] }, "spec.addresses[0].gateway"],
    [{ mode: "HTTPProxy" }, "spec.mode"],
    [
      {
        addresses: [
          { ip: "10.0.0.9/16", gateway: "10.0.0.1" },
          { ip: "10.0.0.8/16", gateway: "10.0.0.1" },
        ],
      },
      "spec.addresses[1]",
    ],
    [
      { redirect: { redirectRules: [{ port: 80, protocol: "TCP", destinationIP: "2001:db8::1" }] } },
      "spec.redirect.redirectRules[0].destinationIP",
    ],
    [
      { redirect: { redirectRules: [{ port: 0, protocol: "TCP", destinationIP: "192.0.2.1" }] } },
      "spec.redirect.redirectRules[0].port",
    ],
    [{ networkInterface: { macvlan: { mode: "Sideways" } } }, "spec.networkInterface.macvlan.mode"],
  ])("finds %j", (spec, path) => {
    expect(found(router("legacy", spec))).toEqual([path]);
  });

  it.each<[Properties["redirect"], string]>([
    [{ redirectRules: [rule, rule] }, "80/TCP is also spec.redirect.redirectRules[0]"],
    [{ redirectRules: [] }, "missing, and so is spec.redirect.fallbackIP: nothing is redirected"],
  ])("names places as the object has them: %j", (redirect, problem) => {
    const [one] = violations(egressRouterInvalid, [agent, router("legacy", { redirect })]);
    expect(one?.message).toContain(problem);
  });

  it("takes a router that is right", () => {
    const other = router("other", { addresses: [{ ip: "10.0.0.8/16", gateway: "10.0.0.1" }] });
    expect(found(router("legacy", {}), other)).toEqual([]);
  });

  const nodeAt = (address: string) =>
    resource("kubernetes:core/v1:Node", "node-1", {
      metadata: { name: "node-1" },
      status: { addresses: [{ type: "InternalIP", address }] },
    });

  it.each<[string, Resource]>([
    ["a node", nodeAt("10.0.0.9")],
    ["an EgressIP object", egressIp("shop", ["10.0.0.8", "10.0.0.9"])],
    ["another router", router("first", {})],
    ["a router of a network attachment", attachment(IP, {}, "first")],
  ])("finds a source address of %s", (_, other) => {
    const message = expect.stringContaining("10.0.0.9 is also an address of ") as string;
    const found = violations(egressRouterInvalid, [agent, other, router("legacy", {})]);
    // Of two routers the later one is named: those of network attachments come last.
    expect(found).toMatchObject([{ message, witness: "10.0.0.9" }]);
    expect(violations(egressRouterInvalid, [agent, other])).toEqual([]);
  });

  it("finds no source address twice on two interfaces of the nodes, nor one that is unknown", () => {
    const on = (name: string, master: PropertyValue, ip: PropertyValue = "10.0.0.9/16") =>
      router(name, { addresses: [{ ip, gateway: "10.0.0.1" }], networkInterface: { macvlan: { master } } });
    expect(found(on("legacy", "eth1"), on("other", "eth2"))).toEqual([]);
    expect(found(on("legacy", "eth1"), on("other", "eth1"))).toEqual(["spec.addresses[0].ip"]);
    expect(found(on("legacy", "eth1", UNKNOWN), on("other", "eth1"))).toEqual([]);
    expect(found(on("first", "eth1"), on("legacy", "eth2"), on("other", "eth2"))).toEqual([
      "spec.addresses[0].ip",
    ]);
    const unsaid = [agent, on("legacy", UNKNOWN), on("other", "eth1")];
    expect(violations(egressRouterInvalid, unsaid)).toEqual([]);
    expect(unknowns(egressRouterInvalid, unsaid)).toMatchObject([{ path: "spec.addresses[0].ip" }]);
  });

  it("finds a source address at which nodes reach the API server", () => {
    const published = hostedCluster({
      platform: { type: "Agent" },
      services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
        service,
        servicePublishingStrategy: { type: "NodePort", nodePort: { address: "10.0.0.9" } },
      })),
    });
    const words = "10.0.0.9 is in use: the node-port address of ";
    for (const [judge, object] of [
      [egressRouterInvalid, router("legacy", {})],
      [egressIpInvalid, egressIp("shop", ["10.0.0.9"])],
    ] as const)
      expect(violations(judge, [published, object])).toMatchObject([
        { message: expect.stringContaining(words) as string },
      ]);
  });

  it("finds a second router in a namespace", () => {
    const second = router("second", {}, "legacy");
    expect(violations(egressRouterInvalid, [agent, router("legacy", {}), second])).toMatchObject([
      { resource: second.origin, path: "metadata.namespace" },
      { resource: second.origin, path: "spec.addresses[0].ip" },
    ]);
  });

  it("counts unknown addresses and rules", () => {
    const unsaid = router("legacy", { addresses: UNKNOWN, redirect: { redirectRules: UNKNOWN } });
    expect(found(unsaid)).toEqual([]);
    expect(unknowns(egressRouterInvalid, [agent, unsaid]).map(({ path }) => path)).toEqual([
      "spec.addresses",
      "spec.redirect.redirectRules",
    ]);
  });
});

describe("egress-router-invalid of a network attachment and a pod", () => {
  const found = (...objects: Resource[]) =>
    violations(egressRouterInvalid, objects).map(({ path, message }) => `${path}: ${message}`);
  const single = (object: Resource, cluster = agent) => found(cluster, object).join("; ");

  it.each<[string, Resource, string]>([
    [
      "an address without its mask",
      attachment({ ...IP, addresses: ["10.0.0.9"] }),
      "ip.addresses[0]: 10.0.0.9 has no mask",
    ],
    ["no address", attachment({ ...IP, addresses: [] }), "ip.addresses[0]: missing"],
    [
      "an address outside the machine network",
      attachment({ ...IP, addresses: ["10.9.0.9/16"], gateway: "10.9.0.1" }),
      "ip.addresses[0]: 10.9.0.9 lies outside the subnets of the nodes",
    ],
    [
      "two addresses",
      attachment({ ...IP, addresses: ["10.0.0.9/16", "10.0.0.8/16"] }),
      "ip.addresses[1]: 2 addresses, of which the plug-in uses only the first",
    ],
    [
      "a gateway of another subnet",
      attachment({ ...IP, gateway: "10.9.0.1" }),
      "ip.gateway: 10.9.0.1 lies outside",
    ],
    ["no gateway", attachment({ ...IP, gateway: "" }), "ip.gateway: "],
    ["no destination", attachment({ ...IP, destinations: [] }), "ip.destinations: missing"],
    [
      "a destination of another family",
      attachment({ ...IP, destinations: ["2001:db8::1"] }),
      "ip.destinations[0]: 2001:db8::1 is IPv6",
    ],
    [
      "a port that is none",
      attachment({ ...IP, destinations: ["80 TCP 192.0.2.1", "70000 tcp 192.0.2.1"] }),
      "ip.destinations[1]: 70000 is not a port",
    ],
    [
      "a protocol that is none",
      attachment({ ...IP, destinations: ["80 ICMP 192.0.2.1"] }),
      "ip.destinations[0]: ",
    ],
    [
      "words that are no destination",
      attachment({ ...IP, destinations: ["80 192.0.2.1"] }),
      "ip.destinations[0]: is not a destination",
    ],
    [
      "a mode in capitals",
      attachment(IP, { interfaceArgs: { mode: "Bridge" } }),
      'interfaceArgs.mode: "Bridge" is not a mode',
    ],
    ["no configuration at all", attachment({}), "ip.addresses[0]: missing"],
  ])("finds %s", (_, object, words) => {
    expect(single(object)).toContain(`spec.config: ${words}`);
  });

  it("M17 finds a text that is not JSON, as the markers of the documents make it", () => {
    const marked = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "legacy", {
      metadata: { name: "legacy", namespace: "shop" },
      spec: { config: '{"type": "egress-router", "ip": {"addresses": ["10.0.0.9/16"  <.> ]}}' },
    });
    expect(single(marked)).toBe("spec.config: is not JSON, and no pod with this network starts");
  });

  it.each<[string, Resource]>([
    ["one destination", attachment(IP)],
    [
      "several destinations with ports",
      attachment({ ...IP, destinations: ["80 tcp 192.0.2.1", "443 TCP 192.0.2.2 8443", "192.0.2.3"] }),
    ],
    [
      "another interface of the nodes",
      attachment(
        { ...IP, addresses: ["172.16.0.9/24"], gateway: "172.16.0.1" },
        { interfaceType: "macvlan", interfaceArgs: { master: "eth1", mode: "bridge" } },
      ),
    ],
    ["another plug-in", attachment({}, { type: "macvlan" })],
    ["what the network operator makes", attachment({}, {}, "egress-router-cni-nad")],
  ])("takes %s", (_, object) => {
    expect(single(object)).toBe("");
  });

  it("M17 a mask behind the destination is what release 4.7 wants, and no later one reads", () => {
    const masked = attachment({ ...IP, destinations: ["192.0.2.1/32"] });
    const plain = attachment(IP);
    const release = (text: string) =>
      hostedCluster({
        platform: { type: "Agent" },
        release: { image: `quay.io/ocp-release:${text}.1-x86_64` },
      });
    expect(single(masked, release("4.7"))).toBe("");
    expect(single(plain, release("4.7"))).toContain("ip.destinations[0]: 192.0.2.1 has no mask");
    expect(single(masked, release("4.20"))).toContain("ip.destinations[0]: 192.0.2.1/32 has a mask");
    expect(single(plain, release("4.20"))).toBe("");
    expect(found(masked)).toEqual([]);
  });

  it.each<[string, Resource[], string[]]>([
    ["a Deployment of one replica", [workload("kubernetes:apps/v1:Deployment", { replicas: 1 })], []],
    ["a Deployment that says no number", [workload("kubernetes:apps/v1:Deployment")], []],
    ["a Pod", [workload("kubernetes:core/v1:Pod")], []],
    ["a Deployment of two", [workload("kubernetes:apps/v1:Deployment", { replicas: 2 })], ["spec.replicas"]],
    [
      "a DaemonSet, asking in JSON",
      [workload("kubernetes:apps/v1:DaemonSet", {}, "router", '[{"name":"legacy"}]')],
      ["spec"],
    ],
    [
      "two Pods",
      [
        workload("kubernetes:core/v1:Pod"),
        workload("kubernetes:core/v1:Pod", {}, "second", "shop/legacy@net2"),
      ],
      ['metadata.annotations["k8s.v1.cni.cncf.io/networks"]'],
    ],
    [
      "two Pods of other networks",
      [
        workload("kubernetes:core/v1:Pod", {}, "a", "vlan"),
        workload("kubernetes:core/v1:Pod", {}, "b", "vlan"),
      ],
      [],
    ],
  ])("M17 only one pod has the source address: %s", (_, pods, paths) => {
    expect(violations(egressRouterInvalid, [agent, attachment(IP), ...pods]).map(({ path }) => path)).toEqual(
      paths,
    );
  });

  it("counts a configuration and a number that are not known", () => {
    const unsaid = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "legacy", {
      metadata: { name: "legacy", namespace: "shop" },
      spec: { config: UNKNOWN },
    });
    expect(unknowns(egressRouterInvalid, [unsaid]).map(({ path }) => path)).toEqual(["spec.config"]);
    const pods = workload("kubernetes:apps/v1:Deployment", { replicas: UNKNOWN });
    expect(unknowns(egressRouterInvalid, [attachment(IP), pods]).map(({ path }) => path)).toEqual([
      "spec.replicas",
    ]);
  });

  it("is refused on AWS, and taken on bare metal", () => {
    expect(violations(egressRouterPlatform, [hostedCluster(), attachment(IP)])).toMatchObject([
      { path: "spec.platform.type", message: expect.stringContaining("macvlan") as string },
    ]);
    expect(violations(egressRouterPlatform, [hostedCluster(), attachment({}, { type: "macvlan" })])).toEqual(
      [],
    );
    expect(violations(egressRouterPlatform, [agent, attachment(IP)])).toEqual([]);
  });
});

describe("egress-router-platform", () => {
  it("finds a router on AWS, and takes one on bare metal", () => {
    expect(violations(egressRouterPlatform, [hostedCluster(), router("legacy", {})])).toMatchObject([
      { path: "spec.platform.type", message: expect.stringContaining("macvlan") as string },
    ]);
    expect(violations(egressRouterPlatform, [agent, router("legacy", {})])).toEqual([]);
  });

  describe("made by a component", () => {
    const maker = (properties: Properties) =>
      resource("hypershift-network:index:EgressRouter", "orders", properties);
    const made = (component: Resource) => ({ ...router("legacy", {}), parent: component.origin.urn! });
    const judgedPlaces = (component: Resource, ...others: Resource[]) =>
      violations(egressRouterPlatform, [component, made(component), ...others]).map(({ path }) => path);

    it("is judged by the platform that the component states", () => {
      const metal = maker({ platform: "BareMetal", release: "4.20" });
      expect(unknowns(egressRouterPlatform, [metal, made(metal)])).toEqual([]);
      expect(judgedPlaces(metal)).toEqual([]);
      expect(judgedPlaces(maker({ platform: "AWS" }))).toEqual(["platform"]);
    });

    it("is judged by the cluster that the component belongs to, of several", () => {
      const topology = { name: "tenant-b", release: "4.20", platform: "Agent" };
      const other = hostedCluster({}, "tenant-c");
      expect(judgedPlaces(maker({ topology }), hostedCluster(), other)).toEqual([]);
      expect(judgedPlaces(maker({ topology: { ...topology, platform: "AWS" } }), other)).toEqual([
        "topology.platform",
      ]);
    });

    it("counts where the component says neither", () => {
      const silent = maker({});
      expect(unknowns(egressRouterPlatform, [silent, made(silent)])).toHaveLength(1);
    });
  });

  it("counts a router whose cluster is unknown", () => {
    expect(unknowns(egressRouterPlatform, [router("legacy", {})])).toHaveLength(1);
  });
});

test.each(OTHER_NETWORKS)("a cluster with the network %s has no EgressRouter objects", (networkType) => {
  expect(violations(egressRouterPlatform, [withNetwork(networkType), router("legacy", {})])).toMatchObject([
    { path: "spec.networking.networkType" },
  ]);
});

describe("what the rules of EgressRouter objects say", () => {
  const at = (addresses: PropertyValue) => router("legacy", { addresses });
  const first = { ip: "10.0.0.9/16", gateway: "10.0.0.1" };

  it("with the way out", () => {
    const found = [
      router("legacy", { mode: "HTTPProxy" }),
      at([first, { ...first, ip: "10.0.0.8/16" }]),
      at([{ ...first, ip: "10.0.0.9" }]),
      router("legacy", { redirect: {} }),
    ].flatMap((object) => judge(egressRouterInvalid, [agent, object]));
    const second = router("second", { addresses: [{ ...first, ip: "10.0.0.8/16" }] }, "legacy");
    const all = [
      ...found,
      ...judge(egressRouterInvalid, [agent, router("legacy", {}), second]),
      ...judge(egressRouterPlatform, [hostedCluster(), router("legacy", {})]),
      ...judge(egressRouterPlatform, [router("legacy", {})]),
    ];
    expectGolden("manifests/egressRouterRules.txt", `${linesOf(all)}\n`);
  });

  it.each<[string, Resource, string[]]>([
    ["the first of the addresses", at([UNKNOWN]), ["spec.addresses[0].ip"]],
    ["the first address itself", at([{ ...first, ip: UNKNOWN }]), ["spec.addresses[0].ip"]],
    ["the gateway", at([{ ...first, gateway: UNKNOWN }]), []],
    ["the mode", router("legacy", { mode: UNKNOWN }), []],
    ["no mode, which the server fills in", router("legacy", { mode: null }), []],
    [
      "name and namespace",
      resource("kubernetes:network.operator.openshift.io/v1:EgressRouter", "legacy", {
        metadata: {},
        spec: { mode: "Redirect", addresses: [first], redirect: { redirectRules: [rule] } },
      }),
      [],
    ],
  ])("finds nothing where it does not know %s", (_, object, paths) => {
    expect(violations(egressRouterInvalid, [agent, object])).toEqual([]);
    expect(unknowns(egressRouterInvalid, [agent, object]).map(({ path }) => path)).toEqual(paths);
  });

  it("takes two routers whose namespaces are not known", () => {
    const hidden = ["a", "b"].map((name, at) =>
      router(name, { addresses: [{ ...first, ip: `10.0.0.${at + 8}/16` }] }, UNKNOWN),
    );
    expect(violations(egressRouterInvalid, [agent, ...hidden])).toEqual([]);
  });
});

describe("what is said of network attachments", () => {
  const to = (...destinations: PropertyValue[]) => attachment({ ...IP, destinations });
  const ofRelease = (text: string) =>
    hostedCluster({
      platform: { type: "Agent" },
      release: { image: `quay.io/ocp-release:${text}.1-x86_64` },
    });
  const deployment = (name: string, replicas?: PropertyValue, networks = "legacy") =>
    workload(
      "kubernetes:apps/v1:Deployment",
      { ...(replicas !== undefined && { replicas }) },
      name,
      networks,
    );

  it("with the way out", () => {
    const broken = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "broken", {
      metadata: { name: "broken", namespace: "shop" },
      spec: { config: '{"type": "egress-router" <.>}' },
    });
    const alone = [
      broken,
      attachment({}),
      attachment({ ...IP, addresses: ["10.0.0.9/16", "10.0.0.8/16", "10.0.0.7/16"] }),
      attachment({ ...IP, addresses: ["10.0.0.9"], gateway: "10.9.0.1" }),
      attachment(IP, { interfaceArgs: { mode: "Bridge", master: "/eth1" } }),
      to("2001:db8::1"),
      to("80 TCP 192.0.2.1", "70000 tcp 192.0.2.1", "81 TCP 192.0.2.1 70000", "82 ICMP 192.0.2.1"),
      to("80 192.0.2.1", "80 TCP 192.0.2.1 81 82", "", 5),
      to("80 TCP 192.0.2.1", "80 TCP 192.0.2.2"),
      to("example.com"),
    ].flatMap((object) => judge(egressRouterInvalid, [agent, object]));
    const ipv6 = { addresses: ["2001:db8::9/64"], gateway: "2001:db8::1" };
    const old = [
      to("192.0.2.1"),
      attachment({ ...ipv6, destinations: ["2001:db8:1::1"] }),
      to("80 TCP 192.0.2.1", "80 TCP 192.0.2.1 81"),
      to("example.com/32"),
    ].flatMap((object) => judge(egressRouterInvalid, [ofRelease("4.7"), object]));
    const masked = judge(egressRouterInvalid, [ofRelease("4.20"), to("192.0.2.1/32")]);
    const used = [
      [deployment("a", 2)],
      [deployment("a"), deployment("b")],
      [workload("kubernetes:apps/v1:DaemonSet")],
      [workload("kubernetes:apps/v1:DaemonSetPatch")],
    ].flatMap((users) => judge(egressRouterInvalid, [agent, attachment(IP), ...users]));
    expectGolden(
      "manifests/egressRouterAttachments.txt",
      `${linesOf([...alone, ...old, ...masked, ...used])}\n`,
    );
  });

  it.each<[string, Resource[]]>([
    [
      "a text that is not JSON, of another plug-in",
      [
        resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "vlan", {
          metadata: { name: "vlan", namespace: "shop" },
          spec: { config: '{"type": "macvlan" <.>}' },
        }),
      ],
    ],
    ["no mode", [attachment(IP, { interfaceArgs: { mode: "" } })]],
    ["every transport", [to("80 tcp 192.0.2.1", "80 UDP 192.0.2.1", "80 sctp 192.0.2.1 81", "192.0.2.9")]],
    ["a pod that asks twice for one network", [attachment(IP), deployment("a", 1, "legacy,shop/legacy")]],
    ["pods of a network of that name elsewhere", [attachment(IP), deployment("a", 2, "other/legacy")]],
    [
      "a Deployment without a template",
      [
        attachment(IP),
        resource("kubernetes:apps/v1:Deployment", "a", {
          metadata: { name: "a", namespace: "shop" },
          spec: {},
        }),
      ],
    ],
    ["no pods", [attachment(IP), deployment("a", 0)]],
    ["pods of networks where there is no router", [deployment("a", 2), deployment("b", 2)]],
    ["pods that ask for none", [attachment(IP), workload("kubernetes:core/v1:Pod", {}, "a", "")]],
  ])("nothing of %s", (_, objects) => {
    expect(judge(egressRouterInvalid, [agent, ...objects])).toEqual([]);
  });

  it("the component that makes one says for which release before the cluster does", () => {
    const maker = (release: PropertyValue) =>
      resource("hypershift-network:index:EgressRouter", "orders", { release });
    const found = (release: PropertyValue) =>
      violations(egressRouterInvalid, [
        ofRelease("4.20"),
        maker(release),
        { ...to("192.0.2.1/32"), parent: maker(release).origin.urn! },
      ]).map(({ message }) => message);
    expect(found("4.7")).toEqual([]);
    expect(found(UNKNOWN)).toEqual([expect.stringContaining("192.0.2.1/32 has a mask")]);
  });
});
