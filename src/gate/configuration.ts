import type { RawTopology } from "../topology/topologyOfHostedCluster";
import type { ConfiguredGroups } from "../resources/groupRoles";
import type { Fault } from "../fault";
import { closest } from "../topology/normalize/values";

/** One hosted cluster of a configuration file. */
export interface ConfiguredCluster {
  /** Where it stands: `hostedClusters[0]`. */
  path: string;
  topology: RawTopology;
  /** The management cluster, where the input has several clusters of that name. */
  managementCluster?: string;
  /** Which security groups have which role. */
  securityGroups: ConfiguredGroups["groups"];
}

/** How strictly a rule is enforced. */
export type Enforcement = "mandatory" | "advisory" | "disabled";

/** A finding that the user accepts, and why. */
export interface Exemption {
  /** Where it stands in the configuration: `exemptions[0]`. */
  path: string;
  /** Id of the rule. */
  rule: string;
  /** The resource: URN, name, `Kind/name`, `Kind/namespace/name`, id of EC2 or file, in which `*` stands for any text. */
  resource: string;
  /** Why the finding is accepted. Shown with it. */
  reason: string;
}

/** What a configuration file says: `hypershift-network.yaml`. */
export interface Configuration {
  /** The file, for findings. Absent: there is none. */
  file?: string;
  /** The line of a property in it. */
  lineOf?: (path: string) => number | undefined;
  clusters: readonly ConfiguredCluster[];
  /** Levels by rule id, and `all` for those that are not named. */
  levels: Readonly<Record<string, Enforcement>>;
  /** Findings that are accepted. */
  exemptions?: readonly Exemption[];
}

/** Where a property stands in a configuration: `hypershift-network.yaml:3`. */
export function placeInConfiguration({ file, lineOf }: Configuration, path: string): string {
  const line = lineOf?.(path);
  return line === undefined ? `${path} of ${file ?? "the configuration"}` : `${file}:${line}`;
}

export const NO_CONFIGURATION: Configuration = { clusters: [], levels: {} };

/** A rule that does not exist would be ignored in silence, and its author believe in a gate that is not there. */
export function noSuchRule(rule: string, known: readonly string[], path = `rules.${rule}`): Fault {
  const meant = closest(rule, known);
  return {
    path,
    problem: "no such rule",
    remedy: meant ? `did you mean ${meant}?` : `the rules are ${known.join(", ")}`,
  };
}

/** A key that does not exist. */
export function noSuchKey(path: string, key: string, keys: readonly string[]): Fault {
  const meant = closest(key, keys);
  return {
    path,
    problem: "no such property",
    remedy: meant ? `did you mean ${meant}?` : `the properties are ${keys.join(", ")}`,
  };
}
