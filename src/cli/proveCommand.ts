import { readFileSync, statSync } from "node:fs";
import { answerPlan } from "../reachability/answers/answerPlan";
import { describeAnswer, provesNothing } from "../reachability/answers/describeAnswer";
import type { JudgedResources } from "../gate/judgedResources";
import type { PlanAnswer } from "../reachability/answers/answer";
import { paragraphs, jsonDocument } from "../text";
import { FailOn, failOnOf, failsOn, openFlowsFail } from "../report";
import { fenced } from "../report/markdown";
import { unreadFilters } from "../gate/coverage";
import { planQuestion } from "../rules/conclusion";
import type { Loaded } from "./commands";
import {
  configurationOf,
  liveOptions,
  orUnusable,
  planOf,
  Unusable,
  type WholeCluster,
  wholeClusters,
} from "./plans";
import { CLEAN, FINDINGS, textOfLines, tellNotes } from "./terminal";
import { certificateOf } from "../reachability/certificate/certificate";
import { judgedJourneys } from "../reachability/path/judge";
import { planGuards } from "../reachability/path/planGuards";
import { hasCertificate } from "./check";
import { OutputFile } from "./outputFile";

/** `hypershift-network prove PATH...`, `hypershift-network prove --live` */
export const proveCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { cluster, format, failOn } = options;
    const live = liveOptions("prove", options);
    if (paths.length === 0 && !live)
      throw new Unusable([
        "hypershift-network prove: name the files of a plan, or what is running, with --live or --ec2",
      ]);
    const plan = await planOf(paths, configurationOf(options, paths, terminal), terminal, live);
    tellNotes(terminal, unreadFilters(plan));
    const clusters = wholeClusters(plan, cluster);
    const answers = clusters.map((one) => answerOf(plan, one));
    terminal.out(WRITERS[format ?? "text"]!(answers));
    const failed = answers.some(
      (answer, place) => isAbsent(clusters[place]!, answer) || isFailed(answer, failOnOf(failOn)),
    );
    return failed ? FINDINGS : CLEAN;
  });

/** What a plan does to a hosted cluster, under the key that tells it apart from others of its name. */
export const answerOf = (plan: JudgedResources, { key, topology }: WholeCluster): PlanAnswer => ({
  ...answerPlan(planQuestion(plan, topology)),
  cluster: key,
});

/**
 * Whether the plan contains nothing of a cluster that only the configuration names: a wrong file, or one without its filters. This is a
 * failure, whatever `--fail-on` is.
 */
const isAbsent = ({ sources }: WholeCluster, { summary }: PlanAnswer): boolean =>
  provesNothing(summary) && sources.every(({ kind }) => kind === "configuration");

const isFailed = ({ summary, undecided = [] }: PlanAnswer, failOn: FailOn): boolean =>
  summary.refuted > 0 ||
  (summary.excess > 0 && failsOn(failOn, FailOn.Excess)) ||
  (undecided.length > 0 && failsOn(failOn, FailOn.Unknown)) ||
  openFlowsFail(summary, failOn);

const linesOf = (answers: readonly PlanAnswer[]): string[] => paragraphs(answers.map(describeAnswer));

const WRITERS: Readonly<Record<string, (answers: PlanAnswer[]) => string>> = {
  text: (answers) => textOfLines(linesOf(answers)),
  markdown: (answers) => `<!-- hypershift-network prove -->\n\n${fenced(linesOf(answers))}\n`,
  json: (answers) => jsonDocument({ version: 1, hostedClusters: answers }),
};

/** `hypershift-network certificate FILE PATH...` */
export const certificateCommand: Loaded = ([file = "", ...paths], options, terminal) =>
  orUnusable(terminal, async () => {
    if (paths.length === 0)
      throw new Unusable([
        "hypershift-network certificate: name the file to write, then the files of the plan",
      ]);
    const configuration = configurationOf(options, paths, terminal);
    const output = new OutputFile(file, [...paths, configuration.file]);
    if (!output.isStandardOutput) refuseOther(file);
    const plan = await planOf(paths, configuration, terminal);
    const [one, ...others] = wholeClusters(plan, options.cluster);
    if (others.length > 0)
      throw new Unusable([
        `hypershift-network certificate: one certificate is for one hosted cluster; choose it with --cluster: ${[one!, ...others].map(({ key }) => key).join(", ")}`,
      ]);
    const { key, topology } = one!;
    const guards = planGuards(plan.index, topology, plan.configuredGroups);
    const judged = judgedJourneys(plan.index, topology, guards, plan.configuredGroups);
    const certificate = certificateOf(key, judged);
    // No reader accepts an empty certificate, nor does this command when it overwrites the file.
    if (certificate.flows.length === 0)
      throw new Unusable([
        `${key}: none of ${judged.length} documented flows is proved: there is nothing to write ${output.isStandardOutput ? "to standard output" : `into ${file}`}; \`hypershift-network prove\` shows what each of them lacks`,
      ]);
    output.write(
      jsonDocument(certificate, 1),
      `${key}: ${certificate.flows.length} of ${judged.length} documented flows are proved and written, with their rules, to ${file}`,
      terminal,
    );
    return CLEAN;
  });

/** Refuses to overwrite other files: the first argument is written, and may be a plan by mistake. */
function refuseOther(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile() || readFileSync(file, "utf8").trim() === "")
    return;
  if (!hasCertificate(file))
    throw new Unusable([`${file}: already exists and is not a certificate; name another file to write`]);
}
