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

/** A table whose cells have no meaning in Markdown. */
export const plainTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable(
    head,
    rows.map((row) => row.map(plain)),
  );

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

/** GitHub and GitLab refuse or cut comments that are longer than 60,000 characters; the rest is for sentences on what does not fit. */
const ROOM = 60_000 - 300;

/**
 * The report as a comment on a pull request.
 *
 * @param map the parts of a map of all hosted clusters, which follow the report as far as they fit
 */
export function markdownReport(report: Report, map: readonly string[] = []): string {
  const { findings, summary, stale, exempted, notes } = report;
  const violated = findings.filter(({ status }) => status !== Status.Unknown);
  const unknown = unknownValues(report);
  const sign =
    summary.errors > 0 ? "❌" : summary.warnings + summary.unknown > 0 || saysNothing(report) ? "⚠️" : "✅";
  const head = [
    MARKER,
    `### ${sign} hypershift-network: ${summaryText(report)}`,
    ...shortened(conclusionLines(report).map(plain), ROOM / 4),
    plain(scopeText(summary)),
  ];
  const tail = detailsOf(
    [
      {
        title: `${plural(unknown.length, "value")} unknown and not judged`,
        lines: unknown.map(
          ({ message, rules }) => `${[...new Set(rules)].map(code).join(", ")} ${plain(message)}`,
        ),
      },
      {
        title: plural(exempted.length, "accepted finding"),
        lines: exempted.map(
          ({ finding, exemption }) =>
            `${code(finding.rule)} ${code(finding.subject)}: ${plain(exemption.reason)}`,
        ),
      },
      {
        title: plural(stale.length, "stale exemption"),
        lines: stale.map((one) => plain(describeStale(one))),
      },
      { title: plural(notes.length, "note"), lines: notes.map(plain) },
    ].filter(({ lines }) => lines.length > 0),
    ROOM / 2,
  );
  return `${fitting(head, ruleSections(violated, report), tail, map).join("\n\n")}\n`;
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

/** A list that a reader opens by a click. */
interface Details {
  title: string;
  lines: readonly string[];
}

/** Lists in a number of characters: short lists are complete, and the others share what is left. */
function detailsOf(lists: readonly Details[], most: number): string[] {
  let room = most;
  const byLength = [...lists].sort((a, b) => lengthOf(a) - lengthOf(b));
  const texts = byLength.map((list, place): [Details, string] => {
    const text = details(list, room / (byLength.length - place));
    room -= text.length;
    return [list, text];
  });
  const written = new Map(texts);
  return lists.map((list) => written.get(list)!);
}

const lengthOf = ({ lines }: Details): number =>
  lines.slice(0, SHOWN).reduce((sum, line) => sum + line.length, 0);

function details({ title, lines }: Details, room: number): string {
  const list = shortened(lines, room).map((line) => `- ${line}`);
  return `<details><summary>${title}</summary>\n\n${list.join("\n")}\n\n</details>`;
}

/** The first lines, as many as fit into a number of characters, and how many are left out. */
function shortened(lines: readonly string[], room: number): string[] {
  const kept = asFit(lines.slice(0, SHOWN), room);
  const left = lines.length - kept.length;
  if (left === 0) return kept;
  const count = kept.length > 0 ? `and ${left} more` : `${left} that do not fit into a comment`;
  return [...kept, `${count}; --format json lists all`];
}

function asFit(parts: readonly string[], room: number): string[] {
  let left = room;
  const end = parts.findIndex((part) => (left -= part.length + 2) < 0);
  return parts.slice(0, end < 0 ? parts.length : end);
}

/** Keeps as many findings, and then as many parts of the map, as fit into a comment, and states how many are left out. */
function fitting(
  head: readonly string[],
  sections: readonly string[],
  tail: readonly string[],
  map: readonly string[],
): string[] {
  const lengthOfAll = (parts: readonly string[]) => parts.reduce((sum, part) => sum + part.length + 2, 0);
  const room = ROOM - lengthOfAll([...head, ...tail]);
  const kept = asFit(sections, room);
  const left = sections.length - kept.length;
  let free = room - lengthOfAll(kept);
  const mapped = map.filter(({ length }) => {
    const fits = length + 2 <= free;
    if (fits) free -= length + 2;
    return fits;
  });
  const parts = plural(map.length - mapped.length, "part");
  return [
    ...head,
    ...kept,
    ...(left > 0 ? [`_${left} more parts do not fit into a comment; see the job's log._`] : []),
    ...tail,
    ...mapped,
    ...(mapped.length < map.length
      ? [`_${parts} of the map left out: a comment has no room for more; --format text prints all._`]
      : []),
  ];
}
