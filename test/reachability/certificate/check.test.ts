import fc from "fast-check";
import { checkCertificate, type PlannedResource } from "../../../src/reachability/certificate/check";

type Block = { services: [number, number][]; sources: string[]; destinations: string[] };
type Properties = PlannedResource["properties"];

const ALL = ["0.0.0.0/0", "::/0"];
const number = { icmp: 1, tcp: 6, udp: 17, esp: 50, icmpv6: 58, sctp: 132 };
const services = (protocol: keyof typeof number, from = 0, to = 65_535): [number, number] => [
  number[protocol] * 65_536 + from,
  number[protocol] * 65_536 + to,
];
const EVERY_SERVICE: [number, number] = [0, 256 * 65_536 - 1];
const block = (service: [number, number], sources = ALL, destinations = ALL): Block => ({
  services: [service],
  sources,
  destinations,
});

const resource = (type: string, properties: Properties, urn = "urn:it"): PlannedResource => ({
  urn,
  type,
  properties,
});
/** What is found when a rule is said to let these packets pass. */
const check = (
  plan: readonly PlannedResource[],
  path: string,
  said: Block,
  { assumed, urn = "urn:it" }: { assumed?: string[]; urn?: string } = {},
) =>
  checkCertificate(
    {
      version: 1,
      flows: [
        {
          journey: "j",
          places: [
            {
              guard: "g",
              packets: "calls",
              required: [said],
              rules: [{ rule: { urn, path }, ...(assumed && { assumed }), packets: [said] }],
            },
          ],
        },
      ],
    },
    plan,
  );
const less = (path: string) => [`j, g, calls: urn:it ${path} lets less pass than is said of it`];

const group = (ingress: object, direction = "ingress") =>
  resource("aws:ec2/securityGroup:SecurityGroup", { [direction]: [ingress] });
const policy = (rule: object, direction = "ingress") =>
  resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", { spec: { [direction]: [rule] } });
const entry = (properties: object) =>
  resource("aws:ec2/networkAcl:NetworkAcl", {
    id: "acl-1",
    ingress: [{ ruleNo: 100, action: "allow", cidrBlock: V4, ...properties }],
  });
const web = { protocol: "tcp", fromPort: 443, toPort: 445 };
const tcp: [number, number] = services("tcp", 443, 445);
const V4 = "10.0.0.0/24";
const V6 = "2001:db8:0:1::/64";

/** A rule, where it stands, and exactly what it lets pass. */
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

/** The same with one service or address more, at each end where there is one. */
function widened({ services: [[from, to] = EVERY_SERVICE], sources, destinations }: Block): Block[] {
  const shorter = (texts: string[]) =>
    texts.map((text) => text.replace(/\/(\d+)$/, (_, length: string) => `/${Number(length) - 1}`));
  const blocks = [
    ...(from > EVERY_SERVICE[0] ? [block([from - 1, to], sources, destinations)] : []),
    ...(to < EVERY_SERVICE[1] ? [block([from, to + 1], sources, destinations)] : []),
    ...(sources === ALL
      ? []
      : [block([from, to], shorter(sources), destinations), block([from, to], ALL, destinations)]),
    ...(destinations === ALL
      ? []
      : [block([from, to], sources, shorter(destinations)), block([from, to], sources, ALL)]),
  ];
  return blocks;
}

