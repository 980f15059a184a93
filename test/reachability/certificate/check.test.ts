import fc from "fast-check";
import { checkCertificate, type PlannedResource } from "../../../src/reachability/certificate/check";
import {
  type Block,
  services,
  block,
  resource,
  check,
  less,
  group,
  policy,
  web,
  tcp,
  V4,
  widened,
  ALL,
  EVERY_SERVICE,
  V6,
  entry,
  certificate,
} from "./claims";

/** A rule, its path, and exactly the packets that it allows. */
const rules: [string, PlannedResource, string, Block][] = [
  ["a rule in a group", group({ ...web, cidrBlocks: [V4] }), "ingress[0]", block(tcp, [V4])],
  ["one of egress", group({ ...web, cidrBlocks: [V4] }, "egress"), "egress[0]", block(tcp, ALL, [V4])],
  ["one of IPv6", group({ ...web, ipv6CidrBlocks: [V6] }), "ingress[0]", block(tcp, [V6])],
  [
    "one of both families",
    group({ ...web, cidrBlocks: [V4], ipv6CidrBlocks: [V6] }),
    "ingress[0]",
    block(tcp, [V4, V6]),
  ],
  [
    "a rule resource",
    resource("aws:ec2/securityGroupRule:SecurityGroupRule", { ...web, type: "ingress", cidrBlocks: [V4] }),
    "",
    block(tcp, [V4]),
  ],
  [
    "a rule resource of egress",
    resource("aws:ec2/securityGroupRule:SecurityGroupRule", { ...web, type: "egress", cidrBlocks: [V4] }),
    "",
    block(tcp, ALL, [V4]),
  ],
  [
    "a split rule",
    resource("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", {
      ipProtocol: "TCP",
      fromPort: 443,
      toPort: 445,
      cidrIpv4: V4,
    }),
    "",
    block(tcp, [V4]),
  ],
  [
    "a split rule of egress",
    resource("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", {
      ipProtocol: "6",
      fromPort: 443,
      toPort: 445,
      cidrIpv6: V6,
    }),
    "",
    block(tcp, ALL, [V6]),
  ],
  [
    "only port 0",
    group({ protocol: "udp", fromPort: 0, toPort: 0, cidrBlocks: [V4] }),
    "ingress[0]",
    block(services("udp", 0, 0), [V4]),
  ],
  [
    "a number for UDP",
    group({ protocol: "17", fromPort: 1, toPort: 2, cidrBlocks: [V4] }),
    "ingress[0]",
    block(services("udp", 1, 2), [V4]),
  ],
  [
    "TCP without ports",
    group({ protocol: "tcp", cidrBlocks: [V4] }),
    "ingress[0]",
    block(services("tcp"), [V4]),
  ],
  [
    "ports of SCTP, which AWS does not look at",
    group({ ...web, protocol: "132", cidrBlocks: [V4] }),
    "ingress[0]",
    block(services("sctp"), [V4]),
  ],
  ["ESP", group({ protocol: "50", cidrBlocks: [V4] }), "ingress[0]", block(services("esp"), [V4])],
  [
    "ICMP",
    group({ protocol: "icmp", fromPort: -1, toPort: -1, cidrBlocks: [V4] }),
    "ingress[0]",
    block(services("icmp"), [V4]),
  ],
  [
    "a message of ICMP with each of its codes",
    group({ protocol: "1", fromPort: 3, toPort: -1, cidrBlocks: [V4] }),
    "ingress[0]",
    block(services("icmp", 768, 1_023), [V4]),
  ],
  [
    "a message of ICMP with one code, in a network ACL",
    entry({ protocol: "icmp", icmpType: 3, icmpCode: 4, fromPort: 0, toPort: 0 }),
    "ingress[0]",
    block(services("icmp", 772, 772), [V4]),
  ],
  [
    "ICMP in a network ACL that names no message: providers send type 0 with code 0",
    entry({ protocol: "icmp" }),
    "ingress[0]",
    block(services("icmp", 0, 0), [V4]),
  ],
  [
    "TCP in a network ACL that names no port: providers send 0",
    entry({ protocol: "tcp" }),
    "ingress[0]",
    block(services("tcp", 0, 0), [V4]),
  ],
  [
    "a block with host bits, which EC2 takes away",
    entry({ protocol: "-1", cidrBlock: "10.0.0.9/24" }),
    "ingress[0]",
    block(EVERY_SERVICE, [V4]),
  ],
  [
    "ICMPv6",
    group({ protocol: "icmpv6", fromPort: -1, toPort: -1, ipv6CidrBlocks: [V6] }),
    "ingress[0]",
    block(services("icmpv6"), [V6]),
  ],
  ["every protocol", group({ protocol: "-1", cidrBlocks: [V4] }), "ingress[0]", block(EVERY_SERVICE, [V4])],
  [
    "every protocol by its name",
    group({ protocol: "All", cidrBlocks: [V4] }),
    "ingress[0]",
    block(EVERY_SERVICE, [V4]),
  ],
  [
    "a port of a policy",
    policy({ ports: [{ port: 443 }] }),
    "spec.ingress[0]",
    block(services("tcp", 443, 443)),
  ],
  [
    "a range of a policy",
    policy({ ports: [{ protocol: "TCP", port: 443, endPort: 445 }] }),
    "spec.ingress[0]",
    block(tcp),
  ],
  [
    "a protocol of a policy",
    policy({ ports: [{ protocol: "UDP" }] }),
    "spec.ingress[0]",
    block(services("udp")),
  ],
  [
    "a block of a policy",
    policy({ from: [{ ipBlock: { cidr: V4 } }] }),
    "spec.ingress[0]",
    block(EVERY_SERVICE, [V4]),
  ],
  [
    "a block of a policy of egress",
    policy({ to: [{ ipBlock: { cidr: V4 } }] }, "egress"),
    "spec.egress[0]",
    block(EVERY_SERVICE, ALL, [V4]),
  ],
  [
    "a port of an AdminNetworkPolicy",
    policy({ action: "Allow", ports: [{ portNumber: { protocol: "UDP", port: 53 } }] }),
    "spec.ingress[0]",
    block(services("udp", 53, 53)),
  ],
  [
    "a port of an AdminNetworkPolicy without its protocol",
    policy({ action: "Allow", ports: [{ portNumber: { port: 443 } }] }),
    "spec.ingress[0]",
    block(services("tcp", 443, 443)),
  ],
  [
    "a range of an AdminNetworkPolicy",
    policy({ action: "Allow", ports: [{ portRange: { protocol: "TCP", start: 443, end: 445 } }] }),
    "spec.ingress[0]",
    block(tcp),
  ],
  [
    "a port of a ClusterNetworkPolicy",
    policy({ action: "Accept", protocols: [{ udp: { destinationPort: { number: 53 } } }] }),
    "spec.ingress[0]",
    block(services("udp", 53, 53)),
  ],
  [
    "a range of a ClusterNetworkPolicy",
    policy({ action: "Accept", protocols: [{ sctp: { destinationPort: { range: { start: 7, end: 9 } } } }] }),
    "spec.ingress[0]",
    block(services("sctp", 7, 9)),
  ],
  [
    "networks of an administrator's policy",
    policy({ action: "Allow", to: [{ networks: [V4] }] }, "egress"),
    "spec.egress[0]",
    block(EVERY_SERVICE, ALL, [V4]),
  ],
];

