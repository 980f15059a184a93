import {
  annotationAt,
  annotationOf,
  containersOf,
  controllerOf,
  every,
  type KnownLabels,
  labelOf,
  type Maybe,
  nameOf,
  podSpecOf,
  rollOutOf,
  selected,
} from "../../src/resources/kubernetesObject";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { resource } from "../rules/builders";

const NAME = "kubernetes.io/metadata.name";

describe("a label that exists with a value other than the listed ones is selected by", () => {
  const namespace: KnownLabels = { labels: {}, complete: false, present: { [NAME]: ["a", "b"] } };

  it.each<[PropertyValue, Maybe]>([
    [{ matchExpressions: [{ key: NAME, operator: "Exists" }] }, true],
    [{ matchExpressions: [{ key: NAME, operator: "DoesNotExist" }] }, false],
    [{ matchLabels: { [NAME]: "a" } }, false],
    [{ matchLabels: { [NAME]: "c" } }, undefined],
    [{ matchExpressions: [{ key: NAME, operator: "In", values: ["a", "b"] }] }, false],
    [{ matchExpressions: [{ key: NAME, operator: "In", values: ["a", "c"] }] }, undefined],
    [{ matchExpressions: [{ key: NAME, operator: "NotIn", values: ["a"] }] }, true],
    [{ matchExpressions: [{ key: NAME, operator: "NotIn", values: ["a", "c"] }] }, undefined],
    [{ matchExpressions: [{ key: NAME, operator: "In", values: [UNKNOWN] }] }, undefined],
    [{ matchExpressions: [{ key: "other", operator: "Exists" }] }, undefined],
  ])("%j: %s", (selector, expected) => {
    expect(selected(selector, namespace)).toBe(expected);
  });
});

describe("a label selector", () => {
  const of = (operator: PropertyValue, ...values: PropertyValue[]): PropertyValue => ({
    matchExpressions: [{ key: "app", operator, values }],
  });
  const shop: KnownLabels = { labels: { app: "shop" }, complete: true };
  const none: KnownLabels = { labels: {}, complete: true };
  const some: KnownLabels = { labels: {}, complete: false };
  const without: KnownLabels = { ...some, absent: ["app"] };

  it.each<[string, PropertyValue | undefined, Maybe, Maybe, Maybe]>([
    ["that is absent", undefined, true, true, true],
    ["that is null", null, true, true, true],
    ["that is empty", {}, true, true, true],
    ["that is unknown", UNKNOWN, undefined, undefined, undefined],
    ["for the value of the label", { matchLabels: { app: "shop" } }, true, false, undefined],
    ["for another value", { matchLabels: { app: "web" } }, false, false, undefined],
    ["for an unknown value", { matchLabels: { app: UNKNOWN } }, undefined, false, undefined],
    ["with unknown labels", { matchLabels: UNKNOWN }, undefined, undefined, undefined],
    ["with In", of("In", "web", "shop"), true, false, undefined],
    ["with In for other values", of("In", "web"), false, false, undefined],
    ["with In for an unknown value", of("In", "web", UNKNOWN), undefined, false, undefined],
    ["with NotIn", of("NotIn", "shop"), false, true, undefined],
    ["with NotIn for other values", of("NotIn", "web"), true, true, undefined],
    ["with NotIn for an unknown value", of("NotIn", "web", UNKNOWN), undefined, true, undefined],
    ["with Exists", of("Exists"), true, false, undefined],
    ["with DoesNotExist", of("DoesNotExist"), false, true, undefined],
    ["with an operator that does not exist", of("Is", "shop"), undefined, undefined, undefined],
    ["with an unknown operator", of(UNKNOWN), undefined, undefined, undefined],
    ["with an unknown requirement", { matchExpressions: [UNKNOWN] }, undefined, undefined, undefined],
    [
      "with a requirement without a key",
      { matchExpressions: [{ operator: "Exists" }] },
      undefined,
      undefined,
      undefined,
    ],
    [
      "with a requirement that is not met, whatever the others are",
      { matchLabels: { app: "web" }, matchExpressions: [UNKNOWN] },
      false,
      false,
      undefined,
    ],
  ])("%s is matched against a label that is present, absent or possible", (_, selector, has, lacks, may) => {
    expect([shop, none, some].map((labels) => selected(selector, labels))).toEqual([has, lacks, may]);
    expect(selected(selector, without)).toBe(lacks);
  });

  it("matches if all its parts match", () => {
    expect([every([]), every([true]), every([true, undefined]), every([undefined, false])]).toEqual([
      true,
      true,
      undefined,
      false,
    ]);
  });
});

