import { describeFaults } from "../../src/fault";
import { immutableChanges } from "../../src/hostedCluster/changes";
import { sameValue, type StatedSpec } from "../../src/objects/specChange";
import { Platform } from "../../src/requirements/vocabulary";
import { UNKNOWN } from "../../src/resources/resource";

const before = {
  platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "Public" } },
  networking: {
    networkType: "OVNKubernetes",
    clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    machineNetwork: [{ cidr: "10.0.0.0/16" }],
  },
  services: [{ service: "APIServer", servicePublishingStrategy: { type: "LoadBalancer" } }],
  operatorConfiguration: {
    clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "100.99.0.0/16" } } },
  },
  configuration: { proxy: { httpProxy: "http://a.example.com:3128" } },
  dns: { baseDomain: "example.com" },
};
type Spec = typeof before;

/** The spec as a server returns it, with added defaults and possibly another order of keys. */
const live = (spec: object) => ({ fips: false, issuerURL: "https://kubernetes.default.svc", ...spec });
const refused = (
  next: object,
  { platform = Platform.AWS, spec = before }: { platform?: Platform; spec?: object } = {},
) => immutableChanges({ inputs: spec, outputs: live(spec) } as StatedSpec, next as never, platform);
const paths = (...of: Parameters<typeof refused>) => refused(...of).map(({ path }) => path);
const networking = (more: object): Spec => ({ ...before, networking: { ...before.networking, ...more } });
const ovn = (config: object | undefined) => ({
  ...before,
  operatorConfiguration: config && { clusterNetworkOperator: { ovnKubernetesConfig: config } },
});

test("M2 refuses a change of an immutable field with its name, both values and what it would destroy", () => {
  const faults = refused(networking({ clusterNetwork: [{ cidr: "10.136.0.0/14", hostPrefix: 23 }] }));
  expect(describeFaults("HostedClusterNetwork tenant-a", faults)).toBe(
    `HostedClusterNetwork tenant-a: 1 fault
  spec.networking.clusterNetwork  is [{"cidr":"10.132.0.0/14","hostPrefix":23}] and can never change: for [{"cidr":"10.136.0.0/14","hostPrefix":23}] a new HostedCluster in its place would destroy the control plane, etcd with all that the API holds, and the machines of the NodePools: keep the current value in topology.clusterNetwork`,
  );
});

