import type { Prefix } from "../../../src/address";
import { Surplus } from "../../../src/reachability/firstMatch/surplus";
import { exampleOf } from "../../../src/reachability/packets/example";
import { Proof } from "../../../src/reachability/proof/prove";
import { Protocol } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { prefix } from "../smallUniverse";
import {
  endpointVerdict,
  fewestRules,
  type FirewallEndpoint,
  surplusRules,
} from "../../../src/reachability/egressFirewall/analyse";
import { rulesOfFirewall } from "../../../src/reachability/filters/egressFirewall";

const firewall = (egress: PropertyValue): Resource => ({
  origin: {},
  type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
  name: "default",
  properties: { metadata: { name: "default", namespace: "tenant" }, spec: { egress } },
});
const rule = (type: string, to: PropertyValue, ports?: PropertyValue): PropertyValue => ({
  type,
  to: typeof to === "string" ? { cidrSelector: to } : to,
  ...(ports !== undefined && { ports }),
});
const apiServer = {
  name: "the API server",
  prefixes: [prefix("172.20.0.1/32")],
  protocol: Protocol.Tcp,
  port: 6443,
};
const dns = { name: "a DNS server", prefixes: [prefix("10.1.0.2/32")], protocol: Protocol.Udp, port: 53 };
const clusterNetwork = [prefix("10.132.0.0/14")];

interface Surroundings {
  clusterNetwork?: readonly Prefix[];
  endpoints?: readonly FirewallEndpoint[];
}

function analyseEgressFirewall(
  object: Resource,
  { clusterNetwork: network, endpoints = [] }: Surroundings = {},
) {
  const rules = rulesOfFirewall(object);
  return {
    surplus: surplusRules(rules, network ?? []),
    fewest: fewestRules(rules, network ?? []),
    endpoints: endpoints.map((endpoint) => endpointVerdict(rules, endpoint, network)),
  };
}

const surplus = (egress: PropertyValue) =>
  analyseEgressFirewall(firewall(egress), { clusterNetwork }).surplus.map(({ path, why, by }) => [
    path,
    why,
    by,
  ]);

describe("surplus rules of an egress firewall", () => {
  test("are shadowed by the rules before them, which are named", () => {
    expect(
      surplus([
        rule("Deny", "10.0.0.0/17"),
        rule("Deny", "10.0.128.0/17"),
        rule("Allow", "10.0.7.0/24", [{ port: 443, protocol: "TCP" }]),
      ]),
    ).toEqual([["spec.egress[2]", Surplus.Shadowed, ["spec.egress[0]"]]]);
  });

  test("include blocks with host bits, which count as the whole block, as for OVN", () => {
    const bits = rule("Deny", "10.0.7.9/8");
    expect(surplus([bits, rule("Allow", "10.1.0.0/16")])).toEqual([
      ["spec.egress[1]", Surplus.Shadowed, ["spec.egress[0]"]],
    ]);
    expect(surplus([rule("Deny", "10.0.0.0/8"), bits])).toEqual([
      ["spec.egress[1]", Surplus.Shadowed, ["spec.egress[0]"]],
    ]);
    const { fewest } = analyseEgressFirewall(firewall([rule("Deny", "10.0.0.0/8"), bits]), {
      clusterNetwork,
    });
    expect(fewest).toBe(1);
  });

  test("include rules for the cluster network, which match nothing", () => {
    expect(surplus([rule("Deny", "10.132.4.0/24")])).toEqual([["spec.egress[0]", Surplus.Shadowed, []]]);
  });

  test("include an Allow rule with no rule after it", () => {
    expect(surplus([rule("Allow", "0.0.0.0/0")])).toEqual([["spec.egress[0]", Surplus.Redundant, []]]);
  });

  test("include shadowed rules, whatever an unknown rule next to them does", () => {
    const unknown = rule("Allow", { cidrSelector: UNKNOWN });
    expect(surplus([rule("Deny", "10.0.0.0/8"), unknown, rule("Allow", "10.1.0.0/16")])).toEqual([
      ["spec.egress[2]", Surplus.Shadowed, ["spec.egress[0]"]],
    ]);
  });

  test("do not include redundant rules if a value is unknown", () => {
    expect(surplus([rule("Allow", "0.0.0.0/0"), rule("Deny", { cidrSelector: UNKNOWN })])).toEqual([]);
    expect(surplus([rule("Allow", "0.0.0.0/0"), rule("Deny", "10.0.0.0/8", UNKNOWN)])).toEqual([]);
  });
});

