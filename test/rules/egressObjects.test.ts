import fc from "fast-check";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { Overlap, overlapOf } from "../../src/egressIp/nodes";
import { egressIpInvalid, egressIpNodes, egressIpPlatform } from "../../src/egressIp/rules";
import { LabelSelectorOperator } from "../../src/resources/kubernetesObject";
import { egressFirewallRuleInvalid } from "../../src/egressFirewall/rules/nameAndRules";
import { egressRouterInvalid, egressRouterPlatform } from "../../src/egressRouter/rules";
import {
  hostedCluster,
  networking,
  resource,
  services,
  unknowns,
  violations,
  type Properties,
} from "./builders";

const ip = (name: string, egressIPs: PropertyValue, team: PropertyValue = name, more: Properties = {}) =>
  resource("kubernetes:k8s.ovn.org/v1:EgressIP", name, {
    metadata: { name },
    spec: { egressIPs, namespaceSelector: { matchLabels: { team } }, ...more },
  });
const given = (labels: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
const agent = hostedCluster({
  platform: { type: "Agent" },
  services: services({ APIServer: "LoadBalancer", OAuthServer: "Route" }),
});
const ofRelease = (release: string) =>
  hostedCluster({ release: { image: `quay.io/ocp-release:${release}.1-x86_64` } });

describe("egress-ip-invalid", () => {
  const found = (...objects: ReturnType<typeof ip>[]) =>
    violations(egressIpInvalid, [agent, ...objects]).map(({ path, message }) => `${path}: ${message}`);

  it.each<[PropertyValue, string]>([
    [["10.0.0.7/16"], "spec.egressIPs[0]: "],
    [["10.0.0.7", "10.0.0.7"], "spec.egressIPs[1]: 10.0.0.7 is also spec.egressIPs[0]"],
    [["10.132.0.7"], "spec.egressIPs[0]: 10.132.0.7 lies in"],
    [["10.0.0.0"], "spec.egressIPs[0]: 10.0.0.0 in 10.0.0.0/16 is the network's own address"],
    [[], "spec.egressIPs: is empty"],
  ])("finds addresses %j", (addresses, words) => {
    expect(found(ip("shop", addresses))).toEqual([expect.stringContaining(words)]);
  });

  it("finds addresses of other networks where nodes cannot have them: in clouds, and before 4.14 on bare metal", () => {
    const object = ip("shop", ["10.9.0.7"]);
    const old = hostedCluster({
      platform: { type: "Agent" },
      release: { image: "quay.io/ocp-release:4.13.1-x86_64" },
    });
    for (const cluster of [hostedCluster(), old])
      expect(violations(egressIpInvalid, [cluster, object]).map(({ message }) => message)).toEqual([
        expect.stringContaining("10.9.0.7 lies outside the subnets of the nodes"),
      ]);
    expect(found(object)).toEqual([]);
  });

  it("takes free addresses of the machine network, each object for its own namespaces", () => {
    expect(found(ip("shop", ["10.0.0.7"]), ip("bank", ["10.0.0.8"]))).toEqual([]);
  });

  it("finds an address in two objects, and two objects for the same pods", () => {
    expect(found(ip("shop", ["10.0.0.7"]), ip("bank", ["10.0.0.7"]))).toEqual([
      "spec.egressIPs: 10.0.0.7 is also an address of EgressIP bank",
    ]);
    expect(found(ip("shop", ["10.0.0.7"]), ip("again", ["10.0.0.8"], "shop"))).toEqual([
      expect.stringContaining("spec.namespaceSelector: selects the same pods as EgressIP again"),
    ]);
  });

  it("finds an address that a node has, however it is written", () => {
    const node = resource("kubernetes:core/v1:Node", "node-1", {
      metadata: { name: "node-1" },
      status: {
        addresses: [
          { type: "InternalIP", address: "10.0.0.7" },
          { type: "InternalIP", address: "FD00::7" },
          { type: "Hostname", address: "node-1" },
        ],
      },
    });
    const messages = (...addresses: string[]) =>
      violations(egressIpInvalid, [node, ip("shop", addresses)]).map(({ message }) => message);
    expect(messages("10.0.0.7")).toEqual(["10.0.0.7 is also an address of Node node-1"]);
    expect(messages("fd00:0::7")).toEqual(["fd00::7 is also an address of Node node-1"]);
    expect(messages("10.0.0.8", "fd00::8")).toEqual([]);
  });

  it("finds a selector that contradicts itself, and an annotation that the server refuses", () => {
    const expression = { key: "team", operator: "NotIn", values: ["shop"] };
    const none = ip("shop", ["10.0.0.7"], "shop", {
      namespaceSelector: { matchLabels: { team: "shop" }, matchExpressions: [expression] },
    });
    expect(found(none)).toEqual([expect.stringContaining("spec.namespaceSelector: ")]);
    const marked = resource("kubernetes:k8s.ovn.org/v1:EgressIP", "marked", {
      metadata: { name: "marked", annotations: { "k8s.ovn.org/egressip-mark": "50000" } },
      spec: { egressIPs: ["10.0.0.7"], namespaceSelector: {} },
    });
    expect(found(marked)).toEqual([
      expect.stringContaining("metadata.annotations.k8s.ovn.org/egressip-mark"),
    ]);
  });

  it("names of many objects with one address or the same pods the first and their number", () => {
    const objects = ["a", "b", "c", "d"].map((name) => ip(name, ["10.0.0.7"], "shop"));
    expect(found(...objects)).toEqual([
      "spec.egressIPs: 10.0.0.7 is also an address of EgressIP a",
      "spec.namespaceSelector: selects the same pods as EgressIP a, and nothing says whose addresses those get",
      "spec.egressIPs: 10.0.0.7 is also an address of EgressIP a and 1 object before it",
      "spec.namespaceSelector: selects the same pods as EgressIP a and 1 object before it, and nothing says whose addresses those get",
      "spec.egressIPs: 10.0.0.7 is also an address of EgressIP a and 2 objects before it",
      "spec.namespaceSelector: selects the same pods as EgressIP a and 2 objects before it, and nothing says whose addresses those get",
    ]);
  });

  it("finds every object whose pods another one before it selects, or that selects those of another one, as comparing all does", () => {
    const label = fc.record({
      team: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
      tier: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
    });
    const expression = fc.record({
      key: fc.constantFrom("team", "tier"),
      operator: fc.constantFrom(LabelSelectorOperator.In, LabelSelectorOperator.NotIn),
      values: fc.uniqueArray(fc.constantFrom("a", "b", "x"), { minLength: 1 }),
    });
    const selector = fc
      .tuple(label, fc.array(expression, { maxLength: 2 }))
      .map(([labels, matchExpressions]) => ({ matchLabels: given(labels), matchExpressions }));
    fc.assert(
      fc.property(fc.array(fc.tuple(selector, selector), { maxLength: 8 }), (selections) => {
        const plain = selections.map(([namespaces, pods]) => ({ namespaces, pods }));
        const objects = plain.map(({ namespaces, pods }, place) =>
          resource("kubernetes:k8s.ovn.org/v1:EgressIP", `ip-${place}`, {
            metadata: { name: `ip-${place}` },
            spec: {
              egressIPs: [`10.0.0.${place + 10}`],
              namespaceSelector: namespaces,
              podSelector: pods,
            },
          }),
        );
        const expected = plain.flatMap((own, place) =>
          plain.slice(0, place).some((other) => overlapOf(own, other) === Overlap.Certain)
            ? [`ip-${place}`]
            : [],
        );
        const same = violations(egressIpInvalid, [agent, ...objects]).filter(({ message }) =>
          message.startsWith("selects the same pods"),
        );
        expect(same.map(({ resource: { urn = "" } }) => urn.split("::").at(-1))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("counts unknown addresses and selectors, and judges the rest beside them", () => {
    const object = ip("shop", UNKNOWN, "shop", { podSelector: UNKNOWN });
    expect(violations(egressIpInvalid, [agent, object])).toEqual([]);
    expect(unknowns(egressIpInvalid, [agent, object]).map(({ path }) => path)).toEqual([
      "spec.egressIPs",
      "spec.podSelector",
    ]);
    expect(found(ip("shop", [UNKNOWN, "10.132.0.7"]))).toHaveLength(1);
  });

  it("needs no hosted cluster to refuse what is no address", () => {
    expect(violations(egressIpInvalid, [ip("shop", ["shop"])])).toHaveLength(1);
    expect(violations(egressIpInvalid, [ip("shop", ["192.0.2.1"])])).toEqual([]);
  });
});

describe("egress-ip-platform", () => {
  const object = ip("shop", ["10.0.0.7"]);

  it("finds a release of AWS without them, and takes one that has them", () => {
    expect(violations(egressIpPlatform, [ofRelease("4.9"), object])).toMatchObject([
      {
        path: "spec.platform.type",
        message: expect.stringContaining("AWS with release 4.9 has no") as string,
      },
    ]);
    expect(violations(egressIpPlatform, [ofRelease("4.10"), object])).toEqual([]);
    expect(violations(egressIpPlatform, [agent, object])).toEqual([]);
    expect(unknowns(egressIpPlatform, [agent, object])).toEqual([]);
  });

  it("finds IBM Cloud", () => {
    const cluster = hostedCluster({ platform: { type: "IBMCloud" } });
    expect(violations(egressIpPlatform, [cluster, object])).toHaveLength(1);
  });

  it("counts objects whose cluster or release is unknown, and says nothing without objects", () => {
    expect(unknowns(egressIpPlatform, [object])).toHaveLength(1);
    expect(unknowns(egressIpPlatform, [agent, hostedCluster({}, "tenant-b"), object])).toHaveLength(1);
    const digest = hostedCluster({ release: { image: `quay.io/ocp-release@sha256:${"0".repeat(64)}` } });
    expect(unknowns(egressIpPlatform, [digest, object])).toMatchObject([{ path: "spec.release.image" }]);
    expect(unknowns(egressIpPlatform, [digest])).toEqual([]);
  });
});

describe("egress-ip-nodes", () => {
  const KEY = "k8s.ovn.org/egress-assignable";
  const node = (name: string, labels: PropertyValue = { [KEY]: "" }) =>
    resource("kubernetes:core/v1:NodePatch", name, { metadata: { name, labels } });
  const pool = (replicas: PropertyValue, clusterName: PropertyValue = "tenant-a") =>
    resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "pool", {
      spec: { clusterName, replicas, nodeLabels: { [KEY]: "" } },
    });
  const two = ip("shop", ["10.0.0.7", "10.0.0.8"]);

  it("finds more addresses than labelled nodes", () => {
    expect(violations(egressIpNodes, [two, node("a"), node("b", {})])).toMatchObject([
      { path: "spec.egressIPs", message: expect.stringContaining("2 addresses for 1 node ") as string },
    ]);
    expect(violations(egressIpNodes, [two, pool(1)])).toHaveLength(1);
  });

  it("takes as many nodes as addresses, of NodePools too", () => {
    expect(violations(egressIpNodes, [two, node("a"), node("b")])).toEqual([]);
    expect(violations(egressIpNodes, [two, node("a"), pool(1)])).toEqual([]);
  });

  it("counts the NodePools of one hosted cluster, and is unknown where it hangs on which one that is", () => {
    const judge = (...others: ReturnType<typeof ip>[]) =>
      [violations, unknowns].map((kind) => kind(egressIpNodes, [two, ...others]).length);
    const [a, b] = [hostedCluster(), hostedCluster({}, "tenant-b")];
    expect(judge(a, pool(1), pool(3, "tenant-b"))).toEqual([1, 0]);
    expect(judge(a, pool(2), pool(0, "tenant-b"))).toEqual([0, 0]);
    expect(judge(a, pool(0, "tenant-b"))).toEqual([0, 1]);
    expect(judge(a, b, pool(1), pool(1, "tenant-b"))).toEqual([1, 0]);
    expect(judge(a, b, pool(1), pool(3, "tenant-b"))).toEqual([0, 1]);
    expect(judge(a, b, pool(2), pool(3, "tenant-b"))).toEqual([0, 0]);
    expect(judge(a, pool(1), pool(1, UNKNOWN))).toEqual([0, 0]);
  });

  it("counts an object where no node is labelled in the stack, or it is unknown how many", () => {
    for (const others of [[], [node("a", {})], [node("a", UNKNOWN)], [pool(UNKNOWN)]]) {
      expect(violations(egressIpNodes, [two, ...others])).toEqual([]);
      expect(unknowns(egressIpNodes, [two, ...others])).toMatchObject([{ path: "spec.egressIPs" }]);
    }
    expect(unknowns(egressIpNodes, [node("a", UNKNOWN)])).toEqual([]);
  });
});

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

describe("objects of several clusters", () => {
  const at = (one: Resource, where: Partial<Resource>): Resource => ({ ...one, ...where });
  const inFolder = (folder: string) => ({ origin: { file: `${folder}/objects.yaml`, line: 1 } });
  const by = (provider: string) => ({
    provider: `urn:pulumi:dev::shop::pulumi:providers:kubernetes::${provider}`,
  });
  const objects = (where: Partial<Resource>) => [
    at(ip("shop", ["10.0.0.7"]), where),
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

test("what is wrong elsewhere in a HostedCluster hides neither its platform nor its network", () => {
  const cluster = (networkType: string, type = "Agent") =>
    hostedCluster({
      platform: { type },
      networking: { ...networking("10.0.0.0/16"), networkType, serviceNetwork: [{ cidr: "172.31.0.0/30" }] },
      services: services({ APIServer: "LoadBalancer", OAuthServer: "Route" }),
    });
  const both = (one: Resource) => [one, ip("shop", ["10.0.0.7"])];
  expect(violations(egressIpPlatform, both(cluster("Other")))).toMatchObject([
    { path: "spec.networking.networkType" },
  ]);
  expect(violations(egressIpPlatform, both(cluster("OVNKubernetes", "IBMCloud")))).toMatchObject([
    { path: "spec.platform.type" },
  ]);
  expect(violations(egressIpPlatform, both(cluster("OVNKubernetes")))).toEqual([]);
  expect(unknowns(egressIpPlatform, both(cluster("OVNKubernetes")))).toEqual([]);
});

test.each(["Calico", "Other", "OpenShiftSDN"])(
  "a cluster with the network %s knows no objects of OVN-Kubernetes",
  (networkType) => {
    const cluster = hostedCluster({
      platform: { type: "Agent" },
      networking: { ...networking("10.0.0.0/16"), networkType },
      services: services({ APIServer: "LoadBalancer", OAuthServer: "Route" }),
    });
    const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", "default", {
      metadata: { name: "default", namespace: "shop" },
      spec: { egress: [{ type: "Deny", to: { cidrSelector: "192.0.2.0/24" } }] },
    });
    const ofOther = { path: "spec.networking.networkType" };
    expect(violations(egressIpPlatform, [cluster, ip("shop", ["10.0.0.7"])])).toMatchObject([ofOther]);
    expect(violations(egressRouterPlatform, [cluster, router("legacy", {})])).toMatchObject([ofOther]);
    expect(violations(egressFirewallRuleInvalid, [cluster, firewall])).toMatchObject([
      {
        path: "kind",
        message: `clusters/tenant-a: ${networkType} is not OVN-Kubernetes, and only OVN-Kubernetes knows this object`,
      },
    ]);
    const own = {
      ...firewall,
      properties: { ...firewall.properties, metadata: { name: "default", namespace: "clusters-tenant-a" } },
    };
    for (const known of [
      [cluster, own],
      [agent, firewall],
      [cluster, agent, firewall],
    ])
      expect(violations(egressFirewallRuleInvalid, known)).toEqual([]);
  },
);

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
    ["an EgressIP object", ip("shop", ["10.0.0.8", "10.0.0.9"])],
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
      [egressIpInvalid, ip("shop", ["10.0.0.9"])],
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

const workload = (type: string, spec: Properties = {}, name = "router", networks = "legacy") => {
  const asking = { annotations: { "k8s.v1.cni.cncf.io/networks": networks } };
  const isPod = type.endsWith(":Pod");
  return resource(type, name, {
    metadata: { name, namespace: "shop", ...(isPod && asking) },
    spec: isPod ? { containers: [], ...spec } : { template: { metadata: asking, spec: {} }, ...spec },
  });
};

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
      "ip.destinations[1]: 70000 is no port",
    ],
    [
      "a protocol that is none",
      attachment({ ...IP, destinations: ["80 ICMP 192.0.2.1"] }),
      "ip.destinations[0]: ",
    ],
    [
      "words that are no destination",
      attachment({ ...IP, destinations: ["80 192.0.2.1"] }),
      "ip.destinations[0]: is no destination",
    ],
    [
      "a mode in capitals",
      attachment(IP, { interfaceArgs: { mode: "Bridge" } }),
      'interfaceArgs.mode: "Bridge" is no mode',
    ],
    ["no configuration at all", attachment({}), "ip.addresses[0]: missing"],
  ])("finds %s", (_, object, words) => {
    expect(single(object)).toContain(`spec.config: ${words}`);
  });

  it("M17 finds a text that is no JSON, as the markers of the documents make it", () => {
    const marked = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "legacy", {
      metadata: { name: "legacy", namespace: "shop" },
      spec: { config: '{"type": "egress-router", "ip": {"addresses": ["10.0.0.9/16"  <.> ]}}' },
    });
    expect(single(marked)).toBe("spec.config: is no JSON, and no pod with this network starts");
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
