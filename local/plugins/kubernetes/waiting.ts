import { type Call, describe, type Props, UnfinishedError } from "../provider";
import { Annotation } from "./annotations";
import { type Objects, sleep } from "./apply";
import { toState } from "./checkpoint";
import { annotation, idOf, inWords, type KubeObject } from "./object";
import { readinessOf } from "./readiness";

const LOOK_EVERY_MS = 500;

/** How long an object may take to get ready, and how long to go, in seconds, as with the official provider. */
const READY_LIMIT = 600;
const DELETE_LIMIT = 300;

interface Waiting extends Pick<Call, "log" | "signal"> {
  inputs: Props;
  timeout: number | undefined;
}

/** The limit that a resource sets, by its options or by an annotation. */
export function limitOf({ inputs, timeout }: Pick<Waiting, "inputs" | "timeout">, otherwise: number): number {
  const annotated = Number(annotation(inputs, Annotation.TimeoutSeconds));
  return timeout ?? (annotated > 0 ? annotated : otherwise);
}

/** Waits until an object is ready. One that does not get ready exists all the same: the engine keeps it. */
export async function untilReady(
  objects: Objects,
  live: KubeObject,
  manager: string,
  waiting: Waiting,
): Promise<KubeObject> {
  const limit = limitOf(waiting, READY_LIMIT);
  const end = Date.now() + limit * 1000;
  let current = live;
  try {
    const ready = readinessOf(waiting.inputs, live);
    while (!ready(current)) {
      if (Date.now() > end) throw new Error(`it was not ready after ${limit} seconds`);
      waiting.log("status", `waiting until ${inWords(live)} is ready`);
      await sleep(LOOK_EVERY_MS, waiting.signal);
      const found = await objects.find(live, waiting.signal);
      if (!found) throw new Error("it was deleted while we waited");
      current = found;
    }
    return current;
  } catch (error) {
    const reason = `${inWords(live)} exists, but is not ready: ${describe(error)}`;
    throw new UnfinishedError(idOf(current), toState(current, manager), [reason]);
  }
}

/** Waits until an object is gone, or another one has taken its name. */
export async function untilGone(objects: Objects, live: KubeObject, waiting: Waiting): Promise<void> {
  const limit = limitOf(waiting, DELETE_LIMIT);
  const end = Date.now() + limit * 1000;
  for (;;) {
    const found = await objects.find(live, waiting.signal);
    if (!found || found.metadata.uid !== live.metadata.uid) return;
    if (Date.now() > end)
      throw new Error(`${inWords(live)} was still there after ${limit} seconds${holding(found)}`);
    waiting.log("status", `waiting until ${inWords(live)} is gone`);
    await sleep(LOOK_EVERY_MS, waiting.signal);
  }
}

function holding({ metadata, spec }: KubeObject): string {
  const own = Array.isArray(metadata.finalizers) ? (metadata.finalizers as string[]) : [];
  const finalizers = [...own, ...((spec as { finalizers?: string[] } | undefined)?.finalizers ?? [])];
  return finalizers.length === 0 ? "" : `; its finalizers are ${finalizers.join(", ")}`;
}
