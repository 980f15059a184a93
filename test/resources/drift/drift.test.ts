import { driftOf } from "../../../src/resources/drift/drift";
import { kubernetesKinds } from "../../../src/resources/resourceTypes";
import { UNKNOWN, type Resource } from "../../../src/resources/resource";

const HOSTED_CLUSTER = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
const metadata = { name: "tenant-a", namespace: "clusters" };
const object = (spec: object, type = HOSTED_CLUSTER, where: object = metadata): Resource => ({
  origin: { live: "HostedCluster clusters/tenant-a" },
  type,
  name: "tenant-a",
  properties: { metadata: where, spec } as Resource["properties"],
});
const driftedValues = (plan: Resource[], live: Resource[]) =>
  driftOf(plan, live, { kinds: kubernetesKinds }).values;
const drift = (planned: object, found: object, type?: string) =>
  driftedValues([object(planned, type)], [object(found, type?.replace(/Patch$/, ""))]).map(
    (one) => `${one.path}: ${one.planned}, ${one.found}`,
  );
const HIDDEN = "not shown, because it may hold credentials";
const POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
const NETWORK = "kubernetes:operator.openshift.io/v1:Network";
const EGRESS_IP = "kubernetes:k8s.ovn.org/v1:EgressIP";
const FIREWALL = "kubernetes:k8s.ovn.org/v1:EgressFirewall";
const network = (networking: object) => ({ networking });

describe("values that drifted", () => {
  test("are the planned values that differ, each with its path", () => {
    expect(
      driftedValues(
        [object(network({ machineNetwork: [{ cidr: "10.0.0.0/16" }] }))],
        [object(network({ machineNetwork: [{ cidr: "10.1.0.0/16" }] }))],
      ),
    ).toEqual([
      {
        resource: { live: "HostedCluster clusters/tenant-a" },
        object: "HostedCluster clusters/tenant-a",
        path: "spec.networking.machineNetwork[0].cidr",
        planned: '"10.0.0.0/16"',
        found: '"10.1.0.0/16"',
      },
    ]);
  });

  test("are none if every planned value is found, whatever else the object has", () => {
    const planned = network({ networkType: "OVNKubernetes", clusterNetwork: [{ cidr: "10.132.0.0/14" }] });
    const found = network({
      networkType: "OVNKubernetes",
      clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
      machineNetwork: [],
    });
    expect(drift(planned, found)).toEqual([]);
    expect(drift(network({ allocateNodeCIDRs: null, machineNetwork: [] }), network({}))).toEqual([]);
  });

  test("are whole lists if their lengths differ, and values that are gone", () => {
    expect(drift(network({ serviceNetwork: [1, 2] }), network({ serviceNetwork: [1] }))).toEqual([
      "spec.networking.serviceNetwork: [1,2], [1]",
    ]);
    expect(drift({ configuration: { proxy: { noProxy: "a" } } }, {})).toEqual([
      'spec.configuration.proxy.noProxy: "a", absent',
    ]);
  });

  test("are not reported for values that the plan does not know", () => {
    expect(drift(network({ machineNetwork: UNKNOWN }), network({ machineNetwork: [] }))).toEqual([]);
    expect(drift(network({ serviceNetwork: [UNKNOWN] }), network({ serviceNetwork: [1] }))).toEqual([]);
    expect(drift(network({ serviceNetwork: [UNKNOWN] }), network({ serviceNetwork: [1, 2] }))).toEqual([
      `spec.networking.serviceNetwork: ["unknown"], ${HIDDEN}`,
    ]);
  });

  test("never show values that may hold credentials", () => {
    const proxy = (httpsProxy: string) => ({ configuration: { proxy: { httpsProxy } } });
    const [one] = drift(proxy("http://a:tiger@proxy:3128"), proxy("http://a:lion@proxy:3128"));
    expect(one).toContain("spec.configuration.proxy.httpsProxy: not shown");
    expect(one).not.toMatch(/tiger|lion/);
  });

  test("never show credentials in other fields, at any depth", () => {
    const url = (password: string) => `https://me:${password}@mirror/x`;
    const [one] = drift(
      network({ extra: [{ at: url("tig@er/1") }, { httpProxy: "me:tiger@proxy" }] }),
      network({ extra: [{ at: url("lion") }, { httpProxy: "me:lion@proxy" }, {}] }),
    );
    expect(one).toBe(
      `spec.networking.extra: [{"at":"${HIDDEN}"},{"httpProxy":"${HIDDEN}"}], [{"at":"${HIDDEN}"},{"httpProxy":"${HIDDEN}"},{}]`,
    );
    expect(drift({ additionalTrustBundle: url("tiger") }, { additionalTrustBundle: url("lion") })).toEqual([
      `spec.additionalTrustBundle: ${HIDDEN}, ${HIDDEN}`,
    ]);
  });

  test("are reported as absent if a proxy is removed or empty", () => {
    const proxy = (httpProxy?: string) => ({ configuration: { proxy: { httpProxy } } });
    for (const none of ["", undefined])
      expect(drift(proxy("http://proxy:3128"), proxy(none))).toEqual([
        `spec.configuration.proxy.httpProxy: ${HIDDEN}, absent`,
      ]);
  });

  test("are limited to the network fields of a HostedCluster", () => {
    expect(drift({ release: { image: "a" } }, { release: { image: "b" } })).toEqual([]);
  });

  test("are also found through patches, and in objects of the hosted cluster", () => {
    const type = "kubernetes:operator.openshift.io/v1:Network";
    for (const each of [type, `${type}Patch`])
      expect(drift({ managementState: "Managed" }, { managementState: "Removed" }, each)).toEqual([
        'spec.managementState: "Managed", "Removed"',
      ]);
  });

  test("are not reported for missing objects, or for another namespace, kind or unknown name", () => {
    const planned = object(network({ networkType: "Other" }));
    const elsewhere = object({}, HOSTED_CLUSTER, { ...metadata, namespace: "others" });
    const another = object({}, "kubernetes:hypershift.openshift.io/v1beta1:NodePool");
    expect(driftedValues([planned], [elsewhere, another])).toEqual([]);
    const nameless = object({ networking: { networkType: "a" } }, HOSTED_CLUSTER, { name: UNKNOWN });
    expect(driftedValues([nameless], [nameless])).toEqual([]);
  });
});