describe("M2 the message of a refused change", () => {
  const DESTROYS =
    "a new HostedCluster in its place would destroy the control plane, etcd with all that the API holds, and the machines of the NodePools";
  const { machineNetwork: _, ...withoutMachines } = before.networking;
  const azure = (topology?: string) => ({ platform: { type: "Azure", azure: { topology } } });
  const machines = '[{"cidr":"10.0.0.0/16"}]';
  const WITHOUT_MACHINES =
    "should not be removed: the API server accepts that, but HyperShift then has no range of the nodes for noProxy and for the security groups on AWS";

  test.each<[string, object, object, Platform, object]>([
    [
      "for a field that is added",
      before,
      networking({ apiServer: { port: 7443 } }),
      Platform.AWS,
      {
        path: "spec.networking.apiServer.port",
        problem: `can only be set when the cluster is created, and 7443 is not its current value in HostedCluster tenant-a: ${DESTROYS}`,
        remedy: "leave it out in topology.apiServerPort",
        why: "can only be set when the cluster is created, and 7443 is not its current value",
        wayOut: "leave it out",
      },
    ],
    [
      "for a field that is removed",
      networking({ serviceNetwork: [{ cidr: "172.30.0.0/16" }] }),
      networking({ serviceNetwork: undefined }),
      Platform.AWS,
      {
        path: "spec.networking.serviceNetwork",
        problem: `is in HostedCluster tenant-a [{"cidr":"172.30.0.0/16"}] and cannot be removed: ${DESTROYS}`,
        remedy: "keep the current value in topology.serviceNetwork",
        why: "cannot be removed",
        wayOut: "keep the current value",
      },
    ],
    [
      "for a field whose removal the server accepts, with its effect",
      before,
      { ...before, networking: withoutMachines },
      Platform.AWS,
      {
        path: "spec.networking.machineNetwork",
        problem: `is in HostedCluster tenant-a ${machines} and ${WITHOUT_MACHINES}`,
        remedy: "keep the current value in topology.machineNetwork",
        why: WITHOUT_MACHINES,
        wayOut: "keep the current value",
      },
    ],
    [
      "for access on Azure",
      azure(),
      azure("Private"),
      Platform.Azure,
      {
        path: "spec.platform.azure.topology",
        problem: `is in HostedCluster tenant-a Public and cannot change to Private: ${DESTROYS}`,
        remedy: "keep the current value in topology.endpointAccess",
        why: "cannot change to Private",
        wayOut: "keep the current value",
      },
    ],
    [
      "for a field that may be secret, without its values",
      before,
      { ...before, dns: { baseDomain: "example.org" } },
      Platform.AWS,
      {
        path: "spec.dns.baseDomain",
        problem: `can never change: for another value ${DESTROYS}`,
        remedy: "keep the current value in additionalSpecJson dns.baseDomain",
        why: "can never change",
        wayOut: "keep the current value",
      },
    ],
  ])("%s", (_fact, spec, next, platform, change) => {
    const state = { inputs: spec, outputs: spec } as StatedSpec;
    expect(immutableChanges(state, next as never, platform, " in HostedCluster tenant-a")).toEqual([change]);
  });

  test("truncates values after 120 characters, and marks unknown parts", () => {
    const problemOf = (cidr: unknown, hostPrefix: unknown = 24) =>
      refused(networking({ clusterNetwork: [{ cidr, hostPrefix }] }))[0]?.problem;
    // The length of the rest of the value: keys, brackets and the host prefix.
    const short = JSON.stringify([{ cidr: "", hostPrefix: 24 }]).length;
    const [fits, longer] = [120, 121].map((length) => "1".repeat(length - short));
    expect(problemOf(fits)).toContain(`for [{"cidr":"${fits}","hostPrefix":24}] a new`);
    expect(problemOf(longer)).toMatch(/for \[\{"cidr":"1+","hostPrefix":\.\.\. a new/);
    expect(problemOf("10.136.0.0/14", UNKNOWN)).toContain('"hostPrefix":"not known"}]');
  });
});

describe("M2 of a long list, the message shows the first entry that differs:", () => {
  const by = (service: string, servicePublishingStrategy: object = { type: "Route" }) => ({
    service,
    servicePublishingStrategy,
  });
  const four = ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((name) => by(name));
  const said = (from: readonly object[], to: readonly object[]) =>
    refused({ ...before, services: to }, { spec: { ...before, services: from } })[0]?.problem.replace(
      / a new HostedCluster.*/,
      "",
    );
  const route = (service: string) => `{"service":"${service}","servicePublishingStrategy":{"type":"Route"}}`;
  const named = (hostname: string) => by("Ignition", { type: "Route", route: { hostname } });

  test.each<[string, readonly object[], readonly object[], string]>([
    [
      "one that is added",
      four,
      [...four, by("OVNSbDb")],
      `has no entry 5 and can never change: to add ${route("OVNSbDb")}`,
    ],
    [
      "one that is removed",
      [...four, by("OVNSbDb")],
      four,
      `has ${route("OVNSbDb")} as entry 5 and can never change: without it`,
    ],
    [
      "one that is changed",
      four,
      [...four.slice(0, 2), by("Konnectivity", { type: "S3" }), by("Ignition", { type: "S3" })],
      `has ${route("Konnectivity")} as entry 3 and can never change: for {"service":"Konnectivity","servicePublishingStrategy":{"type":"S3"}}`,
    ],
    [
      "one in another order",
      four,
      [...four].reverse(),
      `has ${route("APIServer")} as entry 1 and can never change: for ${route("Ignition")}`,
    ],
    [
      "one that differs after 120 characters",
      [...four.slice(1), named(`${"a".repeat(100)}.example.com`)],
      [...four.slice(1), named(`${"a".repeat(100)}.example.org`)],
      `has ...${"a".repeat(31)}.example.com"}}} as entry 4 and can never change: for ...${"a".repeat(31)}.example.org"}}}`,
    ],
  ])("%s", (_, from, to, problem) => expect(said(from, to)).toBe(problem));

  test("an entry to which the server added a default is no difference", () => {
    const live = four.map((entry) => ({ ...entry, added: true }));
    expect(said(live, [...four, by("OIDC")])).toBe(
      `has no entry 5 and can never change: to add ${route("OIDC")}`,
    );
  });
});

describe("M2 annotations of a service's load balancer, which some API versions do not know", () => {
  const services = (annotation: unknown, type = "LoadBalancer") => ({
    ...before,
    services: [
      {
        service: "APIServer",
        servicePublishingStrategy: { type, loadBalancer: { serviceAnnotations: { a: annotation } } },
      },
    ],
  });

  test("can change, but nothing else of the service", () => {
    const spec = services("1");
    for (const annotation of ["2", UNKNOWN]) expect(refused(services(annotation), { spec })).toEqual([]);
    const [fault] = refused(services("2", "Route"), { spec });
    expect(fault).toMatchObject({ path: "spec.services" });
    expect(fault!.problem).not.toContain("serviceAnnotations");
  });
});

describe("M2 the prefix of the base domain", () => {
  const prefix = (baseDomainPrefix?: unknown) => ({ ...before, dns: { ...before.dns, baseDomainPrefix } });

  test.each([
    ["", "x"],
    ["x", ""],
  ])("cannot change from %j to %j: an empty one is a value", (from, to) => {
    expect(paths(prefix(to), { spec: prefix(from) })).toEqual(["spec.dns.baseDomainPrefix"]);
  });

  test.each([
    [undefined, ""],
    [undefined, "x"],
    ["", ""],
    ["", UNKNOWN],
    [UNKNOWN, "x"],
  ])("can change from %p to %p, or may", (from, to) => {
    expect(paths(prefix(to), { spec: prefix(from) })).toEqual([]);
  });
});

describe("M2 an unknown value is not a change:", () => {
  const pods = (cidr: unknown, hostPrefix: unknown = 23) =>
    networking({ clusterNetwork: [{ cidr, hostPrefix }] });

  test.each<[string, object]>([
    ["a field", networking({ clusterNetwork: UNKNOWN })],
    ["an entry of a list", networking({ clusterNetwork: [UNKNOWN] })],
    ["a value in an entry", pods("10.132.0.0/14", UNKNOWN)],
    ["a whole section", { ...before, networking: UNKNOWN }],
  ])("%s", (_, next) => {
    expect(refused(next)).toEqual([]);
    // A value that is secret in the state is unknown, too.
    expect(refused(before, { spec: next })).toEqual([]);
  });

  test("known values next to unknown ones are still checked", () => {
    expect(paths(pods("10.136.0.0/14", UNKNOWN))).toEqual(["spec.networking.clusterNetwork"]);
    expect(paths(networking({ clusterNetwork: [UNKNOWN, UNKNOWN] }))).toEqual([
      "spec.networking.clusterNetwork",
    ]);
    expect(paths({ ...before, networking: UNKNOWN, dns: { baseDomain: "example.org" } })).toEqual([
      "spec.dns.baseDomain",
    ]);
    const azure = (topology: unknown) => ({ platform: { type: "Azure", azure: { topology } } });
    for (const [from, to] of [
      [UNKNOWN, "Private"],
      ["Public", UNKNOWN],
    ])
      expect(paths(azure(to), { platform: Platform.Azure, spec: azure(from) })).toEqual([]);
  });

  test("the last inputs of the program apply if the server does not return a field", () => {
    const state = { inputs: before, outputs: {} } as StatedSpec;
    expect(immutableChanges(state, before as never, Platform.AWS)).toEqual([]);
    const next = networking({ serviceNetwork: [{ cidr: "172.30.0.0/16" }] });
    expect(immutableChanges(state, next as never, Platform.AWS).map(({ path }) => path)).toEqual([
      "spec.networking.serviceNetwork",
    ]);
  });
});

describe("M2 refuses a change of an immutable field:", () => {
  test.each<[string, object, string]>([
    [
      "the service network",
      networking({ serviceNetwork: [{ cidr: "172.30.0.0/16" }] }),
      "networking.serviceNetwork",
    ],
    [
      "the machine network",
      networking({ machineNetwork: [{ cidr: "10.1.0.0/16" }] }),
      "networking.machineNetwork",
    ],
    [
      "a second machine network, added",
      networking({ machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00::/64" }] }),
      "networking.machineNetwork",
    ],
    [
      "the host prefix",
      networking({ clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 24 }] }),
      "networking.clusterNetwork",
    ],
    [
      "the network type, which the server would accept",
      networking({ networkType: "Calico" }),
      "networking.networkType",
    ],
    [
      "an advertised address, added",
      networking({ apiServer: { advertiseAddress: "172.29.0.1" } }),
      "networking.apiServer.advertiseAddress",
    ],
    ["the API server's port, added", networking({ apiServer: { port: 7443 } }), "networking.apiServer.port"],
    ["the platform", { ...before, platform: { type: "None" } }, "platform.type"],
    [
      "the services",
      { ...before, services: [{ service: "APIServer", servicePublishingStrategy: { type: "Route" } }] },
      "services",
    ],
    ["the base domain", { ...before, dns: { baseDomain: "example.org" } }, "dns.baseDomain"],
    ["a default that the server set", { ...before, fips: true }, "fips"],
    [
      "the MTU, added",
      ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" }, mtu: 1400 }),
      "operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.mtu",
    ],
  ])("%s", (_, next, path) => {
    expect(paths(next)).toEqual([`spec.${path}`]);
  });

  test("the machine network, removed, which the server would accept", () => {
    const { machineNetwork: _, ...others } = before.networking;
    expect(paths({ ...before, networking: others })).toEqual(["spec.networking.machineNetwork"]);
  });

  test("several fields, all reported at once", () => {
    const { clusterNetwork, serviceNetwork } = {
      clusterNetwork: [{ cidr: "10.0.0.0/8" }],
      serviceNetwork: [],
    };
    expect(
      paths({ ...networking({ clusterNetwork, serviceNetwork }), platform: { type: "Azure" } }),
    ).toHaveLength(3);
  });

  test("a field of the untyped part, without its value, which may be secret", () => {
    const [fault] = refused({ ...before, dns: { baseDomain: "hunter2.example.com" } });
    expect(JSON.stringify(fault)).not.toContain("example.com");
    expect(fault!.remedy).toBe("keep the current value in additionalSpecJson dns.baseDomain");
  });
});

describe("M2 accepts what is no change, or can change in a running cluster:", () => {
  test.each<[string, object]>([
    ["the same spec", before],
    ["another order of keys", networking({ clusterNetwork: [{ hostPrefix: 23, cidr: "10.132.0.0/14" }] })],
    ["defaults that the server added", { ...before, fips: false }],
    ["defaults written out", networking({ apiServer: { advertiseAddress: "172.20.0.1", port: 6443 } })],
    ["allowed CIDR blocks", networking({ apiServer: { allowedCIDRBlocks: ["10.0.0.0/8"] } })],
    ["the proxy", { ...before, configuration: { proxy: { httpProxy: "http://b.example.com:3128" } } }],
    ["the join subnet", ovn({ ipv4: { internalJoinSubnet: "100.98.0.0/16" } })],
    [
      "a transit switch subnet, added",
      ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.69.0.0/16" } }),
    ],
    [
      "access",
      { ...before, platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "Private" } } },
    ],
    ["a first infraID", { ...before, infraID: "tenant-a-x1y2z" }],
  ])("%s", (_, next) => {
    expect(refused(next)).toEqual([]);
  });

  test("a first machine network", () => {
    const { machineNetwork: _, ...others } = before.networking;
    expect(refused(before, { spec: { ...before, networking: others } })).toEqual([]);
  });

  test("services on IBM Cloud only", () => {
    const on = { ...before, platform: { type: "IBMCloud" } };
    const services = [{ service: "APIServer", servicePublishingStrategy: { type: "Route" } }];
    expect(refused({ ...on, services }, { platform: Platform.IBMCloud, spec: on })).toEqual([]);
    expect(refused({ ...on, services }, { platform: Platform.AWS, spec: on })).toHaveLength(1);
  });

  test("a value in place of an empty string of the server", () => {
    expect(refused({ ...before, clusterID: "1" }, { spec: { ...before, clusterID: "" } })).toEqual([]);
  });
});

