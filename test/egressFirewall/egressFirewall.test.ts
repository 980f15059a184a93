import { egressFirewallObjectFaults } from "../../src/egressFirewall/judge";
import { describeFaults } from "../../src/fault";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";
import { allow, deny, faults, https, judge } from "./firewallRules";

describe("M15 rules that OVN-Kubernetes accepts", () => {
  it.each<[string, PropertyValue]>([
    ["IPv4", [allow("10.0.0.0/8")]],
    ["IPv6", [allow("2001:db8::/32")]],
    ["a DNS name", [{ type: "Deny", dnsName: "www.example.com" }]],
    ["a DNS name with a trailing dot", [{ type: "Deny", dnsName: "www.example.com." }]],
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
      "ports of every protocol",
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
  ])("include %s", (_, rules) => expect(faults(rules)).toEqual([]));
});

describe("M15 a deny of everything is checked against the API server", () => {
  const api = "172.20.0.1/32";
  const kas = [{ port: 6443, protocol: "TCP" }];
  it.each<[string, PropertyValue, Record<string, PropertyValue>]>([
    ["is accepted if an allow for its addresses comes first", [allow(api), deny("0.0.0.0/0")], {}],
    ["is accepted if an allow for its port comes first", [allow(api, kas), deny("0.0.0.0/0")], {}],
    ["is accepted if a wider allow comes first", [allow("172.16.0.0/12"), deny("0.0.0.0/0")], {}],
    [
      "is accepted if two allows cover it together",
      [allow("172.20.0.0/32"), allow("172.20.0.1/32"), deny("0.0.0.0/0")],
      { apiServerCidrs: ["172.20.0.0/31"] },
    ],
    ["is accepted if the component puts an allow in front", [deny("0.0.0.0/0")], { allowApiServer: true }],
    ["is accepted if the user sets allowApiServer: false", [deny("0.0.0.0/0")], { allowApiServer: false }],
    [
      "is accepted if an allow for the advertised address comes first",
      [allow("10.9.9.9/32"), deny("0.0.0.0/0")],
      { topology: { name: "a", platform: "None", advertiseAddress: "10.9.9.9" } },
    ],
    [
      "is accepted if an allow for the advertised IPv6 address comes first",
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
      "is accepted if the API server has another address, which is allowed",
      [allow("192.0.2.7/32"), deny("0.0.0.0/0")],
      { apiServerCidrs: ["192.0.2.7/32"] },
    ],
    ["is accepted if the deny is of another address", [deny("172.20.0.2/32")], {}],
    ["is accepted if the deny is of another port", [deny("0.0.0.0/0", https)], {}],
    ["is accepted if an unknown rule before it could allow it", [allow(UNKNOWN), deny("0.0.0.0/0")], {}],
    ["is accepted if the API server's address is unknown", [deny("0.0.0.0/0")], { apiServerCidrs: UNKNOWN }],
    [
      "is accepted if the deny is of IPv6 and the API server's IPv6 address is allowed",
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
      "the topology has another port",
      [allow(api, kas), deny("0.0.0.0/0")],
      { topology: { name: "a", platform: "None", apiServerPort: 7443 } },
    ],
    ["a deny of a block that includes it", [deny("172.16.0.0/12")], {}],
    [
      "an allow for a DNS name only, which could be it",
      [{ type: "Allow", dnsName: "api.example.com" }, deny("0.0.0.0/0")],
      {},
    ],
    ["a deny of IPv6", [deny("::/0")], {}],
    ["an unknown deny before it", [deny(UNKNOWN), deny("0.0.0.0/0")], {}],
  ])("is refused: %s", (_, rules, more) => {
    expect(faults(rules, more)).toEqual([
      expect.stringMatching(/denies .*, which includes the API server at .* port/),
    ]);
  });
});

describe("M15 rules that a release does not support", () => {
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
    ["wildcards without a release", wildcard, {}, []],
    [
      "rules for nodes before 4.13",
      nodes,
      { topology: { name: "a", platform: "None", release: "4.12" } },
      ["rules[0].nodeLabels rules for nodes come with release 4.13 or newer, and this is 4.12"],
    ],
    ["rules for nodes in 4.13", nodes, { release: "4.13" }, []],
    ["an invalid release", nodes, { release: 4.2 }, ["release 4.2 is not an OpenShift release"]],
    [
      "two releases",
      nodes,
      { release: "4.19", topology: { name: "a", platform: "None", release: "4.20" } },
      ["release 4.19 differs from 4.20 of the topology"],
    ],
    [
      "a network type other than OVN-Kubernetes",
      nodes,
      { topology: { name: "a", platform: "None", networkType: "Calico" } },
      ["topology.networkType Calico is not OVN-Kubernetes, and only OVN-Kubernetes supports this object"],
    ],
  ])("%s", (_, rules, more, expected) => expect(faults(rules, more)).toEqual(expected));
});

describe("M15 the address of the API server", () => {
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
      ["rules[0] denies ::/0, which includes the API server at 2001:db8::9 port 6443"],
    ],
    [
      "the IPv6 address, if only one of the rules is IPv6",
      [allow("172.20.0.1/32"), deny("::/0")],
      {},
      ["rules[1] denies ::/0, which includes the API server at fd00::1 port 6443"],
    ],
    ["a port that is not known yet", [deny("0.0.0.0/0")], { apiServerPort: UNKNOWN }, []],
    [
      "an invalid block, which is the only fault",
      [deny("0.0.0.0/0")],
      { apiServerCidrs: ["172.20.0.1"] },
      ["apiServerCidrs[0] 172.20.0.1 has no mask"],
    ],
  ])("%s", (_, rules, more, expected) => expect(faults(rules, more)).toEqual(expected));
});

describe("M15 every fault of a rule has a fix", () => {
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
      "another name, and rules that are not a list",
      { metadata: { name: "mine" }, spec: { egress: "x" } },
      [
        'metadata.name "mine" is not the name of an egress firewall: write default',
        'spec.egress "x" is not a list: write a list of rules',
      ],
    ],
    ["a name that is not known yet", { metadata: { name: UNKNOWN }, spec: { egress: UNKNOWN } }, []],
    ["no name, which Pulumi generates", { metadata: {}, spec: { egress: UNKNOWN } }, []],
  ])("in an object: %s", (_, object, expected) =>
    expect(
      egressFirewallObjectFaults(object).map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`),
    ).toEqual(expected),
  );
});
