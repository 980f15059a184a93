import * as pulumi from "@pulumi/pulumi";
import { AzureCloud, NodeApiProxy, Platform, PublishingType } from "../../../src";
import { ProxyConfig } from "../../../src/proxy/component/proxyConfig";
import type { ProxyConfigArgs } from "../../../src/proxy/component/proxyConfigArgs";
import { certificate } from "../../objects/certificate";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const topology = {
  name: "tenant-a",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  dnsServerCidrs: ["10.0.0.2/32"],
};
const url = "http://proxy.example.com:3128";
const base = { topology, httpProxy: url, httpsProxy: url, region: "us-east-1" };
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const create = (args: ProxyConfigArgs) => () => new ProxyConfig("tenant-a", args);
const password = "hunter2";
const credentials = `http://me:${password}@proxy.example.com:3128`;

describe("M8 the proxy of a hosted cluster", () => {
  it("is returned as a fragment for the HostedCluster", async () => {
    const { result, objects, warnings } = await run(
      create({ ...base, noProxy: [".example.com", "192.0.2.0/24"] }),
    );
    expect(objects).toEqual([]);
    expect(warnings).toEqual([]);
    await expect(eventually(result.fragment)).resolves.toEqual({
      configuration: { proxy: { httpProxy: url, httpsProxy: url, noProxy: ".example.com,192.0.2.0/24" } },
    });
    await expect(pulumi.isSecret(result.fragment)).resolves.toBe(false);
  });

  it("is read from the topology if it is not set directly", async () => {
    const proxy = { httpProxy: url, noProxy: ".example.com, 192.0.2.1" };
    const { result } = await run(create({ topology: { ...topology, proxy }, region: "us-east-1" }));
    await expect(eventually(result.fragment)).resolves.toEqual({
      configuration: { proxy: { httpProxy: url, noProxy: ".example.com,192.0.2.1" } },
    });
  });

  it("computes the noProxy entries as HyperShift does", async () => {
    const { result } = await run(create({ ...base, noProxy: [".example.com"] }));
    const nodes = [
      ".cluster.local",
      ".ec2.internal",
      ".example.com",
      ".local",
      ".svc",
      "10.0.0.0/16",
      "10.132.0.0/14",
      "127.0.0.1",
      "169.254.169.254",
      "172.31.0.0/16",
      "localhost",
    ];
    await expect(eventually(result.noProxyEntries)).resolves.toEqual(nodes);
    await expect(eventually(result.noProxy)).resolves.toBe(nodes.join(","));
    const sidecars = nodes.map((entry) => (entry === ".local" ? ".hypershift.local" : entry));
    expect((await eventually(result.sidecarNoProxy)).split(",")).toEqual(sidecars.sort());
  });

  it("names the control-plane workloads that use it, and their route", async () => {
    const { result } = await run(create(base));
    const workloads = await eventually(result.controlPlaneWorkloads);
    const named = workloads.filter(({ documented }) => documented);
    expect(named.map(({ name }) => name)).toEqual([
      "control-plane-operator",
      "oauth-openshift",
      "openshift-apiserver",
      "ingress-operator",
    ]);
    for (const { route } of named) expect(route).toMatch(/konnectivity.*compute node.*proxy.*destination/);
    expect(workloads.filter(({ throughProxy }) => throughProxy)).toEqual(named);
    for (const { route, documented } of workloads)
      if (!documented) expect(route).toMatch(/konnectivity tunnel -> compute node -> destination$/);
  });

  it("shows the variables of the workloads' containers and the proxy settings of their sidecars", async () => {
    const { result } = await run(create({ ...base, noProxy: [".example.com"] }));
    const workloads = await eventually(result.controlPlaneWorkloads);
    const environments = Object.fromEntries(workloads.map(({ name, environment }) => [name, environment]));
    expect(environments["openshift-apiserver"]).toEqual({
      HTTP_PROXY: "http://127.0.0.1:8090",
      HTTPS_PROXY: "http://127.0.0.1:8090",
      NO_PROXY: "kube-apiserver,etcd-client,audit-webhook",
    });
    expect(environments["oauth-openshift"]).toMatchObject({
      HTTPS_PROXY: "http://127.0.0.1:8092",
      ALL_PROXY: "socks5://127.0.0.1:8090",
      NO_PROXY: "kube-apiserver,audit-webhook",
    });
    expect(environments["control-plane-operator"]).toEqual({});
    const noProxy = await eventually(result.sidecarNoProxy);
    await expect(eventually(result.sidecarProxy)).resolves.toEqual({
      httpProxy: url,
      httpsProxy: url,
      noProxy,
    });
  });

  it("is bypassed by the OAuth server on IBM Cloud for the cloud's identity service", async () => {
    const { result } = await run(create({ ...base, topology: { ...topology, platform: Platform.IBMCloud } }));
    const workloads = await eventually(result.controlPlaneWorkloads);
    const oauth = workloads.find(({ name }) => name === "oauth-openshift")!;
    expect(oauth.environment.NO_PROXY).toBe(
      "kube-apiserver,audit-webhook,iam.cloud.ibm.com,iam.test.cloud.ibm.com",
    );
  });

  it("is bypassed by control-plane workloads for the wire server in non-public Azure clouds", async () => {
    const azure = { ...topology, platform: Platform.Azure };
    const { result } = await run(
      create({ ...base, topology: azure, azureCloud: AzureCloud.AzureChinaCloud }),
    );
    expect(await eventually(result.sidecarNoProxy)).toContain("168.63.129.16");
    expect(await eventually(result.noProxy)).not.toContain("168.63.129.16");
  });

  it("creates the trust bundle in the HostedCluster's namespace, under the key that OpenShift reads", async () => {
    const { result, objects } = await run(
      create({
        ...base,
        trustedCa: certificate,
        additionalTrustBundle: true,
        namespace: pulumi.output("clusters"),
      }),
    );
    expect(objects).toMatchObject([
      {
        type: "kubernetes:core/v1:ConfigMap",
        inputs: {
          metadata: { name: "tenant-a-proxy-ca", namespace: "clusters" },
          data: { "ca-bundle.crt": certificate },
        },
      },
    ]);
    await expect(eventually(result.fragment)).resolves.toMatchObject({
      configuration: { proxy: { trustedCA: { name: "tenant-a-proxy-ca" } } },
      additionalTrustBundle: { name: "tenant-a-proxy-ca" },
    });
  });

  it("refers to a trust bundle that exists", async () => {
    const { result, objects } = await run(create({ ...base, trustedCaConfigMap: "corporate-ca" }));
    expect(objects).toEqual([]);
    const { configuration } = await eventually(result.fragment);
    expect(configuration.proxy.trustedCA).toEqual({ name: "corporate-ca" });
  });

  it("is patched into an existing HostedCluster as a whole, and stays after destroy", async () => {
    const retained: Record<string, unknown> = {};
    const transformations: pulumi.ResourceTransformation[] = [
      ({ type, opts }) => void (retained[type.split(":").at(-1)!] = opts.retainOnDelete),
    ];
    const args = { ...base, trustedCa: certificate, existingHostedCluster };
    const { objects, warnings } = await run(() => new ProxyConfig("tenant-a", args, { transformations }));
    const patch = objects.find(({ type }) => type.endsWith("HostedClusterPatch"));
    expect(patch?.inputs).toEqual({
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: {
        ...existingHostedCluster,
        annotations: { "pulumi.com/patchFieldManager": "hypershift-network-proxy" },
      },
      spec: {
        configuration: {
          proxy: { httpProxy: url, httpsProxy: url, noProxy: "", trustedCA: { name: "tenant-a-proxy-ca" } },
        },
      },
    });
    expect(retained).toMatchObject({ HostedClusterPatch: true, ConfigMap: true });
    expect(warnings).toEqual([expect.stringMatching(/rolls its nodes/)]);
  });
});

