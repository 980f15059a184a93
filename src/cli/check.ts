import colorsOf from "picocolors";
import {
  conclusionLines,
  counts,
  type FailOn,
  fails,
  Format,
  githubFaults,
  type GroupBy,
  openFlowsFail,
  type Report,
  type ReportedFinding,
  writeReport,
} from "../report";
import { fleetMap } from "../addressRanges/fleetMap";
import { idOf, kindInType, type Resource, sourceOf } from "../resources/resource";
import { describeResource, type Finding } from "../gate/rule";
import { describeStale, type Verdict, verdictOf } from "../gate/verdict";
import { fullNameOf, type JudgedCluster } from "../gate/clusters";
import { plainName } from "../resources/managementCluster";
import { JudgedResources } from "../gate/judgedResources";
import { rules } from "../rules";
import { conclusionsOf } from "../rules/conclusion";
import {
  chosenConfiguration,
  type ChosenConfiguration,
  type ConfigurationOptions,
} from "./chosenConfiguration";
import { configurationOf, type LiveOptions, nothingAtAll, planOf, readLive, Unusable } from "./plans";
import { contradictions } from "../plan/configurationFile";
import { version } from "./package";
import {
  CLEAN,
  FINDINGS,
  type Progress,
  tell,
  type Terminal,
  textOfLines,
  UNUSABLE,
  noteLine,
} from "./terminal";
import { firstOf, jsonDocument, plural } from "../text";
import { isJudged, coverageGaps } from "../gate/coverage";
import { describeInputFault, describeInputFaults, type Inputs } from "../plan/inputs";
import { readInputs } from "../plan/readInputs";
import { parsedText } from "../plan/scan/jsonBytes";
import { readFileSync } from "node:fs";
import { faultLines } from "../fault";
import { type Certificate, plannedResources } from "../reachability/certificate/certificate";
import { certificateFaults, isEarlier } from "../reachability/certificate/shape";
import { checkCertificate } from "../reachability/certificate/check";
import { unreadable } from "../plan/files";

/** The options of `check`. */
export interface CheckOptions {
  config?: ConfigurationOptions["config"];
  state?: string;
  format: Format;
  failOn: FailOn;
  groupBy: GroupBy;
  /** Whether the map of all hosted clusters is printed after the findings. */
  map?: boolean;
  /** The running systems to judge. */
  live?: LiveOptions;
}

/** Formats without a place for notes and stale exemptions: these go to standard error, in addition to the report. */
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
  const unread = [...configured.faults, ...inputs.faults, ...nothingAtAll(inputs)];
  const judged = new JudgedResources(inputs.resources, configured.configuration);
  const faults = unread.length > 0 ? unread : contradictions(judged);
  if (faults.length > 0) {
    if (options.format === Format.Github) terminal.out(githubFaults(faults));
    const notes = [...configured.notes, ...inputs.notes].map(noteLine);
    tell(terminal, [...describeInputFaults(faults), ...notes]);
    return UNUSABLE;
  }
  progress.judging(inputs.resources.length);
  const report = reportOf(verdictOf(judged, rules), judged, inputs, configured);
  const colors = colorsOf.createColors(terminal.colors && options.format === Format.Text);
  const map = options.map ? fleetMap(judged) : undefined;
  terminal.out(writeReport(options.format, report, { ...options, colors, map }));
  if (WITHOUT_NOTES.includes(options.format)) tell(terminal, besideReport(report, options.format));
  const { findings, conclusions } = report;
  const isFailed =
    findings.some((finding) => fails(finding, options.failOn)) ||
    conclusions.some(({ counts: flows }) => openFlowsFail(flows, options.failOn));
  return isFailed ? FINDINGS : CLEAN;
}

const besideReport = (report: Report, format: Format): string[] => [
  ...(format === Format.Junit ? conclusionLines(report) : []),
  ...report.notes.map(noteLine),
  ...report.stale.map((one) => `stale  ${describeStale(one)}`),
];

/** Builds the report of a verdict, with the line of each finding. */
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
    notes: [...notes, ...inputs.notes, ...coverageNotes(judged, verdict)],
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

/** Notes for readers of a report without findings: some inputs were not judged at all, or not completely. */
export function coverageNotes(judged: JudgedResources, verdict: Verdict): string[] {
  if (verdict.rules.length === 0) return ["every rule is disabled: nothing was judged"];
  const { resources, clusters } = judged;
  // Some faults of objects are found whatever their kind is.
  const isFound = verdict.findings.length + verdict.exempted.length > 0;
  if (clusters.length === 0 && !isFound && !resources.some(({ type }) => isJudged(type)))
    return [noKind(judged)];
  return coverageGaps(judged);
}

