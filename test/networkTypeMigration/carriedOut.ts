import { MigrationPhase, migrationPhases, type MigrationWishes } from "../../src/networkTypeMigration/phases";
import { judgePhase } from "../../src/networkTypeMigration/judge";
import { NetworkType } from "../../src/requirements/vocabulary";
import { PlayedCluster } from "./playedCluster";

/** What the user says who is ready for any phase. */
export const ready: MigrationWishes = { backupsTaken: true, translationsPrepared: true };
export const forward = Object.values(MigrationPhase).filter(
  (one) => migrationPhases[one].target === NetworkType.OVNKubernetes,
);
export const back = Object.values(MigrationPhase).filter((one) => !forward.includes(one));

/** Carries a phase out, and lets everybody else do their part. Returns what was written. */
export function carryOut(cluster: PlayedCluster, phase: MigrationPhase, wishes = ready): string[] {
  const { faults, writes } = judgePhase(phase, cluster.objects, wishes);
  if (faults.length > 0) throw new Error(faults.map(({ path, problem }) => `${path} ${problem}`).join("; "));
  for (const write of writes) cluster.write(write);
  cluster.operatorFollows();
  return writes.map(({ what }) => what);
}

/** The same, with what a person does in between. */
export function step(cluster: PlayedCluster, phase: MigrationPhase, wishes = ready): string[] {
  const written = carryOut(cluster, phase, wishes);
  if (phase === MigrationPhase.ChangeNetworkType || phase === MigrationPhase.RollBackNetworkType)
    cluster.reboot();
  cluster.poolsFollow();
  return written;
}

/** A cluster that has all phases behind it up to this one. */
export const until = (last: MigrationPhase): PlayedCluster => {
  const cluster = new PlayedCluster();
  for (const phase of forward.slice(0, forward.indexOf(last) + 1)) step(cluster, phase);
  return cluster;
};

export const faultsOf = (phase: MigrationPhase, cluster: PlayedCluster, wishes = ready): string[] =>
  judgePhase(phase, cluster.objects, wishes).faults.map(({ path, problem }) => `${path} ${problem}`);
