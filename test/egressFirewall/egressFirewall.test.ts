import fc from "fast-check";
import { EgressFirewallProtocol, EgressFirewallRuleType } from "../../src/resources/egressFirewallRules";
import { apiServerRules, egressFirewallEntry } from "../../src/egressFirewall/egressFirewall";
import { egressFirewallObjectFaults, judgeEgressFirewall } from "../../src/egressFirewall/judge";
import { describeFaults } from "../../src/fault";
import { LIMIT } from "../../src/requirements/limits";
import { LabelSelectorOperator } from "../../src/resources/kubernetesObject";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";

const allow = (cidr: PropertyValue, ports?: PropertyValue): PropertyValue => ({
  type: "Allow",
  cidr,
  ...(ports !== undefined && { ports }),
});
const deny = (cidr: PropertyValue, ports?: PropertyValue): PropertyValue => ({
  type: "Deny",
  cidr,
  ...(ports !== undefined && { ports }),
});
const https = [{ port: 443, protocol: "TCP" }];
const judge = (rules: PropertyValue, more: Record<string, PropertyValue> = {}) =>
  judgeEgressFirewall({ namespace: "tenant-a", rules, ...more });
const faults = (rules: PropertyValue, more?: Record<string, PropertyValue>) =>
  judge(rules, more).faults.map(({ path, problem }) => `${path} ${problem}`);

describe("M15 rules that OVN-Kubernetes takes", () => {
  it.each<[string, PropertyValue]>([
    ["IPv4", [allow("10.0.0.0/8")]],
    ["IPv6", [allow("2001:db8::/32")]],
    ["a DNS name", [{ type: "Deny", dnsName: "www.example.com" }]],
    ["a DNS name with a dot at its end", [{ type: "Deny", dnsName: "www.example.com." }]],
    ["a wildcard", [{ type: "Allow", dnsName: "*.example.com" }]],
    ["labels of nodes", [{ type: "Allow", nodeLabels: { "node-role.kubernetes.io/worker": "" } }]],
    ["every node", [{ type: "Allow", nodeLabels: {} }]],
    [
      "a selector of nodes",
      [
        {
          type: "Allow",
          nodeSelector: { matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] },
        },
      ],
    ],
    [
      "ports of every transport",
      [
        deny("192.0.2.0/24", [
          { port: 1, protocol: "TCP" },
          { port: 65535, protocol: "UDP" },
          { port: 5, protocol: "SCTP" },
        ]),
      ],
    ],
    ["a deny of another port everywhere", [deny("0.0.0.0/0", https)]],
    ["values that are not known yet", [{ type: UNKNOWN, cidr: UNKNOWN, ports: UNKNOWN }, UNKNOWN]],
    ["a list that is not known yet", UNKNOWN],
  ])("%s", (_, rules) => expect(faults(rules)).toEqual([]));
});

