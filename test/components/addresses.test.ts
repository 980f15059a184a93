import * as pulumi from "@pulumi/pulumi";
import * as entry from "../../src";
import { run, unknownValue, type Running } from "./program";

/** The blocks of a hosted cluster, each under its key. */
const BLOCKS = {
  machines: "10.0.0.0/16",
  pods: "10.132.0.0/14",
  services: "172.31.0.0/16",
  hosts: "10.8.0.0/16",
  balancers: "10.8.0.0/24",
  nat: "192.0.2.7/32",
  dns: "10.8.0.2/32",
  transit: "10.64.0.0/16",
} as const;
type Key = keyof typeof BLOCKS;
type Blocks = Record<string, { cidr: pulumi.Input<string> }>;
const blocksOf = (of: (key: Key) => pulumi.Input<string>): Blocks =>
  Object.fromEntries(Object.keys(BLOCKS).map((key) => [key, { cidr: of(key as Key) }]));

const topologyWith = (addresses: Blocks): entry.HostedClusterTopology => ({
  name: "tenant-a",
  platform: entry.Platform.AWS,
  release: "4.20",
  addresses,
  machineNetwork: [{ cidr: "machines" }],
  clusterNetwork: [{ cidr: "pods", hostPrefix: 23 }],
  serviceNetwork: [{ cidr: "services" }],
  managementClusterCidrs: ["hosts"],
  managementClusterNatCidrs: ["nat"],
  loadBalancerTargets: entry.LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["balancers"],
  workerNatCidrs: ["nat"],
  dnsServerCidrs: ["dns"],
  infrastructureCidrs: [{ name: "transit", cidr: "transit" }],
});
type Topology = ReturnType<typeof topologyWith>;

const restOfSpec = JSON.stringify({
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  pullSecret: { name: "pull-secret" },
  platform: { aws: { region: "us-east-1", rolesRef: {} } },
});

const zone = (topology: Topology, more: Partial<entry.HostedClusterLandingZoneArgs> = {}) =>
  new entry.HostedClusterLandingZone("tenant", {
    topology: { ...topology, endpointAccess: entry.EndpointAccess.Private },
    vpcId: "vpc-1",
    workerVpcId: "vpc-2",
    hostedCluster: { additionalSpecJson: restOfSpec },
    isolation: { denyEgress: true },
    proxy: { httpsProxy: "http://proxy.example.com:3128" },
    ...more,
  });

/** Creates each component from such a topology. */
const programs: Record<string, (topology: Topology) => pulumi.ComponentResource> = {
  HostedClusterNetwork: (topology) =>
    new entry.HostedClusterNetwork("tenant", { topology, additionalSpecJson: restOfSpec }),
  ControlPlaneIsolation: (topology) =>
    new entry.ControlPlaneIsolation("tenant", { topology, denyEgress: true }),
  ProxyConfig: (topology) =>
    new entry.ProxyConfig("tenant", {
      topology,
      httpsProxy: "http://proxy.example.com:3128",
      region: "us-east-1",
      existingHostedCluster: { name: "tenant-a", namespace: "clusters" },
    }),
  ManagementClusterProxy: (topology) =>
    new entry.ManagementClusterProxy("tenant", {
      topology: { ...topology, platform: entry.Platform.KubeVirt },
    }),
  EgressFirewall: (topology) =>
    new entry.EgressFirewall("shop", {
      topology,
      namespace: "shop",
      rules: [{ type: entry.EgressFirewallRuleType.Deny, cidr: "198.51.100.0/24" }],
      allowApiServer: true,
    }),
  OvnSubnetConfig: (topology) =>
    new entry.OvnSubnetConfig("tenant", { topology, internalJoinSubnet: "100.99.0.0/16" }),
  HostedClusterLandingZone: (topology) => zone(topology),
  "HostedClusterLandingZone without a HostedCluster": (topology) =>
    zone(topology, { hostedCluster: undefined }),
};

async function made(name: string, addresses: Blocks, running: Running = {}) {
  const { resources, result, failures, warnings } = await run(async () => {
    const component = programs[name]!(topologyWith(addresses));
    const outputs = Object.entries(component).filter(
      ([key, value]) => pulumi.Output.isInstance(value) && key !== "urn" && key !== "topology",
    );
    const values = outputs.map(async ([key, value]) => {
      const output = value as pulumi.Output<unknown> & { promise: (unknowns: boolean) => Promise<unknown> };
      return [key, await output.promise(true).catch(() => "failed")] as const;
    });
    return Object.fromEntries(await Promise.all(values));
  }, running);
  const objects = resources.filter(({ type }) => !type.startsWith("hypershift-network:"));
  return {
    objects: new Map(objects.map((one) => [one.name, one.inputs])),
    outputs: await result,
    failures,
    warnings,
  };
}

// Mocks never answer for a HostedCluster whose proxy fails.
const refused = Object.keys(programs).filter((name) => name !== "HostedClusterLandingZone");

describe.each(Object.keys(programs))("%s with keyed addresses", (name) => {
  const texts = blocksOf((key) => BLOCKS[key]);

  it("creates the same objects and outputs from Outputs as from strings", async () => {
    const [plain, outputs] = [
      await made(name, texts),
      await made(
        name,
        blocksOf((key) => pulumi.output(BLOCKS[key])),
      ),
    ];
    expect(plain.failures).toEqual([]);
    expect(outputs.failures).toEqual([]);
    expect(outputs.objects).toEqual(plain.objects);
    expect(outputs.outputs).toEqual(plain.outputs);
    expect(outputs.warnings).toHaveLength(plain.warnings.length);
  });

  it("plans the same objects before a block is known, and shows no placeholder for it", async () => {
    const plain = await made(name, texts);
    const preview = await made(
      name,
      blocksOf(() => unknownValue<string>()),
      { preview: true },
    );
    expect(preview.failures).toEqual([]);
    expect([...preview.objects.keys()].sort()).toEqual([...plain.objects.keys()].sort());
    expect(JSON.stringify([[...preview.objects], preview.outputs, preview.warnings])).not.toMatch(
      /\b0\.\d+\.0\.0\/16/,
    );
  });
});

it.each(refused)("%s creates nothing if a block turns out to be invalid", async (name) => {
  const addresses = { ...blocksOf((key) => BLOCKS[key]), machines: { cidr: pulumi.output("10.0.0.1/16") } };
  const wrong = await made(name, addresses);
  expect([...wrong.objects.keys()]).toEqual([]);
  expect(wrong.failures.join("\n")).toContain("topology.addresses.machines.cidr");
});
