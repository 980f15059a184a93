import * as pulumi from "@pulumi/pulumi";
import * as entry from "../../src";
import { UNKNOWN } from "../../src/resources/resource";
import { previewOf } from "../../src/testing";
import { run, unknownValue, type Running } from "./program";

type Proxy = entry.ProxySettings;

const URLS = {
  httpProxy: "http://proxy.example.com:3128",
  httpsProxy: "http://10.64.0.9:3129",
  noProxy: "example.com,10.64.1.0/24",
};
const plain: Proxy = URLS;
const outputs: Proxy = {
  httpProxy: pulumi.output(URLS.httpProxy),
  httpsProxy: pulumi.output(URLS.httpsProxy),
  noProxy: pulumi.output(URLS.noProxy),
};
const unknown: Proxy = {
  httpProxy: unknownValue<string>(),
  httpsProxy: unknownValue<string>(),
  noProxy: unknownValue<string>(),
};

const topologyWith = (proxy: Proxy): entry.HostedClusterTopology => ({
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  endpointAccess: "Private",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.8.0.0/16"],
  loadBalancerTargets: "instance",
  loadBalancerSubnetCidrs: ["10.8.0.0/24"],
  workerNatCidrs: ["192.0.2.7/32"],
  dnsServerCidrs: ["10.8.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
  proxy,
});
const restOfSpec = {
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  pullSecret: { name: "pull-secret" },
  platform: { aws: { region: "us-east-1", rolesRef: {} } },
};

/** Components that use a topology's proxy, and one that does not. */
const programs: Record<string, (proxy: Proxy) => pulumi.ComponentResource> = {
  HostedClusterNetwork: (proxy) =>
    new entry.HostedClusterNetwork("tenant", { topology: topologyWith(proxy), additionalSpec: restOfSpec }),
  ProxyConfig: (proxy) =>
    new entry.ProxyConfig("tenant", {
      topology: topologyWith(proxy),
      region: "us-east-1",
      existingHostedCluster: { name: "tenant-a", namespace: "clusters" },
    }),
  HostedControlPlaneSecurityGroups: (proxy) =>
    new entry.HostedControlPlaneSecurityGroups("tenant", { topology: topologyWith(proxy), vpcId: "vpc-1" }),
  HostedClusterLandingZone: (proxy) =>
    new entry.HostedClusterLandingZone("tenant", {
      topology: topologyWith(proxy),
      vpcId: "vpc-1",
      hostedCluster: { additionalSpec: restOfSpec },
    }),
};

async function made(name: string, proxy: Proxy, running: Running = {}) {
  const { objects, failures, warnings, result } = await run(async () => {
    const component = programs[name]!(proxy) as unknown as Record<string, unknown>;
    const values = Object.entries(component)
      .filter(([key, value]) => pulumi.Output.isInstance(value) && key !== "urn" && key !== "topology")
      .map(async ([key, value]) => {
        const output = value as pulumi.Output<unknown> & { promise: (unknowns: boolean) => Promise<unknown> };
        return [key, await output.promise(true).catch(() => "failed")] as const;
      });
    return Object.fromEntries(await Promise.all(values));
  }, running);
  return {
    objects: new Map(objects.map((one) => [one.name, one.inputs])),
    failures,
    warnings,
    outputs: await result,
  };
}

/** Sorts the flows, because those of proxies whose URLs are Outputs come last. */
const sorted = ({ requiredFlows = [], ...rest }: Record<string, unknown>) => ({
  ...rest,
  requiredFlows: [...(requiredFlows as { key: string }[])].sort((a, b) => (a.key < b.key ? -1 : 1)),
});

describe.each(Object.keys(programs))("%s with a proxy whose settings are Outputs", (name) => {
  it("creates the same objects and outputs from Outputs as from strings", async () => {
    const [ofTexts, ofOutputs] = [await made(name, plain), await made(name, outputs)];
    expect([ofTexts.failures, ofOutputs.failures]).toEqual([[], []]);
    expect(ofOutputs.objects).toEqual(ofTexts.objects);
    expect(sorted(ofOutputs.outputs)).toEqual(sorted(ofTexts.outputs));
  });

  it("plans the same objects before the settings are known", async () => {
    const ofTexts = await made(name, plain);
    const preview = await made(name, unknown, { preview: true });
    expect(preview.failures).toEqual([]);
    expect([...preview.objects.keys()].sort()).toEqual([...ofTexts.objects.keys()].sort());
  });

  it("refuses a proxy that is an Output as a whole", async () => {
    const whole = pulumi.output(URLS) as unknown as Proxy;
    let message = "";
    await run(() => {
      try {
        programs[name]!(whole);
      } catch (error) {
        message = (error as Error).message;
      }
    });
    expect(message).toContain("topology.proxy");
  });

  it("registers the known settings, without credentials", async () => {
    jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const httpProxy = pulumi.output("http://user:hunter2@proxy.example.com:3128");
    const resources = await previewOf(() => programs[name]!({ ...unknown, httpProxy }));
    const { properties } = resources.find(({ type }) => type === `hypershift-network:index:${name}`)!;
    expect(properties.topology).toMatchObject({
      namespace: "clusters",
      proxy: { httpProxy: "http://proxy.example.com:3128", httpsProxy: UNKNOWN, noProxy: UNKNOWN },
    });
    expect(JSON.stringify(properties)).not.toContain("hunter2");
    jest.restoreAllMocks();
  });
});

// Mocks never answer for a HostedCluster whose proxy fails.
const refused = Object.keys(programs).filter((name) => name !== "HostedClusterLandingZone");

it.each(refused)(
  "%s creates nothing if a URL turns out to be invalid, and shows no part of it",
  async (name) => {
    const wrong = await made(name, {
      ...plain,
      httpsProxy: pulumi.output("ftp://user:hunter2@proxy.example.com"),
    });
    expect([...wrong.objects.keys()]).toEqual([]);
    expect(wrong.failures.join("\n")).toContain("topology.proxy.httpsProxy");
    expect(wrong.failures.join("\n")).not.toMatch(/hunter2|ftp|user/);
  },
);

describe("HostedControlPlaneNetworkAcls, which know only addresses", () => {
  const acls = (proxy: Proxy, more: Partial<entry.HostedControlPlaneNetworkAclsArgs> = {}) =>
    run(
      () =>
        new entry.HostedControlPlaneNetworkAcls("tenant", {
          topology: topologyWith(proxy),
          vpcId: "vpc-1",
          dedicatedSubnets: { workers: { subnetId: "subnet-1", role: "workers" } },
          ...more,
        }),
    );
  const KEY = "workers/egress/https-proxy";
  const ofProxy = (warnings: readonly string[]) => warnings.filter((text) => text.includes("Proxy"));

  it("create no rule for a URL that is an Output, and warn with the fix", async () => {
    const { objects, failures, warnings } = await acls({ httpsProxy: outputs.httpsProxy! });
    expect(failures).toEqual([]);
    expect(objects.filter(({ inputs }) => inputs.cidrBlock === "10.64.0.9/32")).toEqual([]);
    expect(ofProxy(warnings)).toEqual([
      `topology.proxy.httpsProxy is an Output: no rule for it: ${KEY}; write a rule for it in additionalRules, and ${KEY} in disabledRules`,
    ]);
  });

  it("create a rule from an Output in additionalRules, and no longer warn", async () => {
    const { objects, failures, warnings } = await acls(
      { httpsProxy: outputs.httpsProxy! },
      {
        additionalRules: {
          proxy: {
            role: "workers",
            direction: "egress",
            protocol: "TCP",
            fromPort: 3129,
            cidr: pulumi.output("10.64.0.9/32"),
            description: "The proxy",
          },
        },
        disabledRules: [KEY],
      },
    );
    expect(failures).toEqual([]);
    expect(objects.filter(({ inputs }) => inputs.cidrBlock === "10.64.0.9/32")).toHaveLength(2);
    expect(ofProxy(warnings)).toEqual([]);
  });

  it("check the URL nevertheless", async () => {
    const { objects, failures } = await acls({ httpsProxy: pulumi.output("proxy.example.com") });
    expect(objects).toEqual([]);
    expect(failures.join("\n")).toContain("topology.proxy.httpsProxy");
  });
});
