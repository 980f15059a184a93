import { describeFaults, type Fault } from "../../fault";
import { judgePhase, type PhaseJudgement } from "../judge";
import type { MigrationWrite } from "../patches";
import { Unreachable } from "../../cluster/cluster";
import { granted, readObjects, type MigrationServer } from "./readObjects";
import type { PhaseResult, PhaseSettings } from "./settings";

/** Time, for who waits. */
export interface Waiting {
  /** Milliseconds since some moment. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** Enough for operators that write the same objects all the time. */
const ATTEMPTS = 30;
const PAUSE_MS = 1000;

/** What is wrong with a phase on a cluster as it is now; nothing is written. */
export async function refusalsOf(cluster: MigrationServer, settings: PhaseSettings): Promise<Fault[]> {
  return judgePhase(settings.phase, await readObjects(cluster, settings.phase), settings).faults;
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
  time: Waiting,
): Promise<PhaseResult> {
  const written: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const objects = await readObjects(cluster, settings.phase);
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
    if (!(method === "DELETE" && answer.status === 404)) granted(answer, path);
    written.push(what);
  }
  return true;
}

type Found = Pick<PhaseJudgement, "waiting" | "stopped">;

/** How far the cluster is. Its API servers restart with their nodes: one that does not answer is waited for. */
async function found(cluster: MigrationServer, settings: PhaseSettings): Promise<Found> {
  try {
    return judgePhase(settings.phase, await readObjects(cluster, settings.phase), settings);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const remedy = "look at the nodes of the control plane";
    return { waiting: [{ path: "Kubernetes API", problem: error.message, remedy }], stopped: [] };
  }
}

/** Waits until nothing is missing of what the phase brings about. */
async function waitFor(cluster: MigrationServer, settings: PhaseSettings, time: Waiting): Promise<void> {
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
