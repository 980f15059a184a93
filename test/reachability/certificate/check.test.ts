import { readFileSync } from "node:fs";
import fc from "fast-check";
import { checkCertificate, type PlannedResource } from "../../../src/reachability/certificate/check";
import { servicesOfTraffic } from "../../../src/reachability/filters/traffic";
import { readProtocol } from "../../../src/resources/trafficSpec";
import {
  type Block,
  services,
  directionOf,
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
    resource("aws:ec2/securityGroupRule:SecurityGroupRule", {
      ...web,
      securityGroupId: "sg-1",
      type: "ingress",
      cidrBlocks: [V4],
    }),
    "",
    block(tcp, [V4]),
  ],
  [
    "a rule resource of egress",
    resource("aws:ec2/securityGroupRule:SecurityGroupRule", {
      ...web,
      securityGroupId: "sg-1",
      type: "egress",
      cidrBlocks: [V4],
    }),
    "",
    block(tcp, ALL, [V4]),
  ],
  [
    "a split rule",
    resource("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", {
      securityGroupId: "sg-1",
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
      securityGroupId: "sg-1",
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
    "every port of TCP",
    group({ protocol: "tcp", fromPort: 0, toPort: 65_535, cidrBlocks: [V4] }),
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
    const direction = directionOf(path, exact);
    for (const wide of more) expect(check([one], path, wide, { direction })).toEqual(less(path));
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
        { ...web, securityGroupId: "sg-1", type: "ingress", cidrBlocks: ["10.0.0.0/25"] },
        "a",
      ),
      resource(
        "aws:ec2/securityGroupRule:SecurityGroupRule",
        { ...web, securityGroupId: "sg-1", type: "ingress", cidrBlocks: ["10.0.0.128/25"] },
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
  ])("extends from %s to %s", (one, inner) => {
    const rule = group({ ...web, cidrBlocks: [one] });
    expect(check([rule], "ingress[0]", block(tcp, [inner]))).toEqual([]);
  });
});

describe("a block that EC2 does not accept in a rule of a security group", () => {
  test.each([
    ["10.0.0.7", "10.0.0.7/32"],
    ["fd00::7", "fd00::7/128"],
    ["10.0.0.7/24", V4],
    ["10.0.0/24", V4],
    ["10.0.0.0/", V4],
    ["10.0.0.0/99", V4],
  ])("allows nothing: %s", (one, inner) => {
    const rule = group({ ...web, cidrBlocks: [one] });
    expect(check([rule], "ingress[0]", block(tcp, [inner]))).toEqual(less("ingress[0]"));
    const beside = group({ ...web, cidrBlocks: [one, inner] });
    expect(check([beside], "ingress[0]", block(tcp, [inner]))).toEqual([]);
  });
});

