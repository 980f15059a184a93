import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as aws from "@pulumi/aws";

import { Direction, EndpointAccess, LoadBalancerTargets, Platform, Protocol } from "../../src";
import { HostedClusterLandingZone } from "../../src/landingZone/hostedClusterLandingZone";
import {
  LandingZonePart,
  type HostedClusterLandingZoneArgs,
} from "../../src/landingZone/hostedClusterLandingZoneArgs";
import { HostedClusterNetwork } from "../../src/hostedCluster/component/hostedClusterNetwork";
import { HostedControlPlaneSecurityGroups } from "../../src/securityGroups/component/hostedControlPlaneSecurityGroups";
import { Role } from "../../src/requirements/vocabulary";
import { restJson } from "../hostedCluster/inputs";
import { Bench, fine, kubectl, kubectlWith } from "./conformance/kubernetesBench";
import { sharedSession, type SharedSession } from "./sharedSession";
import { World } from "./world";

const topology = {
  name: "tenant-l",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  endpointAccess: EndpointAccess.PublicAndPrivate,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  externalClientCidrs: ["203.0.113.0/24"],
  dnsServerCidrs: ["10.1.0.2/32", "10.0.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

const bastion = {
  role: Role.Workers,
  direction: Direction.Ingress,
  protocol: Protocol.Tcp,
  fromPort: 22,
  cidr: "192.0.2.1/32",
  description: "Bastion",
};

/** Everything that filters traffic of a hosted cluster, as AWS and the management cluster have it. */
interface Filters {
  rules: string[];
  aclRules: string[];
  associated: boolean;
  policies: string[];
}

describe("a HostedCluster and its filters, on the real engine", () => {
  const folder = mkdtempSync(join(tmpdir(), "life-"));
  let session: SharedSession;
  let world: World;
  let surroundings: Bench;
  let bench: Bench;
  let made: Record<"hosts" | "workers" | "subnet", string>;

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    for (const name of ["clusters", "clusters-tenant-l"])
      kubectlWith(
        session,
        JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
        ...["apply", "-f", "-"],
      );
    surroundings = await Bench.open(session, "life-vpcs");
    fine(
      await surroundings.up(() => {
        const hosts = new aws.ec2.Vpc("hosts", { cidrBlock: "10.1.0.0/16" });
        const workers = new aws.ec2.Vpc("workers", { cidrBlock: "10.0.0.0/16" });
        const subnet = new aws.ec2.Subnet("hosts", { vpcId: hosts.id, cidrBlock: "10.1.16.0/24" });
        return Promise.resolve({ hosts: hosts.id, workers: workers.id, subnet: subnet.id });
      }),
    );
    made = (await surroundings.outputs()) as typeof made;
  }, 900_000);
  afterAll(async () => {
    bench?.close();
    surroundings?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const zone =
    ({
      topology: more = {},
      ...rest
    }: { topology?: object } & Partial<Omit<HostedClusterLandingZoneArgs, "topology">> = {}) =>
    () => {
      new HostedClusterLandingZone("tenant", {
        topology: { ...topology, ...more },
        vpcId: made.hosts,
        workerVpcId: made.workers,
        networkAcls: { dedicatedSubnets: { hosts: { subnetId: made.subnet } }, associatedSubnets: ["hosts"] },
        hostedCluster: { additionalSpecJson: restJson(Platform.AWS) },
        isolation: { denyEgress: true },
        securityGroups: { additionalRules: { bastion } },
        ...rest,
      });
      new aws.ec2.Vpc("bystander", { cidrBlock: "10.9.0.0/16" });
      return Promise.resolve({});
    };
  const filters = async (): Promise<Filters> => {
    const groups = (await Promise.all([made.hosts, made.workers].map((vpc) => world.groupIds(vpc)))).flat();
    const { id, isDefault } = await world.aclOfSubnet(made.subnet);
    const policies = kubectl(session, "get", "networkpolicies", "-n", "clusters-tenant-l", "-o", "name");
    return {
      rules: (await Promise.all(groups.map((group) => world.rules(group)))).flat().sort(),
      aclRules: isDefault ? [] : await world.aclRules(id),
      associated: !isDefault,
      policies: policies.trim().split("\n").filter(Boolean).sort(),
    };
  };
  const clusters = () => kubectl(session, "get", "hostedclusters", "-A", "-o", "name").trim();

  describe("in a landing zone that keeps the cluster", () => {
    let whole: Filters;
    const stays = async () => {
      expect(clusters()).toContain("tenant-l");
      expect(await filters()).toEqual(whole);
    };

    test("are created", async () => {
      bench = await Bench.open(session, "life");
      fine(await bench.up(zone()));
      whole = await filters();
      expect(whole.rules.length).toBeGreaterThan(20);
      expect(whole.aclRules.length).toBeGreaterThan(10);
      expect(whole).toMatchObject({ associated: true });
      expect(whole.policies.length).toBeGreaterThan(5);
    });

    test.each([
      ["with a preview", () => bench.previewAndDestroy()],
      ["without a preview", () => bench.destroy()],
    ])(
      "destroy %s is refused, and removes no filter from AWS, the cluster or the state",
      async (_, destroy) => {
        const { ok, output } = await destroy();
        expect(ok).toBe(false);
        expect(output).toMatch(/protected/);
        await stays();
        // At most the unrelated VPC is created again.
        expect(fine(await bench.up(zone())).changes.create ?? 0).toBeLessThan(2);
        await stays();
      },
    );

    test("destroy with excludeProtected keeps all filters, and the next deployment finds them", async () => {
      fine(await bench.destroy(zone(), { excludeProtected: true }));
      await stays();
      expect(fine(await bench.up(zone())).changes).toMatchObject({ create: 1 });
      await stays();
      expect(Object.keys(fine(await bench.up(zone())).changes)).toEqual(["same"]);
    });

    test("single rules and policies can still be removed", async () => {
      fine(await bench.up(zone({ securityGroups: {}, isolation: {} })));
      const fewer = await filters();
      expect(fewer.rules.length).toBeLessThan(whole.rules.length);
      expect(fewer.policies.length).toBeLessThan(whole.policies.length);
      fine(await bench.up(zone()));
      await stays();
    });

    test("the security groups cannot be left out while the cluster exists", async () => {
      const { ok, output } = await bench.preview(zone({ leaveOut: [LandingZonePart.SecurityGroups] }));
      expect(ok).toBe(false);
      expect(output).toMatch(/protected/);
      await stays();
    });

    test("destroy after the protection was removed manually keeps the cluster and every filter", async () => {
      await bench.unprotect();
      fine(await bench.destroy());
      expect(bench.resources().filter(({ custom }) => custom)).toEqual([]);
      await stays();
    });
  });

  describe("in a landing zone that may delete the cluster", () => {
    const deletable = zone({
      topology: { name: "tenant-m" },
      isolation: undefined as never,
      hostedCluster: { additionalSpecJson: restJson(Platform.AWS), deletable: true },
      networkAcls: undefined as never,
    });

    test("destroy deletes the filters after the cluster", async () => {
      bench = await Bench.open(session, "life-deletable");
      const before = await filters();
      fine(await bench.up(deletable));
      expect((await filters()).rules.length).toBeGreaterThan(before.rules.length);
      const { output } = fine(await bench.destroy(deletable));
      const at = (type: RegExp) =>
        output.split("\n").flatMap((line, index) => (type.test(line) ? [index] : []));
      expect(Math.min(...at(/Rule .* deleting|SecurityGroup .* deleting/))).toBeGreaterThan(
        Math.max(...at(/:HostedCluster .* deleted/)),
      );
      expect(await filters()).toEqual(before);
      expect(clusters()).not.toContain("tenant-m");
    });
  });

  describe("composed manually with dependsOn", () => {
    const composed = () => {
      const own = { ...topology, name: "tenant-n" };
      const groups = new HostedControlPlaneSecurityGroups("by-hand", { topology: own, vpcId: made.hosts });
      new HostedClusterNetwork(
        "by-hand",
        { topology: own, additionalSpecJson: restJson(Platform.AWS) },
        { dependsOn: [groups] },
      );
      new aws.ec2.Vpc("other-bystander", { cidrBlock: "10.9.0.0/16" });
      return Promise.resolve({});
    };

    test("no destroy removes the filters while the cluster is protected", async () => {
      bench = await Bench.open(session, "life-by-hand");
      fine(await bench.up(composed));
      const whole = await filters();
      expect((await bench.previewAndDestroy()).output).toMatch(/protected/);
      expect(await filters()).toEqual(whole);
      expect((await bench.destroy()).output).toMatch(/protected/);
      expect(await filters()).toEqual(whole);
      fine(await bench.up(composed));
      fine(await bench.destroy(composed, { excludeProtected: true }));
      expect(await filters()).toEqual(whole);
      expect(clusters()).toContain("tenant-n");
    });
  });
});
