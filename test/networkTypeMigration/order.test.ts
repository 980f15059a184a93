import fc from "fast-check";

import { MigrationPhase, MigrationStep, migrationPhases } from "../../src/networkTypeMigration/phases";
import { judgePhase } from "../../src/networkTypeMigration/judge";
import { rulesOf } from "../../src/networkTypeMigration/steps";
import type { MigrationWrite } from "../../src/networkTypeMigration/patches";
import { NetworkType } from "../../src/requirements/vocabulary";
import { expectGolden } from "../objects/golden";
import { PlayedCluster } from "./playedCluster";

const {
  Begin,
  PausePools,
  ChangeNetworkType,
  ResumePools,
  EndMigration,
  RemoveOldNetwork,
  RollBackBegin,
  RollBackPausePools,
  RollBackNetworkType,
  RollBackResumePools,
  RollBackEnd,
  RollBackRemoveNewNetwork,
} = MigrationPhase;
const wishes = { backupsTaken: true, translationsPrepared: true };
const phases = Object.keys(migrationPhases) as MigrationPhase[];

/** The phases that may follow each phase that wrote something; a phase of the other direction may follow only between complete steps. */
const next: Readonly<Record<MigrationPhase, readonly MigrationPhase[]>> = {
  [Begin]: [PausePools, RollBackEnd],
  [PausePools]: [ChangeNetworkType, RollBackResumePools],
  [ChangeNetworkType]: [ResumePools, RollBackNetworkType],
  [ResumePools]: [EndMigration, RollBackPausePools, PausePools, RollBackEnd],
  [EndMigration]: [RemoveOldNetwork, RollBackBegin, Begin],
  [RemoveOldNetwork]: [RollBackBegin],
  [RollBackBegin]: [RollBackPausePools, EndMigration],
  [RollBackPausePools]: [RollBackNetworkType, ResumePools],
  [RollBackNetworkType]: [RollBackResumePools, ChangeNetworkType],
  [RollBackResumePools]: [RollBackEnd, PausePools, RollBackPausePools, EndMigration],
  [RollBackEnd]: [RollBackRemoveNewNetwork, Begin, RollBackBegin],
  [RollBackRemoveNewNetwork]: [Begin],
};

/** Events between phases: operators and people may or may not do their parts. */
const EVENTS = ["operators", "reboot", "pools"] as const;
type Move = MigrationPhase | (typeof EVENTS)[number] | "onward" | "again" | "back";

/** Runs moves on a cluster and returns those with an effect; a phase carries out only the first of its writes. */
function walk(moves: readonly { move: Move; writes: number }[]) {
  const cluster = new PlayedCluster();
  const effective: MigrationPhase[] = [];
  for (const { move, writes } of moves) {
    if (move === "operators") cluster.operatorFollows();
    else if (move === "reboot") cluster.reboot();
    else if (move === "pools") cluster.poolsFollow();
    else {
      const phase = meant(move, effective.at(-1));
      if (carryOut(cluster, phase, writes) && effective.at(-1) !== phase) effective.push(phase);
    }
    holdsWhatAlwaysHolds(cluster);
  }
  return { cluster, effective };
}

/** Random phases seldom get far, so most moves continue from the last phase, or go back. */
function meant(
  move: Exclude<Move, (typeof EVENTS)[number]>,
  last: MigrationPhase | undefined,
): MigrationPhase {
  if (move === "back") return last ? rulesOf(last).wayBack : Begin;
  if (move === "again") return last ?? Begin;
  if (move !== "onward") return move;
  return phases[((last ? phases.indexOf(last) : -1) + 1) % phases.length]!;
}

function carryOut(cluster: PlayedCluster, phase: MigrationPhase, most: number): boolean {
  const { writes } = judgePhase(phase, cluster.objects, wishes);
  const written = writes.slice(0, most);
  for (const write of written) {
    // Nothing is judged again between two writes unless another program wrote.
    holdsBefore(write, cluster);
    cluster.write(write);
  }
  // MTU and port alone have no effect: a phase that was interrupted after them does not count.
  const isChange = migrationPhases[phase].step === MigrationStep.ChangeNetworkType;
  return isChange ? written.some(({ what }) => what.startsWith("change the type")) : written.length > 0;
}

