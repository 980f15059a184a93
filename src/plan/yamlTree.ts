import type { CST, Document, Lexer, LineCounter as Lines } from "yaml";
import { DEEPEST } from "../collections";

const OPTIONS = {
  // What scalars mean, equal keys and merges are kubectl's affair: yamlValue.ts.
  schema: "failsafe",
  resolveKnownTags: false,
  uniqueKeys: false,
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
  const parser = new Parser(lines.addNewLine);
  Object.assign(parser, { lexer: new (kubectlLexer())() });
  const tokens = [...parser.parse(withNewlines(text))];
  if (isDeeperThan(DEEPEST, tokens)) return { documents: [], lines, tooDeep: true };
  return { documents: [...new Composer(OPTIONS).compose(tokens)], lines, tooDeep: false };
}

/** YAML 1.1 ends lines with these, too. */
const withNewlines = (text: string): string =>
  /[\r\u0085]/.test(text) ? text.replace(/\r(?!\n)|\u0085/g, "\n") : text;

/** What the lexer keeps to itself. */
interface Indented {
  indentNext: number;
  parseQuotedScalar(): Generator<string, unknown, unknown>;
  parseFlowCollection(): Generator<string, unknown, unknown>;
}

let made: (new () => Lexer) | undefined;

/** A lexer to which lines between quotes and brackets need no indentation, as libyaml has it. */
function kubectlLexer(): new () => Lexer {
  if (made) return made;
  class KubectlLexer extends yaml().Lexer {}
  const own = KubectlLexer.prototype as unknown as Indented;
  for (const parse of ["parseQuotedScalar", "parseFlowCollection"] as const) {
    const strict = own[parse] as Indented[typeof parse] | undefined;
    // A version without it stays as strict as it is.
    if (strict === undefined) continue;
    own[parse] = function* (this: Indented) {
      const { indentNext } = this;
      this.indentNext = 0;
      try {
        return yield* strict.call(this);
      } finally {
        this.indentNext = indentNext;
      }
    };
  }
  return (made = KubectlLexer);
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

/** The `yaml` package, loaded at its first use: it takes twenty milliseconds, and plans are JSON. */
export function yaml(): typeof import("yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  return require("yaml") as typeof import("yaml");
}
