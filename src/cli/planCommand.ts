import { type Conflict, rangeConflicts } from "../addressRanges/conflicts";
import { append } from "../collections";
import { planMarkdown, planText } from "../report/addressPlan";
import type { JudgedResources } from "../gate/judgedResources";
import { addressPlan, type AddressPlan, type NetworkAround } from "../topology/addressPlan";
import { jsonDocument } from "../text";
import { hasConfiguration } from "./chosenConfiguration";
import type { Loaded } from "./commands";
import { configurationOf, isOn, liveOptions, orUnusable, planOf, Unusable, wholeClusters } from "./plans";
import { CLEAN } from "./terminal";

/** `hypershift-network plan [PATH...]` */
export const planCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { change, cluster, format, fleet } = options;
    if (fleet === undefined && isOn(options.write))
      throw new Unusable(["hypershift-network plan: --write: add --fleet"]);
    if (fleet !== undefined && change !== undefined)
      throw new Unusable([
        "hypershift-network plan: --fleet and --change exclude each other: leave out one of them",
      ]);
    if (fleet !== undefined && cluster !== undefined)
      throw new Unusable(["hypershift-network plan: --cluster: a fleet is planned as a whole: leave it out"]);
    if (fleet !== undefined) return loadFleet()(paths, options, terminal);
    const live = liveOptions("plan", options);
    if (paths.length === 0 && !hasConfiguration(options))
      throw new Unusable([
        "hypershift-network plan: name a configuration with --config, or files with HostedClusters",
      ]);
    if (change !== undefined || live) return loadChange()(paths, options, terminal);
    const judged = await planOf(paths, configurationOf(options, paths, terminal), terminal);
    terminal.out(WRITERS[format ?? "text"]!(addressPlans(judged, cluster)));
    return CLEAN;
  });

/** Run books load the proof engine, which an address plan does not need. */
const loadChange = (): Loaded =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load them with every address plan
  (require("./changeCommand") as typeof import("./changeCommand")).changeCommand;

const loadFleet = (): Loaded =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with every address plan
  (require("./fleetCommand") as typeof import("./fleetCommand")).fleetCommand;

/** The address plan of each hosted cluster, including the VPCs of the plan. */
export function addressPlans(judged: JudgedResources, cluster?: string): AddressPlan[] {
  const around = [...judged.vpcs.values()].flatMap(({ blocks }): NetworkAround[] =>
    blocks.map(({ name, prefix }) => ({ name, prefix })),
  );
  const conflicts = new Map<Conflict["topology"], Conflict[]>();
  for (const conflict of rangeConflicts(judged)) append(conflicts, conflict.topology, [conflict]);
  return wholeClusters(judged, cluster).map(({ key, topology }) => ({
    ...addressPlan(topology, around, conflicts.get(topology)),
    cluster: key,
  }));
}

const WRITERS: Readonly<Record<string, (plans: AddressPlan[]) => string>> = {
  text: planText,
  markdown: planMarkdown,
  json: (plans) => jsonDocument({ version: 1, hostedClusters: plans }),
};
