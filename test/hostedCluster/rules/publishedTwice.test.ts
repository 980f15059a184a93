import { publishedTwice } from "../../../src/hostedCluster/rules/publishing";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { hostedCluster, resource, unknowns, violations } from "../../rules/builders";

/** A cluster whose management cluster is not stated, unless `where` does. */
const cluster = (name: string, strategy: PropertyValue, where: Partial<Resource> = {}): Resource => ({
  ...hostedCluster(
    {
      platform: { type: "None" },
      services: [
        { service: "APIServer", servicePublishingStrategy: strategy },
        ...["OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
          service,
          servicePublishingStrategy: { type: "Route" },
        })),
      ],
    },
    name,
  ),
  origin: {},
  ...where,
});
const found = (...strategies: PropertyValue[]) =>
  violations(
    publishedTwice,
    strategies.map((strategy, at) => cluster(`tenant-${at}`, strategy)),
  ).map(({ message }) => message);
const named = (hostname: PropertyValue): PropertyValue => ({
  type: "LoadBalancer",
  loadBalancer: { hostname },
});
const pinned = (address: string, port: PropertyValue): PropertyValue => ({
  type: "NodePort",
  nodePort: { address, port },
});

test("a host name must be used by only one hosted cluster", () => {
  expect(found(named("api.example.com"), named("api.example.com"))).toEqual([
    "host name api.example.com is used by the API server of clusters/tenant-0 and by a service of clusters/tenant-1",
    "host name api.example.com is used by the API server of clusters/tenant-1 and by a service of clusters/tenant-0",
  ]);
  expect(found(named("a.example.com"), named("b.example.com"))).toEqual([]);
  expect(found(named(UNKNOWN), named(UNKNOWN))).toEqual([]);
});

test("host names that differ only in case are the same, and are shown as written", () => {
  expect(found(named("API.example.com"), named("api.example.com"))).toEqual([
    "host name API.example.com is used by the API server of clusters/tenant-0 and by a service of clusters/tenant-1",
    "host name api.example.com is used by the API server of clusters/tenant-1 and by a service of clusters/tenant-0",
  ]);
  expect(found(named("API.example.com"), named("b.example.com"))).toEqual([]);
});

test("a node port that is pinned at an address must be used by only one hosted cluster", () => {
  expect(found(pinned("192.0.2.1", 30443), pinned("192.0.2.1", 30443))).toHaveLength(2);
  expect(found(pinned("192.0.2.1", 30443), pinned("192.0.2.2", 30443))).toEqual([]);
  expect(found(pinned("192.0.2.1", 30443), pinned("192.0.2.1", 30444))).toEqual([]);
  expect(found(pinned("192.0.2.1", 0), pinned("192.0.2.1", 0))).toEqual([]);
});

test("the address of a pinned node port can be a host name, compared without case", () => {
  expect(found(pinned("mgmt.example.com", 30443), pinned("MGMT.example.com", 30443))).toEqual([
    "node port 30443 of mgmt.example.com is used by the API server of clusters/tenant-0 and by a service of clusters/tenant-1",
    "node port 30443 of MGMT.example.com is used by the API server of clusters/tenant-1 and by a service of clusters/tenant-0",
  ]);
  expect(found(pinned("a.example.com", 30443), pinned("b.example.com", 30443))).toEqual([]);
});

