import "../../supportedNode";

import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import type { dynamic } from "@pulumi/pulumi";
import type { MigrationPhase, MigrationWishes } from "../phases";
import { describeFaults, type Fault } from "../../fault";
import { judgePhase, type PhaseJudgement } from "../judge";
import type { MigrationWrite } from "../patches";
import { type ServerAnswer, type Cluster, mayAnswerLater, Unreachable } from "../../cluster/cluster";
import { MACHINE_CONFIGS, MIGRATION_LIST, MIGRATION_OBJECT, type MigrationObjects } from "../cluster";
import { readsMachineConfigs } from "../steps";
import { entriesOf, isMap, type PropertyMap, readText } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import { FORBIDDEN } from "../../cluster/liveCluster";
import { visible } from "../../text";
import { clusterOf, configure, UNKNOWN_VALUE } from "../../components/compareAndSwap/swap";
import type { Clock } from "../../cluster/interruptible";

/** A phase of a migration with its settings, as plain JSON: the engine stores it. */
export interface PhaseSettings extends MigrationWishes {
  phase: MigrationPhase;
  /** How long the phase waits for its effects. */
  timeoutSeconds: number;
  /** The name under which the server records the writes. */
  fieldManager: string;
  /** The content of a kubeconfig. Defaults to the cluster of the stack's configuration and the environment. */
  kubeconfig?: string;
  /** The context in the kubeconfig. */
  context?: string;
}

/** A setting of OpenShift SDN that the user must rewrite by hand. */
export interface TranslationState {
  object: string;
  what: string;
  instead: string;
}

/** The result of a phase. */
export interface PhaseResult {
  /** What was written, in order. Empty if the phase had been carried out before. */
  written: string[];
  translations: TranslationState[];
}

/** A phase that was carried out, with its result. */
export interface PhaseState extends PhaseSettings, PhaseResult {}

/** The properties that determine what the phase does; changing others does not run it again. */
export const WORK = [
  "phase",
  "backupsTaken",
  "translationsPrepared",
  "smallestNodeMtu",
  "genevePort",
  "vxlanPort",
  "clusterNetwork",
] as const satisfies readonly (keyof PhaseSettings)[];

/** Enough even if operators write the same objects all the time. */
const ATTEMPTS = 30;
const PAUSE_MS = 1000;

/** The faults of a phase on the present cluster; nothing is written. */
export async function refusalsOf(cluster: MigrationServer, settings: PhaseSettings): Promise<Fault[]> {
  return judgePhase(settings.phase, await readMigrationObjects(cluster, settings.phase), settings).faults;
}

/**
 * Carries out a phase: reads the cluster, judges, writes what is missing, and waits for the effects. After an interruption, it
 * continues from the state of the cluster and writes nothing twice.
 *
 * @throws Error if the cluster is not ready for the phase, does not answer, or is not done in time
 */
export async function carryOut(
  cluster: MigrationServer,
  settings: PhaseSettings,
  time: Clock,
): Promise<PhaseResult> {
  const written: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const objects = await readMigrationObjects(cluster, settings.phase);
    const { faults, writes, translations } = judgePhase(settings.phase, objects, settings);
    if (faults.length > 0) throw new Error(describeFaults(`phase ${settings.phase} is refused`, faults));
    if (await writeAll(cluster, settings, writes, written)) {
      await waitFor(cluster, settings, time);
      return { written, translations };
    }
    if (attempt === ATTEMPTS)
      throw new Error(
        `phase ${settings.phase}: another program changed the objects between read and write in each of ${ATTEMPTS} attempts; try again later`,
      );
    await time.sleep(PAUSE_MS * Math.random());
  }
}

/** Whether all was written. False if another program wrote in between, so that the cluster must be judged again. */
async function writeAll(
  cluster: MigrationServer,
  { fieldManager }: PhaseSettings,
  writes: readonly MigrationWrite[],
  written: string[],
): Promise<boolean> {
  for (const { what, method, path, body } of writes) {
    const query = method === "PATCH" ? `?fieldManager=${encodeURIComponent(fieldManager)}` : "";
    const answer = await cluster.send(method, path + query, body);
    if (answer.status === 409) return false;
    // A namespace that has gone in the meantime is the wanted result.
    if (!(method === "DELETE" && answer.status === 404)) grantedBody(answer, path);
    written.push(what);
  }
  return true;
}

type Found = Pick<PhaseJudgement, "waiting" | "stopped">;

/** Reads how far the cluster is. Keeps waiting if an API server does not answer, because API servers restart with their nodes. */
async function found(cluster: MigrationServer, settings: PhaseSettings): Promise<Found> {
  try {
    return judgePhase(settings.phase, await readMigrationObjects(cluster, settings.phase), settings);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const remedy = "check the nodes of the control plane";
    return { waiting: [{ path: "Kubernetes API", problem: error.message, remedy }], stopped: [] };
  }
}