describe("M8 credentials of a proxy", () => {
  it.each<[string, ProxyConfigArgs]>([
    ["plain", { ...base, httpProxy: credentials }],
    ["a secret", { ...base, httpProxy: pulumi.secret(credentials) }],
    ["an Output that is not secret", { ...base, httpProxy: pulumi.output(credentials) }],
    ["in the topology", { topology: { ...topology, proxy: { httpProxy: credentials, httpsProxy: url } } }],
  ])("%s: outputs that contain them are secret, and nothing else shows them", async (_, args) => {
    const { result, resources, warnings } = await run(create({ ...args, existingHostedCluster }));
    await expect(pulumi.isSecret(result.fragment)).resolves.toBe(true);
    expect((await eventually(result.fragment)).configuration.proxy.httpProxy).toBe(credentials);
    expect(warnings.join("\n")).not.toContain(password);
    for (const output of [
      result.noProxy,
      result.topology,
      result.controlPlaneWorkloads,
      result.nodeApiProxy,
      result.nodeApiProxyReason,
    ]) {
      expect(JSON.stringify(await eventually(output as pulumi.Output<unknown>))).not.toContain(password);
      await expect(pulumi.isSecret(output as pulumi.Output<unknown>)).resolves.toBe(false);
    }
    for (const output of [result.ignitionStub, result.sidecarProxy]) {
      expect(JSON.stringify(await eventually(output as pulumi.Output<unknown>))).toContain(password);
      await expect(pulumi.isSecret(output as pulumi.Output<unknown>)).resolves.toBe(true);
    }
    expect(JSON.stringify(openParts(resources))).not.toContain(password);
  });

  it("in an invalid URL are not shown by the refusal", async () => {
    const failed = run(create({ ...base, httpProxy: `ftp://me:${password}@proxy.example.com` }));
    await expect(failed).rejects.toThrow(/httpProxy +has a scheme/);
    await expect(failed).rejects.not.toThrow(password);
  });

  it("in plain text cause a warning", async () => {
    const { warnings } = await run(create({ ...base, httpProxy: credentials }));
    expect(warnings).toEqual([
      expect.stringMatching(/^httpProxy contains credentials in plain text.*requireSecret/),
    ]);
  });
});

