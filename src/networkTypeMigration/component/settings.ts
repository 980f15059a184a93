import type { MigrationPhase, MigrationWishes } from "../phases";

/** A phase of a migration, and what is said beside it. Plain JSON: this is what the engine keeps. */
export interface PhaseSettings extends MigrationWishes {
  phase: MigrationPhase;
  /** How long the phase waits for what it brings about. */
  timeoutSeconds: number;
  /** Under which name the server notes who wrote. */
  fieldManager: string;
  /** The content of a kubeconfig; without it the cluster is that of the stack's configuration and the environment. */
  kubeconfig?: string;
  /** The context in it. */
  context?: string;
}

/** Something of OpenShift SDN that the user has to write anew. */
export interface TranslationState {
  object: string;
  what: string;
  instead: string;
}

/** What a phase came to. */
export interface PhaseResult {
  /** What was written, in its order; nothing where it had been carried out. */
  written: string[];
  translations: TranslationState[];
}

/** The phase as it was carried out. */
export interface PhaseState extends PhaseSettings, PhaseResult {}

/** The properties that say what the phase does: with the others it is the same. */
export const WORK = [
  "phase",
  "backupsTaken",
  "translationsPrepared",
  "smallestNodeMtu",
  "genevePort",
  "vxlanPort",
  "clusterNetwork",
] as const satisfies readonly (keyof PhaseSettings)[];
