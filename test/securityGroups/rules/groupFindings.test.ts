import type { Configuration } from "../../../src/gate/configuration";
import type { Rule } from "../../../src/gate/rule";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import {
  networkAclNumber,
  portLocalhostOnly,
  securityGroupMixedRules,
  securityGroupQuota,
} from "../../../src/securityGroups/rules/groupRules";
import {
  COMPONENT,
  group,
  hostedCluster,
  judge,
  linesOf,
  resource,
  splitRule,
  tags,
  tcp,
  type Properties,
} from "../../rules/builders";

const lines = (rule: Rule, ...resources: Resource[]) => judge(rule, resources).map((one) => linesOf([one]));

describe("security-group-mixed-rules", () => {
  const inline = group("hosts", [tcp(6443, "10.0.0.0/16")]);
  const own = (name: string, more: Properties = {}, of = inline) =>
    splitRule(name, of, { cidrIpv4: "10.1.0.0/16", fromPort: 443, toPort: 443, ...more });
  const MOVE =
    "move the inline rules into separate resources, and leave out ingress and egress; keep all rules of a default network ACL inline";
  const beside = (what: string) =>
    `violated ingress[0] | is inline next to SecurityGroupIngressRule ${what}: each update of one side deletes the ingress rules of the other | ${MOVE}`;

  test.each<[string, Resource[], string[]]>([
    ["one rule resource", [inline, own("a")], [beside("a")]],
    [
      "two rule resources",
      [inline, own("a"), own("b", { fromPort: 22, toPort: 22 })],
      [beside("a and 1 more")],
    ],
    [
      "one that states a part of an inline rule",
      [group("hosts", [tcp(443, "10.1.0.0/16", "10.2.0.0/16")]), own("a")],
      [beside("a")],
    ],
    ["one with another port", [group("hosts", [tcp(6443, "10.1.0.0/16")]), own("a")], [beside("a")]],
    [
      "one with another protocol",
      [group("hosts", [{ ...tcp(443, "10.1.0.0/16"), protocol: "udp" }]), own("a")],
      [beside("a")],
    ],
    ["one that states the same rule", [group("hosts", [tcp(443, "10.1.0.0/16")]), own("a")], []],
    ["one of another direction", [group("hosts", [], { egress: [tcp(443, "0.0.0.0/0")] }), own("a")], []],
    ["one if the inline rules are unknown", [group("hosts", [], { ingress: UNKNOWN }), own("a")], []],
    [
      "one with another ICMP type",
      [
        group("hosts", [{ protocol: "icmp", fromPort: 8, toPort: 0, cidrBlocks: ["10.1.0.0/16"] }]),
        own("a", { ipProtocol: "icmp", fromPort: 3, toPort: 4 }),
      ],
      [beside("a")],
    ],
    [
      "one with the same ICMP type",
      [
        group("hosts", [{ protocol: "icmp", fromPort: 3, toPort: 4, cidrBlocks: ["10.1.0.0/16"] }]),
        own("a", { ipProtocol: "icmp", fromPort: 3, toPort: 4 }),
      ],
      [],
    ],
  ])("judges inline rules next to %s", (_, resources, expected) => {
    expect(lines(securityGroupMixedRules, ...resources)).toEqual(expected);
  });

  test.each<[string, Properties, Properties, number]>([
    ["the same group by its id", { securityGroups: ["sg-9"] }, { referencedSecurityGroupId: "sg-9" }, 0],
    ["two groups", { securityGroups: ["sg-9"] }, { referencedSecurityGroupId: "sg-8" }, 1],
    ["the same prefix list", { prefixListIds: ["pl-1"] }, { prefixListId: "pl-1" }, 0],
    ["two prefix lists", { prefixListIds: ["pl-1"] }, { prefixListId: "pl-2" }, 1],
    ["a prefix list and its block", { prefixListIds: ["pl-1"] }, { cidrIpv4: "10.9.0.0/16" }, 1],
    ["the group itself", { self: true }, { referencedSecurityGroupId: "sg-1" }, 0],
    ["IPv6 and IPv4", { ipv6CidrBlocks: ["fd00::/64"] }, { cidrIpv4: "10.1.0.0/16" }, 1],
  ])("compares the sources of inline rules and rule resources: %s", (_, written, more, count) => {
    const list = resource(TYPE.prefixList, "corporate", { id: "pl-1", entries: [{ cidr: "10.9.0.0/16" }] });
    const one = group("hosts", [{ protocol: "tcp", fromPort: 443, toPort: 443, ...written }], { id: "sg-1" });
    const rule = resource(TYPE.ingressRule, "a", {
      securityGroupId: "sg-1",
      ipProtocol: "tcp",
      fromPort: 443,
      toPort: 443,
      ...more,
    });
    const other = resource(TYPE.prefixList, "other", { id: "pl-2", entries: [{ cidr: "10.9.0.0/16" }] });
    expect(lines(securityGroupMixedRules, one, rule, list, other)).toHaveLength(count);
  });

  test.each<[string, Properties, Properties]>([
    ["the inline rule's protocol", { ...tcp(443, "10.1.0.0/16"), protocol: UNKNOWN }, {}],
    ["its ports", { ...tcp(443, "10.1.0.0/16"), fromPort: UNKNOWN }, {}],
    ["the rule resource's port", tcp(6443, "10.1.0.0/16"), { fromPort: UNKNOWN }],
    ["its source", tcp(6443, "10.1.0.0/16"), { cidrIpv4: UNKNOWN }],
  ])("is unknown if %s is unknown", (_, written, more) => {
    const one = group("hosts", [written]);
    expect(
      judge(securityGroupMixedRules, [one, own("a", more, one)]).map(
        ({ status, path }) => `${status} ${path}`,
      ),
    ).toEqual(["unknown ingress[0]"]);
  });

  test("does not judge a rule of a group outside the stack", () => {
    const far = {
      securityGroupId: "sg-far",
      ipProtocol: "tcp",
      fromPort: 443,
      toPort: 443,
      cidrIpv4: "10.1.0.0/16",
    };
    expect(lines(securityGroupMixedRules, resource(TYPE.ingressRule, "far", far))).toEqual([]);
  });

  test("reports a rule missing in VpcSecurityGroupRulesExclusive with the list to add it to", () => {
    const bare = group("hosts", [], { id: "sg-1" });
    const rule = resource(TYPE.egressRule, "out", {
      id: "sgr-1",
      securityGroupId: "sg-1",
      ipProtocol: "tcp",
      fromPort: 443,
      toPort: 443,
      cidrIpv4: "0.0.0.0/0",
    });
    const all = resource(TYPE.rulesExclusive, "all", {
      securityGroupId: "sg-1",
      ingressRuleIds: [],
      egressRuleIds: [],
    });
    expect(lines(securityGroupMixedRules, bare, rule, all)).toEqual([
      "violated  | is not among egressRuleIds of VpcSecurityGroupRulesExclusive all: each update of that resource removes the rule from the group | add it to egressRuleIds of VpcSecurityGroupRulesExclusive all, or remove the rule",
    ]);
    const marked = {
      ...rule,
      properties: { ...rule.properties, description: "elbv2.k8s.aws/targetGroupBinding=shared" },
    };
    expect(lines(securityGroupMixedRules, bare, marked, all)).toEqual([]);
  });
});

