import {
  isReadBack,
  isThereOnce,
  mixedLists,
  secondWriters,
  strayWriters,
  withoutReadBack,
  withRevoked,
} from "../../src/gate/readBack";
import { inlineFacts } from "../../src/gate/securityGroupRules";
import { Direction } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { resource, tcp, type Properties } from "../rules/builders";

/** A resource with lists that the provider read back and the program does not state. */
const read = (type: string, lists: Properties, inputs: Properties = {}): Resource => ({
  ...resource(type, "holder", { id: "holder-1", ...inputs, ...lists }),
  inputs,
});

const inbound = (more: Properties, name = "in"): Resource =>
  resource(TYPE.ingressRule, name, {
    securityGroupId: "holder-1",
    ipProtocol: "tcp",
    fromPort: 443,
    toPort: 443,
    ...more,
  });
const legacy = (more: Properties): Resource =>
  resource(TYPE.securityGroupRule, "legacy", {
    type: "ingress",
    securityGroupId: "holder-1",
    protocol: "tcp",
    fromPort: 443,
    toPort: 443,
    ...more,
  });
const aclRule = (ruleNumber: number, more: Properties = {}): Resource =>
  resource(TYPE.networkAclRule, `acl-${ruleNumber}`, {
    networkAclId: "holder-1",
    egress: false,
    ruleNumber,
    ruleAction: "allow",
    ...more,
  });
const allow = (ruleNo: number, action = "allow"): Properties => ({
  ruleNo,
  action,
  protocol: "-1",
  cidrBlock: "0.0.0.0/0",
});
const route = (destination: Properties): Resource =>
  resource(TYPE.route, "route", {
    routeTableId: "holder-1",
    vpcPeeringConnectionId: "pcx-1",
    ...destination,
  });
const entry = (cidr: string): Resource =>
  resource(TYPE.prefixListEntry, cidr, { prefixListId: "holder-1", cidr });
const placed = (subnetId: string, networkAclId = "acl-2"): Resource =>
  resource(TYPE.networkAclAssociation, "placed", { subnetId, networkAclId });

const A = "10.0.0.0/16";
const B = "10.1.0.0/16";

interface Case {
  type: string;
  list: string;
  /** The list that the provider reports. */
  shown: readonly PropertyValue[];
  /** The resource that wrote the first part of the list. */
  writer: Resource;
  /** The list without that part. */
  left: readonly PropertyValue[];
  /** The same if it is unknown whether the rest stays. */
  doubted: readonly PropertyValue[];
}

