import type { Document, LineCounter } from "yaml";

import { isTooDeep, TOO_DEEP } from "../collections";
import type { InputFault, ParsedText } from "./inputs";
import { plainDocument, type PlainDocument } from "./plainYaml";
import { lineAt, yamlTrees } from "./yamlTree";
import { contentOf, positionsOf, type RefusedYaml } from "./yamlValue";

/** The largest document: the tree of a larger one would take more memory than a process has. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/**
 * Splits a file where documents begin, so that the trees of thousands of documents are not in memory at once. As in kubectl, only a
 * line feed is in front of `---`, so no line of a document can begin with it, not even in a block of text. Directives stay with the
 * document that they belong to.
 */
export function yamlParts(text: string): ParsedText[] {
  const parts: ParsedText[] = [];
  let from = 0;
  let line = 1;
  for (const { index } of text.matchAll(/(?<![^\n])---(?=[ \t\n]|\r\n|$)/g)) {
    const part = text.slice(from, index);
    if (index === from || (DIRECTIVE.test(part) && !part.includes("\n---"))) continue;
    parts.push({ text: withoutMark(part, from), line });
    line += part.split("\n").length - 1;
    from = index;
  }
  parts.push({ text: withoutMark(text.slice(from), from), line });
  return parts;
}

/** Whether a text begins with a directive, which comments may precede. */
const DIRECTIVE = /^(?:[ \t]*(?:#[^\n]*|\r)?\n)*%/;

/** Drops the byte order mark below the `---` of a part, as kubectl does, which parses each document by itself. */
const withoutMark = (part: string, from: number): string =>
  from === 0 ? part : part.replace(/^---[ \t]*(?:#[^\n]*|\r)?\n\ufeff/, "\n");

/** A document as plain values. */
export interface ReadDocument {
  value: unknown;
  /** Paths of values that override an earlier value under the same key. */
  repeated: readonly string[];
  /** The index of the document in its part. */
  document: number;
  /** The line of the file on which the value at a path begins. */
  lineOf: (path: string) => number;
  fault?: undefined;
}

/** A document, or why it cannot be read. */
export type YamlDocument = ReadDocument | { value?: undefined; fault: InputFault };

/** Reads the documents of a part as kubectl does, with sigs.k8s.io/yaml. */
export function readPart(part: ParsedText, file: string): YamlDocument[] {
  const refused = ([problem, remedy]: Words, line = part.line): YamlDocument[] => [
    { fault: { file, line, problem, remedy } },
  ];
  if (part.text.length > MOST_CHARACTERS)
    return refused(["is a document of more than 32 MiB of YAML", "split it"]);
  const strange = STRANGE.exec(part.text);
  if (strange) return refused(strangeness(strange[0]), part.line + linesBefore(part.text, strange.index));
  const plain = plainDocument(part.text);
  return plain ? [plainlyRead(plain, part)] : readTrees(part, file);
}

/** Reads the documents of a part with a tree, which supports all of YAML and knows what is wrong with a text. */
export function readTrees(part: ParsedText, file: string): YamlDocument[] {
  const { documents, lines, tooDeep } = yamlTrees(part.text);
  if (tooDeep) return [{ fault: { file, line: part.line, ...TOO_DEEP } }];
  return documents.map((document, position) => {
    const read = readDocument(document, position, lines, part, file);
    if (position === 0 || read.fault || read.value === null) return read;
    const [problem, remedy] = document.directives?.docStart ? NO_LINE_FEED : UNREAD;
    return { fault: { file, line: read.lineOf(""), problem, remedy } };
  });
}

const plainlyRead = ({ value, line, positions }: PlainDocument, part: ParsedText): ReadDocument => ({
  value,
  repeated: [],
  document: 0,
  lineOf: (path) => (path === "" ? line : lineAt(positions(), path)) + part.line - 1,
});

/** Reads JSON that is parsed already; checks its text only for lines and repeated keys. */
export function readJsonPart(part: ParsedText, value: unknown): ReadDocument {
  const plain = plainDocument(part.text);
  if (plain) return { ...plainlyRead(plain, part), value };
  const { documents, lines } = yamlTrees(part.text);
  const [document] = documents;
  const positions = document ? positionsOf(document, lines) : { line: 1 };
  return {
    value,
    repeated: document ? contentOf(document, part.text).repeated : [],
    document: 0,
    lineOf: (path) => lineAt(positions, path) + part.line - 1,
  };
}

type Words = readonly [problem: string, remedy: string];

const UNREAD: Words = [
  "is a document that kubectl skips, because it does not begin with ---",
  "write --- above it",
];
const NO_LINE_FEED: Words = [
  "is a document that kubectl skips, because its --- is not between line feeds",
  "end lines with line feeds",
];

/** Characters that YAML 1.1 does not allow, and those that it reads as a line break although none is visible. */
const STRANGE = /[^\t\n\r\x20-\x7e\u0085\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

function strangeness(character: string): Words {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const what = /[\u2028\u2029]/.test(character) ? "line separator" : "control character";
  return [`has the ${what} U+${code}`, `remove it, or write \\u${code.toLowerCase()} between double quotes`];
}

const linesBefore = (text: string, end: number): number => text.slice(0, end).split("\n").length - 1;

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
  const { value, repeated, refusal } = contentOf(document, part.text);
  if (refusal) return { fault: { file, ...at(refusal.offset), ...refusedYaml(refusal.kind, part.text) } };
  if (isTooDeep(value)) return { fault: { file, ...at(document.contents?.range?.[0] ?? 0), ...TOO_DEEP } };
  const positions = positionsOf(document, lines);
  return {
    value,
    repeated,
    document: position,
    lineOf: (path) => lineAt(positions, path) + part.line - 1,
  };
}

/** Our words for messages of the parser that are unclear, or that quote the text without a colon in front. */
const WORDS: Readonly<Record<string, Words>> = {
  TAB_AS_INDENT: ["is indented with a tab", "indent with spaces"],
  KEY_OVER_1024_CHARS: ["has a key of more than 1024 characters", "write ? before the key, or a shorter one"],
  BAD_ALIAS: ["has an alias without an anchor", "define the anchor before it"],
  BAD_DQ_ESCAPE: ["has an escape sequence that YAML does not have", "write \\\\ for a backslash"],
  TAG_RESOLVE_FAILED: ["has a tag that is not defined", "leave the tag out"],
  BAD_DIRECTIVE: ["has a directive that YAML does not have", "leave the directive out"],
};

const TEMPLATE = {
  problem: "is a template, not YAML",
  remedy: "render the chart first: helm template",
} as const;

/** Uses the parser's message, which states what it expected, without quotes from the text; our own message if it needs one. */
function yamlFault(code: string, message: string, text: string): Pick<InputFault, "problem" | "remedy"> {
  if (isTemplate(text)) return TEMPLATE;
  const words = WORDS[code];
  if (words) return { problem: words[0], remedy: words[1] };
  const sentence = message
    .split("\n", 1)[0]!
    .split(/\(?at line \d/, 1)[0]!
    // Quotes follow a colon; a colon with a space before it is part of the message: `Missing , or : between flow map items`.
    .split(/(?<! ):/, 1)[0]!
    .trimEnd();
  return { problem: `is not YAML (${sentence})`, remedy: "check this place" };
}

/** Checks line by line, because a search for the end of every `{{` would take quadratic time. */
const isTemplate = (text: string): boolean =>
  text.split("\n").some((line) => {
    const from = line.indexOf("{{");
    return from >= 0 && line.includes("}}", from + 2);
  });

const REFUSED: Readonly<Record<RefusedYaml, Words>> = {
  "alias-bomb": ["has aliases that expand to more than can be read", "write the values out"],
  "alias-circle": ["has an alias inside the value that it refers to", "write the values out"],
  "alias-to-nothing": ["has an alias without an anchor", "define the anchor before it"],
  key: ["has a key that is a map or a list", "write a string"],
  "key-type": ["has a key that kubectl does not read as a string", "write it in quotes"],
  "flow-text": [
    "has a string between brackets that YAML 1.1 and YAML 1.2 read differently",
    "write it in quotes",
  ],
  merge: ["merges something that is not a map", "name a map, or a list of maps, after <<"],
  number: ["has a number that JSON cannot represent", "write it in quotes, or write a finite number"],
  tag: ["has a value that does not match its tag", "leave the tag out"],
};

/** `{{ .Values.name }}` is YAML: a map whose key is a map. */
function refusedYaml(kind: RefusedYaml, text: string): Pick<InputFault, "problem" | "remedy"> {
  if (kind === "key" && isTemplate(text)) return TEMPLATE;
  const [problem, remedy] = REFUSED[kind];
  return { problem, remedy };
}
