import { normalizeTopology } from "../../../src/topology/normalizeTopology";
import { UNKNOWN } from "../../../src/resources/resource";
import { EndpointAccess, Platform } from "../../../src/requirements/vocabulary";
import {
  NodeApiProxy,
  apiProxyChoice,
  nodeApiAddress,
  nodeApiHost,
  type ApiProxyInputs,
} from "../../../src/topology/proxy/apiProxy";
import { least, machines, normal } from "../topologies";

const open = { ...machines, endpointAccess: EndpointAccess.Public };
const choice = (inputs: Partial<ApiProxyInputs>, raw: object = open) =>
  apiProxyChoice(normal(raw), { httpsProxy: true, noProxy: [], ...inputs });

describe("M10 the API server proxy on the nodes", () => {
  test("uses the HTTP proxy if httpsProxy is set and no noProxy entry covers the API server", () => {
    expect(choice({ apiServerHost: "api.example.com" })).toEqual({
      proxy: NodeApiProxy.ControlPlaneOperator,
      reason:
        "httpsProxy is set, the control plane is reached over the Internet, and no noProxy entry covers the API server",
    });
    expect(choice({}).reason).toBe(
      "httpsProxy is set, the control plane is reached over the Internet, and no noProxy entry covers the API server; the external address of the API server is not stated",
    );
  });

  test("does not use the HTTP proxy without httpsProxy", () => {
    expect(choice({ httpsProxy: false })).toEqual({
      proxy: NodeApiProxy.Haproxy,
      reason: "no httpsProxy is set, and a proxy for HTTP only does not count",
    });
  });

  test.each([
    [Platform.AWS, EndpointAccess.Public, NodeApiProxy.ControlPlaneOperator],
    [Platform.AWS, EndpointAccess.PublicAndPrivate, NodeApiProxy.Haproxy],
    [Platform.AWS, EndpointAccess.Private, NodeApiProxy.Haproxy],
    [Platform.Azure, EndpointAccess.Public, NodeApiProxy.ControlPlaneOperator],
    [Platform.Azure, EndpointAccess.Private, NodeApiProxy.Haproxy],
    [Platform.GCP, EndpointAccess.Private, NodeApiProxy.ControlPlaneOperator],
  ])("on %s with endpointAccess %s it is %s", (platform, endpointAccess, proxy) => {
    const found = choice({}, { ...machines, platform, endpointAccess });
    expect(found.proxy).toBe(proxy);
    if (proxy === NodeApiProxy.Haproxy)
      expect(found.reason).toBe(
        `with endpointAccess ${endpointAccess} nodes on ${platform} reach the control plane without the Internet`,
      );
  });

  test.each([
    [Platform.Azure, "LoadBalancer", "api.example.com:7443"],
    [Platform.IBMCloud, "LoadBalancer", "api.example.com:2040"],
    [Platform.KubeVirt, "Route", "api.example.com:443"],
  ])(
    "on %s by %s, is bypassed by the noProxy entry %s with the published host and port",
    (platform, type, entry) => {
      const services = { apiServer: { type, hostname: "api.example.com" } };
      const cluster = { ...open, platform, endpointAccess: undefined, services };
      expect(choice({ noProxy: [entry] }, cluster).bypass).toEqual([entry]);
      expect(choice({ noProxy: ["api.example.com:6443"] }, cluster).bypass).toBeUndefined();
    },
  );

  test.each<[string, string]>([
    ["my-kubernetes.example.com", "contains the word kubernetes"],
    ["172.31.0.0/16", "is the service network"],
    ["10.132.0.0/14", "is the cluster network"],
    ["172.20.0.0/24", "covers 172.20.0.1"],
    ["172.20.0.1:6443", "covers 172.20.0.1"],
    [".example.com", "covers api.example.com"],
    ["api.example.com:6443", "covers api.example.com"],
  ])("does not use the HTTP proxy if the noProxy entry %s %s", (entry, how) => {
    const noProxy = ["other.example.org", entry];
    expect(choice({ noProxy, apiServerHost: "api.example.com" })).toEqual({
      proxy: NodeApiProxy.Haproxy,
      reason: `the noProxy entry ${entry} ${how}`,
      bypass: [entry],
    });
  });

  test("does not use the HTTP proxy if several entries cover it, and names each of them once", () => {
    const noProxy = ["172.31.0.0/16", ".org", "kubernetes.example.com", ".example.com", ".example.com"];
    expect(choice({ noProxy, apiServerHost: "api.example.com" })).toMatchObject({
      reason:
        "the noProxy entry 172.31.0.0/16 is the service network, the noProxy entry kubernetes.example.com contains the word kubernetes, the noProxy entry .example.com covers api.example.com",
      bypass: ["172.31.0.0/16", "kubernetes.example.com", ".example.com"],
    });
  });

  test.each(["172.31.0.0/24", "10.132.0.0/16", "172.20.0.1:7443", "api.example.com:443", "10.0.0.0/8"])(
    "uses the HTTP proxy if the noProxy entry %s covers something else",
    (entry) => {
      const found = choice({ noProxy: [entry], apiServerHost: "api.example.com" });
      expect(found.proxy).toBe(NodeApiProxy.ControlPlaneOperator);
      expect(found).not.toHaveProperty("bypass");
    },
  );

  test("checks noProxy against the topology's host name of the API server if no other one is stated", () => {
    const services = {
      apiServer: { type: "Route", hostname: "api.stated.example.com" },
      oauthServer: { type: "Route" },
      konnectivity: { type: "Route" },
      ignition: { type: "Route" },
    };
    expect(choice({ noProxy: [".stated.example.com"] }, { ...open, services }).bypass).toEqual([
      ".stated.example.com",
    ]);
    expect(choice({}, { ...open, services }).reason).not.toContain("not stated");
    const other = { noProxy: [".stated.example.com"], apiServerHost: "api.example.com" };
    expect(choice(other, { ...open, services })).not.toHaveProperty("bypass");
  });
});

