import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { MigrationPhase, migrationPhases } from "../../src/networkTypeMigration/phases";
import type { NetworkTypeMigrationArgs } from "../../src/networkTypeMigration/component/networkTypeMigration";
import { fine, type Bench, type Outcome } from "./conformance/kubernetesBench";
import type { PlayedOpenShift } from "./networkTypeMigration/playedOpenShift";
import { MigrationScene } from "./networkTypeMigration/scene";
import { kubeconfigWithRoles } from "./roles";

const phases = Object.keys(migrationPhases) as MigrationPhase[];
const { Begin, PausePools, ChangeNetworkType, ResumePools, EndMigration } = MigrationPhase;
const { RollBackNetworkType, RollBackResumePools, RollBackEnd } = MigrationPhase;
const changesType = (phase: MigrationPhase) =>
  ([ChangeNetworkType, RollBackNetworkType] as MigrationPhase[]).includes(phase);

/** On the real engine, its dynamic provider and the real API server, with an OpenShift cluster that the test simulates. */
describe("M21 a change of the network type", () => {
  let scene: MigrationScene;
  let played: PlayedOpenShift;
  let initial: object;

  const open = (name: string) => scene.bench(name);
  const migrate = (phase: MigrationPhase, more?: Partial<NetworkTypeMigrationArgs>) =>
    scene.program(phase, more);
  /** Operators do their part while a deployment runs. */
  const whilePlaying = async (run: Promise<Outcome>): Promise<Outcome> => {
    let isRunning = true;
    const ended = run.finally(() => (isRunning = false));
    while (isRunning) {
      await played.operatorFollows();
      await played.poolsFollow();
      await Promise.race([ended, sleep(300)]);
    }
    return ended;
  };
  const step = async (bench: Bench, phase: MigrationPhase, more: Partial<NetworkTypeMigrationArgs> = {}) => {
    const outcome = await whilePlaying(bench.up(migrate(phase, more)));
    if (outcome.ok && changesType(phase)) await played.reboot();
    await played.poolsFollow();
    return outcome;
  };

  beforeAll(async () => {
    scene = await MigrationScene.open();
    played = scene.played;
    initial = await played.written();
  });
  afterAll(() => scene?.close());

  test("goes phase by phase to OVN-Kubernetes and back with the smallest role, and a repeated phase changes nothing", async () => {
    const bench = await open("both-ways");
    for (const phase of phases) {
      const { changes } = fine(await step(bench, phase));
      expect([phase, changes]).toEqual([phase, expect.not.objectContaining({ replace: 1 })]);
      expect((await bench.outputs()).written).not.toEqual([]);
      const before = await played.written();
      if (phase === PausePools || changesType(phase)) {
        expect(fine(await bench.up(migrate(phase))).changes).toEqual({ same: 3 });
        expect(await played.written()).toEqual(before);
      }
      if (phase === MigrationPhase.RemoveOldNetwork)
        expect(before).toMatchObject({
          config: {
            spec: { networkType: "OVNKubernetes", serviceNetwork: ["172.30.0.0/16"] },
            annotations: {},
          },
          operator: { spec: { defaultNetwork: { ovnKubernetesConfig: { mtu: 1400 } } }, annotations: {} },
          paused: [false, false],
          namespaces: [undefined, "openshift-ovn-kubernetes"],
        });
    }
    const { config, paused, namespaces } = (await played.written()) as Record<string, unknown>;
    expect({ config, paused, namespaces }).toEqual({
      config: (initial as { config: unknown }).config,
      paused: [false, false],
      namespaces: ["openshift-sdn", undefined],
    });
    fine(await bench.destroy());
    expect((await played.written()) as Record<string, unknown>).toMatchObject({ config, paused });
  });

  test("refuses a phase that is too early at preview and at up, and writes nothing", async () => {
    const bench = await open("too-early");
    const before = await played.written();
    for (const outcome of [
      await bench.preview(migrate(ChangeNetworkType)),
      await bench.up(migrate(ChangeNetworkType)),
    ]) {
      expect(outcome.ok).toBe(false);
      expect(outcome.output).toContain("changeNetworkType is refused");
      expect(outcome.output).toContain("run phase begin first");
      expect(outcome.output).not.toMatch(/^\s+at /m);
    }
    expect(await played.written()).toEqual(before);
  });

  test("refuses a cluster of another release or with a degraded operator, with every reason", async () => {
    const bench = await open("refused");
    await played.release("4.16.3");
    await played.operator("network", true);
    const { ok, output } = await bench.up(migrate(Begin, { backupsTaken: false }));
    expect(ok).toBe(false);
    expect(output).toContain("4.16 prepares its nodes by spec.migration");
    expect(output).toContain("ClusterOperator network is degraded");
    expect(output).toContain("backupsTaken is not true");
    await played.release("4.7.60");
    await played.operator("network");
  });

  test("names the missing verb and resource to a user without the role", async () => {
    const kubeconfig = readFileSync(await kubeconfigWithRoles(scene.session, "nobody"), "utf8");
    const { ok, output } = await (await open("forbidden")).up(migrate(Begin, { kubeconfig }));
    expect(ok).toBe(false);
    expect(output).toMatch(/cannot (get|list) resource "\w+".*rbac\/migration\.yaml/);
  });

  test("stops at a stalled roll-out, a node that was not restarted and a degraded pool, and continues from there", async () => {
    const bench = await open("stalls");
    for (const phase of [Begin, PausePools]) fine(await step(bench, phase));
    const impatient = { timeoutSeconds: 0 };
    const early = await bench.up(migrate(ChangeNetworkType, impatient));
    expect(early.output).toContain("still the generation from before the change");
    await played.operatorFollows();
    await played.multusHas(1);
    const stalled = await bench.up(migrate(ChangeNetworkType, impatient));
    expect([stalled.ok, stalled.output]).toEqual([false, expect.stringContaining("1 of 3 pods updated")]);
    await played.multusHas(3);
    fine(await bench.up(migrate(ChangeNetworkType, impatient)));
    await played.reboot("one", "two");
    const early2 = await bench.up(migrate(ResumePools, impatient));
    expect(early2.output).toMatch(/Node three 1 of 3 not restarted/);
    await played.reboot("three");
    const rolling = await bench.up(migrate(ResumePools, impatient));
    expect([rolling.ok, rolling.output]).toEqual([
      false,
      expect.stringContaining("MachineConfigPool worker"),
    ]);
    await played.pool("worker", "degraded");
    const degraded = await bench.up(migrate(ResumePools));
    expect([degraded.ok, degraded.output]).toEqual([false, expect.stringContaining("is degraded")]);
    await played.poolsFollow();
    fine(await bench.up(migrate(ResumePools)));
    fine(await step(bench, EndMigration));
    for (const phase of phases.slice(6)) fine(await step(bench, phase));
  });

  test("leaves nothing behind if it is rolled back before the type has changed", async () => {
    const bench = await open("called-off");
    const before = await played.written();
    for (const phase of [Begin, PausePools, RollBackResumePools, RollBackEnd]) fine(await step(bench, phase));
    expect(await played.written()).toEqual(before);
  });
});
