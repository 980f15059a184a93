import { commaSeparatedEntries, mergeCommaSeparated } from "../../objects/sharedField/commaSeparated";
import { coversEntry } from "../../topology/proxy/bypass";

/** The proxy of an OpenShift cluster. There is one, of this name. */
export const CLUSTER_PROXY = {
  apiVersion: "config.openshift.io/v1",
  kind: "Proxy",
  name: "cluster",
  path: ["spec", "noProxy"],
} as const;

/** A text of exceptions, with entries that are missing in it. */
export interface MergedNoProxy {
  noProxy: string;
  /** The entries that were missing. */
  missing: string[];
}

/** What noProxy of the management cluster has to be so that it holds these entries; nothing in it moves. */
export function mergedNoProxy(current: string | undefined, entries: readonly string[]): MergedNoProxy {
  const { value, ours } = mergeCommaSeparated(current, { wanted: entries, ours: [] }, coversEntry);
  return { noProxy: value ?? "", missing: ours };
}

/** Whether an entry of a text covers another one. */
export const isCoveredBy = (noProxy: string, entry: string): boolean =>
  commaSeparatedEntries(noProxy).some((present) => coversEntry(present, entry));
