import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { verdictOf } from "../../../src/gate/verdict";
import { rules } from "../../../src/rules";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { securityGroups } from "../../../src/resources/securityGroups";
import { securityGroupMixedRules } from "../../../src/securityGroups/rules/groupRules";
import {
  group,
  judge,
  resource,
  splitRule,
  tcp,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

describe("security-group-mixed-rules", () => {
  const inline = group("hosts", [tcp(6443, "10.0.0.0/16")]);
  const own = (cidrIpv4: string, port = 443) =>
    splitRule(`rule-${port}`, inline, { cidrIpv4, fromPort: port, toPort: port });

  it("finds inline rules beside a rule resource of the same direction", () => {
    expect(violations(securityGroupMixedRules, [inline, own("10.1.0.0/16")])).toMatchObject([
      {
        resource: inline.origin,
        path: "ingress[0]",
        message: expect.stringContaining("SecurityGroupIngressRule rule-443") as string,
      },
    ]);
  });

  it("takes only one way, other directions, and what the provider read back", () => {
    expect(violations(securityGroupMixedRules, [inline])).toEqual([]);
    expect(violations(securityGroupMixedRules, [group("hosts", []), own("10.1.0.0/16")])).toEqual([]);
    expect(violations(securityGroupMixedRules, [inline, own("10.0.0.0/16", 6443)])).toEqual([]);
    const outbound = group("hosts", [], { egress: [tcp(443, "0.0.0.0/0")] });
    const inbound = splitRule("rule", outbound, { cidrIpv4: "10.0.0.0/16", fromPort: 443, toPort: 443 });
    expect(violations(securityGroupMixedRules, [outbound, inbound])).toEqual([]);
    const read = group("hosts", [{ ...tcp(443, "10.1.0.0/16", "10.2.0.0/16") }]);
    const two = ["10.1.0.0/16", "10.2.0.0/16"].map((cidrIpv4) =>
      splitRule(cidrIpv4, read, { cidrIpv4, fromPort: 443, toPort: 443 }),
    );
    expect(violations(securityGroupMixedRules, [read, ...two])).toEqual([]);
    const byHand = group("hosts", [tcp(443, "10.9.0.0/16")]);
    const beside = splitRule("rule", byHand, { cidrIpv4: "10.0.0.0/16", fromPort: 443, toPort: 443 });
    expect(violations(securityGroupMixedRules, [byHand, beside])).toHaveLength(1);
    expect(violations(securityGroupMixedRules, [{ ...byHand, inputs: {} }, beside])).toEqual([]);
  });

  it("takes a group and rules that the stack only reads, or has let go: it updates them no more", () => {
    const read = { isRead: true } as const;
    const { origin } = inline;
    expect(violations(securityGroupMixedRules, [{ ...inline, ...read }, own("10.1.0.0/16")])).toEqual([]);
    expect(violations(securityGroupMixedRules, [inline, { ...own("10.1.0.0/16"), ...read }])).toEqual([]);
    const both = [inline, { ...own("10.1.0.0/16"), ...read }, own("10.2.0.0/16", 22)];
    expect(violations(securityGroupMixedRules, both)).toMatchObject([
      {
        resource: origin,
        message: expect.stringMatching(/next to SecurityGroupIngressRule rule-22:/) as string,
      },
    ]);
  });

  it("finds rules with the permission of one that the update deletes, and does not know what they let pass", () => {
    const bare = group("hosts", []);
    const by = splitRule("old", bare, {});
    const once = "permission";
    const rule = { ...own("10.1.0.0/16"), revoked: [{ path: "", by, once }] };
    const stated = { ...bare, revoked: [{ path: "ingress[0]", by, once }] };
    const message =
      "has the same permission as SecurityGroupIngressRule old, which the update deletes last: this resource is refused as a duplicate, or the deletion removes it too";
    expect(violations(securityGroupMixedRules, [bare, rule])).toMatchObject([
      { resource: rule.origin, path: "", message },
    ]);
    expect(violations(securityGroupMixedRules, [stated])).toMatchObject([
      { resource: bare.origin, path: "ingress[0]", message },
    ]);
  });

  describe("what two resources write, and EC2 stores once", () => {
    const bare = group("hosts", [], { id: "sg-1" });
    const other = group("others", [], { id: "sg-2" });
    const rule = (name: string, properties: Properties, of = bare): Resource =>
      splitRule(name, of, { cidrIpv4: "10.1.0.0/16", fromPort: 443, toPort: 443, ...properties });
    const legacy = (name: string, properties: Properties): Resource =>
      resource(TYPE.securityGroupRule, name, {
        securityGroupId: "sg-1",
        type: "ingress",
        protocol: "tcp",
        fromPort: 443,
        toPort: 443,
        ...properties,
      });
    const inLists = (type: string, name: string, properties: Properties) => resource(type, name, properties);
    const found = (...resources: Resource[]) =>
      violations(securityGroupMixedRules, resources)
        .filter(({ message }) => message.includes("EC2 stores it once"))
        .map(({ resource: { urn }, message }) => `${urn?.split("::").at(-1)}: ${message.split(":")[0]}`);

    it.each<[what: string, resources: Resource[], lines: string[]]>([
      [
        "rules with other descriptions",
        [bare, rule("a", { description: "a" }), rule("b", { description: "b" })],
        ["b: has the same permission as SecurityGroupIngressRule a"],
      ],
      [
        "rules in two forms, of which one has more peers",
        [bare, rule("a", {}), legacy("b", { cidrBlocks: ["10.2.0.0/16", "10.1.0.0/16"] })],
        ["a: has the same permission as SecurityGroupRule b"],
      ],
      [
        "rules of a group that is not here",
        [legacy("a", { cidrBlocks: ["10.1.0.0/16"] }), legacy("b", { cidrBlocks: ["10.1.0.0/16"] })],
        ["b: has the same permission as SecurityGroupRule a"],
      ],
      [
        "routes",
        ["a", "b"].map((name) =>
          inLists(TYPE.route, name, { routeTableId: "rtb-1", destinationCidrBlock: "10.0.0.0/8" }),
        ),
        ["b: has the same destination as Route a"],
      ],
      [
        "entries",
        ["a", "b"].map((name) =>
          inLists(TYPE.prefixListEntry, name, { prefixListId: "pl-1", cidr: "10.0.0.0/8" }),
        ),
        ["b: has the same block as ManagedPrefixListEntry a"],
      ],
    ])("is found: %s", (_, resources, lines) => {
      expect(found(...resources)).toEqual(lines);
    });

    it.each<[what: string, resources: Resource[]]>([
      ["of two groups", [bare, other, rule("a", {}), rule("b", {}, other)]],
      [
        "of two ports, blocks and protocols",
        [
          bare,
          rule("a", {}),
          rule("b", { toPort: 444 }),
          rule("c", { cidrIpv4: "10.1.0.0/17" }),
          rule("d", { ipProtocol: "udp" }),
        ],
      ],
      [
        "in two directions",
        [
          legacy("a", { cidrBlocks: ["10.1.0.0/16"] }),
          legacy("b", { cidrBlocks: ["10.1.0.0/16"], type: "egress" }),
        ],
      ],
      [
        "with a value that is not known",
        [bare, rule("a", { fromPort: UNKNOWN }), rule("b", { fromPort: UNKNOWN })],
      ],
      [
        "with a peer that is not known",
        [bare, rule("a", { cidrIpv4: UNKNOWN }), rule("b", { cidrIpv4: UNKNOWN })],
      ],
      ["in a preview and in the state of one stack", [bare, rule("a", {}), { ...rule("a", {}) }]],
      ["one of which the stack only reads", [bare, rule("a", {}), { ...rule("b", {}), isRead: true }]],
      [
        "one of which was read of the cloud",
        [bare, rule("a", {}), { ...rule("b", {}), origin: { urn: "b", live: "ec2" } }],
      ],
    ])("is not: %s", (_, resources) => {
      expect(found(...resources)).toEqual([]);
    });
  });

  describe("of lists of other kinds", () => {
    const table = (routes: Properties[string], more: Properties = {}) =>
      resource(TYPE.routeTable, "table", { id: "rtb-1", routes, ...more });
    const route = (destinationCidrBlock: Properties[string]) =>
      resource(TYPE.route, "route", { routeTableId: "rtb-1", destinationCidrBlock, natGatewayId: "nat-1" });
    const list = (entries: Properties[string]) => resource(TYPE.prefixList, "list", { id: "pl-1", entries });
    const entry = (cidr: Properties[string], name = "entry") =>
      resource(TYPE.prefixListEntry, name, { prefixListId: "pl-1", cidr });
    const acl = (subnetIds: Properties[string]) =>
      resource(TYPE.networkAcl, "acl", { id: "acl-1", subnetIds });
    const placed = (subnetId: Properties[string], networkAclId = "acl-1") =>
      resource(TYPE.networkAclAssociation, "placed", { networkAclId, subnetId });
    const A = { cidrBlock: "10.0.0.0/8", natGatewayId: "nat-1" };

    it.each<[what: string, found: string, resources: Resource[]]>([
      ["routes", "routes: is inline next to Route route:", [table([A]), route("0.0.0.0/0")]],
      [
        "entries",
        "entries: is inline next to ManagedPrefixListEntry entry and 1 more:",
        [list([{ cidr: "10.0.0.0/8" }]), entry("10.0.0.0/9"), entry("10.0.0.0/10", "other")],
      ],
      [
        "subnets",
        "subnetIds: is inline next to NetworkAclAssociation placed:",
        [acl(["subnet-1"]), placed("subnet-2")],
      ],
    ])("finds %s that are written inline and as resources", (_, words, resources) => {
      const [found, ...others] = violations(securityGroupMixedRules, resources);
      expect(`${found?.path}: ${found?.message}`).toContain(words);
      expect(others).toEqual([]);
    });

    it("counts a resource whose list is not known where a list has entries, and not where none has", () => {
      const stray = [
        resource(TYPE.prefixListEntry, "stray", { prefixListId: UNKNOWN, cidr: "10.0.0.0/9" }),
        resource(TYPE.route, "stray", { routeTableId: 7, natGatewayId: "nat-1" }),
      ];
      const stated = [list([{ cidr: "10.0.0.0/8" }]), table([A])];
      expect(unknowns(securityGroupMixedRules, [...stated, ...stray])).toMatchObject([
        {
          path: "routeTableId",
          message: "Route stray: routeTableId, whether its list also has inline entries",
        },
        {
          path: "prefixListId",
          message: "ManagedPrefixListEntry stray: prefixListId, whether its list also has inline entries",
        },
      ]);
      const others = [list(UNKNOWN), table([]), { ...table([A]), inputs: {} }];
      expect(unknowns(securityGroupMixedRules, [...others, ...stray])).toEqual([]);
    });

    it("says what is not known of a list beside what others find there", () => {
      const rule = {
        networkAclId: "acl-1",
        ruleNumber: 90,
        egress: false,
        protocol: "tcp",
        fromPort: 1,
        toPort: 1,
      };
      const inline = {
        ruleNo: 100,
        action: "allow",
        protocol: "6",
        fromPort: 2,
        toPort: 1,
        cidrBlock: "10.0.0.0/8",
      };
      const verdict = verdictOf(
        new JudgedResources([
          resource(TYPE.networkAcl, "acl", { id: "acl-1", ingress: [inline] }),
          resource(TYPE.networkAclRule, "rule", { ...rule, ruleAction: UNKNOWN, cidrBlock: "10.0.0.0/8" }),
        ]),
        rules,
      );
      expect(verdict.findings.map(({ rule: id, path }) => `${id} ${path}`)).toEqual(
        expect.arrayContaining([
          "port-range-reversed ingress[0].fromPort",
          "security-group-mixed-rules ingress",
        ]),
      );
    });

    it.each<[what: string, resources: Resource[]]>([
      ["one form", [table([A]), table([]), list([{ cidr: "10.0.0.0/8" }])]],
      [
        "the other",
        [
          table([]),
          route("0.0.0.0/0"),
          resource(TYPE.prefixList, "list", { id: "pl-1" }),
          entry("10.0.0.0/8"),
        ],
      ],
      ["what was read back", [{ ...table([A]), inputs: {} }, route("0.0.0.0/0")]],
      ["what both say", [table([A]), route("10.0.0.0/8"), acl(["subnet-1"]), placed("subnet-1")]],
      ["what is only read", [{ ...table([A]), isRead: true }, route("0.0.0.0/0")]],
      ["another holder", [acl(["subnet-1"]), placed("subnet-2", "acl-2")]],
      ["a list of the future", [table(UNKNOWN), route("0.0.0.0/0")]],
    ])("takes %s", (_, resources) => {
      expect(judge(securityGroupMixedRules, resources)).toEqual([]);
    });

    it.each<[what: string, resources: Resource[]]>([
      ["a subnet in the list", [acl([UNKNOWN]), placed("subnet-2")]],
      ["what a resource writes", [table([A]), route(UNKNOWN)]],
    ])("does not know where %s is not known", (_, resources) => {
      expect(unknowns(securityGroupMixedRules, resources)).toHaveLength(1);
      expect(violations(securityGroupMixedRules, resources)).toEqual([]);
    });

    it("does not know because of a secret of who writes", () => {
      const secret = { ...route(UNKNOWN), secrets: ["destinationCidrBlock"] };
      expect(judge(securityGroupMixedRules, [table([A]), secret]).map(({ status }) => status)).toEqual([
        "unknown (secret)",
      ]);
    });
  });

  describe("where a resource lists the rules that may stay", () => {
    const bare = group("hosts", []);
    const rule = (port: number, more: Properties = {}) =>
      splitRule(`rule-${port}`, bare, { cidrIpv4: "10.1.0.0/16", fromPort: port, toPort: port, ...more });
    const [a, b] = [rule(443), rule(22)];
    const all = (ingressRuleIds: Properties[string], from = [a], more: Properties = {}) =>
      resource(
        TYPE.rulesExclusive,
        "all",
        { securityGroupId: UNKNOWN, ingressRuleIds, egressRuleIds: [], ...more },
        { securityGroupId: [bare], ingressRuleIds: from },
      );
    const taken = (...resources: ReturnType<typeof group>[]) =>
      violations(securityGroupMixedRules, resources).map(({ resource: { urn }, message }) => [
        urn?.split("::").at(-1),
        message,
      ]);
    const PORT_22 = [
      "rule-22",
      "is not among ingressRuleIds of VpcSecurityGroupRulesExclusive all: each update of that resource removes the rule from the group",
    ];

    it("finds those that it does not list, by id or by what the list was made from", () => {
      expect(taken(bare, a, b, all([UNKNOWN]))).toEqual([PORT_22]);
      expect(taken(bare, a, b, all([UNKNOWN, UNKNOWN], [a, b]))).toEqual([]);
      const [c, d] = [rule(443, { id: "sgr-1" }), rule(22, { id: "sgr-2" })];
      expect(taken(bare, c, d, all(["sgr-1"], []))).toEqual([PORT_22]);
      expect(taken(bare, c, d, all(["sgr-1", "sgr-2"], []))).toEqual([]);
      expect(taken(bare, c, d, { ...all([], []), isRead: true as const })).toEqual([]);
      expect(taken(bare, { ...c, isRead: true as const }, all([], []))).toEqual([]);
      expect(taken(bare, a, b, all(UNKNOWN))).toEqual([PORT_22]);
    });

    it("does not know of rules that may be in the list", () => {
      for (const list of [all([UNKNOWN], []), all(UNKNOWN, []), all([UNKNOWN], [a, b])]) {
        expect(taken(bare, a, b, list)).toEqual([]);
        const { rules } = securityGroups(new ResourceIndex([bare, a, b, list])).groups[0]!;
        expect(rules.map(({ sources: [source] }) => source?.kind)).toEqual(["unknown", "unknown"]);
      }
      const inline = group("hosts", [tcp(6443, "10.0.0.0/16")]);
      const kinds = (list: ReturnType<typeof group>) =>
        securityGroups(new ResourceIndex([inline, a, list])).groups[0]!.rules.map(
          ({ sources: [source] }) => source?.kind,
        );
      expect(kinds(all([UNKNOWN]))).toEqual(["prefix"]);
      expect(kinds(all(["sgr-9", UNKNOWN]))).toEqual(["unknown", "prefix"]);
    });
  });

  it("does not judge rules of controllers, and counts what is not known", () => {
    const written = { ...tcp(443, "10.9.0.0/16"), description: "elbv2.k8s.aws/targetGroupBinding=shared" };
    const shared = group("hosts", [written]);
    const rule = splitRule("rule", shared, { cidrIpv4: "10.1.0.0/16", fromPort: 1, toPort: 1 });
    expect(violations(securityGroupMixedRules, [shared, rule])).toEqual([]);
    const unsaid = group("hosts", [{ ...tcp(443), cidrBlocks: UNKNOWN }]);
    expect(violations(securityGroupMixedRules, [unsaid, own("10.1.0.0/16")])).toEqual([]);
    expect(unknowns(securityGroupMixedRules, [unsaid, own("10.1.0.0/16")])).toMatchObject([
      { path: "ingress[0]" },
    ]);
  });
});