const cases: Record<string, Case> = {
  "a block of a security group": {
    type: TYPE.securityGroup,
    list: "ingress",
    shown: [tcp(443, A, B)],
    writer: inbound({ cidrIpv4: A }),
    left: [{ ...tcp(443), cidrBlocks: [null, B] }],
    doubted: [{ ...tcp(443), cidrBlocks: [null, UNKNOWN] }],
  },
  "the last peer of a rule": {
    type: TYPE.securityGroup,
    list: "ingress",
    shown: [{ ...tcp(443, A), self: false, description: "" }],
    writer: inbound({ cidrIpv4: A }),
    left: [null],
    doubted: [null],
  },
  "a block of IPv6 that is written another way": {
    type: TYPE.securityGroup,
    list: "ingress",
    shown: [{ ...tcp(443), ipv6CidrBlocks: ["fd00::/8", "fd00:1::/32"] }],
    writer: legacy({ ipv6CidrBlocks: ["FD00:0::/8"] }),
    left: [{ ...tcp(443), ipv6CidrBlocks: [null, "fd00:1::/32"] }],
    doubted: [{ ...tcp(443), ipv6CidrBlocks: [null, UNKNOWN] }],
  },
  "the group itself, by its id": {
    type: TYPE.securityGroup,
    list: "ingress",
    shown: [{ ...tcp(443), securityGroups: ["sg-2"], self: true }],
    writer: legacy({ sourceSecurityGroupId: "holder-1" }),
    left: [{ ...tcp(443), securityGroups: ["sg-2"], self: false }],
    doubted: [{ ...tcp(443), securityGroups: [UNKNOWN], self: false }],
  },
  "the group itself, as the rule says it": {
    type: TYPE.securityGroup,
    list: "ingress",
    shown: [{ ...tcp(443, A), self: true }],
    writer: legacy({ self: true }),
    left: [{ ...tcp(443, A), self: false }],
    doubted: [{ ...tcp(443), cidrBlocks: [UNKNOWN], self: false }],
  },
  "a block of an egress rule": {
    type: TYPE.securityGroup,
    list: "egress",
    shown: [tcp(443, A, B)],
    writer: { ...inbound({ cidrIpv4: A }), type: TYPE.egressRule },
    left: [{ ...tcp(443), cidrBlocks: [null, B] }],
    doubted: [{ ...tcp(443), cidrBlocks: [null, UNKNOWN] }],
  },
  "a block of an egress rule of the older kind": {
    type: TYPE.securityGroup,
    list: "egress",
    shown: [tcp(443, A, B)],
    writer: legacy({ type: "egress", cidrBlocks: [A] }),
    left: [{ ...tcp(443), cidrBlocks: [null, B] }],
    doubted: [{ ...tcp(443), cidrBlocks: [null, UNKNOWN] }],
  },
  "a prefix list": {
    type: TYPE.securityGroup,
    list: "ingress",
    shown: [{ ...tcp(443, A), prefixListIds: ["pl-1"] }],
    writer: inbound({ prefixListId: "pl-1" }),
    left: [{ ...tcp(443, A), prefixListIds: [null] }],
    doubted: [{ ...tcp(443), cidrBlocks: [UNKNOWN], prefixListIds: [null] }],
  },
  "an egress rule of a network ACL": {
    type: TYPE.networkAcl,
    list: "egress",
    shown: [allow(100), allow(200)],
    writer: aclRule(200, { egress: true }),
    left: [allow(100), null],
    doubted: [{ ...allow(100), action: UNKNOWN }, null],
  },
  "a route of IPv6": {
    type: TYPE.routeTable,
    list: "routes",
    shown: [{ ipv6CidrBlock: "fd00::/8", vpcPeeringConnectionId: "pcx-1" }, { cidrBlock: A }],
    writer: route({ destinationIpv6CidrBlock: "FD00:0::/8" }),
    left: [null, { cidrBlock: A }],
    doubted: [null, { cidrBlock: UNKNOWN }],
  },
  "a route to a prefix list": {
    type: TYPE.routeTable,
    list: "routes",
    shown: [{ destinationPrefixListId: "pl-1", vpcPeeringConnectionId: "pcx-1" }, { cidrBlock: A }],
    writer: route({ destinationPrefixListId: "pl-1" }),
    left: [null, { cidrBlock: A }],
    doubted: [null, { cidrBlock: UNKNOWN }],
  },
  "another group, and a prefix list": {
    type: TYPE.defaultSecurityGroup,
    list: "ingress",
    shown: [{ ...tcp(443), securityGroups: ["sg-2"], prefixListIds: ["pl-1"] }],
    writer: inbound({ referencedSecurityGroupId: "sg-2" }),
    left: [{ ...tcp(443), securityGroups: [null], prefixListIds: ["pl-1"] }],
    doubted: [{ ...tcp(443), securityGroups: [null], prefixListIds: [UNKNOWN] }],
  },
  "a rule of a network ACL, by its number": {
    type: TYPE.networkAcl,
    list: "ingress",
    shown: [allow(100), allow(200, "deny")],
    writer: aclRule(100, { ruleAction: "deny" }),
    left: [null, allow(200, "deny")],
    doubted: [null, { ...allow(200), action: UNKNOWN }],
  },
  "a subnet of a network ACL that another one has now": {
    type: TYPE.networkAcl,
    list: "subnetIds",
    shown: ["subnet-1", "subnet-2"],
    writer: placed("subnet-1"),
    left: [null, "subnet-2"],
    doubted: [null, UNKNOWN],
  },
  "a subnet of a network ACL that another one lists": {
    type: TYPE.networkAcl,
    list: "subnetIds",
    shown: ["subnet-1", "subnet-2"],
    writer: resource(TYPE.networkAcl, "other", { id: "acl-2", subnetIds: ["subnet-1"] }),
    left: [null, "subnet-2"],
    doubted: [null, UNKNOWN],
  },
  "a route, by its destination": {
    type: TYPE.routeTable,
    list: "routes",
    shown: [
      { cidrBlock: A, ipv6CidrBlock: "", vpcPeeringConnectionId: "pcx-1" },
      { cidrBlock: B, vpcPeeringConnectionId: "pcx-1" },
    ],
    writer: route({ destinationCidrBlock: A }),
    left: [null, { cidrBlock: B, vpcPeeringConnectionId: "pcx-1" }],
    doubted: [null, { cidrBlock: UNKNOWN, vpcPeeringConnectionId: "pcx-1" }],
  },
  "an entry of a prefix list": {
    type: TYPE.prefixList,
    list: "entries",
    shown: [{ cidr: A }, { cidr: B, description: "b" }],
    writer: entry(A),
    left: [null, { cidr: B, description: "b" }],
    doubted: [null, { cidr: UNKNOWN, description: "b" }],
  },
};

