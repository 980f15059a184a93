import { kubernetesObjects, manifestResource } from "../plan/manifests";
import type { PropertyValue, Resource } from "../resources/resource";
import type { ConfigurationDocument } from "../cli/configurationCommands";
import { describeFaults } from "../fault";
import { JudgedResources } from "../gate/judgedResources";
import { rules } from "../rules";
import { type Finding, Status } from "../gate/rule";
import { type ExemptedFinding, type Exemption, verdictOf } from "../gate/verdict";
import { readConfiguration } from "../gate/readConfiguration";
import { visibleLines } from "../text";
import { describeInputFaults } from "../plan/inputs";
import { readConfigurationFile } from "../plan/configurationFile";
import type { Configuration } from "../gate/configuration";

/**
 * A resource of a stack, as a preview shows it.
 *
 * @param type Pulumi type token: `aws:ec2/securityGroup:SecurityGroup`
 * @param name its name in the program
 * @param properties its properties; `UNKNOWN` stands for what the preview does not know, at any depth
 * @param from for properties that are made from other resources those resources: rules join by them, because ids are not
 *   known before the first update
 */
export function resource(
  type: string,
  name: string,
  properties: Readonly<Record<string, PropertyValue>>,
  from: Readonly<Record<string, Resource | readonly Resource[]>> = {},
): Resource {
  const sources = Object.entries(from).map(([property, given]) => [property, urnsOf(given)] as const);
  return {
    origin: { urn: `urn:pulumi:stack::project::${type}::${name}` },
    type,
    name,
    properties,
    propertyDependencies: Object.fromEntries(sources),
  };
}

const urnsOf = (given: Resource | readonly Resource[]): string[] =>
  (Array.isArray(given) ? (given as readonly Resource[]) : [given as Resource]).flatMap(
    ({ origin: { urn } }) => urn ?? [],
  );

/**
 * An object of Kubernetes, as a manifest has it. `UNKNOWN` stands for what is not known, at any depth.
 *
 * @throws Error where `apiVersion` or `kind` is missing
 */
export function manifest(object: Readonly<Record<string, PropertyValue>>): Resource {
  const [found] = kubernetesObjects(object);
  if (!found) throw new Error("manifest: apiVersion or kind is missing: write both");
  return manifestResource(found, { file: "manifest" });
}

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
