import { UNKNOWN } from "../../src/resources/resource";
import { facetsOf, propertyOfFacet } from "../../src/runBook/facets";
import { normal } from "../topology/topologies";
import { answers, base, runBook, stepIds } from "./sides";
import { Outcome } from "../../src/runBook/runBook";
import { topologyProperties } from "../../src/topology/normalizeTopology";

const aws = { platform: "AWS" };
const throughNat = { ...aws, loadBalancerTargets: "ip" };
const byRoute = { type: "Route" };

/** Every property of a topology with a change of it, and the expected answer and steps. */
const table: readonly [
  property: string,
  current: object,
  wanted: object,
  answer: string,
  ...steps: string[],
][] = [
  ["name", {}, { name: "tenant-b" }, "immutable"],
  ["namespace", {}, { namespace: "others" }, "immutable"],
  ["platform", {}, { platform: "Agent" }, "immutable"],
  ["release", {}, { release: "4.21" }, "mutable", "upgrade-4.21"],
  ["release", {}, { release: "4.19" }, "immutable"],
  [
    "endpointAccess",
    aws,
    { ...aws, endpointAccess: "PublicAndPrivate" },
    "mutable",
    "open-flows",
    "endpoint-access-PublicAndPrivate",
    "close-flows",
  ],
  ["endpointAccess", { platform: "Azure" }, { platform: "Azure", endpointAccess: "Private" }, "immutable"],
  ["services.konnectivity", {}, { services: { konnectivity: byRoute } }, "immutable"],
  ["services.ignition", {}, { services: { ignition: { type: "NodePort", nodePort: 31000 } } }, "immutable"],
  ["machineNetwork", {}, { machineNetwork: [{ cidr: "10.9.0.0/16" }] }, "immutable"],
  [
    "machineNetwork",
    { machineNetwork: undefined, workerCidrs: ["10.0.0.0/16"] },
    { workerCidrs: ["10.0.0.0/16"] },
    "mutable",
    "open-flows",
    "machine-network",
    "close-flows",
  ],
  ["clusterNetwork", {}, { clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 24 }] }, "immutable"],
  ["serviceNetwork", {}, { serviceNetwork: [{ cidr: "172.29.0.0/16" }] }, "immutable"],
  ["networkType", {}, { networkType: "Calico" }, "immutable"],
  ["advertiseAddress", {}, { advertiseAddress: "172.21.0.1" }, "immutable"],
  ["apiServerPort", {}, { apiServerPort: 7443 }, "immutable"],
  ["internalJoinSubnet", {}, { internalJoinSubnet: "100.99.0.0/16" }, "mutable", "internal-subnets"],
  [
    "internalTransitSwitchSubnet",
    { internalTransitSwitchSubnet: "100.69.0.0/16" },
    {},
    "mutable",
    "internal-subnets",
  ],
  ["v4InternalSubnet", {}, { v4InternalSubnet: "100.99.0.0/16" }, "mutable", "internal-subnets"],
  [
    "v4InternalSubnet",
    { v4InternalSubnet: "100.99.0.0/16" },
    { v4InternalSubnet: "100.98.0.0/16" },
    "immutable",
  ],
  ["loadBalancerTargets", {}, { loadBalancerTargets: "ip" }, "nothing-to-do"],
  ["loadBalancerSubnetCidrs", {}, { loadBalancerSubnetCidrs: ["10.1.1.0/24"] }, "nothing-to-do"],
  [
    "workerNatCidrs",
    throughNat,
    { ...throughNat, workerNatCidrs: ["198.51.100.7/32"] },
    "mutable",
    "open-flows",
  ],
  ["workerCidrs", {}, { workerCidrs: ["10.7.0.0/16"] }, "mutable", "open-flows", "close-flows"],
  [
    "externalClientCidrs",
    {},
    { externalClientCidrs: ["203.0.113.0/24"] },
    "mutable",
    "open-flows",
    "close-flows",
  ],
  [
    "managementClusterCidrs",
    {},
    { managementClusterCidrs: ["10.1.0.0/16", "10.2.0.0/16"] },
    "mutable",
    "open-flows",
  ],
  ["managementClusterNatCidrs", {}, { managementClusterNatCidrs: ["198.51.100.8/32"] }, "nothing-to-do"],
  [
    "controlPlaneEndpointCidrs",
    aws,
    { ...aws, controlPlaneEndpointCidrs: ["10.1.0.0/24"] },
    "mutable",
    "open-flows",
    "close-flows",
  ],
  ["dnsServerCidrs", {}, { dnsServerCidrs: ["10.3.0.2/32"] }, "mutable", "open-flows", "close-flows"],
  ["registryCidrs", {}, { registryCidrs: ["198.51.100.0/24"] }, "mutable", "open-flows", "close-flows"],
  [
    "infrastructureCidrs",
    {},
    { infrastructureCidrs: [{ name: "corporate", cidr: "192.168.0.0/16" }] },
    "nothing-to-do",
  ],
  ["proxy.httpProxy", {}, { proxy: { httpProxy: "http://proxy.example.com:3128" } }, "mutable", "proxy"],
  ["defaultWorkerRules", aws, { ...aws, defaultWorkerRules: true }, "nothing-to-do"],
  ["bootstrap", {}, { bootstrap: false }, "mutable", "close-bootstrap"],
  ["bootstrap", { bootstrap: false }, {}, "mutable", "open-bootstrap"],
];

