import * as pulumi from "@pulumi/pulumi";
import {
  EgressFirewallRuleType,
  EndpointAccess,
  HostedClusterLandingZone,
  LandingZonePart,
  Platform,
  type HostedClusterLandingZoneArgs,
} from "../../../src";
import { eventually } from "../eventually";
import { run, unknownValue } from "../kubernetes/program";

const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const privately = { ...topology, endpointAccess: EndpointAccess.Private };
const subnets = { internalJoinSubnet: "100.99.0.0/16" };
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const proxy = { httpProxy: "http://proxy.example.com:3128", httpsProxy: "http://proxy.example.com:3128" };
const hosted = {
  hostedClusterKubeconfig: pulumi.secret("{ token: sesame }"),
  egressFirewalls: {
    shop: { namespace: "shop", rules: [{ type: EgressFirewallRuleType.Allow, cidr: "10.9.0.0/16" }] },
  },
  egressIps: {
    shop: {
      addresses: ["10.0.0.50"],
      namespaceSelector: { matchLabels: { team: "shop" } },
      nodes: ["node-1"],
    },
  },
  multicastNamespaces: { stream: "stream" },
};

const zone = (args: HostedClusterLandingZoneArgs, preview = false) =>
  run(() => new HostedClusterLandingZone("zone", args), { preview });
const componentsOf = (resources: { type: string }[]) =>
  resources
    .filter(({ type }) => type.startsWith("hypershift-network:"))
    .map(({ type }) => type.split(":")[2])
    .filter((type) => type !== "HostedClusterLandingZone")
    .sort();
const faultsOf = async (args: unknown) => {
  let message = "";
  await run(() => {
    try {
      new HostedClusterLandingZone("zone", args as HostedClusterLandingZoneArgs);
    } catch (error) {
      message = (error as Error).message;
    }
  });
  return message
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
};

describe("the parts of a landing zone", () => {
  it("are those that the topology asks for and for which there is what they need", async () => {
    const { resources } = await zone({ topology: { ...privately, ...subnets }, vpcId: "vpc-1", proxy });
    expect(componentsOf(resources)).toEqual([
      "HostedControlPlaneSecurityGroups",
      "OvnSubnetConfig",
      "PrivateEndpointSecurityGroup",
      "ProxyConfig",
    ]);
  });

  it("are left out with a reason", async () => {
    const { result } = await zone({ topology });
    const reasons = await eventually(result.leftOut);
    expect(Object.fromEntries(reasons.map(({ part, reason }) => [part, reason]))).toEqual({
      securityGroups: "vpcId is not given",
      privateEndpoint: "a cluster with Public access has no VPC endpoints",
      ovnSubnets: "the topology states no internal subnet",
      proxy: "the topology has no proxy",
      egressFirewalls: "none is given",
      egressIps: "none is given",
      multicastNamespaces: "none is given",
    });
  });

  it.each(Object.values(LandingZonePart))("can be left out: %s", async (part) => {
    const args = {
      topology: { ...privately, ...subnets },
      vpcId: "vpc-1",
      proxy,
      existingHostedCluster,
      ...hosted,
    };
    const whole = await zone(args);
    const without = await zone({ ...args, leaveOut: [part] });
    expect(componentsOf(whole.resources)).toHaveLength(Object.values(LandingZonePart).length);
    expect(componentsOf(without.resources)).toHaveLength(Object.values(LandingZonePart).length - 1);
    expect(await eventually(without.result.parts)).not.toContain(part);
  });

  it("take existing groups in place of new ones, and more rules than the documented ones", async () => {
    const { objects, result } = await zone({
      topology: privately,
      vpcId: "vpc-1",
      securityGroups: { controlPlaneSecurityGroupId: "sg-1", workerSecurityGroupId: "sg-2" },
      privateEndpoint: { securityGroupId: "sg-3", callers: { offices: { cidr: "10.200.0.0/16" } } },
    });
    expect(objects.filter(({ type }) => type.endsWith(":SecurityGroup"))).toEqual([]);
    expect(await eventually(result.controlPlaneSecurityGroupId!)).toBe("sg-1");
    expect(await eventually(result.privateEndpointSecurityGroupId!)).toBe("sg-3");
    expect(objects.some(({ inputs }) => inputs.cidrIpv4 === "10.200.0.0/16")).toBe(true);
  });
});

describe("an existing HostedCluster", () => {
  const patches = (objects: { type: string }[]) =>
    objects.filter(({ type }) => type.endsWith("HostedClusterPatch"));

  it("gets subnets and proxy in one patch, because the server takes one owner's", async () => {
    const { objects } = await zone({ topology: { ...topology, ...subnets }, proxy, existingHostedCluster });
    expect(patches(objects)).toHaveLength(1);
    expect(patches(objects)[0]).toMatchObject({
      inputs: {
        spec: {
          configuration: { proxy },
          operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets } } },
        },
      },
    });
  });

  it("gets the subnets alone where there is no proxy", async () => {
    const { objects } = await zone({ topology: { ...topology, ...subnets }, existingHostedCluster });
    expect(patches(objects)).toHaveLength(1);
  });

  it("is none: the fragments go into the one that is created", async () => {
    const { objects, result } = await zone({ topology: { ...topology, ...subnets }, proxy });
    expect(objects).toEqual([]);
    expect(await eventually(result.proxyFragment!)).toMatchObject({ configuration: { proxy } });
    expect(await eventually(result.ovnSubnetFragment!)).toBeDefined();
  });
});

