import { listedIn, plural } from "../text";
import { JudgedResources } from "../gate/judgedResources";
import { fullNameOf, type JudgedCluster, keyWithEntry, SAY_PLATFORM } from "../gate/clusters";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { chosenConfiguration, type ConfigurationOptions } from "./chosenConfiguration";
import { Progress, tell, type Terminal, UNUSABLE, tellNotes } from "./terminal";
import { describeInputFault, describeInputFaults, type InputFault, type Inputs } from "../plan/inputs";
import { readInputs } from "../plan/readInputs";
import { grouped, pushAll } from "../collections";
import { LiveCluster, LiveFault } from "../cluster/liveCluster";
import { type LiveReading, type ReadProgress, readObjects } from "../live/readObjects";
import { readEc2 } from "../live/ec2/readEc2";
import type { Ec2Access } from "../live/ec2/ec2Api";
import type { Configuration } from "../gate/configuration";
import { contradictions } from "../plan/configurationFile";

/** Why a command cannot answer: lines to print, with the exit status for unusable input. */
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
 * Returns the configuration of a command, or an empty one.
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
  tellNotes(terminal, notes);
  return configuration;
}

/** The judged resources of the inputs, and what was read. */
export interface Plan extends Pick<Inputs, "liveKinds" | "isVoid"> {
  judged: JudgedResources;
}

/**
 * Reads the resources of the inputs, and of running systems if requested, and what follows from them.
 *
 * @throws Unusable if nothing was read: a command that failed in a pipe writes nothing
 */
export async function planOf(...input: Parameters<typeof readPlan>): Promise<JudgedResources> {
  const judged = await contradictoryPlanOf(...input);
  refuseContradictions(judged);
  return judged;
}

/** Like `planOf`, for a command that judges itself whether the configuration fits the hosted clusters. */
export async function contradictoryPlanOf(
  ...[paths, configuration, terminal, live]: Parameters<typeof readPlan>
): Promise<JudgedResources> {
  const { judged, isVoid } = await readPlan(paths, configuration, terminal, live);
  if (isVoid && paths.length > 0) throw new Unusable([describeInputFault(NOTHING_TO_JUDGE)]);
  return judged;
}

/** @throws Unusable if the configuration does not fit the hosted clusters */
export function refuseContradictions(judged: JudgedResources): void {
  const faults = contradictions(judged);
  if (faults.length > 0) throw new Unusable(describeInputFaults(faults));
}

const NOTHING_TO_JUDGE: InputFault = {
  file: "hypershift-network",
  problem: "found nothing to judge in any input",
  remedy: "name a preview, a stack export or Kubernetes manifests",
};

/** The fault of inputs without anything to judge. A gate that checked nothing must not report that all is well. */
export function nothingAtAll({ resources, faults, files, live, notes }: Inputs): InputFault[] {
  if (resources.length > 0 || faults.length > 0) return [];
  const [file = "the folder"] = notes;
  const isEmpty = files === 0 && live.length === 0;
  return [isEmpty ? { ...NOTHING_TO_JUDGE, problem: `found no file to read (${file})` } : NOTHING_TO_JUDGE];
}

/** Like `planOf`, and also returns what was read, even if that is nothing. */
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
  tellNotes(terminal, inputs.notes);
  const { resources, liveKinds, isVoid } = inputs;
  return { judged: new JudgedResources(resources, configuration), liveKinds, isVoid };
}

/** A hosted cluster that is known well enough to follow its flows. */
export type WholeCluster = JudgedCluster & { topology: NormalizedTopology };

/** Whether a hosted cluster is known that well: without its platform, it is not. */
export const isWhole = (cluster: JudgedCluster): cluster is WholeCluster =>
  cluster.topology !== undefined && !cluster.partial;

/** Whether a hosted cluster is meant by a name, or by none. */
export const isNamed = (cluster: JudgedCluster, name: string | undefined): boolean =>
  name === undefined || [cluster.key, cluster.name, fullNameOf(cluster)].includes(name);

/** The hosted clusters of a plan, or only the one with the given name. */
export function wholeClusters({ clusters, configuration }: JudgedResources, name?: string): WholeCluster[] {
  const named = clusters.filter((cluster) => isNamed(cluster, name));
  if (named.length === 0) throw new Unusable([noCluster(name, clusters)]);
  return allWhole(named, configuration);
}

/** @throws Unusable if some of the hosted clusters are not known well enough */
export function allWhole(clusters: readonly JudgedCluster[], configuration: Configuration): WholeCluster[] {
  const vague = clusters.filter((cluster) => !isWhole(cluster));
  if (vague.length > 0) throw new Unusable(vague.map((cluster) => withoutPlatform(cluster, configuration)));
  return clusters.filter(isWhole);
}

/** A hosted cluster in an old and a new state, of which one may not have it. */
export interface ClusterPair {
  /** Tells the cluster apart from the others of the state that has more of its name. */
  key: string;
  was?: JudgedCluster;
  is?: JudgedCluster;
}

/**
 * Pairs the hosted clusters of two states, by key. A key changes when a namesake in another management cluster appears or goes away: a
 * cluster without a partner is paired with the only one of its namespace and name, unless that has a partner.
 */
