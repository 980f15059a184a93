import { readFleet } from "../../src/fleet/fleet";
import { type LedgerEntry, LedgerOrigin, placeOfRange, readLedgerEntry } from "../../src/fleet/ledger";
import { Platform } from "../../src/requirements/vocabulary";
import type { Fault } from "../../src/fault";
import { chosenKinds } from "../../src/topology/reservedRanges";

const KINDS =
  "machineNetwork, clusterNetwork, serviceNetwork, internalJoinSubnet or internalTransitSwitchSubnet";
const PLATFORMS = Object.values(Platform).join(", ");
const API = "hypershift-network/v1";
const inLines = (faults: readonly Fault[]) =>
  faults.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
const ofFleet = (value: unknown) => inLines(readFleet(value).faults);
const ofEntry = (value: unknown) => inLines(readLedgerEntry(value).faults);
const pools = `spec.pools missing: write CIDR blocks under ${chosenKinds.join(", ")}`;
const named = "metadata.name missing: write the name of the HostedCluster";
const platform = "spec.platform missing: write the platform of the HostedCluster";
const anew = `write ${API}, or use a version of this package that has it`;
const small = "is not a Kubernetes name: write lowercase letters, digits and hyphens";
const aBlock = "missing: write a CIDR block";

describe("faults of the outer fields of a fleet and of a ledger entry", () => {
  test.each<[value: unknown, fleet: string[], entry: string[]]>([
    [
      7,
      [` is not an object: begin with apiVersion: ${API}`, pools],
      [` is not an object: begin with apiVersion: ${API}`, named, platform],
    ],
    [
      { kind: null, spec: {} },
      [`apiVersion missing: ${anew}`, "kind missing: write Fleet", pools],
      [`apiVersion missing: ${anew}`, "kind missing: write AddressPlan", named, platform],
    ],
    [
      { apiVersion: "v2", kind: 7 },
      [
        `apiVersion "v2" is not ${API}: ${anew}`,
        "kind 7 is not Fleet: write Fleet",
        "spec missing: write spec: with pools and clusters",
        pools,
      ],
      [
        `apiVersion "v2" is not ${API}: ${anew}`,
        "kind 7 is not AddressPlan: write AddressPlan",
        "spec missing: write spec: with the ranges of the cluster",
        named,
        platform,
      ],
    ],
  ])("%j", (value, fleet, entry) => {
    expect([ofFleet(value), ofEntry(value)]).toEqual([fleet, entry]);
  });

  test("include an unknown property", () => {
    const more = { apiVersion: API, status: {}, metadata: {} };
    const strange = "status no such property: the properties are apiVersion, kind, metadata, spec";
    expect(ofFleet({ ...more, kind: "Fleet", spec: { pools: {} } })).toEqual([strange]);
    expect(
      ofEntry({ ...more, kind: "AddressPlan", metadata: { name: "a" }, spec: { platform: "AWS" } }),
    ).toEqual([strange]);
  });
});

