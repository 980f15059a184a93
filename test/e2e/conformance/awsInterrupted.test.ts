import {
  DescribeSecurityGroupRulesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcsCommand,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import { eachInAwsStack } from "./awsStack";

const bench = eachInAwsStack("stand-in");

const within = 400_000;

/** Sequential, so that the calls of every run come in the same order. */
const chain = () => {
  const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.12.0.0/16" });
  const block = new aws.ec2.VpcIpv4CidrBlockAssociation("block", {
    vpcId: vpc.id,
    cidrBlock: "10.13.0.0/16",
  });
  const group = new aws.ec2.SecurityGroup("group", { vpcId: vpc.id }, { dependsOn: block });
  new aws.vpc.SecurityGroupIngressRule("rule", {
    securityGroupId: group.id,
    ipProtocol: "-1",
    cidrIpv4: "10.0.0.0/8",
  });
  return Promise.resolve();
};

/** Official providers cannot do this: they create a second object, and the first has no owner. */
describe("the stand-in provider, after the engine was killed", () => {
  let calls: Map<string, number>;
  beforeAll(async () => {
    calls = await (await bench.world.stack()).createCalls(chain);
  }, within);

  test.each([
    ["aws:ec2/vpc:Vpc"],
    ["aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation"],
    ["aws:ec2/securityGroup:SecurityGroup"],
    ["aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"],
  ])(
    "adopts the %s that it created, and creates no second one",
    async (type) => {
      await bench.stack.killedAfter(calls.get(type) ?? 0, chain);
      expect((await everything()).vpcs).toHaveLength(1);
      await bench.stack.up(chain);
      const { group, vpc, block, rule } = await bench.stack.ids();
      expect(await everything()).toEqual({ vpcs: [vpc], blocks: 2, rules: [rule] });
      expect(block).toMatch(/^vpc-cidr-assoc-/);
      expect(group).toMatch(/^sg-/);
      expect((await bench.stack.up(chain, { refresh: true })).changes).toEqual(["same"]);
      await bench.stack.destroy();
    },
    within,
  );
});

describe("the stand-in provider, after the engine was killed during a replacement", () => {
  const group = (description: string) => () => {
    const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.12.0.0/16" });
    new aws.ec2.SecurityGroup("group", { vpcId: vpc.id, description });
    return Promise.resolve();
  };

  test(
    "adopts the new object, and deletes the old one",
    async () => {
      const probe = await bench.world.stack();
      const call = (await probe.createCalls(group("second"), group("first"))).get(
        "aws:ec2/securityGroup:SecurityGroup",
      );
      await bench.stack.up(group("first"));
      const before = await bench.stack.ids();
      await bench.stack.killedAfter(call ?? 0, group("second"));
      const lost = (await groupsOf(before.vpc)).filter((id) => id !== before.group);
      expect(lost).toHaveLength(1);
      await bench.stack.up(group("second"));
      expect(await groupsOf(before.vpc)).toEqual(lost);
      expect((await bench.stack.ids()).group).toBe(lost[0]);
      expect((await bench.stack.up(group("second"), { refresh: true })).changes).toEqual(["same"]);
      await bench.stack.up(group("first"));
      expect(await groupsOf(before.vpc)).toEqual([(await bench.stack.ids()).group]);
      await bench.stack.destroy();
    },
    within,
  );
});

/** The security groups of a VPC that were created. */
async function groupsOf(vpcId: string | undefined): Promise<string[]> {
  const filter = { Name: "vpc-id", Values: [vpcId ?? ""] };
  const { SecurityGroups = [] } = await bench.world.ec2.send(
    new DescribeSecurityGroupsCommand({ Filters: [filter] }),
  );
  return SecurityGroups.filter(({ GroupName }) => GroupName !== "default").map(({ GroupId = "" }) => GroupId);
}

/** Everything that the program creates, as EC2 has it. */
async function everything() {
  const filter = { Name: "cidr", Values: ["10.12.0.0/16"] };
  const { Vpcs = [] } = await bench.world.ec2.send(new DescribeVpcsCommand({ Filters: [filter] }));
  const ofVpcs = { Name: "vpc-id", Values: Vpcs.map(({ VpcId = "" }) => VpcId) };
  const { SecurityGroups = [] } = await bench.world.ec2.send(
    new DescribeSecurityGroupsCommand({ Filters: [ofVpcs] }),
  );
  const own = SecurityGroups.filter(({ GroupName }) => GroupName !== "default");
  const rules = await Promise.all(own.map(({ GroupId }) => rulesOf(GroupId)));
  return {
    vpcs: Vpcs.map(({ VpcId }) => VpcId),
    blocks: Vpcs.flatMap(({ CidrBlockAssociationSet }) => CidrBlockAssociationSet ?? []).length,
    rules: rules.flat().map(({ SecurityGroupRuleId }) => SecurityGroupRuleId),
  };
}

async function rulesOf(groupId: string | undefined) {
  const filter = { Name: "group-id", Values: [groupId ?? ""] };
  const { SecurityGroupRules } = await bench.world.ec2.send(
    new DescribeSecurityGroupRulesCommand({ Filters: [filter] }),
  );
  return SecurityGroupRules ?? [];
}