describe("addresses behind references", () => {
  const assumed = [V4];
  const peers = [["urn:other", "sg-2"]];
  const said = block(tcp, [V4]);
  const other = resource("aws:ec2/securityGroup:SecurityGroup", { id: "sg-2" }, "urn:other");

  test.each<[string, unknown]>([
    ["securityGroups", ["sg-1", "sg-2"]],
    ["sourceSecurityGroupId", "sg-2"],
    ["referencedSecurityGroupId", "sg-2"],
    ["referencedSecurityGroupId", "123456789012/sg-2"],
    ["prefixListIds", ["sg-2"]],
    ["prefixListId", "sg-2"],
  ])("are those that the certificate assumes, for a rule with %s %j", (name, value) => {
    const one = group({ ...web, [name]: value });
    expect(check([one], "ingress[0]", said, { assumed, peers })).toEqual([]);
    expect(check([one, other], "ingress[0]", said, { assumed, peers: [["urn:other"]] })).toEqual([]);
    expect(check([one], "ingress[0]", block(tcp, ["10.0.0.0/23"]), { assumed, peers })).toEqual(
      less("ingress[0]"),
    );
    expect(check([one], "ingress[0]", said)).toEqual(less("ingress[0]"));
    // Another group or list is named, an additional one is no longer named, or the certificate states none.
    expect(check([one], "ingress[0]", said, { assumed, peers: [["sg-9"]] })).toEqual(less("ingress[0]"));
    expect(check([one], "ingress[0]", said, { assumed, peers: [...peers, ["sg-9"]] })).toEqual(
      less("ingress[0]"),
    );
    for (const none of [[], undefined])
      expect(check([one], "ingress[0]", said, { assumed, ...(none && { peers: none }) })).toEqual(
        less("ingress[0]"),
      );
  });

  test.each([
    [{ self: false }],
    [{}],
    [{ securityGroups: [] }],
    [{ prefixListId: "" }],
    [{ securityGroups: null }],
  ])("are not assumed for a rule that names nothing: %j", (more) => {
    const one = group({ ...web, cidrBlocks: ["192.0.2.0/24"], ...more });
    expect(check([one], "ingress[0]", said, { assumed, peers: [["urn:it"]] })).toEqual(less("ingress[0]"));
  });

  test.each([true, "true"])("are those of the group itself with self: %j", (self) => {
    const one = group({ ...web, self });
    expect(check([one], "ingress[0]", said, { assumed, peers: [["urn:it", "sg-1"]] })).toEqual([]);
    expect(check([one], "ingress[0]", said, { assumed, peers })).toEqual(less("ingress[0]"));
  });

  test("need no assumption if the rule also has the block", () => {
    const one = group({ ...web, cidrBlocks: [V4], securityGroups: ["sg-1"] });
    expect(check([one], "ingress[0]", said)).toEqual([]);
  });
});

describe("what a rule is in", () => {
  const said = block(tcp, [V4]);
  const inGroup = (securityGroupId: string | undefined, type = "ingress") =>
    resource("aws:ec2/securityGroupRule:SecurityGroupRule", {
      ...web,
      cidrBlocks: [V4],
      type,
      securityGroupId,
    });
  const made = (id: string, urn: string) => resource("aws:ec2/securityGroup:SecurityGroup", { id }, urn);

  test.each<[string, PlannedResource[], string[]]>([
    ["its id", [inGroup("sg-1")], ["sg-1"]],
    ["the URN of the resource with its id", [inGroup("sg-1"), made("sg-1", "urn:group")], ["urn:group"]],
    ["an id under another URN", [inGroup("sg-1"), made("sg-1", "urn:renamed")], ["urn:group", "sg-1"]],
    ["a URN under another id", [inGroup("sg-7"), made("sg-7", "urn:group")], ["urn:group", "sg-1"]],
    [
      "what an unknown id comes from",
      [
        { ...inGroup(undefined), dependencies: { securityGroupId: ["urn:group"] } },
        made("sg-1", "urn:group"),
      ],
      ["sg-1"],
    ],
  ])("is known by %s", (_, plan, holder) => {
    expect(check(plan, "", said, { holder })).toEqual([]);
  });

  test.each<[string, PlannedResource, string]>([
    ["another group", inGroup("sg-2"), "sg-2"],
    ["an unknown group", inGroup(undefined), "an unknown place"],
    [
      "one of two groups",
      { ...inGroup(undefined), dependencies: { securityGroupId: ["urn:group", "urn:other"] } },
      "an unknown place",
    ],
  ])("is not %s", (_, one, name) => {
    const plan = [one, made("sg-1", "urn:group"), made("sg-9", "urn:other")];
    expect(check(plan, "", said, { holder: ["urn:group", "sg-1"] })).toEqual([
      `j, g, calls: urn:it  is in ${name}, and the certificate states urn:group`,
    ]);
  });

  test("must be stated for a rule of AWS, and need not be known for an object", () => {
    expect(check([inGroup("sg-1")], "", said, { holder: [] })).toEqual([
      "j, g, calls: urn:it  is in sg-1, and the certificate states an unknown place",
    ]);
    const open = policy({ from: [{ ipBlock: { cidr: V4 } }], ports: [{ port: 443, endPort: 445 }] });
    expect(check([open], "spec.ingress[0]", said, { holder: [] })).toEqual([]);
    expect(check([open], "spec.ingress[0]", said, { holder: ["web"] })).toEqual([
      "j, g, calls: urn:it spec.ingress[0] is in default, and the certificate states web",
    ]);
  });

  test("is not enough: a rule for the other direction supports no claim", () => {
    expect(check([inGroup("sg-1", "egress")], "", said)).toEqual([
      "j, g, calls: urn:it  is not a rule for ingress",
    ]);
    expect(check([inGroup("sg-1")], "", said, { direction: "egress" })).toEqual([
      "j, g, calls: urn:it  is not a rule for egress",
    ]);
  });

  test.each([
    ["networkAcl", "ACL"],
    ["securityGroup", "group"],
  ])("may be the default %s of a VPC, which has no known id yet", (kind) => {
    const [type, property, own] =
      kind === "networkAcl"
        ? ["aws:ec2/defaultNetworkAcl:DefaultNetworkAcl", "networkAclId", "defaultNetworkAclId"]
        : ["aws:ec2/defaultSecurityGroup:DefaultSecurityGroup", "securityGroupId", "vpcId"];
    const rule =
      kind === "networkAcl"
        ? resource("aws:ec2/networkAclRule:NetworkAclRule", {
            ...{ egress: false, ruleNumber: 1, ruleAction: "allow", cidrBlock: V4, protocol: "tcp" },
            ...{ fromPort: 443, toPort: 445 },
          })
        : inGroup(undefined);
    const plan = [
      { ...rule, dependencies: { [property]: ["urn:vpc"] } },
      resource("aws:ec2/vpc:Vpc", {}, "urn:vpc"),
      { ...resource(type, {}, "urn:default"), dependencies: { [own]: ["urn:vpc"] } },
    ];
    expect(check(plan, "", said, { holder: ["urn:default", "urn:vpc"] })).toEqual([]);
    expect(check(plan, "", said, { holder: ["urn:default"] })).toHaveLength(1);
  });
});

