import { FAMILIES, type Family } from "../../../src/address";
import { Action, type Filter } from "../../../src/reachability/filters/filter";
import { allowedBy } from "../../../src/reachability/filters/decide";
import { networkPolicyFilter } from "../../../src/reachability/filters/networkPolicy";
import { securityGroupFilter } from "../../../src/reachability/filters/securityGroup";
import type { PodEnd } from "../../../src/reachability/filters/policySelection";
import { packets } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { Proof, prove } from "../../../src/reachability/proof/prove";
import { Direction } from "../../../src/requirements/vocabulary";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { securityGroups } from "../../../src/resources/securityGroups";
import { differences, prefix, type SmallPacket } from "../smallUniverse";
import { AMONG, every, expectPassing, named, none, resource, STORED } from "./passing";
import { describePackets, egressFirewallFilter } from "../shown";

describe("the unknown values of an egress firewall", () => {
  const firewall = (egress: PropertyValue) =>
    resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", { spec: { egress } });
  const deny = (to: PropertyValue, more: Record<string, PropertyValue> = {}) =>
    firewall([{ type: "Deny", to, ...more }]);
  const block = { cidrSelector: "10.0.0.0/30" };
  const inBlock = ({ destination }: SmallPacket) => destination < 4;
  const CONTRADICTION = [
    { key: "a", operator: "Exists" },
    { key: "a", operator: "DoesNotExist" },
  ];

  test.each<[string, Resource, string[]]>([
    ["the list", firewall(UNKNOWN), ["spec.egress"]],
    ["a block", deny({ cidrSelector: UNKNOWN }), ["spec.egress[0].to.cidrSelector"]],
    [
      "an unknown DNS name",
      deny({ dnsName: UNKNOWN }),
      ["spec.egress[0].to.dnsName: the addresses of the name are not known"],
    ],
    [
      "the addresses of selected nodes",
      deny({ nodeSelector: { matchLabels: { a: "b" } } }),
      ["spec.egress[0].to.nodeSelector: the addresses of the selected nodes are not known"],
    ],
    [
      "a destination of an unknown kind",
      deny({ podSelector: {} }),
      [
        "spec.egress[0].to.podSelector: no such property: kubectl refuses the object, and without strict validation the API server drops the property",
      ],
    ],
  ])("include %s: nothing surely passes, anything may", (_, one, expected) => {
    const filter = egressFirewallFilter(one, []);
    expect(named(filter)).toEqual(expected);
    expectPassing(filter, none, every);
  });

  test.each<[string, Resource, string[]]>([
    ["the ports", deny(block, { ports: UNKNOWN }), ["spec.egress[0].ports"]],
    ["a protocol", deny(block, { ports: [{ protocol: UNKNOWN, port: 1 }] }), ["spec.egress[0].ports[0]"]],
    ["the type", firewall([{ type: UNKNOWN, to: block }]), ["spec.egress[0].type"]],
  ])("include %s: packets to other addresses surely pass", (_, one, expected) => {
    const filter = egressFirewallFilter(one, []);
    expect([...new Set(named(filter))]).toEqual(expected);
    expectPassing(filter, (packet) => !inBlock(packet), every);
  });

  test.each<[string, Resource, string]>([
    [
      "a type that the API server refuses",
      firewall([{ type: "Drop", to: block }]),
      'spec.egress[0].type: "Drop" is not Allow or Deny: the API server refuses the object',
    ],
    [
      "a port that the API server refuses in another rule",
      firewall([
        { type: "Deny", to: block },
        { type: "Allow", to: { cidrSelector: "192.0.2.0/24" }, ports: [{ port: 65536, protocol: "TCP" }] },
      ]),
      "spec.egress[1].ports[0].port: 65536 is not a port: the API server refuses the object",
    ],
    [
      "a missing port number, without which the API server refuses the object",
      deny(block, { ports: [{ protocol: "TCP" }, {}] }),
      "spec.egress[0].ports[0].port: missing: the API server refuses the object",
    ],
    [
      "a selector that OVN-Kubernetes cannot read",
      firewall([
        { type: "Deny", to: block },
        { type: "Allow", to: { nodeSelector: { matchExpressions: [{ key: "a", operator: "Is" }] } } },
      ]),
      'spec.egress[1].to.nodeSelector.matchExpressions[0].operator: "Is" is not In, NotIn, Exists or DoesNotExist: because of this, OVN-Kubernetes applies none of the object\'s 2 rules',
    ],
    [
      "a property that does not exist",
      resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", {
        spec: { egress: [{ type: "Deny", to: block }], egres: [] },
      }),
      "spec.egres: no such property: kubectl refuses the object, and without strict validation the API server drops the property",
    ],
    [
      "a rule where the list should be",
      firewall({ type: "Deny", to: block }),
      "spec.egress: an object is not a list: the API server refuses the object",
    ],
    [
      "a text where the list should be",
      firewall("x"),
      'spec.egress: "x" is not a list: the API server refuses the object',
    ],
    [
      "another name",
      resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", {
        metadata: { name: "mine" },
        spec: { egress: [{ type: "Deny", to: block }] },
      }),
      'metadata.name: "mine" is not the name of an egress firewall: the API server refuses the object',
    ],
    [
      "two destinations",
      deny({ ...block, dnsName: "example.com" }),
      "spec.egress[0]: has more than one destination: the API server refuses the object",
    ],
    [
      "an API version that a server may not have",
      { ...deny(block), type: "kubernetes:k8s.ovn.org/v1beta1:EgressFirewall" },
      "apiVersion: whether a server has this version: the object is judged by the fields of k8s.ovn.org/v1",
    ],
  ])("are everything because of %s: an earlier object may be in force", (_, one, expected) => {
    const filter = egressFirewallFilter(one, []);
    expect(named(filter)).toEqual([expected]);
    expectPassing(filter, none, every);
  });

  test("include an unknown port, which may be any port of its protocol", () => {
    const filter = egressFirewallFilter(deny(block, { ports: [{ protocol: "TCP", port: UNKNOWN }] }), []);
    expect(named(filter)).toEqual(["spec.egress[0].ports[0]"]);
    expectPassing(filter, (packet) => !inBlock(packet) || packet.protocol !== 6, every);
  });

  test("include each part of an unknown rule, which may be any rule", () => {
    const filter = egressFirewallFilter(firewall([UNKNOWN]), []);
    const parts = ["ports", "to.cidrSelector", "type"];
    expect(named(filter)).toEqual(parts.map((part) => `spec.egress[0].${part}`));
    expect(filter.clauses[0]?.actions).toEqual([Action.Allow, Action.Deny]);
    expectPassing(filter, none, every);
  });

  test("exclude what the API server accepts: other types drop, and other protocols match nothing", () => {
    const filter = egressFirewallFilter(firewall([{ type: "Allowed", to: block }]), []);
    expect(named(filter)).toEqual([]);
    const passes = (packet: SmallPacket) => !inBlock(packet);
    expectPassing(filter, passes, passes);
    const other = firewall([
      { type: "Deny", to: block },
      { type: "Allow", to: { cidrSelector: "192.0.2.0/24" }, ports: [{ port: 1, protocol: "TCPX" }] },
      { type: "Allow", to: { nodeSelector: { matchExpressions: CONTRADICTION } } },
      { type: "Allow", to: { dnsName: "192.0.2.1" } },
    ]);
    const [first] = egressFirewallFilter(other, []).clauses;
    expect(first?.unknown).toEqual([]);
  });

  test("include the destination if the cluster network, which is exempt, is unknown", () => {
    const filter = egressFirewallFilter(deny(block), undefined);
    expect(named(filter)).toEqual([
      "spec.egress[0].to.cidrSelector: addresses of the cluster network are exempt, but the cluster network is not known",
    ]);
    expectPassing(filter, (packet) => !inBlock(packet), every);
  });

  test("exclude a block with host bits, which is read as OVN reads it", () => {
    const filter = egressFirewallFilter(deny({ cidrSelector: "10.0.0.1/30" }), []);
    expect(named(filter)).toEqual([]);
    const passes = (packet: SmallPacket) => !inBlock(packet);
    expectPassing(filter, passes, passes);
  });

  test("exclude a DNS name whose addresses are known", () => {
    const addressesOf = () => [prefix("10.0.0.0/30")];
    const filter = egressFirewallFilter(deny({ dnsName: "example.com" }), [], addressesOf);
    expect(named(filter)).toEqual([]);
    const passes = (packet: SmallPacket) => !inBlock(packet);
    expectPassing(filter, passes, passes);
  });
});

