import { AuthorizeSecurityGroupIngressCommand } from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import { networkWith, UNCHANGED, within } from "./awsNetwork";
import { eachInAwsStack } from "./awsStack";

/** What users expect of the AWS provider: of the official one, or of the stand-in of local/plugins, whichever was found. */
const bench = eachInAwsStack();

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
    "that are inline are exactly those of the program: AWS's allow-all egress rule and foreign rules are removed",
    async () => {
      await bench.stack.up(inline([https]));
      const { group } = await bench.stack.ids();
      expect(
        (await bench.world.rulesOf(group)).map(({ CidrIpv4, IsEgress }) => [CidrIpv4, IsEgress]),
      ).toEqual([
        ["10.0.0.0/8", false],
        ["192.168.0.0/16", false],
      ]);
      const foreign = { IpProtocol: "tcp", FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: "192.0.2.0/24" }] };
      await bench.world.ec2.send(
        new AuthorizeSecurityGroupIngressCommand({ GroupId: group, IpPermissions: [foreign] }),
      );
      expect((await bench.stack.up(inline([https]), { refresh: true })).changes).toContain("update");
      expect(await bench.world.rulesOf(group)).toHaveLength(2);
      await bench.stack.up(inline([{ ...https, cidrBlocks: ["10.0.0.0/8"] }]));
      expect(await bench.world.rulesOf(group)).toHaveLength(1);
      expect(
        (await bench.stack.up(inline([{ ...https, cidrBlocks: ["10.0.0.0/8"] }]), { refresh: true })).changes,
      ).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "that are separate resources accept blocks of both families, prefix lists and groups, with descriptions",
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
      const { outputs } = await bench.stack.up(program);
      const rules = await bench.world.rulesOf(outputs.groupId);
      expect(rules.filter(({ IsEgress }) => !IsEgress).map(({ Description }) => Description)).toEqual([
        "why",
        "why",
        "why",
        "why",
      ]);
      expect(rules.filter(({ IsEgress }) => IsEgress)).toHaveLength(1);
      expect((await bench.stack.up(program, { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "of protocols without ports, such as ESP, are written without ports, and the next up changes nothing",
    async () => {
      const esp = networkWith({}, { ipProtocol: "50", fromPort: undefined, toPort: undefined });
      await bench.stack.up(esp);
      const { group } = await bench.stack.ids();
      expect(await bench.world.rulesOf(group)).toEqual([
        expect.objectContaining({ IpProtocol: "50", CidrIpv4: "10.0.0.0/8" }) as unknown,
      ]);
      expect((await bench.stack.up(esp)).changes).toEqual(UNCHANGED);
      expect((await bench.stack.up(esp, { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "that already exist are refused with the server's code and no stack trace, and the first rule stays",
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
      const message = await bench.stack.refusal(() => bench.stack.up(twice));
      expect(message).toContain("InvalidPermission.Duplicate");
      expect(message).not.toMatch(/\n\s+at .*(plugins|client-ec2)/);
      const ids = await bench.stack.ids();
      expect(Object.keys(ids)).toContain("first");
      expect(Object.keys(ids)).not.toContain("second");
      expect(await bench.world.rulesOf(ids.group)).toHaveLength(1);
    },
    within,
  );

  test(
    "with an invalid port or block are refused before anything is created",
    async () => {
      const message = await bench.stack.refusal(() =>
        bench.stack.preview(networkWith({}, { toPort: 70000, cidrIpv4: "10.0.0.1/8" })),
      );
      expect(message).toMatch(/70000/);
      expect(message).toMatch(/10\.0\.0\.1\/8/);
      expect(await bench.stack.ids().catch(() => ({}))).toEqual({});
    },
    within,
  );
});
