import type { RawTopology } from "../topology/rawTopology";
import type { ConfiguredGroups } from "../resources/groupRoles";
import type { Exemption } from "./exemptions";

/** One hosted cluster of a configuration file. */
export interface ConfiguredCluster {
  /** Where it stands: `hostedClusters[0]`. */
  path: string;
  topology: RawTopology;
  /** Which security groups have which role. */
  securityGroups: ConfiguredGroups["groups"];
}

/** How strictly a rule is enforced. */
export type Enforcement = "mandatory" | "advisory" | "disabled";

/** What a configuration file says: `hypershift-network.yaml`. */
export interface Configuration {
  /** The file, for findings. Absent: there is none. */
  file?: string;
  clusters: readonly ConfiguredCluster[];
  /** Levels by rule id, and `all` for those that are not named. */
  levels: Readonly<Record<string, Enforcement>>;
  /** Findings that are accepted. */
  exemptions?: readonly Exemption[];
}

export const NO_CONFIGURATION: Configuration = { clusters: [], levels: {} };
