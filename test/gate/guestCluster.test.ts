import {
  guestCluster,
  guestInputs,
  hadBefore,
  hiddenNodePools,
  ifInOneCluster,
  isSecondaryAlone,
  judgePlatform,
  nodePoolsOf,
  nodesOf,
} from "../../src/gate/guestCluster";
import type { Judgement } from "../../src/gate/finding";
import { JudgedResources } from "../../src/gate/judgedResources";
import { egressIpSupport } from "../../src/requirements/egressSupport";
import { type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import {
  egressIp,
  HOSTED_CLUSTER,
  hostedCluster,
  resource,
  withNetwork,
  type Properties,
} from "../rules/builders";

const pool = (name: string, spec: Properties, namespace: PropertyValue = "clusters"): Resource =>
  resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", name, {
    metadata: { name, ...(namespace !== null && { namespace }) },
    spec: { clusterName: "tenant-a", ...spec },
  });
const inFile = (file: string, one: Resource): Resource => ({ ...one, origin: { file, line: 1 } });

describe("the NodePools of a cluster", () => {
  it.each<[Properties, PropertyValue, PropertyValue]>([
    [{}, 0, 0],
    [{ replicas: 3 }, 3, 3],
    [{ replicas: UNKNOWN }, UNKNOWN, UNKNOWN],
    [{ replicas: 3, autoScaling: null }, 3, 3],
    [{ replicas: 3, autoScaling: { min: 1, max: 5 } }, 1, 5],
    [{ autoScaling: { max: UNKNOWN } }, 0, UNKNOWN],
    [{ autoScaling: UNKNOWN }, UNKNOWN, UNKNOWN],
  ])("with %j have the expected minimum and maximum of nodes", (spec, least, most) => {
    expect(nodesOf(pool("a", spec))).toEqual({ least, most });
  });

  it("are those with its name and namespace, or whose namespace is missing or unknown", () => {
    const pools = [
      pool("own", {}),
      pool("other", { clusterName: "tenant-b" }),
      pool("elsewhere", {}, "team"),
      pool("anywhere", {}, null),
      pool("later", {}, UNKNOWN),
    ];
    const judged = new JudgedResources([hostedCluster(), ...pools]);
    const found = nodePoolsOf(judged, judged.clusters[0]!.topology!);
    const names = found.map(({ resource: { name } }) => name);
    expect(names.sort()).toEqual(["anywhere", "later", "own"]);
  });

  it("are those of its management cluster if two clusters have its name", () => {
    const at = (folder: string) => [
      inFile(`${folder}/cluster.yaml`, hostedCluster()),
      inFile(`${folder}/pool.yaml`, pool(folder, {})),
    ];
    const judged = new JudgedResources([...at("p"), ...at("q")]);
    expect(
      judged.clusters.map(({ topology }) => nodePoolsOf(judged, topology!).map((one) => one.resource.name)),
    ).toEqual([["p"], ["q"]]);
  });

  it("are reported as hidden if their cluster name is a secret", () => {
    const hidden = { ...pool("a", { clusterName: UNKNOWN }), secrets: ["spec.clusterName"] };
    const judged = new JudgedResources([hidden, pool("b", { clusterName: UNKNOWN }), pool("c", {})]);
    expect(hiddenNodePools(judged)).toMatchObject([{ resource: hidden.origin, path: "spec.clusterName" }]);
  });

  it.each<[PropertyValue, boolean]>([
    [{ attachDefaultNetwork: false, additionalNetworks: [{ name: "a/b" }] }, true],
    [{ attachDefaultNetwork: true, additionalNetworks: [{ name: "a/b" }] }, false],
    [{ additionalNetworks: [{ name: "a/b" }] }, false],
    [{ attachDefaultNetwork: false, additionalNetworks: [] }, false],
    [{ attachDefaultNetwork: false }, false],
    [{ attachDefaultNetwork: UNKNOWN, additionalNetworks: [{ name: "a/b" }] }, false],
  ])("with %j are only on secondary networks: %p", (kubevirt, isAlone) => {
    const spec: Properties = { platform: { kubevirt } };
    expect(isSecondaryAlone(pool("a", spec))).toBe(isAlone);
    expect(isSecondaryAlone({ ...pool("a", spec), type: "kubernetes:example.com/v1:Pool" })).toBe(false);
  });
});