describe("M8 credentials in the address that nodes dial", () => {
  const kept = pulumi.secret(credentials);
  it.each<[string, Partial<ProxyConfigArgs>]>([
    ["plain", { httpsProxy: credentials }],
    ["a secret", { httpsProxy: kept }],
  ])("%s: warns that the nodes' own proxy for the API server cannot dial it", async (name, args) => {
    const { warnings } = await run(create({ ...base, ...args }));
    const plain: unknown = expect.stringMatching(/^httpsProxy contains credentials in plain text/);
    const open = name === "plain" ? [plain] : [];
    expect(warnings).toEqual([
      ...open,
      expect.stringMatching(
        /^httpsProxy contains credentials, and the nodes' own proxy .* cannot be dialled/,
      ),
    ]);
  });

  it("are not warned about if nodes reach the API server without the proxy", async () => {
    const { warnings } = await run(create({ ...base, httpsProxy: kept, noProxy: ["172.20.0.1"] }));
    expect(warnings).toEqual([expect.stringMatching(/^noProxy the entry 172.20.0.1 covers the API server/)]);
  });
});

describe("M8 warnings about", () => {
  const { dnsServerCidrs, ...noDns } = topology;
  it.each<[string, Partial<ProxyConfigArgs>, RegExp]>([
    [
      "unknown DNS servers (port 53)",
      { topology: noDns },
      /^topology.dnsServerCidrs missing.*port 53.*TCP and UDP/,
    ],
    ["no compute node", { computeNodes: 0 }, /^computeNodes without a compute node.*openshift-apiserver/],
    ["no proxy for HTTPS", { httpsProxy: undefined }, /^httpsProxy missing: HTTPS bypasses the proxy/],
    ["no port", { httpProxy: "http://proxy.example.com" }, /^httpProxy has no port/],
    ["no region", { region: undefined }, /^region missing/],
    [
      "an https:// URL of a proxy to which nodes connect without TLS",
      { httpsProxy: "https://proxy.example.com:3129" },
      /^httpsProxy begins with https:\/\/, but the nodes' own proxy .* without TLS/,
    ],
    [
      "an entry that covers the API server's host",
      { noProxy: [".example.com"], apiServerHost: "api.example.com" },
      /^noProxy the entry .example.com covers the API server/,
    ],
    [
      "the word kubernetes",
      { noProxy: ["kubernetes.default.svc"] },
      /^noProxy the entry kubernetes.default.svc covers the API server/,
    ],
  ])("%s", async (_, args, warning) => {
    const { warnings } = await run(create({ ...base, ...args }));
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(dnsServerCidrs).toHaveLength(1);
  });
});