describe("a rule bears out what it lets pass, and nothing beyond it", () => {
  test.each(rules)("%s", (_, one, path, exact) => {
    expect(check([one], path, exact)).toEqual([]);
    const more = widened(exact);
    expect(more.length).toBeGreaterThan(0);
    for (const wide of more) expect(check([one], path, wide)).toEqual(less(path));
  });

  test.each<[string, PlannedResource, string]>([
    ["a rule of egress for what comes in", group({ ...web, cidrBlocks: [V4] }, "egress"), "egress[0]"],
    ["a port by its name", policy({ ports: [{ port: "https" }] }), "spec.ingress[0]"],
    [
      "a block with exceptions",
      policy({ from: [{ ipBlock: { cidr: V4, except: ["10.0.0.0/30"] } }] }),
      "spec.ingress[0]",
    ],
    ["a rule that names no end", group(web), "ingress[0]"],
    ["a named port of an AdminNetworkPolicy", policy({ ports: [{ namedPort: "https" }] }), "spec.ingress[0]"],
    [
      "a named port of a ClusterNetworkPolicy",
      policy({ protocols: [{ destinationNamedPort: "https" }] }),
      "spec.ingress[0]",
    ],
    ["a protocol without a port", policy({ protocols: [{ tcp: {} }] }), "spec.ingress[0]"],
    ["a rule that denies", policy({ action: "Deny", from: [{ namespaces: {} }] }), "spec.ingress[0]"],
    ["a rule that passes on", policy({ action: "Pass", from: [{ namespaces: {} }] }), "spec.ingress[0]"],
    ["domain names", policy({ to: [{ domainNames: ["example.com"] }] }, "egress"), "spec.egress[0]"],
    ["nodes", policy({ to: [{ nodes: {} }] }, "egress"), "spec.egress[0]"],
    ["null in the place of a block", group({ ...web, cidrBlocks: null }), "ingress[0]"],
  ])("%s bears out nothing", (_, one, path) => {
    expect(check([one], path, block(tcp, [V4]))).toEqual(less(path));
  });

  test.each([[{ namespaces: {} }], [{ pods: { podSelector: {} } }]])(
    "what %j of an administrator's policy means it does not show either",
    (peer) => {
      const ports = [{ portRange: { start: 443, end: 445 } }];
      const one = policy({ action: "Allow", from: [peer], ports });
      expect(check([one], "spec.ingress[0]", block(tcp))).toEqual([]);
    },
  );

  test("what selectors of a policy mean a certificate does not show: any address", () => {
    const one = policy({ from: [{ podSelector: {} }], ports: [{ port: 443, endPort: 445 }] });
    expect(check([one], "spec.ingress[0]", block(tcp))).toEqual([]);
  });

  test("two rules together bear out what neither does by itself", () => {
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
    const certificate = (...used: ReturnType<typeof part>[]) => ({
      version: 1,
      flows: [
        {
          journey: "j",
          places: [{ guard: "g", packets: "calls", required: [block(tcp, [V4])], rules: used }],
        },
      ],
    });
    const [first, second] = [part("a", "10.0.0.0/25"), part("b", "10.0.0.128/25")];
    expect(checkCertificate(certificate(first, second), plan)).toEqual([]);
    for (const one of [first, second])
      expect(checkCertificate(certificate(one), plan)).toEqual([
        "j, g, calls: no rule covers some of the required packets",
      ]);
  });
});

describe("blocks cover together", () => {
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

  test.each([4, 6] as const)("what is required, packet by packet, of IPv%i", (family) => {
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
          {
            version: 1,
            flows: [
              {
                journey: "j",
                places: [
                  {
                    guard: "g",
                    packets: "calls",
                    required: [blockOf(required)],
                    rules: parts.map((part) => ({ packets: [blockOf(part)] })),
                  },
                ],
              },
            ],
          },
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
  ])("%s is not %s", (one, other) => {
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
  ])("%s has all of %s", (one, inner) => {
    const rule = group({ ...web, cidrBlocks: [one] });
    expect(check([rule], "ingress[0]", block(tcp, [inner]))).toEqual([]);
  });
});

