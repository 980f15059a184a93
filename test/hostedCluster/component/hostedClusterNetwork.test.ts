import * as pulumi from "@pulumi/pulumi";
import type * as resource from "@pulumi/pulumi/proto/resource_pb";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { HostedClusterNetwork } from "../../../src/hostedCluster/component/hostedClusterNetwork";
import { OvnSubnetConfig } from "../../../src/ovnSubnets/component/ovnSubnetConfig";
import { Platform, PublishingType, type HostedClusterTopology } from "../../../src";
import { ProxyConfig } from "../../../src/proxy/component/proxyConfig";
import type { HostedClusterNetworkArgs } from "../../../src/hostedCluster/component/hostedClusterNetworkArgs";
import { eventually } from "../../components/eventually";
import { restJson } from "../inputs";
import { expectGolden } from "../../objects/golden";
import { run, unknownValue } from "../../components/program";
import { topologyOfHostedCluster } from "../../../src/topology/topologyOfHostedCluster";

const { Route, NodePort, LoadBalancer } = PublishingType;
const topology: HostedClusterTopology = {
  name: "tenant-a",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const additionalSpecJson = restJson(Platform.AWS, { dns: { baseDomain: "example.com" } });
const least = { topology, additionalSpecJson };
const create = (args: HostedClusterNetworkArgs, opts?: pulumi.ComponentResourceOptions) => () =>
  new HostedClusterNetwork("tenant-a", args, opts);
type Spec = Record<string, Record<string, unknown>>;
const specOf = ({ objects }: { objects: { type: string; inputs: Record<string, unknown> }[] }) => {
  const spec = objects.find(({ type }) => type.endsWith(":HostedCluster"))!.inputs.spec as Spec;
  // Mocks show a value with a secret in it as the engine sends it.
  return isRpcSecret(spec) ? (unwrapRpcSecret(spec) as Spec) : spec;
};

describe("M2 a HostedCluster on create", () => {
  it("has its network, its services and the rest of the spec", async () => {
    const done = await run(create(least));
    expect(done.warnings).toEqual([]);
    expect(done.objects).toHaveLength(1);
    expect(done.objects[0]).toMatchObject({
      type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
      name: "tenant-a",
      inputs: {
        apiVersion: "hypershift.openshift.io/v1beta1",
        kind: "HostedCluster",
        metadata: { name: "tenant-a", namespace: "clusters" },
      },
    });
    const route = (service: string) => ({ service, servicePublishingStrategy: { type: "Route" } });
    expect(specOf(done)).toEqual({
      ...(JSON.parse(additionalSpecJson) as object),
      platform: {
        type: "AWS",
        aws: { endpointAccess: "Public", region: "us-east-1", rolesRef: expect.anything() as unknown },
      },
      networking: {
        networkType: "OVNKubernetes",
        clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
        serviceNetwork: [{ cidr: "172.31.0.0/16" }],
        machineNetwork: [{ cidr: "10.0.0.0/16" }],
      },
      services: [
        { service: "APIServer", servicePublishingStrategy: { type: "LoadBalancer" } },
        ...["Ignition", "Konnectivity", "OAuthServer"].map(route),
      ],
    });
  });

  it("publishes each service as stated in the topology", async () => {
    const address = "nodes.example.com";
    const services = {
      apiServer: { type: LoadBalancer, hostname: "api.example.com" },
      oauthServer: { type: Route, hostname: "oauth.example.com" },
      konnectivity: { type: NodePort, address, nodePort: 31091 },
      ignition: { type: NodePort, address },
    };
    const done = await run(
      create({
        topology: { ...topology, platform: Platform.OpenStack, services },
        additionalSpecJson: restJson(Platform.OpenStack),
      }),
    );
    expect(specOf(done).services).toEqual([
      {
        service: "APIServer",
        servicePublishingStrategy: {
          type: "LoadBalancer",
          loadBalancer: { hostname: "api.example.com" },
        },
      },
      { service: "Ignition", servicePublishingStrategy: { type: "NodePort", nodePort: { address } } },
      {
        service: "Konnectivity",
        servicePublishingStrategy: { type: "NodePort", nodePort: { address, port: 31091 } },
      },
      {
        service: "OAuthServer",
        servicePublishingStrategy: { type: "Route", route: { hostname: "oauth.example.com" } },
      },
    ]);
  });

  it("writes every setting of its network", async () => {
    const full: HostedClusterTopology = {
      ...topology,
      release: "5.0",
      endpointAccess: "PublicAndPrivate",
      clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 24 }, { cidr: "FD01::/48" }],
      serviceNetwork: [{ cidr: "172.30.0.0/16" }, { cidr: "fd02::/112" }],
      machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd03::/64" }],
      advertiseAddress: "172.29.0.1",
      internalJoinSubnet: "100.99.0.0/16",
      apiServerPort: 7443,
      internalTransitSwitchSubnet: "100.69.0.0/16",
      ipv6InternalJoinSubnet: "fd96::/64",
      managementClusterNatCidrs: ["198.51.100.1/32"],
      proxy: { httpProxy: "http://proxy.example.com:3128", noProxy: ".example.com" },
      dnsServerCidrs: ["10.0.0.2/32"],
    };
    const done = await run(
      create({
        ...least,
        topology: full,
        additionalSpecJson: restJson(Platform.AWS, {
          dns: { baseDomain: "example.com" },
          release: { image: "quay.io/openshift-release-dev/ocp-release:5.0.0-x86_64" },
        }),
        mtu: 8901,
        allowedCidrBlocks: ["198.51.100.0/24", pulumi.output("203.0.113.0/24")],
        labels: { team: "network" },
        annotations: { "hypershift.openshift.io/topology": "dedicated-request-serving-components" },
      }),
    );
    expectGolden("manifests/hostedClusterNetwork.json", `${JSON.stringify(done.objects, null, 2)}\n`);
  });

  it("gives policies the same topology as the component's output", async () => {
    const done = await run(create(least));
    const { inputs } = done.objects[0]!;
    const stated = topologyOfHostedCluster(inputs)!;
    const registered = (await eventually(done.result.topology)) as unknown as Record<string, unknown>;
    for (const [property, value] of Object.entries(stated).filter(([name]) => name in registered))
      if (property !== "services") expect([property, registered[property]]).toEqual([property, value]);
    expect(registered.services).toEqual({
      apiServer: { type: "LoadBalancer" },
      ignition: { type: "Route" },
      konnectivity: { type: "Route" },
      oauthServer: { type: "Route" },
    });
  });

  it("has outputs for its names, the typed part of its spec and its warnings", async () => {
    const { result } = await run(create({ ...least, namespace: "fleet", deletable: true }));
    await expect(eventually(result.name)).resolves.toBe("tenant-a");
    await expect(eventually(result.namespace)).resolves.toBe("fleet");
    await expect(eventually(result.hostedControlPlaneNamespace)).resolves.toBe("fleet-tenant-a");
    await expect(eventually(result.spec)).resolves.toMatchObject({
      networking: { serviceNetwork: [{ cidr: "172.31.0.0/16" }] },
      platform: { type: "AWS", aws: { endpointAccess: "Public" } },
    });
    await expect(eventually(result.warnings)).resolves.toEqual([
      expect.stringMatching(/^deletable true: a destroy deletes the HostedCluster/),
    ]);
  });
});