describe("security-group-quota", () => {
  const blocks = (count: number) =>
    Array.from({ length: count }, (_, place) => `10.${place >> 8}.${place & 255}.0/24`);
  const said = (count: number, quota = 60, ways = "") =>
    `violated ingress | SecurityGroup hosts has ${count} ingress rules of IPv4 as AWS counts them, and the quota is ${quota} | write wider CIDR blocks, spread the rules over several groups of the same hosts, ${ways}${count > 1000 ? "AWS grants 1000 at most" : "or have AWS raise the quota, at most to 1000 divided by the groups of an interface"}`;
  const made = (count: number, ruleQuota: PropertyValue) => {
    const component = resource(COMPONENT, "net", { ruleQuota });
    return [component, { ...group("hosts", [tcp(443, ...blocks(count))]), parent: component.origin.urn! }];
  };

  test.each<[string, Resource[], string[]]>([
    ["as many rules as the default quota", [group("hosts", [tcp(443, ...blocks(60))])], []],
    ["one rule more", [group("hosts", [tcp(443, ...blocks(61))])], [said(61)]],
    ["as many rules as AWS grants at most", [group("hosts", [tcp(443, ...blocks(1000))])], [said(1000)]],
    ["more rules than AWS grants", [group("hosts", [tcp(443, ...blocks(1001))])], [said(1001)]],
    ["as many rules as the ruleQuota of its component", made(100, 100), []],
    ["more rules than the ruleQuota of its component", made(101, 100), [said(101, 100)]],
    ["more than the default quota if ruleQuota is 0", made(61, 0), [said(61)]],
    ["more than the default quota if ruleQuota is unknown", made(61, UNKNOWN), [said(61)]],
  ])("judges a group with %s", (_, resources, expected) => {
    expect(lines(securityGroupQuota, ...resources)).toEqual(expected);
  });

  test("names a group outside the stack by one of its rules", () => {
    const rules = blocks(61).map((cidrIpv4, place) =>
      resource(TYPE.ingressRule, `rule-${place}`, {
        securityGroupId: "sg-far",
        ipProtocol: "tcp",
        fromPort: 443,
        toPort: 443,
        cidrIpv4,
      }),
    );
    expect(judge(securityGroupQuota, rules)).toMatchObject([
      {
        resource: rules[0]!.origin,
        path: "ingress",
        message: expect.stringMatching(/^SecurityGroupIngressRule rule-0 has 61 ingress rules/) as string,
      },
    ]);
  });

  test("reports a prefix list outside the stack, or with unknown maxEntries, as unknown once", () => {
    const list = (maxEntries: PropertyValue) =>
      resource(TYPE.prefixList, "corporate", { id: "pl-1", maxEntries, entries: [] });
    const hosts = group("hosts", [{ ...tcp(443), prefixListIds: ["pl-1"] }]);
    const unknown =
      "unknown ingress[0].prefixListIds[0] | SecurityGroup hosts: ingress[0].prefixListIds[0], how many entries the prefix list may have | ";
    for (const resources of [[hosts], [hosts, list(UNKNOWN)]])
      expect(lines(securityGroupQuota, ...resources)).toEqual([expect.stringContaining(unknown)]);
    expect(lines(securityGroupQuota, hosts, list(60))).toEqual([]);
    const secret = { ...list(UNKNOWN), secrets: ["maxEntries"] };
    expect(judge(securityGroupQuota, [hosts, secret]).map(({ status, path }) => `${status} ${path}`)).toEqual(
      ["unknown (secret) maxEntries"],
    );
  });

  test("reports the excess of known rules next to a prefix list of unknown size", () => {
    const hosts = group("hosts", [{ ...tcp(443, ...blocks(61)), prefixListIds: ["pl-1"] }]);
    expect(judge(securityGroupQuota, [hosts]).map(({ status, path }) => `${status} ${path}`)).toEqual([
      "violated ingress",
      "unknown ingress[0].prefixListIds[0]",
    ]);
    expect(lines(securityGroupQuota, hosts)[0]).toBe(said(61));
  });

  test("names a prefix list in the fix if it causes the excess", () => {
    const list = resource(TYPE.prefixList, "corporate", { id: "pl-1", maxEntries: 20, entries: [] });
    const hosts = group("hosts", [{ ...tcp(443, ...blocks(45)), prefixListIds: ["pl-1"] }]);
    expect(lines(securityGroupQuota, hosts, list)).toEqual([
      said(65, 60, "lower the maximum size of prefix lists, which count as 20 rules, "),
    ]);
  });
});