describe("a node port that is pinned at two addresses", () => {
  const at = (name: string, where: Partial<Resource>, address: string, port: PropertyValue = 30443) =>
    cluster(name, pinned(address, port), where);
  const within = (where: Partial<Resource>, ...addresses: string[]) =>
    violations(
      publishedTwice,
      addresses.map((address, position) => at(`tenant-${position}`, where, address)),
    ).map(({ level = "error", message }) => [level, message]);
  const inFile = (file: string): Partial<Resource> => ({ origin: { file } });

  test("is an error in one management cluster, known by a server or provider", () => {
    const message =
      "node port 30443 of api-a.example.com is used by the API server of clusters/tenant-0 and by a service of clusters/tenant-1 at another address: a management cluster gives a port to only one Service";
    for (const where of [
      { provider: "urn:management" },
      { origin: { urn: "urn:without-a-provider" } },
      { origin: { runsIn: "cluster/management" } },
    ])
      expect(within(where, "api-a.example.com", "192.0.2.2")).toEqual([
        ["error", message],
        ["error", expect.stringContaining("of clusters/tenant-0 at another address")],
      ]);
  });

  test("is a warning in one folder, and no finding in two folders", () => {
    expect(within(inFile("fleet/clusters.yaml"), "192.0.2.1", "192.0.2.2")).toEqual([
      ["warning", expect.stringContaining("the input does not state that these are two management clusters")],
      ["warning", expect.anything()],
    ]);
    const apart = [
      at("tenant-0", inFile("fleet/a/one.yaml"), "192.0.2.1"),
      at("tenant-1", inFile("fleet/b/two.yaml"), "192.0.2.2"),
    ];
    expect(violations(publishedTwice, apart)).toEqual([]);
  });

  test("is reported only at addresses that no other hosted cluster uses", () => {
    expect(within({ provider: "urn:management" }, "192.0.2.1", "192.0.2.1", "192.0.2.2")).toEqual([
      ["error", expect.stringMatching(/tenant-0 and by a service of clusters\/tenant-1$/)],
      ["error", expect.stringMatching(/tenant-1 and by a service of clusters\/tenant-0$/)],
      ["error", expect.stringContaining("of clusters/tenant-0, clusters/tenant-1 at another address")],
    ]);
    const unpinned = ["192.0.2.1", "192.0.2.2"].map((address, position) =>
      at(`tenant-${position}`, { provider: "urn:management" }, address, 0),
    );
    expect(violations(publishedTwice, unpinned)).toEqual([]);
  });
});

describe("a node port of a Service that a hosted cluster pins", () => {
  const provider = { provider: "urn:management" };
  const inFolder = { origin: { file: "fleet/all.yaml" } };
  const service = (
    spec: PropertyValue,
    where: Partial<Resource>,
    namespace: PropertyValue = "shop",
  ): Resource => ({
    ...resource("kubernetes:core/v1:Service", "web", { metadata: { name: "web", namespace }, spec }),
    origin: {},
    ...where,
  });
  const ports = (nodePort: PropertyValue): PropertyValue => ({
    type: "NodePort",
    ports: [{ port: 80, nodePort }],
  });
  const pinning = (where: Partial<Resource>) => cluster("tenant-a", pinned("192.0.2.1", 30443), where);
  const judged = (where: Partial<Resource>, web: Resource) =>
    violations(publishedTwice, [pinning(where), web]).map(({ level = "error", path, message }) => [
      level,
      path,
      message,
    ]);
  const message =
    "node port 30443 of 192.0.2.1 is pinned for the API server of clusters/tenant-a: a management cluster gives a port to only one Service";

  test("is refused in the same cluster, also as port of a health check", () => {
    expect(judged(provider, service(ports(30443), provider))).toEqual([
      ["error", "spec.ports[0].nodePort", message],
    ]);
    const balancer = { type: "LoadBalancer", healthCheckNodePort: 30443 };
    expect(judged(provider, service(balancer, provider))).toEqual([
      ["error", "spec.healthCheckNodePort", message],
    ]);
    expect(judged(provider, service(ports(30444), provider))).toEqual([]);
    expect(judged(provider, service({ ports: [{ port: 80 }] }, provider))).toEqual([]);
  });

  test("is a warning in one folder, which may contain objects of both clusters, and no finding elsewhere", () => {
    expect(judged(inFolder, service(ports(30443), inFolder))).toEqual([
      [
        "warning",
        "spec.ports[0].nodePort",
        `${message}, and the input does not state that this one is in another cluster`,
      ],
    ]);
    expect(judged(inFolder, service(ports(30443), { origin: { file: "guest/web.yaml" } }))).toEqual([]);
    expect(judged(provider, service(ports(30443), { provider: "urn:guest" }))).toEqual([]);
  });

  test("is accepted in the namespace of its own control plane, and unknown if the namespace is", () => {
    expect(judged(provider, service(ports(30443), provider, "clusters-tenant-a"))).toEqual([]);
    expect(judged(provider, service(ports(30443), provider, "clusters-tenant-b"))).toHaveLength(1);
    const hidden = [pinning(provider), service(ports(30443), provider, UNKNOWN)];
    expect(unknowns(publishedTwice, hidden).map(({ path }) => path)).toEqual(["metadata.namespace"]);
    expect(violations(publishedTwice, hidden)).toEqual([]);
    expect(judged(provider, service(ports(UNKNOWN), provider))).toEqual([]);
  });
});

