import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as pulumi from "@pulumi/pulumi";
import type { Session } from "../../local/session";
import { SharedFieldShare, type SharedFieldInputs } from "../../src/components/dynamicProvider";
import { Bench, fine, kubectl, kubectlWith, live } from "./conformance/kubernetesBench";
import { sharedSession } from "./sharedSession";

/** The real engine with its dynamic provider, and the real API server with the product's CRDs. */
describe("a share of a field that others write too", () => {
  const folder = mkdtempSync(join(tmpdir(), "shared-field-"));
  let session: Session;
  const benches: Bench[] = [];
  const open = async (name: string, env?: Record<string, string>) => {
    const bench = await Bench.open(session, name, env);
    benches.push(bench);
    return bench;
  };
  const apply = (object: object) =>
    kubectlWith(
      session,
      JSON.stringify(object),
      "apply",
      "--server-side",
      "--field-manager=admin",
      "-f",
      "-",
    );
  const share = (inputs: SharedFieldInputs, opts?: pulumi.CustomResourceOptions) => () => {
    new SharedFieldShare("share", inputs, opts);
    return Promise.resolve();
  };

  beforeAll(async () => {
    session = await sharedSession(folder);
  });
  afterAll(async () => {
    for (const bench of benches) bench.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("M12 taints of a node", () => {
    const dedicated = (value: string) => ({
      key: "hypershift.openshift.io/cluster",
      value,
      effect: "NoSchedule",
    });
    const unreachable = {
      key: "node.kubernetes.io/unreachable",
      effect: "NoExecute",
      timeAdded: "2026-01-02T03:04:05Z",
    };
    /** The API server sets this taint on every new node. */
    const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
    const taints = (name: string, value: string): SharedFieldInputs => ({
      apiVersion: "v1",
      object: "Node",
      name,
      path: ["spec", "taints"],
      shape: { kind: "keyedItems", keys: ["key", "effect"] },
      entries: [dedicated(value)],
      fieldManager: "hypershift-network-taints",
    });
    const taintsOf = (name: string) => live(session, "node", name)?.spec?.taints;
    const node = (name: string, spec = {}) =>
      kubectlWith(
        session,
        JSON.stringify({ apiVersion: "v1", kind: "Node", metadata: { name }, spec }),
        "create",
        "-f",
        "-",
      );

    test("one is added, updated in place and removed, and foreign taints stay", async () => {
      node("node-1", { taints: [unreachable] });
      const bench = await open("taints");
      fine(await bench.preview(share(taints("node-1", "clusters-a"))));
      expect(taintsOf("node-1")).toEqual([unreachable, notReady]);
      fine(await bench.up(share(taints("node-1", "clusters-a"))));
      expect(taintsOf("node-1")).toEqual([unreachable, notReady, dedicated("clusters-a")]);
      expect(fine(await bench.up(share(taints("node-1", "clusters-a")))).changes).toEqual({ same: 2 });
      kubectl(session, "taint", "node", "node-1", "maintenance=yes:NoSchedule");
      expect(fine(await bench.up(share(taints("node-1", "clusters-b")))).changes).toEqual({
        same: 1,
        update: 1,
      });
      const maintenance = { key: "maintenance", value: "yes", effect: "NoSchedule" };
      expect(taintsOf("node-1")).toEqual([maintenance, unreachable, notReady, dedicated("clusters-b")]);
      fine(await bench.destroy());
      expect(taintsOf("node-1")).toEqual([maintenance, unreachable, notReady]);
    });

    test("the server's own taint stays when ours is removed", async () => {
      node("node-2");
      const bench = await open("last-taint");
      fine(await bench.up(share(taints("node-2", "clusters-a"))));
      fine(await bench.destroy());
      expect(taintsOf("node-2")).toEqual([notReady]);
    });

    test("one of another cluster is a conflict, and stays", async () => {
      node("node-3", { taints: [dedicated("clusters-b")] });
      const outcome = await (await open("conflict")).up(share(taints("node-3", "clusters-a")));
      expect(outcome.ok).toBe(false);
      expect(outcome.output).toContain("spec.taints of Node node-3: ");
      expect(outcome.output).toContain("another program set ");
      expect(taintsOf("node-3")).toEqual([dedicated("clusters-b"), notReady]);
    });

    test("a missing node is named at up, and a deleted node does not block destroy", async () => {
      const bench = await open("no-node");
      const outcome = await bench.up(share(taints("node-4", "clusters-a")));
      expect(outcome.ok).toBe(false);
      expect(outcome.output).toContain('Node node-4: nodes "node-4" not found');
      node("node-4");
      fine(await bench.up(share(taints("node-4", "clusters-a"))));
      kubectl(session, "delete", "node", "node-4");
      fine(await bench.destroy());
    });

    test("one that another program took away comes back after a refresh", async () => {
      node("node-5");
      const bench = await open("refresh");
      fine(await bench.up(share(taints("node-5", "clusters-a"))));
      kubectl(session, "taint", "node", "node-5", "hypershift.openshift.io/cluster-");
      expect(fine(await bench.up(share(taints("node-5", "clusters-a")))).changes).toEqual({ same: 2 });
      expect(fine(await bench.up(share(taints("node-5", "clusters-a")), true)).changes).toMatchObject({
        update: 1,
      });
      expect(taintsOf("node-5")).toEqual([notReady, dedicated("clusters-a")]);
      fine(await bench.destroy());
    });
  });

  describe("M11 a text that several writers share", () => {
    const noProxy = (name: string, entries: string[]): SharedFieldInputs => ({
      apiVersion: "config.openshift.io/v1",
      object: "Proxy",
      name,
      path: ["spec", "noProxy"],
      shape: { kind: "noProxy" },
      entries,
      fieldManager: "hypershift-network-management-proxy",
    });
    const proxy = (name: string, noProxy?: string) =>
      apply({ apiVersion: "config.openshift.io/v1", kind: "Proxy", metadata: { name }, spec: { noProxy } });
    const noProxyOf = (name: string) => live(session, "proxies.config.openshift.io", name)?.spec?.noProxy;

    test("is written with the kubeconfig of the resource, whose token is neither printed nor stored in plain text", async () => {
      proxy("first", ".corp.example.com, 10.0.0.0/8");
      const kubeconfig = readFileSync(session.kubeconfig, "utf8");
      const token = /token"?: "?([^\s",]+)/.exec(kubeconfig)![1]!;
      const bench = await open("kubeconfig");
      const program = (entry: string) => share({ ...noProxy("first", [entry]), kubeconfig });
      const first = fine(await bench.up(program("192.168.10.0/24")));
      expect(noProxyOf("first")).toBe(".corp.example.com, 10.0.0.0/8,192.168.10.0/24");
      const second = fine(await bench.up(program("192.168.11.0/24")));
      expect(noProxyOf("first")).toBe(".corp.example.com, 10.0.0.0/8,192.168.11.0/24");
      for (const text of [first.output, second.output, bench.state()]) expect(text).not.toContain(token);
      fine(await bench.destroy());
      expect(noProxyOf("first")).toBe(".corp.example.com, 10.0.0.0/8");
    });

    test("is written with the kubeconfig of the stack's configuration, as the default provider does", async () => {
      proxy("second");
      const bench = await open("configured", { KUBECONFIG: "/nowhere" });
      await bench.configure({
        "kubernetes:kubeconfig": { value: readFileSync(session.kubeconfig, "utf8"), secret: true },
      });
      fine(await bench.up(share(noProxy("second", ["192.168.10.0/24"]))));
      expect(noProxyOf("second")).toBe("192.168.10.0/24");
      fine(await bench.destroy());
      expect(live(session, "proxies.config.openshift.io", "second")?.spec).toEqual({});
    });

    test("many stacks and another writer at once leave every entry in it", async () => {
      proxy("third", "a");
      const stacks = await Promise.all([1, 2, 3].map((number) => open(`crowd-${number}`)));
      const others = Promise.all(
        Array.from({ length: 20 }, async (_, number) => {
          await new Promise((resolve) => setTimeout(resolve, 100 * number));
          kubectl(
            session,
            "annotate",
            "proxies.config.openshift.io",
            "third",
            `touched=${number}`,
            "--overwrite",
          );
        }),
      );
      const runs = stacks.map((bench, place) => bench.up(share(noProxy("third", [`10.${place}.0.0/16`]))));
      (await Promise.all(runs)).forEach(fine);
      await others;
      expect((noProxyOf("third") as string).split(",").sort()).toEqual([
        "10.0.0.0/16",
        "10.1.0.0/16",
        "10.2.0.0/16",
        "a",
      ]);
    });
  });
});
