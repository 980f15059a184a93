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

/** Blocks in a row, the first of which begins a /19. */
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

/** AWS's default quota: as many users as fill a group. */
const FULL = 29;

describe("the rules of the security groups, on an EC2 API that holds groups to 60 rules", () => {
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

  describe("the quota", () => {
    test("a group can be full", async () => {
      fine(await bench.up(program(blocks(FULL))));
      expect(await ingress()).toHaveLength(60);
    });

    test("a full group takes more users: a merged rule takes the place of one of its parts, in place, and is never one too many", async () => {
      const outcome = fine(await bench.up(program(blocks(32))));
      // The inputs of the component are the third update.
      expect(outcome.changes).toMatchObject({ update: 3, delete: 2 * FULL - 2 });
      expect(outcome.changes.create).toBeUndefined();
      expect(outcome.output).toContain("mergeRules missing: control-plane ingress would have 66 IPv4 rules");
      expect(await ingress()).toEqual([...workers, ...users("192.0.0.0/19")].sort());
      expect(fine(await bench.up(program(blocks(32)), true)).changes).not.toHaveProperty("update");
    });

    test("fewer users leave them merged where that is asked for", async () => {
      fine(await bench.up(program(blocks(16), { mergeRules: RuleMerging.Always })));
      expect(await ingress()).toEqual([...workers, ...users("192.0.0.0/20")].sort());
    });

    test("the rules are single again when they are few enough and it is not asked for, without a moment without them", async () => {
      const outcome = fine(await bench.up(program(blocks(16))));
      expect(outcome.changes).toMatchObject({ create: 32, delete: 2 });
      // The single ones are there before the merged ones go.
      expect(outcome.output.lastIndexOf(" created (")).toBeLessThan(outcome.output.indexOf(" deleting ("));
      expect(await ingress()).toEqual([...workers, ...blocks(16).flatMap(users)].sort());
    });

    test("a prefix list that takes as many entries as there is room for is the peer of single rules", async () => {
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

  describe("the rules of the group that HyperShift makes for workers", () => {
    const inbound = async () => {
      const { nodes } = await bench.outputs();
      const rules = await world.rules(String(nodes));
      return rules.map((rule) => rule.replace(String(nodes), "itself"));
    };
    let before: string[];

    test("are not there unless they are asked for", async () => {
      fine(await bench.up(program([])));
      before = await inbound();
      expect(before.filter((rule) => rule.startsWith("ingress"))).toEqual([]);
    });

    test("come in one step beside the others, which stay the same", async () => {
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

    test("go again, and nothing else with them", async () => {
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

    test("are open again before more nodes join", async () => {
      const { changes } = fine(await bench.up(joining(true)));
      expect(changes).not.toHaveProperty("delete");
      expect(changes).not.toHaveProperty("replace");
      expect(await open()).toEqual(before);
    });
  });

  test("nothing is left behind", async () => {
    fine(await bench.destroy());
    expect(await world.vpcs()).toEqual([]);
  });
});
