import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { egressFirewallApiBlocked } from "../../../src/egressFirewall/rules/blocked";
import { egressFirewallRuleInvalid } from "../../../src/egressFirewall/rules/nameAndRules";
import { hostedCluster, resource, violations, withNetwork } from "../../rules/builders";
import { TYPE, rule, named, denyAll, api, firewall, messages, open } from "./firewalls";

describe("M15 egress-firewall-rule-invalid", () => {
  it("reports that one invalid rule leaves the whole object unapplied", () => {
    const object = firewall([
      denyAll,
      rule("Allow", "10.0.0.1"),
      rule("Allowed", "10.0.0.0/8"),
      rule("Deny", "10.0.0.0/8", [{ port: 443 }]),
    ]);
    const whole = "because of this, OVN-Kubernetes applies none of the object's 4 rules";
    expect(messages(egressFirewallRuleInvalid, [object])).toEqual([
      `spec.egress[1].to.cidrSelector: 10.0.0.1 has no mask: ${whole}`,
      `spec.egress[2].type: "Allowed" is not Allow or Deny: ${whole}`,
      `spec.egress[3].ports[0].protocol: missing: ${whole}`,
    ]);
    expect(violations(egressFirewallRuleInvalid, [object])[0]?.fix).toBe("write 10.0.0.1/32");
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

  it("of a whole top-level domain are an invalid DNS name", () => {
    for (const name of ["*.com", "*.com.", "*.-a.com", "*.a-.com"])
      expect(
        messages(egressFirewallRuleInvalid, [firewall([named("Allow", name)]), hostedCluster()]),
      ).toEqual([
        `spec.egress[0].to.dnsName: "${name}" is not a DNS name: because of this, OVN-Kubernetes does not apply the object`,
      ]);
  });
});
