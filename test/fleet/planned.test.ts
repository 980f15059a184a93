import { readPrefix } from "../../src/address";
import { keyOfCluster } from "../../src/fleet/document";
import { type Fleet, readFleet } from "../../src/fleet/fleet";
import { type LedgerEntry, ledgerText, Origin, readLedgerEntry } from "../../src/fleet/ledger";
import { EntryState, type FleetPlan, planFleet } from "../../src/fleet/planFleet";
import { type ChosenKind } from "../../src/topology/reservedRanges";

const AROUND = { apiVersion: "hypershift-network/v1" };

function fleet(spec: object): Fleet {
  const { fleet: read, faults } = readFleet({ ...AROUND, kind: "Fleet", spec });
  expect(faults).toEqual([]);
  return read!;
}

function entry(name: string, spec: object): LedgerEntry {
  const { entry: read, faults } = readLedgerEntry({
    ...AROUND,
    kind: "AddressPlan",
    metadata: { name },
    spec: { platform: "AWS", ...spec },
  });
  expect(faults).toEqual([]);
  return read!;
}

const cluster = (name: string, more: object = {}) => ({ name, platform: "AWS", nodes: 10, ...more });
const planOf = (spec: object, ledger: LedgerEntry[] = [], existing: LedgerEntry[] = []): FleetPlan =>
  planFleet({ fleet: fleet(spec), ledger, existing });
/** `tenant-a planned 10.0.0.0/27 10.64.0.0/19` */
const entriesOf = ({ entries }: FleetPlan) =>
  entries.map(({ state, entry: { name, ranges } }) =>
    [name, state, ...ranges.map(({ prefix }) => prefix.text)].join(" "),
  );