export function clusterPairs(
  old: readonly JudgedCluster[],
  now: readonly JudgedCluster[],
  name?: string,
): ClusterPair[] {
  const [olds, nows] = [new Partners(old), new Partners(now)];
  const forward = now.map((is): ClusterPair => {
    const was = olds.partnerOf(is, nows);
    return { key: is.key, ...(was && { was }), is };
  });
  const found = new Set(forward.map(({ was }) => was));
  const backward = old.flatMap((was): ClusterPair[] => {
    if (found.has(was) || nows.has(was)) return [];
    const is = nows.partnerOf(was, olds);
    return [{ key: was.key, was, ...(is && { is }) }];
  });
  const reached = new Set(backward.map(({ is }) => is));
  return [...forward.filter(({ was, is }) => was || !reached.has(is)), ...backward].filter(({ was, is }) =>
    [was, is].some((one) => one && isNamed(one, name)),
  );
}

/** The hosted clusters of one state, as partners of those of another. */
class Partners {
  readonly #byKey: ReadonlyMap<string, readonly JudgedCluster[]>;
  readonly #byName: ReadonlyMap<string, readonly JudgedCluster[]>;

  constructor(clusters: readonly JudgedCluster[]) {
    this.#byKey = grouped(clusters, ({ key }) => key);
    this.#byName = grouped(clusters, fullNameOf);
  }

  has = ({ key }: JudgedCluster): boolean => this.#byKey.has(key);

  partnerOf(cluster: JudgedCluster, others: Partners): JudgedCluster | undefined {
    const same = this.#byKey.get(cluster.key)?.[0];
    if (same) return same;
    const [only, ...more] = this.#byName.get(fullNameOf(cluster)) ?? [];
    return only && more.length === 0 && !others.has(only) ? only : undefined;
  }
}

/** Why a hosted cluster is not known well enough, and the fix. */
export const withoutPlatform = (cluster: JudgedCluster, configuration: Configuration): string =>
  `${keyWithEntry(cluster, configuration)}: its platform is not stated: ${SAY_PLATFORM}`;

const noCluster = (asked: string | undefined, all: readonly JudgedCluster[]): string =>
  asked === undefined
    ? "no hosted cluster in the configuration or the files"
    : `no hosted cluster ${asked}; there ${all.length === 1 ? "is" : "are"} ${plural(all.length, "hosted cluster")}${all.length > 0 ? `: ${all.map(({ key }) => key).join(", ")}` : ""}`;

/** The option that each option for running systems requires. */
const BELONGS = { kubeconfig: "live", context: "live", region: "ec2", vpc: "ec2" } as const;

/**
 * The running systems that a command line requests; undefined if it requests only files.
 *
 * @throws Unusable if options do not fit together
 */
export function liveOptions(
  command: string,
  options: Readonly<Record<string, string | undefined>>,
): LiveOptions | undefined {
  const stray = Object.entries(BELONGS).filter(
    ([option, part]) => options[option] !== undefined && !isOn(options[part]),
  );
  if (stray.length > 0)
    throw new Unusable(
      stray.map(([option, part]) => `hypershift-network ${command}: --${option}: add --${part}`),
    );
  if (!isOn(options.live) && !isOn(options.ec2)) return undefined;
  return {
    ...(isOn(options.live) && { cluster: given(options, "kubeconfig", "context") }),
    ...(isOn(options.ec2) && { ec2: { ...given(options, "region"), vpcs: vpcsOf(command, options.vpc) } }),
  };
}

/** Parses comma-separated VPC ids. */
function vpcsOf(command: string, written: string | undefined): string[] {
  const ids = written === undefined ? [] : [...listedIn(written)];
  const wrong = ids.filter((id) => !/^vpc-[0-9a-z]+$/.test(id));
  if (wrong.length > 0)
    throw new Unusable(
      wrong.map(
        (id) => `hypershift-network ${command}: --vpc ${id}: write ids of VPCs: vpc-0a1b2c3d,vpc-4e5f6a7b`,
      ),
    );
  return [...new Set(ids)];
}

/** Whether a switch is set. Its value is a boolean, not text. */
export const isOn = (option: unknown): boolean => option === true;

const given = <Name extends string>(
  options: Readonly<Record<string, string | undefined>>,
  ...names: Name[]
): { [name in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  ) as { [name in Name]?: string };

/** The running systems to read. */
export interface LiveOptions {
  /** The cluster of a kubeconfig. */
  cluster?: { kubeconfig?: string; context?: string };
  /** The EC2 API that the AWS SDK finds. */
  ec2?: Ec2Access;
}

/** Adds running systems to the inputs read from files. Whatever prevents judging them is reported as faults. */
export async function readLive(
  { cluster, ec2 }: LiveOptions,
  inputs: Inputs,
  reading: ReadProgress,
): Promise<void> {
  if (cluster)
    await add(inputs, "--live", async () =>
      readObjects(await LiveCluster.open(cluster, "the cluster"), reading),
    );
  if (ec2) await add(inputs, "--ec2", () => readEc2(ec2, reading));
}

async function add(inputs: Inputs, flag: string, read: () => Promise<LiveReading>): Promise<void> {
  try {
    const { name, runsIn, resources, kinds = [], notes, faults } = await read();
    for (const { origin, ...resource } of resources)
      inputs.resources.push({ ...resource, origin: { ...origin, ...(runsIn !== undefined && { runsIn }) } });
    inputs.live.push(name);
    pushAll(inputs.liveKinds, kinds);
    pushAll(inputs.notes, notes);
    pushAll(
      inputs.faults,
      faults.map((fault) => inputFault(flag, fault)),
    );
  } catch (error) {
    if (!(error instanceof LiveFault)) throw error;
    inputs.faults.push(inputFault(flag, error));
  }
}

const inputFault = (flag: string, { message, remedy }: LiveFault): InputFault => ({
  file: flag,
  problem: message,
  remedy,
});
