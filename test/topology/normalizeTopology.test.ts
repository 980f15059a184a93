import * as pulumi from "@pulumi/pulumi";
import { UNKNOWN } from "../../src/resources/resource";
import {
  EndpointAccess,
  NetworkType,
  Platform,
  PublishingType,
  Service,
} from "../../src/requirements/vocabulary";
import { faultsOf, least, machines, normal, warningsOf } from "./topologies";
import { isUnknown } from "../../src/topology/normalizedTopology";
import { normalizeTopology, topologyProperties } from "../../src/topology/normalizeTopology";
import { overlapsOf } from "../../src/topology/reservedRanges";

describe("defaults of a topology", () => {
  test("are those of the documents and of HyperShift", () => {
    const topology = normal({});
    expect(topology).toMatchObject({
      namespace: "clusters",
      controlPlaneNamespace: "clusters-tenant-a",
      platform: Platform.AWS,
      endpointAccess: EndpointAccess.Public,
      networkType: NetworkType.OVNKubernetes,
      bootstrap: true,
      unknown: [],
    });
    expect(topology.release).toBeUndefined();
    expect(topology.clusterNetwork.map(({ prefix, hostPrefix }) => `${prefix.text} ${hostPrefix}`)).toEqual([
      "10.132.0.0/14 23",
    ]);
    expect(topology.serviceNetwork.join()).toBe("172.31.0.0/16");
    expect(topology.machineNetwork).toEqual([]);
    expect(topology.services[Service.APIServer]).toEqual({ type: PublishingType.LoadBalancer });
    expect(topology.services[Service.Ignition]).toEqual({ type: PublishingType.Route });
  });

  test("are listed as defaults", () => {
    expect(normal({}).defaulted).toEqual(expect.arrayContaining(["clusterNetwork", "serviceNetwork"]));
    expect(normal({ serviceNetwork: [{ cidr: "172.31.0.0/16" }] }).defaulted).not.toContain("serviceNetwork");
  });

  test("the workers' addresses are those of the machine network", () => {
    expect(normal(machines).workerCidrs.join()).toBe("10.0.0.0/16");
    expect(normal({ ...machines, workerCidrs: ["10.0.1.0/24"] }).workerCidrs.join()).toBe("10.0.1.0/24");
  });

  test("an API server with a host name and no strategy is published by Route", () => {
    const { services } = normal({ services: { apiServer: { hostname: "api.example.com" } } });
    expect(services[Service.APIServer].type).toBe(PublishingType.Route);
  });

  test("the endpoint is private on GCP, and services are published by NodePort on Agent", () => {
    expect(normal({ platform: "GCP" }).endpointAccess).toBe(EndpointAccess.Private);
    expect(normal({ platform: "Agent" }).services[Service.APIServer].type).toBe(PublishingType.NodePort);
  });
});

describe("values that are not plain", () => {
  test.each([
    ["an Output", () => pulumi.output("10.0.0.0/16")],
    ["an Output", () => pulumi.secret("10.0.0.0/16")],
    ["a Promise", () => Promise.resolve("10.0.0.0/16")],
    ["a function", () => () => "10.0.0.0/16"],
    ["a symbol", () => Symbol("x")],
    ["a Map", () => new Map()],
  ])("%s is refused at its path", (kind, make) => {
    const [fault, ...others] = faultsOf({ machineNetwork: [{ cidr: make() }] });
    expect(others).toEqual([]);
    expect(fault).toContain(`topology.machineNetwork[0].cidr  ${kind} is not a plain value`);
  });

  test("an Output for the whole topology is refused", () => {
    expect(normalizeTopology(pulumi.output(least)).faults.map(({ path }) => path)).toEqual(["topology"]);
  });

  test("an object that contains itself is refused, one that is used twice is not", () => {
    const services: Record<string, unknown> = {};
    services.apiServer = services;
    expect(faultsOf({ services })).toEqual([
      expect.stringContaining("services.apiServer  the object contains itself"),
    ]);
    const route = { type: "Route" };
    expect(faultsOf({ services: { konnectivity: route, ignition: route } })).toEqual([]);
  });

  test.each([undefined, null, 7, "AWS", []])("%p is refused as a topology", (raw) => {
    const { topology, faults } = normalizeTopology(raw, "hostedClusters[2]");
    expect(topology).toBeUndefined();
    expect(faults.map(({ path }) => path)).toEqual(["hostedClusters[2]"]);
  });
});

