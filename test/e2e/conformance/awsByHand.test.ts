import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  CreateVpcCommand,
  DeleteSubnetCommand,
  DescribeSecurityGroupsCommand,
  RevokeSecurityGroupIngressCommand,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import { networkWith, UNCHANGED, within } from "./awsNetwork";
import { eachInAwsStack } from "./awsStack";

/** What users expect of the AWS provider: of the official one, or of the stand-in of local/plugins, whichever was found. */
const bench = eachInAwsStack();

describe("a manual change", () => {
  test(
    "of tags is found by refresh and undone by up",
    async () => {
      const program = networkWith({ tags: { a: "1" } });
      await bench.stack.up(program);
      const ids = await bench.stack.ids();
      await bench.world.ec2.send(
        new CreateTagsCommand({ Resources: [ids.vpc ?? ""], Tags: [{ Key: "a", Value: "by hand" }] }),
      );
      expect(await bench.stack.refresh()).toContain("update");
      expect((await bench.stack.up(program)).changes).toEqual(["same", "update"]);
      expect((await bench.stack.up(program, { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "that removes a rule is found by refresh, and up creates the rule again",
    async () => {
      const program = networkWith({});
      await bench.stack.up(program);
      const { group, rule } = await bench.stack.ids();
      await bench.world.ec2.send(
        new RevokeSecurityGroupIngressCommand({ GroupId: group, SecurityGroupRuleIds: [rule ?? ""] }),
      );
      expect(await bench.stack.refresh()).toContain("delete");
      expect((await bench.stack.up(program)).changes).toContain("create");
      expect(await bench.world.rulesOf(group)).toHaveLength(1);
    },
    within,
  );

  test(
    "that adds a rule is kept in a group without inline rules",
    async () => {
      const program = networkWith({});
      await bench.stack.up(program);
      const { group } = await bench.stack.ids();
      const permission = {
        IpProtocol: "tcp",
        FromPort: 22,
        ToPort: 22,
        IpRanges: [{ CidrIp: "192.0.2.0/24" }],
      };
      await bench.world.ec2.send(
        new AuthorizeSecurityGroupIngressCommand({ GroupId: group, IpPermissions: [permission] }),
      );
      expect((await bench.stack.up(program, { refresh: true })).changes).not.toContain("replace");
      expect(await bench.world.rulesOf(group)).toHaveLength(2);
    },
    within,
  );
});

describe("an object that was created manually", () => {
  test(
    "is imported unchanged, and the next up changes nothing",
    async () => {
      const { Vpc } = await bench.world.ec2.send(new CreateVpcCommand({ CidrBlock: "10.7.0.0/16" }));
      const group = (
        await bench.world.ec2.send(
          new DescribeSecurityGroupsCommand({ Filters: [{ Name: "vpc-id", Values: [Vpc?.VpcId ?? ""] }] }),
        )
      ).SecurityGroups?.[0];
      const permission = {
        IpProtocol: "udp",
        FromPort: 6081,
        ToPort: 6081,
        IpRanges: [{ CidrIp: "10.7.0.0/16", Description: "geneve" }],
      };
      const { SecurityGroupRules } = await bench.world.ec2.send(
        new AuthorizeSecurityGroupIngressCommand({ GroupId: group?.GroupId, IpPermissions: [permission] }),
      );
      const ruleId = SecurityGroupRules?.[0]?.SecurityGroupRuleId;
      const rule = {
        securityGroupId: group?.GroupId ?? "",
        ipProtocol: "udp",
        fromPort: 6081,
        toPort: 6081,
        cidrIpv4: "10.7.0.0/16",
        description: "geneve",
      };
      const program = (imported: boolean) => () => {
        new aws.ec2.Vpc("vpc", { cidrBlock: "10.7.0.0/16" }, { import: imported ? Vpc?.VpcId : undefined });
        new aws.vpc.SecurityGroupIngressRule("rule", rule, { import: imported ? ruleId : undefined });
        return Promise.resolve();
      };
      await bench.stack.up(program(true));
      expect(await bench.stack.ids()).toEqual({ vpc: Vpc?.VpcId, rule: ruleId });
      expect((await bench.stack.up(program(false), { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "prevents the deletion of the object that it depends on, and the message has the server's code",
    async () => {
      await bench.stack.up(() => {
        new aws.ec2.Vpc("vpc", { cidrBlock: "10.8.0.0/16" }, { customTimeouts: { delete: "2s" } });
        return Promise.resolve();
      });
      const { vpc } = await bench.stack.ids();
      const { Subnet } = await bench.world.ec2.send(
        new CreateSubnetCommand({ VpcId: vpc, CidrBlock: "10.8.0.0/24" }),
      );
      expect(await bench.stack.refusal(() => bench.stack.destroy())).toContain("DependencyViolation");
      expect(await bench.stack.ids()).toEqual({ vpc });
      await bench.world.ec2.send(new DeleteSubnetCommand({ SubnetId: Subnet?.SubnetId }));
      await bench.stack.destroy();
    },
    within,
  );
});
