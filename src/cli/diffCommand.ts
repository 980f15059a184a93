import { ChangeKind, describeDiff, diffPlans, type PlanDiff, type PlanSide } from "../reachability/answers";
import { plural, printable } from "../report";
import { driftedValues, type DriftedValue } from "../resources/drift";
import type { JudgedResources } from "../rules";
import type { Loaded } from "./commands";
import { fenced } from "./fenced";
import type { LiveOptions } from "./liveInputs";
import { liveOptions } from "./liveOptions";
import { liveSides } from "./liveSides";
import { configurationOf, orUnusable, planOf, Unusable, wholeClusters, type WholeCluster } from "./plans";
import { CLEAN, FINDINGS, type Terminal } from "./terminal";

/** `hypershift-network diff OLD NEW`, `hypershift-network diff PLAN --live` */
export const diffCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { config, cluster, format, failOn } = options;
    const live = liveOptions("diff", options);
    const [old, ...now] = paths;
    if (old === undefined || now.length !== (live ? 0 : 1))
      throw new Unusable([USAGE[live ? "live" : "files"]]);
    const configuration = configurationOf(config);
    const plans = [
      await planOf([old], configuration, terminal),
      await planOf(now, configuration, terminal, live),
    ] as const;
    const [before, after] = live ? comparedWithLive(...plans, live, terminal) : plans;
    const diffs = pairs(before, after, cluster).map(([was, is]) =>
      diffPlans(sideOf(before, was), sideOf(after, is)),
    );
    const values = live ? driftedValues(before.resources, after.resources) : undefined;
    terminal.out(WRITERS[format ?? "text"]!(diffs, values));
    const isDrift = failOn === "changed" && (values ?? []).length > 0;
    return isDrift || diffs.some((diff) => fails(diff, failOn)) ? FINDINGS : CLEAN;
  });

function comparedWithLive(
  old: JudgedResources,
  now: JudgedResources,
  asked: LiveOptions,
  terminal: Terminal,
): [JudgedResources, JudgedResources] {
  const { plan, live, notes } = liveSides(old, now, asked);
  terminal.error(notes.map((note) => `note  ${note}\n`).join(""));
  return [plan, live];
}

const USAGE = {
  files:
    "hypershift-network diff: name two plans, the old one first; or one plan and what runs, by --live or --ec2",
  live: "hypershift-network diff: name one plan beside --live and --ec2: it is compared with what runs",
} as const;

const sideOf = ({ index, configuredGroups }: JudgedResources, { topology }: WholeCluster): PlanSide => ({
  index,
  topology,
  configured: configuredGroups,
});

/** Each hosted cluster in both plans. One that is new, or gone, is looked for in the other plan by the same topology. */
function pairs(
  before: JudgedResources,
  after: JudgedResources,
  name?: string,
): [WholeCluster, WholeCluster][] {
  const [was, is] = [before, after].map((plan) =>
    plan.clusters.some(({ key, name: own }) => name === undefined || key === name || own === name)
      ? wholeClusters(plan, name)
      : [],
  ) as [WholeCluster[], WholeCluster[]];
  const keys = new Set([...is, ...was].map(({ key }) => key));
  if (keys.size === 0) return wholeClusters(after, name).map((cluster) => [cluster, cluster]);
  return [...keys].map((key) => {
    const [old, now] = [was, is].map((clusters) => clusters.find((cluster) => cluster.key === key));
    return [(old ?? now)!, (now ?? old)!];
  });
}

/** Values that are not known may open more; a secret that stays as it is does so in both plans, so they count only when asked. */
const fails = ({ changes, unknown }: PlanDiff, failOn: string | undefined): boolean =>
  failOn !== undefined &&
  (changes.some(({ kind }) => failOn === "changed" || kind !== ChangeKind.Closed) ||
    (failOn === "unknown" && unknown.length > 0));

/** @param values absent where no live side is compared */
type Writer = (diffs: PlanDiff[], values?: readonly DriftedValue[]) => string;

const text: Writer = (diffs, values = []) => {
  const parts = [...diffs.map(describeDiff), ...(values.length > 0 ? [describeValues(values)] : [])];
  return `${parts.map(printable).join("\n\n")}\n`;
};

const describeValues = (values: readonly DriftedValue[]): string =>
  [
    `${plural(values.length, "value")} ${values.length === 1 ? "is" : "are"} not as planned`,
    ...values.map(
      ({ object, path, planned, found }) => `  ${object}  ${path}: planned ${planned}, found ${found}`,
    ),
  ].join("\n");

const WRITERS: Readonly<Record<string, Writer>> = {
  text,
  markdown: (diffs, values) => `<!-- hypershift-network diff -->\n\n${fenced(text(diffs, values))}`,
  json: (diffs, values) =>
    `${JSON.stringify({ version: 1, hostedClusters: diffs, ...(values && { values }) }, undefined, 2)}\n`,
};