describe("endpoints that an egress firewall cuts off", () => {
  const verdicts = (egress: PropertyValue) =>
    analyseEgressFirewall(firewall(egress), { clusterNetwork, endpoints: [apiServer, dns] }).endpoints;

  test("include the API server and DNS servers after a Deny of everything, with a packet and the rule", () => {
    expect(verdicts([rule("Deny", "0.0.0.0/0")])).toMatchObject([
      {
        proof: Proof.Refuted,
        packet: { destination: "172.20.0.1", port: 6443 },
        denials: [{ clause: { path: "spec.egress[0]" } }],
        isCutOff: true,
      },
      { proof: Proof.Refuted, packet: { destination: "10.1.0.2", port: 53 } },
    ]);
  });

  test("exclude an endpoint that an Allow rule before the Deny covers at its port", () => {
    const allow = rule("Allow", "172.20.0.1/32", [{ port: 6443, protocol: "TCP" }]);
    expect(verdicts([allow, rule("Deny", "0.0.0.0/0")]).map(({ proof }) => proof)).toEqual([
      Proof.Proved,
      Proof.Refuted,
    ]);
    const other = rule("Allow", "172.20.0.1/32", [{ port: 443, protocol: "TCP" }]);
    expect(verdicts([other, rule("Deny", "0.0.0.0/0")])[0]?.proof).toBe(Proof.Refuted);
  });

  test("are unknown after a Deny for a DNS name, which is named as the deciding value", () => {
    const [api] = verdicts([rule("Deny", { dnsName: "example.com" })]);
    expect(api).toMatchObject({
      proof: Proof.Unknown,
      values: [{ path: "spec.egress[0].to.dnsName", reason: "the addresses of example.com are not known" }],
    });
  });

  test("exclude endpoints in the cluster network", () => {
    const inside = { ...dns, prefixes: [prefix("10.132.0.10/32")] };
    const [verdict] = analyseEgressFirewall(firewall([rule("Deny", "0.0.0.0/0")]), {
      clusterNetwork,
      endpoints: [inside],
    }).endpoints;
    expect(verdict?.proof).toBe(Proof.Proved);
  });
});

test("an unknown list proves nothing", () => {
  const {
    endpoints,
    surplus: left,
    fewest,
  } = analyseEgressFirewall(firewall(UNKNOWN), {
    clusterNetwork,
    endpoints: [apiServer],
  });
  expect(endpoints).toMatchObject([{ proof: Proof.Unknown, values: [{ path: "spec.egress" }] }]);
  expect([left, fewest]).toEqual([[], undefined]);
});

test("all rules that drop parts of an endpoint are named, each with the packets that it drops", () => {
  const both = { ...apiServer, prefixes: [prefix("172.20.0.0/31")] };
  const [verdict] = analyseEgressFirewall(
    firewall([
      rule("Deny", "172.20.0.0/32"),
      rule("Deny", { cidrSelector: UNKNOWN }),
      rule("Deny", "172.16.0.0/12"),
    ]),
    { clusterNetwork, endpoints: [both] },
  ).endpoints;
  expect(
    verdict?.denials.map(({ clause, packets }) => [clause.path, exampleOf(packets)?.destination]),
  ).toEqual([
    ["spec.egress[0]", "172.20.0.0"],
    ["spec.egress[2]", "172.20.0.1"],
  ]);
  expect(verdict?.isCutOff).toBe(true);
});

test("the fewest rules with the same effect are counted", () => {
  const { fewest } = analyseEgressFirewall(
    firewall([rule("Deny", "10.0.0.0/17"), rule("Deny", "10.0.128.0/17"), rule("Deny", "10.0.0.0/24")]),
  );
  expect(fewest).toBe(1);
});

