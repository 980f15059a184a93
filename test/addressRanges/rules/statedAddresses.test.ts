import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { type PropertyValue, UNKNOWN } from "../../../src/resources/resource";
import { surroundingLists } from "../../../src/topology/normalizedTopology";
import { hostedCluster, stating, type Properties, violations } from "../../rules/builders";

/** A cluster that only the configuration describes, with additions to its topology. */
const alone = (topology: object) =>
  stating({ platform: "None", release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }], ...topology });
const found = (topology: object) =>
  [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
    violations(rule, [], alone(topology)).map(({ path, message }) => `${path} ${message}`),
  );
const lists = surroundingLists.filter((list) => list !== "workerCidrs");

/** The ranges of a cluster, each with a block inside it. */
const RANGES: [range: string, block: string][] = [
  ["cluster network", "10.132.7.0/24"],
  ["service network", "172.31.0.0/24"],
  ["join subnet", "100.64.0.0/16"],
  ["transit switch subnet", "100.88.0.8/29"],
];

describe.each(lists)("blocks of %s", (list) => {
  test.each(RANGES)("in the %s are reported at their path", (range, block) => {
    expect(found({ [list]: [block] })).toEqual([
      expect.stringMatching(
        new RegExp(`^hostedClusters\\[0\\]\\.${list}\\[0\\] .*shares addresses with .*${range}`),
      ),
    ]);
  });

  test("outside of the cluster's ranges are not reported, and neither is 0.0.0.0/0", () => {
    expect(found({ [list]: ["10.1.0.0/16"] })).toEqual([]);
    if (list !== "managementClusterCidrs") expect(found({ [list]: ["0.0.0.0/0"] })).toEqual([]);
  });
});

test("addresses that a HostedCluster states are reported at their path in the object", () => {
  const address = (service: string, type: string, host: string) => ({
    service,
    servicePublishingStrategy: { type, nodePort: { address: host } },
  });
  const cluster = hostedCluster({
    platform: { type: "None" },
    configuration: { proxy: { httpProxy: "http://proxy:secret@100.64.0.10:3128" } },
    services: [
      address("APIServer", "NodePort", "172.31.0.9"),
      address("OAuthServer", "NodePort", "10.132.0.9"),
      address("Konnectivity", "NodePort", "node.example.com"),
      address("Ignition", "NodePort", "192.0.2.9"),
    ],
  });
  const said = [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
    violations(rule, [cluster]).map(({ path, message }) => `${path} ${message}`),
  );
  expect(said).toEqual([
    expect.stringMatching(
      /^spec\.services\[1\]\.servicePublishingStrategy\.nodePort\.address the node-port address of the OAuth server 10\.132\.0\.9\/32 .* the cluster network/,
    ),
    expect.stringMatching(/^spec\.services\[0\].*172\.31\.0\.9 lies in the service network/),
    expect.stringMatching(
      /^spec\.configuration\.proxy\.httpProxy the proxy 100\.64\.0\.10\/32 .*join subnet/,
    ),
  ]);
  expect(said.join()).not.toContain("secret");
});

test.each(lists)("a wide block of %s that contains the cluster network has the right level", (list) => {
  const some = ["externalClientCidrs", "registryCidrs", "controlPlaneEndpointCidrs"].includes(list);
  const [finding] = violations(
    cidrOverlap,
    [],
    alone({ clusterNetwork: [{ cidr: "10.132.0.0/14" }], [list]: ["10.128.0.0/9"] }),
  );
  expect(finding?.level).toBe(some ? "warning" : "error");
});

test("a load balancer subnet inside the management cluster's network is reported only once", () => {
  const management = {
    managementClusterCidrs: ["10.132.0.0/16"],
    loadBalancerSubnetCidrs: ["10.132.1.0/24"],
  };
  expect(found(management)).toHaveLength(1);
});

describe.each([
  [
    "the node port of OAuth",
    (address: string) => ({ services: { oauthServer: { type: "NodePort", address } } }),
    "services.oauthServer.address",
  ],
  ["a proxy", (address: string) => ({ proxy: { httpProxy: `http://${address}:3128` } }), "proxy.httpProxy"],
])("the address of %s", (_, at, path) => {
  test.each([
    ["cluster network", "10.132.0.10"],
    ["service network", "172.31.0.10"],
    ["join subnet", "100.64.0.10"],
    ["the address at which nodes reach the API server", "172.20.0.1"],
    ["loopback addresses", "127.0.0.1"],
  ])("in %s is reported at its path", (range, address) => {
    expect(found(at(address))).toEqual([
      expect.stringMatching(new RegExp(`^hostedClusters\\[0\\]\\.${path.replaceAll(".", "\\.")} .*${range}`)),
    ]);
  });

  test("is not reported outside of the ranges, or as a host name", () => {
    expect(found(at("10.1.0.10"))).toEqual([]);
    expect(found(at("proxy.example.com"))).toEqual([]);
  });
});

describe("the node-port address of the API server", () => {
  const faults = (address: PropertyValue, networking: Properties) =>
    violations(cidrOverlap, [
      hostedCluster({
        platform: { type: "None" },
        networking,
        services: [
          { service: "APIServer", servicePublishingStrategy: { type: "NodePort", nodePort: { address } } },
        ],
      }),
    ]).map(({ path, level, message }) => `${path} ${level} ${message}`);
  const machineNetwork = [{ cidr: "10.0.0.0/16" }];
  const networks = (cidr: PropertyValue): Properties => ({ machineNetwork, serviceNetwork: [{ cidr }] });
  const FOUND =
    "spec.services[0].servicePublishingStrategy.nodePort.address error APIServer address: 172.31.0.5 lies in the service network 172.31.0.0/16, and HyperShift refuses the cluster";

  test("is reported in the stated service network, and in the default of the API", () => {
    for (const networking of [networks("172.31.0.0/16"), networks("172.31.7.7/16"), { machineNetwork }, {}])
      expect(faults("172.31.0.5", networking)).toEqual([FOUND]);
  });

  test("is not reported outside of the service network, or if either is unknown", () => {
    expect(faults("172.32.0.5", { machineNetwork })).toEqual([]);
    expect(faults("fd02::5", { machineNetwork })).toEqual([]);
    for (const networking of [networks("172.30.0.0/16"), networks("fd02::/112"), networks(UNKNOWN)])
      expect(faults("172.31.0.5", networking)).toEqual([]);
    expect(faults("172.31.0.5", { machineNetwork, serviceNetwork: UNKNOWN })).toEqual([]);
    expect(faults(UNKNOWN, { machineNetwork })).toEqual([]);
  });
});
