import {
  defaultGroupOf,
  keyOf,
  knownKey,
  referredKey,
  ResourceIndex,
  vpcWithPart,
} from "../../src/resources/resourceIndex";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { TYPE, VPCS } from "../../src/resources/resourceTypes";
import { resource, urnOf, vpc, type Properties } from "../rules/builders";

const subnet = (vpcId: PropertyValue, ...from: Resource[]) =>
  resource(TYPE.subnet, "subnet", { vpcId }, { vpcId: from });
const a = vpc("a", "10.0.0.0/16");
const b = vpc("b", "10.1.0.0/16");
const named = (name: string, properties: Properties, type: string = TYPE.vpc) =>
  resource(type, name, properties);

describe("what a property refers to is", () => {
  const referred = (of: Resource, ...resources: Resource[]) => {
    const found = new ResourceIndex(resources).referred(of, "vpcId", VPCS);
    return typeof found === "object" ? found.origin.urn : found;
  };
  const A = a.origin.urn;
  const made = named("made", { id: UNKNOWN });

  test.each<[string, Resource, Resource[], string | typeof UNKNOWN | undefined]>([
    ["the resource with that ID", subnet("vpc-a"), [a, b], A],
    ["the resource with that name", subnet("a"), [a, b], A],
    [
      "the resource whose name property has that value",
      subnet("shown"),
      [named("x", { name: "shown" })],
      urnOf(TYPE.vpc, "x"),
    ],
    ["none of several resources with that name", subnet("a"), [a, named("x", { name: "a" })], "a"],
    ["the resource with that ID before one with that name", subnet("vpc-a"), [named("vpc-a", {}), a], A],
    [
      "the resource whose name and name property are equal",
      subnet("x"),
      [named("x", { name: "x" })],
      urnOf(TYPE.vpc, "x"),
    ],
    ["no resource of another type", subnet("vpc-a"), [named("a", { id: "vpc-a" }, TYPE.subnet)], "vpc-a"],
    ["no resource without a name", subnet(""), [named("", { id: "" })], ""],
    ["an ID of another stack", subnet("vpc-x"), [a], "vpc-x"],
    [
      "the resource that an unknown value comes from",
      subnet(UNKNOWN, made),
      [made, a],
      urnOf(TYPE.vpc, "made"),
    ],
    ["the resource that an absent value comes from", subnet(null, made), [made], urnOf(TYPE.vpc, "made")],
    [
      "the resource that it comes from, if that has an unknown ID",
      subnet("vpc-x", made),
      [made],
      urnOf(TYPE.vpc, "made"),
    ],
    ["not the resource that it comes from, if that has another ID", subnet("vpc-x", a), [a], "vpc-x"],
    ["a resource with that ID before the one that it comes from", subnet("vpc-a", made), [made, a], A],
    ["unknown if it comes from two resources", subnet(UNKNOWN, a, b), [a, b], UNKNOWN],
    [
      "unknown if it comes from a resource of another type",
      subnet(UNKNOWN, named("x", {}, TYPE.subnet)),
      [named("x", {}, TYPE.subnet)],
      UNKNOWN,
    ],
    [
      "the only one of that type that an unknown value comes from, whatever else it comes from",
      subnet(UNKNOWN, made, named("x", {}, TYPE.subnet)),
      [made, named("x", {}, TYPE.subnet)],
      urnOf(TYPE.vpc, "made"),
    ],
    [
      "not a resource with a known ID if an unknown value comes also from one whose ID is unknown",
      subnet(UNKNOWN, a, named("x", {}, TYPE.subnet)),
      [a, named("x", {}, TYPE.subnet)],
      UNKNOWN,
    ],
    [
      "not a resource with a known ID if an unknown value comes also from one that is not in the input",
      subnet(UNKNOWN, a, named("x", {}, TYPE.subnet)),
      [a],
      UNKNOWN,
    ],
    [
      "the resource with a known ID that a secret value comes from",
      subnet(UNKNOWN, a, named("x", { id: "subnet-x" }, TYPE.subnet)),
      [a, named("x", { id: "subnet-x" }, TYPE.subnet)],
      A,
    ],
    ["unknown if the resource that it comes from is not in the input", subnet(UNKNOWN, made), [a], UNKNOWN],
    ["absent without a value", subnet(null), [a], undefined],
  ])("%s", (_, of, resources, expected) => {
    expect(referred(of, ...resources)).toBe(expected);
  });

  test("the same resource for every stack that reads it", () => {
    const read: Resource = { ...a, origin: { urn: "read" } };
    const index = new ResourceIndex([{ ...a, readBy: [read] }]);
    const by = { ...subnet(UNKNOWN), propertyDependencies: { vpcId: ["read"] } };
    expect(knownKey(index, by, "vpcId", VPCS)).toBe(A);
    expect([index.at("read")?.name, index.at(undefined), index.at("other")]).toEqual([
      "a",
      undefined,
      undefined,
    ]);
  });

  test("one key for all resources that refer to it, and a key of its own if it is unknown", () => {
    const index = new ResourceIndex([a]);
    const key = (of: Resource) => referredKey(index, of, "vpcId", VPCS);
    expect([subnet("vpc-a"), subnet("vpc-x"), subnet(UNKNOWN)].map(key)).toEqual([
      A,
      "vpc-x",
      `${urnOf(TYPE.subnet, "subnet")} vpcId`,
    ]);
    expect(knownKey(index, subnet(UNKNOWN), "vpcId", VPCS)).toBeUndefined();
    expect([keyOf(a), keyOf({ ...a, origin: {} })]).toEqual([A, "a"]);
  });
});

