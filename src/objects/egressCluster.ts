import type { Fault } from "../fault";
import { infrastructureOf, mayRunOn } from "../requirements/platforms";
import {
  compareReleases,
  formatRelease,
  parseRelease,
  type Release,
  type Since,
} from "../requirements/release";
import { InfrastructurePlatform, NetworkType } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { normalizeTopology } from "../topology/normalizeTopology";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven, type Place } from "../resources/read";
import { shownText } from "./places";
import { inputFaults, word } from "./shape";
import type { PlatformSupport, SupportTable } from "../requirements/egressSupport";

/** The known inputs that describe the cluster of an egress object. */
export interface ClusterInputs {
  topology?: PropertyValue | undefined;
  platform?: PropertyValue | undefined;
  release?: PropertyValue | undefined;
}

/** The cluster of an egress object, to the extent that it is described. */
export interface EgressCluster {
  /** Whatever could be read, even if it has faults; undefined if no topology was given, or if its name or platform is missing. */
  topology?: NormalizedTopology;
  /** Platform of the nodes; undefined if no input states it. */
  platform?: InfrastructurePlatform;
  /** Undefined if no input states it. */
  release?: Release;
  faults: Fault[];
}

/** The result of judging the inputs of an object in a cluster. */
export interface EgressJudgement {
  cluster: EgressCluster;
  faults: Fault[];
  warnings: Fault[];
}

/** Reads the cluster from the topology of a hosted cluster, and from the platform and release inputs. */
export function egressCluster({ topology: raw, platform, release }: ClusterInputs): EgressCluster {
  // A fault elsewhere in the topology must not hide platform and network.
  const { readable: topology, faults } = isGiven(raw) ? normalizeTopology(raw) : { faults: [] };
  const stated = Object.values(InfrastructurePlatform).find((word) => word === platform);
  const known = parseRelease(release) ?? topology?.release;
  const infrastructure = stated ?? (topology && infrastructureOf(topology.platform));
  return {
    ...(topology && { topology }),
    ...(infrastructure && { platform: infrastructure }),
    ...(known && { release: known }),
    faults: [
      ...faults,
      ...(topology ? networkTypeFaults(topology) : []),
      ...inputFaults({ platform: word(Object.values(InfrastructurePlatform)) }, { platform }),
      ...(stated && topology ? otherPlatformFaults(stated, topology) : []),
      ...releaseFaults({ path: "release", value: release }, topology?.release),
    ],
  };
}

/** The fault of something that a known release does not support yet. */
export function tooOldFaults(
  path: string,
  what: string,
  since: Since,
  release: Release | undefined,
): Fault[] {
  if (!isOlder(release, since)) return [];
  const problem = `${what} with release ${formatRelease(since.release)} or newer, and this is ${formatRelease(release!)}`;
  return [{ path, problem, remedy: "leave it out, or correct the release" }];
}

/** Whether a release is known to be older than the first one that supports something. */
export const isOlder = (release: Release | undefined, since: Since): boolean =>
  release !== undefined && compareReleases(release, since.release) < 0;

function networkTypeFaults(topology: NormalizedTopology): Fault[] {
  const problem = otherNetworkProblem(topology);
  if (problem === undefined) return [];
  return [{ path: "topology.networkType", problem, remedy: `write ${NetworkType.OVNKubernetes}` }];
}

/** Why a cluster's network type has no such objects; undefined if it has them, or if the network type is unknown. */
export function otherNetworkProblem(topology: NormalizedTopology | undefined): string | undefined {
  if (!topology || isUnknown(topology, "networkType")) return undefined;
  const { networkType } = topology;
  if (networkType === NetworkType.OVNKubernetes) return undefined;
  return `${networkType} is not OVN-Kubernetes, and only OVN-Kubernetes supports this object`;
}

function otherPlatformFaults(stated: InfrastructurePlatform, { platform }: NormalizedTopology): Fault[] {
  if (mayRunOn(platform, stated)) return [];
  const problem = `${stated} differs from ${platform} of the topology`;
  return [{ path: "platform", problem, remedy: "leave it out, or correct topology.platform" }];
}

function releaseFaults({ path, value }: Place, other: Release | undefined): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const release = parseRelease(value);
  if (!release) {
    const remedy = 'write it as "4.20", in quotes';
    return [{ path, problem: `${shownText(value)} is not an OpenShift release`, remedy }];
  }
  if (!other || compareReleases(release, other) === 0) return [];
  const problem = `${formatRelease(release)} differs from ${formatRelease(other)} of the topology`;
  return [{ path, problem, remedy: "write it in one place" }];
}

/** A feature that not every platform supports. */
export interface PlatformGate {
  /** The feature, as the subject of a sentence: `egress IP addresses`. */
  feature: string;
  support: SupportTable;
}

/** Faults and warnings of a feature on the cluster's platform and release. `accepted` accepts whatever they refuse. */
export function platformFindings(
  { feature, support }: PlatformGate,
  cluster: EgressCluster,
  stated: { platform?: PropertyValue | undefined; accepted?: PropertyValue | undefined },
): { faults: Fault[]; warnings: Fault[] } {
  const { platform, release } = cluster;
  if (!platform) return { faults: [], warnings: [] };
  const row = support[platform];
  const path = isGiven(stated.platform) ? "platform" : "topology.platform";
  const problem = refusal(row, cluster);
  const accept = "accept it with acceptUnsupportedPlatform: true";
  if (problem && stated.accepted !== true) {
    const newer = row.works === "yes" ? `use release ${formatRelease(row.since!)} or newer, or ` : "";
    return {
      faults: [{ path, problem: `${platform} ${problem} ${feature}: ${row.reason}`, remedy: newer + accept }],
      warnings: [],
    };
  }
  const warnings: Fault[] = [];
  const documents = `no document states that ${platform} supports ${feature}`;
  if (row.works === "unstated")
    warnings.push({ path, problem: documents, remedy: "try it before you rely on it" });
  if (row.since && !release)
    warnings.push({
      path,
      problem: `${platform} has ${feature} from release ${formatRelease(row.since)} on`,
      remedy: "write the release, so that it can be checked",
    });
  return { faults: [], warnings };
}

function refusal({ works, since }: PlatformSupport, { release }: EgressCluster): string | undefined {
  if (works === "no") return "has no";
  const tooOld = since && release && compareReleases(release, since) < 0;
  return tooOld ? `with release ${formatRelease(release)} has no` : undefined;
}
