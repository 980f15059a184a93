import type { Exemption } from "../rules/exemptions";
import { Level, Status, type Finding, type Rule } from "../rules/rule";
import { plural } from "../plural";

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
  /** What was read that runs: `the cluster`. Absent: files alone. */
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

/** From which findings on a run has failed. */
export enum FailOn {
  Error = "error",
  Warning = "warning",
  Unknown = "unknown",
}

/** Whether a finding fails a run. */
export function fails({ status, level }: Finding, failOn: FailOn): boolean {
  if (status === Status.Unknown) return failOn === FailOn.Unknown;
  return level === Level.Error || (level === Level.Warning && failOn !== FailOn.Error);
}

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

/** `2 errors, 1 warning, 3 unknown values, 1 exempted` */
export function summaryText({ errors, warnings, notes, unknown, exempted }: Summary): string {
  const parts = [
    plural(errors, "error"),
    plural(warnings, "warning"),
    ...(notes > 0 ? [plural(notes, "note")] : []),
    ...(unknown > 0 ? [`${plural(unknown, "value")} unknown and not judged`] : []),
    ...(exempted > 0 ? [`${exempted} exempted`] : []),
  ];
  return errors + warnings + notes + unknown + exempted === 0 ? "no findings" : parts.join(", ");
}

/** `24 resources in 2 files, 1 hosted cluster` */
export const scopeText = ({ resources, files, live = [], hostedClusters }: Summary): string => {
  const places = [...(files > 0 || live.length === 0 ? [plural(files, "file")] : []), ...live];
  return `${plural(resources, "resource")} in ${places.join(" and ")}, ${plural(hostedClusters, "hosted cluster")}`;
};

/** Findings by some name, in the order in which the names come up. */
export function grouped<T>(entries: readonly T[], nameOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const group = groups.get(nameOf(entry));
    if (group) group.push(entry);
    else groups.set(nameOf(entry), [entry]);
  }
  return groups;
}

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
