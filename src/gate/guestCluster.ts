import type { ClusterInputs } from "../objects/egressCluster";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import type { JudgedCluster } from "./clusters";
import type { JudgedResources } from "./judgedResources";

/**
 * The hosted cluster in which an object of a stack stands: the only one that the stack or the configuration speaks of. No
 * object says it, and of several nobody knows which.
 */
export function guestCluster({ clusters }: JudgedResources): JudgedCluster | undefined {
  const [only, ...others] = clusters;
  return only && !only.partial && others.length === 0 ? only : undefined;
}

/** The same as inputs of the components for objects of hosted clusters. */
export function guestInputs(judged: JudgedResources): ClusterInputs {
  const cluster = guestCluster(judged);
  if (!cluster?.topology) return {};
  // A name that the API server refuses is a finding of its own, and keeps nothing else from being judged.
  const isNameRefused = cluster.faults.some(({ path }) => /^topology\.name(space)?$/.test(path));
  return {
    topology: { ...cluster.raw, ...(isNameRefused && { name: "unknown", namespace: DEFAULT_NAMESPACE }) },
  };
}
