import { driftOf } from "../../../src/resources/drift/drift";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { kubernetesKinds, SHARED_FIELD_SHARE } from "../../../src/resources/resourceTypes";

const HOSTED_CLUSTER = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
const NETWORK = "kubernetes:operator.openshift.io/v1:Network";
const FIREWALL = "kubernetes:k8s.ovn.org/v1:EgressFirewall";
const POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
type More = Partial<Resource> & { namespace?: PropertyValue };
const object = (
  type: string,
  name: PropertyValue,
  spec: PropertyValue = {},
  { namespace = null, ...more }: More = {},
): Resource => ({
  origin: { urn: `urn ${String(typeof name === "string" ? name : "?")}` },
  type,
  name: "object",
  properties: { metadata: { name, namespace }, spec },
  ...more,
});
const drift = (
  plan: Resource[],
  live: Resource[],
  kinds: Parameters<typeof driftOf>[2]["kinds"] = kubernetesKinds,
) => driftOf(plan, live, { kinds });
const missing = (...plan: Resource[]) => drift(plan, []).missing.map(({ object: shown }) => shown);

describe("an object is compared with the live object of its kind, namespace and name:", () => {
  test.each<[string, Resource, string[]]>([
    [
      "the default namespace of HostedClusters is clusters",
      object(HOSTED_CLUSTER, "a"),
      ["HostedCluster clusters/a"],
    ],
    [
      "the default namespace of egress firewalls is default",
      object(FIREWALL, "default"),
      ["EgressFirewall default/default"],
    ],
    [
      "an object may state its namespace",
      object(FIREWALL, "default", {}, { namespace: "shop" }),
      ["EgressFirewall shop/default"],
    ],
    [
      "cluster-scoped objects ignore a namespace",
      object(NETWORK, "cluster", {}, { namespace: "shop" }),
      ["Network cluster"],
    ],
    ["a patch refers to its object", object(`${NETWORK}Patch`, "cluster"), ["Network cluster"]],
    ["an object with an unknown name is skipped", object(NETWORK, UNKNOWN), []],
    ["an object without a name is skipped", object(NETWORK, ""), []],
    [
      "an object with an unknown namespace is skipped",
      object(FIREWALL, "default", {}, { namespace: UNKNOWN }),
      [],
    ],
    ["other kinds are skipped", object("kubernetes:core/v1:Service", "a"), []],
  ])("%s", (_, planned, expected) => {
    expect(missing(planned)).toEqual(expected);
  });

  test("the API group distinguishes kinds of the same name", () => {
    const config = object("kubernetes:config.openshift.io/v1:Network", "cluster", { mtu: 1 });
    const operator = object(NETWORK, "cluster", { mtu: 2 });
    expect(drift([config], [operator]).missing).toHaveLength(1);
    expect(drift([config, operator], [operator, config])).toEqual({ values: [], missing: [], notes: [] });
  });

  test("kinds that were not read are not reported as missing", () => {
    const plan = [object(NETWORK, "cluster"), object(FIREWALL, "default")];
    const kinds = [{ group: "k8s.ovn.org", kind: "EgressFirewall" }];
    expect(drift(plan, [], kinds).missing).toEqual([
      { resource: plan[1]!.origin, object: "EgressFirewall default/default" },
    ]);
    const isAsked = ({ type }: Resource) => type === NETWORK;
    expect(driftOf(plan, [], { kinds: kubernetesKinds, isAsked }).missing).toMatchObject([
      { object: "Network cluster" },
    ]);
  });

  test("the object itself is reported as missing, rather than a patch of it", () => {
    const patch = object(`${NETWORK}Patch`, "cluster", { mtu: 1 }, { origin: { urn: "patch" } });
    const own = object(NETWORK, "cluster", {}, { origin: { urn: "own" } });
    expect(drift([patch, own], []).missing).toEqual([{ resource: own.origin, object: "Network cluster" }]);
    expect(drift([patch], []).missing).toEqual([{ resource: patch.origin, object: "Network cluster" }]);
  });
});

