import { NetworkType } from "../requirements/vocabulary";
import type { MigratedType } from "../requirements/migration";

/** What was noted in the write that changed the type. */
export interface MigrationRecord {
  target: MigratedType;
  /** The generation of Multus before: a newer one rolls out because of the change. */
  multusGeneration: number;
  /** The beginnings of the ids of the boots before: nodes of another boot have been restarted. */
  boots: string[];
}

/** So much of a boot's id that no two of a cluster are the same, and that thousands of them fit into an annotation. */
const LENGTH = 12;

export const bootOf = (id: string): string => id.replaceAll("-", "").slice(0, LENGTH);

export const recordText = (record: MigrationRecord): string => JSON.stringify(record);

/** The record that a text holds; undefined where it holds none. */
export function parseRecord(text: unknown): MigrationRecord | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { target, multusGeneration, boots } = JSON.parse(text) as Partial<MigrationRecord>;
    const known = target === NetworkType.OVNKubernetes || target === NetworkType.OpenShiftSDN;
    if (!known || typeof multusGeneration !== "number" || !Array.isArray(boots)) return undefined;
    return { target, multusGeneration, boots: boots.map(String) };
  } catch {
    return undefined;
  }
}
