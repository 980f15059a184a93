import { describeInputFault, readConfigurationFile, readInputs, type ConfigurationFile } from "../plan";
import { answerPlan } from "../reachability/answers";
import { htmlReport } from "../report/html";
import { JudgedResources, NO_CONFIGURATION, rules, verdictOf } from "../rules";
import { planQuestion } from "../rules/planQuestion";
import { nothingAtAll, reportOf } from "./check";
import type { Loaded } from "./commands";
import { OutputFile } from "./outputFile";
import { addressPlans } from "./planCommand";
import { orUnusable, Unusable, wholeClusters } from "./plans";
import { CLEAN } from "./terminal";

/** `hypershift-network report PATH... --out FILE`, or `--out -` for standard output */
export const reportCommand: Loaded = (paths, { config, state, out }, terminal) =>
  orUnusable(terminal, async () => {
    if (out === undefined || out === "")
      throw new Unusable(["hypershift-network report: name the file to write with --out report.html"]);
    const output = new OutputFile(out, [...paths, config, state]);
    const configured = configurationFile(config);
    const inputs = await readInputs(paths, {
      ...(state !== undefined && { state }),
      stdin: terminal.stdin,
      ahead: terminal.ahead,
    });
    const faults = [...configured.faults, ...inputs.faults, ...nothingAtAll(inputs)];
    if (faults.length > 0) throw new Unusable(faults.map(describeInputFault));
    const judged = new JudgedResources(inputs.resources, configured.configuration);
    const known = judged.clusters.some(({ topology, partial }) => topology && !partial);
    const page = htmlReport({
      report: reportOf(verdictOf(judged, rules), judged, inputs, configured),
      answers: known ? answersOf(judged) : [],
      plans: known ? addressPlans(onlyWhole(judged)) : [],
    });
    output.write(page, `${out} is written`, terminal);
    return CLEAN;
  });

const configurationFile = (file: string | undefined): ConfigurationFile =>
  file === undefined
    ? { configuration: NO_CONFIGURATION, faults: [], lineOf: () => undefined }
    : readConfigurationFile(
        file,
        rules.map(({ id }) => id),
      );

/** Clusters of which too little is known have neither flows nor addresses. */
const onlyWhole = (judged: JudgedResources): JudgedResources =>
  new JudgedResources(
    judged.resources,
    judged.configuration,
    judged.clusters.filter(({ topology, partial }) => topology && !partial),
  );

const answersOf = (judged: JudgedResources) => {
  const whole = onlyWhole(judged);
  return wholeClusters(whole).map(({ topology }) => answerPlan(planQuestion(whole, topology)));
};