describe("the cluster that contains an object", () => {
  const patch = resource(`${HOSTED_CLUSTER}Patch`, "p", { metadata: { name: "tenant-a" }, spec: {} });
  const of = (...resources: Resource[]) => guestCluster(new JudgedResources(resources))?.key;

  it("is the only completely known cluster, if there is exactly one", () => {
    expect(of(hostedCluster())).toBe("clusters/tenant-a");
    expect(of(hostedCluster(), patch)).toBe("clusters/tenant-a");
    expect(of()).toBeUndefined();
    expect(of(patch)).toBeUndefined();
    expect(of(hostedCluster(), hostedCluster({}, "tenant-b"))).toBeUndefined();
  });

  it("has the inputs of its topology, even if the API server rejects its name", () => {
    const inputs = (...resources: Resource[]) => guestInputs(new JudgedResources(resources));
    expect(inputs()).toEqual({});
    expect(inputs(hostedCluster(), hostedCluster({}, "tenant-b"))).toEqual({});
    expect(inputs(hostedCluster())).toMatchObject({
      topology: { name: "tenant-a", namespace: "clusters", platform: "AWS" },
    });
    expect(inputs(hostedCluster({}, "Tenant A"))).toMatchObject({
      topology: { name: "unknown", namespace: "clusters", platform: "AWS" },
    });
    const { properties, ...rest } = hostedCluster();
    const elsewhere = {
      ...rest,
      properties: { ...properties, metadata: { name: "a", namespace: "My Team" } },
    };
    expect(inputs(elsewhere)).toMatchObject({ topology: { name: "unknown", namespace: "clusters" } });
  });
});

describe("objects of which a cluster has only one", () => {
  const thing = (name: string, key: string, file?: string, provider?: string) => {
    const one = resource("a:b:Thing", name, {});
    return {
      key,
      resource: {
        ...(file === undefined ? one : inFile(file, one)),
        ...(provider !== undefined && { provider }),
      },
    };
  };
  const clusters = (count: number) =>
    Array.from({ length: count }, (_, n) => hostedCluster({}, `tenant-${n}`));
  const found = (count: number, ...things: ReturnType<typeof thing>[]) =>
    hadBefore(new JudgedResources(clusters(count)), things).map(
      ({ one, first, isSure }) =>
        `${one.resource.name} ${isSure ? "surely" : "perhaps"} after ${first.resource.name}`,
    );

  it.each<[string, () => string[], string[]]>([
    ["of different keys do not conflict", () => found(1, thing("a", "x"), thing("b", "y")), []],
    [
      "of the same key conflict with the first one",
      () => found(1, thing("a", "x"), thing("b", "x"), thing("c", "x")),
      ["b surely after a", "c surely after a"],
    ],
    [
      "of different providers do not conflict",
      () => found(1, thing("a", "x", undefined, "p"), thing("b", "x", undefined, "q")),
      [],
    ],
    [
      "of one provider conflict",
      () => found(2, thing("a", "x", undefined, "p"), thing("b", "x", undefined, "p")),
      ["b surely after a"],
    ],
    [
      "of two folders conflict if there is one cluster",
      () => found(1, thing("a", "x", "p/a.yaml"), thing("b", "x", "q/a.yaml")),
      ["b surely after a"],
    ],
    [
      "of two folders may conflict if there are several clusters",
      () => found(2, thing("a", "x", "p/a.yaml"), thing("b", "x", "q/a.yaml")),
      ["b perhaps after a"],
    ],
    [
      "of one folder conflict even if there are several clusters",
      () => found(2, thing("a", "x", "p/a.yaml"), thing("b", "x", "q/a.yaml"), thing("c", "x", "q/b.yaml")),
      ["b perhaps after a", "c surely after b"],
    ],
    [
      "of a folder and a provider do not conflict",
      () => found(2, thing("a", "x", "p/a.yaml"), thing("b", "x", undefined, "p")),
      [],
    ],
  ])("%s", (_, said, expected) => expect(said()).toEqual(expected));

  it("that are known to be apart do not conflict, and each conflicts with the first that is not apart from it", () => {
    const things = ["a1", "b1", "a2", "b2"].map((name) => thing(name, "x"));
    const areApart = (one: (typeof things)[0], other: (typeof things)[0]) =>
      one.resource.name[0] !== other.resource.name[0];
    expect(
      hadBefore(new JudgedResources([]), things, areApart).map(({ one, first }) => [
        one.resource.name,
        first.resource.name,
      ]),
    ).toEqual([
      ["a2", "a1"],
      ["b2", "b1"],
    ]);
  });

  it("that may conflict are reported with a condition", () => {
    const { resource: one } = thing("a", "x");
    const judgement = { path: "spec.a", message: "is also that of b" } as Judgement;
    expect(ifInOneCluster(one, judgement).message).toBe(
      "Thing a: spec.a, is also that of b, if both are in one cluster",
    );
  });
});