/** A cluster whose API server has a pinned or another node port. */
const byNodePort = (apiServer: object) => ({
  platform: Platform.Agent,
  ...machines,
  services: { apiServer: { type: "NodePort", ...apiServer } },
});

describe("M10 noProxy and the address of the API server's node port", () => {
  const named = { address: "api.lab.example.com", nodePort: 30643 };
  const numbered = { address: "10.9.0.5", nodePort: 30643 };
  const numberedV6 = { address: "2001:db8:9::5", nodePort: 30643 };

  test.each([
    [named, "api.lab.example.com"],
    [named, ".lab.example.com"],
    [named, "lab.example.com"],
    [named, "*"],
    [named, "api.lab.example.com:30643"],
    [numbered, "10.9.0.0/16"],
    [numbered, "10.9.0.5"],
    [numbered, "10.9.0.5:30643"],
    [numbered, "*"],
    [numberedV6, "2001:db8:9::/48"],
    [numberedV6, "2001:db8:9:0::5"],
    [numberedV6, "[2001:db8:9::5]:30643"],
    [{ address: "10.9.0.5" }, "10.9.0.0/16"],
  ])("%j is covered by the entry %s", (apiServer, entry) => {
    const found = choice({ noProxy: ["other.example.org", entry] }, byNodePort(apiServer));
    expect(found).toMatchObject({ proxy: NodeApiProxy.Haproxy, bypass: [entry] });
    expect(found).not.toHaveProperty("undecided");
  });

  test.each([
    [named, "other.example.com"],
    [named, ".api.lab.example.com"],
    [named, "10.9.0.0/16"],
    [named, "api.lab.example.com:6443"],
    [numbered, "10.8.0.0/16"],
    [numbered, "10.9.0.5:6443"],
    [numbered, ".lab.example.com"],
    [numberedV6, "10.9.0.0/16"],
    [{ address: "10.9.0.5" }, "10.9.0.5:6443"],
  ])("%j is not covered by the entry %s", (apiServer, entry) => {
    const found = choice({ noProxy: [entry] }, byNodePort(apiServer));
    expect(found.proxy).toBe(NodeApiProxy.ControlPlaneOperator);
    expect(found.reason).not.toContain("not stated");
    expect(found).not.toHaveProperty("bypass");
    expect(found).not.toHaveProperty("undecided");
  });

  test("decide nothing together if the entry has a port, and the node port is not pinned", () => {
    const found = choice({ noProxy: ["10.9.0.5:30000"] }, byNodePort({ address: "10.9.0.5" }));
    expect(found.undecided).toEqual(["services.apiServer.nodePort"]);
    expect(found.reason).toMatch(
      /, and whether a noProxy entry covers the API server depends on services\.apiServer\.nodePort$/,
    );
    expect(found).not.toHaveProperty("bypass");
  });

  test("decide nothing if the address is not stated, whatever the entry is", () => {
    for (const entry of [".lab.example.com", "10.9.0.0/16"])
      expect(choice({ noProxy: [entry] }, byNodePort({})).undecided).toEqual(["services.apiServer.address"]);
    expect(choice({ noProxy: ["*"] }, byNodePort({})).bypass).toEqual(["*"]);
    expect(choice({}, byNodePort({}))).not.toHaveProperty("undecided");
    const said = { noProxy: ["10.9.0.0/16"], apiServerHost: "10.8.0.5" };
    expect(choice(said, byNodePort({}))).not.toHaveProperty("undecided");
  });
});

