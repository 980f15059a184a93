import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as aws from "@pulumi/aws";

import type { Session } from "../../local/session";
import { HostedControlPlaneSecurityGroups } from "../../src/securityGroups/component/hostedControlPlaneSecurityGroups";
import { Platform, PublishingType } from "../../src";
import {
  RuleMerging,
  type SecurityGroupSettings,
} from "../../src/securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import { Bench, fine } from "./conformance/kubernetesBench";
import { World } from "./world";
import { sharedSession } from "./sharedSession";

/** Consecutive blocks that start at a /19. */
const blocks = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `192.0.${index}.0/24`);

/** A cluster whose control-plane hosts have two rules for each block of users, and two for the workers. */
const topologyWith = (externalClientCidrs: string[]) => ({
  name: "tenant-a",
  platform: Platform.AWS,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  externalClientCidrs,
});
const users = (block: string) => [`ingress tcp 443 ${block}`, `ingress tcp 6443 ${block}`];
const workers = users("10.0.0.0/16");

/** The number of users that fill a group under AWS's default quota. */
const FULL = 29;

describe("the rules of the security groups, on an EC2 API that limits groups to 60 rules", () => {
  const folder = mkdtempSync(join(tmpdir(), "security-group-rules-"));
  let session: Session;
  let world: World;
  let bench: Bench;

  const program =
    (externalClientCidrs: string[], settings: SecurityGroupSettings = {}) =>
    () => {
      const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });
      const groups = new HostedControlPlaneSecurityGroups("tenant", {
        topology: topologyWith(externalClientCidrs),
        vpcId: vpc.id,
        ...settings,
      });
      const { controlPlaneSecurityGroupId: hosts, workerSecurityGroupId: nodes } = groups;
      return Promise.resolve({ hosts, nodes });
    };
  const ingress = async () => {
    const rules = await world.rules(String((await bench.outputs()).hosts));
    return rules.filter((rule) => rule.startsWith("ingress"));
  };

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    bench = await Bench.open(session, "groups");
  });
  afterAll(async () => {
    bench?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("within the quota", () => {
    test("a group can have exactly as many rules as the quota", async () => {
      fine(await bench.up(program(blocks(FULL))));
      expect(await ingress()).toHaveLength(60);
    });

    test("a full group accepts more users: a merged rule replaces one of its parts in place, within the quota", async () => {
      const outcome = fine(await bench.up(program(blocks(32))));
      // The inputs of the component are the third update.
      expect(outcome.changes).toMatchObject({ update: 3, delete: 2 * FULL - 2 });
      expect(outcome.changes.create).toBeUndefined();
      expect(outcome.output).toContain("mergeRules missing: control-plane ingress would have 66 IPv4 rules");
      expect(await ingress()).toEqual([...workers, ...users("192.0.0.0/19")].sort());
      expect(fine(await bench.up(program(blocks(32)), true)).changes).not.toHaveProperty("update");
    });

    test("rules of fewer users stay merged with RuleMerging.Always", async () => {
      fine(await bench.up(program(blocks(16), { mergeRules: RuleMerging.Always })));
      expect(await ingress()).toEqual([...workers, ...users("192.0.0.0/20")].sort());
    });

    test("rules are single again once they fit, and are created before the merged ones are deleted", async () => {
      const outcome = fine(await bench.up(program(blocks(16))));
      expect(outcome.changes).toMatchObject({ create: 32, delete: 2 });
      // The single rules are created before the merged ones are deleted.
      expect(outcome.output.lastIndexOf(" created (")).toBeLessThan(outcome.output.indexOf(" deleting ("));
      expect(await ingress()).toEqual([...workers, ...blocks(16).flatMap(users)].sort());
    });

    test("a prefix list whose maxEntries fill the quota is the peer of single rules", async () => {
      const withList = () => {
        const list = new aws.ec2.ManagedPrefixList("offices", {
          addressFamily: "IPv4",
          maxEntries: FULL,
          entries: blocks(2).map((cidr) => ({ cidr })),
        });
        const prefixLists = { offices: { id: list.id, maxEntries: FULL } };
        const outputs = program([], { peers: { externalClients: { prefixLists } } })();
        return outputs.then((others) => ({ ...others, list: list.id }));
      };
      const { output } = fine(await bench.up(withList));
      expect(output).not.toContain("maxEntries");
      const { list } = await bench.outputs();
      expect(await ingress()).toEqual([...workers, ...users(String(list))].sort());
    });
  });

  describe("the rules of the group that HyperShift creates for workers", () => {
    const inbound = async () => {
      const { nodes } = await bench.outputs();
      const rules = await world.rules(String(nodes));
      return rules.map((rule) => rule.replace(String(nodes), "itself"));
    };
    let before: string[];

    test("are not created by default", async () => {
      fine(await bench.up(program([])));
      before = await inbound();
      expect(before.filter((rule) => rule.startsWith("ingress"))).toEqual([]);
    });

    test("are added in one up without deleting other rules", async () => {
      const outcome = fine(await bench.up(program([], { defaultWorkerRules: true })));
      expect(outcome.changes).toMatchObject({ create: 13 });
      expect(outcome.changes).not.toHaveProperty("delete");
      const added = (await inbound()).filter((rule) => !before.includes(rule));
      expect(added).toEqual([
        "egress -1 -1 0.0.0.0/0",
        "ingress 50 -1 itself",
        "ingress icmp -1 10.0.0.0/16",
        "ingress tcp 10250 itself",
        "ingress tcp 22 10.0.0.0/16",
        "ingress tcp 30000-32767 itself",
        "ingress tcp 9000-9999 itself",
        "ingress udp 30000-32767 itself",
        "ingress udp 4500 itself",
        "ingress udp 4789 itself",
        "ingress udp 500 itself",
        "ingress udp 6081 itself",
        "ingress udp 9000-9999 itself",
      ]);
      expect(
        fine(await bench.up(program([], { defaultWorkerRules: true }), true)).changes,
      ).not.toHaveProperty("update");
    });

    test("are removed again, and other rules stay", async () => {
      const outcome = fine(await bench.up(program([])));
      expect(outcome.changes).toMatchObject({ delete: 13 });
      expect(await inbound()).toEqual(before);
    });
  });

  describe("the ports that nodes need only while they join", () => {
    const nodePort = (port: number) => ({ type: PublishingType.NodePort, nodePort: port });
    const topology = {
      name: "tenant-b",
      platform: Platform.Agent,
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      managementClusterCidrs: ["10.1.0.0/16"],
      services: {
        apiServer: nodePort(31001),
        oauthServer: nodePort(31002),
        konnectivity: nodePort(31003),
        ignition: nodePort(31004),
      },
    };
    const joining = (bootstrap?: boolean) => () => {
      const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });
      const groups = new HostedControlPlaneSecurityGroups("joining", {
        topology: { ...topology, ...(bootstrap !== undefined && { bootstrap }) },
        vpcId: vpc.id,
      });
      const { controlPlaneSecurityGroupId: hosts, workerSecurityGroupId: nodes } = groups;
      return Promise.resolve({ hosts, nodes });
    };
    const open = async () => {
      const { hosts, nodes } = await bench.outputs();
      return { hosts: await world.rules(String(hosts)), nodes: await world.rules(String(nodes)) };
    };
    const BOOTSTRAP = /^(ingress|egress) tcp (8443|9090|31004) /;
    const without = (rules: readonly string[]) => rules.filter((rule) => !BOOTSTRAP.test(rule));
    let before: Awaited<ReturnType<typeof open>>;

    test("are open from the beginning", async () => {
      fine(await bench.up(joining()));
      before = await open();
      expect(before.hosts).toEqual(
        expect.arrayContaining(["ingress tcp 8443 10.0.0.0/16", "ingress tcp 9090 10.0.0.0/16"]),
      );
    });

    test("are closed by one input, and nothing else changes", async () => {
      const { changes } = fine(await bench.up(joining(false)));
      const [hosts, nodes] = [without(before.hosts), without(before.nodes)];
      const closed = before.hosts.length + before.nodes.length - hosts.length - nodes.length;
      expect(changes).toMatchObject({ delete: closed });
      expect(changes).not.toHaveProperty("create");
      expect(changes).not.toHaveProperty("replace");
      expect(await open()).toEqual({ hosts, nodes });
    });

    test("are opened again by the same input, and nothing is deleted", async () => {
      const { changes } = fine(await bench.up(joining(true)));
      expect(changes).not.toHaveProperty("delete");
      expect(changes).not.toHaveProperty("replace");
      expect(await open()).toEqual(before);
    });
  });

  test("destroy leaves no VPC", async () => {
    fine(await bench.destroy());
    expect(await world.vpcs()).toEqual([]);
  });
});
