import { type KnownLabels, type Maybe, selected } from "../../src/resources/kubernetesObject";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";

const NAME = "kubernetes.io/metadata.name";

describe("a label that is there with a value that is not one of some", () => {
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