describe("entries of a plan", () => {
  const pools = { machineNetwork: ["10.0.0.0/24"] };

  test("are those of the ledger, those that exist, and those that are planned, by name", () => {
    const [kept, old] = [
      entry("m", { machineNetwork: [{ cidr: "10.0.0.0/27" }] }),
      entry("b", { machineNetwork: [{ cidr: "10.0.0.32/27" }] }),
    ];
    const plan = planOf({ pools, clusters: ["z", "b", "a"].map((name) => cluster(name)) }, [kept], [old]);
    expect(entriesOf(plan)).toEqual([
      "a planned 10.0.0.64/27",
      "b adopted 10.0.0.32/27",
      "m kept 10.0.0.0/27",
      "z planned 10.0.0.96/27",
    ]);
    expect(plan).toMatchObject({ unplaced: [], shortages: [], outgrown: [], conflicts: [] });
    expect(plan.entries.map(({ nodes }) => nodes)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("of the ledger stay what they are where the cluster exists, whose other ranges are taken as well", () => {
    const [written, real] = [
      ["10.0.0.0/27", "10.0.0.64/27"],
      ["10.0.0.0/27", "10.0.0.32/27"],
    ].map((blocks) => entry("a", { machineNetwork: blocks.map((cidr) => ({ cidr })) }));
    const plan = planOf({ pools, clusters: [cluster("a"), cluster("b")] }, [written!], [real!]);
    expect(entriesOf(plan)).toEqual(["a kept 10.0.0.0/27 10.0.0.64/27", "b planned 10.0.0.96/27"]);
  });

  test("have in common what the fleet reuses, where the cluster exists, too", () => {
    const join = { release: "4.20", internalJoinSubnet: "100.96.0.0/27", reused: ["internalJoinSubnet"] };
    const [written, real] = [entry("a", join), entry("a", { ...join, reused: [] })];
    const spec = {
      pools: { internalJoinSubnet: ["100.96.0.0/24"] },
      clusters: [cluster("b", { release: "4.20" })],
    };
    expect(entriesOf(planOf(spec, [written], [real]))).toEqual([
      "a kept 100.96.0.0/27",
      "b planned 100.96.0.0/27",
    ]);
  });

  test("keep away from what any of them takes by default", () => {
    const spec = {
      pools: { machineNetwork: ["100.66.0.0/16", "10.0.0.0/16"] },
      clusters: [cluster("a", { platform: "KubeVirt" }), cluster("b")],
    };
    expect(entriesOf(planOf(spec))).toEqual(["a planned 10.0.0.0/27", "b planned 10.0.0.32/27"]);
    expect(entriesOf(planOf({ ...spec, clusters: [cluster("b")] }))).toEqual(["b planned 100.66.0.0/27"]);
  });

  test("have parts of the usual size in IPv6, however many pods a node has", () => {
    const both = { clusterNetwork: ["10.64.0.0/10", "fd20::/44"] };
    const [one] = planOf({ pools: both, clusters: [cluster("a", { podsPerNode: 61 })] }).entries;
    expect(one?.entry.ranges.map(({ prefix, hostPrefix }) => `${prefix.text} ${hostPrefix}`)).toEqual([
      "10.64.0.0/22 26",
      "fd20::/60 64",
    ]);
  });

  test("are adopted as reused where the fleet has that kind in common, and not where it has not", () => {
    const old = entry("a", { serviceNetwork: [{ cidr: "10.1.0.0/24" }], reused: ["serviceNetwork"] });
    const reusedBy = (reuse: ChosenKind[]) =>
      planOf({ pools, reuse }, [], [old]).entries.map(({ entry: { ranges } }) =>
        ranges.map(({ isReused }) => isReused),
      );
    expect([reusedBy(["serviceNetwork"]), reusedBy([])]).toEqual([[[true]], [[false]]]);
  });

  test("say what the cluster is, and how many nodes its ranges carry", () => {
    const spec = {
      pools: { clusterNetwork: ["10.64.0.0/16"] },
      clusters: [
        cluster("a", {
          managementCluster: "west",
          namespace: "teams",
          release: "4.20",
          platform: "KubeVirt",
        }),
        cluster("b"),
      ],
    };
    const [b, a] = planOf(spec).entries;
    expect(a).toEqual({
      state: EntryState.Planned,
      entry: {
        managementCluster: "west",
        namespace: "teams",
        name: "a",
        platform: "KubeVirt",
        release: "4.20",
        origin: Origin.Planned,
        ranges: [
          { kind: "clusterNetwork", prefix: readPrefix("10.64.32.0/19"), hostPrefix: 23, isReused: false },
        ],
      },
      nodes: 16,
    });
    expect(Object.keys(b!.entry)).toEqual(["namespace", "name", "platform", "origin", "ranges"]);
    expect(keyOfCluster(b!.entry)).toBe("clusters/b");
  });

  test("carry no number of nodes by other networks", () => {
    const other = entry("a", {
      machineNetwork: [{ cidr: "10.0.0.0/24" }],
      serviceNetwork: [{ cidr: "10.1.0.0/24" }],
    });
    expect(planOf({ pools }, [other]).entries[0]).not.toHaveProperty("nodes");
    const wide = entry("a", {
      clusterNetwork: [
        { cidr: "10.64.0.0/22", hostPrefix: 24 },
        { cidr: "10.68.0.0/24", hostPrefix: 25 },
        { cidr: "fd00::/56" },
      ],
    });
    expect(planOf({ pools }, [wide]).entries[0]?.nodes).toBe(6);
  });
});

describe("ranges that are too small for what the fleet wants now", () => {
  const pools = {
    machineNetwork: ["10.0.0.0/16"],
    clusterNetwork: ["10.64.0.0/10"],
    serviceNetwork: ["172.24.0.0/13"],
    internalJoinSubnet: ["100.96.0.0/16"],
  };
  const outgrown = (has: object, wants: object = {}, more: object = pools) =>
    planOf({ pools: more, clusters: [cluster("a", { release: "4.20", ...wants })] }, [
      entry("a", { release: "4.20", ...has }),
    ]).outgrown;
  const kinds = (...given: Parameters<typeof outgrown>) =>
    outgrown(...given).map(({ demand, range }) => `${demand.kind} ${range.prefix.text} /${demand.length}`);

  test.each<[what: string, has: object, wants: object, expected: string[]]>([
    [
      "a machine network",
      { machineNetwork: [{ cidr: "10.0.0.0/28" }] },
      {},
      ["machineNetwork 10.0.0.0/28 /27"],
    ],
    ["a machine network that is as large", { machineNetwork: [{ cidr: "10.0.0.0/27" }] }, {}, []],
    ["two halves of one", { machineNetwork: [{ cidr: "10.0.0.0/28" }, { cidr: "10.0.1.0/28" }] }, {}, []],
    [
      "two quarters of one",
      { machineNetwork: [{ cidr: "10.0.0.0/29" }, { cidr: "10.0.1.0/29" }] },
      {},
      ["machineNetwork 10.0.0.0/29 /27"],
    ],
    [
      "a service network",
      { serviceNetwork: [{ cidr: "172.24.0.0/21" }] },
      {},
      ["serviceNetwork 172.24.0.0/21 /20"],
    ],
    [
      "a cluster network with as many parts as nodes",
      { clusterNetwork: [{ cidr: "10.64.0.0/20", hostPrefix: 23 }] },
      { nodes: 8 },
      [],
    ],
    [
      "one with fewer",
      { clusterNetwork: [{ cidr: "10.64.0.0/20", hostPrefix: 23 }] },
      { nodes: 9 },
      ["clusterNetwork 10.64.0.0/20 /19"],
    ],
    [
      "one whose parts are too small",
      { clusterNetwork: [{ cidr: "10.64.0.0/16", hostPrefix: 24 }] },
      {},
      ["clusterNetwork 10.64.0.0/16 /19"],
    ],
    ["one whose parts are larger", { clusterNetwork: [{ cidr: "10.64.0.0/16", hostPrefix: 22 }] }, {}, []],
    [
      "several of which one has too small parts",
      {
        clusterNetwork: [
          { cidr: "10.64.0.0/16", hostPrefix: 23 },
          { cidr: "10.65.0.0/16", hostPrefix: 24 },
        ],
      },
      {},
      ["clusterNetwork 10.64.0.0/16 /19"],
    ],
    [
      "several that have enough parts together",
      {
        clusterNetwork: [
          { cidr: "10.64.0.0/21", hostPrefix: 23 },
          { cidr: "10.65.0.0/21", hostPrefix: 23 },
        ],
      },
      { nodes: 8 },
      [],
    ],
    [
      "an internal subnet for the nodes that are wanted",
      { internalJoinSubnet: "100.96.0.0/29" },
      { nodes: 3 },
      [],
    ],
    [
      "one that is too small for them",
      { internalJoinSubnet: "100.96.0.0/29" },
      { nodes: 100 },
      ["internalJoinSubnet 100.96.0.0/29 /24"],
    ],
    [
      "one for the nodes that its cluster network carries",
      { internalJoinSubnet: "100.96.0.0/27", clusterNetwork: [{ cidr: "10.64.0.0/20", hostPrefix: 23 }] },
      { nodes: 3 },
      [],
    ],
    [
      "one that is too small for those",
      { internalJoinSubnet: "100.96.0.0/29", clusterNetwork: [{ cidr: "10.64.0.0/16", hostPrefix: 23 }] },
      { nodes: 3 },
      ["internalJoinSubnet 100.96.0.0/29 /29"],
    ],
    ["none that it has not", {}, { nodes: 1000 }, []],
  ])("%s", (_, has, wants, expected) => {
    expect(kinds(has, wants)).toEqual(expected);
  });

  test("are of the family that is wanted", () => {
    const both = { machineNetwork: ["10.0.0.0/16", "fd10::/48"] };
    const has = { machineNetwork: [{ cidr: "10.0.0.0/28" }, { cidr: "fd10::/64" }] };
    expect(kinds(has, {}, both)).toEqual(["machineNetwork 10.0.0.0/28 /27"]);
    expect(kinds(has, { zones: 3 }, both)).toEqual([
      "machineNetwork 10.0.0.0/28 /25",
      "machineNetwork fd10::/64 /62",
    ]);
  });

  test("are named with the cluster and what it wants", () => {
    const [found] = outgrown({ machineNetwork: [{ cidr: "10.0.0.0/28" }] });
    expect(found).toMatchObject({
      cluster: { name: "a", nodes: 10 },
      demand: { kind: "machineNetwork", family: 4, length: 27 },
      range: { kind: "machineNetwork", prefix: { text: "10.0.0.0/28" } },
    });
  });
});

describe("pools", () => {
  test("are used as far as something takes their addresses, whatever takes them twice", () => {
    const spec = {
      pools: {
        machineNetwork: ["10.0.0.0/24", "10.0.2.0/24", "10.0.4.0/24"],
        internalJoinSubnet: ["100.96.0.0/24"],
      },
      taken: [
        { name: "half", cidr: "10.0.0.0/25" },
        { name: "in it", cidr: "10.0.0.0/26" },
        { name: "all", cidr: "10.0.4.0/24" },
        { name: "most", cidr: "10.0.2.0/25" },
        { name: "most", cidr: "10.0.2.128/26" },
        { name: "most", cidr: "10.0.2.255/32" },
      ],
    };
    expect(planOf(spec).pools).toStrictEqual([
      { kind: "machineNetwork", pool: readPrefix("10.0.0.0/24"), used: 50, widest: 25 },
      { kind: "machineNetwork", pool: readPrefix("10.0.2.0/24"), used: 75.3, widest: 27 },
      { kind: "machineNetwork", pool: readPrefix("10.0.4.0/24"), used: 100 },
      { kind: "internalJoinSubnet", pool: readPrefix("100.96.0.0/24"), used: 0, widest: 24 },
    ]);
  });
});

describe("how many more clusters there is room for", () => {
  const forecasts = (spec: object, ledger: LedgerEntry[] = []) =>
    planOf(spec, ledger).forecasts.map(({ like, clusters, more, isMore, limitedBy }) => [
      like,
      clusters,
      more,
      isMore,
      limitedBy.join(),
    ]);
  const apart = { machineNetwork: ["10.0.0.0/24"], serviceNetwork: ["10.1.0.0/18"] };
  const shared = { machineNetwork: ["10.0.0.0/24"], serviceNetwork: ["10.0.0.0/16"] };

  test("is said of each size, by the pool that is exhausted first", () => {
    const clusters = [
      cluster("a", { services: 100 }),
      cluster("b", { nodes: 100, services: 100 }),
      cluster("c", { services: 100 }),
    ];
    expect(forecasts({ pools: apart, clusters })).toEqual([
      // 8 blocks of /27: two of them and a /25 are taken.
      ["clusters/a", 2, 2, false, "machineNetwork"],
      ["clusters/b", 1, 0, false, "machineNetwork"],
    ]);
    expect(forecasts({ pools: apart, clusters: [cluster("a", { services: 8000 })] })).toEqual([
      ["clusters/a", 1, 1, false, "serviceNetwork"],
    ]);
  });

  test("names all pools that are exhausted at once", () => {
    const pools = { machineNetwork: ["10.0.0.0/26"], serviceNetwork: ["10.1.0.0/19"] };
    expect(forecasts({ pools, clusters: [cluster("a")] })).toEqual([
      ["clusters/a", 1, 1, false, "machineNetwork,serviceNetwork"],
    ]);
  });

  test("counts what pools have in common once", () => {
    expect(forecasts({ pools: shared, clusters: [cluster("a", { services: 16_000 })] })).toEqual([
      ["clusters/a", 1, 2, false, "serviceNetwork"],
    ]);
    expect(
      forecasts({ pools: { ...shared, machineNetwork: ["10.0.255.224/27"] }, clusters: [cluster("a")] }),
    ).toEqual([["clusters/a", 1, 0, false, "machineNetwork"]]);
  });

  test("counts a block that two kinds may take once", () => {
    const pools = { machineNetwork: ["10.0.0.0/25"], serviceNetwork: ["10.0.0.0/25"] };
    expect(forecasts({ pools, clusters: [cluster("a", { services: 20 })] })).toEqual([
      ["clusters/a", 1, 1, false, "machineNetwork,serviceNetwork"],
    ]);
  });

  test("has no end where a cluster takes nothing of its own, in pools that are apart or not", () => {
    const internal = {
      internalJoinSubnet: ["100.96.0.0/24"],
      internalTransitSwitchSubnet: ["100.97.0.0/24"],
    };
    const clusters = [cluster("a", { release: "4.20" })];
    expect(forecasts({ pools: internal, clusters })).toEqual([["clusters/a", 1, 10_000, true, ""]]);
    const same = { ...internal, internalTransitSwitchSubnet: ["100.96.0.0/24"] };
    expect(forecasts({ pools: same, clusters })).toEqual([["clusters/a", 1, 10_000, true, ""]]);
    expect(planOf({ pools: same, clusters }).forecasts[0]?.limitedBy).toEqual([]);
    const full = { pools: internal, taken: [{ name: "all", cidr: "100.96.0.0/16" }], clusters };
    expect(forecasts(full)).toEqual([["clusters/a", 1, 0, false, "internalJoinSubnet"]]);
  });

  test("is no more than what is tried", () => {
    const pools = { machineNetwork: ["10.0.0.0/8"] };
    expect(forecasts({ pools, clusters: [cluster("a")] })).toEqual(
      [["clusters/a", 1, 10_000, true, "machineNetwork"]].map((one) => [...one.slice(0, 4), ""]),
    );
  });
});

describe("a shortage", () => {
  const spec = (pool: string, taken: string[], clusters = [cluster("a", { nodes: 100 })]) => ({
    pools: { machineNetwork: [pool, "192.168.9.0/26"] },
    taken: taken.map((cidr, at) => ({ name: `n${at}`, cidr })),
    clusters,
  });

  test("names the widest takers of the pools, the free blocks, and what would do", () => {
    const taken = [
      "10.0.0.0/26",
      "10.0.0.64/27",
      "10.0.0.96/28",
      "10.0.0.112/29",
      "10.0.0.120/30",
      "10.0.0.124/32",
      "192.0.2.0/24",
    ];
    const [found, ...others] = planOf(spec("10.0.0.0/25", taken)).shortages;
    expect(others).toEqual([]);
    expect(found).toEqual({
      kind: "machineNetwork",
      family: 4,
      pools: [readPrefix("10.0.0.0/25"), readPrefix("192.168.9.0/26")],
      wanted: [{ key: "clusters/a", length: 25 }],
      takers: taken.slice(0, 5).map((cidr, at) => ({ name: `n${at}`, cidr })),
      moreTakers: 1,
      free: ["192.168.9.0/26", "10.0.0.126/31"],
      widened: { pool: readPrefix("192.168.9.0/26"), to: readPrefix("192.168.9.0/25") },
      beside: 25,
    });
  });

  test("names takers by their size, and of one around a pool what it takes of that", () => {
    const [found] = planOf(
      spec("10.0.0.0/25", ["10.0.0.0/28", "10.0.0.64/26", "192.168.0.0/16", "10.0.0.32/27"]),
    ).shortages;
    expect(found?.takers.map(({ cidr }) => cidr)).toEqual([
      "10.0.0.64/26",
      "192.168.9.0/26",
      "10.0.0.32/27",
      "10.0.0.0/28",
    ]);
    expect(found).toMatchObject({ moreTakers: 0, free: ["10.0.0.16/28"] });
  });

  test("names five free blocks, the widest first", () => {
    const pools = { machineNetwork: Array.from({ length: 7 }, (_, n) => `10.${n}.0.0/${30 - n}`) };
    expect(planOf({ pools, clusters: [cluster("a", { nodes: 1000 })] }).shortages[0]?.free).toEqual(
      [6, 5, 4, 3, 2].map((n) => `10.${n}.0.0/${30 - n}`),
    );
  });

  test("is widened for its own kind, whatever else is missing", () => {
    const plan = planOf({
      pools: { machineNetwork: ["10.0.0.0/29", "fd10::/64"], serviceNetwork: ["10.64.0.0/30"] },
      clusters: [cluster("a", { nodes: 30, services: 100, zones: 2 })],
    });
    expect(plan.shortages.map(({ kind, family, widened }) => [kind, family, widened?.to.text])).toEqual([
      ["machineNetwork", 4, "10.0.0.0/25"],
      ["machineNetwork", 6, "fd10::/63"],
      ["serviceNetwork", 4, "10.64.0.0/25"],
    ]);
  });

  test("is one for each kind and family, of all clusters that have no room", () => {
    const plan = planOf({
      pools: { machineNetwork: ["10.0.0.0/29", "fd10::/63"], serviceNetwork: ["10.1.0.0/30", "fd11::/120"] },
      clusters: [cluster("a", { nodes: 30, services: 100 }), cluster("b", { zones: 3, services: 100 })],
    });
    expect(plan.unplaced).toEqual(["clusters/a", "clusters/b"]);
    expect(
      plan.shortages.map(({ kind, family, wanted, beside }) => [
        kind,
        family,
        wanted.map(({ key, length }) => `${key} /${length}`),
        beside,
      ]),
    ).toEqual([
      ["machineNetwork", 4, ["clusters/a /26", "clusters/b /25"], 24],
      ["serviceNetwork", 4, ["clusters/a /25", "clusters/b /25"], 24],
      ["machineNetwork", 6, ["clusters/b /62"], 62],
    ]);
    expect(plan.shortages.map(({ widened }) => widened?.to.text)).toEqual([
      "10.0.0.0/24",
      "10.1.0.0/24",
      "fd10::/61",
    ]);
    expect(plan.shortages.every(({ takers, moreTakers }) => takers.length === 0 && moreTakers === 0)).toBe(
      true,
    );
  });

  test("takes nothing for a cluster of which something has no room", () => {
    const plan = planOf({
      pools: { machineNetwork: ["10.0.0.0/26"], serviceNetwork: ["10.1.0.0/20"] },
      clusters: [cluster("a", { services: 8000 }), cluster("b")],
    });
    expect([entriesOf(plan), plan.unplaced]).toEqual([["b planned 10.0.0.0/27 10.1.0.0/20"], ["clusters/a"]]);
  });

  test("takes nothing for it where pools have addresses in common, either", () => {
    const plan = planOf({
      pools: { machineNetwork: ["10.0.0.0/26"], serviceNetwork: ["10.0.0.0/26"] },
      clusters: [cluster("a", { services: 60 }), cluster("b", { services: 10 })],
    });
    expect([entriesOf(plan), plan.unplaced]).toEqual([
      ["b planned 10.0.0.0/27 10.0.0.32/28"],
      ["clusters/a"],
    ]);
  });

  test("is widened by no more than the private space around a pool", () => {
    expect(
      planOf({ pools: { machineNetwork: ["192.168.0.0/26"] }, clusters: [cluster("a", { nodes: 60_000 })] })
        .shortages[0]?.widened?.to.text,
    ).toBe("192.168.0.0/16");
    expect(
      planOf({ pools: { machineNetwork: ["192.168.0.0/26"] }, clusters: [cluster("a", { nodes: 70_000 })] })
        .shortages[0],
    ).not.toHaveProperty("widened");
  });
});

test("a file of the ledger has its texts in quotes, and reads as what was planned", () => {
  const written = entry("on", {
    managementCluster: "west",
    release: "4.20",
    machineNetwork: [{ cidr: "10.0.0.0/24" }],
    clusterNetwork: [{ cidr: "10.64.0.0/16", hostPrefix: 24 }],
    internalJoinSubnet: "100.96.0.0/24",
    reused: ["internalJoinSubnet"],
  });
  expect(ledgerText(written).split("\n").slice(2)).toEqual([
    "apiVersion: hypershift-network/v1",
    "kind: AddressPlan",
    "metadata:",
    '  name: "on"',
    '  namespace: "clusters"',
    "spec:",
    '  managementCluster: "west"',
    '  platform: "AWS"',
    '  release: "4.20"',
    '  origin: "planned"',
    "  machineNetwork:",
    '    - cidr: "10.0.0.0/24"',
    "  clusterNetwork:",
    '    - cidr: "10.64.0.0/16"',
    "      hostPrefix: 24",
    '  internalJoinSubnet: "100.96.0.0/24"',
    "  reused:",
    '    - "internalJoinSubnet"',
    "",
  ]);
  expect(ledgerText(entry("a", {})).split("\n").slice(-4)).toEqual([
    "spec:",
    '  platform: "AWS"',
    '  origin: "planned"',
    "",
  ]);
});