describe("M2 a HostedCluster is not lost by accident", () => {
  /** The options that the component sends to the engine for the HostedCluster. */
  const requestOf = async (args: HostedClusterNetworkArgs, opts?: pulumi.ComponentResourceOptions) => {
    const watch = jest.spyOn(MockMonitor.prototype, "registerResource");
    try {
      await run(create(args, opts));
      const request = watch.mock.calls
        .map(([sent]) => sent as resource.RegisterResourceRequest)
        .find((sent) => sent.getType().endsWith(":HostedCluster"))!;
      return {
        protect: request.getProtect(),
        retainOnDelete: request.getRetainondelete(),
        ignoreChanges: request.getIgnorechangesList(),
      };
    } finally {
      watch.mockRestore();
    }
  };

  it("is protected and retained by default", async () => {
    expect(await requestOf(least)).toMatchObject({ protect: true, retainOnDelete: true });
    expect(await requestOf(least, { protect: false })).toMatchObject({ protect: true, retainOnDelete: true });
  });

  it("is neither protected nor retained if deletable, unless the component is protected", async () => {
    const deletable = { ...least, deletable: true };
    expect(await requestOf(deletable)).toMatchObject({ protect: false, retainOnDelete: false });
    expect(await requestOf(deletable, { protect: true })).toMatchObject({ protect: true });
  });

  it("is never replaced for a change of name or namespace", async () => {
    const ignoreChanges = ["metadata.name", "metadata.namespace"];
    expect(await requestOf({ ...least, deletable: true })).toMatchObject({ ignoreChanges });
  });
});

