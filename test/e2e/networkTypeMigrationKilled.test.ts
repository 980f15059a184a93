import { migrationPhases, MigrationStep, type MigrationPhase } from "../../src/networkTypeMigration/phases";
import { type Bench, fine, OWN_PROVIDERS } from "./conformance/kubernetesBench";
import { interpose, type Interposer } from "./interposer";
import { leftRunning } from "./interrupted/processes";
import { sample } from "./interrupted/sample";
import { killEngine, type Death } from "./networkTypeMigration/engineDeath";
import { withoutRecord } from "./networkTypeMigration/playedOpenShift";
import { MigrationScene } from "./networkTypeMigration/scene";
import { Snapshot } from "./networkTypeMigration/snapshot";

const phases = Object.keys(migrationPhases) as MigrationPhase[];
const restartsNodes = (phase: MigrationPhase) =>
  migrationPhases[phase].step === MigrationStep.ChangeNetworkType;

/** The state after a phase. */
interface Whole {
  cluster: object;
  outputs: Record<string, unknown>;
}

/**
 * Kills the engine itself in some phases, and in all of them in `npm run test:interrupted`: before the last write of the phase
 * reaches the API server, so that phases with two writes are half done, and after the last write but before the client knows.
 * The engine's state on disk is what it had written by then.
 */
describe("M21 a migration whose engine is killed", () => {
  let scene: MigrationScene;
  let front: Interposer;
  let killed: Bench;
  const whole = new Map<MigrationPhase, Whole>();
  /** How many phases the stack whose engine is killed has completed. */
  let done = 0;

  beforeAll(async () => {
    scene = await MigrationScene.open();
    const { users } = JSON.parse(scene.smallest) as { users: { user: { token: string } }[] };
    front = await interpose(scene.session.kubernetes, users[0]!.user.token);
    front.afterWrite = async () => {
      await scene.played.operatorFollows();
      await scene.played.poolsFollow();
    };
    const [start, bench] = [await Snapshot.of(scene.session.kubernetes), await scene.bench("whole")];
    for (const phase of phases) {
      fine(await bench.up(program(phase)));
      whole.set(phase, await after(phase, bench));
    }
    await start.restore();
    killed = await scene.bench("killed", OWN_PROVIDERS);
  });
  afterAll(async () => {
    front?.close();
    await scene?.close();
  });

  const program = (phase: MigrationPhase) =>
    scene.program(phase, { kubeconfig: front.kubeconfig, genevePort: 6082, vxlanPort: 4790 });

  /** What users do after a phase, and the state then. */
  async function after(phase: MigrationPhase, bench: Bench): Promise<Whole> {
    if (restartsNodes(phase)) await scene.played.reboot();
    await scene.played.poolsFollow();
    return { cluster: withoutRecord(await scene.played.written()), outputs: await bench.outputs() };
  }

  /** Runs a phase whose engine is killed at one of its writes. Returns the writes that were carried out. */
  async function killedUp(phase: MigrationPhase, at: number, when: "before" | "after", death: Death) {
    let seen = 0;
    let deaths = 0;
    front.answers = [];
    front.cut = ({ method }) => (method !== "GET" && ++seen === at ? when : undefined);
    front.onCut = () => {
      deaths++;
      killEngine(death);
    };
    const { ok } = await killed.up(program(phase));
    front.cut = () => undefined;
    return { ok, deaths, writes: front.answers.length, left: await leftRunning(scene.session) };
  }

  /** Runs all phases before the given one. */
  async function upTo(phase: MigrationPhase): Promise<void> {
    for (; phases[done] !== phase; done++) {
      fine(await killed.up(program(phases[done]!)));
      await after(phases[done]!, killed);
    }
  }

  // The first phase creates the resource, which the last test needs.
  test.each(sample(phases, { every: phases.length, always: [phases.at(-1)!] }))(
    "%s ends as it does otherwise",
    async (phase) => {
      await upTo(phase);
      done++;
      const { cluster, outputs } = whole.get(phase)!;
      const { written, ...others } = outputs as { written: string[] };
      const once = { ok: false, deaths: 1, left: [] };
      const last = written.length;
      expect(await killedUp(phase, last, "before", "engine")).toEqual({ ...once, writes: last - 1 });
      // The stack is still locked by the dead engine.
      await killed.cancel();
      expect(await killedUp(phase, 1, "after", "all of it")).toEqual({ ...once, writes: 1 });
      await killed.cancel();
      fine(await killed.up(program(phase)));
      // The killed runs wrote everything, and this one found it.
      expect(await after(phase, killed)).toEqual({ cluster, outputs: { ...others, written: [] } });
    },
  );

  test("the refresh that the engine suggests clears pending creates, and the next up changes nothing", async () => {
    const last = program(phases.at(-1)!);
    const before = [await scene.played.written(), await killed.outputs()];
    const { changes, output } = fine(await killed.up(last));
    expect([changes, output]).toEqual([
      { same: 3 },
      expect.stringMatching(/interrupted while creating[^]*pulumi refresh/),
    ]);
    fine(await killed.refresh({ clearPendingCreates: true }));
    const again = fine(await killed.up(last));
    expect([again.changes, again.output]).toEqual([{ same: 3 }, expect.not.stringContaining("interrupted")]);
    expect([await scene.played.written(), await killed.outputs()]).toEqual(before);
  });
});