describe("one fault, with its path and fix, for", () => {
  test.each([
    [{ name: undefined }, "topology.name  missing: write the name of the HostedCluster"],
    [{ name: "Tenant_A" }, 'topology.name  "Tenant_A" is not a Kubernetes name'],
    [{ name: "a".repeat(56) }, "the namespace of the control plane, has 65 characters"],
    [{ namespace: "-" }, 'topology.namespace  "-" is not a Kubernetes name'],
    [{ platform: undefined }, "topology.platform  missing: write one of AWS, Azure"],
    [{ platform: "aws" }, 'topology.platform  "aws" is not one of'],
    [{ platform: "aws" }, "did you mean AWS?"],
    [{ release: 4.2 }, "topology.release  4.2 is a number, and as numbers 4.20 and 4.2 are the same"],
    [{ release: "next" }, 'topology.release  "next" is not a release'],
    [{ machineNetworks: [] }, "topology.machineNetworks  no such property: did you mean machineNetwork?"],
    [{ colour: "red" }, "topology.colour  no such property: the properties are name, namespace"],
    [{ machineNetwork: "10.0.0.0/16" }, 'topology.machineNetwork  "10.0.0.0/16" is not a list: write a list'],
    [{ machineNetwork: ["10.0.0.0/16"] }, 'topology.machineNetwork[0]  "10.0.0.0/16" is not an object'],
    [{ machineNetwork: [{ cidr: "10.0.0.0" }] }, "topology.machineNetwork[0].cidr  10.0.0.0 has no mask"],
    [{ machineNetwork: [{ cidr: "10.0.0.1/16" }] }, "write 10.0.0.0/16"],
    [{ machineNetwork: [{}] }, "topology.machineNetwork[0].cidr  missing: write a CIDR block"],
    [{ machineNetwork: [] }, "topology.machineNetwork  has 0 entries"],
    [{ workerCidrs: ["10.0.0.0/16", null] }, "topology.workerCidrs[1]  missing: write a CIDR block"],
    [{ workerCidrs: [{ cidr: "10.0.0.0/16" }] }, "topology.workerCidrs[0]"],
    [{ infrastructureCidrs: [{ cidr: "10.9.0.0/16" }] }, "topology.infrastructureCidrs[0].name  missing"],
    [{ infrastructureCidrs: [{ name: "peer" }] }, "topology.infrastructureCidrs[0].cidr  missing"],
    [{ loadBalancerTargets: "instances" }, "did you mean instance?"],
    [{ bootstrap: "no" }, 'topology.bootstrap  "no" is neither true nor false'],
    [{ advertiseAddress: "172.20.0.1/32" }, "topology.advertiseAddress"],
    [{ networkType: "Calicoo" }, "did you mean Calico?"],
    [
      { networkType: "OpenShiftSDN", release: "4.17" },
      "topology.networkType  release 4.17 has no OpenShift SDN any more, and the cluster gets no network: write OVNKubernetes",
    ],
  ])("%j", (raw, expected) => {
    const faults = faultsOf(raw);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(expected);
  });

  test("all faults are reported at once, without a topology", () => {
    const { topology, faults } = normalizeTopology({
      name: "UPPER",
      platform: "Azur",
      release: 4.2,
      services: { ignition: { type: "Rout" }, konectivity: {} },
      machineNetwork: [{ cidr: "10.0.0.0" }],
      dnsServerCidrs: ["10.0.0.2"],
    });
    expect(topology).toBeUndefined();
    expect(faults.map(({ path }) => path).sort()).toEqual([
      "topology.dnsServerCidrs[0]",
      "topology.machineNetwork[0].cidr",
      "topology.name",
      "topology.platform",
      "topology.release",
      "topology.services.ignition.type",
      "topology.services.konectivity",
    ]);
  });
});

