import type { Fault } from "../fault";
import type { PlatformSupport, SupportTable } from "../requirements/egressSupport";
import { compareReleases, formatRelease } from "../requirements/release";
import { isGiven } from "./places";
import type { PropertyValue } from "../resources/resource";
import type { EgressCluster } from "./egressCluster";

/** What stands in front of a feature that not every platform has. */
export interface PlatformGate {
  /** The feature, as the subject of a sentence: `egress IP addresses`. */
  feature: string;
  support: SupportTable;
}

/** What a platform and a release say to a feature. `accepted` lets everything pass that they refuse. */
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
  const documents = `no document says that ${platform} has ${feature}`;
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
