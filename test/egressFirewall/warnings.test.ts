import fc from "fast-check";
import { EgressFirewallProtocol, EgressFirewallRuleType } from "../../src/objects/egressFirewallRules";
import { apiServerRules, egressFirewallEntry } from "../../src/egressFirewall/egressFirewall";
import { egressFirewallObjectFaults } from "../../src/egressFirewall/judge";
import { describeFaults } from "../../src/fault";
import { LabelSelectorOperator } from "../../src/resources/kubernetesObject";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";
import { allow, deny, faults, https, judge } from "./firewallRules";

describe("M15 warnings of rules that probably do not work as intended", () => {
  const topology: PropertyValue = {
    name: "tenant-a",
    platform: "None",
    release: "4.20",
    clusterNetwork: [{ cidr: "10.132.0.0/14" }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    dnsServerCidrs: ["10.0.0.2/32"],
  };
  const warnings = (rules: PropertyValue, more: Record<string, PropertyValue> = {}) =>
    judge(rules, { topology, ...more }).warnings.map(({ path, problem }) => `${path} ${problem}`);
  const denied =
    "denies 0.0.0.0/0, which includes the DNS server 10.0.0.2/32 for pods that query it directly";
  const dns = (protocol: string): PropertyValue => allow("10.0.0.2/32", [{ port: 53, protocol }]);

  it.each<[string, PropertyValue, Record<string, PropertyValue>, string[]]>([
    [
      "a rule for pods of the cluster, which is never matched",
      [deny("10.133.0.0/16")],
      {},
      [
        "rules[0].cidr 10.133.0.0/16 lies in the cluster network 10.132.0.0/14, which egress firewalls never match",
      ],
    ],
    [
      "a rule for services of the cluster",
      [deny("172.31.0.10/32")],
      {},
      [
        "rules[0].cidr 172.31.0.10/32 lies in the service network 172.31.0.0/16, which egress firewalls never match",
      ],
    ],
    ["a rule that contains more than the cluster's networks (none)", [deny("10.132.0.0/13")], {}, []],
    ["a deny of the DNS servers", [deny("0.0.0.0/0")], { allowApiServer: true }, [`rules[0] ${denied}`]],
    [
      "a deny of the DNS servers only by TCP",
      [dns("UDP"), deny("0.0.0.0/0")],
      { allowApiServer: true },
      [`rules[1] ${denied}`],
    ],
    [
      "DNS servers that are allowed before (none)",
      [dns("UDP"), dns("TCP"), deny("0.0.0.0/0")],
      { allowApiServer: true },
      [],
    ],
    [
      "DNS servers inside the cluster network, which is exempt (none)",
      [deny("0.0.0.0/0")],
      { allowApiServer: true, dnsServerCidrs: ["10.132.4.5/32"] },
      [],
    ],
    [
      "a rule whose traffic an earlier rule matches completely",
      [deny("192.0.2.0/24"), allow("192.0.2.7/32", https)],
      {},
      ["rules[1] is never reached: rules[0] before it matches all of its traffic"],
    ],
    [
      "a rule whose traffic two earlier rules match together",
      [deny("192.0.2.0/25"), deny("192.0.2.128/25"), allow("192.0.2.0/24")],
      {},
      ["rules[2] is never reached: rules[0], rules[1] before it match all of its traffic"],
    ],
    [
      "a duplicate of an earlier rule, reported once",
      [deny("192.0.2.0/24"), deny("192.0.2.0/24")],
      {},
      ["rules[1] duplicates rules[0] and is never reached"],
    ],
    [
      "a rule that earlier rules match only in part (none)",
      [deny("192.0.2.0/25"), allow("192.0.2.0/24")],
      {},
      [],
    ],
    ["a rule after an unknown one (none)", [deny(UNKNOWN), allow("192.0.2.0/24")], {}, []],
    [
      "a deny in a namespace of the platform",
      [deny("192.0.2.0/24")],
      { namespace: "openshift-monitoring" },
      ["namespace openshift-monitoring belongs to the platform, whose components a Deny can cut off"],
    ],
    [
      "an allow in a namespace of the platform (none)",
      [allow("192.0.2.0/24")],
      { namespace: "kube-system" },
      [],
    ],
    [
      "a namespace that only resembles one of the platform (none)",
      [deny("192.0.2.0/24")],
      { namespace: "kubernetes" },
      [],
    ],
  ])("%s", (_, rules, more, expected) => expect(warnings(rules, more)).toEqual(expected));
});

describe("the EgressFirewall object", () => {
  it("contains each rule in the format of OVN-Kubernetes", () => {
    const rules = [
      ...apiServerRules(["172.20.0.1/32"]),
      {
        type: EgressFirewallRuleType.Allow,
        dnsName: "registry.example.com",
        ports: [{ port: 443, protocol: EgressFirewallProtocol.TCP }],
      },
      { type: EgressFirewallRuleType.Allow, nodeLabels: { zone: "a" } },
      { type: EgressFirewallRuleType.Deny, cidr: "0.0.0.0/0", ports: [] },
    ];
    expectGolden(
      "manifests/egressFirewall.json",
      `${JSON.stringify(rules.map(egressFirewallEntry), null, 2)}\n`,
    );
  });

  it("has its faults at its own paths if others wrote it", () => {
    const object = {
      metadata: { name: "mine" },
      spec: {
        egress: [{ type: "Deny", to: { cidrSelector: "172.16.1.1", dnsName: "x" }, ports: [{ port: 443 }] }],
      },
    };
    expect(egressFirewallObjectFaults(object).map(({ path }) => path)).toEqual([
      "metadata.name",
      "spec.egress[0]",
      "spec.egress[0].ports[0].protocol",
    ]);
    expect(egressFirewallObjectFaults(UNKNOWN)).toEqual([]);
  });

  it("is checked without an exception, whatever the input", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void judge([value as PropertyValue])));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void egressFirewallObjectFaults(value as PropertyValue)),
    );
  });
});