describe("a rule supports a claim of what it allows, and of nothing more", () => {
  test.each(rules)("%s", (_, one, path, exact) => {
    expect(check([one], path, exact)).toEqual([]);
    const more = widened(exact);
    expect(more.length).toBeGreaterThan(0);
    for (const wide of more) expect(check([one], path, wide)).toEqual(less(path));
  });

  test.each<[string, PlannedResource, string]>([
    ["an egress rule for ingress packets", group({ ...web, cidrBlocks: [V4] }, "egress"), "egress[0]"],
    ["a named port", policy({ ports: [{ port: "https" }] }), "spec.ingress[0]"],
    [
      "a block with exceptions",
      policy({ from: [{ ipBlock: { cidr: V4, except: ["10.0.0.0/30"] } }] }),
      "spec.ingress[0]",
    ],
    ["a rule without peers", group(web), "ingress[0]"],
    ["a named port of an AdminNetworkPolicy", policy({ ports: [{ namedPort: "https" }] }), "spec.ingress[0]"],
    [
      "a named port of a ClusterNetworkPolicy",
      policy({ protocols: [{ destinationNamedPort: "https" }] }),
      "spec.ingress[0]",
    ],
    ["a protocol without a port", policy({ protocols: [{ tcp: {} }] }), "spec.ingress[0]"],
    ["a rule that denies", policy({ action: "Deny", from: [{ namespaces: {} }] }), "spec.ingress[0]"],
    ["a Pass rule", policy({ action: "Pass", from: [{ namespaces: {} }] }), "spec.ingress[0]"],
    ["domain names", policy({ to: [{ domainNames: ["example.com"] }] }, "egress"), "spec.egress[0]"],
    ["nodes", policy({ to: [{ nodes: {} }] }, "egress"), "spec.egress[0]"],
    ["null instead of a block", group({ ...web, cidrBlocks: null }), "ingress[0]"],
  ])("%s supports no claim", (_, one, path) => {
    expect(check([one], path, block(tcp, [V4]))).toEqual(less(path));
  });

  test.each([[{ namespaces: {} }], [{ pods: { podSelector: {} } }]])(
    "the selector %j of an administrator's policy counts as any address",
    (peer) => {
      const ports = [{ portRange: { start: 443, end: 445 } }];
      const one = policy({ action: "Allow", from: [peer], ports });
      expect(check([one], "spec.ingress[0]", block(tcp))).toEqual([]);
    },
  );

  test("a pod selector counts as any address, because a certificate does not show what it selects", () => {
    const one = policy({ from: [{ podSelector: {} }], ports: [{ port: 443, endPort: 445 }] });
    expect(check([one], "spec.ingress[0]", block(tcp))).toEqual([]);
  });

  test("two rules together cover what neither covers by itself", () => {
    const plan = [
      resource(
        "aws:ec2/securityGroupRule:SecurityGroupRule",
        { ...web, type: "ingress", cidrBlocks: ["10.0.0.0/25"] },
        "a",
      ),
      resource(
        "aws:ec2/securityGroupRule:SecurityGroupRule",
        { ...web, type: "ingress", cidrBlocks: ["10.0.0.128/25"] },
        "b",
      ),
    ];
    const part = (urn: string, source: string) => ({
      rule: { urn, path: "" },
      packets: [block(tcp, [source])],
    });
    const claimed = (...used: ReturnType<typeof part>[]) => certificate([block(tcp, [V4])], used);
    const [first, second] = [part("a", "10.0.0.0/25"), part("b", "10.0.0.128/25")];
    expect(checkCertificate(claimed(first, second), plan)).toEqual([]);
    for (const one of [first, second])
      expect(checkCertificate(claimed(one), plan)).toEqual([
        "j, g, calls: no rule covers some of the required packets",
      ]);
  });
});

