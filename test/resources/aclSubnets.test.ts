import { readPrefix } from "../../src/address";
import { type NetworkAcl, networkAcls } from "../../src/resources/networkAcls";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { resource, type Properties } from "../rules/builders";

const acl = (properties: Properties = {}, name = "hosts", from: Record<string, Resource[]> = {}) =>
  resource(TYPE.networkAcl, name, { id: `acl-${name}`, vpcId: "vpc-1", ...properties }, from);
const defaultAcl = (properties: Properties = {}) =>
  resource(TYPE.defaultNetworkAcl, "default", {
    defaultNetworkAclId: "acl-default",
    vpcId: "vpc-1",
    ...properties,
  });
const subnet = (name: string, vpcId: PropertyValue = "vpc-1", id: PropertyValue = `subnet-${name}`) =>
  resource(TYPE.subnet, name, { id, vpcId });
const association = (networkAclId: PropertyValue, subnetId: PropertyValue = "subnet-a") =>
  resource(TYPE.networkAclAssociation, "association", { networkAclId, subnetId });
const rule = (networkAclId: PropertyValue, more: Properties = {}) =>
  resource(TYPE.networkAclRule, "rule", {
    networkAclId,
    ruleNumber: 1,
    ruleAction: "allow",
    protocol: "-1",
    ...more,
  });
const read = (...resources: Resource[]) => networkAcls(new ResourceIndex(resources));
const nameOf = (value: Resource | string | typeof UNKNOWN): string =>
  value === UNKNOWN ? "unknown" : typeof value === "string" ? value : value.name;

/** An ACL with its subnets, and how many rules it has. */
const textOf = ({ resource: own, id, rules, subnets, defaultOf, partial }: NetworkAcl): string =>
  [
    `${own?.name ?? id ?? "unknown"}: ${rules.length} rules`,
    ...subnets.map(
      ({ subnet: one, resource: holder, path, unless }) =>
        `${nameOf(one)} (${holder.name} ${path}${unless ? `, unless ${unless.resource.name} ${unless.path}` : ""})`,
    ),
    ...(defaultOf ? [`default of ${defaultOf.name}`] : []),
    ...(partial
      ? [`partial: ${partial.resource.name} ${partial.path}${partial.reason ? `, ${partial.reason}` : ""}`]
      : []),
  ].join("; ");
const texts = (...resources: Resource[]) => read(...resources).acls.map(textOf);
const REST = "the other rules of a network ACL that is not in this stack";

describe("the subnets of a network ACL are", () => {
  const [a, b] = [subnet("a"), subnet("b")];

  test.each<[string, Resource[], string[]]>([
    [
      "the subnets that it lists",
      [acl({ subnetIds: ["subnet-a", "subnet-x", 7] }), a],
      ["hosts: 0 rules; a (hosts subnetIds[0]); subnet-x (hosts subnetIds[1])"],
    ],
    [
      "the subnets that an association names",
      [acl(), a, association("acl-hosts")],
      ["hosts: 0 rules; a (association subnetId)"],
    ],
    [
      "an associated subnet of another stack",
      [acl(), association("acl-hosts", "subnet-x")],
      ["hosts: 0 rules; subnet-x (association subnetId)"],
    ],
    [
      "the associated subnets, for an ACL of another stack",
      [a, association("acl-x")],
      [`acl-x: 0 rules; a (association subnetId); partial: association networkAclId, ${REST}`],
    ],
    [
      "all other subnets of its VPC, if it is the default ACL",
      [defaultAcl(), acl({ subnetIds: ["subnet-a"] }), a, b, subnet("c", "vpc-2")],
      ["default: 0 rules; b (b vpcId)", "hosts: 0 rules; a (hosts subnetIds[0])"],
    ],
    [
      "uncertain for a default ACL, if another ACL of its VPC has unknown subnets",
      [defaultAcl(), acl({ subnetIds: [UNKNOWN] }), b],
      [
        "default: 0 rules; b (b vpcId, unless hosts subnetIds[0])",
        "hosts: 0 rules; unknown (hosts subnetIds[0])",
      ],
    ],
    [
      "certain for a default ACL, if only an ACL of another VPC has unknown subnets",
      [defaultAcl(), acl({ subnetIds: [UNKNOWN], vpcId: "vpc-2" }), b],
      ["default: 0 rules; b (b vpcId)", "hosts: 0 rules; unknown (hosts subnetIds[0])"],
    ],
    ["none if nothing names a subnet", [acl(), a], ["hosts: 0 rules"]],
    ["none if an association has no subnet", [acl(), association("acl-hosts", null)], ["hosts: 0 rules"]],
    ["none if an association has no ACL", [acl(), a, association(null)], ["hosts: 0 rules"]],
  ])("%s", (_, resources, expected) => {
    expect(texts(...resources).sort()).toEqual(expected);
  });

  test("the resources that an unknown subnet list comes from", () => {
    const made = [subnet("a", "vpc-1", UNKNOWN), subnet("b", "vpc-1", UNKNOWN)];
    const listing = (subnetIds: PropertyValue) =>
      texts(acl({ subnetIds }, "hosts", { subnetIds: made }), ...made);
    const both = "a (hosts subnetIds); b (hosts subnetIds)";
    expect(listing(UNKNOWN)).toEqual([`hosts: 0 rules; ${both}`]);
    expect(listing([UNKNOWN, UNKNOWN])).toEqual([`hosts: 0 rules; ${both}`]);
    expect(listing([UNKNOWN, UNKNOWN, UNKNOWN])).toEqual([
      `hosts: 0 rules; ${both}; unknown (hosts subnetIds[2])`,
    ]);
    expect(listing([UNKNOWN])).toEqual(["hosts: 0 rules; unknown (hosts subnetIds[0])"]);
    expect(listing(["subnet-x", UNKNOWN, UNKNOWN])).toEqual([
      `hosts: 0 rules; subnet-x (hosts subnetIds[0]); ${both}`,
    ]);
  });
});

