import { tolerates } from "../../src/dedicatedNodes/taints";
import { TaintEffect, TolerationOperator, type Toleration } from "../../src/requirements/dedicatedNodes";
import { UNKNOWN } from "../../src/resources/resource";
import { CLUSTER, CONTROL_PLANE, DOCUMENTED, faults, topology } from "./judged";

const { NoSchedule, NoExecute, PreferNoSchedule } = TaintEffect;

describe("M12 what tolerates a taint", () => {
  const taint = { key: "a", value: "b", effect: NoSchedule };
  it.each<[string, Toleration, boolean]>([
    ["the same", { key: "a", value: "b", effect: NoSchedule }, true],
    ["every effect", { key: "a", value: "b" }, true],
    ["every value", { key: "a", operator: TolerationOperator.Exists }, true],
    ["every key", { operator: TolerationOperator.Exists }, true],
    ["another value", { key: "a", value: "c" }, false],
    ["no value", { key: "a" }, false],
    ["another key", { key: "c", operator: TolerationOperator.Exists }, false],
    ["another effect", { key: "a", value: "b", effect: NoExecute }, false],
    ["nothing", {}, false],
  ])("%s: %o is %s", (_, toleration, expected) => {
    expect(tolerates(toleration, taint)).toBe(expected);
  });

  it("a toleration that runs out does not keep a pod on a node with NoExecute", () => {
    const evicting = { key: "a", effect: NoExecute };
    expect(tolerates({ key: "a", effect: NoExecute }, evicting)).toBe(true);
    expect(tolerates({ key: "a", effect: NoExecute, tolerationSeconds: 300 }, evicting)).toBe(false);
  });
});

