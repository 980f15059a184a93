import type { RequiredFlowRow } from "../components/requiredFlowRows";
import { grouped } from "../report";
import type { ClusterFlows } from "./flowsCommand";

const HEAD = ["direction", "port", "peers", "flow", "document"];

/** The flows of clusters as aligned columns, one table for each group of hosts. */
export function flowsText(tables: readonly ClusterFlows[]): string {
  return `${sections(tables, (title) => title, aligned).join("\n\n")}\n`;
}

/** The same as tables of Markdown. */
export function flowsMarkdown(tables: readonly ClusterFlows[]): string {
  return `${sections(tables, (title) => `### ${title}`, piped).join("\n\n")}\n`;
}

function sections(
  tables: readonly ClusterFlows[],
  heading: (title: string) => string,
  table: (rows: string[][]) => string,
): string[] {
  return tables.flatMap(({ cluster, flows }) =>
    [...grouped(flows, ({ role }) => role)].flatMap(([role, rows]) => [
      heading(`${cluster}: ${role}`),
      table([HEAD, ...rows.map(cells)]),
      ...notesOf(rows),
    ]),
  );
}

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
}: RequiredFlowRow) {
  const marks = [...(hostPort ? [] : ["pods only"]), ...(bootstrapOnly ? ["while nodes join"] : [])];
  const name = key.slice(key.lastIndexOf("/") + 1);
  return [
    direction,
    ports === "all" ? protocol : `${ports}/${protocol}`,
    peers.length > 0
      ? peers.join(" ")
      : undeclared.length > 0
        ? `? ${undeclared.join(" ")}`
        : "the same hosts",
    marks.length > 0 ? `${name} (${marks.join(", ")})` : name,
    documents[0] ?? "",
  ];
}

/** What the topology would have to say for the table to be whole. */
function notesOf(rows: readonly RequiredFlowRow[]): string[] {
  const missing = [...new Set(rows.flatMap(({ undeclared }) => undeclared))];
  return missing.length === 0 ? [] : [`Not in the topology, and assumed or left out: ${missing.join(", ")}`];
}

function aligned(rows: string[][]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function piped([head = [], ...rows]: string[][]): string {
  const line = (cellsOf: readonly string[]) =>
    `| ${cellsOf.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
