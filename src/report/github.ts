import { Level, Status } from "../gate/rule";
import { visible, visibleLines } from "../text";
import { conclusionLines, scopeText, summaryText, type Report, type ReportedFinding } from "./report";
import { type InputFault, placeOf, shownFaults } from "../plan/inputs";

const COMMANDS = { [Level.Error]: "error", [Level.Warning]: "warning", [Level.Note]: "notice" } as const;

/** Annotations of GitHub Actions: workflow commands, one a line. */
export function githubReport(report: Report): string {
  const { findings, summary } = report;
  const lines = findings.map((finding) =>
    command(
      finding.status === Status.Unknown ? "notice" : COMMANDS[finding.level],
      placeProperties(finding),
      messageOf(finding),
    ),
  );
  return `${[...conclusionLines(report).map(visible), ...lines, visible(`${scopeText(summary)}: ${summaryText(report)}`)].join("\n")}\n`;
}

/** Annotations for inputs that cannot be judged. */
export function githubFaults(faults: readonly InputFault[]): string {
  const { shown, rest } = shownFaults(faults);
  const lines = shown.map(({ file, line, problem, remedy }) =>
    command("error", { file, ...(line !== undefined && { line }), title: "hypershift-network" }, [
      `${placeOf({ file, ...(line !== undefined && { line }) })} ${problem}: ${remedy}`,
    ]),
  );
  const further = rest.map((text) => command("error", { title: "hypershift-network" }, [text]));
  return [...lines, ...further].map((line) => `${line}\n`).join("");
}

/** A line belongs to a manifest: a plan is no file of the repository. */
const placeProperties = ({ rule, resource, line }: ReportedFinding) => ({
  ...(resource.file !== undefined && resource.urn === undefined && { file: resource.file, line: line ?? 1 }),
  title: rule,
});

function messageOf({ subject, path, message, witness, fix, status }: ReportedFinding): string[] {
  if (status === Status.Unknown) return [`not judged, because a value is not known: ${message}`];
  return [
    `${[subject, path].filter((part) => part !== "").join(" ")}: ${message}`,
    ...(witness === undefined ? [] : [`for example ${witness}`]),
    `fix: ${fix}`,
  ];
}

function command(
  name: string,
  properties: Readonly<Record<string, string | number>>,
  message: readonly string[],
): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${property(visible(`${value}`))}`);
  return `::${name} ${written.join(",")}::${data(visibleLines(message))}`;
}

/** The runner's own escapes. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\n", "%0A");
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
