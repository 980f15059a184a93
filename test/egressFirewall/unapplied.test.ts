import { describeFaults } from "../../src/fault";
import { LIMIT } from "../../src/requirements/limits";
import { type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";
import { allow, deny, faults, judge } from "./firewallRules";

describe("M15 rules that leave the whole firewall unapplied", () => {
  it.each<[string, PropertyValue, string]>([
    ["rules that are not a list", "x", 'rules "x" is not a list'],
    ["missing rules", null, "rules missing"],
    ["no rules", [], "rules has no rules"],
    ["a rule that is not an object", ["x"], "rules[0] is not a rule"],
    [
      "a type that only begins with a valid one",
      [{ type: "Allowed", cidr: "10.0.0.0/8" }],
      'rules[0].type "Allowed" is not Allow or Deny',
    ],
    [
      "a type in lowercase",
      [{ type: "deny", cidr: "10.0.0.0/8" }],
      'rules[0].type "deny" is not Allow or Deny',
    ],
    ["no type", [{ cidr: "10.0.0.0/8" }], "rules[0].type missing"],
    ["no destination", [{ type: "Deny" }], "rules[0] has no destination"],
    [
      "two destinations",
      [{ type: "Deny", cidr: "10.0.0.0/8", dnsName: "x" }],
      "rules[0] has more than one destination",
    ],
    ["no mask", [deny("172.16.1.1")], "rules[0].cidr 172.16.1.1 has no mask"],
    ["host bits", [deny("10.1.0.0/8")], "rules[0].cidr 10.1.0.0/8 has host bits"],
    [
      "an address as DNS name",
      [{ type: "Deny", dnsName: "192.0.2.1" }],
      "rules[0].dnsName 192.0.2.1 is an address",
    ],
    [
      "a URL as DNS name",
      [{ type: "Deny", dnsName: "https://x.example.com" }],
      'rules[0].dnsName "https://x.example.com" is not a DNS name',
    ],
    [
      "an asterisk inside",
      [{ type: "Deny", dnsName: "a.*.example.com" }],
      'rules[0].dnsName "a.*.example.com" is not a DNS name',
    ],
    [
      "a DNS name with a label that is too long",
      [{ type: "Deny", dnsName: `${"a".repeat(64)}.example.com` }],
      `rules[0].dnsName "${"a".repeat(57)}..." is not a DNS name`,
    ],
    [
      "labels and a selector of nodes",
      [{ type: "Deny", nodeLabels: {}, nodeSelector: {} }],
      "rules[0] has more than one destination",
    ],
    [
      "a selector that matches no nodes",
      [
        {
          type: "Deny",
          nodeSelector: {
            matchLabels: { zone: "a" },
            matchExpressions: [{ key: "zone", operator: "DoesNotExist" }],
          },
        },
      ],
      "rules[0].nodeSelector zone=a, !zone contradicts itself and matches nothing",
    ],
    [
      "a port without protocol",
      [deny("192.0.2.0/24", [{ port: 443 }])],
      "rules[0].ports[0].protocol missing",
    ],
    [
      "a protocol without port",
      [deny("192.0.2.0/24", [{ protocol: "TCP" }])],
      "rules[0].ports[0].port missing",
    ],
    [
      "a protocol that only begins with a valid one",
      [deny("192.0.2.0/24", [{ port: 1, protocol: "TCPX" }])],
      'rules[0].ports[0].protocol "TCPX" is not TCP, UDP or SCTP',
    ],
    [
      "port 0",
      [deny("192.0.2.0/24", [{ port: 0, protocol: "TCP" }])],
      "rules[0].ports[0].port 0 is not a port",
    ],
    [
      "port 65536",
      [deny("192.0.2.0/24", [{ port: 65536, protocol: "TCP" }])],
      "rules[0].ports[0].port 65536 is not a port",
    ],
    [
      "a fractional port",
      [deny("192.0.2.0/24", [{ port: 1.5, protocol: "TCP" }])],
      "rules[0].ports[0].port 1.5 is not a port",
    ],
    [
      "a port as a string",
      [deny("192.0.2.0/24", [{ port: "443", protocol: "TCP" }])],
      'rules[0].ports[0].port "443" is not a port',
    ],
    [
      "an invalid label value",
      [{ type: "Allow", nodeLabels: { a: "b c" } }],
      'rules[0].nodeLabels.a "b c" is not a label value',
    ],
    [
      "a property that does not exist",
      [{ type: "Allow", cidrs: "10.0.0.0/8", cidr: "10.0.0.0/8" }],
      "rules[0].cidrs no such property",
    ],
  ])("include %s", (_, rules, fault) => expect(faults(rules)).toEqual([fault]));

  it("include more than 8,000 rules, counting those for the API server", () => {
    const full = Array.from({ length: LIMIT.egressFirewallRules }, (_, i) =>
      allow(`10.${i >> 8}.${i & 255}.0/24`),
    );
    expect(faults(full)).toEqual([]);
    expect(faults([...full, allow("192.0.2.0/24")])).toEqual([
      "rules 8001 rules, but OVN-Kubernetes supports at most 8000",
    ]);
    expect(faults(full, { allowApiServer: true })).toHaveLength(1);
  });

  it("are all reported at once", () => {
    const rules: PropertyValue = [
      allow("10.0.0.0"),
      { type: "Deny", ports: [{ port: 443 }] },
      deny("0.0.0.0/0"),
    ];
    const { faults: all } = judge(rules, { namespace: "Tenant A", allowApiServer: "yes" });
    expectGolden("manifests/egressFirewallFaults.txt", `${describeFaults("EgressFirewall tenant-a", all)}\n`);
  });
});
