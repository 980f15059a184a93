import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

import {
  Direction,
  HostedClusterLandingZone,
  type HostedClusterTopology,
  LoadBalancerTargets,
  Platform,
  Protocol,
  Role,
} from "../../src";
import { restJson } from "../hostedCluster/inputs";
import { Bench, fine, kubectl, kubectlWith } from "./conformance/kubernetesBench";
import type { Session } from "../../local/session";
import { sharedSession } from "./sharedSession";
import { World } from "./world";

const CLUSTERS = ["blue", "green"] as const;
type Cluster = (typeof CLUSTERS)[number];

const BLOCKS = {
  machines: "10.0.0.0/16",
  pods: "10.132.0.0/14",
  services: "172.31.0.0/16",
  hosts: "10.8.0.0/16",
  balancers: "10.8.4.0/24",
  nat: "192.0.2.7/32",
  offices: "203.0.113.0/24",
  dns: "10.8.0.2/32",
  registry: "198.51.100.0/24",
  transit: "10.64.0.0/16",
} as const;
type Blocks = Record<string, string>;

/** How a run of the program differs from the previous one. */
interface Version {
  blocks?: Blocks;
  /** Blocks are strings, not Outputs. */
  texts?: boolean;
  /** The key of the users' blocks, and its former key. */
  offices?: { key: string; formerKey: string };
  /** The key of an additional rule and of a peer, and its former key. */
  office?: { key: string; formerKey: string };
  administrators?: string;
  proxy?: string;
}

/** Two clusters in one program, each with an Output for every address. */
const program =
  ({
    blocks = BLOCKS,
    texts = false,
    offices,
    office,
    administrators = "192.0.2.128/25",
    proxy = "http://proxy.example.com:3128",
  }: Version = {}) =>
  () => {
    const zones = CLUSTERS.map((cluster) => [cluster, zoneOf(cluster)] as const);
    return Promise.resolve(
      Object.fromEntries(
        zones.map(([cluster, { controlPlaneSecurityGroupId }]) => [cluster, controlPlaneSecurityGroupId]),
      ),
    );

    function zoneOf(cluster: Cluster) {
      const vpc = new aws.ec2.Vpc(cluster, { cidrBlock: "10.8.0.0/16" });
      const bastion = new aws.ec2.SecurityGroup(`${cluster}-bastion`, { vpcId: vpc.id });
      const subnet = new aws.ec2.Subnet(cluster, { vpcId: vpc.id, cidrBlock: "10.8.16.0/24" });
      const later = (cidr: string): pulumi.Input<string> => (texts ? cidr : vpc.id.apply(() => cidr));
      const addresses = Object.fromEntries(
        Object.entries(blocks).map(([key, cidr]) => {
          const isRenamed = key === "offices" && offices !== undefined;
          const own = { cidr: later(cidr), ...(isRenamed && { formerKey: offices.formerKey }) };
          return [isRenamed ? offices.key : key, own];
        }),
      );
      const topology: HostedClusterTopology = {
        name: cluster,
        platform: Platform.AWS,
        release: "4.20",
        addresses,
        machineNetwork: [{ cidr: "machines" }],
        clusterNetwork: [{ cidr: "pods" }],
        serviceNetwork: [{ cidr: "services" }],
        managementClusterCidrs: ["hosts"],
        managementClusterNatCidrs: ["nat"],
        controlPlaneEndpointCidrs: ["balancers"],
        loadBalancerTargets: LoadBalancerTargets.Instance,
        loadBalancerSubnetCidrs: ["balancers"],
        workerNatCidrs: ["nat"],
        externalClientCidrs: [offices?.key ?? "offices"],
        dnsServerCidrs: ["dns"],
        registryCidrs: ["registry"],
        infrastructureCidrs: [{ name: "transit", cidr: "transit" }],
        proxy: { httpsProxy: later(proxy), noProxy: later("example.com") },
      };
      const key = office?.key ?? "office";
      return new HostedClusterLandingZone(cluster, {
        topology,
        vpcId: vpc.id,
        securityGroups: {
          peers: {
            externalClients: {
              securityGroupIds: { [key]: bastion.id },
              ...(office && { formerKeys: { [office.key]: office.formerKey } }),
            },
          },
          additionalRules: {
            [key]: {
              role: Role.ControlPlane,
              direction: Direction.Ingress,
              protocol: Protocol.Tcp,
              fromPort: 22,
              cidr: later(administrators),
              description: "Administrators",
              ...(office && { formerKey: office.formerKey }),
            },
          },
        },
        networkAcls: {
          dedicatedSubnets: { hosts: { subnetId: subnet.id } },
          associatedSubnets: ["hosts"],
          ruleQuota: 40,
        },
        hostedCluster: { additionalSpecJson: restJson(Platform.AWS), deletable: true },
        isolation: { denyEgress: true },
      });
    }
  };

