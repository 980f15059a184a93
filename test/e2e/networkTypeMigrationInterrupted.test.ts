import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startSession, type Session } from "../../local/session";
import type { PhaseSettings, PhaseState } from "../../src/components/kubernetes/migration/settings";
import { migrationPhases, MigrationPhase } from "../../src/manifests/migration";
import { interpose, type Interposer } from "./interposer";
import { PlayedOpenShift } from "./networkTypeMigration/playedOpenShift";
import { kubeconfigWithRoles } from "./roles";

const phases = Object.keys(migrationPhases) as MigrationPhase[];
const restartsNodes = (phase: MigrationPhase) =>
  [MigrationPhase.ChangeNetworkType, MigrationPhase.RollBackNetworkType].includes(phase);
const KINDS = ["before", "after"] as const;
type Kind = (typeof KINDS)[number];

/**
 * Every phase on the real API server, by what the engine runs of it, its process gone at each of its requests in turn: before
 * the server has the request, and when it has answered and nobody hears of it.
 */
describe("M21 a migration that is interrupted", () => {
  const folder = mkdtempSync(join(tmpdir(), "interrupted-migration-"));
  let session: Session;
  let played: PlayedOpenShift;
  let front: Interposer;
  /** Holds the provider. */
  let engine: ChildProcess;

  beforeAll(async () => {
    session = await startSession({ stateFolder: folder, plugins: "stand-in" });
    played = await PlayedOpenShift.install(session);
    const kubeconfig = await kubeconfigWithRoles(session, "migration", "migration.yaml");
    const { users } = JSON.parse(readFileSync(kubeconfig, "utf8")) as {
      users: { user: { token: string } }[];
    };
    front = await interpose(session.kubernetes, users[0]!.user.token);
    engine = fork(join(__dirname, "networkTypeMigration", "phaseProcess.cjs"), { execArgv: [] });
    front.afterWrite = async () => {
      await played.operatorFollows();
      await played.poolsFollow();
    };
  }, 900_000);
  afterAll(async () => {
    engine?.kill();
    front?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const settings = (phase: MigrationPhase): PhaseSettings => ({
    phase,
    backupsTaken: true,
    timeoutSeconds: 0,
    fieldManager: "hypershift-network-migration",
    kubeconfig: front.kubeconfig,
  });

  /** What the engine keeps of the phase that was carried out last. */
  let state: PhaseState | undefined;

  async function called<Result>(method: "check" | "create" | "update", ...given: unknown[]): Promise<Result> {
    engine.send({ method, given });
    const [{ result, failure }] = (await once(engine, "message")) as [{ result: Result; failure?: string }];
    if (failure !== undefined) throw new Error(failure);
    return result;
  }

  /** As the engine does it: judges the phase, then makes the resource or changes it. */
  async function up(phase: MigrationPhase): Promise<void> {
    const { inputs, failures } = await called<{ inputs: PhaseSettings; failures?: { reason: string }[] }>(
      "check",
      state ?? {},
      settings(phase),
    );
    if (failures && failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    const { outs } = await (state
      ? called<{ outs: PhaseState }>("update", "network-type", state, inputs)
      : called<{ outs: PhaseState }>("create", inputs));
    state = outs;
  }

  /** Runs a phase whose process is gone from a request on. False where it was done before. */
  async function isCutOff(phase: MigrationPhase, at: number, kind: Kind): Promise<boolean> {
    let seen = 0;
    front.cut = () => {
      seen++;
      return seen === at ? kind : seen > at ? "before" : undefined;
    };
    const failure = await up(phase).then(
      () => undefined,
      (error: Error) => error.message,
    );
    front.cut = () => undefined;
    if (failure !== undefined) expect(failure).toContain("is unreachable");
    return failure !== undefined;
  }

  /** What people and operators do after a phase, and what the phase has left then. */
  async function restOf(phase: MigrationPhase): Promise<object> {
    if (restartsNodes(phase)) await played.reboot();
    await played.poolsFollow();
    return withoutRecord(await played.written());
  }

  test.each(KINDS)(
    "ends the same, wherever it is cut off %s a request",
    async (kind) => {
      // Settings of both types stand there after the first walk, as they do when a migration is over.
      for (const phase of state ? [] : phases) await up(phase).then(() => restOf(phase));
      const clean: object[] = [];
      for (const phase of phases) await up(phase).then(async () => clean.push(await restOf(phase)));
      let cuts = 0;
      for (const [place, phase] of phases.entries()) {
        for (let at = 1; await isCutOff(phase, at, kind); at++) cuts++;
        expect([phase, await restOf(phase)]).toEqual([phase, clean[place]]);
      }
      expect(cuts).toBeGreaterThan(200);
    },
    1_200_000,
  );
});

/** Boots are others each time. */
function withoutRecord(written: object): object {
  const { config, ...rest } = written as { config: { spec: object; annotations: Record<string, string> } };
  const { ["hypershift-network/migration"]: record, ...annotations } = config.annotations;
  return { ...rest, config: { ...config, annotations, isNoted: record !== undefined } };
}
