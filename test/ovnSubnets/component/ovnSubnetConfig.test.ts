import * as pulumi from "@pulumi/pulumi";
import { NetworkType, Platform } from "../../../src";
import { OvnSubnetConfig } from "../../../src/ovnSubnets/component/ovnSubnetConfig";
import type { OvnSubnetConfigArgs } from "../../../src/ovnSubnets/component/ovnSubnetArgs";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const topology = {
  name: "tenant-a",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const subnets = { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.69.0.0/16" };
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const create = (args: OvnSubnetConfigArgs) => () => new OvnSubnetConfig("tenant-a", args);

describe("M6 internal subnets on create", () => {
  it("are a fragment for the HostedCluster, and no object is created", async () => {
    const { result, objects, warnings } = await run(create({ topology: { ...topology, ...subnets } }));
    expect(objects).toEqual([]);
    expect(warnings).toEqual([]);
    await expect(eventually(result.fragment)).resolves.toEqual({
      operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets } } },
    });
  });

  it("are registered as part of the topology, for policies", async () => {
    const { result } = await run(
      create({ topology, ...subnets, otherNetworks: [{ name: "corporate", cidr: "100.64.0.0/16" }] }),
    );
    await expect(eventually(result.topology)).resolves.toMatchObject({
      name: "tenant-a",
      ...subnets,
      infrastructureCidrs: [{ name: "corporate", cidr: "100.64.0.0/16" }],
    });
  });

  it("can be only one of the two, and the other field is omitted", async () => {
    const { result } = await run(create({ topology, internalJoinSubnet: "100.99.0.0/16" }));
    const { operatorConfiguration } = await eventually(result.fragment);
    expect(operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.ipv4).toEqual({
      internalJoinSubnet: "100.99.0.0/16",
    });
  });
});

describe("M6 internal subnets on an existing HostedCluster", () => {
  it("are a patch with a stable field manager, which is retained on delete", async () => {
    const retained: unknown[] = [];
    const transform: pulumi.ResourceTransformation = ({ type, opts }) => {
      if (type.endsWith("HostedClusterPatch")) retained.push(opts.retainOnDelete);
      return undefined;
    };
    const { objects } = await run(
      () =>
        new OvnSubnetConfig(
          "tenant-a",
          { topology, ...subnets, existingHostedCluster },
          { transformations: [transform] },
        ),
    );
    expect(objects).toEqual([
      {
        type: "kubernetes:hypershift.openshift.io/v1beta1:HostedClusterPatch",
        name: "tenant-a",
        inputs: {
          apiVersion: "hypershift.openshift.io/v1beta1",
          kind: "HostedCluster",
          metadata: {
            name: "tenant-a",
            namespace: "clusters",
            annotations: { "pulumi.com/patchFieldManager": "hypershift-network-ovn-subnets" },
          },
          spec: {
            operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets } } },
          },
        },
      },
    ]);
    expect(retained).toEqual([true]);
  });

  it("override other field managers with forcePatch", async () => {
    const { objects } = await run(
      create({ topology, ...subnets, existingHostedCluster, forcePatch: true, removeOnDelete: true }),
    );
    expect(objects[0]!.inputs).toMatchObject({
      metadata: { annotations: { "pulumi.com/patchForce": "true" } },
    });
  });

  it("have a warning that ovnkube-node rolls out with a brief disruption", async () => {
    const { warnings } = await run(create({ topology, ...subnets, existingHostedCluster }));
    expect(warnings).toEqual([expect.stringMatching(/rolls out ovnkube-node.*brief disruption/)]);
  });

  it("are refused for a cluster that is not the topology's", async () => {
    const existing = { name: "tenant-b", namespace: "clusters" };
    await expect(run(create({ topology, ...subnets, existingHostedCluster: existing }))).rejects.toThrow(
      `existingHostedCluster.name  "tenant-b" differs from tenant-a of the topology`,
    );
  });
});