describe("M15 rules that leave the whole firewall unapplied", () => {
  it.each<[string, PropertyValue, string]>([
    ["no list", "x", 'rules "x" is not a list'],
    ["nothing", null, "rules missing"],
    ["no rules", [], "rules has no rules"],
    ["a rule that is not an object", ["x"], "rules[0] is not a rule"],
    [
      "a type that only begins well",
      [{ type: "Allowed", cidr: "10.0.0.0/8" }],
      'rules[0].type "Allowed" is not Allow or Deny',
    ],
    [
      "a type in small letters",
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
      "a protocol that only begins well",
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
      "half a port",
      [deny("192.0.2.0/24", [{ port: 1.5, protocol: "TCP" }])],
      "rules[0].ports[0].port 1.5 is not a port",
    ],
    [
      "a port as text",
      [deny("192.0.2.0/24", [{ port: "443", protocol: "TCP" }])],
      'rules[0].ports[0].port "443" is not a port',
    ],
    [
      "a label that is none",
      [{ type: "Allow", nodeLabels: { a: "b c" } }],
      'rules[0].nodeLabels.a "b c" is not a label value',
    ],
    [
      "a property that does not exist",
      [{ type: "Allow", cidrs: "10.0.0.0/8", cidr: "10.0.0.0/8" }],
      "rules[0].cidrs no such property",
    ],
  ])("%s", (_, rules, fault) => expect(faults(rules)).toEqual([fault]));

  it("more than 8,000 of them, with those for the API server counted", () => {
    const full = Array.from({ length: LIMIT.egressFirewallRules }, (_, i) =>
      allow(`10.${i >> 8}.${i & 255}.0/24`),
    );
    expect(faults(full)).toEqual([]);
    expect(faults([...full, allow("192.0.2.0/24")])).toEqual([
      "rules 8001 rules, of which OVN-Kubernetes takes 8000",
    ]);
    expect(faults(full, { allowApiServer: true })).toHaveLength(1);
  });

  it("all of them are told at once", () => {
    const rules: PropertyValue = [
      allow("10.0.0.0"),
      { type: "Deny", ports: [{ port: 443 }] },
      deny("0.0.0.0/0"),
    ];
    const { faults: all } = judge(rules, { namespace: "Tenant A", allowApiServer: "yes" });
    expectGolden("manifests/egressFirewallFaults.txt", `${describeFaults("EgressFirewall tenant-a", all)}\n`);
  });
});

describe("M15 a deny of everything keeps the API reachable", () => {
  const api = "172.20.0.1/32";
  const kas = [{ port: 6443, protocol: "TCP" }];
  it.each<[string, PropertyValue, Record<string, PropertyValue>]>([
    ["when an allow for its addresses comes first", [allow(api), deny("0.0.0.0/0")], {}],
    ["when an allow for its port comes first", [allow(api, kas), deny("0.0.0.0/0")], {}],
    ["when a wider allow comes first", [allow("172.16.0.0/12"), deny("0.0.0.0/0")], {}],
    [
      "when two allows cover it together",
      [allow("172.20.0.0/32"), allow("172.20.0.1/32"), deny("0.0.0.0/0")],
      { apiServerCidrs: ["172.20.0.0/31"] },
    ],
    ["when the component puts an allow in front", [deny("0.0.0.0/0")], { allowApiServer: true }],
    ["unless the user accepts that it does not", [deny("0.0.0.0/0")], { allowApiServer: false }],
    [
      "when an allow for the address that the cluster advertises comes first",
      [allow("10.9.9.9/32"), deny("0.0.0.0/0")],
      { topology: { name: "a", platform: "None", advertiseAddress: "10.9.9.9" } },
    ],
    [
      "at an IPv6 address that the cluster advertises",
      [allow("2001:db8::9/128"), deny("::/0")],
      {
        topology: {
          name: "a",
          platform: "None",
          clusterNetwork: [{ cidr: "fd01::/48" }],
          serviceNetwork: [{ cidr: "fd02::/112" }],
          advertiseAddress: "2001:db8::9",
        },
      },
    ],
    [
      "where the API server is elsewhere and allowed there",
      [allow("192.0.2.7/32"), deny("0.0.0.0/0")],
      { apiServerCidrs: ["192.0.2.7/32"] },
    ],
    ["when the deny is of another address", [deny("172.20.0.2/32")], {}],
    ["when the deny is of another port", [deny("0.0.0.0/0", https)], {}],
    ["where an unknown rule before it may allow it", [allow(UNKNOWN), deny("0.0.0.0/0")], {}],
    ["where the API server's address is not known", [deny("0.0.0.0/0")], { apiServerCidrs: UNKNOWN }],
    [
      "when the deny is of IPv6 and the API server is allowed there",
      [allow("fd00::1/128"), deny("::/0")],
      {},
    ],
  ])("%s", (_, rules, more) => expect(faults(rules, more)).toEqual([]));

  it.each<[string, PropertyValue, Record<string, PropertyValue>]>([
    ["no allow at all", [deny("0.0.0.0/0")], {}],
    ["the allow comes too late", [deny("0.0.0.0/0"), allow(api)], {}],
    ["the allow is of another port", [allow(api, https), deny("0.0.0.0/0")], {}],
    [
      "the allow covers half of it",
      [allow("172.20.0.1/32"), deny("0.0.0.0/0")],
      { apiServerCidrs: ["172.20.0.0/31"] },
    ],
    ["the API server listens at another port", [allow(api, kas), deny("0.0.0.0/0")], { apiServerPort: 7443 }],
    [
      "the topology says another port",
      [allow(api, kas), deny("0.0.0.0/0")],
      { topology: { name: "a", platform: "None", apiServerPort: 7443 } },
    ],
    ["a deny that only happens to hold it", [deny("172.16.0.0/12")], {}],
    ["a DNS name that might be it", [{ type: "Allow", dnsName: "api.example.com" }, deny("0.0.0.0/0")], {}],
    ["a deny of IPv6", [deny("::/0")], {}],
    ["an unknown deny before it", [deny(UNKNOWN), deny("0.0.0.0/0")], {}],
  ])("is refused: %s", (_, rules, more) => {
    expect(faults(rules, more)).toEqual([
      expect.stringMatching(/denies .*, and with it the API server at .* port/),
    ]);
  });
});

