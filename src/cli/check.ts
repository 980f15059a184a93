import colorsOf from "picocolors";
import {
  Format,
  conclusionLines,
  counts,
  fails,
  githubFaults,
  openFlowsFail,
  writeReport,
  type FailOn,
  type GroupBy,
  type Report,
  type ReportedFinding,
} from "../report";
import { idOf, sourceOf, type Resource } from "../resources/resource";
import { describeResource, type Finding } from "../gate/rule";
import { describeStale } from "../gate/verdict";
import { JudgedResources } from "../gate/judgedResources";
import { rules } from "../rules";
import { verdictOf, type Verdict } from "../gate/verdict";
import { conclusionsOf } from "../rules/conclusion";
import {
  chosenConfiguration,
  type ChosenConfiguration,
  type ConfigurationOptions,
} from "./chosenConfiguration";
import { readLive, type LiveOptions } from "./liveInputs";
import { version } from "./package";
import type { Progress } from "./terminal";
import { CLEAN, FINDINGS, UNUSABLE, tell, type Terminal } from "./terminal";
import { plural } from "../text";
import { isJudged } from "../resources/judgedTypes";
import { leftUnjudged, some } from "../gate/notJudged";
import { describeInputFaults, type Inputs } from "../plan/inputs";
import { readInputs } from "../plan/readInputs";

/** What `check` was asked. */
export interface CheckOptions {
  config?: ConfigurationOptions["config"];
  state?: string;
  format: Format;
  failOn: FailOn;
  groupBy: GroupBy;
  /** What is judged that runs. */
  live?: LiveOptions;
}

/** Formats that have no place for notes and stale exemptions: whoever runs the command reads them beside the report. */
const WITHOUT_NOTES: readonly Format[] = [Format.Github, Format.Junit];

/** Judges inputs by every rule and prints the report. Returns the exit status. */
export async function check(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
  progress: Progress,
): Promise<number> {
  const configured = chosenConfiguration(options, paths);
  const inputs = await readInputs(paths, {
    ...(options.state !== undefined && { state: options.state }),
    stdin: terminal.stdin,
    ahead: terminal.ahead,
    onFile: (file, bytes) => progress.reading(file, bytes),
  });
  if (options.live) await readLive(options.live, inputs, (what) => progress.reading(what));
  const faults = [...configured.faults, ...inputs.faults, ...nothingAtAll(inputs)];
  if (faults.length > 0) {
    if (options.format === Format.Github) terminal.out(githubFaults(faults));
    const notes = [...configured.notes, ...inputs.notes].map((note) => `note  ${note}`);
    tell(terminal, [...describeInputFaults(faults), ...notes]);
    return UNUSABLE;
  }
  progress.judging(inputs.resources.length);
  const judged = new JudgedResources(inputs.resources, configured.configuration);
  const report = reportOf(verdictOf(judged, rules), judged, inputs, configured);
  const colors = colorsOf.createColors(terminal.colors && options.format === Format.Text);
  terminal.out(writeReport(options.format, report, { ...options, colors }));
  if (WITHOUT_NOTES.includes(options.format)) tell(terminal, besideReport(report, options.format));
  const { findings, conclusions } = report;
  const isFailed =
    findings.some((finding) => fails(finding, options.failOn)) ||
    conclusions.some(({ counts: flows }) => openFlowsFail(flows, options.failOn));
  return isFailed ? FINDINGS : CLEAN;
}

const besideReport = (report: Report, format: Format): string[] => [
  ...(format === Format.Junit ? conclusionLines(report) : []),
  ...report.notes.map((note) => `note  ${note}`),
  ...report.stale.map((one) => `stale  ${describeStale(one)}`),
];

/** A gate that looked at nothing must not say that all is well. */
export function nothingAtAll({ resources, faults, files, live, notes }: Inputs) {
  if (resources.length > 0 || faults.length > 0) return [];
  const [file = "the folder"] = notes;
  const isEmpty = files === 0 && live.length === 0;
  return [
    {
      file: "hypershift-network check",
      problem: isEmpty ? `found no file to read (${file})` : "found nothing to judge in any input",
      remedy: "name a preview, a stack export or Kubernetes manifests",
    },
  ];
}

/** What the report of a verdict says, each finding with its line. */
export function reportOf(
  verdict: Verdict,
  judged: JudgedResources,
  inputs: Inputs,
  { configuration, lineOf, notes }: ChosenConfiguration,
): Report {
  const resources = new Map<unknown, Resource>(inputs.resources.map((one) => [one.origin, one]));
  const reported = (finding: Finding): ReportedFinding => {
    const { resource: origin, path } = finding;
    const resource = resources.get(origin) ?? judged.index.at(origin.urn);
    const isConfigured = idOf(origin) === undefined && origin.file === configuration.file;
    const line = isConfigured ? lineOf(path) : inputs.lineOf(origin, path);
    return {
      ...finding,
      subject: resource ? describeResource(resource) : (sourceOf(origin) ?? "configuration"),
      ...(line !== undefined && { line }),
    };
  };
  const findings = verdict.findings.map(reported);
  return {
    version,
    conclusions: conclusionsOf(judged, verdict),
    findings,
    exempted: verdict.exempted.map(({ finding, exemption }) => ({ finding: reported(finding), exemption })),
    stale: verdict.stale,
    rules: verdict.rules,
    notes: [...notes, ...inputs.notes, ...notJudged(judged, verdict)],
    summary: {
      files: inputs.files,
      ...(inputs.live.length > 0 && { live: inputs.live }),
      resources: inputs.resources.length,
      hostedClusters: judged.clusters.length,
      ...counts(findings),
      exempted: verdict.exempted.length,
      staleExemptions: verdict.stale.length,
    },
  };
}

/** What a reader of a report without findings has to know: nothing of some inputs was judged, or not all that could be. */
export function notJudged(judged: JudgedResources, { rules }: Verdict): string[] {
  if (rules.length === 0) return ["every rule is disabled: nothing was judged"];
  const { resources, clusters } = judged;
  if (clusters.length === 0 && !resources.some(({ type }) => isJudged(type))) return [noKind(judged)];
  return leftUnjudged(judged);
}

function noKind({ resources }: JudgedResources): string {
  const kinds = [...new Set(resources.map(({ type }) => type.slice(type.lastIndexOf(":") + 1)))].sort();
  return `nothing was judged: no rule looks at any of the kinds in the ${plural(resources.length, "resource")} (${some(kinds)})`;
}