describe("M12 taints beside the component's own", () => {
  const documented = { key: DOCUMENTED, value: "clusters-tenant-a", effect: NoSchedule };
  const tolerations = [{ key: DOCUMENTED, operator: "Exists" }];

  it("the documents' key as a taint is refused unless the tolerations list it", () => {
    expect(faults({ additionalTaints: [documented] })).toEqual([
      `additionalTaints[0] ${DOCUMENTED}=clusters-tenant-a:NoSchedule is a taint that pods of the control plane do not tolerate: none could run there: add a toleration for it to spec.tolerations of the HostedCluster and write that in tolerations, or remove it: HyperShift's own key ${CLUSTER} is set anyway`,
    ]);
    expect(faults({ additionalTaints: [documented], tolerations })).toEqual([]);
  });

  it("control planes tolerate theirs in general only with NoSchedule", () => {
    const general = (effect: TaintEffect) => ({
      additionalTaints: [{ key: CONTROL_PLANE, value: "true", effect }],
    });
    expect(faults(general(NoSchedule))).toEqual([]);
    for (const effect of [NoExecute, PreferNoSchedule])
      expect(faults(general(effect))).toEqual([
        `additionalTaints[0] ${CONTROL_PLANE}=true:${effect} is a taint that pods of the control plane do not tolerate: none could run there: add a toleration for it to spec.tolerations of the HostedCluster and write that in tolerations, or remove the taint`,
      ]);
  });

  it("says nothing of what depends on an input that is not known", () => {
    expect(faults({ additionalTaints: [documented], tolerations: UNKNOWN })).toEqual([]);
    expect(faults({ additionalTaints: [{ ...documented, key: UNKNOWN }] })).toEqual([]);
    expect(faults({ tolerations: [{ operator: UNKNOWN }] })).toEqual([]);
    expect(faults({ tolerations: [{ key: "a", tolerationSeconds: 3, effect: UNKNOWN }] })).toEqual([]);
    const unnamed = { ...topology, name: undefined };
    expect(faults({ additionalTaints: [documented], topology: unnamed })).toEqual([
      expect.stringMatching(/^topology\.name missing/),
    ]);
  });

  it("takes tolerations of every key, and those that run out", () => {
    const gone = { key: "gpu", effect: NoExecute };
    expect(faults({ additionalTaints: [gone], tolerations: [{ operator: "Exists" }] })).toEqual([]);
    expect(faults({ tolerations: [{ ...gone, tolerationSeconds: 300 }] })).toEqual([]);
    expect(faults({ additionalTaints: [gone], tolerations: [{ ...gone, tolerationSeconds: 300 }] })).toEqual([
      expect.stringMatching(/^additionalTaints\[0\] gpu:NoExecute is a taint that/),
    ]);
  });

  it("tells taints of one key by their effects", () => {
    const taints = [NoSchedule, NoExecute].map((effect) => ({ key: "gpu", effect }));
    expect(faults({ additionalTaints: taints, tolerations: [{ operator: "Exists" }] })).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      "no list",
      { additionalTaints: "a" },
      'additionalTaints "a" is not a list: write a list of key, value and effect, 48 entries at most',
    ],
    [
      "no taint",
      { additionalTaints: ["a"] },
      'additionalTaints[0] "a" is not an object: write key, value and effect',
    ],
    [
      "no key",
      { additionalTaints: [{ effect: NoSchedule }] },
      "additionalTaints[0].key missing: write name or prefix.example.com/name",
    ],
    [
      "a key that is none",
      { additionalTaints: [{ key: "a b", effect: NoSchedule }] },
      'additionalTaints[0].key "a b" is not a label key: write name or prefix.example.com/name',
    ],
    [
      "a value that is too long",
      { additionalTaints: [{ key: CONTROL_PLANE, value: "a".repeat(64), effect: NoSchedule }] },
      'additionalTaints[0].value "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." is not a label value: write a string of at most 63 letters, digits, hyphens, dots and underscores, in quotes',
    ],
    [
      "an effect that is none",
      { additionalTaints: [{ key: "a", effect: "NoScheduling" }] },
      'additionalTaints[0].effect "NoScheduling" is not NoSchedule, PreferNoSchedule or NoExecute: write NoSchedule',
    ],
    [
      "no effect",
      { additionalTaints: [{ key: "a" }] },
      "additionalTaints[0].effect missing: a taint needs NoSchedule, PreferNoSchedule or NoExecute",
    ],
    [
      "its own key",
      { additionalTaints: [{ key: CLUSTER, value: "clusters-tenant-a", effect: NoSchedule }] },
      "additionalTaints[0].key hypershift.openshift.io/cluster is set automatically: remove it",
    ],
    [
      "a taint twice",
      { additionalTaints: [1, 2].map(() => ({ key: CONTROL_PLANE, value: "true", effect: NoSchedule })) },
      "additionalTaints[1] hypershift.openshift.io/control-plane:NoSchedule is also additionalTaints[0]: remove one of the two",
    ],
    [
      "too many",
      {
        additionalTaints: Array.from({ length: 49 }, (_, index) => ({
          key: `a${index}`,
          effect: NoSchedule,
        })),
      },
      "additionalTaints has 49 entries, and at most 48 are allowed: write a list of key, value and effect, 48 entries at most",
    ],
    [
      "tolerations that are no list",
      { tolerations: {} },
      "tolerations an object is not a list: write spec.tolerations, 25 entries at most",
    ],
    [
      "a toleration that is none",
      { tolerations: [1] },
      "tolerations[0] 1 is not an object: write key, operator, effect",
    ],
    [
      "a toleration without a key",
      { tolerations: [{ effect: NoSchedule }] },
      "tolerations[0].key missing: write it, or operator: Exists",
    ],
    [
      "a value beside Exists",
      { tolerations: [{ key: "a", operator: "Exists", value: "b" }] },
      "tolerations[0].value is set together with operator Exists, which compares no value: remove one of the two",
    ],
    [
      "an operator that is none",
      { tolerations: [{ key: "a", operator: "In" }] },
      'tolerations[0].operator "In" is not Equal or Exists: write Equal or Exists',
    ],
    [
      "seconds without NoExecute",
      { tolerations: [{ key: "a", tolerationSeconds: 3, effect: NoSchedule }] },
      "tolerations[0].tolerationSeconds is set without effect NoExecute, the only effect that uses it: add effect: NoExecute, or remove it",
    ],
    [
      "too many tolerations",
      { tolerations: Array.from({ length: 26 }, () => ({ operator: "Exists" })) },
      "tolerations has 26 entries, and at most 25 are allowed: write spec.tolerations, 25 entries at most",
    ],
  ])("%s", (_, inputs, fault) => {
    expect(faults(inputs)).toEqual([fault]);
  });
});