describe("address families (HyperShift compares the first entries)", () => {
  const v4 = { clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: [{ cidr: "172.30.0.0/16" }] };
  const dual = {
    clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }],
    serviceNetwork: [{ cidr: "172.30.0.0/16" }, { cidr: "fd02::/112" }],
  };
  test.each([
    [v4, []],
    [dual, []],
    [{ ...dual, machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd03::/64" }] }, []],
    [{ ...v4, machineNetwork: [{ cidr: "fd03::/64" }] }, ["topology.machineNetwork"]],
    [{ ...v4, serviceNetwork: [{ cidr: "fd02::/112" }] }, ["topology.serviceNetwork"]],
    [{ ...dual, serviceNetwork: v4.serviceNetwork }, ["topology.serviceNetwork"]],
    [{ ...v4, clusterNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "10.1.0.0/16" }] }, []],
    [
      { ...dual, clusterNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "10.1.0.0/16" }] },
      ["topology.serviceNetwork"],
    ],
    [
      { machineNetwork: [{ cidr: "10.0.0.0/24" }, { cidr: "fd03::/64" }, { cidr: "10.2.0.0/24" }] },
      ["topology.machineNetwork"],
    ],
  ])("faults of %j", (raw, paths) => {
    expect(normalizeTopology({ ...least, ...raw }).faults.map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    ["10.128.0.0/14", 23, undefined],
    ["10.128.0.0/14", 14, "/14 is not part of 10.128.0.0/14"],
    ["10.128.0.0/24", undefined, "/23 is not part of 10.128.0.0/24"],
    ["10.128.0.0/14", 33, "33 is not a prefix length"],
    ["10.128.0.0/14", "23", '"23" is not a prefix length'],
  ])(
    "the cluster network %s with host prefix %p is accepted or refused with the reason",
    (cidr, hostPrefix, problem) => {
      const faults = faultsOf({ clusterNetwork: [{ cidr, hostPrefix }] });
      expect(faults.length).toBe(problem ? 1 : 0);
      if (problem) expect(faults[0]).toContain(problem);
    },
  );

  test("OVN-Kubernetes accepts only 64 as IPv6 host prefix", () => {
    const six = { machineNetwork: [{ cidr: "fd03::/64" }], serviceNetwork: [{ cidr: "fd02::/112" }] };
    expect(normal({ ...six, clusterNetwork: [{ cidr: "fd01::/48" }] }).clusterNetwork[0]!.hostPrefix).toBe(
      64,
    );
    expect(faultsOf({ ...six, clusterNetwork: [{ cidr: "fd01::/48", hostPrefix: 60 }] })).toHaveLength(1);
  });
});

describe("the port of the API server", () => {
  test("is the stated one, and undefined by default", () => {
    expect(normal({ apiServerPort: 7443 }).apiServerPort).toBe(7443);
    expect(normal({}).apiServerPort).toBeUndefined();
  });

  test.each([0, 65536, 6443.5, "6443"])("cannot be %p", (apiServerPort) => {
    expect(faultsOf({ apiServerPort })).toEqual([
      expect.stringMatching(
        /^topology.apiServerPort .* is not a port: write a whole number from 1 to 65535$/,
      ),
    ]);
  });

  test("may be unknown", () => {
    expect(normal({ apiServerPort: UNKNOWN }).unknown).toContain("apiServerPort");
  });
});

describe("endpoint access", () => {
  test.each([
    ["AWS", "Private", undefined],
    ["Azure", "PublicAndPrivate", undefined],
    ["GCP", "Private", undefined],
    ["GCP", "Public", "Public does not exist on GCP: write Private or PublicAndPrivate"],
    ["Agent", "Public", "Agent has no such choice: leave it out"],
    ["AWS", "private", "did you mean Private?"],
  ])("on %s: %s is accepted or refused with the reason", (platform, endpointAccess, problem) => {
    const faults = faultsOf({ platform, endpointAccess });
    expect(faults.length).toBe(problem ? 1 : 0);
    if (problem) expect(faults[0]).toContain(problem);
  });
});