it("labels and annotations may have keys with dots, and labelOf and annotationOf return only strings", () => {
  const object = (more: PropertyValue): PropertyValue => ({ metadata: { labels: more, annotations: more } });
  const there = object({ "a.b/c": "", number: 7, open: UNKNOWN });
  expect([labelOf(there, "a.b/c"), annotationOf(there, "a.b/c")]).toEqual(["", ""]);
  for (const key of ["number", "open", "absent", "constructor"])
    expect([labelOf(there, key), annotationOf(there, key)]).toEqual([undefined, undefined]);
  expect(["number", "open", "absent"].map((key) => annotationAt(there, key))).toEqual([
    7,
    UNKNOWN,
    undefined,
  ]);
  expect(annotationAt(object(UNKNOWN), "a")).toBe(UNKNOWN);
  expect([
    nameOf({ metadata: { name: " a " } }),
    nameOf({ metadata: { name: UNKNOWN } }),
    nameOf({}),
  ]).toEqual(["a", "", ""]);
});

it.each<[string, PropertyValue, string | undefined]>([
  ["the owner that is marked as controller", [{ kind: "A" }, { kind: "B", controller: true }], "B"],
  [
    "undefined if no owner is marked as controller",
    [{ kind: "A", controller: false }, { kind: "B" }],
    undefined,
  ],
  ["undefined if the kind of the controller is unknown", [{ kind: UNKNOWN, controller: true }], undefined],
  ["undefined without owner references", null, undefined],
])("the controller of an object is %s", (_, ownerReferences, kind) => {
  expect(controllerOf({ metadata: { ownerReferences } })).toBe(kind);
});

it.each([
  ["core/v1:Pod", "spec"],
  ["core/v1:PodPatch", "spec"],
  ["core/v1:ReplicationController", "spec.template.spec"],
  ["apps/v1:Deployment", "spec.template.spec"],
  ["batch/v1:Job", "spec.template.spec"],
  ["batch/v1:CronJob", "spec.jobTemplate.spec.template.spec"],
])("the containers of a %s are read from %s", (type, path) => {
  const pod = {
    initContainers: [{ name: "a" }],
    containers: [{ name: "b" }],
    ephemeralContainers: [{ name: "c" }],
  };
  const at = (value: PropertyValue) =>
    path.split(".").reduceRight<PropertyValue>((inner, step) => ({ [step]: inner }), value) as Record<
      string,
      PropertyValue
    >;
  const specOf = (value: PropertyValue) => podSpecOf(resource(`kubernetes:${type}`, "a", at(value)));
  expect(containersOf(specOf(pod)!)).toEqual([
    { path: `${path}.initContainers[0]`, value: { name: "a" } },
    { path: `${path}.containers[0]`, value: { name: "b" } },
    { path: `${path}.ephemeralContainers[0]`, value: { name: "c" } },
  ]);
  expect(containersOf(specOf(UNKNOWN)!)).toEqual([{ path, value: UNKNOWN }]);
  expect(podSpecOf(resource(`kubernetes:${type}`, "a", {}))).toBeUndefined();
  expect(podSpecOf(resource("kubernetes:core/v1:Service", "a", at(pod)))).toBeUndefined();
});

describe("a DaemonSet is rolled out", () => {
  const daemonSet = (status: Record<string, PropertyValue>): PropertyValue => ({
    metadata: { generation: 4 },
    status: {
      observedGeneration: 4,
      desiredNumberScheduled: 3,
      updatedNumberScheduled: 3,
      numberAvailable: 3,
      ...status,
    },
  });

  it.each<[string, Record<string, PropertyValue>, boolean, boolean]>([
    ["on all nodes", {}, true, true],
    [
      "not if its controller has not observed the current generation",
      { observedGeneration: 3 },
      false,
      false,
    ],
    ["not if a pod is outdated", { updatedNumberScheduled: 2 }, true, false],
    ["not if a pod is unavailable", { numberAvailable: 2 }, true, false],
    ["not if no node is to run it", { desiredNumberScheduled: 0 }, true, false],
  ])("%s", (_, status, isSeen, isDone) => {
    expect(rollOutOf(daemonSet(status))).toMatchObject({ generation: 4, isSeen, isDone });
  });

  it("with its progress as text", () => {
    expect(rollOutOf(daemonSet({ updatedNumberScheduled: 2 }))).toMatchObject({
      wanted: 3,
      progress: "generation 4, 2 of 3 pods updated, 3 available",
    });
    expect(rollOutOf({}).progress).toBe("generation 0, 0 of 0 pods updated, 0 available");
  });
});
