import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { RequestOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { FieldConflict } from "../../../local/plugins/kubernetes/conflict";
import { toState } from "../../../local/plugins/kubernetes/checkpoint";
import { drifted, prune } from "../../../local/plugins/kubernetes/drift";
import { forceNewPaths } from "../../../local/plugins/kubernetes/forceNew";
import { inputsOf, normalized, typeOf } from "../../../local/plugins/kubernetes/inputs";
import { accessTo } from "../../../local/plugins/kubernetes/access";
import { clusterOf } from "../../../local/plugins/kubernetes/config";
import { contextOf, diffConfig, kubeconfigSources } from "../../../local/plugins/kubernetes/kubeconfig";
import { isMadeBy, LostCreates } from "../../../local/plugins/kubernetes/lostCreates";
import { isManaged, type ManagedFields, takenOver } from "../../../local/plugins/kubernetes/managedFields";
import { named } from "../../../local/plugins/kubernetes/naming";
import type { KubeObject } from "../../../local/plugins/kubernetes/object";
import { readinessOf } from "../../../local/plugins/kubernetes/readiness";
import { ApiError, type ApiRequest, ApiServer } from "../../../local/plugins/kubernetes/server";
import { type CheckRequest, type Props, Secret, UNKNOWN_VALUE } from "../../../local/plugins/provider";

const folder = mkdtempSync(join(tmpdir(), "kubernetes-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a type token", () => {
  test.each([
    ["kubernetes:core/v1:Namespace", "Namespace", { apiVersion: "v1", kind: "Namespace", patch: false }],
    ["kubernetes:core/v1:ConfigMapPatch", "ConfigMap", { apiVersion: "v1", kind: "ConfigMap", patch: true }],
    [
      "kubernetes:a.io/v1:HostedClusterPatch",
      "HostedCluster",
      { apiVersion: "a.io/v1", kind: "HostedCluster", patch: true },
    ],
    // A kind may end in Patch by itself.
    [
      "kubernetes:a.io/v1:CrossPatch",
      "CrossPatch",
      { apiVersion: "a.io/v1", kind: "CrossPatch", patch: false },
    ],
  ])("%s of kind %s", (token, kind, type) => expect(typeOf(token, kind)).toEqual(type));
});

describe("drift", () => {
  test("a value that only the server spells otherwise is no change", () => {
    const live = { cpu: "500m", defaulted: true };
    expect(drifted({ cpu: "0.5" }, live, live)).toEqual({ cpu: "0.5" });
  });
  test("a value that moved is taken from the server, one that went is left out, one that came is not ours", () => {
    const [before, now] = [
      { a: 1, b: { c: 2, d: 3 }, e: 4 },
      { a: 1, b: { c: 9, d: 3, x: 0 }, y: 0 },
    ];
    expect(drifted({ a: 1, b: { c: 2, d: 3 }, e: 4 }, before, now)).toEqual({ a: 1, b: { c: 9, d: 3 } });
  });
  test("items of a list that grew are all shown", () => {
    expect(drifted({ l: [{ a: 1 }] }, { l: [{ a: 1, d: 0 }] }, { l: [{ a: 1, d: 0 }, { a: 2 }] })).toEqual({
      l: [{ a: 1 }, { a: 2 }],
    });
  });
  test("pruning keeps what the inputs speak of", () => {
    expect(prune({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: 0 } })).toEqual({ a: { b: 1 } });
  });
});

describe("managed fields", () => {
  const entry = (manager: string, operation: "Apply" | "Update", fieldsV1: Props, more: Props = {}) =>
    ({ manager, operation, apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1, ...more }) as ManagedFields;

  test("the create's own fields and those of kubectl are taken over, those of others and of status are not", () => {
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
  test("with nothing to take over there is nothing to write", () => {
    expect(takenOver([entry("me", "Apply", {}), entry("kubectl-edit", "Update", {})], "me")).toBeUndefined();
    expect(takenOver([entry("kubectl", "Apply", {})], "kubectl")).toBeUndefined();
  });
  test("a field is managed by whoever names it or what holds it", () => {
    const entries = [entry("a", "Apply", { "f:spec": { "f:x": {} } })];
    expect(isManaged(entries, ["spec", "x"], (name) => name === "a")).toBe(true);
    expect(isManaged(entries, ["spec", "y"], () => true)).toBe(false);
    expect(isManaged(entries, ["spec"], (name) => name !== "a")).toBe(false);
  });
});

test("a conflict names the object, both managers, the field and the way out", () => {
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
    ["a Job that nobody waits for", object("Job", {}, { "pulumi.com/skipAwait": "true" }), true],
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

describe("names", () => {
  const request = (more: Partial<CheckRequest> = {}) =>
    ({ name: "cm", randomSeed: new Uint8Array([1]), autonaming: undefined, ...more }) as CheckRequest;
  const nameOf = (object: Props) => (object.metadata as Props).name;

  test("a name of the program stays, a generated one is the same for the same seed", () => {
    expect(nameOf(named({ metadata: { name: "mine" } }, undefined, request()))).toBe("mine");
    const [first, second] = [named({}, undefined, request()), named({}, undefined, request())];
    expect(nameOf(first)).toMatch(/^cm-[0-9a-f]{8}$/);
    expect(second).toEqual(first);
    expect(named({}, first, request({ randomSeed: new Uint8Array([2]) }))).toEqual(first);
  });
  test("the stack's own naming is followed, and an unknown name is not overwritten", () => {
    const autonaming = { proposedName: "dev-cm", mode: "propose" as const };
    expect(nameOf(named({}, undefined, request({ autonaming })))).toBe("dev-cm");
    expect(nameOf(named({ metadata: { name: UNKNOWN_VALUE } }, undefined, request()))).toBe(UNKNOWN_VALUE);
    expect(named({ metadata: UNKNOWN_VALUE }, undefined, request())).toEqual({ metadata: UNKNOWN_VALUE });
  });
});

describe("inputs", () => {
  const type = (kind: string) => ({ apiVersion: "v1", kind, patch: false });
  test("names that the SDK spells with underscores reach the API with dashes, and absent values do not", () => {
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
  test("a Secret has one spelling, and its data are secret in the state", () => {
    const secret = normalized({ stringData: { a: "x" }, data: { b: "eQ==" } }, type("Secret"));
    expect(secret).toMatchObject({ data: { a: "eA==", b: "eQ==" } });
    expect(secret.stringData).toBeUndefined();
    const state = toState({ ...secret, metadata: { name: "s" } } as unknown as KubeObject, "me");
    expect(state.data).toBeInstanceOf(Secret);
  });
  test("an imported object's inputs are all but what the server writes", () => {
    const live = { kind: "X", metadata: { name: "n", uid: "u" }, spec: { a: 1 }, status: {} };
    expect(inputsOf(live)).toEqual({ kind: "X", metadata: { name: "n" }, spec: { a: 1 } });
  });
  test("configuration is replaced unless the provider may change it; an immutable one always is", () => {
    const paths = (immutable: boolean, configMaps: boolean) =>
      forceNewPaths("v1", "ConfigMap", immutable, { configMaps, secrets: false });
    expect(paths(false, false)).toContain("data");
    expect(paths(false, true)).not.toContain("data");
    expect(paths(true, true)).toContain("data");
  });
});

describe("a create whose reply was lost", () => {
  const object = (manager: string, creationTimestamp: string) =>
    ({ metadata: { creationTimestamp, managedFields: [{ manager }] } }) as unknown as KubeObject;

  test("is remembered by the next process and forgotten once the engine ended well", () => {
    const place = join(folder, "creates");
    const first = new LostCreates(place);
    first.begin("urn:a", "manager-1");
    expect(new LostCreates(place).of("urn:a")).toMatchObject({ urn: "urn:a", manager: "manager-1" });
    first.allSettled();
    expect(new LostCreates(place).of("urn:a")).toBeUndefined();
  });
  test("is the object's only if manager and time fit", () => {
    const begun = { urn: "u", manager: "m", at: Date.parse("2026-01-01T00:00:00.900Z") };
    expect(isMadeBy(object("m", "2026-01-01T00:00:00Z"), begun)).toBe(true);
    expect(isMadeBy(object("m", "2025-12-31T23:59:59Z"), begun)).toBe(false);
    expect(isMadeBy(object("other", "2026-01-01T00:00:00Z"), begun)).toBe(false);
  });
});

describe("configuration", () => {
  const kubeconfig = (server: string) =>
    JSON.stringify({
      clusters: [{ name: "c", cluster: { server } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "team" } }],
      "current-context": "x",
    });

  test("comes as content, as a path or from KUBECONFIG", () => {
    const [path, content] = [join(folder, "config"), kubeconfig("https://one")];
    writeFileSync(path, content);
    expect(kubeconfigSources(content, {})).toEqual([{ text: content }]);
    expect(kubeconfigSources(path, {})).toEqual([{ text: content, path }]);
    const both = { KUBECONFIG: `${join(folder, "absent")}:${path}` };
    expect(kubeconfigSources(undefined, both)).toEqual([{ text: content, path }]);
    expect(() => kubeconfigSources(undefined, { KUBECONFIG: join(folder, "absent") })).toThrow(
      /no kubeconfig at .*absent/,
    );
  });
  test("the namespace is the provider's, else the context's; flags come from the environment too", () => {
    const given = { kubeconfig: kubeconfig("https://one") };
    expect(clusterOf(given, {})).toMatchObject({ namespace: "team", upsert: false, patchForce: false });
    const environment = { PULUMI_K8S_UPSERT_EXISTING_OBJECTS: "true" };
    const other = { ...given, namespace: "other", enablePatchForce: "true" };
    expect(clusterOf(other, environment)).toMatchObject({
      namespace: "other",
      upsert: true,
      patchForce: true,
    });
  });
  test("a context that is missing is named", () => {
    const sources = [{ text: kubeconfig("https://one") }];
    expect(() => contextOf(sources, "absent")).toThrow("no entry absent among its contexts");
    expect(() => contextOf([{ text: "{}" }])).toThrow("no current context");
  });
  test("certificates, tokens and paths beside the file go into each request", async () => {
    writeFileSync(join(folder, "ca.crt"), "authority");
    writeFileSync(join(folder, "token"), "from-file\n");
    const text = JSON.stringify({
      clusters: [{ name: "c", cluster: { server: "https://one/", "certificate-authority": "ca.crt" } }],
      users: [{ name: "u", user: { tokenFile: "token", "client-key-data": "a2V5" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    });
    const sources = [{ text, path: join(folder, "config") }];
    const access = accessTo(contextOf(sources), sources);
    const options: RequestOptions = { headers: { accept: "x" } };
    await access.authorize(options);
    expect(access.server).toBe("https://one");
    expect(options.headers).toEqual({ accept: "x", authorization: "Bearer from-file" });
    expect(options).toMatchObject({ ca: Buffer.from("authority"), key: Buffer.from("key") });
  });
  test("another cluster replaces what is in it, another setting does not", () => {
    const one = { kubeconfig: kubeconfig("https://one") };
    expect(diffConfig({ oldInputs: one, news: { ...one, namespace: "n" } })).toEqual({
      changes: true,
      replaces: [],
    });
    expect(diffConfig({ oldInputs: one, news: { kubeconfig: kubeconfig("https://two") } }).replaces).toEqual([
      "kubeconfig",
    ]);
    expect(diffConfig({ oldInputs: one, news: one })).toEqual({ changes: false, replaces: [] });
  });
});

describe("requests", () => {
  interface Seen {
    line: string;
    headers: IncomingHttpHeaders;
    body: string;
  }
  async function against(
    answer: { code: number; body: string; headers?: Record<string, string> },
    use: (server: ApiServer) => Promise<void>,
  ): Promise<Seen[]> {
    const seen: Seen[] = [];
    const http = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
      request.on("end", () => {
        seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
        response.writeHead(answer.code, answer.headers).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    try {
      await use(new ApiServer({ server: `http://127.0.0.1:${port}`, authorize: () => Promise.resolve() }));
      return seen;
    } finally {
      http.closeAllConnections();
      http.close();
    }
  }
  const request: ApiRequest = { method: "DELETE", path: "/x", body: { propagationPolicy: "Foreground" } };

  test("the body of a deletion arrives with it, and the next request on the connection is whole", async () => {
    const seen = await against({ code: 200, body: "{}" }, async (server) => {
      await server.send(request);
      await server.send({ method: "GET", path: "/y", query: { a: "1", b: undefined } });
    });
    expect(seen.map(({ line, body }) => [line, body])).toEqual([
      ["DELETE /x", '{"propagationPolicy":"Foreground"}'],
      ["GET /y?a=1", ""],
    ]);
  });
  test("a busy server is asked again when it wants to be, and not for ever", async () => {
    const busy = { code: 429, body: "{}", headers: { "retry-after": "0" } };
    const seen = await against(busy, async (server) => {
      await expect(server.send(request)).rejects.toMatchObject({ code: 429 });
    });
    expect(seen).toHaveLength(10);
  });
  test("a refusal carries the server's own words, and a server that is not there is said so", async () => {
    const status = { message: "no such thing", reason: "NotFound" };
    await against({ code: 404, body: JSON.stringify(status) }, async (server) => {
      await expect(server.send(request)).rejects.toMatchObject({
        code: 404,
        reason: "NotFound",
        message: "no such thing",
      });
    });
    const nowhere = new ApiServer({ server: "http://127.0.0.1:1", authorize: () => Promise.resolve() });
    await expect(nowhere.send(request)).rejects.toThrow(/http:\/\/127\.0\.0\.1:1 is unreachable/);
  });
});
