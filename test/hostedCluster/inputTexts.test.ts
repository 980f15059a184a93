import { judgeHostedCluster } from "../../src/hostedCluster/judge";
import { Platform } from "../../src/requirements/vocabulary";
import { UNKNOWN } from "../../src/resources/resource";
import { faultsOn, inputsOn, warningsOn } from "./inputs";

const { AWS, Agent, KubeVirt, None } = Platform;
const SAME = "state it in one place, or the same value in both";

describe("the fragment of an OvnSubnetConfig", () => {
  const AT = "ovnSubnets.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.ipv4";
  const fragment = (ipv4: unknown) => ({
    ovnSubnets: { operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } } },
  });
  const join = "100.99.0.0/16";
  const own = { internalJoinSubnet: "100.98.0.0/16" };
  const inMachines = { internalJoinSubnet: "10.0.0.0/16" };

  test.each<[string, object, object, readonly unknown[]]>([
    [
      "must not contradict the topology",
      own,
      fragment({ internalJoinSubnet: join }),
      [
        `${AT}.internalJoinSubnet  "${join}" is not topology.internalJoinSubnet, which is "100.98.0.0/16": ${SAME}`,
      ],
    ],
    [
      "must have a fragment's structure",
      {},
      { ovnSubnets: {} },
      ["ovnSubnets  is not a fragment: use the fragment of an OvnSubnetConfig"],
    ],
    ["must not be a string", {}, fragment(join), [expect.stringContaining("is not a fragment")]],
    [
      "has faults at its own path",
      {},
      fragment(inMachines),
      [expect.stringMatching(/^ovnSubnets\..*\.internalJoinSubnet {2}10\.0\.0\.0\/16 overlaps/)],
    ],
    [
      "has faults at the topology's path if the topology states the subnet, too",
      inMachines,
      fragment(inMachines),
      [expect.stringMatching(/^topology\.internalJoinSubnet {2}10\.0\.0\.0\/16 overlaps/)],
    ],
    ["may be absent", own, { ovnSubnets: null }, []],
    ["may be unknown", own, { ovnSubnets: UNKNOWN }, []],
    ["may be unknown in part", own, { ovnSubnets: { operatorConfiguration: UNKNOWN } }, []],
    ["may contain an unknown value", own, fragment({ internalJoinSubnet: UNKNOWN }), []],
    [
      "may state a value that is unknown in the topology",
      { internalJoinSubnet: UNKNOWN },
      fragment({ internalJoinSubnet: join }),
      [],
    ],
  ])("%s", (_, topology, more, lines) => {
    expect(faultsOn(AWS, topology, more)).toEqual(lines);
  });

  test.each([UNKNOWN, { operatorConfiguration: UNKNOWN }])(
    "has unknown subnets if it is unknown",
    (ovnSubnets) => {
      const { topology } = judgeHostedCluster(inputsOn(AWS, {}, { ovnSubnets }));
      expect(topology?.unknown).toEqual(["internalJoinSubnet", "internalTransitSwitchSubnet"]);
    },
  );
});