describe("support by the platform", () => {
  const gate = { feature: "egress IP addresses", support: egressIpSupport };
  const object = egressIp("a", ["192.0.2.1"]);
  const why =
    "an egress IP address needs a network in which nodes can take over addresses by themselves, or a cloud that attaches them";
  const found = (resources: Resource[], one = object) =>
    judgePlatform(new JudgedResources([...resources, one]), gate, [one]).map(
      ({ status, resource: at, path, message, fix }) =>
        [status, at.urn?.split("::").at(-1), path, message, ...(fix === undefined ? [] : [fix])].join(" | "),
    );
  const on = (type: string, more: Properties = {}) => hostedCluster({ platform: { type }, ...more });
  const made = (type: string, properties: Properties): [Resource[], Resource] => {
    const maker = resource(type, "maker", properties);
    return [[maker], { ...object, parent: maker.origin.urn! }];
  };
  const component = "hypershift-network:index:EgressIp";

  it.each<[string, Resource[], string[]]>([
    ["is no finding if the platform supports the object", [on("AWS")], []],
    ["is no finding if the documents do not mention the platform", [on("KubeVirt")], []],
    [
      "is violated if the platform does not support the object",
      [on("IBMCloud")],
      [`violated | tenant-a | spec.platform.type | EgressIP a: IBMCloud has no egress IP addresses: ${why}`],
    ],
    [
      "is violated on a network other than OVN-Kubernetes",
      [withNetwork("Calico")],
      [
        "violated | tenant-a | spec.networking.networkType | EgressIP a: Calico is not OVN-Kubernetes, and only OVN-Kubernetes supports this object | leave the object out",
      ],
    ],
    [
      "is unknown if it begins with a release and the release is unknown",
      [on("Azure", { release: { image: "quay.io/ocp@sha256:0" } })],
      [
        "unknown | tenant-a | spec.release.image | HostedCluster tenant-a: spec.release.image, whether it has egress IP addresses",
      ],
    ],
    [
      "is no finding with an unknown release if every release supports the object",
      [on("Agent", { release: { image: "quay.io/ocp@sha256:0" } })],
      [],
    ],
    [
      "is unknown without a hosted cluster",
      [],
      ["unknown | a |  | EgressIP a: which hosted cluster it belongs to, and its platform"],
    ],
    [
      "is unknown with several hosted clusters",
      [on("AWS"), hostedCluster({}, "tenant-b")],
      ["unknown | a |  | EgressIP a: which hosted cluster it belongs to, and its platform"],
    ],
  ])("%s", (_, resources, expected) => expect(found(resources)).toEqual(expected));

  it("is judged by the component that created the object, before the rest of the stack", () => {
    const old = `violated | maker | platform | EgressIP a: GCP with release 4.9 has no egress IP addresses: ${why}`;
    expect(found(...made(component, { platform: "GCP", release: "4.9" }))).toEqual([old]);
    const [maker, one] = made(component, { topology: { name: "z", platform: "IBMCloud" } });
    expect(found([...maker, on("AWS")], one)).toEqual([
      `violated | maker | topology.platform | EgressIP a: IBMCloud has no egress IP addresses: ${why}`,
    ]);
    const [stated, other] = made(component, { platform: "IBMCloud" });
    expect(found([...stated, on("AWS")], other)).toEqual([
      `violated | maker | platform | EgressIP a: IBMCloud has no egress IP addresses: ${why}`,
    ]);
    // The network, and what the component omits, come from the cluster.
    const [typed, fourth] = made(component, { platform: "AWS", networkType: "OVNKubernetes" });
    expect(found([...typed, withNetwork("Calico")], fourth)).toEqual([
      "violated | tenant-a | spec.networking.networkType | EgressIP a: Calico is not OVN-Kubernetes, and only OVN-Kubernetes supports this object | leave the object out",
    ]);
    const [foreign, third] = made("other:index:EgressIp", { platform: "IBMCloud" });
    expect(found([...foreign, on("AWS")], third)).toEqual([]);
  });
});