describe.each(Object.entries(cases))("%s", (_, { type, list, shown, writer, left, doubted }) => {
  const holder = read(type, { [list]: shown });
  const listOf = (...args: Parameters<typeof withoutReadBack>) =>
    withoutReadBack(...args).find(({ name }) => name === "holder")?.properties[list];

  it("is attributed to the resource that writes it, in either order", () => {
    expect(listOf([holder, writer], [])).toEqual(left);
    expect(listOf([writer, holder], [])).toEqual(left);
  });

  it("is gone if the plan removes the resource that wrote it", () => {
    expect(listOf([holder], [writer])).toEqual(left);
  });

  it("leaves the rest unknown if it is unknown what the plan removes", () => {
    expect(listOf([holder, writer], UNKNOWN)).toEqual(doubted);
  });

  it("stays if the program states the list or the resource is new", () => {
    expect(listOf([{ ...holder, inputs: { [list]: shown } }, writer], [writer])).toBe(shown);
    const { inputs: __, ...created } = holder;
    expect(listOf([created, writer], UNKNOWN)).toBe(shown);
  });
});

test.each<[string, string, PropertyValue, Resource]>([
  ["another port", "ingress", tcp(443, A), inbound({ cidrIpv4: A, toPort: 444 })],
  ["another direction", "ingress", tcp(443, A), { ...inbound({ cidrIpv4: A }), type: TYPE.egressRule }],
  ["another group", "ingress", tcp(443, A), inbound({ cidrIpv4: A, securityGroupId: "sg-9" })],
  ["a block that is not known yet", "ingress", tcp(443, A), inbound({ cidrIpv4: UNKNOWN })],
  ["another direction, of outbound rules", "egress", tcp(443, A), inbound({ cidrIpv4: A })],
  [
    "the other direction, of the older resource type",
    "ingress",
    tcp(443, A),
    legacy({ type: "egress", cidrBlocks: [A] }),
  ],
  ["self set to false", "ingress", { ...tcp(443), self: true }, legacy({ self: false })],
])("a rule with %s does not match what was read back", (_, list, shown, writer) => {
  const holder = read(TYPE.securityGroup, { [list]: [shown] });
  expect(withoutReadBack([holder, writer], [])[0]?.properties[list]).toEqual([shown]);
});

test.each<[string, string, Resource]>([
  ["of the other direction", "ingress", aclRule(100, { egress: true })],
  ["without a number", "ingress", aclRule(100, { ruleNumber: UNKNOWN })],
  ["of another ACL", "ingress", aclRule(100, { networkAclId: "acl-9" })],
])("a rule of a network ACL %s does not match what was read back", (_, list, writer) => {
  const holder = read(TYPE.networkAcl, { [list]: [allow(100)] });
  expect(withoutReadBack([holder, writer], [])[0]?.properties[list]).toEqual([allow(100)]);
});

test("unreadable entries of a list that was read back stay", () => {
  const shown: PropertyValue[] = ["rule", null, UNKNOWN, { ...tcp(443), cidrBlocks: [UNKNOWN, A] }];
  const holder = read(TYPE.securityGroup, { ingress: shown });
  expect(withoutReadBack([holder, inbound({ cidrIpv4: A })], [])[0]?.properties.ingress).toEqual([
    ...shown.slice(0, 3),
    { ...tcp(443), cidrBlocks: [UNKNOWN, null] },
  ]);
});