test("resources of a kind are sorted by type, name, namespace, file and content", () => {
  const object = (
    name: string,
    namespace: PropertyValue,
    origin: Resource["origin"],
    text = "",
  ): Resource => ({
    origin,
    type: "kubernetes:core/v1:Service",
    name,
    properties: { metadata: { namespace }, text },
  });
  const expected: Resource[] = [
    named("z", {}, "aws:a"),
    object("a", UNKNOWN, { file: "b.yaml" }),
    object("a", "one", { file: "a.yaml" }),
    object("a", "one", { file: "a.yaml" }, "more"),
    object("a", "one", { file: "b.yaml" }),
    object("a", "two", { file: "a.yaml" }),
    object("b", "one", { urn: "a", file: "z.yaml" }),
    object("b", "one", { urn: "b", file: "a.yaml" }),
  ];
  for (const some of [expected, [...expected].reverse(), [...expected.slice(3), ...expected.slice(0, 3)]]) {
    const index = new ResourceIndex(some);
    expect(index.ofKind(() => true)).toEqual(expected);
    expect(index.ofKind(new Set(["aws:a"]))).toEqual(expected.slice(0, 1));
    expect(index.ofKind((type) => type.startsWith("kubernetes:"))).toEqual(expected.slice(1));
    expect(index.ofKind(new Set(["other"]))).toEqual([]);
  }
});

test("if several stacks manage the same resource, the first one is used", () => {
  const [first, second] = ["1", "2"].map((name) => named(name, { id: "vpc-a" }));
  expect(new ResourceIndex([second!, first!]).named("vpc-a", VPCS)).toBe(first);
});

test("a text is read as the same block, or as none, every time", () => {
  const index = new ResourceIndex([]);
  for (let time = 0; time < 2; time++)
    expect(["10.0.0.0/8", "10.0.0.0", "all"].map((text) => index.prefix(text)?.text)).toEqual([
      "10.0.0.0/8",
      undefined,
      undefined,
    ]);
});

describe("a VPC is found from a part that was created with it", () => {
  const rule = (networkAclId: PropertyValue, ...from: Resource[]) =>
    resource(TYPE.networkAclRule, "rule", { networkAclId }, { networkAclId: from });
  const own = vpc("a", "10.0.0.0/16", {
    defaultNetworkAclId: "acl-1",
    defaultRouteTableId: "rtb-1",
    mainRouteTableId: "rtb-2",
  });
  const nameOf = (of: Resource) => vpcWithPart(new ResourceIndex([own, b]), of, "networkAclId")?.name;

  test.each<[string, Resource, string | undefined]>([
    ["by the ID of its network ACL", rule("acl-1"), "a"],
    ["by the ID of its route table", rule("rtb-1"), "a"],
    ["by the ID of its main route table", rule("rtb-2"), "a"],
    ["by the VPC that an unknown ID comes from", rule(UNKNOWN, b), "b"],
    ["not by another ID", rule("acl-2"), undefined],
    ["not by an empty ID", rule(""), undefined],
    ["not by an unknown ID that comes from two VPCs", rule(UNKNOWN, own, b), undefined],
  ])("%s", (_, of, expected) => {
    expect(nameOf(of)).toBe(expected);
  });

  test("with its default security group, by an unknown ID that comes only from the VPC", () => {
    const group = resource(TYPE.defaultSecurityGroup, "default", { vpcId: "vpc-a" });
    const into = (...from: Resource[]) =>
      resource(TYPE.ingressRule, "in", { securityGroupId: UNKNOWN }, { securityGroupId: from });
    const found = (of: Resource) =>
      defaultGroupOf(new ResourceIndex([own, b, group]), of, "securityGroupId")?.name;
    expect([into(own), into(b), into(own, b), into(group), into()].map(found)).toEqual([
      "default",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(found({ ...into(), propertyDependencies: {} })).toBeUndefined();
  });
});
