import { fleetMap } from "../addressRanges/fleetMap";
import { htmlReport } from "../report/html";
import { JudgedResources } from "../gate/judgedResources";
import { rules } from "../rules";
import { verdictOf } from "../gate/verdict";
import { reportOf } from "./check";
import { chosenConfiguration } from "./chosenConfiguration";
import type { Loaded } from "./commands";
import { OutputFile } from "./outputFile";
import { addressPlans } from "./planCommand";
import { answerOf } from "./proveCommand";
import { isWhole, nothingAtAll, orUnusable, refuseContradictions, Unusable, wholeClusters } from "./plans";
import { CLEAN, tellNotes } from "./terminal";
import { describeInputFaults } from "../plan/inputs";
import { readInputs } from "../plan/readInputs";

/** `hypershift-network report PATH... --out FILE`, or `--out -` for standard output */
export const reportCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { state, out } = options;
    if (out === undefined)
      throw new Unusable(["hypershift-network report: name the file to write with --out report.html"]);
    const configured = chosenConfiguration(options, paths);
    const output = new OutputFile(out, [...paths, configured.configuration.file, state]);
    const inputs = await readInputs(paths, {
      ...(state !== undefined && { state }),
      stdin: terminal.stdin,
      ahead: terminal.ahead,
    });
    const faults = [...configured.faults, ...inputs.faults, ...nothingAtAll(inputs)];
    if (faults.length > 0) throw new Unusable(describeInputFaults(faults));
    const judged = new JudgedResources(inputs.resources, configured.configuration);
    refuseContradictions(judged);
    const known = judged.clusters.some(isWhole);
    const page = htmlReport({
      report: reportOf(verdictOf(judged, rules), judged, inputs, configured),
      answers: known ? answersOf(judged) : [],
      plans: known ? addressPlans(onlyWhole(judged)) : [],
      ...(judged.clusters.length > 1 && { map: fleetMap(judged) }),
    });
    tellNotes(terminal, configured.notes);
    output.write(page, `${out} is written`, terminal);
    return CLEAN;
  });

/** Leaves out clusters that are not known well enough for flows and addresses. */
const onlyWhole = (judged: JudgedResources): JudgedResources =>
  new JudgedResources(judged.resources, judged.configuration, judged.clusters.filter(isWhole));

const answersOf = (judged: JudgedResources) => {
  const whole = onlyWhole(judged);
  return wholeClusters(whole).map((one) => answerOf(whole, one));
};
