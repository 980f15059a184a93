import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { egressFirewallApiBlocked } from "../../../src/egressFirewall/rules/blocked";
import {
  egressFirewallDuplicate,
  egressFirewallLimit,
  egressFirewallName,
  egressFirewallRuleInvalid,
} from "../../../src/egressFirewall/rules/nameAndRules";
import {
  agent,
  HOSTED_CLUSTER,
  hostedCluster,
  networking,
  OTHER_NETWORKS,
  resource,
  unknowns,
  violations,
  withNetwork,
  type Properties,
} from "../../rules/builders";
import { TYPE, COMPONENT, rule, denyAll, api, firewall, messages, open } from "./firewalls";

describe("M15 egress-firewall-name", () => {
  it.each([
    [
      "another name",
      firewall([denyAll], { name: "mine" }),
      'metadata.name: "mine" is not the name of an egress firewall',
    ],
    [
      "no name, for which Pulumi generates one",
      firewall([denyAll], { name: null }),
      "metadata.name: missing",
    ],
    [
      "a patch of another name",
      firewall([denyAll], { name: "a", type: `${TYPE}Patch` }),
      'metadata.name: "a" is not the name of an egress firewall',
    ],
  ])("reports %s", (_, object, expected) =>
    expect(messages(egressFirewallName, [object])).toEqual([expected]),
  );

  it("accepts default, reports an unknown name as unknown, and ignores other kinds", () => {
    expect(messages(egressFirewallName, [firewall([denyAll])])).toEqual([]);
    expect(open(egressFirewallName, [firewall([denyAll])])).toEqual([]);
    expect(open(egressFirewallName, [firewall([denyAll], { name: UNKNOWN })])).toEqual([
      "EgressFirewall firewall: metadata.name",
    ]);
    expect(
      messages(egressFirewallName, [firewall([], { name: "x", type: "kubernetes:k8s.ovn.org/v1:EgressIP" })]),
    ).toEqual([]);
  });
});

describe("M15 egress-firewall-duplicate", () => {
  const second = firewall([api], { at: "second" });
  it("reports several objects for a namespace, each with another one, in any input order", () => {
    const objects = [firewall([denyAll]), second, firewall([api], { at: "third" })];
    for (const order of [objects, objects.toReversed()])
      expect(messages(egressFirewallDuplicate, order).sort()).toEqual([
        "metadata.namespace: shop has another egress firewall: EgressFirewall firewall",
        "metadata.namespace: shop has another egress firewall: EgressFirewall firewall",
        "metadata.namespace: shop has another egress firewall: EgressFirewall second",
      ]);
  });

  it("accepts one per namespace, patches, and one per cluster's component", () => {
    expect(
      messages(egressFirewallDuplicate, [
        firewall([denyAll]),
        firewall([api], { at: "b", namespace: "other" }),
      ]),
    ).toEqual([]);
    expect(
      messages(egressFirewallDuplicate, [firewall([denyAll]), { ...second, type: `${TYPE}Patch` }]),
    ).toEqual([]);
    const made = ["a", "b"].flatMap((cluster) => {
      const component = resource(COMPONENT, cluster, { topology: { name: cluster, platform: "None" } });
      return [component, { ...firewall([denyAll], { at: cluster }), parent: component.origin.urn! }];
    });
    expect(messages(egressFirewallDuplicate, made)).toEqual([]);
    expect(open(egressFirewallDuplicate, made)).toEqual([]);
  });

  it("reports objects that could be in the same namespace and cluster as unknown", () => {
    expect(
      open(egressFirewallDuplicate, [firewall([denyAll]), firewall([api], { namespace: UNKNOWN, at: "b" })]),
    ).toHaveLength(1);
    const clusters = [hostedCluster(), hostedCluster({}, "tenant-b")];
    expect(open(egressFirewallDuplicate, [...clusters, firewall([denyAll]), second])).toEqual([
      expect.stringContaining(
        "second also governs shop, and no input states whether it is in the same cluster",
      ),
      expect.stringContaining(
        "firewall also governs shop, and no input states whether it is in the same cluster",
      ),
    ]);
  });
});

