import type { Colors } from "picocolors/types";

import type { FleetMap } from "../addressRanges/fleetMap";
import { mapMarkdown, mapText } from "./addressPlan";
import { githubReport, junitReport } from "./ci";
import { jsonReport, sarifReport } from "./json";
import { markdownReport } from "./markdown";
import type { FailOn, Report } from "./report";
import { textReport, type GroupBy } from "./text";

/** The format of a report. */
export enum Format {
  Text = "text",
  Json = "json",
  Sarif = "sarif",
  Junit = "junit",
  Markdown = "markdown",
  Github = "github",
}

/** Settings that only some formats use. */
export interface ReportSettings {
  colors: Colors;
  groupBy: GroupBy;
  failOn: FailOn;
  /** The map of all hosted clusters that follows the report, in the formats of `WITH_MAP`. */
  map?: FleetMap | undefined;
}

/** The formats that have a map. */
export const WITH_MAP: readonly Format[] = [Format.Text, Format.Markdown];

/** Writes a report in a format, with a line break at the end. */
export function writeReport(
  format: Format,
  report: Report,
  { colors, groupBy, failOn, map }: ReportSettings,
): string {
  switch (format) {
    case Format.Text:
      return `${textReport(report, colors, groupBy)}${map ? `\n${mapText(map)}` : ""}`;
    case Format.Json:
      return jsonReport(report);
    case Format.Sarif:
      return sarifReport(report);
    case Format.Junit:
      return junitReport(report, failOn);
    case Format.Markdown:
      return markdownReport(report, map && mapMarkdown(map));
    case Format.Github:
      return githubReport(report, failOn);
  }
}

export { githubFaults } from "./ci";
export * from "./report";
export { GroupBy } from "./text";
