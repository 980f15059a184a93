import { answerPlan, describeAnswer, provesNothing, type PlanAnswer } from "../reachability/answers";
import { paragraphs } from "../paragraphs";
import { FailOn, failOnOf, failsOn, openFlowsFail } from "../report";
import { fenced } from "../report/markdownText";
import { filtersNotRead } from "../rules/notJudged";
import { planQuestion } from "../rules/planQuestion";
import type { Loaded } from "./commands";
import { jsonDocument } from "../visible";
import { liveOptions } from "./liveOptions";
import { configurationOf, orUnusable, planOf, Unusable, wholeClusters } from "./plans";
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
    const answers = wholeClusters(plan, cluster).map(({ topology }) =>
      answerPlan(planQuestion(plan, topology)),
    );
    terminal.out(WRITERS[format ?? "text"]!(answers));
    return answers.some((answer) => isFailed(answer, failOnOf(failOn))) ? FINDINGS : CLEAN;
  });

/** A plan that proves nothing is none that anybody can be content with, whatever was asked. */
const isFailed = ({ summary, undecided = [] }: PlanAnswer, failOn: FailOn): boolean =>
  summary.refuted > 0 ||
  provesNothing(summary) ||
  (summary.excess > 0 && failsOn(failOn, FailOn.Excess)) ||
  (undecided.length > 0 && failsOn(failOn, FailOn.Unknown)) ||
  openFlowsFail(summary, failOn);

const linesOf = (answers: readonly PlanAnswer[]): string[] => paragraphs(answers.map(describeAnswer));

const WRITERS: Readonly<Record<string, (answers: PlanAnswer[]) => string>> = {
  text: (answers) => textOfLines(linesOf(answers)),
  markdown: (answers) => `<!-- hypershift-network prove -->\n\n${fenced(linesOf(answers))}\n`,
  json: (answers) => jsonDocument({ version: 1, hostedClusters: answers }),
};
