import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { egressFirewallApiBlocked, egressFirewallDns } from "../../../src/egressFirewall/rules/blocked";
import {
  egressFirewallDuplicate,
  egressFirewallLimit,
  egressFirewallName,
  egressFirewallRuleInvalid,
  egressFirewallShadowed,
} from "../../../src/egressFirewall/rules/nameAndRules";
import { fixOf, type Rule } from "../../../src/gate/rule";
import {
  agent,
  HOSTED_CLUSTER,
  hostedCluster,
  networking,
  OTHER_NETWORKS,
  resource,
  unknowns,
  urnOf,
  violations,
  withNetwork,
  type Properties,
} from "../../rules/builders";
import type { Configuration } from "../../../src/gate/configuration";

const TYPE = "kubernetes:k8s.ovn.org/v1:EgressFirewall";
const COMPONENT = "hypershift-network:index:EgressFirewall";

const rule = (type: PropertyValue, cidrSelector: PropertyValue, ports?: PropertyValue): Properties => ({
  type,
  to: { cidrSelector },
  ...(ports !== undefined && { ports }),
});
const named = (type: string, dnsName: PropertyValue): Properties => ({ type, to: { dnsName } });
const port = (number: number, protocol = "TCP"): PropertyValue => [{ port: number, protocol }];
const denyAll = rule("Deny", "0.0.0.0/0");
const api = rule("Allow", "172.20.0.1/32", port(6443));

function firewall(
  egress: PropertyValue,
  {
    name = "default",
    namespace = "shop",
    type = TYPE,
    at = "firewall",
  }: Partial<Record<string, PropertyValue>> = {},
): Resource {
  return resource(type as string, at as string, {
    apiVersion: "k8s.ovn.org/v1",
    kind: "EgressFirewall",
    metadata: { ...(name !== null && { name }), namespace },
    spec: { egress },
  });
}

const described = (topology: Properties): Configuration => ({
  file: "hypershift-network.yaml",
  clusters: [
    {
      path: "hostedClusters[0]",
      topology: { name: "tenant-a", platform: "None", ...topology },
      securityGroups: {},
    },
  ],
  levels: {},
});
const messages = (judgedRule: Rule, resources: readonly Resource[], configuration?: Configuration) =>
  violations(judgedRule, resources, configuration).map(({ path, message }) => `${path}: ${message}`);
const open = (judgedRule: Rule, resources: readonly Resource[], configuration?: Configuration) =>
  unknowns(judgedRule, resources, configuration).map(({ message }) => message);

