import { visible } from "../text";

/** In place of characters that mean something to Markdown and cannot take a backslash. */
const INSTEAD: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  // No backslash keeps a mention from its user: what stands between is not seen.
  "@": "@\u200b",
};

/** Text that means nothing to Markdown, HTML, and mentions of users; in cells of tables, too. */
export const plain = (text: string): string =>
  visible(text).replace(/[\\`*_{}[\]<>|#~@!&]/g, (one) => INSTEAD[one] ?? `\\${one}`);

/** Text in a fence of backticks that is longer than any in it. */
export function code(text: string): string {
  const clean = visible(text).replace(/\s+/g, " ");
  const fence = longerFence(clean, 1);
  const space = clean.startsWith("`") || clean.endsWith("`") ? " " : "";
  return `${fence}${space}${clean}${space}${fence}`;
}

/** The same in a cell of a table, which ends at every bar that has no backslash before it, code or not. */
export const codeCell = (text: string): string => code(text).replaceAll("|", "\\|");

/** A table; its cells are Markdown already. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Lines as a block of code, whose fence is longer than any in it. */
export function fenced(lines: readonly string[], language = "text"): string {
  const written = lines.map(visible);
  const fence = longerFence(written.join("\n"), 3);
  return [`${fence}${language}`, ...written, fence].join("\n");
}

const longerFence = (text: string, least: number): string =>
  "`".repeat((text.match(/`+/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length + 1), least));