describe("M6 M8 fragments on create", () => {
  const subnets = { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.69.0.0/16" };
  const withFragments =
    (more: Partial<HostedClusterNetworkArgs> = {}) =>
    () => {
      const ovn = new OvnSubnetConfig("tenant-a", { topology, ...subnets });
      const proxy = new ProxyConfig("tenant-a", {
        topology,
        httpProxy: pulumi.secret("http://me:hunter2@proxy.example.com:3128"),
        httpsProxy: "http://proxy.example.com:3128",
        noProxy: [".example.com"],
        trustedCaConfigMap: "proxy-ca",
        additionalTrustBundle: true,
        region: "us-east-1",
      });
      const args = { ...least, ovnSubnets: ovn.fragment, proxy: proxy.fragment, ...more };
      return new HostedClusterNetwork("tenant-a", args);
    };

  it("of OvnSubnetConfig and ProxyConfig are merged into the spec", async () => {
    const done = await run(withFragments());
    expect(done.failures).toEqual([]);
    const spec = specOf(done);
    expect(spec).toMatchObject({
      operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets } } },
      configuration: {
        proxy: {
          httpsProxy: "http://proxy.example.com:3128",
          noProxy: ".example.com",
          trustedCA: { name: "proxy-ca" },
        },
      },
      additionalTrustBundle: { name: "proxy-ca" },
    });
    expect(await pulumi.isSecret(done.result.spec)).toBe(true);
  });

  it("keep other settings of the same object", async () => {
    const more = {
      mtu: 8901,
      additionalSpecJson: restJson(Platform.AWS, {
        configuration: { oauth: {} },
        operatorConfiguration: { clusterVersionOperator: {} },
      }),
    };
    const spec = specOf(await run(withFragments(more)));
    expect(spec.operatorConfiguration).toEqual({
      clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets, mtu: 8901 } },
      clusterVersionOperator: {},
    });
    expect(Object.keys(spec.configuration!)).toEqual(["oauth", "proxy"]);
  });

  it("that resolve to faulty values prevent creation of the object", async () => {
    const fragment = {
      operatorConfiguration: {
        clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "10.0.0.0/16" } } },
      },
    };
    const done = await run(create({ ...least, ovnSubnets: pulumi.output(fragment) }));
    expect(done.objects).toEqual([]);
    expect(done.failures[0]).toMatch(
      /ovnSubnets\S+internalJoinSubnet +10.0.0.0\/16 overlaps the machine network/,
    );
  });
});

describe("M8 the topology's own proxy", () => {
  it("is in the spec as a secret, and its credentials are nowhere in plain text", async () => {
    const proxy = { httpProxy: "http://me:hunter2@proxy.example.com:3128" };
    const done = await run(create({ ...least, topology: { ...topology, proxy } }));
    expect(await pulumi.isSecret(done.result.spec)).toBe(true);
    const component = done.resources.find(({ type }) => type.endsWith(":HostedClusterNetwork"))!;
    expect(JSON.stringify(component.inputs)).not.toContain("hunter2");
    expect(JSON.stringify(await eventually(done.result.topology))).not.toContain("hunter2");
    expect(done.warnings.join()).not.toContain("hunter2");
    const { configuration } = await eventually(done.result.spec);
    expect(configuration?.proxy.httpProxy).toBe(proxy.httpProxy);
  });
});