describe("a list of all rules of a security group", () => {
  const said = block(tcp, [V4]);
  const rule = resource("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", {
    ...{ securityGroupId: "sg-1", ipProtocol: "tcp", fromPort: 443, toPort: 445, cidrIpv4: V4, id: "sgr-1" },
  });
  const other = { ...rule, urn: "urn:other", properties: { ...rule.properties, id: "sgr-2" } };
  const only = (properties: object, dependencies: string[] = []) => ({
    ...resource(
      "aws:ec2/vpcSecurityGroupRulesExclusive:VpcSecurityGroupRulesExclusive",
      { securityGroupId: "sg-1", ...properties },
      "urn:list",
    ),
    dependencies: { ingressRuleIds: dependencies },
  });
  const removed = [
    "j, g, calls: a list of all rules of its security group does not certainly contain urn:it ",
  ];

  test.each<[string, PlannedResource, boolean]>([
    ["its id", only({ ingressRuleIds: ["sgr-1"] }), true],
    ["the other direction", only({ egressRuleIds: [] }), true],
    ["another group", only({ securityGroupId: "sg-2", ingressRuleIds: [] }), true],
    ["only other ids", only({ ingressRuleIds: ["sgr-2"] }), false],
    ["no ids", only({ ingressRuleIds: [] }), false],
    ["unknown ids", only({ ingressRuleIds: {} }, ["urn:it"]), false],
    ["its unknown id", only({ ingressRuleIds: [{}] }, ["urn:it"]), true],
    [
      "its unknown id beside another id",
      only({ ingressRuleIds: [{}, "sgr-2"] }, ["urn:it", "urn:other"]),
      true,
    ],
    ["the unknown id of one of two rules", only({ ingressRuleIds: [{}] }, ["urn:it", "urn:other"]), false],
    ["an unknown group", only({ securityGroupId: undefined, ingressRuleIds: [] }), false],
  ])("may remove a rule unless it certainly contains it: %s", (_, list, isKept) => {
    expect(check([rule, other, list], "", said)).toEqual(isKept ? [] : removed);
  });

  test("removes inline rules", () => {
    const one = { ...group({ ...web, cidrBlocks: [V4] }) };
    const inline = { ...one, properties: { ...one.properties, id: "sg-1" } };
    expect(check([inline, only({ ingressRuleIds: ["sgr-1"] })], "ingress[0]", said)).toHaveLength(1);
  });
});

