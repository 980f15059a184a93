import { isGiven } from "../resources/places";
import { UNKNOWN } from "../resources/resource";
import { isHostedCluster, OUR_COMPONENTS } from "../resources/resourceTypes";
import { isUnknown } from "../topology/normalizedTopology";
import type { JudgedCluster } from "./clusters";
import type { JudgedResources } from "./judgedResources";
import { unknown, violated, type Judgement } from "./rule";

/**
 * What reading the HostedClusters of a plan brought up under the id of a rule. Components refuse their own faults, and
 * configuration is judged as such; of a cluster that is only patched too little is known.
 *
 * @param deciding properties of the topology whose unknown values are counted
 */
export function clusterFaults(
  { clusters }: JudgedResources,
  rule: string,
  deciding: readonly string[],
): Judgement[] {
  return clusters
    .filter(({ partial, sources }) => !partial && sources.some(({ kind }) => kind === "object"))
    .flatMap((cluster) => [...violations(cluster, rule), ...unknownValues(cluster, deciding)]);
}

/**
 * What cannot be read of topologies that components registered. They refuse wrong ones themselves, so this is a state that somebody
 * changed, or the topology of another version of this package.
 */
export const unreadableTopologies = ({ clusters }: JudgedResources): Judgement[] =>
  clusters.flatMap((cluster) => [
    ...cluster.faults.flatMap(({ path, problem }) => {
      const { holder, path: place } = cluster.locate(path.replace(/^topology\./, ""));
      return holder?.type.startsWith(OUR_COMPONENTS)
        ? [unknown({ resource: holder, path: place, reason: `cannot be read: ${problem}` })]
        : [];
    }),
    ...cluster.sources.flatMap(({ kind, resource, raw, pathOf }) =>
      kind === "component" && resource
        ? NAMES.filter((property) => isNoText(raw[property])).map((property) =>
            unknown({ resource, path: pathOf(property), reason: "cannot be read: it is no text" }),
          )
        : [],
    ),
  ]);

const NAMES = ["name", "namespace"] as const;
const isNoText = (value: unknown): boolean =>
  isGiven(value) && value !== UNKNOWN && typeof value !== "string";

function violations(cluster: JudgedCluster, rule: string): Judgement[] {
  return cluster.faults
    .filter((fault) => fault.rule === rule)
    .flatMap(({ path, problem, remedy }) => {
      const property = path.replace(/^topology\./, "");
      const { resource, holder, path: place } = cluster.locate(property);
      if (!holder || !isHostedCluster(holder.type)) return [];
      return [violated({ resource, path: place, message: `${property}: ${problem}`, fix: remedy })];
    });
}

function unknownValues(cluster: JudgedCluster, deciding: readonly string[]): Judgement[] {
  const { topology } = cluster;
  if (!topology) return [];
  return deciding.flatMap((property) => {
    const { holder, path } = cluster.locate(property);
    return holder && isUnknown(topology, property) ? [unknown({ resource: holder, path })] : [];
  });
}