describe("M2 refused inputs:", () => {
  it.each<[string, HostedClusterNetworkArgs, RegExp]>([
    ["no topology", { additionalSpecJson } as never, /topology +missing/],
    ["no args at all", undefined as never, /topology +missing/],
    [
      "a topology with Outputs",
      { ...least, topology: { ...topology, name: pulumi.output("x") as never } },
      /topology.name +is an Output/,
    ],
    [
      "networks that overlap",
      { ...least, topology: { ...topology, serviceNetwork: [{ cidr: "10.0.4.0/22" }] } },
      /HostedClusterNetwork tenant-a: 1 fault\n {2}topology\S+ +10\.0\.\S+ overlaps/,
    ],
    [
      "a list of allowed blocks without the sources that must be allowed",
      { ...least, allowedCidrBlocks: ["203.0.113.0/24"] },
      /2 faults\n {2}topology.managementClusterNatCidrs +missing.*\n {2}topology.workerNatCidrs +missing/,
    ],
  ])("%s", async (_, args, message) => {
    await expect(run(create(args))).rejects.toThrow(message);
  });

  it.each<[string, Partial<HostedClusterNetworkArgs>, RegExp]>([
    [
      "a rest of the spec that is not JSON",
      { additionalSpecJson: pulumi.output("{") },
      /additionalSpecJson +is not JSON/,
    ],
    [
      "an invalid namespace",
      { namespace: pulumi.output("A B") },
      /namespace +"A B" is not a Kubernetes name/,
    ],
    [
      "a list of blocks",
      { allowedCidrBlocks: [pulumi.output("10.0.0.1/8")], acceptUnknownSources: true },
      /allowedCidrBlocks\[0\] +10.0.0.1\/8 has host bits/,
    ],
  ])("%s in an Output prevents creation of the object when it resolves", async (_, wrong, message) => {
    const { objects, failures } = await run(create({ ...least, ...wrong }));
    expect(objects).toEqual([]);
    expect(failures[0]).toMatch(message);
    expect(failures.filter((failure) => !message.test(failure))).toEqual([]);
  });
});

describe("M2 a preview with unknown values", () => {
  it("shows the network if the rest of the spec is not known yet", async () => {
    const done = await run(create({ ...least, additionalSpecJson: unknownValue<string>() }), {
      preview: true,
    });
    expect(done.failures).toEqual([]);
    expect(specOf(done)).toMatchObject({
      platform: { type: "AWS" },
      networking: { machineNetwork: [{ cidr: "10.0.0.0/16" }] },
      services: expect.any(Array) as unknown,
    });
  });

  it("accepts the rest as an object with unknown values, and checks the known ones", async () => {
    const rest = JSON.parse(additionalSpecJson) as Record<string, unknown>;
    const object = (more: object) => ({ topology, additionalSpec: { ...rest, ...more } });
    const plain = await run(create(object({})));
    expect(specOf(plain)).toEqual(specOf(await run(create(least))));
    const later = pulumi.output("pull");
    const update = await run(create(object({ pullSecret: { name: later } })));
    expect(specOf(update)).toEqual({ ...specOf(plain), pullSecret: { name: "pull" } });
    const unknown = { pullSecret: { name: unknownValue<string>() } };
    const preview = await run(create(object(unknown)), { preview: true });
    expect(preview.failures).toEqual([]);
    expect(specOf(preview)).toMatchObject({
      release: rest.release,
      networking: expect.anything() as unknown,
    });
    await expect(run(create(object({ ...unknown, release: undefined })), { preview: true })).rejects.toThrow(
      /additionalSpec\.release\.image +missing/,
    );
    await expect(run(create(object({ services: [], ...unknown })), { preview: true })).rejects.toThrow(
      /additionalSpec\.services +is also topology\.services/,
    );
    await expect(run(create({ ...least, additionalSpec: rest }))).rejects.toThrow(
      /additionalSpec +is set in addition to additionalSpecJson/,
    );
  });

  it("shows the whole spec if the rest is an Output that is known", async () => {
    const text = pulumi.output(Promise.resolve(additionalSpecJson));
    const preview = await run(create({ ...least, additionalSpecJson: text }), { preview: true });
    const update = await run(create({ ...least, additionalSpecJson: text }));
    expect(preview.failures).toEqual([]);
    expect(specOf(preview)).toEqual(specOf(update));
    expect(specOf(update)).toEqual(specOf(await run(create(least))));
  });
});
