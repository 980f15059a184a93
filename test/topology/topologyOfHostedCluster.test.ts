import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import {
  mergeTopology,
  type RawTopology,
  topologyOfHostedCluster,
} from "../../src/topology/topologyOfHostedCluster";
import { normalizeTopology } from "../../src/topology/normalizeTopology";

const cluster = (spec: unknown, metadata: unknown = { name: "tenant-a", namespace: "clusters" }) => ({
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "HostedCluster",
  metadata,
  spec,
});
const spec = (spec: unknown) => topologyOfHostedCluster(cluster(spec));

test.each([
  ["Cilium", "Other"],
  ["Calico", "Calico"],
  ["", ""],
  [UNKNOWN, UNKNOWN],
])("reads the network type %p as %p: an unlisted name is third-party software", (type, read) => {
  expect(spec({ networking: { networkType: type } })).toMatchObject({ networkType: read });
});

test("reads ranges without host bits, and a host prefix of 0 as absent", () => {
  const networking = {
    machineNetwork: [{ cidr: "10.0.0.1/16" }, UNKNOWN, { cidr: UNKNOWN }],
    clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 0 }],
    serviceNetwork: "172.30.0.1/16",
  };
  expect(spec({ networking })).toMatchObject({
    machineNetwork: [{ cidr: "10.0.0.0/16" }, UNKNOWN, { cidr: UNKNOWN }],
    clusterNetwork: [{ cidr: "10.128.0.0/14" }],
    serviceNetwork: "172.30.0.1/16",
  });
});

test("reads a complete topology from a HostedCluster", () => {
  const raw = spec({
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
    platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "PublicAndPrivate" } },
    networking: {
      networkType: "OVNKubernetes",
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 24 }],
      serviceNetwork: [{ cidr: "172.30.0.0/16" }],
      apiServer: { advertiseAddress: "172.29.0.1" },
    },
    services: [
      {
        service: "APIServer",
        servicePublishingStrategy: { type: "Route", route: { hostname: "api.example.com" } },
      },
      { service: "OIDC", servicePublishingStrategy: { type: "S3" } },
      { service: "Ignition", servicePublishingStrategy: { type: "Route" } },
    ],
    configuration: { proxy: { httpProxy: "http://proxy:3128", trustedCA: { name: "ca" } } },
    operatorConfiguration: {
      clusterNetworkOperator: {
        ovnKubernetesConfig: {
          ipv4: { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.69.0.0/16" },
        },
      },
    },
  });
  expect(raw).toEqual({
    name: "tenant-a",
    namespace: "clusters",
    platform: "AWS",
    release: "4.20",
    endpointAccess: "PublicAndPrivate",
    networkType: "OVNKubernetes",
    machineNetwork: [{ cidr: "10.0.0.0/16" }],
    clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 24 }],
    serviceNetwork: [{ cidr: "172.30.0.0/16" }],
    advertiseAddress: "172.29.0.1",
    services: { apiServer: { type: "Route", hostname: "api.example.com" }, ignition: { type: "Route" } },
    internalJoinSubnet: "100.99.0.0/16",
    internalTransitSwitchSubnet: "100.69.0.0/16",
    proxy: { httpProxy: "http://proxy:3128" },
  });
  expect(normalizeTopology(raw).faults).toEqual([]);
});

test.each([
  ["quay.io/ocp-release:4.20.4-x86_64", "4.20"],
  ["quay.io/ocp-release:4.21.0-rc.1", "4.21"],
  ["registry:5000/ocp-release:4.19.1", "4.19"],
  ["registry:5000/ocp-release@sha256:0123", UNKNOWN],
  ["quay.io/ocp-release:4.20.4-x86_64@sha256:0123", "4.20"],
  ["registry:5000/ocp-release", UNKNOWN],
  ["quay.io/ocp-release:latest", UNKNOWN],
  [UNKNOWN, UNKNOWN],
])("reads from the image %p the release %p", (image, release) => {
  expect(spec({ release: { image } })?.release).toBe(release);
});

describe("the release of an image by digest", () => {
  const image = "quay.io/ocp-release@sha256:0123";
  const other = { image: "quay.io/ocp-release@sha256:4567", version: "4.21.1" };
  const releaseBy = (version: PropertyValue) =>
    topologyOfHostedCluster({ kind: "HostedCluster", spec: { release: { image } }, status: { version } })
      ?.release;

  test.each<[string, PropertyValue, unknown]>([
    ["the image as desired", { desired: { image, version: "4.20.3" }, history: [] }, "4.20"],
    [
      "the image in the history",
      { desired: other, history: [other, { image, version: "4.20.0-rc.1" }] },
      "4.20",
    ],
    ["only another image", { desired: other, history: [other] }, UNKNOWN],
    ["no report", {}, UNKNOWN],
    ["a report without version", { desired: { image } }, UNKNOWN],
    ["an unknown status", UNKNOWN, UNKNOWN],
  ])("is read from HyperShift's status, and otherwise unknown: %s", (_, version, release) => {
    expect(releaseBy(version)).toBe(release);
  });
});