describe("M6 internal subnets are refused:", () => {
  it.each<[string, OvnSubnetConfigArgs, RegExp]>([
    ["none at all", { topology }, /internalJoinSubnet +missing, and so is internalTransitSwitchSubnet/],
    [
      "given twice",
      { topology: { ...topology, ...subnets }, ...subnets },
      /internalJoinSubnet +is also in topology/,
    ],
    [
      "two that are the same",
      { topology, internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.99.0.0/16" },
      /internalJoinSubnet +100.99.0.0\/16 overlaps OVN's transit switch subnet/,
    ],
    [
      "in the machine network",
      { topology, internalJoinSubnet: "10.0.0.0/16" },
      /overlaps .*machine network 10.0.0.0\/16|10.0.0.0\/16 overlaps OVN's join subnet/,
    ],
    [
      "in the default service network",
      { topology, internalJoinSubnet: "172.31.0.0/16" },
      /internalJoinSubnet +172.31.0.0\/16 overlaps the default service network/,
    ],
    [
      "in a peered network",
      {
        topology,
        internalJoinSubnet: "100.99.0.0/16",
        otherNetworks: [{ name: "peer", cidr: "100.99.4.0/24" }],
      },
      /internalJoinSubnet +100.99.0.0\/16 overlaps infrastructure network peer 100.99.4.0\/24/,
    ],
    [
      "too small for the nodes",
      { topology, internalJoinSubnet: "100.99.0.0/23" },
      /internalJoinSubnet +100.99.0.0\/23 is too small for the 512 nodes.*write \/22 or larger/,
    ],
    [
      "smaller than /30",
      { topology, internalJoinSubnet: "100.99.0.0/31" },
      /internalJoinSubnet +100.99.0.0\/31 is too small: write a block of \/0 to \/30/,
    ],
    ["a first octet of 0", { topology, internalJoinSubnet: "0.0.0.0/8" }, /internalJoinSubnet +0.0.0.0\/8/],
    [
      "host bits",
      { topology, internalJoinSubnet: "100.99.1.0/16" },
      /internalJoinSubnet +100.99.1.0\/16 has host bits: write 100.99.0.0\/16/,
    ],
    ["IPv6", { topology, internalJoinSubnet: "fd98::/64" }, /internalJoinSubnet +fd98::\/64 is IPv6/],
    [
      "with a release before 4.20",
      { topology: { ...topology, release: "4.19" }, ...subnets },
      /internalJoinSubnet +release 4.19 does not have it/,
    ],
    [
      "with another network type",
      { topology: { ...topology, networkType: NetworkType.Calico }, ...subnets },
      /a network of type Calico has no such subnet/,
    ],
    [
      "a join subnet on KubeVirt",
      { topology: { ...topology, platform: Platform.KubeVirt }, ...subnets },
      /internalJoinSubnet +refused on KubeVirt/,
    ],
    [
      "a topology with Outputs",
      { topology: { ...topology, name: pulumi.output("x") as never }, ...subnets },
      /topology.name +is an Output/,
    ],
    ["no topology", { ...subnets } as never, /topology +missing/],
    [
      "a switch that is a string",
      { topology, ...subnets, removeOnDelete: "no" as never },
      /removeOnDelete +"no" is neither true nor false/,
    ],
  ])("%s", async (_, args, message) => {
    await expect(run(create(args))).rejects.toThrow(message);
  });

  it("if Outputs resolve to faulty values, before a patch is created", async () => {
    const { objects, failures } = await run(
      create({ topology, internalJoinSubnet: pulumi.output("10.0.4.0/22"), existingHostedCluster }),
    );
    expect(objects).toEqual([]);
    expect(failures[0]).toMatch(/10\.0\.4\.0\/22/);
  });

  it("if a surrounding network in an Output resolves to an overlapping block", async () => {
    const otherNetworks = [{ name: "peer", cidr: pulumi.output("100.99.4.0/24") }];
    const { failures } = await run(create({ topology, ...subnets, otherNetworks, existingHostedCluster }));
    expect(failures[0]).toMatch(/internalJoinSubnet +100.99.0.0\/16 overlaps infrastructure network peer/);
  });
});

describe("M6 a preview with an unknown subnet", () => {
  it("shows the known subnet", async () => {
    const args = {
      topology,
      ...subnets,
      internalTransitSwitchSubnet: unknownValue<string>(),
      existingHostedCluster,
    };
    const { objects, failures } = await run(create(args), { preview: true });
    expect(failures).toEqual([]);
    expect(JSON.stringify(objects[0]!.inputs.spec)).toContain('"internalJoinSubnet":"100.99.0.0/16"');
  });
});