describe("M15 what a release does not have yet", () => {
  const wildcard: PropertyValue = [{ type: "Allow", dnsName: "*.example.com" }];
  const nodes: PropertyValue = [{ type: "Allow", nodeLabels: { zone: "a" } }];
  it.each<[string, PropertyValue, Record<string, PropertyValue>, string[]]>([
    [
      "wildcards before 4.16",
      wildcard,
      { release: "4.15" },
      ["rules[0].dnsName wildcards come with release 4.16 or newer, and this is 4.15"],
    ],
    ["wildcards in 4.16", wildcard, { release: "4.16" }, []],
    ["wildcards where the release is not known", wildcard, {}, []],
    [
      "rules for nodes before 4.13",
      nodes,
      { topology: { name: "a", platform: "None", release: "4.12" } },
      ["rules[0].nodeLabels rules for nodes come with release 4.13 or newer, and this is 4.12"],
    ],
    ["rules for nodes in 4.13", nodes, { release: "4.13" }, []],
    ["a release that is none", nodes, { release: 4.2 }, ["release 4.2 is not an OpenShift release"]],
    [
      "two releases",
      nodes,
      { release: "4.19", topology: { name: "a", platform: "None", release: "4.20" } },
      ["release 4.19 is another one than 4.20 of the topology"],
    ],
    [
      "another network than OVN-Kubernetes",
      nodes,
      { topology: { name: "a", platform: "None", networkType: "Calico" } },
      ["topology.networkType Calico is not OVN-Kubernetes, and only OVN-Kubernetes knows this object"],
    ],
  ])("%s", (_, rules, more, expected) => expect(faults(rules, more)).toEqual(expected));
});

