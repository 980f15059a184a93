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
    ["a running Job is not ready", object("Job", {}), false],
    ["a complete Job is ready", object("Job", conditions("Complete")), true],
    ["a Job with skipAwait is ready", object("Job", {}, { "pulumi.com/skipAwait": "true" }), true],
    [
      "an observed and available Deployment is ready",
      object("Deployment", { observedGeneration: 2, ...conditions("Available") }),
      true,
    ],
    [
      "a Deployment whose generation is not observed yet is not ready",
      object("Deployment", { observedGeneration: 1, ...conditions("Available") }),
      false,
    ],
    ["a kind without readiness is ready", object("ReplicaSet", {}), true],
    [
      "an object whose awaited condition is False is not ready",
      object("X", conditions("Ready", "False"), { "pulumi.com/waitFor": "condition=Ready" }),
      false,
    ],
    [
      "an object whose awaited path has the value is ready",
      object("X", { phase: "On" }, { "pulumi.com/waitFor": "jsonpath={.status.phase}=On" }),
      true,
    ],
    [
      "an object that meets one of two awaited expressions is not ready",
      object("X", { a: 1 }, { "pulumi.com/waitFor": '["jsonpath={.status.a}","jsonpath={.status.b}"]' }),
      false,
    ],
  ])("%s", (_name, subject, ready) => expect(isReady(subject)).toBe(ready));

  test("a failed Job is an error", () => {
    expect(() => isReady(object("Job", conditions("Failed")))).toThrow("the Job failed: R: M");
  });
});