test.each([
  [{ type: "AWS", aws: { endpointAccess: "Private" } }, "Private"],
  [{ type: "Azure", azure: { topology: "PublicAndPrivate" } }, "PublicAndPrivate"],
  [{ type: "GCP", gcp: { endpointAccess: "Private" } }, "Private"],
  [{ type: "AWS" }, undefined],
  [{ type: "Agent", aws: { endpointAccess: "Private" } }, undefined],
  [{ type: UNKNOWN, aws: { endpointAccess: "Private" } }, UNKNOWN],
  [{ type: "AWS", aws: UNKNOWN }, UNKNOWN],
])("reads from the platform %j the access %p", (platform, access) => {
  expect(spec({ platform })?.endpointAccess).toBe(access);
});

test("a cluster on Google Cloud without stated access is private, as in its API", () => {
  expect(normalizeTopology(spec({ platform: { type: "GCP" } })).topology?.endpointAccess).toBe("Private");
});

test.each([
  [{ apiServer: { port: 7443, advertiseAddress: "172.20.0.9" } }, 7443, "172.20.0.9"],
  [{ apiServer: UNKNOWN }, UNKNOWN, UNKNOWN],
  [{}, undefined, undefined],
])("reads from networking %j the API server's port %p and address %p", (networking, port, address) => {
  const { apiServerPort, advertiseAddress } = spec({ networking })!;
  expect([apiServerPort, advertiseAddress]).toEqual([port, address]);
});

describe("services of a HostedCluster", () => {
  const services = (list: unknown) => spec({ services: list })?.services;
  const entry = (servicePublishingStrategy: unknown) => [{ service: "APIServer", servicePublishingStrategy }];

  test.each([
    [
      entry({ type: "NodePort", nodePort: { address: "10.1.0.9", port: 31000 } }),
      { type: "NodePort", nodePort: 31000, address: "10.1.0.9" },
    ],
    [
      entry({ type: "NodePort", nodePort: { address: "10.1.0.9", port: 0 } }),
      { type: "NodePort", address: "10.1.0.9" },
    ],
    [
      entry({ type: "NodePort", nodePort: { address: "node.example.com" } }),
      { type: "NodePort", address: "node.example.com" },
    ],
    [entry({ type: "NodePort", nodePort: { address: "nodes" } }), { type: "NodePort" }],
    [
      entry({ type: "LoadBalancer", loadBalancer: { hostname: "a.example.com" } }),
      { type: "LoadBalancer", hostname: "a.example.com" },
    ],
    [entry({ type: "None" }), undefined],
    [entry({ type: UNKNOWN }), { type: UNKNOWN }],
    [entry(UNKNOWN), UNKNOWN],
  ])("are read from each strategy: %#", (list, apiServer) => {
    expect(services(list)).toEqual(apiServer === undefined ? {} : { apiServer });
  });

  test("are unknown if an entry is, which could be any service", () => {
    expect(services([UNKNOWN])).toBe(UNKNOWN);
    expect(services([{ service: UNKNOWN }])).toBe(UNKNOWN);
    expect(services(UNKNOWN)).toBe(UNKNOWN);
    expect(services("nonsense")).toBeUndefined();
  });
});

test("a patch states only what it sets", () => {
  const ovnKubernetesConfig = { ipv4: { internalJoinSubnet: UNKNOWN } };
  expect(spec({ operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig } } })).toEqual({
    name: "tenant-a",
    namespace: "clusters",
    internalJoinSubnet: UNKNOWN,
  });
});

test("reads every internal subnet into the property that the topology has for it", () => {
  const ovnKubernetesConfig = {
    v4InternalSubnet: "100.99.0.0/16",
    v6InternalSubnet: "fd96::/64",
    ipv6: { internalJoinSubnet: "fd95::/64", internalTransitSwitchSubnet: "fd94::/64" },
  };
  const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig } };
  expect(spec({ operatorConfiguration })).toEqual({
    name: "tenant-a",
    namespace: "clusters",
    v4InternalSubnet: "100.99.0.0/16",
    v6InternalSubnet: "fd96::/64",
    ipv6InternalJoinSubnet: "fd95::/64",
    ipv6InternalTransitSwitchSubnet: "fd94::/64",
  });
});

test.each([undefined, null, "HostedCluster", [], {}, { kind: "NodePool" }, UNKNOWN])(
  "%p is not a HostedCluster",
  (object) => {
    expect(topologyOfHostedCluster(object)).toBeUndefined();
  },
);