describe("addresses behind names", () => {
  test.each([
    "securityGroups",
    "sourceSecurityGroupId",
    "referencedSecurityGroupId",
    "prefixListIds",
    "prefixListId",
    "self",
  ])("%s makes the certificate's assumption count", (name) => {
    const one = group({ ...web, [name]: "it" });
    expect(check([one], "ingress[0]", block(tcp, [V4]), { assumed: [V4] })).toEqual([]);
    expect(check([one], "ingress[0]", block(tcp, ["10.0.0.0/23"]), { assumed: [V4] })).toEqual(
      less("ingress[0]"),
    );
    expect(check([one], "ingress[0]", block(tcp, [V4]))).toEqual(less("ingress[0]"));
  });

  test("a block beside a name needs no assumption", () => {
    const one = group({ ...web, cidrBlocks: [V4], securityGroups: ["sg-1"] });
    expect(check([one], "ingress[0]", block(tcp, [V4]))).toEqual([]);
  });

  test("an assumption beside a rule that names nothing counts for nothing", () => {
    const one = group({ ...web, cidrBlocks: ["192.0.2.0/24"] });
    expect(check([one], "ingress[0]", block(tcp, [V4]), { assumed: [V4] })).toEqual(less("ingress[0]"));
  });
});

describe("rules that are not there", () => {
  test("are named by place", () => {
    const one = group({ ...web, cidrBlocks: [V4] });
    const said = block(tcp, [V4]);
    expect(check([one], "ingress[1]", said)).toEqual(["j, g, calls: urn:it has no rule ingress[1]"]);
    expect(check([one], "tags", said)).toEqual(["j, g, calls: urn:it has no rule tags"]);
    expect(check([resource("aws:ec2/vpc:Vpc", { cidrBlock: V4 })], "", said)).toEqual([
      "j, g, calls: urn:it has no rule ",
    ]);
    expect(check([one], "ingress[0]", said, { urn: "urn:other" })).toEqual([
      "j, g, calls: urn:other is not in the plan",
    ]);
  });

  test("a file and its line are a name too", () => {
    const { urn: _, ...rest } = policy({ ports: [{ port: 443, endPort: 445 }] });
    const from = (line: number) =>
      checkCertificate(
        {
          version: 1,
          flows: [
            {
              journey: "j",
              places: [
                {
                  guard: "g",
                  packets: "calls",
                  required: [],
                  rules: [{ rule: { file: "a.yaml", line, path: "spec.ingress[0]" }, packets: [block(tcp)] }],
                },
              ],
            },
          ],
        },
        [{ ...rest, file: "a.yaml", line: 3 }],
      );
    expect(from(3)).toEqual([]);
    expect(from(4)).toEqual(["j, g, calls: a.yaml:4 is not in the plan"]);
  });

  test("what no rule stops needs none", () => {
    const place = {
      guard: "g",
      packets: "calls",
      required: [block(tcp)],
      rules: [{ packets: [block(tcp)] }],
    };
    expect(checkCertificate({ version: 1, flows: [{ journey: "j", places: [place] }] }, [])).toEqual([]);
  });
});