describe("protocols of rules", () => {
  /** Every word of the module that reads protocols which that module reads as a protocol. */
  const words = readFileSync("src/resources/trafficSpec.ts", "utf8").match(/[\w-]+/g) ?? [];
  const names = [...new Set(words)].filter(
    (word) => readProtocol({ protocol: word }, "protocol") !== word.toLowerCase(),
  );
  const rule = (protocol: string) => ({ protocol, icmpType: -1, fromPort: 0, toPort: 65_535, cidrBlock: V4 });

  test("include names that only network ACLs take", () => {
    expect(names).toEqual(
      expect.arrayContaining(["tcp", "6", "gre", "ipv6-icmp", "isis-over-ipv4", "-1", "all"]),
    );
    expect(names.length).toBeGreaterThan(40);
  });

  test.each(names)("have the numbers that the engine gives them: %s", (name) => {
    const protocol = readProtocol(rule(name), "protocol");
    const { from, to } = servicesOfTraffic({ protocol }, protocol === "58" ? 6 : 4);
    for (const word of [name, name.toUpperCase()])
      expect(check([entry(rule(word))], "ingress[0]", block([from, to], [V4]))).toEqual([]);
    for (const wide of widened(block([from, to], [V4])))
      expect(check([entry(rule(name))], "ingress[0]", wide)).toEqual(less("ingress[0]"));
  });

  test.each(["icmp", "1", "icmpv6", "ipv6-icmp", "58"])("have messages for ICMP: %s", (name) => {
    const message: [number, number] =
      name === "icmp" || name === "1" ? services("icmp", 768, 768) : services("icmpv6", 768, 768);
    expect(
      check([entry({ protocol: name, icmpType: 3, icmpCode: 0 })], "ingress[0]", block(message, [V4])),
    ).toEqual([]);
  });

  test.each(["", "300", "0x6", "tcp6", "gre "])(
    "match nothing, or may deny anything, if no one knows them: %j",
    (name) => {
      expect(check([entry(rule(name))], "ingress[0]", block(services("esp"), [V4]))).toEqual(
        less("ingress[0]"),
      );
      const both = resource("aws:ec2/networkAcl:NetworkAcl", {
        ingress: [
          { ...rule(name), ruleNo: 1, action: "deny" },
          { ...rule("-1"), ruleNo: 2, action: "allow" },
        ],
      });
      expect(check([both], "ingress[1]", block(tcp, [V4]))).toEqual([
        "j, g, calls: a rule before urn:it ingress[1] denies some of the packets",
      ]);
    },
  );
});

describe("ports of TCP", () => {
  const split = (ports: object) =>
    resource("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", {
      ...{ securityGroupId: "sg-1", ipProtocol: "tcp", cidrIpv4: V4 },
      ...ports,
    });

  test("may be written as texts", () => {
    const one = split({ fromPort: "443", toPort: "443" });
    expect(check([one], "", block(services("tcp", 443, 443), [V4]))).toEqual([]);
    expect(check([one], "", block(services("tcp", 443, 444), [V4]))).toEqual(less(""));
  });

  test.each([
    {},
    { fromPort: 443 },
    { toPort: 443 },
    { fromPort: 443, toPort: -1 },
    { fromPort: -1, toPort: 443 },
    { fromPort: -1, toPort: -1 },
    { fromPort: 443, toPort: 70_000 },
    { fromPort: 444, toPort: 443 },
  ])("are none in a rule that EC2 refuses: %j", (ports) => {
    const said = block(services("tcp", 443, 443), [V4]);
    expect(check([split(ports)], "", said)).toEqual(less(""));
    const inline = group({ protocol: "tcp", ...ports, cidrBlocks: [V4] });
    expect(check([inline], "ingress[0]", said)).toEqual(less("ingress[0]"));
  });

  test("do not reach into the next protocol", () => {
    const far = split({ fromPort: 0, toPort: 2 ** 24 });
    expect(check([far], "", block(services("udp", 53, 53), [V4]))).toEqual(less(""));
  });
});
