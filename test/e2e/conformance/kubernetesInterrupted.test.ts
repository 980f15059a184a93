import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as kubernetes from "@pulumi/kubernetes";

import { INTERRUPT_VARIABLE, type Interruption, readCalls } from "../../../local/plugins/provider/callLog";
import { type Session, startSession } from "../../../local/session";
import { Bench, fine, kubectl, live } from "./kubernetesBench";
import { program } from "./kubernetesGauge";

const folder = mkdtempSync(join(tmpdir(), "interrupted-"));
let session: Session;
beforeAll(async () => {
  session = await startSession({ stateFolder: folder, plugins: "stand-in" });
});
afterAll(async () => {
  await session?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** CheckConfig, Configure, Check and Create of one ConfigMap: the fourth call creates. */
const CREATE = 4;

const configMap = (name: string, value: string) =>
  program(() => void new kubernetes.core.v1.ConfigMap(name, { metadata: { name }, data: { value } }));

async function interrupted(name: string, when: Interruption["when"]): Promise<Bench> {
  const counter = join(folder, `${name}-calls`);
  const killed = await Bench.open(session, name, {
    [INTERRUPT_VARIABLE]: JSON.stringify({ counter, at: CREATE, when }),
  });
  expect(await killed.up(configMap(name, "one"))).toMatchObject({ ok: false });
  killed.close();
  expect(readCalls(counter)[CREATE - 1]).toMatchObject({ method: "Create", preview: false });
  const bench = await Bench.open(session, name);
  await bench.cancel();
  return bench;
}

test("up creates the object after an engine was killed before the create", async () => {
  const bench = await interrupted("before", "before");
  expect(live(session, "configmap", "before")).toBeUndefined();
  fine(await bench.up(configMap("before", "one")));
  expect(live(session, "configmap", "before")?.data).toEqual({ value: "one" });
  bench.close();
});

test("up adopts the object after an engine was killed after the create, and destroy deletes it", async () => {
  const bench = await interrupted("after", "after");
  const made = live(session, "configmap", "after");
  expect(made?.data).toEqual({ value: "one" });
  expect(fine(await bench.up(configMap("after", "one"))).changes).toMatchObject({ create: 1 });
  const adopted = live(session, "configmap", "after");
  expect(adopted?.metadata.uid).toBe(made?.metadata.uid);
  expect(adopted?.metadata.managedFields).toHaveLength(1);
  expect((await bench.up(configMap("after", "one"), true)).changes).toEqual({ same: 2 });
  await bench.destroy();
  expect(live(session, "configmap", "after")).toBeUndefined();
  bench.close();
});

test("up does not adopt an object that an earlier destroy retained, and reports that it already exists", async () => {
  const bench = await Bench.open(session, "kept");
  const kept = program(
    () =>
      void new kubernetes.core.v1.ConfigMap("kept", { metadata: { name: "kept" } }, { retainOnDelete: true }),
  );
  await bench.up(kept);
  await bench.destroy();
  expect(live(session, "configmap", "kept")).toBeDefined();
  const again = await bench.up(kept);
  expect(again).toMatchObject({ ok: false, output: expect.stringContaining("already exists") as string });
  bench.close();
});

test("up reports an unreachable API server without a stack trace, and succeeds when the server is back", async () => {
  const bench = await Bench.open(session, "outage");
  await session.stopApiServer();
  const down = await bench.up(configMap("outage", "one"));
  await session.startApiServer();
  expect(down.ok).toBe(false);
  expect(down.output).toContain("unreachable");
  expect(down.output).not.toMatch(/^\s+at .*plugins/m);
  fine(await bench.up(configMap("outage", "one")));
  expect(kubectl(session, "get", "configmap", "outage", "-o", "jsonpath={.data.value}")).toBe("one");
  bench.close();
});