describe("the proxy", () => {
  const url = "http://proxy.example.com:3128";
  const proxy = { httpProxy: url, httpsProxy: url };
  const fragment = (settings: unknown) => ({ proxy: { configuration: { proxy: settings } } });
  const AT = "proxy.configuration.proxy";

  test.each<[string, object, object, readonly unknown[]]>([
    [
      "must have a fragment's structure",
      {},
      { proxy: {} },
      ["proxy  is not a fragment: use the fragment of a ProxyConfig"],
    ],
    ["must not be a string in a fragment", {}, fragment(url), [expect.stringContaining("is not a fragment")]],
    [
      "must have a URL",
      { proxy: { noProxy: ".example.com" } },
      {},
      ["topology.proxy  names neither httpProxy nor httpsProxy: write at least one of the two"],
    ],
    [
      "must not differ between the topology and the fragment",
      { proxy: { ...proxy, noProxy: ".example.com" } },
      fragment({ httpProxy: url, httpsProxy: "http://other.example.com:3128" }),
      [
        `${AT}.httpsProxy  is not topology.proxy.httpsProxy: ${SAME}`,
        `${AT}.noProxy  is not topology.proxy.noProxy: ${SAME}`,
      ],
    ],
    [
      "has faults at each path of the fragment",
      {},
      fragment({ httpProxy: "ftp://proxy.example.com", httpsProxy: "proxy", noProxy: "a b" }),
      ["httpProxy", "httpsProxy", "noProxy"].map(
        (name) => expect.stringContaining(`${AT}.${name}  `) as string,
      ),
    ],
    [
      "may differ in insignificant blanks",
      { proxy: { ...proxy, noProxy: ".example.com, .example.org" } },
      fragment({ ...proxy, noProxy: ".example.com,.example.org" }),
      [],
    ],
    ["may have more settings in the fragment", { proxy: { httpProxy: url } }, fragment(proxy), []],
    ["may be unknown", { proxy }, { proxy: UNKNOWN }, []],
    ["may be unknown in part", { proxy }, { proxy: { configuration: UNKNOWN } }, []],
    ["may have unknown settings", { proxy }, fragment(UNKNOWN), []],
    ["may have an unknown URL", { proxy }, fragment({ ...proxy, httpProxy: UNKNOWN }), []],
    [
      "may have a URL that is unknown in the topology",
      { proxy: { ...proxy, httpProxy: UNKNOWN } },
      fragment(proxy),
      [],
    ],
  ])("%s", (_, topology, more, lines) => {
    expect(faultsOn(AWS, topology, more)).toEqual(lines);
  });

  test("has warnings only if no fragment states it", () => {
    const warned = (more: object = {}) => warningsOn(AWS, { proxy: { httpProxy: url } }, more).length;
    expect(warned()).toBeGreaterThan(0);
    expect(warned(fragment({ httpProxy: url }))).toBe(0);
    expect(warningsOn(AWS)).toEqual([]);
  });

  test("must not name a trust bundle that the rest of the spec names too", () => {
    const bundle = { additionalTrustBundle: { name: "ca" } };
    const both = { ...fragment(proxy), additionalSpecJson: undefined };
    const spec = { ...(JSON.parse(inputsOn(AWS).additionalSpecJson as string) as object), ...bundle };
    expect(faultsOn(AWS, {}, { ...both, proxy: { ...both.proxy, ...bundle }, additionalSpec: spec })).toEqual(
      [
        "additionalSpec.additionalTrustBundle  is also in proxy, the fragment of the ProxyConfig: remove it, or write additionalTrustBundle: false there",
      ],
    );
    expect(faultsOn(AWS, {}, { ...both, proxy: UNKNOWN, additionalSpec: spec })).toEqual([]);
  });
});

describe("settings outside the topology:", () => {
  test.each<[string, object, object, readonly string[]]>([
    [
      "an MTU must be in its limits",
      {},
      { mtu: 575 },
      ["mtu  575 is not from 576 to 9216: write a whole number from 576 to 9216"],
    ],
    [
      "an MTU is only valid with OVN-Kubernetes",
      { networkType: "Calico" },
      { mtu: 575 },
      ["mtu  a network of type Calico has no such setting: leave it out"],
    ],
    [
      "a switch must be true or false, and has no other fault if it is not",
      {},
      { allocateNodeCidrs: "yes", disableMultiNetwork: "yes" },
      [
        'allocateNodeCidrs  "yes" is neither true nor false: write true or false, without quotes',
        'disableMultiNetwork  "yes" is neither true nor false: write true or false, without quotes',
      ],
    ],
    [
      "a switch is refused with a network type that does not support it",
      {},
      { allocateNodeCidrs: true },
      [
        "allocateNodeCidrs  is only valid with the network type Other, and this one is OVNKubernetes: leave it out",
      ],
    ],
    [
      "a namespace must equal that of the topology",
      { namespace: "a" },
      { namespace: "b" },
      [`namespace  "b" is not topology.namespace, which is "a": ${SAME}`],
    ],
    ["a namespace may repeat that of the topology", { namespace: "a" }, { namespace: "a" }, []],
    ["a namespace may be unknown", { namespace: "a" }, { namespace: UNKNOWN }, []],
    [
      "a namespace must be a valid name, with one fault if it is not",
      {},
      { namespace: "My Clusters" },
      [
        'namespace  "My Clusters" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
      ],
    ],
  ])("%s", (_, topology, more, lines) => {
    expect(faultsOn(AWS, topology, more)).toEqual(lines);
  });

  test("a faulty topology has only its own faults, and a fault elsewhere leaves no topology", () => {
    expect(faultsOn(AWS, {}, { topology: "all" })).toEqual([expect.stringMatching(/^topology {2}/)]);
    expect(judgeHostedCluster(inputsOn(AWS, {}, { mtu: 575 })).topology).toBeUndefined();
    expect(judgeHostedCluster(inputsOn(AWS, {}, { mtu: 576 })).topology).toMatchObject({ name: "tenant-a" });
  });
});