test("what controllers wrote stays, even if it is unknown what the plan removes", () => {
  const rule = { ...tcp(30080, A), description: "kubernetes.io/rule/nlb/client=a" };
  const holder = read(TYPE.securityGroup, { ingress: [rule] });
  expect(withoutReadBack([holder], UNKNOWN)[0]?.properties.ingress).toEqual([rule]);
});

test("a stack without lists that were read back stays unchanged", () => {
  const stack = [resource(TYPE.securityGroup, "a", { ingress: [tcp(443, A)] }), inbound({ cidrIpv4: A })];
  // Writers are looked up only if something was read back.
  const references = jest.spyOn(ResourceIndex.prototype, "referred");
  expect(withoutReadBack(stack, [])).toBe(stack);
  expect(references).not.toHaveBeenCalled();
  references.mockRestore();
});

test("lists are computed when they are first read, and the facts about inline rules are known before", () => {
  const shown = [tcp(443, A, B)];
  const holder = read(TYPE.securityGroup, { ingress: shown });
  const facts = inlineFacts(holder, Direction.Ingress);
  const entries = jest.spyOn(shown, "map");
  const [cleaned] = withoutReadBack([holder, inbound({ cidrIpv4: A })], []);
  expect(inlineFacts(cleaned!, Direction.Ingress)).toBe(facts);
  expect(entries).not.toHaveBeenCalled();
  expect(cleaned!.properties.ingress).toHaveLength(1);
});

describe("secrets of what other resources write", () => {
  const ssh = (peer: string) => tcp(22, peer);
  const left = (holder: Resource, writer: Resource, list: string) =>
    withoutReadBack([holder, writer], [])[0]!.properties[list];

  it("make entries unknown that no other resource is known to write: the list shows them in plain text", () => {
    const group = read(TYPE.securityGroup, {
      ingress: [ssh("198.51.100.7/32")],
      egress: [ssh("10.0.0.0/8")],
    });
    const secret = { ...inbound({ cidrIpv4: UNKNOWN }), secrets: ["cidrIpv4"] };
    expect(left(group, secret, "ingress")).toEqual([{ ...ssh("198.51.100.7/32"), cidrBlocks: [UNKNOWN] }]);
    expect(left(group, secret, "egress")).toEqual([ssh("10.0.0.0/8")]);
    const described = {
      ...inbound({ cidrIpv4: "10.0.0.0/8", description: UNKNOWN }),
      secrets: ["description"],
    };
    expect(left(group, described, "ingress")).toEqual([ssh("198.51.100.7/32")]);
  });

  it("make entries unknown in every list that a resource may write into, if it is not known into which it does", () => {
    const group = read(TYPE.securityGroup, { ingress: [ssh("198.51.100.7/32")], egress: [] });
    const secret = {
      ...inbound({ cidrIpv4: UNKNOWN, securityGroupId: UNKNOWN }),
      secrets: ["cidrIpv4", "securityGroupId"],
    };
    expect(left(group, secret, "ingress")).toEqual([{ ...ssh("198.51.100.7/32"), cidrBlocks: [UNKNOWN] }]);
  });

  it("make destinations of routes unknown", () => {
    const table = read(TYPE.routeTable, { routes: [{ cidrBlock: "198.51.100.0/24", gatewayId: "igw-1" }] });
    const secret = { ...route({ destinationCidrBlock: UNKNOWN }), secrets: ["destinationCidrBlock"] };
    expect(left(table, secret, "routes")).toEqual([{ cidrBlock: UNKNOWN, gatewayId: "igw-1" }]);
  });
});