describe("network ACLs, whose rules stand one behind the other", () => {
  const allow = { ruleNo: 100, action: "allow", protocol: "-1", cidrBlock: "10.0.0.0/8" };
  const acl = (inline: object[], direction = "ingress") =>
    resource("aws:ec2/networkAcl:NetworkAcl", { id: "acl-1", [direction]: [...inline, allow] });
  const separate = (properties: Properties) =>
    resource(
      "aws:ec2/networkAclRule:NetworkAclRule",
      {
        networkAclId: "acl-1",
        egress: false,
        ruleNumber: 50,
        ruleAction: "deny",
        protocol: "tcp",
        fromPort: 443,
        toPort: 443,
        cidrBlock: V4,
        ...properties,
      },
      "urn:deny",
    );
  const denied = (position: number) => [
    `j, g, calls: a rule before urn:it ingress[${position}] denies some of it`,
  ];
  const deny = { ruleNo: 50, action: "deny", protocol: "tcp", fromPort: 443, toPort: 443, cidrBlock: V4 };
  const said = block(tcp, [V4]);

  test.each<[string, Properties, boolean]>([
    ["the same packets", {}, true],
    ["some of the addresses", { cidrBlock: "10.0.0.7/32" }, true],
    ["every protocol", { protocol: "-1" }, true],
    ["other addresses", { cidrBlock: "10.0.1.0/24" }, false],
    ["another port", { fromPort: 446, toPort: 446 }, false],
    ["another protocol", { protocol: "udp" }, false],
  ])("a denial before it of %s", (_, properties, isDenied) => {
    expect(check([acl([{ ...deny, ...properties }])], "ingress[1]", said)).toEqual(isDenied ? denied(1) : []);
    expect(check([acl([]), separate(properties)], "ingress[0]", said)).toEqual(isDenied ? denied(0) : []);
  });

  test.each<[string, Properties]>([
    ["has the same number", { ruleNo: 100, ruleNumber: 100 }],
    ["has a higher number", { ruleNo: 101, ruleNumber: 101 }],
    ["allows", { action: "allow", ruleAction: "allow" }],
  ])("a rule that %s takes nothing", (_, properties) => {
    expect(check([acl([{ ...deny, ...properties }])], "ingress[1]", said)).toEqual([]);
    expect(check([acl([]), separate(properties)], "ingress[0]", said)).toEqual([]);
  });

  test.each<[string, Properties]>([
    ["number", { ruleNo: undefined, ruleNumber: undefined }],
    ["action", { action: undefined, ruleAction: undefined }],
    ["protocol, where none can be read,", { protocol: "x", cidrBlock: "192.0.2.0/24" }],
  ])("a rule of unknown %s may deny before any", (_, properties) => {
    expect(check([acl([{ ...deny, ...properties }])], "ingress[1]", said)).toEqual(denied(1));
    expect(check([acl([]), separate(properties)], "ingress[0]", said)).toEqual(denied(0));
  });

  test("a denial of the other direction, of another ACL, or of none takes nothing", () => {
    expect(check([acl([]), separate({ egress: true })], "ingress[0]", said)).toEqual([]);
    expect(check([acl([]), separate({ networkAclId: "acl-2" })], "ingress[0]", said)).toEqual([]);
    const other = resource("aws:ec2/networkAcl:NetworkAcl", { id: "acl-2", ingress: [deny] }, "urn:other");
    expect(check([acl([]), other], "ingress[0]", said)).toEqual([]);
    const both = resource("aws:ec2/networkAcl:NetworkAcl", { id: "acl-1", ingress: [allow], egress: [deny] });
    expect(check([both], "ingress[0]", said)).toEqual([]);
    const unnamed = (list: object[], urn: string) =>
      resource("aws:ec2/networkAcl:NetworkAcl", { ingress: list }, urn);
    expect(check([unnamed([allow], "urn:it"), unnamed([deny], "urn:b")], "ingress[0]", said)).toEqual([]);
  });

  test("a rule that is not known leaves those beside it as they are", () => {
    expect(check([acl([null as never])], "ingress[1]", said)).toEqual([]);
  });

  test("what goes out is judged by rules of egress", () => {
    const out = block(tcp, ALL, [V4]);
    const found = ["j, g, calls: a rule before urn:it egress[1] denies some of it"];
    expect(check([acl([deny], "egress")], "egress[1]", out)).toEqual(found);
    expect(check([acl([], "egress"), separate({ egress: true })], "egress[0]", out)).toEqual([
      "j, g, calls: a rule before urn:it egress[0] denies some of it",
    ]);
    expect(check([acl([], "egress"), separate({})], "egress[0]", out)).toEqual([]);
  });

  test("a rule resource is judged with the rules beside it", () => {
    const rule = resource("aws:ec2/networkAclRule:NetworkAclRule", {
      networkAclId: "acl-1",
      egress: false,
      ruleNumber: 100,
      ruleAction: "allow",
      protocol: "-1",
      cidrBlock: "10.0.0.0/8",
    });
    expect(check([rule], "", said)).toEqual([]);
    expect(check([rule, separate({})], "", said)).toEqual([
      "j, g, calls: a rule before urn:it  denies some of it",
    ]);
    expect(check([rule, separate({ ruleNumber: 150 })], "", said)).toEqual([]);
    expect(check([rule, separate({ networkAclId: undefined })], "", said)).toHaveLength(1);
    const inline = (id: string) =>
      resource("aws:ec2/networkAcl:NetworkAcl", { id, ingress: [deny] }, "urn:acl");
    expect(check([rule, inline("acl-1")], "", said)).toHaveLength(1);
    expect(check([rule, inline("acl-2")], "", said)).toEqual([]);
    const { networkAclId: _, ...stray } = rule.properties;
    expect(check([{ ...rule, properties: stray }, inline("acl-2")], "", said)).toHaveLength(1);
  });

  test("a rule resource of egress is about what goes out", () => {
    const egress = { egress: true, ruleAction: "allow", protocol: "-1", cidrBlock: V4 };
    const rule = resource("aws:ec2/networkAclRule:NetworkAclRule", { ...separate(egress).properties });
    expect(check([rule], "", block(tcp, ALL, [V4]))).toEqual([]);
    expect(check([rule], "", said)).toEqual(less(""));
  });

  test("a rule that denies bears out nothing", () => {
    expect(check([acl([deny])], "ingress[0]", block(services("tcp", 443, 443), [V4]))).toEqual(
      less("ingress[0]"),
    );
    const rule = resource("aws:ec2/networkAclRule:NetworkAclRule", { ...separate({}).properties });
    expect(check([rule], "", block(services("tcp", 443, 443), [V4]))).toEqual(less(""));
  });

  test("a group has no order", () => {
    const one = resource("aws:ec2/securityGroup:SecurityGroup", {
      id: "acl-1",
      ingress: [{ ...web, cidrBlocks: [V4] }],
    });
    expect(check([one, separate({})], "ingress[0]", said)).toEqual([]);
  });
});

