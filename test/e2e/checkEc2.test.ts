import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  AuthorizeSecurityGroupIngressCommand,
  CreateNetworkAclEntryCommand,
  RevokeSecurityGroupIngressCommand,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { Bench, fine } from "./conformance/kubernetesBench";
import { World } from "./world";
import { sharedSession } from "./sharedSession";

/** The command as users run it. */
const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };

/** A VPC with the security group and the network ACL of control-plane hosts. */
const network = () => {
  const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.8.0.0/16" });
  const subnet = new aws.ec2.Subnet("subnet", { vpcId: vpc.id, cidrBlock: "10.8.32.0/20" });
  const everything = {
    ruleNo: 100,
    action: "allow",
    protocol: "-1",
    fromPort: 0,
    toPort: 0,
    cidrBlock: "0.0.0.0/0",
  };
  const acl = new aws.ec2.NetworkAcl("acl", {
    vpcId: vpc.id,
    subnetIds: [subnet.id],
    ingress: [everything],
    egress: [everything],
    tags,
  });
  const offices = new aws.ec2.ManagedPrefixList("offices", {
    addressFamily: "IPv4",
    maxEntries: 2,
    entries: [{ cidr: "192.0.2.0/24" }],
  });
  const group = new aws.ec2.SecurityGroup("hosts", { vpcId: vpc.id, tags });
  const rule = (name: string, port: number, peer: object) =>
    new aws.vpc.SecurityGroupIngressRule(name, {
      securityGroupId: group.id,
      ipProtocol: "tcp",
      fromPort: port,
      toPort: port,
      ...peer,
    });
  rule("api", 6443, { cidrIpv4: "10.0.0.0/16" });
  rule("konnectivity", 8091, { cidrIpv4: "10.0.0.0/16" });
  rule("offices", 6443, { prefixListId: offices.id });
  return Promise.resolve({ vpc: vpc.id, acl: acl.id, group: group.id });
};

describe("hypershift-network check --ec2 on an EC2 API", () => {
  const folder = mkdtempSync(join(tmpdir(), "check-ec2-"));
  const config = join(folder, "hypershift-network.yaml");
  const state = join(folder, "state.json");
  let session: Session;
  let world: World;
  let bench: Bench;
  let made: Record<"vpc" | "acl" | "group", string>;

  const run = (...args: string[]): Promise<{ status: number; out: string; error: string }> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        [command, ...args, "-c", config],
        { env: session.env },
        (failure, out, error) => resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      ),
    );
  const konnectivity = () => ({
    GroupId: made.group,
    IpPermissions: [{ IpProtocol: "tcp", FromPort: 8091, ToPort: 8091, IpRanges: [{ CidrIp: "0.0.0.0/0" }] }],
  });

  beforeAll(async () => {
    writeFileSync(
      config,
      `hostedClusters: [{ name: tenant-a, platform: AWS, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }] }]
rules: { all: disabled, port-public: mandatory }
`,
    );
    session = await sharedSession(join(folder, "state"));
    world = new World(session);
    bench = await Bench.open(session, "drift");
    fine(await bench.up(network));
    made = (await bench.outputs()) as typeof made;
    const { checkpoint } = JSON.parse(bench.state()) as { checkpoint: { latest: object } };
    writeFileSync(state, JSON.stringify({ version: 3, deployment: checkpoint.latest }));
  }, 900_000);
  afterAll(async () => {
    bench?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("what was deployed has no findings and no drift", async () => {
    const { status, out } = await run("check", "--ec2", "--vpc", made.vpc);
    expect([status, out]).toEqual([
      0,
      expect.stringContaining("in the EC2 API of us-east-1, 1 hosted cluster"),
    ]);
    const drift = await run("diff", state, "--ec2", "--fail-on", "opened");
    expect([drift.status, drift.out]).toEqual([0, expect.stringContaining("nothing opens or closes")]);
  });

  test("what is opened by hand is found by rule and group, and shown as drift", async () => {
    await world.ec2.send(new AuthorizeSecurityGroupIngressCommand(konnectivity()));
    const found = await run("check", "--ec2", "--vpc", made.vpc, "--format", "json");
    expect(found.status).toBe(1);
    const { findings } = JSON.parse(found.out) as {
      findings: { rule: string; resource: { live?: string } }[];
    };
    expect(findings.map(({ rule, resource }) => [rule, resource.live])).toEqual([
      ["port-public", made.group],
    ]);
    const drift = await run("diff", state, "--ec2", "--fail-on", "opened");
    expect(drift.status).toBe(1);
    expect(drift.out).toMatch(
      /ingress of control-plane.*: TCP 8091 from 0\.0\.0\.0\/0 except 10\.0\.0\.0\/16/,
    );
    await world.ec2.send(new RevokeSecurityGroupIngressCommand(konnectivity()));
    expect((await run("check", "--ec2")).status).toBe(0);
  });

  test("what a manual network ACL entry denies is shown as drift", async () => {
    await world.ec2.send(
      new CreateNetworkAclEntryCommand({
        NetworkAclId: made.acl,
        RuleNumber: 50,
        Protocol: "6",
        RuleAction: "deny",
        Egress: false,
        CidrBlock: "10.0.0.0/16",
        PortRange: { From: 6443, To: 6443 },
      }),
    );
    const { status, out } = await run("diff", state, "--ec2", "--vpc", made.vpc);
    expect(status).toBe(0);
    expect(out).toMatch(/closed\n {2}ingress of control-plane.*: TCP 6443 from 10\.0\.0\.0\/16\n/);
  });

  test("nothing is judged if the VPC does not exist", async () => {
    const none = await run("check", "--ec2", "--vpc", "vpc-00000000");
    expect([none.status, none.out]).toEqual([2, ""]);
    expect(none.error).toContain("the EC2 API of us-east-1 has no VPC vpc-00000000");
  });
});