test("unknown values cause no fault and are not replaced by defaults", () => {
  expect(normalizeTopology(spec(UNKNOWN))).toEqual({ faults: [], warnings: [] });
  const raw = spec({
    platform: { type: "None" },
    networking: UNKNOWN,
    services: UNKNOWN,
    configuration: UNKNOWN,
  });
  const { topology, faults } = normalizeTopology(raw);
  expect(faults).toEqual([]);
  expect(topology?.unknown).toEqual(
    expect.arrayContaining(["machineNetwork", "clusterNetwork", "services", "proxy"]),
  );
  expect(topology?.clusterNetwork).toEqual([]);
});

test("a HostedCluster that states only its platform has no faults", () => {
  const object = { kind: "HostedCluster", metadata: { name: "a" }, spec: { platform: { type: "KubeVirt" } } };
  expect(normalizeTopology(topologyOfHostedCluster(object)!).faults).toEqual([]);
});

describe("configuration merged into an object", () => {
  const object: RawTopology = {
    name: "a",
    platform: "AWS",
    release: UNKNOWN,
    services: { apiServer: { type: "LoadBalancer" } },
  };
  const config = {
    name: "a",
    platform: "Azure",
    release: "4.20",
    services: { apiServer: { type: "Route" }, ignition: { type: "Route" } },
    registryCidrs: ["198.51.100.0/24"],
  };

  test("adds what the object does not state or is unknown there", () => {
    expect(mergeTopology(object, config)).toEqual({
      name: "a",
      platform: "AWS",
      release: "4.20",
      services: { apiServer: { type: "LoadBalancer" }, ignition: { type: "Route" } },
      registryCidrs: ["198.51.100.0/24"],
    });
  });

  test("does not merge lists with objects", () => {
    const [object, list] = [{ services: { apiServer: { type: "Route" } } }, { services: ["Route"] }];
    expect(mergeTopology(object, list)).toEqual(object);
    expect(mergeTopology(list, object)).toEqual(list);
  });

  test("changes nothing if one of them is empty", () => {
    expect(mergeTopology(object, {})).toEqual(object);
    expect(mergeTopology({}, config)).toEqual(config);
  });
});

describe("an incomplete or unknown object", () => {
  const spec = (value: PropertyValue) => topologyOfHostedCluster({ kind: "HostedCluster", spec: value });

  test("has only unknown values, except for its name, if the spec is unknown", () => {
    const topology = topologyOfHostedCluster({
      kind: "HostedCluster",
      metadata: { name: "a" },
      spec: UNKNOWN,
    });
    expect(topology).toMatchObject({ name: "a", platform: UNKNOWN, services: UNKNOWN, proxy: UNKNOWN });
  });

  test("has unknown services if one entry is unknown", () => {
    const known = { service: "APIServer", servicePublishingStrategy: { type: "Route" } };
    expect(spec({ services: [known, UNKNOWN] })?.services).toBe(UNKNOWN);
    expect(spec({ services: [known, { service: UNKNOWN }] })?.services).toBe(UNKNOWN);
    expect(spec({ services: [known] })?.services).toEqual({ apiServer: { type: "Route" } });
    expect(spec({ services: UNKNOWN })?.services).toBe(UNKNOWN);
    expect(spec({})).not.toHaveProperty("services");
  });

  test("has an unknown release if the image is unknown or malformed", () => {
    expect(spec({ release: { image: UNKNOWN } })?.release).toBe(UNKNOWN);
    expect(spec({ release: { image: 5 } })?.release).toBe(UNKNOWN);
    expect(spec({})).not.toHaveProperty("release");
  });

  test("keeps a malformed platform, which a later check reports", () => {
    const platform: PropertyValue = { type: [UNKNOWN], aws: { endpointAccess: "Private" } };
    expect(spec({ platform })).toMatchObject({ platform: [UNKNOWN] });
    expect(spec({ platform })).not.toHaveProperty("endpointAccess");
  });

  test("keeps all settings of the proxy", () => {
    const proxy = { httpProxy: "http://a:1", httpsProxy: "https://a:2", noProxy: ".svc" };
    expect(spec({ configuration: { proxy } })?.proxy).toEqual(proxy);
  });

  test.each([
    ["AWS", { aws: { endpointAccess: "Private" } }, "Private"],
    ["Azure", { azure: { topology: "PublicAndPrivate" } }, "PublicAndPrivate"],
    ["GCP", { gcp: { endpointAccess: "Private" } }, "Private"],
    ["KubeVirt", { aws: { endpointAccess: "Private" } }, undefined],
  ])("is read with the field that %s has for endpoint access", (type, settings, expected) => {
    expect(spec({ platform: { type, ...settings } })?.endpointAccess).toBe(expected);
  });
});