describe("faults of a fleet", () => {
  const faults = (spec: object) => ofFleet({ apiVersion: API, kind: "Fleet", spec: { pools: {}, ...spec } });
  const cluster = { name: "a", platform: "AWS", nodes: 3 };
  const fits = (place: string, value: number, from: number, to: number) =>
    `spec.${place} ${value} is not a number that fits here: write a whole number from ${from} to ${to}`;
  const noPlatform = (at: number) => `spec.clusters[${at}].platform missing: write one of ${PLATFORMS}`;
  const noNodes = (at: number) =>
    `spec.clusters[${at}].nodes missing: write the maximum number of nodes of the cluster`;

  test("in its defaults are reported once, however many clusters use them, and hide no other fault", () => {
    const clusters = Array.from({ length: 200 }, (_, at) => ({ name: `c${at}`, nodes: 3 }));
    expect(faults({ defaults: { platform: "aws" }, clusters })).toEqual([
      expect.stringMatching(/^spec\.defaults\.platform "aws" is not one of /),
    ]);
    const strange = { name: "d", nodes: "many" };
    expect(faults({ defaults: { platform: "aws" }, clusters: [...clusters, strange] })).toEqual([
      expect.stringContaining("spec.defaults.platform"),
      expect.stringContaining("spec.clusters[200].nodes"),
    ]);
  });

  test.each<[spec: object, expected: string[]]>([
    [{ pools: [] }, [`spec.pools a list is not an object: write an object with ${KINDS}`]],
    [{ pools: { machines: [] } }, [`spec.pools.machines no such property: the properties are ${KINDS}`]],
    [{ pools: { machineNetwork: null } }, []],
    [
      { pools: { machineNetwork: [] } },
      ["spec.pools.machineNetwork has no block: write a CIDR block, or leave the pool out"],
    ],
    [
      { pools: { machineNetwork: ["10.0.0.0/8", "10.1.0.0/16"] } },
      ["spec.pools.machineNetwork 10.1.0.0/16 lies in 10.0.0.0/8: leave 10.1.0.0/16 out"],
    ],
    [
      { pools: { internalJoinSubnet: ["100.96.0.0/16", "fd00::/64"] } },
      ["spec.pools.internalJoinSubnet has an IPv6 block: write IPv4 blocks: only these can be set"],
    ],
    [
      { pools: { clusterNetwork: ["10.0.0.0/8"], serviceNetwork: ["172.16.0.0/12", "fd00::/100"] } },
      [
        "spec.pools.serviceNetwork has blocks of IPv4 and IPv6, and the cluster networks are IPv4: HyperShift requires the same families: write both families in the pools of cluster and service networks, or one in both",
      ],
    ],
    [
      {
        pools: {
          clusterNetwork: ["10.0.0.0/8", "fd00::/48"],
          serviceNetwork: ["fd01::/100", "172.16.0.0/12"],
        },
      },
      [],
    ],
    [
      { pools: { clusterNetwork: ["10.0.0.0/8"], machineNetwork: ["fd00::/48"] } },
      [
        "spec.pools.machineNetwork has blocks of IPv6, and the cluster networks begin with IPv4: HyperShift compares the first entries: write blocks of IPv4 in this pool, or of IPv6 in those of cluster and service networks",
      ],
    ],
    [{ pools: { clusterNetwork: ["10.0.0.0/8"], machineNetwork: ["fd00::/48", "10.0.0.0/8"] } }, []],
    // What has no pool is an IPv4 default.
    [
      { pools: { machineNetwork: ["fd00::/48"], serviceNetwork: ["fd02::/100"] } },
      [
        "spec.pools.serviceNetwork has blocks of IPv6, and the cluster networks are IPv4: HyperShift requires the same families: write both families in the pools of cluster and service networks, or one in both",
        "spec.pools.machineNetwork has blocks of IPv6, and the cluster networks begin with IPv4: HyperShift compares the first entries: write blocks of IPv4 in this pool, or of IPv6 in those of cluster and service networks",
      ],
    ],
    [
      { pools: { clusterNetwork: ["fd01::/40"] } },
      [
        "spec.pools.clusterNetwork has blocks of IPv6, and the service networks are IPv4: HyperShift requires the same families: write both families in the pools of cluster and service networks, or one in both",
      ],
    ],
    [{ pools: { clusterNetwork: ["fd01::/40"], serviceNetwork: ["fd02::/100"] } }, []],
    [
      { defaults: 7, clusters: [{ ...cluster, name: null }] },
      [
        `spec.defaults 7 is not an object: write an object with platform, release, nodes, podsPerNode, services, zones, otherAddresses, namespace or managementCluster`,
        "spec.clusters[0].name missing: write the name of the HostedCluster",
      ],
    ],
    [{ ledger: 7 }, ["spec.ledger 7 is not a string: write it in quotes"]],
    [{ ledger: "" }, ["spec.ledger is empty: write a folder, such as ./ledger"]],
    [
      { reuse: [null, "pods"] },
      [
        `spec.reuse[0] missing: write ${chosenKinds.join(", ")}`,
        `spec.reuse[1] "pods" is not one of ${KINDS}: write one of ${KINDS}`,
      ],
    ],
    [
      { taken: [7, { name: 3, cidr: "x" }, { name: "a", cidr: "10.0.0.0/8", more: 1 }, null, {}] },
      [
        "spec.taken[0] 7 is not an object: write an object with name or cidr",
        "spec.taken[1].name 3 is not a string: write it in quotes",
        "spec.taken[1].cidr a string of 1 characters is not a CIDR block: write a CIDR block such as 10.0.0.0/16",
        "spec.taken[2].more no such property: the properties are name or cidr",
        "spec.taken[3] missing: write a name and a CIDR block",
        "spec.taken[4].name missing: write the name of the network",
        `spec.taken[4].cidr ${aBlock}`,
      ],
    ],
    [
      {
        clusters: [
          null,
          { ...cluster, name: "A" },
          { ...cluster, namespace: "A_" },
          { ...cluster, name: "b", release: "4" },
          { ...cluster, name: "c", release: 4.2 },
        ],
      },
      [
        "spec.clusters[0] missing: write a name and the number of nodes",
        `spec.clusters[1].name "A" ${small}`,
        `spec.clusters[2].namespace "A_" ${small}`,
        'spec.clusters[3].release "4" is not a release: write major.minor in quotes: release: "4.20"',
        'spec.clusters[4].release 4.2 is not a release: write major.minor in quotes: release: "4.20"',
      ],
    ],
    [
      {
        clusters: [
          { name: "a" },
          { name: "b", platform: "AWS" },
          { name: "c", nodes: 3 },
          cluster,
          { ...cluster, namespace: "b" },
          cluster,
        ],
      },
      [
        noPlatform(0),
        noNodes(0),
        noNodes(1),
        noPlatform(2),
        "spec.clusters[5].name clusters/a is there twice: leave one of them out",
      ],
    ],
    [
      {
        clusters: [
          { platform: "AWS", nodes: 3 },
          { platform: "AWS", nodes: 3 },
          { name: "b", platform: "AWS" },
          { name: "b", platform: "AWS" },
          { name: "c", nodes: 3 },
          { name: "c", nodes: 3 },
        ],
      },
      [
        "spec.clusters[0].name missing: write the name of the HostedCluster",
        "spec.clusters[1].name missing: write the name of the HostedCluster",
        noNodes(2),
        noNodes(3),
        noPlatform(4),
        noPlatform(5),
      ],
    ],
    [
      {
        clusters: [
          { ...cluster, managementCluster: "west" },
          { ...cluster, managementCluster: "east" },
          cluster,
        ],
      },
      [],
    ],
    [
      {
        defaults: { nodes: 0, zones: 101, managementCluster: "x y" },
        clusters: [{ name: "a", platform: "AWS" }],
      },
      [
        `spec.defaults.managementCluster "x y" ${small}`,
        fits("defaults.nodes", 0, 1, 100_000),
        fits("defaults.zones", 101, 1, 100),
      ],
    ],
    [{ defaults: { nodes: 3, platform: "AWS" }, clusters: [{ name: "a", nodes: null, platform: null }] }, []],
    [
      {
        clusters: [
          {
            ...cluster,
            nodes: 100_001,
            podsPerNode: 10_001,
            services: 100_001,
            zones: 101,
            otherAddresses: 100_001,
          },
        ],
      },
      [
        fits("clusters[0].nodes", 100_001, 1, 100_000),
        fits("clusters[0].podsPerNode", 10_001, 1, 10_000),
        fits("clusters[0].otherAddresses", 100_001, 0, 100_000),
        fits("clusters[0].services", 100_001, 1, 100_000),
        fits("clusters[0].zones", 101, 1, 100),
      ],
    ],
    [
      {
        clusters: [
          {
            ...cluster,
            nodes: 100_000,
            podsPerNode: 10_000,
            services: 100_000,
            zones: 100,
            otherAddresses: 100_000,
          },
        ],
      },
      [],
    ],
  ])("%j", (spec, expected) => {
    expect(faults(spec)).toEqual(expected);
  });

  test("are absent if optional fields are missing, which then have their defaults", () => {
    const { fleet } = readFleet({ apiVersion: API, kind: "Fleet", spec: { pools: {}, clusters: [cluster] } });
    expect(fleet).toStrictEqual({
      ledger: "ledger",
      pools: {},
      reuse: new Set(["internalJoinSubnet", "internalTransitSwitchSubnet"]),
      taken: [],
      clusters: [
        {
          namespace: "clusters",
          name: "a",
          platform: "AWS",
          nodes: 3,
          services: 4000,
          zones: 1,
          otherAddresses: 16,
        },
      ],
    });
    const all = {
      release: "4.20",
      podsPerNode: 5,
      services: 6,
      zones: 7,
      otherAddresses: 0,
      namespace: "b",
      managementCluster: "c",
    };
    const of = (spec: object) =>
      readFleet({ apiVersion: API, kind: "Fleet", spec: { pools: {}, ...spec } }).fleet;
    expect(of({ clusters: [{ ...cluster, ...all }] })?.clusters).toStrictEqual([{ ...cluster, ...all }]);
    expect(of({ defaults: all, clusters: [cluster] })?.clusters).toStrictEqual([{ ...cluster, ...all }]);
    expect(of({ reuse: [] })?.reuse).toEqual(new Set());
    expect(of({})?.clusters).toEqual([]);
  });
});

