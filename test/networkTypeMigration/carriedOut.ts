import { MigrationPhase, migrationPhases, type MigrationWishes } from "../../src/networkTypeMigration/phases";
import { judgePhase } from "../../src/networkTypeMigration/judge";
import { NetworkType } from "../../src/requirements/vocabulary";
import { PlayedCluster } from "./playedCluster";

/** The inputs of a user who is ready for any phase. */
export const ready: MigrationWishes = { backupsTaken: true, translationsPrepared: true };
export const forward = Object.values(MigrationPhase).filter(
  (one) => migrationPhases[one].target === NetworkType.OVNKubernetes,
);
export const back = Object.values(MigrationPhase).filter((one) => !forward.includes(one));

/** Carries out a phase and lets the operator follow. Returns what was written. */
export function carryOut(cluster: PlayedCluster, phase: MigrationPhase, wishes = ready): string[] {
  const { faults, writes } = judgePhase(phase, cluster.objects, wishes);
  if (faults.length > 0) throw new Error(faults.map(({ path, problem }) => `${path} ${problem}`).join("; "));
  for (const write of writes) cluster.write(write);
  cluster.operatorFollows();
  return writes.map(({ what }) => what);
}

/** Carries out a phase together with the manual steps of a person. */
export function step(cluster: PlayedCluster, phase: MigrationPhase, wishes = ready): string[] {
  const written = carryOut(cluster, phase, wishes);
  if (phase === MigrationPhase.ChangeNetworkType || phase === MigrationPhase.RollBackNetworkType)
    cluster.reboot();
  cluster.poolsFollow();
  return written;
}

/** A cluster after all phases up to and including this one. */
export const until = (last: MigrationPhase): PlayedCluster => {
  const cluster = new PlayedCluster();
  for (const phase of forward.slice(0, forward.indexOf(last) + 1)) step(cluster, phase);
  return cluster;
};

export const faultsOf = (phase: MigrationPhase, cluster: PlayedCluster, wishes = ready): string[] =>
  judgePhase(phase, cluster.objects, wishes).faults.map(({ path, problem }) => `${path} ${problem}`);
