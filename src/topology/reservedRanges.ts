import { prefixOf, readPrefix } from "../address";
import type { Prefix } from "../address";
import { containerEngineRanges, implicitRanges } from "../requirements/implicitRanges";
import type { ImplicitRange } from "../requirements/implicitRanges";
import { internalSubnetProperties, internalSubnets } from "../requirements/internalSubnets";
import type { InternalSubnetProperty } from "../requirements/internalSubnets";
import { compareReleases, releaseWithin } from "../requirements/release";
import { NetworkType } from "../requirements/vocabulary";
import { isUnknown } from "./normalizedTopology";
import type { NormalizedTopology } from "./normalizedTopology";

/** What a range is for; decides what it may overlap. */
export type RangeKind =
  | "machineNetwork"
  | "clusterNetwork"
  | "serviceNetwork"
  | InternalSubnetProperty
  | "advertiseAddress"
  | "infrastructure"
  | "implicit";

/** An address range that a hosted cluster takes or that lies around it. */
export interface ReservedRange {
  /** What it is, as the subject of a sentence: `the machine network`, `OVN's default join subnet`, `infrastructure network corporate`. */
  name: string;
  kind: RangeKind;
  prefix: Prefix;
  /** The topology property that says it, `machineNetwork[0].cidr`; for a default range the one that would replace it. */
  path?: string;
  /** True where it is a default: the user did not write it. */
  implicit: boolean;
  /** The row of a range that clusters take by default. */
  row?: ImplicitRange;
}

/** Every range of a hosted cluster, explicit and implicit, and the networks around it. */
export function reservedRanges(topology: NormalizedTopology): ReservedRange[] {
  return [...explicitRanges(topology), ...implicitRangesOf(topology)];
}

function explicitRanges(topology: NormalizedTopology): ReservedRange[] {
  const network = (kind: RangeKind, name: string, prefixes: readonly Prefix[]): ReservedRange[] => {
    const implicit = topology.defaulted.includes(kind);
    return prefixes.map((prefix, position) => ({
      name: implicit ? `the default ${name}` : `the ${name}`,
      kind,
      prefix,
      path: implicit ? kind : `${kind}[${position}].cidr`,
      implicit,
    }));
  };
  return [
    ...network("machineNetwork", "machine network", topology.machineNetwork),
    ...network(
      "clusterNetwork",
      "cluster network",
      topology.clusterNetwork.map(({ prefix }) => prefix),
    ),
    ...network("serviceNetwork", "service network", topology.serviceNetwork),
    ...internalSubnetProperties.flatMap((kind) => internalRange(topology, kind)),
    ...advertisedAddress(topology),
    ...topology.infrastructureCidrs.map(({ name, prefix }, position) => ({
      name: `infrastructure network ${name}`,
      kind: "infrastructure" as const,
      prefix,
      path: `infrastructureCidrs[${position}].cidr`,
      implicit: false,
    })),
  ];
}

function internalRange(topology: NormalizedTopology, kind: InternalSubnetProperty): ReservedRange[] {
  const prefix = topology[kind];
  return prefix ? [{ name: internalSubnets[kind].name, kind, prefix, path: kind, implicit: false }] : [];
}

function advertisedAddress({ advertiseAddress }: NormalizedTopology): ReservedRange[] {
  if (!advertiseAddress) return [];
  const name = "the address at which nodes reach the API server";
  const prefix = prefixOf(advertiseAddress);
  return [{ name, kind: "advertiseAddress", prefix, path: "advertiseAddress", implicit: false }];
}

/** The ranges that the cluster takes although the user did not write them. */
const implicitRangesOf = (topology: NormalizedTopology): ReservedRange[] =>
  rowsFor(topology, implicitRanges)
    .filter((row) => !row.releases || !topology.release || releaseWithin(topology.release, row.releases))
    .map(ofRow);

/** The ranges that the cluster will take with an upgrade, and does not take today. */
export const upcomingRanges = (topology: NormalizedTopology): ReservedRange[] =>
  rowsFor(topology, implicitRanges)
    .filter(
      ({ releases, newClustersOnly }) =>
        topology.release &&
        releases?.from &&
        !newClustersOnly &&
        compareReleases(topology.release, releases.from) < 0,
    )
    .map(ofRow);

/** The ranges that machines with a container engine take, beside the cluster. */
export const containerEngines = (topology: NormalizedTopology): ReservedRange[] =>
  rowsFor(topology, containerEngineRanges).map(ofRow);

function rowsFor(topology: NormalizedTopology, rows: readonly ImplicitRange[]): ImplicitRange[] {
  const families = new Set(topology.clusterNetwork.map(({ prefix }) => prefix.family));
  if (families.size === 0) families.add(4); // A cluster network that is not known yet is most likely IPv4.
  return rows
    .filter((row) => families.has(row.family) && row.platforms.includes(topology.platform))
    .filter((row) => !row.ovnOnly || topology.networkType === NetworkType.OVNKubernetes)
    .filter((row) => !isReplaced(topology, row));
}

const ofRow = (row: ImplicitRange): ReservedRange => ({
  name: row.name,
  kind: "implicit",
  prefix: readPrefix(row.cidr)!,
  ...(row.replacedBy && { path: row.replacedBy[0] }),
  implicit: true,
  row,
});

function isReplaced(topology: NormalizedTopology, { replacedBy = [], family }: ImplicitRange): boolean {
  return replacedBy.some((property) => {
    switch (property) {
      case "clusterNetwork":
      case "serviceNetwork":
        return true; // They stand among the explicit ranges, as the default that holds.
      case "advertiseAddress":
        return topology.advertiseAddress?.family === family || isUnknown(topology, property);
      default:
        return topology[property] !== undefined || isUnknown(topology, property);
    }
  });
}
