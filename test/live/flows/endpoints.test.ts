import { endpointOf, serviceEndpoint } from "../../../src/live/flows/endpoints";
import { Service } from "../../../src/requirements/vocabulary";
import { normalizeTopology } from "../../../src/topology/normalizeTopology";

test.each<[string, string | undefined, [string, number] | undefined]>([
  [
    "a URL with a placeholder for a name",
    "https://oauth.example.com:30443/oauth2callback/[identity-provider-name]",
    ["oauth.example.com", 30443],
  ],
  ["a URL without a port", "https://oauth.example.com/", ["oauth.example.com", 443]],
  ["a URL with the port of its scheme", "https://proxy.example.com:443", ["proxy.example.com", 443]],
  ["the proxy of a scheme without TLS", "http://user:word@proxy.example.com", ["proxy.example.com", 80]],
  ["a host with a port", "ignition.example.com:31090", ["ignition.example.com", 31090]],
  ["a host", "quay.io", ["quay.io", 443]],
  ["an IPv6 address", "[fd00::1]:6443", ["fd00::1", 6443]],
  ["an empty string", "", undefined],
  ["text that is not a host", "a b", undefined],
  ["undefined", undefined, undefined],
])("endpointOf parses %s", (_, text, expected) => {
  expect(endpointOf(text)).toEqual(expected && { host: expected[0], port: expected[1] });
});

const topologyWith = (services: object, platform = "Agent") =>
  normalizeTopology({ name: "tenant-a", platform, release: "4.20", services }).topology!;

describe("the endpoint of a service", () => {
  const nothing = { hostedCluster: {}, konnectivityAgent: undefined };

  test("is read from the running cluster", () => {
    const hostedCluster = {
      status: {
        controlPlaneEndpoint: { host: "api.example.com", port: 6443 },
        ignitionEndpoint: "ignition.example.com",
        oauthCallbackURLTemplate: "https://oauth.example.com:30443/oauth2callback/[identity-provider-name]",
      },
    };
    const args = [
      "--ca-cert",
      "x",
      "--proxy-server-host",
      "konnectivity.example.com",
      "--proxy-server-port",
      "8091",
    ];
    const konnectivityAgent = { spec: { template: { spec: { containers: [{ args }] } } } };
    const sources = { hostedCluster, konnectivityAgent, topology: topologyWith({}) };
    expect(Object.values(Service).map((service) => serviceEndpoint(service, sources))).toEqual(
      Object.values(Service).map(
        (service) =>
          ({
            [Service.APIServer]: { host: "api.example.com", port: 6443 },
            [Service.Ignition]: { host: "ignition.example.com", port: 443 },
            [Service.OAuthServer]: { host: "oauth.example.com", port: 30443 },
            [Service.Konnectivity]: { host: "konnectivity.example.com", port: 8091 },
          })[service],
      ),
    );
  });

  test.each([
    [
      "with equals signs",
      ["--proxy-server-host=10.0.0.1", "--proxy-server-port=31091"],
      { host: "10.0.0.1", port: 31091 },
    ],
    ["without a port", ["--proxy-server-host=10.0.0.1"], undefined],
    ["with an invalid port", ["--proxy-server-host", "10.0.0.1", "--proxy-server-port", "x"], undefined],
    ["that are empty", [], undefined],
  ])("is read from arguments of the konnectivity agent %s", (_, args, expected) => {
    const konnectivityAgent = { spec: { template: { spec: { containers: [{ args }] } } } };
    const sources = { hostedCluster: {}, konnectivityAgent, topology: topologyWith({}) };
    expect(serviceEndpoint(Service.Konnectivity, sources)).toEqual(expected);
  });

  test.each([
    [
      "a node port",
      { type: "NodePort", address: "192.0.2.10", nodePort: 31091 },
      { host: "192.0.2.10", port: 31091 },
    ],
    ["a node port without an address", { type: "NodePort", nodePort: 31091 }, undefined],
    ["a Route", { type: "Route", hostname: "k.example.com" }, { host: "k.example.com", port: 443 }],
    [
      "a load balancer",
      { type: "LoadBalancer", hostname: "k.example.com" },
      { host: "k.example.com", port: 8091 },
    ],
    ["a Route without a host", { type: "Route" }, undefined],
  ])("is read from the topology otherwise: %s", (_, konnectivity, expected) => {
    const sources = { ...nothing, topology: topologyWith({ konnectivity }) };
    expect(serviceEndpoint(Service.Konnectivity, sources)).toEqual(expected);
  });

  test.each([
    ["AWS", 6443],
    ["Azure", 7443],
    ["IBMCloud", 2040],
  ])(
    "of the API server behind a load balancer on %s has port %i if the status does not state it",
    (platform, port) => {
      const apiServer = { type: "LoadBalancer", hostname: "api.example.com" };
      const sources = { ...nothing, topology: topologyWith({ apiServer }, platform) };
      expect(serviceEndpoint(Service.APIServer, sources)).toEqual({ host: "api.example.com", port });
    },
  );
});
