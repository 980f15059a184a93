import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { accessTo } from "../../../../local/plugins/kubernetes/access";
import { clusterOf } from "../../../../local/plugins/kubernetes/config";
import { contextOf, diffConfig, kubeconfigSources } from "../../../../local/plugins/kubernetes/kubeconfig";

const folder = mkdtempSync(join(tmpdir(), "kubernetes-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("configuration", () => {
  const kubeconfig = (server: string) =>
    JSON.stringify({
      clusters: [{ name: "c", cluster: { server } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "team" } }],
      "current-context": "x",
    });

  test("comes from content, from a path or from KUBECONFIG", () => {
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
  test("reads the namespace from the provider or else the context, and flags also from the environment", () => {
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
  test("names a missing context in the error", () => {
    const sources = [{ text: kubeconfig("https://one") }];
    expect(() => contextOf(sources, "absent")).toThrow("no entry absent among its contexts");
    expect(() => contextOf([{ text: "{}" }])).toThrow("no current context");
  });
  test("adds tokens and certificates to requests, with paths relative to the kubeconfig", async () => {
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
  test("requires replacement for another cluster, but not for another setting", () => {
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
