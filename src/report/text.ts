import { plural, visible, visibleLines } from "../text";
import type { Colors } from "picocolors/types";
import { sourceOf } from "../resources/resource";
import { describeStale } from "../gate/verdict";
import { Level, sourcesOf, Status } from "../gate/rule";
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

/** Rows of a table as lines with aligned columns. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(visible));
  const widths = (shown[0] ?? []).map((_, column) =>
    shown.reduce((most, row) => Math.max(most, row[column]!.length), 0),
  );
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

/** How a text report groups findings. */
export enum GroupBy {
  Rule = "rule",
  Resource = "resource",
}

/** Number of unknown values that are named; the others are counted. */
const NAMED = 10;

/** The report for a terminal. */
export function textReport(report: Report, colors: Colors, groupBy: GroupBy): string {
  const violated = report.findings.filter(({ status }) => status !== Status.Unknown);
  const nameOf = ({ rule, subject, resource }: ReportedFinding) =>
    groupBy === GroupBy.Rule ? rule : JSON.stringify([sourceOf(resource), subject]);
  const groups = [...grouped(violated, nameOf).values()].map((group) =>
    groupText(group, report, colors, groupBy),
  );
  const parts = [
    visibleLines(conclusionLines(report)),
    ...groups,
    unknownText(report, colors),
    exemptedText(report, colors),
    notesText(report),
  ];
  const summary = visible(`${scopeText(report.summary)}: ${summaryText(report)}`);
  const failed =
    report.summary.errors > 0
      ? colors.red
      : report.summary.warnings > 0 || saysNothing(report)
        ? colors.yellow
        : colors.green;
  return `${[...parts.filter((part) => part !== ""), failed(summary)].join("\n\n")}\n`;
}

function groupText(
  group: readonly ReportedFinding[],
  { rules }: Report,
  colors: Colors,
  groupBy: GroupBy,
): string {
  const [{ rule, subject }] = group as [ReportedFinding];
  const title = rules.find(({ id }) => id === rule)?.title ?? "";
  const isByRule = groupBy === GroupBy.Rule;
  const head = isByRule
    ? `${colors.bold(rule)}  ${title}`
    : `${colors.bold(visible(subject))}  ${colors.dim(visible(placeText(group[0]!)))}`;
  // The findings of a rule usually have the same documents, which are then shown once, above all of them.
  const [sources, ...others] = new Set(group.map(sourcesOf));
  const isSaidOnce = isByRule && group.length > 1 && others.length === 0;
  return [
    head,
    ...(isSaidOnce ? [`  documented   ${visible(sources!)}`] : []),
    ...group.map((finding) => findingText(finding, colors, isByRule, isSaidOnce)),
  ].join("\n");
}

function findingText(
  finding: ReportedFinding,
  colors: Colors,
  isByRule: boolean,
  isWithoutSources: boolean,
): string {
  const { level, rule, path, subject, message, witness, fix } = finding;
  const paint = { [Level.Error]: colors.red, [Level.Warning]: colors.yellow, [Level.Note]: colors.cyan }[
    level
  ];
  const where = isByRule ? `${visible(subject)}  ${colors.dim(visible(placeText(finding)))}` : rule;
  return [
    `  ${paint(level)}  ${where}`,
    `    ${path === "" ? "" : `${visible(path)}: `}${visible(message)}`,
    ...(witness === undefined ? [] : [`    for example  ${visible(witness)}`]),
    ...(isWithoutSources ? [] : [`    documented   ${visible(sourcesOf(finding))}`]),
    `    fix          ${visible(fix)}`,
  ].join("\n");
}

function unknownText(report: Report, colors: Colors): string {
  const unknown = unknownValues(report);
  if (unknown.length === 0) return "";
  const rest =
    unknown.length > NAMED ? [`  and ${unknown.length - NAMED} more; --format json lists all`] : [];
  const head = `${colors.bold("unknown")}  values that no rule could judge`;
  return [head, ...unknown.slice(0, NAMED).map(({ message }) => `  ${visible(message)}`), ...rest].join("\n");
}

function exemptedText({ exempted, stale }: Report, colors: Colors): string {
  if (exempted.length + stale.length === 0) return "";
  return [
    `${colors.bold("exemptions")}  ${plural(exempted.length, "accepted finding")}`,
    ...exempted.map(
      ({ finding, exemption }) =>
        `  ${finding.rule}  ${visible(finding.subject)}: ${visible(exemption.reason)}`,
    ),
    ...stale.map((exemption) => `  ${colors.yellow("stale")}  ${visible(describeStale(exemption))}`),
  ].join("\n");
}

const notesText = ({ notes }: Report): string => visibleLines(notes.map((note) => `note  ${note}`));
