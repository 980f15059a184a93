import fc from "fast-check";
import { parse } from "yaml";
import { fleetDocument } from "../../local/fleet/agreement";
import { fleetOf } from "../../local/fleet/cases";
import { contains, overlap, readPrefix } from "../../src/address";
import { conflictsAmong } from "../../src/fleet/judge";
import { keyOfCluster } from "../../src/fleet/document";
import { type LedgerEntry, ledgerText, readLedgerEntry, topologyRanges } from "../../src/fleet/ledger";
import { type Fleet, readFleet } from "../../src/fleet/fleet";
import { type FleetPlan, planFleet } from "../../src/fleet/planFleet";

const POOLS = {
  machineNetwork: ["10.0.0.0/12"],
  clusterNetwork: ["10.64.0.0/10"],
  serviceNetwork: ["172.24.0.0/13"],
  internalJoinSubnet: ["100.96.0.0/16"],
  internalTransitSwitchSubnet: ["100.97.0.0/16"],
};

function fleet(spec: object): Fleet {
  const { fleet: read, faults } = readFleet({ apiVersion: "hypershift-network/v1", kind: "Fleet", spec });
  expect(faults).toEqual([]);
  return read!;
}

const planOf = (cluster: object, pools: object = POOLS): ReturnType<typeof topologyRanges> => {
  const { entries } = planFleet({
    fleet: fleet({ pools, clusters: [{ name: "a", platform: "AWS", nodes: 10, ...cluster }] }),
    ledger: [],
  });
  expect(entries).toHaveLength(1);
  return topologyRanges(entries[0]!.entry);
};

/** Prefix lengths in the order of the pools. */
const lengths = (ranges: ReturnType<typeof topologyRanges>): (number | undefined)[] => {
  const lengthOf = (cidr: string | undefined) =>
    cidr === undefined ? undefined : Number(cidr.split("/")[1]);
  const { machineNetwork, clusterNetwork, serviceNetwork, internalJoinSubnet, internalTransitSwitchSubnet } =
    ranges;
  return [
    lengthOf(machineNetwork?.[0]?.cidr),
    lengthOf(clusterNetwork?.[0]?.cidr),
    lengthOf(serviceNetwork?.[0]?.cidr),
    lengthOf(internalJoinSubnet),
    lengthOf(internalTransitSwitchSubnet),
  ];
};

describe("the sizes of ranges", () => {
  test.each<[object, (number | undefined)[]]>([
    // 10 nodes, 16 other addresses and 5 that AWS reserves; 16 host subnets of /23; 4000 services.
    [{}, [27, 19, 20, 27, 27]],
    [{ nodes: 1 }, [27, 22, 20, 29, 29]],
    [{ nodes: 250 }, [23, 15, 20, 23, 23]],
    [{ nodes: 256 }, [23, 15, 20, 23, 23]],
    [{ nodes: 257 }, [23, 14, 20, 22, 22]],
    [{ zones: 3 }, [25, 19, 20, 27, 27]],
    [{ zones: 3, nodes: 120 }, [24, 16, 20, 24, 24]],
    [{ otherAddresses: 0 }, [28, 19, 20, 27, 27]],
    [{ platform: "None", otherAddresses: 4 }, [28, 19, 20, 27, 27]],
    // 61 pods and three addresses of OVN-Kubernetes fit into /26, 62 do not.
    [{ podsPerNode: 61 }, [27, 22, 20, 27, 27]],
    [{ podsPerNode: 62 }, [27, 21, 20, 27, 27]],
    [{ podsPerNode: 1 }, [27, 26, 20, 27, 27]],
    [{ services: 1 }, [27, 19, 29, 27, 27]],
    [{ services: 4094 }, [27, 19, 20, 27, 27]],
    [{ services: 4095 }, [27, 19, 19, 27, 27]],
    [{ release: "4.19" }, [27, 19, 20, undefined, undefined]],
    [{ release: "4.20", platform: "KubeVirt" }, [27, 19, 20, undefined, 27]],
  ])("for %j are %j", (cluster, expected) => {
    expect(lengths(planOf(cluster))).toEqual(expected);
  });

  test("cover both address families if the pools have both", () => {
    const pools = {
      machineNetwork: ["10.0.0.0/12", "fd10::/48"],
      clusterNetwork: ["10.64.0.0/10", "fd20::/44"],
      serviceNetwork: ["172.24.0.0/13", "fd30::/100"],
    };
    expect(planOf({ nodes: 100, zones: 3 }, pools)).toEqual({
      machineNetwork: [{ cidr: "10.0.0.0/24" }, { cidr: "fd10::/62" }],
      clusterNetwork: [
        { cidr: "10.64.0.0/16", hostPrefix: 23 },
        { cidr: "fd20::/57", hostPrefix: 64 },
      ],
      serviceNetwork: [{ cidr: "172.24.0.0/20" }, { cidr: "fd30::/116" }],
    });
  });
});