describe("port-localhost-only", () => {
  const agent = hostedCluster({ platform: { type: "Agent" } });
  const found = (rule: Properties, more: Properties = {}, cluster = agent, id: Properties = {}) =>
    lines(portLocalhostOnly, cluster, group("hosts", [rule], { ...more, ...id }));
  const said = (source: string, path = "ingress[0].cidrBlocks[0]") =>
    `violated ${path} | control-plane hosts of clusters/tenant-a are opened at TCP 8080, which listens only on localhost. Metrics of the Cluster API provider for Agent, bound to 127.0.0.1 | remove TCP 8080 from the rule; nothing outside the pod can reach it | ${source} -> control-plane hosts, TCP 8080`;
  const any = { protocol: "tcp", fromPort: 8080, toPort: 8080 };

  test.each<[string, Properties, string[]]>([
    ["a block", tcp(8080, "10.0.0.0/16"), [said("10.0.0.1")]],
    ["a range around the port", { ...tcp(8000, "10.0.0.0/16"), toPort: 8080 }, [said("10.0.0.1")]],
    ["a range that begins there", { ...tcp(8080, "10.0.0.0/16"), toPort: 9000 }, [said("10.0.0.1")]],
    [
      "every protocol",
      { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["10.0.0.0/16"] },
      [said("10.0.0.1")],
    ],
    [
      "another group",
      { ...any, securityGroups: ["sg-9"] },
      [said("security group sg-9", "ingress[0].securityGroups[0]")],
    ],
    [
      "another group of the stack",
      { ...any, securityGroups: ["sg-2"] },
      [said("security group bastion", "ingress[0].securityGroups[0]")],
    ],
    ["a prefix list", { ...any, prefixListIds: ["pl-1"] }, [said("10.9.0.1", "ingress[0].prefixListIds[0]")]],
    ["an unknown block", { ...any, cidrBlocks: [UNKNOWN] }, [said("some address")]],
    ["the hosts themselves", { ...any, self: true }, []],
    [
      "the hosts themselves and others",
      { ...any, self: true, cidrBlocks: ["10.0.0.0/16"] },
      [said("10.0.0.1")],
    ],
    ["another port", tcp(8081, "10.0.0.0/16"), []],
    ["the port below", tcp(8079, "10.0.0.0/16"), []],
    ["UDP", { ...tcp(8080, "10.0.0.0/16"), protocol: "udp" }, []],
  ])("judges ports open to %s", (_, rule, expected) => {
    const list = resource(TYPE.prefixList, "corporate", { id: "pl-1", entries: [{ cidr: "10.9.0.0/16" }] });
    const bastion = group("bastion", [], { id: "sg-2", tags: {} });
    expect(lines(portLocalhostOnly, agent, list, bastion, group("hosts", [rule]))).toEqual(expected);
  });

  test.each<[string, Properties, string]>([
    ["a protocol", { ...tcp(8080, "10.0.0.0/16"), protocol: UNKNOWN }, "ingress[0].protocol"],
    ["ports", { ...tcp(8080, "10.0.0.0/16"), fromPort: UNKNOWN }, "ingress[0].fromPort"],
  ])("is unknown with unknown %s", (_, rule, path) => {
    expect(found(rule)).toEqual([
      expect.stringContaining(`unknown ${path} | SecurityGroup hosts: ${path} |`),
    ]);
  });

  test("is unknown at the property of a rule resource", () => {
    const hosts = group("hosts", []);
    const rule = splitRule("a", hosts, { fromPort: UNKNOWN, toPort: 8080, cidrIpv4: "10.0.0.0/16" });
    expect(judge(portLocalhostOnly, [agent, hosts, rule]).map(({ path }) => path)).toEqual(["fromPort"]);
  });

  test("judges only inbound rules of control-plane hosts, on platforms with the component", () => {
    const rule = tcp(8080, "10.0.0.0/16");
    expect(found(rule, { tags: tags("workers") })).toEqual([]);
    expect(found(rule, {}, hostedCluster())).toEqual([]);
    expect(found(rule, {}, hostedCluster({ platform: UNKNOWN }))).toEqual([]);
    expect(lines(portLocalhostOnly, agent, group("hosts", [], { egress: [rule] }))).toEqual([]);
  });

  test("names the documents that list the port", () => {
    const [one] = judge(portLocalhostOnly, [agent, group("hosts", [tcp(8080, "10.0.0.0/16")])]);
    expect(one).toMatchObject({
      requirement: expect.stringContaining("capi") as string,
      documents: expect.arrayContaining([
        "OKD networking, Table 2. Platform-specific ingress port configurations",
      ]) as string[],
    });
  });

  test.each([
    [TYPE.securityGroup, true],
    [TYPE.defaultSecurityGroup, true],
    [TYPE.ingressRule, false],
  ])("whether %s can have the fault by itself: %s", (type, expected) => {
    expect(portLocalhostOnly.single!(type)).toBe(expected);
  });
});