describe("values in another notation", () => {
  const proxied = (proxy: object) => ({ configuration: { proxy } });
  const policy = (spec: object) => ({ podSelector: {}, ...spec });

  test.each<[what: string, planned: object, found: object, type: string]>([
    [
      "a CIDR block",
      network({ a: [{ cidr: "FD01:0::/48" }] }),
      network({ a: [{ cidr: "fd01::/48" }] }),
      HOSTED_CLUSTER,
    ],
    ["an address", network({ a: "FD01:0::1" }), network({ a: "fd01::1" }), HOSTED_CLUSTER],
    ["a number or boolean as a string", { mtu: "1400", on: "true" }, { mtu: 1400, on: true }, NETWORK],
    ["an empty string", proxied({ httpProxy: "", noProxy: "a" }), proxied({ noProxy: "a" }), HOSTED_CLUSTER],
    ["an object with only empty strings", proxied({ trustedCA: { name: "" } }), proxied({}), HOSTED_CLUSTER],
    ["nested objects with only empty strings", proxied({ trustedCA: { name: "" } }), {}, HOSTED_CLUSTER],
    ["false, 0 and null", { disableNetworkDiagnostics: false, mtu: 0, a: null }, {}, NETWORK],
    ["an empty list", { ingress: [], egress: [] }, { ingress: null }, POLICY],
    [
      "policy types in another order",
      { policyTypes: ["Egress", "Ingress"] },
      { policyTypes: ["Ingress", "Egress"] },
      POLICY,
    ],
    [
      "addresses in another order",
      { egressIPs: ["FD01::1", "10.0.0.1"] },
      { egressIPs: ["10.0.0.1", "fd01::1"] },
      EGRESS_IP,
    ],
    [
      "policy types that the server derives",
      policy({ policyTypes: [] }),
      policy({ policyTypes: ["Ingress"] }),
      POLICY,
    ],
    [
      "the default protocol",
      { ingress: [{ ports: [{ port: 1 }] }] },
      { ingress: [{ ports: [{ port: 1, protocol: "TCP" }] }] },
      POLICY,
    ],
    ["an empty list in a rule", { ingress: [{ from: [] }] }, { ingress: [{}] }, POLICY],
    ["a list that a rule omits", { ingress: [{}] }, { ingress: [{ from: [] }] }, POLICY],
    [
      "additional networks that others add",
      { additionalNetworks: [{ name: "a" }] },
      { additionalNetworks: [{ name: "b" }, { name: "a", type: "Raw" }] },
      NETWORK,
    ],
  ])("are equal: %s", (_, planned, found, type) => {
    expect(drift(planned, found, type)).toEqual([]);
  });

  test.each<[planned: object, found: object, type: string, told: string[]]>([
    [
      { podSelector: {} },
      { podSelector: { matchLabels: { app: "x" } } },
      POLICY,
      ['spec.podSelector.matchLabels: absent, {"app":"x"}'],
    ],
    [
      { podSelector: { matchLabels: { "a.b/c": "x" } } },
      { podSelector: { matchLabels: { "a.b/c": "y", tier: "z" } } },
      POLICY,
      ['spec.podSelector.matchLabels["a.b/c"]: "x", "y"', 'spec.podSelector.matchLabels.tier: absent, "z"'],
    ],
    [
      { ingress: [{}] },
      { ingress: [{ from: [{ podSelector: {} }] }] },
      POLICY,
      ['spec.ingress[0].from: absent, [{"podSelector":{}}]'],
    ],
    [
      { ingress: [{ from: [{ podSelector: {} }] }] },
      { ingress: [{ from: [{ namespaceSelector: {} }] }] },
      POLICY,
      [
        "spec.ingress[0].from[0].podSelector: {}, absent",
        "spec.ingress[0].from[0].namespaceSelector: absent, {}",
      ],
    ],
    [{ ingress: [] }, { ingress: [{}] }, POLICY, ["spec.ingress: [], [{}]"]],
    [
      { policyTypes: ["Egress"] },
      { policyTypes: ["Ingress"] },
      POLICY,
      ['spec.policyTypes: ["Egress"], ["Ingress"]'],
    ],
    [
      { egress: [{ type: "Deny" }] },
      { egress: [{ type: "Deny", ports: [1] }] },
      FIREWALL,
      ["spec.egress[0].ports: absent, [1]"],
    ],
    [{ ipsecConfig: {} }, {}, NETWORK, ["spec.ipsecConfig: {}, absent"]],
    [
      { disableNetworkDiagnostics: false },
      { disableNetworkDiagnostics: true },
      NETWORK,
      ["spec.disableNetworkDiagnostics: false, true"],
    ],
    [
      { additionalNetworks: [{ name: "a" }] },
      { additionalNetworks: [] },
      NETWORK,
      ['spec.additionalNetworks[0]: {"name":"a"}, absent'],
    ],
    [{ a: [1] }, { a: { b: 1 } }, NETWORK, ['spec.a: [1], {"b":1}']],
    [{ constructor: "x" }, {}, NETWORK, ['spec.constructor: "x", absent']],
  ])("differ: %j and %j", (planned, found, type, told) => {
    expect(drift(planned, found, type)).toEqual(told);
  });
});

