import type { Fault } from "../fault";
import type { DocumentReference } from "../requirements/documents";
import { migrationSources } from "../requirements/migration";
import type { MigratingCluster } from "./cluster";
import type { MigrationPhase, PhaseOf } from "./phases";

/** A part of the cluster network, as `Network.config.openshift.io` has it. */
export interface WantedNetwork {
  cidr: string;
  hostPrefix: number;
}

/** What the user says beside the phase. Absent: not said. */
export interface MigrationWishes {
  backupsTaken?: boolean;
  translationsPrepared?: boolean;
  smallestNodeMtu?: number;
  genevePort?: number;
  vxlanPort?: number;
  clusterNetwork?: WantedNetwork[];
}

/** A phase, and the cluster before it. */
export interface Moment extends PhaseOf {
  phase: MigrationPhase;
  cluster: MigratingCluster;
  wishes: MigrationWishes;
}

/** Something that has to hold before a phase, or after it. */
export interface Condition {
  /** One clause, for people: `every ClusterOperator is available and not degraded`. */
  words: string;
  documents: readonly DocumentReference[];
  /** What is otherwise; none where it holds. */
  faults: (moment: Moment) => Fault[];
}

/** A condition of the documented steps. */
export const condition = (
  words: string,
  faults: Condition["faults"],
  documents: Condition["documents"] = [migrationSources.steps, migrationSources.rollback],
): Condition => ({ words, documents, faults });

/** The same, but only where the migration has changed the type. */
export const afterChange = ({ words, documents, faults }: Condition): Condition => ({
  words: `${words}, where the type has been changed`,
  documents,
  faults: (moment) => (moment.cluster.record ? faults(moment) : []),
});

/** The same, but only until pools run again: then their machines restart, and their pods come and go. */
export const whilePaused = ({ words, documents, faults }: Condition): Condition => ({
  words: `${words}, while every MachineConfigPool is still paused`,
  documents,
  faults: (moment) => (moment.cluster.pools.every(({ paused }) => paused) ? faults(moment) : []),
});

/** Names objects in a fault: at most five. */
export function named(names: readonly string[]): string {
  const most = 5;
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return names.slice(0, most).join(", ") + more;
}
