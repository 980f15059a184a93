import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  HostedClusterAddressPlan,
  type HostedClusterAddressPlanArgs,
} from "../../../src/fleet/component/hostedClusterAddressPlan";
import { HostedClusterLandingZone } from "../../../src/landingZone/hostedClusterLandingZone";
import { Platform } from "../../../src/requirements/vocabulary";
import { eventually } from "../../components/eventually";
import { run } from "../../components/program";

const ledger = join(__dirname, "..", "ledger");
const create = (args: Partial<HostedClusterAddressPlanArgs>) => () =>
  new HostedClusterAddressPlan("tenant-a", { ledger, cluster: "tenant-a", ...args });

const RANGES = {
  machineNetwork: [{ cidr: "10.0.1.0/24" }],
  clusterNetwork: [{ cidr: "10.128.0.0/16", hostPrefix: 23 }],
  serviceNetwork: [{ cidr: "172.24.0.0/20" }],
  internalJoinSubnet: "100.96.0.0/24",
  internalTransitSwitchSubnet: "100.97.0.0/24",
};

describe("HostedClusterAddressPlan", () => {
  it("has the ranges of the ledger as plain values and as outputs, and creates no resources", async () => {
    const { result, objects } = await run(create({}));
    expect(result.ranges).toEqual(RANGES);
    expect(objects).toEqual([]);
    const outputs = pulumi.output({
      machineNetwork: result.machineNetwork,
      clusterNetwork: result.clusterNetwork,
      serviceNetwork: result.serviceNetwork,
      internalJoinSubnet: result.internalJoinSubnet,
      internalTransitSwitchSubnet: result.internalTransitSwitchSubnet,
    });
    expect(await eventually(outputs)).toEqual(RANGES);
    expect(result.ipamAllocationIds).toBeUndefined();
  });

  it("gives a landing zone its ranges, which changes to a returned copy do not affect", async () => {
    const { result } = await run(() => {
      const plan = create({})();
      plan.ranges.machineNetwork!.pop();
      return new HostedClusterLandingZone("tenant-a", {
        topology: { name: "tenant-a", platform: Platform.AWS, release: "4.20", ...plan.ranges },
        vpcId: "vpc-0a1b2c3d",
      });
    });
    expect(await eventually(result.topology)).toMatchObject(RANGES);
  });

  it("allocates its CIDR blocks in IPAM pools, and outputs the id of each allocation", async () => {
    const pools = { machineNetwork: "ipam-pool-1", clusterNetwork: "ipam-pool-2" };
    const { result, objects } = await run(create({ ipamPools: pools }));
    expect(objects).toEqual([
      {
        type: "aws:ec2/vpcIpamPoolCidrAllocation:VpcIpamPoolCidrAllocation",
        name: "tenant-a-machineNetwork-0",
        inputs: {
          cidr: "10.0.1.0/24",
          ipamPoolId: "ipam-pool-1",
          description: "machineNetwork of clusters/tenant-a",
        },
      },
      {
        type: "aws:ec2/vpcIpamPoolCidrAllocation:VpcIpamPoolCidrAllocation",
        name: "tenant-a-clusterNetwork-0",
        inputs: {
          cidr: "10.128.0.0/16",
          ipamPoolId: "ipam-pool-2",
          description: "clusterNetwork of clusters/tenant-a",
        },
      },
    ]);
    expect(await eventually(result.ipamAllocationIds!)).toEqual({
      "10.0.1.0/24": "tenant-a-machineNetwork-0-id",
      "10.128.0.0/16": "tenant-a-clusterNetwork-0-id",
    });
  });

  it.each<[string, Partial<Record<keyof HostedClusterAddressPlanArgs, unknown>>, RegExp]>([
    [
      "a cluster without a file",
      { cluster: "tenant-z" },
      /cluster {2}the ledger .* has no file for clusters\/tenant-z: add it to the fleet, run hypershift-network plan --fleet FILE --write/,
    ],
    ["a cluster in another namespace", { namespace: "others" }, /has no file for others\/tenant-a/],
    [
      "a cluster of another management cluster",
      { managementCluster: "west" },
      /has no file for west\/clusters\/tenant-a/,
    ],
    [
      "a ledger folder that does not exist",
      { ledger: "no-such-folder" },
      /the ledger no-such-folder has no file/,
    ],
    [
      "a missing cluster name",
      { cluster: undefined },
      /cluster {2}missing: write the name of the HostedCluster/,
    ],
    [
      "a path as the cluster name",
      { cluster: "../../etc/passwd" },
      /cluster {2}"..\/..\/etc\/passwd" is not a Kubernetes name/,
    ],
    [
      "an IPAM pool for an unknown kind of range",
      { ipamPools: { podNetwork: "ipam-pool-1" } },
      /ipamPools.podNetwork {2}no such property/,
    ],
    [
      "a list instead of a pool id",
      { ipamPools: { machineNetwork: [] } },
      /ipamPools.machineNetwork {2}a list is not a string/,
    ],
  ])("refuses %s", async (_, args, message) => {
    await expect(run(create(args as Partial<HostedClusterAddressPlanArgs>))).rejects.toThrow(message);
  });

  describe("an invalid ledger file", () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "ledger-"));
      mkdirSync(join(folder, "clusters"));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));
    const head = "apiVersion: hypershift-network/v1\nkind: AddressPlan\n";

    it.each([
      [
        `${head}metadata: { name: tenant-b }\nspec: { platform: AWS }\n`,
        /has the ranges of clusters\/tenant-b, not of clusters\/tenant-a/,
      ],
      [
        `${head}metadata: { name: tenant-a }\nspec: { platform: AWS, machineNetwork: [{ cidr: 10.0.0.1/24 }] }\n`,
        /tenant-a.yaml:4 spec.machineNetwork\[0\].cidr 10.0.0.1\/24 has host bits/,
      ],
      ["apiVersion: hypershift-network/v9\nkind: AddressPlan\n", /is not hypershift-network\/v1/],
      ["", /is not an object/],
    ])("is refused with the reason: %s", async (text, message) => {
      writeFileSync(join(folder, "clusters", "tenant-a.yaml"), text);
      await expect(run(create({ ledger: folder }))).rejects.toThrow(message);
    });

    it("is refused if it is a symbolic link that leads out of the ledger", async () => {
      symlinkSync(join(ledger, "clusters", "tenant-a.yaml"), join(folder, "clusters", "tenant-a.yaml"));
      await expect(run(create({ ledger: folder }))).rejects.toThrow(
        /tenant-a.yaml is a symbolic link that leads out of/,
      );
    });

    it("is refused if it has no IPv4 block for an IPAM pool", async () => {
      writeFileSync(
        join(folder, "clusters", "tenant-a.yaml"),
        `${head}metadata: { name: tenant-a }\nspec: { platform: AWS }\n`,
      );
      const ipamPools = { machineNetwork: "ipam-pool-1" };
      await expect(run(create({ ledger: folder, ipamPools }))).rejects.toThrow(
        /ipamPools.machineNetwork {2}the cluster has no IPv4 block/,
      );
    });
  });
});
