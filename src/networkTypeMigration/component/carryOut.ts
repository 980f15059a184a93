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

/** A phase of a migration, and what is said beside it. Plain JSON: this is what the engine keeps. */
export interface PhaseSettings extends MigrationWishes {
  phase: MigrationPhase;
  /** How long the phase waits for what it brings about. */
  timeoutSeconds: number;
  /** Under which name the server notes who wrote. */
  fieldManager: string;
  /** The content of a kubeconfig; without it the cluster is that of the stack's configuration and the environment. */
  kubeconfig?: string;
  /** The context in it. */
  context?: string;
}

/** Something of OpenShift SDN that the user has to write anew. */
export interface TranslationState {
  object: string;
  what: string;
  instead: string;
}

/** What a phase came to. */
export interface PhaseResult {
  /** What was written, in its order; nothing where it had been carried out. */
  written: string[];
  translations: TranslationState[];
}

/** The phase as it was carried out. */
export interface PhaseState extends PhaseSettings, PhaseResult {}

/** The properties that say what the phase does: with the others it is the same. */
export const WORK = [
  "phase",
  "backupsTaken",
  "translationsPrepared",
  "smallestNodeMtu",
  "genevePort",
  "vxlanPort",
  "clusterNetwork",
] as const satisfies readonly (keyof PhaseSettings)[];

/** Enough for operators that write the same objects all the time. */
const ATTEMPTS = 30;
const PAUSE_MS = 1000;

/** What is wrong with a phase on a cluster as it is now; nothing is written. */
export async function refusalsOf(cluster: MigrationServer, settings: PhaseSettings): Promise<Fault[]> {
  return judgePhase(settings.phase, await readMigrationObjects(cluster, settings.phase), settings).faults;
}

/**
 * Carries a phase out: reads the cluster, judges, writes what is missing, and waits for what it brings about. Whatever was cut
 * off before is found in the cluster, and is not written twice.
 *
 * @throws Error where the cluster is not ready for the phase, does not answer, or is not done in time
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
        `phase ${settings.phase}: another program wrote the objects between each of ${ATTEMPTS} reads and writes; try again when it is calmer`,
      );
    await time.sleep(PAUSE_MS * Math.random());
  }
}

/** Whether all was written; not where another program wrote in between, so that it has to be judged again. */
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
    // A namespace that went away in the meantime is what was wanted.
    if (!(method === "DELETE" && answer.status === 404)) grantedBody(answer, path);
    written.push(what);
  }
  return true;
}

type Found = Pick<PhaseJudgement, "waiting" | "stopped">;

/** How far the cluster is. Its API servers restart with their nodes: one that does not answer is waited for. */
async function found(cluster: MigrationServer, settings: PhaseSettings): Promise<Found> {
  try {
    return judgePhase(settings.phase, await readMigrationObjects(cluster, settings.phase), settings);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const remedy = "look at the nodes of the control plane";
    return { waiting: [{ path: "Kubernetes API", problem: error.message, remedy }], stopped: [] };
  }
}

/** Waits until nothing is missing of what the phase brings about. */
async function waitFor(cluster: MigrationServer, settings: PhaseSettings, time: Clock): Promise<void> {
  const { phase, timeoutSeconds } = settings;
  const deadline = time.now() + timeoutSeconds * 1000;
  for (;;) {
    const { waiting, stopped } = await found(cluster, settings);
    if (waiting.length === 0 && stopped.length === 0) return;
    if (stopped.length > 0)
      throw new Error(describeFaults(`phase ${phase} is written, and the cluster is in trouble`, stopped));
    if (time.now() >= deadline) {
      const subject = `phase ${phase} is written, and not done after ${timeoutSeconds} seconds; run it again, which writes nothing twice`;
      throw new Error(describeFaults(subject, waiting));
    }
    await time.sleep(Math.min(PAUSE_MS, Math.max(0, deadline - time.now())));
  }
}

/** What a phase asks of a cluster. */
export type MigrationServer = Pick<Cluster, "send">;

/**
 * Reads what decides on a phase.
 *
 * @throws Error where the cluster does not answer, or forbids it: which verb on which resource
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

/** The names of the machine configurations that pools have and are to have. */
function configurationsOf({ pools }: MigrationObjects): string[] {
  const names = pools.flatMap((pool) =>
    ["spec", "status"].map((part) => readText(pool, `${part}.configuration.name`)),
  );
  return [...new Set(names.filter((name) => typeof name === "string" && name !== ""))] as string[];
}

/** The body of an answer, unless it is a refusal. */
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
 * The phases of a migration, inside Pulumi's dynamic provider. It is loaded by name in a process of the engine and not by the
 * package: what it imports costs only those who use it.
 */
export const provider: dynamic.ResourceProvider<PhaseSettings, PhaseState> = {
  configure,

  // A preview that would be refused is refused as a preview. What cannot be read yet shows when it is written.
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

  // A migration is not taken back by forgetting it: there are phases for the way back.
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
