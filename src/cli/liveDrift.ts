import { driftOf, type Drift } from "../resources/drift";
import { readText } from "../resources/read";
import type { Resource } from "../resources/resource";
import { isEgressFirewall, isNetworkPolicy } from "../resources/resourceTypes";
import type { JudgedCluster } from "../gate/clusters";
import type { LiveSides } from "./liveSides";
import type { Plan } from "./plans";

/** What is not as planned in the cluster that was read: of every hosted cluster, or of those that are asked for. */
export function liveDrift(
  { plan, live }: Pick<LiveSides, "plan" | "live">,
  liveKinds: Plan["liveKinds"],
  isAsked: (cluster: JudgedCluster) => boolean,
): Drift {
  const others = [...plan.clusters, ...live.clusters].filter((cluster) => !isAsked(cluster));
  const saying = new Set(others.flatMap(({ sources }) => sources.flatMap(({ resource }) => resource ?? [])));
  const controlPlanes = new Set(others.flatMap(({ topology }) => topology?.controlPlaneNamespace ?? []));
  const isOfOther = (resource: Resource): boolean =>
    saying.has(resource) || controlPlanes.has(controlPlaneOf(resource));
  return driftOf(plan.resources, live.resources, {
    kinds: liveKinds,
    isAsked: (resource) => !isOfOther(resource),
  });
}

/** The namespace of what may stand in one of a control plane. */
function controlPlaneOf(resource: Resource): string {
  if (!isEgressFirewall(resource.type) && !isNetworkPolicy(resource.type)) return "";
  return String(readText(resource.properties, "metadata.namespace") ?? "");
}