describe("a planned range", () => {
  const OTHERWISE = "192.168.0.0/24";
  const machines = (pool: string, cluster: object) =>
    planOf({ otherAddresses: 200, ...cluster }, { machineNetwork: [pool, OTHERWISE] }).machineNetwork![0]!
      .cidr;

  test.each<[string, string, object?]>([
    ["the default cluster network, if none is planned", "10.132.0.0/14"],
    ["the default service network", "172.31.0.0/16"],
    ["the address at which nodes reach the API server", "172.20.0.0/24"],
    ["OVN's default join subnet", "100.64.0.0/16", { release: "4.16" }],
    ["the join subnet of user-defined networks", "100.65.0.0/16", { release: "4.20" }],
    [
      "the join subnet of user-defined networks, even if only a later release has it",
      "100.65.0.0/16",
      { release: "4.16" },
    ],
    ["the join subnet of KubeVirt guests", "100.66.0.0/16", { platform: "KubeVirt" }],
    ["the default bridge of container engines", "172.17.0.0/16"],
    ["link-local addresses", "169.254.0.0/16"],
  ])("avoids %s", (_, pool, cluster = {}) => {
    expect(machines(pool, cluster)).toBe(OTHERWISE);
  });

  test("does not avoid what only another platform reserves", () => {
    expect(machines("100.66.0.0/16", { platform: "AWS" })).toBe("100.66.0.0/24");
  });

  test("has no room if its pool is taken, and the plan reports the shortage", () => {
    const spec = {
      pools: { machineNetwork: ["10.0.0.0/24"] },
      taken: [{ name: "all", cidr: "10.0.0.0/8" }],
      clusters: [{ name: "a", platform: "AWS", nodes: 3 }],
    };
    const { shortages, unplaced, pools, forecasts } = planFleet({ fleet: fleet(spec), ledger: [] });
    expect(unplaced).toEqual(["clusters/a"]);
    expect(shortages).toEqual([
      {
        kind: "machineNetwork",
        family: 4,
        pools: [readPrefix("10.0.0.0/24")],
        wanted: [{ key: "clusters/a", length: 27 }],
        takers: [{ name: "all", cidr: "10.0.0.0/24" }],
        moreTakers: 0,
        free: [],
        beside: 27,
      },
    ]);
    expect(pools).toEqual([{ kind: "machineNetwork", pool: readPrefix("10.0.0.0/24"), used: 100 }]);
    expect(forecasts).toMatchObject([{ like: "clusters/a", more: 0, limitedBy: ["machineNetwork"] }]);
  });

  test("is the same for all clusters if the fleet reuses its kind, and different otherwise", () => {
    const clusters = ["a", "b"].map((name) => ({ name, platform: "AWS", nodes: 10, release: "4.20" }));
    const { entries } = planFleet({ fleet: fleet({ pools: POOLS, clusters }), ledger: [] });
    const [one, other] = entries.map(({ entry }) => topologyRanges(entry));
    expect(one!.internalJoinSubnet).toBe(other!.internalJoinSubnet);
    expect(one!.serviceNetwork).not.toEqual(other!.serviceNetwork);
  });
});