describe("noProxy and an API server whose place is not known", () => {
  const balanced = (more: object) => ({
    ...open,
    services: { apiServer: { type: "LoadBalancer" } },
    ...more,
  });
  const kubeVirt = { platform: Platform.KubeVirt, endpointAccess: undefined };

  test.each<[string, object, string, boolean]>([
    ["an address of KubeVirt's load balancer", kubeVirt, "10.9.0.0/16", true],
    [
      "endpoints in the block",
      { ...kubeVirt, controlPlaneEndpointCidrs: ["10.9.1.0/24"] },
      "10.9.0.0/16",
      true,
    ],
    [
      "endpoints elsewhere",
      { ...kubeVirt, controlPlaneEndpointCidrs: ["10.8.0.0/16"] },
      "10.9.0.0/16",
      false,
    ],
    ["a name that its cloud gives", kubeVirt, ".example.com", false],
    ["a load balancer of AWS, which has a name", {}, "10.9.0.0/16", false],
  ])("%s: %j, %s may cover it: %s", (_, more, entry, mayCover) => {
    const found = choice({ noProxy: [entry] }, balanced(more));
    expect(found.undecided).toEqual(mayCover ? ["services.apiServer.hostname"] : undefined);
  });

  test.each<[string, object]>([
    ["services.apiServer.address", byNodePort({ address: UNKNOWN })],
    [
      "services.apiServer.hostname",
      balanced({ services: { apiServer: { type: "LoadBalancer", hostname: UNKNOWN } } }),
    ],
    ["services.apiServer.type", balanced({ services: { apiServer: { type: UNKNOWN } } })],
    ["serviceNetwork", { ...byNodePort({ address: "10.8.0.5" }), serviceNetwork: UNKNOWN }],
    ["clusterNetwork", { ...byNodePort({ address: "10.8.0.5" }), clusterNetwork: UNKNOWN }],
    ["advertiseAddress", { ...byNodePort({ address: "10.8.0.5" }), advertiseAddress: UNKNOWN }],
  ])("a value of %s that a plan does not know decides", (property, raw) => {
    const { readable } = normalizeTopology({ ...least, ...raw });
    const found = (entry: string) => apiProxyChoice(readable!, { httpsProxy: true, noProxy: [entry] });
    expect(found("10.9.0.0/16").undecided).toEqual([property]);
    expect(found("kubernetes.default.svc").bypass).toEqual(["kubernetes.default.svc"]);
  });

  test.each(["serviceNetwork", "clusterNetwork", "advertiseAddress", "apiServerPort"])(
    "%s, which is not known yet, decides about no name, and not about an entry for everything",
    (property) => {
      const { readable } = normalizeTopology({ ...least, ...byNodePort({}), [property]: UNKNOWN });
      const found = (entry: string, topology = readable!) =>
        apiProxyChoice(topology, { httpsProxy: true, apiServerHost: "api.other.org", noProxy: [entry] });
      expect(found("corp.example.com")).not.toHaveProperty("undecided");
      expect(found("*").bypass).toEqual(["*"]);
    },
  );

  test.each<[string, object, string]>([
    ["advertiseAddress", { advertiseAddress: UNKNOWN }, "172.20.0.0/24"],
    ["serviceNetwork", { serviceNetwork: UNKNOWN }, "172.20.0.1"],
    ["apiServerPort", { apiServerPort: UNKNOWN }, "172.20.0.1:6443"],
  ])("the default of %s, which is not known yet, proves nothing", (property, more, entry) => {
    const { readable } = normalizeTopology({ ...least, ...byNodePort({ address: "10.8.0.5" }), ...more });
    const found = apiProxyChoice(readable!, { httpsProxy: true, noProxy: [entry] });
    expect(found).not.toHaveProperty("bypass");
    expect(found.undecided).toEqual([property]);
  });

  test("nodes reach the API server of a private endpoint by its name in the private zone, on GCP too", () => {
    const cluster = (type: string) => ({
      ...machines,
      platform: Platform.GCP,
      services: { apiServer: { type, ...(type === "Route" && { hostname: "api.example.com" }) } },
    });
    const found = (entry: string, type = "Route") => choice({ noProxy: [entry] }, cluster(type));
    for (const entry of [".hypershift.local", "api.tenant-a.hypershift.local:443"])
      expect(found(entry).bypass).toEqual([entry]);
    expect(found("api.tenant-a.hypershift.local:6443", "LoadBalancer").bypass).toBeDefined();
    for (const entry of [".example.com", "10.9.0.0/16"]) {
      expect(found(entry)).not.toHaveProperty("bypass");
      expect(found(entry, "LoadBalancer")).not.toHaveProperty("undecided");
    }
  });
});

describe("the address at which nodes answer for the API server", () => {
  test.each<[object, string, string]>([
    [{}, "172.20.0.1", "172.20.0.1:6443"],
    [
      { serviceNetwork: [{ cidr: "fd02::/112" }], clusterNetwork: [{ cidr: "fd01::/48" }] },
      "fd00::1",
      "[fd00::1]:6443",
    ],
    [{ advertiseAddress: "172.21.0.9", apiServerPort: 7443 }, "172.21.0.9", "172.21.0.9:7443"],
  ])("with %j is %s", (raw, host, address) => {
    const topology = normal({ ...("serviceNetwork" in raw ? {} : machines), ...raw });
    expect(nodeApiHost(topology)).toBe(host);
    expect(nodeApiAddress(topology)).toBe(address);
  });
});
