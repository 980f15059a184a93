import type { ServerAnswer } from "../../src/cluster/cluster";
import { Unreachable } from "../../src/cluster/cluster";
import { LiveCluster, LiveStatus } from "../../src/cluster/liveCluster";
import { generationBefore, rollOutChecks } from "../../src/cluster/ovnRollOut/rollOutChecks";

const { Passed, Failed, Unknown } = LiveStatus;
const NEW = "100.98.0.0/16";
const wanted = { internalJoinSubnet: NEW };

/** What a hosted cluster shows at one moment. */
interface Moment {
  operator?: string;
  /** Generation of the DaemonSet, and the number of updated pods of two. */
  generation?: number;
  updated?: number;
  /** The address of each node; undefined if the node does not state it. */
  nodes?: (string | undefined)[];
  windows?: boolean;
}

const MOVED = { operator: NEW, generation: 5, updated: 2, nodes: ["100.98.0.2/16", "100.98.0.3/16"] };

function answered(path: string, { operator, generation, updated = 2, nodes = [], windows }: Moment): unknown {
  if (path.endsWith("/networks/cluster")) {
    const ovnKubernetesConfig = { ipv4: { internalJoinSubnet: operator } };
    return { spec: { defaultNetwork: { ovnKubernetesConfig } } };
  }
  if (path.endsWith("/ovnkube-node"))
    return {
      metadata: { generation },
      status: {
        observedGeneration: generation,
        desiredNumberScheduled: 2,
        updatedNumberScheduled: updated,
        numberAvailable: 2,
      },
    };
  const items = nodes.map((address, index) => ({
    metadata: {
      name: `node-${index}`,
      labels: { "kubernetes.io/os": windows && index > 0 ? "windows" : "linux" },
      annotations: address && {
        "k8s.ovn.org/node-gateway-router-lrp-ifaddrs": JSON.stringify({ ipv4: address }),
      },
    },
  }));
  return { items };
}

/** A cluster that advances to the next moment with each request for its Network operator. */
function cluster(...moments: Moment[]) {
  let now = -1;
  const paths: string[] = [];
  const send = (_: string, path: string): Promise<ServerAnswer> => {
    if (path.endsWith("/networks/cluster")) now = Math.min(now + 1, moments.length - 1);
    paths.push(path);
    return Promise.resolve({ status: 200, body: answered(path, moments[now]!) });
  };
  return { live: new LiveCluster({ send }, "the hosted cluster"), paths };
}

async function checked(
  moments: Moment[],
  { since, seconds = 60 }: { since?: number; seconds?: number } = {},
) {
  let now = 0;
  const waiting = {
    now: () => now,
    sleep: (time: number) => Promise.resolve(void (now += time)),
    deadline: seconds * 1_000,
    progress: () => undefined,
  };
  const { live, paths } = cluster(...moments);
  const { checks } = await rollOutChecks(live, { wanted, since }, waiting);
  return {
    statuses: checks.map(({ status }) => status),
    found: checks.map(({ found }) => found),
    now,
    paths,
  };
}

describe("M7 the checks of a roll-out", () => {
  test("pass if everything is in place at the same moment", async () => {
    expect((await checked([MOVED])).statuses).toEqual([Passed, Passed, Passed]);
    const { statuses, now } = await checked([
      { ...MOVED, operator: "100.64.0.0/16" },
      { ...MOVED, nodes: ["100.98.0.2/16", "100.64.0.3/16"] },
      // Complete before, and rolling out again now.
      { ...MOVED, generation: 6, updated: 0 },
      { ...MOVED, generation: 6, updated: 1 },
      { ...MOVED, generation: 6 },
    ]);
    expect([statuses, now]).toEqual([[Passed, Passed, Passed], 8_000]);
  });

  test("need a newer generation than before the change", async () => {
    const { statuses, found } = await checked([MOVED, { ...MOVED, generation: 6 }], { since: 5 });
    expect([statuses, found[1]]).toEqual([
      [Passed, Passed, Passed],
      "generation 6, 2 of 2 pods updated, 2 available",
    ]);
    expect((await checked([MOVED], { since: 5 })).statuses).toEqual([Passed, Failed, Passed]);
  });

  test("list nodes once, at the deadline, if another check never passes", async () => {
    const old = { ...MOVED, operator: "100.64.0.0/16", nodes: ["100.64.0.2/16", "100.64.0.3/16"] };
    const { statuses, paths } = await checked([old, old, old, old], { seconds: 4 });
    expect(statuses).toEqual([Failed, Passed, Failed]);
    expect(paths.filter((path) => path.endsWith("/nodes"))).toHaveLength(1);
  });

  test("expect no address of Windows nodes in these subnets", async () => {
    const { statuses, found } = await checked([
      { ...MOVED, nodes: ["100.98.0.2/16", undefined], windows: true },
    ]);
    expect([statuses[2], found[2]]).toEqual([Passed, "1 of 1"]);
  });

  describe("for nodes that do not state their address", () => {
    const silent = { ...MOVED, nodes: [undefined, undefined] };

    test("pass if none states it and the generation is newer than before the change", async () => {
      const { statuses, found } = await checked([silent], { since: 4 });
      expect(statuses).toEqual([Passed, Passed, Passed]);
      expect(found[2]).toBe("2 of 2 do not state it: node-0, node-1; the generation after 4 decides");
    });

    test("are unknown if none states it and no generation is given, without waiting", async () => {
      expect(await checked([silent])).toMatchObject({ statuses: [Passed, Passed, Unknown], now: 0 });
    });

    test("wait until the deadline if only some nodes state it", async () => {
      const { statuses, now } = await checked([{ ...MOVED, nodes: ["100.98.0.2/16", undefined] }], {
        since: 4,
      });
      expect([statuses, now]).toEqual([[Passed, Passed, Unknown], 60_000]);
    });
  });
});

describe("M7 the generation before a change", () => {
  test("is the one of the DaemonSet until the Network operator has the change", async () => {
    expect(await generationBefore(cluster({ ...MOVED, operator: "100.64.0.0/16" }).live, wanted)).toBe(5);
    expect(await generationBefore(cluster(MOVED).live, wanted)).toBeUndefined();
  });

  test("is undefined if there is no DaemonSet yet", async () => {
    const live = new LiveCluster({ send: () => Promise.resolve({ status: 404, body: {} }) }, "x");
    expect(await generationBefore(live, wanted)).toBeUndefined();
  });
});

test.each([
  [new Unreachable("ECONNREFUSED"), 60_000],
  [new Unreachable("self-signed certificate", true), 0],
  [new Error("spawn aws ENOENT"), 0],
])("a cluster that fails with %p is retried for %p milliseconds", async (error, expected) => {
  let now = 0;
  const waiting = {
    now: () => now,
    sleep: (time: number) => Promise.resolve(void (now += time)),
    deadline: 60_000,
    progress: () => undefined,
  };
  const live = new LiveCluster({ send: () => Promise.reject(error) }, "the hosted cluster");
  await expect(rollOutChecks(live, { wanted }, waiting)).rejects.toThrow(error.message);
  expect(now).toBe(expected);
});
