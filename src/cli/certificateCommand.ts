import { readFileSync, statSync } from "node:fs";

import { certificateOf } from "../reachability/certificate";
import { judgedJourneys, planGuards } from "../reachability/path";
import { jsonDocument } from "../text";
import { readCertificate } from "./check";
import type { Loaded } from "./commands";
import { OutputFile } from "./outputFile";
import { configurationOf, orUnusable, planOf, Unusable, wholeClusters } from "./plans";
import { CLEAN } from "./terminal";

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
    // No reader takes a certificate of nothing, this command neither when it is to write the file anew.
    if (certificate.flows.length === 0)
      throw new Unusable([
        `${key}: none of ${judged.length} documented flows is proved: there is nothing to write into ${file}; \`hypershift-network prove\` says what each of them lacks`,
      ]);
    output.write(
      jsonDocument(certificate, 1),
      `${key}: ${certificate.flows.length} of ${judged.length} documented flows are proved, and stand with their rules in ${file}`,
      terminal,
    );
    return CLEAN;
  });

/** The first file is written: a plan that stands in its place by mistake is not to be lost. */
function refuseOther(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile() || readFileSync(file, "utf8").trim() === "")
    return;
  try {
    readCertificate(file);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    throw new Unusable([`${file}: is there already and is no certificate; name another file to write`]);
  }
}
