import { readPrefix } from "../../src/address";
import { keyOfCluster } from "../../src/fleet/document";
import { ledgerText, LedgerOrigin } from "../../src/fleet/ledger";
import { EntryState } from "../../src/fleet/planFleet";
import type { ChosenKind } from "../../src/topology/reservedRanges";
import { cluster, entriesOf, entry, planOf } from "./plans";

describe("entries of a plan", () => {
  const pools = { machineNetwork: ["10.0.0.0/24"] };

  test("are kept from the ledger, adopted or planned, sorted by name", () => {
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

  test("of the ledger stay unchanged if the cluster is deployed, whose other ranges count as taken as well", () => {
    const [written, real] = [
      ["10.0.0.0/27", "10.0.0.64/27"],
      ["10.0.0.0/27", "10.0.0.32/27"],
    ].map((blocks) => entry("a", { machineNetwork: blocks.map((cidr) => ({ cidr })) }));
    const plan = planOf({ pools, clusters: [cluster("a"), cluster("b")] }, [written!], [real!]);
    expect(entriesOf(plan)).toEqual(["a kept 10.0.0.0/27 10.0.0.64/27", "b planned 10.0.0.96/27"]);
  });

  test("share the ranges that the fleet reuses, also with a deployed cluster", () => {
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

  test("avoid the ranges that any cluster of the plan reserves by default", () => {
    const spec = {
      pools: { machineNetwork: ["100.66.0.0/16", "10.0.0.0/16"] },
      clusters: [cluster("a", { platform: "KubeVirt" }), cluster("b")],
    };
    expect(entriesOf(planOf(spec))).toEqual(["a planned 10.0.0.0/27", "b planned 10.0.0.32/27"]);
    expect(entriesOf(planOf({ ...spec, clusters: [cluster("b")] }))).toEqual(["b planned 100.66.0.0/27"]);
  });

  test("have the default host prefix in IPv6, however many pods a node has", () => {
    const both = {
      clusterNetwork: ["10.64.0.0/10", "fd20::/44"],
      serviceNetwork: ["172.24.0.0/13", "fd21::/100"],
    };
    const [one] = planOf({ pools: both, clusters: [cluster("a", { podsPerNode: 61 })] }).entries;
    const pods = one?.entry.ranges.filter(({ kind }) => kind === "clusterNetwork");
    expect(pods?.map(({ prefix, hostPrefix }) => `${prefix.text} ${hostPrefix}`)).toEqual([
      "10.64.0.0/22 26",
      "fd20::/60 64",
    ]);
  });

  test("are adopted as reused only if the fleet reuses that kind", () => {
    const old = entry("a", { serviceNetwork: [{ cidr: "10.1.0.0/24" }], reused: ["serviceNetwork"] });
    const reusedBy = (reuse: ChosenKind[]) =>
      planOf({ pools, reuse }, [], [old]).entries.map(({ entry: { ranges } }) =>
        ranges.map(({ isReused }) => isReused),
      );
    expect([reusedBy(["serviceNetwork"]), reusedBy([])]).toEqual([[[true]], [[false]]]);
  });

  test("describe the cluster and how many nodes its ranges support", () => {
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
        origin: LedgerOrigin.Planned,
        ranges: [
          { kind: "clusterNetwork", prefix: readPrefix("10.64.32.0/19"), hostPrefix: 23, isReused: false },
        ],
      },
      nodes: 16,
    });
    expect(Object.keys(b!.entry)).toEqual(["namespace", "name", "platform", "origin", "ranges"]);
    expect(keyOfCluster(b!.entry)).toBe("clusters/b");
  });

  test("derive the number of nodes from the cluster network only", () => {
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

  test("have room for as many nodes as the family with fewer parts", () => {
    const parts = [{ cidr: "10.64.0.0/20", hostPrefix: 23 }, { cidr: "fd00::/62" }];
    for (const clusterNetwork of [parts, parts.toReversed()])
      expect(planOf({ pools }, [entry("a", { clusterNetwork })]).entries[0]?.nodes).toBe(4);
  });
});

describe("the ranges that a cluster has outgrown", () => {
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
      "a machine network that is too small",
      { machineNetwork: [{ cidr: "10.0.0.0/28" }] },
      {},
      ["machineNetwork 10.0.0.0/28 /27"],
    ],
    ["no machine network of the wanted size", { machineNetwork: [{ cidr: "10.0.0.0/27" }] }, {}, []],
    [
      "no two machine networks with the wanted size together",
      { machineNetwork: [{ cidr: "10.0.0.0/28" }, { cidr: "10.0.1.0/28" }] },
      {},
      [],
    ],
    [
      "two machine networks that are too small together",
      { machineNetwork: [{ cidr: "10.0.0.0/29" }, { cidr: "10.0.1.0/29" }] },
      {},
      ["machineNetwork 10.0.0.0/29 /27"],
    ],
    [
      "a service network that is too small",
      { serviceNetwork: [{ cidr: "172.24.0.0/21" }] },
      {},
      ["serviceNetwork 172.24.0.0/21 /20"],
    ],
    [
      "no cluster network with as many host subnets as nodes",
      { clusterNetwork: [{ cidr: "10.64.0.0/20", hostPrefix: 23 }] },
      { nodes: 8 },
      [],
    ],
    [
      "a cluster network with fewer host subnets than nodes",
      { clusterNetwork: [{ cidr: "10.64.0.0/20", hostPrefix: 23 }] },
      { nodes: 9 },
      ["clusterNetwork 10.64.0.0/20 /19"],
    ],
    [
      "a cluster network whose host subnets are too small",
      { clusterNetwork: [{ cidr: "10.64.0.0/16", hostPrefix: 24 }] },
      {},
      ["clusterNetwork 10.64.0.0/16 /19"],
    ],
    [
      "no cluster network whose host subnets are larger",
      { clusterNetwork: [{ cidr: "10.64.0.0/16", hostPrefix: 22 }] },
      {},
      [],
    ],
    [
      "several cluster networks of which one has host subnets that are too small",
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
      "no cluster networks with enough host subnets together",
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
      "no internal subnet that fits the wanted nodes",
      { internalJoinSubnet: "100.96.0.0/29" },
      { nodes: 3 },
      [],
    ],
    [
      "an internal subnet that is too small for the wanted nodes",
      { internalJoinSubnet: "100.96.0.0/29" },
      { nodes: 100 },
      ["internalJoinSubnet 100.96.0.0/29 /24"],
    ],
    [
      "no internal subnet that fits the nodes of the cluster network",
      { internalJoinSubnet: "100.96.0.0/27", clusterNetwork: [{ cidr: "10.64.0.0/20", hostPrefix: 23 }] },
      { nodes: 3 },
      [],
    ],
    [
      "an internal subnet that is too small for the nodes of the cluster network",
      { internalJoinSubnet: "100.96.0.0/29", clusterNetwork: [{ cidr: "10.64.0.0/16", hostPrefix: 23 }] },
      { nodes: 3 },
      ["internalJoinSubnet 100.96.0.0/29 /29"],
    ],
    [
      "no internal subnet that fits the IPv4 nodes of a cluster network that begins with IPv6",
      {
        internalJoinSubnet: "100.96.0.0/27",
        clusterNetwork: [{ cidr: "fd00::/48" }, { cidr: "10.64.0.0/20", hostPrefix: 23 }],
      },
      { nodes: 3 },
      [],
    ],
    [
      "an internal subnet that is too small for the IPv4 nodes of a cluster network with less IPv6",
      {
        internalJoinSubnet: "100.96.0.0/29",
        clusterNetwork: [{ cidr: "fd00::/62" }, { cidr: "10.64.0.0/16", hostPrefix: 23 }],
      },
      { nodes: 3 },
      ["internalJoinSubnet 100.96.0.0/29 /29"],
    ],
    ["no range that the cluster does not have", {}, { nodes: 1000 }, []],
  ])("include %s", (_, has, wants, expected) => {
    expect(kinds(has, wants)).toEqual(expected);
  });

  test("are determined for each address family by itself", () => {
    const both = { machineNetwork: ["10.0.0.0/16", "fd10::/48"] };
    const has = { machineNetwork: [{ cidr: "10.0.0.0/28" }, { cidr: "fd10::/64" }] };
    expect(kinds(has, {}, both)).toEqual(["machineNetwork 10.0.0.0/28 /27"]);
    expect(kinds(has, { zones: 3 }, both)).toEqual([
      "machineNetwork 10.0.0.0/28 /25",
      "machineNetwork fd10::/64 /62",
    ]);
  });

  test("are reported with the cluster and its demand", () => {
    const [found] = outgrown({ machineNetwork: [{ cidr: "10.0.0.0/28" }] });
    expect(found).toMatchObject({
      cluster: { name: "a", nodes: 10 },
      demand: { kind: "machineNetwork", family: 4, length: 27 },
      range: { kind: "machineNetwork", prefix: { text: "10.0.0.0/28" } },
    });
  });
});

describe("pools", () => {
  test("count each taken address once in their use", () => {
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

test("a ledger file has its strings in quotes and leaves out absent fields", () => {
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
