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
import { IP, attachment, workload } from "./routerObjects";

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

it("a patch of a router is judged by what it states, and is no second router", () => {
  const whole = router("legacy", {});
  const patch = (spec: Properties): Resource => ({
    ...resource(`${whole.type}Patch`, "patch", { metadata: { name: "legacy", namespace: "legacy" }, spec }),
  });
  const paths = (...resources: Resource[]) =>
    violations(egressRouterInvalid, [agent, ...resources]).map(({ path }) => path);
  expect(paths(whole, patch({ redirect: { fallbackIP: "192.0.2.9" } }))).toEqual([]);
  expect(paths(patch({ redirect: { fallbackIP: "nowhere" } }))).toEqual(["spec.redirect.fallbackIP"]);
  expect(paths(whole, patch({ addresses: [{ ip: "10.0.0.9/16", gateway: "10.0.0.1" }] }))).toEqual([]);
});

it("values of a router that are not known yet are counted at any depth", () => {
  const pendingIn = (spec: Properties) =>
    unknowns(egressRouterInvalid, [agent, router("legacy", spec)]).map(({ path }) => path);
  const rules: PropertyValue = [{ ...rule, destinationIP: UNKNOWN }];
  expect(pendingIn({ redirect: { redirectRules: rules } })).toEqual([
    "spec.redirect.redirectRules[0].destinationIP",
  ]);
  expect(pendingIn({ addresses: [{ ip: "10.0.0.9/16", gateway: UNKNOWN }] })).toEqual([
    "spec.addresses[0].gateway",
  ]);
});