describe("the unknown values of a security group", () => {
  const rule = { protocol: "tcp", fromPort: 1, toPort: 2, cidrBlocks: ["10.0.0.0/30"] };
  const filterOf = (properties: Record<string, PropertyValue>, ...others: Resource[]) => {
    const group = resource(TYPE.securityGroup, { id: "sg-1", egress: [{ ...rule, ...properties }] });
    const { groups } = securityGroups(new ResourceIndex([group, ...others]));
    return securityGroupFilter(
      groups.flatMap((one) => one.rules),
      Direction.Egress,
      () => undefined,
    );
  };
  const inRule = ({ destination, protocol, port }: SmallPacket) =>
    destination < 4 && protocol === 6 && port >= 1 && port <= 2;

  test("are none if everything is known", () => {
    const filter = filterOf({});
    expect(named(filter)).toEqual([]);
    expect(filter.clauses[0]?.assumed).toBeUndefined();
    expectPassing(filter, inRule, inRule);
  });

  test.each<[string, Record<string, PropertyValue>, string[], (packet: SmallPacket) => boolean]>([
    [
      "a port",
      { fromPort: UNKNOWN },
      ["egress[0].fromPort"],
      ({ destination, protocol }) => destination < 4 && protocol === 6,
    ],
    ["a protocol", { protocol: UNKNOWN }, ["egress[0].protocol"], ({ destination }) => destination < 4],
    [
      "an unknown protocol",
      { protocol: "quic" },
      ["egress[0].protocol: it names an unknown protocol"],
      ({ destination }) => destination < 4,
    ],
    [
      "a protocol number above 255",
      { protocol: "256" },
      ["egress[0].protocol: it names an unknown protocol"],
      ({ destination }) => destination < 4,
    ],
    [
      "a block",
      { cidrBlocks: [UNKNOWN] },
      ["egress[0].cidrBlocks[0]"],
      ({ protocol, port }) => protocol === 6 && port >= 1 && port <= 2,
    ],
    [
      "the addresses of a group outside the stack",
      { cidrBlocks: [], securityGroups: ["sg-9"] },
      [
        "egress[0].securityGroups[0]: the addresses behind the security group that is not in this stack are not known",
      ],
      ({ protocol, port }) => protocol === 6 && port >= 1 && port <= 2,
    ],
    [
      "the addresses of the group itself",
      { cidrBlocks: [], self: true },
      ["egress[0].self: the addresses behind the security group it are not known"],
      ({ protocol, port }) => protocol === 6 && port >= 1 && port <= 2,
    ],
    ["an ICMP type", { protocol: "icmp", fromPort: UNKNOWN }, ["egress[0].fromPort"], none],
  ])("include %s", (_, properties, expected, possible) => {
    const filter = filterOf(properties);
    expect(named(filter)).toEqual(expected);
    expectPassing(filter, none, possible);
  });

  const proofFor = (family: Family, filter: Filter) => {
    const destinations = [prefix(family === 4 ? "203.0.113.0/24" : "2001:db8::/64")];
    return prove(packets({ destinations, services: [service(6, { from: 1, to: 1 })] }), [filter]).proof;
  };

  test.each<[string, Record<string, PropertyValue>, Family[]]>([
    ["in a list for IPv4", { cidrBlocks: [UNKNOWN] }, [4]],
    ["instead of a list for IPv4", { cidrBlocks: UNKNOWN }, [4]],
    ["in a list for IPv6", { cidrBlocks: [], ipv6CidrBlocks: [UNKNOWN] }, [6]],
    ["in lists for both", { cidrBlocks: [UNKNOWN], ipv6CidrBlocks: [UNKNOWN] }, [4, 6]],
    ["of a prefix list outside the stack", { cidrBlocks: [], prefixListIds: ["pl-9"] }, [4, 6]],
    ["in a prefix list for IPv6", { cidrBlocks: [], prefixListIds: ["pl-6"] }, [6]],
    ["in a prefix list of either family", { cidrBlocks: [], prefixListIds: ["pl-0"] }, [4, 6]],
  ])("include a block %s, which may match only these families: %s", (_, properties, families) => {
    const list = (id: string, addressFamily: PropertyValue) =>
      resource(TYPE.prefixList, { id, addressFamily, entries: [{ cidr: UNKNOWN }] });
    const filter = filterOf(properties, list("pl-6", "IPv6"), list("pl-0", UNKNOWN));
    expect(FAMILIES.filter((family) => allowedBy([filter]).possible[family].length > 0)).toEqual(families);
    expect(FAMILIES.filter((family) => proofFor(family, filter) === Proof.Unknown)).toEqual(families);
  });

  test("have paths without a prefix for a rule resource", () => {
    const one = resource(TYPE.securityGroupRule, {
      ...rule,
      type: "egress",
      securityGroupId: "sg-2",
      fromPort: UNKNOWN,
    });
    const { groups } = securityGroups(new ResourceIndex([one]));
    const filter = securityGroupFilter(
      groups.flatMap(({ rules }) => rules),
      Direction.Egress,
      () => undefined,
    );
    expect(named(filter)).toEqual(["fromPort"]);
  });

  test.each([
    ["17", 17],
    ["6", 6],
  ])("exclude the number of a named protocol: %s", (protocol, number) => {
    const passes = (packet: SmallPacket) =>
      packet.protocol === number && packet.destination < 4 && packet.port >= 1 && packet.port <= 2;
    expectPassing(filterOf({ protocol }), passes, passes);
  });

  test.each(["47", "2", "255"])("exclude protocol %s, which has no name", (protocol) => {
    const filter = filterOf({ protocol });
    expect(named(filter)).toEqual([]);
    expectPassing(filter, none, none);
    const gre = { source: 9, destination: 3, protocol: Number(protocol), port: 0 };
    expect(differences(allowedBy([filter]).sure, every, [gre])).toEqual([]);
  });

  test("exclude the addresses behind a known group, which are assumed", () => {
    const group = resource(TYPE.securityGroup, { id: "sg-1", egress: [{ ...rule, self: true }] });
    const { groups } = securityGroups(new ResourceIndex([group]));
    const filter = securityGroupFilter(
      groups.flatMap(({ rules }) => rules),
      Direction.Egress,
      () => [prefix("10.0.0.4/32")],
    );
    expect(filter.clauses[0]?.assumed?.map(({ text }) => text)).toEqual(["10.0.0.4/32"]);
    expect(filterOf({ cidrBlocks: [], self: true }).clauses[0]).toHaveProperty("assumed", undefined);
    expect(named(filter)).toEqual([]);
    const passes = (packet: SmallPacket) =>
      inRule(packet) ||
      (packet.destination === 4 && packet.protocol === 6 && packet.port >= 1 && packet.port <= 2);
    expectPassing(filter, passes, passes);
  });

  test("include a group that EC2 may not accept: the rule may match the addresses behind it, and no others", () => {
    const other = { ...resource(TYPE.securityGroup, { id: "sg-2", vpcId: "vpc-2" }), name: "other" };
    const group = resource(TYPE.securityGroup, {
      id: "sg-1",
      vpcId: "vpc-1",
      egress: [{ ...rule, securityGroups: ["sg-2"] }],
    });
    const { groups } = securityGroups(new ResourceIndex([group, other]));
    const filterTo = (text?: string) =>
      securityGroupFilter(
        groups.flatMap(({ rules }) => rules),
        Direction.Egress,
        () => (text === undefined ? undefined : [prefix(text)]),
      );
    expect(named(filterTo("10.0.0.4/32"))).toEqual([expect.stringMatching(/^egress\[0\]\.securityGroups/)]);
    const atPort = ({ protocol, port }: SmallPacket) => protocol === 6 && port >= 1 && port <= 2;
    expectPassing(
      filterTo("10.0.0.4/32"),
      inRule,
      (packet) => inRule(packet) || (packet.destination === 4 && atPort(packet)),
    );
    expectPassing(filterTo(), inRule, atPort);
  });

  test.each<[string, Family]>([
    ["icmp", 4],
    ["1", 4],
    ["icmpv6", 6],
    ["58", 6],
  ])("exclude the family of %s, whose rules match no packet of the other", (protocol, family) => {
    const group = resource(TYPE.securityGroup, {
      id: "sg-1",
      ingress: [
        { protocol, fromPort: -1, toPort: -1, self: true },
        { protocol, fromPort: 3, toPort: 1, cidrBlocks: ["0.0.0.0/0"], ipv6CidrBlocks: ["::/0"] },
      ],
    });
    const { groups } = securityGroups(new ResourceIndex([group]));
    const filter = securityGroupFilter(
      groups.flatMap(({ rules }) => rules),
      Direction.Ingress,
      () => [prefix("10.0.0.4/32"), prefix("fd00::4/128")],
    );
    const { sure, possible } = allowedBy([filter]);
    for (const allowed of [sure, possible])
      expect(FAMILIES.filter((one) => allowed[one].length > 0)).toEqual([family]);
    expect(filter.clauses.map(({ sure: { [family]: own } }) => own.length > 0)).toEqual([true, true]);
  });
});

