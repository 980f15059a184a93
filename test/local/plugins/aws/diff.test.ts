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
  test("ignores the name under which an object was adopted, also if the program ignores changes of it", () => {
    const there = { vpcId: "vpc-1", name: "g-cut0ff" };
    const generated = { vpcId: "vpc-1", name: "g-1234567", [FILLED_IN]: ["name"] };
    const ignored = { vpcId: "vpc-1", name: "g-1234567" };
    expect(found(group, generated, there, generated)).toEqual([]);
    expect(found(group, ignored, there, generated)).toEqual([]);
    expect(found(group, { ...ignored, name: "h" }, there, ignored)).toEqual(["update name replaces"]);
  });

  test("finds no difference between equal inputs and state", () => {
    expect(found(vpc, { ...state, tags: { a: "b" } }, state)).toEqual([]);
  });

  test("ignores a property that the program omits and the server decides", () => {
    const { enableDnsHostnames: _, ...wanted } = state;
    expect(found(vpc, wanted, state)).toEqual([]);
  });

  test("deletes a property that the program omits and the server does not decide", () => {
    const { tags: _, ...wanted } = state;
    expect(found(vpc, wanted, state)).toEqual(["delete tags"]);
  });

  test("updates in place what EC2 can change, and replaces for other properties", () => {
    expect(found(vpc, { ...state, enableDnsHostnames: false, cidrBlock: "10.1.0.0/16" }, state)).toEqual([
      "update cidrBlock replaces",
      "delete enableDnsHostnames",
    ]);
  });

  test("replaces a VPC that becomes dedicated, but not one that becomes default", () => {
    expect(found(vpc, { ...state, instanceTenancy: "dedicated" }, state)).toEqual([
      "update instanceTenancy replaces",
    ]);
    expect(found(vpc, state, { ...state, instanceTenancy: "dedicated" })).toEqual(["update instanceTenancy"]);
  });

  test("treats an unknown value as a difference, which replaces if the property does", () => {
    expect(found(group, { vpcId: UNKNOWN_VALUE, name: "g" }, { vpcId: "vpc-1", name: "g" })).toEqual([
      "update vpcId replaces",
    ]);
    expect(found(vpc, { ...state, tags: { a: UNKNOWN_VALUE } }, state)).toEqual(["update tags"]);
  });

  test("ignores the order of inline rules and peers, and defaults that rules omit", () => {
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

  test("treats tcp and 6, and all and -1, as the same protocol", () => {
    const property = rule.properties.ipProtocol;
    expect(property && same(property, "6", "tcp")).toBe(true);
    expect(property && same(property, "ALL", "-1")).toBe(true);
    expect(property && same(property, "udp", "tcp")).toBe(false);
  });

  test("updates the block of a rule in place, but replaces for another kind of peer", () => {
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

  test("ignores another ending of a generated name, but not a name that the program chose", () => {
    const inputs = { name: "g-1111111", [FILLED_IN]: ["name"] };
    const there = { name: "g-2222222" };
    expect(found(group, inputs, there, inputs)).toEqual([]);
    expect(found(group, { name: "mine" }, there, inputs)).toEqual(["update name replaces"]);
  });

  test("counts properties that cannot change as identity: the block of a VPC, but not its tags", () => {
    expect(sameIdentity(vpc, { ...state, tags: { c: "d" } }, state)).toBe(true);
    expect(sameIdentity(vpc, { ...state, cidrBlock: "10.1.0.0/16" }, state)).toBe(false);
  });
});