describe("the hosted cluster", () => {
  it("has a provider of its own, and what belongs to the management cluster keeps out of it", async () => {
    const providers = new Map<string, string>();
    const { resources } = await run(
      () =>
        new HostedClusterLandingZone("zone", {
          topology: { ...topology, ...subnets },
          existingHostedCluster,
          ...hosted,
        }),
      { seen: ({ type, provider = "" }) => providers.set(type, provider.split("::").at(-2) ?? "") },
    );
    const made = Object.fromEntries([...providers].filter(([type]) => type.startsWith("kubernetes:")));
    expect(made).toEqual({
      "kubernetes:hypershift.openshift.io/v1beta1:HostedClusterPatch": "",
      "kubernetes:k8s.ovn.org/v1:EgressFirewall": "zone-hosted-cluster",
      "kubernetes:k8s.ovn.org/v1:EgressIP": "zone-hosted-cluster",
      "kubernetes:core/v1:NamespacePatch": "zone-hosted-cluster",
      "kubernetes:core/v1:NodePatch": "zone-hosted-cluster",
    });
    expect(JSON.stringify(resources.map(({ inputs }) => inputs))).toContain(
      "1b47061264138c4ac30d75fd1eb44270",
    );
  });

  it("without its kubeconfig its parts are left out, with a warning", async () => {
    const { hostedClusterKubeconfig: _, ...parts } = hosted;
    const { objects, warnings } = await zone({ topology, ...parts });
    expect(objects).toEqual([]);
    expect(warnings.join()).toContain(
      "hostedClusterKubeconfig missing: egressFirewalls, egressIps, multicastNamespaces left out",
    );
  });
});

describe("wrong inputs", () => {
  it("of the topology come first: without it nobody knows which parts there are", async () => {
    const faults = await faultsOf({
      topology: { ...privately, machineNetwork: [{ cidr: "10.0.0.1/16" }] },
      vpcId: "my-vpc",
      securityGroups: { ruleQuota: -1 },
      proxy: { httpProxy: "ftp://proxy.example.com" },
      leaveOut: [],
      ...hosted,
      egressFirewalls: { shop: { namespace: "Shop", rules: [] } },
      multicastNamespaces: { stream: "No Label" },
    });
    const places = faults.map((line) => line.split("  ")[0]);
    expect(places).toEqual(["topology.machineNetwork[0].cidr"]);
  });

  it("of every part are named at once", async () => {
    const faults = await faultsOf({
      topology: privately,
      vpcId: "my-vpc",
      securityGroups: { ruleQuota: -1 },
      proxy: { httpProxy: "ftp://proxy.example.com" },
      ...hosted,
      egressFirewalls: { shop: { namespace: "Shop", rules: [] } },
      multicastNamespaces: { stream: "No Label" },
    });
    const places = faults.map((line) => line.split("  ")[0]);
    expect(places).toEqual(
      expect.arrayContaining([
        "vpcId",
        "securityGroups.ruleQuota",
        "proxy.httpProxy",
        "egressFirewalls.shop.namespace",
        "egressFirewalls.shop.rules",
        "multicastNamespaces.stream",
      ]),
    );
    expect(new Set(faults).size).toBe(faults.length);
  });

  it.each<[string, object, string]>([
    ["no topology", {}, "topology"],
    ["a part that is none", { topology, leaveOut: ["dns"] }, "leaveOut[0]"],
    ["a list of parts that is none", { topology, leaveOut: "proxy" }, "leaveOut"],
    ["settings that are none", { topology, proxy: "http://proxy" }, "proxy"],
    ["settings that are an Output", { topology, proxy: pulumi.output({}) }, "proxy"],
    ["entries that are an Output", { topology, egressIps: pulumi.output({}) }, "egressIps"],
    [
      "a key that cannot be part of a name",
      { topology, egressFirewalls: { "a b": {} } },
      "egressFirewalls.a b",
    ],
    ["settings of a part without what it needs", { topology, securityGroups: {} }, "vpcId"],
    ["an empty kubeconfig", { topology, hostedClusterKubeconfig: " " }, "hostedClusterKubeconfig"],
  ])("%s", async (_, args, place) => {
    expect((await faultsOf(args)).map((line) => line.split("  ")[0])).toContain(place);
  });

  it("show no credentials", async () => {
    const password = "hunter2";
    const { resources } = await zone({
      topology: { ...topology, proxy: { httpProxy: `http://me:${password}@proxy.example.com:3128` } },
      hostedClusterKubeconfig: "{ token: sesame }",
    });
    const own = resources.find(({ type }) => type.endsWith(":HostedClusterLandingZone"));
    expect(JSON.stringify(own?.inputs.topology)).not.toContain(password);
    expect(JSON.stringify(own?.inputs.hostedClusterKubeconfig)).toContain("1b47061264138c4ac30d75fd1eb44270");
  });
});

test("a preview does not know ids and kubeconfig, and goes through", async () => {
  const { failures } = await zone(
    {
      topology: { ...privately, ...subnets },
      vpcId: unknownValue(),
      proxy,
      ...hosted,
      hostedClusterKubeconfig: unknownValue(),
      multicastNamespaces: { stream: unknownValue() },
    },
    true,
  );
  expect(failures).toEqual([]);
});