describe("a list that a program states partly inline and partly by other resources", () => {
  const table = (routes: PropertyValue, more: Partial<Resource> = {}): Resource => ({
    ...resource(TYPE.routeTable, "holder", { id: "holder-1", routes }),
    ...more,
  });
  const inline = (cidrBlock: PropertyValue): Properties => ({ cidrBlock, gatewayId: "igw-1" });
  const other = route({ destinationCidrBlock: B });
  const mixed = (...resources: Resource[]) =>
    mixedLists(new ResourceIndex(resources)).map(({ holder, list, writers, isKnown }) => [
      holder.name,
      list,
      writers.map(({ name }) => name),
      isKnown,
    ]);

  it.each<[string, Resource[], unknown[]]>([
    ["is mixed", [table([inline(A)]), other], [["holder", "routes", ["route"], true]]],
    [
      "may be mixed if an inline entry is unknown",
      [table([inline(A), inline(UNKNOWN)]), other],
      [["holder", "routes", ["route"], false]],
    ],
    [
      "may be mixed if what the other resource writes is unknown",
      [table([inline(A)]), route({ destinationCidrBlock: UNKNOWN })],
      [["holder", "routes", ["route"], false]],
    ],
    ["is not mixed if both state the same entry", [table([inline(B)]), other], []],
    ["is not mixed without inline entries", [table([]), other], []],
    ["is not mixed without other resources", [table([inline(A)])], []],
    ["is not mixed if the program only reads the table", [table([inline(A)], { isRead: true }), other], []],
    [
      "is not mixed if the program only reads the other",
      [table([inline(A)]), { ...other, isRead: true }],
      [],
    ],
    ["is not mixed if the list was read back", [table([inline(A)], { inputs: {} }), other], []],
  ])("%s", (_, resources, expected) => {
    expect(mixed(...resources)).toEqual(expected);
  });

  it("is perhaps what an entry of an unknown list belongs to", () => {
    const stray: Resource = { ...other, properties: { ...other.properties, routeTableId: UNKNOWN } };
    const found = (...resources: Resource[]) =>
      strayWriters(new ResourceIndex(resources)).map(({ writer, path }) => `${path} of ${writer.name}`);
    expect(found(table([inline(A)]), stray, other)).toEqual(["routeTableId of route"]);
    expect(found(table([]), stray)).toEqual([]);
    expect(found(table([inline(A)]), { ...stray, isRead: true })).toEqual([]);
  });
});

describe("an entry that two resources write", () => {
  const first = { ...entry(A), name: "first", origin: { urn: "urn:first" } };
  const second = { ...entry(A), name: "second", origin: { urn: "urn:second" } };
  const found = (...resources: Resource[]) =>
    secondWriters(new ResourceIndex(resources)).map(({ writer, by, once }) => [writer.name, by.name, once]);

  it("is found, with the first of them", () => {
    expect(found(first, second)).toEqual([["second", "first", "block"]]);
    expect(found(first, { ...second, properties: { ...second.properties, cidr: B } })).toEqual([]);
  });

  it("is the same entry if it was read, or if both are one resource", () => {
    expect(found(first, { ...second, isRead: true })).toEqual([]);
    expect(found(first, { ...second, origin: { ...second.origin, live: "ManagedPrefixList" } })).toEqual([]);
    expect(found(first, { ...second, origin: first.origin })).toEqual([]);
  });

  it("is not known if its list is not", () => {
    const into = (one: Resource, prefixListId: PropertyValue): Resource => ({
      ...one,
      properties: { ...one.properties, prefixListId },
    });
    expect(found(into(first, UNKNOWN), into(second, UNKNOWN))).toEqual([]);
    expect(found(into(first, null), into(second, null))).toEqual([]);
  });
});

test("what exists only once are Kubernetes objects, and entries of lists", () => {
  const once = [TYPE.ingressRule, TYPE.route, TYPE.prefixListEntry, "kubernetes:core/v1:Service"];
  expect(once.filter((type) => !isThereOnce(type))).toEqual([]);
  expect([TYPE.securityGroup, TYPE.vpc, TYPE.networkAclAssociation].filter(isThereOnce)).toEqual([]);
});

test("a list counts as read back if the program does not state it", () => {
  const holder = read(TYPE.securityGroup, { ingress: [tcp(443, A)] });
  expect(isReadBack(holder, "ingress")).toBe(true);
  expect(isReadBack({ ...holder, inputs: { ingress: null } }, "ingress")).toBe(true);
  expect(isReadBack({ ...holder, inputs: { ingress: [] } }, "ingress")).toBe(false);
  expect(isReadBack({ ...holder, inputs: { ingress: UNKNOWN } }, "ingress")).toBe(false);
  expect(isReadBack(resource(TYPE.securityGroup, "a", { ingress: [] }), "ingress")).toBe(false);
});

