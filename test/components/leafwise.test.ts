import * as pulumi from "@pulumi/pulumi";
import * as entry from "../../src";
import { UNKNOWN } from "../../src/resources/resource";
import { previewOf } from "../../src/testing";
import { unknownValue } from "./program";

const topology: entry.HostedClusterTopology = {
  name: "tenant-a",
  platform: entry.Platform.AWS,
  release: "4.20",
  addresses: {
    machines: { cidr: unknownValue<string>() },
    offices: { cidr: pulumi.output("203.0.113.0/24") },
  },
  machineNetwork: [{ cidr: "machines" }],
  externalClientCidrs: ["offices"],
  managementClusterCidrs: ["10.8.0.0/16"],
};
const name = "tenant";

/** Every component that registers a topology. */
const components: Record<string, () => pulumi.ComponentResource> = {
  HostedControlPlaneSecurityGroups: () =>
    new entry.HostedControlPlaneSecurityGroups(name, { topology, vpcId: "vpc-1" }),
  HostedControlPlaneNetworkAcls: () =>
    new entry.HostedControlPlaneNetworkAcls(name, {
      topology,
      vpcId: "vpc-1",
      dedicatedSubnets: { hosts: { subnetId: "subnet-1" } },
    }),
  PrivateEndpointSecurityGroup: () =>
    new entry.PrivateEndpointSecurityGroup(name, {
      topology: { ...topology, endpointAccess: "Private" },
      vpcId: "vpc-1",
    }),
  HostedClusterNetwork: () =>
    new entry.HostedClusterNetwork(name, {
      topology,
      additionalSpec: {
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
        pullSecret: { name: "pull-secret" },
        platform: { aws: { region: "us-east-1", rolesRef: {} } },
      },
    }),
  OvnSubnetConfig: () => new entry.OvnSubnetConfig(name, { topology, internalJoinSubnet: "100.99.0.0/16" }),
  ProxyConfig: () => new entry.ProxyConfig(name, { topology, httpProxy: "http://proxy.example.com:3128" }),
  ControlPlaneIsolation: () => new entry.ControlPlaneIsolation(name, { topology }),
  EgressFirewall: () =>
    new entry.EgressFirewall(name, {
      topology,
      namespace: "shop",
      rules: [{ type: "Allow", cidr: "198.51.100.0/24" }],
    }),
  HostedClusterLandingZone: () => new entry.HostedClusterLandingZone(name, { topology, vpcId: "vpc-1" }),
};

beforeEach(() => {
  jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe.each(Object.entries(components))("%s", (type, make) => {
  it("registers each value of the topology by itself, so that an unknown value hides no other", async () => {
    const resources = await previewOf(make);
    const { properties } = resources.find((one) => one.type === `hypershift-network:index:${type}`)!;
    expect(properties.topology).toMatchObject({
      name: "tenant-a",
      namespace: "clusters",
      serviceNetwork: [{ cidr: "172.31.0.0/16" }],
      addresses: { machines: { cidr: UNKNOWN }, offices: { cidr: "203.0.113.0/24" } },
      machineNetwork: [{ cidr: "machines" }],
    });
  });
});

it("tables of rules and flows show the peers that are known", async () => {
  const resources = await previewOf(components.HostedClusterLandingZone!);
  const { properties } = resources.find(({ type }) => type.endsWith(":HostedClusterLandingZone"))!;
  expect(properties.securityGroupRules).toContainEqual(
    expect.objectContaining({ peer: "10.8.0.0/16", requirements: expect.any(Array) as unknown }),
  );
  expect(properties.requiredFlows).toContainEqual(expect.objectContaining({ peers: ["203.0.113.0/24"] }));
});
