import { visible } from "../text";

/** Rows of a table as lines with aligned columns. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(visible));
  const widths = shown[0]!.map((_, column) =>
    shown.reduce((most, row) => Math.max(most, row[column]!.length), 0),
  );
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}