describe("every property that changes has an answer", () => {
  test.each(table)("%s from %j to %j: %s", (property, current, wanted, answer, ...steps) => {
    const book = runBook(current, wanted);
    expect(answers(book)).toContainEqual([property, answer, ...steps]);
    for (const { why } of book.changes) expect(why).not.toBe("");
    for (const id of book.changes.flatMap((one) => one.steps)) expect(stepIds(book)).toContain(id);
  });

  test("IPv6 subnets can be set once, and not changed or removed later", () => {
    const dual = {
      clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48", hostPrefix: 64 }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
    };
    for (const property of [
      "ipv6InternalJoinSubnet",
      "ipv6InternalTransitSwitchSubnet",
      "v6InternalSubnet",
    ]) {
      const set = { ...dual, [property]: "fd9a::/64" };
      expect(answers(runBook(dual, set))).toContainEqual([property, "mutable", "internal-subnets"]);
      expect(answers(runBook(set, { ...dual, [property]: "fd9b::/64" }))).toContainEqual([
        property,
        "immutable",
      ]);
      expect(answers(runBook(set, dual))).toContainEqual([property, "immutable"]);
    }
  });

  test("the table and the comparison cover all topology properties", () => {
    const tried = new Set(table.map(([property]) => propertyOfFacet(property)));
    const others = ["v6InternalSubnet", "ipv6InternalJoinSubnet", "ipv6InternalTransitSwitchSubnet"];
    expect([...new Set([...tried, ...others])].sort()).toEqual([...topologyProperties].sort());
    const compared = new Set(Object.keys(facetsOf(normal(base))).map(propertyOfFacet));
    expect([...compared].sort()).toEqual([...topologyProperties].sort());
  });
});

test("equal states need no steps, whether defaults are written out or not", () => {
  const written = {
    namespace: "clusters",
    clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    internalJoinSubnet: "100.64.0.0/16",
    internalTransitSwitchSubnet: "100.88.0.0/16",
    advertiseAddress: "172.20.0.1",
    apiServerPort: 6443,
    bootstrap: true,
  };
  for (const [current, wanted] of [
    [{}, {}],
    [{}, written],
    [written, {}],
    [written, written],
  ] as const)
    expect(runBook(current, wanted)).toMatchObject({
      outcome: Outcome.NothingToDo,
      changes: [],
      steps: [],
      obstacles: [],
    });
});

describe("changes that a running cluster does not allow", () => {
  test("need a new cluster, and the other changes keep their steps", () => {
    const book = runBook(
      {},
      { serviceNetwork: [{ cidr: "172.29.0.0/16" }], internalJoinSubnet: "100.99.0.0/16" },
    );
    expect(book.outcome).toBe(Outcome.NewCluster);
    expect(book.newCluster!.because).toEqual(["serviceNetwork"]);
    expect(stepIds(book)).toEqual(["internal-subnets"]);
    expect(JSON.stringify(book.steps)).not.toContain("172.29.0.0");
  });

  test("include NodePort to Route, and no flows are opened for that", () => {
    const services = {
      apiServer: { ...byRoute, hostname: "api.example.com" },
      oauthServer: byRoute,
      konnectivity: byRoute,
      ignition: byRoute,
    };
    const book = runBook({}, { services });
    expect(answers(book)).toEqual(
      ["apiServer", "oauthServer", "konnectivity", "ignition"].map((name) => [
        `services.${name}`,
        "immutable",
      ]),
    );
    expect([book.outcome, book.steps]).toEqual([Outcome.NewCluster, []]);
    expect(book.changes[0]!.why).toBe("spec.services can never change");
  });

  test("exclude NodePort to Route on IBM Cloud, which opens flows before and closes flows after", () => {
    const on = (type: string) => ({
      platform: "IBMCloud",
      services: Object.fromEntries(
        ["apiServer", "oauthServer", "konnectivity", "ignition"].map((name) => [
          name,
          {
            type,
            ...(type === "NodePort"
              ? { address: "192.0.2.10" }
              : name === "apiServer" && { hostname: "api.example.com" }),
          },
        ]),
      ),
    });
    const book = runBook(on("NodePort"), on("Route"));
    expect(book.outcome).toBe(Outcome.InPlace);
    expect(stepIds(book)).toEqual(["open-flows", "services", "close-flows"]);
    expect(book.steps[1]!.patches[0]!.body).toMatchObject({
      spec: {
        services: [{ service: "APIServer", servicePublishingStrategy: { type: "Route" } }, {}, {}, {}],
      },
    });
  });

  test("have no steps at all if the wanted state is another cluster", () => {
    expect(runBook({}, { name: "tenant-b", internalJoinSubnet: "100.99.0.0/16" }).steps).toEqual([]);
  });
});