describe("two clusters whose addresses all come from other resources", () => {
  const folder = mkdtempSync(join(tmpdir(), "addresses-"));
  let session: Session;
  let world: World;
  let bench: Bench;

  const rules = async (cluster: Cluster) => world.rules(String((await bench.outputs())[cluster]));
  const proxyOf = (cluster: Cluster) => {
    const path = "jsonpath={.spec.configuration.proxy}";
    return JSON.parse(
      kubectl(session, "get", "hostedcluster", "-n", "clusters", cluster, "-o", path),
    ) as object;
  };
  /** What a run changed, without the resources that stay the same. */
  const changed = ({ changes }: { changes: Record<string, number | undefined> }) => {
    const { same: _, ...others } = changes;
    return others;
  };
  /** The number of updates that change only inputs of components. */
  const ofComponents = 5 * CLUSTERS.length + CLUSTERS.length;

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    const namespaces = ["clusters", ...CLUSTERS.map((cluster) => `clusters-${cluster}`)];
    for (const name of namespaces)
      kubectlWith(
        session,
        JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
        "apply",
        "--server-side",
        "-f",
        "-",
      );
    bench = await Bench.open(session, "addresses");
  }, 900_000);
  afterAll(async () => {
    bench?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a preview plans everything, and prints no placeholder block", async () => {
    const { output, changes } = fine(await bench.preview(program()));
    expect(changes.create).toBeGreaterThan(100);
    expect(output).not.toMatch(/\b0\.\d+\.0\.0\/16/);
  });

  test("up creates what the preview planned, and a second up changes nothing", async () => {
    const planned = fine(await bench.preview(program())).changes.create;
    expect(fine(await bench.up(program())).changes.create).toBe(planned);
    for (const cluster of CLUSTERS) expect(await rules(cluster)).toContain("ingress tcp 6443 203.0.113.0/24");
    const networking = kubectl(
      session,
      "get",
      "hostedcluster",
      "-n",
      "clusters",
      "blue",
      "-o",
      "jsonpath={.spec.networking}",
    );
    expect(JSON.parse(networking)).toMatchObject({
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    });
    expect(proxyOf("blue")).toMatchObject({ httpsProxy: "http://proxy.example.com:3128" });
    expect(changed(fine(await bench.up(program())))).toEqual({});
  });

  test("a refresh finds no drift, and up with refresh changes nothing", async () => {
    expect(changed(fine(await bench.refresh()))).toEqual({});
    expect(changed(fine(await bench.up(program(), true)))).toEqual({});
  });

  test("replacing Outputs by strings, and strings by Outputs, changes no resource", async () => {
    expect(changed(fine(await bench.up(program({ texts: true }))))).toEqual({});
    expect(changed(fine(await bench.up(program())))).toEqual({});
  });

  test("resources named by version 0.1.0, which had no keys, get their current names without a new or deleted rule", async () => {
    const texts = program({ texts: true });
    fine(await bench.up(texts));
    const before = await rules("blue");
    const names = () => bench.resources().filter(({ urn }) => /-(rule-office|cidr-\w+)$/.test(urn)).length;
    const today = names();
    expect(today).toBeGreaterThan(20);
    await bench.rewrite((state) =>
      state
        .replaceAll("rule-office", "192.0.2.128-25")
        .replace(
          /\bcidr-(\w+)\b/g,
          (name, key: string) => BLOCKS[key as keyof typeof BLOCKS]?.replace("/", "-") ?? name,
        ),
    );
    expect(names()).toBe(0);
    const { create, replace, ...changes } = fine(await bench.up(texts)).changes;
    expect({ create, replace, deleted: changes.delete }).toEqual({});
    expect(names()).toBe(today);
    expect(await rules("blue")).toEqual(before);
    fine(await bench.up(program()));
  });

  test("renaming keys with formerKey keeps every resource, and so does dropping formerKey afterwards", async () => {
    const renamed = {
      offices: { key: "users", formerKey: "offices" },
      office: { key: "staff", formerKey: "office" },
    };
    const outcome = fine(await bench.up(program(renamed)));
    expect(outcome.changes.create).toBeUndefined();
    expect(outcome.changes.delete).toBeUndefined();
    expect(outcome.changes.replace).toBeUndefined();
    const back = {
      offices: { key: "offices", formerKey: "users" },
      office: { key: "office", formerKey: "staff" },
    };
    expect(fine(await bench.up(program(back))).changes.create).toBeUndefined();
    expect(fine(await bench.up(program())).changes.create).toBeUndefined();
  });

  test("a different address under a key updates security group rules in place and replaces network ACL rules", async () => {
    const blocks = {
      ...BLOCKS,
      nat: "192.0.2.8/32",
      offices: "203.0.113.0/25",
      dns: "10.8.0.3/32",
      registry: "198.51.100.0/25",
      balancers: "10.8.5.0/24",
      hosts: "10.8.0.0/17",
      transit: "10.65.0.0/16",
    };
    const before = await rules("blue");
    const outcome = fine(await bench.up(program({ blocks, administrators: "192.0.2.192/26" })));
    expect(outcome.changes.create).toBeUndefined();
    expect(outcome.changes.delete).toBeUndefined();
    expect(outcome.changes.update).toBeGreaterThan(ofComponents);
    // Rules of network ACLs keep their numbers, and AWS and the providers refuse two rules with one number.
    expect(outcome.changes["delete-replaced"] ?? outcome.changes.replace).toBeGreaterThan(0);
    const after = await rules("blue");
    expect(after).toHaveLength(before.length);
    expect(after).toContain("ingress tcp 6443 203.0.113.0/25");
    expect(after).not.toContain("ingress tcp 6443 203.0.113.0/24");
    expect(after).toContain("ingress tcp 22 192.0.2.192/26");
    expect(changed(fine(await bench.up(program({ blocks, administrators: "192.0.2.192/26" }))))).toEqual({});
    fine(await bench.up(program()));
    expect(await rules("blue")).toEqual(before);
  });

  test("a different proxy URL updates the HostedCluster in place", async () => {
    const moved = { proxy: "http://proxy.example.net:3129" };
    const outcome = fine(await bench.up(program(moved)));
    expect(outcome.changes.create).toBeUndefined();
    expect(outcome.changes.delete).toBeUndefined();
    expect(proxyOf("green")).toMatchObject({ httpsProxy: "http://proxy.example.net:3129" });
  });

  test("destroy leaves no AWS resource in the state", async () => {
    fine(await bench.up(program()));
    fine(await bench.destroy());
    expect(bench.resources().filter(({ type }) => type.startsWith("aws:"))).toEqual([]);
  });
});
