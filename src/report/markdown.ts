import { plural, visible } from "../text";
import { describeStale } from "../gate/verdict";
import { sourcesOf, Status } from "../gate/rule";
import {
  conclusionLines,
  placeText,
  type Report,
  type ReportedFinding,
  saysNothing,
  scopeText,
  summaryText,
  unknownValues,
} from "./report";
import { grouped } from "../collections";

/** Replacements for characters with a meaning in Markdown that cannot be escaped with a backslash. */
const INSTEAD: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  // No backslash prevents a mention of a user: an invisible character separates the name.
  "@": "@\u200b",
};

/** Escapes text, so that it has no meaning to Markdown or HTML and mentions no user, in table cells too. */
export const plain = (text: string): string =>
  visible(text).replace(/[\\`*_{}[\]<>|#~@!&]/g, (one) => INSTEAD[one] ?? `\\${one}`);

/** Text in backticks, more of them than any run of backticks in it. */
export function code(text: string): string {
  const clean = visible(text).replace(/\s+/g, " ");
  const fence = longerFence(clean, 1);
  const space = clean.startsWith("`") || clean.endsWith("`") ? " " : "";
  return `${fence}${space}${clean}${space}${fence}`;
}

/** The same in a table cell, which ends at every bar without a backslash, in code too. */
export const codeCell = (text: string): string => code(text).replaceAll("|", "\\|");

/** A table whose cells are already Markdown. */
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

/** A later run finds the comment to replace by this line. */
export const MARKER = "<!-- hypershift-network check -->";

/** GitHub and GitLab refuse or cut longer comments; this leaves room for the last lines. */
const LONGEST = 60_000;

/** The report as a comment on a pull request. */
export function markdownReport(report: Report): string {
  const { findings, summary, stale, exempted, notes } = report;
  const violated = findings.filter(({ status }) => status !== Status.Unknown);
  const unknown = [...unknownValues(report)];
  const sign =
    summary.errors > 0 ? "❌" : summary.warnings + summary.unknown > 0 || saysNothing(report) ? "⚠️" : "✅";
  const head = [
    MARKER,
    `### ${sign} hypershift-network: ${summaryText(report)}`,
    ...conclusionLines(report).map(plain),
    plain(scopeText(summary)),
  ];
  const tail = [
    details(
      `${plural(unknown.length, "value")} unknown and not judged`,
      unknown.map(([message, rules]) => `${[...new Set(rules)].map(code).join(", ")} ${plain(message)}`),
    ),
    details(
      plural(exempted.length, "accepted finding"),
      exempted.map(
        ({ finding, exemption }) =>
          `${code(finding.rule)} ${code(finding.subject)}: ${plain(exemption.reason)}`,
      ),
    ),
    details(
      plural(stale.length, "stale exemption"),
      stale.map((one) => plain(describeStale(one))),
    ),
    details(plural(notes.length, "note"), notes.map(plain)),
  ].filter((part) => part !== "");
  return `${fitting(head, ruleSections(violated, report), tail).join("\n\n")}\n`;
}

function ruleSections(violated: readonly ReportedFinding[], { rules }: Report): string[] {
  return [...grouped(violated, ({ rule }) => rule)].flatMap(([id, found]) => [
    `#### ${code(id)} ${plain(rules.find((rule) => rule.id === id)?.title ?? "")}`,
    ...found.map(findingItem),
  ]);
}

function findingItem(finding: ReportedFinding): string {
  const { level, subject, path, message, witness, fix } = finding;
  const where = [code(subject), ...(path === "" ? [] : [code(path)]), code(placeText(finding))].join(" · ");
  return [
    `- **${level}** ${where}`,
    `  ${plain(message)}`,
    ...(witness === undefined ? [] : [`  - for example ${code(witness)}`]),
    `  - fix: ${plain(fix)}`,
    `  - documented in ${plain(sourcesOf(finding))}`,
  ].join("\n");
}

const SHOWN = 50;

function details(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const rest = lines.length > SHOWN ? [`- and ${lines.length - SHOWN} more`] : [];
  const list = [...lines.slice(0, SHOWN).map((line) => `- ${line}`), ...rest].join("\n");
  return `<details><summary>${title}</summary>\n\n${list}\n\n</details>`;
}

/** Keeps as many findings as fit into a comment, and states how many are left out. */
function fitting(head: readonly string[], sections: readonly string[], tail: readonly string[]): string[] {
  const short = tail.join().length > LONGEST / 2 ? [] : tail;
  let room = LONGEST - [...head, ...short].join("\n\n").length;
  const kept: string[] = [];
  for (const section of sections) {
    room -= section.length + 2;
    if (room < 0) break;
    kept.push(section);
  }
  const left = sections.length - kept.length;
  return [
    ...head,
    ...kept,
    ...(left > 0 ? [`_${left} more parts do not fit into a comment; see the job's log._`] : []),
    ...short,
  ];
}
