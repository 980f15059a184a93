import { answerPlan } from "../reachability/answers/answerPlan";
import { describeAnswer, type PlanAnswer } from "../reachability/answers";
import { provesNothing } from "../reachability/answers/describeAnswer";
import { paragraphs, jsonDocument } from "../text";
import { FailOn, failOnOf, failsOn, openFlowsFail } from "../report";
import { fenced } from "../report/markdown";
import { filtersNotRead } from "../gate/notJudged";
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
import { CLEAN, FINDINGS, tell, textOfLines } from "./terminal";

/** `hypershift-network prove PATH...`, `hypershift-network prove --live` */
export const proveCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { cluster, format, failOn } = options;
    const live = liveOptions("prove", options);
    if (paths.length === 0 && !live)
      throw new Unusable([
        "hypershift-network prove: name the files of a plan, or what runs by --live or --ec2",
      ]);
    const plan = await planOf(paths, configurationOf(options, paths, terminal), terminal, live);
    tell(
      terminal,
      filtersNotRead(plan).map((note) => `note  ${note}`),
    );
    const clusters = wholeClusters(plan, cluster);
    const answers = clusters.map(({ topology }) => answerPlan(planQuestion(plan, topology)));
    terminal.out(WRITERS[format ?? "text"]!(answers));
    const failed = answers.some(
      (answer, place) => isAbsent(clusters[place]!, answer) || isFailed(answer, failOnOf(failOn)),
    );
    return failed ? FINDINGS : CLEAN;
  });

/**
 * Whether the plan has nothing of a cluster that the configuration names: the wrong file, or one without its filters. This
 * is a failure, whatever was asked.
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