describe("M15 egress-firewall-limit", () => {
  const blocks = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      rule("Deny", `${10 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.0/24`),
    );
  it("reports 8,001 rules, and how few have the same effect", () => {
    expect(messages(egressFirewallLimit, [firewall(blocks(8000))])).toEqual([]);
    const [finding] = violations(egressFirewallLimit, [firewall(blocks(8001))]);
    expect(finding).toMatchObject({
      path: "spec.egress",
      message: "8001 rules, but OVN-Kubernetes supports at most 8000",
    });
    expect(finding?.fix).toMatch(/: the same traffic needs only \d+ rules$/);
  });

  it("does not claim that fewer rules suffice if a rule is unknown", () => {
    const [finding] = violations(egressFirewallLimit, [firewall([...blocks(8000), rule("Deny", UNKNOWN)])]);
    expect(finding?.fix).toBe("join neighbouring CIDR blocks");
  });

  /** Rules for blocks that are not neighbours of each other. */
  const apart = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      rule("Deny", `${10 + (i >> 15)}.${(i >> 7) & 255}.${(i & 127) * 2}.0/24`),
    );
  it("states whether joining blocks is enough", () => {
    const fixOf = (rules: Properties[]) => violations(egressFirewallLimit, [firewall(rules)])[0]?.fix;
    const [first] = apart(1);
    expect(fixOf([...apart(8000), first!])).toBe(
      "join neighbouring CIDR blocks: the same traffic needs only 8000 rules",
    );
    expect(fixOf(apart(8001))).toBe(
      "join neighbouring CIDR blocks: the same traffic needs only 8001 rules, which is still too many: deny or allow wider blocks",
    );
  });

  it("is not also reported as egress-firewall-rule-invalid", () => {
    expect(messages(egressFirewallRuleInvalid, [firewall(apart(8001))])).toEqual([]);
  });
});

describe("M15 egress-firewall-rule-invalid, beside the rules", () => {
  const dropped =
    "no such property: kubectl refuses the object, and without strict validation the API server drops the property";
  const ofFile = (more: Properties): Resource => {
    const { properties, ...object } = firewall([denyAll]);
    return { ...object, origin: { file: "a.yaml" }, properties: { ...properties, ...more } };
  };
  it("reports unknown properties of the object and of its spec", () => {
    expect(messages(egressFirewallRuleInvalid, [ofFile({ egress: [], status: {} })])).toEqual([
      `egress: ${dropped}`,
    ]);
    expect(messages(egressFirewallRuleInvalid, [ofFile({ spec: { egress: [denyAll], egres: [] } })])).toEqual(
      [`spec.egres: ${dropped}`],
    );
    expect(messages(egressFirewallRuleInvalid, [ofFile({ spec: UNKNOWN })])).toEqual([]);
    const made = firewall([denyAll]);
    const outputs = { ...made, properties: { ...made.properties, __inputs: {} } };
    expect(messages(egressFirewallRuleInvalid, [outputs])).toEqual([]);
  });

  it.each<[PropertyValue, string[]]>([
    [
      "Shop_A",
      ['metadata.namespace: "Shop_A" is not a Kubernetes name, and the API server refuses the object'],
    ],
    ["shop-a", []],
    [UNKNOWN, []],
    [null, []],
  ])("judges the namespace %p", (namespace, expected) =>
    expect(messages(egressFirewallRuleInvalid, [firewall([denyAll], { namespace })])).toEqual(expected),
  );

  it("reports invalid labels of the object", () => {
    const labelled = (labels: PropertyValue) =>
      messages(egressFirewallRuleInvalid, [ofFile({ metadata: { name: "default", labels } })]);
    const refused = "the API server refuses the object";
    expect(labelled({ "a b": "c", app: "x y" })).toEqual([
      `metadata.labels.a b: "a b" is not a label key: ${refused}`,
      `metadata.labels.app: "x y" is not a label value: ${refused}`,
    ]);
    expect(labelled({ app: UNKNOWN, "example.com/a": "", number: 7 })).toEqual([]);
    expect(labelled(UNKNOWN)).toEqual([]);
  });
});

