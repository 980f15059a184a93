import { flowsSentence, provesNothing } from "../reachability/answers/describeAnswer";
import type { FlowCounts } from "../reachability/answers/answer";
import type { Conclusion } from "../rules/conclusion";
import type { Exemption } from "../gate/verdict";
import { Level, Status, type Finding, type Rule } from "../gate/rule";
import { firstOf, plural } from "../text";
import { grouped } from "../collections";
import { idOf, sourceOf } from "../resources/resource";

/** A finding as reports print it. */
export interface ReportedFinding extends Finding {
  /** What the finding is about, in words: `SecurityGroup hosts`, or the file. */
  subject: string;
  /** The line of the property in the finding's file, from 1. */
  line?: number;
}

/** The content of a report. */
export interface Report {
  /** Version of this package. */
  version: string;
  /** The conclusion for each hosted cluster of the plan. */
  conclusions: readonly Conclusion[];
  findings: readonly ReportedFinding[];
  exempted: readonly { finding: ReportedFinding; exemption: Exemption }[];
  stale: readonly Exemption[];
  /** The rules that were applied. */
  rules: readonly Rule[];
  /** What a reader should know although nothing is wrong. */
  notes: readonly string[];
  summary: Summary;
}

/** The numbers of one run. */
export interface Summary {
  /** Files that were read. */
  files: number;
  /** The running systems that were read: `the cluster`. Undefined if only files were read. */
  live?: readonly string[];
  /** Resources in these files and systems. */
  resources: number;
  /** Hosted clusters that resources and configuration name. */
  hostedClusters: number;
  errors: number;
  warnings: number;
  notes: number;
  /** Values that could not be judged, each once, however many findings are about it. */
  unknown: number;
  /** Findings that an exemption removed. */
  exempted: number;
  /** Exemptions that removed no finding. */
  staleExemptions: number;
}

/** The level at which a run fails. Each level includes the levels before it, except `note`. */
export enum FailOn {
  /** Flows that are dropped, and every other error. */
  Refuted = "refuted",
  /** Rules that open more than is needed, and every other warning. */
  Excess = "excess",
  /** Values and flows whose verdict is unknown. */
  Unknown = "unknown",
  /** Flows that depend on filters of other owners. */
  Assumed = "assumed",
  /** Errors, warnings and notes; not what is unknown. */
  Note = "note",
}

/** Older names on the command line. */
const FAIL_ON_ALIASES: Readonly<Record<string, FailOn>> = {
  error: FailOn.Refuted,
  warning: FailOn.Excess,
};

/** Returns the level of such a name. */
export const failOnOf = (word: string = FailOn.Refuted): FailOn => FAIL_ON_ALIASES[word] ?? (word as FailOn);

const RANK: Readonly<Record<FailOn, number>> = {
  [FailOn.Refuted]: 0,
  [FailOn.Excess]: 1,
  [FailOn.Note]: 1,
  [FailOn.Unknown]: 2,
  [FailOn.Assumed]: 3,
};

/** Whether a run that fails at one level also fails at another. */
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

/** Whether flows whose verdict is unknown, or that depend on filters of other owners, fail a run. */
export const openFlowsFail = ({ unknown, assumed }: FlowCounts, failOn: FailOn): boolean =>
  (unknown > 0 && failsOn(failOn, FailOn.Unknown)) || (assumed > 0 && failsOn(failOn, FailOn.Assumed));

/** A hosted cluster whose unknown or assumed flows fail a run, although they are no findings. */
export interface FailingFlows {
  cluster: string;
  message: string;
  fix: string;
}

