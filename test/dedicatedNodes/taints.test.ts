import { tolerates } from "../../src/dedicatedNodes/taints";
import { TaintEffect, TolerationOperator, type Toleration } from "../../src/requirements/dedicatedNodes";
import { UNKNOWN } from "../../src/resources/resource";
import { CLUSTER, CONTROL_PLANE, DOCUMENTED, faults, topology } from "./judged";

const { NoSchedule, NoExecute, PreferNoSchedule } = TaintEffect;

describe("M12 tolerating a taint", () => {
  const taint = { key: "a", value: "b", effect: NoSchedule };
  it.each<[string, Toleration, boolean]>([
    ["a toleration of the same taint", { key: "a", value: "b", effect: NoSchedule }, true],
    ["a toleration of every effect", { key: "a", value: "b" }, true],
    ["a toleration of every value", { key: "a", operator: TolerationOperator.Exists }, true],
    ["a toleration of every key", { operator: TolerationOperator.Exists }, true],
    ["a toleration of another value", { key: "a", value: "c" }, false],
    ["a toleration without a value", { key: "a" }, false],
    ["a toleration of another key", { key: "c", operator: TolerationOperator.Exists }, false],
    ["a toleration of another effect", { key: "a", value: "b", effect: NoExecute }, false],
    ["an empty toleration", {}, false],
  ])("%s: tolerates with %o is %s", (_, toleration, expected) => {
    expect(tolerates(toleration, taint)).toBe(expected);
  });

  it("a toleration with tolerationSeconds does not tolerate NoExecute", () => {
    const evicting = { key: "a", effect: NoExecute };
    expect(tolerates({ key: "a", effect: NoExecute }, evicting)).toBe(true);
    expect(tolerates({ key: "a", effect: NoExecute, tolerationSeconds: 300 }, evicting)).toBe(false);
  });
});