describe("objects of several clusters", () => {
  const at = (one: Resource, where: Partial<Resource>): Resource => ({ ...one, ...where });
  const inFolder = (folder: string) => ({ origin: { file: `${folder}/objects.yaml`, line: 1 } });
  const by = (provider: string) => ({
    provider: `urn:pulumi:dev::shop::pulumi:providers:kubernetes::${provider}`,
  });
  const objects = (where: Partial<Resource>, name = "legacy") => [
    at(egressIp(name, ["10.0.0.7"], "shop"), where),
    at(router(name, {}, "legacy"), where),
    at(attachment({ ...IP, addresses: ["10.0.0.8/16"] }), where),
    at(workload("kubernetes:core/v1:Pod", {}, name), where),
  ];
  const both = [hostedCluster(), hostedCluster({}, "tenant-b")];
  const judgedOf = (resources: readonly Resource[]) =>
    [egressIpInvalid, egressRouterInvalid].map((rule) => [
      violations(rule, resources).length,
      unknowns(rule, resources).length,
    ]);

  it("are compared only with objects of the same cluster", () => {
    const twice = [...both, ...objects(by("a")), ...objects(by("a"), "second")];
    expect(judgedOf(twice)).toEqual([
      [2, 0],
      [3, 0],
    ]);
    expect(judgedOf([...both, ...objects(by("a")), ...objects(by("b"))])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it("are unknown in two folders if no input states their cluster", () => {
    const apart = [...objects(inFolder("stage")), ...objects(inFolder("prod"), "second")];
    expect(judgedOf([...both, ...apart])).toEqual([
      [0, 2],
      [0, 2],
    ]);
    expect(judgedOf([agent, ...apart])).toEqual([
      [2, 0],
      [3, 0],
    ]);
  });

  it("do not collide with copies of themselves, and collide with another object of their name", () => {
    const copies = [...objects(inFolder("stage")), ...objects(inFolder("prod"))];
    for (const clusters of [[agent], both])
      expect(judgedOf([...clusters, ...copies])).toEqual([
        [0, 0],
        [0, 0],
      ]);
    const other = router("legacy", { redirect: { redirectRules: [{ ...rule, port: 81 }] } });
    expect(violations(egressRouterInvalid, [agent, ...copies, other]).map(({ path }) => path)).toEqual([
      "metadata.namespace",
      "spec.addresses[0].ip",
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
  ])("reports %j", (spec, path) => {
    expect(found(router("legacy", spec))).toEqual([path]);
  });

  it.each<[Properties["redirect"], string]>([
    [{ redirectRules: [rule, rule] }, "80/TCP is also spec.redirect.redirectRules[0]"],
    [{ redirectRules: [] }, "missing, and so is spec.redirect.fallbackIP: nothing is redirected"],
  ])("names the object's own paths: %j", (redirect, problem) => {
    const [one] = violations(egressRouterInvalid, [agent, router("legacy", { redirect })]);
    expect(one?.message).toContain(problem);
  });

  const ofRelease = (release: string) =>
    hostedCluster({
      platform: { type: "Agent" },
      release: { image: `quay.io/ocp-release:${release}.1-x86_64` },
    });

  it("reports an object in release 4.7, which has no EgressRouter objects", () => {
    expect(violations(egressRouterInvalid, [ofRelease("4.7"), router("legacy", {})])).toMatchObject([
      {
        path: "kind",
        message: "EgressRouter objects need release 4.8 or newer, and this is 4.7",
        fix: "write a network attachment and a pod, which EgressRouter creates with form: NetworkAttachment",
      },
    ]);
    expect(violations(egressRouterInvalid, [ofRelease("4.8"), router("legacy", {})])).toEqual([]);
    expect(violations(egressRouterInvalid, [router("legacy", {})])).toEqual([]);
  });

  it("uses the release of the component that created the object before that of the cluster", () => {
    const maker = resource("hypershift-network:index:EgressRouter", "orders", { release: "4.20" });
    const made = { ...router("legacy", {}), parent: maker.origin.urn! };
    expect(violations(egressRouterInvalid, [ofRelease("4.7"), maker, made])).toEqual([]);
  });

  it("accepts valid routers", () => {
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
  ])("reports a source address that is also that of %s", (_, other) => {
    const message = expect.stringContaining("10.0.0.9 is also an address of ") as string;
    const found = violations(egressRouterInvalid, [agent, other, router("legacy", {})]);
    // Of two routers the later one is reported: those of network attachments come last.
    expect(found).toMatchObject([{ message, witness: "10.0.0.9" }]);
    expect(violations(egressRouterInvalid, [agent, other])).toEqual([]);
  });

  it("accepts one source address on two interfaces, and an unknown source address", () => {
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
    expect(unknowns(egressRouterInvalid, unsaid).map(({ path }) => path)).toContain("spec.addresses[0].ip");
  });

  it("reports a source address at which nodes reach the API server", () => {
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

  it("reports a second router in a namespace", () => {
    const second = router("second", {}, "legacy");
    expect(violations(egressRouterInvalid, [agent, router("legacy", {}), second])).toMatchObject([
      { resource: second.origin, path: "metadata.namespace" },
      { resource: second.origin, path: "spec.addresses[0].ip" },
    ]);
  });

  it("reports unknown addresses and rules as unknown", () => {
    const unsaid = router("legacy", { addresses: UNKNOWN, redirect: { redirectRules: UNKNOWN } });
    expect(found(unsaid)).toEqual([]);
    expect(unknowns(egressRouterInvalid, [agent, unsaid]).map(({ path }) => path)).toEqual([
      "spec.addresses",
      "spec.redirect.redirectRules",
    ]);
  });
});

describe("egress-router-platform", () => {
  it("reports a router on AWS, and accepts one on bare metal", () => {
    expect(violations(egressRouterPlatform, [hostedCluster(), router("legacy", {})])).toMatchObject([
      { path: "spec.platform.type", message: expect.stringContaining("macvlan") as string },
    ]);
    expect(violations(egressRouterPlatform, [agent, router("legacy", {})])).toEqual([]);
  });

  describe("for a router that a component created", () => {
    const maker = (properties: Properties) =>
      resource("hypershift-network:index:EgressRouter", "orders", properties);
    const made = (component: Resource) => ({ ...router("legacy", {}), parent: component.origin.urn! });
    const judgedPlaces = (component: Resource, ...others: Resource[]) =>
      violations(egressRouterPlatform, [component, made(component), ...others]).map(({ path }) => path);

    it("uses the platform that the component states", () => {
      const metal = maker({ platform: "BareMetal", release: "4.20" });
      expect(unknowns(egressRouterPlatform, [metal, made(metal)])).toEqual([]);
      expect(judgedPlaces(metal)).toEqual([]);
      expect(judgedPlaces(maker({ platform: "AWS" }))).toEqual(["platform"]);
    });

    it("uses the cluster of the component if there are several", () => {
      const topology = { name: "tenant-b", release: "4.20", platform: "Agent" };
      const other = hostedCluster({}, "tenant-c");
      expect(judgedPlaces(maker({ topology }), hostedCluster(), other)).toEqual([]);
      expect(judgedPlaces(maker({ topology: { ...topology, platform: "AWS" } }), other)).toEqual([
        "topology.platform",
      ]);
    });

    it("is unknown if the component states neither platform nor topology", () => {
      const silent = maker({});
      expect(unknowns(egressRouterPlatform, [silent, made(silent)])).toHaveLength(1);
    });
  });

  it("is unknown for a router without a described cluster", () => {
    expect(unknowns(egressRouterPlatform, [router("legacy", {})])).toHaveLength(1);
  });
});

test.each(OTHER_NETWORKS)("a cluster with the network %s has no EgressRouter objects", (networkType) => {
  expect(violations(egressRouterPlatform, [withNetwork(networkType), router("legacy", {})])).toMatchObject([
    { path: "spec.networking.networkType" },
  ]);
});

describe("findings of the rules of EgressRouter objects", () => {
  const at = (addresses: PropertyValue) => router("legacy", { addresses });
  const first = { ip: "10.0.0.9/16", gateway: "10.0.0.1" };

  it("have a fix", () => {
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
    ["the first entry of addresses is unknown", at([UNKNOWN]), ["spec.addresses[0]"]],
    ["the first address is unknown", at([{ ...first, ip: UNKNOWN }]), ["spec.addresses[0].ip"]],
    ["the gateway is unknown", at([{ ...first, gateway: UNKNOWN }]), ["spec.addresses[0].gateway"]],
    ["the mode is unknown", router("legacy", { mode: UNKNOWN }), ["spec.mode"]],
    ["the mode is missing, which the server fills in", router("legacy", { mode: null }), []],
    [
      "name and namespace are missing",
      resource("kubernetes:network.operator.openshift.io/v1:EgressRouter", "legacy", {
        metadata: {},
        spec: { mode: "Redirect", addresses: [first], redirect: { redirectRules: [rule] } },
      }),
      [],
    ],
  ])("have no violation if %s", (_, object, paths) => {
    expect(violations(egressRouterInvalid, [agent, object])).toEqual([]);
    expect(unknowns(egressRouterInvalid, [agent, object]).map(({ path }) => path)).toEqual(paths);
  });

  it("do not count two routers with unknown namespaces as duplicates", () => {
    const hidden = ["a", "b"].map((name, at) =>
      router(name, { addresses: [{ ...first, ip: `10.0.0.${at + 8}/16` }] }, UNKNOWN),
    );
    expect(violations(egressRouterInvalid, [agent, ...hidden])).toEqual([]);
  });
});