describe("the rules that shadow a rule", () => {
  const tcp = (port: number) => [{ protocol: "TCP", port }];
  const takers = (...egress: PropertyValue[]) => surplus(egress).map(([path, , by]) => [path, by]);

  test("are those before it that share addresses and ports with it", () => {
    expect(
      takers(
        rule("Deny", "192.0.2.0/24"),
        rule("Deny", "10.0.0.0/16", tcp(443)),
        rule("Deny", "10.0.0.0/16", tcp(80)),
        rule("Allow", "10.0.1.0/24", tcp(443)),
        rule("Deny", "10.0.0.0/8", tcp(8443)),
      ),
    ).toEqual([["spec.egress[3]", ["spec.egress[1]"]]]);
  });

  test("include rules without ports, and several rules if the shadowed rule has several ports", () => {
    expect(
      takers(
        rule("Deny", "10.0.0.0/16", tcp(443)),
        rule("Deny", "10.0.0.0/16", tcp(80)),
        rule("Allow", "10.0.1.0/24", [...tcp(443), ...tcp(80)]),
      ),
    ).toEqual([["spec.egress[2]", ["spec.egress[0]", "spec.egress[1]"]]]);
    expect(takers(rule("Deny", "10.0.0.0/16"), rule("Allow", "10.0.1.0/24", tcp(443)))).toEqual([
      ["spec.egress[1]", ["spec.egress[0]"]],
    ]);
  });

  test("are only the one rule that covers it, whatever other rules cover part of it", () => {
    const part: PropertyValue = rule("Allow", "10.0.0.0/24", tcp(443));
    const whole: PropertyValue = rule("Deny", "10.0.0.0/16");
    const web: PropertyValue = rule("Allow", "10.0.0.0/17", tcp(443));
    expect(takers(part, rule("Deny", "10.0.0.0/16", tcp(443)), web)).toEqual([
      ["spec.egress[2]", ["spec.egress[1]"]],
    ]);
    expect(takers(part, whole, web, whole)).toEqual([
      ["spec.egress[2]", ["spec.egress[1]"]],
      ["spec.egress[3]", ["spec.egress[1]"]],
    ]);
  });

  test("are all rules that cover it together, of its family", () => {
    const halves = (a: string, b: string): PropertyValue[] => [rule("Deny", a), rule("Deny", b)];
    expect(
      takers(
        rule("Deny", "0.0.0.0/0"),
        rule("Allow", { dnsName: "example.com" }),
        ...halves("::/1", "8000::/1"),
        rule("Allow", "::/0"),
      ),
    ).toEqual([["spec.egress[4]", ["spec.egress[2]", "spec.egress[3]"]]]);
    expect(
      takers(
        rule("Allow", "10.0.0.0/24"),
        ...halves("10.0.0.0/17", "10.0.128.0/17"),
        rule("Allow", "10.0.0.0/16"),
      ),
    ).toEqual([["spec.egress[3]", ["spec.egress[0]", "spec.egress[1]", "spec.egress[2]"]]]);
    expect(takers(...halves("0.0.0.0/0", "::/0"), rule("Allow", { dnsName: "example.com" }))).toEqual([
      ["spec.egress[2]", ["spec.egress[0]", "spec.egress[1]"]],
    ]);
  });

  test("are none for a redundant rule, because the rules and the default after it have the same effect", () => {
    expect(surplus([rule("Deny", "10.0.0.0/24"), rule("Allow", "10.0.0.0/16")])).toEqual([
      ["spec.egress[1]", Surplus.Redundant, []],
    ]);
    expect(surplus([rule("Deny", "10.0.0.0/24"), rule("Allow", { dnsName: "example.com" })])).toEqual([
      ["spec.egress[1]", Surplus.Redundant, []],
    ]);
  });

  test("are none for a rule for the cluster network, which is marked as exempt", () => {
    const { surplus: found } = analyseEgressFirewall(
      firewall([
        rule("Deny", "10.132.0.0/15"),
        rule("Allow", "10.132.1.0/24"),
        rule("Deny", "10.0.0.0/16"),
        rule("Allow", "10.0.1.0/24"),
      ]),
      { clusterNetwork: [prefix("192.0.2.0/24"), ...clusterNetwork] },
    );
    expect(found.map(({ path, isExempt, by }) => [path, isExempt, by])).toEqual([
      ["spec.egress[0]", true, []],
      ["spec.egress[1]", true, []],
      ["spec.egress[3]", false, ["spec.egress[2]"]],
    ]);
  });
});

