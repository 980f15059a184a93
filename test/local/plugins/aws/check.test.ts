import { check, FILLED_IN } from "../../../../local/plugins/aws/check";
import type { Kind, Props } from "../../../../local/plugins/aws/kind";
import { kinds } from "../../../../local/plugins/aws/kinds";
import { UNKNOWN_VALUE } from "../../../../local/plugins/provider";

function checked(token: string, inputs: Props, oldInputs?: Props) {
  const kind = kinds.find((candidate) => candidate.token === token) as Kind;
  return check(kind, { token, name: "web", inputs, oldInputs, randomSeed: Buffer.from("seed") });
}
const faultsOf = (token: string, inputs: Props) =>
  checked(token, inputs).faults.map(({ property, reason }) => `${property}: ${reason}`);

const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const GROUP = "aws:ec2/securityGroup:SecurityGroup";
const VPC = "aws:ec2/vpc:Vpc";

describe("check", () => {
  test("reports all faults at once, each with its property", () => {
    const faults = faultsOf(INGRESS, {
      ipProtocol: "tcp",
      fromPort: 70000,
      toPort: 1.5,
      cidrIpv4: "10.0.0.1/8",
    });
    expect(faults).toEqual([
      "securityGroupId: a value is required",
      "fromPort: expected a whole number from -1 to 65535, got 70000",
      "toPort: expected a whole number from -1 to 65535, got 1.5",
      'cidrIpv4: "10.0.0.1/8" is not a network address: did you mean "10.0.0.0/8"?',
    ]);
  });

  test("refuses a property that the stand-in does not know, instead of ignoring it", () => {
    expect(faultsOf(VPC, { cidrBlock: "10.0.0.0/16", ipv4IpamPoolId: "ipam-1" })).toEqual([
      expect.stringMatching(/^ipv4IpamPoolId: .*does not know this property.*official provider/),
    ]);
  });

  test.each<[string, Props]>([
    ["none", {}],
    ["two", { cidrIpv4: "10.0.0.0/8", prefixListId: "pl-1" }],
  ])("refuses a rule with %s of the four kinds of peer", (_, peers) => {
    const faults = faultsOf(INGRESS, { securityGroupId: "sg-1", ipProtocol: "-1", ...peers });
    expect(faults).toEqual([
      expect.stringContaining("exactly one of cidrIpv4, cidrIpv6, prefixListId, referencedSecurityGroupId"),
    ]);
  });

  test("states the position of a fault in a list of inline rules", () => {
    const rule = { protocol: "tcp", fromPort: 1, toPort: 1, cidrBlocks: ["10.0.0.0/8", "10.0.0.0/99"] };
    expect(faultsOf(GROUP, { ingress: [rule, { protocol: "tcp", fromPort: 1 }] })).toEqual([
      'ingress[0].cidrBlocks: "10.0.0.0/99" is not a valid IPv4 CIDR block',
      "ingress[1].toPort: a value is required",
    ]);
  });

  test("accepts unknown values everywhere", () => {
    expect(
      faultsOf(INGRESS, {
        securityGroupId: UNKNOWN_VALUE,
        ipProtocol: UNKNOWN_VALUE,
        cidrIpv4: UNKNOWN_VALUE,
      }),
    ).toEqual([]);
    const rule = { protocol: "tcp", fromPort: UNKNOWN_VALUE, toPort: 1, cidrBlocks: [UNKNOWN_VALUE] };
    expect(faultsOf(GROUP, { ingress: [rule], egress: UNKNOWN_VALUE })).toEqual([]);
  });

  test("fills in defaults and lists them, as the official provider does", () => {
    expect(checked(VPC, { cidrBlock: "10.0.0.0/16" }).inputs).toEqual({
      cidrBlock: "10.0.0.0/16",
      enableDnsSupport: true,
      instanceTenancy: "default",
      [FILLED_IN]: ["enableDnsSupport", "instanceTenancy"],
    });
  });

  test("names a group after the resource, and keeps the generated name for the life of the group", () => {
    const { inputs } = checked(GROUP, {});
    expect(inputs.name).toMatch(/^web-[0-9a-f]{7}$/);
    expect(checked(GROUP, {}, { ...inputs, name: "web-1234567" }).inputs.name).toBe("web-1234567");
    expect(checked(GROUP, {}, { name: "said-by-the-program" }).inputs.name).toBe(inputs.name);
    expect(checked(GROUP, { name: "mine" }).inputs.name).toBe("mine");
    expect(checked(GROUP, { namePrefix: "mine-" }).inputs.name).toBeUndefined();
  });

  test.each<[string, string, Props, RegExp]>([
    ["a VPC larger than /16", VPC, { cidrBlock: "10.0.0.0/8" }, /from \/16 to \/28/],
    ["a group with a name like an ID", GROUP, { name: "sg-mine" }, /cannot begin with "sg-"/],
    ["a group with an empty description", GROUP, { description: "" }, /1 to 255 characters/],
    [
      "a legacy rule without peers",
      "aws:ec2/securityGroupRule:SecurityGroupRule",
      { securityGroupId: "sg-1", type: "ingress", protocol: "tcp", fromPort: 1, toPort: 1 },
      /at least one of/,
    ],
    [
      "a legacy rule with both self and blocks",
      "aws:ec2/securityGroupRule:SecurityGroupRule",
      {
        securityGroupId: "sg-1",
        type: "ingress",
        protocol: "tcp",
        fromPort: 1,
        toPort: 1,
        self: true,
        cidrBlocks: ["10.0.0.0/8"],
      },
      /conflicts with cidrBlocks/,
    ],
    [
      "a route without a target",
      "aws:ec2/route:Route",
      { routeTableId: "rtb-1", destinationCidrBlock: "0.0.0.0/0" },
      /exactly one of/,
    ],
    [
      "autoAccept of a peering to another region",
      "aws:ec2/vpcPeeringConnection:VpcPeeringConnection",
      { vpcId: "vpc-1", peerVpcId: "vpc-2", peerRegion: "eu-west-1", autoAccept: true },
      /autoAccept/,
    ],
    [
      "an ACL rule with both address families",
      "aws:ec2/networkAclRule:NetworkAclRule",
      {
        networkAclId: "acl-1",
        ruleNumber: 1,
        protocol: "tcp",
        ruleAction: "allow",
        cidrBlock: "10.0.0.0/8",
        ipv6CidrBlock: "::/0",
      },
      /exactly one of cidrBlock, ipv6CidrBlock/,
    ],
  ])("refuses %s", (_, token, inputs, message) => {
    expect(faultsOf(token, inputs)).toEqual([expect.stringMatching(message)]);
  });
});
