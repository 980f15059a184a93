import { differences, same, sameIdentity } from "../../../../local/plugins/aws/diff";
import { FILLED_IN } from "../../../../local/plugins/aws/check";
import type { Kind, Props } from "../../../../local/plugins/aws/kind";
import { kinds } from "../../../../local/plugins/aws/kinds";
import { UNKNOWN_VALUE } from "../../../../local/plugins/provider";

const kindOf = (token: string) => kinds.find((kind) => kind.token === token) as Kind;
const vpc = kindOf("aws:ec2/vpc:Vpc");
const group = kindOf("aws:ec2/securityGroup:SecurityGroup");
const rule = kindOf("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule");

const found = (kind: Kind, wanted: Props, actual: Props, oldInputs?: Props) =>
  differences(kind, wanted, actual, oldInputs).map(
    ({ property, replaces, change }) => `${change} ${property}${replaces ? " replaces" : ""}`,
  );

const state = {
  cidrBlock: "10.0.0.0/16",
  instanceTenancy: "default",
  enableDnsSupport: true,
  enableDnsHostnames: true,
  tags: { a: "b" },
  ipv6CidrBlock: "",
};

describe("diff", () => {
  test("the name under which an object was adopted is no change, also where the program ignores changes of it", () => {
    const there = { vpcId: "vpc-1", name: "g-cut0ff" };
    const generated = { vpcId: "vpc-1", name: "g-1234567", [FILLED_IN]: ["name"] };
    const ignored = { vpcId: "vpc-1", name: "g-1234567" };
    expect(found(group, generated, there, generated)).toEqual([]);
    expect(found(group, ignored, there, generated)).toEqual([]);
    expect(found(group, { ...ignored, name: "h" }, there, ignored)).toEqual(["update name replaces"]);
  });

  test("finds nothing between what was wanted and what is there", () => {
    expect(found(vpc, { ...state, tags: { a: "b" } }, state)).toEqual([]);
  });

  test("does not change what the program does not mention and the server decides", () => {
    const { enableDnsHostnames: _, ...wanted } = state;
    expect(found(vpc, wanted, state)).toEqual([]);
  });

  test("takes away what the program no longer mentions and the server does not decide", () => {
    const { tags: _, ...wanted } = state;
    expect(found(vpc, wanted, state)).toEqual(["delete tags"]);
  });

  test("changes in place what EC2 can change, and replaces for the rest", () => {
    expect(found(vpc, { ...state, enableDnsHostnames: false, cidrBlock: "10.1.0.0/16" }, state)).toEqual([
      "update cidrBlock replaces",
      "delete enableDnsHostnames",
    ]);
  });

  test("a VPC cannot become dedicated, but can stop being so", () => {
    expect(found(vpc, { ...state, instanceTenancy: "dedicated" }, state)).toEqual([
      "update instanceTenancy replaces",
    ]);
    expect(found(vpc, state, { ...state, instanceTenancy: "dedicated" })).toEqual(["update instanceTenancy"]);
  });

  test("an unknown value is a difference, and a replacing one where the property replaces", () => {
    expect(found(group, { vpcId: UNKNOWN_VALUE, name: "g" }, { vpcId: "vpc-1", name: "g" })).toEqual([
      "update vpcId replaces",
    ]);
    expect(found(vpc, { ...state, tags: { a: UNKNOWN_VALUE } }, state)).toEqual(["update tags"]);
  });

  test("the order of inline rules, of their peers, and of what they leave out makes no difference", () => {
    const one = { protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.0.0.0/8", "192.168.0.0/16"] };
    const two = { protocol: "17", fromPort: 53, toPort: 53, self: true };
    const there = [
      { ...two, protocol: "udp", cidrBlocks: [], ipv6CidrBlocks: [], description: "" },
      {
        ...one,
        cidrBlocks: ["192.168.0.0/16", "10.0.0.0/8"],
        self: false,
        securityGroups: [],
        description: "",
      },
    ];
    expect(found(group, { name: "g", ingress: [one, two] }, { name: "g", ingress: there })).toEqual([]);
    expect(found(group, { name: "g", ingress: [one] }, { name: "g", ingress: there })).toEqual([
      "update ingress",
    ]);
    expect(found(group, { name: "g", ingress: [] }, { name: "g", ingress: there })).toEqual([
      "delete ingress",
    ]);
    expect(found(group, { name: "g" }, { name: "g", ingress: there })).toEqual([]);
  });

  test("tcp and 6, all and -1 are one protocol", () => {
    const property = rule.properties.ipProtocol;
    expect(property && same(property, "6", "tcp")).toBe(true);
    expect(property && same(property, "ALL", "-1")).toBe(true);
    expect(property && same(property, "udp", "tcp")).toBe(false);
  });

  test("a rule changes its block in place, but not the kind of its peer", () => {
    const there = {
      securityGroupId: "sg-1",
      ipProtocol: "tcp",
      fromPort: 1,
      toPort: 1,
      cidrIpv4: "10.0.0.0/8",
    };
    expect(found(rule, { ...there, cidrIpv4: "10.0.0.0/16" }, there)).toEqual(["update cidrIpv4"]);
    const { cidrIpv4: _, ...rest } = there;
    expect(found(rule, { ...rest, cidrIpv6: "::/0" }, there)).toEqual([
      "delete cidrIpv4 replaces",
      "add cidrIpv6 replaces",
    ]);
    expect(found(rule, { ...there, securityGroupId: "sg-2" }, there)).toEqual([
      "update securityGroupId replaces",
    ]);
  });

  test("a generated name that was adopted with another ending is no difference, a changed one is", () => {
    const inputs = { name: "g-1111111", [FILLED_IN]: ["name"] };
    const there = { name: "g-2222222" };
    expect(found(group, inputs, there, inputs)).toEqual([]);
    expect(found(group, { name: "mine" }, there, inputs)).toEqual(["update name replaces"]);
  });

  test("identity is everything that cannot change: another block makes another VPC, another tag does not", () => {
    expect(sameIdentity(vpc, { ...state, tags: { c: "d" } }, state)).toBe(true);
    expect(sameIdentity(vpc, { ...state, cidrBlock: "10.1.0.0/16" }, state)).toBe(false);
  });
});
