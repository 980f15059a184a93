import { type RequiredFlowRow, requiredFlowRows } from "../components/requiredFlowRows";
import { jsonDocument, paragraphs } from "../text";
import { hasConfiguration } from "./chosenConfiguration";
import type { Loaded } from "./commands";
import { configurationOf, orUnusable, planOf, Unusable, wholeClusters } from "./plans";
import { CLEAN, textOfLines } from "./terminal";
import { alignedRows } from "../report/text";
import { plain, plainTable } from "../report/markdown";
import { grouped } from "../collections";

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

/** The flows of one hosted cluster. */
export interface ClusterFlows {
  /** `namespace/name` */
  cluster: string;
  flows: RequiredFlowRow[];
}

const HEAD = ["direction", "port", "peers", "flow", "document"];

/** The flows of clusters as aligned columns. */
function flowsText(tables: readonly ClusterFlows[]): string {
  const parts = groups(tables).flatMap(({ title, rows, notes }) => [
    [title],
    alignedRows([HEAD, ...rows]),
    ...notes.map((note) => [note]),
  ]);
  return textOfLines(paragraphs(parts));
}

/** The flows of clusters as Markdown tables. */
function flowsMarkdown(tables: readonly ClusterFlows[]): string {
  const parts = groups(tables).flatMap(({ title, rows, notes }) => [
    `### ${plain(title)}`,
    plainTable(HEAD, rows),
    ...notes.map(plain),
  ]);
  return `${parts.join("\n\n")}\n`;
}

/** One table for each group of hosts. */
const groups = (tables: readonly ClusterFlows[]) =>
  tables.flatMap(({ cluster, flows }) =>
    [...grouped(flows, ({ role }) => role)].map(([role, rows]) => ({
      title: `${cluster}: ${role}`,
      rows: rows.map(cells),
      notes: notesOf(rows),
    })),
  );

function cells({
  direction,
  protocol,
  ports,
  peers,
  undeclared,
  key,
  documents,
  hostPort,
  bootstrapOnly,
  whereUsed,
}: RequiredFlowRow) {
  const marks = [
    ...(hostPort ? [] : ["pods only"]),
    ...(bootstrapOnly ? ["while nodes join"] : []),
    ...(whereUsed ? ["where used"] : []),
  ];
  const name = key.slice(key.lastIndexOf("/") + 1);
  return [
    direction,
    ports === "all" ? protocol : `${ports}/${protocol}`,
    peerText(peers, undeclared) || (hostPort ? "the same hosts" : "pods"),
    marks.length > 0 ? `${name} (${marks.join(", ")})` : name,
    documents[0] ?? "",
  ];
}

/** The known blocks, and the properties that would add more. */
function peerText(peers: readonly string[], undeclared: readonly string[]): string {
  const missing = undeclared.length > 0 ? [`? ${undeclared.join(" ")}`] : [];
  return [...peers, ...missing].join(" ");
}

/** Lists what the topology would have to state for the table to be complete. */
function notesOf(rows: readonly RequiredFlowRow[]): string[] {
  const missing = [...new Set(rows.flatMap(({ undeclared }) => undeclared))];
  return missing.length === 0 ? [] : [`Not in the topology, and assumed or left out: ${missing.join(", ")}`];
}
