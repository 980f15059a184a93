import type { Document, LineCounter } from "yaml";

import { isTooDeep, TOO_DEEP } from "../nesting";
import type { InputFault } from "./inputFault";
import type { ParsedText } from "./lines";
import { lineAt, positionsOf } from "./positions";
import { yamlRefusal, type RefusedYaml } from "./yamlRefusals";
import { yamlTrees } from "./yamlTree";

/** Larger ones would take more memory as a tree than a process gets. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/**
 * A file cut where documents begin, so that thousands of them are not in memory as trees at once. No line of a document can begin
 * with `---`, not even in a block of text. Directives stay with the document that they belong to.
 */
export function yamlParts(text: string): ParsedText[] {
  const parts: ParsedText[] = [];
  let from = 0;
  let line = 1;
  for (const { index } of text.matchAll(/^---(?=\s|$)/gm)) {
    if (index === from || /^%/m.test(text.slice(from, index))) continue;
    const part = text.slice(from, index);
    parts.push({ text: part, line });
    line += part.split("\n").length - 1;
    from = index;
  }
  parts.push({ text: text.slice(from), line });
  return parts;
}

/** A document as plain values, or why it cannot be read. */
export type YamlDocument =
  | {
      value: unknown;
      /** Which one of the part. */
      document: number;
      /** The line of the file on which the value at a path begins. */
      lineOf: (path: string) => number;
      fault?: undefined;
    }
  | { value?: undefined; fault: InputFault };

/** The documents of a part. */
export function readPart(part: ParsedText, file: string): YamlDocument[] {
  const refused = (problem: string, remedy: string): YamlDocument[] => [
    { fault: { file, line: part.line, problem, remedy } },
  ];
  if (part.text.length > MOST_CHARACTERS)
    return refused("is a document of more than 32 MiB of YAML", "split it");
  const { documents, lines, tooDeep } = yamlTrees(part.text);
  if (tooDeep) return refused(TOO_DEEP.problem, TOO_DEEP.remedy);
  return documents.map((document, position) => readDocument(document, position, lines, part, file));
}

function readDocument(
  document: Document,
  position: number,
  lines: LineCounter,
  part: ParsedText,
  file: string,
): YamlDocument {
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: line + part.line - 1, column: col };
  };
  const [error] = document.errors;
  if (error)
    return { fault: { file, ...at(error.pos[0]), ...yamlFault(error.code, error.message, part.text) } };
  const refusal = yamlRefusal(document);
  if (refusal) return { fault: { file, ...at(refusal.offset), ...refusedYaml(refusal.kind, part.text) } };
  const start = document.contents?.range?.[0] ?? 0;
  try {
    const positions = positionsOf(document, lines);
    // What aliases come to was counted: the parser counts how often one is used, too.
    const value = document.toJS({ maxAliasCount: -1 }) as unknown;
    if (isTooDeep(value)) return { fault: { file, ...at(start), ...TOO_DEEP } };
    return {
      value,
      document: position,
      lineOf: (path) => lineAt(positions, path) + part.line - 1,
    };
  } catch (error) {
    return { fault: { file, ...at(start), ...unreadableYaml(error) } };
  }
}

const WORDS: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  DUPLICATE_KEY: ["has the same key twice", "leave one of them out"],
  TAB_AS_INDENT: ["is indented with a tab", "indent with spaces"],
  BAD_ALIAS: ["has an alias to nothing", "define the anchor before it"],
};

const TEMPLATE = {
  problem: "is a template and no YAML",
  remedy: "render the chart first: helm template",
} as const;

/** The parser's words say what it expected, never what stands there; where they do, ours are used. */
function yamlFault(code: string, message: string, text: string): Pick<InputFault, "problem" | "remedy"> {
  if (isTemplate(text)) return TEMPLATE;
  const [problem, remedy] = WORDS[code] ?? [];
  if (problem !== undefined && remedy !== undefined) return { problem, remedy };
  const sentence = message
    .split("\n")[0]!
    .replace(/\s*\(?at line \d+.*$/, "")
    .replace(/:.*$/, "");
  return { problem: `is no YAML (${sentence})`, remedy: "look at this place" };
}

/** Line by line: the search for an end of each beginning would take quadratic time. */
const isTemplate = (text: string): boolean =>
  text.split("\n").some((line) => {
    const from = line.indexOf("{{");
    return from >= 0 && line.includes("}}", from + 2);
  });

/** `{{ .Values.name }}` is YAML: a map whose key is a map. */
function refusedYaml(kind: RefusedYaml, text: string): Pick<InputFault, "problem" | "remedy"> {
  switch (kind) {
    case "alias-bomb":
      return {
        problem: "has aliases that multiply to more than can be read",
        remedy: "write the values out",
      };
    case "alias-circle":
      return { problem: "has an alias inside what it stands for", remedy: "write the values out" };
    case "key":
      return isTemplate(text)
        ? TEMPLATE
        : { problem: "has a key that is a map or a list", remedy: "write a text" };
  }
}

function unreadableYaml(error: unknown): Pick<InputFault, "problem" | "remedy"> {
  const message = error instanceof Error ? error.message : "";
  // Aliases in what other aliases stand for.
  if (error instanceof RangeError) return TOO_DEEP;
  if (/alias/i.test(message))
    return { problem: "has an alias to nothing", remedy: "define the anchor before it" };
  return { problem: "cannot be read as YAML", remedy: "look at this document" };
}
