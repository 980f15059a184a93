import { readPrefix } from "../../../src/address";
import type { Repair } from "../../../src/reachability/answers/repair/repair";
import {
  awsTraffic,
  egressFirewallRepair,
  endsOf,
  type NeededRule,
  neededRules,
  networkAclRepair,
} from "../../../src/reachability/answers/repair/filterRepairs";
import { networkPolicyRepair, securityGroupRepair } from "../../../src/reachability/answers/repair/repairOf";
import { Action } from "../../../src/reachability/filters/filter";
import { networkAclFilter } from "../../../src/reachability/filters/networkAcl";
import { EVERY_PACKET, packets, union } from "../../../src/reachability/packets/packetSet";
import { EVERY_SERVICE, PROTOCOL_NUMBER, icmp, service } from "../../../src/reachability/packets/service";
import type { PodHop } from "../../../src/flows/model";
import { LIMIT } from "../../../src/requirements/limits";
import { Direction, Protocol, Role } from "../../../src/requirements/vocabulary";
import { type NetworkAcl, networkAcls } from "../../../src/resources/networkAcls";
import type { Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { acl, entry } from "./plans";

const prefixes = (...texts: string[]) => texts.map((text) => readPrefix(text)!);
const { tcp, udp, sctp, esp, icmp: icmpV4, icmpV6 } = PROTOCOL_NUMBER;
const need = (protocol: number | undefined, from: number, to: number, ...texts: string[]): NeededRule => ({
  ...(protocol !== undefined && { protocol }),
  ports: { from, to },
  peers: prefixes(...texts),
});

describe("the rules that packets need", () => {
  const ingress = (missing: Parameters<typeof packets>[0], required: Parameters<typeof packets>[0]) =>
    neededRules(packets(missing), packets(required), Direction.Ingress);
  const web = service(tcp, { from: 440, to: 450 });
  const here = prefixes("10.0.0.0/24");

  test("name the missing ends in one rule from the first missing port to the last", () => {
    const missing = [service(tcp, { from: 441, to: 441 }), service(tcp, { from: 447, to: 448 })];
    expect(ingress({ services: missing, sources: here }, { services: [web] })).toEqual([
      need(tcp, 441, 448, "10.0.0.0/24"),
    ]);
    expect(
      neededRules(
        packets({ services: missing, destinations: here }),
        packets({ services: [web] }),
        Direction.Egress,
      ),
    ).toEqual([need(tcp, 441, 448, "10.0.0.0/24")]);
  });

  test("are one for each protocol with missing packets, with the ends that miss it", () => {
    const dns = service(udp, { from: 53, to: 53 });
    const missing = union(
      packets({ services: [web], sources: here }),
      packets({ services: [dns], sources: prefixes("10.0.1.0/24") }),
    );
    const required = packets({ services: [web, dns, icmp(4)] });
    expect(neededRules(missing, required, Direction.Ingress)).toEqual([
      need(tcp, 440, 450, "10.0.0.0/24"),
      need(udp, 53, 53, "10.0.1.0/24"),
    ]);
  });

  test("join ends that miss different ports, and adjacent blocks", () => {
    const missing = union(
      packets({ services: [service(tcp, { from: 440, to: 441 })], sources: here }),
      packets({ services: [service(tcp, { from: 443, to: 443 })], sources: prefixes("10.0.1.0/24") }),
    );
    expect(neededRules(missing, packets({ services: [web] }), Direction.Ingress)).toEqual([
      need(tcp, 440, 443, "10.0.0.0/23"),
    ]);
  });

  test("cover every protocol if the requirement does, however little is missing", () => {
    const everything = { services: [EVERY_SERVICE] };
    expect(ingress({ ...everything, sources: here }, everything)).toEqual([
      need(undefined, 0, 65_535, "10.0.0.0/24"),
    ]);
    expect(ingress({ services: [web], sources: here }, everything)).toEqual([
      need(undefined, 0, 65_535, "10.0.0.0/24"),
    ]);
    expect(neededRules(packets({ services: [] }), EVERY_PACKET, Direction.Ingress)).toEqual([]);
  });
});

describe("AWS rules", () => {
  test.each([
    [undefined, { protocol: "-1", fromPort: 0, toPort: 0 }],
    [tcp, { protocol: "tcp", fromPort: 1, toPort: 9 }],
    [udp, { protocol: "udp", fromPort: 1, toPort: 9 }],
    [icmpV4, { protocol: "icmp", fromPort: -1, toPort: -1 }],
    [icmpV6, { protocol: "icmpv6", fromPort: -1, toPort: -1 }],
    [esp, { protocol: "50", fromPort: 0, toPort: 0 }],
  ])("write protocol %p as AWS expects", (protocol, words) => {
    expect(awsTraffic(need(protocol, 1, 9))).toEqual(words);
  });

  test("limit ICMP and ICMPv6 to addresses of their family", () => {
    const ends = (protocol: number) =>
      endsOf(need(protocol, 0, 0, "10.0.0.0/8", "fd00::/8")).map(({ text }) => text);
    expect(ends(icmpV4)).toEqual(["10.0.0.0/8"]);
    expect(ends(icmpV6)).toEqual(["fd00::/8"]);
    expect(ends(tcp)).toEqual(["10.0.0.0/8", "fd00::/8"]);
  });

  test("hold blocks of both families in one security group rule, whose group may have no resource", () => {
    expect(
      securityGroupRepair([{ rules: [], ruleResources: [] }], Direction.Egress, [
        need(tcp, 1, 2, "10.0.0.0/8", "fd00::/8"),
      ]).rules,
    ).toEqual([
      {
        kind: "security-group-rule",
        direction: "egress",
        protocol: "tcp",
        fromPort: 1,
        toPort: 2,
        cidrBlocks: ["10.0.0.0/8"],
        ipv6CidrBlocks: ["fd00::/8"],
      },
    ]);
    expect(securityGroupRepair([], Direction.Egress, [need(tcp, 1, 2)]).rules).toHaveLength(1);
  });
});

describe("the repair of a network ACL", () => {
  const aclOf = (...ingress: ReturnType<typeof entry>[]): NetworkAcl =>
    networkAcls(new ResourceIndex([acl(Role.Workers, ingress, [entry(7, "allow")])])).acls[0]!;
  const denialIn = (found: NetworkAcl, path: string) =>
    networkAclFilter(found.rules, Direction.Ingress).clauses.find((clause) => clause.path === path)!;
  const repaired = (
    found: NetworkAcl,
    needed: readonly NeededRule[],
    path?: string,
    planned: readonly Repair[] = [],
  ) =>
    networkAclRepair(
      {
        acl: found,
        direction: Direction.Ingress,
        asked: "calls",
        ...(path !== undefined && { clause: denialIn(found, path) }),
      },
      needed,
      planned,
    );
  const numbersOf = ({ rules }: ReturnType<typeof repaired>) =>
    rules.map((one) => one.kind === "network-acl-rule" && one.ruleNumber);
  const web = need(tcp, 443, 443, "10.0.0.0/24");

  test("has a rule for each block, with a number of its own and the property of its family", () => {
    const two = need(tcp, 443, 443, "10.0.0.0/24", "fd00::/8");
    expect(repaired(aclOf(), [two]).rules).toEqual([
      {
        kind: "network-acl-rule",
        acl: expect.objectContaining({ name: "acl-workers" }) as object,
        direction: "ingress",
        asked: "calls",
        ruleNumber: 10,
        protocol: "tcp",
        fromPort: 443,
        toPort: 443,
        cidrBlock: "10.0.0.0/24",
      },
      {
        kind: "network-acl-rule",
        acl: expect.objectContaining({ name: "acl-workers" }) as object,
        direction: "ingress",
        asked: "calls",
        ruleNumber: 20,
        protocol: "tcp",
        fromPort: 443,
        toPort: 443,
        ipv6CidrBlock: "fd00::/8",
      },
    ]);
  });

  test("has ICMP type and code only for ICMP", () => {
    expect(repaired(aclOf(), [need(icmpV4, 0, 65_535, "10.0.0.0/24")]).rules).toMatchObject([
      { protocol: "icmp", fromPort: 0, toPort: 0, icmpType: -1, icmpCode: -1 },
    ]);
    expect(repaired(aclOf(), [web]).rules[0]).not.toHaveProperty("icmpType");
  });

  test("comes after the rules of the same direction if none denies", () => {
    // Rule 7 of egress does not use up a number of ingress.
    expect(numbersOf(repaired(aclOf(entry(30, "allow", { protocol: "udp" })), [web]))).toEqual([40]);
    expect(repaired(aclOf(), [web]).rules[0]).not.toHaveProperty("before");
  });

  test("comes before the rule that denies, and after the rules before that one", () => {
    const found = aclOf(entry(5, "allow", { protocol: "udp" }), entry(20, "deny"));
    const { rules } = repaired(found, [need(tcp, 1, 1, "10.0.0.0/24", "10.2.0.0/24")], "ingress[1]");
    expect(rules).toMatchObject([
      { ruleNumber: 12, before: { path: "ingress[1]", name: "acl-workers" } },
      { ruleNumber: 19 },
    ]);
  });

  test("uses any free numbers before the rule that denies if those after the last rule do not suffice", () => {
    const found = aclOf(entry(2, "allow", { protocol: "udp" }), entry(3, "deny"));
    expect(numbersOf(repaired(found, [web], "ingress[1]"))).toEqual([1]);
    const full = aclOf(entry(1, "allow", { protocol: "udp" }), entry(2, "deny"));
    expect(repaired(full, [web], "ingress[1]")).toEqual({
      rules: [],
      obstacle:
        "too few rule numbers are free before rule 2 (1 needed): renumber the rules of acl-workers first",
    });
    expect(repaired({ ...full, resource: undefined }, [web], "ingress[1]").obstacle).toContain(
      "renumber the rules of the network ACL first",
    );
  });

  test("uses numbers up to the highest that AWS accepts", () => {
    const { max } = LIMIT.networkAclRuleNumber;
    expect(numbersOf(repaired(aclOf(entry(max - 1, "allow", { protocol: "udp" })), [web]))).toEqual([max]);
    expect(numbersOf(repaired(aclOf(entry(max, "allow", { protocol: "udp" })), [web]))).toEqual([max - 1]);
  });

  test("uses no number of a planned rule, and reuses an identical planned rule", () => {
    const found = aclOf();
    const [first] = repaired(found, [web]).rules;
    expect(repaired(found, [web], undefined, [first!]).rules).toEqual([first]);
    const other = need(tcp, 80, 80, "10.0.0.0/24");
    expect(numbersOf(repaired(found, [other], undefined, [first!]))).toEqual([20]);
    expect(numbersOf(repaired(found, [web, other], undefined, [first!]))).toEqual([10, 20]);
  });

  test("ignores planned rules of another direction, another ACL or another kind", () => {
    const found = aclOf();
    const [first] = repaired(found, [web]).rules;
    if (first?.kind !== "network-acl-rule") throw new Error("no rule of an ACL");
    const group: Repair = { kind: "security-group-rule", direction: Direction.Ingress } as never;
    for (const planned of [
      { ...first, direction: Direction.Egress },
      { ...first, acl: { ...first.acl!, urn: "urn:pulumi:test::network::another" } },
      { ...first, acl: undefined as never },
      group,
    ])
      expect(numbersOf(repaired(found, [web], undefined, [planned]))).toEqual([10]);
    const unowned = { ...found, resource: undefined as never };
    const { acl: _, ...nowhere } = first;
    expect(numbersOf(repaired(unowned, [web], undefined, [{ ...nowhere, ruleNumber: 15 }]))).toEqual([15]);
    expect(numbersOf(repaired(unowned, [web], undefined, [first]))).toEqual([10]);
  });

  test("distinguishes ACLs of the same name that run or are defined in files", () => {
    const found = aclOf();
    const at = (origin: Resource["origin"]): NetworkAcl => ({
      ...found,
      resource: { ...found.resource!, origin },
    });
    const places = [
      { live: "acl-0a1" },
      { live: "acl-0b2" },
      { file: "a.yaml", line: 1 },
      { file: "a.yaml", line: 9 },
    ];
    for (const place of places) {
      const planned = repaired(at(place), [web]).rules;
      const other = { ...web, ports: { from: 1, to: 1 } };
      expect(places.map((another) => numbersOf(repaired(at(another), [other], undefined, planned)))).toEqual(
        places.map((another) => [another === place ? 20 : 10]),
      );
    }
  });

  test("adds a rule before the one that denies even if the same rule is planned after it", () => {
    const found = aclOf(entry(20, "deny"));
    const [first] = repaired(found, [web], "ingress[0]").rules;
    if (first?.kind !== "network-acl-rule") throw new Error("no rule of an ACL");
    const planned = (ruleNumber: number): Repair[] => [{ ...first, ruleNumber }];
    expect(numbersOf(repaired(found, [web], "ingress[0]", planned(15)))).toEqual([15]);
    expect(numbersOf(repaired(found, [web], "ingress[0]", planned(25)))).toEqual([10]);
  });
});

describe("the repair of a network policy", () => {
  const hop = (from: PodHop["from"]): PodHop => ({
    kind: "pods",
    app: "etcd",
    from,
    protocol: Protocol.Tcp,
    sources: [],
    destinations: [],
  });
  const ingressOf = (from: PodHop["from"], needed: NeededRule) =>
    networkPolicyRepair(hop(from), "clusters-a", [needed]).rules.map((one) =>
      one.kind === "network-policy" ? one.ingress : undefined,
    );

  test("names ports of TCP, UDP and SCTP only", () => {
    expect(ingressOf("addresses", need(sctp, 1, 1, "::/0"))).toEqual([
      { ports: [{ protocol: "SCTP", port: 1 }] },
    ]);
    expect(ingressOf("addresses", need(udp, 1, 3, "::/0"))).toEqual([
      { ports: [{ protocol: "UDP", port: 1, endPort: 3 }] },
    ]);
    expect(ingressOf("addresses", need(undefined, 0, 65_535, "::/0"))).toEqual([{}]);
  });

  test("names blocks of senders, or none if all senders are needed", () => {
    expect(ingressOf("addresses", need(undefined, 0, 65_535, "10.0.0.0/8", "fd00::/8"))).toEqual([
      { from: [{ ipBlock: { cidr: "10.0.0.0/8" } }, { ipBlock: { cidr: "fd00::/8" } }] },
    ]);
    expect(ingressOf("addresses", need(undefined, 0, 65_535, "10.0.0.0/8", "::/0"))).toEqual([{}]);
  });

  test("names pods by label, and pods of other namespaces by namespace labels", () => {
    const all = need(undefined, 0, 65_535);
    expect(ingressOf({ labels: { app: "router" } }, all)).toEqual([
      { from: [{ podSelector: { matchLabels: { app: "router" } } }] },
    ]);
    expect(ingressOf({ labels: {} }, all)).toEqual([{ from: [{ podSelector: { matchLabels: {} } }] }]);
    expect(ingressOf({ labels: {}, namespaceLabels: { a: "b" } }, all)).toEqual([
      { from: [{ namespaceSelector: { matchLabels: { a: "b" } } }] },
    ]);
    expect(ingressOf({ labels: { app: "router" }, namespaceLabels: { a: "b" } }, all)).toEqual([
      {
        from: [
          {
            podSelector: { matchLabels: { app: "router" } },
            namespaceSelector: { matchLabels: { a: "b" } },
          },
        ],
      },
    ]);
  });
});

describe("the repair of an egress firewall", () => {
  const firewall: Resource = {
    origin: { urn: "urn:pulumi:test::network::firewall" },
    type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
    name: "default",
    properties: {},
  };
  const clause = {
    resource: firewall,
    path: "spec.egress[2]",
    actions: [Action.Deny],
    sure: EVERY_PACKET,
    possible: EVERY_PACKET,
    unknown: [],
  };
  const web = need(tcp, 443, 443, "10.0.0.0/24", "10.2.0.0/24");
  const placesOf = (planned: readonly Repair[] = [], denying = { clause, index: 2 } as never) =>
    egressFirewallRepair(firewall, denying, [web], planned).rules.map(
      (one) => one.kind === "egress-firewall-rule" && one.index,
    );

  test("has a rule for each block, in sequence, at the position of the rule that denies", () => {
    expect(placesOf()).toEqual([2, 3]);
    const { rules } = egressFirewallRepair(firewall, undefined, [web]);
    expect(rules).toMatchObject([{ index: 0 }, { index: 1 }]);
    expect(rules[0]).not.toHaveProperty("before");
  });

  test("follows the rules planned up to that position in the same firewall", () => {
    const [first] = egressFirewallRepair(firewall, { clause, index: 2 }, [web]).rules;
    if (first?.kind !== "egress-firewall-rule") throw new Error("no rule of a firewall");
    expect(placesOf([first])).toEqual([3, 4]);
    expect(placesOf([first, { ...first, index: 3 }])).toEqual([4, 5]);
    expect(placesOf([{ ...first, index: 3 }])).toEqual([2, 3]);
    expect(placesOf([{ ...first, firewall: { ...first.firewall, urn: "another" } }])).toEqual([2, 3]);
    expect(placesOf([{ kind: "network-policy" } as never])).toEqual([2, 3]);
  });

  test("lists up to a hundred ports one by one, and refuses more", () => {
    const ports = (from: number, to: number, protocol: number | undefined = tcp) =>
      egressFirewallRepair(firewall, undefined, [need(protocol, from, to, "10.0.0.0/24")]);
    const [hundred] = ports(1, 100).rules;
    expect(hundred?.kind === "egress-firewall-rule" && hundred.rule.ports?.length).toBe(100);
    expect(ports(1, 101)).toEqual({
      rules: [],
      obstacle:
        "an egress firewall lists ports one by one, and ports 1-101 are too many to list: allow the destination on every port",
    });
    expect(ports(0, 65_535, esp)).toEqual({
      rules: [],
      obstacle: "an egress firewall cannot name protocol 50: allow the destination for every protocol",
    });
    expect(
      egressFirewallRepair(firewall, undefined, [need(undefined, 0, 65_535, "::/0")]).rules,
    ).toMatchObject([{ rule: { type: "Allow", to: { cidrSelector: "::/0" } } }]);
  });
});
