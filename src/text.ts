/**
 * Characters that are invisible, that change how others are seen, or that end a line: controls, formats such as the overrides of
 * bidirectional text, zero width, line and paragraph separators, half surrogates, and what Unicode keeps for no character.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Those that have a shorter name than their number. */
const NAMES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const named = (one: string): string => NAMES[one] ?? `\\u{${one.codePointAt(0)!.toString(16)}}`;

/**
 * What other programs take out of our lines: `::error::` at the beginning of one is a command of GitHub Actions, `##[error]` anywhere is, as
 * `##vso[...]` of Azure Pipelines and `##teamcity[...]` are, and Pulumi reads `<{%red%}>` as a colour. `::1` and `::/0` are addresses.
 */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/^(\s*):(?=:[\da-f]*[g-z_-])/i, "$1\\u{3a}"],
  [/#(?=#\w*\[)/g, "\\u{23}"],
  [/<(?=\{%)/g, "\\u{3c}"],
];

/**
 * A text as one line may show it, whoever wrote it: `tenant\na` in place of two lines, `\u{1b}` in place of Esc. All that goes to people
 * passes through it where it is written: names, keys and messages of others stand in it. Doing it twice changes nothing.
 */
export const visible = (text: string): string =>
  COMMANDS.reduce((line, [mark, instead]) => line.replace(mark, instead), text.replace(UNSEEN, named));

/** Lines for people as one text, without a line break at its end. */
export const visibleLines = (lines: readonly string[]): string => lines.map(visible).join("\n");

/** One part of JSON's own escapes. */
const unit = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;

/** JSON that can be shown: the same values, in which nothing is unseen and nothing is a command of a CI system. */
export const visibleJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent)
    .replace(UNSEEN, (one) =>
      one === "\n" ? one : Array.from({ length: one.length }, (_, at) => unit(one.charCodeAt(at))).join(""),
    )
    .replace(/#(?=#\w*\[)/g, unit(0x23));

/** A document of JSON, with a line break at its end. */
export const jsonDocument = (value: unknown, indent = 2): string => `${visibleJson(value, indent)}\n`;

/** A text without those characters at its end, in linear time: a pattern for them begins anew at each. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** A number with its noun: `1 rule`, `2 rules`; `many` where the plural is not formed with s. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/**
 * The first of some texts in a sentence, and how many there are besides: `a, b, c and 5 more`.
 *
 * @param own one of them that is left out, where they are the others of it; each then stands once
 */
export function firstOf(texts: readonly string[], most = 5, separator = ", ", own?: string): string {
  // Only the first are copied: a long list is shown to each of those in it.
  const few = texts.slice(0, most + 1).filter((text) => text !== own);
  const more = texts.length - (own === undefined ? 0 : 1) - most;
  return few.slice(0, most).join(separator) + (more > 0 ? ` and ${more} more` : "");
}

/** Words in a sentence: `a, b and c`; one by itself. */
export const inSentence = (words: readonly string[], joint: "and" | "or"): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;

/** Paragraphs as lines, with an empty one between each two; those without a line are left out. */
export const paragraphs = (parts: readonly (readonly string[])[]): string[] =>
  parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ["", ...part]));

/** What a text lists between commas, without the spaces around it. One at a time: most of a long list is not kept. */
export function* listedIn(text: string): Generator<string> {
  for (let from = 0; from <= text.length;) {
    const comma = text.indexOf(",", from);
    const end = comma < 0 ? text.length : comma;
    yield text.slice(from, end).trim();
    from = end + 1;
  }
}
