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

/** A NodePool whose nodes have joined and that creates no others automatically. */
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

test("M5 the bootstrap ports can be closed if every NodePool is ready and none creates nodes automatically", () => {
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
      "while a NodePool repairs nodes by replacing them",
      { management: { upgradeType: "InPlace", autoRepair: true } },
      {},
      ["auto-repair", "autoRepair true"],
    ],
    [
      "while a NodePool replaces nodes for an update",
      { management: { upgradeType: "Replace" } },
      {},
      ["upgrade-type", "upgrades by Replace"],
    ],
    ["while a node is still missing", { replicas: 3 }, {}, ["replicas", "2 of 3 nodes"]],
    [
      "while a NodePool is not ready",
      {},
      { conditions: [condition("Ready", "False"), ...joined.slice(1)] },
      ["condition-Ready", "Ready False"],
    ],
    [
      "while a NodePool rolls out a release",
      {},
      { conditions: [...joined.slice(0, 3), condition("UpdatingVersion", "True")] },
      ["condition-UpdatingVersion", "UpdatingVersion True"],
    ],
    [
      "while a NodePool rolls out its configuration",
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

describe("whether the bootstrap ports can be closed is unknown", () => {
  test.each<[string, PropertyValue, string[]]>([
    [
      "if a NodePool has no conditions",
      nodePool({}, { conditions: undefined }),
      ["condition-Ready", "condition-AllMachinesReady", "condition-AllNodesHealthy"],
    ],
    [
      "if a condition is of an earlier generation",
      nodePool({}, { conditions: [condition("Ready", "True", 1), ...joined.slice(1)] }),
      ["condition-Ready"],
    ],
    [
      "if a condition is Unknown",
      nodePool({}, { conditions: [condition("Ready", "Unknown"), ...joined.slice(1)] }),
      ["condition-Ready"],
    ],
    [
      "if the upgrade type is unknown in the plan",
      nodePool({ management: { upgradeType: UNKNOWN } }),
      ["upgrade-type"],
    ],
    ["if autoscaling is unknown in the plan", nodePool({ autoScaling: UNKNOWN }), ["auto-scaling"]],
    ["if the number of replicas is not stated", nodePool({ replicas: undefined }), ["replicas"]],
  ])("%s", (_, pool, ids) => {
    expect(against(pool).map(([id, status]) => [id, status])).toEqual(ids.map((id) => [id, "unknown"]));
    expect(bootstrapPhase([pool]).safe).toBe("unknown");
  });

  test("unless another check is unmet", () => {
    expect(
      bootstrapPhase([
        nodePool({ management: { upgradeType: UNKNOWN } }),
        nodePool({ autoScaling: { min: 1, max: 2 } }),
      ]).safe,
    ).toBe("no");
  });
});

test("each unmet check has its subject, expected and found values, a fix and a source", () => {
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
