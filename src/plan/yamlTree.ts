import type { CST, Document, LineCounter as Lines } from "yaml";

import { DEEPEST } from "../nesting";
import { yaml } from "./yaml";

const OPTIONS = {
  // `<<` is no part of YAML 1.2, but kubectl and Helm take it.
  merge: true,
  // Without code frames: they would show what stands there.
  prettyErrors: false,
  logLevel: "error",
} as const;

/** The documents of a text as trees with places. */
export interface YamlTrees {
  documents: Document[];
  lines: Lines;
  /** True where the text is nested so deeply that nothing was composed of it. */
  tooDeep: boolean;
}

/** Parses YAML as `parseAllDocuments` does, but looks at the depth first. */
export function yamlTrees(text: string): YamlTrees {
  const { Composer, LineCounter, Parser } = yaml();
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  if (isDeeperThan(DEEPEST, tokens)) return { documents: [], lines, tooDeep: true };
  return { documents: [...new Composer(OPTIONS).compose(tokens)], lines, tooDeep: false };
}

function isDeeperThan(limit: number, tokens: readonly CST.Token[]): boolean {
  const open: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.depth > limit) return true;
    const depth = next.depth + 1;
    for (const token of partsOf(next.token)) open.push({ token, depth });
  }
  return false;
}

function partsOf(token: CST.Token): CST.Token[] {
  const items = "items" in token ? (token.items as CST.CollectionItem[]) : [];
  const own = "value" in token ? [token.value] : [];
  return [...own, ...items.flatMap(({ key, value }) => [key, value])].filter(
    (part): part is CST.Token => typeof part === "object" && part !== null,
  );
}