test("M5 bootstrap: false is refused if ignition shares the router's port, and accepted with node ports", () => {
  expect(faultsOf({ bootstrap: false })).toEqual([
    expect.stringContaining("topology.bootstrap  false closes nothing"),
  ]);
  expect(faultsOf({ platform: "None", bootstrap: false })).toEqual([]);
});

describe("proxies", () => {
  const secret = "hunter2";
  test.each([
    [{ httpProxy: `http://me:${secret}@proxy.example.com:3128` }, 0],
    [{ httpsProxy: `https://me:${secret}@proxy.example.com:3128`, noProxy: ".example.com" }, 0],
    [{ httpProxy: `https://me:${secret}@proxy.example.com` }, 1],
    [{ httpsProxy: `socks5://me:${secret}@proxy.example.com` }, 1],
    [{ httpsProxy: `me:${secret}@proxy.example.com:3128` }, 1],
    [{ noProxy: [secret] }, 1],
    [{ httpProxy: { url: secret } }, 1],
  ])("faults never show the settings: %#", (proxy, count) => {
    const faults = faultsOf({ proxy });
    expect(faults).toHaveLength(count);
    expect(faults.join()).not.toContain(secret);
  });
});

describe("unknown values", () => {
  test("are listed, and not replaced by defaults", () => {
    const topology = normal({
      release: UNKNOWN,
      machineNetwork: UNKNOWN,
      serviceNetwork: [{ cidr: UNKNOWN }],
      services: { konnectivity: { type: UNKNOWN }, ignition: UNKNOWN },
    });
    expect(topology.serviceNetwork).toEqual([]);
    expect(topology.services[Service.Konnectivity].type).toBeUndefined();
    expect(topology.services[Service.Ignition].type).toBeUndefined();
    expect([...new Set(topology.unknown)].sort()).toEqual([
      "machineNetwork",
      "release",
      "serviceNetwork[0].cidr",
      "services.ignition",
      "services.konnectivity.type",
      "workerCidrs",
    ]);
    expect(isUnknown(topology, "serviceNetwork")).toBe(true);
    expect(isUnknown(topology, "services")).toBe(true);
    expect(isUnknown(topology, "services.ignition.type")).toBe(true);
    expect(isUnknown(topology, "clusterNetwork")).toBe(false);
  });

  test("an unknown platform results in no topology and no fault", () => {
    expect(normalizeTopology({ name: "a", platform: UNKNOWN })).toEqual({ faults: [], warnings: [] });
  });

  test("are accepted for every property", () => {
    for (const property of topologyProperties)
      expect(normalizeTopology({ ...least, [property]: UNKNOWN }).faults).toEqual([]);
  });
});

test("an API server's Route without a host name is only a warning if HyperShift's controller accepts it", () => {
  const services = { apiServer: { type: "Route" } };
  expect(warningsOf({ platform: "KubeVirt", services })).toEqual([
    expect.stringContaining("services.apiServer.hostname"),
  ]);
  expect(faultsOf({ services })).toEqual([expect.stringContaining("needs a host name")]);
});

test("M5 a private cluster must not have every address as client", () => {
  const raw = { endpointAccess: "Private", externalClientCidrs: ["10.0.0.0/8", "0.0.0.0/0"] };
  expect(faultsOf(raw)).toEqual([
    expect.stringContaining("topology.externalClientCidrs  0.0.0.0/0 includes every address"),
  ]);
  expect(faultsOf({ ...raw, endpointAccess: "PublicAndPrivate" })).toEqual([]);
});

