import type { KubeObject } from "../../../../local/plugins/kubernetes/object";
import { readinessOf } from "../../../../local/plugins/kubernetes/readiness";
import type { Props } from "../../../../local/plugins/provider";

describe("readiness", () => {
  const object = (kind: string, status: Props, annotations: Record<string, string> = {}): KubeObject => ({
    apiVersion: kind === "Job" ? "batch/v1" : "apps/v1",
    kind,
    metadata: { name: "x", generation: 2, annotations },
    status,
  });
  const isReady = (subject: KubeObject) => readinessOf(subject, subject)(subject);
  const conditions = (type: string, status = "True") => ({
    conditions: [{ type, status, reason: "R", message: "M" }],
  });

  test.each([
    ["a Job that runs", object("Job", {}), false],
    ["a Job that is done", object("Job", conditions("Complete")), true],
    ["a Job that is not waited for", object("Job", {}, { "pulumi.com/skipAwait": "true" }), true],
    [
      "a Deployment seen and available",
      object("Deployment", { observedGeneration: 2, ...conditions("Available") }),
      true,
    ],
    [
      "a Deployment not seen yet",
      object("Deployment", { observedGeneration: 1, ...conditions("Available") }),
      false,
    ],
    ["a kind that means nothing by it", object("ReplicaSet", {}), true],
    [
      "a condition asked for",
      object("X", conditions("Ready", "False"), { "pulumi.com/waitFor": "condition=Ready" }),
      false,
    ],
    [
      "a path that holds the value",
      object("X", { phase: "On" }, { "pulumi.com/waitFor": "jsonpath={.status.phase}=On" }),
      true,
    ],
    [
      "one of two expressions",
      object("X", { a: 1 }, { "pulumi.com/waitFor": '["jsonpath={.status.a}","jsonpath={.status.b}"]' }),
      false,
    ],
  ])("%s", (_name, subject, ready) => expect(isReady(subject)).toBe(ready));

  test("a Job that failed never gets ready", () => {
    expect(() => isReady(object("Job", conditions("Failed")))).toThrow("the Job failed: R: M");
  });
});
