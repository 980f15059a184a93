import { DescribeSecurityGroupRulesCommand, DescribeVpcsCommand } from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import { type AwsStack, AwsWorld } from "./awsStack";

let world: AwsWorld;
let stack: AwsStack;

beforeAll(async () => {
  world = await AwsWorld.start("stand-in");
}, 900_000);
afterAll(async () => {
  await world.stop();
});
beforeEach(async () => {
  stack = await world.stack();
}, 60_000);

const within = 180_000;

/** What official providers cannot do: they make a second object, and the first is nobody's. */
describe("the stand-in, after the engine was killed", () => {
  const child = () => {
    const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.12.0.0/16" });
    new aws.ec2.VpcIpv4CidrBlockAssociation("block", { vpcId: vpc.id, cidrBlock: "10.13.0.0/16" });
    const group = new aws.ec2.SecurityGroup("group", { vpcId: vpc.id });
    new aws.vpc.SecurityGroupIngressRule("rule", {
      securityGroupId: group.id,
      ipProtocol: "-1",
      cidrIpv4: "10.0.0.0/8",
    });
    return Promise.resolve();
  };

  test.each([
    ["aws:ec2/vpc:Vpc"],
    ["aws:ec2/securityGroup:SecurityGroup"],
    ["aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"],
    ["aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation"],
  ])(
    "goes on with the %s that it had made, and makes no second one",
    async (type) => {
      await stack.interrupted(child, type, "after");
      await stack.up(child);
      const { group, vpc } = await stack.ids();
      const { Vpcs = [] } = await world.ec2.send(
        new DescribeVpcsCommand({ Filters: [{ Name: "cidr", Values: ["10.12.0.0/16"] }] }),
      );
      expect(Vpcs.map(({ VpcId }) => VpcId)).toEqual([vpc]);
      expect(Vpcs[0]?.CidrBlockAssociationSet).toHaveLength(2);
      expect(await rulesOf(group)).toHaveLength(1);
      expect((await stack.up(child, { refresh: true })).changes).toEqual(["same"]);
      await stack.destroy();
    },
    within,
  );
});

async function rulesOf(groupId: string | undefined) {
  const filter = { Name: "group-id", Values: [groupId ?? ""] };
  const { SecurityGroupRules } = await world.ec2.send(
    new DescribeSecurityGroupRulesCommand({ Filters: [filter] }),
  );
  return SecurityGroupRules ?? [];
}