describe("M12 taints in addition to the component's own", () => {
  const documented = { key: DOCUMENTED, value: "clusters-tenant-a", effect: NoSchedule };
  const tolerations = [{ key: DOCUMENTED, operator: "Exists" }];

  it("the documented key as a taint is refused unless it is tolerated", () => {
    expect(faults({ additionalTaints: [documented] })).toEqual([
      `additionalTaints[0] ${DOCUMENTED}=clusters-tenant-a:NoSchedule is a taint that pods of the control plane do not tolerate: none could run there: add a toleration for it to spec.tolerations of the HostedCluster and write that in tolerations, or remove it: HyperShift's own key ${CLUSTER} is set anyway`,
    ]);
    expect(faults({ additionalTaints: [documented], tolerations })).toEqual([]);
  });

  it("the key of control planes in general is only accepted with NoSchedule", () => {
    const general = (effect: TaintEffect) => ({
      additionalTaints: [{ key: CONTROL_PLANE, value: "true", effect }],
    });
    expect(faults(general(NoSchedule))).toEqual([]);
    for (const effect of [NoExecute, PreferNoSchedule])
      expect(faults(general(effect))).toEqual([
        `additionalTaints[0] ${CONTROL_PLANE}=true:${effect} is a taint that pods of the control plane do not tolerate: none could run there: add a toleration for it to spec.tolerations of the HostedCluster and write that in tolerations, or remove the taint`,
      ]);
  });

  it("values that depend on an unknown input are not checked", () => {
    expect(faults({ additionalTaints: [documented], tolerations: UNKNOWN })).toEqual([]);
    expect(faults({ additionalTaints: [{ ...documented, key: UNKNOWN }] })).toEqual([]);
    expect(faults({ tolerations: [{ operator: UNKNOWN }] })).toEqual([]);
    expect(faults({ tolerations: [{ key: "a", tolerationSeconds: 3, effect: UNKNOWN }] })).toEqual([]);
    const unnamed = { ...topology, name: undefined };
    expect(faults({ additionalTaints: [documented], topology: unnamed })).toEqual([
      expect.stringMatching(/^topology\.name missing/),
    ]);
  });

  it("taints are accepted with a toleration of every key, but not with one with tolerationSeconds", () => {
    const gone = { key: "gpu", effect: NoExecute };
    expect(faults({ additionalTaints: [gone], tolerations: [{ operator: "Exists" }] })).toEqual([]);
    expect(faults({ tolerations: [{ ...gone, tolerationSeconds: 300 }] })).toEqual([]);
    expect(faults({ additionalTaints: [gone], tolerations: [{ ...gone, tolerationSeconds: 300 }] })).toEqual([
      expect.stringMatching(/^additionalTaints\[0\] gpu:NoExecute is a taint that/),
    ]);
  });

  it("taints of one key with different effects are accepted", () => {
    const taints = [NoSchedule, NoExecute].map((effect) => ({ key: "gpu", effect }));
    expect(faults({ additionalTaints: taints, tolerations: [{ operator: "Exists" }] })).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      "taints that are not a list",
      { additionalTaints: "a" },
      'additionalTaints "a" is not a list: write a list of key, value and effect, 48 entries at most',
    ],
    [
      "a taint that is not an object",
      { additionalTaints: ["a"] },
      'additionalTaints[0] "a" is not an object: write key, value and effect',
    ],
    [
      "a taint without a key",
      { additionalTaints: [{ effect: NoSchedule }] },
      "additionalTaints[0].key missing: write name or prefix.example.com/name",
    ],
    [
      "an invalid key",
      { additionalTaints: [{ key: "a b", effect: NoSchedule }] },
      'additionalTaints[0].key "a b" is not a label key: write name or prefix.example.com/name',
    ],
    [
      "a value that is too long",
      { additionalTaints: [{ key: CONTROL_PLANE, value: "a".repeat(64), effect: NoSchedule }] },
      'additionalTaints[0].value "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." is not a label value: write a string of at most 63 letters, digits, hyphens, dots and underscores, in quotes',
    ],
    [
      "an unknown effect",
      { additionalTaints: [{ key: "a", effect: "NoScheduling" }] },
      'additionalTaints[0].effect "NoScheduling" is not NoSchedule, PreferNoSchedule or NoExecute: write NoSchedule',
    ],
    [
      "a taint without an effect",
      { additionalTaints: [{ key: "a" }] },
      "additionalTaints[0].effect missing: a taint needs NoSchedule, PreferNoSchedule or NoExecute",
    ],
    [
      "the component's own key",
      { additionalTaints: [{ key: CLUSTER, value: "clusters-tenant-a", effect: NoSchedule }] },
      "additionalTaints[0].key hypershift.openshift.io/cluster is set automatically: remove it",
    ],
    [
      "a duplicate taint",
      { additionalTaints: [1, 2].map(() => ({ key: CONTROL_PLANE, value: "true", effect: NoSchedule })) },
      "additionalTaints[1] hypershift.openshift.io/control-plane:NoSchedule is also additionalTaints[0]: remove one of the two",
    ],
    [
      "too many taints",
      {
        additionalTaints: Array.from({ length: 49 }, (_, index) => ({
          key: `a${index}`,
          effect: NoSchedule,
        })),
      },
      "additionalTaints has 49 entries, and at most 48 are allowed: write a list of key, value and effect, 48 entries at most",
    ],
    [
      "tolerations that are not a list",
      { tolerations: {} },
      "tolerations an object is not a list: write spec.tolerations, 25 entries at most",
    ],
    [
      "a toleration that is not an object",
      { tolerations: [1] },
      "tolerations[0] 1 is not an object: write key, operator, effect",
    ],
    [
      "a toleration without a key",
      { tolerations: [{ effect: NoSchedule }] },
      "tolerations[0].key missing: write it, or operator: Exists",
    ],
    [
      "a value with operator Exists",
      { tolerations: [{ key: "a", operator: "Exists", value: "b" }] },
      "tolerations[0].value is set together with operator Exists, which compares no value: remove one of the two",
    ],
    [
      "an unknown operator",
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
  ])("refused: %s", (_, inputs, fault) => {
    expect(faults(inputs)).toEqual([fault]);
  });
});