describe("network-acl-number", () => {
  const entry = (ruleNo: PropertyValue, more: Properties = {}): Properties => ({
    ruleNo,
    ...{ action: "allow", protocol: "tcp", fromPort: 443, toPort: 443, cidrBlock: "10.0.0.0/16", ...more },
  });
  const acl = (ingress: Properties[], more: Partial<Resource> = {}): Resource => ({
    ...resource(TYPE.networkAcl, "acl", { id: "acl-1", ingress, egress: [] }),
    ...more,
  });
  const own = (name: string, more: Properties = {}) =>
    resource(TYPE.networkAclRule, name, {
      ...{ networkAclId: "acl-1", ruleNumber: 100, ruleAction: "allow", egress: false },
      ...{ protocol: "tcp", fromPort: 443, toPort: 443, cidrBlock: "10.0.0.0/16", ...more },
    });

  test("names the numbers that EC2 accepts, and the rule that already has the number", () => {
    expect(lines(networkAclNumber, acl([entry(0)]), own("a", { ruleNumber: 40_000, egress: true }))).toEqual([
      "violated ingress[0].ruleNo | 0 is not a rule number: EC2 accepts 1 to 32766 | write a number from 1 to 32766 that no other ingress rule of the ACL has",
      "violated ruleNumber | 40000 is not a rule number: EC2 accepts 1 to 32766 | write a number from 1 to 32766 that no other egress rule of the ACL has",
    ]);
    expect(lines(networkAclNumber, acl([entry(100), entry(100, { cidrBlock: "10.1.0.0/16" })]))).toEqual([
      "violated ingress[1].ruleNo | 100 is also the number of NetworkAcl acl ingress[0]: EC2 accepts only one ingress rule per number in a network ACL | write a number that no other ingress rule of the ACL has",
    ]);
  });

  test.each<[string, Properties, number]>([
    ["all properties equal", {}, 0],
    ["another action", { ruleAction: "deny" }, 1],
    ["another protocol", { protocol: "udp" }, 1],
    ["another port range", { toPort: 444 }, 1],
    ["another block", { cidrBlock: "10.1.0.0/16" }, 1],
  ])("accepts an inline rule equal to a rule resource, and reports a different one: %s", (_, more, count) => {
    expect(lines(networkAclNumber, acl([entry(100)]), own("a", more))).toHaveLength(count);
  });

  test("distinguishes a rule without a block from one with a block", () => {
    const bare = entry(100, { cidrBlock: null });
    expect(lines(networkAclNumber, acl([bare]), own("a"))).toHaveLength(1);
    expect(lines(networkAclNumber, acl([bare]), own("a", { cidrBlock: null }))).toEqual([]);
  });

  test("reports two equal inline rules", () => {
    expect(lines(networkAclNumber, acl([entry(100), entry(100)]))).toHaveLength(1);
  });

  test.each<[string, Partial<Resource>]>([
    ["is read from the cloud", { origin: { live: "acl-1" } }],
    ["is only read", { isRead: true }],
  ])("accepts the numbers of an ACL that %s", (_, more) => {
    expect(lines(networkAclNumber, acl([entry(0), entry(UNKNOWN), entry(0)], more))).toEqual([]);
  });
});

test("a role from the configuration is judged like a role from tags", () => {
  const configuration: Configuration = {
    clusters: [
      {
        path: "hostedClusters[0]",
        topology: { name: "tenant-a" },
        securityGroups: { "control-plane": ["bare"] },
      },
    ],
    levels: {},
  };
  const bare = group("bare", [tcp(8080, "10.0.0.0/16")], { tags: {} });
  const agent = hostedCluster({ platform: { type: "Agent" } });
  expect(judge(portLocalhostOnly, [agent, bare], configuration)).toHaveLength(1);
  expect(judge(portLocalhostOnly, [agent, bare])).toEqual([]);
});
