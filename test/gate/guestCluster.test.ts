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
  ])("with %j make nodes", (spec, least, most) => {
    expect(nodesOf(pool("a", spec))).toEqual({ least, most });
  });

  it("are those of its name and namespace, or of one that is not told", () => {
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

  it("are those of its management cluster, where there are two of its name", () => {
    const at = (folder: string) => [
      inFile(`${folder}/cluster.yaml`, hostedCluster()),
      inFile(`${folder}/pool.yaml`, pool(folder, {})),
    ];
    const judged = new JudgedResources([...at("p"), ...at("q")]);
    expect(
      judged.clusters.map(({ topology }) => nodePoolsOf(judged, topology!).map((one) => one.resource.name)),
    ).toEqual([["p"], ["q"]]);
  });

  it("hide whose they are where that is a secret", () => {
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
  ])("with %j are on a secondary network alone: %p", (kubevirt, isAlone) => {
    const spec: Properties = { platform: { kubevirt } };
    expect(isSecondaryAlone(pool("a", spec))).toBe(isAlone);
    expect(isSecondaryAlone({ ...pool("a", spec), type: "kubernetes:example.com/v1:Pool" })).toBe(false);
  });
});

describe("the cluster in which an object stands", () => {
  const patch = resource(`${HOSTED_CLUSTER}Patch`, "p", { metadata: { name: "tenant-a" }, spec: {} });
  const of = (...resources: Resource[]) => guestCluster(new JudgedResources(resources))?.key;

  it("is the only one that there is, as a whole", () => {
    expect(of(hostedCluster())).toBe("clusters/tenant-a");
    expect(of(hostedCluster(), patch)).toBe("clusters/tenant-a");
    expect(of()).toBeUndefined();
    expect(of(patch)).toBeUndefined();
    expect(of(hostedCluster(), hostedCluster({}, "tenant-b"))).toBeUndefined();
  });

  it("has the inputs of its topology, also where the API server refuses its name", () => {
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

describe("things of which a cluster has one", () => {
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
    ["of two keys", () => found(1, thing("a", "x"), thing("b", "y")), []],
    [
      "of one key each after the first",
      () => found(1, thing("a", "x"), thing("b", "x"), thing("c", "x")),
      ["b surely after a", "c surely after a"],
    ],
    [
      "of two providers",
      () => found(1, thing("a", "x", undefined, "p"), thing("b", "x", undefined, "q")),
      [],
    ],
    [
      "of one provider",
      () => found(2, thing("a", "x", undefined, "p"), thing("b", "x", undefined, "p")),
      ["b surely after a"],
    ],
    [
      "of two folders, where there is one cluster",
      () => found(1, thing("a", "x", "p/a.yaml"), thing("b", "x", "q/a.yaml")),
      ["b surely after a"],
    ],
    [
      "of two folders, where there are several",
      () => found(2, thing("a", "x", "p/a.yaml"), thing("b", "x", "q/a.yaml")),
      ["b perhaps after a"],
    ],
    [
      "of one folder, where there are several",
      () => found(2, thing("a", "x", "p/a.yaml"), thing("b", "x", "q/a.yaml"), thing("c", "x", "q/b.yaml")),
      ["b perhaps after a", "c surely after b"],
    ],
    [
      "of a folder and a provider",
      () => found(2, thing("a", "x", "p/a.yaml"), thing("b", "x", undefined, "p")),
      [],
    ],
  ])("%s", (_, said, expected) => expect(said()).toEqual(expected));

  it("that are apart all the same do not meet, and the next meets the one that it is not apart from", () => {
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

  it("of which it is not sure are counted", () => {
    const { resource: one } = thing("a", "x");
    const judgement = { path: "spec.a", message: "is also that of b" } as Judgement;
    expect(ifInOneCluster(one, judgement).message).toBe(
      "Thing a: spec.a, is also that of b, if both are in one cluster",
    );
  });
});

describe("what a platform has", () => {
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
    ["it", [on("AWS")], []],
    ["no word of it", [on("KubeVirt")], []],
    [
      "not",
      [on("IBMCloud")],
      [`violated | tenant-a | spec.platform.type | EgressIP a: IBMCloud has no egress IP addresses: ${why}`],
    ],
    [
      "nothing to say of another network",
      [withNetwork("Calico")],
      [
        "violated | tenant-a | spec.networking.networkType | EgressIP a: Calico is not OVN-Kubernetes, and only OVN-Kubernetes supports this object | leave the object out",
      ],
    ],
    [
      "it from a release on, which is not known",
      [on("Azure", { release: { image: "quay.io/ocp@sha256:0" } })],
      [
        "unknown | tenant-a | spec.release.image | HostedCluster tenant-a: spec.release.image, whether it has egress IP addresses",
      ],
    ],
    ["it whatever the release", [on("Agent", { release: { image: "quay.io/ocp@sha256:0" } })], []],
    ["no name", [], ["unknown | a |  | EgressIP a: which hosted cluster it belongs to, and its platform"]],
    [
      "several names",
      [on("AWS"), hostedCluster({}, "tenant-b")],
      ["unknown | a |  | EgressIP a: which hosted cluster it belongs to, and its platform"],
    ],
  ])("%s", (_, resources, expected) => expect(found(resources)).toEqual(expected));

  it("is what the component says that made the object, before what the stack says", () => {
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
    // Its network and what it leaves out are the cluster's.
    const [typed, fourth] = made(component, { platform: "AWS", networkType: "OVNKubernetes" });
    expect(found([...typed, withNetwork("Calico")], fourth)).toEqual([
      "violated | tenant-a | spec.networking.networkType | EgressIP a: Calico is not OVN-Kubernetes, and only OVN-Kubernetes supports this object | leave the object out",
    ]);
    const [foreign, third] = made("other:index:EgressIp", { platform: "IBMCloud" });
    expect(found([...foreign, on("AWS")], third)).toEqual([]);
  });
});
