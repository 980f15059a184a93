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
      "says what the topology says",
      own,
      fragment({ internalJoinSubnet: join }),
      [
        `${AT}.internalJoinSubnet  "${join}" is not topology.internalJoinSubnet, which is "100.98.0.0/16": ${SAME}`,
      ],
    ],
    [
      "is one",
      {},
      { ovnSubnets: {} },
      ["ovnSubnets  is not a fragment: use the fragment of an OvnSubnetConfig"],
    ],
    ["is one, and no text", {}, fragment(join), [expect.stringContaining("is not a fragment")]],
    [
      "is judged at its own place",
      {},
      fragment(inMachines),
      [expect.stringMatching(/^ovnSubnets\..*\.internalJoinSubnet {2}10\.0\.0\.0\/16 overlaps/)],
    ],
    [
      "is judged at the topology's where that says it",
      inMachines,
      fragment(inMachines),
      [expect.stringMatching(/^topology\.internalJoinSubnet {2}10\.0\.0\.0\/16 overlaps/)],
    ],
    ["may be absent", own, { ovnSubnets: null }, []],
    ["may be unknown", own, { ovnSubnets: UNKNOWN }, []],
    ["may be unknown in part", own, { ovnSubnets: { operatorConfiguration: UNKNOWN } }, []],
    ["may hold what is not known", own, fragment({ internalJoinSubnet: UNKNOWN }), []],
    [
      "may say what the topology does not know",
      { internalJoinSubnet: UNKNOWN },
      fragment({ internalJoinSubnet: join }),
      [],
    ],
  ])("%s", (_, topology, more, lines) => {
    expect(faultsOn(AWS, topology, more)).toEqual(lines);
  });

  test.each([UNKNOWN, { operatorConfiguration: UNKNOWN }])(
    "is not known: neither are its subnets",
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
      "comes in a fragment",
      {},
      { proxy: {} },
      ["proxy  is not a fragment: use the fragment of a ProxyConfig"],
    ],
    [
      "comes in a fragment, and not as a text",
      {},
      fragment(url),
      [expect.stringContaining("is not a fragment")],
    ],
    [
      "has a URL",
      { proxy: { noProxy: ".example.com" } },
      {},
      ["topology.proxy  names neither httpProxy nor httpsProxy: write at least one of the two"],
    ],
    [
      "is the same in both places",
      { proxy: { ...proxy, noProxy: ".example.com" } },
      fragment({ httpProxy: url, httpsProxy: "http://other.example.com:3128" }),
      [
        `${AT}.httpsProxy  is not topology.proxy.httpsProxy: ${SAME}`,
        `${AT}.noProxy  is not topology.proxy.noProxy: ${SAME}`,
      ],
    ],
    [
      "is judged in each place",
      {},
      fragment({ httpProxy: "ftp://proxy.example.com", httpsProxy: "proxy", noProxy: "a b" }),
      ["httpProxy", "httpsProxy", "noProxy"].map(
        (name) => expect.stringContaining(`${AT}.${name}  `) as string,
      ),
    ],
    [
      "with blanks that mean nothing",
      { proxy: { ...proxy, noProxy: ".example.com, .example.org" } },
      fragment({ ...proxy, noProxy: ".example.com,.example.org" }),
      [],
    ],
    ["may say more in the fragment", { proxy: { httpProxy: url } }, fragment(proxy), []],
    ["may not be known", { proxy }, { proxy: UNKNOWN }, []],
    ["may not be known in part", { proxy }, { proxy: { configuration: UNKNOWN } }, []],
    ["may have settings that are not known", { proxy }, fragment(UNKNOWN), []],
    ["may have a URL that is not known", { proxy }, fragment({ ...proxy, httpProxy: UNKNOWN }), []],
    [
      "may have one that the topology does not know",
      { proxy: { ...proxy, httpProxy: UNKNOWN } },
      fragment(proxy),
      [],
    ],
  ])("%s", (_, topology, more, lines) => {
    expect(faultsOn(AWS, topology, more)).toEqual(lines);
  });

  test("is warned about by the topology alone where no fragment says it", () => {
    const warned = (more: object = {}) => warningsOn(AWS, { proxy: { httpProxy: url } }, more).length;
    expect(warned()).toBeGreaterThan(0);
    expect(warned(fragment({ httpProxy: url }))).toBe(0);
    expect(warningsOn(AWS)).toEqual([]);
  });

  test("has its trust bundle in one place", () => {
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

describe("settings beside the topology", () => {
  test.each<[string, object, object, readonly string[]]>([
    [
      "an MTU is a number",
      {},
      { mtu: 575 },
      ["mtu  575 is not from 576 to 9216: write a whole number from 576 to 9216"],
    ],
    [
      "an MTU belongs to OVN-Kubernetes",
      { networkType: "Calico" },
      { mtu: 575 },
      ["mtu  a network of type Calico has no such setting: leave it out"],
    ],
    [
      "a switch is true or false, and then nothing else is said of it",
      {},
      { allocateNodeCidrs: "yes", disableMultiNetwork: "yes" },
      [
        'allocateNodeCidrs  "yes" is neither true nor false: write true or false, without quotes',
        'disableMultiNetwork  "yes" is neither true nor false: write true or false, without quotes',
      ],
    ],
    [
      "a switch of another network type",
      {},
      { allocateNodeCidrs: true },
      [
        "allocateNodeCidrs  is only valid with the network type Other, and this one is OVNKubernetes: leave it out",
      ],
    ],
    [
      "a namespace is that of the topology",
      { namespace: "a" },
      { namespace: "b" },
      [`namespace  "b" is not topology.namespace, which is "a": ${SAME}`],
    ],
    ["the same one is no fault", { namespace: "a" }, { namespace: "a" }, []],
    ["one that is not known is none", { namespace: "a" }, { namespace: UNKNOWN }, []],
    [
      "a namespace is a name, and said once if it is none",
      {},
      { namespace: "My Clusters" },
      [
        'namespace  "My Clusters" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
      ],
    ],
  ])("%s", (_, topology, more, lines) => {
    expect(faultsOn(AWS, topology, more)).toEqual(lines);
  });

  test("the topology is judged with its faults alone", () => {
    expect(faultsOn(AWS, {}, { topology: "all" })).toEqual([expect.stringMatching(/^topology {2}/)]);
    expect(judgeHostedCluster(inputsOn(AWS, {}, { mtu: 575 })).topology).toBeUndefined();
    expect(judgeHostedCluster(inputsOn(AWS, {}, { mtu: 576 })).topology).toMatchObject({ name: "tenant-a" });
  });
});

describe("where services are reached", () => {
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
  ])("on %s with %j", (platform, services, lines) => {
    const address = "192.0.2.10";
    const others = ["apiServer", "oauthServer", "konnectivity", "ignition"].map((name) => [
      name,
      { type: "NodePort", address },
    ]);
    const byPort = platform === None ? (Object.fromEntries(others) as object) : {};
    expect(faultsOn(platform, { services: { ...byPort, ...services } })).toEqual(lines);
  });
});