describe("faults of a fleet", () => {
  const cluster = { name: "a", platform: "AWS", nodes: 10 };
  test.each<[string, unknown, string[]]>([
    ["no document", undefined, [" is not an object", "spec.pools missing"]],
    ["a list", [], [" is not an object", "spec.pools missing"]],
    [
      "another version",
      { apiVersion: "hypershift-network/v2", kind: "Fleet", spec: { pools: {} } },
      ['apiVersion "hypershift-network/v2" is not hypershift-network/v1'],
    ],
    [
      "another kind",
      { apiVersion: "hypershift-network/v1", kind: "AddressPlan", spec: { pools: {} } },
      ['kind "AddressPlan" is not Fleet'],
    ],
    ["an unknown key", { spec: { pools: {}, cluster: [] } }, ["spec.cluster no such property"]],
    [
      "a block inside another block of the pool",
      { spec: { pools: { machineNetwork: ["10.0.0.0/8", "10.1.0.0/16"] } } },
      ["spec.pools.machineNetwork 10.1.0.0/16 lies in 10.0.0.0/8"],
    ],
    [
      "an empty pool",
      { spec: { pools: { machineNetwork: [] } } },
      ["spec.pools.machineNetwork has no block"],
    ],
    [
      "IPv6 for internal subnets",
      { spec: { pools: { internalJoinSubnet: ["fd00::/64"] } } },
      ["spec.pools.internalJoinSubnet has an IPv6 block"],
    ],
    [
      "address families that differ between pools",
      { spec: { pools: { clusterNetwork: ["10.0.0.0/8"], serviceNetwork: ["fd00::/100"] } } },
      [
        "spec.pools.serviceNetwork has blocks of IPv6, and the cluster networks are IPv4: HyperShift requires the same families",
      ],
    ],
    [
      "a cluster that is listed twice",
      { spec: { pools: {}, clusters: [cluster, cluster] } },
      ["spec.clusters[1].name clusters/a is there twice"],
    ],
    [
      "missing nodes, platform and name",
      {
        spec: {
          pools: {},
          clusters: [
            { name: "a", platform: "AWS" },
            { name: "b", nodes: 3 },
            { platform: "AWS", nodes: 3 },
          ],
        },
      },
      [
        "spec.clusters[0].nodes missing",
        "spec.clusters[1].platform missing",
        "spec.clusters[2].name missing",
      ],
    ],
    [
      "numbers out of range",
      {
        spec: {
          pools: {},
          clusters: [{ ...cluster, nodes: 0, zones: 1.5, services: "many", otherAddresses: -1 }],
        },
      },
      [
        "spec.clusters[0].nodes 0 is not a number that fits here",
        "spec.clusters[0].otherAddresses -1 is not a number that fits here",
        'spec.clusters[0].services "many" is not a number that fits here',
        "spec.clusters[0].zones 1.5 is not a number that fits here",
      ],
    ],
    [
      "a release that is a number",
      { spec: { pools: {}, defaults: { release: 4.2 }, clusters: [cluster] } },
      ["spec.defaults.release 4.2 is not a release"],
    ],
    [
      "networks without a name or a block",
      { spec: { pools: {}, taken: [{ cidr: "10.0.0.0/8" }, { name: "x" }, null] } },
      ["spec.taken[0].name missing", "spec.taken[1].cidr missing", "spec.taken[2] missing"],
    ],
    [
      "an unknown kind of range",
      { spec: { pools: {}, reuse: ["pods"] } },
      ['spec.reuse[0] "pods" is not one of'],
    ],
    ["an empty ledger folder", { spec: { pools: {}, ledger: "" } }, ["spec.ledger is empty"]],
  ])("include %s", (_, document, expected) => {
    const whole =
      typeof document === "object" && !Array.isArray(document)
        ? { apiVersion: "hypershift-network/v1", kind: "Fleet", ...document }
        : document;
    const { fleet: none, faults } = readFleet(whole);
    expect(none).toBeUndefined();
    const said = faults.map(({ path, problem }) => `${path} ${problem}`);
    expect(said).toHaveLength(expected.length);
    said.forEach((fault, at) => expect(fault).toContain(expected[at]!));
  });
});

describe("for any fleet", () => {
  const any = fc
    .integer({ min: 1, max: 1_000_000 })
    .map((seed) => readFleet(fleetDocument(fleetOf(seed, 1))).fleet!);
  const entriesOf = ({ entries }: FleetPlan): LedgerEntry[] => entries.map(({ entry }) => entry);

  test("ranges lie in their pools, do not conflict, and avoid taken networks", () => {
    fc.assert(
      fc.property(any, (given) => {
        const entries = entriesOf(planFleet({ fleet: given, ledger: [] }));
        expect(conflictsAmong(entries, given.taken)).toEqual([]);
        for (const { ranges } of entries)
          for (const { kind, prefix } of ranges) {
            expect(given.pools[kind]!.some((pool) => contains(pool, prefix))).toBe(true);
            expect(given.taken.some((network) => overlap(network.prefix, prefix))).toBe(false);
          }
      }),
    );
  });

  test("clusters of the ledger keep their ranges when clusters are added or removed", () => {
    fc.assert(
      fc.property(any, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (given, picked) => {
        const some = { ...given, clusters: given.clusters.filter((_, at) => picked[at]) };
        const ledger = entriesOf(planFleet({ fleet: some, ledger: [] }));
        const later = entriesOf(planFleet({ fleet: given, ledger }));
        for (const entry of ledger) expect(later).toContain(entry);
        expect(entriesOf(planFleet({ fleet: { ...given, clusters: [] }, ledger }))).toEqual(ledger);
      }),
    );
  });

  test("a ledger file reads back as the entry it was written from", () => {
    fc.assert(
      fc.property(any, fc.constantFrom(undefined, "west", "on", "1e3"), (given, managementCluster) => {
        for (const planned of entriesOf(planFleet({ fleet: given, ledger: [] }))) {
          const entry = { ...planned, ...(managementCluster !== undefined && { managementCluster }) };
          const read = readLedgerEntry(parse(ledgerText(entry)));
          expect(read).toEqual({ entry, faults: [] });
          expect(keyOfCluster(read.entry!)).toBe(keyOfCluster(entry));
        }
      }),
    );
  });
});
