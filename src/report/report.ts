import { flowsSentence, provesNothing } from "../reachability/answers/describeAnswer";
import type { FlowCounts } from "../reachability/answers/answer";
import type { Conclusion } from "../rules/conclusion";
import type { Exemption } from "../gate/verdict";
import { Level, Status, type Finding, type Rule } from "../gate/rule";
import { firstOf, plural } from "../text";
import { append, grouped } from "../collections";

/** A finding as reports print it. */
export interface ReportedFinding extends Finding {
  /** What the finding speaks of, in words: `SecurityGroup hosts`, or the file. */
  subject: string;
  /** The line of the property in the finding's file, from 1. */
  line?: number;
}

/** Everything that a report says. */
export interface Report {
  /** Version of this package. */
  version: string;
  /** What the plan comes to for each hosted cluster. */
  conclusions: readonly Conclusion[];
  findings: readonly ReportedFinding[];
  exempted: readonly { finding: ReportedFinding; exemption: Exemption }[];
  stale: readonly Exemption[];
  /** The rules that were asked. */
  rules: readonly Rule[];
  /** What a reader should know although nothing is wrong. */
  notes: readonly string[];
  summary: Summary;
}

/** Numbers of one run. */
export interface Summary {
  /** Files that were read. */
  files: number;
  /** What was read that runs: `the cluster`. Absent: only files. */
  live?: readonly string[];
  /** Resources in them. */
  resources: number;
  /** Hosted clusters that resources and configuration speak of. */
  hostedClusters: number;
  errors: number;
  warnings: number;
  notes: number;
  /** Values that were not known, and that some rule could not judge. */
  unknown: number;
  /** Findings that an exemption took out. */
  exempted: number;
  /** Exemptions that took nothing out. */
  staleExemptions: number;
}

/** From what on a run has failed: each takes what the one before it takes, and more. */
export enum FailOn {
  /** Flows that are dropped, and every other error. */
  Refuted = "refuted",
  /** Rules that open more than is needed, and every other warning. */
  Excess = "excess",
  /** Values and flows whose verdict is unknown. */
  Unknown = "unknown",
  /** Flows that hang on filters of others. */
  Assumed = "assumed",
  /** Errors, warnings and notes; not what is unknown. */
  Note = "note",
}

/** Older words of the command line. */
const FAIL_ON_ALIASES: Readonly<Record<string, FailOn>> = {
  error: FailOn.Refuted,
  warning: FailOn.Excess,
};

/** What such a word means. */
export const failOnOf = (word: string = FailOn.Refuted): FailOn => FAIL_ON_ALIASES[word] ?? (word as FailOn);

const RANK: Readonly<Record<FailOn, number>> = {
  [FailOn.Refuted]: 0,
  [FailOn.Excess]: 1,
  [FailOn.Note]: 1,
  [FailOn.Unknown]: 2,
  [FailOn.Assumed]: 3,
};

/** Whether a run that fails on one thing fails on another one, too. */
export const failsOn = (failOn: FailOn, what: FailOn): boolean =>
  what === FailOn.Note ? failOn === what : RANK[failOn] >= RANK[what];

const OF_LEVEL = {
  [Level.Error]: FailOn.Refuted,
  [Level.Warning]: FailOn.Excess,
  [Level.Note]: FailOn.Note,
} as const;

/** Whether a finding fails a run. */
export function fails({ status, level }: Finding, failOn: FailOn): boolean {
  if (status === Status.Unknown) return failsOn(failOn, FailOn.Unknown);
  return failsOn(failOn, OF_LEVEL[level]);
}

/** Whether flows whose verdict is unknown, or that depend on filters of others, fail a run. */
export const openFlowsFail = ({ unknown, assumed }: FlowCounts, failOn: FailOn): boolean =>
  (unknown > 0 && failsOn(failOn, FailOn.Unknown)) || (assumed > 0 && failsOn(failOn, FailOn.Assumed));

/** Hosted clusters that have a line each; more of which the same is said have one together. */
const MOST_LINES = 3;

/** What a report leads with: `clusters/tenant-a: 8 of 49 documented flows proved, ...`. */
export const conclusionLines = ({ conclusions }: Pick<Report, "conclusions">): string[] =>
  [...grouped(conclusions, ({ counts }) => flowsSentence(counts))].flatMap(([sentence, same]) => {
    const names = same.map(({ cluster }) => cluster);
    return names.length > MOST_LINES
      ? [`${firstOf(names, MOST_LINES)}, each: ${sentence}`]
      : names.map((name) => `${name}: ${sentence}`);
  });

/** Whether nothing is proved of some hosted cluster: nothing that is said of it is praise. */
export const saysNothing = ({ conclusions }: Pick<Report, "conclusions">): boolean =>
  conclusions.some(({ counts }) => provesNothing(counts));

/** How findings are counted. */
export function counts(findings: readonly Finding[]) {
  const violated = findings.filter(({ status }) => status !== Status.Unknown);
  const at = (level: Level) => violated.filter((finding) => finding.level === level).length;
  return {
    errors: at(Level.Error),
    warnings: at(Level.Warning),
    notes: at(Level.Note),
    unknown: findings.length - violated.length,
  };
}

/** What could not be judged, each value once, with the rules that ask for it. */
export function unknownValues({ findings }: Pick<Report, "findings">): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { status, message, rule } of findings)
    if (status === Status.Unknown) append(values, message, [rule]);
  return values;
}

/** `2 errors, 1 warning, 3 values unknown and not judged, 1 exempted` */
export function summaryText(report: Pick<Report, "summary" | "conclusions" | "findings">): string {
  const { errors, warnings, notes, exempted } = report.summary;
  const unknown = unknownValues(report).size;
  const parts = [
    plural(errors, "error"),
    plural(warnings, "warning"),
    ...(notes > 0 ? [plural(notes, "note")] : []),
    ...(unknown > 0 ? [`${plural(unknown, "value")} unknown and not judged`] : []),
    ...(exempted > 0 ? [`${exempted} exempted`] : []),
  ];
  const none = saysNothing(report) ? "no findings, and nothing proved" : "no findings";
  return errors + warnings + notes + unknown + exempted === 0 ? none : parts.join(", ");
}

/** `24 resources in 2 files, 1 hosted cluster` */
export const scopeText = ({ resources, files, live = [], hostedClusters }: Summary): string => {
  const places = [...(files > 0 || live.length === 0 ? [plural(files, "file")] : []), ...live];
  return `${plural(resources, "resource")} in ${places.join(" and ")}, ${plural(hostedClusters, "hosted cluster")}`;
};

/** Where a finding is: `firewalls/team.yaml:12`, or the file of a plan. */
export const placeText = ({
  resource: { file, line: first, urn, live },
  line = first,
}: ReportedFinding): string =>
  live !== undefined
    ? `live: ${live}`
    : file === undefined
      ? (urn ?? "")
      : urn === undefined && line !== undefined
        ? `${file}:${line}`
        : file;