describe("the values that several resources state for one object", () => {
  const live = (spec: object) => [object(spec, NETWORK, { name: "cluster" })];
  const resource = (spec: object, type = `${NETWORK}Patch`) => object(spec, type, { name: "cluster" });
  const values = (plan: Resource[], found: object) =>
    driftedValues(plan, live(found)).map(({ path, planned }) => `${path}: ${planned}`);

  test("are merged, and a patch overrides the object in either order", () => {
    const plan = [resource({ mtu: 2, a: [1] }), resource({ mtu: 1, logLevel: "Debug" }, NETWORK)];
    for (const either of [plan, [...plan].reverse()])
      expect(values(either, { mtu: 1, logLevel: "Normal", a: [1] })).toEqual([
        "spec.mtu: 2",
        'spec.logLevel: "Debug"',
      ]);
  });

  test("are not compared if two patches contradict each other", () => {
    expect(values([resource({ mtu: 2, a: 1 }), resource({ mtu: 1 })], { mtu: 3, a: 2 })).toEqual([
      "spec.a: 1",
    ]);
  });

  test("are joined in lists that a patch adds to", () => {
    const named = (...names: string[]) => ({ additionalNetworks: names.map((name) => ({ name })) });
    expect(values([resource(named("a"), NETWORK), resource(named("b", "a"))], named("b"))).toEqual([
      'spec.additionalNetworks[0]: {"name":"a"}',
    ]);
  });

  test("are the inputs of the program, if a stack records them", () => {
    const inputs = { spec: { mtu: 1400 } };
    expect(
      values([{ ...resource({ mtu: 1400, logLevel: "Normal" }), inputs }], { logLevel: "Debug" }),
    ).toEqual(["spec.mtu: 1400"]);
  });
});