describe("M9 the user data of new nodes", () => {
  it("has the proxy in the format of Ignition 3.2.0, with noProxy as a list", async () => {
    const services = { ignition: { type: PublishingType.Route, hostname: "ignition.example.com" } };
    const { result } = await run(
      create({ ...base, topology: { ...topology, services }, noProxy: [".example.com"] }),
    );
    const noProxy = await eventually(result.noProxyEntries);
    await expect(eventually(result.ignitionStub)).resolves.toEqual({
      ignition: {
        version: "3.2.0",
        proxy: { httpProxy: url, httpsProxy: url, noProxy },
        config: { merge: [{ source: "https://ignition.example.com/ignition" }] },
      },
    });
    await expect(pulumi.isSecret(result.ignitionStub)).resolves.toBe(false);
  });

  it("omits an empty URL, which Ignition refuses, and an unknown source", async () => {
    const { result } = await run(create({ ...base, httpsProxy: undefined }));
    const { ignition } = await eventually(result.ignitionStub);
    expect(Object.keys(ignition)).toEqual(["version", "proxy"]);
    expect(Object.keys(ignition.proxy)).toEqual(["httpProxy", "noProxy"]);
  });

  it("is unknown in a preview that does not know the URL", async () => {
    const { result, failures } = await run(create({ ...base, httpProxy: unknownValue<string>() }), {
      preview: true,
    });
    expect(failures).toEqual([]);
    await expect(eventually(result.ignitionStub)).resolves.toBeUndefined();
  });
});

describe("M10 the proxy that listens on each node at the address of the API server", () => {
  const { Haproxy, ControlPlaneOperator } = NodeApiProxy;
  const on = (more: object): Partial<ProxyConfigArgs> => ({ topology: { ...topology, ...more } });
  const route = { apiServer: { type: PublishingType.Route, hostname: "api.a.example.com" } };
  it.each<[string, Partial<ProxyConfigArgs>, NodeApiProxy, RegExp]>([
    ["a proxy for HTTPS, reached over the Internet", {}, ControlPlaneOperator, /no noProxy entry covers the/],
    ["no proxy for HTTPS", { httpsProxy: undefined }, Haproxy, /^no httpsProxy is set/],
    [
      "the word kubernetes",
      { noProxy: ["my-kubernetes.example.com"] },
      Haproxy,
      /contains the word kubernetes/,
    ],
    ["the service network", { noProxy: ["172.31.0.0/16"] }, Haproxy, /is the service network$/],
    ["the cluster network", { noProxy: ["10.132.0.0/14"] }, Haproxy, /is the cluster network$/],
    ["a part of the service network", { noProxy: ["172.31.0.0/17"] }, ControlPlaneOperator, /no noProxy/],
    [
      "a block that contains the advertised address",
      { noProxy: ["172.20.0.0/24"] },
      Haproxy,
      /covers 172.20.0.1$/,
    ],
    ["everything", { noProxy: ["*"] }, Haproxy, /entry \* covers 172.20.0.1$/],
    [
      "another advertised address",
      { ...on({ advertiseAddress: "192.0.2.7" }), noProxy: ["192.0.2.0/24"] },
      Haproxy,
      /192.0.2.7$/,
    ],
    [
      "the default address with another one advertised",
      { ...on({ advertiseAddress: "192.0.2.7" }), noProxy: ["172.20.0.1"] },
      ControlPlaneOperator,
      /no noProxy/,
    ],
    ["another entry", { noProxy: [".example.com"] }, ControlPlaneOperator, /API server is not stated$/],
    [
      "the host name of the API server",
      { ...on({ services: route }), noProxy: [".example.com"] },
      Haproxy,
      /covers api.a.example.com$/,
    ],
    [
      "an address outside",
      { noProxy: ["198.51.100.0/24"], apiServerHost: "198.51.100.4" },
      Haproxy,
      /198.51.100.4$/,
    ],
    [
      "private access on AWS",
      on({ endpointAccess: "Private" }),
      Haproxy,
      /nodes on AWS .*without the Internet$/,
    ],
    [
      "public and private access on Azure",
      on({ platform: "Azure", endpointAccess: "PublicAndPrivate" }),
      Haproxy,
      /on Azure/,
    ],
    ["public access on Azure", on({ platform: "Azure" }), ControlPlaneOperator, /./],
    [
      "GCP, where access does not matter",
      on({ platform: "GCP", endpointAccess: "Private" }),
      ControlPlaneOperator,
      /./,
    ],
    ["Agent", on({ platform: "Agent" }), ControlPlaneOperator, /./],
  ])("is chosen for %s", async (_, args, expected, reason) => {
    const { result } = await run(create({ ...base, ...args }));
    await expect(eventually(result.nodeApiProxy)).resolves.toBe(expected);
    await expect(eventually(result.nodeApiProxyReason)).resolves.toMatch(reason);
  });

  it("listens at an address of the first service network's family", async () => {
    const address = async (more: object) =>
      eventually((await run(create({ ...base, ...on(more) }))).result.nodeApiProxyAddress);
    await expect(address({})).resolves.toBe("172.20.0.1:6443");
    await expect(address({ advertiseAddress: "192.0.2.7" })).resolves.toBe("192.0.2.7:6443");
    await expect(address({ apiServerPort: 7443 })).resolves.toBe("172.20.0.1:7443");
    const ipv6 = {
      platform: "None",
      machineNetwork: [{ cidr: "2001:db8::/64" }],
      clusterNetwork: [{ cidr: "fd01::/48" }],
      serviceNetwork: [{ cidr: "fd02::/112" }],
    };
    await expect(address(ipv6)).resolves.toBe("[fd00::1]:6443");
  });
});