test.each(OTHER_NETWORKS)("a cluster with the network %s has no EgressFirewall objects", (networkType) => {
  const cluster = withNetwork(networkType);
  const object = firewall([rule("Deny", "192.0.2.0/24")]);
  expect(violations(egressFirewallRuleInvalid, [cluster, object])).toMatchObject([
    {
      path: "kind",
      message: `clusters/tenant-a: ${networkType} is not OVN-Kubernetes, and only OVN-Kubernetes supports this object`,
    },
  ]);
  const own = firewall([rule("Deny", "192.0.2.0/24")], { namespace: "clusters-tenant-a" });
  for (const known of [
    [cluster, own],
    [agent, object],
    [cluster, agent, object],
  ])
    expect(violations(egressFirewallRuleInvalid, known)).toEqual([]);
});

describe("M15 the cluster of an egress firewall", () => {
  const component = (name: string, more: Properties = {}) =>
    resource(COMPONENT, name, { topology: { name, platform: "None", ...more } });
  const madeBy = (maker: Resource, object: Resource): Resource => ({ ...object, parent: maker.origin.urn! });
  const second = firewall([api], { at: "second" });

  it("does not matter for a single firewall with an unknown namespace", () => {
    expect(open(egressFirewallDuplicate, [firewall([denyAll], { namespace: UNKNOWN })])).toEqual([]);
  });

  it("makes two different firewalls an error if it is the only one, and identical copies a note", () => {
    const levels = (...resources: Resource[]) =>
      violations(egressFirewallDuplicate, [hostedCluster(), ...resources]).map(({ level }) => level);
    expect(levels(firewall([denyAll]), second)).toEqual(["error", "error"]);
    expect(levels(firewall([api]), second)).toEqual(["note", "note"]);
  });

  it("makes a duplicate of a component's firewall unknown if the other could be in any cluster", () => {
    const a = component("a");
    const objects = [madeBy(a, firewall([denyAll])), second];
    expect(messages(egressFirewallDuplicate, [a, component("b"), ...objects])).toEqual([]);
    expect(open(egressFirewallDuplicate, [a, component("b"), ...objects])).toEqual([
      expect.stringContaining(
        "second also governs shop, and no input states whether it is in the same cluster",
      ),
      expect.stringContaining(
        "firewall also governs shop, and no input states whether it is in the same cluster",
      ),
    ]);
  });

  it("is that of the component that created it, whatever the namespace name", () => {
    const [a, b] = ["10.1.0.0/16", "10.8.0.0/16"].map((block, at) =>
      component("ab"[at]!, {
        managementClusterCidrs: [block],
        machineNetwork: [{ cidr: "10.0.0.0/16" }],
      }),
    ) as [Resource, Resource];
    const judged = (block: string) =>
      messages(egressFirewallApiBlocked, [
        a,
        b,
        madeBy(b, firewall([rule("Allow", block), denyAll], { namespace: "clusters-a" })),
      ]);
    expect(judged("10.8.0.0/16")).toEqual([]);
    expect(judged("10.1.0.0/16")).toEqual([expect.stringContaining("the API server at 10.8.0.1 port 6443")]);
  });

  it("is not described by a patch of a HostedCluster", () => {
    const patch = resource(`${HOSTED_CLUSTER}Patch`, "tenant-a", {
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: { networking: networking("10.0.0.0/16") },
    });
    const someOut = [rule("Allow", "10.0.0.7/32"), denyAll];
    expect(open(egressFirewallApiBlocked, [patch, firewall(someOut)])).toEqual([
      expect.stringContaining("no input describes the hosted cluster"),
    ]);
    expect(
      open(egressFirewallApiBlocked, [patch, firewall(someOut, { namespace: "clusters-tenant-a" })]),
    ).toEqual([]);
  });

  it.each<[string, Properties]>([
    ["advertiseAddress", { advertiseAddress: UNKNOWN }],
    ["apiServerPort", { port: UNKNOWN }],
  ])("leaves it unknown whether the API server is cut off if its %s is unknown", (property, apiServer) => {
    const cluster = hostedCluster({ networking: networking("10.0.0.0/16", { apiServer }) });
    const resources = [cluster, firewall([rule("Deny", "172.20.0.0/16")])];
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
    expect(unknowns(egressFirewallApiBlocked, resources)).toMatchObject([
      {
        path: "spec.egress",
        message: expect.stringContaining(`${property} of clusters/tenant-a is not known`) as string,
      },
    ]);
  });
});
