import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { bootstrapPhase } from "../../../src/topology/bootstrapPhase";

const condition = (type: string, status: string, observedGeneration = 2) => ({
  type,
  status,
  observedGeneration,
});
const joined = [
  condition("Ready", "True"),
  condition("AllMachinesReady", "True"),
  condition("AllNodesHealthy", "True"),
  condition("UpdatingVersion", "False"),
];

/** A NodePool whose nodes have joined and that makes no other by itself. */
const nodePool = (spec: object = {}, status: object = {}) =>
  ({
    metadata: { name: "workers", namespace: "clusters", generation: 2 },
    spec: {
      clusterName: "tenant-a",
      replicas: 2,
      management: { upgradeType: "InPlace", autoRepair: false },
      ...spec,
    },
    status: { replicas: 2, conditions: joined, ...status },
  }) as unknown as PropertyValue;
const against = (...pools: PropertyValue[]) =>
  bootstrapPhase(pools).checks.flatMap(({ id, status, found }) =>
    status === "met" ? [] : [[id, status, found]],
  );

test("M5 the bootstrap ports can be closed when every NodePool is ready and none makes nodes by itself", () => {
  const { safe, checks } = bootstrapPhase([nodePool(), nodePool({ replicas: 0 }, { replicas: 0 })]);
  expect(safe).toBe("yes");
  expect(checks.every(({ status, fix }) => status === "met" && fix === undefined)).toBe(true);
  expect(checks).toHaveLength(2 * 10);
});

describe("M5 the bootstrap ports stay open", () => {
  test.each<[string, object, object, [string, string]]>([
    [
      "while a NodePool autoscales",
      { replicas: undefined, autoScaling: { min: 1, max: 5 } },
      {},
      ["auto-scaling", "scales from 1 to 5"],
    ],
    [
      "while one repairs nodes by new ones",
      { management: { upgradeType: "InPlace", autoRepair: true } },
      {},
      ["auto-repair", "autoRepair true"],
    ],
    [
      "while one replaces nodes at an update",
      { management: { upgradeType: "Replace" } },
      {},
      ["upgrade-type", "upgrades by Replace"],
    ],
    ["while a node is still to come", { replicas: 3 }, {}, ["replicas", "2 of 3 nodes"]],
    [
      "while a NodePool is not ready",
      {},
      { conditions: [condition("Ready", "False"), ...joined.slice(1)] },
      ["condition-Ready", "Ready False"],
    ],
    [
      "while it rolls a release out",
      {},
      { conditions: [...joined.slice(0, 3), condition("UpdatingVersion", "True")] },
      ["condition-UpdatingVersion", "UpdatingVersion True"],
    ],
    [
      "while its configuration rolls out",
      {},
      { conditions: [...joined, condition("UpdatingConfig", "True")] },
      ["condition-UpdatingConfig", "UpdatingConfig True"],
    ],
  ])("%s", (_, spec, status, [id, found]) => {
    expect(against(nodePool(spec, status))).toEqual([[id, "unmet", found]]);
    expect(bootstrapPhase([nodePool(spec, status), nodePool()]).safe).toBe("no");
  });

  test("while there is no NodePool at all", () => {
    expect(bootstrapPhase([])).toMatchObject({ safe: "no", checks: [{ id: "node-pools", status: "unmet" }] });
  });

  test("while a provisioner adds nodes", () => {
    const hostedCluster = { spec: { autoNode: { provisionerConfig: { karpenter: {} } } } };
    const { safe, checks } = bootstrapPhase([nodePool()], hostedCluster);
    expect(safe).toBe("no");
    expect(checks.at(-1)).toMatchObject({ id: "auto-node", found: "karpenter", status: "unmet" });
    expect(bootstrapPhase([nodePool()], { spec: {} }).safe).toBe("yes");
  });
});

describe("it is unknown", () => {
  test.each<[string, PropertyValue, string[]]>([
    [
      "where a NodePool has no status",
      nodePool({}, { conditions: undefined }),
      ["condition-Ready", "condition-AllMachinesReady", "condition-AllNodesHealthy"],
    ],
    [
      "where the conditions are those of a spec before",
      nodePool({}, { conditions: [condition("Ready", "True", 1), ...joined.slice(1)] }),
      ["condition-Ready"],
    ],
    [
      "where a condition is Unknown",
      nodePool({}, { conditions: [condition("Ready", "Unknown"), ...joined.slice(1)] }),
      ["condition-Ready"],
    ],
    [
      "where the plan does not know how it upgrades",
      nodePool({ management: { upgradeType: UNKNOWN } }),
      ["upgrade-type"],
    ],
    ["where it does not know whether it scales", nodePool({ autoScaling: UNKNOWN }), ["auto-scaling"]],
    ["where nothing says how many nodes are wanted", nodePool({ replicas: undefined }), ["replicas"]],
  ])("%s", (_, pool, ids) => {
    expect(against(pool).map(([id, status]) => [id, status])).toEqual(ids.map((id) => [id, "unknown"]));
    expect(bootstrapPhase([pool]).safe).toBe("unknown");
  });

  test("what is against it counts more", () => {
    expect(
      bootstrapPhase([
        nodePool({ management: { upgradeType: UNKNOWN } }),
        nodePool({ autoScaling: { min: 1, max: 2 } }),
      ]).safe,
    ).toBe("no");
  });
});

test("each condition that is not met says where, what is wrong, what to do and who says so", () => {
  expect(bootstrapPhase([nodePool({ management: { upgradeType: "Replace" } })]).checks).toContainEqual({
    id: "upgrade-type",
    subject: "NodePool clusters/workers",
    expected: "upgrades InPlace",
    found: "upgrades by Replace",
    status: "unmet",
    fix: expect.stringContaining("open the ports again") as string,
    documented: "HyperShift, api/hypershift/v1beta1/nodepool_types.go",
  });
});
