import fc from "fast-check";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { securityGroups } from "../../src/resources/securityGroups";
import type { StatedRule } from "../../src/resources/securityGroupRule";
import { readTraffic } from "../../src/resources/trafficSpec";
import { resource, splitRule, tcp } from "../rules/builders";

const rulesOf = (...resources: ReturnType<typeof resource>[]) =>
  securityGroups(new ResourceIndex(resources)).groups.flatMap(({ rules }) => rules);

describe("security groups", () => {
  it("reads no inline rule before its rules are used, because most of a large plan are never read", () => {
    const late = resource(TYPE.securityGroup, "late", {});
    let reads = 0;
    const properties = {
      get ingress() {
        reads += 1;
        return [tcp(443, "10.0.0.0/8")];
      },
    };
    const [group] = securityGroups(new ResourceIndex([{ ...late, properties }])).groups;
    const before = reads;
    expect(group!.takenOut).toEqual([]);
    expect(reads).toBe(before);
    expect(group!.rules).toHaveLength(1);
    expect(reads).toBeGreaterThan(before);
  });

  const group = resource(TYPE.securityGroup, "hosts", { id: UNKNOWN });

  it("reads inline rules of groups and default groups", () => {
    for (const type of [TYPE.securityGroup, TYPE.defaultSecurityGroup]) {
      const [ingress, egress] = rulesOf(
        resource(type, "a", {
          ingress: [{ ...tcp(443, "10.0.0.0/8"), ipv6CidrBlocks: ["fd00::/8"], self: true }],
          egress: [{ protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] }],
        }),
      );
      expect(ingress).toMatchObject({ direction: "ingress", protocol: "TCP", ports: { from: 443, to: 443 } });
      expect(ingress?.sources.map(({ kind }) => kind)).toEqual(["prefix", "prefix", "group"]);
      expect(egress).toMatchObject({ direction: "egress", protocol: "any" });
      expect(egress?.ports).toBeUndefined();
    }
  });

  describe("the default group of a VPC, by an unknown ID that comes from the VPC,", () => {
    const vpc = resource(TYPE.vpc, "vpc", {});
    const other = resource(TYPE.vpc, "other", {});
    const own = resource(TYPE.defaultSecurityGroup, "default", { vpcId: UNKNOWN }, { vpcId: [vpc] });
    const into = (...sources: (typeof vpc)[]) =>
      resource(TYPE.ingressRule, "in", { securityGroupId: UNKNOWN }, { securityGroupId: sources });
    const read = (...all: (typeof vpc)[]) => {
      const { groups, unknown } = securityGroups(new ResourceIndex([vpc, other, ...all]));
      return [groups.map(({ rules }) => rules.length), unknown.map(({ path }) => path)];
    };

    it("has the rules that refer to it", () => {
      expect(read(own, into(vpc))).toEqual([[1], []]);
      expect(read(own, into(other))).toEqual([[0], ["securityGroupId"]]);
      expect(read(own, into(vpc, other))).toEqual([[0], ["securityGroupId"]]);
      expect(read(into(vpc))).toEqual([[], ["securityGroupId"]]);
    });

    it("is the source of rules that reference it", () => {
      const sources = (from: typeof vpc) => [
        resource(
          TYPE.ingressRule,
          "split",
          { securityGroupId: "sg-1", referencedSecurityGroupId: UNKNOWN },
          { referencedSecurityGroupId: [from] },
        ),
        resource(
          TYPE.securityGroup,
          "inline",
          { ingress: [{ securityGroups: [UNKNOWN] }] },
          { ingress: [from] },
        ),
      ];
      const ends = (from: typeof vpc) =>
        rulesOf(vpc, other, own, ...sources(from)).flatMap((rule) =>
          rule.sources.map((source) => (source.kind === "group" ? source.group.name : source.kind)),
        );
      expect(ends(vpc)).toEqual(["default", "default"]);
      expect(ends(other)).toEqual(["unknown", "unknown"]);
    });
  });

  it("ignores an empty string in place of an ID", () => {
    const none = { securityGroupId: "sg-1", fromPort: 22, toPort: 22 };
    const split = resource(TYPE.ingressRule, "split", {
      ...none,
      ...{ ipProtocol: "tcp", cidrIpv4: "10.0.0.0/16", cidrIpv6: "" },
      ...{ prefixListId: "", referencedSecurityGroupId: "" },
    });
    const legacy = resource(TYPE.securityGroupRule, "legacy", {
      ...none,
      ...{ type: "ingress", protocol: "tcp", cidrBlocks: ["10.0.0.0/16"], sourceSecurityGroupId: "" },
    });
    for (const rule of rulesOf(split, legacy)) {
      expect(rule.sources.map(({ kind }) => kind)).toEqual(["prefix"]);
      expect((rule as StatedRule).blocks()).toMatchObject([{ text: "10.0.0.0/16" }]);
    }
  });

  it("reads split and legacy rules and their groups through the resources that unknown IDs come from", () => {
    const split = resource(
      TYPE.egressRule,
      "split",
      {
        securityGroupId: UNKNOWN,
        referencedSecurityGroupId: UNKNOWN,
        ipProtocol: "udp",
        fromPort: 53,
        toPort: 53,
      },
      { securityGroupId: [group], referencedSecurityGroupId: [group] },
    );
    const legacy = resource(
      TYPE.securityGroupRule,
      "legacy",
      {
        type: "ingress",
        securityGroupId: UNKNOWN,
        sourceSecurityGroupId: UNKNOWN,
        protocol: "6",
        fromPort: 1,
        toPort: 9,
      },
      { securityGroupId: [group], sourceSecurityGroupId: [group] },
    );
    expect(rulesOf(group, split, legacy)).toMatchObject([
      { direction: "ingress", protocol: "TCP", sources: [{ kind: "group" }] },
      {
        direction: "egress",
        protocol: "UDP",
        sources: [{ kind: "group", path: "referencedSecurityGroupId" }],
      },
    ]);
  });

  it("uses a known ID before the resource that it depends on, and that resource if the ID is unknown", () => {
    const here = resource(TYPE.securityGroup, "here", { id: "sg-here" });
    const other = resource(TYPE.securityGroup, "other", { id: "sg-other" });
    const made = (securityGroupId: PropertyValue, referencedSecurityGroupId: PropertyValue) =>
      resource(
        TYPE.ingressRule,
        "in",
        { securityGroupId, referencedSecurityGroupId, ipProtocol: "-1" },
        { securityGroupId: [here], referencedSecurityGroupId: [here] },
      );
    const read = (...ids: [PropertyValue, PropertyValue]) => {
      const { groups } = securityGroups(new ResourceIndex([here, other, made(...ids)]));
      return groups.flatMap(({ resource: one, id, rules: [first] }) =>
        first ? [[one?.name ?? id, first.sources[0]]] : [],
      );
    };
    expect(read("sg-other", "sg-other")).toEqual([["other", expect.objectContaining({ group: other })]]);
    expect(read("sg-else", "sg-else")).toEqual([
      ["sg-else", expect.objectContaining({ kind: "foreignGroup", id: "sg-else" })],
    ]);
    expect(read(UNKNOWN, UNKNOWN)).toEqual([["here", expect.objectContaining({ group: here })]]);
  });

  it("reads no open port from a split TCP rule without ports, because EC2 rejects it", () => {
    const without = resource(TYPE.ingressRule, "in", { securityGroupId: "sg-1", ipProtocol: "tcp" });
    expect(rulesOf(without)[0]?.ports).toEqual({ from: 1, to: 0 });
  });

  it("adds an unknown source to a prefix list if the list of an entry is unknown", () => {
    const list = resource(TYPE.prefixList, "offices", { id: "pl-1", entries: [] });
    const entry = resource(TYPE.prefixListEntry, "one", { prefixListId: UNKNOWN, cidr: "10.0.0.0/8" });
    const from = splitRule("in", group, { prefixListId: "pl-1", ipProtocol: "-1" });
    expect(rulesOf(group, list, entry, from)[0]?.sources).toEqual([
      expect.objectContaining({ kind: "unknown", path: "prefixListId" }),
    ]);
  });

  it("keeps unknown protocols, ports and sources unknown", () => {
    const rule = splitRule("rule", group, {
      ipProtocol: UNKNOWN,
      fromPort: UNKNOWN,
      toPort: 3,
      cidrIpv4: UNKNOWN,
    });
    expect(rulesOf(group, rule)).toMatchObject([
      { protocol: UNKNOWN, ports: UNKNOWN, sources: [{ kind: "unknown", path: "cidrIpv4" }] },
    ]);
  });

  it("resolves an unknown inline reference only if a single group can be meant", () => {
    const others = ["a", "b"].map((name) => resource(TYPE.securityGroup, name, { id: UNKNOWN }));
    const inline = (...sources: typeof others) =>
      resource(
        TYPE.securityGroup,
        "hosts",
        { ingress: [{ ...tcp(443), securityGroups: [UNKNOWN] }] },
        { ingress: sources },
      );
    const [one] = rulesOf(...others, inline(others[0]!)).slice(-1);
    expect(one?.sources).toMatchObject([{ kind: "group", group: { name: "a" } }]);
    const [either] = rulesOf(...others, inline(...others)).slice(-1);
    expect(either?.sources).toMatchObject([{ kind: "unknown" }]);
  });

  it("does not take an unknown reference for a group with a known ID if it has another source", () => {
    const known = resource(TYPE.securityGroup, "known", { id: "sg-known" });
    const added = resource("random:index/randomId:RandomId", "rnd", {});
    const inline = resource(
      TYPE.securityGroup,
      "hosts",
      { ingress: [{ ...tcp(443), securityGroups: [UNKNOWN] }] },
      { ingress: [known, added] },
    );
    expect(rulesOf(known, added, inline)[0]?.sources).toMatchObject([{ kind: "unknown" }]);
    const split = resource(
      TYPE.ingressRule,
      "in",
      { securityGroupId: UNKNOWN, cidrIpv4: "10.0.0.0/8", ipProtocol: "-1" },
      { securityGroupId: [known, added] },
    );
    expect(securityGroups(new ResourceIndex([known, added, split])).unknown).toMatchObject([
      { path: "securityGroupId" },
    ]);
  });

  describe("an unknown inline reference in rules that also depend on other resources", () => {
    const group = (name: string) => resource(TYPE.securityGroup, name, { id: UNKNOWN });
    const vpc = (id: PropertyValue) => resource(TYPE.vpc, "vpc", { id });
    const endpoint = resource("aws:ec2/vpcEndpoint:VpcEndpoint", "s3", { id: UNKNOWN });
    const list = resource(TYPE.prefixList, "world", { id: UNKNOWN, entries: [{ cidr: "0.0.0.0/0" }] });
    const inline = (rules: PropertyValue[], sources: ReturnType<typeof group>[]) =>
      resource(TYPE.securityGroup, "hosts", { ingress: rules }, { ingress: sources });
    const from = (property: string): PropertyValue => ({ ...tcp(443), [property]: [UNKNOWN] });
    const kinds = (rules: PropertyValue[], ...sources: ReturnType<typeof group>[]) =>
      rulesOf(...sources, inline(rules, sources))
        .filter(({ path }) => path.startsWith("ingress"))
        .flatMap((rule) => rule.sources.map(({ kind }) => kind));
    const twoGroups: PropertyValue[] = [from("securityGroups"), from("securityGroups")];
    const twoLists: PropertyValue[] = [from("prefixListIds"), from("prefixListIds")];

    it("is unknown if another resource may be its target, and resolved if none may", () => {
      expect(kinds(twoGroups, group("w"), vpc(UNKNOWN))).toEqual(["unknown", "unknown"]);
      expect(kinds(twoGroups, group("w"), endpoint)).toEqual(["unknown", "unknown"]);
      expect(kinds(twoLists, list, endpoint)).toEqual(["unknown", "unknown"]);
      expect(kinds(twoGroups, group("w"), list)).toEqual(["group", "group"]);
      expect(kinds(twoLists, list, vpc(UNKNOWN), group("w"))).toEqual(["list", "list"]);
    });

    it("is resolved if the other resource has a known ID, or if there is only one unknown reference", () => {
      expect(kinds(twoGroups, group("w"), vpc("vpc-1"))).toEqual(["group", "group"]);
      expect(kinds([from("securityGroups"), tcp(22, "10.0.0.0/8")], group("w"), vpc(UNKNOWN))).toEqual([
        "group",
        "prefix",
      ]);
    });
  });

  it("resolves self if only the ID of its group is known, and strips the account of a peered group", () => {
    const legacy = resource(TYPE.securityGroupRule, "self", {
      type: "ingress",
      securityGroupId: "sg-w",
      protocol: "-1",
      self: true,
    });
    expect(rulesOf(legacy)[0]?.sources).toMatchObject([{ kind: "foreignGroup", id: "sg-w", path: "self" }]);
    const peered = resource(TYPE.securityGroup, "hosts", {
      egress: [{ ...tcp(443), securityGroups: ["123456789012/sg-abc"] }],
    });
    expect(rulesOf(peered)[0]?.sources).toMatchObject([{ kind: "foreignGroup", id: "sg-abc" }]);
  });

  it("includes prefix list entries that are separate resources", () => {
    const list = resource(TYPE.prefixList, "workers", { id: UNKNOWN });
    const entry = resource(
      TYPE.prefixListEntry,
      "a",
      { cidr: "10.0.0.0/16", prefixListId: UNKNOWN },
      { prefixListId: [list] },
    );
    const rule = resource(
      TYPE.ingressRule,
      "rule",
      { securityGroupId: UNKNOWN, prefixListId: UNKNOWN, ipProtocol: "tcp", fromPort: 1, toPort: 2 },
      { securityGroupId: [group], prefixListId: [list] },
    );
    expect(rulesOf(group, list, entry, rule)[0]?.sources).toMatchObject([
      { kind: "list", list, blocks: [{ text: "10.0.0.0/16" }], path: "prefixListId" },
    ]);
  });

  it("returns blocks() only for a plain rule that names nothing else, equal to its sources", () => {
    const cidrs = { cidrBlocks: ["10.0.0.0/8", "not a block"], ipv6CidrBlocks: ["fd00::/8"] };
    const others: Record<string, PropertyValue>[] = [
      { self: true },
      { self: UNKNOWN },
      { securityGroups: ["sg-1"] },
      { prefixListIds: UNKNOWN },
      { cidrBlocks: UNKNOWN },
      { cidrBlocks: ["10.0.0.0/8", UNKNOWN] },
      { cidrIpv4: UNKNOWN },
      { sourceSecurityGroupId: "sg-1" },
      { referencedSecurityGroupId: UNKNOWN },
      { prefixListId: "pl-1" },
    ];
    const nothing: Record<string, PropertyValue> = {
      self: "false",
      securityGroups: [],
      prefixListIds: null,
      cidrIpv4: "10.1.0.0/16",
    };
    const rules = rulesOf(
      resource(TYPE.securityGroup, "a", {
        ingress: [
          { ...cidrs },
          { ...cidrs, self: false, securityGroups: [], prefixListId: null },
          { ...cidrs, ...nothing },
          ...others.map((other) => ({ ...cidrs, ...other })),
        ],
      }),
    ) as StatedRule[];
    const plain = rules.slice(0, 2).map((rule) => rule.blocks());
    for (const [position, blocks] of plain.entries()) {
      expect(blocks?.map(String)).toEqual(["10.0.0.0/8", "fd00::/8"]);
      expect(rules[position]?.sources).toMatchObject(blocks!.map((prefix) => ({ kind: "prefix", prefix })));
    }
    // A rule in an unusual form is read in full.
    for (const rule of rules.slice(2)) expect(rule.blocks()).toBeUndefined();
  });
});

test("the fast path for plain protocols and ports agrees with the full path", () => {
  const port = fc.constantFrom(0, 1, 443, 65_535, 65_536, -1, 0.5);
  const protocol = fc.constantFrom("tcp", "udp", "icmp", "-1");
  const key = fc.constantFrom("protocol" as const, "ipProtocol" as const);
  fc.assert(
    fc.property(key, protocol, port, port, (one, name, fromPort, toPort) => {
      const other = one === "protocol" ? "ipProtocol" : "protocol";
      // Capital letters and the protocol property of the other resource type take the full path.
      const plain = readTraffic({ [one]: name, [other]: "esp", fromPort, toPort }, one);
      expect(plain).toEqual(
        readTraffic({ [one]: name.toUpperCase(), [other]: "tcp", fromPort, toPort }, one),
      );
    }),
  );
});