describe("a rule that the plan deletes", () => {
  const gone = inbound({ cidrIpv4: A }, "gone");
  const group = (lists: Properties = {}) =>
    resource(TYPE.securityGroup, "holder", { id: "holder-1", ...lists });
  const by = (path: string) => [{ path, by: gone, once: "permission" }];

  it.each<[what: string, rule: Resource, left: Properties]>([
    ["a rule of another name", inbound({ cidrIpv4: A }, "new"), { cidrIpv4: UNKNOWN }],
    ["a rule of the older resource type", legacy({ cidrBlocks: [B, A] }), { cidrBlocks: UNKNOWN }],
  ])("makes the same permission of %s unknown", (_, rule, left) => {
    const [made] = withRevoked([rule, group()], [gone]);
    expect(made).toMatchObject({ properties: { ...rule.properties, ...left }, revoked: by("") });
  });

  it("makes the same permission in a part of an inline rule unknown", () => {
    const stated = group({ ingress: [tcp(22, A), tcp(443, A, B)], egress: [tcp(443, A)] });
    const [made] = withRevoked([stated], [gone]);
    expect(made!.properties).toMatchObject({
      ingress: [tcp(22, A), { ...tcp(443), cidrBlocks: [UNKNOWN, B] }],
      egress: [tcp(443, A)],
    });
    expect(made!.revoked).toEqual(by("ingress[1]"));
  });

  it.each<[what: string, rule: Resource]>([
    ["other addresses", inbound({ cidrIpv4: B })],
    ["other ports", inbound({ cidrIpv4: A, toPort: 444 })],
    ["another direction", { ...inbound({ cidrIpv4: A }), type: TYPE.egressRule }],
    ["a group that is replaced", inbound({ cidrIpv4: A, securityGroupId: UNKNOWN })],
    ["another group", inbound({ cidrIpv4: A, securityGroupId: "sg-2" })],
    ["unknown addresses", inbound({ cidrIpv4: UNKNOWN })],
    ["a list that was read back", read(TYPE.securityGroup, { ingress: [tcp(443, A)] })],
    ["a group without a known id", group({ id: UNKNOWN, ingress: [tcp(443, A)] })],
  ])("does not affect %s", (_, rule) => {
    expect(withRevoked([rule], [gone])).toEqual([rule]);
    expect(withRevoked([rule], [inbound({ cidrIpv4: A, securityGroupId: UNKNOWN })])).toEqual([rule]);
  });
});