describe("egress firewalls, of which the first rule that matches decides", () => {
  const firewall = (...egress: object[]) =>
    resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", { spec: { egress } });
  const allow = { type: "Allow", to: { cidrSelector: V4 }, ports: [{ protocol: "TCP", port: 443 }] };
  const deny = (to: object, more: object = {}) => ({ type: "Deny", to, ...more });
  const said = block(services("tcp", 443, 443), ALL, [V4]);
  const denied = ["j, g, calls: a rule before urn:it spec.egress[1] denies some of it"];

  test("a rule bears out its block and ports, and nothing beyond them", () => {
    expect(check([firewall(allow)], "spec.egress[0]", said)).toEqual([]);
    for (const wide of widened(said))
      expect(check([firewall(allow)], "spec.egress[0]", wide)).toEqual(less("spec.egress[0]"));
  });

  test("one that denies, and one for a name, bear out nothing", () => {
    expect(check([firewall({ ...allow, type: "Deny" })], "spec.egress[0]", said)).toEqual(
      less("spec.egress[0]"),
    );
    const named = { ...allow, to: { dnsName: "example.com" } };
    expect(check([firewall(named)], "spec.egress[0]", said)).toEqual(less("spec.egress[0]"));
  });

  test.each<[string, object, boolean]>([
    ["of the same addresses", deny({ cidrSelector: V4 }), true],
    ["of one of them", deny({ cidrSelector: "10.0.0.7/32" }), true],
    ["of a name, which may have any", deny({ dnsName: "example.com" }), true],
    ["of nodes, which may have any", deny({ nodeSelector: {} }), true],
    ["of a name, on another port", deny({ dnsName: "a" }, { ports: [{ protocol: "TCP", port: 80 }] }), false],
    ["of other addresses", deny({ cidrSelector: "10.0.1.0/24" }), false],
    ["of another port", deny({ cidrSelector: V4 }, { ports: [{ protocol: "TCP", port: 80 }] }), false],
  ])("a denial before it %s", (_, one, isDenied) => {
    expect(check([firewall(one, allow)], "spec.egress[1]", said)).toEqual(isDenied ? denied : []);
    expect(check([firewall(allow, one)], "spec.egress[0]", said)).toEqual([]);
  });

  test("a rule before it that the plan does not know may deny anything", () => {
    expect(check([firewall(null as never, allow)], "spec.egress[1]", said)).toEqual(denied);
  });

  test("an Allow before it takes nothing", () => {
    expect(check([firewall(allow, { ...allow })], "spec.egress[1]", said)).toEqual([]);
  });
});
