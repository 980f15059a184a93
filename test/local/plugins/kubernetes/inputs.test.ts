import { toState } from "../../../../local/plugins/kubernetes/checkpoint";
import { forceNewPaths } from "../../../../local/plugins/kubernetes/forceNew";
import { inputsOf, normalized, typeOf } from "../../../../local/plugins/kubernetes/inputs";
import type { KubeObject } from "../../../../local/plugins/kubernetes/object";
import { Secret } from "../../../../local/plugins/provider";

describe("a type token", () => {
  test.each([
    ["kubernetes:core/v1:Namespace", "Namespace", { apiVersion: "v1", kind: "Namespace", patch: false }],
    ["kubernetes:core/v1:ConfigMapPatch", "ConfigMap", { apiVersion: "v1", kind: "ConfigMap", patch: true }],
    [
      "kubernetes:a.io/v1:HostedClusterPatch",
      "HostedCluster",
      { apiVersion: "a.io/v1", kind: "HostedCluster", patch: true },
    ],
    // The name of a kind may itself end in Patch.
    [
      "kubernetes:a.io/v1:CrossPatch",
      "CrossPatch",
      { apiVersion: "a.io/v1", kind: "CrossPatch", patch: false },
    ],
  ])("%s with kind %s has the expected type", (token, kind, type) =>
    expect(typeOf(token, kind)).toEqual(type),
  );
});

describe("inputs", () => {
  const type = (kind: string) => ({ apiVersion: "v1", kind, patch: false });
  test("have dashes instead of the SDK's underscores, and no null values", () => {
    const given = {
      spec: { x_kubernetes_map_type: "atomic", none: null },
      metadata: { uid: "u", name: "n" },
    };
    expect(normalized(given, type("X"))).toEqual({
      apiVersion: "v1",
      kind: "X",
      metadata: { name: "n" },
      spec: { "x-kubernetes-map-type": "atomic" },
    });
  });
  test("of a Secret merge stringData into data, which is secret in the state", () => {
    const secret = normalized({ stringData: { a: "x" }, data: { b: "eQ==" } }, type("Secret"));
    expect(secret).toMatchObject({ data: { a: "eA==", b: "eQ==" } });
    expect(secret.stringData).toBeUndefined();
    const state = toState({ ...secret, metadata: { name: "s" } } as unknown as KubeObject, "me");
    expect(state.data).toBeInstanceOf(Secret);
  });
  test("of an imported object are all fields except those that the server writes", () => {
    const live = { kind: "X", metadata: { name: "n", uid: "u" }, spec: { a: 1 }, status: {} };
    expect(inputsOf(live)).toEqual({ kind: "X", metadata: { name: "n" }, spec: { a: 1 } });
  });
  test("replace a ConfigMap unless the provider may change it, and always if it is immutable", () => {
    const paths = (immutable: boolean, configMaps: boolean) =>
      forceNewPaths("v1", "ConfigMap", immutable, { configMaps, secrets: false });
    expect(paths(false, false)).toContain("data");
    expect(paths(false, true)).not.toContain("data");
    expect(paths(true, true)).toContain("data");
  });
});