/** Waits until the phase has all its effects. */
async function waitFor(cluster: MigrationServer, settings: PhaseSettings, time: Clock): Promise<void> {
  const { phase, timeoutSeconds } = settings;
  const deadline = time.now() + timeoutSeconds * 1000;
  for (;;) {
    const { waiting, stopped } = await found(cluster, settings);
    if (waiting.length === 0 && stopped.length === 0) return;
    if (stopped.length > 0)
      throw new Error(describeFaults(`phase ${phase} is written, but the cluster has problems`, stopped));
    if (time.now() >= deadline) {
      const subject = `phase ${phase} is written, but not done after ${timeoutSeconds} seconds; run it again, which repeats no write`;
      throw new Error(describeFaults(subject, waiting));
    }
    await time.sleep(Math.min(PAUSE_MS, Math.max(0, deadline - time.now())));
  }
}

/** The access to a cluster that a phase needs. */
export type MigrationServer = Pick<Cluster, "send">;

/**
 * Reads the objects that decide on a phase.
 *
 * @throws Error if the cluster does not answer, or forbids a request: the message names the verb and the resource
 */
export async function readMigrationObjects(
  cluster: MigrationServer,
  phase: MigrationPhase,
): Promise<MigrationObjects> {
  const get = async (path: string): Promise<PropertyMap | undefined> => {
    const answer = await cluster.send("GET", path);
    if (answer.status === 404) return undefined;
    return grantedBody(answer, path);
  };
  const single = Object.entries(MIGRATION_OBJECT).map(
    async ([name, path]) => [name, await get(path)] as const,
  );
  const many = Object.entries(MIGRATION_LIST).map(async ([name, path]) => {
    const list = await get(path);
    return [name, entriesOf(list?.items).filter(isMap)] as const;
  });
  const read = await Promise.all([...single, ...many]);
  const objects = Object.fromEntries(read.filter(([, object]) => object !== undefined)) as MigrationObjects;
  if (!readsMachineConfigs(phase)) return objects;
  const configs = await Promise.all(
    configurationsOf(objects).map((name) => get(`${MACHINE_CONFIGS}/${name}`)),
  );
  return { ...objects, machineConfigs: configs.filter((one) => one !== undefined) };
}

/** The names of the present and the wanted machine configurations of pools. */
function configurationsOf({ pools }: MigrationObjects): string[] {
  const names = pools.flatMap((pool) =>
    ["spec", "status"].map((part) => readText(pool, `${part}.configuration.name`)),
  );
  return [...new Set(names.filter((name) => typeof name === "string" && name !== ""))] as string[];
}

/** Returns the body of an answer; throws if the answer is a refusal. */
export function grantedBody({ status, body }: ServerAnswer, path: string): PropertyMap {
  const value = body as PropertyValue | undefined;
  if (status < 300 && isMap(value)) return value;
  const said = isMap(value) && typeof value.message === "string" ? value.message : `status ${status}`;
  const remedy =
    status === FORBIDDEN
      ? ": bind the role in rbac/migration.yaml of this package to the user of the kubeconfig"
      : "";
  throw new (mayAnswerLater(status) ? Unreachable : Error)(visible(`${path}: ${said}${remedy}`));
}

const clock = { now: () => Date.now(), sleep: (time: number) => sleep(time) };

/**
 * The phases of a migration in Pulumi's dynamic provider. A process of the engine loads it by name, and the package does not, so its
 * imports cost only those who use it.
 */
export const provider: dynamic.ResourceProvider<PhaseSettings, PhaseState> = {
  configure,

  // Refuses a phase already at preview. What cannot be read yet is judged when the phase is carried out.
  check: async (old, settings) => {
    if (isSameWork(old, settings) || JSON.stringify(settings).includes(UNKNOWN_VALUE))
      return { inputs: settings };
    const refusals = await clusterOf(settings)
      .then((cluster) => refusalsOf(cluster, settings))
      .catch(() => []);
    const failures = refusals.map(({ path, problem, remedy }) => ({
      property: "phase",
      reason: visible(`${settings.phase} is refused: ${path} ${problem}: ${remedy}`),
    }));
    return { inputs: settings, failures };
  },

  create: async (settings) => ({ id: "network-type", outs: await carriedOut(settings) }),

  update: async (_id, old, settings) => {
    const { written, translations } = old;
    if (isSameWork(old, settings)) return { outs: { ...settings, written, translations } };
    return { outs: await carriedOut(settings) };
  },

  // Deleting the resource does not undo the migration: phases for the way back do.
  delete: () => Promise.resolve(),

  diff: (_id, old, settings) => {
    const names = Object.keys({ ...old, ...settings }) as (keyof PhaseState)[];
    const now = settings as Partial<PhaseState>;
    const changed = names.filter(
      (name) => name !== "written" && name !== "translations" && !isDeepStrictEqual(old[name], now[name]),
    );
    return Promise.resolve({ changes: changed.length > 0, replaces: [] });
  },
};

async function carriedOut(settings: PhaseSettings): Promise<PhaseState> {
  const result = await carryOut(await clusterOf(settings), settings, clock);
  return { ...settings, ...result };
}

const isSameWork = (old: Partial<PhaseSettings>, now: PhaseSettings): boolean =>
  WORK.every((name) => isDeepStrictEqual(old[name], now[name]));
