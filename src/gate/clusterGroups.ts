import { UNKNOWN, type Resource } from "../resources/resource";
import type { RawTopology } from "../topology/mergeTopology";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";

/** A place that says something about a hosted cluster. */
export interface ClusterSource {
  kind: "object" | "patch" | "component" | "configuration";
  /** Absent for configuration. */
  resource?: Resource;
  /** The place of a topology property in it: `spec.networking.machineNetwork[0].cidr`. */
  pathOf: (property: string) => string;
  raw: RawTopology;
}

/**
 * What speaks of one hosted cluster, together. Each object is a cluster of its own, also where two have one name: what one
 * says must not hide what the other says. Others go to the object that they name, or, where there is none, to each other.
 * Which comes first makes no difference.
 */
export function clusterGroups(sources: readonly ClusterSource[]): ClusterSource[][] {
  const byName = new Map<unknown, ClusterSource[]>();
  for (const source of sources) {
    const same = byName.get(source.raw.name);
    if (same) same.push(source);
    else byName.set(source.raw.name, [source]);
  }
  return [...byName.values()].flatMap(groupsOfName);
}

function groupsOfName(sources: readonly ClusterSource[]): ClusterSource[][] {
  const groups = sources.filter(({ kind }) => kind === "object").map((object) => [object]);
  const others = sources.filter(({ kind }) => kind !== "object");
  const sorted = [...others.filter(saysNamespace), ...others.filter((source) => !saysNamespace(source))];
  for (const source of sorted) {
    const fitting = fittingGroups(groups, source);
    for (const group of fitting) group.push(source);
    if (fitting.length === 0) groups.push([source]);
  }
  return groups;
}

/** The clusters of which a source may speak: those of its namespace, else those whose namespace is not stated. */
function fittingGroups(
  groups: readonly ClusterSource[][],
  source: ClusterSource,
): readonly ClusterSource[][] {
  const wanted = namespaceOf(source);
  if (wanted === UNKNOWN) return groups;
  const exact = groups.filter(([first]) => namespaceOf(first!) === (wanted ?? DEFAULT_NAMESPACE));
  if (exact.length > 0) return exact;
  return wanted === undefined ? groups : groups.filter(([first]) => !saysNamespace(first!));
}

const namespaceOf = ({ raw: { namespace } }: ClusterSource): string | typeof UNKNOWN | undefined =>
  typeof namespace === "string" || namespace === UNKNOWN ? namespace : undefined;

const saysNamespace = (source: ClusterSource): boolean => typeof namespaceOf(source) === "string";