describe("M15 egress-firewall-name", () => {
  it.each([
    [
      "another name",
      firewall([denyAll], { name: "mine" }),
      'metadata.name: "mine" is not the name of an egress firewall',
    ],
    ["none, for which Pulumi makes one up", firewall([denyAll], { name: null }), "metadata.name: missing"],
    [
      "a patch of another name",
      firewall([denyAll], { name: "a", type: `${TYPE}Patch` }),
      'metadata.name: "a" is not the name of an egress firewall',
    ],
  ])("refuses %s", (_, object, expected) =>
    expect(messages(egressFirewallName, [object])).toEqual([expected]),
  );

  it("takes default, counts what is unknown, and does not judge other kinds", () => {
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
  it("refuses two objects for a namespace, each of which names the other, in any order", () => {
    const objects = [firewall([denyAll]), second, firewall([api], { at: "third" })];
    for (const order of [objects, objects.toReversed()])
      expect(messages(egressFirewallDuplicate, order).sort()).toEqual([
        "metadata.namespace: shop has another egress firewall: EgressFirewall firewall",
        "metadata.namespace: shop has another egress firewall: EgressFirewall firewall",
        "metadata.namespace: shop has another egress firewall: EgressFirewall second",
      ]);
  });

  it("takes one for each namespace, patches, and one for each cluster's component", () => {
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

  it("counts what may be in another cluster or namespace", () => {
    expect(
      open(egressFirewallDuplicate, [firewall([denyAll]), firewall([api], { namespace: UNKNOWN, at: "b" })]),
    ).toHaveLength(1);
    const clusters = [hostedCluster(), hostedCluster({}, "tenant-b")];
    expect(open(egressFirewallDuplicate, [...clusters, firewall([denyAll]), second])).toEqual([
      expect.stringContaining("second governs shop too, and nothing says whether in the same cluster"),
      expect.stringContaining("firewall governs shop too, and nothing says whether in the same cluster"),
    ]);
  });
});

describe("M15 egress-firewall-limit", () => {
  const blocks = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      rule("Deny", `${10 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.0/24`),
    );
  it("refuses 8,001 rules, and says how few do the same", () => {
    expect(messages(egressFirewallLimit, [firewall(blocks(8000))])).toEqual([]);
    const [finding] = violations(egressFirewallLimit, [firewall(blocks(8001))]);
    expect(finding).toMatchObject({
      path: "spec.egress",
      message: "8001 rules, of which OVN-Kubernetes takes 8000",
    });
    expect(finding?.fix).toMatch(/: \d+ rules let exactly the same pass$/);
  });

  it("says nothing of fewer where a rule is not known", () => {
    const [finding] = violations(egressFirewallLimit, [firewall([...blocks(8000), rule("Deny", UNKNOWN)])]);
    expect(finding?.fix).toBe("join neighbouring CIDR blocks");
  });
});

describe("M15 egress-firewall-rule-invalid", () => {
  it("one bad rule leaves the whole object unapplied", () => {
    const object = firewall([
      denyAll,
      rule("Allow", "10.0.0.1"),
      rule("Allowed", "10.0.0.0/8"),
      rule("Deny", "10.0.0.0/8", [{ port: 443 }]),
    ]);
    const whole = "OVN-Kubernetes leaves the whole object with its 4 rules unapplied for it";
    expect(messages(egressFirewallRuleInvalid, [object])).toEqual([
      `spec.egress[1].to.cidrSelector: 10.0.0.1 has no mask: ${whole}`,
      `spec.egress[2].type: "Allowed" is not Allow or Deny: ${whole}`,
      `spec.egress[3].ports[0].protocol: missing: ${whole}`,
    ]);
    expect(violations(egressFirewallRuleInvalid, [object])[0]?.fix).toBe("write 10.0.0.1/32");
  });

  it("takes what OVN-Kubernetes reads, and a patch without rules", () => {
    expect(
      messages(egressFirewallRuleInvalid, [firewall([api, named("Allow", "www.example.com"), denyAll])]),
    ).toEqual([]);
    const patch = resource(`${TYPE}Patch`, "labels", { metadata: { name: "default" } });
    expect(messages(egressFirewallRuleInvalid, [patch])).toEqual([]);
  });

  it("warns of one without rules, which OVN-Kubernetes applies", () => {
    expect(violations(egressFirewallRuleInvalid, [firewall([])])).toMatchObject([
      { path: "spec.egress", level: "warning", message: "has no rules, so that everything passes" },
    ]);
  });

  it("counts each unknown value", () => {
    expect(open(egressFirewallRuleInvalid, [firewall(UNKNOWN)])).toEqual([
      "EgressFirewall firewall: spec.egress",
    ]);
    expect(open(egressFirewallRuleInvalid, [firewall([rule(UNKNOWN, UNKNOWN), UNKNOWN])])).toEqual([
      "EgressFirewall firewall: spec.egress[0].type",
      "EgressFirewall firewall: spec.egress[0].to.cidrSelector",
      "EgressFirewall firewall: spec.egress[1]",
    ]);
  });

  it("takes an unstated destination and unstated parts of ports and selectors for unknown, and for no fault", () => {
    const to = { cidrSelector: "192.0.2.0/24" };
    const rules: PropertyValue = [
      { type: "Deny", to: UNKNOWN },
      { type: "Deny", to, ports: [UNKNOWN, { port: UNKNOWN, protocol: "TCP" }] },
      { type: "Deny", to: { nodeSelector: { matchLabels: UNKNOWN } } },
    ];
    expect(messages(egressFirewallRuleInvalid, [firewall(rules)])).toEqual([]);
    expect(open(egressFirewallRuleInvalid, [firewall(rules)])).toEqual([
      "EgressFirewall firewall: spec.egress[0].to",
      "EgressFirewall firewall: spec.egress[1].ports[0]",
      "EgressFirewall firewall: spec.egress[1].ports[1].port",
      "EgressFirewall firewall: spec.egress[2].to.nodeSelector.matchLabels",
    ]);
    const perhaps = [firewall([{ type: "Allow", to: UNKNOWN }, denyAll])];
    expect(messages(egressFirewallApiBlocked, perhaps)).toEqual([]);
    expect(open(egressFirewallApiBlocked, [hostedCluster(), ...perhaps])).not.toEqual([]);
    expect(messages(egressFirewallApiBlocked, [hostedCluster(), ...perhaps])).toEqual([]);
  });
});

describe("M15 egress-firewall-rule-invalid, wildcards", () => {
  const wildcard = firewall([named("Allow", "*.example.com"), denyAll]);
  const gates = (featureGate: PropertyValue, image = "ocp-release:4.20.4-x86_64") =>
    hostedCluster({ release: { image }, configuration: { featureGate } });
  const unnumbered = "ocp-release@sha256:0";
  const custom = (...enabled: PropertyValue[]) => ({
    featureSet: "CustomNoUpgrade",
    customNoUpgrade: { enabled },
  });
  const levels = (...resources: Resource[]) =>
    violations(egressFirewallRuleInvalid, [wildcard, ...resources]).map(({ level }) => level);

  it("leave the whole object unapplied without a feature of the cluster", () => {
    expect(violations(egressFirewallRuleInvalid, [wildcard, hostedCluster()])).toMatchObject([
      {
        path: "spec.egress[0].to.dnsName",
        message:
          "is a wildcard, and without the feature gate DNSNameResolver OVN-Kubernetes leaves the whole object with its 2 rules unapplied for it",
        fix: "list the host names, or make sure that the gate is open",
      },
    ]);
  });

  it.each<[string, Resource[], string[]]>([
    ["the features of a release by default", [hostedCluster()], ["error"]],
    ["an empty feature set", [gates({ featureSet: "" })], ["error"]],
    ["a feature set of its own without the gate", [gates(custom("Other"))], ["error"]],
    ["a feature set of its own with it", [gates(custom("Other", "DNSNameResolver"))], []],
    ["Technology Previews", [gates({ featureSet: "TechPreviewNoUpgrade" })], []],
    [
      "a release that has none even so",
      [gates({ featureSet: "TechPreviewNoUpgrade" }, "ocp:4.15.3")],
      ["error"],
    ],
    ["a release that nothing says", [gates({}, unnumbered)], ["warning"]],
    ["a release of which nothing says what it opens", [gates({}, "ocp:5.0.0")], ["warning"]],
    ["features that are not known", [gates(UNKNOWN)], ["warning"]],
    ["a gate that may be open", [gates(custom(UNKNOWN))], ["warning"]],
    ["no cluster", [], ["warning"]],
    [
      "one of two clusters that has the gate",
      [
        hostedCluster(),
        hostedCluster({ configuration: { featureGate: { featureSet: "DevPreviewNoUpgrade" } } }, "b"),
      ],
      ["warning"],
    ],
  ])("%s", (_, clusters, expected) => expect(levels(...clusters)).toEqual(expected));

  it("are a warning in the namespace of a control plane: nothing says what the management cluster has", () => {
    const object = firewall([named("Allow", "*.example.com")], { namespace: "clusters-tenant-a" });
    expect(violations(egressFirewallRuleInvalid, [hostedCluster(), object])).toMatchObject([
      { level: "warning" },
    ]);
  });

  it("of a whole top-level domain are read nowhere", () => {
    for (const name of ["*.com", "*.com.", "*.-a.com", "*.a-.com"])
      expect(
        messages(egressFirewallRuleInvalid, [firewall([named("Allow", name)]), hostedCluster()]),
      ).toEqual([
        `spec.egress[0].to.dnsName: "${name}" is not a DNS name: OVN-Kubernetes leaves the whole object unapplied for it`,
      ]);
  });
});

describe("M15 egress-firewall-shadowed", () => {
  it("names only one rule where that takes all of a rule, whatever others take of it", () => {
    const object = firewall([
      rule("Deny", "192.0.2.0/25", port(443)),
      rule("Deny", "192.0.2.0/24"),
      rule("Allow", "192.0.2.0/26"),
      rule("Allow", "192.0.2.0/26", port(443)),
      rule("Allow", "2001:db8::/32"),
      rule(
        "Allow",
        "2001:db8:1::/48",
        [443, 80].map((number) => ({ port: number, protocol: "TCP" })),
      ),
    ]);
    expect(
      messages(egressFirewallShadowed, [object]).map((message) => message.split(" before it")[0]),
    ).toEqual(
      expect.arrayContaining([
        "spec.egress[2]: is never reached: spec.egress[1]",
        "spec.egress[3]: is never reached: spec.egress[0]",
        "spec.egress[5]: is never reached: spec.egress[4]",
      ]),
    );
  });

  it("names what takes a rule's traffic, and how few rules would be enough", () => {
    const object = firewall([
      rule("Deny", "192.0.2.0/25"),
      rule("Deny", "192.0.2.128/25"),
      rule("Allow", "192.0.2.0/24", port(443)),
    ]);
    expect(messages(egressFirewallShadowed, [object])).toEqual([
      "spec.egress[2]: is never reached: spec.egress[0], spec.egress[1] before it take all that it is about; 1 of 3 rules would be enough",
    ]);
  });

  it("names rules that change nothing", () => {
    expect(
      messages(egressFirewallShadowed, [
        firewall([rule("Deny", "192.0.2.0/24"), rule("Allow", "0.0.0.0/0")]),
      ]),
    ).toEqual([
      "spec.egress[1]: changes nothing: without it the same passes by rules behind it or by the end of the list; 1 of 2 rules would be enough",
    ]);
  });

  it("knows the cluster network of the only cluster", () => {
    const inside = firewall([rule("Deny", "10.133.0.0/16"), rule("Deny", "192.0.2.0/24")]);
    expect(messages(egressFirewallShadowed, [hostedCluster(), inside])).toEqual([
      expect.stringContaining("spec.egress[0]: is only about the cluster network"),
    ]);
    expect(messages(egressFirewallShadowed, [inside])).toEqual([]);
    expect(
      messages(egressFirewallShadowed, [hostedCluster(), hostedCluster({}, "tenant-b"), inside]),
    ).toEqual([]);
  });

  it("advises another place only for a rule whose traffic other rules take: the cluster network matches at none", () => {
    const twoNetworks = hostedCluster({
      networking: networking("10.0.0.0/16", {
        clusterNetwork: [{ cidr: "10.132.0.0/15" }, { cidr: "10.134.0.0/15" }],
      }),
    });
    const object = firewall([
      rule("Deny", "10.132.0.0/14"),
      rule("Deny", "192.0.2.0/24"),
      rule("Allow", "192.0.2.0/28"),
    ]);
    for (const cluster of [hostedCluster(), twoNetworks])
      expect(violations(egressFirewallShadowed, [cluster, object])).toMatchObject([
        {
          message:
            "is only about the cluster network, which egress firewalls never match; 1 of 3 rules would be enough",
          fix: "remove it: traffic within the cluster network is for a NetworkPolicy",
        },
        { fix: fixOf(egressFirewallShadowed) },
      ]);
  });

  it("says nothing of what has an effect, or may have one", () => {
    expect(messages(egressFirewallShadowed, [firewall([api, denyAll])])).toEqual([]);
    expect(messages(egressFirewallShadowed, [firewall([named("Allow", "example.com"), denyAll])])).toEqual(
      [],
    );
    expect(
      messages(egressFirewallShadowed, [
        firewall([rule("Deny", UNKNOWN), rule("Allow", "192.0.2.0/24"), denyAll]),
      ]),
    ).toEqual([]);
    expect(messages(egressFirewallShadowed, [firewall(UNKNOWN)])).toEqual([]);
  });
});

describe("M15 egress-firewall-api-blocked", () => {
  const cluster = hostedCluster();
  const with443 = hostedCluster({
    networking: networking("10.0.0.0/16", { apiServer: { advertiseAddress: "10.9.9.9", port: 443 } }),
  });
  const ipv6First = hostedCluster({
    networking: {
      networkType: "OVNKubernetes",
      machineNetwork: [{ cidr: "2001:db8::/64" }, { cidr: "10.0.0.0/16" }],
      clusterNetwork: [{ cidr: "fd01::/48" }, { cidr: "10.132.0.0/14" }],
      serviceNetwork: [{ cidr: "fd02::/112" }, { cidr: "172.31.0.0/16" }],
    },
  });
  const denied = (what = "172.20.0.1 port 6443") =>
    `spec.egress[0]: denies 0.0.0.0/0, and with it the API server at ${what}`;

  it("refuses a Deny of everything, with the packet and the Allow that is missing", () => {
    const [finding] = violations(egressFirewallApiBlocked, [cluster, firewall([denyAll])]);
    expect(finding).toMatchObject({
      level: "error",
      path: "spec.egress[0]",
      message: "denies 0.0.0.0/0, and with it the API server at 172.20.0.1 port 6443",
      witness: "pods of the namespace -> 172.20.0.1, TCP 6443",
    });
    expect(finding?.fix).toContain("put an Allow for 172.20.0.1/32 port 6443 TCP before it");
  });

  it.each([
    ["a patch that denies everything", [cluster, firewall([denyAll], { type: `${TYPE}Patch` })], denied()],
    ["no cluster is described, and every address is denied", [firewall([denyAll])], denied()],
    [
      "an Allow for a name comes first",
      [cluster, firewall([named("Allow", "api.example.com"), denyAll])],
      "spec.egress[1]: denies 0.0.0.0/0, and with it the API server at 172.20.0.1 port 6443",
    ],
    ["the Allow is of another port", [with443, firewall([denyAll, api])], denied("10.9.9.9 port 443")],
    [
      "all described clusters are cut off",
      [cluster, hostedCluster({}, "tenant-b"), firewall([denyAll])],
      denied(),
    ],
    [
      "IPv6 is denied in a cluster that begins with it",
      [ipv6First, firewall([rule("Deny", "::/0")])],
      "spec.egress[0]: denies ::/0, and with it the API server at fd00::1 port 6443",
    ],
  ])("refuses where %s", (_, resources, expected) =>
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([expected]),
  );

  it.each<[string, Resource[]]>([
    ["an Allow for it comes first", [cluster, firewall([api, denyAll])]],
    [
      "an Allow for the advertised address comes first",
      [with443, firewall([rule("Allow", "10.9.9.9/32"), denyAll])],
    ],
    ["other addresses are denied", [cluster, firewall([rule("Deny", "192.0.2.0/24")])]],
    ["IPv6 is denied and the API server has an IPv4 address", [cluster, firewall([rule("Deny", "::/0")])]],
    ["IPv4 is denied and the API server has an IPv6 address", [ipv6First, firewall([denyAll])]],
    ["nothing is denied there and no cluster described", [firewall([rule("Deny", "192.0.2.0/24")])]],
  ])("passes where %s", (_, resources) => {
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
    expect(open(egressFirewallApiBlocked, resources)).toEqual([]);
  });

  it("judges by the cluster of the component that made it", () => {
    const component = resource(COMPONENT, "net", {
      topology: { name: "b", platform: "None", apiServerPort: 7443 },
    });
    const object = { ...firewall([api, denyAll]), parent: urnOf(COMPONENT, "net") };
    expect(messages(egressFirewallApiBlocked, [cluster, component, object])).toEqual([
      "spec.egress[1]: denies 0.0.0.0/0, and with it the API server at 172.20.0.1 port 7443",
    ]);
  });

  it.each<[string, Resource[], string]>([
    [
      "an Allow may hold it",
      [cluster, firewall([rule("Allow", UNKNOWN), denyAll])],
      "spec.egress[0].to.cidrSelector",
    ],
    ["the rules are unknown", [cluster, firewall(UNKNOWN)], "spec.egress"],
    [
      "nothing describes the cluster, and some addresses are let out",
      [firewall([rule("Allow", "10.0.0.7/32"), denyAll])],
      "nothing describes the hosted cluster",
    ],
    [
      "one of two clusters is cut off",
      [
        cluster,
        hostedCluster({ networking: networking("10.0.0.0/16", { apiServer: { port: 7443 } }) }, "tenant-b"),
        firewall([api, denyAll]),
      ],
      "nothing says in which of them",
    ],
    [
      "the namespace is that of a control plane",
      [cluster, firewall([rule("Allow", "10.1.0.0/16"), denyAll], { namespace: "clusters-tenant-a" })],
      "the management cluster's API server",
    ],
  ])("counts as unknown where %s", (_, resources, words) => {
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
    expect(open(egressFirewallApiBlocked, resources).join()).toContain(words);
  });

  it("holds a firewall of one control plane against the API server that its pods ask, not against others'", () => {
    const cluster = (name: string, block: string) =>
      resource(COMPONENT, name, {
        topology: {
          name,
          platform: "None",
          managementClusterCidrs: [block],
          machineNetwork: [{ cidr: "10.0.0.0/16" }],
        },
      });
    const clusters = [cluster("a", "10.1.0.0/16"), cluster("b", "10.8.0.0/16")];
    const onlyB = (namespace: string) => firewall([rule("Allow", "10.8.0.0/16"), denyAll], { namespace });
    const judged = (namespace: string) => [
      messages(egressFirewallApiBlocked, [...clusters, onlyB(namespace)]),
      open(egressFirewallApiBlocked, [...clusters, onlyB(namespace)]),
    ];
    expect(judged("clusters-b")).toEqual([[], []]);
    expect(judged("clusters-a").flat()).not.toEqual([]);
  });

  it("leaves out the namespace of HostedClusters: none of their pods is in it", () => {
    const beside = (namespace: string) =>
      [egressFirewallApiBlocked, egressFirewallDns].flatMap((rule) =>
        messages(rule, [cluster, firewall([denyAll], { namespace })]),
      );
    expect(beside("clusters")).toEqual([]);
    expect(beside("shop")).not.toEqual([]);
  });

  it("judges `default` beside HostedClusters: every cluster has a namespace of that name", () => {
    const everywhere = hostedCluster();
    const hosted = {
      ...everywhere,
      properties: { ...everywhere.properties, metadata: { name: "tenant-a", namespace: "default" } },
    };
    const [found] = violations(egressFirewallApiBlocked, [
      hosted,
      firewall([denyAll], { namespace: "default" }),
    ]);
    expect(found?.flow).not.toEqual(undefined);
    expect(found?.flow).not.toEqual([]);
  });

  it("names no address where every one is denied, and nothing says the management cluster's", () => {
    const own = firewall([denyAll], { namespace: "clusters-tenant-a" });
    const [found] = violations(egressFirewallApiBlocked, [cluster, own]);
    expect(found).toMatchObject({
      message: "denies 0.0.0.0/0, and with it the API server of the management cluster, wherever it is",
      fix: "put an Allow for its address and port 6443 TCP before it",
    });
    expect(found).not.toHaveProperty("witness");
  });
});

describe("M15 egress-firewall-dns", () => {
  const servers = described({ dnsServerCidrs: ["10.0.0.2/32"] });
  const dns = (protocol: string) => rule("Allow", "10.0.0.2/32", port(53, protocol));
  it("names each protocol by which a server outside is denied", () => {
    const found = violations(egressFirewallDns, [firewall([api, denyAll])], servers);
    expect(found.map(({ message }) => message)).toEqual([
      "denies 0.0.0.0/0, and with it UDP 53 of the DNS server 10.0.0.2/32: pods that ask it themselves get no answer",
      "denies 0.0.0.0/0, and with it TCP 53 of the DNS server 10.0.0.2/32: pods that ask it themselves get no answer",
    ]);
    expect(found[0]).toMatchObject({
      level: "warning",
      witness: "pods of the namespace -> 10.0.0.2, UDP 53",
    });
    expect(messages(egressFirewallDns, [firewall([api, dns("UDP"), denyAll])], servers)).toHaveLength(1);
  });

  it("says what becomes of rules with names", () => {
    const object = firewall([api, named("Allow", "quay.io"), denyAll]);
    expect(messages(egressFirewallDns, [object], servers)[0]).toContain(
      "hold for addresses that pods do not get",
    );
    expect(open(egressFirewallDns, [object], described({})).join()).toContain(
      "dnsServerCidrs of clusters/tenant-a does not say",
    );
    expect(open(egressFirewallDns, [object]).join()).toContain("nothing says where they are");
  });

  it("passes where they are allowed, inside the cluster network, or none is named", () => {
    const allowed = firewall([api, dns("UDP"), dns("TCP"), named("Allow", "quay.io"), denyAll]);
    for (const [object, configuration] of [
      [allowed, servers],
      [firewall([denyAll]), described({ dnsServerCidrs: ["10.132.0.10/32"] })],
      [firewall([denyAll]), described({})],
      [firewall([named("Deny", "example.com")]), undefined],
    ] as const) {
      expect(messages(egressFirewallDns, [object], configuration)).toEqual([]);
    }
  });

  it("counts what is unknown", () => {
    expect(open(egressFirewallDns, [firewall([rule("Allow", UNKNOWN), denyAll])], servers)).toContain(
      "EgressFirewall firewall: spec.egress[0].to.cidrSelector",
    );
  });
});

test.each(OTHER_NETWORKS)("a cluster with the network %s has no EgressFirewall objects", (networkType) => {
  const cluster = withNetwork(networkType);
  const object = firewall([rule("Deny", "192.0.2.0/24")]);
  expect(violations(egressFirewallRuleInvalid, [cluster, object])).toMatchObject([
    {
      path: "kind",
      message: `clusters/tenant-a: ${networkType} is not OVN-Kubernetes, and only OVN-Kubernetes knows this object`,
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

describe("M15 firewalls of clusters that nothing, or a component, tells apart", () => {
  const component = (name: string, more: Properties = {}) =>
    resource(COMPONENT, name, { topology: { name, platform: "None", ...more } });
  const madeBy = (maker: Resource, object: Resource): Resource => ({ ...object, parent: maker.origin.urn! });
  const second = firewall([api], { at: "second" });

  it("one whose namespace is not known meets no other where there is none", () => {
    expect(open(egressFirewallDuplicate, [firewall([denyAll], { namespace: UNKNOWN })])).toEqual([]);
  });

  it("two of the only cluster are one too many, and copies of one do no harm", () => {
    const levels = (...resources: Resource[]) =>
      violations(egressFirewallDuplicate, [hostedCluster(), ...resources]).map(({ level }) => level);
    expect(levels(firewall([denyAll]), second)).toEqual(["error", "error"]);
    expect(levels(firewall([api]), second)).toEqual(["note", "note"]);
  });

  it("one that a component made may meet one that may be in any cluster", () => {
    const a = component("a");
    const objects = [madeBy(a, firewall([denyAll])), second];
    expect(messages(egressFirewallDuplicate, [a, component("b"), ...objects])).toEqual([]);
    expect(open(egressFirewallDuplicate, [a, component("b"), ...objects])).toEqual([
      expect.stringContaining("second governs shop too, and nothing says whether in the same cluster"),
      expect.stringContaining("firewall governs shop too, and nothing says whether in the same cluster"),
    ]);
  });

  it("a component says of which hosted cluster's pods its firewall is, whatever the namespace is called", () => {
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

  it("a stack that only patches a hosted cluster does not say where its API server is", () => {
    const patch = resource(`${HOSTED_CLUSTER}Patch`, "tenant-a", {
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: { networking: networking("10.0.0.0/16") },
    });
    const someOut = [rule("Allow", "10.0.0.7/32"), denyAll];
    expect(open(egressFirewallApiBlocked, [patch, firewall(someOut)])).toEqual([
      expect.stringContaining("nothing describes the hosted cluster"),
    ]);
    expect(
      open(egressFirewallApiBlocked, [patch, firewall(someOut, { namespace: "clusters-tenant-a" })]),
    ).toEqual([]);
  });

  it.each<[string, Properties]>([
    ["advertiseAddress", { advertiseAddress: UNKNOWN }],
    ["apiServerPort", { port: UNKNOWN }],
  ])("whether the API server is cut off is open where its %s is not known", (property, apiServer) => {
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

describe("M15 egress-firewall-limit at its end", () => {
  /** No two of them are neighbours. */
  const apart = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      rule("Deny", `${10 + (i >> 15)}.${(i >> 7) & 255}.${(i & 127) * 2}.0/24`),
    );
  it("says where joining blocks is not enough", () => {
    const fixOf = (rules: Properties[]) => violations(egressFirewallLimit, [firewall(rules)])[0]?.fix;
    const [first] = apart(1);
    expect(fixOf([...apart(8000), first!])).toBe(
      "join neighbouring CIDR blocks: 8000 rules let exactly the same pass",
    );
    expect(fixOf(apart(8001))).toBe(
      "join neighbouring CIDR blocks: 8001 rules let exactly the same pass, which are too many still: deny or allow by wider blocks",
    );
  });

  it("is not said again with the rules that are invalid", () => {
    expect(messages(egressFirewallRuleInvalid, [firewall(apart(8001))])).toEqual([]);
  });
});

describe("M15 egress-firewall-rule-invalid, the rest of it", () => {
  it("takes host bits, which OVN-Kubernetes clears", () => {
    expect(messages(egressFirewallRuleInvalid, [firewall([rule("Deny", "10.1.2.3/8")])])).toEqual([]);
  });

  it("judges the rules that a patch brings, and speaks of one rule as the whole object", () => {
    const patch = firewall([rule("Deny", "10.0.0.1")], { type: `${TYPE}Patch` });
    expect(messages(egressFirewallRuleInvalid, [patch])).toEqual([
      "spec.egress[0].to.cidrSelector: 10.0.0.1 has no mask: OVN-Kubernetes leaves the whole object unapplied for it",
    ]);
  });

  it("refuses an object that says no rules", () => {
    const object = resource(TYPE, "firewall", { metadata: { name: "default", namespace: "shop" } });
    expect(violations(egressFirewallRuleInvalid, [object])).toMatchObject([
      { path: "spec.egress", fix: "write a list of rules, first match wins" },
    ]);
  });

  it("says the way out of an empty list, and of another network", () => {
    expect(violations(egressFirewallRuleInvalid, [firewall([])])[0]?.fix).toBe(
      "write one, or leave the firewall out",
    );
    const calico = [withNetwork("Calico"), firewall([rule("Deny", "192.0.2.0/24")])];
    expect(violations(egressFirewallRuleInvalid, calico)[0]?.fix).toBe(
      "leave it out, and write network policies",
    );
  });
});

describe("M15 egress-firewall-shadowed, the rest of it", () => {
  const shadowed = [rule("Deny", "192.0.2.0/24"), rule("Allow", "192.0.2.0/25")];
  it("names the one rule that takes all, and no number where a rule is not known", () => {
    const words = "spec.egress[1]: is never reached: spec.egress[0] before it takes all that it is about";
    expect(messages(egressFirewallShadowed, [firewall(shadowed)])).toEqual([
      `${words}; 1 of 2 rules would be enough`,
    ]);
    expect(messages(egressFirewallShadowed, [firewall([...shadowed, rule("Deny", UNKNOWN)])])).toEqual([
      words,
    ]);
  });

  it("says of a rule that changes nothing that it may stay", () => {
    const object = firewall([rule("Deny", "192.0.2.0/24"), rule("Allow", "0.0.0.0/0")]);
    expect(violations(egressFirewallShadowed, [object])[0]?.fix).toBe(
      "remove it, or keep it for those who read the list",
    );
  });

  it("takes nothing out of rules for the pods of a control plane, which are in another cluster network", () => {
    const inside = firewall([rule("Deny", "10.133.0.0/16")], { namespace: "clusters-tenant-a" });
    expect(messages(egressFirewallShadowed, [hostedCluster(), inside])).toEqual([]);
  });
});

describe("M15 egress-firewall-dns, the rest of it", () => {
  const servers = described({ dnsServerCidrs: ["10.0.0.2/32"] });
  const quay = named("Allow", "quay.io");

  it("says which Allow is missing, and which flow is cut", () => {
    const [found] = violations(egressFirewallDns, [firewall([api, denyAll])], servers);
    expect(found?.fix).toBe("put an Allow for 10.0.0.2/32 port 53, UDP and TCP, before it");
    expect(found?.flow).toEqual(["namespace-shop-dns-tcp", "namespace-shop-dns-udp"]);
  });

  it("is not about pods of control planes, nor about the namespace of HostedClusters", () => {
    for (const namespace of ["clusters-tenant-a", "clusters"])
      for (const rules of [[denyAll], [quay, denyAll]]) {
        const resources = [hostedCluster(), firewall(rules, { namespace })];
        expect(messages(egressFirewallDns, resources, servers)).toEqual([]);
        expect(open(egressFirewallDns, resources, servers)).toEqual([]);
      }
  });

  it("does not take one cluster's servers for those of another one", () => {
    const two = ["a", "b"].map((name) =>
      resource(COMPONENT, name, { topology: { name, platform: "None", dnsServerCidrs: ["10.0.0.2/32"] } }),
    );
    expect(messages(egressFirewallDns, [...two, firewall([quay, denyAll])])).toEqual([]);
    expect(unknowns(egressFirewallDns, [...two, firewall([quay, denyAll])])).toMatchObject([
      { path: "spec.egress", message: expect.stringContaining("and nothing says where they are") as string },
    ]);
  });

  it.each<[string, Properties[], number]>([
    ["without names nothing hangs on servers that are not stated", [denyAll], 0],
    ["with names it does", [quay, denyAll], 1],
    ["with names it does where only UDP is denied", [quay, rule("Deny", "0.0.0.0/0", port(53, "UDP"))], 1],
    ["with names and without a Deny it does not", [quay], 0],
  ])("%s", (_, rules, count) =>
    expect(open(egressFirewallDns, [firewall(rules)], described({}))).toHaveLength(count),
  );
});
