import { readPrefix } from "../../src/address";
import type { LedgerEntry } from "../../src/fleet/ledger";
import { fleetText } from "../../src/report/fleetPlan";
import { cluster, entriesOf, planOf } from "./plans";

describe("the forecast of how many more clusters fit", () => {
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

  test("is made for each size of cluster, and limited by the pool that is exhausted first", () => {
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

  test("names all pools that are exhausted at the same time", () => {
    const pools = { machineNetwork: ["10.0.0.0/26"], serviceNetwork: ["10.1.0.0/19"] };
    expect(forecasts({ pools, clusters: [cluster("a")] })).toEqual([
      ["clusters/a", 1, 1, false, "machineNetwork,serviceNetwork"],
    ]);
  });

  test("reads as a sentence with one pool, several pools, and no room", () => {
    const said = (spec: object) => fleetText({ plan: planOf(spec, []) }).split("\n");
    const both = { machineNetwork: ["10.0.0.0/26"], serviceNetwork: ["10.1.0.0/19"] };
    expect(said({ pools: both, clusters: [cluster("a")] })).toContain(
      "  like clusters/a: 1 more, then the pools of the machine network and the service network are exhausted",
    );
    const none = { ...shared, machineNetwork: ["10.0.255.224/27"] };
    expect(said({ pools: none, clusters: [cluster("a")] })).toContain(
      "  like clusters/a: no more: the pool of the machine network is exhausted",
    );
  });

  test("counts addresses that pools share once", () => {
    expect(forecasts({ pools: shared, clusters: [cluster("a", { services: 16_000 })] })).toEqual([
      ["clusters/a", 1, 2, false, "serviceNetwork"],
    ]);
    expect(
      forecasts({ pools: { ...shared, machineNetwork: ["10.0.255.224/27"] }, clusters: [cluster("a")] }),
    ).toEqual([["clusters/a", 1, 0, false, "machineNetwork"]]);
  });

  test("counts a block once if two kinds can take it", () => {
    const pools = { machineNetwork: ["10.0.0.0/25"], serviceNetwork: ["10.0.0.0/25"] };
    expect(forecasts({ pools, clusters: [cluster("a", { services: 20 })] })).toEqual([
      ["clusters/a", 1, 1, false, "machineNetwork,serviceNetwork"],
    ]);
  });

  test("is unlimited if a cluster only reuses ranges, in separate and in shared pools", () => {
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

  test("is limited to the 10000 clusters that are tried", () => {
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

  test("names the five largest takers of the pools, the free blocks, and the sizes that would suffice", () => {
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

  test("lists takers by size, and counts only the part inside the pool", () => {
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

  test("names five free blocks, the largest first", () => {
    const pools = { machineNetwork: Array.from({ length: 7 }, (_, n) => `10.${n}.0.0/${30 - n}`) };
    expect(planOf({ pools, clusters: [cluster("a", { nodes: 1000 })] }).shortages[0]?.free).toEqual(
      [6, 5, 4, 3, 2].map((n) => `10.${n}.0.0/${30 - n}`),
    );
  });

  test("names the widened pool for its own kind, whatever else is missing", () => {
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

  test("is one for each kind and address family, and covers all clusters without room", () => {
    const plan = planOf({
      pools: {
        machineNetwork: ["10.0.0.0/29", "fd10::/63"],
        clusterNetwork: ["10.64.0.0/10", "fd12::/44"],
        serviceNetwork: ["10.1.0.0/30", "fd11::/120"],
      },
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

  test("reserves nothing for a cluster if one of its ranges has no room", () => {
    const plan = planOf({
      pools: { machineNetwork: ["10.0.0.0/26"], serviceNetwork: ["10.1.0.0/20"] },
      clusters: [cluster("a", { services: 8000 }), cluster("b")],
    });
    expect([entriesOf(plan), plan.unplaced]).toEqual([["b planned 10.0.0.0/27 10.1.0.0/20"], ["clusters/a"]]);
  });

  test("reserves nothing for such a cluster in pools that share addresses either", () => {
    const plan = planOf({
      pools: { machineNetwork: ["10.0.0.0/26"], serviceNetwork: ["10.0.0.0/26"] },
      clusters: [cluster("a", { services: 60 }), cluster("b", { services: 10 })],
    });
    expect([entriesOf(plan), plan.unplaced]).toEqual([
      ["b planned 10.0.0.0/27 10.0.0.32/28"],
      ["clusters/a"],
    ]);
  });

  test("names no pool wider than the private space around it", () => {
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