test("names only the first of many clusters with one host name", () => {
  const all = found(...Array.from({ length: 9 }, () => named("api.example.com")));
  expect(all[0]).toMatch(/tenant-1, clusters\/tenant-2, clusters\/tenant-3 and 5 more$/);
  expect(all[8]).toMatch(/of clusters\/tenant-0, clusters\/tenant-1, clusters\/tenant-2 and 5 more$/);
});

test("a patch of a cluster does not count as another cluster", () => {
  const [one, other] = ["tenant-0", "tenant-1"].map((name) => cluster(name, named("api.example.com")));
  const { metadata, spec } = other!.properties as Record<string, Record<string, PropertyValue>>;
  const patch = resource(`${other!.type}Patch`, "patch", {
    metadata: metadata!,
    spec: { services: spec!.services! },
  });
  expect(violations(publishedTwice, [one!, patch])).toEqual([]);
});

test("ignores a node port in a strategy of another type", () => {
  const balancer = (address: string): PropertyValue => ({
    type: "LoadBalancer",
    nodePort: { address, port: 30443 },
  });
  expect(found(balancer("192.0.2.1"), balancer("192.0.2.1"))).toEqual([]);
});

describe("the fix for a node port", () => {
  const inFolder = { origin: { file: "fleet/all.yaml" } };
  const provider = { provider: "urn:management" };
  const fixes = (resources: readonly Resource[]) =>
    violations(publishedTwice, resources).map(({ level, fix }) => `${level}: ${fix}`);
  const pin = (name: string, address: string, where: Partial<Resource>) =>
    cluster(name, pinned(address, 30443), where);
  const web = (where: Partial<Resource>): Resource => ({
    ...resource("kubernetes:core/v1:Service", "web", {
      metadata: { name: "web", namespace: "shop" },
      spec: { ports: [{ port: 80, nodePort: 30443 }] },
    }),
    origin: {},
    ...where,
  });
  const own =
    "error: give each hosted cluster its own host names and node ports; spec.services can never change";
  const another = "give this Service another node port, because spec.services can never change";
  const apart = "warning: pin another port, or use one folder per management cluster";

  test.each<[string, readonly Resource[], readonly string[]]>([
    ["pinned twice at one address", [pin("a", "192.0.2.1", {}), pin("b", "192.0.2.1", {})], [own, own]],
    [
      "pinned twice in one provider",
      [pin("a", "192.0.2.1", provider), pin("b", "192.0.2.2", provider)],
      [own, own],
    ],
    [
      "pinned twice in one folder",
      [pin("a", "192.0.2.1", inFolder), pin("b", "192.0.2.2", inFolder)],
      [apart, apart],
    ],
    [
      "of a Service of the same provider",
      [pin("a", "192.0.2.1", provider), web(provider)],
      [`error: ${another}`],
    ],
    [
      "of a Service in the same folder",
      [pin("a", "192.0.2.1", inFolder), web(inFolder)],
      [`warning: ${another}, or use one folder per cluster`],
    ],
  ])("%s", (_, resources, expected) => {
    expect(fixes(resources)).toEqual(expected);
  });

  test("reports a Service in an unknown namespace as a possible user of the pinned port", () => {
    const hidden: Resource = {
      ...web(provider),
      properties: { metadata: { namespace: UNKNOWN }, spec: { healthCheckNodePort: 30443 } },
    };
    const [open] = unknowns(publishedTwice, [pin("tenant-a", "192.0.2.1", provider), hidden]);
    expect(open?.message).toContain(
      "node port 30443 of 192.0.2.1 is pinned for the API server of clusters/tenant-a: a management cluster gives a port to only one Service, which may be this one",
    );
  });
});

test("the path of a finding is that of the service in the list", () => {
  const [finding] = violations(
    publishedTwice,
    ["a", "b"].map((name) => cluster(name, pinned("192.0.2.1", 30443))),
  );
  expect(finding?.path).toBe("spec.services[0].servicePublishingStrategy.nodePort.port");
});