describe("a note reports what was not compared:", () => {
  const running = object(NETWORK, "cluster", { mtu: 9 });

  test("objects in another API version, whose fields may have other names", () => {
    const later = object(NETWORK.replace("v1", "v2"), "cluster", { mtu: 1 });
    const own = object(NETWORK, "cluster", { logLevel: "a" });
    const note =
      "not compared, because the plan has them in another API version than the cluster: Network cluster";
    expect(drift([later], [running])).toEqual({ values: [], missing: [], notes: [note] });
    expect(drift([later, own], [running])).toMatchObject({
      values: [{ path: "spec.logLevel" }],
      notes: [note],
    });
  });

  test("objects that may be in another cluster", () => {
    const plan = [
      object(HOSTED_CLUSTER, "a", {}, { provider: "management" }),
      object(NETWORK, "cluster", { mtu: 1 }),
    ];
    const why =
      "the plan also has HostedClusters, and the input does not state whether the objects are in the management cluster or in a hosted one";
    expect(drift(plan, [running])).toEqual({
      values: [],
      missing: [{ resource: plan[0]!.origin, object: "HostedCluster clusters/a" }],
      notes: [`not compared, because ${why}: Network cluster`],
    });
  });

  test("missing objects, if several providers may have them in other clusters", () => {
    const of = (provider: string, name: string) =>
      object(FIREWALL, "default", {}, { provider, namespace: name });
    const note =
      "missing objects are not listed, because the plan has several providers and the objects may be in another cluster";
    expect(drift([of("a", "one"), of("b", "two")], [])).toEqual({ values: [], missing: [], notes: [note] });
    expect(drift([of("a", "one"), of("a", "two")], [])).toMatchObject({ missing: [{}, {}], notes: [] });
    const there = of("a", "one");
    expect(drift([there, of("b", "two")], [there, of("b", "two")]).notes).toEqual([]);
  });

  test("the first ten of many objects", () => {
    const names = Array.from({ length: 12 }, (_, at) => `n${String(at).padStart(2, "0")}`);
    const plan = names.flatMap((namespace) =>
      ["a", "b"].map((provider) => object(FIREWALL, "default", {}, { provider, namespace })),
    );
    expect(drift(plan, []).notes).toEqual([
      `not compared, because several providers of the plan manage them: ${names
        .slice(0, 10)
        .map((name) => `EgressFirewall ${name}/default`)
        .join(", ")} and 2 more`,
    ]);
  });
});

describe("drift leaves out what the plan shares with others:", () => {
  const share = (more: Resource["properties"] = {}): Resource => ({
    origin: {},
    type: SHARED_FIELD_SHARE,
    name: "share",
    properties: {
      apiVersion: "operator.openshift.io/v1",
      object: "Network",
      name: "cluster",
      path: ["spec", "defaultNetwork", "mtu"],
      ...more,
    },
  });
  const planned = object(NETWORK, "cluster", { defaultNetwork: { mtu: 1, type: "a" }, logLevel: "a" });
  const runs = object(NETWORK, "cluster", { defaultNetwork: { mtu: 2, type: "b" }, logLevel: "b" });
  const [mtu, type, level] = [
    "spec.defaultNetwork.mtu",
    "spec.defaultNetwork.type",
    "spec.logLevel",
  ] as const;

  test.each<[string, Resource[], string[]]>([
    ["no field without a share", [], [mtu, type, level]],
    ["the shared field", [share()], [type, level]],
    ["everything inside the shared field", [share({ path: ["spec", "defaultNetwork"] })], [level]],
    ["several shared fields", [share(), share({ path: ["spec", "logLevel"] })], [type]],
    ["no field if the share is of another object", [share({ name: "other" })], [mtu, type, level]],
    ["no field if the object of the share is unknown", [share({ name: UNKNOWN })], [mtu, type, level]],
    ["no field if the path of the share is empty", [share({ path: [] })], [mtu, type, level]],
    [
      "no field if the plan does not state the shared path",
      [share({ path: ["spec", "other", "mtu"] })],
      [mtu, type, level],
    ],
  ])("%s", (_, shares, expected) => {
    expect(drift([planned, ...shares], [runs]).values.map(({ path }) => path)).toEqual(expected);
  });

  test("a shared field of an object in the same namespace", () => {
    const of = (spec: PropertyValue) => object(FIREWALL, "default", spec, { namespace: "shop" });
    const more = {
      apiVersion: "k8s.ovn.org/v1",
      object: "EgressFirewall",
      name: "default",
      path: ["spec", "egress"],
    };
    const found = (namespace: PropertyValue) =>
      drift([of({ egress: [1] }), share({ ...more, namespace })], [of({ egress: [] })]).values.length;
    expect([found("shop"), found(null)]).toEqual([0, 1]);
  });
});

test("fields that a policy omits are compared, and values of different types always differ", () => {
  const policy = (spec: PropertyValue) => object(POLICY, "a", spec);
  const values = (planned: PropertyValue, found: PropertyValue) =>
    drift([policy(planned)], [policy(found)]).values.map(
      ({ path, planned: one, found: other }) => `${path}: ${one}, ${other}`,
    );
  expect(values({ egress: [{}] }, { egress: [{ to: [{}] }] })).toEqual(["spec.egress[0].to: absent, [{}]"]);
  expect(values({ a: [1] }, { a: 1 })).toEqual(["spec.a: [1], 1"]);
  expect(values({ a: { b: 1 } }, { a: [1] })).toEqual(['spec.a: {"b":1}, [1]']);
  expect(values({ a: 1 }, { a: [1] })).toEqual(["spec.a: 1, [1]"]);
});