describe("the addresses and host names of services", () => {
  test.each<[Platform, object, readonly string[]]>([
    [
      None,
      { ignition: { type: "NodePort" } },
      [
        "topology.services.ignition.address  missing: Ignition is published by NodePort, and nodes reach the port at this address: write the host name or address of the management cluster's nodes, or of a load balancer in front of them",
      ],
    ],
    [
      KubeVirt,
      { apiServer: { type: "Route" } },
      [
        "topology.services.apiServer.hostname  missing: HyperShift creates no Route for a public API server without a host name: write a host name, or publish by LoadBalancer",
      ],
    ],
    [KubeVirt, { apiServer: { type: "Route", hostname: "api.example.com" } }, []],
    [KubeVirt, { konnectivity: { type: "Route" } }, []],
    [
      AWS,
      { apiServer: { type: "Route" } },
      [expect.stringContaining("a Route of the API server needs a host name")],
    ],
  ])("are required if the strategy needs them: on %s with %j", (platform, services, lines) => {
    const address = "192.0.2.10";
    const others = ["apiServer", "oauthServer", "konnectivity", "ignition"].map((name) => [
      name,
      { type: "NodePort", address },
    ]);
    const byPort = platform === None ? (Object.fromEntries(others) as object) : {};
    expect(faultsOn(platform, { services: { ...byPort, ...services } })).toEqual(lines);
  });
});

describe("warnings of inputs:", () => {
  test.each<[string, Platform, object, object, readonly string[]]>([
    [
      "a missing machine network",
      Agent,
      { machineNetwork: undefined },
      {},
      [
        "topology.machineNetwork  missing: HyperShift creates no security group for workers on AWS, and requests to machines go through the proxy if there is one: write the CIDR blocks of the machines: a cluster without them cannot determine later where its machines are",
      ],
    ],
    ["an unknown machine network, none", Agent, { machineNetwork: UNKNOWN }, {}, []],
    [
      "the API server port that is reserved for old clusters",
      AWS,
      { apiServerPort: 443 },
      {},
      [
        "topology.apiServerPort  443 is reserved for old clusters: HyperShift then serves the API at a different port than the cluster sees: leave it out, or write another port",
      ],
    ],
    ["another API server port, none", AWS, { apiServerPort: 7443 }, {}, []],
    [
      "a cluster that a destroy deletes",
      AWS,
      {},
      { deletable: true },
      [
        "deletable  true: a destroy deletes the HostedCluster, and with it the control plane, etcd and the machines of its NodePools: leave it out if you do not want that",
      ],
    ],
    ["a cluster that a destroy does not delete, none", AWS, {}, { deletable: false }, []],
    [
      "a list of allowed CIDR blocks that restricts nothing",
      AWS,
      { endpointAccess: "Private", managementClusterNatCidrs: ["198.51.100.1/32"] },
      { allowedCidrBlocks: ["198.51.100.0/24"] },
      [
        "allowedCidrBlocks  restricts public load balancers, and a cluster with Private access has none: restrict callers in the security group of the private endpoint",
      ],
    ],
  ])("%s", (_, platform, topology, more, lines) => {
    expect(warningsOn(platform, topology, more)).toEqual(lines);
  });

  test("omitted at a path that has a fault, and kept elsewhere", () => {
    const topology = {
      services: { apiServer: { type: "Route" } },
      clusterNetwork: [{ cidr: "8.0.0.0/14" }],
    };
    const { faults, warnings } = judgeHostedCluster(inputsOn(KubeVirt, topology));
    expect(faults.map(({ path }) => path)).toEqual(["topology.services.apiServer.hostname"]);
    expect(warnings.map(({ path }) => path)).toEqual(["topology.clusterNetwork[0].cidr"]);
  });
});