describe("a list with an unreadable rule has no redundant rules and no known fewest rules", () => {
  const open = rule("Allow", "0.0.0.0/0");
  const port = (value: PropertyValue) => rule("Deny", "10.0.0.0/8", [{ protocol: "TCP", port: value }]);
  test.each<[string, PropertyValue]>([
    ["the whole rule", UNKNOWN],
    ["an unknown block", rule("Deny", { cidrSelector: UNKNOWN })],
    ["unknown ports", rule("Deny", "10.0.0.0/8", UNKNOWN)],
    ["an unknown type", { type: UNKNOWN, to: { cidrSelector: "10.0.0.0/8" } }],
    ["an unsupported type", rule("Drop", "10.0.0.0/8")],
    ["a text that is not a block", rule("Deny", "10.0.0.0")],
    ["an unsupported protocol", rule("Deny", "10.0.0.0/8", [{ protocol: "QUIC", port: 443 }])],
    ["an unknown protocol", rule("Deny", "10.0.0.0/8", [{ protocol: UNKNOWN, port: 443 }])],
    ["port 0", port(0)],
    ["port 65536", port(65536)],
    ["a fractional port", port(1.5)],
    ["a port as text", port("443")],
  ])("%s", (_, one) => {
    const { surplus: found, fewest } = analyseEgressFirewall(firewall([open, one]), { clusterNetwork });
    expect([found, fewest]).toEqual([[], undefined]);
  });

  test.each([1, 65535])("port %d can be read", (number) => {
    const { fewest } = analyseEgressFirewall(firewall([open, port(number)]), { clusterNetwork });
    expect(fewest).toBe(0);
  });
});

describe("the verdict on an endpoint", () => {
  const told = (
    egress: PropertyValue[],
    endpoint = apiServer,
    network: typeof clusterNetwork | undefined = clusterNetwork,
  ) =>
    analyseEgressFirewall(firewall(egress), {
      ...(network && { clusterNetwork: network }),
      endpoints: [endpoint],
    }).endpoints[0];

  test("is missing without endpoints, and is only proved for a reachable endpoint", () => {
    expect(analyseEgressFirewall(firewall([])).endpoints).toEqual([]);
    expect(told([])).toEqual({
      endpoint: apiServer,
      proof: Proof.Proved,
      denials: [],
      isCutOff: false,
      values: [],
    });
  });

  test("ignores rules for other addresses, even if they have unknown values", () => {
    const elsewhere = rule("Deny", "192.0.2.0/24", UNKNOWN);
    expect(told([elsewhere])?.proof).toBe(Proof.Proved);
    const both = { ...apiServer, prefixes: [prefix("192.0.2.1/32"), ...apiServer.prefixes] };
    expect(told([elsewhere], both)).toMatchObject({
      proof: Proof.Unknown,
      values: [{ path: "spec.egress[0].ports" }],
      denials: [],
      isCutOff: false,
    });
  });

  test("names no rule that allows part of the endpoint", () => {
    const both = { ...apiServer, prefixes: [prefix("172.20.0.0/31")] };
    const verdict = told(
      [rule("Allow", "172.20.0.0/32"), rule("Deny", "172.20.0.0/31"), rule("Deny", "172.16.0.0/12")],
      both,
    );
    expect(verdict?.denials.map(({ clause }) => clause.path)).toEqual(["spec.egress[1]"]);
    expect(verdict).toMatchObject({ isCutOff: false, values: [] });
  });
});
