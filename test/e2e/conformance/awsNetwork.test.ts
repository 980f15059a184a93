import { DescribeVpcsCommand } from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import { type Network, networkWith, UNCHANGED, within } from "./awsNetwork";
import { eachInAwsStack } from "./awsStack";

/** What users expect of the AWS provider: of the official one, or of the stand-in of local/plugins, whichever was found. */
const bench = eachInAwsStack();

describe("a network", () => {
  test(
    "is created with the outputs that the SDK declares, and the next up changes nothing, with or without refresh",
    async () => {
      const program = networkWith({ tags: { Name: "main" } });
      const { outputs } = await bench.stack.up(program);
      const { vpc, group, rule } = outputs as Network;
      expect(vpc).toMatchObject({
        id: expect.stringMatching(/^vpc-/) as unknown,
        arn: expect.stringMatching(/^arn:aws:ec2:us-east-1:\d+:vpc\/vpc-/) as unknown,
        cidrBlock: "10.0.0.0/16",
        enableDnsSupport: true,
        enableDnsHostnames: false,
        instanceTenancy: "default",
        mainRouteTableId: expect.stringMatching(/^rtb-/) as unknown,
        defaultSecurityGroupId: expect.stringMatching(/^sg-/) as unknown,
        tags: { Name: "main" },
        tagsAll: { Name: "main" },
      });
      expect(group).toMatchObject({
        vpcId: vpc.id,
        name: expect.stringMatching(/^group-[0-9a-f]{7}$/) as unknown,
      });
      expect(rule).toMatchObject({
        securityGroupId: group.id,
        securityGroupRuleId: rule.id,
        ipProtocol: "tcp",
        fromPort: 443,
      });
      expect((await bench.stack.up(program)).changes).toEqual(UNCHANGED);
      expect((await bench.stack.up(program, { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "is updated in place to the extent that EC2 allows, and keeps the ids",
    async () => {
      await bench.stack.up(networkWith({ tags: { a: "1" } }));
      const ids = await bench.stack.ids();
      const { changes, outputs } = await bench.stack.up(
        networkWith(
          { enableDnsHostnames: true, tags: { b: "2" } },
          { cidrIpv4: "10.1.0.0/16", toPort: 444, description: "wider" },
        ),
      );
      expect(changes).toEqual(["same", "update"]);
      expect(await bench.stack.ids()).toEqual(ids);
      expect((outputs as Network).vpc).toMatchObject({ enableDnsHostnames: true, tagsAll: { b: "2" } });
      const rules = await bench.world.rulesOf(ids.group);
      expect(rules).toEqual([
        expect.objectContaining({
          CidrIpv4: "10.1.0.0/16",
          FromPort: 443,
          ToPort: 444,
          Description: "wider",
        }),
      ]);
    },
    within,
  );

  test(
    "is replaced with everything in it when its addresses change, and the old one is deleted",
    async () => {
      await bench.stack.up(networkWith({}));
      const before = await bench.stack.ids();
      expect(await bench.stack.preview(networkWith({ cidrBlock: "10.1.0.0/16" }))).toContain("replace");
      await bench.stack.up(networkWith({ cidrBlock: "10.1.0.0/16" }));
      const after = await bench.stack.ids();
      expect(Object.keys(after).filter((name) => after[name] === before[name])).toEqual([]);
      const vpcs = (await bench.world.ec2.send(new DescribeVpcsCommand({}))).Vpcs?.map(({ VpcId }) => VpcId);
      expect(vpcs).toContain(after.vpc);
      expect(vpcs).not.toContain(before.vpc);
    },
    within,
  );

  test(
    "is deleted by destroy, and a second destroy succeeds",
    async () => {
      await bench.stack.up(networkWith({}));
      const { vpc } = await bench.stack.ids();
      await bench.stack.destroy();
      const vpcs = (await bench.world.ec2.send(new DescribeVpcsCommand({}))).Vpcs?.map(({ VpcId }) => VpcId);
      expect(vpcs).not.toContain(vpc);
      await bench.stack.destroy();
    },
    within,
  );

  test(
    "gets the provider's default tags, which show only in tagsAll",
    async () => {
      const { outputs } = await bench.stack.up(() => {
        const provider = new aws.Provider("tagging", {
          region: "us-east-1",
          defaultTags: { tags: { team: "net", a: "default" } },
        });
        const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16", tags: { a: "own" } }, { provider });
        return Promise.resolve({ vpc });
      });
      expect((outputs as Network).vpc).toMatchObject({
        tags: { a: "own" },
        tagsAll: { a: "own", team: "net" },
      });
    },
    within,
  );
});

describe("an object that the user asks to replace", () => {
  const one = () => {
    new aws.ec2.Vpc("vpc", { cidrBlock: "10.11.0.0/16" });
    return Promise.resolve();
  };

  test(
    "gets a new id although its inputs are the same, and the old object is deleted",
    async () => {
      await bench.stack.up(one);
      const before = await bench.stack.ids();
      const urn = `urn:pulumi:test::${bench.stack.project}::aws:ec2/vpc:Vpc::vpc`;
      await bench.stack.up(one, { replace: [urn] });
      const after = await bench.stack.ids();
      expect(after.vpc).not.toBe(before.vpc);
      const vpcs = (await bench.world.ec2.send(new DescribeVpcsCommand({}))).Vpcs?.map(({ VpcId }) => VpcId);
      expect(vpcs).toContain(after.vpc);
      expect(vpcs).not.toContain(before.vpc);
    },
    within,
  );
});
