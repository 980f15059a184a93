import * as ts from "typescript";

import { entries } from "./entries";

/** A list element in a data file that a row of requirements.md relies on. */
export interface Entry {
  /** The row of requirements.md. */
  row: string;
  /** The data file, relative to the root of the repository. */
  file: string;
  /** A text in one element of a list in that file, usually its id. */
  id: string;
}

/** Every entry of the given rows. */
export function entriesOf(rows: readonly string[]): Entry[] {
  return rows.flatMap((row) =>
    Object.entries(entries[row] ?? {}).flatMap(([file, ids]) => ids.map((id) => ({ row, file, id }))),
  );
}

/** The source without the list element that holds the id. Throws unless exactly one element holds it. */
export function withoutEntry(source: string, { file, id }: Pick<Entry, "file" | "id">): string {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true);
  const elements = new Set(textsIn(parsed, id).flatMap((node) => elementAround(node) ?? []));
  const [element] = elements;
  if (element === undefined || elements.size > 1) {
    const found = element === undefined ? "no element" : `${elements.size} elements`;
    throw new Error(`${found} of a list in ${file} with "${id}": bring local/rows/entries.ts up to date`);
  }
  const comma = /^\s*,/.exec(source.slice(element.end))?.[0].length ?? 0;
  return source.slice(0, element.getStart()) + source.slice(element.end + comma);
}

function textsIn(node: ts.Node, text: string): ts.Node[] {
  if (ts.isStringLiteral(node)) return node.text === text ? [node] : [];
  return node.getChildren().flatMap((child) => textsIn(child, text));
}

function elementAround(node: ts.Node): ts.Node | undefined {
  if (node.parent === undefined) return undefined;
  return ts.isArrayLiteralExpression(node.parent) ? node : elementAround(node.parent);
}
