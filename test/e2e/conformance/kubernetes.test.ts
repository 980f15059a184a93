import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { choosePlugins } from "../../../local/engine/plugins";
import type { Session } from "../../../local/session";
import { sharedSession } from "../sharedSession";
import { Bench, fine, kubectl, kubectlWith, live } from "./kubernetesBench";
import { gauge, gaugeDefinition, gaugePatch, program } from "./kubernetesGauge";

const official = choosePlugins("official").some(
  ({ name, kind }) => name === "kubernetes" && kind === "official",
);
const providers = official ? (["stand-in", "official"] as const) : (["stand-in"] as const);
const { ConfigMap, ConfigMapPatch, Namespace, Secret } = kubernetes.core.v1;
const stable = { "pulumi.com/patchFieldManager": "conformance" };

describe.each(providers)("the %s Kubernetes provider", (provider) => {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  let session: Session;

  beforeAll(async () => {
    session = await sharedSession(folder, provider);
    kubectlWith(session, JSON.stringify(gaugeDefinition), "apply", "--server-side", "-f", "-");
    kubectl(session, "wait", "--for=condition=Established", `crd/${gaugeDefinition.metadata.name}`);
  });
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function on(name: string, use: (bench: Bench) => Promise<void>): Promise<void> {
    const bench = await Bench.open(session, name);
    try {
      await use(bench);
    } finally {
      bench.close();
    }
  }
  const applyAs = (manager: string, object: object) =>
    kubectlWith(
      session,
      JSON.stringify(object),
      "apply",
      "--server-side",
      `--field-manager=${manager}`,
      "-f",
      "-",
    );
  const configMap = (name: string, data: Record<string, string>) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default" },
    data,
  });
  const adminsGauge = (name: string, spec: object) =>
    applyAs("admin", { apiVersion: "conformance.example.com/v1", kind: "Gauge", metadata: { name }, spec });
  const spec = (name: string) => live(session, "gauge", name)?.spec;

  test("creates an object, finds nothing to do, updates it in place and deletes it", () =>
    on("life", async (bench) => {
      const first = gauge("life", { unit: "bar" });
      expect(fine(await bench.up(first)).changes).toMatchObject({ create: 2 });
      const { uid } = live(session, "gauge", "life")!.metadata;
      expect(spec("life")).toEqual({ unit: "bar", size: 3 });
      expect((await bench.up(first, true)).changes).toEqual({ same: 2 });

      expect((await bench.up(gauge("life", { unit: "bar", size: 7 }))).changes).toEqual({
        same: 1,
        update: 1,
      });
      expect(live(session, "gauge", "life")).toMatchObject({ metadata: { uid }, spec: { size: 7 } });

      fine(await bench.destroy());
      expect(live(session, "gauge", "life")).toBeUndefined();
    }));

  test("refuses what the server refuses: a creation at preview, an update without changing the object", () =>
    on("refused", async (bench) => {
      const tooBig = await bench.preview(gauge("refused", { unit: "bar", size: 100 }));
      expect(tooBig).toMatchObject({
        ok: false,
        output: expect.stringContaining("size is below 100") as string,
      });

      fine(await bench.up(gauge("refused", { unit: "bar" })));
      const moved = await bench.up(gauge("refused", { unit: "psi" }));
      expect(moved).toMatchObject({
        ok: false,
        output: expect.stringContaining("unit is immutable") as string,
      });
      expect(spec("refused")).toMatchObject({ unit: "bar" });
      // A failed update leaves nothing behind that prevents the next one.
      fine(await bench.up(gauge("refused", { unit: "bar", size: 4 })));
    }));

  test("replaces objects with a generated and with a fixed name, and leaves no old object", () =>
    on("replace", async (bench) => {
      const both = (value: string) =>
        program(() => {
          new ConfigMap("generated", { data: { value } });
          new ConfigMap("fixed", { metadata: { name: "fixed" }, data: { value } });
        });
      fine(await bench.up(both("one")));
      const names = () => kubectl(session, "get", "configmaps", "-o", "name").match(/generated-\S+/g) ?? [];
      const [name] = names();
      const before = live(session, "configmap", "fixed")!;

      const outcome = await bench.up(both("two"));
      expect(fine(outcome).changes).toMatchObject({ replace: 2 });
      expect(names()).toHaveLength(1);
      expect(names()).not.toEqual([name]);
      const after = live(session, "configmap", "fixed")!;
      expect(after.data).toEqual({ value: "two" });
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
    }));

  test("does not take over an existing object on create, nor delete it on destroy", () =>
    on("exists", async (bench) => {
      applyAs("admin", configMap("exists", { a: "1" }));
      const taken = program(
        () => void new ConfigMap("exists", { metadata: { name: "exists" }, data: { a: "2" } }),
      );
      const outcome = await bench.up(taken);
      expect(outcome).toMatchObject({
        ok: false,
        output: expect.stringContaining("already exists") as string,
      });
      expect(live(session, "configmap", "exists")?.data).toEqual({ a: "1" });
      await bench.destroy();
      expect(live(session, "configmap", "exists")).toBeDefined();
    }));

  test("names manager and field of a conflicting patch, takes the field over by force, and releases it on destroy", () =>
    on("conflict", async (bench) => {
      adminsGauge("conflict", { unit: "bar", size: 5, subnet: { transit: "t" } });
      const conflict = await bench.up(gaugePatch("conflict", { size: 6, subnet: { join: "100.1" } }));
      expect(conflict.ok).toBe(false);
      expect(conflict.output).toMatch(/conflict/);
      expect(conflict.output).toContain("admin");
      expect(conflict.output).toContain(".spec.size");
      expect(spec("conflict")).toEqual({ unit: "bar", size: 5, subnet: { transit: "t" } });

      const force = { ...stable, "pulumi.com/patchForce": "true" };
      fine(await bench.up(gaugePatch("conflict", { size: 6, subnet: { join: "100.1" } }, force)));
      expect(spec("conflict")).toEqual({ unit: "bar", size: 6, subnet: { join: "100.1", transit: "t" } });

      await bench.destroy();
      // No manager owns size any more, so its default returns. What the administrator manages stays.
      expect(spec("conflict")).toEqual({ unit: "bar", size: 3, subnet: { transit: "t" } });
    }));

  test("keeps two patches with different field managers independent", () =>
    on("two", async (bench) => {
      applyAs("admin", configMap("shared", { admin: "1" }));
      const patches = (left?: string, right?: string) =>
        program(() => {
          for (const [name, value] of Object.entries({ left, right })) {
            if (value === undefined) continue;
            const annotations = { "pulumi.com/patchFieldManager": name };
            new ConfigMapPatch(name, { metadata: { name: "shared", annotations }, data: { [name]: value } });
          }
        });
      const data = () => live(session, "configmap", "shared")?.data;
      // Both would write the annotation that names their manager, which is a field like any other.
      const outcome = await bench.up(patches("l"));
      fine(outcome);
      expect(data()).toEqual({ admin: "1", left: "l" });
      const second = await Bench.open(session, "two-right");
      const plain = (value: string) =>
        program(
          () => void new ConfigMapPatch("right", { metadata: { name: "shared" }, data: { right: value } }),
        );
      fine(await second.up(plain("r")));
      expect(data()).toEqual({ admin: "1", left: "l", right: "r" });
      expect(fine(await second.up(plain("r2"))).changes).toMatchObject({ update: 1 });
      expect(fine(await bench.up(patches("l2"))).changes).toMatchObject({ update: 1 });
      expect(data()).toEqual({ admin: "1", left: "l2", right: "r2" });
      await bench.destroy();
      expect(data()).toEqual({ admin: "1", right: "r2" });
      await second.destroy();
      second.close();
      expect(data()).toEqual({ admin: "1" });
    }));

  test("keeps a retained patch with a stable field manager after destroy, and lets the next up change it", () =>
    on("retain", async (bench) => {
      adminsGauge("retain", { unit: "bar" });
      const retained = (join: string, annotations?: Record<string, string>) =>
        gaugePatch("retain", { subnet: { join } }, annotations, { retainOnDelete: true });
      fine(await bench.up(retained("100.1", stable)));
      await bench.destroy();
      expect(spec("retain")).toMatchObject({ subnet: { join: "100.1" } });
      fine(await bench.up(retained("100.2", stable)));
      expect(spec("retain")).toMatchObject({ subnet: { join: "100.2" } });
      await bench.destroy();
      // Under a different, random manager the change conflicts with the manager that stayed.
      const random = await bench.up(retained("100.3"));
      expect(random).toMatchObject({ ok: false, output: expect.stringContaining("conformance") as string });
      expect(spec("retain")).toMatchObject({ subnet: { join: "100.2" } });
    }));

  test("previews a patch of a missing object or with an invalid field, and refuses the invalid field at up", () =>
    on("unproved", async (bench) => {
      expect(await bench.preview(gaugePatch("absent", { subnet: { join: "100.1" } }))).toMatchObject({
        ok: true,
      });
      adminsGauge("present", { unit: "bar" });
      const wrong = gaugePatch("present", { subnet: { join: "10.1" } });
      fine(await bench.preview(wrong));
      const outcome = await bench.up(wrong);
      expect(outcome).toMatchObject({
        ok: false,
        output: expect.stringContaining("spec.subnet.join") as string,
      });
    }));

  test("waits on destroy until the object is gone", () =>
    on("await", async (bench) => {
      fine(await bench.up(gauge("await", { unit: "bar" })));
      const finalizers = (list: string[]) =>
        kubectl(
          session,
          "patch",
          "gauge",
          "await",
          "--type=merge",
          "-p",
          JSON.stringify({ metadata: { finalizers: list } }),
        );
      finalizers(["example.com/hold"]);
      let finished = false;
      const destroy = bench.destroy().finally(() => (finished = true));
      const isGoing = () =>
        kubectl(session, "get", "gauge", "await", "-o", "jsonpath={.metadata.deletionTimestamp}") !== "";
      while (!isGoing()) await new Promise((resolve) => setTimeout(resolve, 200));
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect(finished).toBe(false);
      finalizers([]);
      expect(await destroy).toMatchObject({ ok: true });
      expect(live(session, "gauge", "await")).toBeUndefined();
    }));

  test("finds manual changes by refresh, and names their field manager at up", () =>
    on("drift", async (bench) => {
      const wanted = { unit: "bar", size: 5, subnet: { join: "100.1" } };
      fine(await bench.up(gauge("drift", wanted)));
      kubectl(
        session,
        "patch",
        "gauge",
        "drift",
        "--type=merge",
        "-p",
        '{"spec":{"size":9,"subnet":{"transit":"t"}}}',
      );
      expect((await bench.refresh()).changes).toMatchObject({ update: 1 });
      const contested = await bench.up(gauge("drift", wanted));
      expect(contested).toMatchObject({
        ok: false,
        output: expect.stringContaining("kubectl-patch") as string,
      });

      const force = { "pulumi.com/patchForce": "true" };
      expect(fine(await bench.up(gauge("drift", wanted, force))).changes).toMatchObject({ update: 1 });
      // Manually added fields that the program does not set stay.
      expect(spec("drift")).toEqual({ ...wanted, subnet: { join: "100.1", transit: "t" } });

      kubectl(session, "delete", "gauge", "drift");
      expect((await bench.up(gauge("drift", wanted, force), true)).changes).toMatchObject({ create: 1 });
      expect(spec("drift")).toEqual(wanted);
    }));

  test("imports an existing object, and manages it from then on", () =>
    on("import", async (bench) => {
      applyAs("kubectl", configMap("import", { a: "1" }));
      const imported = (id?: string) =>
        program(() => {
          const args = { metadata: { name: "import", namespace: "default" }, data: { a: "1" } };
          new ConfigMap("import", args, { import: id });
        });
      expect(fine(await bench.up(imported("default/import"))).changes).toMatchObject({ import: 1 });
      expect((await bench.up(imported(), true)).changes).toEqual({ same: 2 });
      await bench.destroy();
      expect(live(session, "configmap", "import")).toBeUndefined();
    }));

  test("creates a definition and an object of its kind in one up", () =>
    on("definition", async (bench) => {
      // Not structuredClone: under jest, the SDK does not recognize the arrays that it creates.
      const definition = JSON.parse(JSON.stringify(gaugeDefinition)) as typeof gaugeDefinition;
      definition.metadata.name = "dials.conformance.example.com";
      definition.spec.names = { plural: "dials", singular: "dial", kind: "Dial" };
      const both = program(() => {
        const crd = new kubernetes.apiextensions.v1.CustomResourceDefinition(
          "dials",
          definition as unknown as kubernetes.types.input.apiextensions.v1.CustomResourceDefinition,
        );
        const metadata = { name: "dial", namespace: "default" };
        const dial = {
          apiVersion: "conformance.example.com/v1",
          kind: "Dial",
          metadata,
          spec: { unit: "bar" },
        };
        new kubernetes.apiextensions.CustomResource("dial", dial, { dependsOn: crd });
      });
      fine(await bench.preview(both));
      expect(fine(await bench.up(both)).changes).toMatchObject({ create: 3 });
      expect((await bench.up(both, true)).changes).toEqual({ same: 3 });
      expect(live(session, "dial", "dial")?.spec).toEqual({ unit: "bar", size: 3 });
      fine(await bench.destroy());
    }));

  test("stores no secret as plain text, and previews an object in a namespace that does not exist yet", () =>
    on("secret", async (bench) => {
      const secret = program(() => {
        new Secret("secret", { metadata: { name: "secret" }, stringData: { token: "hush-hush" } });
        const { metadata } = new Namespace("space", { metadata: { name: "space" } });
        new ConfigMap("half", {
          metadata: { name: "half", namespace: metadata.name },
          data: { token: pulumi.secret("mum-mum"), plain: "seen" },
        });
      });
      fine(await bench.preview(secret));
      fine(await bench.up(secret));
      expect(live(session, "secret", "secret")?.data).toEqual({
        token: Buffer.from("hush-hush").toString("base64"),
      });
      await bench.refresh();
      const state = bench.state();
      expect(state).toContain("seen");
      for (const text of ["hush-hush", Buffer.from("hush-hush").toString("base64"), "mum-mum"]) {
        expect(state).not.toContain(text);
      }
      expect((await bench.up(secret)).changes).toEqual({ same: 4 });
    }));
});
