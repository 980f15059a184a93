import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as aws from "@pulumi/aws";

import type { Session } from "../../local/session";
import { Direction, LoadBalancerTargets, Platform, Protocol } from "../../src";
import { HostedControlPlaneNetworkAcls } from "../../src/networkAcls/component/hostedControlPlaneNetworkAcls";
import type { HostedControlPlaneNetworkAclsArgs } from "../../src/networkAcls/component/hostedControlPlaneNetworkAclsArgs";
import { Role } from "../../src/requirements/vocabulary";
import { projectIn, type Project } from "./badInput/project";
import { Bench, fine } from "./conformance/kubernetesBench";
import { World } from "./world";
import { sharedSession } from "./sharedSession";

const topology = {
  name: "tenant-a",
  platform: Platform.AWS,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.8.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.8.0.0/24"],
  workerNatCidrs: ["192.0.2.7/32"],
  dnsServerCidrs: ["10.8.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};
const ntp = {
  role: Role.ControlPlane,
  direction: Direction.Egress,
  protocol: Protocol.Udp,
  fromPort: 123,
  cidr: "192.0.2.123/32",
  description: "Time servers",
};

/** A VPC with a subnet for one hosted cluster and a subnet that others use. */
const network = () => {
  const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.8.0.0/16" });
  const [dedicated, shared] = ["10.8.32.0/20", "10.8.48.0/20"].map(
    (cidrBlock) => new aws.ec2.Subnet(cidrBlock, { vpcId: vpc.id, cidrBlock }),
  );
  return Promise.resolve({ vpc: vpc.id, dedicated: dedicated!.id, shared: shared!.id });
};

describe("M12 network ACLs of subnets dedicated to one hosted cluster, on an EC2 API", () => {
  const folder = mkdtempSync(join(tmpdir(), "network-acls-"));
  let session: Session;
  let world: World;
  let surroundings: Bench;
  let bench: Bench;
  let made: Record<"vpc" | "dedicated" | "shared", string>;
  let acl: string;

  const program =
    (args: Partial<HostedControlPlaneNetworkAclsArgs> = {}) =>
    () => {
      const { controlPlaneNetworkAclId } = new HostedControlPlaneNetworkAcls("tenant", {
        topology,
        vpcId: made.vpc,
        dedicatedSubnets: { hosts: { subnetId: made.dedicated } },
        associatedSubnets: ["hosts"],
        ...args,
      });
      return Promise.resolve({ controlPlaneNetworkAclId });
    };

  let refused: Project | undefined;
  /** The preview of a program with these args. */
  const refusal = async (args: Partial<HostedControlPlaneNetworkAclsArgs>) => {
    const dedicatedSubnets = { hosts: { subnetId: made.dedicated } };
    const whole = { topology, vpcId: made.vpc, dedicatedSubnets, ...args };
    refused ??= await projectIn(session, "refused-acls");
    return refused.preview(`
      import { HostedControlPlaneNetworkAcls } from "hypershift-network";
      new HostedControlPlaneNetworkAcls("tenant", ${JSON.stringify(whole)} as never);`);
  };

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    surroundings = await Bench.open(session, "surroundings");
    fine(await surroundings.up(network));
    made = (await surroundings.outputs()) as typeof made;
    bench = await Bench.open(session, "acls");
  });
  afterAll(async () => {
    for (const each of [bench, surroundings]) each?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a subnet that is not declared dedicated is refused at preview", async () => {
    const { status, output } = await refusal({ associatedSubnets: ["hosts", "shared"] });
    expect(status).not.toBe(0);
    expect(output).toContain("associatedSubnets[1]  shared is not declared dedicated");
  });

  test("more rules than the quota are refused at preview, with the count of each flow", async () => {
    const { status, output } = await refusal({ ruleQuota: 5 });
    expect(status).not.toBe(0);
    expect(output).toMatch(/ruleQuota {2}control-plane ingress needs \d+ IPv4 rules .* the quota is 5/);
    expect(output).toContain("1 for nodes-kubelet");
  });

  test("required flows and their replies are allowed, and only the dedicated subnet is associated", async () => {
    fine(await bench.up(program()));
    acl = String((await bench.outputs()).controlPlaneNetworkAclId);
    const rules = (await world.aclRules(acl)).map((rule) => rule.replace(/ \d+ /, " "));
    expect(rules).toEqual(
      expect.arrayContaining([
        "ingress tcp 6443 10.0.0.0/16",
        "egress tcp 1024-65535 10.0.0.0/16",
        "ingress udp 6081 10.8.0.0/16",
        "egress udp 6081 10.8.0.0/16",
        "ingress tcp 10250 10.8.0.0/16",
        "ingress icmp 0.0.0.0/0",
      ]),
    );
    expect(await world.aclOfSubnet(made.dedicated)).toEqual({ id: acl, isDefault: false });
    expect(await world.aclOfSubnet(made.shared)).toMatchObject({ isDefault: true });
  });

  test("a second up changes nothing, with or without refresh", async () => {
    expect(Object.keys(fine(await bench.up(program())).changes)).toEqual(["same"]);
    expect(Object.keys(fine(await bench.up(program(), true)).changes)).toEqual(["same"]);
  });

  test("tags are updated in place, and rules are added and removed without changing others", async () => {
    const before = await world.aclRules(acl);
    const tags = { team: "network" };
    expect(Object.keys(fine(await bench.up(program({ tags }))).changes).sort()).toEqual(["same", "update"]);
    const more = fine(await bench.up(program({ tags, additionalRules: { ntp } }))).changes;
    expect(more).toMatchObject({ create: 2 });
    expect(more).not.toHaveProperty("delete");
    const added = (await world.aclRules(acl)).filter((rule) => !before.includes(rule));
    expect(added.map((rule) => rule.replace(/ \d+ /, " "))).toEqual([
      "egress udp 123 192.0.2.123/32",
      "ingress udp 32768-65535 192.0.2.123/32",
    ]);
    expect(fine(await bench.up(program({ tags }))).changes).toMatchObject({ delete: 2 });
    expect(await world.aclRules(acl)).toEqual(before);
  });

  test("a subnet gets the VPC's default ACL back when it is removed and on destroy", async () => {
    fine(await bench.up(program({ associatedSubnets: [] })));
    expect(await world.aclOfSubnet(made.dedicated)).toMatchObject({ isDefault: true });
    fine(await bench.up(program()));
    expect(await world.aclOfSubnet(made.dedicated)).toMatchObject({ id: acl });
    fine(await bench.destroy());
    expect(await world.aclOfSubnet(made.dedicated)).toMatchObject({ isDefault: true });
    expect(await world.aclOfSubnet(made.shared)).toMatchObject({ isDefault: true });
  });
});