describe("coverage by several blocks", () => {
  // A small universe: 4 ports, 4 sources, 4 destinations of either family.
  const four = [0, 1, 2, 3];
  const side = (prefixes: readonly string[]) => fc.subarray([...prefixes], { minLength: 1 });
  const ends = (family: 4 | 6) =>
    family === 4
      ? ["10.0.0.0/31", "10.0.0.2/31", "10.0.0.0/32", "10.0.0.1/32", "10.0.0.2/32", "10.0.0.3/32"]
      : ["fd00::/127", "fd00::2/127", "fd00::/128", "fd00::1/128", "fd00::2/128", "fd00::3/128"];
  const anyBlock = (family: 4 | 6) =>
    fc.record({
      ports: fc.tuple(fc.constantFrom(...four), fc.constantFrom(...four)),
      sources: side(ends(family)),
      destinations: side(ends(family)),
    });
  type Some = { ports: [number, number]; sources: string[]; destinations: string[] };
  const blockOf = ({ ports: [a, b], sources, destinations }: Some): Block => ({
    services: [services("tcp", Math.min(a, b), Math.max(a, b))],
    sources,
    destinations,
  });
  const last = (text: string) => Number(/[.:](\d*)\//.exec(text)?.[1] ?? 0);
  const holds = (texts: readonly string[], host: number) =>
    texts.some((text) => last(text) <= host && host <= last(text) + (/\/(31|127)$/.test(text) ? 1 : 0));
  const has = ({ ports: [a, b], sources, destinations }: Some, port: number, from: number, to: number) =>
    Math.min(a, b) <= port && port <= Math.max(a, b) && holds(sources, from) && holds(destinations, to);

  test.each([4, 6] as const)("is decided as packet by packet, for IPv%i", (family) => {
    fc.assert(
      fc.property(anyBlock(family), fc.array(anyBlock(family), { maxLength: 5 }), (required, parts) => {
        const isCovered = four.every((port) =>
          four.every((from) =>
            four.every(
              (to) => !has(required, port, from, to) || parts.some((part) => has(part, port, from, to)),
            ),
          ),
        );
        const found = checkCertificate(
          certificate(
            [blockOf(required)],
            parts.map((part) => ({ packets: [blockOf(part)] })),
          ),
          [],
        );
        expect(found).toEqual(isCovered ? [] : ["j, g, calls: no rule covers some of the required packets"]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["2001:db8:0:1::/64", "2001:db8:0:2::/64"],
    ["2001:db8::1/128", "2001:db8::2/128"],
    ["2001:db8::1/128", "2001:db9::1/128"],
    ["1:2:3:4:5:6:7:8/128", "1:2:3:4:5:6:7:9/128"],
    ["::1/128", "0.0.0.1/32"],
    ["0.0.0.0/0", "::/0"],
  ])("does not extend from %s to %s", (one, other) => {
    const rule = group({ ...web, cidrBlocks: [one] });
    expect(check([rule], "ingress[0]", block(tcp, [one]))).toEqual([]);
    expect(check([rule], "ingress[0]", block(tcp, [other]))).toEqual(less("ingress[0]"));
  });

  test.each([
    ["2001:db8::/32", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff/128"],
    ["2001:db8:0:0:0:0:0:1/128", "2001:db8::1/128"],
    ["::/0", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"],
    ["10.0.0.7", "10.0.0.7/32"],
    ["fd00::7", "fd00::7/128"],
  ])("extends from %s to %s", (one, inner) => {
    const rule = group({ ...web, cidrBlocks: [one] });
    expect(check([rule], "ingress[0]", block(tcp, [inner]))).toEqual([]);
  });
});

describe("addresses behind references", () => {
  test.each([
    "securityGroups",
    "sourceSecurityGroupId",
    "referencedSecurityGroupId",
    "prefixListIds",
    "prefixListId",
    "self",
  ])("are those that the certificate assumes, for a rule with %s", (name) => {
    const one = group({ ...web, [name]: "it" });
    expect(check([one], "ingress[0]", block(tcp, [V4]), { assumed: [V4] })).toEqual([]);
    expect(check([one], "ingress[0]", block(tcp, ["10.0.0.0/23"]), { assumed: [V4] })).toEqual(
      less("ingress[0]"),
    );
    expect(check([one], "ingress[0]", block(tcp, [V4]))).toEqual(less("ingress[0]"));
  });

  test("need no assumption if the rule also has the block", () => {
    const one = group({ ...web, cidrBlocks: [V4], securityGroups: ["sg-1"] });
    expect(check([one], "ingress[0]", block(tcp, [V4]))).toEqual([]);
  });

  test("are not assumed for a rule without a reference", () => {
    const one = group({ ...web, cidrBlocks: ["192.0.2.0/24"] });
    expect(check([one], "ingress[0]", block(tcp, [V4]), { assumed: [V4] })).toEqual(less("ingress[0]"));
  });
});
