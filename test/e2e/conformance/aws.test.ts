import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  CreateVpcCommand,
  DeleteSubnetCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcsCommand,
  RevokeSecurityGroupIngressCommand,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import { type AwsStack, AwsWorld } from "./awsStack";

/** What the AWS provider owes its users, whichever one was found: the official one, or the stand-in of local/plugins. */
let world: AwsWorld;
let stack: AwsStack;

beforeAll(async () => {
  world = await AwsWorld.start();
}, 900_000);
afterAll(async () => {
  await world.stop();
});
beforeEach(async () => {
  stack = await world.stack();
}, 60_000);

const within = 240_000;
const UNCHANGED = ["same"];

const networkWith =
  (vpc: aws.ec2.VpcArgs, rule: Partial<aws.vpc.SecurityGroupIngressRuleArgs> = {}) =>
  () => {
    const network = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16", ...vpc });
    const group = new aws.ec2.SecurityGroup("group", { vpcId: network.id, description: "first" });
    const ingress = new aws.vpc.SecurityGroupIngressRule("rule", {
      securityGroupId: group.id,
      ipProtocol: "tcp",
      fromPort: 443,
      toPort: 443,
      cidrIpv4: "10.0.0.0/8",
      description: "the API",
      ...rule,
    });
    return Promise.resolve({ vpc: network, group, rule: ingress });
  };
interface Network extends Record<string, unknown> {
  vpc: Record<string, unknown>;
  group: Record<string, unknown>;
  rule: Record<string, unknown>;
}

const rulesOf = async (groupId: unknown) => {
  const filter = { Name: "group-id", Values: [String(groupId)] };
  return (
    (await world.ec2.send(new DescribeSecurityGroupRulesCommand({ Filters: [filter] }))).SecurityGroupRules ??
    []
  );
};

