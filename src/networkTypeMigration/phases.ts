import { migrationSources, type MigratedType } from "../requirements/migration";
import { NetworkType } from "../requirements/vocabulary";
import type { Fault } from "../fault";
import type { DocumentReference } from "../requirements/documents";
import type { MigratingCluster } from "./cluster";

export { bootOf, parseRecord, recordText, type MigrationRecord } from "./cluster";

/** A step of a change of the network type, whichever way it goes. */
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
  /** Keeps the Machine Config Operator from restarting nodes in the middle. */
  PausePools: "pausePools",
  /** Changes the type to OVN-Kubernetes; then each node has to be restarted by hand. */
  ChangeNetworkType: "changeNetworkType",
  /** Lets the Machine Config Operator write the nodes' new configuration, which restarts them once more. */
  ResumePools: "resumePools",
  /** Takes away what allowed the change. */
  EndMigration: "endMigration",
  /** Deletes the namespace of OpenShift SDN. */
  RemoveOldNetwork: "removeOldNetwork",
  /** Allows the network operator to change the type back. */
  RollBackBegin: "rollBackBegin",
  /** Keeps the Machine Config Operator from restarting nodes in the middle of the way back. */
  RollBackPausePools: "rollBackPausePools",
  /** Changes the type back to OpenShift SDN; then each node has to be restarted by hand. */
  RollBackNetworkType: "rollBackNetworkType",
  /** Lets the Machine Config Operator write the nodes' old configuration, which restarts them once more. */
  RollBackResumePools: "rollBackResumePools",
  /** Takes away what allowed the change, also of a migration that has changed nothing yet. */
  RollBackEnd: "rollBackEnd",
  /** Deletes the namespace of OVN-Kubernetes. */
  RollBackRemoveNewNetwork: "rollBackRemoveNewNetwork",
} as const;
export type MigrationPhase = (typeof MigrationPhase)[keyof typeof MigrationPhase];

/** What a phase does. */
export interface PhaseOf {
  step: MigrationStep;
  /** The type that the cluster is to have in the end. */
  target: MigratedType;
  /** The type that it is to have no more. */
  old: MigratedType;
}

const { OVNKubernetes: OVN, OpenShiftSDN: SDN } = NetworkType;
const forward = (step: MigrationStep): PhaseOf => ({ step, target: OVN, old: SDN });
const back = (step: MigrationStep): PhaseOf => ({ step, target: SDN, old: OVN });

/** The phases in their order, first those of the migration, then those of the way back. */
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

/** The phase of a step on the way to a type. */
export function phaseOf(step: MigrationStep, target: MigratedType): MigrationPhase {
  const phases = Object.entries(migrationPhases) as [MigrationPhase, PhaseOf][];
  return phases.find(([, row]) => row.step === step && row.target === target)![0];
}

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