describe("M8 invalid settings of a proxy", () => {
  it.each<[string, Partial<ProxyConfigArgs>, RegExp]>([
    ["no proxy", { httpProxy: undefined, httpsProxy: undefined }, /httpProxy +missing, and so is httpsProxy/],
    [
      "a proxy that is also in the topology",
      { topology: { ...topology, proxy: { httpProxy: url } } },
      /httpProxy +is also in topology.proxy.httpProxy/,
    ],
    [
      "a private key",
      { trustedCa: "-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----" },
      /trustedCa +contains a private key/,
    ],
    [
      "two bundles",
      { trustedCa: certificate, trustedCaConfigMap: "x" },
      /trustedCaConfigMap +is set together with trustedCa/,
    ],
    [
      "additionalTrustBundle without certificates",
      { additionalTrustBundle: true },
      /additionalTrustBundle +true, but there are no certificates/,
    ],
    ["an unknown region", { region: "Frankfurt" }, /region +"Frankfurt" is not an AWS region/],
    [
      "an unknown Azure cloud",
      { azureCloud: "Moon" as never },
      /azureCloud +"Moon" is not one of AzurePublicCloud/,
    ],
    [
      "a URL instead of a host",
      { apiServerHost: "https://api:6443" },
      /apiServerHost +is not a host name or address: write it without scheme/,
    ],
    [
      "a negative count of compute nodes",
      { computeNodes: -1 },
      /computeNodes +-1 is less than 0: write a whole number from 0 on/,
    ],
    [
      "subnets without a cluster to patch",
      { ovnSubnets: {} as never },
      /ovnSubnets +is given, but there is no HostedCluster/,
    ],
    [
      "another cluster",
      { existingHostedCluster: { name: "x", namespace: "clusters" } },
      /existingHostedCluster.name +"x" differs from/,
    ],
  ])("include %s", async (_, args, message) => {
    await expect(run(create({ ...base, ...args }))).rejects.toThrow(message);
  });

  it("name the missing topology if there are no inputs at all", async () => {
    await expect(run(create(undefined as never))).rejects.toThrow(/topology +missing/);
  });

  it("from Outputs are refused before anything is created", async () => {
    const args = {
      ...base,
      noProxy: [pulumi.output("*.example.com")],
      trustedCa: certificate,
      existingHostedCluster,
    };
    const { objects, failures } = await run(create(args));
    expect(objects).toEqual([]);
    expect(failures[0]).toMatch(/noProxy\[0\] +"\*.example.com" has an asterisk.*write .example.com/);
  });

  it("do not include an unknown URL in a preview, which shows the rest", async () => {
    const args = { ...base, httpProxy: unknownValue<string>(), existingHostedCluster };
    const { objects, failures } = await run(create(args), { preview: true });
    expect(failures).toEqual([]);
    expect(JSON.stringify(objects[0]!.inputs.spec)).toContain(`"httpsProxy":"${url}"`);
  });
});

const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The parts of resource inputs that the state stores in plain text: everything except secrets. */
function openParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openParts);
  if (typeof value !== "object" || value === null) return value;
  if ((value as Record<string, unknown>)[SIGNATURE] === SECRET) return "[secret]";
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, openParts(part)]));
}
