import { plural } from "../text";
import { JudgedResources } from "../gate/judgedResources";
import type { Configuration } from "../gate/configuration";
import type { JudgedCluster } from "../gate/clusters";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { chosenConfiguration, type ConfigurationOptions } from "./chosenConfiguration";
import { readLive, type LiveOptions } from "./liveInputs";
import { Progress, tell, type Terminal, UNUSABLE } from "./terminal";
import { describeInputFaults, type Inputs } from "../plan/inputs";
import { readInputs } from "../plan/readInputs";

/** What keeps a command from answering: lines to print, with the exit status of unusable input. */
export class Unusable extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join("\n"));
  }
}

/** Runs a command that may find its input unusable. */
export async function orUnusable(terminal: Terminal, run: () => Promise<number> | number): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    tell(terminal, error.lines);
    return UNUSABLE;
  }
}

/**
 * The configuration of a command, or none.
 *
 * @param paths the inputs of the command
 * @param tolerated ids of rules whose faults the command judges itself
 */
export function configurationOf(
  options: ConfigurationOptions,
  paths: readonly string[],
  terminal: Terminal,
  tolerated: readonly string[] = [],
): Configuration {
  const { configuration, faults, notes } = chosenConfiguration(options, paths, tolerated);
  if (faults.length > 0) throw new Unusable(describeInputFaults(faults));
  tell(
    terminal,
    notes.map((note) => `note  ${note}`),
  );
  return configuration;
}

/** The resources of some inputs, with what follows from them, and the kinds that were read of what runs. */
export interface Plan extends Pick<Inputs, "liveKinds"> {
  judged: JudgedResources;
}

/** The resources of some inputs, and of what runs where that is asked for, with what follows from them. */
export const planOf = async (
  paths: readonly string[],
  configuration: Configuration,
  terminal: Terminal,
  live?: LiveOptions,
): Promise<JudgedResources> => (await readPlan(paths, configuration, terminal, live)).judged;

/** The same, with what was read of what runs. */
export async function readPlan(
  paths: readonly string[],
  configuration: Configuration,
  terminal: Terminal,
  live?: LiveOptions,
): Promise<Plan> {
  const inputs = await readInputs(paths, { stdin: terminal.stdin, ahead: terminal.ahead });
  const progress = new Progress(terminal);
  if (live) await readLive(live, inputs, (what) => progress.reading(what));
  if (inputs.faults.length > 0) throw new Unusable(describeInputFaults(inputs.faults));
  tell(
    terminal,
    inputs.notes.map((note) => `note  ${note}`),
  );
  return { judged: new JudgedResources(inputs.resources, configuration), liveKinds: inputs.liveKinds };
}

/** A hosted cluster of which enough is known to follow its flows. */
export type WholeCluster = JudgedCluster & { topology: NormalizedTopology };

/** The hosted clusters of a plan, or the one of that name. */
export function wholeClusters({ clusters }: JudgedResources, name?: string): WholeCluster[] {
  const named = clusters.filter(
    (cluster) => name === undefined || cluster.key === name || cluster.name === name,
  );
  if (named.length === 0) throw new Unusable([noCluster(name, clusters)]);
  const vague = named.filter(({ topology, partial }) => !topology || partial);
  if (vague.length > 0)
    throw new Unusable(
      vague.map(({ key }) => `${key}: nothing says its platform; write platform: into the configuration`),
    );
  return named.map((cluster) => ({ ...cluster, topology: cluster.topology! }));
}

const noCluster = (asked: string | undefined, all: readonly JudgedCluster[]): string =>
  asked === undefined
    ? "no hosted cluster in the configuration or the files"
    : `no hosted cluster ${asked}; there ${all.length === 1 ? "is" : "are"} ${plural(all.length, "hosted cluster")}${all.length > 0 ? `: ${all.map(({ key }) => key).join(", ")}` : ""}`;