describe("M15 what works, but probably not as meant", () => {
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
  const denied = "denies 0.0.0.0/0, and with it the DNS server 10.0.0.2/32 to pods that ask it themselves";
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
    ["a rule that holds more than the cluster's networks", [deny("10.132.0.0/13")], {}, []],
    ["a deny of the DNS servers", [deny("0.0.0.0/0")], { allowApiServer: true }, [`rules[0] ${denied}`]],
    [
      "a deny of the DNS servers only by TCP",
      [dns("UDP"), deny("0.0.0.0/0")],
      { allowApiServer: true },
      [`rules[1] ${denied}`],
    ],
    [
      "DNS servers that are allowed before",
      [dns("UDP"), dns("TCP"), deny("0.0.0.0/0")],
      { allowApiServer: true },
      [],
    ],
    [
      "DNS servers inside the cluster network, which is exempt",
      [deny("0.0.0.0/0")],
      { allowApiServer: true, dnsServerCidrs: ["10.132.4.5/32"] },
      [],
    ],
    [
      "a rule that another before it takes whole",
      [deny("192.0.2.0/24"), allow("192.0.2.7/32", https)],
      {},
      ["rules[1] is never reached: rules[0] before it takes everything it is about"],
    ],
    [
      "a rule that two before it take together",
      [deny("192.0.2.0/25"), deny("192.0.2.128/25"), allow("192.0.2.0/24")],
      {},
      ["rules[2] is never reached: rules[0], rules[1] before it take everything it is about"],
    ],
    [
      "a rule that says the same as one before it, once",
      [deny("192.0.2.0/24"), deny("192.0.2.0/24")],
      {},
      ["rules[1] says the same as rules[0] and is never reached"],
    ],
    ["a rule of which something is left", [deny("192.0.2.0/25"), allow("192.0.2.0/24")], {}, []],
    ["a rule behind an unknown one", [deny(UNKNOWN), allow("192.0.2.0/24")], {}, []],
    [
      "a deny in a namespace of the platform",
      [deny("192.0.2.0/24")],
      { namespace: "openshift-monitoring" },
      ["namespace openshift-monitoring belongs to the platform, whose components a Deny can cut off"],
    ],
    ["an allow in a namespace of the platform", [allow("192.0.2.0/24")], { namespace: "kube-system" }, []],
    ["a namespace that only begins like one", [deny("192.0.2.0/24")], { namespace: "kubernetes" }, []],
  ])("%s", (_, rules, more, expected) => expect(warnings(rules, more)).toEqual(expected));
});

describe("the object", () => {
  it("holds each rule as OVN-Kubernetes writes it", () => {
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

  it("faults of objects that others wrote stand at the object's own paths", () => {
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

  it("whatever is given, the check ends with faults or without, and never throws", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void judge([value as PropertyValue])));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void egressFirewallObjectFaults(value as PropertyValue)),
    );
  });
});

describe("M15 destinations at the ends of what is taken", () => {
  const name = (length: number): string => `${"a".repeat(60)}.`.repeat(4) + "a".repeat(length - 4 * 61);
  it.each<[string, PropertyValue]>([
    ["a DNS name of 253 characters", name(253)],
    ["a DNS name with a label of 63 characters", `${"a".repeat(63)}.example.com`],
    ["a DNS name that is not known yet", UNKNOWN],
  ])("takes %s", (_, dnsName) => expect(faults([{ type: "Deny", dnsName }])).toEqual([]));

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

  it("takes a name without wildcard in releases that have no wildcards", () => {
    expect(faults([{ type: "Allow", dnsName: "www.example.com" }], { release: "4.12" })).toEqual([]);
  });
});

describe("M15 where the API server is", () => {
  const topology = (more: Record<string, PropertyValue>): Record<string, PropertyValue> => ({
    topology: { name: "a", platform: "None", ...more },
  });
  const ipv6 = topology({
    clusterNetwork: [{ cidr: "fd01::/48" }],
    serviceNetwork: [{ cidr: "fd02::/112" }],
    advertiseAddress: "2001:db8::9",
  });
  it.each<[string, PropertyValue, Record<string, PropertyValue>, string[]]>([
    [
      "an IPv6 address that the cluster advertises",
      [deny("::/0")],
      ipv6,
      ["rules[0] denies ::/0, and with it the API server at 2001:db8::9 port 6443"],
    ],
    [
      "the IPv6 one too, where only one of the rules speaks of IPv6",
      [allow("172.20.0.1/32"), deny("::/0")],
      {},
      ["rules[1] denies ::/0, and with it the API server at fd00::1 port 6443"],
    ],
    ["a port that is not known yet", [deny("0.0.0.0/0")], { apiServerPort: UNKNOWN }, []],
    [
      "a block that is none, of which only that is said",
      [deny("0.0.0.0/0")],
      { apiServerCidrs: ["172.20.0.1"] },
      ["apiServerCidrs[0] 172.20.0.1 has no mask"],
    ],
  ])("%s", (_, rules, more, expected) => expect(faults(rules, more)).toEqual(expected));
});