type Config = { metadata: { annotations?: Record<string, string> }; spec: { networkType: string } };

/** The type changes only while the operator allows it and no pool restarts nodes. */
function holdsBefore({ body }: MigrationWrite, cluster: PlayedCluster): void {
  if ((body.spec as { networkType?: string } | undefined)?.networkType === undefined) return;
  const { metadata } = cluster.part("operator") as Config;
  expect(metadata.annotations).toHaveProperty(["networkoperator.openshift.io/network-migration"]);
  expect(cluster.paused).toEqual([true, true]);
}

/** Pools of a changed cluster never run before all nodes have been restarted, and the service network is unchanged. */
function holdsWhatAlwaysHolds(cluster: PlayedCluster): void {
  const { metadata, spec } = cluster.part("config") as Config;
  expect(spec).toMatchObject({ serviceNetwork: ["172.30.0.0/16"] });
  const record = metadata.annotations?.["hypershift-network/migration"];
  if (record === undefined) return;
  const { boots, target } = JSON.parse(record) as { boots: string[]; target: string };
  expect(target).toBe(spec.networkType);
  const isRunning = cluster.list("pools").some((pool) => !(pool.spec as { paused: boolean }).paused);
  const old = cluster.list("nodes").filter(({ status }) => {
    const { bootID } = (status as { nodeInfo: { bootID: string } }).nodeInfo;
    return boots.includes(bootID.replaceAll("-", "").slice(0, 12));
  });
  expect({ isRunning, old: isRunning ? old.length : 0 }).toEqual({ isRunning, old: 0 });
}

const moves = fc.array(
  fc.record({
    move: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<Move>(...EVENTS) },
      { weight: 6, arbitrary: fc.constantFrom<Move>("onward", "again") },
      { weight: 1, arbitrary: fc.constant<Move>("back") },
      { weight: 1, arbitrary: fc.constantFrom<Move>(...phases) },
    ),
    writes: fc.integer({ min: 1, max: 2 }),
  }),
  { minLength: 1, maxLength: 200, size: "max" },
);

describe("M21 the order of phases", () => {
  test("is always an allowed one, wherever phases are interrupted", () => {
    const seen = new Set<MigrationPhase>();
    fc.assert(
      fc.property(moves, (all) => {
        const { effective } = walk(all);
        effective.forEach((phase) => seen.add(phase));
        if (effective.length > 0) expect(effective[0]).toBe(Begin);
        effective.slice(1).forEach((phase, place) => expect(next[effective[place]!]).toContain(phase));
      }),
      { numRuns: 40, seed: 21 },
    );
    expect([...seen].sort()).toEqual([...phases].sort());
  });

  test("allows a complete rollback from any state", () => {
    fc.assert(
      fc.property(moves, (all) => {
        const { cluster } = walk(all);
        const settle = () => {
          cluster.operatorFollows();
          cluster.reboot();
          cluster.poolsFollow();
        };
        settle();
        const back = phases.filter((phase) => migrationPhases[phase].target === NetworkType.OpenShiftSDN);
        for (const phase of back) {
          carryOut(cluster, phase, Infinity);
          settle();
        }
        const { spec, metadata } = cluster.part("config") as Config;
        expect(spec.networkType).toBe("OpenShiftSDN");
        expect(metadata.annotations ?? {}).toEqual({});
        expect((cluster.part("operator") as Config).metadata.annotations ?? {}).toEqual({});
        expect(cluster.paused).toEqual([false, false]);
      }),
      { numRuns: 30, seed: 22 },
    );
  });

  test("produces the writes of the golden file", () => {
    const cluster = new PlayedCluster();
    const lines = phases.flatMap((phase) => {
      const { writes } = judgePhase(phase, cluster.objects, wishes);
      for (const write of writes) cluster.write(write);
      cluster.operatorFollows();
      cluster.reboot();
      cluster.poolsFollow();
      return [
        phase,
        ...writes.flatMap(({ what, method, path, body }) => [
          `  ${what}`,
          `    ${method} ${path} ${withoutVersion(body)}`,
        ]),
      ];
    });
    expectGolden("migration/writes.txt", `${lines.join("\n")}\n`);
  });
});

const withoutVersion = (body: object): string =>
  JSON.stringify(body, (key, value: unknown) => (key === "resourceVersion" ? "VERSION" : value));
