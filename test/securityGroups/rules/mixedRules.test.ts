import { type PropertyValue, UNKNOWN, type Resource } from "../../../src/resources/resource";
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

  it("reports inline rules next to a rule resource of the same direction", () => {
    expect(violations(securityGroupMixedRules, [inline, own("10.1.0.0/16")])).toMatchObject([
      {
        resource: inline.origin,
        path: "ingress[0]",
        message: expect.stringContaining("SecurityGroupIngressRule rule-443") as string,
      },
    ]);
  });

  it("accepts only one form, different directions, and rules that the provider read back", () => {
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

  it("reports inline rules with the same permission and other descriptions, in groups of a hosted cluster", () => {
    const rule = (description: PropertyValue, ...blocks: string[]): Properties => ({
      ...tcp(443, ...blocks),
      description,
    });
    const found = (...list: Properties[]) =>
      violations(securityGroupMixedRules, [group("hosts", list)]).map(({ path }) => path);
    const ignition = rule("ignition", "10.0.0.0/16");
    expect(found(ignition, rule("konnectivity", "10.1.0.0/16", "10.0.0.0/16"))).toEqual(["ingress[1]"]);
    expect(found(ignition, ignition, rule("konnectivity", "10.1.0.0/16"))).toEqual([]);
    expect(found(ignition, { ...rule("konnectivity", "10.0.0.0/16"), toPort: 444 })).toEqual([]);
    expect(found(ignition, rule(UNKNOWN, "10.0.0.0/16"))).toEqual([]);
    const others = group("others", [ignition, rule("konnectivity", "10.0.0.0/16")], { tags: {} });
    expect(violations(securityGroupMixedRules, [others])).toEqual([]);
  });

  it("accepts a group and rules that the stack only reads", () => {
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

  it("reports rules with the permission of a rule that the update deletes", () => {
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

  it("reports what one legacy rule lists twice, and not inline rules, whose duplicates the provider removes", () => {
    const legacy = (properties: Properties): Resource =>
      resource(TYPE.securityGroupRule, "rule", {
        securityGroupId: "sg-1",
        type: "ingress",
        protocol: "tcp",
        fromPort: 443,
        toPort: 443,
        ...properties,
      });
    const found = (...resources: Resource[]) =>
      violations(securityGroupMixedRules, resources).map(({ path, message }) => [path, message]);
    const refused = "EC2 refuses a rule that contains one permission twice";
    const twice = legacy({ cidrBlocks: ["10.1.0.0/16", "10.2.0.0/16", "10.1.0.0/16"], fromPort: UNKNOWN });
    expect(found(twice)).toEqual([["cidrBlocks[2]", `10.1.0.0/16 is already cidrBlocks[0]: ${refused}`]]);
    expect(found(legacy({ ipv6CidrBlocks: ["fd00::/64", "FD00:0::/64"] }))).toEqual([
      ["ipv6CidrBlocks[1]", `FD00:0::/64 is already ipv6CidrBlocks[0]: ${refused}`],
    ]);
    expect(found(legacy({ prefixListIds: ["pl-1", "pl-1"] }))).toEqual([
      ["prefixListIds[1]", `pl-1 is already prefixListIds[0]: ${refused}`],
    ]);
    expect(found({ ...twice, isRead: true })).toEqual([]);
    expect(found(legacy({ cidrBlocks: ["10.1.0.0/16", "10.1.0.0/17", UNKNOWN, UNKNOWN] }))).toEqual([]);
    expect(found(legacy({ cidrBlocks: UNKNOWN }))).toEqual([]);
    expect(found(legacy({ self: true, sourceSecurityGroupId: "sg-1" }))).toEqual([]);
    expect(found(group("hosts", [tcp(443, "10.1.0.0/16", "10.1.0.0/16")]))).toEqual([]);
  });

  describe("two resources for one entry, which EC2 stores once", () => {
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
        "rules with different descriptions",
        [bare, rule("a", { description: "a" }), rule("b", { description: "b" })],
        ["b: has the same permission as SecurityGroupIngressRule a"],
      ],
      [
        "rules in two forms, one with more peers",
        [bare, rule("a", {}), legacy("b", { cidrBlocks: ["10.2.0.0/16", "10.1.0.0/16"] })],
        ["a: has the same permission as SecurityGroupRule b"],
      ],
      [
        "rules of a group outside the stack",
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
    ])("are reported: %s", (_, resources, lines) => {
      expect(found(...resources)).toEqual(lines);
    });

    describe("with peers that the plan creates", () => {
      const [holder, peer, another] = ["holder", "peer", "another"].map((name) => group(name, []));
      const list = resource(TYPE.prefixList, "list", {});
      const of = (name: string, source: Resource, properties: Properties = {}): Resource =>
        resource(
          TYPE.securityGroupRule,
          name,
          {
            securityGroupId: UNKNOWN,
            sourceSecurityGroupId: UNKNOWN,
            type: "ingress",
            protocol: "tcp",
            fromPort: 443,
            toPort: 443,
            ...properties,
          },
          { securityGroupId: [holder!], sourceSecurityGroupId: [source] },
        );
      const open = (name: string, property: string, source: Resource): Resource =>
        resource(
          TYPE.ingressRule,
          name,
          { securityGroupId: UNKNOWN, [property]: UNKNOWN, ipProtocol: "tcp", fromPort: 443, toPort: 443 },
          { securityGroupId: [holder!], [property]: [source] },
        );
      const all = [holder!, peer!, another!, list];

      it.each<[what: string, rules: Resource[], lines: string[]]>([
        [
          "one group",
          [of("a", peer!), of("b", peer!)],
          ["b: has the same permission as SecurityGroupRule a"],
        ],
        [
          "one group in two forms",
          [of("a", peer!), open("b", "referencedSecurityGroupId", peer!)],
          ["b: has the same permission as SecurityGroupRule a"],
        ],
        [
          "one prefix list",
          [open("a", "prefixListId", list), open("b", "prefixListId", list)],
          ["b: has the same permission as SecurityGroupIngressRule a"],
        ],
        [
          "the group itself",
          [of("a", holder!), of("b", another!, { self: true, sourceSecurityGroupId: null })],
          ["b: has the same permission as SecurityGroupRule a"],
        ],
        ["two groups", [of("a", peer!), of("b", another!)], []],
        ["other ports", [of("a", peer!), of("b", peer!, { toPort: 444 })], []],
      ])("are compared: %s", (_, rules, lines) => {
        expect(found(...all, ...rules)).toEqual(lines);
      });

      it("are unknown if the peer may be one of several", () => {
        const [a, b] = ["a", "b"].map((name) => ({
          ...of(name, peer!),
          propertyDependencies: {
            securityGroupId: [holder!.origin.urn!],
            sourceSecurityGroupId: [peer!.origin.urn!, another!.origin.urn!],
          },
        }));
        expect(found(...all, a!, b!)).toEqual([]);
      });
    });

    it.each<[what: string, resources: Resource[]]>([
      ["in two groups", [bare, other, rule("a", {}), rule("b", {}, other)]],
      [
        "with different ports, blocks and protocols",
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
      ["with an unknown port", [bare, rule("a", { fromPort: UNKNOWN }), rule("b", { fromPort: UNKNOWN })]],
      ["with an unknown peer", [bare, rule("a", { cidrIpv4: UNKNOWN }), rule("b", { cidrIpv4: UNKNOWN })]],
      ["with the same URN", [bare, rule("a", {}), { ...rule("a", {}) }]],
      ["with one that the stack only reads", [bare, rule("a", {}), { ...rule("b", {}), isRead: true }]],
      [
        "with one that was read from the cloud",
        [bare, rule("a", {}), { ...rule("b", {}), origin: { urn: "b", live: "ec2" } }],
      ],
    ])("are not reported: %s", (_, resources) => {
      expect(found(...resources)).toEqual([]);
    });
  });

  describe("for other kinds of lists", () => {
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
    ])("reports %s that are written inline and as resources", (_, words, resources) => {
      const [found, ...others] = violations(securityGroupMixedRules, resources);
      expect(`${found?.path}: ${found?.message}`).toContain(words);
      expect(others).toEqual([]);
    });

    it("reports a resource of an unknown list as unknown only if some list has inline entries", () => {
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

    it("reports unknown parts of a list next to findings of other rules", () => {
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
      ["only inline entries", [table([A]), table([]), list([{ cidr: "10.0.0.0/8" }])]],
      [
        "only resources",
        [
          table([]),
          route("0.0.0.0/0"),
          resource(TYPE.prefixList, "list", { id: "pl-1" }),
          entry("10.0.0.0/8"),
        ],
      ],
      ["inline entries that were read back", [{ ...table([A]), inputs: {} }, route("0.0.0.0/0")]],
      [
        "entries that are the same in both forms",
        [table([A]), route("10.0.0.0/8"), acl(["subnet-1"]), placed("subnet-1")],
      ],
      ["a list that the stack only reads", [{ ...table([A]), isRead: true }, route("0.0.0.0/0")]],
      ["resources of another list", [acl(["subnet-1"]), placed("subnet-2", "acl-2")]],
      ["an unknown list", [table(UNKNOWN), route("0.0.0.0/0")]],
    ])("accepts %s", (_, resources) => {
      expect(judge(securityGroupMixedRules, resources)).toEqual([]);
    });

    it.each<[what: string, resources: Resource[]]>([
      ["a subnet in the list", [acl([UNKNOWN]), placed("subnet-2")]],
      ["the entry of a resource", [table([A]), route(UNKNOWN)]],
    ])("reports unknown if %s is unknown", (_, resources) => {
      expect(unknowns(securityGroupMixedRules, resources)).toHaveLength(1);
      expect(violations(securityGroupMixedRules, resources)).toEqual([]);
    });

    it("reports unknown because of a secret in the rule resource", () => {
      const secret = { ...route(UNKNOWN), secrets: ["destinationCidrBlock"] };
      expect(judge(securityGroupMixedRules, [table([A]), secret]).map(({ status }) => status)).toEqual([
        "unknown (secret)",
      ]);
    });
  });

  describe("with a VpcSecurityGroupRulesExclusive resource", () => {
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

    it("reports rules that it does not list, by id or by dependency", () => {
      expect(taken(bare, a, b, all([UNKNOWN]))).toEqual([PORT_22]);
      expect(taken(bare, a, b, all([UNKNOWN, UNKNOWN], [a, b]))).toEqual([]);
      const [c, d] = [rule(443, { id: "sgr-1" }), rule(22, { id: "sgr-2" })];
      expect(taken(bare, c, d, all(["sgr-1"], []))).toEqual([PORT_22]);
      expect(taken(bare, c, d, all(["sgr-1", "sgr-2"], []))).toEqual([]);
      expect(taken(bare, c, d, { ...all([], []), isRead: true as const })).toEqual([]);
      expect(taken(bare, { ...c, isRead: true as const }, all([], []))).toEqual([]);
      expect(taken(bare, a, b, all(UNKNOWN))).toEqual([PORT_22]);
    });

    it("treats the sources of rules that may be in the list as unknown", () => {
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

  it("does not judge rules of controllers, and reports unknown inline rules as unknown", () => {
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