describe("M15 what is warned about in rules that work", () => {
  const warnings = (rules: PropertyValue, more: Record<string, PropertyValue> = {}) =>
    judge(rules, more).warnings.map(({ path, problem }) => `${path} ${problem}`);
  const servers = { allowApiServer: true, dnsServerCidrs: ["192.0.2.53/32"] };
  const server = (block: string) =>
    `denies ${block}, and with it the DNS server 192.0.2.53/32 to pods that ask it themselves`;
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
    ["no name without a wildcard", name("www.example.com"), {}, []],
    ["no name that is not known yet", name(UNKNOWN), {}, []],
    [
      "a deny of the DNS servers that are stated",
      [deny("0.0.0.0/0")],
      servers,
      [`rules[0] ${server("0.0.0.0/0")}`],
    ],
    [
      "each rule that denies them, once",
      [deny("192.0.2.0/24", dns("UDP")), deny("192.0.2.53/32", dns("TCP"))],
      servers,
      [`rules[0] ${server("192.0.2.0/24")}`, `rules[1] ${server("192.0.2.53/32")}`],
    ],
    [
      "no DNS servers that are none",
      [deny("0.0.0.0/0")],
      { ...servers, dnsServerCidrs: ["ns.example.com"] },
      [],
    ],
    ["no DNS servers where nothing says any", [deny("0.0.0.0/0")], { allowApiServer: true }, []],
    [
      "a rule that says the same in another order",
      [
        { type: "Deny", cidr: "192.0.2.0/24", ports: [{ port: 443, protocol: "TCP" }] },
        { ports: [{ protocol: "TCP", port: 443 }], cidr: "192.0.2.0/24", type: "Deny" },
      ],
      {},
      ["rules[1] says the same as rules[0] and is never reached"],
    ],
    ["no rules of which something is not known", [deny(UNKNOWN), deny(UNKNOWN)], {}, []],
    ["nothing of rules that are none", ["x", "x"], {}, []],
    [
      "a namespace of the platform with one deny among others",
      [allow("192.0.2.0/25"), deny("192.0.2.0/24")],
      { namespace: "openshift-monitoring" },
      ["namespace openshift-monitoring belongs to the platform, whose components a Deny can cut off"],
    ],
  ])("%s", (_, rules, more, expected) => expect(warnings(rules, more)).toEqual(expected));

  it("each with the way out", () => {
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

describe("M15 every fault of a rule says the way out", () => {
  it("in the inputs of the component", () => {
    const each: PropertyValue[] = [
      null,
      "x",
      [],
      [
        "x",
        { type: "Deny" },
        ...["192.0.2.1", "2001:db8::1", "https://x.example.com"].map((dnsName) => ({
          type: "Deny",
          dnsName,
        })),
      ],
    ];
    const all = each.flatMap((rules) => judge(rules).faults);
    expectGolden(
      "manifests/egressFirewallRuleFaults.txt",
      `${describeFaults("EgressFirewall tenant-a", all)}\n`,
    );
  });

  it.each<[string, PropertyValue, string[]]>([
    [
      "another name, and rules that are no list",
      { metadata: { name: "mine" }, spec: { egress: "x" } },
      [
        'metadata.name "mine" is not the name of an egress firewall: write default',
        'spec.egress "x" is not a list: write a list of rules',
      ],
    ],
    ["a name that is not known yet", { metadata: { name: UNKNOWN }, spec: { egress: UNKNOWN } }, []],
    ["no name, which Pulumi makes up", { metadata: {}, spec: { egress: UNKNOWN } }, []],
  ])("in an object: %s", (_, object, expected) =>
    expect(
      egressFirewallObjectFaults(object).map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`),
    ).toEqual(expected),
  );
});

describe("M15 the object has a selector of nodes", () => {
  it("as the rule says it", () => {
    const matchExpressions = [{ key: "zone", operator: LabelSelectorOperator.In, values: ["a"] }];
    expect(
      egressFirewallEntry({ type: EgressFirewallRuleType.Allow, nodeSelector: { matchExpressions } }),
    ).toEqual({ type: "Allow", to: { nodeSelector: { matchExpressions } } });
  });
});
