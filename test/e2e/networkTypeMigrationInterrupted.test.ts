import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Session } from "../../local/session";
import type { PhaseSettings } from "../../src/networkTypeMigration/component/carryOut";
import { migrationPhases, MigrationPhase, MigrationStep } from "../../src/networkTypeMigration/phases";
import { interpose, type Asked, type Interposer } from "./interposer";
import { EVERY_POINT, sample } from "./interrupted/sample";
import { PhaseEngine } from "./networkTypeMigration/phaseEngine";
import { PlayedOpenShift, withoutRecord } from "./networkTypeMigration/playedOpenShift";
import { Snapshot } from "./networkTypeMigration/snapshot";
import { kubeconfigWithRoles } from "./roles";
import { sharedSession } from "./sharedSession";

const phases = Object.keys(migrationPhases) as MigrationPhase[];
const restartsNodes = (phase: MigrationPhase) =>
  ([MigrationPhase.ChangeNetworkType, MigrationPhase.RollBackNetworkType] as MigrationPhase[]).includes(
    phase,
  );
/** The number of writes of a phase, so that the test misses none. */
const WRITES: Readonly<Record<MigrationStep, number>> = {
  [MigrationStep.Begin]: 1,
  [MigrationStep.PausePools]: 2,
  [MigrationStep.ChangeNetworkType]: 2,
  [MigrationStep.ResumePools]: 2,
  [MigrationStep.EndMigration]: 2,
  [MigrationStep.RemoveOldNetwork]: 1,
};
const KINDS = ["before", "after"] as const;
const EVERY = 12;
type Kind = (typeof KINDS)[number];
type Sort = "read" | "write";

/** A request of a run. */
interface Point {
  of: Sort;
  /** The number of the request among those of its sort. */
  at: number;
  kind: Kind;
}

/**
 * Runs the provider's part of every phase on the real API server, and kills its process at each request in turn: before the server
 * has the request, and after it has answered but before the client knows. Each time, the cluster and the engine's state are restored
 * to those before the phase, so that the first phase is created and not updated, and the settings of a type are written for the
 * first time.
 */
describe("M21 a migration that is interrupted", () => {
  const folder = mkdtempSync(join(tmpdir(), "interrupted-migration-"));
  let session: Session;
  let played: PlayedOpenShift;
  let front: Interposer;
  let engine: PhaseEngine;

  beforeAll(async () => {
    session = await sharedSession(folder);
    played = await PlayedOpenShift.install(session);
    const kubeconfig = await kubeconfigWithRoles(session, "migration", "migration.yaml");
    const { users } = JSON.parse(readFileSync(kubeconfig, "utf8")) as {
      users: { user: { token: string } }[];
    };
    front = await interpose(session.kubernetes, users[0]!.user.token);
    engine = new PhaseEngine();
    front.afterWrite = async () => {
      await played.operatorFollows();
      await played.poolsFollow();
    };
  }, 900_000);
  afterAll(async () => {
    engine?.stop();
    front?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const settings = (phase: MigrationPhase): PhaseSettings => ({
    phase,
    backupsTaken: true,
    timeoutSeconds: 0,
    genevePort: 6082,
    vxlanPort: 4790,
    fieldManager: "hypershift-network-migration",
    kubeconfig: front.kubeconfig,
  });

  const up = (phase: MigrationPhase) => engine.up(settings(phase));

  /** Runs a phase whose process is killed at one of its reads or writes. Returns false if the phase was done before that. */
  async function isCutOff(phase: MigrationPhase, { of, at, kind }: Point): Promise<boolean> {
    let seen = 0;
    front.cut = (request) => {
      if (seen === at) return "before";
      return of === sortOf(request) && ++seen === at ? kind : undefined;
    };
    const failure = await up(phase).then(
      () => undefined,
      (error: Error) => error.message,
    );
    // Requests that were sent together with the one that was cut off still arrive, and must not count for another run.
    await sleep(5);
    front.cut = () => undefined;
    if (failure !== undefined) expect(failure).toContain("is unreachable");
    return failure !== undefined;
  }

  /** What users and operators do after a phase, and what the phase has left then. */
  async function restOf(phase: MigrationPhase): Promise<object> {
    if (restartsNodes(phase)) await played.reboot();
    await played.poolsFollow();
    return withoutRecord(await played.written());
  }

  test.each(phases)(
    "%s ends the same, wherever it is cut off",
    async (phase) => {
      const [cluster, stateBefore] = [await Snapshot.of(session.kubernetes), engine.state];
      const asked: Sort[] = [];
      front.cut = (request) => void asked.push(sortOf(request));
      await up(phase);
      front.cut = () => undefined;
      const whole = await restOf(phase);
      const points = pointsOf(asked);
      expect(points.filter(({ of }) => of === "write")).toHaveLength(2 * WRITES[migrationPhases[phase].step]);
      for (const point of sample(points, { every: EVERY, always: points.slice(-1) })) {
        if (front.answers.length > 0) {
          await cluster.restore();
          [engine.state, front.answers] = [stateBefore, []];
        }
        expect([point, await isCutOff(phase, point)]).toEqual([point, true]);
        // If nothing was written, the next run finds what this one found.
        if (front.answers.length === 0) continue;
        await up(phase);
        expect([point, await restOf(phase)]).toEqual([point, whole]);
      }
      // Everything is written and the rest only reads, so each run finds what the previous one found.
      await cluster.restore();
      engine.state = stateBefore;
      await isCutOff(phase, points.at(-1)!);
      const step = EVERY_POINT ? 1 : EVERY;
      for (let at = 1; await isCutOff(phase, { of: "read", at, kind: "before" }); at += step);
      expect(await restOf(phase)).toEqual(whole);
    },
    1_200_000,
  );
});

const sortOf = ({ method }: Asked): Sort => (method === "GET" ? "read" : "write");

/** The points at which a phase is cut off, up to its last write. Whether a read is answered does not affect what is written. */
function pointsOf(asked: readonly Sort[]): Point[] {
  const upToLastWrite = asked.slice(0, asked.lastIndexOf("write") + 1);
  const places = (sort: Sort) => upToLastWrite.filter((one) => one === sort).map((_, index) => index + 1);
  return [
    ...places("read").map((at): Point => ({ of: "read", at, kind: "before" })),
    ...places("write").flatMap((at) => KINDS.map((kind): Point => ({ of: "write", at, kind }))),
  ];
}