describe("faults of a ledger entry", () => {
  const entry = (metadata: unknown, spec: unknown) => ({
    apiVersion: API,
    kind: "AddressPlan",
    metadata,
    spec,
  });
  const keys = `managementCluster, platform, release, origin, ${KINDS.replace(" or ", ", ")} or reused`;
  const parts = (at: number, value: number, from: number, to: number) =>
    `spec.clusterNetwork[${at}].hostPrefix ${value} is not a number that fits here: write a whole number from ${from} to ${to}`;

  test.each<[metadata: unknown, spec: unknown, expected: string[]]>([
    [
      7,
      [],
      [
        "spec missing: write spec: with the ranges of the cluster",
        "metadata 7 is not an object: write an object with name or namespace",
        named,
        `spec a list is not an object: write an object with ${keys}`,
        platform,
      ],
    ],
    [
      { name: "a", labels: {} },
      { platform: "AWS" },
      ["metadata.labels no such property: the properties are name or namespace"],
    ],
    [{ name: "a", namespace: "B" }, { platform: "AWS" }, [`metadata.namespace "B" ${small}`]],
    [
      {},
      { platform: "x", release: 4.2, origin: "z", reused: ["pods"], managementCluster: "x y" },
      [
        named,
        `spec.managementCluster "x y" ${small}`,
        expect.stringMatching(
          /^spec\.platform "x" is not one of AWS, .* or None: write one of AWS, .* or None$/,
        ) as string,
        'spec.release 4.2 is not a release: write major.minor in quotes: release: "4.20"',
        'spec.origin "z" is not one of planned or adopted: write one of planned or adopted',
        `spec.reused[0] "pods" is not one of ${KINDS}: write one of ${KINDS}`,
      ],
    ],
    [
      { name: "a" },
      {
        platform: "AWS",
        machineNetwork: [null, {}, { cidr: "10.0.0.1/8" }, { cidr: "10.0.0.0/8", hostPrefix: 23 }],
        clusterNetwork: [
          { cidr: "10.0.0.0/16", hostPrefix: 15 },
          { cidr: "10.1.0.0/16", hostPrefix: 33 },
          { cidr: "fd00::/48", hostPrefix: 129 },
        ],
        serviceNetwork: 7,
        internalJoinSubnet: "fd00::/64",
      },
      [
        `spec.machineNetwork[0] ${aBlock}`,
        `spec.machineNetwork[1].cidr ${aBlock}`,
        "spec.machineNetwork[2].cidr 10.0.0.1/8 has host bits: write 10.0.0.0/8",
        "spec.machineNetwork[3].hostPrefix no such property: the properties are cidr",
        parts(0, 15, 16, 32),
        parts(1, 33, 16, 32),
        parts(2, 129, 48, 128),
        "spec.serviceNetwork 7 is not a list: write a list",
        "spec.internalJoinSubnet fd00::/64 is IPv6: only IPv4 is allowed here",
      ],
    ],
  ])("metadata: %j, spec: %j", (metadata, spec, expected) => {
    const read = readLedgerEntry(entry(metadata, spec));
    expect([read.entry, inLines(read.faults)]).toEqual([undefined, expected]);
  });

  const read = (spec: object): LedgerEntry => {
    const { entry: found, faults } = readLedgerEntry(entry({ name: "a" }, { platform: "AWS", ...spec }));
    expect(faults).toEqual([]);
    return found!;
  };

  test("are absent if optional fields are missing, which then have their defaults", () => {
    expect(read({})).toStrictEqual({
      namespace: "clusters",
      name: "a",
      platform: "AWS",
      origin: LedgerOrigin.Planned,
      ranges: [],
    });
    const { ranges, ...others } = read({
      managementCluster: "west",
      release: "4.20",
      origin: "adopted",
      clusterNetwork: [
        { cidr: "10.0.0.0/16" },
        { cidr: "fd00::/48" },
        { cidr: "10.1.0.0/16", hostPrefix: 16 },
      ],
      serviceNetwork: [{ cidr: "172.24.0.0/16" }],
      internalJoinSubnet: "100.96.0.0/16",
      reused: ["internalJoinSubnet"],
    });
    expect(others).toEqual({
      managementCluster: "west",
      namespace: "clusters",
      name: "a",
      platform: "AWS",
      release: "4.20",
      origin: "adopted",
    });
    expect(ranges.map(({ kind, prefix, ...more }) => [kind, prefix.text, more])).toStrictEqual([
      ["clusterNetwork", "10.0.0.0/16", { hostPrefix: 23, isReused: false }],
      ["clusterNetwork", "fd00::/48", { hostPrefix: 64, isReused: false }],
      ["clusterNetwork", "10.1.0.0/16", { hostPrefix: 16, isReused: false }],
      ["serviceNetwork", "172.24.0.0/16", { isReused: false }],
      ["internalJoinSubnet", "100.96.0.0/16", { isReused: true }],
    ]);
  });

  test("are located by the path of a range in the file", () => {
    const found = read({
      machineNetwork: [{ cidr: "10.0.0.0/24" }],
      serviceNetwork: [{ cidr: "172.24.0.0/16" }, { cidr: "fd00::/112" }],
      internalJoinSubnet: "100.96.0.0/16",
    });
    expect(found.ranges.map((range) => placeOfRange(found, range))).toEqual([
      "spec.machineNetwork[0].cidr",
      "spec.serviceNetwork[0].cidr",
      "spec.serviceNetwork[1].cidr",
      "spec.internalJoinSubnet",
    ]);
  });
});
