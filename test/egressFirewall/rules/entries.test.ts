import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { egressFirewallApiBlocked } from "../../../src/egressFirewall/rules/blocked";
import { egressFirewallRuleInvalid } from "../../../src/egressFirewall/rules/nameAndRules";
import { hostedCluster, resource, violations, withNetwork, type Properties } from "../../rules/builders";
import { TYPE, rule, named, denyAll, api, firewall, messages, open } from "./firewalls";

describe("M15 egress-firewall-rule-invalid", () => {
  const whole = "because of this, OVN-Kubernetes applies none of the object's 2 rules";
  const refused = "the API server refuses the object";
  const dropped =
    "kubectl refuses the object, and without strict validation the API server drops the property";
  const unmatched = "the API server accepts it, and OVN-Kubernetes matches no traffic with it";
  const to = { cidrSelector: "192.0.2.0/24" };
  const one = (more: Properties) => ({ type: "Allow", to, ...more });
  const ports = (...list: PropertyValue[]) => one({ ports: list });
  const contradiction = {
    matchExpressions: [
      { key: "a", operator: "In", values: ["x"] },
      { key: "a", operator: "NotIn", values: ["x"] },
    ],
  };
  it.each<[string, PropertyValue, string]>([
    ["a block without mask", rule("Allow", "10.0.0.1"), `to.cidrSelector: 10.0.0.1 has no mask: ${whole}`],
    [
      "a block that is no text",
      rule("Allow", 7),
      `to.cidrSelector: a number is not a CIDR block: ${refused}`,
    ],
    [
      "an empty block, which leaves the rule without destination",
      rule("Allow", ""),
      `to.cidrSelector: the string is empty: ${unmatched}`,
    ],
    [
      "a type that the loose pattern of the API accepts",
      one({ type: "Allowed" }),
      'type: "Allowed" is not Allow or Deny: the API server accepts it, and OVN-Kubernetes drops what the rule matches',
    ],
    ["a type that it refuses", one({ type: "allow" }), `type: "allow" is not Allow or Deny: ${refused}`],
    ["no type", one({ type: null }), `type: missing: ${refused}`],
    [
      "a protocol that the loose pattern of the API accepts",
      ports({ port: 443, protocol: "TCPX" }),
      `ports[0].protocol: "TCPX" is not TCP, UDP or SCTP: ${unmatched}`,
    ],
    [
      "a protocol that it refuses",
      ports({ port: 443, protocol: "tcp" }),
      `ports[0].protocol: "tcp" is not TCP, UDP or SCTP: ${refused}`,
    ],
    ["no protocol", ports({ port: 443 }), `ports[0].protocol: missing: ${refused}`],
    ["port 0", ports({ port: 0, protocol: "TCP" }), `ports[0].port: 0 is not a port: ${refused}`],
    ["an address as DNS name", named("Allow", "1.2.3.4"), `to.dnsName: 1.2.3.4 is an address: ${unmatched}`],
    [
      "an IPv6 address as DNS name",
      named("Allow", "fd00::1"),
      `to.dnsName: fd00::1 is an address: ${refused}`,
    ],
    ["a URL", named("Allow", "https://a.b"), `to.dnsName: "https://a.b" is not a DNS name: ${refused}`],
    [
      "a label that is too long for DNS",
      named("Allow", `${"a".repeat(64)}.example.com`),
      `to.dnsName: "${"a".repeat(57)}..." is not a DNS name: ${unmatched}`,
    ],
    [
      "an unknown operator in a selector",
      { type: "Deny", to: { nodeSelector: { matchExpressions: [{ key: "a", operator: "Is" }] } } },
      `to.nodeSelector.matchExpressions[0].operator: "Is" is not In, NotIn, Exists or DoesNotExist: ${whole}`,
    ],
    ["an unknown property of a rule", one({ port: [] }), `port: no such property: ${dropped}`],
    [
      "an unknown property of a destination",
      one({ to: { ...to, dnsname: "a.example.com" } }),
      `to.dnsname: no such property: ${dropped}`,
    ],
    [
      "an unknown property of a port",
      ports({ port: 443, protocol: "TCP", endPort: 444 }),
      `ports[0].endPort: no such property: ${dropped}`,
    ],
    [
      "an unknown property of a selector",
      one({ to: { nodeSelector: { matchlabels: {} } } }),
      `to.nodeSelector.matchlabels: no such property: ${dropped}`,
    ],
  ])("reports the consequence of %s", (_, invalid, expected) => {
    const found = violations(egressFirewallRuleInvalid, [firewall([invalid, denyAll]), hostedCluster()]);
    expect(found.map(({ path, message }) => `${path}: ${message}`)).toEqual([`spec.egress[0].${expected}`]);
    expect(found[0]?.level).toBe("error");
  });

  it("names the fix", () => {
    const fixes = (...rules: PropertyValue[]) =>
      violations(egressFirewallRuleInvalid, [firewall(rules), hostedCluster()]).map(({ fix }) => fix);
    expect(fixes(rule("Allow", "10.0.0.1"))).toEqual(["write 10.0.0.1/32"]);
    expect(fixes(one({ to: { ...to, dnsname: "a.example.com" } }))).toEqual(["did you mean dnsName?"]);
  });

  it("warns of a selector that contradicts itself, which the API server accepts", () => {
    const object = firewall([{ type: "Allow", to: { nodeSelector: contradiction } }, denyAll]);
    expect(violations(egressFirewallRuleInvalid, [object])).toMatchObject([
      {
        path: "spec.egress[0].to.nodeSelector",
        level: "warning",
        message:
          "a in (x), a notin (x) contradicts itself and matches nothing: OVN-Kubernetes ignores the rule",
      },
    ]);
  });

  it("accepts valid rules, and a patch without rules", () => {
    expect(
      messages(egressFirewallRuleInvalid, [firewall([api, named("Allow", "www.example.com"), denyAll])]),
    ).toEqual([]);
    const patch = resource(`${TYPE}Patch`, "labels", { metadata: { name: "default" } });
    expect(messages(egressFirewallRuleInvalid, [patch])).toEqual([]);
  });

  it("warns of an object without rules, which OVN-Kubernetes applies", () => {
    expect(violations(egressFirewallRuleInvalid, [firewall([])])).toMatchObject([
      { path: "spec.egress", level: "warning", message: "has no rules, so all traffic is allowed" },
    ]);
  });

  it("reports each unknown value as unknown", () => {
    expect(open(egressFirewallRuleInvalid, [firewall(UNKNOWN)])).toEqual([
      "EgressFirewall firewall: spec.egress",
    ]);
    expect(open(egressFirewallRuleInvalid, [firewall([rule(UNKNOWN, UNKNOWN), UNKNOWN])])).toEqual([
      "EgressFirewall firewall: spec.egress[0].type",
      "EgressFirewall firewall: spec.egress[0].to.cidrSelector",
      "EgressFirewall firewall: spec.egress[1]",
    ]);
  });

  it("reports unknown destinations and parts of ports and selectors as unknown, not as faults", () => {
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

  it("accepts host bits, which OVN-Kubernetes clears", () => {
    expect(messages(egressFirewallRuleInvalid, [firewall([rule("Deny", "10.1.2.3/8")])])).toEqual([]);
  });

  it("judges the rules of a patch, and words the effect of a single rule accordingly", () => {
    const patch = firewall([rule("Deny", "10.0.0.1")], { type: `${TYPE}Patch` });
    expect(messages(egressFirewallRuleInvalid, [patch])).toEqual([
      "spec.egress[0].to.cidrSelector: 10.0.0.1 has no mask: because of this, OVN-Kubernetes does not apply the object",
    ]);
  });

  it("reports an object without the rules field", () => {
    const object = resource(TYPE, "firewall", { metadata: { name: "default", namespace: "shop" } });
    expect(violations(egressFirewallRuleInvalid, [object])).toMatchObject([
      { path: "spec.egress", fix: "write a list of rules, first match wins" },
    ]);
  });

  it("names the fix for an empty list and for another network type", () => {
    expect(violations(egressFirewallRuleInvalid, [firewall([])])[0]?.fix).toBe(
      "write one, or leave the firewall out",
    );
    const calico = [withNetwork("Calico"), firewall([rule("Deny", "192.0.2.0/24")])];
    expect(violations(egressFirewallRuleInvalid, calico)[0]?.fix).toBe(
      "leave it out, and write network policies",
    );
  });
});

describe("M15 egress-firewall-rule-invalid, rules for nodes", () => {
  const path = "spec.egress[0].to.nodeSelector";
  const forNodes = (
    nodeSelector: PropertyValue = { matchLabels: { zone: "a" } },
    more: Record<string, PropertyValue> = {},
  ) => firewall([{ type: "Allow", to: { nodeSelector } }, denyAll], more);
  const ofRelease = (release: string, name = "tenant-a") =>
    hostedCluster({ release: { image: `quay.io/ocp-release:${release}.1-x86_64` } }, name);
  const unnumbered = hostedCluster({ release: { image: "ocp-release@sha256:0" } }, "tenant-c");

  it("are refused by the API server of a release before 4.13", () => {
    expect(violations(egressFirewallRuleInvalid, [ofRelease("4.12"), forNodes()])).toMatchObject([
      {
        level: "error",
        path,
        message:
          "rules for nodes come with release 4.13 or newer, and this is 4.12: the API server refuses the object",
        fix: "leave it out, or correct the release",
      },
    ]);
  });

  it.each<[string, Resource[]]>([
    ["4.13", [ofRelease("4.13")]],
    ["an unknown release", [unnumbered]],
    ["no hosted cluster in the input", []],
    ["hosted clusters of which one is newer", [ofRelease("4.12"), ofRelease("4.13", "tenant-b")]],
    ["hosted clusters of which one has an unknown release", [ofRelease("4.12"), unnumbered]],
  ])("are accepted with %s", (_, clusters) => {
    expect(messages(egressFirewallRuleInvalid, [...clusters, forNodes()])).toEqual([]);
  });

  it("are reported for several hosted clusters that are all older, with the newest release", () => {
    const clusters = [ofRelease("4.12"), ofRelease("4.11", "tenant-b")];
    expect(messages(egressFirewallRuleInvalid, [...clusters, forNodes()])).toEqual([
      expect.stringContaining("and this is 4.12"),
    ]);
  });

  it("are not judged in the management cluster, whose release no input states", () => {
    const inManagement = forNodes({}, { namespace: "clusters" });
    expect(messages(egressFirewallRuleInvalid, [ofRelease("4.12"), inManagement])).toEqual([]);
  });

  it("are unknown if the selector is unknown", () => {
    const objects = [ofRelease("4.12"), forNodes(UNKNOWN)];
    expect(messages(egressFirewallRuleInvalid, objects)).toEqual([]);
    expect(open(egressFirewallRuleInvalid, objects)).toEqual([`EgressFirewall firewall: ${path}`]);
  });

  it("leave it unknown whether the other rules of a refused object apply", () => {
    expect(messages(egressFirewallApiBlocked, [ofRelease("4.13"), forNodes()])).toHaveLength(1);
    const refused = [ofRelease("4.12"), forNodes()];
    expect(messages(egressFirewallApiBlocked, refused)).toEqual([]);
    expect(open(egressFirewallApiBlocked, refused).join()).toContain(
      "rules for nodes come with release 4.13",
    );
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

  it("leave the whole object unapplied without the cluster's feature gate", () => {
    expect(violations(egressFirewallRuleInvalid, [wildcard, hostedCluster()])).toMatchObject([
      {
        path: "spec.egress[0].to.dnsName",
        message:
          "is a wildcard, and without the feature gate DNSNameResolver OVN-Kubernetes applies none of the object's 2 rules",
        fix: "list the host names, or make sure that the gate is enabled",
      },
    ]);
  });

  it.each<[string, Resource[], string[]]>([
    ["are an error with the default features of a release", [hostedCluster()], ["error"]],
    ["are an error with an empty feature set", [gates({ featureSet: "" })], ["error"]],
    ["are an error with a custom feature set without the gate", [gates(custom("Other"))], ["error"]],
    ["are accepted with a custom feature set with the gate", [gates(custom("Other", "DNSNameResolver"))], []],
    ["are accepted with Technology Preview features", [gates({ featureSet: "TechPreviewNoUpgrade" })], []],
    [
      "are an error with a release whose Technology Preview does not have the gate",
      [gates({ featureSet: "TechPreviewNoUpgrade" }, "ocp:4.15.3")],
      ["error"],
    ],
    ["are a warning without a stated release", [gates({}, unnumbered)], ["warning"]],
    ["are a warning with a release whose gates are not documented", [gates({}, "ocp:5.0.0")], ["warning"]],
    ["are a warning with unknown features", [gates(UNKNOWN)], ["warning"]],
    ["are a warning with a gate that could be enabled", [gates(custom(UNKNOWN))], ["warning"]],
    ["are a warning without a cluster", [], ["warning"]],
    [
      "are a warning if only one of two clusters has the gate",
      [
        hostedCluster(),
        hostedCluster({ configuration: { featureGate: { featureSet: "DevPreviewNoUpgrade" } } }, "b"),
      ],
      ["warning"],
    ],
  ])("%s", (_, clusters, expected) => expect(levels(...clusters)).toEqual(expected));

  it.each(["clusters-tenant-a", "clusters", "hypershift"])(
    "are a warning in %s, because the management cluster's gates are unknown",
    (namespace) => {
      const object = firewall([named("Allow", "*.example.com")], { namespace });
      expect(violations(egressFirewallRuleInvalid, [hostedCluster(), object])).toMatchObject([
        { level: "warning" },
      ]);
    },
  );

  describe("other names that OVN-Kubernetes refuses with the gate", () => {
    const names = ["com", "com.", "-example.com", "example-.com"];
    const on = gates({ featureSet: "TechPreviewNoUpgrade" });
    const found = (name: PropertyValue, ...clusters: Resource[]) =>
      violations(egressFirewallRuleInvalid, [firewall([named("Allow", name), denyAll]), ...clusters]);
    it.each(names)("are an error with it, a warning if that is unknown: %s", (name) => {
      expect(found(name, on)).toMatchObject([
        {
          level: "error",
          path: "spec.egress[0].to.dnsName",
          message: `"${name}" is not a fully qualified domain name, and with the feature gate DNSNameResolver OVN-Kubernetes applies none of the object's 2 rules`,
          fix: "write two or more labels of letters, digits and inner hyphens",
        },
      ]);
      for (const clusters of [[], [gates(UNKNOWN)], [on, hostedCluster({}, "b")]])
        expect(found(name, ...clusters)).toMatchObject([{ level: "warning" }]);
      expect(found(name, hostedCluster())).toEqual([]);
    });

    it("are reported once if the API server refuses them", () =>
      expect(found("a..com", on).map(({ message }) => message)).toEqual([
        '"a..com" is not a DNS name: the API server refuses the object',
      ]));

    it.each<[PropertyValue]>([["www.example.com"], ["Example.COM."], [UNKNOWN]])(
      "do not include %p",
      (name) => expect(found(name, on)).toEqual([]),
    );
  });

  it("of a whole top-level domain are an invalid DNS name", () => {
    for (const name of ["*.com", "*.com.", "*.-a.com", "*.a-.com"])
      expect(
        messages(egressFirewallRuleInvalid, [firewall([named("Allow", name)]), hostedCluster()]),
      ).toEqual([
        `spec.egress[0].to.dnsName: "${name}" is not a DNS name: because of this, OVN-Kubernetes does not apply the object`,
      ]);
  });
});
