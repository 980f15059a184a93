import { requiredFlowRows, type RequiredFlowRow } from "../components/requiredFlowRows";
import { describeInputFault, readConfigurationFile, readInputs } from "../plan";
import { plural } from "../report";
import { hostedClusters, NO_CONFIGURATION, rules, type JudgedCluster } from "../rules";
import type { Loaded } from "./commands";
import { flowsMarkdown, flowsText } from "./flowTables";
import { CLEAN, UNUSABLE } from "./terminal";

/** The flows of one hosted cluster. */
export interface ClusterFlows {
  /** `namespace/name` */
  cluster: string;
  flows: RequiredFlowRow[];
}

/** `hypershift-network flows [PATH...]` */
export const flowsCommand: Loaded = async (paths, { config, cluster, format }, terminal) => {
  const unusable = (...lines: string[]) => {
    terminal.error(lines.map((line) => `${line}\n`).join(""));
    return UNUSABLE;
  };
  if (config === undefined && paths.length === 0)
    return unusable(
      "hypershift-network flows: name a configuration with --config, or files with HostedClusters",
    );
  const configured =
    config === undefined
      ? { configuration: NO_CONFIGURATION, faults: [] }
      : readConfigurationFile(
          config,
          rules.map(({ id }) => id),
        );
  const inputs = await readInputs(paths, { stdin: terminal.stdin });
  const faults = [...configured.faults, ...inputs.faults];
  if (faults.length > 0) return unusable(...faults.map(describeInputFault));
  const all = hostedClusters(inputs.resources, configured.configuration);
  const named = all.filter(({ key, name }) => cluster === undefined || key === cluster || name === cluster);
  if (named.length === 0) return unusable(noCluster(cluster, all));
  const vague = named.filter(({ topology, partial }) => !topology || partial);
  if (vague.length > 0)
    return unusable(
      ...vague.map(({ key }) => `${key}: nothing says its platform; write platform: into the configuration`),
    );
  const tables = named.map(({ key, topology }): ClusterFlows => ({
    cluster: key,
    flows: requiredFlowRows(topology!),
  }));
  terminal.out(WRITERS[format ?? "text"]!(tables));
  return CLEAN;
};

const noCluster = (asked: string | undefined, all: readonly JudgedCluster[]): string =>
  asked === undefined
    ? "hypershift-network flows: no hosted cluster in the configuration or the files"
    : `hypershift-network flows: no hosted cluster ${asked}; there ${all.length === 1 ? "is" : "are"} ${plural(all.length, "hosted cluster")}${all.length > 0 ? `: ${all.map(({ key }) => key).join(", ")}` : ""}`;

const WRITERS: Readonly<Record<string, (tables: ClusterFlows[]) => string>> = {
  text: flowsText,
  markdown: flowsMarkdown,
  json: (tables) => `${JSON.stringify({ version: 1, hostedClusters: tables }, undefined, 2)}\n`,
};
