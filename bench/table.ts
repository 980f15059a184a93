import Table from "cli-table3";
import { keepsLimit, limitText, ratio, type Figure } from "./figure";

/** The figures as a table for people: minimum and median of both sides, and whether the limit was kept. */
export function figureTable(figures: readonly Figure[]): string {
  const table = new Table({
    head: ["figure", "ours (min / median)", "compared with", "theirs (min / median)", "ratio", "limit", ""],
    style: { head: [], border: [], compact: true },
    colAligns: ["left", "right", "left", "right", "right", "left", "left"],
  });
  for (const figure of figures) {
    const { name, ours, other, theirs, unit = "ms" } = figure;
    table.push([
      name,
      shown(ours, unit),
      other,
      shown(theirs, unit),
      `${ratio(figure).toFixed(2)} / ${ratio(figure, "median").toFixed(2)}`,
      limitText(figure),
      figure.limit === "none" ? "" : keepsLimit(figure) ? "kept" : "MISSED",
    ]);
  }
  return table.toString();
}

/** Abbreviated units, because columns are narrow. */
const SHORT: Readonly<Record<string, string>> = { "ms of processor time": "ms*" };

function shown({ min, median }: Figure["ours"], unit: string): string {
  return `${min.toFixed(1)} / ${median.toFixed(1)} ${SHORT[unit] ?? unit}`;
}

/** A Markdown table, each column as wide as its widest cell. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)];
}