describe("the unknown values of a network policy", () => {
  const pod = (labels: Record<string, string> = {}, complete = true): PodEnd => ({
    kind: "pod",
    namespace: "clusters-a",
    namespaceLabels: { labels: {}, complete: true },
    labels: { labels, complete },
  });
  const policy = (
    spec: Record<string, PropertyValue>,
    namespace: PropertyValue = "clusters-a",
  ): Resource => ({
    ...resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", {
      metadata: { name: "it", ...(namespace === undefined ? {} : { namespace }) },
      spec: { podSelector: {}, policyTypes: ["Egress"], ...spec },
    }),
    origin: STORED,
  });
  const filterOf = (one: Resource, of = pod(), other = pod({ app: "a" })) =>
    networkPolicyFilter([one], { direction: Direction.Egress, pod: of, other });
  const selected = (podSelector: PropertyValue) => policy({ egress: [{ to: [{ podSelector }] }] });

  test.each<[string, Resource, string[]]>([
    ["a peer", policy({ egress: [{ to: [UNKNOWN] }] }), ["spec.egress[0].to[0]"]],
    [
      "a block",
      policy({ egress: [{ to: [{ ipBlock: { cidr: UNKNOWN } }] }] }),
      ["spec.egress[0].to[0].ipBlock.cidr"],
    ],
    [
      "an exception",
      policy({ egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/32", UNKNOWN] } }] }] }),
      ["spec.egress[0].to[0].ipBlock.except[1]"],
    ],
    [
      "a peer of another kind",
      policy({ egress: [{ to: [{ nodes: {} }] }] }),
      ["spec.egress[0].to[0]: unknown kind of peer"],
    ],
    ["a selector", selected(UNKNOWN), ["spec.egress[0].to[0]"]],
    ["labels of a selector", selected({ matchLabels: UNKNOWN }), ["spec.egress[0].to[0]"]],
    [
      "an operator",
      selected({ matchExpressions: [{ key: "app", operator: UNKNOWN }] }),
      ["spec.egress[0].to[0]"],
    ],
    [
      "an unknown operator",
      selected({ matchExpressions: [{ key: "app", operator: "Gt", values: ["1"] }] }),
      ["spec.egress[0].to[0]"],
    ],
    [
      "a key",
      selected({ matchExpressions: [{ key: UNKNOWN, operator: "Exists" }] }),
      ["spec.egress[0].to[0]"],
    ],
    [
      "a value",
      selected({ matchExpressions: [{ key: "app", operator: "In", values: ["b", UNKNOWN] }] }),
      ["spec.egress[0].to[0]"],
    ],
    [
      "an unknown protocol",
      policy({ egress: [{ ports: [{ protocol: "QUIC" }] }] }),
      ["spec.egress[0].ports[0]: unknown protocol QUIC"],
    ],
    [
      "a block that is not a CIDR block",
      policy({ egress: [{ to: [{ ipBlock: { cidr: "everywhere" } }] }] }),
      ["spec.egress[0].to[0].ipBlock.cidr: it is not a CIDR block"],
    ],
    ["a missing block", policy({ egress: [{ to: [{ ipBlock: {} }] }] }), ["spec.egress[0].to[0].ipBlock"]],
    [
      "a port that is neither number nor name",
      policy({ egress: [{ ports: [{ port: true }] }] }),
      ["spec.egress[0].ports[0].port: is neither a number nor a name"],
    ],
    [
      "a port above 65535",
      policy({ egress: [{ ports: [{ port: 65_536 }] }] }),
      ["spec.egress[0].ports[0]: no such port"],
    ],
    [
      "a range that ends above 65535",
      policy({ egress: [{ ports: [{ port: 1, endPort: 65_536 }] }] }),
      ["spec.egress[0].ports[0]: no such port"],
    ],
    [
      "a fractional port",
      policy({ egress: [{ ports: [{ port: 0.5 }] }] }),
      ["spec.egress[0].ports[0]: no such port"],
    ],
    [
      "a negative port",
      policy({ egress: [{ ports: [{ port: -1 }] }] }),
      ["spec.egress[0].ports[0]: no such port"],
    ],
    [
      "a range that ends before it starts",
      policy({ egress: [{ ports: [{ port: 2, endPort: 1 }] }] }),
      ["spec.egress[0].ports[0]: the last port is before the first"],
    ],
  ])("include %s: nothing surely passes, anything may", (_, one, expected) => {
    const filter = filterOf(one);
    expect(named(filter)).toEqual(expected);
    expectPassing(filter, none, every);
  });

  test.each<[string, PropertyValue, string]>([
    [
      "a named port of pods whose ports are unknown",
      { port: "api" },
      ": the number of the pods' port api is not known",
    ],
    ["the end of a range", { port: 0, endPort: UNKNOWN }, ".endPort"],
    ["a number", { port: UNKNOWN }, ""],
  ])("include %s: nothing surely passes, any port of the protocol may", (_, port, expected) => {
    const filter = filterOf(policy({ egress: [{ ports: [port] }] }));
    expect(named(filter)).toEqual([`spec.egress[0].ports[0]${expected}`]);
    expectPassing(filter, none, ({ protocol }) => protocol === 6);
  });

  test("exclude a port written as digits, whatever its length", () => {
    const filter = filterOf(policy({ egress: [{ ports: [{ port: "20", endPort: 30 }] }] }));
    expect(named(filter)).toEqual([]);
    const services = filter.clauses.flatMap(({ sure }) => describePackets(sure));
    expect(services).toEqual(["TCP 20-30 from 0.0.0.0/0 to 0.0.0.0/0", "TCP 20-30 from ::/0 to ::/0"]);
  });

  test.each<[string, string, Resource]>([
    [
      "the pod selector",
      "spec.podSelector",
      policy({ podSelector: UNKNOWN, egress: [{ ports: [{ port: 1 }] }] }),
    ],
    ["the namespace", "metadata.namespace", policy({ egress: [{ ports: [{ port: 1 }] }] }, UNKNOWN)],
    [
      "the policy types",
      "spec.policyTypes",
      policy({ policyTypes: ["Ingress", UNKNOWN], egress: [{ ports: [{ port: 1 }] }] }),
    ],
  ])("include %s: packets that its rules do not allow may be dropped", (_, path, one) => {
    const filter = filterOf(one);
    expect(named(filter)).toEqual([path, path]);
    expect(filter.otherwise).toBe(Action.Pass);
    const behind: Filter = { clauses: [], otherwise: Action.Allow };
    const { sure, possible } = allowedBy([filter, behind]);
    const tcp1 = ({ protocol, port }: SmallPacket) => protocol === 6 && port === 1;
    expect(differences(sure, none, AMONG).filter((packet) => !tcp1(packet))).toEqual([]);
    expect(differences(possible, every, AMONG)).toEqual([]);
  });

  test("are none for a policy without a namespace, which is in the namespace default", () => {
    const one = resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", {
      metadata: { name: "it" },
      spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{ to: [{ podSelector: {} }] }] },
    });
    expect(filterOf(one).clauses).toEqual([]);
    const inDefault = { ...pod(), namespace: "default" };
    expectPassing(filterOf(one, inDefault, inDefault), every, every);
    expectPassing(filterOf(one, inDefault, pod()), none, none);
  });

  test("are none if everything is known", () => {
    expect(named(filterOf(selected({ matchLabels: { app: "a" } })))).toEqual([]);
    expect(named(filterOf(policy({ egress: [{ ports: [{ port: "1" }] }] })))).toEqual([]);
    expect(named(filterOf(policy({ egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/30" } }] }] })))).toEqual([]);
  });

  test("exclude a number in quotes, and names with digits are not numbers", () => {
    const ports = (port: PropertyValue) => policy({ egress: [{ ports: [{ port }] }] });
    const tcp3 = ({ protocol, port }: SmallPacket) => protocol === 6 && port === 3;
    expectPassing(filterOf(ports("3")), tcp3, tcp3);
    const with3 = { ...pod(), ports: ["3a", "a3"].map((name) => ({ name, protocol: "TCP", port: 3 })) };
    for (const name of ["3a", "a3"]) expectPassing(filterOf(ports(name), pod(), with3), tcp3, tcp3);
    expectPassing(filterOf(ports("443"), pod(), with3), none, none);
  });

  test("do not affect selectors that the known labels of a pod decide", () => {
    const some = pod({ app: "a" }, false);
    expectPassing(filterOf(selected({ matchLabels: { app: "b" } }), pod(), some), none, none);
    expectPassing(filterOf(selected({ matchLabels: { app: "a" } }), pod(), some), every, every);
    expectPassing(filterOf(selected({ matchLabels: { tier: "x" } }), pod(), some), none, every);
    const has = (key: string, operator: string) => selected({ matchExpressions: [{ key, operator }] });
    expectPassing(filterOf(has("app", "Exists"), pod(), some), every, every);
    expectPassing(filterOf(has("app", "DoesNotExist"), pod(), some), none, none);
    expectPassing(filterOf(has("tier", "Exists"), pod(), some), none, every);
  });
});