describe("a network", () => {
  test(
    "is created with the outputs that the SDK declares, and stays the same on the next up, with and without refresh",
    async () => {
      const program = networkWith({ tags: { Name: "main" } });
      const { outputs } = await stack.up(program);
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
      expect((await stack.up(program)).changes).toEqual(UNCHANGED);
      expect((await stack.up(program, { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "changes in place what EC2 can change, and keeps the ids",
    async () => {
      await stack.up(networkWith({ tags: { a: "1" } }));
      const ids = await stack.ids();
      const { changes, outputs } = await stack.up(
        networkWith(
          { enableDnsHostnames: true, tags: { b: "2" } },
          { cidrIpv4: "10.1.0.0/16", toPort: 444, description: "wider" },
        ),
      );
      expect(changes).toEqual(["same", "update"]);
      expect(await stack.ids()).toEqual(ids);
      expect((outputs as Network).vpc).toMatchObject({ enableDnsHostnames: true, tagsAll: { b: "2" } });
      const rules = await rulesOf(ids.group);
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
    "is replaced, with all that stands in it, when its addresses change; the old one goes",
    async () => {
      await stack.up(networkWith({}));
      const before = await stack.ids();
      expect(await stack.preview(networkWith({ cidrBlock: "10.1.0.0/16" }))).toContain("replace");
      await stack.up(networkWith({ cidrBlock: "10.1.0.0/16" }));
      const after = await stack.ids();
      expect(Object.keys(after).filter((name) => after[name] === before[name])).toEqual([]);
      const vpcs = (await world.ec2.send(new DescribeVpcsCommand({}))).Vpcs?.map(({ VpcId }) => VpcId);
      expect(vpcs).toContain(after.vpc);
      expect(vpcs).not.toContain(before.vpc);
    },
    within,
  );

  test(
    "is gone after destroy, and a second destroy finds nothing to do",
    async () => {
      await stack.up(networkWith({}));
      const { vpc } = await stack.ids();
      await stack.destroy();
      const vpcs = (await world.ec2.send(new DescribeVpcsCommand({}))).Vpcs?.map(({ VpcId }) => VpcId);
      expect(vpcs).not.toContain(vpc);
      await stack.destroy();
    },
    within,
  );

  test(
    "gets the provider's default tags, which show in tagsAll alone",
    async () => {
      const { outputs } = await stack.up(() => {
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

describe("a change by hand", () => {
  test(
    "of tags and of a rule's description is found by refresh and undone by up",
    async () => {
      const program = networkWith({ tags: { a: "1" } });
      await stack.up(program);
      const ids = await stack.ids();
      await world.ec2.send(
        new CreateTagsCommand({ Resources: [ids.vpc ?? ""], Tags: [{ Key: "a", Value: "by hand" }] }),
      );
      expect(await stack.refresh()).toContain("update");
      expect((await stack.up(program)).changes).toEqual(["same", "update"]);
      expect((await stack.up(program, { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "that removes a rule is found by refresh, and up makes the rule again",
    async () => {
      const program = networkWith({});
      await stack.up(program);
      const { group, rule } = await stack.ids();
      await world.ec2.send(
        new RevokeSecurityGroupIngressCommand({ GroupId: group, SecurityGroupRuleIds: [rule ?? ""] }),
      );
      expect(await stack.refresh()).toContain("delete");
      expect((await stack.up(program)).changes).toContain("create");
      expect(await rulesOf(group)).toHaveLength(1);
    },
    within,
  );

  test(
    "that adds a rule leaves a group without inline rules alone",
    async () => {
      const program = networkWith({});
      await stack.up(program);
      const { group } = await stack.ids();
      const permission = {
        IpProtocol: "tcp",
        FromPort: 22,
        ToPort: 22,
        IpRanges: [{ CidrIp: "192.0.2.0/24" }],
      };
      await world.ec2.send(
        new AuthorizeSecurityGroupIngressCommand({ GroupId: group, IpPermissions: [permission] }),
      );
      expect((await stack.up(program, { refresh: true })).changes).not.toContain("replace");
      expect(await rulesOf(group)).toHaveLength(2);
    },
    within,
  );
});

describe("security group rules", () => {
  const inline = (ingress: aws.types.input.ec2.SecurityGroupIngress[]) => () => {
    const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });
    new aws.ec2.SecurityGroup("group", { vpcId: vpc.id, ingress });
    return Promise.resolve();
  };
  const https = {
    protocol: "tcp",
    fromPort: 443,
    toPort: 443,
    cidrBlocks: ["10.0.0.0/8", "192.168.0.0/16"],
    description: "API",
  };

  test(
    "inline are exactly those of the program: AWS's rule that lets everything out is gone, and a foreign one goes",
    async () => {
      await stack.up(inline([https]));
      const { group } = await stack.ids();
      expect((await rulesOf(group)).map(({ CidrIpv4, IsEgress }) => [CidrIpv4, IsEgress])).toEqual([
        ["10.0.0.0/8", false],
        ["192.168.0.0/16", false],
      ]);
      const foreign = { IpProtocol: "tcp", FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: "192.0.2.0/24" }] };
      await world.ec2.send(
        new AuthorizeSecurityGroupIngressCommand({ GroupId: group, IpPermissions: [foreign] }),
      );
      expect((await stack.up(inline([https]), { refresh: true })).changes).toContain("update");
      expect(await rulesOf(group)).toHaveLength(2);
      await stack.up(inline([{ ...https, cidrBlocks: ["10.0.0.0/8"] }]));
      expect(await rulesOf(group)).toHaveLength(1);
      expect(
        (await stack.up(inline([{ ...https, cidrBlocks: ["10.0.0.0/8"] }]), { refresh: true })).changes,
      ).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "of their own take blocks of both families, prefix lists and groups, with descriptions that come back",
    async () => {
      const program = () => {
        const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });
        const group = new aws.ec2.SecurityGroup("group", { vpcId: vpc.id });
        const other = new aws.ec2.SecurityGroup("other", { vpcId: vpc.id });
        const list = new aws.ec2.ManagedPrefixList("list", {
          addressFamily: "IPv4",
          maxEntries: 3,
          entries: [{ cidr: "10.0.0.0/8" }],
        });
        const rule = {
          securityGroupId: group.id,
          ipProtocol: "tcp",
          fromPort: 443,
          toPort: 443,
          description: "why",
        };
        new aws.vpc.SecurityGroupIngressRule("v4", { ...rule, cidrIpv4: "10.0.0.0/8" });
        new aws.vpc.SecurityGroupIngressRule("v6", { ...rule, cidrIpv6: "2001:db8::/32", tags: { a: "1" } });
        new aws.vpc.SecurityGroupIngressRule("list", { ...rule, prefixListId: list.id });
        new aws.vpc.SecurityGroupIngressRule("group", { ...rule, referencedSecurityGroupId: other.id });
        new aws.vpc.SecurityGroupEgressRule("all", {
          securityGroupId: group.id,
          ipProtocol: "-1",
          cidrIpv4: "0.0.0.0/0",
        });
        new aws.ec2.SecurityGroupRule("legacy", {
          securityGroupId: other.id,
          type: "ingress",
          protocol: "tcp",
          fromPort: 80,
          toPort: 81,
          cidrBlocks: ["10.2.0.0/16", "10.3.0.0/16"],
        });
        return Promise.resolve({ groupId: group.id });
      };
      const { outputs } = await stack.up(program);
      const rules = await rulesOf(outputs.groupId);
      expect(rules.filter(({ IsEgress }) => !IsEgress).map(({ Description }) => Description)).toEqual([
        "why",
        "why",
        "why",
        "why",
      ]);
      expect(rules.filter(({ IsEgress }) => IsEgress)).toHaveLength(1);
      expect((await stack.up(program, { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "that exist already are refused in the server's words, without a stack, and the first one stays",
    async () => {
      const twice = () => {
        const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });
        const group = new aws.ec2.SecurityGroup("group", { vpcId: vpc.id });
        const rule = {
          securityGroupId: group.id,
          ipProtocol: "tcp",
          fromPort: 443,
          toPort: 443,
          cidrIpv4: "10.0.0.0/8",
        };
        const first = new aws.vpc.SecurityGroupIngressRule("first", rule);
        new aws.vpc.SecurityGroupIngressRule("second", rule, { dependsOn: first });
        return Promise.resolve();
      };
      const message = await stack.refusal(() => stack.up(twice));
      expect(message).toContain("InvalidPermission.Duplicate");
      expect(message).not.toMatch(/\n\s+at .*(plugins|client-ec2)/);
      const ids = await stack.ids();
      expect(Object.keys(ids)).toContain("first");
      expect(Object.keys(ids)).not.toContain("second");
      expect(await rulesOf(ids.group)).toHaveLength(1);
    },
    within,
  );

  test(
    "with a wrong port or block are refused before anything is made",
    async () => {
      const message = await stack.refusal(() =>
        stack.preview(networkWith({}, { toPort: 70000, cidrIpv4: "10.0.0.1/8" })),
      );
      expect(message).toMatch(/70000/);
      expect(message).toMatch(/10\.0\.0\.1\/8/);
      expect(await stack.ids().catch(() => ({}))).toEqual({});
    },
    within,
  );
});

describe("what was made by hand", () => {
  test(
    "is imported as it is, and then stays the same",
    async () => {
      const { Vpc } = await world.ec2.send(new CreateVpcCommand({ CidrBlock: "10.7.0.0/16" }));
      const group = (
        await world.ec2.send(
          new DescribeSecurityGroupsCommand({ Filters: [{ Name: "vpc-id", Values: [Vpc?.VpcId ?? ""] }] }),
        )
      ).SecurityGroups?.[0];
      const permission = {
        IpProtocol: "udp",
        FromPort: 6081,
        ToPort: 6081,
        IpRanges: [{ CidrIp: "10.7.0.0/16", Description: "geneve" }],
      };
      const { SecurityGroupRules } = await world.ec2.send(
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
      await stack.up(program(true));
      expect(await stack.ids()).toEqual({ vpc: Vpc?.VpcId, rule: ruleId });
      expect((await stack.up(program(false), { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "keeps an object from being deleted as long as it depends on it; the message has the server's code",
    async () => {
      await stack.up(() => {
        new aws.ec2.Vpc("vpc", { cidrBlock: "10.8.0.0/16" }, { customTimeouts: { delete: "2s" } });
        return Promise.resolve();
      });
      const { vpc } = await stack.ids();
      const { Subnet } = await world.ec2.send(
        new CreateSubnetCommand({ VpcId: vpc, CidrBlock: "10.8.0.0/24" }),
      );
      expect(await stack.refusal(() => stack.destroy())).toContain("DependencyViolation");
      expect(await stack.ids()).toEqual({ vpc });
      await world.ec2.send(new DeleteSubnetCommand({ SubnetId: Subnet?.SubnetId }));
      await stack.destroy();
    },
    within,
  );
});

describe("an object that is made again", () => {
  const one = () => {
    new aws.ec2.Vpc("vpc", { cidrBlock: "10.11.0.0/16" });
    return Promise.resolve();
  };

  test(
    "because somebody asked for it is another object, although nothing about it differs",
    async () => {
      await stack.up(one);
      const before = await stack.ids();
      const urn = `urn:pulumi:test::${stack.project}::aws:ec2/vpc:Vpc::vpc`;
      await stack.up(one, { replace: [urn] });
      const after = await stack.ids();
      expect(after.vpc).not.toBe(before.vpc);
      const vpcs = (await world.ec2.send(new DescribeVpcsCommand({}))).Vpcs?.map(({ VpcId }) => VpcId);
      expect(vpcs).toContain(after.vpc);
      expect(vpcs).not.toContain(before.vpc);
    },
    within,
  );
});