describe("warnings", () => {
  test.each<[string, Platform, object, object, readonly string[]]>([
    [
      "a cluster without machines",
      Agent,
      { machineNetwork: undefined },
      {},
      [
        "topology.machineNetwork  missing: HyperShift creates no security group for workers on AWS, and requests to machines go through the proxy if there is one: write the CIDR blocks of the machines: a cluster without them cannot determine later where its machines are",
      ],
    ],
    ["machines that are not known", Agent, { machineNetwork: UNKNOWN }, {}, []],
    [
      "the port of old clusters",
      AWS,
      { apiServerPort: 443 },
      {},
      [
        "topology.apiServerPort  443 is reserved for old clusters: HyperShift then serves the API at a different port than the cluster sees: leave it out, or write another port",
      ],
    ],
    ["another port", AWS, { apiServerPort: 7443 }, {}, []],
    [
      "a cluster that a destroy deletes",
      AWS,
      {},
      { deletable: true },
      [
        "deletable  true: a destroy deletes the HostedCluster, and with it the control plane, etcd and the machines of its NodePools: leave it out if you do not want that",
      ],
    ],
    ["a cluster that it does not delete", AWS, {}, { deletable: false }, []],
    [
      "a list of callers that restricts nothing",
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

  test("are left out where a fault is said of the same place, and stay elsewhere", () => {
    const topology = {
      services: { apiServer: { type: "Route" } },
      clusterNetwork: [{ cidr: "8.0.0.0/14" }],
    };
    const { faults, warnings } = judgeHostedCluster(inputsOn(KubeVirt, topology));
    expect(faults.map(({ path }) => path)).toEqual(["topology.services.apiServer.hostname"]);
    expect(warnings.map(({ path }) => path)).toEqual(["topology.clusterNetwork[0].cidr"]);
  });
});
