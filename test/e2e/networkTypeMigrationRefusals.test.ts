import { MigrationPhase, migrationPhases } from "../../src/networkTypeMigration/phases";
import type { NetworkTypeMigrationArgs } from "../../src/networkTypeMigration/component/networkTypeMigration";
import { fine, type Bench } from "./conformance/kubernetesBench";
import { versionsOf } from "./examples/inventory";
import type { PlayedOpenShift } from "./networkTypeMigration/playedOpenShift";
import { MigrationScene } from "./networkTypeMigration/scene";

const phases = Object.keys(migrationPhases) as MigrationPhase[];
const { Begin, PausePools, ChangeNetworkType } = MigrationPhase;

/** A cluster that cannot migrate. */
interface Refused {
  title: string;
  /** Changes the cluster into one that cannot migrate. */
  change: (played: PlayedOpenShift) => Promise<void>;
  /** Restores the cluster. */
  back: (played: PlayedOpenShift) => Promise<void>;
  /** What the user sees. */
  reason: string;
}
const release = (version: string, reason: string): Refused => ({
  title: `release ${version}`,
  change: (played) => played.release(version),
  back: (played) => played.release("4.7.60"),
  reason: `ClusterVersion version ${reason}: follow the documentation of that release`,
});
const mode = (name: string): Refused => ({
  title: `OpenShift SDN in mode ${name}`,
  change: (played) => played.sdnMode(name),
  back: (played) => played.sdnMode(),
  reason: `Network.operator cluster spec.defaultNetwork.openshiftSDNConfig.mode ${name}, which cannot migrate: OVN-Kubernetes isolates only by network policies: create a new cluster`,
});
const platform = (name: string): Refused => ({
  title: `platform ${name}`,
  change: (played) => played.platform(name),
  back: (played) => played.platform("AWS"),
  reason: `Infrastructure cluster ${name}, where the migration is not supported: keep the network type; the migration is supported on BareMetal, AWS`,
});
const PREPARES = "prepares its nodes by spec.migration of the network operator, which is another procedure";
const other = [release("4.8.0", `4.8 ${PREPARES}`), platform("None"), mode("Multitenant")];

/** The real engine and the real API server, with clusters that do not support this migration. */
describe("M21 a migration that the cluster does not support", () => {
  let scene: MigrationScene;
  let bench: Bench;

  beforeAll(async () => {
    scene = await MigrationScene.open();
    bench = await scene.bench("refused");
  });
  afterAll(() => scene?.close());

  /** The engine's refusals, each once: it prints them when they occur and again at the end. */
  const refusals = (output: string) => [...new Set(output.match(/\w+ is refused: .*/g) ?? [])];

  /** Expects that the preview prints only this refusal, and that no object of the cluster changes. */
  async function expectRefusal(reason: string, more?: Partial<NetworkTypeMigrationArgs>) {
    const before = await versionsOf(scene.session.kubernetes);
    const { ok, output } = await bench.preview(scene.program(Begin, more));
    expect([ok, refusals(output)]).toEqual([false, [expect.stringContaining(`begin is refused: ${reason}`)]]);
    expect(output).not.toMatch(/^\s+at /m);
    expect(await versionsOf(scene.session.kubernetes)).toEqual(before);
  }

  test.each<Refused>([
    release("4.6.60", "4.6 migrates by another procedure, or not at all"),
    release("4.16.3", `4.16 ${PREPARES}`),
    release("4.17.1", "4.17 has no OpenShift SDN any more"),
    ...other,
    mode("Subnet"),
    platform("IBMCloud"),
    platform("Libvirt"),
    {
      title: "machines of the control plane that a user provisioned",
      change: (played) => played.node("two", "master", "10.0.0.2", false),
      back: (played) => played.node("two", "master", "10.0.0.2"),
      reason:
        "Node two was not created by the Machine API: on user-provisioned machines the migration is not supported: keep the network type, or create a new cluster",
    },
    {
      title: "a hosted cluster, which has no pools of machine configurations",
      change: (played) => played.withoutPools(),
      back: (played) => played.poolsFollow(),
      reason:
        "MachineConfigPools there are none, as in a hosted cluster: create a new cluster with the other type",
    },
  ])("$title is refused at preview, and nothing is written", async (refused) => {
    await refused.change(scene.played);
    try {
      await expectRefusal(refused.reason);
    } finally {
      await refused.back(scene.played);
    }
  });

  test("a phase without confirmed backups is refused, with the backup command", async () => {
    const reason =
      "backupsTaken is not true: back up etcd, run `oc get Network.config.openshift.io cluster -o yaml >";
    await expectRefusal(reason, { backupsTaken: false });
  });

  test("every phase is refused for release and platform, and for the mode until the type has changed", async () => {
    for (const { change } of other) await change(scene.played);
    const before = await versionsOf(scene.session.kubernetes);
    for (const phase of phases) {
      const { ok, output } = await bench.preview(scene.program(phase));
      const hasMode = ([Begin, PausePools, ChangeNetworkType] as MigrationPhase[]).includes(phase);
      const wanted = other.slice(0, hasMode ? 3 : 2).map(({ reason }) => `${phase} is refused: ${reason}`);
      expect([phase, ok, refusals(output)]).toEqual([
        phase,
        false,
        expect.arrayContaining(wanted.map((line) => expect.stringContaining(line) as string)),
      ]);
      expect([phase, output.includes("Multitenant")]).toEqual([phase, hasMode]);
    }
    // An update prints the same as a preview, and changes nothing.
    const { ok, output } = await bench.up(scene.program(Begin));
    expect([ok, refusals(output)]).toEqual([
      false,
      other.map(({ reason }) => expect.stringContaining(reason) as string),
    ]);
    expect(await versionsOf(scene.session.kubernetes)).toEqual(before);
    for (const { back } of other) await back(scene.played);
  });

  test("mode NetworkPolicy is accepted if the user wrote it", async () => {
    await scene.played.sdnMode("NetworkPolicy");
    fine(await bench.preview(scene.program(Begin)));
  });
});
