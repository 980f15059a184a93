import type { Fault } from "../fault";
import { NetworkType } from "../requirements/vocabulary";
import { migratingCluster } from "./cluster";
import type { Condition, MigrationWishes, Moment } from "./condition";
import type { MigrationObjects } from "./objects";
import { writesOf, type MigrationWrite } from "./patches";
import { migrationPhases, type MigrationPhase } from "./phases";
import { rulesOf } from "./steps";
import { translations, type Translation } from "./translations";

/** What a phase comes to on a cluster. */
export interface PhaseJudgement {
  /** Why the phase is refused; then nothing is written. */
  faults: Fault[];
  /** What it still has to write. */
  writes: MigrationWrite[];
  /** What it waits for once all is written. */
  waiting: Fault[];
  /** Why waiting is no use. */
  stopped: Fault[];
  /** What somebody writes anew; nothing on the way back, on which the objects of OpenShift SDN count again. */
  translations: Translation[];
}

/** Judges a phase on the objects of a cluster, whatever phase there was before: the cluster says how far it is. */
export function judgePhase(
  phase: MigrationPhase,
  objects: MigrationObjects,
  wishes: MigrationWishes,
): PhaseJudgement {
  const moment: Moment = { phase, ...migrationPhases[phase], cluster: migratingCluster(objects), wishes };
  const { before, after, stop } = rulesOf(phase);
  const faultsOf = (conditions: readonly Condition[]) =>
    conditions.flatMap((condition) => condition.faults(moment));
  const faults = faultsOf(before);
  const writes = faults.length > 0 ? [] : writesOf(moment);
  return {
    faults,
    writes,
    waiting: faultsOf(after),
    stopped: faultsOf(stop),
    translations: moment.target === NetworkType.OVNKubernetes ? translations(objects) : [],
  };
}
