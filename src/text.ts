/**
 * Characters that are invisible, change how other characters are displayed, or end a line: control and format characters such as
 * bidirectional overrides, zero-width characters, line and paragraph separators, lone surrogates, and Unicode noncharacters.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** The unseen characters that have a short escape. */
const NAMES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const named = (one: string): string => NAMES[one] ?? `\\u{${one.codePointAt(0)!.toString(16)}}`;

/**
 * What other programs interpret in our lines: GitHub Actions runs `::error::` at the start of a line and `##[error]` anywhere as commands,
 * Azure Pipelines `##vso[...]` and TeamCity `##teamcity[...]`; Pulumi reads `<{%red%}>` as a color. `::1` and `::/0` are addresses.
 */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/^(\s*):(?=:[\da-f]*[g-z_-])/i, "$1\\u{3a}"],
  [/#(?=#\w*\[)/g, "\\u{23}"],
  [/<(?=\{%)/g, "\\u{3c}"],
];

/**
 * Escapes an untrusted text for display on one line: `tenant\na` instead of two lines, `\u{1b}` instead of Esc. All output for people
 * passes through it when written, because it contains names, keys and messages of third parties. Idempotent.
 */
export const visible = (text: string): string =>
  COMMANDS.reduce((line, [mark, instead]) => line.replace(mark, instead), text.replace(UNSEEN, named));

/** Joins lines for people into one text, without a trailing line break. */
export const visibleLines = (lines: readonly string[]): string => lines.map(visible).join("\n");

/** A UTF-16 code unit as a JSON escape. */
const unit = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;

/** JSON that is safe to display: the same values, with invisible characters and CI commands escaped. */
export const visibleJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent)
    .replace(UNSEEN, (one) =>
      one === "\n" ? one : Array.from({ length: one.length }, (_, at) => unit(one.charCodeAt(at))).join(""),
    )
    .replace(/#(?=#\w*\[)/g, unit(0x23));

/** A JSON document with a trailing line break. */
export const jsonDocument = (value: unknown, indent = 2): string => `${visibleJson(value, indent)}\n`;

/** Strips trailing characters in linear time; a regular expression would restart its match at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** A number with its noun: `1 rule`, `2 rules`; `many` is for plurals that do not end in s. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/**
 * The first of `texts` in a sentence, and how many more there are: `a, b, c and 5 more`.
 *
 * @param own a text to leave out, for a list of all others; `texts` must then contain each text once
 */
export function firstOf(texts: readonly string[], most = 5, separator = ", ", own?: string): string {
  // Copies only the first few: a long list is shown once for each of its entries.
  const few = texts.slice(0, most + 1).filter((text) => text !== own);
  const more = texts.length - (own === undefined ? 0 : 1) - most;
  return few.slice(0, most).join(separator) + (more > 0 ? ` and ${more} more` : "");
}

/** Joins words in a sentence: `a, b and c`; a single word stays as it is. */
export const inSentence = (words: readonly string[], joint: "and" | "or"): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;

/** Joins paragraphs into lines, with an empty line between them; paragraphs without lines are left out. */
export const paragraphs = (parts: readonly (readonly string[])[]): string[] =>
  parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ["", ...part]));

/** Yields the trimmed entries of a comma-separated text, one at a time, so that a long list is not kept in memory. */
export function* listedIn(text: string): Generator<string> {
  for (let from = 0; from <= text.length;) {
    const comma = text.indexOf(",", from);
    const end = comma < 0 ? text.length : comma;
    yield text.slice(from, end).trim();
    from = end + 1;
  }
}
