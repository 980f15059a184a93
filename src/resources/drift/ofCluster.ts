import type { Resource } from "../resource";
import { isHostedCluster } from "../resourceTypes";

/** The objects of a plan that are in the cluster which was read, and those of which nobody can say it. */
export interface OfCluster {
  here: Resource[];
  unclear: Resource[];
}

/**
 * A management cluster and its hosted clusters have objects of the same names, such as `Proxy cluster`. Those of a plan with
 * HostedClusters are told apart by their providers when a hosted cluster is read: the provider of a HostedCluster leads to
 * the management cluster. Of a management cluster nothing is read that could be meant for a hosted one.
 */
export function ofCluster(
  objects: readonly Resource[],
  plan: readonly Resource[],
  live: readonly Resource[],
): OfCluster {
  const isOfManagement = ({ type }: Resource): boolean => isHostedCluster(type);
  const managing = new Set(plan.filter(isOfManagement).map(({ provider }) => provider));
  if (managing.size === 0 || live.some(isOfManagement)) return { here: [...objects], unclear: [] };
  const found: OfCluster = { here: [], unclear: [] };
  for (const object of objects)
    if (isOfManagement(object)) found.here.push(object);
    else if (object.provider === undefined || managing.has(undefined)) found.unclear.push(object);
    else if (!managing.has(object.provider)) found.here.push(object);
  return found;
}
