import { EndpointAccess, Platform } from "../../../src/requirements/vocabulary";
import {
  NodeApiProxy,
  apiProxyChoice,
  nodeApiAddress,
  nodeApiHost,
  type ApiProxyInputs,
} from "../../../src/topology/proxy/apiProxy";
import { machines, normal } from "../topologies";

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
    [Platform.GCP, "Route", "api.example.com:443"],
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
