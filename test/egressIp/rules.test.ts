import fc from "fast-check";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";
import { SharedPods, overlapOf } from "../../src/egressIp/nodes";
import { egressIpInvalid, egressIpNodes, egressIpPlatform } from "../../src/egressIp/rules";
import { LabelSelectorOperator } from "../../src/resources/kubernetesObject";
import {
  agent,
  egressIp,
  hostedCluster,
  networking,
  judge,
  linesOf,
  OTHER_NETWORKS,
  resource,
  services,
  unknowns,
  violations,
  withNetwork,
} from "../rules/builders";

const given = (labels: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
const ofRelease = (release: string) =>
  hostedCluster({ release: { image: `quay.io/ocp-release:${release}.1-x86_64` } });

describe("egress-ip-invalid", () => {
  const found = (...objects: ReturnType<typeof egressIp>[]) =>
    violations(egressIpInvalid, [agent, ...objects]).map(({ path, message }) => `${path}: ${message}`);

  it.each<[PropertyValue, string]>([
    [["10.0.0.7/16"], "spec.egressIPs[0]: "],
    [["10.0.0.7", "10.0.0.7"], "spec.egressIPs[1]: 10.0.0.7 is also spec.egressIPs[0]"],
    [["10.132.0.7"], "spec.egressIPs[0]: 10.132.0.7 lies in"],
    [["10.0.0.0"], "spec.egressIPs[0]: 10.0.0.0 in 10.0.0.0/16 is the network's own address"],
    [[], "spec.egressIPs: is empty"],
  ])("reports addresses %j", (addresses, words) => {
    expect(found(egressIp("shop", addresses))).toEqual([expect.stringContaining(words)]);
  });

  it("counts addresses and parts of selectors that are not known yet", () => {
    const pendingIn = (...objects: Resource[]) =>
      unknowns(egressIpInvalid, [agent, ...objects]).map(({ path }) => path);
    expect(pendingIn(egressIp("shop", ["10.0.0.7", UNKNOWN]))).toEqual(["spec.egressIPs[1]"]);
    const selecting = written({ name: "shop" }, { namespaceSelector: { matchLabels: { team: UNKNOWN } } });
    expect(pendingIn(selecting)).toEqual(["spec.namespaceSelector.matchLabels.team"]);
  });

  it("judges what a patch states, and does not compare it with its object", () => {
    const whole = egressIp("shop", ["10.0.0.7"]);
    const patch = (spec: Record<string, PropertyValue>): Resource => ({
      ...resource(`${whole.type}Patch`, "patch", { metadata: { name: "shop" }, spec }),
    });
    expect(found(whole, patch({ podSelector: { matchLabels: { app: "web" } } }))).toEqual([]);
    expect(found(whole, patch({ egressIPs: ["10.0.0.7"] }))).toEqual([]);
    expect(found(patch({ egressIPs: ["10.0.0.0"] }))).toEqual([
      expect.stringContaining("spec.egressIPs[0]: 10.0.0.0 in 10.0.0.0/16"),
    ]);
  });

  const written = (metadata: PropertyValue, spec: Record<string, PropertyValue> = {}): Resource => ({
    ...egressIp("shop", ["10.0.0.7"]),
    origin: { file: "a.yaml" },
    properties: {
      metadata,
      spec: { egressIPs: ["10.0.0.7"], namespaceSelector: { matchLabels: { team: "shop" } }, ...spec },
    },
  });
  it.each<[string, PropertyValue, string[]]>([
    ["a generated name", { generateName: "shop-" }, []],
    ["a name that is not known yet", { name: UNKNOWN }, []],
    ["a namespace, which the API server clears", { name: "shop", namespace: "Foo_X" }, []],
    ["no name", {}, ["metadata.name: missing, and the API server refuses the object"]],
    [
      "a name that is no name",
      { name: "Shop" },
      ['metadata.name: "Shop" is not a Kubernetes name, and the API server refuses the object'],
    ],
    [
      "a prefix that is no name",
      { generateName: "Shop_" },
      ['metadata.generateName: "Shop_" is not a Kubernetes name, and the API server refuses the object'],
    ],
    [
      "a label that is no label",
      { name: "shop", labels: { "a b": "c", d: UNKNOWN } },
      ['metadata.labels.a b: "a b" is not a label key'],
    ],
  ])("judges %s", (_, metadata, expected) => expect(found(written(metadata))).toEqual(expected));

  it("leaves names to Pulumi, which generates them", () => {
    const object = egressIp("shop", ["10.0.0.7"]);
    expect(found({ ...object, properties: { ...object.properties, metadata: {} } })).toEqual([]);
  });

  it("reports unknown properties, without which the addresses may be for more pods", () => {
    const dropped =
      "no such property: kubectl refuses the object, and without strict validation the API server drops the property";
    const metadata = { name: "shop" };
    const object = written(metadata, { podselector: { matchLabels: { app: "web" } } });
    expect(violations(egressIpInvalid, [agent, object])).toMatchObject([
      { path: "spec.podselector", message: dropped, fix: "did you mean podSelector?" },
    ]);
    expect(found(written(metadata, { podSelector: {} }))).toEqual([]);
    expect(found(written(metadata, { trafficSelector: {} }))).toEqual([`spec.trafficSelector: ${dropped}`]);
    const { properties } = object;
    expect(found({ ...object, properties: { ...properties, spec: UNKNOWN } })).toEqual([]);
    const { spec } = written(metadata).properties;
    expect(found({ ...object, properties: { metadata, spec: spec!, Spec: {} } })).toEqual([
      `Spec: ${dropped}`,
    ]);
  });

  it("reports addresses outside the nodes' subnets in clouds, and before 4.14 on bare metal", () => {
    const object = egressIp("shop", ["10.9.0.7"]);
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

  it("accepts free addresses of the machine network, for separate namespaces per object", () => {
    expect(found(egressIp("shop", ["10.0.0.7"]), egressIp("bank", ["10.0.0.8"]))).toEqual([]);
  });

  it("reports an address in two objects, and two objects for the same pods", () => {
    expect(found(egressIp("shop", ["10.0.0.7"]), egressIp("bank", ["10.0.0.7"]))).toEqual([
      "spec.egressIPs: 10.0.0.7 is also an address of EgressIP bank",
    ]);
    expect(found(egressIp("shop", ["10.0.0.7"]), egressIp("again", ["10.0.0.8"], "shop"))).toEqual([
      expect.stringContaining("spec.namespaceSelector: selects the same pods as EgressIP again"),
    ]);
  });

  it("reports an address that a node has, however it is written", () => {
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
      violations(egressIpInvalid, [node, egressIp("shop", addresses)]).map(({ message }) => message);
    expect(messages("10.0.0.7")).toEqual(["10.0.0.7 is also an address of Node node-1"]);
    expect(messages("fd00:0::7")).toEqual(["fd00::7 is also an address of Node node-1"]);
    expect(messages("10.0.0.8", "fd00::8")).toEqual([]);
  });

  it("reports a selector that contradicts itself, and an annotation that the server refuses", () => {
    const expression = { key: "team", operator: "NotIn", values: ["shop"] };
    const none = egressIp("shop", ["10.0.0.7"], "shop", {
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

  it("names the first of many objects with one address or the same pods, and their number", () => {
    const objects = ["a", "b", "c", "d"].map((name) => egressIp(name, ["10.0.0.7"], "shop"));
    expect(found(...objects)).toEqual([
      "spec.egressIPs: 10.0.0.7 is also an address of EgressIP a",
      "spec.namespaceSelector: selects the same pods as EgressIP a, and it is not defined whose addresses they get",
      "spec.egressIPs: 10.0.0.7 is also an address of EgressIP a and 1 object before it",
      "spec.namespaceSelector: selects the same pods as EgressIP a and 1 object before it, and it is not defined whose addresses they get",
      "spec.egressIPs: 10.0.0.7 is also an address of EgressIP a and 2 objects before it",
      "spec.namespaceSelector: selects the same pods as EgressIP a and 2 objects before it, and it is not defined whose addresses they get",
    ]);
  });

  it("reports the same objects that select pods of an earlier one as a comparison of all pairs", () => {
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
          plain.slice(0, place).some((other) => overlapOf(own, other) === SharedPods.Certain)
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

  it("reports unknown addresses and selectors as unknown, and judges the rest", () => {
    const object = egressIp("shop", UNKNOWN, "shop", { podSelector: UNKNOWN });
    expect(violations(egressIpInvalid, [agent, object])).toEqual([]);
    expect(unknowns(egressIpInvalid, [agent, object]).map(({ path }) => path)).toEqual([
      "spec.egressIPs",
      "spec.podSelector",
    ]);
    expect(found(egressIp("shop", [UNKNOWN, "10.132.0.7"]))).toHaveLength(1);
  });

  it("reports an invalid address without a hosted cluster", () => {
    expect(violations(egressIpInvalid, [egressIp("shop", ["shop"])])).toHaveLength(1);
    expect(violations(egressIpInvalid, [egressIp("shop", ["192.0.2.1"])])).toEqual([]);
  });
});

describe("egress-ip-platform", () => {
  const object = egressIp("shop", ["10.0.0.7"]);

  it("reports a release on AWS without egress IP addresses, and accepts one that has them", () => {
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

  it("reports IBM Cloud", () => {
    const cluster = hostedCluster({ platform: { type: "IBMCloud" } });
    expect(violations(egressIpPlatform, [cluster, object])).toHaveLength(1);
  });

  it("is unknown for objects whose cluster or release is unknown, and silent without objects", () => {
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
  const poolIn = (namespace: PropertyValue, name: string, replicas = 1) =>
    resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", name, {
      metadata: { name, namespace },
      spec: { clusterName: "tenant-a", replicas, nodeLabels: { [KEY]: "" } },
    });
  const two = egressIp("shop", ["10.0.0.7", "10.0.0.8"]);

  it("reports more addresses than labelled nodes", () => {
    expect(violations(egressIpNodes, [two, node("a"), node("b", {})])).toMatchObject([
      { path: "spec.egressIPs", message: expect.stringContaining("2 addresses for 1 node ") as string },
    ]);
    expect(violations(egressIpNodes, [two, pool(1)])).toHaveLength(1);
  });

  it("accepts as many nodes as addresses, including those of NodePools", () => {
    expect(violations(egressIpNodes, [two, node("a"), node("b")])).toEqual([]);
    expect(violations(egressIpNodes, [two, node("a"), pool(1)])).toEqual([]);
  });

  it("counts NodePools per hosted cluster, and is unknown if the result depends on which cluster", () => {
    const judge = (...others: ReturnType<typeof egressIp>[]) =>
      [violations, unknowns].map((kind) => kind(egressIpNodes, [two, ...others]).length);
    const [a, b] = [hostedCluster(), hostedCluster({}, "tenant-b")];
    expect(judge(a, pool(1), pool(3, "tenant-b"))).toEqual([1, 0]);
    expect(judge(a, pool(2), pool(0, "tenant-b"))).toEqual([0, 0]);
    expect(judge(a, pool(0, "tenant-b"))).toEqual([0, 1]);
    expect(judge(a, b, pool(1), pool(1, "tenant-b"))).toEqual([1, 0]);
    expect(judge(a, b, pool(1), pool(3, "tenant-b"))).toEqual([0, 1]);
    expect(judge(a, b, pool(2), pool(3, "tenant-b"))).toEqual([0, 0]);
    expect(judge(a, pool(1), pool(0, UNKNOWN))).toEqual([1, 0]);
    expect(judge(a, pool(2), pool(1, UNKNOWN))).toEqual([0, 0]);
    expect(judge(a, pool(1), pool(1, UNKNOWN))).toEqual([0, 1]);
    expect(judge(a, pool(1, UNKNOWN))).toEqual([0, 1]);
    expect(judge(a, b, pool(1), pool(1, UNKNOWN))).toEqual([0, 1]);
    expect(judge(pool(1, UNKNOWN))).toEqual([0, 1]);
  });

  it.each<[string, PropertyValue, PropertyValue, number[]]>([
    ["the namespace of the cluster", "clusters", "clusters", [0, 0]],
    ["another namespace", "clusters", "lab", [1, 0]],
    ["an unknown namespace", "clusters", UNKNOWN, [0, 1]],
    ["a namespace, if that of the cluster is unknown", UNKNOWN, "lab", [0, 1]],
  ])("counts NodePools in %s", (_, own, namespace, expected) => {
    const cluster = { ...hostedCluster() };
    cluster.properties = { ...cluster.properties, metadata: { name: "tenant-a", namespace: own } };
    const other = poolIn(namespace, "b");
    const found = [violations, unknowns].map(
      (kind) => kind(egressIpNodes, [cluster, two, node("a"), other]).length,
    );
    expect(found).toEqual(expected);
  });

  it("is unknown if only one of two clusters of one name, in two namespaces, has enough nodes", () => {
    const pools = [poolIn("clusters", "a"), poolIn("lab", "b", 2)];
    expect(violations(egressIpNodes, [two, ...pools])).toEqual([]);
    expect(unknowns(egressIpNodes, [two, ...pools])).toHaveLength(1);
    const enough = [poolIn("clusters", "a", 2), poolIn("lab", "b", 2)];
    expect(unknowns(egressIpNodes, [two, ...enough])).toEqual([]);
  });

  it("counts copies of a node or NodePool once, and a NodePool of two contents is unknown", () => {
    const named = { ...node("a"), type: "kubernetes:core/v1:Node" };
    const message = expect.stringContaining("2 addresses for 1 node ") as string;
    for (const one of [named, poolIn("clusters", "a")])
      expect(violations(egressIpNodes, [two, one, { ...one, origin: { file: "b.yaml" } }])).toMatchObject([
        { message },
      ]);
    expect(violations(egressIpNodes, [two, named, node("a")])).toHaveLength(1);
    const differing = [poolIn("clusters", "a"), poolIn("clusters", "a", 2)];
    expect(violations(egressIpNodes, [two, ...differing])).toEqual([]);
    expect(unknowns(egressIpNodes, [two, ...differing])).toHaveLength(1);
  });

  it("is unknown if a patch labels the nodes of a NodePool", () => {
    const patch = {
      ...poolIn("clusters", "a"),
      type: "kubernetes:hypershift.openshift.io/v1beta1:NodePoolPatch",
      properties: { metadata: { name: "a", namespace: "clusters" }, spec: { nodeLabels: { [KEY]: "" } } },
    };
    const unlabelled = resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "a", {
      metadata: { name: "a", namespace: "clusters" },
      spec: { clusterName: "tenant-a", replicas: 3 },
    });
    for (const stack of [[patch], [hostedCluster(), patch], [patch, unlabelled]]) {
      expect(violations(egressIpNodes, [two, ...stack])).toEqual([]);
      expect(unknowns(egressIpNodes, [two, ...stack])).toHaveLength(1);
    }
  });

  it("is unknown if the stack labels no node, or if the number of nodes is unknown", () => {
    for (const others of [[], [node("a", {})], [node("a", UNKNOWN)], [pool(UNKNOWN)]]) {
      expect(violations(egressIpNodes, [two, ...others])).toEqual([]);
      expect(unknowns(egressIpNodes, [two, ...others])).toMatchObject([{ path: "spec.egressIPs" }]);
    }
    expect(unknowns(egressIpNodes, [node("a", UNKNOWN)])).toEqual([]);
  });
});

test.each(OTHER_NETWORKS)("a cluster with the network %s has no EgressIP objects", (networkType) => {
  expect(
    violations(egressIpPlatform, [withNetwork(networkType), egressIp("shop", ["10.0.0.7"])]),
  ).toMatchObject([{ path: "spec.networking.networkType" }]);
});

describe("findings of the rules of EgressIP objects", () => {
  const KEY = "k8s.ovn.org/egress-assignable";
  const two = egressIp("shop", ["10.0.0.7", "10.0.0.8"]);
  const node = (labels: PropertyValue, secrets: string[] = []): Resource => ({
    ...resource("kubernetes:core/v1:Node", "a", { metadata: { name: "a", labels } }),
    secrets,
  });
  const pool = (spec: Record<string, PropertyValue>, secrets: string[] = []): Resource => ({
    ...resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "pool", {
      spec: { clusterName: "tenant-a", nodeLabels: { [KEY]: "" }, ...spec },
    }),
    secrets,
  });

  it("have a fix", () => {
    const shared = ["a", "b", "c"].map((name) => egressIp(name, ["10.0.0.7"], "shop"));
    const digest = hostedCluster({ release: { image: `quay.io/ocp-release@sha256:${"0".repeat(64)}` } });
    const clusters = [agent, hostedCluster({}, "tenant-b")];
    const found = [
      ...judge(egressIpInvalid, [agent, ...shared]),
      ...judge(egressIpInvalid, [agent, egressIp("none", []), egressIp("out", ["10.132.0.7"])]),
      ...judge(egressIpNodes, [two]),
      ...judge(egressIpNodes, [two, node({ [KEY]: "" })]),
      ...judge(egressIpNodes, [
        two,
        ...clusters,
        pool({ replicas: 1 }),
        pool({ clusterName: "b", replicas: 2 }),
      ]),
      ...judge(egressIpPlatform, [two]),
      ...judge(egressIpPlatform, [digest, two]),
      ...judge(egressIpPlatform, [ofRelease("4.9"), two]),
    ];
    expectGolden("manifests/egressIpRules.txt", `${linesOf(found)}\n`);
  });

  it("name the earliest of the objects that select the same pods", () => {
    const namespaceSelector = { matchLabels: { team: "shop", tier: "web" } };
    const objects = [
      egressIp("a", ["10.0.0.7"], "shop"),
      egressIp("b", ["10.0.0.8"], "", { namespaceSelector: {} }),
      egressIp("c", ["10.0.0.9"], "", { namespaceSelector }),
    ];
    const [, last] = violations(egressIpInvalid, [agent, ...objects]);
    expect(last?.message).toContain("selects the same pods as EgressIP a and 1 object before it");
  });

  const values = (...list: string[]) => ({
    matchExpressions: [{ key: "team", operator: "In", values: list }],
  });
  it.each<[string, PropertyValue, PropertyValue, number]>([
    ["fewer values", values("a"), values("a", "b"), 1],
    ["more values", values("a", "b"), values("b"), 1],
    ["one value and a label", values("a"), { matchLabels: { team: "a" } }, 1],
    ["fewer labels", { matchLabels: { team: "a", tier: "x" } }, { matchLabels: { tier: "x" } }, 1],
    ["other values", values("a"), values("b"), 0],
    ["values of another label", values("a"), { matchLabels: { tier: "a" } }, 0],
    ["every namespace, first", {}, values("a"), 1],
    ["every namespace, last", values("a"), {}, 1],
  ])("compare the pods that selectors match: %s", (_, first, second, count) => {
    const selectors: PropertyValue[] = [first, second];
    const objects = selectors.map((namespaceSelector, at) =>
      egressIp(`ip-${at}`, [`10.0.0.${at + 7}`], "", { namespaceSelector }),
    );
    const found = violations(egressIpInvalid, [agent, ...objects]);
    expect(found.filter(({ message }) => message.startsWith("selects the same pods"))).toHaveLength(count);
  });

  it.each<[string, PropertyValue]>([
    ["expressions that are not a list", { matchExpressions: "x" }],
    ["an expression that is not an object", { matchExpressions: ["x"] }],
    ["a key that is not a string", { matchExpressions: [{ key: 5, operator: "In", values: ["a"] }] }],
    ["values that are not a list", { matchExpressions: [{ key: "team", operator: "In", values: "a" }] }],
    ["a value that is not a string", { matchExpressions: [{ key: "team", operator: "In", values: [5] }] }],
  ])("are computed without an exception for an invalid selector: %s", (_, namespaceSelector) => {
    const objects = ["a", "b"].map((name) => egressIp(name, ["10.0.0.7"], "", { namespaceSelector }));
    expect(() => violations(egressIpInvalid, [agent, ...objects])).not.toThrow();
  });

  it("do not compare copies of one object, and compare two objects of one name", () => {
    const inFile = (file: string, one: Resource): Resource => ({ ...one, origin: { file, line: 1 } });
    const shop = egressIp("shop", ["10.0.0.7"]);
    const copies = ["a/x.yaml", "a/y.yaml", "b/x.yaml"].map((file) => inFile(file, shop));
    for (const clusters of [[agent], [agent, hostedCluster({}, "tenant-b")]])
      expect(judge(egressIpInvalid, [...clusters, ...copies])).toEqual([]);
    const other = egressIp("shop", ["10.0.0.7", "10.0.0.8"]);
    expect(violations(egressIpInvalid, [agent, ...copies, inFile("c.yaml", other)])).toMatchObject([
      { message: expect.stringContaining("10.0.0.7 is also an address of EgressIP shop") as string },
      { message: "selects the same pods as EgressIP shop, and it is not defined whose addresses they get" },
    ]);
    const unnamed = { ...shop, properties: { ...shop.properties, metadata: { generateName: "shop-" } } };
    expect(violations(egressIpInvalid, [agent, unnamed, inFile("b.yaml", unnamed)])).toHaveLength(2);
  });

  it("are unknown for objects in two folders if there are several hosted clusters", () => {
    const inFolder = (folder: string, name: string) => ({
      ...egressIp(name, ["10.0.0.7"], "shop"),
      origin: { file: `${folder}/objects.yaml`, line: 1 },
    });
    const objects = [agent, hostedCluster({}, "tenant-b"), inFolder("stage", "a"), inFolder("prod", "b")];
    expect(violations(egressIpInvalid, objects)).toEqual([]);
    const words = ["10.0.0.7 is also an address of EgressIP a", "whose addresses they get"];
    expect(unknowns(egressIpInvalid, objects).map(({ message }) => message)).toEqual(
      words.map((one) => expect.stringContaining(`${one}, if both are in one cluster`) as string),
    );
  });

  it("are unknown only for addresses and selectors, not for an unknown name or annotations", () => {
    const object = resource("kubernetes:k8s.ovn.org/v1:EgressIP", "shop", {
      metadata: { name: UNKNOWN, annotations: UNKNOWN },
      spec: { egressIPs: ["10.0.0.7"], namespaceSelector: UNKNOWN },
    });
    expect(violations(egressIpInvalid, [agent, object])).toEqual([]);
    expect(unknowns(egressIpInvalid, [agent, object]).map(({ path }) => path)).toEqual([
      "spec.namespaceSelector",
    ]);
  });

  it("use the maximum number of nodes of NodePools with autoscaling", () => {
    const between = (min: number, max: number) => pool({ autoScaling: { min, max } });
    expect(violations(egressIpNodes, [two, between(1, 2)])).toEqual([]);
    expect(violations(egressIpNodes, [two, between(0, 1)])).toHaveLength(1);
  });

  it.each<[string, Resource]>([
    ["a node without labels", node(null)],
    ["a node whose labels are a string", node("x")],
    ["a node with other labels", node({ zone: "a" })],
    ["a NodePool with other labels", pool({ replicas: 2, nodeLabels: { zone: "a" } })],
    [
      "an object that is neither a node nor a NodePool",
      resource("kubernetes:core/v1:Namespace", "a", { metadata: { labels: { [KEY]: "" } } }),
    ],
  ])("count no node for %s", (_, other) => {
    expect(violations(egressIpNodes, [two, node({ [KEY]: "" }), other])).toMatchObject([
      { message: expect.stringContaining("2 addresses for 1 node ") as string },
    ]);
  });

  it.each<[string, Resource]>([
    ["metadata.labels", node(UNKNOWN, ["metadata.labels"])],
    ["spec.nodeLabels", pool({ nodeLabels: UNKNOWN }, ["spec.nodeLabels"])],
    ["spec.replicas", pool({ replicas: UNKNOWN }, ["spec.replicas"])],
    ["spec.autoScaling", pool({ autoScaling: UNKNOWN }, ["spec.autoScaling"])],
  ])("name the secret that hides the number of nodes: %s", (path, hidden) => {
    const found = judge(egressIpNodes, [two, hidden]);
    expect(found).toMatchObject([{ code: "secret-value", path }]);
  });
});

test("other faults of a HostedCluster hide neither its platform nor its network type", () => {
  const cluster = (networkType: string, type = "Agent") =>
    hostedCluster({
      platform: { type },
      networking: { ...networking("10.0.0.0/16"), networkType, serviceNetwork: [{ cidr: "172.31.0.0/30" }] },
      services: services({ APIServer: "LoadBalancer", OAuthServer: "Route" }),
    });
  const both = (one: Resource) => [one, egressIp("shop", ["10.0.0.7"])];
  expect(violations(egressIpPlatform, both(cluster("Other")))).toMatchObject([
    { path: "spec.networking.networkType" },
  ]);
  expect(violations(egressIpPlatform, both(cluster("OVNKubernetes", "IBMCloud")))).toMatchObject([
    { path: "spec.platform.type" },
  ]);
  expect(violations(egressIpPlatform, both(cluster("OVNKubernetes")))).toEqual([]);
  expect(unknowns(egressIpPlatform, both(cluster("OVNKubernetes")))).toEqual([]);
});