describe("unknown values", () => {
  test.each([
    ["internalJoinSubnet", { internalJoinSubnet: UNKNOWN }],
    ["machineNetwork", { machineNetwork: UNKNOWN }],
    ["services.konnectivity", { services: { konnectivity: { type: UNKNOWN } } }],
    ["externalClientCidrs", { externalClientCidrs: UNKNOWN }],
    ["bootstrap", { bootstrap: UNKNOWN }],
    ["proxy.httpProxy", { proxy: UNKNOWN }],
  ])("of %s make the outcome unknown, without steps", (property, raw) => {
    for (const book of [runBook({}, raw), runBook(raw, {})]) {
      expect(answers(book)).toContainEqual([property, "unknown"]);
      expect(book.outcome).toBe(Outcome.Unknown);
      expect(book.steps).toEqual([]);
    }
  });
});

test("a change next to an unknown value of the same property is unknown as well", () => {
  const on = (services: object) => ({ platform: "IBMCloud", services });
  const book = runBook(
    on({ apiServer: { type: "LoadBalancer" } }),
    on({ apiServer: { type: "Route", hostname: "api.example.com" }, konnectivity: { type: UNKNOWN } }),
  );
  expect(answers(book)).toEqual([
    ["services.apiServer", "unknown"],
    ["services.konnectivity", "unknown"],
  ]);
  expect([book.outcome, book.steps]).toEqual([Outcome.Unknown, []]);
});

describe("obstacles to a change", () => {
  const stops = (current: object, wanted: object) => {
    const { outcome, obstacles } = runBook(current, wanted);
    return [outcome, ...obstacles.map(({ what }) => what)];
  };

  test("include a surrounding network that overlaps a range of a new release", () => {
    const infrastructureCidrs = [{ name: "corporate", cidr: "100.88.0.0/24" }];
    expect(stops({ release: "4.13", infrastructureCidrs }, { release: "4.14", infrastructureCidrs })).toEqual(
      [
        Outcome.Blocked,
        expect.stringMatching(
          /100\.88\.0\.0\/24 overlaps OVN's default transit switch subnet 100\.88\.0\.0\/16: /,
        ),
      ],
    );
    const preset = { infrastructureCidrs, internalTransitSwitchSubnet: "100.69.0.0/16" };
    expect(stops({ release: "4.13", infrastructureCidrs }, { release: "4.14", ...preset })).toEqual([
      Outcome.InPlace,
    ]);
  });

  test("include a new fault of the wanted state, but not an existing one", () => {
    const small = { internalJoinSubnet: "100.99.0.0/24" };
    expect(stops({}, small)).toEqual([
      Outcome.Blocked,
      expect.stringContaining("100.99.0.0/24 is too small"),
    ]);
    expect(stops(small, { ...small, externalClientCidrs: ["203.0.113.0/24"] })).toEqual([Outcome.InPlace]);
  });

  test("include a wanted subnet inside the current immutable network, even if not inside the wanted one", () => {
    const kept = { clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }] };
    const wanted = {
      clusterNetwork: [{ cidr: "10.136.0.0/14", hostPrefix: 23 }],
      internalJoinSubnet: "10.132.0.0/16",
    };
    const [outcome, ...obstacles] = stops(kept, wanted);
    expect(outcome).toBe(Outcome.NewCluster);
    expect(obstacles).toContainEqual(expect.stringMatching(/internalJoinSubnet.*10\.132\.0\.0/));
    expect(stops(kept, { ...wanted, internalJoinSubnet: "100.99.0.0/16" })).toEqual([Outcome.NewCluster]);
  });

  test("include a wanted subnet inside the current network if the wanted one is unknown", () => {
    const [, ...obstacles] = stops({}, { clusterNetwork: UNKNOWN, internalJoinSubnet: "10.132.0.0/16" });
    expect(obstacles).toHaveLength(1);
  });

  test("include a subnet whose field no release of the upgrade has", () => {
    expect(stops({ release: "4.18" }, { release: "4.19", internalJoinSubnet: "100.99.0.0/16" })).toEqual([
      Outcome.Blocked,
      "internalJoinSubnet: HostedClusters have it since 4.20, and the wanted release is 4.19",
    ]);
  });

  test("include the other property for the same subnet", () => {
    expect(stops({ internalJoinSubnet: "100.99.0.0/16" }, { v4InternalSubnet: "100.99.0.0/16" })).toEqual([
      Outcome.Blocked,
      expect.stringContaining("v4InternalSubnet is wanted instead of internalJoinSubnet"),
    ]);
  });

  test("include node ports without an address, if services can change", () => {
    const services = { konnectivity: { type: "NodePort" } };
    expect(stops({ platform: "IBMCloud" }, { platform: "IBMCloud", services })).toEqual([
      Outcome.Blocked,
      expect.stringContaining("services.konnectivity.address"),
    ]);
  });
});
