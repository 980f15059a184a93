import { driftOf, ofCluster } from "../../../src/resources/drift/drift";
import { kubernetesKinds } from "../../../src/resources/resourceTypes";
import { canonical, isNothing, reportedValue } from "../../../src/resources/drift/differences";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";

const HOSTED_CLUSTER = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
const NETWORK = "kubernetes:operator.openshift.io/v1:Network";
const object = (
  type: string,
  provider?: string,
  spec: Resource["properties"] = {},
  name = "cluster",
): Resource => ({
  origin: {},
  type,
  name,
  properties: { metadata: { name, namespace: "clusters" }, spec },
  ...(provider !== undefined && { provider }),
});

describe("in a plan with HostedClusters, the objects of a hosted cluster are", () => {
  const names = (provider: string | undefined, managing: string | undefined, live: Resource[] = []) => {
    const own = object(NETWORK, provider);
    const { here, unclear } = ofCluster([own], [object(HOSTED_CLUSTER, managing), own], live);
    return [here.length, unclear.length];
  };

  test.each<[string, string | undefined, string | undefined, number[]]>([
    ["objects of another provider", "guest", "management", [1, 0]],
    ["not objects of the provider of the HostedClusters", "management", "management", [0, 0]],
    ["possibly objects without a provider", undefined, "management", [0, 1]],
    ["possibly objects with a provider if the HostedClusters have none", "guest", undefined, [0, 1]],
  ])("%s", (_, provider, managing, counts) => {
    expect(names(provider, managing)).toEqual(counts);
    // If HostedClusters were read, the cluster is the management cluster.
    expect(names(provider, managing, [object(HOSTED_CLUSTER)])).toEqual([1, 0]);
  });

  test("HostedClusters themselves, and all objects of a plan without HostedClusters", () => {
    const cluster = object(HOSTED_CLUSTER, "management");
    expect(ofCluster([cluster], [cluster], [])).toEqual({ here: [cluster], unclear: [] });
    const own = object(NETWORK);
    expect(ofCluster([own], [own], [])).toEqual({ here: [own], unclear: [] });
  });
});

describe("planned objects", () => {
  const drift = (plan: Resource[], live: Resource[]) => driftOf(plan, live, { kinds: kubernetesKinds });

  test("have no drift if they are found as planned", () => {
    const network = object(NETWORK, undefined, { managementState: "Managed" });
    expect(drift([network], [network])).toEqual({ values: [], missing: [], notes: [] });
  });

  test("are reported if they are missing", () => {
    const network = object(NETWORK);
    expect(drift([network], [])).toEqual({
      values: [],
      missing: [{ resource: network.origin, object: "Network cluster" }],
      notes: [],
    });
  });

  test("are not compared if several providers manage them", () => {
    const plan = ["one", "other"].map((provider) =>
      object(NETWORK, provider, { managementState: "Managed" }),
    );
    expect(drift(plan, [object(NETWORK, undefined, { managementState: "Removed" })])).toEqual({
      values: [],
      missing: [],
      notes: ["not compared, because several providers of the plan manage them: Network cluster"],
    });
  });
});

test.each<[PropertyValue, string, boolean]>([
  [null, "a", true],
  ["", "a", true],
  [0, "a", true],
  [false, "a", true],
  [[], "a", true],
  [{}, "a", true],
  [{ b: { c: "" } }, "a", true],
  [{}, "podSelector", false],
  [{ podSelector: {} }, "a", false],
  [{}, "ipsecConfig", false],
  ["b", "a", false],
  [1, "a", false],
  [true, "a", false],
  [[0], "a", false],
  [{ b: { c: 1 } }, "a", false],
  [UNKNOWN, "a", false],
])("%j of %s is equivalent to an absent value: %p", (value, key, expected) => {
  expect(isNothing(value, key)).toBe(expected);
});

test("scalar values have one canonical notation, and other values are JSON", () => {
  expect(["FD01::/48", "FD01::1", "10.0.0.0/8", "text", 1400, true].map(canonical)).toEqual([
    "fd01::/48",
    "fd01::1",
    "10.0.0.0/8",
    "text",
    "1400",
    "true",
  ]);
  expect([canonical(null), canonical([1]), canonical(UNKNOWN)]).toEqual(["null", "[1]", ""]);
});

test.each<[string, PropertyValue | undefined, string]>([
  ["a", undefined, "absent"],
  ["a", null, "absent"],
  ["a", "", '""'],
  ["httpProxy", "", "absent"],
  ["httpProxy", "me:tiger@proxy", "not shown, because it may hold credentials"],
  ["a", { httpProxy: "", httpsProxy: UNKNOWN, b: null }, '{"httpProxy":"","httpsProxy":"unknown","b":null}'],
  ["a", "see https://proxy/x or me@x", '"see https://proxy/x or me@x"'],
  ["a", "see //me@x", "not shown, because it may hold credentials"],
])("%s: %j is shown as %s", (key, value, text) => {
  expect(reportedValue(key, value)).toBe(text);
});
