import type { ConfigurationDocument } from "../cli/configurationDocument";
import { describeFaults } from "../fault";
import { describeInputFaults, readConfigurationFile } from "../plan";
import type { Resource } from "../resources/resource";
import { JudgedResources } from "../gate/judgedResources";
import { rules } from "../rules";
import { Status, type Finding } from "../gate/rule";
import { verdictOf } from "../gate/verdict";
import type { Configuration } from "../gate/configuration";
import type { ExemptedFinding, Exemption } from "../gate/exemptions";
import { visibleLines } from "../text";
import { readConfiguration } from "../gate/readConfiguration";

/** What the rules say about some resources. */
export interface Judged {
  /** What is wrong, or hangs on a secret, at the levels of the configuration, in the order of the rules. */
  violated: Finding[];
  /** What no rule could judge, because values are not known. */
  unknown: Finding[];
  /** What exemptions took out. */
  exempted: ExemptedFinding[];
  /** Exemptions that took nothing out. */
  stale: Exemption[];
  /** The hosted clusters that resources and configuration speak of, as `namespace/name`. */
  hostedClusters: string[];
}

const ids = rules.map(({ id }) => id);

/**
 * Judges resources by the rules of the gate, as `hypershift-network check` does.
 *
 * @param resources what {@link previewOf}, `resource` and `manifest` give
 * @param configuration path of `hypershift-network.yaml`, or what stands in it. Defaults to no configuration
 * @throws Error with every fault of the configuration
 */
export function judge(
  resources: readonly Resource[],
  configuration: string | ConfigurationDocument = {},
): Judged {
  const judged = new JudgedResources(resources, read(configuration));
  const { findings, exempted, stale } = verdictOf(judged, rules);
  return {
    violated: findings.filter(({ status }) => status !== Status.Unknown),
    unknown: findings.filter(({ status }) => status === Status.Unknown),
    exempted,
    stale,
    hostedClusters: judged.clusters.map(({ key }) => key),
  };
}

function read(given: string | ConfigurationDocument): Configuration {
  if (typeof given === "string") {
    const { configuration, faults } = readConfigurationFile(given, ids);
    if (faults.length > 0) throw new Error(visibleLines(describeInputFaults(faults)));
    return configuration;
  }
  const { configuration, faults } = readConfiguration(given, "configuration", ids);
  if (faults.length > 0) throw new Error(describeFaults("configuration", faults));
  return configuration;
}