function noKind({ resources }: JudgedResources): string {
  const kinds = [...new Set(resources.map(({ type }) => kindInType(type)))].sort();
  return `nothing was judged: no rule checks any of the kinds in the ${plural(resources.length, "resource")} (${firstOf(kinds)})`;
}

/** Reads the certificate in a file. Throws `Unusable` with all its faults. */
export function readCertificate(file: string): Certificate {
  const value = jsonOf(file);
  const faults = certificateFaults(value);
  if (faults.length > 0) throw new Unusable(faultLines(`${file} is not a certificate`, faults));
  return value as Certificate;
}

/** Whether a file has a certificate of this release or an earlier one. */
export function hasCertificate(file: string): boolean {
  try {
    const value = jsonOf(file);
    return isEarlier(value) || certificateFaults(value).length === 0;
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return false;
  }
}

function jsonOf(file: string): unknown {
  const text = textOf(file);
  try {
    return parsedText(text);
  } catch {
    throw new Unusable([`${file}: is not a certificate; \`hypershift-network certificate\` writes one`]);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Unusable([describeInputFault(unreadable(file, error))]);
  }
}

/** The options of a certificate check. */
export interface CertificateQuestion {
  certificate: string;
  config: ConfigurationOptions["config"];
  format: Format;
}

/** Checks a certificate against a plan, without the engine that proved it, and prints what the plan does not confirm. */
export async function checkCertificateFile(
  paths: readonly string[],
  { certificate: file, config, format }: CertificateQuestion,
  terminal: Terminal,
): Promise<number> {
  if (format !== Format.Text && format !== Format.Json)
    throw new Unusable([
      `hypershift-network check: the result for a certificate is written as text or json, not ${format}`,
    ]);
  const certificate = readCertificate(file);
  const judged = await planOf(paths, configurationOf({ config }, paths, terminal), terminal);
  refuseOtherPlan(file, certificate, judged.clusters);
  const { index, configuredGroups } = judged;
  const topology = judged.clusters.find(({ key }) => key === certificate.cluster)?.topology;
  const cluster = topology && { index, topology, configuredGroups };
  const { plan, doubtful } = plannedResources(judged.resources, cluster);
  const faults = [...checkCertificate(certificate, plan), ...(asksAcls(certificate) ? doubtful : [])];
  terminal.out(format === Format.Json ? json(certificate, faults) : text(certificate, faults));
  return faults.length > 0 ? FINDINGS : CLEAN;
}

/** A plan without the hosted cluster of a certificate cannot confirm it. */
function refuseOtherPlan(file: string, { cluster }: Certificate, clusters: readonly JudgedCluster[]): void {
  if (clusters.some(({ key }) => key === cluster)) return;
  // A namesake that appears or goes away changes the key, and the certificate does not state which of them it is for.
  const isNamesake = clusters.some((one) => plainName(cluster) === fullNameOf(one));
  const [there, way] =
    clusters.length === 0
      ? ["no hosted cluster", "add its HostedCluster to the inputs, or name the configuration with --config"]
      : [
          `only ${clusters.map(({ key }) => key).join(", ")}`,
          isNamesake ? "write the certificate again" : "pass the plan of that cluster",
        ];
  throw new Unusable([`${file}: is for ${cluster}, and the plan has ${there}: ${way}`]);
}

const asksAcls = ({ flows }: Certificate): boolean =>
  flows.some(({ places }) => places.some(({ guard }) => guard.startsWith("network ACL")));

const json = ({ cluster, flows }: Certificate, faults: readonly string[]): string =>
  jsonDocument({ version: 1, cluster, flows: flows.length, faults });

function text({ cluster, flows }: Certificate, faults: readonly string[]): string {
  const places = flows.reduce((sum, flow) => sum + flow.places.length, 0);
  const what = `${flows.length} proved flows with ${places} places`;
  const lines =
    faults.length === 0
      ? [`${cluster}: the certificate holds for this plan: ${what}`]
      : [
          `${cluster}: the certificate does not hold for this plan: ${what}`,
          ...faults.map((one) => `  ${one}`),
        ];
  return textOfLines(lines);
}
