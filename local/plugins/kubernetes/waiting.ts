import { type Call, describe, type Props, UnfinishedError } from "../provider";
import { Annotation } from "./annotations";
import type { Objects } from "./apply";
import { toState } from "./checkpoint";
import { annotation, idOf, inWords, type KubeObject } from "./object";
import { readinessOf } from "./readiness";

/** Seconds that an object may take to become ready, and to disappear, as in the official provider. */
const READY_LIMIT = 600;
const DELETE_LIMIT = 300;

interface Waiting extends Pick<Call, "log" | "signal"> {
  inputs: Props;
  timeout: number | undefined;
}

/** The limit that a resource sets, in its options or in an annotation. */
export function limitOf({ inputs, timeout }: Pick<Waiting, "inputs" | "timeout">, otherwise: number): number {
  const annotated = Number(annotation(inputs, Annotation.TimeoutSeconds));
  return timeout ?? (annotated > 0 ? annotated : otherwise);
}

/** Waits until an object is ready. An object that does not become ready still exists, so the engine keeps it. */
export async function untilReady(
  objects: Objects,
  live: KubeObject,
  manager: string,
  waiting: Waiting,
): Promise<KubeObject> {
  const limit = limitOf(waiting, READY_LIMIT);
  let current = live;
  try {
    const ready = readinessOf(waiting.inputs, live);
    if (ready(live)) return live;
    waiting.log("status", `waiting until ${inWords(live)} is ready`);
    const isReady = (found: KubeObject | undefined) => {
      if (!found) throw new Error("it was deleted while we waited");
      current = found;
      return ready(found);
    };
    const isInTime = await until(objects, live, isReady, limit, waiting);
    if (!isInTime) throw new Error(`it was not ready after ${limit} seconds`);
    return current;
  } catch (error) {
    const reason = `${inWords(live)} exists, but is not ready: ${describe(error)}`;
    throw new UnfinishedError(idOf(current), toState(current, manager), [reason]);
  }
}

/** Waits until an object is gone, or another one has its name. */
export async function untilGone(objects: Objects, live: KubeObject, waiting: Waiting): Promise<void> {
  const limit = limitOf(waiting, DELETE_LIMIT);
  let current: KubeObject = live;
  const isGone = (found: KubeObject | undefined) => {
    if (!found || found.metadata.uid !== live.metadata.uid) return true;
    current = found;
    waiting.log("status", `waiting until ${inWords(live)} is gone`);
    return false;
  };
  if (!(await until(objects, live, isGone, limit, waiting)))
    throw new Error(`${inWords(live)} was still there after ${limit} seconds${holding(current)}`);
}

/** Watches an object until it is as wanted, and reports the cluster's warnings about it. False if the time runs out first. */
async function until(
  objects: Objects,
  live: KubeObject,
  isWanted: (found: KubeObject | undefined) => boolean,
  limit: number,
  { log, signal: cancelled }: Waiting,
): Promise<boolean> {
  const over = AbortSignal.timeout(limit * 1000);
  const done = new AbortController();
  const signal = AbortSignal.any([over, done.signal, cancelled]);
  try {
    const warnings = objects.warnings(live, signal);
    for (const text of (await warnings.next()).value as string[]) log("warning", text);
    return await Promise.race([
      wanted(objects.states(live, signal), isWanted),
      passedOn(warnings, (text) => log("warning", text)),
    ]);
  } catch (error) {
    if (cancelled.aborted) throw new Error("cancelled", { cause: error });
    if (over.aborted) return false;
    throw error;
  } finally {
    done.abort();
  }
}

async function wanted(
  states: AsyncGenerator<KubeObject | undefined>,
  isWanted: (found: KubeObject | undefined) => boolean,
): Promise<boolean> {
  for await (const found of states) if (isWanted(found)) return true;
  return false;
}

/** Never ends by itself, and nobody waits for its end. */
async function passedOn(warnings: AsyncGenerator<string[]>, tell: (text: string) => void): Promise<never> {
  for await (const words of warnings) words.forEach(tell);
  throw new Error("the cluster has nothing more to say");
}

function holding({ metadata, spec }: KubeObject): string {
  const own = Array.isArray(metadata.finalizers) ? (metadata.finalizers as string[]) : [];
  const finalizers = [...own, ...((spec as { finalizers?: string[] } | undefined)?.finalizers ?? [])];
  return finalizers.length === 0 ? "" : `; its finalizers are ${finalizers.join(", ")}`;
}
