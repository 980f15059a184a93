import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DescribeSecurityGroupRulesCommand,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";

import { Platform } from "../../src";
import { HostedControlPlaneSecurityGroups } from "../../src/securityGroups/component/hostedControlPlaneSecurityGroups";
import { Bench, fine } from "./conformance/kubernetesBench";
import { sharedSession, type SharedSession } from "./sharedSession";
import { World } from "./world";

const topology = {
  name: "tenant-a",
  platform: Platform.AWS,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  externalClientCidrs: ["203.0.113.0/24"],
};

/** The recipe of docs/changes.md: resource names with the ids of the objects that they take over. */
const takingOver =
  (existing: Readonly<Record<string, string>>): pulumi.ResourceTransform =>
  ({ name, props, opts }) => {
    const id = existing[name];
    if (id === undefined) return undefined;
    return {
      props,
      opts: {
        ...opts,
        import: id,
        ignoreChanges: [
          ...((opts as pulumi.CustomResourceOptions).ignoreChanges ?? []),
          "description",
          "tags",
        ],
      },
    };
  };

describe("a manually created group and its rules that a stack takes over, on an EC2 API", () => {
  const folder = mkdtempSync(join(tmpdir(), "existing-rules-"));
  let session: SharedSession;
  let world: World;
  let surroundings: Bench;
  let bench: Bench;
  let vpcId: string;
  let group: string;
  let byHand: Readonly<Record<string, string>>;

  /** Ids of the group's ingress rules, by what they allow. */
  const ruleIds = async (): Promise<Record<string, string>> => {
    const { SecurityGroupRules: rules = [] } = await world.ec2.send(
      new DescribeSecurityGroupRulesCommand({ Filters: [{ Name: "group-id", Values: [group] }] }),
    );
    return Object.fromEntries(
      rules
        .filter(({ IsEgress }) => !IsEgress)
        .map((rule) => [
          `${rule.IpProtocol}-${rule.FromPort}-${rule.CidrIpv4?.replace("/", "-")}`,
          rule.SecurityGroupRuleId ?? "",
        ]),
    );
  };
  const program =
    (existing: Readonly<Record<string, string>> = {}) =>
    () => {
      const { rules } = new HostedControlPlaneSecurityGroups(
        "tenant",
        { topology, vpcId },
        { transforms: [takingOver(existing)] },
      );
      return Promise.resolve({ rules });
    };

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    surroundings = await Bench.open(session, "existing-vpc");
    fine(
      await surroundings.up(() =>
        Promise.resolve({ vpc: new aws.ec2.Vpc("vpc", { cidrBlock: "10.1.0.0/16" }).id }),
      ),
    );
    vpcId = String((await surroundings.outputs()).vpc);
    const made = await world.ec2.send(
      new CreateSecurityGroupCommand({ VpcId: vpcId, GroupName: "old-hosts", Description: "By hand" }),
    );
    group = made.GroupId!;
    const blocks: [number, string][] = [
      [6443, "203.0.113.0/24"],
      [443, "203.0.113.0/24"],
      [22, "192.0.2.1/32"],
    ];
    await world.ec2.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId: group,
        IpPermissions: blocks.map(([port, CidrIp]) => ({
          IpProtocol: "tcp",
          FromPort: port,
          ToPort: port,
          IpRanges: [{ CidrIp, Description: "Since 2021" }],
        })),
      }),
    );
    byHand = await ruleIds();
    expect(Object.keys(byHand)).toHaveLength(3);
    bench = await Bench.open(session, "existing");
  }, 900_000);
  afterAll(async () => {
    bench?.close();
    surroundings?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const keys = ["tcp-443-203.0.113.0-24", "tcp-6443-203.0.113.0-24"];
  const existing = () => ({
    "tenant-control-plane": group,
    ...Object.fromEntries(keys.map((key) => [`tenant-control-plane-ingress-${key}`, byHand[key]!])),
  });

  test("are imported by the first deployment, which adds missing rules and deletes nothing", async () => {
    fine(await bench.preview(program(existing())));
    const { changes } = fine(await bench.up(program(existing())));
    expect(changes).toMatchObject({ import: 3 });
    expect(Object.keys(changes).sort()).toEqual(["create", "import"]);
    expect(await ruleIds()).toMatchObject(byHand);
  });

  test("get descriptions and tags in place by the next deployment, without the import recipe", async () => {
    const { changes } = fine(await bench.up(program()));
    expect(Object.keys(changes).sort()).toEqual(["same", "update"]);
    expect(changes.update).toBe(3);
    expect(await ruleIds()).toMatchObject(byHand);
  });

  test("do not change from then on, and rules of others stay", async () => {
    expect(Object.keys(fine(await bench.up(program(), true)).changes)).toEqual(["same"]);
    expect((await ruleIds())["tcp-22-192.0.2.1-32"]).toBe(byHand["tcp-22-192.0.2.1-32"]);
  });
});
