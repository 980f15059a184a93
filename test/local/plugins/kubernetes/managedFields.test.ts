import { FieldConflict } from "../../../../local/plugins/kubernetes/conflict";
import { isManaged, type ManagedFields, takenOver } from "../../../../local/plugins/kubernetes/managedFields";
import { ApiError } from "../../../../local/plugins/kubernetes/server";
import type { Props } from "../../../../local/plugins/provider";

describe("managed fields", () => {
  const entry = (manager: string, operation: "Apply" | "Update", fieldsV1: Props, more: Props = {}) =>
    ({ manager, operation, apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1, ...more }) as ManagedFields;

  test("of the create and of kubectl are taken over, those of other managers and of status are not", () => {
    const others = entry("controller", "Update", { "f:spec": { "f:c": {} } });
    const status = entry("me", "Update", { "f:status": {} }, { subresource: "status" });
    const own = entry("me", "Apply", { "f:spec": { "f:z": {} } });
    const [made, kubectl] = [
      entry("me", "Update", { "f:spec": { "f:a": {} } }),
      entry("kubectl", "Update", { "f:data": {} }),
    ];
    expect(takenOver([others, made, status, kubectl, own], "me")).toEqual([
      others,
      status,
      entry("me", "Apply", { "f:spec": { "f:z": {}, "f:a": {} }, "f:data": {} }),
    ]);
  });
  test("are not written if there is nothing to take over", () => {
    expect(takenOver([entry("me", "Apply", {}), entry("kubectl-edit", "Update", {})], "me")).toBeUndefined();
    expect(takenOver([entry("kubectl", "Apply", {})], "kubectl")).toBeUndefined();
  });
  test("belong to a manager whose entry names the field", () => {
    const entries = [entry("a", "Apply", { "f:spec": { "f:x": {} } })];
    expect(isManaged(entries, ["spec", "x"], (name) => name === "a")).toBe(true);
    expect(isManaged(entries, ["spec", "y"], () => true)).toBe(false);
    expect(isManaged(entries, ["spec"], (name) => name !== "a")).toBe(false);
  });
});

test("a conflict names the object, both managers, the field and the fix", () => {
  const cause = {
    reason: "FieldManagerConflict",
    field: ".spec.size",
    message: 'conflict with "admin" using v1',
  };
  const error = new ApiError(409, { message: "Apply failed", details: { causes: [cause] } });
  const conflict = FieldConflict.from(error, "Gauge default/g", "me")!;
  expect(conflict.managers).toEqual(["admin"]);
  for (const part of ["Gauge default/g", '"me"', ".spec.size", '"admin"', "pulumi.com/patchForce"]) {
    expect(conflict.message).toContain(part);
  }
  expect(FieldConflict.from(new ApiError(409, { reason: "Conflict" }), "x", "me")).toBeUndefined();
});