describe("other things that EC2 allows only once", () => {
  const aclRule = (name: string, more: Properties = {}) =>
    resource(TYPE.networkAclRule, name, {
      networkAclId: "holder-1",
      ruleNumber: 100,
      egress: false,
      ruleAction: "allow",
      cidrBlock: A,
      ...more,
    });
  const route = (name: string, more: Properties = {}) =>
    resource(TYPE.route, name, {
      routeTableId: "holder-1",
      destinationCidrBlock: A,
      natGatewayId: "nat-1",
      ...more,
    });
  const entry = (name: string, more: Properties = {}) =>
    resource(TYPE.prefixListEntry, name, { prefixListId: "holder-1", cidr: A, ...more });
  const holder = (type: string, lists: Properties) => resource(type, "holder", { id: "holder-1", ...lists });
  const inline = { ruleNo: 100, action: "allow", cidrBlock: B };
  const destination = { cidrBlock: A, natGatewayId: "nat-2" };

  it.each<[once: string, gone: Resource, made: Resource, path: string, left: Properties]>([
    ["rule number", aclRule("old"), aclRule("new", { cidrBlock: B }), "", { ruleAction: UNKNOWN }],
    [
      "rule number",
      aclRule("old"),
      holder(TYPE.networkAcl, { ingress: [{ ...inline, ruleNo: 90 }, inline], egress: [inline] }),
      "ingress[1]",
      {
        ingress: [
          { ...inline, ruleNo: 90 },
          { ...inline, action: UNKNOWN },
        ],
        egress: [inline],
      },
    ],
    ["destination", route("old"), route("new", { natGatewayId: "nat-2" }), "", {}],
    [
      "destination",
      route("old"),
      holder(TYPE.routeTable, { routes: [destination] }),
      "routes[0]",
      { routes: [{ ...destination, cidrBlock: UNKNOWN }] },
    ],
    ["block", entry("old"), entry("new"), "", { cidr: UNKNOWN }],
    [
      "block",
      entry("old"),
      holder(TYPE.prefixList, { entries: [{ cidr: B }, { cidr: A }] }),
      "entries[1]",
      { entries: [{ cidr: B }, { cidr: UNKNOWN }] },
    ],
  ])(
    "the %s of %j, which the plan deletes, is uncertain in what is created",
    (once, gone, made, path, left) => {
      expect(withRevoked([made], [gone])).toEqual([
        { ...made, properties: { ...made.properties, ...left }, revoked: [{ path, by: gone, once }] },
      ]);
    },
  );

  it.each<[what: string, gone: Resource, made: Resource]>([
    ["another number", aclRule("old"), aclRule("new", { ruleNumber: 101 })],
    ["another direction", aclRule("old"), aclRule("new", { egress: true })],
    ["another ACL", aclRule("old"), aclRule("new", { networkAclId: "acl-2" })],
    ["an ACL that is replaced", aclRule("old"), aclRule("new", { networkAclId: UNKNOWN })],
    ["another destination", route("old"), route("new", { destinationCidrBlock: B })],
    ["another table", route("old"), route("new", { routeTableId: "rtb-2" })],
    ["another block", entry("old"), entry("new", { cidr: B })],
    ["a list of another resource type", aclRule("old"), holder(TYPE.routeTable, { routes: [destination] })],
  ])("%s stays unchanged", (_, gone, made) => {
    expect(withRevoked([made], [gone])).toEqual([made]);
  });
});

describe("a Kubernetes object that the plan deletes under another resource name", () => {
  const POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
  const metadata = { name: "web", namespace: "shop" };
  const object = (name: string, more: Partial<Resource> = {}, type = POLICY): Resource => ({
    ...resource(type, name, { metadata, spec: { podSelector: {} } }),
    provider: "urn:provider",
    ...more,
  });
  const gone = object("old");
  const by = (once: Resource) => [{ path: "", by: once, once: "name" }];

  it("may be gone, so the content of its policy is unknown", () => {
    const made = object("new");
    expect(withRevoked([made], [gone])).toEqual([
      { ...made, properties: { metadata, spec: UNKNOWN }, revoked: by(gone) },
    ]);
    const firewall = "kubernetes:k8s.ovn.org/v1:EgressFirewall";
    const old = object("old", {}, firewall);
    expect(withRevoked([object("new", {}, firewall)], [old])).toMatchObject([
      { properties: { spec: UNKNOWN }, revoked: by(old) },
    ]);
  });

  it("is judged as written if it filters nothing, whatever its API version", () => {
    const [old, made] = ["v1beta1", "v1alpha1"].map((version) =>
      object(version, {}, `kubernetes:hypershift.openshift.io/${version}:HostedCluster`),
    );
    expect(withRevoked([made!], [old!])).toEqual([{ ...made, revoked: by(old!) }]);
  });

  it.each<[what: string, made: Resource]>([
    ["another namespace", object("new", { properties: { metadata: { name: "web", namespace: "other" } } })],
    [
      "a namespace that is not known",
      object("new", { properties: { metadata: { ...metadata, namespace: UNKNOWN } } }),
    ],
    ["another name", object("new", { properties: { metadata: { ...metadata, name: "other" } } })],
    ["another provider", object("new", { provider: "urn:other" })],
    ["another kind", object("new", {}, "kubernetes:core/v1:Service")],
    ["the kind of a patch", object("new", {}, `${POLICY}Patch`)],
  ])("is not the same as an object with %s", (_, made) => {
    expect(withRevoked([made], [gone])).toEqual([made]);
    expect(withRevoked([gone], [made])).toEqual([gone]);
  });
});