describe("M15 destinations at the limits", () => {
  const name = (length: number): string => `${"a".repeat(60)}.`.repeat(4) + "a".repeat(length - 4 * 61);
  it.each<[string, PropertyValue]>([
    ["a DNS name of 253 characters", name(253)],
    ["a DNS name with a label of 63 characters", `${"a".repeat(63)}.example.com`],
    ["a DNS name that is not known yet", UNKNOWN],
  ])("accepts %s", (_, dnsName) => expect(faults([{ type: "Deny", dnsName }])).toEqual([]));

  it.each<[string, PropertyValue]>([
    ["a DNS name of 254 characters", name(254)],
    ["a list of DNS names", ["example"]],
    ["a wildcard of a top-level domain", "*.com"],
    ["a number", 5],
  ])("refuses %s", (_, dnsName) =>
    expect(faults([{ type: "Deny", dnsName }])).toEqual([
      expect.stringMatching(/^rules\[0\]\.dnsName .* is not a DNS name$/),
    ]),
  );

  it("accepts a name without a wildcard in releases that have no wildcards", () => {
    expect(faults([{ type: "Allow", dnsName: "www.example.com" }], { release: "4.12" })).toEqual([]);
  });
});

describe("M15 warnings of valid rules", () => {
  const warnings = (rules: PropertyValue, more: Record<string, PropertyValue> = {}) =>
    judge(rules, more).warnings.map(({ path, problem }) => `${path} ${problem}`);
  const servers = { allowApiServer: true, dnsServerCidrs: ["192.0.2.53/32"] };
  const server = (block: string) =>
    `denies ${block}, which includes the DNS server 192.0.2.53/32 for pods that query it directly`;
  const dns = (protocol: string): PropertyValue => [{ port: 53, protocol }];
  const name = (dnsName: PropertyValue): PropertyValue => [{ type: "Allow", dnsName }];

  it.each<[string, PropertyValue, Record<string, PropertyValue>, string[]]>([
    [
      "a wildcard",
      name("*.example.com"),
      {},
      [
        "rules[0].dnsName is a wildcard, and without the feature gate DNSNameResolver OVN-Kubernetes does not apply the object",
      ],
    ],
    [
      "a name of one label, which the feature gate excludes",
      name("registry"),
      {},
      [
        'rules[0].dnsName "registry" is not a fully qualified domain name, and with the feature gate DNSNameResolver OVN-Kubernetes does not apply the object',
      ],
    ],
    ["a name without a wildcard (none)", name("www.example.com"), {}, []],
    ["an unknown name (none)", name(UNKNOWN), {}, []],
    [
      "a deny of the DNS servers that are stated",
      [deny("0.0.0.0/0")],
      servers,
      [`rules[0] ${server("0.0.0.0/0")}`],
    ],
    [
      "each rule that denies the DNS servers, once",
      [deny("192.0.2.0/24", dns("UDP")), deny("192.0.2.53/32", dns("TCP"))],
      servers,
      [`rules[0] ${server("192.0.2.0/24")}`, `rules[1] ${server("192.0.2.53/32")}`],
    ],
    [
      "invalid DNS servers (none)",
      [deny("0.0.0.0/0")],
      { ...servers, dnsServerCidrs: ["ns.example.com"] },
      [],
    ],
    ["DNS servers that are not stated (none)", [deny("0.0.0.0/0")], { allowApiServer: true }, []],
    [
      "a duplicate with its fields in another order",
      [
        { type: "Deny", cidr: "192.0.2.0/24", ports: [{ port: 443, protocol: "TCP" }] },
        { ports: [{ protocol: "TCP", port: 443 }], cidr: "192.0.2.0/24", type: "Deny" },
      ],
      {},
      ["rules[1] duplicates rules[0] and is never reached"],
    ],
    ["rules with unknown values (none)", [deny(UNKNOWN), deny(UNKNOWN)], {}, []],
    ["invalid rules (none)", ["x", "x"], {}, []],
    [
      "a namespace of the platform with a deny among other rules",
      [allow("192.0.2.0/25"), deny("192.0.2.0/24")],
      { namespace: "openshift-monitoring" },
      ["namespace openshift-monitoring belongs to the platform, whose components a Deny can cut off"],
    ],
  ])("%s", (_, rules, more, expected) => expect(warnings(rules, more)).toEqual(expected));

  it("each have a fix", () => {
    const topology: PropertyValue = {
      name: "tenant-a",
      platform: "None",
      release: "4.20",
      clusterNetwork: [{ cidr: "10.132.0.0/14" }],
      dnsServerCidrs: ["10.0.0.2/32"],
    };
    const { warnings: all } = judge(
      [
        deny("192.0.2.0/24"),
        deny("192.0.2.0/24"),
        allow("192.0.2.7/32"),
        { type: "Allow", dnsName: "*.example.com" },
        deny("10.133.0.0/16"),
        deny("0.0.0.0/0"),
      ],
      { topology, namespace: "openshift-monitoring", allowApiServer: true },
    );
    expectGolden(
      "manifests/egressFirewallWarnings.txt",
      `${describeFaults("EgressFirewall tenant-a", all)}\n`,
    );
  });
});

describe("M15 the object's node selector", () => {
  it("is that of the rule", () => {
    const matchExpressions = [{ key: "zone", operator: LabelSelectorOperator.In, values: ["a"] }];
    expect(
      egressFirewallEntry({ type: EgressFirewallRuleType.Allow, nodeSelector: { matchExpressions } }),
    ).toEqual({ type: "Allow", to: { nodeSelector: { matchExpressions } } });
  });
});
