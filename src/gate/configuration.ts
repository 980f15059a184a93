import type { RawTopology } from "../topology/topologyOfHostedCluster";
import type { ConfiguredGroups } from "../resources/groupRoles";
import type { Fault } from "../fault";
import { closest } from "../topology/normalize/values";

/** One hosted cluster of a configuration file. */
export interface ConfiguredCluster {
  /** Path of the entry: `hostedClusters[0]`. */
  path: string;
  topology: RawTopology;
  /** The management cluster, if the input has several hosted clusters of that name. */
  managementCluster?: string;
  /** The security groups of each role. */
  securityGroups: ConfiguredGroups["groups"];
}

/** How strictly a rule is enforced. */
export type Enforcement = "mandatory" | "advisory" | "disabled";

/** A finding that the user accepts, and why. */
export interface Exemption {
  /** Path in the configuration: `exemptions[0]`. */
  path: string;
  /** Id of the rule. */
  rule: string;
  /** The resource: URN, name, `Kind/name`, `Kind/namespace/name`, EC2 id or file. `*` stands for any text. */
  resource: string;
  /** Why the finding is accepted. Shown with the finding. */
  reason: string;
}

/** The content of a configuration file: `hypershift-network.yaml`. */
export interface Configuration {
  /** The file, for findings. Absent if there is no file. */
  file?: string;
  /** The line of a property in the file. */
  lineOf?: (path: string) => number | undefined;
  clusters: readonly ConfiguredCluster[];
  /** Levels by rule id; `all` applies to rules that are not named. */
  levels: Readonly<Record<string, Enforcement>>;
  /** Accepted findings. */
  exemptions?: readonly Exemption[];
}

/** The place of a property in a configuration: `hypershift-network.yaml:3`. */
export function placeInConfiguration({ file, lineOf }: Configuration, path: string): string {
  const line = lineOf?.(path);
  return line === undefined ? `${path} of ${file ?? "the configuration"}` : `${file}:${line}`;
}

export const NO_CONFIGURATION: Configuration = { clusters: [], levels: {} };

/** Fault for an unknown rule id. Ignoring it silently would let the author rely on a check that does not run. */
export function noSuchRule(rule: string, known: readonly string[], path = `rules.${rule}`): Fault {
  const meant = closest(rule, known);
  return {
    path,
    problem: "no such rule",
    remedy: meant ? `did you mean ${meant}?` : `the rules are ${known.join(", ")}`,
  };
}

/** Fault for an unknown key. */
export function noSuchKey(path: string, key: string, keys: readonly string[]): Fault {
  const meant = closest(key, keys);
  return {
    path,
    problem: "no such property",
    remedy: meant ? `did you mean ${meant}?` : `the properties are ${keys.join(", ")}`,
  };
}