test("one fault hides no other: the readable topology can still be judged", () => {
  const raw = { ...least, proxy: { httpProxy: "proxy" }, machineNetwork: [{ cidr: "10.132.0.0/16" }] };
  const { topology, readable } = normalizeTopology(raw);
  expect(topology).toBeUndefined();
  expect(readable && overlapsOf(readable).map(({ range }) => range.path)).toEqual(["machineNetwork[0].cidr"]);
  expect(normalizeTopology({ ...raw, platform: "Aws" }).readable).toBeUndefined();
  expect(normalizeTopology(least)).toMatchObject({ topology: normal({}), readable: normal({}) });
});

describe("stated values of a topology", () => {
  test("are kept for proxies, including empty strings", () => {
    const proxy = { httpProxy: "http://a:1", httpsProxy: "https://a:2", noProxy: ".svc" };
    expect(normal({ proxy }).proxy).toEqual(proxy);
    expect(normal({ proxy: { httpProxy: "" } }).proxy).toEqual({ httpProxy: "" });
    expect(normal({ proxy: { noProxy: "" } }).proxy).toEqual({ noProxy: "" });
    expect(normal({ proxy: { httpsProxy: "http://a" } }).proxy).toEqual({ httpsProxy: "http://a" });
    expect(normal({})).not.toHaveProperty("proxy");
    expect(normal({})).not.toHaveProperty("apiServerPort");
  });

  test("are accepted at their limits", () => {
    expect([1, 65535].map((apiServerPort) => normal({ apiServerPort }).apiServerPort)).toEqual([1, 65535]);
    expect(normal({ name: "a".repeat(54) }).controlPlaneNamespace).toHaveLength(63);
    expect(
      normal({ clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 30 }] }).clusterNetwork[0]?.hostPrefix,
    ).toBe(30);
    const services = (nodePort: number) => ({
      platform: "None",
      services: { apiServer: { type: "NodePort", nodePort } },
    });
    expect([30000, 32767].map((port) => normal(services(port)).services.APIServer.nodePort)).toEqual([
      30000, 32767,
    ]);
    const named = (hostname: string) => normal({ services: { apiServer: { type: "Route", hostname } } });
    const longest = `${"a.".repeat(125)}com`;
    expect(named(longest).services.APIServer.hostname).toBe(longest);
  });

  test("are treated as absent if they are null", () => {
    const { defaulted, unknown, ...topology } = normal({});
    const nothing = Object.fromEntries(
      topologyProperties.filter((name) => !(name in least)).map((name) => [name, null]),
    );
    const { defaulted: alike, unknown: none, ...same } = normal(nothing);
    expect(same).toEqual(topology);
    expect([alike, none]).toEqual([defaulted, unknown]);
  });

  test("are read into the list of the same name", () => {
    const lists = [
      "loadBalancerSubnetCidrs",
      "workerNatCidrs",
      "workerCidrs",
      "externalClientCidrs",
      "managementClusterCidrs",
      "managementClusterNatCidrs",
      "controlPlaneEndpointCidrs",
      "dnsServerCidrs",
      "registryCidrs",
    ] as const;
    const raw = Object.fromEntries(lists.map((list, position) => [list, [`192.0.2.${position}/32`]]));
    const topology = normal(raw);
    expect(lists.map((list) => topology[list].join())).toEqual(
      lists.map((_, position) => `192.0.2.${position}/32`),
    );
    expect(topology.defaulted).not.toContain("workerCidrs");
    expect(normal({}).defaulted).toContain("workerCidrs");
  });

  test("are told apart from defaults for each service", () => {
    const { defaulted } = normal({ services: { apiServer: { type: "LoadBalancer" } } });
    expect(defaulted.filter((property) => property.startsWith("services"))).toEqual([
      "services.oauthServer",
      "services.konnectivity",
      "services.ignition",
    ]);
  });

  test("are not replaced by defaults for an unknown service", () => {
    const { services, unknown } = normalizeTopology({
      ...least,
      services: { apiServer: { type: UNKNOWN } },
    }).topology!;
    expect(services.APIServer).toEqual({});
    expect(unknown).toEqual(["services.apiServer.type"]);
  });
});