describe("M6 refuses to remove an internal subnet, which would renumber a running network:", () => {
  test.each([[undefined], [{ ipv4: { internalTransitSwitchSubnet: "100.69.0.0/16" } }]])("%j", (config) => {
    const [fault, ...more] = refused(ovn(config));
    expect(more).toEqual([]);
    expect(fault!.problem).toBe("is 100.99.0.0/16: removing it renumbers the running network to the default");
    expect(fault!.remedy).toBe("to do that, write the default explicitly in topology.internalJoinSubnet");
  });

  test("newer internal subnets cannot change, but can be added", () => {
    const spec = ovn({ v4InternalSubnet: "100.99.0.0/16" });
    expect(paths(ovn({ v4InternalSubnet: "100.98.0.0/16" }), { spec })).toHaveLength(1);
    expect(
      paths(ovn({ v4InternalSubnet: "100.99.0.0/16", ipv6: { internalJoinSubnet: "fd96::/64" } }), { spec }),
    ).toEqual([]);
  });
});

describe("M2 access on Azure", () => {
  const azure = (topology?: string) => ({
    platform: { type: "Azure", azure: { ...(topology && { topology }) } },
  });
  const move = (from: string | undefined, to: string | undefined) =>
    paths(azure(to), { platform: Platform.Azure, spec: azure(from) });

  test.each([
    ["Private", "PublicAndPrivate"],
    ["PublicAndPrivate", "Private"],
    ["Public", "Public"],
    [undefined, "Public"],
    [undefined, undefined],
  ])("can change from %s to %s", (from, to) => {
    expect(move(from, to)).toEqual([]);
  });

  test.each([
    ["Public", "Private"],
    ["PublicAndPrivate", "Public"],
    ["Private", undefined],
    ["Public", undefined],
    [undefined, "Private"],
  ])("cannot change from %s to %s", (from, to) => {
    expect(move(from, to)).toEqual(["spec.platform.azure.topology"]);
  });
});

test("going back to the server's value after a refused update is no change", () => {
  const tried = networking({ clusterNetwork: [{ cidr: "10.136.0.0/14", hostPrefix: 23 }] });
  const state = { inputs: tried, outputs: live(before) } as StatedSpec;
  expect(immutableChanges(state, before as never, Platform.AWS)).toEqual([]);
  expect(immutableChanges(state, tried as never, Platform.AWS)).toHaveLength(1);
});

test("values are equal regardless of the order of keys, but not of list entries", () => {
  expect(sameValue({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(sameValue({ a: 1, b: 2 }, { a: 2, b: 1 })).toBe(false);
  expect(sameValue([1, 2], [2, 1])).toBe(false);
  expect([sameValue(null, {}), sameValue(undefined, undefined)]).toEqual([false, true]);
});