describe("a network ACL filters no subnet of the stack", () => {
  const idle = (...resources: Resource[]) =>
    read(...resources).acls.flatMap(({ resource: own, idle: because }) =>
      because ? [`${own?.name ?? "unknown"}: ${because.path}, ${because.reason ?? ""}`] : [],
    );
  const [a, b] = [subnet("a"), subnet("b")];
  const empty = "hosts: subnetIds, no subnet of the stack has this network ACL";
  const allTaken = "default: vpcId, every subnet of its VPC in the stack has another network ACL";

  test.each<[string, Resource[], string[]]>([
    ["if its list is empty", [acl({ subnetIds: [] }), a], [empty]],
    ["but may if it has no list", [acl(), a], []],
    ["but may if its list is unknown", [acl({ subnetIds: UNKNOWN }), a], []],
    ["but does if an association names one", [acl({ subnetIds: [] }), a, association("acl-hosts")], []],
    [
      "if it is a default ACL and all subnets of the VPC have others",
      [defaultAcl(), acl({ subnetIds: ["subnet-a", "subnet-b"] }), a, b],
      [allTaken],
    ],
    [
      "but does if it is a default ACL and one has no other",
      [defaultAcl(), acl({ subnetIds: ["subnet-a"] }), a, b],
      [],
    ],
    [
      "but may if it is a default ACL of a VPC without subnets in the stack",
      [defaultAcl(), subnet("c", "vpc-2")],
      [],
    ],
    [
      "but may if it is a default ACL with an empty list, which it fills with the subnets that no ACL has",
      [defaultAcl({ subnetIds: [] }), subnet("c", "vpc-2")],
      [],
    ],
    ["but may if it is in another stack", [association("acl-x", null), rule("acl-x"), a], []],
  ])("%s", (_, resources, expected) => {
    expect(idle(...resources)).toEqual(expected);
  });
});

describe("rules of a network ACL", () => {
  const vpc = resource(TYPE.vpc, "net", { id: "vpc-1", defaultNetworkAclId: "acl-default" });

  test.each<[string, Resource[], string[]]>([
    ["are read from its own lists", [acl({ ingress: [{}], egress: [{}, {}] })], ["hosts: 3 rules"]],
    ["are read from rule resources", [acl(), rule("acl-hosts")], ["hosts: 1 rules"]],
    [
      "are marked as partial if the ACL is in another stack",
      [rule("acl-x")],
      [`acl-x: 1 rules; partial: rule networkAclId, ${REST}`],
    ],
  ])("%s", (_, resources, expected) => {
    expect(texts(...resources)).toEqual(expected);
  });

  test("belong to the default ACL of the VPC that their unknown ACL ID comes from", () => {
    const own = resource(
      TYPE.networkAclRule,
      "rule",
      { networkAclId: UNKNOWN, ruleNumber: 1 },
      { networkAclId: [vpc] },
    );
    const [shown] = texts(vpc, own, subnet("a"));
    expect(shown).toMatch(
      /: 1 rules; a \(a vpcId\); default of net; partial: rule networkAclId, the other rules/,
    );
    const taken = {
      ...defaultAcl({ defaultNetworkAclId: UNKNOWN }),
      propertyDependencies: { defaultNetworkAclId: [vpc.origin.urn!] },
    };
    expect(texts(vpc, taken, own, subnet("a"))).toEqual(["default: 1 rules; a (a vpcId)"]);
  });

  test("may be in any ACL if theirs is unknown, and are reported", () => {
    const stray = rule(UNKNOWN);
    const open = association(UNKNOWN);
    const { acls, stray: rules, unknown } = read(acl(), stray, open, subnet("a"));
    expect(acls.map(textOf)).toEqual([
      "hosts: 0 rules",
      "unknown: 0 rules; a (association subnetId); partial: association networkAclId",
    ]);
    expect(rules.map(({ acl: its, resource: own }) => [its, own])).toEqual([[UNKNOWN, stray]]);
    expect(unknown).toEqual([stray, open].map((one) => ({ resource: one, path: "networkAclId" })));
    expect(read(acl(), rule("acl-hosts"))).toMatchObject({ stray: [], unknown: [] });
  });

  test.each<[string, Properties, object]>([
    ["addresses", { cidrBlock: "10.0.0.0/8" }, { protocol: "any", peer: readPrefix("10.0.0.0/8") }],
    [
      "ports",
      { protocol: "tcp", fromPort: 22, toPort: 23 },
      { protocol: "TCP", ports: { from: 22, to: 23 } },
    ],
    [
      "messages",
      { protocol: "icmp", icmpType: 3, icmpCode: 4 },
      { protocol: "1", message: { type: 3, code: 4 } },
    ],
  ])("count for both directions, and may not apply, if the direction is unknown: %s", (_, more, said) => {
    const own = rule("acl-hosts", { egress: UNKNOWN, ...more });
    const rules = (of: Resource, its: object = {}) =>
      ["ingress", "egress"].map((direction) => ({
        ...{ resource: of, path: "", direction, egress: UNKNOWN, number: 1, action: "allow" },
        ...said,
        ...its,
      }));
    expect(read(acl(), own).acls[0]!.rules).toMatchObject(rules(own));
    const stray = rule(UNKNOWN, { egress: UNKNOWN, ...more });
    expect(read(stray).stray).toMatchObject(rules(stray, { acl: UNKNOWN }));
  });
});