/** The hosted clusters that fail a run by `openFlowsFail`, in words that name `--fail-on`. */
export const failingFlows = ({ conclusions }: Pick<Report, "conclusions">, failOn: FailOn): FailingFlows[] =>
  conclusions.flatMap(({ cluster, counts: flows }) => {
    if (!openFlowsFail(flows, failOn)) return [];
    const named = [FailOn.Unknown, FailOn.Assumed] as const;
    const failing = named.filter((verdict) => flows[verdict] > 0 && failsOn(failOn, verdict));
    const numbers = failing.map((verdict) => `${flows[verdict]} ${verdict}`).join(", ");
    return {
      cluster,
      message: `documented flows: ${numbers}, which fail with --fail-on ${failOn}`,
      fix: "hypershift-network prove lists them with what each of them lacks",
    };
  });

/** The maximum number of hosted clusters with a line each; if more have the same sentence, they share one. */
const MOST_LINES = 3;

/** The first lines of a report: `clusters/tenant-a: 8 of 49 documented flows proved, ...`. */
export const conclusionLines = ({ conclusions }: Pick<Report, "conclusions">): string[] =>
  [...grouped(conclusions, ({ counts }) => flowsSentence(counts))].flatMap(([sentence, same]) => {
    const names = same.map(({ cluster }) => cluster);
    return names.length > MOST_LINES
      ? [`${firstOf(names, MOST_LINES)}, each: ${sentence}`]
      : names.map((name) => `${name}: ${sentence}`);
  });

/** Whether nothing is proved for some hosted cluster, so that the absence of findings means nothing. */
export const saysNothing = ({ conclusions }: Pick<Report, "conclusions">): boolean =>
  conclusions.some(({ counts }) => provesNothing(counts));

/** Counts findings by level. */
export function counts(findings: readonly Finding[]) {
  const violated = findings.filter(({ status }) => status !== Status.Unknown);
  const at = (level: Level) => violated.filter((finding) => finding.level === level).length;
  return {
    errors: at(Level.Error),
    warnings: at(Level.Warning),
    notes: at(Level.Note),
    unknown: unknownValues({ findings }).length,
  };
}

/** A value that could not be judged, in words, with the rules that need it. */
export interface UnjudgedValue {
  message: string;
  rules: readonly string[];
}

/** The values that could not be judged, each once. Those of resources with one name are told apart by their places. */
export function unknownValues({ findings }: { findings: readonly Finding[] }): UnjudgedValue[] {
  const open = findings.filter(({ status }) => status === Status.Unknown);
  const values = grouped(open, ({ resource, message }) =>
    JSON.stringify([sourceOf(resource), resource.line, message]),
  );
  const byMessage = grouped(values.values(), ([{ message }]) => message);
  return [...values.values()].map((all) => {
    const [first] = all;
    const isAlone = byMessage.get(first.message)!.length === 1;
    return {
      message: isAlone ? first.message : `${first.message} (${idOf(first.resource) ?? placeText(first)})`,
      rules: all.map(({ rule }) => rule),
    };
  });
}

/** `2 errors, 1 warning, 3 values unknown and not judged, 1 exempted` */
export function summaryText(report: Pick<Report, "summary" | "conclusions">): string {
  const { errors, warnings, notes, unknown, exempted } = report.summary;
  const parts = [
    plural(errors, "error"),
    plural(warnings, "warning"),
    ...(notes > 0 ? [plural(notes, "note")] : []),
    ...(unknown > 0 ? [`${plural(unknown, "value")} unknown and not judged`] : []),
    ...(exempted > 0 ? [`${exempted} exempted`] : []),
  ];
  const { length } = report.conclusions;
  const silent = report.conclusions.filter(({ counts: flows }) => provesNothing(flows)).length;
  const whose = silent < length ? ` for ${silent} of ${plural(length, "hosted cluster")}` : "";
  const none = silent > 0 ? `no findings, and nothing proved${whose}` : "no findings";
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
}: Pick<ReportedFinding, "resource" | "line">): string =>
  live !== undefined
    ? `live: ${live}`
    : file === undefined
      ? (urn ?? "")
      : urn === undefined && line !== undefined
        ? `${file}:${line}`
        : file;
