import type { Colors } from "picocolors/types";

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
}

/** Writes a report in a format, with a line break at the end. */
export function writeReport(
  format: Format,
  report: Report,
  { colors, groupBy, failOn }: ReportSettings,
): string {
  switch (format) {
    case Format.Text:
      return textReport(report, colors, groupBy);
    case Format.Json:
      return jsonReport(report);
    case Format.Sarif:
      return sarifReport(report);
    case Format.Junit:
      return junitReport(report, failOn);
    case Format.Markdown:
      return markdownReport(report);
    case Format.Github:
      return githubReport(report);
  }
}

export { githubFaults } from "./ci";
export * from "./report";
export { GroupBy } from "./text";
