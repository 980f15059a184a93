import { requiredFlowRows } from "../components/requiredFlowRows";
import { jsonDocument } from "../text";
import { hasConfiguration } from "./chosenConfiguration";
import type { Loaded } from "./commands";
import { flowsMarkdown, flowsText, type ClusterFlows } from "./flowTables";
import { configurationOf, orUnusable, planOf, Unusable, wholeClusters } from "./plans";
import { CLEAN } from "./terminal";

/** `hypershift-network flows [PATH...]` */
export const flowsCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { cluster, format } = options;
    if (paths.length === 0 && !hasConfiguration(options))
      throw new Unusable([
        "hypershift-network flows: name a configuration with --config, or files with HostedClusters",
      ]);
    const plan = await planOf(paths, configurationOf(options, paths, terminal), terminal);
    const tables = wholeClusters(plan, cluster).map(({ key, topology }): ClusterFlows => ({
      cluster: key,
      flows: requiredFlowRows(topology),
    }));
    terminal.out(WRITERS[format ?? "text"]!(tables));
    return CLEAN;
  });

const WRITERS: Readonly<Record<string, (tables: ClusterFlows[]) => string>> = {
  text: flowsText,
  markdown: flowsMarkdown,
  json: (tables) => jsonDocument({ version: 1, hostedClusters: tables }),
};
