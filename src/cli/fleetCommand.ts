import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCause } from "../fault";
import { deployedClusters, withFleetNames, takenByInputs } from "../fleet/deployed";
import { keyOfCluster } from "../fleet/document";
import { ledgerPath, ledgerText } from "../fleet/ledger";
import { EntryState, type FleetPlan, planFleet } from "../fleet/planFleet";
import { readFleetFiles } from "../plan/fleetFiles";
import { describeInputFaults } from "../plan/inputs";
import { fleetData, fleetMarkdown, type FleetReport, fleetText } from "../report/fleetPlan";
import { jsonDocument } from "../text";
import type { Loaded } from "./commands";
import { OutputFile } from "./outputFile";
import { configurationOf, isOn, liveOptions, planOf, Unusable } from "./plans";
import { CLEAN, FINDINGS } from "./terminal";

/** `hypershift-network plan [PATH...] --fleet FILE` */
export const fleetCommand: Loaded = async (paths, options, terminal) => {
  const file = options.fleet!;
  const live = liveOptions("plan", options);
  const { fleet, folder, ledger, faults } = readFleetFiles(file);
  if (!fleet || faults.length > 0) throw new Unusable(describeInputFaults(faults));
  const judged = await planOf(paths, configurationOf(options, paths, terminal), terminal, live);
  const existing = withFleetNames(deployedClusters(judged.clusters), [...fleet.clusters, ...ledger]);
  const known = new Set([...fleet.clusters, ...ledger].map(keyOfCluster));
  const around = takenByInputs(judged, fleet.pools, (key) => known.has(key));
  const plan = planFleet({ fleet, ledger, existing, around });
  const isWriting = isOn(options.write) && plan.unplaced.length === 0;
  const report: FleetReport = {
    plan,
    ...(isWriting && { written: { folder, files: write(plan, folder, file) } }),
  };
  terminal.out(WRITERS[options.format ?? "text"]!(report));
  const { unplaced, outgrown, conflicts, otherRanges } = plan;
  return [unplaced, outgrown, conflicts, otherRanges].some(({ length }) => length > 0) ? FINDINGS : CLEAN;
};

/** Writes the ledger files of new clusters. Existing ledger files are never changed. */
function write({ entries }: FleetPlan, folder: string, fleetFile: string): number {
  const added = entries.filter(({ state }) => state !== EntryState.Kept);
  const files = added.map(({ entry }) => ({
    file: join(folder, ...ledgerPath(entry)),
    text: ledgerText(entry),
  }));
  for (const { file, text } of files) {
    makeFolder(dirname(file));
    new OutputFile(file, [fleetFile]).put(text);
  }
  return files.length;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Unusable([`${folder}  cannot be created: ${readCause(error)[0]}`]);
  }
}

const WRITERS: Readonly<Record<string, (report: FleetReport) => string>> = {
  text: fleetText,
  markdown: fleetMarkdown,
  json: (report) => jsonDocument(fleetData(report)),
};
