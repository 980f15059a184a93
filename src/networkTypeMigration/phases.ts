import { migrationSources, type MigratedType } from "../requirements/migration";
import { NetworkType } from "../requirements/vocabulary";
import type { Fault } from "../fault";
import type { DocumentReference } from "../requirements/documents";
import type { MigratingCluster } from "./cluster";

export { bootOf, parseRecord, recordText, type MigrationRecord } from "./cluster";

/** A step of a change of the network type, in either direction. */
export enum MigrationStep {
  Begin = "begin",
  PausePools = "pausePools",
  ChangeNetworkType = "changeNetworkType",
  ResumePools = "resumePools",
  EndMigration = "endMigration",
  RemoveOldNetwork = "removeOldNetwork",
}

/** A phase of the migration to OVN-Kubernetes, or of the way back to OpenShift SDN. */
export const MigrationPhase = {
  /** Allows the network operator to change the type. */
  Begin: "begin",
  /** Keeps the Machine Config Operator from restarting nodes during the change. */
  PausePools: "pausePools",
  /** Changes the type to OVN-Kubernetes; then you must restart each node by hand. */
  ChangeNetworkType: "changeNetworkType",
  /** Lets the Machine Config Operator apply the nodes' new configuration, which restarts them once more. */
  ResumePools: "resumePools",
  /** Removes the annotation that allowed the change. */
  EndMigration: "endMigration",
  /** Deletes the namespace of OpenShift SDN. */
  RemoveOldNetwork: "removeOldNetwork",
  /** Allows the network operator to change the type back. */
  RollBackBegin: "rollBackBegin",
  /** Keeps the Machine Config Operator from restarting nodes during the way back. */
  RollBackPausePools: "rollBackPausePools",
  /** Changes the type back to OpenShift SDN; then you must restart each node by hand. */
  RollBackNetworkType: "rollBackNetworkType",
  /** Lets the Machine Config Operator apply the nodes' old configuration, which restarts them once more. */
  RollBackResumePools: "rollBackResumePools",
  /** Removes the annotation that allowed the change, even of a migration that has changed nothing yet. */
  RollBackEnd: "rollBackEnd",
  /** Deletes the namespace of OVN-Kubernetes. */
  RollBackRemoveNewNetwork: "rollBackRemoveNewNetwork",
} as const;
export type MigrationPhase = (typeof MigrationPhase)[keyof typeof MigrationPhase];

/** What a phase does. */
export interface PhaseOf {
  step: MigrationStep;
  /** The type that the cluster should have in the end. */
  target: MigratedType;
  /** The type that it should no longer have. */
  old: MigratedType;
}

const { OVNKubernetes: OVN, OpenShiftSDN: SDN } = NetworkType;
const forward = (step: MigrationStep): PhaseOf => ({ step, target: OVN, old: SDN });
const back = (step: MigrationStep): PhaseOf => ({ step, target: SDN, old: OVN });

/** The phases in order: first those of the migration, then those of the way back. */
export const migrationPhases: Readonly<Record<MigrationPhase, PhaseOf>> = {
  [MigrationPhase.Begin]: forward(MigrationStep.Begin),
  [MigrationPhase.PausePools]: forward(MigrationStep.PausePools),
  [MigrationPhase.ChangeNetworkType]: forward(MigrationStep.ChangeNetworkType),
  [MigrationPhase.ResumePools]: forward(MigrationStep.ResumePools),
  [MigrationPhase.EndMigration]: forward(MigrationStep.EndMigration),
  [MigrationPhase.RemoveOldNetwork]: forward(MigrationStep.RemoveOldNetwork),
  [MigrationPhase.RollBackBegin]: back(MigrationStep.Begin),
  [MigrationPhase.RollBackPausePools]: back(MigrationStep.PausePools),
  [MigrationPhase.RollBackNetworkType]: back(MigrationStep.ChangeNetworkType),
  [MigrationPhase.RollBackResumePools]: back(MigrationStep.ResumePools),
  [MigrationPhase.RollBackEnd]: back(MigrationStep.EndMigration),
  [MigrationPhase.RollBackRemoveNewNetwork]: back(MigrationStep.RemoveOldNetwork),
};

/** Returns the phase of a step on the way to a type. */
export function phaseOf(step: MigrationStep, target: MigratedType): MigrationPhase {
  const phases = Object.entries(migrationPhases) as [MigrationPhase, PhaseOf][];
  return phases.find(([, row]) => row.step === step && row.target === target)![0];
}

/** A range of the cluster network, in the form of `Network.config.openshift.io`. */
export interface WantedNetwork {
  cidr: string;
  hostPrefix: number;
}

/** The user's inputs in addition to the phase. Absent if not stated. */
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

/** A condition that must hold before or after a phase. */
export interface Condition {
  /** The condition as a clause, for people: `every ClusterOperator is available and not degraded`. */
  words: string;
  documents: readonly DocumentReference[];
  /** The faults if it does not hold; empty if it holds. */
  faults: (moment: Moment) => Fault[];
}

/** Creates a condition, by default of the documented steps. */
export const condition = (
  words: string,
  faults: Condition["faults"],
  documents: Condition["documents"] = [migrationSources.steps, migrationSources.rollback],
): Condition => ({ words, documents, faults });

/** Limits a condition to clusters whose type the migration has changed. */
export const afterChange = ({ words, documents, faults }: Condition): Condition => ({
  words: `${words}, if the type has been changed`,
  documents,
  faults: (moment) => (moment.cluster.record ? faults(moment) : []),
});

/** Limits a condition to the time until pools run again: then machines restart, and their pods come and go. */
export const whilePaused = ({ words, documents, faults }: Condition): Condition => ({
  words: `${words}, while every MachineConfigPool is still paused`,
  documents,
  faults: (moment) => (moment.cluster.pools.every(({ paused }) => paused) ? faults(moment) : []),
});
